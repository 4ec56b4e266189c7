/* A ring of spins, every second one in turn, which flip where that takes no energy or by chance: drawn only
 * where it is asked for (0), with a probability of the energy (1), by a function of the place (2), drawn
 * before (3), asked for one after the other (4). ARGUMENTS: way, spins, times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static double chance_at(int i)
{
    return 0.5 + 0.5 * sin(12.9 * i);
}

static int energy(const int *s, int i, int n)
{
    return 2 * s[i] * (s[(i + 1) % n] + s[(i + n - 1) % n]);
}

static void drawn(int *s, int n, int first)
{
    for (int i = first; i < n; i += 2)
        if (energy(s, i, n) <= 0 || drand48() < 0.3) s[i] = -s[i];
}

static void by_energy(int *s, int n, int first)
{
    for (int i = first; i < n; i += 2) {
        int change = energy(s, i, n);
        if (change <= 0 || drand48() < exp(-0.4 * change)) s[i] = -s[i];
    }
}

static void by_place(int *s, int n, int first)
{
    for (int i = first; i < n; i += 2)
        if (energy(s, i, n) <= 0 || chance_at(i) < 0.3) s[i] = -s[i];
}

static void drawn_before(int *s, int n, int first)
{
    for (int i = first; i < n; i += 2) {
        double chance = drand48();
        if (energy(s, i, n) <= 0 || chance < 0.3) s[i] = -s[i];
    }
}

static void one_after_the_other(int *s, int n, int first)
{
    for (int i = first; i < n; i += 2) {
        if (energy(s, i, n) <= 0)
            s[i] = -s[i];
        else if (drand48() < 0.3)
            s[i] = -s[i];
    }
}

void kernel(int way, int *s, int n, int times)
{
    for (int t = 0; t < 2 * times; t++) {
        if (way == 0) drawn(s, n, t % 2);
        if (way == 1) by_energy(s, n, t % 2);
        if (way == 2) by_place(s, n, t % 2);
        if (way == 3) drawn_before(s, n, t % 2);
        if (way == 4) one_after_the_other(s, n, t % 2);
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 32,
        times = argc > 3 ? atoi(argv[3]) : 1;
    int *s = malloc((size_t)n * sizeof *s), sum = 0;
    if (!s) return 1;
    for (int i = 0; i < n; i++) s[i] = i * i % 7 & 1 ? 1 : -1;
    kernel(way, s, n, times);
    for (int i = 0; i < n; i++) sum += s[i] * (i % 7);
    printf("%d\n", sum);
    free(s);
    return 0;
}
