/* x = x / 2 + A x / 50, where each row of A has its diagonal and the element before it, and the first three
 * rows all of them. WAY 0: compressed rows. 1: entry by entry, from the last to the first. 2: all products
 * first, which are added up then. 3: columns, into sums on the stack. 4: rows, two sums of each, and what
 * is left over. 5: compressed rows, the new values in another array. ARGUMENTS: WAY N STEPS. */
#include "../kernels/kernel.h"
#include "parcast/region.h"
enum { FULL = 3 };

struct matrix {
    long n, entries;
    int *first, *row, *column; /* first: of each row */
    double *value;
};

static struct matrix make_matrix(long n)
{
    struct matrix m = {n, 0};
    m.first = malloc((size_t)(n + 1) * sizeof *m.first);
    m.row = malloc((size_t)((FULL + 2) * n) * sizeof *m.row);
    m.column = malloc((size_t)((FULL + 2) * n) * sizeof *m.column);
    m.value = filled((FULL + 2) * n);
    if (!m.first || !m.row || !m.column) exit(1);
    for (int i = 0; i < n; i++) {
        m.first[i] = (int)m.entries;
        for (int j = 0; j < n; j++)
            if (i < FULL || j == i || j == i - 1) {
                m.row[m.entries] = i;
                m.column[m.entries++] = j;
            }
    }
    m.first[n] = (int)m.entries;
    return m;
}

static void by_rows(double *y, const double *x, const struct matrix *m)
{
    for (long i = 0; i < m->n; i++) {
        double sum = 0;
        for (int e = m->first[i]; e < m->first[i + 1]; e++) sum += m->value[e] * x[m->column[e]];
        y[i] = sum;
    }
}

static void by_entries(double *y, const double *x, const struct matrix *m)
{
    for (long i = 0; i < m->n; i++) y[i] = 0;
    for (long e = m->entries - 1; e >= 0; e--) y[m->row[e]] += m->value[e] * x[m->column[e]];
}

static void by_products(double *y, const double *x, const struct matrix *m)
{
    double *product = malloc((size_t)m->entries * sizeof *product);
    if (!product) exit(1);
    for (long e = 0; e < m->entries; e++) product[e] = m->value[e] * x[m->column[e]];
    for (long i = 0; i < m->n; i++) {
        y[i] = 0;
        for (int e = m->first[i]; e < m->first[i + 1]; e++) y[i] += product[e];
    }
    free(product);
}

static void by_columns(double *y, const double *x, const struct matrix *m)
{
    double sum[m->n];
    for (long i = 0; i < m->n; i++) sum[i] = 0;
    for (int j = 0; j < m->n; j++)
        for (long e = 0; e < m->entries; e++)
            if (m->column[e] == j) sum[m->row[e]] += m->value[e] * x[j];
    memcpy(y, sum, sizeof sum);
}

static void by_pairs(double *y, const double *x, const struct matrix *m)
{
    for (long i = 0; i < m->n; i++) {
        double even = 0, odd = 0;
        int e = m->first[i], end = m->first[i + 1];
        for (; e + 1 < end; e += 2) {
            even += m->value[e] * x[m->column[e]];
            odd += m->value[e + 1] * x[m->column[e + 1]];
        }
        if (e < end) even += m->value[e] * x[m->column[e]];
        y[i] = even + odd;
    }
}

static void into_others(double **y, double **x, const struct matrix *m)
{
    double *from = *x, *to = *y;
    for (long i = 0; i < m->n; i++) {
        double sum = 0;
        for (int e = m->first[i]; e < m->first[i + 1]; e++) sum += m->value[e] * from[m->column[e]];
        to[i] = 0.5 * from[i] + 0.02 * sum;
    }
    *x = to;
    *y = from;
}

int main(int argc, char **argv)
{
    static void (*const ways[])(double *, const double *, const struct matrix *) = {
        by_rows, by_entries, by_products, by_columns, by_pairs};
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    struct matrix m = make_matrix(n);
    double *x = filled(n), *y = filled(n);
    parcast_region_begin();
    for (long t = 0; t < steps; t++) {
        if (way == 5) {
            into_others(&y, &x, &m);
            continue;
        }
        ways[way](y, x, &m);
        for (long i = 0; i < n; i++) x[i] = 0.5 * x[i] + 0.02 * y[i];
    }
    parcast_region_end();
    printf("%g\n", x[n / 2]);
    return 0;
}
