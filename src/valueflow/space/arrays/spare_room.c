#include "valueflow/space/arrays/spare_room.h"

#include <stdlib.h>

enum { PINS_PER_SET = 64 };

/* How long an array is meant to be; `n_used` words of it are used, from `low` on, the last of them before
 * `span`. */
struct room {
    uint64_t words, low, span; /* words 0: as long as it is */
    uint32_t n_used, n_same;
};

static bool is_written(const struct graph_array *array)
{
    return !array->is_result && array->n_blocks <= 1 && array->record <= 1 && !array->planes &&
           array->n_written;
}

/* Not where it holds sums: how many bins of a key there are is told by what is added. */
static bool may_have_room(const struct graph_array *array)
{
    return is_written(array) && 2 * array->n_summed <= array->n_written;
}

static void measure(const parcast_values *values, struct room *rooms)
{
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        const struct graph_vertex *vertex = &values->vertices[v];
        struct room *room = &rooms[vertex->array];
        if (!room->n_used++ || vertex->offset < room->low) room->low = vertex->offset;
        if (vertex->offset >= room->span) room->span = vertex->offset + 1;
    }
}

/* A list that is let grow moves into a block of twice as many words: how many these are is chance. */
static bool has_grown(const struct graph_array *array, const struct room *room)
{
    return !array->is_result && array->n_blocks <= 1 && room->n_used > 1 && 2 * room->low >= array->words;
}

/* The shortest of those that are written and that what is used fits into, but for a frame around it. */
static bool find_length(const parcast_values *values, size_t array, struct room *room)
{
    enum { OF = 4, MOST = 3 };
    if (!may_have_room(&values->arrays[array])) return false;
    for (size_t i = 0; i < values->n_arrays; i++) {
        uint64_t words = values->arrays[i].words;
        bool fits = is_written(&values->arrays[i]) && words < values->arrays[array].words &&
                    room->span <= words && OF * room->span >= MOST * words;
        if (fits && (!room->words || words < room->words)) room->words = words;
    }
    return room->words;
}

static void note_pair(const parcast_values *values, struct room *rooms, uint32_t a, uint32_t b)
{
    const struct graph_vertex *of = &values->vertices[a], *other = &values->vertices[b];
    struct room *room = &rooms[of->array];
    if (room->words && of->offset == other->offset && values->arrays[other->array].words == room->words)
        room->n_same++;
}

static void note_set(const parcast_values *values, struct room *rooms, uint32_t set)
{
    uint64_t pin = values->set_first[set], pin_end = values->set_first[set + 1];
    uint64_t net = values->net_first[set], net_end = values->net_first[set + 1];
    if (pin_end > pin + PINS_PER_SET) pin_end = pin + PINS_PER_SET;
    if (net_end > net + PINS_PER_SET) net_end = net + PINS_PER_SET;
    for (; pin < pin_end; pin++)
        for (uint64_t j = net; j < net_end; j++) {
            uint32_t reader = values->pins[pin] & ~GRAPH_FOLD, home = values->nets[j].home;
            note_pair(values, rooms, reader, home);
            note_pair(values, rooms, home, reader);
        }
}

parcast_status spare_room_leave(parcast_values *values)
{
    struct room *rooms = calloc(values->n_arrays + 1, sizeof *rooms);
    bool any = false;
    if (!rooms) return PARCAST_MEMORY;
    measure(values, rooms);
    for (size_t i = 0; i < values->n_arrays; i++)
        values->arrays[i].is_grown = has_grown(&values->arrays[i], &rooms[i]);
    for (size_t i = 0; i < values->n_arrays; i++) any = find_length(values, i, &rooms[i]) || any;
    for (uint32_t set = 0; any && set < values->n_sets; set++) note_set(values, rooms, set);
    for (size_t i = 0; any && i < values->n_arrays; i++)
        if (rooms[i].words && 2 * (uint64_t)rooms[i].n_same >= rooms[i].n_used)
            values->arrays[i].words = rooms[i].words;
    free(rooms);
    return PARCAST_OK;
}
