#include "valueflow/space.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/incidence.h"

enum {
    LOOKED_AT = 512,
    CROWD = 2048,
    SOME = 64,
    MOST_ROUNDS = 64,
    RELAX_ROUNDS = 8,
    D = PARCAST_MAX_EXTENTS,
    LANES = 4,
    MOST_PLACE = D * D + LANES
};

/* All spaces of an array at once: the coordinates of one stand behind those of the other, and behind them
 * what the vertex weighs as a reader: nothing, where nobody knows where it is; less, while it has no place.
 */
struct embedding {
    const parcast_values *values;
    struct space *spaces;
    size_t n_spaces, d, stride; /* stride: a multiple of LANES, above d */
    struct incidence at;
    float *place, *next; /* [n_vertices * stride], in cells from the corner of the box */
    uint64_t *sources;   /* [n_vertices] homes that a vertex reads */
    float *weight;       /* [n_vertices] as a reader */
    bool *placed, *fixed;
};

static const float no_place = -1;

static float *place_of(const struct embedding *e, uint32_t v)
{
    return e->place + v * e->stride;
}

static void set_placed(struct embedding *e, uint32_t v)
{
    e->placed[v] = true;
    place_of(e, v)[e->d] = e->weight[v];
}

static void coordinates(const parcast_extents *extents, uint64_t offset, uint64_t *at)
{
    for (size_t i = extents->n; i-- > 0;) {
        at[i] = i ? offset % extents->extent[i] : offset;
        offset /= extents->extent[i];
    }
}

/* The words that are written: a frame of fixed values belongs to whoever is beside it. */
static bool find_box(const parcast_values *values, struct space *space, bool written)
{
    uint64_t high[D] = {0};
    bool any = false;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint64_t at[D] = {0};
        if (values->vertices[v].array != space->array || (written && !(values->vertices[v].work > 0)))
            continue;
        coordinates(&space->extents, values->vertices[v].offset, at);
        for (size_t i = 0; i < space->extents.n; i++) {
            if (!any || at[i] < space->low[i]) space->low[i] = at[i];
            if (!any || at[i] > high[i]) high[i] = at[i];
        }
        any = true;
    }
    space->n_cells = 1;
    for (size_t i = 0; i < space->extents.n; i++)
        space->n_cells *= space->count[i] = high[i] - space->low[i] + 1;
    return any;
}

static void place_own(struct embedding *e, uint32_t v)
{
    float *place = place_of(e, v);
    for (size_t k = 0; k < e->n_spaces; k++) {
        const struct space *space = &e->spaces[k];
        uint64_t at[D] = {0};
        coordinates(&space->extents, e->values->vertices[v].offset, at);
        for (size_t i = 0; i < space->extents.n; i++) {
            uint64_t x = at[i] < space->low[i] ? 0 : at[i] - space->low[i];
            if (x >= space->count[i]) x = space->count[i] - 1;
            *place++ = (float)x + 0.5f;
        }
        space->fixed[v] = true;
    }
    e->fixed[v] = true;
    set_placed(e, v);
}

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* A sum of places: of few coordinates in registers, of more in memory. */
struct mean {
    lanes first, second, third;
    float total;
    float *more; /* from the fourth LANES on */
};

static inline lanes lanes_at(const float *place, size_t i)
{
    lanes l;
    memcpy(&l, place + i * LANES, sizeof l);
    return l;
}

