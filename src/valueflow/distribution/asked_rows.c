/* Where a grid of one dimension is laid on data that sums are taken over: rows of a matrix, or the data. */
#include <stdlib.h>

#include "valueflow/distribution/asked.h"

#define SEVERAL (GRAPH_NONE - 1)

/* Words of the data that a term is computed from are in one row, of as many words as rows[i] says. */
struct rows {
    uint64_t words[GRID_MOST_FIELDS];
    size_t n;
    bool any;
};

static void keep_within(struct rows *rows, uint64_t a, uint64_t b)
{
    size_t n = 0;
    rows->any = rows->any || a != b;
    for (size_t i = 0; i < rows->n; i++)
        if (a / rows->words[i] == b / rows->words[i]) rows->words[n++] = rows->words[i];
    rows->n = n;
}

static void look_at_terms(const parcast_values *values, uint32_t data, const struct graph_segment *segment,
                          struct rows *rows)
{
    for (uint32_t k = 0; k < segment->n_terms && rows->n; k++) {
        const struct graph_vertex *first = NULL;
        for (uint32_t i = 0; i < segment->labels; i++) {
            uint64_t at = values->stream_first[segment->streams[i]] + k;
            const struct graph_vertex *home = &values->vertices[values->stream_homes[at]];
            if (home->array != data) continue;
            if (first) keep_within(rows, first->offset, home->offset);
            first = first ? first : home;
        }
    }
}

static void look_at_segment(const parcast_values *values, uint32_t data, const struct graph_segment *segment,
                            const struct graph_vertex **before, struct rows *rows)
{
    for (uint32_t i = 0; i < segment->labels; i++)
        for (uint32_t k = 0; k < segment->n_terms; k++) {
            uint64_t at = values->stream_first[segment->streams[i]] + k;
            const struct graph_vertex *home = &values->vertices[values->stream_homes[at]];
            if (home->array != data) continue;
            if (*before) keep_within(rows, (*before)->offset, home->offset);
            *before = home;
        }
}

/* A sum of no more terms than a row may have words: all that one point has, say. */
static void look_at_sum(const parcast_values *values, uint32_t data, uint32_t key, struct rows *rows)
{
    const struct graph_vertex *before = NULL;
    uint64_t n_terms = 0;
    for (uint32_t k = key; k; k = values->segments[k].before) n_terms += values->segments[k].n_terms;
    if (n_terms > GRID_MOST_FIELDS) return;
    for (; key && rows->n; key = values->segments[key].before)
        look_at_segment(values, data, &values->segments[key], &before, rows);
}

static void begin_rows(const struct graph_array *array, struct rows *rows)
{
    *rows = (struct rows){.n = 0};
    for (uint64_t w = 2; w <= GRID_MOST_FIELDS && !array->n_written; w++)
        if (array->words % w == 0) rows->words[rows->n++] = w;
}

uint64_t asked_row_of_data(const parcast_values *values, uint32_t data)
{
    struct rows rows;
    begin_rows(&values->arrays[data], &rows);
    for (uint32_t k = 1; k < values->n_segments && rows.n; k++)
        look_at_terms(values, data, &values->segments[k], &rows);
    if (rows.any && rows.n) return rows.words[0];
    begin_rows(&values->arrays[data], &rows);
    for (size_t i = 0; i < values->n_chains && rows.n; i++)
        look_at_sum(values, data, values->chains[i].key, &rows);
    return rows.any && rows.n ? rows.words[0] : 0;
}

/* Is every word of the data a term of one sum and read by nobody else, as an element of a matrix is in the
 * sum of its row? */
static bool are_added_once(const parcast_values *values, uint32_t data)
{
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->set_first[s], n_pins = values->set_first[s + 1] - first;
        bool is_read = false;
        for (uint64_t j = values->net_first[s]; n_pins && !is_read && j < values->net_first[s + 1]; j++)
            is_read = values->vertices[values->nets[j].home].array == data;
        if (is_read && (n_pins > 1 || !(values->pins[first] & GRAPH_FOLD))) return false;
    }
    return true;
}

static uint32_t first_home(const parcast_values *values, uint32_t stream)
{
    return values->stream_homes[values->stream_first[stream]];
}

/* Do terms that stand together have different words there? A number that is compared with one limit after the
 * other is no row. */
static bool has_several(const parcast_values *values, uint32_t stream)
{
    return first_home(values, stream) != values->stream_homes[values->stream_first[stream + 1] - 1];
}

