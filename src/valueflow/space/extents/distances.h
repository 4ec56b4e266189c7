/* How far words are apart that are read together, and the extents that tells. */
#ifndef PARCAST_VALUEFLOW_DISTANCES_H
#define PARCAST_VALUEFLOW_DISTANCES_H

#include "valueflow/distribution/grid.h"
#include "valueflow/graph/graph.h"
#include "valueflow/graph/once.h"
#include "valueflow/space/extents/wraps.h"

enum { DISTANCES_FAR = 5 }; /* times as long: no step to a neighbour */

struct distances {
    const parcast_values *values;
    uint64_t words;         /* before the images at its end (images.h), or structures, */
    uint64_t whole;         /* with these */
    uint64_t used;          /* of `words`, in the array that uses most */
    uint64_t front;         /* up to the last that any array uses */
    const uint32_t **image; /* [n_arrays] NULL: none */
    uint32_t record;        /* of so many words; 0: of those that the types tell */
    bool are_told;          /* that they are so is told by distances between words */
    bool leaves_grown;      /* of arrays that are lists which grew, as there are others */
    bool is_within;         /* an array is transposed: distances to another one's words tell nothing */
    uint64_t least_row;     /* none is shorter */
    bool is_last;           /* nothing else is known of them: rows that do not divide the array will do */
    uint32_t every;         /* one of so many words is asked */
    uint32_t *count;        /* [words / 2 + 2] */
    bool *is_joined;        /* [whole] a word with the next one */
    struct wraps wraps;     /* the pairs of which these are */
    uint32_t beside[GRID_FIELDS + 1]
                   [GRID_FIELDS]; /* such pairs, by the place of the first in so many words */
};

/** Words of a structure of an array. */
static inline uint64_t distances_record(const struct distances *d, uint32_t array)
{
    return d->record ? d->record : d->values->arrays[array].record;
}

/** Where a word lies, in structures: images lie where the words do that they are images of. */
static inline uint64_t distances_place(const struct distances *d, const struct graph_vertex *vertex)
{
    const uint32_t *image = d->image[vertex->array];
    return (image ? image[vertex->offset] : vertex->offset) / distances_record(d, vertex->array);
}

/** Extents of n dimensions, two to four: none in more. Returns how often the rarest of their distances is
 * seen; 0: they tell none. */
uint32_t distances_infer(const struct distances *distances, size_t n, parcast_extents *extents);

/** Take rows and planes that pairs of words do not go round, where their distances tell none or others. */
void distances_go_round(const struct distances *distances, struct once_extents *one);

/** Has no word at the end of a row of so many to do with the next one? */
bool distances_end_in_rows(const struct distances *distances, uint64_t row);

/** Which share of all pairs lies beside each other in these extents, along diagonals, too? */
float distances_near(const struct distances *distances, const parcast_extents *extents);

/** Do words meet those of the next plane twice as often as any within it, as fields of a cell do? */
bool distances_mix(const struct distances *distances, const parcast_extents *extents);

/** Do rows go on from one block of so many words to the next, as chunks of one long line? */
bool distances_run_on(const struct distances *distances, uint64_t block, uint64_t row);

/** Are some of the distances of four dimensions but steps in three, which are seen so often? */
bool distances_are_steps(const struct distances *distances, const parcast_extents *four,
                         const parcast_extents *three, uint32_t seen);

/** Extents of an array that distances between its words or structures tell. */
bool extents_of_words(const parcast_values *values, uint32_t array, size_t n, parcast_extents *extents);

/** Were its words allocated in blocks that are no rows, but pieces of one line? */
bool extents_run_on(const parcast_values *values, uint32_t array);

/** Are these, of its words, seen far less often than what they are without their first dimension? */
bool extents_are_rare(const parcast_values *values, uint32_t array, const parcast_extents *extents);

/** Are these four, of its words, such steps? */
bool extents_are_steps(const parcast_values *values, uint32_t array, const parcast_extents *extents);

/** Are the first of these, of its words, fields that mix in their cell more than cells do? */
bool extents_mix(const parcast_values *values, uint32_t array, const parcast_extents *extents);

/** Which share of all pairs of its words, or structures, lies beside each other in these; 0 where they do not
 * tell them. */
float extents_near(const parcast_values *values, uint32_t array, const parcast_extents *extents);

#endif
