/* The mean of 27 points: at once (0), of lines of sums of the five and of the four points beside each on the
 * stack (1), in an array of structures in a function for each line (2), allocated for each line (3), and in
 * planes (4). Arguments: which, points along each dimension, steps. */
#include "../kernels/kernel.h"

struct block {
    long a, b, c, row, plane;
    double *u, *v;
};

#define LINES                                                                                                \
    for (long i = 1; i <= s->a; i++)                                                                         \
        for (long j = 1; j <= s->b; j++)
#define FIVE(p)    ((p)[-row] + (p)[row] + (p)[-plane] + (p)[plane] + (p)[0])
#define FOUR(p)    ((p)[-row - plane] + (p)[row - plane] + (p)[-row + plane] + (p)[row + plane])
#define MEAN(x, y) (((x)[k - 1] + (x)[k] + (x)[k + 1] + (y)[k - 1] + (y)[k] + (y)[k + 1]) / 27)

static void at_once(const struct block *s)
{
    const long row = s->row, plane = s->plane;
    LINES
    {
        const double *u = s->u + i * plane + j * row;
        double *v = s->v + i * plane + j * row;
        for (long k = 1; k <= s->c; k++) {
            const double *p = u + k;
            v[k] = (FIVE(p - 1) + FOUR(p - 1) + FIVE(p) + FOUR(p) + FIVE(p + 1) + FOUR(p + 1)) / 27;
        }
    }
}

static void add_beside(const struct block *s, const double *u, double *five, double *four)
{
    const long row = s->row, plane = s->plane;
    for (long k = 0; k < row; k++) {
        five[k] = FIVE(u + k);
        four[k] = FOUR(u + k);
    }
}

static void on_the_stack(const struct block *s)
{
    double five[64], four[64];
    LINES
    {
        long at = i * s->plane + j * s->row;
        add_beside(s, s->u + at, five, four);
        for (long k = 1; k <= s->c; k++) s->v[at + k] = MEAN(five, four);
    }
}

static __attribute__((noinline)) void one_line(const struct block *s, long at)
{
    const long row = s->row, plane = s->plane;
    struct {
        double five, four;
    } sums[64];
    for (long k = 0; k < row; k++) {
        const double *p = s->u + at + k;
        sums[k].five = FIVE(p);
        sums[k].four = FOUR(p);
    }
    for (long k = 1; k <= s->c; k++)
        s->v[at + k] = (sums[k - 1].five + sums[k].five + sums[k + 1].five + sums[k - 1].four + sums[k].four +
                        sums[k + 1].four) /
                       27;
}

static void allocated(const struct block *s)
{
    LINES
    {
        long at = i * s->plane + j * s->row;
        double *five = malloc((size_t)s->row * sizeof *five), *four = malloc((size_t)s->row * sizeof *four);
        add_beside(s, s->u + at, five, four);
        for (long k = 1; k <= s->c; k++) s->v[at + k] = MEAN(five, four);
        free(five);
        free(four);
    }
}

static void in_planes(const struct block *s, double *five, double *four)
{
    for (long i = 1; i <= s->a; i++) {
        for (long j = 1; j <= s->b; j++)
            add_beside(s, s->u + i * s->plane + j * s->row, five + j * s->row, four + j * s->row);
        for (long j = 1; j <= s->b; j++)
            for (long k = 1; k <= s->c; k++)
                s->v[i * s->plane + j * s->row + k] = MEAN(five + j * s->row, four + j * s->row);
    }
}

__attribute__((noinline)) static void kernel(struct block *s, long which, long steps, double *five,
                                             double *four)
{
    for (long t = 0; t < steps; t++) {
        if (which == 0) at_once(s);
        if (which == 1) on_the_stack(s);
        if (which == 2) LINES one_line(s, i * s->plane + j * s->row);
        if (which == 3) allocated(s);
        if (which == 4) in_planes(s, five, four);
        double *u = s->u;
        s->u = s->v;
        s->v = u;
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), a = argument(argc, argv, 2), b = argument(argc, argv, 3),
         c = argument(argc, argv, 4), row = c + 2, plane = (b + 2) * row;
    struct block s = {a, b, c, row, plane, filled((a + 2) * plane), filled((a + 2) * plane)};
    kernel(&s, which, argument(argc, argv, 5), filled(plane), filled(plane));
    double sum = 0;
    for (long i = 0; i < (a + 2) * plane; i++) sum += s.u[i] * (double)(i % 7);
    printf("%.9g\n", sum);
    return 0;
}
