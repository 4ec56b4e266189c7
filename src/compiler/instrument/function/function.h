/*
 * One function as the instrumenter sees it: numbered values, blocks with dominators and loops, and for every
 * value what is known about its label. LLVM's C interface has no analyses, so the few that are needed are
 * here.
 */
#ifndef PARCAST_INSTRUMENT_FUNCTION_H
#define PARCAST_INSTRUMENT_FUNCTION_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_LABELS = 48, MOST_PHI_LABELS = 4 };

/* A label as instrumented code holds it: a few 32-bit numbers, or the content of a sum. */
struct labels {
    int n, sum; /* sum: number of a sum, or -1 */
    LLVMValueRef ids[MOST_LABELS];
};

enum node_kind {
    NODE_NONE,  /* carries nothing: pointers, void, constants of the machine */
    NODE_LEAF,  /* a load, an argument, the result of a call */
    NODE_ARITH, /* arithmetic, casts, compares, pure functions: the leaves of its operands */
    NODE_SELECT,
    NODE_PHI,
};

struct node {
    LLVMValueRef value;
    enum node_kind kind;
    int block, position; /* position in the block, from 0; -1 for arguments */
    bool carries, needed;
    int condition; /* node whose label a choice takes because its alternatives do not tell; -1 */
    bool decided; /* then: its constants say something of the condition; the alternative's labels count too */
    bool alike;   /* then: the alternatives have labels, all the same ones, which it takes too */
    bool asked;   /* a choice or a store behind it takes its labels */
    int sum;      /* the sum that it is part of; -1 */
    bool identity;     /* only chooses among values that exist: storing it is a copy */
    bool skip;         /* the load of a word that is added to: no label of its own */
    bool term_emitted; /* of a member of a sum */
    bool direct;       /* goes from the sum straight into one store */
    int width;         /* labels; -1 not known yet */
    int constants;     /* that a choice is made among, 2 at most (constants.h); -1 not known yet */
    struct labels *labels;
    LLVMValueRef
        stored;        /* of a store: the label of the word afterwards, once emitted; of assembly: its name */
    LLVMValueRef read; /* of a member of a sum: its label where others read it */
    LLVMValueRef joined; /* likewise: where its terms are added to those of another sum instead */
    LLVMValueRef behind; /* of a call, while there is one: what is emitted behind it stands before this */
    LLVMValueRef work;   /* of a choice, once noted: operations of what was chosen; NULL for none */
    bool is_noted;
    int *stores, n_stores; /* nodes of stores of this value */
};

struct block {
    LLVMBasicBlockRef ref;
    int *before, n_before; /* predecessors */
    int order;             /* in reverse postorder; -1 unreachable */
    int dominator;
    int loop; /* innermost; -1 */
};

struct loop {
    int header, outer;
    bool *holds; /* [n_blocks] */
};

struct sum {
    LLVMValueRef slot;
    int op, loop;    /* op 0: cannot be folded */
    int flop;        /* of the terms of one turn */
    int n_terms;     /* of one turn */
    bool has_powers; /* VF_POWERS */
    bool merged;     /* of several: nothing that one of them drops may be forgotten */
};

/* A call by which a sum takes the terms of another one. */
struct sum_join {
    LLVMValueRef call;
    int sum, other;
};

struct function {
    LLVMValueRef ref;
    struct module_state *module;
    struct node *nodes;
    int n_nodes, *table;
    size_t table_size;
    struct block *blocks;
    int n_blocks;
    struct loop *loops;
    int n_loops;
    struct sum *sums;
    int n_sums;
    struct sum_join *joins;
    int n_joins;

    LLVMValueRef *kept; /* slots to be emptied at the end */
    int n_kept, kept_size;
    LLVMValueRef buffer; /* array of labels for calls with many */
};

/* What all functions of a unit share. */
struct module_state {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i32, i64, pointer, sum_type;
};

void function_number(struct function *f);
void function_blocks(struct function *f);
void function_free(struct function *f);
/** The node of a value of this function; -1 for constants, globals and what was inserted. */
int node_of(const struct function *f, LLVMValueRef value);
/** The number of a block, and the instruction that ends the block of a number. */
int block_at(const struct function *f, LLVMBasicBlockRef block);
LLVMValueRef block_end(const struct function *f, int block);
/** Does control always pass (a, i) before (b, j)? */
bool dominates(const struct function *f, int a, int i, int b, int j);
bool loop_holds(const struct function *f, int loop, int block);
/** How many loops a block is in; does one of them begin there? */
int loop_depth(const struct function *f, int block);
bool is_loop_header(const struct function *f, int block);
/** The loop around all others that a block is in; -1. */
int loop_outermost(const struct function *f, int block);

void *take(size_t n, size_t size); /* zeroed; ends the program when there is no memory */
void *more_of(void *old, size_t n, size_t size);

/** What a phi takes from a block before its own; NULL: that is none. */
LLVMValueRef phi_from(LLVMValueRef phi, LLVMBasicBlockRef before);

#endif