/* A word of an array as long as that of the sums, of that itself only one that is written: not a key in a
 * node of a map beside what is counted by it. */
static bool is_of_vector(const parcast_values *values, uint32_t home, uint32_t sums)
{
    const struct graph_vertex *word = &values->vertices[home];
    return values->arrays[word->array].words == values->arrays[sums].words &&
           (word->array != sums || word->work > 0);
}

/* Are terms of the sums computed from the data and from a vector as long as that of the sums? */
static bool are_products(const parcast_values *values, uint32_t data, uint32_t sums)
{
    for (uint32_t k = 1; k < values->n_segments; k++) {
        const struct graph_segment *segment = &values->segments[k];
        bool of_data = false, of_vector = false;
        for (uint32_t i = 0; i < segment->labels && segment->n_terms; i++) {
            uint32_t home = first_home(values, segment->streams[i]);
            of_data =
                of_data || (values->vertices[home].array == data && has_several(values, segment->streams[i]));
            of_vector = of_vector || is_of_vector(values, home, sums);
        }
        if (of_data && of_vector) return true;
    }
    return false;
}

/* The one word in a stream that is written, of an array as long as that of the sums; GRAPH_NONE if there is
 * none, SEVERAL of more. */
static uint32_t written_home(const parcast_values *values, uint32_t stream, uint64_t words)
{
    uint32_t found = GRAPH_NONE;
    for (uint64_t k = values->stream_first[stream]; k < values->stream_first[stream + 1]; k++) {
        uint32_t home = values->stream_homes[k];
        const struct graph_array *read = &values->arrays[values->vertices[home].array];
        if (values->vertices[home].work <= 0 || read->words != words || home == found) continue;
        if (found != GRAPH_NONE) return SEVERAL;
        found = home;
    }
    return found;
}

static bool reads_others(const struct graph_segment *segment, const uint32_t *home, uint32_t sum)
{
    for (uint32_t i = 0; i < segment->labels && segment->n_terms; i++)
        if (home[segment->streams[i]] != GRAPH_NONE && home[segment->streams[i]] != sum) return true;
    return false;
}

/* Is an array read that is written and as long as that of the sums? What a bin held before something is added
 * to it is none, and neither are copies of bins that fewer ones add up. True where memory is out. */
static bool comes_back(const parcast_values *values, uint32_t sums)
{
    uint32_t *home = malloc(((size_t)values->n_streams + 1) * sizeof *home);
    bool found = !home;
    for (uint32_t i = 0; home && i < values->n_streams; i++)
        home[i] = written_home(values, i, values->arrays[sums].words);
    for (size_t i = 0; !found && i < values->n_chains; i++) {
        uint32_t sum = values->chains[i].vertex;
        const struct graph_array *array = &values->arrays[values->vertices[sum].array];
        if (!array->is_result && array->words != values->arrays[sums].words) continue;
        for (uint32_t key = values->chains[i].key; key && !found; key = values->segments[key].before)
            found = reads_others(&values->segments[key], home, sum);
    }
    free(home);
    return found;
}

/* Many sums, over words of an array that is written and as long as theirs; or any number of them, of products
 * with an array as long as theirs, where each element of the data is in one. Otherwise blocks of the data are
 * meant. */
bool asked_of_rows(const parcast_values *values, uint32_t data, uint32_t sums, size_t p)
{
    enum { FEWEST_OF_PART = 16 };
    bool are_many = values->arrays[sums].n_written >= FEWEST_OF_PART * p;
    if (are_many && comes_back(values, sums)) return true;
    return are_products(values, data, sums) && are_added_once(values, data);
}

/* Sums of several times as many data as they are, which may be what is divided, however many parts there
 * are: not an array of their own shape, of which little is written. */
static bool are_of_more(const parcast_values *values, const struct graph_array *array)
{
    enum { FEWER = 4 };
    return array->n_summed && 2 * array->n_summed >= array->n_written && array->source != GRAPH_NONE &&
           !graph_are_alike(array, &values->arrays[array->source]) &&
           array->source_words / FEWER >= array->n_written;
}

/* The array itself, or one of its shape of which it comes: means, say, which are quotients of sums. */
bool asked_is_of_more(const parcast_values *values, uint32_t array)
{
    const struct graph_array *own = &values->arrays[array];
    if (are_of_more(values, own)) return true;
    for (uint32_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *other = &values->arrays[i];
        if (!other->is_result && graph_are_alike(other, own) && other->n_written >= own->n_written &&
            are_of_more(values, other))
            return true;
    }
    return false;
}
