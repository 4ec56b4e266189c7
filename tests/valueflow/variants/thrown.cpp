/* Steps whose first call may throw an exception, for which each step's result is allocated. ARGUMENTS:
 * ignored, length, steps. */
#include <cstdio>
#include <cstdlib>
#include <vector>

__attribute__((noinline)) static std::vector<double> next(const std::vector<double> &u)
{
    size_t n = u.size();
    std::vector<double> v(n);
    for (size_t i = 0; i < n; i++) v[i] = 0.5 * u[i] + 0.25 * (u[(i + 1) % n] + u[(i + n - 1) % n]);
    return v;
}

extern "C" __attribute__((noinline)) double kernel(std::vector<double> &u, long steps)
{
    std::vector<double> kept(u.size());
    for (long t = 0; t < steps; t++) {
        std::vector<double> v = next(u);
        for (size_t i = 0; i < u.size(); i++) u[i] = v[i];
    }
    return u[0];
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    std::vector<double> u((size_t)std::atol(argv[2]));
    for (size_t i = 0; i < u.size(); i++) u[i] = (double)(i * 7919 % 13) / 8;
    std::printf("%.9g\n", kernel(u, std::atol(argv[3])));
    return 0;
}
