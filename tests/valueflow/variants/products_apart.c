/* A sparse matrix of the five-point kind times a vector, with all products in an array, of which each row
 * adds up its own: vectors that change places (0), one that is copied back (1). Arguments: which, rows and
 * columns of points, steps. */
#include "../kernels/kernel.h"

struct matrix {
    long n;
    int *first, *column;
    double *value, *product;
};

static void put(struct matrix *m, long column)
{
    m->column[m->first[m->n]++] = (int)column;
}

static struct matrix make(long rows, long columns)
{
    long n = rows * columns;
    struct matrix m = {0, calloc((size_t)n + 1, sizeof(int)), calloc((size_t)n * 5, sizeof(int)),
                       filled(n * 5), filled(n * 5)};
    for (; m.n < n; m.n++) {
        long i = m.n / columns, j = m.n % columns;
        if (m.n) m.first[m.n] = m.first[m.n - 1];
        if (i) put(&m, m.n - columns);
        if (j) put(&m, m.n - 1);
        put(&m, m.n);
        if (j + 1 < columns) put(&m, m.n + 1);
        if (i + 1 < rows) put(&m, m.n + columns);
    }
    for (long r = n; r > 0; r--) m.first[r] = m.first[r - 1];
    m.first[0] = 0;
    return m;
}

static void multiply(const struct matrix *m, const double *x, double *y)
{
    for (long e = 0; e < m->first[m->n]; e++) m->product[e] = m->value[e] * x[m->column[e]];
    for (long r = 0; r < m->n; r++) {
        double sum = 0;
        for (int e = m->first[r]; e < m->first[r + 1]; e++) sum += m->product[e];
        y[r] = sum;
    }
}

__attribute__((noinline)) static double *kernel(long which, const struct matrix *m, double *x, double *y,
                                                long steps)
{
    for (long t = 0; t < steps; t++) {
        multiply(m, x, y);
        if (which) {
            memcpy(x, y, (size_t)m->n * sizeof *x);
            continue;
        }
        double *z = x;
        x = y;
        y = z;
    }
    return x;
}

int main(int argc, char **argv)
{
    struct matrix m = make(argument(argc, argv, 2), argument(argc, argv, 3));
    double *x = kernel(argument(argc, argv, 1), &m, filled(m.n), filled(m.n), argument(argc, argv, 4)),
           sum = 0;
    for (long r = 0; r < m.n; r++) sum += x[r] * (double)(r % 7);
    printf("%.9g\n", sum);
    return 0;
}
