/* The stores of one word on ways that part and meet again: `if (c) *p = 1; else *p = 0;`. */
#ifndef PARCAST_INSTRUMENT_DETOUR_H
#define PARCAST_INSTRUMENT_DETOUR_H

#include "compiler/instrument/function/function.h"

enum { MOST_WAYS = 32, MOST_HELD = 8 };

struct detour {
    const bool *is_changed;      /* [n_blocks] something was put in there that has no node yet */
    int fork, join;              /* where the ways part and meet */
    int ways[MOST_WAYS], n_ways; /* blocks between, the fork first */
    int into[MOST_WAYS], n_into; /* those that lead to the join */
    LLVMValueRef pointer;
    LLVMValueRef held[MOST_HELD]; /* what the word may hold at the end, */
    bool is_put[MOST_HELD];       /* by a store on a way alone */
    int n_held;
    LLVMValueRef before, pointer_before; /* what it held where the ways part, if it may still, and where */
    int stores[MOST_WAYS], n_stores;     /* on the ways, of `held` */
    bool is_unknown;                     /* on some way nothing tells what it holds */
    bool is_asked;                       /* which of `held` it is comes from the conditions */
};

/** Is there one that ends at this block? `detour->is_changed` is given. */
bool detour_find(const struct function *f, int join, struct detour *detour);
/** Do more ways lead to its end than its own? Then these have to meet before. */
bool detour_is_part(const struct function *f, const struct detour *detour);

/** Does the node load the word at the pointer, or store a word, as plain code does? */
bool detour_loads(const struct function *f, int node, LLVMValueRef pointer);
bool detour_stores(const struct node *node);
/** Is the place in its array the same whatever the data that the loop reads? */
bool detour_is_fixed(const struct function *f, int loop, LLVMValueRef pointer);
/** Fill in `held`, `before`, `stores` and `is_unknown` for the ways and the pointer; false where something
 * may change the word that does not tell how, or nothing on the ways stores it. */
bool detour_find_held(const struct function *f, struct detour *detour);
enum { DETOUR_SILENT = -1, DETOUR_TOUCHED = -2, DETOUR_CHANGED = -3 };
/** What the block says last of the word: the node of a store or load; DETOUR_SILENT where it says nothing,
 * DETOUR_TOUCHED where it may change the word, DETOUR_CHANGED where that is not known yet. */
int detour_word_in(const struct function *f, const struct detour *detour, int block);
/** What such a store puts there, or what the load finds. */
LLVMValueRef detour_value_of(const struct function *f, int word);
/** The number of a block among the ways; -1. */
int detour_way(const struct detour *detour, int block);
/** Does it depend on this block's end what the word holds? */
bool detour_decides(const struct function *f, const struct detour *detour, int block);
/** Is the address there at the fork, or at the join, or may it be computed there again? Pointers to rows may
 * be loaded again where the ways meet if every way has done so. */
bool detour_is_known_at_fork(const struct function *f, const struct detour *detour);
bool detour_is_known_at_join(const struct function *f, const struct detour *detour);

/** Let one store where the ways meet say what the word holds. Where more ways lead there than those of the
 * detour, only a block is put in where the others are not: look again. */
void detour_close(const struct function *f, const struct detour *detour);

#endif
