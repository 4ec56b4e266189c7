/*
 * The value communication graph in memory. A set of pins is stored once with all nets that have it; vertices
 * are numbered from 0 without gaps.
 */
#ifndef PARCAST_VALUEFLOW_GRAPH_H
#define PARCAST_VALUEFLOW_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "parcast/valueflow.h"
#include "valueflow/runtime/process/dump_format.h"

#define GRAPH_FOLD 0x80000000u /* flag of a pin whose reader adds the value up */
#define GRAPH_NONE UINT32_MAX

enum { GRAPH_TERM_LABELS = VF_DUMP_LABELS, GRAPH_OFFSET_BITS = 59 };

/* The extents of an array that is stored in tiles (tiles/tiles.h), and those that it has here: which of these
 * each of those is part of. */
struct graph_tiles {
    parcast_extents plain,
        stored; /* stored.n = 0: in more dimensions than there are; plain.n = 0: no tiles */
    uint8_t of[PARCAST_MAX_EXTENTS];
};

/* An array of the program: all blocks of one place of allocation, or a global. */
struct graph_array {
    char *name;
    uint64_t words; /* of all its blocks */
    uint32_t block_words, n_blocks, first_slot;
    uint32_t element_bytes;
    uint32_t record; /* words of the structures it consists of; 1 where these are not known */
    uint32_t planes; /* how many such arrays the program has in one (arrays/planes.h); 0: it is one itself */
    bool are_side_by_side;    /* their words there, not one plane after the other */
    struct graph_tiles tiles; /* that the program has it in */
    bool is_result;           /* results of registers: no place of their own */
    bool is_grown;  /* of a list that grew: what its first half holds was computed in the block before */
    bool is_terms;  /* every word is read once, by a sum of another array: products, say, to be added up */
    uint32_t place; /* where it was allocated as others were, one after the other: the same for all of them,
                       as buffers for one chunk of a mesh after another are; 0: it was the only one */
    bool is_buffer; /* it is for one of several parts of the work: a chunk of a mesh, say (space/buffers.h) */
    uint64_t n_written;    /* vertices with work */
    uint64_t n_summed;     /* of these, those whose every version is a sum */
    uint64_t n_terms;      /* of these sums */
    uint64_t span;         /* words up to the last one that is used */
    uint64_t source_words; /* size of the largest array that its sums read */
    uint32_t source;       /* which; GRAPH_NONE */
    uint32_t told;         /* the array that a distribution of this one is told of */
};

/** Are arrays of one shape, so that a distribution of one is one of the other? */
static inline bool graph_are_alike(const struct graph_array *a, const struct graph_array *b)
{
    bool is_chance = a != b && (a->is_grown || b->is_grown);
    return !is_chance && !a->is_result && !b->is_result && a->words == b->words && a->n_blocks == b->n_blocks;
}

struct graph_vertex {
    uint32_t array; /* index into arrays */
    float work;
    uint64_t offset : GRAPH_OFFSET_BITS; /* in elements of the array */
    uint64_t bytes : 4;                  /* 8 or 4 */
    bool is_chosen : 1; /* a sum at a computed place: no distribution may know it (chosen.h) */
};

struct graph_net {
    uint32_t home, count;
};

struct graph_chain {
    uint32_t vertex, key, count;
};

/* Terms that stood together, all with `labels` homes; homes of label i are streams[i]. */
struct graph_segment {
    uint32_t before, labels, n_terms;
    uint32_t streams[GRAPH_TERM_LABELS];
};

struct parcast_values {
    parcast_values_summary summary;
    parcast_values_report *reports;
    char *names;
    char region[256]; /* of the summary */
    struct graph_array *arrays;
    size_t n_arrays;
    struct graph_vertex *vertices;
    uint32_t n_vertices;
    bool has_chosen;     /* any vertex is */
    uint32_t *set_first; /* [n_sets + 1] into pins, which are fewer than 2^32 */
    uint32_t *net_first; /* [n_sets + 1] into nets, likewise */
    uint32_t n_sets;
    uint32_t *pins;
    struct graph_net *nets;
    struct graph_chain *chains; /* by vertex */
    size_t n_chains;
    struct graph_segment *segments; /* by key, from 1 */
    uint32_t n_segments;
    uint64_t *stream_first; /* [n_streams + 1] into stream_homes */
    uint32_t *stream_homes;
    uint32_t n_streams;
    double work;
    struct incidence *at;  /* the sets of every vertex */
    struct once *once;     /* worked out when it is needed */
    struct coarse *coarse; /* what the search makes of a large graph, for the next number of parts */
};

