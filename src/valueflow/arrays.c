/* The arrays of the program: blocks of one place of allocation together; which of them the work goes by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/build.h"
#include "valueflow/grid.h"
#include "valueflow/reach.h"
#include "valueflow/runtime/object_kind.h"

enum {
    SMALLER_THAN_SOURCE = 64,
    LARGER_SOURCE = 4,
    NARROWER_THAN_WORD = 8,
    LONG_FOR_A_ROW = 8,
    SMALL_MESH = 64
};

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
        if (o->n8) ranges[n++] = (struct range){o->first8, o->n8, (uint32_t)i, 8};
        if (o->n4) ranges[n++] = (struct range){o->first4, o->n4, (uint32_t)i, 4};
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

/* Blocks that were allocated in one place are rows of an array, or arrays of their own when they are long and
 * few: the fields of a mesh, say, that a loop makes. Those that took turns in one slot are rows in the order
 * in which they came: what a statement computes row by row and then copies. */
static bool is_one_array(const struct named *blocks, size_t n_blocks, bool *in_turn)
{
    size_t n_slots = 0;
    *in_turn = false;
    if (blocks[0].object->kind != VF_HEAP || n_blocks == 1) return true;
    *in_turn = take_turns(blocks, n_blocks, &n_slots);
    if (*in_turn && n_slots > 1) return false;
    return blocks[0].object->bytes / 8 <= LONG_FOR_A_ROW * n_blocks;
}

/* array_of[object] and row_of[object]; arrays in the order in which their first words were touched. */
static parcast_status group_objects(struct build *b, uint32_t *array_of, uint32_t *row_of)
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
    uint32_t *leader = calloc(n ? n : 1, sizeof *leader);
    for (size_t i = 0, end; leader && i + 1 < n; i = end) {
        for (end = i + 1; end + 1 < n && same_array(sorted[end].object, sorted[i].object);) end++;
        bool in_turn, whole = is_one_array(sorted + i, end - i, &in_turn);
        for (size_t j = i; j < end; j++) {
            leader[sorted[j].index] = sorted[whole ? i : j].index;
            row_of[sorted[j].index] = whole && in_turn ? (uint32_t)(j - i) : sorted[j].object->slot;
        }
    }
    free(sorted);
    if (!leader) return PARCAST_MEMORY;
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
        if (!is_whole || array->record > GRID_MOST_FIELDS || array->words < 2 * (uint64_t)array->record)
            array->record = 1;
    }
}

