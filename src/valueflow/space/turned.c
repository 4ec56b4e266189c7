/*
 * How arrays of one shape lie to each other, from the words that meet: a word that is computed from one of
 * another array lies at its place or beside it, in one order of the dimensions or in another.
 */
#include "valueflow/space/turned.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/once.h"
#include "valueflow/space/images.h"

enum { D = 3, TURNS = 6, BESIDE = 1, SHORT = 6 * BESIDE, PINS_PER_SET = 64, RUNS = 64, FEW_RUNS = 8 };

/* Dimension i of an array is dimension orders[turn][i] of the index array; planes have the first two. */
static const uint8_t orders[TURNS][D] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};

static void find_coordinates(const parcast_extents *extents, uint8_t turn, uint64_t offset, uint64_t at[D])
{
    for (size_t i = extents->n; i-- > 0;) {
        size_t to = orders[turn][i];
        at[to] = i ? offset % extents->extent[to] : offset;
        offset /= extents->extent[to];
    }
}

uint64_t turned_offset(const struct once_turns *turns, const struct graph_vertex *word)
{
    if (!turns || !turns->turn[word->array]) return word->offset;
    uint64_t at[D], offset = 0;
    find_coordinates(&turns->extents, turns->turn[word->array], word->offset, at);
    for (size_t i = 0; i < turns->extents.n; i++) offset = offset * turns->extents.extent[i] + at[i];
    return offset;
}

/* ---- pairs of words ---- */

/* Calls `tell` for words of two arrays of the shape of one where the second is computed from the first; of a
 * large graph so many runs of neighbouring sets tell as much as all. */
static void list_pairs(const parcast_values *values, uint32_t array, uint32_t runs,
                       void (*tell)(void *context, uint32_t from, uint32_t to), void *context)
{
    const struct graph_array *shape = &values->arrays[array];
    uint32_t every = graph_every(values, runs);
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->set_first[s], end = values->set_first[s + 1];
        if (!graph_is_in_run(s, every) || end - first > PINS_PER_SET) continue;
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
            uint32_t from = values->nets[j].home, own = values->vertices[from].array;
            if (!graph_are_alike(&values->arrays[own], shape)) continue;
            for (uint64_t i = first; i < end; i++) {
                uint32_t to = values->pins[i] & ~GRAPH_FOLD, other = values->vertices[to].array;
                if (other != own && graph_are_alike(&values->arrays[other], shape)) tell(context, from, to);
            }
        }
    }
}

static size_t count_alike(const parcast_values *values, uint32_t array)
{
    size_t n = 0;
    for (size_t i = 0; i < values->n_arrays; i++)
        n += graph_are_alike(&values->arrays[i], &values->arrays[array]);
    return n;
}

/* ---- orders of dimensions ---- */

struct meetings {
    const parcast_values *values;
    struct once_turns *turns;
    bool *known;             /* [n_arrays] its turn */
    uint32_t (*near)[TURNS]; /* [n_arrays] words of one that is not known beside those of one that is */
    uint32_t *all;           /* [n_arrays] words of one that is not known that meet those of one that is */
};

/* Along a dimension of few words all are beside each other: what is turned to it tells nothing. */
static bool may_turn(const parcast_extents *extents, uint8_t turn)
{
    for (size_t i = 0; i < extents->n; i++)
        if (orders[turn][i] != i && extents->extent[i] < SHORT) return false;
    return true;
}

static bool is_beside(const struct meetings *m, const uint64_t *a, const uint64_t *b)
{
    for (size_t i = 0; i < m->turns->extents.n; i++)
        if ((a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]) > BESIDE) return false;
    return true;
}

static void note_meeting(void *context, uint32_t from, uint32_t to)
{
    struct meetings *m = context;
    const struct graph_vertex *a = &m->values->vertices[from], *b = &m->values->vertices[to];
    if (m->known[a->array] == m->known[b->array]) return;
    const struct graph_vertex *known = m->known[a->array] ? a : b, *other = known == a ? b : a;
    const parcast_extents *extents = &m->turns->extents;
    uint64_t there[D] = {0}, here[D] = {0};
    size_t n = extents->n == 2 ? 2 : TURNS;
    find_coordinates(extents, m->turns->turn[known->array], known->offset, there);
    for (uint8_t turn = 0; turn < n; turn++) {
        if (!may_turn(extents, turn)) continue;
        find_coordinates(extents, turn, other->offset, here);
        m->near[other->array][turn] += is_beside(m, there, here);
    }
    m->all[other->array]++;
}

/* More than half of its words meet those beside them in this order, and twice as many as in the order that
 * they have. */
static uint8_t most_common(const struct meetings *m, size_t array)
{
    const uint32_t *near = m->near[array];
    uint8_t best = 0;
    for (uint8_t turn = 1; turn < TURNS; turn++)
        if (near[turn] > near[best]) best = turn;
    return near[best] > m->all[array] / 2 && near[best] / 2 > near[0] ? best : 0;
}

