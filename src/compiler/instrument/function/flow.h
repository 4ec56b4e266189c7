/* What is known about labels before the program runs: docs/models/value-flow.md, section 2. */
#ifndef PARCAST_INSTRUMENT_FLOW_H
#define PARCAST_INSTRUMENT_FLOW_H

#include "compiler/instrument/function/function.h"
#include "compiler/instrument/function/known.h"

/** An operand through which data flows, and the place where it is used (a phi uses it at the end of a block).
 */
struct use {
    LLVMValueRef value;
    int block, position;
};

enum { MOST_USES = 256 };

bool type_is_real(LLVMTypeRef type);
/** Can values of this type have a label? */
bool type_carries(LLVMTypeRef type);

/** The data operands of a node; `uses` has room for MOST_USES. More than that: the rest is left out and -1
 * returned. */
int data_uses(const struct function *f, int node, struct use *uses);
/** The condition that decides which alternative of a choice is taken; NULL where there is none. A loop's
 * header is no choice. */
LLVMValueRef condition_of(const struct function *f, const struct node *node);
/** Where the condition that a choice takes its label from is looked at; false when it takes none. */
bool condition_use(const struct function *f, int node, struct use *use);

/** The store after which the word's label stands for the value at this place; -1 when there is none. */
int forwarded(const struct function *f, const struct use *use);
/** Can the value at this place have a label? */
bool use_carries(const struct function *f, const struct use *use);

bool is_store(const struct node *node);
bool is_load(const struct node *node);
/** A call that may run code of the program or code that nobody knows; not intrinsics and pure functions. */
bool is_real_call(LLVMValueRef value);
bool is_pure_call(LLVMValueRef value);
bool is_reading_call(LLVMValueRef value);
/** Inline assembly that does anything. It is a real call, of nobody knows what. */
bool is_assembly(LLVMValueRef value);
/** What is known of the function that a call goes to. */
struct known known_callee(LLVMValueRef call);
/** Name of an intrinsic without what follows the types: "llvm.fabs"; NULL for anything else. */
const char *intrinsic_name(LLVMValueRef value);

/** Is it computed from what is read in the loop? Sizes may be, too, but are mostly read before. */
bool flow_is_read(const struct function *f, int loop, LLVMValueRef value);
/** The same of data alone: not of a whole number in a variable that the function only reads, a size that is
 * loaded again behind each call. */
bool flow_is_data(const struct function *f, int loop, LLVMValueRef value);

struct update;
/** Of what the address of a store is computed from, or that of a pointer that a call is given, what chooses
 * the place: no strides, which an index without a label is multiplied by. */
int choosing_uses(const struct function *f, int store, struct use *uses);
int choosing_uses_at(const struct function *f, int call, LLVMValueRef pointer, struct use *uses);
/** Does any term of an update carry a label? */
bool terms_carry(const struct function *f, int store, const struct update *update);
/** What stands for terms that carry none: the address, `count[key]++`, or else the conditions that the store
 * is behind, within its loop: `if (x[i] > limit) count[0]++`. Room for MOST_USES. */
int standing_uses(const struct function *f, int store, struct use *uses);
/** Conditions of data, read in its loop, that a node is behind. Room for MOST_USES. */
int guarding_uses(const struct function *f, int node, struct use *uses);
/** Does a store put a number there that carries no label, or what the word holds unless a constant is chosen?
 */
bool flow_takes_questions(const struct function *f, int store);
/** The conditions that a store is behind, from the innermost loop outwards, by which data decides whether it
 * is made: where what it stores carries no label, they tell of what it comes. */
int store_questions(const struct function *f, int store, struct use *uses);

/** Does an operand of the node, or the condition that it takes, carry a label? */
bool flow_operand_carries(const struct function *f, int node);
/** Whatever is computed of what carries a label carries one. */
void flow_spread(struct function *f);

void flow_kinds(struct function *f);   /* NODE_..., identity */
void flow_carries(struct function *f); /* carries, condition */
void flow_needed(struct function *f);

/** Does one instruction alone use it, once? */
bool flow_is_single_use(LLVMValueRef value);
/** Does some store put it into memory? */
bool flow_is_stored(LLVMValueRef value);

#endif
