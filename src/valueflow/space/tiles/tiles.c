/*
 * What an array is stored in is nothing to who asks for blocks of it: where it is stored in tiles, its words
 * are numbered by rows of what it means before anything else is told of it. Arrays of one shape, in which a
 * sweep goes back and forth, are looked at together; inputs of that shape in plain rows stay so.
 */
#include "valueflow/space/tiles/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/space/tiles/tiled.h"

enum {
    LEAST_WORDS = 36,
    MOST_SETS = 1 << 15,
    MOST_PINS = 256,
    HOMES = 4,
    MOST_RECORD = 64,
    PART = 16,
    FEW = 8
};

static bool is_of_shape(const parcast_values *values, uint32_t array, const struct graph_array *shape)
{
    return &values->arrays[array] == shape || graph_are_alike(&values->arrays[array], shape);
}

/* ---- what they are computed of ---- */

static bool make_room(struct tiled_sets *sets, size_t more)
{
    if (sets->n + 2 > sets->room) {
        size_t room = 2 * sets->room + 64;
        size_t *first = realloc(sets->first, room * sizeof *first);
        if (first) sets->first = first;
        bool *has_home = realloc(sets->has_home, room * sizeof *has_home);
        if (has_home) sets->has_home = has_home;
        bool *is_input = realloc(sets->is_input, room * sizeof *is_input);
        if (is_input) sets->is_input = is_input;
        if (!first || !has_home || !is_input) return false;
        sets->room = room;
    }
    if (sets->n_offsets + more > sets->room_offsets) {
        size_t room = 2 * (sets->n_offsets + more);
        uint64_t *offset = realloc(sets->offset, room * sizeof *offset);
        if (!offset) return false;
        sets->offset = offset;
        sets->room_offsets = room;
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void note_distance(struct tiled_sets *sets, uint64_t a, uint64_t b)
{
    uint64_t apart = a > b ? a - b : b - a;
    if (apart && apart <= sets->words / 2) sets->count[apart]++;
}

/* The home, should it be of the shape, and the pins that are. */
static bool add_set(struct tiled_sets *sets, const struct graph_vertex *home, bool is_input, uint64_t record,
                    const uint64_t *pins, size_t n)
{
    if (!make_room(sets, n + 1)) return false;
    uint64_t *offset = sets->offset + sets->n_offsets;
    size_t own = 0;
    if (home) offset[own++] = home->offset / record;
    memcpy(offset + own, pins, n * sizeof *offset);
    for (size_t i = 0; i < n; i++) {
        if (home) note_distance(sets, offset[0], pins[i]);
        if (i) note_distance(sets, pins[i - 1], pins[i]);
    }
    sets->has_home[sets->n] = home;
    sets->is_input[sets->n] = is_input;
    sets->n_offsets += own + n;
    sets->first[sets->n] = (size_t)(offset - sets->offset);
    sets->first[++sets->n] = sets->n_offsets;
    return true;
}

/* The places of a set's pins in arrays of the shape, in order and each once. */
static size_t list_pins(const parcast_values *values, const struct graph_array *shape, uint32_t set,
                        uint64_t record, uint64_t *pins)
{
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    size_t n = 0, different = 0;
    if (end > first + MOST_PINS) end = first + MOST_PINS;
    for (uint64_t i = first; i < end; i++) {
        const struct graph_vertex *pin = &values->vertices[values->pins[i] & ~GRAPH_FOLD];
        if (is_of_shape(values, pin->array, shape)) pins[n++] = pin->offset / record;
    }
    qsort(pins, n, sizeof *pins, ascending);
    for (size_t i = 0; i < n; i++)
        if (!i || pins[i] != pins[i - 1]) pins[different++] = pins[i];
    return different;
}

static bool add_sets_of(const parcast_values *values, const struct graph_array *shape, uint32_t set,
                        uint64_t record, struct tiled_sets *sets)
{
    uint64_t pins[MOST_PINS], first = values->net_first[set], end = values->net_first[set + 1];
    size_t n = list_pins(values, shape, set, record, pins), n_homes = 0;
    bool fine = true;
    for (uint64_t j = first; fine && n && j < end && n_homes < HOMES; j++) {
        const struct graph_vertex *home = &values->vertices[values->nets[j].home];
        if (!is_of_shape(values, home->array, shape)) continue;
        n_homes++;
        if (n == 1 && pins[0] == home->offset / record) continue;
        fine = add_set(sets, home, !values->arrays[home->array].n_written, record, pins, n);
    }
    return fine && !n_homes && n > 2 && first < end ? add_set(sets, NULL, false, record, pins, n) : fine;
}

static void clear(struct tiled_sets *sets)
{
    free(sets->offset);
    free(sets->first);
    free(sets->has_home);
    free(sets->is_input);
    free(sets->count);
    free(sets->written);
}

static bool collect(const parcast_values *values, const struct graph_array *shape, uint64_t record,
                    struct tiled_sets *sets)
{
    *sets = (struct tiled_sets){.words = shape->words / record,
                                .every = graph_every(values, MOST_SETS / GRAPH_RUN),
                                .count = calloc(shape->words / record / 2 + 2, sizeof *sets->count),
                                .written = malloc((values->n_vertices + (size_t)1) * sizeof *sets->written)};
    if (!sets->count || !sets->written || !make_room(sets, 0)) return false;
    sets->first[0] = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        const struct graph_vertex *vertex = &values->vertices[v];
        if (!(vertex->work > 0) || !is_of_shape(values, vertex->array, shape)) continue;
        sets->written[sets->n_written++] = vertex->offset / record;
        sets->used += &values->arrays[vertex->array] == shape;
    }
    bool fine = true;
    for (uint32_t s = 0; fine && s < values->n_sets; s++)
        if (graph_is_in_run(s, sets->every)) fine = add_sets_of(values, shape, s, record, sets);
    return fine;
}

/* ---- numbering ---- */

/* Row by row, as it would be if it were not in tiles. */
static void place_plainly(const struct tiled *tiled, uint64_t offset, int64_t *at)
{
    parcast_extents extents = tiled_extents(tiled);
    for (size_t a = tiled->n; a-- > 0; offset /= extents.extent[a])
        at[a] = (int64_t)(offset % extents.extent[a]) - (int64_t)tiled->axis[a].low;
}

/* In how many more rows and columns are a word and what it is read by the same where it is in tiles? */
static int more_in_tiles(const struct tiled_places *places, uint64_t home, uint64_t pin)
{
    const struct tiled *tiled = places->tiled;
    int64_t in_tiles[TILED_AXES], plain[TILED_AXES], to[TILED_AXES];
    int more = 0;
    tiled_place(places, home, in_tiles);
    tiled_place(places, pin, to);
    place_plainly(tiled, home, plain);
    for (size_t a = 0; a < tiled->n; a++) more += (in_tiles[a] == to[a]) - (plain[a] == to[a]);
    return more;
}

/* An array that is only read lies as those do that are computed, unless what it is read by is in its row or
 * its column rather where it does not. */
static bool find_like(const parcast_values *values, const struct graph_array *shape,
                      const struct tiled_places *places, uint64_t record, bool *is_like)
{
    int64_t *more = calloc(values->n_arrays + 1, sizeof *more);
    if (!more) return false;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        if (values->set_first[s] == values->set_first[s + 1]) continue;
        const struct graph_vertex *pin = &values->vertices[values->pins[values->set_first[s]] & ~GRAPH_FOLD];
        if (!is_of_shape(values, pin->array, shape)) continue;
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
            const struct graph_vertex *home = &values->vertices[values->nets[j].home];
            if (is_of_shape(values, home->array, shape))
                more[home->array] += more_in_tiles(places, home->offset / record, pin->offset / record);
        }
    }
    for (uint32_t i = 0; i < values->n_arrays; i++)
        is_like[i] = is_of_shape(values, i, shape) && (values->arrays[i].n_written || more[i] >= 0);
    free(more);
    return true;
}

