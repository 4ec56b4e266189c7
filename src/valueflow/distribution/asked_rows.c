/* Where a grid of one dimension is laid on data that sums are taken over: rows of a matrix, or the data. */
#include "valueflow/distribution/asked.h"

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

static uint32_t array_of(const parcast_values *values, uint32_t stream)
{
    return values->vertices[values->stream_homes[values->stream_first[stream]]].array;
}

/* Are terms of the sums computed from the data and from an array as long as that of the sums? */
static bool are_products(const parcast_values *values, uint32_t data, uint32_t sums)
{
    for (uint32_t k = 1; k < values->n_segments; k++) {
        const struct graph_segment *segment = &values->segments[k];
        bool of_data = false, of_vector = false;
        for (uint32_t i = 0; i < segment->labels && segment->n_terms; i++) {
            uint32_t read = array_of(values, segment->streams[i]);
            of_data = of_data || read == data;
            of_vector = of_vector || values->arrays[read].words == values->arrays[sums].words;
        }
        if (of_data && of_vector) return true;
    }
    return false;
}

/* Is an array read that is written and as long as that of the sums? */
static bool comes_back(const parcast_values *values, uint32_t sums)
{
    uint64_t n = values->n_streams ? values->stream_first[values->n_streams] : 0;
    for (uint64_t i = 0; i < n; i++) {
        const struct graph_array *read = &values->arrays[values->vertices[values->stream_homes[i]].array];
        if (read->n_written && read->words == values->arrays[sums].words) return true;
    }
    return false;
}

/* Many sums, over words of an array that is written and as long as theirs, or any number of them, of products
 * with such an array, where each element is in one. Where nothing comes back to the sums, blocks of the data
 * are meant. */
bool asked_of_rows(const parcast_values *values, uint32_t data, uint32_t sums, size_t p)
{
    enum { FEWEST_OF_PART = 16 };
    if (values->arrays[sums].n_written >= FEWEST_OF_PART * p) return comes_back(values, sums);
    return are_products(values, data, sums) && are_added_once(values, data);
}
