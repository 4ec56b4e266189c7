/* What evaluate.c counts of a distribution. */
#ifndef PARCAST_VALUEFLOW_EVALUATION_H
#define PARCAST_VALUEFLOW_EVALUATION_H

#include "valueflow/words/fold.h"

/* A transfer that partial sums would save. */
struct deferred {
    uint32_t from, to, fold; /* fold: one of the group's */
    uint64_t words, bytes;
};

/* A part that might add up values of a set, those of one home part or of any (GRAPH_NONE). */
struct adding {
    struct fold *fold;
    uint32_t to, from;
};

/* Whichever are fewer, values or partial sums; one of them everywhere; as each group says (fold.adds_up). */
enum sums { FEWER_WORDS, ALL_SUMS, NO_SUMS, MIXED_SUMS };

struct evaluation {
    const parcast_values *values;
    const uint32_t *part;
    size_t n_parts;
    uint64_t *matrix, bytes;
    struct folds folds;
    struct deferred *deferred;
    size_t n_deferred, deferred_capacity;
    uint64_t *words, *word_bytes; /* [n_parts] of the set at hand, by home part */
    uint32_t *homes, n_homes;     /* [n_parts] parts that have homes */
    uint64_t *stamp, now;         /* [n_parts] parts that need the value */
    uint32_t *fold_of;            /* [n_parts] a fold that would save the transfer there, + 1 */
    struct adding *adding;        /* [2 x folds] of the set at hand, in the order of its pins */
    bool *is_sent;                /* [n_parts] of a part's values: which others get them anyway */
    enum sums sums;
    const uint32_t *reads; /* [n_vertices] how many values each reads */
    bool only_large;       /* only sums of very many values get partial ones */
    bool is_entangled;     /* such ones and others stand or fall together */
    bool mixes;            /* where sums make parts uneven each group may say for itself */
    bool elsewhere;        /* no value is sent for terms that are evaluated where it is received */
    bool at_sums;          /* terms of several parts are evaluated where their sum is */
    bool *takes;           /* [n_vertices] sums that took values before; NULL */
};

static inline void evaluation_send(struct evaluation *e, uint32_t from, uint32_t to, uint64_t words,
                                   uint64_t bytes)
{
    e->matrix[from * e->n_parts + to] += words;
    e->bytes += bytes;
}

/** Does the part add up, as long as its group does? */
static inline bool evaluation_chooses(const struct evaluation *e, const struct fold *fold,
                                      const struct fold *group)
{
    if (e->sums == MIXED_SUMS) return fold->used && group->adds_up;
    if (e->sums != FEWER_WORDS) return fold->used && e->sums == ALL_SUMS;
    return fold->used && group->saved_words > group->group_cost;
}

/** Send what is sent as evaluation.sums says, of what was counted. */
void evaluation_settle(struct evaluation *e);
/** Add the work of each part to work[n_parts]. */
void evaluation_add_work(struct evaluation *e, double *work);
/** Settle in the way with fewest words that is at most so uneven (<= 0: with fewest words), or else in that
 * with fewest words; `flow` without its matrix, which is e->matrix then. Where the fewest are `limit` or more
 * nobody wants them, however even: no other way is tried. */
parcast_status evaluation_settle_evenly(struct evaluation *e, double allowed_ratio, uint64_t limit,
                                        parcast_flow *flow);
/** What neither way makes even has to be made so anyway: does `flow`, a little less even than `other`
 * perhaps, go before it with far fewer words? */
bool evaluation_is_worth_more(const parcast_flow *flow, const parcast_flow *other, double allowed_ratio);
/** Let each group say, beginning with fewer words, so that as few more as can be make the work that even
 * (mixed_sums.c). O(folds + groups log(groups)). */
parcast_status evaluation_mix_sums(struct evaluation *e, double allowed_ratio);

/** What parts that add up do not receive otherwise: its price before sums are chosen, or the words. */
void evaluation_send_lacking(struct evaluation *e, bool is_settled);

#endif
