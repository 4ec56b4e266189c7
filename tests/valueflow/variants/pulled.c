/* Populations of a ring of cells that are pulled from beside each cell into a second array and collide there;
 * both are freed at the end of the region: a way (there is one), cells, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { SPEEDS = 3 };
struct cell {
    float speed[SPEEDS];
};

static void pull(const struct cell *from, struct cell *to, int n)
{
    for (int i = 0; i < n; i++) {
        int left = i ? i - 1 : n - 1, right = i + 1 < n ? i + 1 : 0;
        to[i].speed[0] = from[i].speed[0];
        to[i].speed[1] = from[left].speed[1];
        to[i].speed[2] = from[right].speed[2];
    }
}

static void collide(const struct cell *from, struct cell *to, int n)
{
    static const float weight[SPEEDS] = {4.F / 6, 1.F / 6, 1.F / 6}, sign[SPEEDS] = {0, 1, -1};
    for (int i = 0; i < n; i++) {
        float density = 0;
        for (int k = 0; k < SPEEDS; k++) density += from[i].speed[k];
        float u = (from[i].speed[1] - from[i].speed[2]) / density;
        for (int k = 0; k < SPEEDS; k++) {
            float along = sign[k] * u,
                  even = weight[k] * density * (1 + 3 * along + 4.5F * along * along - 1.5F * u * u);
            to[i].speed[k] = from[i].speed[k] + 1.85F * (even - from[i].speed[k]);
        }
    }
}

__attribute__((noinline)) void kernel(const float *in, float *out, int n, int steps)
{
    struct cell *cells = malloc((size_t)n * sizeof *cells), *pulled = malloc((size_t)n * sizeof *pulled);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < SPEEDS; k++) cells[i].speed[k] = in[i] * (float)(1 + k);
    for (int t = 0; t < steps; t++) {
        pull(cells, pulled, n);
        collide(pulled, cells, n);
    }
    for (int i = 0; i < n; i++) out[i] = cells[i].speed[0] + cells[i].speed[1] + cells[i].speed[2];
    free(cells);
    free(pulled);
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 96, steps = argc > 3 ? atoi(argv[3]) : 6;
    float *in = malloc((size_t)n * sizeof *in), *out = malloc((size_t)n * sizeof *out), sum = 0;
    for (int i = 0; i < n; i++) in[i] = 1 + (float)(i % 7);
    kernel(in, out, n, steps);
    for (int i = 0; i < n; i++) sum += out[i] * (float)(i & 3);
    printf("%.9g\n", sum);
    return 0;
}
