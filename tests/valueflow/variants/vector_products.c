/* A vector is multiplied by a dense matrix T times, of a side that parts need not divide: 0 row by row; 1
 * with the matrix column by column in memory; 2 from a copy of the vector on the heap, 3 in a static one; 4
 * four sums a row; 5 rows by pointers; 6 elements in lists; 7 a static matrix with longer rows. WAY N T. */
#include "../kernels/kernel.h"

enum { WIDEST = 72 };

struct element {
    double value;
    long column;
    struct element *next;
};

struct matrix {
    double *all, **row;
    struct element **list;
};

static double wide[WIDEST][WIDEST], wide_y[WIDEST], wide_x[WIDEST];

static double row_by(const double *a, const double *x, long n, long step)
{
    double sum = 0;
    for (long j = 0; j < n; j++) sum += a[j * step] * x[j];
    return sum;
}

static double four_sums(const double *a, const double *x, long n)
{
    double sum[4] = {0};
    for (long j = 0; j < n; j++) sum[j % 4] += a[j] * x[j];
    return sum[0] + sum[1] + sum[2] + sum[3];
}

static double listed(const struct element *e, const double *x)
{
    double sum = 0;
    for (; e; e = e->next) sum += e->value * x[e->column];
    return sum;
}

static void from_copy(const double *a, double *x, double *copy, long n)
{
    for (long i = 0; i < n; i++) copy[i] = x[i];
    for (long i = 0; i < n; i++) x[i] = row_by(a + i * n, copy, n, 1);
}

static void from_heap(const double *a, double *x, long n)
{
    double *copy = malloc((size_t)n * sizeof *copy);
    if (!copy) exit(1);
    from_copy(a, x, copy, n);
    free(copy);
}

static void in_wide(long n)
{
    for (long i = 0; i < n; i++) wide_y[i] = row_by(wide[i], wide_x, n, 1);
    memcpy(wide_x, wide_y, (size_t)n * sizeof *wide_x);
}

void kernel(long way, const struct matrix *m, double *y, double *x, long n, long t)
{
    static double copy[WIDEST];
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < n; i++) {
            if (way == 0) y[i] = row_by(m->all + i * n, x, n, 1);
            if (way == 1) y[i] = row_by(m->all + i, x, n, n);
            if (way == 4) y[i] = four_sums(m->all + i * n, x, n);
            if (way == 5) y[i] = row_by(m->row[i], x, n, 1);
            if (way == 6) y[i] = listed(m->list[i], x);
        }
        if (way == 2) from_heap(m->all, x, n);
        if (way == 3) from_copy(m->all, x, copy, n);
        if (way == 7) in_wide(n);
        if (way < 2 || (way > 3 && way < 7)) memcpy(x, y, (size_t)n * sizeof *x);
    }
}

static struct element *make_list(const double *row, long n)
{
    struct element *first = NULL;
    while (n-- > 0) {
        struct element *e = malloc(sizeof *e);
        if (!e) exit(1);
        *e = (struct element){row[n], n, first};
        first = e;
    }
    return first;
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), t = argument(argc, argv, 3);
    double *y = filled(n), *x = filled(n);
    struct matrix m = {filled(n * n), malloc((size_t)n * sizeof *m.row), malloc((size_t)n * sizeof *m.list)};
    if (!m.row || !m.list || n > WIDEST) exit(1);
    for (long i = 0; i < n; i++) {
        m.row[i] = filled(n);
        m.list[i] = make_list(m.all + i * n, n);
        memcpy(wide[i], m.all + i * n, (size_t)n * sizeof *y);
        wide_x[i] = x[i];
    }
    kernel(way, &m, y, x, n, t);
    printf("%g\n", x[n / 2] + wide_x[n / 2]);
    return 0;
}
