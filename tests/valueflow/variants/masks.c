/* Five points of a torus of N x N, of which a mask says where they are taken: all but its border. By an
 * expression (0), by branches (1), by a value that is put right afterwards: by what a function returns (2),
 * by the old one (3). ARGUMENTS: way, N, steps. */
#include <stdio.h>
#include <stdlib.h>

static long side;
static int *mask;

static double *at(double *a, long i, long j)
{
    return &a[(i + side) % side * side + (j + side) % side];
}

static double five(double *a, long i, long j)
{
    return 0.2 * (*at(a, i, j) + *at(a, i - 1, j) + *at(a, i + 1, j) + *at(a, i, j - 1) + *at(a, i, j + 1));
}

__attribute__((noinline)) static double keep(const double *a, long k)
{
    return a[k];
}

static double chosen(double *a, long i, long j)
{
    double mean = five(a, i, j);
    return mask[i * side + j] ? mean : *at(a, i, j);
}

static double kept(double *a, long i, long j)
{
    double mean = five(a, i, j);
    if (!mask[i * side + j]) mean = keep(a, i * side + j);
    return mean;
}

static double put_right(double *a, long i, long j)
{
    double mean = five(a, i, j), old = *at(a, i, j);
    if (!mask[i * side + j]) mean = old;
    return mean;
}

static double of_two_kinds(double *a, long i, long j)
{
    double mean = five(a, i, j), old = *at(a, i, j), square = mean * mean + old;
    double other = (i + j) % 3 ? mean : square;
    return mask[i * side + j] ? other : old;
}

static void step(double *a, double *b, int way)
{
    for (long i = 0; i < side; i++)
        for (long j = 0; j < side; j++) {
            double mean = five(a, i, j);
            if (way == 0)
                *at(b, i, j) = chosen(a, i, j);
            else if (way == 2)
                *at(b, i, j) = kept(a, i, j);
            else if (way == 3)
                *at(b, i, j) = put_right(a, i, j);
            else if (way == 4)
                *at(b, i, j) = of_two_kinds(a, i, j);
            else if (mask[i * side + j])
                *at(b, i, j) = mean;
            else
                *at(b, i, j) = *at(a, i, j);
        }
}

void kernel(double *a, double *b, int way, int times)
{
    for (int t = 0; t < times; t++) {
        step(a, b, way);
        double *other = a;
        a = b;
        b = other;
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 4;
    side = argc > 2 ? atol(argv[2]) : 26;
    double *a = calloc((size_t)(side * side), sizeof *a), *b = calloc((size_t)(side * side), sizeof *b),
           sum = 0;
    mask = calloc((size_t)(side * side), sizeof *mask);
    if (!a || !b || !mask) return 1;
    for (long i = 0; i < side; i++)
        for (long j = 0; j < side; j++) {
            *at(a, i, j) = (double)((i * 7 + j * 3) % 11) / 11;
            mask[i * side + j] = i > 0 && i < side - 1 && j > 0 && j < side - 1;
        }
    kernel(a, b, way, times);
    for (long i = 0; i < side * side; i++) sum += (times % 2 ? b : a)[i] * (double)(i % 7);
    printf("%g\n", sum);
    free(a);
    free(b);
    free(mask);
    return 0;
}
