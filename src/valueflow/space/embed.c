#include "valueflow/space/embed.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/space/embedding.h"

enum {
    LOOKED_AT = 512,
    CROWD = 2048,
    SOME = 64,
    MOST_ROUNDS = 64,
    RELAX_ROUNDS = 8,
    FEW_ROUNDS = 2, /* of a large graph, whose blocks are of many cells */
    D = PARCAST_MAX_EXTENTS,
    LANES = 4,
    MOST_LANES = D * D / LANES + 1
};
enum asking { ASKS = 1, CROWDED = 2 }; /* CROWDED: what so many sets tell a reader is not asked */

static const float no_place = -1;

static void set_placed(struct embedding *e, uint32_t v)
{
    e->placed[v] = true;
    place_of(e, v)[e->d] = e->weight[v];
}

static void place_own(struct embedding *e, uint32_t v)
{
    float *place = place_of(e, v);
    for (size_t k = 0; k < e->n_spaces; k++) {
        const struct space *space = &e->spaces[k];
        uint64_t at[D] = {0};
        space_find_place(space, &e->values->vertices[v], at);
        for (size_t i = 0; i < space->extents.n; i++) *place++ = (float)at[i] + 0.5f;
        space->fixed[v] = true;
    }
    e->fixed[v] = true;
    set_placed(e, v);
}

static void count_sources(struct embedding *e)
{
    const parcast_values *values = e->values;
    for (uint32_t s = 0; s < values->n_sets; s++)
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++)
            e->sources[values->pins[i] & ~GRAPH_FOLD] += values->net_first[s + 1] - values->net_first[s];
}

/* Who has to do with very many others tells little of where one of them is. */
static float weight_of(uint64_t n)
{
    float share = (float)SOME / (float)(n + 1);
    return n < SOME ? 1 : share * share;
}

static void weigh_readers(struct embedding *e)
{
    for (uint32_t v = 0; v < e->values->n_vertices; v++) {
        e->weight[v] = e->values->vertices[v].is_chosen ? 0 : weight_of(e->sources[v]);
        place_of(e, v)[e->d] = no_place;
    }
}

/* Nor does what very many read: the time step, of all points. */
static float weight_of_set(uint64_t n_readers)
{
    float share = (float)LOOKED_AT / (float)(n_readers + 1);
    return n_readers < LOOKED_AT ? 1 : share * share;
}

/* ---- what a set tells ---- */

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* A sum of places, and in the lane behind them that of their weights. */
struct mean {
    lanes sum[MOST_LANES];
    float total;
};

static inline struct mean no_mean(size_t n_lanes)
{
    struct mean mean;
    for (size_t i = 0; i < n_lanes; i++) mean.sum[i] = (lanes){0};
    mean.total = 0;
    return mean;
}

static inline void add(const float *place, size_t n_lanes, float weight, struct mean *mean)
{
    for (size_t i = 0; i < n_lanes; i++) {
        lanes l;
        memcpy(&l, place + i * LANES, sizeof l);
        mean->sum[i] += weight * l;
    }
    mean->total += weight;
}

static inline void finish(const struct embedding *e, size_t n_lanes, float weight, struct mean *mean)
{
    float total = mean->total * weight;
    for (size_t i = 0; i < n_lanes; i++) mean->sum[i] *= weight;
    memcpy((char *)mean->sum + e->d * sizeof total, &total, sizeof total);
}

/* A set counts once for its reader, however many homes it has. */
static inline struct mean middle_of_homes(const struct embedding *e, uint32_t s, uint32_t except,
                                          size_t n_lanes)
{
    const parcast_values *values = e->values;
    struct mean mean = no_mean(n_lanes);
    uint64_t first = values->net_first[s], end = values->net_first[s + 1];
    if (end > first + LOOKED_AT) end = first + LOOKED_AT;
    for (uint64_t j = first; j < end; j++) {
        const float *place = place_of(e, values->nets[j].home);
        if (values->nets[j].home != except && place[e->d] >= 0) add(place, n_lanes, 1, &mean);
    }
    if (!(mean.total > 0)) return mean;
    float weight = weight_of_set(values->set_first[s + 1] - values->set_first[s]) / (float)(end - first);
    finish(e, n_lanes, weight, &mean);
    return mean;
}

static inline struct mean middle_of_readers(const struct embedding *e, uint32_t s, uint32_t except,
                                            size_t n_lanes)
{
    const parcast_values *values = e->values;
    struct mean mean = no_mean(n_lanes);
    uint64_t first = values->set_first[s], end = values->set_first[s + 1];
    if (end > first + LOOKED_AT) end = first + LOOKED_AT;
    for (uint64_t j = first; j < end; j++) {
        uint32_t reader = values->pins[j] & ~GRAPH_FOLD;
        const float *place = place_of(e, reader);
        if (reader != except && place[e->d] > 0) add(place, n_lanes, place[e->d], &mean);
    }
    if (mean.total > 0) finish(e, n_lanes, 1 / (float)(end - first), &mean);
    return mean;
}

