/* What a store does to its word: copies, computes anew, or adds to what is there. */
#ifndef PARCAST_INSTRUMENT_STORE_H
#define PARCAST_INSTRUMENT_STORE_H

#include "compiler/instrument/function/function.h"

/* Kinds of associative operations; 0 is none. The numbers stand in the file of the traced program. */
enum fold_op {
    FOLD_NONE,
    FOLD_ADD,
    FOLD_MULTIPLY,
    FOLD_AND,
    FOLD_OR,
    FOLD_XOR,
    FOLD_LENGTH, /* hypot: of all sides, in any order */
    FOLD_MIN,
    FOLD_MAX,
    FOLD_CHOICE,
    FOLD_TURNS /* whatever a turn computes of what there was: handed on from part to part */
};

/** Does it choose, the smaller, the larger or by another question, one of what there is? */
static inline bool fold_chooses(int op)
{
    return op >= FOLD_MIN && op <= FOLD_CHOICE;
}

enum { MOST_TERMS = 16 };

/** word = word op term op term ... */
struct update {
    int load;       /* node of the load of the word; -1 when the word's value was still in a register */
    int before;     /* then the node since which it was there: a store or a phi */
    bool is_capped; /* the smaller or larger of that and a number on the way */
    enum fold_op op;
    int n;
    LLVMValueRef terms[MOST_TERMS];
    LLVMValueRef factors[MOST_TERMS]; /* the other factor of a fused product; NULL */
};

/** Is the store of this node an update? The load has no other user. */
bool store_is_update(const struct function *f, int store, struct update *update);
/** Is what is added a number that the function was given? It may be a constant of the caller. */
bool store_is_of_given(const struct update *update);
/** The operation of an arithmetic instruction as a reduction whose running operand is `operand`. */
enum fold_op fold_of(LLVMValueRef value, unsigned operand);
/** The same number in more bits or in fewer: what a sum of floats is added up in, say. */
bool store_is_width(LLVMValueRef value);
/** Is it one bit? */
bool store_is_truth(LLVMValueRef value);
/** -1, 0, 1: the comparison is true for the smaller, is no order, is true for the larger left side. */
int store_order_of(LLVMValueRef compare);
/** select(a < b, a, b) and its relatives: FOLD_MIN or FOLD_MAX and the two operands. */
enum fold_op store_is_extremum(LLVMValueRef value, LLVMValueRef *a, LLVMValueRef *b);

#endif