static inline void add(const float *place, size_t n_lanes, float weight, struct mean *mean)
{
    mean->first += weight * lanes_at(place, 0);
    if (n_lanes > 1) mean->second += weight * lanes_at(place, 1);
    if (n_lanes > 2) mean->third += weight * lanes_at(place, 2);
    for (size_t i = 3; i < n_lanes; i++)
        for (size_t k = 0; k < LANES; k++) mean->more[(i - 3) * LANES + k] += weight * place[i * LANES + k];
    mean->total += weight;
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

/* A set counts once for its reader, however many homes it has. */
static inline void add_sources(const struct embedding *e, uint32_t v, size_t n_lanes, struct mean *mean)
{
    const parcast_values *values = e->values;
    uint64_t n = e->at.set_first[v + 1] - e->at.set_first[v];
    if (n > CROWD) return;
    for (uint64_t i = e->at.set_first[v]; i < e->at.set_first[v + 1]; i++) {
        uint32_t set = e->at.sets[i] >> 1;
        uint64_t first = values->net_first[set], end = values->net_first[set + 1];
        uint64_t n_readers = values->set_first[set + 1] - values->set_first[set];
        if (n_readers > CROWD) continue;
        if (end > first + LOOKED_AT) end = first + LOOKED_AT;
        float weight = weight_of_set(n_readers) / (float)(end - first);
        for (uint64_t j = first; j < end; j++) {
            const float *place = place_of(e, values->nets[j].home);
            if (values->nets[j].home != v && place[e->d] >= 0) add(place, n_lanes, weight, mean);
        }
    }
}

static inline void add_readers(const struct embedding *e, uint32_t v, size_t n_lanes, struct mean *mean)
{
    const parcast_values *values = e->values;
    for (uint64_t i = e->at.net_first[v]; i < e->at.net_first[v + 1]; i++) {
        uint32_t set = e->at.net_sets[i];
        uint64_t first = values->set_first[set], end = values->set_first[set + 1];
        if (end - first > CROWD) continue;
        if (end > first + LOOKED_AT) end = first + LOOKED_AT;
        float n = (float)(end - first);
        for (uint64_t j = first; j < end; j++) {
            uint32_t reader = values->pins[j] & ~GRAPH_FOLD;
            const float *place = place_of(e, reader);
            if (reader != v && place[e->d] > 0) add(place, n_lanes, place[e->d] / n, mean);
        }
    }
}

/* With n_lanes a constant where these are few: they stay in registers then. */
static inline bool average(const struct embedding *e, uint32_t v, size_t n_lanes, float *place)
{
    float sum[MOST_PLACE] = {0};
    struct mean mean = {.more = sum + 3 * LANES};
    add_sources(e, v, n_lanes, &mean);
    add_readers(e, v, n_lanes, &mean);
    if (!(mean.total > 0)) return false;
    memcpy(sum, &mean.first, sizeof mean.first);
    memcpy(sum + LANES, &mean.second, sizeof mean.second);
    memcpy(sum + 2 * LANES, &mean.third, sizeof mean.third);
    for (size_t i = 0; i < e->d; i++) place[i] = sum[i] / mean.total;
    return true;
}

/* The middle of the neighbours that have a place; false where none has. */
static bool middle(const struct embedding *e, uint32_t v, float *place)
{
    switch (e->stride / LANES) {
    case 1:
        return average(e, v, 1, place);
    case 2:
        return average(e, v, 2, place);
    case 3:
        return average(e, v, 3, place);
    default:
        return average(e, v, e->stride / LANES, place);
    }
}

/* First outwards from the words that have their own place, then towards rest. */
static bool round_once(struct embedding *e, bool outwards)
{
    uint32_t n = e->values->n_vertices;
    bool any = false, *newly = calloc((size_t)n + 1, sizeof *newly);
    if (!newly) return false;
    for (uint32_t v = 0; v < n; v++)
        if (outwards ? !e->placed[v] : e->placed[v] && !e->fixed[v])
            newly[v] = middle(e, v, e->next + v * e->stride);
    for (uint32_t v = 0; v < n; v++) {
        if (!newly[v]) continue;
        memcpy(place_of(e, v), e->next + v * e->stride, e->d * sizeof *e->place);
        set_placed(e, v);
        any = true;
    }
    free(newly);
    return any;
}

/* Words at the same place of arrays of one shape, like the fields of a node, stay together where they come to
 * lie within a cell of each other. */
struct site {
    float sum[D], low[D], high[D];
    uint32_t n;
};

static void add_to_site(const struct embedding *e, uint32_t v, size_t from, size_t d, struct site *site)
{
    for (size_t i = 0; i < d; i++) {
        float x = place_of(e, v)[from + i];
        site->sum[i] += x;
        if (!site->n || x < site->low[i]) site->low[i] = x;
        if (!site->n || x > site->high[i]) site->high[i] = x;
    }
    site->n++;
}

/* The last word of an array may reach beyond its end, where its bytes are not a multiple of the word's. */
static bool has_site(const struct embedding *e, uint32_t v, uint64_t words)
{
    const struct graph_vertex *vertex = &e->values->vertices[v];
    const struct graph_array *array = &e->values->arrays[vertex->array];
    return !array->is_result && array->words == words && vertex->offset < words && e->placed[v] &&
           !e->fixed[v];
}

/* Coordinates from..from + d of words of arrays of so many words. */
static void gather_shape(struct embedding *e, uint64_t words, size_t from, size_t d, struct site *sites)
{
    const parcast_values *values = e->values;
    memset(sites, 0, words * sizeof *sites);
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (has_site(e, v, words)) add_to_site(e, v, from, d, &sites[values->vertices[v].offset]);
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        if (!has_site(e, v, words)) continue;
        const struct site *site = &sites[values->vertices[v].offset];
        bool close = true;
        for (size_t i = 0; i < d; i++) close = close && site->high[i] - site->low[i] < 1;
        for (size_t i = 0; close && i < d; i++) place_of(e, v)[from + i] = site->sum[i] / (float)site->n;
    }
}

