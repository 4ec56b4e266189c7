/* C = A B', of which rows are allocated one by one, or all in one block: as the bits of the way say, of A
 * (1), B (2), C (4). ARGUMENTS: way, rows. */
#include <stdio.h>
#include <stdlib.h>

static double **one_by_one(long n)
{
    double **row = malloc((size_t)n * sizeof *row);
    for (long i = 0; i < n; i++) row[i] = calloc((size_t)n, sizeof **row);
    return row;
}

static double **in_a_block(long n)
{
    double **row = malloc((size_t)n * sizeof *row), *block = calloc((size_t)(n * n), sizeof *block);
    for (long i = 0; i < n; i++) row[i] = block + i * n;
    return row;
}

void kernel(double **a, double **b, double **c, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++) sum += a[i][k] * b[j][k];
            c[i][j] = sum;
        }
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    int way = atoi(argv[1]);
    long n = atol(argv[2]);
    double **a = way & 1 ? in_a_block(n) : one_by_one(n), **b = way & 2 ? in_a_block(n) : one_by_one(n),
           **c = way & 4 ? in_a_block(n) : one_by_one(n), sum = 0;
    for (long i = 0; i < n; i++)
        for (long k = 0; k < n; k++) {
            a[i][k] = (double)(i * 7 % 5 + k);
            b[i][k] = (double)(i - k * 3 % 7);
        }
    kernel(a, b, c, n);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) sum += c[i][j] * (double)(i % 3);
    printf("%g\n", sum);
    return 0;
}
