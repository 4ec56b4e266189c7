/* PLANES x ROWS x COLUMNS points, each of which is added up from all 27 around it, by a sparse matrix of as
 * many columns as there are (0), or added to these, point by point (1). WAY PLANES ROWS COLUMNS STEPS. */
#include "../kernels/kernel.h"

enum { MOST = 27 };

struct matrix {
    long n, *first;
    int *column;
    double *value;
};

static void fill(struct matrix *m, long planes, long rows, long columns)
{
    long n = 0, i = 0;
    for (long z = 0; z < planes; z++)
        for (long y = 0; y < rows; y++)
            for (long x = 0; x < columns; x++, i++) {
                m->first[i] = n;
                for (long k = 0; k < MOST; k++) {
                    long a = z + k / 9 - 1, b = y + k / 3 % 3 - 1, c = x + k % 3 - 1;
                    if (a < 0 || a >= planes || b < 0 || b >= rows || c < 0 || c >= columns) continue;
                    m->column[n++] = (int)((a * rows + b) * columns + c);
                }
            }
    m->first[i] = n;
}

static void gather(const struct matrix *m, const double *x, double *y)
{
    for (long i = 0; i < m->n; i++) {
        double sum = 0;
        for (long k = m->first[i]; k < m->first[i + 1]; k++) sum += m->value[k] * x[m->column[k]];
        y[i] = sum;
    }
}

static void scatter(const struct matrix *m, const double *x, double *y)
{
    memset(y, 0, (size_t)m->n * sizeof *y);
    for (long i = 0; i < m->n; i++)
        for (long k = m->first[i]; k < m->first[i + 1]; k++) y[m->column[k]] += m->value[k] * x[i];
}

__attribute__((noinline)) static void kernel(long way, const struct matrix *m, double *x, double *y,
                                             double *speed, long steps)
{
    for (long t = 0; t < steps; t++) {
        if (way)
            scatter(m, x, y);
        else
            gather(m, x, y);
        for (long i = 0; i < m->n; i++) {
            speed[i] -= 0.1 * y[i];
            x[i] += 0.1 * speed[i];
        }
    }
}

int main(int argc, char **argv)
{
    long planes = argument(argc, argv, 2), rows = argument(argc, argv, 3), columns = argument(argc, argv, 4);
    struct matrix m = {.n = planes * rows * columns};
    m.first = malloc((size_t)(m.n + 1) * sizeof *m.first);
    m.column = malloc((size_t)(m.n * MOST) * sizeof *m.column);
    m.value = filled(m.n * MOST);
    if (!m.first || !m.column) return 1;
    fill(&m, planes, rows, columns);
    double *x = filled(m.n);
    kernel(argument(argc, argv, 1), &m, x, filled(m.n), filled(m.n), argument(argc, argv, 5));
    printf("%.9g\n", x[3]);
    return 0;
}
