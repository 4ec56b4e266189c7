/* The arrays of the program: blocks of one place of allocation together, and what they are computed from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/grid.h"
#include "valueflow/graph/build.h"
#include "valueflow/runtime/blocks/object_kind.h"
#include "valueflow/space/arrays/buffers.h"
#include "valueflow/space/arrays/levels.h"
#include "valueflow/space/arrays/pieces.h"
#include "valueflow/space/arrays/planes.h"
#include "valueflow/space/arrays/sources.h"
#include "valueflow/space/arrays/spare_room.h"
#include "valueflow/space/arrays/told.h"
#include "valueflow/space/tiles/tiles.h"

enum { LONG_FOR_A_ROW = 8 };

/* Vertices first..first+n of the file belong to an object, one for every `bytes` of it. */
struct range {
    uint32_t first, n, object, bytes;
};

static int by_first(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static size_t make_ranges(const struct build *b, struct range *ranges)
{
    size_t n = 0;
    for (uint64_t i = 1; i < b->file.header.n_objects; i++) {
        const struct vf_dump_object *o = &b->file.objects[i];
        for (int size = 0; size < VF_WORD_SIZES; size++)
            if (o->words[size].n)
                ranges[n++] = (struct range){o->words[size].first, o->words[size].n, (uint32_t)i, 1u << size};
    }
    qsort(ranges, n, sizeof *ranges, by_first);
    return n;
}

static bool same_array(const struct vf_dump_object *a, const struct vf_dump_object *b)
{
    if (a->kind != b->kind || a->context != b->context) return false;
    return a->kind != VF_HEAP || a->bytes == b->bytes;
}

struct named {
    const struct vf_dump_object *object;
    uint32_t index;
};

static int by_context(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->object->kind != y->object->kind) return x->object->kind < y->object->kind ? -1 : 1;
    if (x->object->context != y->object->context) return x->object->context < y->object->context ? -1 : 1;
    if (x->object->bytes != y->object->bytes) return x->object->bytes < y->object->bytes ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Whether the blocks took turns in one slot, and how many slots they had. */
static bool take_turns(const struct named *blocks, size_t n_blocks, size_t *n_slots)
{
    uint32_t low = blocks[0].object->slot, high = low;
    for (size_t i = 1; i < n_blocks; i++) {
        if (blocks[i].object->slot < low) low = blocks[i].object->slot;
        if (blocks[i].object->slot > high) high = blocks[i].object->slot;
    }
    *n_slots = (size_t)(high - low) + 1;
    return n_blocks > *n_slots;
}

/* Words of a block, or structures that one of them is known to consist of. */
static uint64_t elements_of(const struct named *blocks, size_t n_blocks)
{
    enum { WORD = 8 };
    uint64_t bytes = blocks[0].object->bytes;
    uint32_t record = WORD;
    for (size_t i = 0; i < n_blocks; i++)
        if (blocks[i].object->record > record) record = blocks[i].object->record;
    return bytes / (bytes % record ? WORD : record);
}

static bool is_most(size_t n, size_t all)
{
    return 4 * n >= 3 * all;
}

/* Of each block, how many before it were in its slot. Are most in turns that nearly all slots had? `turn`,
 * `n_before` [n_blocks]; the latter then says of each turn how many are in it. */
static bool find_turns(const struct named *blocks, size_t n_blocks, size_t n_slots, uint32_t *turn,
                       uint32_t *n_before)
{
    uint32_t low = blocks[0].object->slot;
    size_t in_whole = 0;
    for (size_t i = 1; i < n_blocks; i++)
        if (blocks[i].object->slot < low) low = blocks[i].object->slot;
    memset(n_before, 0, n_slots * sizeof *n_before);
    for (size_t i = 0; i < n_blocks; i++) turn[i] = n_before[blocks[i].object->slot - low]++;
    memset(n_before, 0, n_blocks * sizeof *n_before);
    for (size_t i = 0; i < n_blocks; i++) n_before[turn[i]]++;
    for (size_t i = 0; i < n_blocks; i++) in_whole += is_most(n_before[turn[i]], n_slots);
    return is_most(in_whole, n_blocks);
}

enum together { APART, ROWS, ROWS_IN_TURN, ROWS_OF_TURNS };

/* Blocks that were allocated in one place are rows of an array, or arrays of their own when they are long and
 * few: the fields of a mesh, say, that a loop makes. Those that took turns in one slot are rows in the order
 * in which they came: what a statement computes row by row and then copies. Where they took turns in several
 * slots, those of each turn may be the rows of an array. `turn` [n_blocks] is told then. */
static enum together are_together(const struct named *blocks, size_t n_blocks, uint32_t *turn, uint32_t *n)
{
    size_t n_slots = 0;
    if (blocks[0].object->kind != VF_HEAP || n_blocks == 1) return ROWS;
    bool in_turn = take_turns(blocks, n_blocks, &n_slots), are_many = in_turn && n_slots > 1;
    if (elements_of(blocks, n_blocks) > LONG_FOR_A_ROW * (are_many ? n_slots : n_blocks)) return APART;
    if (!are_many) return in_turn ? ROWS_IN_TURN : ROWS;
    return find_turns(blocks, n_blocks, n_slots, turn, n) ? ROWS_OF_TURNS : APART;
}

/* Of some that are sorted by something else. */
static uint32_t first_of(const struct named *blocks, size_t n)
{
    uint32_t first = blocks[0].index;
    for (size_t i = 1; i < n; i++)
        if (blocks[i].index < first) first = blocks[i].index;
    return first;
}

/* Each is led by the first of its turn, where few slots had one by itself: `n_in` [turns], which is used up.
 */
static void lead_turns(const struct named *blocks, size_t n, const uint32_t *turn, uint32_t *n_in,
                       uint32_t *leader)
{
    const uint32_t n_slots = n_in[0];
    for (size_t i = 0; i < n && n_in[i]; i++) n_in[i] = is_most(n_in[i], n_slots) ? UINT32_MAX : 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t *first = &n_in[turn[i]];
        if (*first == UINT32_MAX) *first = blocks[i].index;
        leader[blocks[i].index] = *first ? *first : blocks[i].index;
    }
}

