/*
 * How arrays of one shape lie to each other, from the words that meet: a word that is computed from one of
 * another array lies at its place or beside it, in one order of the dimensions or in another. Faces of cells
 * have a layer more along one dimension, those across another one along this: as many words, in the same
 * order of the dimensions, of which each has another one's extent.
 */
#include "valueflow/space/turned.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/incidence.h"
#include "valueflow/graph/once.h"
#include "valueflow/space/images.h"

enum {
    D = 3,
    ORDERS = 6,
    TURNS = 2 * ORDERS,
    BESIDE = 1,
    SHORT = 6 * BESIDE,
    MOST_LAYERS = 2,
    PINS_PER_SET = 64,
    SOURCES = 8,
    RUNS = 64,
    FEW_RUNS = 8
};

/* Dimension i of an array is dimension orders[turn][i] of the index array; planes have the first two. Behind
 * these turns are those in which it only has the extent of that one. */
static const uint8_t orders[ORDERS][D] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};

static size_t n_orders(const parcast_extents *extents)
{
    return extents->n == 2 ? 2 : ORDERS;
}

static void find_coordinates(const parcast_extents *extents, uint8_t turn, uint64_t offset, uint64_t at[D])
{
    for (size_t i = extents->n; i-- > 0;) {
        size_t of = orders[turn % ORDERS][i], to = turn < ORDERS ? of : i;
        at[to] = i ? offset % extents->extent[of] : offset;
        offset /= extents->extent[of];
    }
}

uint64_t turned_offset(const struct once_turns *turns, const struct graph_vertex *word)
{
    if (!turns || !turns->turn[word->array]) return word->offset;
    uint64_t at[D], offset = 0;
    find_coordinates(&turns->extents, turns->turn[word->array], word->offset, at);
    for (size_t i = 0; i < turns->extents.n; i++) {
        uint64_t n = turns->extents.extent[i];
        offset = offset * n + (at[i] < n ? at[i] : n - 1);
    }
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

static bool is_alike(const parcast_values *values, uint32_t v, const struct graph_array *shape)
{
    return graph_are_alike(&values->arrays[values->vertices[v].array], shape);
}

/* The words of arrays of the shape that a word is computed from, up to so many; of a large sum none. */
static size_t list_sources(const parcast_values *values, const struct graph_array *shape, uint32_t v,
                           uint32_t *sources)
{
    const struct incidence *at = values->at;
    size_t n = 0;
    if (at->set_first[v + 1] - at->set_first[v] > PINS_PER_SET) return 0;
    for (uint32_t i = at->set_first[v]; i < at->set_first[v + 1]; i++) {
        uint32_t s = at->sets[i] >> 1;
        if (values->set_first[s + 1] - values->set_first[s] > PINS_PER_SET) continue;
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1] && n < SOURCES; j++)
            if (is_alike(values, values->nets[j].home, shape)) sources[n++] = values->nets[j].home;
    }
    return n;
}

