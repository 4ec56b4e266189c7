/* Which array the work is divided by: the index space of the program. */
#include <stdlib.h>

#include "valueflow/graph/graph.h"
#include "valueflow/graph/reach.h"
#include "valueflow/space/corners.h"
#include "valueflow/space/extents/beside.h"
#include "valueflow/space/images.h"

enum {
    SMALLER_THAN_SOURCE = 64,
    LARGER_SOURCE = 4,
    NARROWER_THAN_WORD = 8,
    SMALL_MESH = 64,
    LITTLE_WORK = 8
};

uint64_t graph_words_of(const parcast_extents *extents)
{
    uint64_t n = 1;
    for (size_t i = 0; i < extents->n; i++)
        if (__builtin_mul_overflow(n, extents->extent[i], &n)) return UINT64_MAX;
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
    struct meshes meshes = {values, is_mesh};
    reach_pairs(values, 1, note_mesh, &meshes); /* where memory is out the largest array will do */
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

/* With the images at its end, or without. */
static bool has_words(const parcast_values *values, uint32_t array, uint64_t words)
{
    uint64_t all = values->arrays[array].words;
    return all == words || (all > words && images_front(values, array) == words);
}

/* Of the arrays that fit the extents the one with most written words, then the one with most words. */
static uint32_t largest_written(const parcast_values *values, const parcast_extents *extent,
                                const bool *is_mesh)
{
    uint32_t best = GRAPH_NONE;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *a = &values->arrays[i], *b = &values->arrays[best == GRAPH_NONE ? i : best];
        if (a->is_result || (extent ? !has_words(values, i, graph_words_of(extent)) : a->is_terms)) continue;
        if ((is_mesh && !is_mesh[i]) || (!extent && a->is_buffer)) continue;
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
 * not all words of a small array of sums have to be used; what they are divided into may lie beside them. Of
 * the nodes of a map, which are allocated one by one, only the sums count. */
static bool is_few_sums(const struct graph_array *array)
{
    if (!array->n_summed || 2 * array->n_summed < array->n_written || array->source == GRAPH_NONE)
        return false;
    bool are_nodes = array->n_blocks > 1 && array->record > 1 && array->record == array->block_words;
    uint64_t words = are_nodes ? array->n_written : array->span;
    return array->source_words / SMALLER_THAN_SOURCE >= words ||
           (array->n_terms / SMALLER_THAN_SOURCE >= array->n_written &&
            array->source_words / (SMALLER_THAN_SOURCE / NARROWER_THAN_WORD) >= array->n_written);
}

/* Sums of much larger data than they are. */
static bool are_sums(const struct graph_array *array)
{
    return array->n_summed && 2 * array->n_summed >= array->n_written && array->source != GRAPH_NONE &&
           array->source_words / LARGER_SOURCE >= array->span;
}

/* A word of the array itself, or one of such sums, no more of them, that adds it up: of the bins of several
 * histograms one comes in the end. */
static bool is_last_reader(const parcast_values *values, uint32_t index, uint32_t pin)
{
    uint32_t reader = values->vertices[pin & ~GRAPH_FOLD].array;
    const struct graph_array *array = &values->arrays[reader];
    return reader == index || (pin & GRAPH_FOLD && are_sums(array) && !array->is_result &&
                               array->words <= values->arrays[index].words);
}

/* Sums that nothing reads but their own words: the bins of a histogram, of a few keys each. What such sums
 * are of is divided, but for what was computed to be added up there. What lies beside them in the same blocks
 * and was never written may be read: by the keys in the nodes of a map its counts are found. */
static bool are_last_sums(const parcast_values *values, uint32_t index)
{
    if (!are_sums(&values->arrays[index]) || values->arrays[values->arrays[index].source].is_terms)
        return false;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        bool is_home = false;
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1] && !is_home; j++) {
            const struct graph_vertex *home = &values->vertices[values->nets[j].home];
            is_home = home->array == index && home->work > 0;
        }
        for (uint64_t i = values->set_first[s]; is_home && i < values->set_first[s + 1]; i++)
            if (!is_last_reader(values, index, values->pins[i])) return false;
    }
    return true;
}

/* Of the arrays that sums read the largest: points that are counted, say, and written nowhere. */
static uint32_t largest_source(const parcast_values *values)
{
    uint32_t best = GRAPH_NONE;
    uint64_t words = 0;
    for (size_t i = 0; i < values->n_arrays; i++) {
        uint32_t source = values->arrays[i].source;
        if (source == GRAPH_NONE || values->arrays[source].span <= words) continue;
        best = source;
        words = values->arrays[source].span;
    }
    return best;
}

/* Most of the work is in workspaces, registers and other sums, and few words are written: the parameters,
 * say, that come of sums over all points, of which each point's share stands on the stack. */
