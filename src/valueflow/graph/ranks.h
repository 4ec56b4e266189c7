/* Numbers from 0 for the members of a set of numbers that are few of very many, in their order. */
#ifndef PARCAST_VALUEFLOW_RANKS_H
#define PARCAST_VALUEFLOW_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ranks {
    uint64_t *members; /* bits */
    uint32_t *before;  /* members in the words before */
    size_t n_words;
    uint32_t n; /* members */
};

/** An empty set of numbers below `end`. False: out of memory. */
bool ranks_begin(struct ranks *ranks, uint64_t end);
static inline void ranks_add(struct ranks *ranks, uint32_t member)
{
    ranks->members[member / 64] |= UINT64_C(1) << member % 64;
}
static inline bool ranks_has(const struct ranks *ranks, uint32_t number)
{
    return ranks->members[number / 64] >> number % 64 & 1;
}
/** When all are in it. */
void ranks_count(struct ranks *ranks);
static inline uint32_t ranks_of(const struct ranks *ranks, uint32_t member)
{
    uint64_t below = (UINT64_C(1) << member % 64) - 1, word = ranks->members[member / 64];
    return ranks->before[member / 64] + (uint32_t)__builtin_popcountll(word & below);
}
void ranks_clear(struct ranks *ranks);

#endif
