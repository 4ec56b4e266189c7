/* What through.c finds and through_chains.c puts into sums. */
#ifndef PARCAST_VALUEFLOW_THROUGH_H
#define PARCAST_VALUEFLOW_THROUGH_H

#include "valueflow/graph/graph.h"
#include "valueflow/graph/unite.h"
#include "valueflow/runtime/blocks/workspace.h"

/* Of values that go through since they are more than what they come of (through_wide.c). */
enum { THROUGH_WIDE = 16 };
_Static_assert((int)THROUGH_WIDE >= (int)VF_FEW && (int)THROUGH_WIDE >= (int)GRAPH_TERM_LABELS,
               "values that go through have as many sources at the most");

struct through_value {
    uint32_t vertex, n, most, *sources; /* what it is computed from, of others that go through, these; that
                                         * there may be: VF_FEW, of terms as many as a sum can have, or
                                         * THROUGH_WIDE */
    uint32_t first_reader;
    bool stays, is_of_sums;
};

struct through_reader {
    uint32_t sink, next;
};

struct through {
    struct unite *u;
    uint32_t *number;        /* [n_vertices] of a value that goes through, from 1 */
    uint32_t *mark, n_marks; /* [n_vertices] */
    struct through_value *values;
    uint32_t *sources; /* of all values */
    size_t n_sources;
    struct through_reader *readers; /* from 1 */
    uint32_t n_values, n_readers, reader_capacity;
    uint32_t *pins; /* of the way at hand */
    size_t n_pins, pin_capacity;
};

/** The value that a vertex is, where it still goes through; else NULL. */
static inline struct through_value *through_find(const struct through *t, uint32_t vertex)
{
    uint32_t number = t->number[vertex];
    return number && !t->values[number - 1].stays ? &t->values[number - 1] : NULL;
}

/** Takes up another value that may go through, of so many sources; `values` and `sources` have room. */
void through_add(struct through *t, uint32_t vertex, uint32_t most);
/** Terms of pairs of all points go through (through_pairs.c): how many terms there may be, taking them up,
 * and keeping those, and factors, of others. */
uint64_t through_count_terms(const struct values_file *file);
void through_add_terms(struct through *t);
parcast_status through_keep_near(struct through *t);
/** Results that are factors of such terms (through_factors.c): which vertices may be some, and how many; NULL
 * without memory. Taking them up. */
bool *through_find_factors(const struct unite *u, uint64_t *n);
void through_add_factors(struct through *t, const bool *is_factor);
/** What a register holds of a few sums (through_sums.c): how many there are, taking them up, and keeping
 * those that are fewer than what they come of. */
uint64_t through_count_of_sums(const struct values_file *file);
void through_add_of_sums(struct through *t);
parcast_status through_keep_of_sums(struct through *t);
/** Of results of sums, or of all others, keeps those that hang together and are fewer versions than what they
 * come of and their readers do not read otherwise; of others also as many. Readers must be known. */
parcast_status through_keep_fewer(struct through *t, bool is_of_sums);
/** What workspaces hold that comes of more words, and is more than these (through_wide.c): finds what may be,
 * NULL without memory; how many there are, and taking them up. */
struct through_wide;
struct through_wide *through_find_wide(struct unite *u);
void through_forget_wide(struct through_wide *wide);
uint64_t through_count_wide(const struct through_wide *wide);
void through_add_wide(struct through *t, const struct through_wide *wide);
/** Values that stay since they are sums, or factors of terms of too many labels. */
void through_keep_terms(struct through *t);
/** In sums they are what they are computed from. */
parcast_status through_rewrite_chains(struct through *t);

#endif
