/* Cells of a line that live or die by how many of their neighbours live: the rule as choices of a choice (0),
 * as nested ifs in several orders (1 to 3). Whatever the cells are, both neighbours are asked. ARGUMENTS:
 * way, length, cells as bits. */
#include <stdio.h>
#include <stdlib.h>

void kernel(int way, const int *u, int *v, long n)
{
    for (long i = 1; i <= n; i++) {
        int k = u[i - 1] + u[i + 1], a = u[i];
        if (way == 0) {
            v[i] = k == 2 ? 1 : k < 1 ? 0 : a;
        } else if (way == 1) {
            if (a) {
                if (k < 1) a = 0;
            } else if (k == 2) {
                a = 1;
            }
            v[i] = a;
        } else if (way == 2) {
            if (a)
                v[i] = k < 1 ? 0 : a;
            else
                v[i] = k == 2 ? 1 : a;
        } else {
            if (a == 0) {
                if (k == 2) a = 1;
            } else {
                if (k < 1) a = 0;
            }
            v[i] = a;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]), sum = 0;
    int *u = calloc((size_t)n + 2, sizeof *u), *v = calloc((size_t)n + 2, sizeof *v);
    if (!u || !v) return 1;
    for (long i = 1; i <= n; i++) u[i] = atoi(argv[3]) >> i % 8 & 1;
    kernel(atoi(argv[1]), u, v, n);
    for (long i = 0; i <= n; i++) sum += v[i] * (i % 7 + 1);
    printf("%ld\n", sum);
    free(u);
    free(v);
    return 0;
}