static inline void tell(struct embedding *e, uint32_t v, size_t n_lanes, const struct mean *mean)
{
    float *next = e->next + v * e->stride;
    for (size_t i = 0; i < n_lanes; i++) {
        lanes l;
        memcpy(&l, next + i * LANES, sizeof l);
        l += mean->sum[i];
        memcpy(next + i * LANES, &l, sizeof l);
    }
}

static bool is_home(const parcast_values *values, uint32_t s, uint32_t v)
{
    for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++)
        if (values->nets[j].home == v) return true;
    return false;
}

static bool is_reader(const parcast_values *values, uint32_t s, uint32_t v)
{
    for (uint64_t j = values->set_first[s]; j < values->set_first[s + 1]; j++)
        if ((values->pins[j] & ~GRAPH_FOLD) == v) return true;
    return false;
}

static inline void tell_readers(struct embedding *e, uint32_t s, size_t n_lanes)
{
    const parcast_values *values = e->values;
    struct mean mean = middle_of_homes(e, s, GRAPH_NONE, n_lanes);
    if (!(mean.total > 0)) return;
    for (uint64_t j = values->set_first[s]; j < values->set_first[s + 1]; j++) {
        uint32_t v = values->pins[j] & ~GRAPH_FOLD;
        if (e->asking[v] != ASKS) continue;
        if (!e->overlaps[s] || !is_home(values, s, v)) {
            tell(e, v, n_lanes, &mean);
            continue;
        }
        struct mean others = middle_of_homes(e, s, v, n_lanes);
        if (others.total > 0) tell(e, v, n_lanes, &others);
    }
}

static inline void tell_homes(struct embedding *e, uint32_t s, size_t n_lanes)
{
    const parcast_values *values = e->values;
    struct mean mean = middle_of_readers(e, s, GRAPH_NONE, n_lanes);
    if (!(mean.total > 0)) return;
    for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
        uint32_t v = values->nets[j].home;
        if (!(e->asking[v] & ASKS)) continue;
        if (!e->overlaps[s] || !is_reader(values, s, v)) {
            tell(e, v, n_lanes, &mean);
            continue;
        }
        struct mean others = middle_of_readers(e, s, v, n_lanes);
        if (others.total > 0) tell(e, v, n_lanes, &others);
    }
}

static bool do_readers_ask(const struct embedding *e, uint32_t s)
{
    const parcast_values *values = e->values;
    for (uint64_t j = values->set_first[s]; j < values->set_first[s + 1]; j++)
        if (e->asking[values->pins[j] & ~GRAPH_FOLD] == ASKS) return true;
    return false;
}

static bool do_homes_ask(const struct embedding *e, uint32_t s)
{
    const parcast_values *values = e->values;
    for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++)
        if (e->asking[values->nets[j].home] & ASKS) return true;
    return false;
}

/* False when nobody of the set asks any more. */
static inline bool visit(struct embedding *e, uint32_t s, size_t n_lanes)
{
    bool readers = do_readers_ask(e, s), homes = do_homes_ask(e, s);
    if (readers) tell_readers(e, s, n_lanes);
    if (homes) tell_homes(e, s, n_lanes);
    return readers || homes;
}

/* With n_lanes a constant where these are few: they stay in registers then. */
static inline void visit_all(struct embedding *e, size_t n_lanes)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n_active; i++) {
        uint32_t s = e->active[i];
        if (visit(e, s, n_lanes)) e->active[n++] = s;
    }
    e->n_active = n;
}

static void visit_sets(struct embedding *e)
{
    switch (e->stride / LANES) {
    case 1:
        visit_all(e, 1);
        break;
    case 2:
        visit_all(e, 2);
        break;
    case 3:
        visit_all(e, 3);
        break;
    case 4:
        visit_all(e, 4);
        break;
    default:
        visit_all(e, e->stride / LANES);
    }
}

/* Sets of very many readers, who are everywhere, tell nothing. */
static void begin_rounds(struct embedding *e)
{
    const parcast_values *values = e->values;
    e->n_active = 0;
    for (uint32_t s = 0; s < values->n_sets; s++)
        if (values->set_first[s + 1] - values->set_first[s] <= CROWD) e->active[e->n_active++] = s;
}

static bool find_overlaps(struct embedding *e)
{
    const parcast_values *values = e->values;
    uint32_t *last =
        calloc((size_t)values->n_vertices + 1, sizeof *last); /* set of which it was a home, + 1 */
    if (!last) return false;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++)
            last[values->nets[j].home] = s + 1;
        for (uint64_t j = values->set_first[s]; j < values->set_first[s + 1] && !e->overlaps[s]; j++)
            e->overlaps[s] = last[values->pins[j] & ~GRAPH_FOLD] == s + 1;
    }
    free(last);
    return true;
}

