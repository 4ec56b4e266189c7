/* A matrix of the 27 points around each of n^3 points, in rows whose numbers and columns are counted through
 * three loops: columns in a list that grows (0) or has its room (1); y = A x, x += y / 100, T times.
 * ARGUMENTS: way, n, T. */
#include <cstdio>
#include <cstdlib>
#include <vector>

struct matrix {
    std::vector<int> rows, offsets, columns;
    std::vector<double> values;
};

static bool is_inside(int i, int n)
{
    return i >= 0 && i < n;
}

static void number(matrix &a, int n)
{
    for (int z = 0, r = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++, r++) {
                a.rows[r] = r;
                a.offsets[r] = static_cast<int>(a.columns.size());
                for (int k = z - 1; k <= z + 1; k++)
                    for (int j = y - 1; j <= y + 1; j++)
                        for (int i = x - 1; i <= x + 1; i++)
                            if (is_inside(i, n) && is_inside(j, n) && is_inside(k, n))
                                a.columns.push_back(i + n * (j + n * k));
            }
    a.offsets[n * n * n] = static_cast<int>(a.columns.size());
}

static void fill(matrix &a)
{
    a.values.assign(a.columns.size(), 0);
    for (size_t r = 0; r < a.rows.size(); r++)
        for (int k = a.offsets[r]; k < a.offsets[r + 1]; k++)
            a.values[k] = a.columns[k] == a.rows[r] ? 30 : a.columns[k] % 3;
}

extern "C" void kernel(int way, int n, int times, std::vector<double> &x, std::vector<double> &y)
{
    size_t points = x.size();
    matrix a;
    a.rows.resize(points);
    a.offsets.resize(points + 1);
    if (way == 1) a.columns.reserve(27 * points);
    number(a, n);
    fill(a);
    for (int t = 0; t < times; t++) {
        for (size_t r = 0; r < points; r++) {
            double sum = 0;
            for (int k = a.offsets[r]; k < a.offsets[r + 1]; k++) sum += a.values[k] * x[a.columns[k]];
            y[r] = sum;
        }
        for (size_t r = 0; r < points; r++) x[r] += 0.01 * y[r];
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int n = atoi(argv[2]);
    std::vector<double> x(static_cast<size_t>(n) * n * n), y(x.size());
    for (size_t i = 0; i < x.size(); i++) x[i] = static_cast<double>(i % 7);
    kernel(atoi(argv[1]), n, atoi(argv[3]), x, y);
    printf("%g\n", x[x.size() / 2]);
    return 0;
}