static bool same_place(const struct named *a, const struct named *b)
{
    return a->object->kind == b->object->kind && a->object->context == b->object->context;
}

/* All rows, where nearly all of what was allocated in one place are blocks from..end of `sorted`: those of
 * which no word was touched, as the first and the last one of a mesh, too. 0: not known. */
static uint32_t count_rows(const struct named *sorted, size_t n, size_t from, size_t end)
{
    uint32_t n_slots = sorted[from].object->n_slots;
    bool is_only = sorted[from].object->kind == VF_HEAP &&
                   (!from || !same_place(&sorted[from - 1], &sorted[from])) &&
                   (end == n || !same_place(&sorted[end], &sorted[from]));
    return is_only && end - from > 1 && 4 * (end - from) >= 3 * (size_t)n_slots ? n_slots : 0;
}

static int by_slot(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->object->context != y->object->context) return x->object->context < y->object->context ? -1 : 1;
    if (x->object->slot != y->object->slot) return x->object->slot < y->object->slot ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Of arrays that took turns in one slot, of whatever size, the first one, by object. `sorted` [n] is used up.
 */
static void note_places(struct named *sorted, size_t n, const uint32_t *leader, uint32_t *place)
{
    size_t n_heap = 0;
    for (size_t i = 0; i < n; i++)
        if (sorted[i].object->kind == VF_HEAP && leader[sorted[i].index] == sorted[i].index)
            sorted[n_heap++] = sorted[i];
    qsort(sorted, n_heap, sizeof *sorted, by_slot);
    for (size_t i = 0, end; i < n_heap; i = end) {
        for (end = i + 1; end < n_heap && same_place(&sorted[end], &sorted[i]) &&
                          sorted[end].object->slot == sorted[i].object->slot;)
            end++;
        for (size_t j = i; j < end && end > i + 1; j++) place[sorted[j].index] = sorted[i].index;
    }
}

/* array_of[object] and row_of[object]; arrays in the order in which their first words were touched.
 * n_rows[object]: of the array that it is the first of, where all are known. place[object]: the first of
 * those that took turns where it was allocated. */
