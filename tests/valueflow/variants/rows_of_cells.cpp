// rows_of_cells WAY N M TIMES: five numbers for each point of a mesh, the first of which spreads. WAY 0: a
// flat array for each; 1: rows of structures that are allocated one by one, few of them and long.
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{
enum { FIELDS = 5 };

struct flat {
    int m;
    std::vector<double> field[FIELDS];
    flat(int n, int given) : m(given)
    {
        for (auto &f : field) f.resize(static_cast<size_t>(n) * m);
    }
    double &operator()(int f, int i, int j)
    {
        return field[f][i * m + j];
    }
};

struct cell {
    double value[FIELDS];
};

struct rows {
    std::vector<std::vector<cell>> all;
    rows(int n, int m) : all(n, std::vector<cell>(m))
    {
    }
    double &operator()(int f, int i, int j)
    {
        return all[i][j].value[f];
    }
};

template <class Mesh> __attribute__((noinline)) void kernel(Mesh &now, Mesh &next, int n, int m, int n_times)
{
    for (int t = 0; t < n_times; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                next(0, i, j) =
                    0.25 * (now(0, i - 1, j) + now(0, i + 1, j) + now(0, i, j - 1) + now(0, i, j + 1));
                for (int f = 1; f < FIELDS; f++) next(f, i, j) = 0.5 * now(f, i, j) * now(0, i, j);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int f = 0; f < FIELDS; f++) now(f, i, j) = next(f, i, j);
    }
}

template <class Mesh> double compute(int n, int m, int n_times)
{
    Mesh now(n, m), next(n, m);
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int f = 0; f < FIELDS; f++) now(f, i, j) = 0.1 * ((i * 37 + j * 5 + f) % 11);
    kernel(now, next, n, m, n_times);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum += now(0, i, j);
    return sum;
}
} // namespace

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int n = atoi(argv[2]), m = atoi(argv[3]), n_times = atoi(argv[4]);
    printf("%g\n", atoi(argv[1]) ? compute<rows>(n, m, n_times) : compute<flat>(n, m, n_times));
    return 0;
}