/* First outwards from the words that have their own place, then towards rest. */
static void ask(struct embedding *e, bool outwards)
{
    for (uint32_t v = 0; v < e->values->n_vertices; v++) {
        bool asks = outwards ? !e->placed[v] : e->placed[v] && !e->fixed[v];
        bool crowded = e->at.set_first[v + 1] - e->at.set_first[v] > CROWD;
        e->asking[v] = (uint8_t)((asks ? ASKS : 0) | (crowded ? CROWDED : 0));
        if (asks) memset(e->next + v * e->stride, 0, e->stride * sizeof *e->next);
    }
}

static bool round_once(struct embedding *e, bool outwards)
{
    bool any = false;
    ask(e, outwards);
    visit_sets(e);
    for (uint32_t v = 0; v < e->values->n_vertices; v++) {
        const float *next = e->next + v * e->stride;
        if (!(e->asking[v] & ASKS) || !(next[e->d] > 0)) continue;
        for (size_t i = 0; i < e->d; i++) place_of(e, v)[i] = next[i] / next[e->d];
        set_placed(e, v);
        any = true;
    }
    return any;
}

/* What lies on the border of two cells belongs to the upper one, also when rounding has moved it. */
static uint32_t cell_at(const struct space *space, const float *place)
{
    uint64_t cell = 0;
    for (size_t i = 0; i < space->extents.n; i++) {
        float x = place[i] + 0.05f;
        uint64_t at = x > 0 ? (uint64_t)x : 0;
        if (at >= space->count[i]) at = space->count[i] - 1;
        cell = cell * space->count[i] + at;
    }
    return (uint32_t)cell;
}

static void run_rounds(struct embedding *e)
{
    begin_rounds(e);
    for (int i = 0; i < MOST_ROUNDS && round_once(e, true); i++) {
    }
    begin_rounds(e);
    int n = e->values->n_vertices < GRAPH_LARGE ? RELAX_ROUNDS : FEW_ROUNDS;
    for (int i = 0; i < n; i++) round_once(e, false);
}

static bool embed(struct embedding *e)
{
    const parcast_values *values = e->values;
    count_sources(e);
    weigh_readers(e);
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (space_has_place(values, &e->spaces[0], v)) place_own(e, v);
    if (!find_overlaps(e)) return false;
    run_rounds(e);
    ends_join(e);
    bool fine = sites_gather(e);
    for (size_t k = 0, from = 0; k < e->n_spaces; from += e->spaces[k++].extents.n)
        for (uint32_t v = 0; v < values->n_vertices; v++)
            e->spaces[k].cell[v] = e->placed[v] ? cell_at(&e->spaces[k], place_of(e, v) + from) : GRAPH_NONE;
    return fine;
}

/* Nothing has to be found then: a stencil. */
static bool have_all_own_places(const parcast_values *values, const struct space *space)
{
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (!space_has_place(values, space, v)) return false;
    return true;
}

static void take_own_places(const parcast_values *values, struct space *space)
{
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint64_t at[D] = {0}, cell = 0;
        space_find_place(space, &values->vertices[v], at);
        for (size_t i = 0; i < space->extents.n; i++) cell = cell * space->count[i] + at[i];
        space->cell[v] = (uint32_t)cell;
        space->fixed[v] = true;
    }
}

bool space_embed(const parcast_values *values, struct space *spaces, size_t n_spaces)
{
    if (have_all_own_places(values, &spaces[0])) {
        for (size_t k = 0; k < n_spaces; k++) take_own_places(values, &spaces[k]);
        return true;
    }
    size_t n = (size_t)values->n_vertices + 1, n_sets = (size_t)values->n_sets + 1;
    struct embedding e = {.values = values, .spaces = spaces, .n_spaces = n_spaces, .at = *values->at};
    for (size_t k = 0; k < n_spaces; k++) e.d += spaces[k].extents.n;
    e.stride = (e.d / LANES + 1) * LANES;
    e.place = calloc(n * e.stride, sizeof *e.place);
    e.next = malloc(n * e.stride * sizeof *e.next);
    e.weight = malloc(n * sizeof *e.weight);
    e.placed = calloc(n, sizeof *e.placed);
    e.fixed = calloc(n, sizeof *e.fixed);
    e.sources = calloc(n, sizeof *e.sources);
    e.asking = calloc(n, sizeof *e.asking);
    e.active = malloc(n_sets * sizeof *e.active);
    e.overlaps = calloc(n_sets, sizeof *e.overlaps);
    bool fine = e.place && e.next && e.weight && e.placed && e.fixed && e.sources && e.asking && e.active &&
                e.overlaps && embed(&e);
    free(e.place);
    free(e.next);
    free(e.weight);
    free(e.placed);
    free(e.fixed);
    free(e.sources);
    free(e.asking);
    free(e.active);
    free(e.overlaps);
    return fine;
}
