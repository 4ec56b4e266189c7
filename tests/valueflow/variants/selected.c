/* The nearest points, one after the other: what is found changes places with what stands before (0), in the
 * other order (1), is marked as taken (2), is searched for by its distance (3). ARGUMENTS: way, points,
 * how many. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
    float x, y;
};

static void exchanged(float *d, struct point *p, float *found, int n, int wanted)
{
    for (int i = 0; i < wanted; i++) {
        int least = i;
        for (int j = i; j < n; j++) {
            float value = d[j];
            if (value < d[least]) least = j;
        }
        float before = d[i];
        d[i] = d[least];
        d[least] = before;
        struct point other = p[i];
        p[i] = p[least];
        p[least] = other;
        found[i] = d[i];
    }
}

static void exchanged_back(float *d, float *found, int n, int wanted)
{
    for (int i = 0; i < wanted; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (d[j] < d[least]) least = j;
        float it = d[least];
        d[least] = d[i];
        d[i] = it;
        found[i] = it;
    }
}

static void marked(float *d, float *found, int n, int wanted)
{
    for (int i = 0; i < wanted; i++) {
        int least = i;
        for (int j = 0; j < n; j++)
            if (d[j] < d[least]) least = j;
        found[i] = d[least];
        d[least] = 1e30f;
    }
}

static void by_distance(float *d, float *found, int n, int wanted)
{
    for (int i = 0; i < wanted; i++) {
        float best = 1e30f;
        int least = 0;
        for (int j = 0; j < n; j++)
            if (d[j] < best) {
                best = d[j];
                least = j;
            }
        found[i] = best;
        d[least] = 1e30f;
    }
}

void kernel(int way, float *d, struct point *p, float *found, int n, int wanted)
{
    for (int i = 0; i < n; i++) d[i] = sqrtf(p[i].x * p[i].x + p[i].y * p[i].y);
    if (way == 0) exchanged(d, p, found, n, wanted);
    if (way == 1) exchanged_back(d, found, n, wanted);
    if (way == 2) marked(d, found, n, wanted);
    if (way == 3) by_distance(d, found, n, wanted);
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 1000,
        wanted = argc > 3 ? atoi(argv[3]) : 5;
    float *d = malloc((size_t)n * sizeof *d), *found = malloc((size_t)wanted * sizeof *found), sum = 0;
    struct point *p = malloc((size_t)n * sizeof *p);
    if (!d || !found || !p) return 1;
    for (int i = 0; i < n; i++) p[i] = (struct point){(float)(i * 7919 % 1009), (float)(i * 104729 % 1013)};
    kernel(way, d, p, found, n, wanted);
    for (int i = 0; i < wanted; i++) sum += found[i];
    printf("%g\n", (double)sum);
    free(d);
    free(found);
    free(p);
    return 0;
}
