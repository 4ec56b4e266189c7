/*
 * SIDE x SIDE squares, each of two triangles that are numbered at random, as their sides are: what goes
 * through a side comes of four numbers on either side of it, and all triangles go on by the smallest time
 * step that one of them allows, of its four numbers and its area. Fluxes go straight to the triangles (0), or
 * through an array (1). Arguments: which, side, steps.
 */
#include <math.h>
#include <stdlib.h>

#include "../kernels/kernel.h"

struct state {
    double q[4];
};

struct side {
    int left, right;
    double across;
};

static int side, n_cells, n_sides;
static struct side *sides;
static double *area;

static unsigned draw(void)
{
    static unsigned seed = 12345;
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static double speed(const struct state *s)
{
    return sqrt(s->q[0] * s->q[0] + s->q[1] * s->q[1]) + sqrt(1 + s->q[2] * s->q[3]);
}

static struct state flux(const struct side *s, const struct state *u)
{
    const struct state *left = u + s->left, *right = u + s->right;
    double fastest = fmax(speed(left), speed(right));
    struct state f;
    for (int k = 0; k < 4; k++)
        f.q[k] = s->across * (left->q[k] * left->q[0] + right->q[k] * right->q[0]) -
                 fastest * (right->q[k] - left->q[k]);
    return f;
}

static void spread(const struct side *s, const struct state *f, struct state *sum)
{
    for (int k = 0; k < 4; k++) sum[s->left].q[k] -= f->q[k];
    for (int k = 0; k < 4; k++) sum[s->right].q[k] += f->q[k];
}

static double time_step(const struct state *u)
{
    double least = 1;
    for (int c = 0; c < n_cells; c++) least = fmin(least, sqrt(area[c]) / speed(u + c));
    return 0.1 * least;
}

__attribute__((noinline)) static double kernel(long which, struct state *u, struct state *sum,
                                               struct state *through, long steps)
{
    for (long t = 0; t < steps; t++) {
        double dt = time_step(u);
        memset(sum, 0, (size_t)n_cells * sizeof *sum);
        for (int s = 0; which == 1 && s < n_sides; s++) through[s] = flux(sides + s, u);
        for (int s = 0; s < n_sides; s++) {
            struct state f = which == 0 ? flux(sides + s, u) : through[s];
            spread(sides + s, &f, sum);
        }
        for (int c = 0; c < n_cells; c++)
            for (int k = 0; k < 4; k++) u[c].q[k] += dt / area[c] * sum[c].q[k];
    }
    return u[0].q[0];
}

static void add_side(int left, int right)
{
    sides[n_sides] = (struct side){left, right, 0.5 + 0.1 * (n_sides % 3)};
    n_sides++;
}

static void make_sides(const int *number)
{
    sides = malloc((size_t)n_cells * 2 * sizeof *sides);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            const int *here = number + 2 * (i * side + j);
            add_side(here[0], here[1]);
            if (j + 1 < side) add_side(here[0], here[3]);
            if (i + 1 < side) add_side(here[1], here[2 * side]);
        }
    for (int i = n_sides - 1; i > 0; i--) {
        int j = (int)(draw() % (unsigned)(i + 1));
        struct side other = sides[i];
        sides[i] = sides[j];
        sides[j] = other;
    }
}

int main(int argc, char **argv)
{
    side = (int)argument(argc, argv, 2);
    n_cells = 2 * side * side;
    int *number = malloc((size_t)n_cells * sizeof *number);
    for (int i = 0; i < n_cells; i++) number[i] = i;
    for (int i = n_cells - 1; i > 0; i--) {
        int j = (int)(draw() % (unsigned)(i + 1)), other = number[i];
        number[i] = number[j];
        number[j] = other;
    }
    make_sides(number);
    area = filled(n_cells);
    for (int c = 0; c < n_cells; c++) area[c] = 1 + 0.1 * (c % 5);
    struct state *u = (struct state *)filled(4L * n_cells), *sum = (struct state *)filled(4L * n_cells);
    printf("%.9g\n", kernel(argument(argc, argv, 1), u, sum, (struct state *)filled(4L * n_sides),
                            argument(argc, argv, 3)));
    return 0;
}
