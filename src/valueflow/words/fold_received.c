/*
 * What a part receives for other readers anyway, like a mean that all its words are compared with, is as good
 * as its own for the terms of a sum; so is what it receives most versions of, if the others are sent to it.
 * Readers may be other sums that take values there, as those that no part could add up.
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

/* Do sums of two arrays take the values of a set? What one array's take is what they are computed from, as a
 * matrix is of two. */
static bool is_taken(const parcast_values *values, const bool *takes, uint32_t set)
{
    uint32_t array = GRAPH_NONE;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        uint32_t pin = values->pins[i], v = pin & ~GRAPH_FOLD;
        if (!(pin & GRAPH_FOLD) || !takes[v]) continue;
        if (array != GRAPH_NONE && values->vertices[v].array != array) return true;
        array = values->vertices[v].array;
    }
    return false;
}

bool folds_any_taken(const parcast_values *values, const bool *takes)
{
    for (uint32_t set = 0; set < values->n_sets; set++)
        if (is_taken(values, takes, set)) return true;
    return false;
}

/* Those of all distributions, and homes of which such sums take the values here. */
static bool add_taken(struct fold_search *s, struct folds *folds)
{
    const parcast_values *values = s->values;
    size_t n = (size_t)values->n_vertices + 1;
    uint32_t *spread = malloc(n * sizeof *spread);
    if (!spread) return false;
    memcpy(spread, s->spread, n * sizeof *spread);
    s->spread = folds->own_spread = spread;
    for (uint32_t set = 0; set < values->n_sets; set++) {
        if (!is_taken(values, s->takes, set)) continue;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++)
            if (!spread[values->nets[j].home]) spread[values->nets[j].home] = ++s->n_spread;
    }
    return true;
}

/* The parts of the words that read a set as it is; behind these, those of words that add one term, to which
 * it is sent unless another part has all of that term. */
static void find_readers(const struct fold_search *s, uint32_t set, uint64_t *mask)
{
    const parcast_values *values = s->values;
    memset(mask, 0, 2 * s->n_words * sizeof *mask);
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        uint32_t pin = values->pins[i], v = pin & ~GRAPH_FOLD, q = s->part[v];
        if (pin & GRAPH_FOLD && !fold_is_reader(s, v)) continue;
        mask[(pin & GRAPH_FOLD ? s->n_words : 0) + q / 64] |= UINT64_C(1) << q % 64;
    }
}

/* How many versions of a home are added up in sums of which a part may evaluate terms, and how many of these
 * it reads, too. */
struct received {
    uint32_t *all, *read; /* [n_spread + 1][n_parts] */
    uint64_t *places;     /* [n_vertices][n_words] bits: parts that may evaluate terms of a sum */
    uint64_t *mask;       /* [3][n_words] of a set: find_readers(), and where its sums have their terms */
};

static void add_to_parts(uint64_t parts, uint32_t count, uint32_t *counts)
{
    for (; parts; parts &= parts - 1) {
        uint32_t *one = &counts[__builtin_ctzll(parts)];
        *one = count < UINT32_MAX - *one ? *one + count : UINT32_MAX;
    }
}

static void add_readers(const struct fold_search *s, uint32_t home, uint32_t count, const struct received *r,
                        struct folds *folds)
{
    const uint64_t *read = r->mask, *added = read + s->n_words, *places = added + s->n_words;
    for (size_t w = 0; w < s->n_words; w++) {
        uint64_t expected = added[w] & ~read[w];
        size_t first = home * s->n_parts + 64 * w;
        folds->lacking[home * s->n_words + w] |= expected;
        folds->any_lacking = folds->any_lacking || expected;
        add_to_parts(places[w], count, r->all + first);
        add_to_parts((read[w] | expected) & places[w], count, r->read + first);
    }
}

/* A term is evaluated where one of its labels is, or with the sum. */
static void find_places(const struct fold_search *s, struct received *r)
{
    const parcast_values *values = s->values;
    for (size_t i = 0; i < values->n_chains; i++) {
        uint32_t v = values->chains[i].vertex, q = s->part[v];
        uint64_t *places = r->places + v * s->n_words;
        places[q / 64] |= UINT64_C(1) << q % 64;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            for (uint32_t j = 0; j < values->segments[key].labels; j++)
                for (size_t w = 0; w < s->n_words; w++)
                    places[w] |= s->owners[values->segments[key].streams[j] * s->n_words + w];
    }
}

static void add_places(const struct fold_search *s, uint32_t set, const struct received *r)
{
    const parcast_values *values = s->values;
    uint64_t *places = r->mask + 2 * s->n_words;
    memset(places, 0, s->n_words * sizeof *places);
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        const uint64_t *of_sum = r->places + (values->pins[i] & ~GRAPH_FOLD) * s->n_words;
        for (size_t w = 0; w < s->n_words && values->pins[i] & GRAPH_FOLD; w++) places[w] |= of_sum[w];
    }
}

static void count_received(const struct fold_search *s, const struct received *r, struct folds *folds)
{
    const parcast_values *values = s->values;
    for (uint32_t set = 0; set < values->n_sets; set++) {
        bool any = false;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1] && !any; j++)
            any = s->spread[values->nets[j].home] > 0;
        if (!any || !is_added_up(values, set)) continue;
        find_readers(s, set, r->mask);
        add_places(s, set, r);
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
            uint32_t home = s->spread[values->nets[j].home];
            if (home) add_readers(s, home, values->nets[j].count, r, folds);
        }
    }
}

/* Half of the versions that a part may need for a sum must be read there, too, unless it is an input that
 * many terms have. The others, an input that nothing but the sums has read, say, are sent for these
 * (evaluate.c). */
static void note_received(struct fold_search *s, const struct received *r, struct folds *folds)
{
    for (size_t home = 1; home <= s->n_spread; home++)
        for (size_t q = 0; q < s->n_parts; q++) {
            uint64_t read = r->read[home * s->n_parts + q], all = r->all[home * s->n_parts + q],
                     bit = UINT64_C(1) << q % 64;
            if (home > s->n_shared && (!read || 2 * read < all)) continue;
            s->received[home * s->n_words + q / 64] |= bit;
            if (read == all) continue;
            folds->lacking[home * s->n_words + q / 64] |= bit;
            folds->any_lacking = true;
        }
}

bool fold_find_received(struct fold_search *s, struct folds *folds)
{
    s->spread = once_spread(s->values, &s->n_spread, &s->n_shared);
    s->reads = once_reads(s->values);
    s->is_of_one = once_sums_of_one(s->values);
    if (s->takes && s->spread && !add_taken(s, folds)) return false;
    size_t n = (size_t)s->n_spread + 1;
    size_t n_places = s->n_spread ? s->values->n_vertices * s->n_words : 0;
    struct received r = {calloc(n * s->n_parts, sizeof *r.all), calloc(n * s->n_parts, sizeof *r.read),
                         calloc(n_places + 1, sizeof *r.places), malloc(3 * s->n_words * sizeof *r.mask)};
    s->received = calloc(n * s->n_words, sizeof *s->received);
    folds->lacking = calloc(n * s->n_words, sizeof *folds->lacking);
    folds->spread = s->spread;
    folds->n_words = s->n_words;
    bool fine = s->spread && s->reads && s->is_of_one && s->received && folds->lacking && r.all && r.read &&
                r.places && r.mask;
    if (fine && s->n_spread) {
        find_places(s, &r);
        count_received(s, &r, folds);
        note_received(s, &r, folds);
    }
    free(r.all);
    free(r.read);
    free(r.places);
    free(r.mask);
    return fine;
}
