/* From a value to the leaves that its labels come from. */
#ifndef PARCAST_INSTRUMENT_LEAVES_H
#define PARCAST_INSTRUMENT_LEAVES_H

#include "compiler/instrument/function/flow.h"

enum { MOST_NOTED = 16, MOST_SO_FAR = 8 };

/** Where a label of a value comes from. */
struct key {
    enum { KEY_VALUE, KEY_STORED, KEY_READ, KEY_TREE, KEY_TERM, KEY_WHOLE } kind;
    int node, index;
};

struct keys {
    int n, flop;      /* flop: floating-point operations between the leaves and here */
    bool is_open;     /* the caller puts sums together itself: the value is no result of its own */
    bool is_of_turns; /* the value is the same in all turns of a loop, or in a call */
    bool overflow;
    int n_so_far, so_far[MOST_SO_FAR];  /* loads of what stands at the place that the sum has chosen so far */
    int n_choices, choices[MOST_NOTED]; /* nodes, whose alternatives' operations are not in `flop` */
    struct key key[MOST_LABELS];
};

/** Add the leaves of a value at a place; what belongs to the sum `within` is left out. */
void leaves_gather(struct function *f, const struct use *use, int within, struct keys *keys);
/** Is it used in a loop, in all turns of which it is the same? */
bool leaves_are_of_turns(const struct function *f, int node);
/** Labels that a phi or select needs: as many as its widest alternative has. */
int leaves_width(struct function *f, int node);
/** The operation, enum fold_op, where the value is nothing but sums, results of calls and words put together
 * by it: a tree of sums, perhaps; otherwise 0. */
int leaves_tree(struct function *f, const struct use *use);
/** The operation by which a function puts together what it comes to when it calls itself, where this value,
 * of several words, is put together with that, or what it ends with instead; otherwise 0. */
int leaves_last_term(struct function *f, int node);

#endif
