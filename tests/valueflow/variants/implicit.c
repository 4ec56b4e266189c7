/* Heat on N x N points, T steps of alternating directions: each line is solved in arrays of a structure on
 * the stack (0, 5), in one block of the heap (1, 6), in one that is allocated for the line (2, 7), in a
 * structure of the program (3, 8), in three blocks of the heap (4, 9); with a constant conductivity, or one
 * of each face (from 5 on). ARGUMENTS: way, N, T. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, PLACES = 5 };
struct line {
    double rhs[MOST], c[MOST], d[MOST];
};

/* Faces of the lines along one direction: `step` from one to the next of a line, or NULL. */
struct faces {
    const double *k;
    long step;
};

struct arrays {
    double *rhs, *c, *d;
};

static struct line fixed;
static struct arrays of_line, apart;

static struct arrays arrays_of(struct line *line)
{
    return (struct arrays){line->rhs, line->c, line->d};
}

static double at(struct faces f, long i)
{
    return f.k ? f.k[i * f.step] : 0.4;
}

static void solve(struct arrays w, struct faces f, double *x, long step, long n)
{
    double *rhs = w.rhs, *c = w.c, *d = w.d;
    for (long i = 0; i < n; i++) {
        double a = at(f, i), b = at(f, i + 1), m = 1 + a + b;
        if (i == 0) {
            c[0] = b / m;
            d[0] = rhs[0] / m;
        } else {
            double w = 1 / (m - a * c[i - 1]);
            c[i] = b * w;
            d[i] = (rhs[i] + a * d[i - 1]) * w;
        }
    }
    x[(n - 1) * step] = d[n - 1];
    for (long i = n - 2; i >= 0; i--) x[i * step] = d[i] + c[i] * x[(i + 1) * step];
}

/* What goes in and out across the line, with zero outside. */
static double across(const double *u, struct faces f, long i, long step, long n)
{
    double before = i ? u[-step] : 0, behind = i < n - 1 ? u[step] : 0;
    return u[0] + at(f, i) * (before - u[0]) + at(f, i + 1) * (behind - u[0]);
}

/* Line number `line` is a column in the first half of a step, a row in the second. */
static void put_line(struct arrays w, const double *u, double *v, const double *kx, const double *ky,
                     long line, int is_row, long n)
{
    for (long i = 0; i < n; i++) {
        struct faces f = {is_row ? (kx ? kx + i : NULL) : (ky ? ky + i * (n + 1) : NULL), is_row ? n : 1};
        w.rhs[i] = is_row ? across(&u[line * n + i], f, line, n, n) : across(&u[i * n + line], f, line, 1, n);
    }
    struct faces along = {is_row ? (ky ? ky + line * (n + 1) : NULL) : (kx ? kx + line : NULL),
                          is_row ? 1 : n};
    solve(w, along, is_row ? v + line * n : v + line, is_row ? 1 : n, n);
}

static void half(int place, const double *u, double *v, const double *kx, const double *ky, int is_row,
                 long n)
{
    for (long l = 0; l < n; l++) {
        struct line stack, *made = place == 2 ? malloc(sizeof stack) : &stack;
        struct arrays places[PLACES] = {arrays_of(&stack), of_line, arrays_of(made), arrays_of(&fixed),
                                        apart};
        put_line(places[place], u, v, kx, ky, l, is_row, n);
        if (place == 2) free(made);
    }
}

void kernel(int way, double *u, double *v, const double *kx, const double *ky, long n, long steps)
{
    if (way < PLACES) kx = ky = NULL;
    for (long t = 0; t < steps; t++) {
        half(way % PLACES, u, v, kx, ky, 0, n);
        half(way % PLACES, v, u, kx, ky, 1, n);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    if (n < 2 || n > MOST) return 2;
    size_t points = (size_t)(n * n), faces = (size_t)(n * (n + 1)), line = MOST * sizeof(double);
    double *u = malloc(points * sizeof *u), *v = malloc(points * sizeof *v), *kx = malloc(faces * sizeof *kx),
           *ky = malloc(faces * sizeof *ky);
    struct line *heap = malloc(sizeof *heap);
    apart = (struct arrays){malloc(line), malloc(line), malloc(line)};
    if (!u || !v || !kx || !ky || !heap || !apart.rhs || !apart.c || !apart.d) return 1;
    of_line = arrays_of(heap);
    for (size_t i = 0; i < points; i++) u[i] = 1 + (double)(i * 7919 % 13) / 8;
    for (size_t i = 0; i < faces; i++) {
        kx[i] = 0.3 + (double)(i % 7) / 32;
        ky[i] = 0.4 + (double)(i % 5) / 32;
    }
    kernel(atoi(argv[1]), u, v, kx, ky, n, atol(argv[3]));
    printf("%.9g\n", u[2 * n - 1]);
    void *blocks[] = {u, v, kx, ky, heap, apart.rhs, apart.c, apart.d};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    return 0;
}
