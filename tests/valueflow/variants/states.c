/* What is kept for each key is computed of what it was and of a number: 0 mean and squares of differences
 * (Welford's), 1 a hash, 2 a mean that forgets, 3 a mean by weights, 4 two means and what they have in
 * common; 5 number, sum and squares of all; 6 a mean that forgets, of each key's last bits. WAY NUMBERS. */
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 16 };

struct sample {
    double n, mean, squares;
};

struct pair {
    double n, x, y, common;
};

struct weighted {
    double weight, mean;
};

struct moments {
    long n;
    double sum, squares;
};

static int n, *key;
static double *x, *y, means[BINS];
static unsigned hashes[BINS];
static struct sample samples[BINS];
static struct pair pairs[BINS];
static struct weighted weighted[BINS];
static struct moments moments;

static void add(struct sample *s, double value)
{
    s->n += 1;
    double d = value - s->mean;
    s->mean += d / s->n;
    s->squares += d * (value - s->mean);
}

static void add_pair(struct pair *p, double a, double b)
{
    p->n += 1;
    double d = a - p->x;
    p->x += d / p->n;
    p->y += (b - p->y) / p->n;
    p->common += d * (b - p->y);
}

static void add_weighted(struct weighted *m, double value, double weight)
{
    m->weight += weight;
    m->mean += weight / m->weight * (value - m->mean);
}

static void add_moments(struct moments *m, double value)
{
    m->n++;
    m->sum += value;
    m->squares += value * value;
}

void kernel(int way)
{
    if (way == 0)
        for (int i = 0; i < n; i++) add(&samples[key[i]], x[i]);
    if (way == 1)
        for (int i = 0; i < n; i++) hashes[key[i]] = hashes[key[i]] * 31 + (unsigned)(1000 * x[i]);
    if (way == 2)
        for (int i = 0; i < n; i++) means[key[i]] += 0.1 * (x[i] - means[key[i]]);
    if (way == 3)
        for (int i = 0; i < n; i++) add_weighted(&weighted[key[i]], x[i], y[i]);
    if (way == 4)
        for (int i = 0; i < n; i++) add_pair(&pairs[key[i]], x[i], y[i]);
    if (way == 5)
        for (int i = 0; i < n; i++) add_moments(&moments, x[i]);
    if (way == 6)
        for (int i = 0; i < n; i++) {
            double *mean = &means[key[i] & (BINS - 1)];
            *mean += 0.1 * (x[i] - *mean);
        }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    n = atoi(argv[2]);
    key = malloc((size_t)n * sizeof *key);
    x = malloc((size_t)n * sizeof *x);
    y = malloc((size_t)n * sizeof *y);
    for (int i = 0; i < n; i++) {
        key[i] = rand() % BINS;
        x[i] = rand() % 10007 / 10007.0;
        y[i] = 1 + rand() % 10007 / 10007.0;
    }
    kernel(atoi(argv[1]));
    double sum = moments.n + moments.sum + moments.squares;
    for (int k = 0; k < BINS; k++)
        sum += hashes[k] + means[k] + samples[k].mean + samples[k].squares + pairs[k].x + pairs[k].y +
               pairs[k].common + weighted[k].mean;
    printf("%g\n", sum);
    return 0;
}
