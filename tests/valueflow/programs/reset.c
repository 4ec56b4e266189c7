/* A number is stored in every turn, and goes back to 0 where it is not less than what a loop behind a guard
 * finds: the comparison is known behind the guard only, not where the turns meet. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int mark(int *p, const int *asked, const int *limit, int n, int k)
{
    for (int i = 0; i < n; i++) {
        p[i] = k;
        if (asked[i] > 0) {
            int most = k + 1;
            for (int j = 0; j < limit[i]; j++) most = asked[j];
            if (k < most) return i;
            k = 0;
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 64, sum = 0;
    int *p = calloc((size_t)n, sizeof *p), *asked = calloc((size_t)n, sizeof *asked),
        *limit = calloc((size_t)n, sizeof *limit);
    for (int i = 0; i < n; i++) {
        asked[i] = i == 3 * n / 4 - 1;
        limit[i] = 1;
    }
    int found = mark(p, asked, limit, n, 7);
    for (int i = 0; i < n; i++) sum += p[i];
    printf("%d %d\n", found, sum);
}
