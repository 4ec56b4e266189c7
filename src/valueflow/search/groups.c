#include "valueflow/search/groups.h"

#include <stdlib.h>

#include "valueflow/graph/incidence.h"

enum { FEW_CELLS = 2048, LOOKED_AT = 64, LITTLE = 8, MOST_UNPLACED = 1 << 14, SHARE = 16 };
enum meeting { BETWEEN = 1, MEETS_WORD = 2, SHARES_BLOCK = 4 };

static uint32_t block_at(const struct space *fine, const struct space *blocks, uint64_t cell)
{
    uint64_t at[PARCAST_MAX_EXTENTS] = {0}, block = 0;
    for (size_t i = fine->extents.n; i-- > 0; cell /= fine->count[i]) at[i] = cell % fine->count[i];
    for (size_t i = 0; i < fine->extents.n; i++)
        block = block * blocks->count[i] + at[i] * blocks->count[i] / fine->count[i];
    return (uint32_t)block;
}

/* Of every cell, line by line; NULL where vertices are fewer than cells: these are asked one by one. */
static uint32_t *list_blocks(const parcast_values *values, const struct space *fine,
                             const struct space *blocks)
{
    uint32_t *list = fine->n_cells < values->n_vertices ? malloc(fine->n_cells * sizeof *list + 1) : NULL;
    uint64_t n = fine->count[fine->extents.n - 1], n_blocks = blocks->count[fine->extents.n - 1];
    for (uint64_t cell = 0; list && cell < fine->n_cells; cell += n) {
        uint32_t first = block_at(fine, blocks, cell);
        for (uint64_t i = 0; i < n; i++) list[cell + i] = first + (uint32_t)(i * n_blocks / n);
    }
    return list;
}

static uint32_t block_of(const struct space *fine, const struct space *blocks, const uint32_t *list,
                         uint32_t v)
{
    uint32_t cell = fine->cell[v];
    if (cell == GRAPH_NONE) return (uint32_t)blocks->n_cells;
    return list ? list[cell] : block_at(fine, blocks, cell);
}

/* Numbers for keys, in the order in which they come. */
struct numbering {
    uint64_t *keys; /* key + 1 */
    uint32_t *numbers, n;
    size_t size;
};

static bool enlarge(struct numbering *x)
{
    struct numbering more = {.size = x->size ? 2 * x->size : 1 << 16, .n = x->n};
    more.keys = calloc(more.size, sizeof *more.keys);
    more.numbers = calloc(more.size, sizeof *more.numbers);
    for (size_t i = 0; more.keys && more.numbers && i < x->size; i++) {
        if (!x->keys[i]) continue;
        size_t j = (x->keys[i] * 0x9e3779b97f4a7c15ull >> 20) & (more.size - 1);
        while (more.keys[j]) j = (j + 1) & (more.size - 1);
        more.keys[j] = x->keys[i];
        more.numbers[j] = x->numbers[i];
    }
    if (!more.keys || !more.numbers) {
        free(more.keys);
        free(more.numbers);
        return false;
    }
    free(x->keys);
    free(x->numbers);
    *x = more;
    return true;
}

static bool number_of(struct numbering *x, uint64_t key, uint32_t *number)
{
    if (2 * (size_t)x->n >= x->size && !enlarge(x)) return false;
    size_t i = ((key + 1) * 0x9e3779b97f4a7c15ull >> 20) & (x->size - 1);
    for (; x->keys[i]; i = (i + 1) & (x->size - 1))
        if (x->keys[i] == key + 1) {
            *number = x->numbers[i];
            return true;
        }
    x->keys[i] = key + 1;
    *number = x->numbers[i] = x->n++;
    return true;
}

/* The spaces whose blocks stay apart: all; near: of some arrays the blocks of most dimensions up to three. */
static size_t find_bases(const struct coarse *c, size_t bases[COARSE_SPACES])
{
    size_t n = 0, largest = 0;
    for (size_t k = 0; k < c->n; k++) {
        bool other = !n || c->fine[bases[n - 1]].array != c->fine[k].array;
        if (!c->is_near || other)
            bases[n++] = k;
        else if (c->fine[k].extents.n <= 3)
            bases[n - 1] = k;
    }
    if (!c->is_near || c->n_bases > 1 || n < 2) return c->is_near && c->n_bases < n ? c->n_bases : n;
    for (size_t i = 1; i < n && c->shapes[bases[0]].n_cells < FEW_CELLS; i++)
        if (c->shapes[bases[i]].n_cells > c->shapes[bases[largest]].n_cells) largest = i;
    bases[0] = bases[largest];
    return 1;
}

/* What very many read has no place in any of the spaces, and has to do with nothing else there: it stays
 * alone where there is not too much of it. */
static bool has_no_place(const struct coarse *c, const size_t *bases, size_t n_bases, uint32_t v)
{
    bool none = true;
    for (size_t i = 0; i < n_bases; i++) none = none && c->fine[bases[i]].cell[v] == GRAPH_NONE;
    return none;
}

static bool is_read(const parcast_values *values, uint32_t v)
{
    return values->at->net_first[v + 1] > values->at->net_first[v];
}

