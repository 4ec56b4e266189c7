#include <stdlib.h>
#include <string.h>

#include "plan/problem.h"

parcast_status path_create(const struct problem *problem, struct path *path, parcast_error *error)
{
    *path = (struct path){.size = calloc(problem->n_blocks, sizeof *path->size)};
    return path->size ? PARCAST_OK
                      : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
}

void path_clear(struct path *path)
{
    free(path->size);
    *path = (struct path){.size = NULL};
}

void path_copy(const struct problem *problem, const struct path *from, struct path *to)
{
    memcpy(to->size, from->size, problem->n_blocks * sizeof *to->size);
    memcpy(to->total, from->total, sizeof to->total);
}

void path_add_move(const struct problem *p, size_t from, size_t to, double total[MEASURES])
{
    if (from == to) return;
    double move_s = p->move_s[from * p->n_sizes + to], move_cost = p->move_cost[from * p->n_sizes + to];
    total[MEASURE_TIME] += move_s;
    total[MEASURE_LATE] += move_s;
    total[MEASURE_COST] += move_cost;
    total[MEASURE_LATE_COST] += move_cost;
}

void path_add_block(const struct problem *p, size_t k, size_t size, double total[MEASURES])
{
    double block_s = p->block_s[k * p->n_sizes + size], late_s = block_s * p->risk[size];
    total[MEASURE_TIME] += block_s;
    total[MEASURE_LATE] += late_s;
    total[MEASURE_COST] += p->rate[size] * block_s;
    total[MEASURE_LATE_COST] += p->rate[size] * late_s;
}

void path_measure(const struct problem *problem, struct path *path)
{
    memset(path->total, 0, sizeof path->total);
    size_t from = problem->n_sizes;
    for (size_t k = 0; k < problem->n_blocks; k++) {
        path_add_move(problem, from, path->size[k], path->total);
        path_add_block(problem, k, path->size[k], path->total);
        from = path->size[k];
    }
}

void path_fixed(const struct problem *problem, size_t size, struct path *path)
{
    for (size_t k = 0; k < problem->n_blocks; k++) path->size[k] = (uint16_t)size;
    path_measure(problem, path);
}
