// Arrays in namespaces.
#include <cstdio>
#include <iostream>
#include <vector>

const int n = 16;
namespace plate
{
double cold[n * n], hot[n * n];
}
namespace plate
{
std::vector<double> cool, warm;
static void make()
{
    cool.resize(n * n);
    warm.resize(n * n);
}
} // namespace plate
namespace
{
double sum[n * n];
}

static int vectors()
{
    using namespace plate;
    make();
    for (int i = 0; i < n * n; i++) warm[i] = i;
    for (int k = 0; k < 3; k++) {
        for (int i = 1; i < n * n; i++) cool[i] = 0.5 * (warm[i] + warm[i - 1]);
        for (int i = 1; i < n * n; i++) warm[i] = cool[i - 1] + cool[i];
    }
    std::cerr << "warm" << std::endl; // no news either
    std::printf("%g\n", warm[3]);
    return 0;
}

int main(int argc, char **)
{
    if (argc > 1) return vectors();
    for (int i = 1; i < n * n; i++) plate::cold[i] = 0.5 * (plate::hot[i] + plate::hot[i - 1]);
    for (int i = 1; i < n * n; i++) plate::hot[i] = plate::cold[i - 1] + plate::cold[i];
    for (int i = 1; i < n * n; i++) sum[i] = plate::hot[i - 1] + plate::hot[i];
    std::printf("%g\n", sum[3]);
}
