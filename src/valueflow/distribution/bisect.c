/* Blocks of equal work: recursive coordinate bisection of the cells of a space by the work that lies in them,
 * and the cuts of a grid placed by it, those of a later dimension in each slab of the earlier ones anew
 * (Deveci et al., multi-jagged partitioning, 2016). */
#include <stdlib.h>

#include "valueflow/space/space.h"

enum { D = PARCAST_MAX_EXTENTS };

struct bisection {
    const struct space *space;
    const double *work;     /* [n_cells] */
    uint32_t *cells, *part; /* cells in the order of the cuts; [n_cells] part of a cell */
    struct key *keys;
    double most; /* work of a part, where cuts go between whole planes as far as it allows that; 0: nowhere */
};

struct key {
    uint64_t at;
    uint32_t cell;
};

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static void coordinates(const struct space *space, uint64_t cell, uint64_t *at)
{
    for (size_t i = space->extents.n; i-- > 0; cell /= space->count[i]) at[i] = cell % space->count[i];
}

/* The longest side of the box around some cells. */
static size_t longest(const struct bisection *b, size_t first, size_t n)
{
    uint64_t low[D] = {0}, high[D] = {0};
    for (size_t k = 0; k < n; k++) {
        uint64_t at[D] = {0};
        coordinates(b->space, b->cells[first + k], at);
        for (size_t i = 0; i < b->space->extents.n; i++) {
            if (!k || at[i] < low[i]) low[i] = at[i];
            if (!k || at[i] > high[i]) high[i] = at[i];
        }
    }
    size_t best = 0;
    for (size_t i = 1; i < b->space->extents.n; i++)
        if (high[i] - low[i] > high[best] - low[best]) best = i;
    return best;
}

static void sort_along(struct bisection *b, size_t first, size_t n, size_t dimension)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t at[D] = {0};
        coordinates(b->space, b->cells[first + k], at);
        b->keys[k] = (struct key){at[dimension], b->cells[first + k]};
    }
    qsort(b->keys, n, sizeof *b->keys, by_key);
    for (size_t k = 0; k < n; k++) b->cells[first + k] = b->keys[k].cell;
}

/* How many of the cells, in the order in which they are sorted, have `wanted` of the work, within half a
 * cell. */
static size_t count_until(const struct bisection *b, size_t first, size_t n, double wanted)
{
    double below = 0;
    size_t k = 0;
    for (; k < n; k++) {
        double one = b->work[b->cells[first + k]];
        if (below + one / 2 > wanted) break;
        below += one;
    }
    return k;
}

static double work_of(const struct bisection *b, size_t first, size_t n)
{
    double all = 0;
    for (size_t k = 0; k < n; k++) all += b->work[b->cells[first + k]];
    return all;
}

/* Has neither side of a cut more for each of its parts than a part may have? */
static bool is_within(const struct bisection *b, double below, double above, size_t lower, size_t upper)
{
    return below <= b->most * (double)lower && above <= b->most * (double)upper;
}

/* The cells are sorted. A plane that a cut goes through is left on the side that has more of it, or on the
 * other one. */
static size_t leave_planes(const struct bisection *b, size_t first, size_t n, size_t k, size_t lower,
                           size_t n_parts)
{
    if (k == 0 || k == n || b->keys[k - 1].at != b->keys[k].at) return k;
    size_t begin = k, end = k;
    while (begin > 0 && b->keys[begin - 1].at == b->keys[k].at) begin--;
    while (end < n && b->keys[end].at == b->keys[k].at) end++;
    size_t nearer = end - k < k - begin ? end : begin, other = begin + end - nearer;
    double all = work_of(b, first, n), below = work_of(b, first, nearer), or_else = work_of(b, first, other);
    if (nearer > 0 && nearer < n && is_within(b, below, all - below, lower, n_parts - lower)) return nearer;
    if (other > 0 && other < n && is_within(b, or_else, all - or_else, lower, n_parts - lower)) return other;
    return k;
}