static parcast_status group_objects(struct build *b, uint32_t *array_of, uint32_t *row_of, uint32_t *n_rows,
                                    uint32_t *place)
{
    size_t n = b->file.header.n_objects;
    struct named *sorted = malloc((n ? n : 1) * sizeof *sorted);
    b->values->arrays = calloc(n ? n : 1, sizeof *b->values->arrays);
    if (!sorted || !b->values->arrays) {
        free(sorted);
        return PARCAST_MEMORY;
    }
    for (size_t i = 1; i < n; i++) sorted[i - 1] = (struct named){&b->file.objects[i], (uint32_t)i};
    if (n) qsort(sorted, n - 1, sizeof *sorted, by_context);
    uint32_t *leader = calloc(n + 1, sizeof *leader), *turn = calloc(2 * (n + 1), sizeof *turn);
    for (size_t i = 0, end; leader && turn && i + 1 < n; i = end) {
        for (end = i + 1; end + 1 < n && same_array(sorted[end].object, sorted[i].object);) end++;
        enum together how = are_together(sorted + i, end - i, turn, turn + n);
        uint32_t first = first_of(sorted + i, end - i);
        if (how == ROWS) n_rows[first] = count_rows(sorted, n - 1, i, end);
        for (size_t j = i; j < end; j++) {
            leader[sorted[j].index] = how == APART ? sorted[j].index : first;
            row_of[sorted[j].index] = how == ROWS_IN_TURN ? (uint32_t)(j - i) : sorted[j].object->slot;
        }
        if (how == ROWS_OF_TURNS) lead_turns(sorted + i, end - i, turn, turn + n, leader);
    }
    bool fine = leader && turn;
    if (fine && n) note_places(sorted, n - 1, leader, place);
    free(sorted);
    free(turn);
    if (!fine) {
        free(leader);
        return PARCAST_MEMORY;
    }
    for (size_t i = 1; i < n; i++) {
        if (leader[i] == i) array_of[i] = (uint32_t)b->values->n_arrays++;
        array_of[i] = array_of[leader[i]];
    }
    free(leader);
    return PARCAST_OK;
}

static char *name_of(const struct build *b, uint32_t object, size_t number)
{
    const struct vf_dump_object *o = &b->file.objects[object];
    char text[64];
    if (o->name_length) return strndup(b->file.names + o->name, o->name_length);
    snprintf(text, sizeof text, "%s %zu", o->kind == VF_HEAP ? "heap array" : "memory", number);
    return strdup(text);
}

/* Blocks of a few words that were allocated one by one, many of them: nodes of a list or a tree, points. */
static bool are_elements(const struct graph_array *array)
{
    enum { MANY_TIMES = 8 };
    return array->block_words && array->block_words <= GRID_FIELDS &&
           array->n_blocks >= MANY_TIMES * array->block_words;
}

/* The largest structures that a block is known to consist of, if all are whole. */
static void find_records(struct build *b, const uint32_t *array_of)
{
    parcast_values *values = b->values;
    for (uint64_t i = 1; i < b->file.header.n_objects; i++) {
        struct graph_array *array = &values->arrays[array_of[i]];
        uint32_t bytes = array->element_bytes ? array->element_bytes : 8, given = b->file.objects[i].record;
        if (given % bytes == 0 && given / bytes > array->record) array->record = given / bytes;
    }
    for (size_t i = 0; i < values->n_arrays; i++) {
        struct graph_array *array = &values->arrays[i];
        bool is_whole = array->record && array->block_words % array->record == 0;
        if (!is_whole || array->record > GRID_MOST_MEMBERS || array->words < 2 * (uint64_t)array->record)
            array->record = 1;
        if (array->record == 1 && are_elements(array)) array->record = array->block_words;
    }
}

/* Was more done with words of this size than to copy them (runtime/whole.h)? */
static bool has_words(const struct build *b, const struct vf_dump_object *o, int size)
{
    const struct vf_dump_span *words = &o->words[size];
    bool any = words->n > 0;
    for (int smaller = 0; smaller < size; smaller++) any = any && !o->words[smaller].n;
    for (uint32_t i = 0; !any && i < words->n; i++) any = build_own_number(b, words->first + i);
    return any;
}

