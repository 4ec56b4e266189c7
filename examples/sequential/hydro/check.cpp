#include "check.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

static bool read_number(const char *text, int most, int &value)
{
    char *end;
    const long number = std::strtol(text, &end, 10);
    if (end == text || *end || number < 1 || number > most) return false;
    value = static_cast<int>(number);
    return true;
}

bool read_arguments(int argc, char **argv, int &side, int &steps)
{
    side = 16;
    steps = 50;
    if (argc <= 3 && (argc < 2 || read_number(argv[1], 400, side)) &&
        (argc < 3 || read_number(argv[2], 1000000, steps)))
        return true;
    std::fprintf(stderr, "usage: hydro [SIDE [STEPS]]   (SIDE 1 to 400)\n");
    return false;
}

Totals add_up(const Fields &fields, const Box &box, const std::vector<bool> &owned)
{
    Totals totals = {0, 0, 0};
    for (std::size_t n = 0; n < owned.size(); n++) {
        if (!owned[n]) continue;
        double square = 0;
        for (const auto &velocity : fields.velocity) square += velocity[n] * velocity[n];
        totals.kinetic += 0.5 * fields.node_mass[n] * square;
    }
    for (int k = 0; k < box.count[2]; k++)
        for (int j = 0; j < box.count[1]; j++)
            for (int i = 0; i < box.count[0]; i++) {
                const int e = element_of(box, i, j, k);
                const int far = (box.first[0] + i) + 2 * (box.first[1] + j) + 3 * (box.first[2] + k) + 1;
                totals.internal += fields.mass[e] * fields.energy[e];
                totals.front += fields.mass[e] * fields.energy[e] * far;
            }
    return totals;
}

int print_result(int side, int steps, const char *where, double wall_s, double time, const Totals &totals,
                 bool correct)
{
    const double error = std::fabs(totals.kinetic + totals.internal - blast_energy) / blast_energy;
    correct = correct && error < 1e-13 + 1e-15 * steps;
    std::printf("hydro: %d^3 elements, %d steps on %s: %.3f s, time %.9e, kinetic %.9e, internal %.9e, front "
                "%.9e, error %.1e: %s\n",
                side, steps, where, wall_s, time, totals.kinetic, totals.internal, totals.front, error,
                correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}