/* Shapes that more than one array has. */
static bool gather_sites(struct embedding *e)
{
    const parcast_values *values = e->values;
    for (size_t a = 0; a < values->n_arrays; a++) {
        uint64_t words = values->arrays[a].words;
        bool before = values->arrays[a].is_result || words < 2 || words > values->n_vertices, shared = false;
        for (size_t b = 0; b < a && !before; b++)
            before = !values->arrays[b].is_result && values->arrays[b].words == words;
        for (size_t b = a + 1; b < values->n_arrays; b++)
            shared = shared || (!values->arrays[b].is_result && values->arrays[b].words == words);
        if (before || !shared) continue;
        struct site *sites = malloc(words * sizeof *sites);
        if (!sites) return false;
        for (size_t k = 0, from = 0; k < e->n_spaces; from += e->spaces[k++].extents.n)
            gather_shape(e, words, from, e->spaces[k].extents.n, sites);
        free(sites);
    }
    return true;
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

static bool embed(struct embedding *e)
{
    const parcast_values *values = e->values;
    const struct graph_array *index = &values->arrays[e->spaces[0].array];
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        const struct graph_array *own = &values->arrays[values->vertices[v].array];
        if (own == index || (!own->is_result && own->words == index->words)) place_own(e, v);
    }
    for (int i = 0; i < MOST_ROUNDS && round_once(e, true); i++) {
    }
    for (int i = 0; i < RELAX_ROUNDS; i++) round_once(e, false);
    bool fine = gather_sites(e);
    for (size_t k = 0, from = 0; k < e->n_spaces; from += e->spaces[k++].extents.n)
        for (uint32_t v = 0; v < values->n_vertices; v++)
            e->spaces[k].cell[v] = e->placed[v] ? cell_at(&e->spaces[k], place_of(e, v) + from) : GRAPH_NONE;
    return fine;
}

static parcast_status make_space(const parcast_values *values, uint32_t array, const parcast_extents *extents,
                                 struct space *space, parcast_error *error)
{
    size_t n = (size_t)values->n_vertices + 1;
    *space = (struct space){.array = array, .extents = *extents};
    if (!find_box(values, space, true) && !find_box(values, space, false))
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "the region computes nothing that can be distributed");
    if (space->n_cells >= GRAPH_NONE)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "'%s' has too many words to be divided",
                                 values->arrays[array].name);
    space->cell = malloc(n * sizeof *space->cell);
    space->fixed = calloc(n, sizeof *space->fixed);
    return space->cell && space->fixed ? PARCAST_OK : PARCAST_MEMORY;
}

