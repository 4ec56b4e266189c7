/* The five-point sweep of heat2d in many ways. Arguments: which, side, steps. */
#include "../kernels/kernel.h"

#define AT(a, i, j) (a)[(i) * (n + 2) + (j)]
#define SWEEP(u, i, j)                                                                                       \
    (0.2 * (AT(u, i, j) + AT(u, (i) - 1, j) + AT(u, (i) + 1, j) + AT(u, i, (j) - 1) + AT(u, i, (j) + 1)))

static void swap(double **u, double **v)
{
    double *w = *u;
    *u = *v;
    *v = w;
}

static void with_ghosts(double *u, double *v, long n, long steps)
{
    for (long s = 0; s < steps; s++, swap(&u, &v)) {
        for (long i = 1; i <= n; i++) {
            AT(u, i, 0) = AT(u, i, 1);
            AT(u, i, n + 1) = AT(u, i, n);
            AT(u, 0, i) = AT(u, 1, i);
            AT(u, n + 1, i) = AT(u, n, i);
        }
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) AT(v, i, j) = SWEEP(u, i, j);
    }
}

static void by_rows(double *u, double *v, long n, long steps)
{
    double **a = malloc((size_t)(n + 2) * sizeof *a), **b = malloc((size_t)(n + 2) * sizeof *b);
    for (long i = 0; i < n + 2; i++) {
        a[i] = &AT(u, i, 0);
        b[i] = &AT(v, i, 0);
    }
    for (long s = 0; s < steps; s++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        double **c = a;
        a = b;
        b = c;
    }
    free(a);
    free(b);
}

static void row_buffers(double *u, long n, long steps)
{
    size_t bytes = (size_t)(n + 2) * sizeof *u;
    double *above = malloc(bytes), *here = malloc(bytes);
    for (long s = 0; s < steps; s++) {
        memcpy(above, u, bytes);
        for (long i = 1; i <= n; i++) {
            memcpy(here, &AT(u, i, 0), bytes);
            for (long j = 1; j <= n; j++)
                AT(u, i, j) = 0.2 * (here[j] + above[j] + AT(u, i + 1, j) + here[j - 1] + here[j + 1]);
            swap(&above, &here);
        }
    }
    free(above);
    free(here);
}

static void through_unions(double *u, double *v, long n, long steps)
{
    for (long s = 0; s < steps; s++, swap(&u, &v))
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                union {
                    double number;
                    long bits;
                } a = {SWEEP(u, i, j)}, b;
                b.bits = a.bits;
                AT(v, i, j) = b.number;
            }
}

static void array_of_each_step(double *u, long n, long steps)
{
    for (long s = 0; s < steps; s++) {
        double *w = malloc((size_t)((n + 2) * (n + 2)) * sizeof *w);
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) AT(w, i, j) = SWEEP(u, i, j);
        for (long i = 1; i <= n; i++) memmove(&AT(u, i, 1), &AT(w, i, 1), (size_t)n * sizeof *u);
        free(w);
    }
}

struct five {
    double centre, north, south, west, east;
};

static __attribute__((noinline)) struct five neighbours(const double *u, long n, long i, long j)
{
    return (struct five){AT(u, i, j), AT(u, i - 1, j), AT(u, i + 1, j), AT(u, i, j - 1), AT(u, i, j + 1)};
}

static void structures_as_results(double *u, double *v, long n, long steps)
{
    for (long s = 0; s < steps; s++, swap(&u, &v))
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                struct five a = neighbours(u, n, i, j);
                AT(v, i, j) = 0.2 * (a.centre + a.north + a.south + a.west + a.east);
            }
}

static void by_indices(double *u, double *v, long n, long steps)
{
    int *to = malloc((size_t)(5 * n * n) * sizeof *to), row = (int)n + 2;
    for (int k = 0; k < n * n; k++) {
        int p = (k / (int)n + 1) * row + k % (int)n + 1;
        const int around[5] = {p, p - row, p + row, p - 1, p + 1};
        for (int q = 0; q < 5; q++) to[5 * k + q] = around[q];
    }
    for (long s = 0; s < steps; s++, swap(&u, &v))
        for (long k = 0; k < n * n; k++) {
            double sum = 0;
            for (int q = 0; q < 5; q++) sum += u[to[5 * k + q]];
            v[to[5 * k]] = 0.2 * sum;
        }
    free(to);
}

static void added_in_place(double *u, double *v, long n, long steps)
{
    for (long s = 0; s < steps; s++, swap(&u, &v)) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) AT(v, i, j) = 0;
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                AT(v, i, j) += 0.2 * AT(u, i, j);
                AT(v, i, j) += 0.2 * AT(u, i - 1, j);
                AT(v, i, j) += 0.2 * AT(u, i + 1, j);
                AT(v, i, j) += 0.2 * AT(u, i, j - 1);
                AT(v, i, j) += 0.2 * AT(u, i, j + 1);
            }
    }
}

static void columns_backwards(double *u, double *v, long n, long steps)
{
    for (long s = 0; s < steps; s++, swap(&u, &v))
        for (long j = n; j >= 1; j--)
            for (long i = 1; i <= n; i += 2) {
                AT(v, i, j) = SWEEP(u, i, j);
                if (i < n) AT(v, i + 1, j) = SWEEP(u, i + 1, j);
            }
}

static void red_and_black(double *u, long n, long steps)
{
    for (long s = 0; s < 2 * steps; s++)
        for (long i = 1; i <= n; i++)
            for (long j = 1 + (i + s) % 2; j <= n; j += 2)
                AT(u, i, j) = 0.25 * (AT(u, i - 1, j) + AT(u, i + 1, j) + AT(u, i, j - 1) + AT(u, i, j + 1));
}

