/* Numbers are changed by what a register holds of several sums of all of them: 0 a mean by weights, 1 the
 * same in a word, 2 a multiple of it and it, 3 a mean and a deviation, which come of two sums, 4 a mean by
 * weights and a deviation from it, 5 what the step before came to, 6 a mean of which one sum is kept in a
 * structure, 7 by a function of its own. WAY NUMBERS STEPS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int n, steps;
static double *x, *w, word;

struct kept {
    double sum, last;
};

static void mean(int way)
{
    for (int step = 0; step < steps; step++) {
        double sum = 0, weight = 0;
        for (int i = 0; i < n; i++) {
            sum += w[i] * x[i];
            weight += w[i] * x[i] * x[i];
        }
        double m = sum / weight;
        if (way == 0)
            for (int i = 0; i < n; i++) x[i] -= m;
        if (way == 1) word = m;
        if (way == 1)
            for (int i = 0; i < n; i++) x[i] -= word;
        if (way == 2)
            for (int i = 0; i < n; i++) x[i] = m + 0.5 * m * x[i];
    }
}

static void normalised(void)
{
    for (int step = 0; step < steps; step++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < n; i++) {
            sum += x[i];
            squares += x[i] * x[i];
        }
        double m = sum / n, deviation = sqrt(squares / n - m * m);
        for (int i = 0; i < n; i++) x[i] = (x[i] - m) / deviation;
    }
}

static void by_weights(void)
{
    for (int step = 0; step < steps; step++) {
        double sum = 0, weight = 0, squares = 0;
        for (int i = 0; i < n; i++) {
            sum += w[i] * x[i];
            weight += w[i] * x[i] * x[i];
        }
        double m = sum / weight;
        for (int i = 0; i < n; i++) squares += (x[i] - m) * (x[i] - m);
        double deviation = sqrt(squares / weight);
        for (int i = 0; i < n; i++) x[i] = (x[i] - m) / deviation;
    }
}

static void carried(void)
{
    double before = 1;
    for (int step = 0; step < steps; step++) {
        double sum = 0, weight = 0;
        for (int i = 0; i < n; i++) x[i] -= 0.01 * before * w[i];
        for (int i = 0; i < n; i++) {
            sum += w[i] * x[i];
            weight += w[i] * x[i] * x[i];
        }
        before = sum / weight;
    }
    word = before;
}

static void add_up(struct kept *kept)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += w[i] * x[i];
    kept->sum = sum;
}

static __attribute__((noinline)) void subtract(struct kept *kept)
{
    double weight = 0;
    for (int i = 0; i < n; i++) weight += w[i] * x[i] * x[i];
    double m = kept->sum / weight;
    for (int i = 0; i < n; i++) x[i] -= m;
    kept->last = weight;
}

static void in_structure(struct kept *kept)
{
    for (int step = 0; step < steps; step++) {
        double weight = 0;
        add_up(kept);
        for (int i = 0; i < n; i++) weight += w[i] * x[i] * x[i];
        double m = kept->sum / weight;
        for (int i = 0; i < n; i++) x[i] -= m;
        kept->last = weight;
    }
}

static void by_functions(struct kept *kept)
{
    for (int step = 0; step < steps; step++) {
        add_up(kept);
        subtract(kept);
    }
}

void kernel(int way)
{
    struct kept *kept = calloc(1, sizeof *kept);
    if (!kept) exit(1);
    if (way == 6) in_structure(kept);
    if (way == 7) by_functions(kept);
    word = kept->last;
    free(kept);
    if (way <= 2) mean(way);
    if (way == 3) normalised();
    if (way == 4) by_weights();
    if (way == 5) carried();
}

int main(int argc, char **argv)
{
    if (argc != 4) return 1;
    int way = atoi(argv[1]);
    double all = 0;
    n = atoi(argv[2]);
    steps = atoi(argv[3]);
    x = malloc((size_t)n * sizeof *x);
    w = malloc((size_t)n * sizeof *w);
    if (!x || !w) return 1;
    for (int i = 0; i < n; i++) {
        x[i] = 1 + (i * 37 % 101) * 0.01;
        w[i] = 1 + i * 13 % 7;
    }
    kernel(way);
    for (int i = 0; i < n; i++) all += x[i];
    printf("%g %g\n", all, word);
    free(x);
    free(w);
    return 0;
}