/* Elements are as large as the largest words. */
static uint32_t largest_words(const struct build *b, const struct vf_dump_object *o)
{
    int size = VF_WORD_SIZES - 1;
    while (size >= 0 && !has_words(b, o, size)) size--;
    return size < 0 ? 0 : 1u << size;
}

static parcast_status describe_arrays(struct build *b, const uint32_t *array_of, const uint32_t *row_of,
                                      const uint32_t *n_rows)
{
    parcast_values *values = b->values;
    for (uint64_t i = 1; i < b->file.header.n_objects; i++) {
        const struct vf_dump_object *o = &b->file.objects[i];
        struct graph_array *array = &values->arrays[array_of[i]];
        if (!array->name && !(array->name = name_of(b, (uint32_t)i, array_of[i] + 1))) return PARCAST_MEMORY;
        array->is_result = o->kind == VF_RESULT;
        uint32_t bytes = largest_words(b, o);
        if (bytes > array->element_bytes) array->element_bytes = bytes;
    }
    for (uint64_t i = 1; i < b->file.header.n_objects; i++) {
        const struct vf_dump_object *o = &b->file.objects[i];
        struct graph_array *array = &values->arrays[array_of[i]];
        uint32_t words = o->kind == VF_RESULT
                             ? o->words[VF_RESULTS].n
                             : (uint32_t)(o->bytes / (array->element_bytes ? array->element_bytes : 8));
        if (words > array->block_words) array->block_words = words;
        array->n_blocks++;
        if (array->n_blocks == 1 || row_of[i] < array->first_slot) array->first_slot = row_of[i];
    }
    for (uint64_t i = 1; i < b->file.header.n_objects; i++) {
        struct graph_array *array = &values->arrays[array_of[i]];
        if (row_of[i] - array->first_slot >= array->n_blocks)
            array->n_blocks = row_of[i] - array->first_slot + 1;
    }
    for (uint64_t i = 1; i < b->file.header.n_objects; i++) {
        struct graph_array *array = &values->arrays[array_of[i]];
        if (n_rows[i] < (uint64_t)array->first_slot + array->n_blocks) continue;
        array->first_slot = 0;
        array->n_blocks = n_rows[i];
    }
    for (size_t i = 0; i < values->n_arrays; i++) {
        values->arrays[i].words = (uint64_t)values->arrays[i].block_words * values->arrays[i].n_blocks;
        if (values->arrays[i].words >> (GRAPH_OFFSET_BITS - 1)) return PARCAST_FORMAT;
    }
    find_records(b, array_of);
    return PARCAST_OK;
}

static void place_vertices(struct build *b, const struct range *ranges, size_t n, const uint32_t *array_of,
                           const uint32_t *row_of)
{
    for (size_t r = 0; r < n; r++) {
        const struct graph_array *array = &b->values->arrays[array_of[ranges[r].object]];
        for (uint32_t i = 0; i < ranges[r].n; i++) {
            uint32_t v = build_own_number(b, ranges[r].first + i);
            if (!v) continue;
            uint64_t element =
                (uint64_t)i * ranges[r].bytes / (array->element_bytes ? array->element_bytes : 8);
            b->values->vertices[v - 1].array = array_of[ranges[r].object];
            b->values->vertices[v - 1].offset =
                (uint64_t)(row_of[ranges[r].object] - array->first_slot) * array->block_words + element;
            b->values->vertices[v - 1].bytes = ranges[r].bytes;
        }
    }
}

enum { FEW_SUMS = 64 };

/* Of each array: the one that adds up its words, GRAPH_NONE if none does, n_arrays where it is read
 * otherwise; and in how many words of its own others' are added up. */
struct adding {
    uint32_t *sums, *n_adders; /* [arrays] */
    bool *adds;                /* [vertices] */
};

static void note_adder(const parcast_values *values, uint32_t v, const struct adding *adding)
{
    adding->n_adders[values->vertices[v].array] += !adding->adds[v];
    adding->adds[v] = true;
}

/* Sums in two arrays of one shape, which change places. */
static bool add_alike(const parcast_values *values, uint32_t a, uint32_t b)
{
    return a == b || (a < values->n_arrays && graph_are_alike(&values->arrays[a], &values->arrays[b]));
}