/* Those that meet what is known become known. */
static bool settle(struct meetings *m)
{
    bool more = false;
    for (size_t i = 0; i < m->values->n_arrays; i++) {
        if (m->known[i] || !m->all[i]) continue;
        uint8_t turn = m->turns->turn[i] = most_common(m, i);
        if (turn) m->turns->seen += m->near[i][turn];
        m->known[i] = more = true;
    }
    return more;
}

/* Outwards from the array itself. */
static bool find_turns(const parcast_values *values, struct once_turns *turns)
{
    size_t n = values->n_arrays + 1;
    struct meetings m = {.values = values, .turns = turns, .known = calloc(n, sizeof *m.known)};
    turns->turn = calloc(n, sizeof *turns->turn);
    m.near = calloc(n, sizeof *m.near);
    m.all = calloc(n, sizeof *m.all);
    bool fine = m.known && m.near && m.all && turns->turn, more = fine;
    if (fine) m.known[turns->array] = true;
    while (more) {
        list_pairs(values, turns->array, RUNS, note_meeting, &m);
        more = settle(&m);
    }
    free(m.known);
    free(m.near);
    free(m.all);
    return fine;
}

/* With these extents, if more words meet so than with others. */
static void try_extents(const parcast_values *values, const parcast_extents *extents,
                        struct once_turns *turns)
{
    struct once_turns found = {.array = turns->array, .next = turns->next, .extents = *extents};
    if (extents->n < 2 || extents->n > D) return;
    if (find_turns(values, &found) && found.seen > turns->seen) {
        free(turns->turn);
        *turns = found;
    } else {
        free(found.turn);
    }
}

const struct once_turns *turned_arrays(const parcast_values *values, uint32_t array,
                                       const parcast_extents *given)
{
    struct once *once = values->once;
    struct once_turns *turns = once->turns;
    if (once->is_plain) return NULL;
    while (turns && turns->array != array) turns = turns->next;
    if (turns || count_alike(values, array) < 2 || images_front(values, array) < values->arrays[array].words)
        return turns && turns->turn ? turns : NULL;
    turns = calloc(1, sizeof *turns);
    if (!turns) return NULL;
    *turns = (struct once_turns){.next = once->turns, .array = array};
    once->turns = turns;
    if (given) try_extents(values, given, turns);
    for (size_t n = 2; n <= D; n++) {
        parcast_extents extents;
        if (graph_infer_extents(values, array, n, &extents)) try_extents(values, &extents, turns);
    }
    return turns->turn ? turns : NULL;
}

bool turned_any(const parcast_values *values)
{
    const struct once_turns *turns = values->once->turns;
    while (turns && !turns->turn) turns = turns->next;
    return turns && !values->once->is_plain;
}

void turned_clear(struct once_turns *turns)
{
    while (turns) {
        struct once_turns *next = turns->next;
        free(turns->turn);
        free(turns);
        turns = next;
    }
}

/* ---- extents ---- */

enum { MOST_ROWS = 64, SHORTEST = 3 };

struct rows {
    const parcast_values *values;
    uint32_t array;
    uint64_t row[MOST_ROWS]; /* divisors of its words */
    uint32_t seen[MOST_ROWS], all;
    size_t n;
};

static bool is_next(uint64_t a, uint64_t b)
{
    return a == b || a + 1 == b || b + 1 == a;
}

static void note_transposed(void *context, uint32_t from, uint32_t to)
{
    struct rows *r = context;
    const struct graph_vertex *a = &r->values->vertices[from], *b = &r->values->vertices[to];
    if (a->array != r->array && b->array != r->array) return;
    const struct graph_vertex *own = a->array == r->array ? a : b, *other = own == a ? b : a;
    for (size_t i = 0; i < r->n; i++) {
        uint64_t row = r->row[i], column = r->values->arrays[r->array].words / row;
        r->seen[i] += is_next(own->offset / row, other->offset % column) &&
                      is_next(own->offset % row, other->offset / column);
    }
    r->all++;
}

static uint64_t find_row(const parcast_values *values, uint32_t array)
{
    enum { SHARE = 3 };
    struct rows r = {.values = values, .array = array};
    uint64_t words = values->arrays[array].words;
    size_t best = 0;
    for (uint64_t w = SHORTEST; w * SHORTEST <= words && r.n < MOST_ROWS; w++)
        if (words % w == 0) r.row[r.n++] = w;
    list_pairs(values, array, FEW_RUNS, note_transposed, &r);
    for (size_t i = 1; i < r.n; i++)
        if (r.seen[i] > r.seen[best]) best = i;
    return r.n && r.seen[best] > r.all / SHARE ? r.row[best] : 0;
}

bool turned_extents(const parcast_values *values, uint32_t array, parcast_extents *extents)
{
    struct once *once = values->once;
    uint64_t words = values->arrays[array].words;
    if (!once->rows) once->rows = calloc(values->n_arrays + 1, sizeof *once->rows);
    if (!once->rows || count_alike(values, array) < 2 || images_front(values, array) < words) return false;
    if (!once->rows[array]) once->rows[array] = 1 + find_row(values, array);
    uint64_t row = once->rows[array] - 1;
    if (row) *extents = (parcast_extents){2, {words / row, row}};
    return row;
}
