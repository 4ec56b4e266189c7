/**
 * Labels of the operations of one rank.
 *
 * Programs of generators label their operations l1, l2, l3, ...: a label that counts up with the operations
 * needs no entry, a run of them is (prefix, first and last number, label minus number). Others lie in a hash
 * table. So memory does not grow with the length of such programs.
 */
#ifndef PARCAST_TRACE_GOAL_LABELS_H
#define PARCAST_TRACE_GOAL_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GOAL_LABEL_MOST = 255, GOAL_LABEL_RUNS = 4, GOAL_LABEL_PREFIX = 31 };

struct goal_label_run {
    char prefix[GOAL_LABEL_PREFIX + 1];
    size_t prefix_length;
    uint64_t first, end; /**< numbers of operations: first <= number < end */
    uint64_t offset;     /**< decimal part of the label - number of the operation, modulo 2^64 */
};

struct goal_label {
    uint32_t text; /**< in texts; UINT32_MAX: no entry */
    uint32_t length;
    uint64_t number;
};

struct goal_labels {
    struct goal_label_run runs[GOAL_LABEL_RUNS];
    unsigned n_runs;
    struct goal_label *table;
    uint32_t n_labels, mask; /**< mask + 1 places, or none while table is NULL */
    char *texts;
    size_t n_texts, text_room;
};

enum goal_label_outcome { GOAL_LABEL_ADDED, GOAL_LABEL_TWICE, GOAL_LABEL_NO_MEMORY };

void goal_labels_destroy(struct goal_labels *labels);
/** Forget all of them: the next rank begins. */
void goal_labels_clear(struct goal_labels *labels);
enum goal_label_outcome goal_labels_add(struct goal_labels *labels, const char *text, size_t length,
                                        uint64_t number);
bool goal_labels_find(const struct goal_labels *labels, const char *text, size_t length, uint64_t *number);

#endif