/** parcast_values_load() of a file that is open, which is closed before the graph is made. */
parcast_status graph_load(FILE *in, const char *path, parcast_values **values, parcast_error *error);

/** One more array like another one, the last; NULL without memory. Pointers to arrays hold no longer. */
struct graph_array *graph_copy_array(parcast_values *values, uint32_t array);

/** The array whose index space the work is divided by; with extents one that fits them. GRAPH_NONE if none.
 */
uint32_t graph_index_array(const parcast_values *values, const parcast_extents *extent);
/** How many words they say; UINT64_MAX where that is more. */
uint64_t graph_words_of(const parcast_extents *extents);
/** The array with most written words that are not only terms. GRAPH_NONE if none. */
uint32_t graph_written_array(const parcast_values *values);
/** How many words there are to be divided: those that are computed, or what sums read where that is more. */
uint64_t graph_divisible(const parcast_values *values);
/** Far more is moved than computed: a pointer or a number of words beside an array that is copied, say. */
bool graph_only_copies(const parcast_values *values);
enum { GRAPH_INDEX_ARRAYS = 4 };
/** Arrays of different shapes that the work might be divided by; returns how many. The first n_first are the
 * index array, one of the shape that most work lies with, and what sums read where that is much larger; the
 * others are for programs where these do not divide the work evenly. */
size_t graph_index_arrays(const parcast_values *values, const parcast_extents *extent,
                          uint32_t arrays[GRAPH_INDEX_ARRAYS], size_t *n_first);
/** Extents of an array in n dimensions; false when nothing tells them. */
bool graph_infer_extents(const parcast_values *values, uint32_t array, size_t n, parcast_extents *extents);
/** Extents of the second array in n dimensions, if these are cells between nodes or faces that the first one
 * has, or the other way round: one less or more along some or all. One with fields has these as the last
 * extent. */
bool graph_infer_beside(const parcast_values *values, const uint32_t array[2], const bool fields[2], size_t n,
                        parcast_extents *extents);

/** The array as a line, a plane, a block and a block of fields, as far as its use tells these, or as what is
 * given; returns how many. */
size_t graph_infer_shapes(const parcast_values *values, uint32_t array, const parcast_extents *given,
                          parcast_extents shapes[PARCAST_MAX_EXTENTS]);

/** From so many vertices on a graph is searched in a smaller one, and looks at all of it are few. */
enum { GRAPH_LARGE = 100000 };

enum { GRAPH_RUN = 1024 };
/** Of a large graph so many runs of neighbouring sets tell as much as all: one in how many of them that is.
 */
static inline uint32_t graph_every(const parcast_values *values, uint32_t runs)
{
    return values->n_sets / GRAPH_RUN / runs + 1;
}
/** Is the set in one of these? */
static inline bool graph_is_in_run(uint32_t set, uint32_t every)
{
    return set / GRAPH_RUN % every == 0;
}

/** Pins in ascending order; most sets are small. */
void graph_sort_pins(uint32_t *pins, uint32_t n);

/** Equal homes of one set become one net, as long as their counts fit. net_first has n_sets + 1 entries. */
void graph_merge_nets(parcast_values *values);

/** Count the words exactly (evaluate.c). Where the work is less even than allowed (0: any) and partial sums
 * make it so, they are taken although values would be fewer words. flow->matrix is allocated. */
parcast_status graph_evaluate(const parcast_values *values, const uint32_t *part, size_t n_parts,
                              double allowed_ratio, parcast_flow *flow, parcast_error *error);
/** The same, and who gets partial sums as of graph_find_adding(): adds [n_vertices]. */
parcast_status graph_evaluate_adding(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                     double allowed_ratio, parcast_flow *flow, bool *adds,
                                     parcast_error *error);

/** The same, but single groups of sums may get partial ones, or none, for the sake of balance
 * (mixed_sums.c). */
parcast_status graph_evaluate_mixing(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                     double allowed_ratio, parcast_flow *flow, parcast_error *error);

/** What each part has of the work, with partial sums where these are fewer words: load [n_parts]. */
parcast_status graph_find_loads(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                double *load);

/** Readers that add up and, when the words are counted, get partial sums or have all their terms at hand. */
parcast_status graph_find_adding(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                 bool *adds);

#endif
