/* Masks of parts, and records of sets and sums, as counts.h describes them: for counts_make.c, which makes
 * them, and counts.c, which moves vertices. */
#ifndef PARCAST_VALUEFLOW_COUNTS_RECORD_H
#define PARCAST_VALUEFLOW_COUNTS_RECORD_H

#include <string.h>

#include "valueflow/words/counts.h"

/* ---- masks of parts ---- */

static inline bool has(const uint64_t *mask, uint32_t q)
{
    return mask[q / 64] >> q % 64 & 1;
}

static inline void set_in(uint64_t *mask, uint32_t q, bool is)
{
    uint64_t bit = UINT64_C(1) << q % 64;
    mask[q / 64] = is ? mask[q / 64] | bit : mask[q / 64] & ~bit;
}

/* ---- records ---- */

struct set {
    uint64_t *spread;            /* parts that it has */
    uint64_t *read_in, *made_in; /* masks: parts that have readers, that have homes */
    uint64_t *homes;             /* [p] versions */
    uint32_t *pins;              /* [p] */
};

struct sum {
    uint64_t *spread;
    uint64_t *added_in; /* parts that have terms */
    uint32_t *terms;    /* [p] their labels */
};

static inline bool is_kept(uint32_t record)
{
    return record < COUNTS_NO_SUM;
}

static inline struct set set_at(const struct counts *c, uint32_t record)
{
    uint64_t *at = c->sets.record + record * c->sets.size;
    return (struct set){at, at + 1, at + 1 + c->n_words, at + 1 + 2 * c->n_words,
                        (uint32_t *)(at + 1 + 2 * c->n_words + c->p)};
}

static inline struct sum sum_at(const struct counts *c, uint32_t record)
{
    uint64_t *at = c->sums.record + record * c->sums.size;
    return (struct sum){at, at + 1, (uint32_t *)(at + 1 + c->n_words)};
}

static inline uint64_t spread_of(const struct counts_records *records, uint32_t record)
{
    return records->record[record * records->size];
}

static inline uint32_t new_record(struct counts_records *records, uint32_t of)
{
    memset(records->record + records->n * records->size, 0, records->size * sizeof *records->record);
    return records->of[of] = records->n++;
}

/* A reader that gets a partial sum is no pin of what it adds up. Terms of a sum that the region chose are
 * moved as if nobody knew where they go (chosen.h). */
static inline bool is_counted(const struct counts *c, uint32_t pin)
{
    return !(pin & GRAPH_FOLD && c->adds_or_chosen[pin & ~GRAPH_FOLD]);
}

/* Records of these from now on. */
void counts_keep_set(struct counts *c, uint32_t s);
void counts_keep_sum(struct counts *c, uint32_t s);

#endif
