/* Alignment of two sequences: every word needs those above, before and across. */
#include "kernel.h"
static int most(int a, int b)
{
    return a > b ? a : b;
}
void kernel(int *h, const int *a, const int *b, long n)
{
    long w = n + 1;
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            h[i * w + j] = most(h[(i - 1) * w + j - 1] + (a[i] == b[j] ? 2 : -1),
                                most(h[(i - 1) * w + j], h[i * w + j - 1]) - 1);
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), w = n + 1;
    int *h = calloc((size_t)(w * w), sizeof *h), *a = malloc((size_t)w * sizeof *a),
        *b = malloc((size_t)w * sizeof *b);
    for (long i = 0; i <= n; i++) {
        a[i] = (int)(i * 7919 % 4);
        b[i] = (int)(i * 104729 % 4);
    }
    kernel(h, a, b, n);
    printf("%d\n", h[w * w - 1]);
    return 0;
}
