/* Nine populations of a lattice with walls around, a cell in ten words of one flat array, its places numbers
 * as macros make them: 0 pulled, by an index that goes on by ten; 1 pulled, by an index that is computed from
 * the cell's; 2 and 3 as these, but pushed. WAY STEPS. */
#include "../kernels/kernel.h"
enum { N = 16, M = N + 2, WORDS = 10 };
enum { C, E, W, S, T, SE, SW, TE, TW };
#define AT(x, y, e) ((e) + WORDS * ((x) + (y) * M))

/* `from` and `to` of a population: the places that it is read at and stored at, as far as `i` is. */
#define CELL(f, g, i, FROM, TO)                                                                              \
    do {                                                                                                     \
        double c = FROM(f, i, 0, 0, C), e = FROM(f, i, 1, 0, E), w = FROM(f, i, -1, 0, W),                   \
               s = FROM(f, i, 0, 1, S), t = FROM(f, i, 0, -1, T), se = FROM(f, i, 1, 1, SE),                 \
               sw = FROM(f, i, -1, 1, SW), te = FROM(f, i, 1, -1, TE), tw = FROM(f, i, -1, -1, TW);          \
        double all = 0.03 * (c + e + w + s + t + se + sw + te + tw), u = 0.1 * (e - w + se - sw),            \
               v = 0.1 * (s - t + se - te);                                                                  \
        TO(g, i, 0, 0, C) = 0.7 * c + all;                                                                   \
        TO(g, i, 1, 0, E) = 0.7 * e + all * (1 + u);                                                         \
        TO(g, i, -1, 0, W) = 0.7 * w + all * (1 - u);                                                        \
        TO(g, i, 0, 1, S) = 0.7 * s + all * (1 + v);                                                         \
        TO(g, i, 0, -1, T) = 0.7 * t + all * (1 - v);                                                        \
        TO(g, i, 1, 1, SE) = 0.7 * se + all * (1 + u + v);                                                   \
        TO(g, i, -1, 1, SW) = 0.7 * sw + all * (1 - u + v);                                                  \
        TO(g, i, 1, -1, TE) = 0.7 * te + all * (1 + u - v);                                                  \
        TO(g, i, -1, -1, TW) = 0.7 * tw + all * (1 - u - v);                                                 \
    } while (0)
#define HERE(f, i, dx, dy, e)   (f)[(i) + AT(0, 0, e)]
#define BEFORE(f, i, dx, dy, e) (f)[(i) + AT(-(dx), -(dy), e)]
#define BEHIND(f, i, dx, dy, e) (f)[(i) + AT(dx, dy, e)]

static void sweep(const double *f, double *g, int pushes)
{
    for (int y = 1; y <= N; y++)
        for (int i = AT(1, y, 0); i < AT(N + 1, y, 0); i += WORDS)
            if (pushes)
                CELL(f, g, i, HERE, BEHIND);
            else
                CELL(f, g, i, BEFORE, HERE);
}

static void each(const double *f, double *g, int pushes)
{
    for (int y = 1; y <= N; y++)
        for (int x = 1; x <= N; x++)
            if (pushes)
                CELL(f, g, AT(x, y, 0), HERE, BEHIND);
            else
                CELL(f, g, AT(x, y, 0), BEFORE, HERE);
}

void kernel(long way, double *f, double *g, long steps)
{
    for (long t = 0; t < steps; t++) {
        if (way % 2 == 0) sweep(f, g, way >= 2);
        if (way % 2 == 1) each(f, g, way >= 2);
        double *h = f;
        f = g;
        g = h;
    }
}

int main(int argc, char **argv)
{
    double *f = filled(M * M * WORDS), *g = filled(M * M * WORDS);
    kernel(argument(argc, argv, 1), f, g, argument(argc, argv, 2));
    printf("%g\n", f[AT(3, 4, 0)] + g[AT(4, 5, 1)]);
    return 0;
}
