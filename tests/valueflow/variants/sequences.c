/* Two sequences of letters, aligned; four letters share a word. Arguments: letters of each. */
#include "../kernels/kernel.h"

__attribute__((noinline)) void kernel(int *score, const char *a, const char *b, long n)
{
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) {
            int best = 0, match = score[(i - 1) * (n + 1) + j - 1] + (a[i] == b[j] ? 2 : -1);
            int above = score[(i - 1) * (n + 1) + j] - 1, beside = score[i * (n + 1) + j - 1] - 1;
            if (match > best) best = match;
            if (above > best) best = above;
            if (beside > best) best = beside;
            score[i * (n + 1) + j] = best;
        }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    size_t letters = (size_t)n + 1;
    int *score = calloc(letters * letters, sizeof *score);
    char *a = malloc(letters), *b = malloc(letters);
    for (long i = 0; i <= n; i++) {
        a[i] = (char)(i * i % 5);
        b[i] = (char)(i * i % 7);
    }
    kernel(score, a, b, n);
    printf("%d\n", score[letters * letters - 1]);
    free(score);
    free(a);
    free(b);
    return 0;
}
