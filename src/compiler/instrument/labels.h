/* From values to the labels that instrumented code carries beside them. */
#ifndef PARCAST_INSTRUMENT_LABELS_H
#define PARCAST_INSTRUMENT_LABELS_H

#include "flow.h"

enum { MOST_NOTED = 16, MOST_SO_FAR = 8 };

/** Where a label of a value comes from. */
struct key {
    enum { KEY_VALUE, KEY_STORED, KEY_READ, KEY_TREE } kind;
    int node, index;
};

struct keys {
    int n, flop;  /* flop: floating-point operations between the leaves and here */
    bool is_open; /* the caller puts sums together itself: the value is no result of its own */
    bool overflow;
    int n_so_far, so_far[MOST_SO_FAR];  /* loads of what stands at the place that the sum has chosen so far */
    int n_choices, choices[MOST_NOTED]; /* nodes, whose alternatives' operations are not in `flop` */
    struct key key[MOST_LABELS];
};

/** Add the leaves of a value at a place; what belongs to the sum `within` is left out. */
void labels_gather(struct function *f, const struct use *use, int within, struct keys *keys);
/** The labels themselves; emits what they need where their values are computed. */
void labels_of(struct function *f, const struct keys *keys, struct labels *labels);
/** One label at the builder's place: a result of its own when there are several. `at` names the place. */
LLVMValueRef labels_single(struct function *f, const struct use *use, LLVMValueRef at);
/** The operation, enum fold_op, where the value is nothing but sums, results of calls and words put together
 * by it: a tree of sums, perhaps; otherwise 0. */
int labels_tree(struct function *f, const struct use *use);

/** The label of the word after a store; emits the store's call on the first occasion (words.c). */
LLVMValueRef labels_stored(struct function *f, int store);
/** What a call is known by: its callee; assembly has no address, its place stands for it (calls.c). */
LLVMValueRef call_identity(struct function *f, int call);
/** What one member adds to its sum; nothing on later occasions (sum_calls.c). */
void sums_emit_term(struct function *f, int member);
/** Slots, beginnings and terms of all sums. */
void sums_emit(struct function *f);

#endif
