/* What is worked out once of a graph and used for every distribution of it. */
#ifndef PARCAST_VALUEFLOW_ONCE_H
#define PARCAST_VALUEFLOW_ONCE_H

#include "valueflow/graph/terms.h"

/* Extents of arrays of so many words, or structures. */
struct once_extents {
    uint64_t words, whole; /* before its images, and with them */
    uint32_t record;       /* words of a structure; 0: as many as types tell */
    uint64_t block;        /* words or structures that were allocated together; 0: all of them */
    bool are_told;         /* how many words a structure has tell distances between words: that is no guess */
    bool runs_on;          /* rows go on from one such block to the next */
    bool through_results;
    bool are_steps;                         /* some distances of four dimensions, in three */
    uint32_t seen[PARCAST_MAX_EXTENTS + 1]; /* how often the rarest distance is; 0: there are no extents */
    parcast_extents extents[PARCAST_MAX_EXTENTS + 1]; /* in n dimensions, n from 2 */
    bool runs_on_in[PARCAST_MAX_EXTENTS + 1];         /* rows of these go on from one to the next */
    float near[PARCAST_MAX_EXTENTS + 1];     /* share of all pairs that are beside each other in these */
    bool are_mixed[PARCAST_MAX_EXTENTS + 1]; /* the first of these, more than what is within them */
    uint64_t nearest; /* the most common distance between words that are read together */
    uint32_t steps;   /* how often neighbours are */
    uint32_t uneven;  /* bit k: how often they are depends on their place in k words */
};

/* In which order the dimensions of the others of its shape are, seen from an array (turned.h). */
struct once_turns {
    struct once_turns *next;
    uint32_t array;
    uint64_t seen; /* words that meet where the others are turned */
    parcast_extents extents;
    uint8_t *turn; /* [n_arrays]; NULL: none is turned */
};

/* Extents of an array in the order that it has them in, of arrays that are faces (turned.h). */
struct once_faces {
    struct once_faces *next;
    uint32_t array;
    parcast_extents extents;
};

/* Images of words at the end of arrays of one shape (images.h). */
struct once_images {
    struct once_images *next;
    uint64_t words;
    uint32_t n_blocks;
    uint64_t front;  /* words before them; all where there are none */
    uint32_t *image; /* [words]; NULL: there are none */
};

/* Boxes of slots of arrays of one shape (boxes.h). */
struct once_boxes {
    struct once_boxes *next;
    uint64_t words;
    uint32_t n_blocks;
    uint64_t box;            /* words of one */
    parcast_extents extents; /* of boxes; n is 0: there are none */
};

struct once {
    uint32_t *partner; /* [n_vertices] the other factor of a vertex's first term, of a term of its own the one
                        * beside it; GRAPH_NONE */
    uint32_t *reads;   /* [n_vertices] how many values each reads, at most UINT32_MAX */
    uint32_t *spread, n_spread, n_shared; /* [n_vertices] number of a home that is added up and read as it is,
                                           * or, up to n_shared, of an input in many terms of a sum; 0 */
    bool *is_of_one;                      /* [n_vertices] of sums of one term each, of several */
    uint32_t
        *reader; /* [n_vertices] of what a few sums alone read, or an input that one such product reads */
    bool no_readers;
    struct once_extents *extents; /* [n_extents] */
    size_t n_extents;
    struct once_turns *turns;
    struct once_faces *faces;
    struct once_images *images;
    struct once_boxes *boxes;
    bool is_plain;    /* they are not to be turned now */
    bool shares_work; /* adding is to count where terms are now, whatever is more even (counts.h) */
    struct coarse *plain_coarse; /* of a large graph then; NULL */
    struct unfold_cut *cuts;     /* of pieces of it (unfold_known.h) */
    uint64_t *rows;              /* [n_arrays] words of a row that is a column elsewhere, + 1; 0: not known */
    struct terms terms;          /* of all sums */
    bool has_terms, has_too_many;
};

/** What is worked out once is so by one thread, while others that ask for it wait: to be held from where it
 * is looked for to where it is there, also while it asks for something else that is. */
void once_hold(void);
void once_release(void);

/** NULL without memory. It belongs to the graph. */
const uint32_t *once_partners(const parcast_values *values);
/** Likewise. */
const uint32_t *once_reads(const parcast_values *values);
/** Likewise; *n_spread: how many there are; the first *n_shared of them are inputs that many terms of a sum
 * have, but not all. Without terms of several labels there are none. */
const uint32_t *once_spread(const parcast_values *values, uint32_t *n_spread, uint32_t *n_shared);
/** Likewise: words that other terms are added to, each of which is read before the next one, as in
 * a[i][j] -= q[k][i] * r[k][j]: expressions. */
const bool *once_sums_of_one(const parcast_values *values);
/** Number these inputs (shared_inputs.c); false without memory. */
bool once_number_shared(const parcast_values *values, uint32_t *number, uint32_t *n_numbers);
/** Likewise: a reader of an input or a product that a few sums alone read (those of two arrays that change
 * places, say), or the one of an input that one such product reads; GRAPH_NONE. *none: there are none. */
const uint32_t *once_readers(const parcast_values *values, bool *none);
/** Likewise; *too_many: there are more than TERMS_MOST of them, and they are not listed. */
const struct terms *once_terms(const parcast_values *values, bool *too_many);
void once_clear(struct once *once);

#endif