/* Old and new of a cell beside each other. */
static void two_fields_of_a_cell(double *u, long n, long steps)
{
    struct cell {
        double old, new;
    } *c = (struct cell *)u;
    for (long s = 0; s < steps; s++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                AT(c, i, j).new = 0.2 * (AT(c, i, j).old + AT(c, i - 1, j).old + AT(c, i + 1, j).old +
                                         AT(c, i, j - 1).old + AT(c, i, j + 1).old);
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) AT(c, i, j).old = AT(c, i, j).new;
    }
}

/* Both the points around a tile and its results are put into memory of their own. */
static void tiles_on_the_heap(double *u, double *v, long n, long steps)
{
    enum { SIDE = 8, AROUND = SIDE + 2 };
    for (long s = 0; s < steps; s++) {
        double *in = malloc(sizeof(double[AROUND * AROUND])), *out = malloc(sizeof(double[SIDE * SIDE]));
        if (!in || !out) exit(1);
        for (long a = 0; a < n; a += SIDE)
            for (long b = 0; b < n; b += SIDE) {
                for (long i = 0; i < AROUND; i++)
                    memcpy(in + i * AROUND, &AT(u, a + i, b), AROUND * sizeof *in);
                for (long i = 0; i < SIDE; i++)
                    for (long j = 0; j < SIDE; j++) {
                        const double *c = in + (i + 1) * AROUND + j + 1;
                        out[i * SIDE + j] = 0.2 * (c[0] + c[-AROUND] + c[AROUND] + c[-1] + c[1]);
                    }
                for (long i = 0; i < SIDE; i++)
                    memcpy(&AT(v, a + i + 1, b + 1), out + i * SIDE, SIDE * sizeof *out);
            }
        free(in);
        free(out);
        swap(&u, &v);
    }
}

struct grid {
    long n;
    double *u;
    double *(*at)(struct grid *, long, long);
};

static double *point(struct grid *g, long i, long j)
{
    return &g->u[i * g->n + j];
}

/* The function that is called might change how far the loops go. */
static void through_a_structure(double *u, long n, long steps)
{
    struct grid g = {n + 2, u, point}, *volatile somewhere = &g, *p = somewhere;
    for (long k = 0; k < steps; k++)
        for (long i = 1; i < p->n - 1; i++)
            for (long j = 1; j < p->n - 1; j++)
                *p->at(p, i, j) = 0.25 * (*p->at(p, i - 1, j) + *p->at(p, i + 1, j) + *p->at(p, i, j - 1) +
                                          *p->at(p, i, j + 1));
}

/* Four points in a turn of a loop that a switch leads into. */
static void entered_by_a_switch(double *u, double *v, long n, long steps)
{
    for (long s = 0; s < steps; s++, swap(&u, &v))
        for (long i = 1; i <= n; i++) {
            long j = 1, turns = (n + 3) / 4;
            switch (n % 4) {
                do {
                case 0:
                    AT(v, i, j) = SWEEP(u, i, j);
                    j++;
                case 3:
                    AT(v, i, j) = SWEEP(u, i, j);
                    j++;
                case 2:
                    AT(v, i, j) = SWEEP(u, i, j);
                    j++;
                case 1:
                    AT(v, i, j) = SWEEP(u, i, j);
                    j++;
                } while (--turns > 0);
            }
        }
}

/* What the next turn needs is loaded in this one, but for the last. */
static void loaded_a_turn_before(double *u, double *v, long n, long steps)
{
    for (long s = 0; s < steps; s++, swap(&u, &v))
        for (long i = 1; i <= n; i++) {
            double left = AT(u, i, 0), own = AT(u, i, 1), above = AT(u, i - 1, 1), below = AT(u, i + 1, 1);
            for (long j = 1; j <= n; j++) {
                double right = AT(u, i, j + 1), sum = own + left + right + above + below;
                if (j < n) {
                    above = AT(u, i - 1, j + 1);
                    below = AT(u, i + 1, j + 1);
                }
                AT(v, i, j) = 0.2 * sum;
                left = own;
                own = right;
            }
        }
}

void kernel(double *u, double *v, long n, long steps, long which)
{
    switch (which) {
    case 0:
        with_ghosts(u, v, n, steps);
        break;
    case 1:
        by_rows(u, v, n, steps);
        break;
    case 2:
        row_buffers(u, n, steps);
        break;
    case 3:
        through_unions(u, v, n, steps);
        break;
    case 4:
        array_of_each_step(u, n, steps);
        break;
    case 5:
        structures_as_results(u, v, n, steps);
        break;
    case 6:
        by_indices(u, v, n, steps);
        break;
    case 7:
        added_in_place(u, v, n, steps);
        break;
    case 8:
        columns_backwards(u, v, n, steps);
        break;
    case 9:
        red_and_black(u, n, steps);
        break;
    case 10:
        two_fields_of_a_cell(u, n, steps);
        break;
    case 11:
        tiles_on_the_heap(u, v, n, steps);
        break;
    case 12:
        through_a_structure(u, n, steps);
        break;
    case 13:
        entered_by_a_switch(u, v, n, steps);
        break;
    case 14:
        loaded_a_turn_before(u, v, n, steps);
        break;
    default:
        exit(2);
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    long words = (n + 2) * (n + 2) * (which == 10 ? 2 : 1);
    double *u = filled(words), *v = filled(words);
    kernel(u, v, n, steps, which);
    printf("%g\n", u[words / 2]);
    return 0;
}