static void divide(struct bisection *b, size_t first, size_t n, uint32_t part, size_t n_parts)
{
    if (n_parts == 1) {
        for (size_t k = 0; k < n; k++) b->part[b->cells[first + k]] = part;
        return;
    }
    size_t lower = n_parts / 2;
    sort_along(b, first, n, longest(b, first, n));
    size_t k = count_until(b, first, n, work_of(b, first, n) * (double)lower / (double)n_parts);
    if (b->most > 0) k = leave_planes(b, first, n, k, lower, n_parts);
    divide(b, first, k, part, lower);
    divide(b, first + k, n - k, part + (uint32_t)lower, n_parts - lower);
}

/* The slabs of dimension `at`, each cut along the next one. */
static void divide_grid(struct bisection *b, const parcast_extents *grid, size_t at, size_t first, size_t n,
                        uint32_t part)
{
    if (at == grid->n) {
        for (size_t k = 0; k < n; k++) b->part[b->cells[first + k]] = part;
        return;
    }
    uint64_t slabs = grid->extent[at];
    if (slabs > 1) sort_along(b, first, n, at);
    for (uint64_t left = slabs; left > 0; left--) {
        size_t k = left == 1 ? n : count_until(b, first, n, work_of(b, first, n) / (double)left);
        divide_grid(b, grid, at + 1, first, k, part * (uint32_t)slabs + (uint32_t)(slabs - left));
        first += k;
        n -= k;
    }
}

void space_add_up_work(const parcast_values *values, const struct space *space, double *work)
{
    for (uint64_t k = 0; k < space->n_cells; k++) work[k] = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (space->cell[v] != GRAPH_NONE) work[space->cell[v]] += values->vertices[v].work;
}

/* `most`: as in struct bisection, over the mean. */
static parcast_status divide_all(const struct space *space, const parcast_extents *grid, size_t n_parts,
                                 const double *work, double most, uint32_t *part, parcast_error *error)
{
    size_t n = (size_t)space->n_cells;
    struct bisection b = {.space = space, .work = work, .part = part};
    b.cells = malloc((n + 1) * sizeof *b.cells);
    b.keys = malloc((n + 1) * sizeof *b.keys);
    parcast_status status = PARCAST_OK;
    if (b.cells && b.keys) {
        for (size_t k = 0; k < n; k++) b.cells[k] = (uint32_t)k;
        b.most = most * work_of(&b, 0, n) / (double)n_parts;
        if (grid)
            divide_grid(&b, grid, 0, 0, n, 0);
        else
            divide(&b, 0, n, 0, n_parts);
    } else {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu cells", n);
    }
    free(b.cells);
    free(b.keys);
    return status;
}

parcast_status space_divide(const struct space *space, const parcast_extents *grid, size_t n_parts,
                            const double *work, uint32_t *part, parcast_error *error)
{
    return divide_all(space, grid, n_parts, work, 0, part, error);
}

parcast_status space_divide_planes(const struct space *space, size_t n_parts, const double *work,
                                   double most_ratio, uint32_t *part, parcast_error *error)
{
    return divide_all(space, NULL, n_parts, work, 1 + most_ratio, part, error);
}

parcast_status space_bisect(const parcast_values *values, const struct space *space, size_t n_parts,
                            uint32_t *part, parcast_error *error)
{
    size_t n = (size_t)space->n_cells;
    double *work = malloc((n + 1) * sizeof *work);
    uint32_t *cut = malloc((n + 1) * sizeof *cut);
    parcast_status status = PARCAST_OK;
    if (work && cut) {
        space_add_up_work(values, space, work);
        status = space_divide(space, NULL, n_parts, work, cut, error);
    } else {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu cells", n);
    }
    for (uint32_t v = 0; !status && v < values->n_vertices; v++)
        part[v] = space->cell[v] == GRAPH_NONE ? GRAPH_NONE : cut[space->cell[v]];
    free(work);
    free(cut);
    return status;
}
