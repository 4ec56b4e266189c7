/* N bodies in a plane, every one drawn by all, T times, in arrays of which a part is used: positions go to
 * all parts, and so do masses. */
#include <stdio.h>
#include <stdlib.h>

static double place[512], speed[512];

void kernel(const double *start, const double *mass, long n, long t)
{
    for (long i = 0; i < 2 * n; i++) {
        place[i] = start[i];
        speed[i] = start[2 * n + i];
    }
    for (long k = 0; k < t; k++) {
        double pull[2 * n];
        for (long i = 0; i < n; i++) {
            double sum[2] = {0, 0};
            for (long j = 0; j < n; j++) {
                double x = place[2 * j] - place[2 * i], y = place[2 * j + 1] - place[2 * i + 1];
                double r = 0.01 + x * x + y * y;
                sum[0] += mass[j] * x / r;
                sum[1] += mass[j] * y / r;
            }
            pull[2 * i] = sum[0];
            pull[2 * i + 1] = sum[1];
        }
        for (long i = 0; i < 2 * n; i++) {
            speed[i] += 0.01 * pull[i];
            place[i] += 0.01 * speed[i];
        }
    }
}

int main(int argc, char **argv)
{
    long n = argc > 2 ? atol(argv[2]) : 63, t = argc > 3 ? atol(argv[3]) : 2;
    double *start = malloc(4 * (size_t)n * sizeof *start), *mass = malloc((size_t)n * sizeof *mass);
    if (!start || !mass || n > 256) return 1;
    for (long i = 0; i < 4 * n; i++) start[i] = (double)(i * 7919 % 13);
    for (long i = 0; i < n; i++) mass[i] = (double)(i % 5);
    kernel(start, mass, n, t);
    printf("%.17g\n", place[3]);
    free(start);
    free(mass);
    return 0;
}