/* Likewise for words of two arrays of the shape of one that meet in a word of another shape. */
static void list_met(const parcast_values *values, uint32_t array, uint32_t runs,
                     void (*tell)(void *context, uint32_t one, uint32_t other), void *context)
{
    const struct graph_array *shape = &values->arrays[array];
    uint32_t every = graph_every(values, runs), sources[SOURCES];
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->set_first[s], end = values->set_first[s + 1];
        if (!graph_is_in_run(s, every) || end - first > PINS_PER_SET) continue;
        for (uint64_t i = first; i < end; i++) {
            uint32_t v = values->pins[i] & ~GRAPH_FOLD;
            size_t n = is_alike(values, v, shape) ? 0 : list_sources(values, shape, v, sources);
            for (size_t j = 1; j < n; j++)
                for (size_t k = 0; k < j; k++)
                    if (values->vertices[sources[j]].array != values->vertices[sources[k]].array)
                        tell(context, sources[k], sources[j]);
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

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Along a dimension of few words all are beside each other: what is turned to it tells nothing. Extents of
 * faces are hardly another's. */
static bool may_turn(const parcast_extents *extents, uint8_t turn)
{
    bool has_layers = turn < ORDERS;
    for (size_t i = 0; i < extents->n; i++) {
        uint64_t own = extents->extent[i], other = extents->extent[orders[turn % ORDERS][i]];
        if (orders[turn % ORDERS][i] != i && own < SHORT) return false;
        if (turn >= ORDERS && apart(own, other) > MOST_LAYERS) return false;
        has_layers = has_layers || own != other;
    }
    return has_layers;
}

static bool is_beside(size_t n, const uint64_t *a, const uint64_t *b)
{
    for (size_t i = 0; i < n; i++)
        if (apart(a[i], b[i]) > BESIDE) return false;
    return true;
}

static void note_turns(struct meetings *m, uint32_t from, uint32_t to, bool faces_only)
{
    const struct graph_vertex *a = &m->values->vertices[from], *b = &m->values->vertices[to];
    if (m->known[a->array] == m->known[b->array]) return;
    const struct graph_vertex *known = m->known[a->array] ? a : b, *other = known == a ? b : a;
    const parcast_extents *extents = &m->turns->extents;
    uint64_t there[D] = {0}, here[D] = {0};
    find_coordinates(extents, m->turns->turn[known->array], known->offset, there);
    for (uint8_t turn = 0; turn < TURNS; turn++) {
        if (faces_only && turn && turn < ORDERS) continue;
        if (turn % ORDERS >= n_orders(extents) || !may_turn(extents, turn)) continue;
        find_coordinates(extents, turn, other->offset, here);
        m->near[other->array][turn] += is_beside(extents->n, there, here);
    }
    m->all[other->array]++;
}

static void note_meeting(void *context, uint32_t from, uint32_t to)
{
    note_turns(context, from, to, false);
}

static void note_met(void *context, uint32_t one, uint32_t other)
{
    note_turns(context, one, other, true);
}

/* Faces across all dimensions have as many words where their extents, but for a layer, are equal. */
static bool may_be_faces(const parcast_extents *extents)
{
    bool differ = false;
    for (size_t i = 0; i < extents->n; i++) {
        uint64_t own = extents->extent[i], first = extents->extent[0];
        if (own < SHORT || apart(own, first) > MOST_LAYERS) return false;
        differ = differ || own != first;
    }
    return differ && extents->n <= D;
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
        if (may_be_faces(&turns->extents)) list_met(values, turns->array, FEW_RUNS, note_met, &m);
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

static const struct once_turns *find_or_make(const parcast_values *values, uint32_t array,
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

const struct once_turns *turned_arrays(const parcast_values *values, uint32_t array,
                                       const parcast_extents *given)
{
    once_hold();
    const struct once_turns *turns = find_or_make(values, array, given);
    once_release();
    return turns;
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

void turned_clear_faces(struct once_faces *faces)
{
    while (faces) {
        struct once_faces *next = faces->next;
        free(faces);
        faces = next;
    }
}

/* ---- extents of faces ---- */

struct sizes {
    const parcast_values *values;
    uint32_t array;
    const parcast_extents *extents;
    uint32_t seen[ORDERS], all; /* words beside those of arrays that have the extents in another order */
    uint32_t plain; /* beside those of arrays that have them in the order that was given, as it has */
};

static void note_layers(void *context, uint32_t from, uint32_t to)
{
    struct sizes *s = context;
    const struct graph_vertex *a = &s->values->vertices[from], *b = &s->values->vertices[to];
    if (a->array != s->array && b->array != s->array) return;
    const struct graph_vertex *own = a->array == s->array ? a : b, *other = own == a ? b : a;
    uint64_t here[ORDERS][D], there[ORDERS][D];
    size_t dimensions = s->extents->n, n = n_orders(s->extents);
    for (uint8_t i = 0; i < n; i++) {
        find_coordinates(s->extents, ORDERS + i, own->offset, here[i]);
        find_coordinates(s->extents, ORDERS + i, other->offset, there[i]);
    }
    for (size_t i = 0; i < n; i++) {
        bool beside = false, alike = is_beside(dimensions, here[i], there[i]);
        for (size_t j = 0; j < n; j++)
            beside = beside || (j != i && is_beside(dimensions, here[i], there[j]));
        s->seen[i] += beside && !alike;
        s->plain += !i && alike;
    }
    s->all++;
}

/* In the order in which most words lie beside those of others that have them in another one, a quarter of
 * all at least, and more than where all have one order: in small arrays many are near by chance. */
static void order_extents(const parcast_values *values, uint32_t array, parcast_extents *extents)
{
    enum { SHARE = 4 };
    struct sizes s = {.values = values, .array = array, .extents = extents};
    const parcast_extents given = *extents;
    size_t best = 0;
    list_pairs(values, array, FEW_RUNS, note_layers, &s);
    list_met(values, array, FEW_RUNS, note_layers, &s);
    for (size_t i = 1; i < n_orders(extents); i++)
        if (s.seen[i] > s.seen[best]) best = i;
    if (s.seen[best] <= s.plain) return;
    for (size_t i = 0; i < extents->n && s.seen[best] > s.all / SHARE; i++)
        extents->extent[i] = given.extent[orders[best][i]];
}

void turned_faces(const parcast_values *values, uint32_t array, parcast_extents *extents)
{
    struct once *once = values->once;
    if (!may_be_faces(extents) || count_alike(values, array) < 2) return;
    once_hold();
    struct once_faces *faces = once->faces;
    while (faces && !(faces->array == array && faces->extents.n == extents->n)) faces = faces->next;
    if (!faces && (faces = malloc(sizeof *faces))) {
        *faces = (struct once_faces){.next = once->faces, .array = array, .extents = *extents};
        order_extents(values, array, &faces->extents);
        once->faces = faces;
    }
    if (faces) *extents = faces->extents;
    once_release();
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

/* Few pairs tell nothing, where cells at the corners of a field that is swept are computed from another one
 * at once and all others through the cell before. */
static uint64_t find_row(const parcast_values *values, uint32_t array)
{
    enum { SHARE = 3, FEW = 16 };
    struct rows r = {.values = values, .array = array};
    uint64_t words = values->arrays[array].words;
    size_t best = 0;
    for (uint64_t w = SHORTEST; w * SHORTEST <= words && r.n < MOST_ROWS; w++)
        if (words % w == 0) r.row[r.n++] = w;
    list_pairs(values, array, FEW_RUNS, note_transposed, &r);
    for (size_t i = 1; i < r.n; i++)
        if (r.seen[i] > r.seen[best]) best = i;
    bool are_few = FEW * (uint64_t)r.all < (words < GRAPH_RUN ? words : GRAPH_RUN);
    return r.n && !are_few && r.seen[best] > r.all / SHARE ? r.row[best] : 0;
}

/* 0: none. */
static uint64_t row_of(const parcast_values *values, uint32_t array)
{
    struct once *once = values->once;
    uint64_t words = values->arrays[array].words;
    if (!once->rows) once->rows = calloc(values->n_arrays + 1, sizeof *once->rows);
    if (!once->rows || count_alike(values, array) < 2 || images_front(values, array) < words) return 0;
    if (!once->rows[array]) once->rows[array] = 1 + find_row(values, array);
    return once->rows[array] - 1;
}

bool turned_extents(const parcast_values *values, uint32_t array, parcast_extents *extents)
{
    once_hold();
    uint64_t words = values->arrays[array].words, row = row_of(values, array);
    once_release();
    if (row) *extents = (parcast_extents){2, {words / row, row}};
    return row;
}
