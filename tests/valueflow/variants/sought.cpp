// The first number above a limit, near the end, found by functions of the library; what is found goes back to
// all numbers. ARGUMENTS: way, numbers, steps.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static bool is_above(double x)
{
    return x > 0.995;
}

static double find(const std::vector<double> &x, int way)
{
    if (way == 0) return std::any_of(x.begin(), x.end(), is_above);
    if (way == 1) return std::none_of(x.begin(), x.end(), is_above);
    auto found = std::find_if(x.begin(), x.end(), is_above);
    if (way == 2) return found == x.end() ? 0 : *found;
    return double(found - x.begin());
}

extern "C" __attribute__((noinline)) void kernel(std::vector<double> &x, int way, int steps)
{
    for (int t = 0; t < steps; t++) {
        double found = find(x, way);
        for (double &one : x) one = 0.9999 * one + 1e-9 * found;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    std::vector<double> x(std::size_t(std::atoi(argv[2])));
    for (std::size_t i = 0; i < x.size(); i++) x[i] = double(i * 7919 % 1009) / 1020;
    x[x.size() - x.size() / 20] = 1;
    kernel(x, std::atoi(argv[1]), std::atoi(argv[3]));
    std::printf("%g\n", x[0]);
}
