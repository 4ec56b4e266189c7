// A program in the style of unstructured hydrodynamics mini-applications, of several files.
//     stress [-s SIDE] [-i STEPS] [-r REGIONS] [-q]
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "domain.h"

double wallclock()
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return double(t.tv_sec) + 1e-6 * double(t.tv_usec);
}

static void TimeIncrement(Domain &domain)
{
    Real least = Real(1.0e+20);
    for (Index k = 0; k < domain.numElem(); ++k) {
        const Real allowed = CBRT(domain.v(k)) / SQRT(Real(1.4) * domain.p(k) + Real(1));
        if (allowed < least) least = allowed;
    }
    if (domain.deltatime > Real(0.1) * least) domain.deltatime = Real(0.1) * least;
    domain.time += domain.deltatime;
}

void TimeLoop(Domain &domain, const std::map<std::string, Phase *> &phases, int steps, bool quiet)
{
    for (int step = 1; step <= steps; step++) {
        TimeIncrement(domain);
        for (const auto &phase : phases) phase.second->apply(domain);
        if (!quiet) printf("step %d time %e dt %e\n", step, double(domain.time), double(domain.deltatime));
    }
}

int main(int argc, char *argv[])
{
    int side = 6, steps = 4, regions = 3;
    bool quiet = false;
    for (int option; (option = getopt(argc, argv, "s:i:r:q")) != -1;) {
        if (option == 's') side = std::atoi(optarg);
        if (option == 'i') steps = std::atoi(optarg);
        if (option == 'r') regions = std::atoi(optarg);
        if (option == 'q') quiet = true;
    }
    Domain *domain = new Domain(side, regions);
    std::map<std::string, Phase *> phases = makePhases();
    const double start = wallclock();
    try {
        TimeLoop(*domain, phases, steps, quiet);
    } catch (const Failure &failure) {
        std::cerr << "stress: " << failure.what() << std::endl;
        return 1;
    }
    const double elapsed = wallclock() - start;
    Real energy = 0;
    for (Index k = 0; k < domain->numElem(); ++k) energy += domain->e(k);
    std::cout << "energy " << energy << (elapsed >= 0 ? "" : " ?") << std::endl;
    for (auto &phase : phases) delete phase.second;
    delete domain;
    return 0;
}
