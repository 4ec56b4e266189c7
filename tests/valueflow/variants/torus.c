/* The game of life on a plane of N x N cells that is closed to a ring both ways, in a block of as many words
 * (0), or of more (from 1 on). ARGUMENTS: way, N, T. */
#include <stdio.h>
#include <stdlib.h>

void kernel(int *now, int *next, int n, int times)
{
    for (int t = 0; t < times; t++) {
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int alive = now[y * n + x], around = -alive;
                for (int b = y - 1; b <= y + 1; b++)
                    for (int a = x - 1; a <= x + 1; a++) around += now[(b + n) % n * n + (a + n) % n];
                next[y * n + x] = around == 3 || (around == 2 && alive);
            }
        for (int i = 0; i < n * n; i++) now[i] = next[i];
    }
}

int main(int argc, char **argv)
{
    static const int beside[] = {0, 1, 44, 322, 344};
    if (argc < 4) return 2;
    int n = atoi(argv[2]), sum = 0;
    size_t words = (size_t)n * n + beside[atoi(argv[1])];
    int *now = calloc(words, sizeof *now), *next = calloc(words, sizeof *next);
    if (!now || !next) return 1;
    for (int i = 0; i < n * n; i++) now[i] = i * 37 % 5 < 2;
    kernel(now, next, n, atoi(argv[3]));
    for (int i = 0; i < n * n; i++) sum += now[i] * (i % 7);
    printf("%d\n", sum);
    free(now);
    free(next);
    return 0;
}