static void note_sums(const parcast_values *values, uint32_t set, const struct adding *adding)
{
    uint32_t *sums = adding->sums;
    uint64_t pin = values->set_first[set], n_pins = values->set_first[set + 1] - pin;
    for (uint64_t j = values->net_first[set]; n_pins && j < values->net_first[set + 1]; j++) {
        uint32_t array = values->vertices[values->nets[j].home].array, none = (uint32_t)values->n_arrays;
        uint32_t reader = values->vertices[values->pins[pin] & ~GRAPH_FOLD].array;
        bool added = n_pins == 1 && values->pins[pin] & GRAPH_FOLD && reader != array;
        sums[array] =
            added && (sums[array] == GRAPH_NONE || add_alike(values, sums[array], reader)) ? reader : none;
        if (added) note_adder(values, values->pins[pin] & ~GRAPH_FOLD, adding);
    }
}

/* Not where one sum is of all, or a few are of very many words, nor where these are sums: of what the work is
 * divided by. */
static void tell_terms(parcast_values *values, const struct adding *adding)
{
    for (size_t i = 0; i < values->n_arrays; i++) adding->sums[i] = GRAPH_NONE;
    for (uint32_t set = 0; set < values->n_sets; set++) note_sums(values, set, adding);
    for (size_t i = 0; i < values->n_arrays; i++) {
        struct graph_array *array = &values->arrays[i];
        uint32_t sums = adding->sums[i];
        if (sums >= values->n_arrays || !array->n_written || array->n_summed) continue;
        array->is_terms =
            !values->arrays[sums].is_result && adding->n_adders[sums] > 1 + array->n_written / FEW_SUMS;
    }
}

static parcast_status find_terms(parcast_values *values)
{
    struct adding adding = {malloc((values->n_arrays + 1) * sizeof *adding.sums),
                            calloc(values->n_arrays + 1, sizeof *adding.n_adders),
                            calloc((size_t)values->n_vertices + 1, sizeof *adding.adds)};
    bool fine = adding.sums && adding.n_adders && adding.adds;
    if (fine) tell_terms(values, &adding);
    free(adding.sums);
    free(adding.n_adders);
    free(adding.adds);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}

parcast_status build_arrays(struct build *b)
{
    parcast_status parted = pieces_part(b);
    if (parted) return parted;
    size_t n = b->file.header.n_objects;
    struct range *ranges = malloc((VF_WORD_SIZES * n + 1) * sizeof *ranges);
    uint32_t *array_of = calloc(n ? 4 * n : 1, sizeof *array_of), *row_of = array_of + n;
    uint32_t *n_rows = row_of + n, *place = n_rows + n;
    parcast_status status =
        ranges && array_of ? group_objects(b, array_of, row_of, n_rows, place) : PARCAST_MEMORY;
    if (!status) status = describe_arrays(b, array_of, row_of, n_rows);
    for (size_t i = 1; i < n && !status; i++)
        if (place[i]) b->values->arrays[array_of[i]].place = array_of[place[i]] + 1;
    if (!status) {
        for (uint32_t v = 0; v < b->values->n_vertices; v++) b->values->vertices[v].array = GRAPH_NONE;
        place_vertices(b, ranges, make_ranges(b, ranges), array_of, row_of);
        for (uint32_t v = 0; v < b->values->n_vertices; v++)
            if (b->values->vertices[v].array == GRAPH_NONE) status = PARCAST_FORMAT;
    }
    if (!status) status = levels_part(b->values);
    if (!status) {
        for (uint32_t v = 0; v < b->values->n_vertices; v++)
            if (b->values->vertices[v].work > 0) b->values->arrays[b->values->vertices[v].array].n_written++;
        status = buffers_find(b->values);
        if (!status) status = planes_part(b->values);
        if (!status) status = tiles_unfold(b->values);
        if (!status) status = sources_find(b->values);
        if (!status) status = spare_room_leave(b->values);
        if (!status) status = find_terms(b->values);
        if (!status) status = told_find(b->values);
    }
    free(ranges);
    free(array_of);
    return status;
}
