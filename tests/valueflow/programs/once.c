/* Fails where its file is there already (once.c FILE); recurs as deeply as a stack allows (once.c DEPTH). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 64 };
static double a[N], b[N];

static double down(const double *u, long depth)
{
    double w[8];
    for (int i = 0; i < 8; i++) w[i] = u[i] + 1;
    return depth ? down(w, depth - 1) + w[3] : w[0];
}

int main(int argc, char **argv)
{
    long depth = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int file = argc > 1 && !depth ? open(argv[1], O_CREAT | O_EXCL | O_WRONLY, 0600) : STDOUT_FILENO;
    if (file < 0) return 5;
    for (int i = 0; i < N; i++) a[i] = i;
    if (depth) a[0] = down(a, depth);
    for (int step = 0; step < 3; step++) {
        for (int i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < N - 1; i++) a[i] = b[i];
    }
    printf("%g\n", a[5]);
    return 0;
}