static bool is_work_elsewhere(const parcast_values *values, uint32_t array, uint32_t source)
{
    double work = 0;
    if (source == GRAPH_NONE ||
        values->arrays[source].span / SMALLER_THAN_SOURCE < values->arrays[array].span)
        return false;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        const struct graph_array *a = &values->arrays[values->vertices[v].array];
        if (a->is_result || is_few_sums(a)) work += values->vertices[v].work;
    }
    return 2 * work > values->work;
}

static double *work_of_arrays(const parcast_values *values)
{
    double *work = calloc(values->n_arrays + 1, sizeof *work);
    for (uint32_t v = 0; work && v < values->n_vertices; v++)
        work[values->vertices[v].array] += values->vertices[v].work;
    return work;
}

/* The work of all arrays of a shape, but for buffers. */
static double work_of_shape(const parcast_values *values, uint32_t array)
{
    double *of_array = work_of_arrays(values), work = 0;
    for (uint32_t i = 0; of_array && i < values->n_arrays; i++) {
        const struct graph_array *a = &values->arrays[i];
        if (!a->is_result && !a->is_buffer && a->words == values->arrays[array].words) work += of_array[i];
    }
    free(of_array);
    return work;
}

/* The few numbers that a matrix is made of, say. */
static bool is_small(const parcast_values *values, uint32_t mesh)
{
    return values->arrays[mesh].n_written * SMALL_MESH < most_written(values);
}

/* A mesh beside an array in which there is far more to do is not what the work is divided by first. */
static bool is_minor(const parcast_values *values, uint32_t mesh)
{
    uint32_t largest = largest_written(values, NULL, NULL);
    return is_small(values, mesh) ||
           (largest != GRAPH_NONE && largest != mesh &&
            work_of_shape(values, mesh) * LITTLE_WORK < work_of_shape(values, largest));
}

/* Arrays of one shape are divided alike: by that of which much more is written. */
static uint32_t most_written_alike(const parcast_values *values, uint32_t array)
{
    enum { MUCH_MORE = 2 };
    uint32_t best = array;
    uint64_t most = MUCH_MORE * values->arrays[array].n_written;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *a = &values->arrays[i];
        if (!graph_are_alike(a, &values->arrays[array]) || a->is_terms || a->n_written < most) continue;
        best = i;
        most = a->n_written + 1;
    }
    return best;
}

/* Coefficients of faces have a layer more than the cells of the same shape, in which most is done: the blocks
 * that are even are those of the cells. */
static uint32_t busiest_alike(const parcast_values *values, uint32_t array)
{
    enum { HARDLY_LESS = 2, MUCH_BUSIER = 4 };
    const struct graph_array *whole = &values->arrays[array];
    double *work = work_of_arrays(values), most = work ? MUCH_BUSIER * work[array] : 0;
    uint32_t best = array;
    for (uint32_t i = 0; work && i < values->n_arrays; i++) {
        const struct graph_array *a = &values->arrays[i];
        bool has_layer_less =
            a->n_written < whole->n_written && a->n_written >= whole->n_written / HARDLY_LESS;
        if (!graph_are_alike(a, whole) || a->is_terms || !has_layer_less || work[i] <= most) continue;
        best = i;
        most = work[i];
    }
    free(work);
    return best;
}

uint32_t graph_written_array(const parcast_values *values)
{
    return largest_written(values, NULL, NULL);
}

/* The largest mesh; GRAPH_NONE if there is none. */
static uint32_t largest_mesh(const parcast_values *values)
{
    bool *is_mesh = calloc(values->n_arrays + 1, sizeof *is_mesh);
    if (!is_mesh) return GRAPH_NONE;
    find_meshes(values, is_mesh);
    leave_out_tables(values, is_mesh);
    uint32_t best = largest_written(values, NULL, is_mesh);
    free(is_mesh);
    return best;
}

/* The cells of an array of their corners, where they tell rows; GRAPH_NONE: it is none. */
static uint32_t cells_of(const parcast_values *values, uint32_t array)
{
    parcast_extents rows;
    uint32_t cells = array == GRAPH_NONE ? array : corners_cells(values, values->arrays[array].words);
    return cells != GRAPH_NONE && graph_infer_extents(values, cells, 2, &rows) ? cells : (uint32_t)GRAPH_NONE;
}

/* Corners have no neighbours of their own: they are divided as the cells are. */
static uint32_t largest_or_cells(const parcast_values *values)
{
    uint32_t largest = largest_written(values, NULL, NULL), cells = cells_of(values, largest);
    return cells == GRAPH_NONE ? largest : cells;
}

static bool are_of_data(const parcast_values *values, uint32_t array)
{
    return is_few_sums(&values->arrays[array]) || are_last_sums(values, array);
}

/* Are words of the array computed of nothing but words of it, and read by nobody else? */
static bool is_by_itself(const parcast_values *values, uint32_t array)
{
    for (uint32_t s = 0; s < values->n_sets; s++) {
        bool any = false, all = true;
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
            bool is_own = values->vertices[values->nets[j].home].array == array;
            any = any || is_own;
            all = all && is_own;
        }
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++) {
            bool is_own = values->vertices[values->pins[i] & ~GRAPH_FOLD].array == array;
            any = any || is_own;
            all = all && is_own;
        }
        if (any && !all) return false;
    }
    return true;
}

