/**
 * A file that says which algorithm a collective takes: docs/formats/collectives.md.
 */
#ifndef PARCAST_REPLAY_RULES_H
#define PARCAST_REPLAY_RULES_H

#include <stddef.h>

#include "collective/decide.h"
#include "parcast/operation.h"

struct rule {
    parcast_collective collective;
    enum collective_algorithm algorithm;
    double most_ranks, most_bytes; /**< INFINITY: any */
    int64_t segment_bytes;         /**< 0: not by segments */
};

struct rules {
    struct rule *rules; /**< [n] the first that fits counts */
    size_t n;
    char table[16]; /**< for what no rule fits; empty if the file does not say */
};

/** PARCAST_IO, PARCAST_FORMAT (the text names line and word), PARCAST_MEMORY. */
parcast_status rules_load(const char *path, struct rules *rules, parcast_error *error);
/** The same from memory; `source` names it in messages. */
parcast_status rules_parse(const char *text, size_t length, const char *source, struct rules *rules,
                           parcast_error *error);
void rules_destroy(struct rules *rules);

/** The rule for a collective; bytes as the libraries count them. NULL if none fits. */
const struct rule *rules_find(const struct rules *rules, parcast_collective collective, double n_ranks,
                              double bytes);

/** A list of the algorithms that a collective has, for messages. */
void rules_algorithms(parcast_collective collective, char *text, size_t size);

#endif
