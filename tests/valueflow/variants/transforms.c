/* The rows of a plane of N x N numbers and then its columns are transformed, T times: each line is scaled
 * into one array, of which sums go into another and from there back. Both are on the stack (0), one block of
 * the heap (1), two of them (2) or variables of the file (3). ARGUMENTS: way, N, T. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };
static double scaled_here[MOST], sums_here[MOST];

static void transform(double *line, long step, double *scaled, double *sums, long n)
{
    for (long i = 0; i < n; i++) scaled[i] = 0.5 * line[i * step] + 0.1;
    for (long k = 0; k < n; k++) {
        double sum = 0;
        for (long i = 0; i < n; i++) sum += scaled[i] * cos((double)(i * k));
        sums[k] = sum;
    }
    for (long k = 0; k < n; k++) line[k * step] = sums[k];
}

void kernel(int way, double *plane, double *const *lines, long n, long steps)
{
    for (long t = 0; t < 2 * steps; t++)
        for (long l = 0; l < n; l++) {
            double *line = t % 2 ? plane + l : plane + l * n, scaled[MOST], sums[MOST];
            long step = t % 2 ? n : 1;
            if (way == 0) transform(line, step, scaled, sums, n);
            if (way == 1) transform(line, step, lines[0], lines[0] + n, n);
            if (way == 2) transform(line, step, lines[0], lines[1], n);
            if (way == 3) transform(line, step, scaled_here, sums_here, n);
        }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    if (n < 1 || n > MOST) return 2;
    size_t bytes = (size_t)n * sizeof(double);
    double *plane = malloc((size_t)n * bytes), *lines[2] = {malloc(2 * bytes), malloc(bytes)};
    if (!plane || !lines[0] || !lines[1]) return 1;
    for (long i = 0; i < n * n; i++) plane[i] = sin(1.3 * (double)i);
    kernel(atoi(argv[1]), plane, lines, n, atol(argv[3]));
    printf("%.9g\n", plane[n + 1]);
    free(plane);
    free(lines[0]);
    free(lines[1]);
    return 0;
}
