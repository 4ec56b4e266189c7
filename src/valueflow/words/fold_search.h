/* What the search for partial sums (fold.c) knows of a distribution. */
#ifndef PARCAST_VALUEFLOW_FOLD_SEARCH_H
#define PARCAST_VALUEFLOW_FOLD_SEARCH_H

#include "valueflow/words/fold.h"

/* The terms of a vertex that lie in several parts. */
struct fold_across {
    struct across_list shared, own; /* evaluated each in one of them; all by the sum's own part */
    struct across_list lacking;     /* what parts lack of its terms that they have otherwise */
    uint64_t *cost, *terms;         /* [n_parts] of the vertex, where they are shared */
};

struct fold_search {
    const parcast_values *values;
    const uint32_t *part;
    size_t n_parts, n_words;
    const uint32_t *reads;  /* [n_vertices] how many values each reads */
    const bool *is_of_one;  /* [n_vertices] sums of one term each */
    const bool *takes;      /* [n_vertices] sums that are expected to take values; NULL */
    uint64_t *stream_parts; /* [n_streams][n_words] bits: where its homes are or are received */
    uint64_t *owners;       /* likewise: where they are; the same table where nothing is received */
    const uint32_t *spread; /* [n_vertices] number of a home that other parts receive anyway, from 1; 0 */
    uint32_t n_spread, n_shared; /* the first are inputs that any part may get */
    uint64_t *received;          /* [n_spread + 1][n_words] bits: where they do */
    const uint64_t *lacking;     /* likewise: where not all of its versions are */
    uint64_t *used;           /* likewise, where a term is evaluated with it; NULL: all versions are read */
    uint64_t *cost, *terms;   /* [n_parts] of the vertex at hand */
    uint64_t n_terms, n_sums; /* terms of its sums and other versions; versions that are sums */
    uint64_t n_pure, n_mixed; /* terms that some part has all of, and others */
    bool *pure, *mixed;       /* [n_parts] */
    uint64_t *taken;          /* [n_words] bits: parts whose values go into sums that no part can add up */
    bool looked;              /* at terms of the vertex at hand */
    bool at_sums;             /* terms of several parts are evaluated where their sum is */
    struct fold_across across;
    struct across_list elsewhere; /* what terms of the vertex at hand are evaluated with, and where */
};

static inline bool is_at(const struct fold_search *s, uint32_t home, uint32_t q)
{
    if (s->part[home] == q) return true;
    return s->spread[home] && s->received[s->spread[home] * s->n_words + q / 64] >> q % 64 & 1;
}

static inline uint32_t home_of(const parcast_values *values, const struct graph_segment *segment,
                               uint32_t label, uint32_t term)
{
    return values->stream_homes[values->stream_first[segment->streams[label]] + term];
}

/** Does a sum read values, for all that is known of it? */
static inline bool fold_is_reader(const struct fold_search *s, uint32_t v)
{
    return s->is_of_one[v] || (s->takes && s->takes[v]);
}

/** What other parts receive of each home anyway: `spread`, `received` and the folds' `lacking`; false without
 * memory. */
bool fold_find_received(struct fold_search *s, struct folds *folds);
/** The part, the sum's own one or that of one of the term's labels, that has or reads most of the labels
 * anyway; the sum's own one before others. */
uint32_t fold_part_of_mixed(const struct fold_search *s, const struct graph_segment *segment, uint32_t term,
                            uint32_t vertex);
bool fold_make_mixed(struct fold_search *s);
void fold_clear_mixed(struct fold_search *s);
void fold_begin_mixed(struct fold_search *s);
/** Part q may evaluate this term, or the vertex's own part; false without memory. */
bool fold_note_mixed(struct fold_search *s, const struct graph_segment *segment, uint32_t term,
                     uint32_t vertex, uint32_t q);
/** A term of the vertex at hand is evaluated in part q with a home of which the part lacks versions; false
 * without memory. */
bool fold_note_lacking(struct fold_search *s, uint32_t home, uint32_t q);
/** Terms of the vertex at hand in another part q, of the sum's own one, or of none (GRAPH_NONE), read this
 * home; false without memory. */
bool fold_note_elsewhere(struct fold_search *s, uint32_t home, uint32_t owner, uint32_t q);
bool fold_keep_elsewhere(struct fold_search *s, struct folds *folds);
bool across_add(struct across_list *list, struct across one);
int across_compare(const void *a, const void *b);
/** These belong to the vertex, behind fold_settle_mixed(); false without memory. */
bool fold_keep_lacking(struct fold_search *s, uint32_t vertex, struct folds *folds);
/** Choose what is fewer words: `cost` and `terms` of the vertex, and what is sent for it. */
bool fold_settle_mixed(struct fold_search *s, uint32_t vertex, struct folds *folds);

#endif
