/* A five-point sweep with scratch from an arena, far larger than what is used of it: two rows, of an arena
 * that is emptied for each row of points (0); all fluxes through faces, of one that is emptied in each step
 * (1). Arguments: which, rows, columns, steps. */
#include "../kernels/kernel.h"

enum { ARENA = 1 << 20 };

struct arena {
    char *memory;
    size_t used;
};

static void *take(struct arena *arena, long n)
{
    void *p = arena->memory + arena->used;
    arena->used += (size_t)n * sizeof(double);
    return p;
}

static void by_rows(struct arena *arena, const double *u, double *v, long rows, long columns)
{
    const long row = columns + 2;
    for (long i = 1; i <= rows; i++) {
        arena->used = 0;
        double *above = take(arena, columns), *beside = take(arena, columns);
        for (long j = 0; j < columns; j++) above[j] = u[(i - 1) * row + j + 1] + u[(i + 1) * row + j + 1];
        for (long j = 0; j < columns; j++) beside[j] = u[i * row + j] + u[i * row + j + 2];
        for (long j = 0; j < columns; j++)
            v[i * row + j + 1] = 0.2 * (u[i * row + j + 1] + above[j] + beside[j]);
    }
}

static void by_fluxes(struct arena *arena, double *u, long rows, long columns)
{
    const long row = columns + 2;
    arena->used = 0;
    double *across = take(arena, (rows + 2) * row), *down = take(arena, (rows + 2) * row);
    for (long i = 1; i <= rows; i++)
        for (long j = 0; j <= columns; j++) across[i * row + j] = u[i * row + j + 1] - u[i * row + j];
    for (long i = 0; i <= rows; i++)
        for (long j = 1; j <= columns; j++) down[i * row + j] = u[(i + 1) * row + j] - u[i * row + j];
    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= columns; j++)
            u[i * row + j] += 0.2 * (across[i * row + j] - across[i * row + j - 1] + down[i * row + j] -
                                     down[(i - 1) * row + j]);
}

__attribute__((noinline)) static double *kernel(long which, struct arena *arena, double *u, double *v,
                                                long rows, long columns, long steps)
{
    for (long t = 0; t < steps; t++) {
        if (which) {
            by_fluxes(arena, u, rows, columns);
            continue;
        }
        by_rows(arena, u, v, rows, columns);
        double *w = u;
        u = v;
        v = w;
    }
    return u;
}

int main(int argc, char **argv)
{
    long rows = argument(argc, argv, 2), columns = argument(argc, argv, 3), n = (rows + 2) * (columns + 2);
    struct arena arena = {malloc(ARENA), 0};
    if (!arena.memory) return 1;
    double *u = kernel(argument(argc, argv, 1), &arena, filled(n), filled(n), rows, columns,
                       argument(argc, argv, 4)),
           sum = 0;
    for (long i = 0; i < n; i++) sum += u[i] * (double)(i % 7);
    printf("%.9g\n", sum);
    return 0;
}