/* Elements are of 4 bytes where no word of 8 was touched. */
static parcast_status describe_arrays(struct build *b, const uint32_t *array_of, const uint32_t *row_of)
{
    parcast_values *values = b->values;
    for (uint64_t i = 1; i < b->file.header.n_objects; i++) {
        const struct vf_dump_object *o = &b->file.objects[i];
        struct graph_array *array = &values->arrays[array_of[i]];
        if (!array->name && !(array->name = name_of(b, (uint32_t)i, array_of[i] + 1))) return PARCAST_MEMORY;
        array->is_result = o->kind == VF_RESULT;
        if (o->n8) array->element_bytes = 8;
        if (!array->element_bytes && o->n4) array->element_bytes = 4;
    }
    for (uint64_t i = 1; i < b->file.header.n_objects; i++) {
        const struct vf_dump_object *o = &b->file.objects[i];
        struct graph_array *array = &values->arrays[array_of[i]];
        uint32_t words = o->kind == VF_RESULT
                             ? o->n8
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
    for (size_t i = 0; i < values->n_arrays; i++)
        values->arrays[i].words = (uint64_t)values->arrays[i].block_words * values->arrays[i].n_blocks;
    find_records(b, array_of);
    return PARCAST_OK;
}

static void place_vertices(struct build *b, const struct range *ranges, size_t n, const uint32_t *array_of,
                           const uint32_t *row_of)
{
    for (size_t r = 0; r < n; r++) {
        const struct graph_array *array = &b->values->arrays[array_of[ranges[r].object]];
        for (uint32_t i = 0; i < ranges[r].n; i++) {
            uint32_t v = b->number[ranges[r].first + i];
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

/* What the sums of an array read stands for the array where it is a result that has no place of its own. */
static uint32_t array_behind(const parcast_values *values, uint32_t array)
{
    return values->arrays[array].is_result ? values->arrays[array].source : array;
}

/* The largest array that each stream reads. */
static void find_stream_sources(const parcast_values *values, uint32_t *largest)
{
    for (uint32_t s = 0; s < values->n_streams; s++) {
        largest[s] = GRAPH_NONE;
        for (uint64_t i = values->stream_first[s]; i < values->stream_first[s + 1]; i++) {
            uint32_t array = array_behind(values, values->vertices[values->stream_homes[i]].array);
            if (array == GRAPH_NONE) continue;
            if (largest[s] == GRAPH_NONE || values->arrays[array].words > values->arrays[largest[s]].words)
                largest[s] = array;
        }
    }
}

/* Whether an array has found a larger one. */
static bool find_array_sources(parcast_values *values, const uint32_t *largest)
{
    bool found = false;
    for (size_t i = 0; i < values->n_chains; i++) {
        struct graph_array *array = &values->arrays[values->vertices[values->chains[i].vertex].array];
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            for (uint32_t j = 0; j < values->segments[key].labels; j++) {
                uint32_t source = largest[values->segments[key].streams[j]];
                if (source == GRAPH_NONE || values->arrays[source].words <= array->source_words) continue;
                array->source_words = values->arrays[source].words;
                array->source = source;
                found = true;
            }
    }
    return found;
}

static void count_summed(parcast_values *values)
{
    uint32_t last = GRAPH_NONE;
    for (size_t i = 0; i < values->n_chains; i++) {
        uint32_t v = values->chains[i].vertex;
        struct graph_array *array = &values->arrays[values->vertices[v].array];
        if (v != last) array->n_summed++;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            array->n_terms += values->segments[key].n_terms;
        last = v;
    }
}

/* The largest array that each array's sums read, through sums of sums: every round sees one sum further, and
 * sizes only grow. */
static parcast_status find_sources(parcast_values *values)
{
    uint32_t *largest = malloc(((size_t)values->n_streams + 1) * sizeof *largest);
    if (!largest) return PARCAST_MEMORY;
    for (size_t i = 0; i < values->n_arrays; i++) values->arrays[i].source = GRAPH_NONE;
    count_summed(values);
    bool results = false, more = true;
    for (size_t i = 0; i < values->n_arrays; i++) results = results || values->arrays[i].is_result;
    while (more) {
        find_stream_sources(values, largest);
        more = find_array_sources(values, largest) && results;
    }
    free(largest);
    return PARCAST_OK;
}

parcast_status build_arrays(struct build *b)
{
    size_t n = b->file.header.n_objects;
    struct range *ranges = malloc((2 * n + 1) * sizeof *ranges);
    uint32_t *array_of = calloc(n ? 2 * n : 1, sizeof *array_of), *row_of = array_of + n;
    parcast_status status = ranges && array_of ? group_objects(b, array_of, row_of) : PARCAST_MEMORY;
    if (!status) status = describe_arrays(b, array_of, row_of);
    if (!status) {
        for (uint32_t v = 0; v < b->values->n_vertices; v++) b->values->vertices[v].array = GRAPH_NONE;
        place_vertices(b, ranges, make_ranges(b, ranges), array_of, row_of);
        for (uint32_t v = 0; v < b->values->n_vertices; v++)
            if (b->values->vertices[v].array == GRAPH_NONE) status = PARCAST_FORMAT;
    }
    if (!status) {
        for (uint32_t v = 0; v < b->values->n_vertices; v++)
            if (b->values->vertices[v].work > 0) b->values->arrays[b->values->vertices[v].array].n_written++;
        status = find_sources(b->values);
    }
    free(ranges);
    free(array_of);
    return status;
}

static uint64_t product(const parcast_extents *extents)
{
    uint64_t n = 1;
    for (size_t i = 0; i < extents->n; i++) n *= extents->extent[i];
    return n;
}

/* Arrays whose words are computed from other words of arrays of the same shape: these have neighbours, and
 * the work of a mesh is divided by them rather than by an array with many words for each element. */
struct meshes {
    const parcast_values *values;
    bool *is_mesh;
};

static void note_mesh(void *context, uint32_t from, uint32_t to)
{
    const struct meshes *m = context;
    if (m->values->vertices[from].offset != m->values->vertices[to].offset)
        m->is_mesh[m->values->vertices[to].array] = true;
}

static void find_meshes(const parcast_values *values, bool *is_mesh)
{
    struct reach reach;
    struct meshes meshes = {values, is_mesh};
    if (reach_make(values, &reach)) return; /* the largest array will do */
    reach_pairs(values, &reach, note_mesh, &meshes);
    reach_clear(&reach);
}

/* Arrays whose values are read once and by themselves only, like tables of indices that the region makes, are
 * no meshes of its steps. */
static void note_readers(const parcast_values *values, uint32_t set, bool *is_read)
{
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
        uint32_t array = values->vertices[values->nets[j].home].array;
        bool read = is_read[array] || values->nets[j].count > 1;
        for (uint64_t i = first; i < end && !read; i++)
            read = values->vertices[values->pins[i] & ~GRAPH_FOLD].array != array;
        is_read[array] = read;
    }
}

static void leave_out_tables(const parcast_values *values, bool *is_mesh)
{
    bool *is_read = calloc(values->n_arrays + 1, sizeof *is_read), any = false;
    for (uint32_t s = 0; is_read && s < values->n_sets; s++) note_readers(values, s, is_read);
    for (size_t i = 0; is_read && i < values->n_arrays; i++) any = any || (is_mesh[i] && is_read[i]);
    for (size_t i = 0; any && i < values->n_arrays; i++) is_mesh[i] = is_mesh[i] && is_read[i];
    free(is_read);
}

/* Of the arrays that fit the extents the one with most written words, then the one with most words. */
static uint32_t largest_written(const parcast_values *values, const parcast_extents *extent,
                                const bool *is_mesh)
{
    uint32_t best = GRAPH_NONE;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *a = &values->arrays[i], *b = &values->arrays[best == GRAPH_NONE ? i : best];
        if (a->is_result || (extent && a->words != product(extent))) continue;
        if (is_mesh && !is_mesh[i]) continue;
        if (best == GRAPH_NONE || a->n_written > b->n_written ||
            (a->n_written == b->n_written && !a->n_written && a->words > b->words))
            best = i;
    }
    return best;
}

static uint64_t most_written(const parcast_values *values)
{
    uint64_t most = 0;
    for (size_t i = 0; i < values->n_arrays; i++)
        if (!values->arrays[i].is_result && values->arrays[i].n_written > most)
            most = values->arrays[i].n_written;
    return most;
}

/* A few sums over much more data: the work lies with the data. Words of bytes hold several terms each, and
 * not all words of a small array of sums have to be used; what they are divided into may lie beside them. */
static bool is_few_sums(const struct graph_array *array)
{
    if (!array->n_summed || 2 * array->n_summed < array->n_written || array->source == GRAPH_NONE)
        return false;
    return array->source_words / SMALLER_THAN_SOURCE >= array->words ||
           (array->n_terms / SMALLER_THAN_SOURCE >= array->n_written &&
            array->source_words / (SMALLER_THAN_SOURCE / NARROWER_THAN_WORD) >= array->n_written);
}

/* Of the arrays that sums read the largest: points that are counted, say, and written nowhere. */
static uint32_t largest_source(const parcast_values *values)
{
    uint32_t best = GRAPH_NONE;
    uint64_t words = 0;
    for (size_t i = 0; i < values->n_arrays; i++) {
        if (values->arrays[i].source == GRAPH_NONE || values->arrays[i].source_words <= words) continue;
        best = values->arrays[i].source;
        words = values->arrays[i].source_words;
    }
    return best;
}

/* Most of the work is in workspaces and registers, and few words are written: the parameters, say, that come
 * of sums over all points, of which each point's share stands on the stack. */
static bool is_work_elsewhere(const parcast_values *values, uint32_t array, uint32_t source)
{
    double work = 0;
    if (source == GRAPH_NONE ||
        values->arrays[source].words / SMALLER_THAN_SOURCE < values->arrays[array].words)
        return false;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (values->arrays[values->vertices[v].array].is_result) work += values->vertices[v].work;
    return 2 * work > values->work;
}

uint32_t graph_index_array(const parcast_values *values, const parcast_extents *extent)
{
    bool *is_mesh = extent ? NULL : calloc(values->n_arrays + 1, sizeof *is_mesh);
    uint32_t best = GRAPH_NONE;
    if (is_mesh) find_meshes(values, is_mesh);
    if (is_mesh) leave_out_tables(values, is_mesh);
    if (is_mesh) best = largest_written(values, NULL, is_mesh);
    if (best != GRAPH_NONE && values->arrays[best].n_written * SMALL_MESH < most_written(values))
        best = GRAPH_NONE;
    free(is_mesh);
    if (best == GRAPH_NONE) best = largest_written(values, extent, NULL);
    if (best == GRAPH_NONE || extent) return best;
    if (is_few_sums(&values->arrays[best])) return values->arrays[best].source;
    uint32_t source = largest_source(values);
    return is_work_elsewhere(values, best, source) ? source : best;
}

static size_t add_array(const parcast_values *values, uint32_t array, uint32_t *arrays, size_t n)
{
    if (array == GRAPH_NONE || n == GRAPH_INDEX_ARRAYS || values->arrays[array].is_result) return n;
    for (size_t i = 0; i < n; i++)
        if (values->arrays[arrays[i]].words == values->arrays[array].words) return n;
    arrays[n] = array;
    return n + 1;
}

struct shape {
    uint64_t words;
    double work;
    uint32_t array;
};

static int by_words(const void *a, const void *b)
{
    const struct shape *x = a, *y = b;
    if (x->words != y->words) return x->words < y->words ? -1 : 1;
    return x->array < y->array ? -1 : x->array > y->array;
}

/* Of the arrays of that shape that most work lies with the one with most written words: the elements of a
 * mesh, say, where its nodes are more. GRAPH_NONE where memory has run out. */
static uint32_t heaviest(const parcast_values *values)
{
    struct shape *shapes = calloc(values->n_arrays + 1, sizeof *shapes);
    double most = 0;
    uint32_t best = GRAPH_NONE;
    if (!shapes) return best;
    for (uint32_t i = 0; i < values->n_arrays; i++)
        shapes[i] = (struct shape){values->arrays[i].is_result ? 0 : values->arrays[i].words, 0, i};
    for (uint32_t v = 0; v < values->n_vertices; v++)
        shapes[values->vertices[v].array].work += values->vertices[v].work;
    qsort(shapes, values->n_arrays, sizeof *shapes, by_words);
    for (size_t i = 0, end; i < values->n_arrays; i = end) {
        double work = 0;
        uint32_t first = shapes[i].array;
        for (end = i; end < values->n_arrays && shapes[end].words == shapes[i].words; end++) {
            work += shapes[end].work;
            if (values->arrays[shapes[end].array].n_written > values->arrays[first].n_written)
                first = shapes[end].array;
        }
        if (!shapes[i].words || work <= most) continue;
        most = work;
        best = first;
    }
    free(shapes);
    return best;
}

size_t graph_index_arrays(const parcast_values *values, const parcast_extents *extent,
                          uint32_t arrays[GRAPH_INDEX_ARRAYS], size_t *n_first)
{
    size_t n = add_array(values, graph_index_array(values, extent), arrays, 0);
    *n_first = n;
    if (extent) return n;
    n = add_array(values, heaviest(values), arrays, n);
    uint32_t source = largest_source(values);
    if (n && source != GRAPH_NONE &&
        values->arrays[source].words / LARGER_SOURCE >= values->arrays[arrays[0]].words)
        n = add_array(values, source, arrays, n);
    *n_first = n;
    n = add_array(values, largest_written(values, NULL, NULL), arrays, n);
    return add_array(values, source, arrays, n);
}

uint64_t graph_divisible(const parcast_values *values)
{
    uint64_t written = 0, working = 0, read = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++) working += values->vertices[v].work > 0;
    for (size_t a = 0; a < values->n_arrays; a++) {
        const struct graph_array *array = &values->arrays[a];
        if (!array->is_result) written += array->n_written;
        if (array->n_summed && array->source_words > read) read = array->source_words;
    }
    if (2 * written < working) written = working; /* most work is in registers and workspaces */
    return written > read ? written : read;
}
