/* Columns of a table are standardised and multiplied with each other: every part adds up its rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void mean_of(const double *table, long rows, long columns, long j, double *mean)
{
    *mean = 0;
    for (long i = 0; i < rows; i++) *mean += table[i * columns + j];
    *mean /= (double)rows;
}

static void deviation_of(const double *table, long rows, long columns, long j, double mean, double *deviation)
{
    *deviation = 0;
    for (long i = 0; i < rows; i++)
        *deviation += (table[i * columns + j] - mean) * (table[i * columns + j] - mean);
    *deviation = sqrt(*deviation / (double)rows);
    if (*deviation <= 0.1) *deviation = 1;
}

static void relate(const double *table, long rows, long columns, long a, long b, double *related)
{
    related[a * columns + b] = 0;
    for (long i = 0; i < rows; i++)
        related[a * columns + b] += table[i * columns + a] * table[i * columns + b];
    related[b * columns + a] = related[a * columns + b];
}

static void kernel(double *table, long rows, long columns, double *means, double *deviations, double *related)
{
    for (long j = 0; j < columns; j++) mean_of(table, rows, columns, j, &means[j]);
    for (long j = 0; j < columns; j++) deviation_of(table, rows, columns, j, means[j], &deviations[j]);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) {
            table[i * columns + j] -= means[j];
            table[i * columns + j] /= deviations[j];
        }
    for (long a = 0; a < columns; a++) related[a * columns + a] = 1;
    for (long a = 0; a < columns; a++)
        for (long b = a + 1; b < columns; b++) relate(table, rows, columns, a, b, related);
}

int main(int argc, char **argv)
{
    (void)argc;
    long rows = atol(argv[2]), columns = atol(argv[3]);
    double *table = malloc((size_t)(rows * columns) * sizeof *table);
    double *means = malloc((size_t)columns * sizeof *means);
    double *deviations = malloc((size_t)columns * sizeof *deviations);
    double *related = malloc((size_t)(columns * columns) * sizeof *related);
    if (!table || !means || !deviations || !related) return 1;
    for (long i = 0; i < rows * columns; i++) table[i] = (double)(i * i % 97);
    kernel(table, rows, columns, means, deviations, related);
    printf("%.17g\n", related[1]);
    free(table);
    free(means);
    free(deviations);
    free(related);
    return 0;
}
