/* products_of_border WAY N TIMES: a product of two vectors, of which both sides of a border read one: a part
 * adds up what it has. The first product is of numbers that nobody else reads. WAY 0: the sum in a register;
 * 1: in memory; 2: the vectors beside each other. */
#include <stdio.h>
#include <stdlib.h>

static double memory;

static double product(const double *a, const double *b, int stride, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += b[i * stride] * a[i * stride];
    return sum;
}

static double product_in_memory(const double *a, const double *b, int n)
{
    memory = 0;
    for (int i = 0; i < n; i++) memory += b[i] * a[i];
    return memory;
}

static void kernel(double *a, double *b, int way, int n, int n_times)
{
    int s = way == 2 ? 2 : 1;
    for (int t = 0; t < n_times; t++) {
        double sum = way == 1 ? product_in_memory(a, b, n) : product(a, b, s, n);
        for (int i = 0; i < n; i++) b[i * s] = 0.14 * a[i * s] + 0.001 * sum;
        for (int i = 0; i < n; i++)
            a[i * s] = 0.2 * a[i * s] + 0.2 * b[(i + 1) % n * s] + 0.1 * b[(i + n - 1) % n * s];
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]);
    double *both = malloc(2 * n * sizeof *both), *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < 2 * n; i++) both[i] = 1 + i * 37 % 11 * 0.1;
    for (int i = 0; i < n; i++) a[i] = 1 + i * 17 % 7 * 0.1, b[i] = 1 + i * 5 % 13 * 0.1;
    if (way == 2)
        kernel(both, both + 1, way, n, atoi(argv[3]));
    else
        kernel(a, b, way, n, atoi(argv[3]));
    printf("%.12g %.12g\n", both[n / 2], a[n / 2]);
    return 0;
}
