/*
 * What a part receives for other readers anyway, like a mean that all its words are compared with, is as good
 * as its own for the terms of a sum; so is what it receives most versions of, if the others are sent to it.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/incidence.h"
#include "valueflow/graph/once.h"
#include "valueflow/words/fold_search.h"

static bool is_added_up(const parcast_values *values, uint32_t set)
{
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++)
        if (values->pins[i] & GRAPH_FOLD) return true;
    return false;
}

/* The parts of the words that read a set as it is; behind these, those of words that add one term, to which
 * it is sent unless another part has all of that term. */
static void find_readers(const struct fold_search *s, uint32_t set, uint64_t *mask)
{
    const parcast_values *values = s->values;
    memset(mask, 0, 2 * s->n_words * sizeof *mask);
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        uint32_t pin = values->pins[i], v = pin & ~GRAPH_FOLD, q = s->part[v];
        if (pin & GRAPH_FOLD && !s->is_of_one[v]) continue;
        mask[(pin & GRAPH_FOLD ? s->n_words : 0) + q / 64] |= UINT64_C(1) << q % 64;
    }
}

/* How many versions of a home are added up, and how many of these each part reads, too. */
struct received {
    uint64_t *all;  /* [n_spread + 1] */
    uint32_t *read; /* [n_spread + 1][n_parts] */
};

static void add_readers(const struct fold_search *s, const uint64_t *mask, uint32_t home, uint32_t count,
                        struct received *r, struct folds *folds)
{
    r->all[home] += count;
    for (size_t w = 0; w < s->n_words; w++) {
        uint64_t expected = mask[s->n_words + w] & ~mask[w];
        folds->lacking[home * s->n_words + w] |= expected;
        folds->any_lacking = folds->any_lacking || expected;
        for (uint64_t left = mask[w] | expected; left; left &= left - 1) {
            uint32_t *read = &r->read[home * s->n_parts + 64 * w + (size_t)__builtin_ctzll(left)];
            *read = count < UINT32_MAX - *read ? *read + count : UINT32_MAX;
        }
    }
}

static void count_received(const struct fold_search *s, uint64_t *mask, struct received *r,
                           struct folds *folds)
{
    const parcast_values *values = s->values;
    for (uint32_t set = 0; set < values->n_sets; set++) {
        bool any = false;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1] && !any; j++)
            any = s->spread[values->nets[j].home] > 0;
        if (!any || !is_added_up(values, set)) continue;
        find_readers(s, set, mask);
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
            uint32_t home = s->spread[values->nets[j].home];
            if (home) add_readers(s, mask, home, values->nets[j].count, r, folds);
        }
    }
}

/* Half of the versions that are added up must be read there, too, unless it is an input that many terms have.
 * The others, an input that nothing but the sums has read, say, are sent for these (evaluate.c). */
static void note_received(struct fold_search *s, const struct received *r, struct folds *folds)
{
    for (size_t home = 1; home <= s->n_spread; home++)
        for (size_t q = 0; q < s->n_parts; q++) {
            uint64_t read = r->read[home * s->n_parts + q], bit = UINT64_C(1) << q % 64;
            if (home > s->n_shared && (!read || 2 * read < r->all[home])) continue;
            s->received[home * s->n_words + q / 64] |= bit;
            if (read == r->all[home]) continue;
            folds->lacking[home * s->n_words + q / 64] |= bit;
            folds->any_lacking = true;
        }
}

bool fold_find_received(struct fold_search *s, struct folds *folds)
{
    s->spread = once_spread(s->values, &s->n_spread, &s->n_shared);
    s->reads = once_reads(s->values);
    s->is_of_one = once_sums_of_one(s->values);
    size_t n = (size_t)s->n_spread + 1;
    uint64_t *mask = malloc(2 * s->n_words * sizeof *mask);
    struct received r = {calloc(n, sizeof *r.all), calloc(n * s->n_parts, sizeof *r.read)};
    s->received = calloc(n * s->n_words, sizeof *s->received);
    folds->lacking = calloc(n * s->n_words, sizeof *folds->lacking);
    folds->spread = s->spread;
    folds->n_words = s->n_words;
    bool fine =
        mask && s->spread && s->reads && s->is_of_one && s->received && folds->lacking && r.all && r.read;
    if (fine && s->n_spread) {
        count_received(s, mask, &r, folds);
        note_received(s, &r, folds);
    }
    free(mask);
    free(r.all);
    free(r.read);
    return fine;
}
