/* life N STEPS: Conway's game. What a cell becomes depends on how many of its neighbours live; constants say
 * it. */
#include "kernel.h"

static int becomes(int neighbours, int lives)
{
#if defined CHOICES
    return neighbours == 3 ? 1 : neighbours == 2 ? lives : 0;
#elif defined BRANCHES
    int result;
    if (neighbours < 2 || neighbours > 3)
        result = 0;
    else if (neighbours == 3)
        result = 1;
    else
        result = lives;
    return result;
#elif defined TABLE
    static const int rule[9][2] = {[2] = {0, 1}, [3] = {1, 1}};
    return rule[neighbours][lives];
#elif defined SWITCH
    switch (neighbours) {
    case 2:
        return lives;
    case 3:
        return 1;
    default:
        return 0;
    }
#else
    return neighbours == 3 || (neighbours == 2 && lives);
#endif
}

__attribute__((noinline)) void kernel(int *now, int *next, long n, long steps)
{
    long row = n + 2;
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                const int *p = now + i * row + j;
                int neighbours =
                    p[-row - 1] + p[-row] + p[-row + 1] + p[-1] + p[1] + p[row - 1] + p[row] + p[row + 1];
                next[i * row + j] = becomes(neighbours, *p);
            }
        int *old = now;
        now = next;
        next = old;
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2), words = (n + 2) * (n + 2);
    int *now = calloc((size_t)words, sizeof *now), *next = calloc((size_t)words, sizeof *next), living = 0;
    if (!now || !next) return 1;
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++) now[i * (n + 2) + j] = (i * 7 + j * 11) % 13 < 4;
    kernel(now, next, n, steps);
    for (long i = 0; i < words; i++) living += now[i] + next[i];
    printf("%d\n", living);
    free(now);
    free(next);
    return 0;
}
