/*
 * Lines that have nothing to do with each other, systems that are solved along columns of air say: no
 * distance tells where they end, but in each of them every word comes of the next one, and no word of
 * another line does.
 */
#include <stdlib.h>

#include "valueflow/distribution/asked.h"
#include "valueflow/distribution/place.h"

/* The piece that each word of an array is of; GRAPH_NONE: nobody uses it. */
static uint32_t *pieces_of_words(const parcast_values *values, uint32_t array)
{
    uint64_t words = values->arrays[array].words;
    uint32_t *of = malloc((words + 1) * sizeof *of), *up = graph_near_pieces(values);
    for (uint64_t i = 0; of && i < words; i++) of[i] = GRAPH_NONE;
    for (uint32_t v = 0; of && up && v < values->n_vertices; v++) {
        const struct graph_vertex *vertex = &values->vertices[v];
        if (vertex->array == array && vertex->offset < words) of[vertex->offset] = graph_root(up, v);
    }
    if (!up) {
        free(of);
        of = NULL;
    }
    free(up);
    return of;
}

/* How many words there are before another piece begins; 0: none does. */
static uint64_t first_line(const uint32_t *of, uint64_t words)
{
    for (uint64_t i = 1; i < words; i++)
        if (of[i] != of[0]) return i;
    return 0;
}

/* Is each line of so many words one piece, and the next one another? */
static bool are_lines(const uint32_t *of, uint64_t words, uint64_t length)
{
    if (length < 2 || words % length || of[0] == GRAPH_NONE) return false;
    for (uint64_t i = 0; i < words; i++) {
        bool begins = i % length == 0;
        if (i && (of[i] == of[i - 1]) == begins) return false;
        if (of[i] == GRAPH_NONE) return false;
    }
    return true;
}

bool asked_find_lines(const parcast_values *values, uint32_t array, parcast_extents *extents)
{
    uint64_t words = values->arrays[array].words, length;
    uint32_t *of = pieces_of_words(values, array);
    if (!of) return false;
    length = first_line(of, words);
    bool fine = are_lines(of, words, length);
    if (fine) *extents = (parcast_extents){.n = 2, .extent = {words / length, length}};
    free(of);
    return fine;
}