static void describe(struct graph_array *array, const struct tiled *tiled, uint64_t record)
{
    parcast_extents extents = tiled_extents(tiled);
    array->tiles = tiled_describe(tiled);
    array->words = graph_words_of(&extents) * record;
    array->block_words = (uint32_t)array->words;
    array->n_blocks = 1;
    array->record = (uint32_t)record;
}

static void move(struct graph_vertex *vertex, const struct tiled_places *places, uint64_t record,
                 uint32_t others)
{
    const struct tiled *tiled = places->tiled;
    int64_t at[TILED_AXES];
    parcast_extents extents = tiled_extents(tiled);
    uint32_t field = tiled_place(places, vertex->offset / record, at);
    uint64_t place = 0;
    for (size_t a = 0; a < tiled->n; a++)
        place = place * extents.extent[a] + (uint64_t)(at[a] + (int64_t)tiled->axis[a].low);
    vertex->offset = place * record + vertex->offset % record;
    if (field) vertex->array = others + field - 1;
}

static bool add_fields(parcast_values *values, uint32_t array, uint32_t n)
{
    struct graph_array *more = realloc(values->arrays, (values->n_arrays + n) * sizeof *more);
    if (!more) return false;
    values->arrays = more;
    for (uint32_t i = 0; i < n; i++) {
        char *name = strdup(more[array].name);
        if (!name) return false;
        more[values->n_arrays] = more[array];
        more[values->n_arrays++].name = name;
    }
    return true;
}

