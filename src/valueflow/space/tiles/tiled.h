/* How words lie in tiles, and what tells it. */
#ifndef PARCAST_VALUEFLOW_TILED_H
#define PARCAST_VALUEFLOW_TILED_H

#include "core/quotient.h"
#include "valueflow/graph/graph.h"

enum { TILED_AXES = 3, TILED_FIELDS = 4 };

/* One dimension of what the array means: a word of it is `inner` words from the next one within a tile, and
 * `outer` where the next tile begins. */
struct tiled_axis {
    uint64_t inner, size; /* words of a tile that belong to it, */
    uint64_t low, room;   /* behind so many of the `room` that there are: a halo lies around them */
    uint64_t outer, n;    /* tiles */
};

struct tiled {
    size_t n;
    struct tiled_axis axis[TILED_AXES];
    uint64_t tile, plane; /* words of a tile, and of each of its fields */
    uint32_t fields, fields_written;
    uint64_t lanes; /* so many words of each field in turn, all rows in one tile; 0: a field is one piece */
};

/** Of a field, with the halo of the outermost tiles. */
parcast_extents tiled_extents(const struct tiled *tiled);
/** With those that the program would declare. */
struct graph_tiles tiled_describe(const struct tiled *tiled);

/** A way to lie in tiles of which many words are asked. */
struct tiled_places {
    const struct tiled *tiled;
    struct quotient tile, plane, lanes, group;
    struct {
        struct quotient inner, room, outer, n;
    } axis[TILED_AXES];
};

/** Of an array of so many words; `tiled` is not copied. */
struct tiled_places tiled_places_of(const struct tiled *tiled, uint64_t words);
/** Where a word is, counted from the first that is no halo; its field. */
uint32_t tiled_place(const struct tiled_places *places, uint64_t offset, int64_t *at);

/* What is computed of what in the arrays of one shape: a word, and what it is read by, in ascending order. */
struct tiled_sets {
    uint64_t words, used; /* of one array */
    uint64_t *offset;     /* of all sets, the home first */
    size_t *first;        /* [n + 1] */
    bool *has_home;       /* [n] it lies in one of the arrays, */
    bool *is_input;       /* [n] and is only read */
    size_t n, room, n_offsets, room_offsets;
    uint32_t every;    /* one of so many was looked at */
    uint32_t *count;   /* [words / 2 + 2] how far words are apart that are in one of them */
    uint64_t *written; /* offsets */
    size_t n_written;
};

/** Are so the words beside each other that are read together, along every dimension, in tiles and across
 * their borders? How many pairs are; 0: they are not. */
uint64_t tiled_fits(const struct tiled *tiled, const struct tiled_sets *sets);
/** Are they in plain rows, or planes of these? */
bool tiled_is_plain(const struct tiled_sets *sets);
/** The way in tiles in which they are; n = 0: there is none. False: out of memory. */
bool tiled_find(const struct tiled_sets *sets, struct tiled *tiled);
/** The same of lanes, in groups of so many words of all fields; 0: of any. */
bool tiled_find_lanes(const struct tiled_sets *sets, uint64_t group, struct tiled *tiled);

#endif
