/* Particles in boxes of so many slots, pushed by all in the same box and in those around it. Boxes are found
 * by a list for each; by pointers to them; or space is periodic, and a halo of boxes behind the others holds
 * copies, moved by the length of space. Arguments: which, boxes along a side, steps. */
#include <stdbool.h>

#include "../kernels/kernel.h"

enum { SLOTS = 8, IN_BOX = 3, WORDS = 3, BOX = SLOTS * WORDS, MOST = 27 };

/* Halo boxes lie behind the others in the order of the space around them. */
static long box_at(long n, long z, long y, long x)
{
    bool inside = z >= 0 && z < n && y >= 0 && y < n && x >= 0 && x < n;
    return inside ? (z * n + y) * n + x : n * n * n + ((z + 1) * (n + 2) + y + 1) * (n + 2) + x + 1;
}

static long list_neighbours(long n, long box, bool is_periodic, long *list)
{
    long z = box / (n * n), y = box / n % n, x = box % n, count = 0;
    for (long k = -1; k <= 1; k++)
        for (long j = -1; j <= 1; j++)
            for (long i = -1; i <= 1; i++) {
                bool is_there = z + k >= 0 && z + k < n && y + j >= 0 && y + j < n && x + i >= 0 && x + i < n;
                if (is_there || is_periodic) list[count++] = box_at(n, z + k, y + j, x + i);
            }
    return count;
}

static void push_box(const double *a, const double *b, double *force)
{
    for (long i = 0; i < IN_BOX; i++)
        for (long j = 0; j < IN_BOX; j++) {
            const double *p = a + i * WORDS, *q = b + j * WORDS;
            double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2], r = 1 / (0.5 + x * x + y * y + z * z);
            force[i * WORDS] += x * r;
            force[i * WORDS + 1] += y * r;
            force[i * WORDS + 2] += z * r;
        }
}

static long wrap(long i, long n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

static void copy_box(const double *from, double *to, const double *shift)
{
    for (long i = 0; i < IN_BOX; i++)
        for (int m = 0; m < WORDS; m++) to[i * WORDS + m] = from[i * WORDS + m] + shift[m];
}

static void copy_halo(double *x, long n)
{
    for (long k = -1; k <= n; k++)
        for (long j = -1; j <= n; j++)
            for (long i = -1; i <= n; i++) {
                long to = box_at(n, k, j, i), from = box_at(n, wrap(k, n), wrap(j, n), wrap(i, n));
                double shift[WORDS] = {(double)(k - wrap(k, n)), (double)(j - wrap(j, n)),
                                       (double)(i - wrap(i, n))};
                if (to != from) copy_box(x + from * BOX, x + to * BOX, shift);
            }
}

static void push_all(const double *x, double *force, const long *count, const long *list, long boxes)
{
    for (long b = 0; b < boxes; b++)
        for (long k = 0; k < count[b]; k++)
            push_box(x + b * BOX, x + list[b * MOST + k] * BOX, force + b * BOX);
}

static void push_pointers(const double *x, double *force, const long *count, double **list, long boxes)
{
    for (long b = 0; b < boxes; b++)
        for (long k = 0; k < count[b]; k++) push_box(x + b * BOX, list[b * MOST + k], force + b * BOX);
}

static void move(double *x, double *force, long boxes)
{
    for (long b = 0; b < boxes; b++)
        for (long i = b * BOX; i < b * BOX + IN_BOX * WORDS; i++) {
            x[i] += 0.01 * force[i];
            force[i] = 0;
        }
}

__attribute__((noinline)) void kernel(double *x, double *force, const long *count, const long *list,
                                      double **pointers, long n, long steps, long which)
{
    for (long t = 0; t < steps; t++) {
        if (which == 2) copy_halo(x, n);
        if (which == 1)
            push_pointers(x, force, count, pointers, n * n * n);
        else
            push_all(x, force, count, list, n * n * n);
        move(x, force, n * n * n);
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    long boxes = n * n * n, all = which == 2 ? boxes + (n + 2) * (n + 2) * (n + 2) : boxes;
    double *x = filled(all * BOX), *force = calloc((size_t)(all * BOX), sizeof *force), sum = 0;
    long *count = malloc((size_t)boxes * sizeof *count),
         *list = malloc((size_t)(boxes * MOST) * sizeof *list);
    double **pointers = malloc((size_t)(boxes * MOST) * sizeof *pointers);
    for (long b = 0; b < boxes; b++) {
        count[b] = list_neighbours(n, b, which == 2, list + b * MOST);
        for (long k = 0; k < count[b]; k++) pointers[b * MOST + k] = x + list[b * MOST + k] * BOX;
    }
    kernel(x, force, count, list, pointers, n, steps, which);
    for (long i = 0; i < boxes * BOX; i++) sum += x[i];
    printf("%.6f\n", sum);
    free(x);
    free(force);
    free(count);
    free(list);
    free(pointers);
    return 0;
}