static parcast_status embed_all(const parcast_values *values, struct space *spaces, size_t n_spaces)
{
    size_t n = (size_t)values->n_vertices + 1;
    struct embedding e = {.values = values, .spaces = spaces, .n_spaces = n_spaces, .at = *values->at};
    for (size_t k = 0; k < n_spaces; k++) e.d += spaces[k].extents.n;
    e.stride = (e.d / LANES + 1) * LANES;
    e.place = calloc(n * e.stride, sizeof *e.place);
    e.next = malloc(n * e.stride * sizeof *e.next);
    e.weight = malloc(n * sizeof *e.weight);
    e.placed = calloc(n, sizeof *e.placed);
    e.fixed = calloc(n, sizeof *e.fixed);
    e.sources = calloc(n, sizeof *e.sources);
    bool fine = e.place && e.next && e.weight && e.placed && e.fixed && e.sources;
    if (fine) count_sources(&e);
    if (fine) weigh_readers(&e);
    fine = fine && embed(&e);
    free(e.place);
    free(e.next);
    free(e.weight);
    free(e.placed);
    free(e.fixed);
    free(e.sources);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}

parcast_status space_make(const parcast_values *values, uint32_t array, const parcast_extents *extents,
                          size_t n, struct space *spaces, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t k = 0; k < n; k++) spaces[k] = (struct space){0};
    for (size_t k = 0; !status && k < n; k++)
        status = make_space(values, array, &extents[k], &spaces[k], error);
    if (!status && n) status = embed_all(values, spaces, n);
    if (!status) return PARCAST_OK;
    for (size_t k = 0; k < n; k++) space_clear(&spaces[k]);
    if (status == PARCAST_DATA) return status;
    return parcast_error_set(error, status, NULL, 0, "out of memory for %u words", values->n_vertices);
}

void space_clear(struct space *space)
{
    free(space->cell);
    free(space->fixed);
    *space = (struct space){0};
}

static uint32_t block_of(const struct space *space, const parcast_extents *grid, uint64_t cell)
{
    uint64_t at[D] = {0}, block = 0;
    for (size_t i = grid->n; i-- > 0; cell /= space->count[i]) at[i] = cell % space->count[i];
    for (size_t i = 0; i < grid->n; i++)
        block = block * grid->extent[i] + at[i] * grid->extent[i] / space->count[i];
    return (uint32_t)block;
}

parcast_status space_cut(const parcast_values *values, const struct space *space, const parcast_extents *grid,
                         uint32_t *part, parcast_error *error)
{
    for (size_t i = 0; i < grid->n; i++) {
        unsigned long long parts = grid->extent[i], words = space->count[i];
        if (parts > words)
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "%llu parts for %llu words of '%s' in dimension %zu", parts, words,
                                     values->arrays[space->array].name, i + 1);
    }
    /* Every cell once, where these are fewer than vertices. */
    uint32_t *block = space->n_cells < values->n_vertices ? malloc(space->n_cells * sizeof *block + 1) : NULL;
    for (uint64_t cell = 0; block && cell < space->n_cells; cell++) block[cell] = block_of(space, grid, cell);
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t cell = space->cell[v];
        part[v] = cell == GRAPH_NONE ? GRAPH_NONE : block ? block[cell] : block_of(space, grid, cell);
    }
    free(block);
    return PARCAST_OK;
}

void space_deal(const parcast_values *values, const struct space *space, const parcast_extents *grid,
                uint64_t width, uint32_t *part)
{
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint64_t at[D] = {0}, block = 0, cell = space->cell[v];
        for (size_t i = grid->n; i-- > 0; cell /= space->count[i]) at[i] = cell % space->count[i];
        for (size_t i = 0; i < grid->n; i++)
            block = block * grid->extent[i] + at[i] / width % grid->extent[i];
        part[v] = space->cell[v] == GRAPH_NONE ? GRAPH_NONE : (uint32_t)block;
    }
}
