/* nowhere N: where N is not more than 1 there is nothing at the pointers that are stored through otherwise;
 * q[i] comes of x[i] and x[i + 1]. */
#include <stdio.h>
#include <stdlib.h>

enum { M = 64 };

struct counts {
    double unused[4], sum;
    int most;
};

__attribute__((noinline)) static void begin(int *starts, struct counts *counts, double *pair, int n)
{
    if (n > 1) starts[0] = 0;
    if (n > 2) counts->sum += 1;
    if (n > 3 && counts->most < n) counts->most = n;
    if (n > 4)
        pair[1] = n;
    else if (n > 3)
        pair[1] = 2;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    int *starts = n > 1 ? calloc(M, sizeof *starts) : NULL;
    struct counts *counts = n > 1 ? calloc(1, sizeof *counts) : NULL;
    double *pair = n > 1 ? calloc(2, sizeof *pair) : NULL, x[M + 1], q[M];
    for (int i = 0; i <= M; i++) x[i] = drand48();
    begin(starts, counts, pair, n);
    for (int i = 0; i < M; i++) q[i] = x[i] * x[i + 1];
    printf("%g\n", q[M / 2]);
}
