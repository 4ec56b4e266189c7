/* Sites of a plane with a matrix, a vector and what the matrix makes of the neighbours' vectors: 99 words
 * each. */
#include <stdio.h>
#include <stdlib.h>

struct site {
    double matrix[9][9], x[9], y[9];
};

static void multiply(struct site *at, const struct site *near)
{
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) at->y[i] += at->matrix[i][j] * near->x[j];
}

void kernel(struct site *sites, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                struct site *at = &sites[i * n + j];
                for (int k = 0; k < 9; k++) at->y[k] = 0;
                if (i > 0) multiply(at, at - n);
                if (i < n - 1) multiply(at, at + n);
                if (j > 0) multiply(at, at - 1);
                if (j < n - 1) multiply(at, at + 1);
            }
        for (int i = 0; i < n * n; i++)
            for (int k = 0; k < 9; k++) sites[i].x[k] = 0.5 * sites[i].x[k] + 0.01 * sites[i].y[k];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 8, steps = argc > 2 ? atoi(argv[2]) : 2;
    struct site *sites = malloc((size_t)(n * n) * sizeof *sites);
    if (!sites) return 1;
    for (int i = 0; i < n * n; i++)
        for (int k = 0; k < 99; k++) (&sites[i].matrix[0][0])[k] = (i + k) % 7;
    kernel(sites, n, steps);
    printf("%.17g\n", sites[n].x[3]);
    free(sites);
    return 0;
}
