/* A plane of spins with periodic borders, black and white in turn, that flip where that takes no energy or by
 * chance; the plane and its side are variables of the unit: the chance is drawn where it is asked for (0),
 * always (1), before the energy is known (2), compared with a table (3), of a state in a variable (4) or an
 * array (5), compared with what was chosen before (6). ARGUMENTS: way, spins on a side, times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int n, *s;

static int field(int i, int j)
{
    return s[(i + 1) % n * n + j] + s[(i + n - 1) % n * n + j] + s[i * n + (j + n - 1) % n] +
           s[i * n + (j + 1) % n];
}

static void asked(int colour)
{
    for (int i = 0; i < n; i++)
        for (int j = (i + colour) % 2; j < n; j += 2) {
            int change = 2 * s[i * n + j] * field(i, j);
            if (change <= 0 || drand48() < exp(-0.4 * change)) s[i * n + j] = -s[i * n + j];
        }
}

static void always(int colour)
{
    for (int i = 0; i < n; i++)
        for (int j = (i + colour) % 2; j < n; j += 2) {
            int change = 2 * s[i * n + j] * field(i, j);
            if (drand48() < exp(-0.4 * change)) s[i * n + j] *= -1;
        }
}

static void drawn_before(int colour)
{
    for (int i = 0; i < n; i++)
        for (int j = (i + colour) % 2; j < n; j += 2) {
            double chance = drand48();
            int change = 2 * s[i * n + j] * field(i, j);
            if (change <= 0 || chance < exp(-0.4 * change)) s[i * n + j] = -s[i * n + j];
        }
}

static void in_table(int colour)
{
    static const double chances[5] = {1, 1, 1, 0.2, 0.04};
    for (int i = 0; i < n; i++)
        for (int j = (i + colour) % 2; j < n; j += 2) {
            int half = s[i * n + j] * field(i, j) / 2;
            if (drand48() < chances[half + 2]) s[i * n + j] = -s[i * n + j];
        }
}

static unsigned state = 1;

static void of_a_state(int colour)
{
    for (int i = 0; i < n; i++)
        for (int j = (i + colour) % 2; j < n; j += 2) {
            int change = 2 * s[i * n + j] * field(i, j);
            if (change <= 0 || rand_r(&state) < RAND_MAX * exp(-0.4 * change)) s[i * n + j] *= -1;
        }
}

static void of_an_array(int colour)
{
    static unsigned short states[3] = {1, 2, 3};
    for (int i = 0; i < n; i++)
        for (int j = (i + colour) % 2; j < n; j += 2) {
            int change = 2 * s[i * n + j] * field(i, j);
            if (erand48(states) < exp(-0.4 * change)) s[i * n + j] = -s[i * n + j];
        }
}

static void chosen_before(int colour)
{
    for (int i = 0; i < n; i++)
        for (int j = (i + colour) % 2; j < n; j += 2) {
            int change = 2 * s[i * n + j] * field(i, j);
            double chance = change < 4 ? exp(-0.4 * change) : 1 / (1.0 + change);
            if (drand48() < chance) s[i * n + j] = -s[i * n + j];
        }
}

void kernel(int way, int times)
{
    for (int t = 0; t < 2 * times; t++) {
        if (way == 0) asked(t);
        if (way == 1) always(t);
        if (way == 2) drawn_before(t);
        if (way == 3) in_table(t);
        if (way == 4) of_a_state(t);
        if (way == 5) of_an_array(t);
        if (way == 6) chosen_before(t);
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 1, sum = 0;
    n = argc > 2 ? atoi(argv[2]) : 16;
    s = malloc((size_t)n * (size_t)n * sizeof *s);
    if (!s) return 1;
    for (int i = 0; i < n * n; i++) s[i] = i * 7919 % 3 ? 1 : -1;
    kernel(way, times);
    for (int i = 0; i < n * n; i++) sum += s[i] * (i % 7);
    printf("%d\n", sum);
    free(s);
    return 0;
}
