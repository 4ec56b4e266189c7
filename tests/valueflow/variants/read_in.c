/* Numbers that the region reads from a file: into memory as it comes, that it has cleared, and that calloc
 * has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kernel(FILE *in, double *y, long n, int way)
{
    double *x = way == 2 ? calloc((size_t)n, sizeof *x) : malloc((size_t)n * sizeof *x);
    if (!x) exit(1);
    if (way == 1) memset(x, 0, (size_t)n * sizeof *x);
    if (fread(x, sizeof *x, (size_t)n, in) != (size_t)n) exit(1);
    for (long i = 1; i < n - 1; i++) y[i] = x[i - 1] * x[i] * x[i + 1];
    free(x);
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 24;
    double *y = calloc((size_t)n, sizeof *y);
    FILE *file = tmpfile();
    if (!y || !file) return 1;
    for (long i = 0; i < n; i++) {
        double number = 1 + 1 / (double)(i + 1);
        fwrite(&number, sizeof number, 1, file);
    }
    rewind(file);
    kernel(file, y, n, way);
    printf("%.17g\n", y[n / 2]);
    fclose(file);
    free(y);
    return 0;
}