/* Beside sums there may be as many flags, whether a bin has been seen: what the sums are of is divided then,
 * too. */
static uint32_t sums_beside(const parcast_values *values, uint32_t array)
{
    const struct graph_array *whole = &values->arrays[array];
    if (!is_by_itself(values, array)) return array;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *a = &values->arrays[i];
        bool is_beside =
            graph_are_alike(a, whole) && a->n_written == whole->n_written && !a->is_terms && !a->is_result;
        if (is_beside && are_of_data(values, i)) return i;
    }
    return array;
}

static uint32_t mesh_or_largest(const parcast_values *values, uint32_t mesh)
{
    bool is_first = mesh != GRAPH_NONE && !is_minor(values, mesh);
    uint32_t best = is_first ? most_written_alike(values, mesh) : largest_or_cells(values);
    if (best == GRAPH_NONE) return best;
    best = busiest_alike(values, best);
    if (!are_of_data(values, best)) best = sums_beside(values, best);
    if (are_of_data(values, best)) return values->arrays[best].source;
    uint32_t source = largest_source(values);
    return is_work_elsewhere(values, best, source) ? source : best;
}

uint32_t graph_index_array(const parcast_values *values, const parcast_extents *extent)
{
    return extent ? largest_written(values, extent, NULL) : mesh_or_largest(values, largest_mesh(values));
}

static size_t add_array(const parcast_values *values, uint32_t array, uint32_t *arrays, size_t n)
{
    if (array == GRAPH_NONE || n == GRAPH_INDEX_ARRAYS || values->arrays[array].is_result) return n;
    if (beside_has_shape(values, arrays, n, values->arrays[array].words)) return n;
    arrays[n] = array;
    return n + 1;
}

/* With several words for each of the first array's it is cut like that one: vectors of the sides of zones,
 * say, tell nothing of the zones. */
static bool is_of_fields(const parcast_values *values, uint32_t array, uint32_t first)
{
    return array != GRAPH_NONE && values->arrays[array].words % values->arrays[first].words == 0;
}

/* What is less than so much of the work is not divided for its own sake. */
static double least_work(const parcast_values *values, uint32_t first)
{
    return work_of_shape(values, first) / LITTLE_WORK;
}

static uint32_t heaviest_beside(const parcast_values *values, const uint32_t *arrays, size_t n)
{
    return beside_heaviest(values, arrays, n, least_work(values, arrays[0]));
}

static size_t add_beside(const parcast_values *values, uint32_t beside, uint32_t *arrays, size_t n)
{
    n = add_array(values, cells_of(values, beside), arrays, n);
    return add_array(values, beside, arrays, n);
}

size_t graph_index_arrays(const parcast_values *values, const parcast_extents *extent,
                          uint32_t arrays[GRAPH_INDEX_ARRAYS], size_t *n_first)
{
    uint32_t mesh = extent ? GRAPH_NONE : largest_mesh(values);
    uint32_t first = extent ? graph_index_array(values, extent) : mesh_or_largest(values, mesh);
    size_t n = add_array(values, first, arrays, 0);
    *n_first = n;
    if (extent) return n;
    if (n && mesh != GRAPH_NONE && !is_small(values, mesh))
        n = add_array(values, most_written_alike(values, mesh), arrays, n);
    uint32_t beside = n ? heaviest_beside(values, arrays, 1) : GRAPH_NONE;
    n = add_beside(values, beside, arrays, n);
    if (is_of_fields(values, beside, arrays[0]))
        n = add_beside(values, heaviest_beside(values, arrays, n), arrays, n);
    if (n) n = add_array(values, beside_plane(values, arrays, n, least_work(values, first)), arrays, n);
    uint32_t source = largest_source(values);
    if (n && source != GRAPH_NONE &&
        values->arrays[source].span / LARGER_SOURCE >= values->arrays[arrays[0]].span)
        n = add_array(values, source, arrays, n);
    *n_first = n;
    n = add_array(values, largest_written(values, NULL, NULL), arrays, n);
    return add_array(values, source, arrays, n);
}

bool graph_only_copies(const parcast_values *values)
{
    enum { MUCH_MORE = 64 };
    double work = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++) work += values->vertices[v].work;
    return work > 0 && work * MUCH_MORE < (double)values->summary.values;
}

uint64_t graph_divisible(const parcast_values *values)
{
    uint64_t written = 0, working = 0, read = 0;
    if (graph_only_copies(values)) return 0;
    for (uint32_t v = 0; v < values->n_vertices; v++) working += values->vertices[v].work > 0;
    for (size_t a = 0; a < values->n_arrays; a++) {
        const struct graph_array *array = &values->arrays[a];
        if (!array->is_result) written += array->n_written;
        if (array->n_summed && array->source_words > read) read = array->source_words;
    }
    if (2 * written < working) written = working; /* most work is in registers and workspaces */
    return written > read ? written : read;
}