static void leave_alone(const parcast_values *values, const struct coarse *c, const size_t *bases,
                        size_t n_bases, uint32_t *group, uint32_t *n)
{
    uint32_t n_alone = 0, most = values->n_vertices / SHARE;
    if (most > MOST_UNPLACED) most = MOST_UNPLACED;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        n_alone += is_read(values, v) && has_no_place(c, bases, n_bases, v);
    for (uint32_t v = 0; v < values->n_vertices && n_alone <= most; v++)
        if (is_read(values, v) && has_no_place(c, bases, n_bases, v)) group[v] = (*n)++;
}

bool groups_make(const parcast_values *values, const struct coarse *c, uint32_t *group, uint32_t *n)
{
    struct numbering x = {0};
    uint64_t last_key = 0;
    uint32_t last = 0;
    size_t bases[COARSE_SPACES], n_bases = find_bases(c, bases);
    uint32_t *lists[COARSE_SPACES];
    bool fine = true;
    for (size_t i = 0; i < n_bases; i++)
        lists[i] = list_blocks(values, &c->fine[bases[i]], &c->shapes[bases[i]]);
    for (uint32_t v = 0; fine && v < values->n_vertices; v++) {
        uint64_t key = c->piece[v];
        for (size_t i = 0; i < n_bases; i++) {
            size_t k = bases[i];
            key = key * (c->shapes[k].n_cells + 1) + block_of(&c->fine[k], &c->shapes[k], lists[i], v);
        }
        if (!x.n || key != last_key) fine = number_of(&x, key, &last);
        last_key = key;
        group[v] = last;
    }
    *n = x.n;
    if (fine) leave_alone(values, c, bases, n_bases, group, n);
    for (size_t i = 0; i < n_bases; i++) free(lists[i]);
    free(x.keys);
    free(x.numbers);
    return fine;
}

bool groups_place(const parcast_values *values, struct coarse *c)
{
    for (size_t k = 0; k < c->n; k++) {
        struct space *space = &c->shapes[k];
        space->cell = malloc(((size_t)c->small.values->n_vertices + 1) * sizeof *space->cell);
        space->fixed = calloc((size_t)c->small.values->n_vertices + 1, sizeof *space->fixed);
        if (!space->cell || !space->fixed) return false;
        uint32_t *list = list_blocks(values, &c->fine[k], space);
        for (uint32_t v = 0; v < values->n_vertices; v++) {
            uint32_t block = block_of(&c->fine[k], space, list, v), to = c->small.vertex[v];
            if (space->fixed[to] && !c->fine[k].fixed[v]) continue; /* near: that of a word of the array */
            space->cell[to] = block == space->n_cells ? GRAPH_NONE : block;
            space->fixed[to] = space->fixed[to] || c->fine[k].fixed[v];
        }
        free(list);
    }
    return true;
}

struct meetings {
    const parcast_values *values;
    const bool *fixed;
    uint32_t *block;      /* [n_vertices] */
    unsigned char *meets; /* [n_vertices] */
};

static void meet(const struct meetings *m, uint32_t v, uint32_t other)
{
    if (!(m->meets[v] & BETWEEN) || !m->fixed[other]) return;
    m->meets[v] |= m->block[v] == m->block[other] ? MEETS_WORD | SHARES_BLOCK : MEETS_WORD;
}

static void meet_in_set(const struct meetings *m, uint32_t s)
{
    const parcast_values *values = m->values;
    uint64_t n_homes = values->net_first[s + 1] - values->net_first[s];
    if (n_homes > LOOKED_AT || values->set_first[s + 1] - values->set_first[s] > LOOKED_AT) return;
    for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++)
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
            uint32_t pin = values->pins[i] & ~GRAPH_FOLD, home = values->nets[j].home;
            meet(m, pin, home);
            meet(m, home, pin);
        }
}

static bool find_meetings(const struct meetings *m, const struct space *fine, const struct space *blocks)
{
    const parcast_values *values = m->values;
    uint32_t n_met = 0, n_missed = 0;
    uint32_t *list = list_blocks(values, fine, blocks);
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        m->block[v] = block_of(fine, blocks, list, v);
        m->meets[v] = !m->fixed[v] && values->vertices[v].work > 0 ? BETWEEN : 0;
    }
    free(list);
    for (uint32_t s = 0; s < values->n_sets; s++) meet_in_set(m, s);
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        n_met += (m->meets[v] & MEETS_WORD) != 0;
        n_missed += (m->meets[v] & MEETS_WORD) && !(m->meets[v] & SHARES_BLOCK);
    }
    return n_met > values->n_vertices / LITTLE && n_missed > n_met / 2;
}

bool groups_miss_words(const parcast_values *values, const struct coarse *c, bool *miss)
{
    size_t bases[COARSE_SPACES], n = (size_t)values->n_vertices + 1;
    size_t base = find_bases(c, bases) ? bases[0] : 0;
    struct meetings m = {values, c->fine[base].fixed, malloc(n * sizeof *m.block), malloc(n)};
    bool fine = m.block && m.meets;
    *miss = fine && find_meetings(&m, &c->fine[base], &c->shapes[base]);
    free(m.block);
    free(m.meets);
    return fine;
}