static bool number(parcast_values *values, const struct graph_array *shape, const struct tiled *tiled,
                   uint64_t record)
{
    struct tiled_places places = tiled_places_of(tiled, shape->words / record);
    size_t n = values->n_arrays;
    bool *is_like = calloc(n + 1, sizeof *is_like), fine = is_like;
    uint32_t *others = calloc(n + 1, sizeof *others);
    fine = fine && others && find_like(values, shape, &places, record, is_like);
    for (uint32_t i = 0; fine && i < n; i++) {
        if (!is_like[i]) continue;
        describe(&values->arrays[i], tiled, record);
        others[i] = (uint32_t)values->n_arrays;
        fine = add_fields(values, i, tiled->fields - 1);
    }
    for (uint32_t v = 0; fine && v < values->n_vertices; v++) {
        struct graph_vertex *vertex = &values->vertices[v];
        if (is_like[vertex->array]) move(vertex, &places, record, others[vertex->array]);
    }
    free(is_like);
    free(others);
    return fine;
}

/* In cells of so many words. */
struct cells {
    uint64_t record;
    bool are_whole; /* no tiles of them are looked for */
    uint64_t group; /* but lanes in groups of so many words; 0: not these alone */
    struct tiled_sets sets;
};

/* What is known to be a structure of a few words, its words, or the cells that these are together; returns
 * how many kinds of them there are. */
static size_t list_cells(const struct graph_array *shape, struct cells *cells)
{
    uint64_t known = shape->words % shape->record ? 1 : shape->record;
    size_t n = 0;
    if (known > 1 && known <= FEW) {
        cells[n++] = (struct cells){.record = 1, .group = known};
        cells[n++] = (struct cells){.record = known, .are_whole = true};
    }
    for (uint64_t record = 1; record <= TILED_FIELDS; record++)
        if (shape->words % record == 0) cells[n++].record = record;
    if (known > FEW && known <= MOST_RECORD) cells[n++].record = known;
    return n;
}

/* Corners of elements that are structures may lie in tiles, but elements are what is divided. What is in
 * plain rows is in no tiles. */
static bool try_cells(parcast_values *values, uint32_t array, struct cells *cells, bool *done)
{
    const struct graph_array *shape = &values->arrays[array];
    struct tiled tiled = {0};
    if (!collect(values, shape, cells->record, &cells->sets)) return false;
    *done = !cells->group && tiled_is_plain(&cells->sets);
    if (*done || cells->are_whole) return true;
    if (!cells->group && !tiled_find(&cells->sets, &tiled)) return false;
    if (!tiled.n && cells->record == 1 && !tiled_find_lanes(&cells->sets, cells->group, &tiled)) return false;
    *done = tiled.n;
    return !*done || number(values, shape, &tiled, cells->record);
}

static bool unfold(parcast_values *values, uint32_t array)
{
    struct cells cells[TILED_FIELDS + 3] = {{0}};
    size_t n = list_cells(&values->arrays[array], cells);
    bool fine = true, done = false;
    for (size_t i = 0; fine && !done && i < n; i++) {
        fine = try_cells(values, array, &cells[i], &done);
        clear(&cells[i].sets);
    }
    return fine;
}

/* The first of its shape with most words that are written, which are no small part of all. */
static bool is_asked(const parcast_values *values, uint32_t array, uint64_t all)
{
    const struct graph_array *own = &values->arrays[array];
    if (own->is_result || own->n_written < LEAST_WORDS || PART * own->n_written < all) return false;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *other = &values->arrays[i];
        if (i == array || !graph_are_alike(own, other)) continue;
        if (other->tiles.plain.n || other->n_written > own->n_written ||
            (other->n_written == own->n_written && i < array))
            return false;
    }
    return !own->tiles.plain.n;
}

parcast_status tiles_unfold(parcast_values *values)
{
    uint64_t all = 0;
    size_t n = values->n_arrays;
    bool fine = true;
    for (size_t i = 0; i < n; i++) all += values->arrays[i].n_written;
    for (uint32_t i = 0; fine && i < n; i++)
        if (is_asked(values, i, all)) fine = unfold(values, i);
    for (size_t i = 0; i < values->n_arrays; i++) values->arrays[i].n_written = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (values->vertices[v].work > 0) values->arrays[values->vertices[v].array].n_written++;
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
