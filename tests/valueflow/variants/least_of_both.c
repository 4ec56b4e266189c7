/* Two words of a workspace that each become the least of both, turn after turn: of most elements twice, of
 * each sixteenth 64 times. What the last turn came to is read by the next one as it is: the operations behind
 * it are the same ones, however often it is read. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void kernel(const double *a, const double *b, double *out, int n)
{
    for (int k = 0; k < n; k++) {
        double w[2] = {a[k] + b[k], b[k]};
        int turns = k % 16 == 5 ? 64 : 2;
        for (int t = 0; t < turns; t++) {
            double d = w[t & 1] / 2 + t;
            w[0] = w[0] < d ? w[0] : d;
            w[1] = w[1] < d ? w[1] : d;
        }
        out[k] = w[0] + w[1];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 64;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *out = malloc(n * sizeof *out), sum = 0;
    if (!a || !b || !out) return 1;
    for (int i = 0; i < n; i++) {
        a[i] = i * 7 % 13;
        b[i] = i;
        out[i] = 1;
    }
    kernel(a, b, out, n);
    for (int i = 0; i < n; i++) sum += out[i];
    printf("%g\n", sum);
    free(a);
    free(b);
    free(out);
    return 0;
}
