#include "valueflow/space/extents/coupled.h"

#include <stdlib.h>

#include "core/divisor.h"
#include "valueflow/distribution/grid.h"

/* Of a large graph every so many-th run of sets tells as much as all, of a set some of its words; what more
 * read is no matter of neighbours. */
enum { RUNS = 64, HOMES = 4, MOST_PINS = 1024, MOST_OWN = 16, BESIDE = 31, SELDOM = 2, NEARLY = 10 };

struct place {
    uint32_t array;
    uint64_t offset;
};

struct cells {
    const parcast_values *values;
    uint64_t words;
    struct place pins[MOST_PINS]; /* of the set that is looked at */
    size_t n;
    uint64_t n_told;  /* readers of which it is known where runs of them begin and end, */
    uint64_t divisor; /* and what divides all these places; 0: none is known yet */
    /* Words that are read elsewhere than at their own place; how many of them by all words of the cell that
     * they are in, with cells of so many words from a word of so much on. */
    uint64_t n_homes, n_own[MOST_OWN + 1][MOST_OWN];
};

static bool is_of_shape(const struct cells *cells, const struct graph_vertex *vertex)
{
    const struct graph_array *array = &cells->values->arrays[vertex->array];
    return !array->is_result && array->words == cells->words;
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->array != y->array) return x->array < y->array ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool goes_on(const struct place *pin, const struct place *next)
{
    return next->array == pin->array && next->offset == pin->offset + 1;
}

/* What one word at the same place reads tells nothing, nor does what one word reads of an array of another
 * shape. */
static void add_runs(struct cells *cells, const struct graph_vertex *home, bool is_own)
{
    qsort(cells->pins, cells->n, sizeof *cells->pins, by_place);
    for (size_t i = 0, end; i < cells->n; i = end) {
        uint64_t first = cells->pins[i].offset;
        for (end = i + 1; end < cells->n && goes_on(&cells->pins[end - 1], &cells->pins[end]);) end++;
        if (is_own ? end == i + 1 && first == home->offset : cells->n == 1) continue;
        cells->divisor = greatest_divisor(greatest_divisor(cells->divisor, first), first + end - i);
        cells->n_told += end - i;
    }
}

/* One bit for each word up to BESIDE places from the home's, which is one of them. */
static uint64_t readers_beside(const struct cells *cells, uint64_t home, bool *any)
{
    uint64_t readers = UINT64_C(1) << BESIDE;
    for (size_t i = 0; i < cells->n; i++) {
        uint64_t at = cells->pins[i].offset + BESIDE - home;
        if (at < 64) readers |= UINT64_C(1) << at;
        *any = *any || at != BESIDE;
    }
    return readers;
}

static void add_own(struct cells *cells, uint64_t home)
{
    bool any = false;
    uint64_t readers = readers_beside(cells, home, &any);
    if (!any) return;
    cells->n_homes++;
    for (uint64_t n = 2; n <= MOST_OWN; n++)
        for (uint64_t from = 0; from < n; from++) {
            uint64_t within = (home + n - from) % n, all = (UINT64_C(1) << n) - 1;
            cells->n_own[n][from] += (readers >> (BESIDE - within) & all) == all;
        }
}

static void add_set(struct cells *cells, uint32_t set)
{
    const parcast_values *values = cells->values;
    uint64_t pin = values->set_first[set], end = values->set_first[set + 1];
    uint64_t net = values->net_first[set], last = values->net_first[set + 1];
    cells->n = 0;
    for (; end - values->set_first[set] <= MOST_PINS && pin < end; pin++) {
        const struct graph_vertex *reader = &values->vertices[values->pins[pin] & ~GRAPH_FOLD];
        if (is_of_shape(cells, reader))
            cells->pins[cells->n++] = (struct place){reader->array, reader->offset};
    }
    if (last > net + HOMES) last = net + HOMES;
    for (; cells->n && net < last; net++) {
        const struct graph_vertex *home = &values->vertices[values->nets[net].home];
        bool is_own = is_of_shape(cells, home);
        add_runs(cells, home, is_own);
        if (is_own) add_own(cells, home->offset);
    }
}

/* In a row whose words read those beside them a cell might begin anywhere. */
static bool are_own(const struct cells *cells, uint32_t n)
{
    if (cells->words % n || NEARLY * cells->n_own[n][0] < (NEARLY - 1) * cells->n_homes) return false;
    for (uint32_t from = 1; from < n; from++)
        if (SELDOM * cells->n_own[n][from] > cells->n_homes) return false;
    return true;
}

uint32_t coupled_words(const parcast_values *values, uint64_t words)
{
    struct cells cells = {.values = values, .words = words};
    uint32_t every = graph_every(values, RUNS);
    for (uint32_t s = 0; s < values->n_sets; s++)
        if (graph_is_in_run(s, every)) add_set(&cells, s);
    bool is_told = SELDOM * cells.n_told * every >= words;
    if (is_told && cells.divisor > 1 && cells.divisor <= GRID_MOST_FIELDS && words % cells.divisor == 0)
        return (uint32_t)cells.divisor;
    if (SELDOM * cells.n_homes * every < words) return 0;
    for (uint32_t n = MOST_OWN; n > 1; n--)
        if (are_own(&cells, n)) return n;
    return 0;
}
