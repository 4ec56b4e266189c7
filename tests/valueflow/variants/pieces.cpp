// Fields in one vector: pointers into it, references to its words, and members of an object.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{
const int steps = 3;

struct fields {
    double *u, *w, *factor;
    fields(std::vector<double> &pool, std::size_t n) : u(pool.data()), w(&pool[n]), factor(&pool[2 * n])
    {
    }
};

void sweep(int rows, int columns, const double *u, double *w, const double *factor)
{
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) {
            int k = i * columns + j;
            w[k] = u[k] + factor[k] * (u[k - 1] + u[k + 1] + u[k - columns] + u[k + columns]);
        }
}
} // namespace

extern "C" __attribute__((noinline)) double kernel(int way, int rows, int columns, std::vector<double> &pool)
{
    std::size_t n = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    fields all(pool, way ? n + 3 : n);
    for (int t = 0; t < steps; t++) {
        sweep(rows, columns, all.u, all.w, all.factor);
        std::swap(all.u, all.w);
    }
    return all.u[columns + 1];
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int rows = std::atoi(argv[2]), columns = std::atoi(argv[3]);
    std::vector<double> pool(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * 3 + 20);
    for (std::size_t i = 0; i < pool.size(); i++) pool[i] = static_cast<double>(i % 7);
    std::printf("%g\n", kernel(std::atoi(argv[1]), rows, columns, pool));
    return 0;
}
