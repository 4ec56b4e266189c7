/* A matrix of the points beside each of n x m points, and two vectors, in lists that all grow: y = A x, and y
 * is the next x, T times. Vectors that change places (0), or are copied (1). ARGUMENTS: way, n, m, T. */
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct problem {
    std::vector<int> rows, columns;
    std::vector<double> values, x, y;
};

static void add(problem &p, int column, double value)
{
    p.columns.push_back(column);
    p.values.push_back(value);
}

static void fill(problem &p, int n, int m)
{
    for (int r = 0; r < n * m; r++) {
        p.rows.push_back((int)p.columns.size());
        p.x.push_back(r % 17 * 0.1);
        p.y.push_back(0);
        if (r >= m) add(p, r - m, 0.1);
        if (r % m) add(p, r - 1, 0.1);
        add(p, r, 0.6);
        if (r % m < m - 1) add(p, r + 1, 0.1);
        if (r + m < n * m) add(p, r + m, 0.1);
    }
    p.rows.push_back((int)p.columns.size());
}

__attribute__((noinline)) double kernel(int way, int n, int m, int steps)
{
    problem p;
    fill(p, n, m);
    for (int t = 0; t < steps; t++) {
        for (int r = 0; r < n * m; r++) {
            double sum = 0;
            for (int k = p.rows[r]; k < p.rows[r + 1]; k++) sum += p.values[k] * p.x[p.columns[k]];
            p.y[r] = sum;
        }
        if (way)
            p.x = p.y;
        else
            std::swap(p.x, p.y);
    }
    double all = 0;
    for (double x : p.x) all = all < x ? x : all;
    return all;
}

int main(int argc, char **argv)
{
    if (argc < 5) return 1;
    printf("%.9g\n", kernel(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), atoi(argv[4])));
    return 0;
}
