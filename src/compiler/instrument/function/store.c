/* Patterns of stores. */
#include "compiler/instrument/function/store.h"

#include <string.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/state.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/kept.h"

/* hypot(hypot(a, b), c) is the root of all three squares. */
static enum fold_op fold_of_function(LLVMValueRef callee, unsigned operand)
{
    size_t length;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    bool is_length = strcmp(name, "hypot") == 0 || strcmp(name, "hypotf") == 0 || strcmp(name, "hypotl") == 0;
    return is_length && operand < 2 && LLVMIsDeclaration(callee) ? FOLD_LENGTH : FOLD_NONE;
}

static enum fold_op fold_of_call(LLVMValueRef value, unsigned operand)
{
    const char *name = intrinsic_name(value);
    if (!name) return fold_of_function(LLVMGetCalledValue(value), operand);
    if (strncmp(name, "llvm.fmuladd.", 13) == 0 || strncmp(name, "llvm.fma.", 9) == 0)
        return operand == 2 ? FOLD_ADD : FOLD_NONE;
    if (strncmp(name, "llvm.uadd.sat.", 14) == 0) return FOLD_ADD;
    if (strstr(name, "min") == name + 6 || strncmp(name, "llvm.minnum", 11) == 0) return FOLD_MIN;
    if (strstr(name, "max") == name + 6 || strncmp(name, "llvm.maxnum", 11) == 0) return FOLD_MAX;
    return FOLD_NONE;
}

/* `a || b` and `a && b` of truth values are choices with a constant. */
static enum fold_op fold_of_truths(LLVMValueRef select, unsigned operand)
{
    LLVMTypeRef type = LLVMTypeOf(select);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 1) return FOLD_NONE;
    LLVMValueRef yes = LLVMGetOperand(select, 1), no = LLVMGetOperand(select, 2);
    if (LLVMIsAConstantInt(yes) && LLVMConstIntGetZExtValue(yes)) return operand != 1 ? FOLD_OR : FOLD_NONE;
    if (LLVMIsAConstantInt(no) && !LLVMConstIntGetZExtValue(no)) return operand != 2 ? FOLD_AND : FOLD_NONE;
    return FOLD_NONE;
}

enum fold_op fold_of(LLVMValueRef value, unsigned operand)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMFAdd:
        return FOLD_ADD;
    case LLVMSub:
    case LLVMFSub:
        return operand == 0 ? FOLD_ADD : FOLD_NONE;
    case LLVMMul:
    case LLVMFMul:
        return FOLD_MULTIPLY;
    case LLVMAnd:
        return FOLD_AND;
    case LLVMOr:
        return FOLD_OR;
    case LLVMXor:
        return FOLD_XOR;
    case LLVMSelect:
        return fold_of_truths(value, operand);
    case LLVMCall:
        return fold_of_call(value, operand);
    default:
        return FOLD_NONE;
    }
}

int store_order_of(LLVMValueRef compare)
{
    if (LLVMIsAFCmpInst(compare)) {
        switch (LLVMGetFCmpPredicate(compare)) {
        case LLVMRealOLT:
        case LLVMRealOLE:
        case LLVMRealULT:
        case LLVMRealULE:
            return -1;
        case LLVMRealOGT:
        case LLVMRealOGE:
        case LLVMRealUGT:
        case LLVMRealUGE:
            return 1;
        default:
            return 0;
        }
    }
    if (!LLVMIsAICmpInst(compare)) return 0;
    switch (LLVMGetICmpPredicate(compare)) {
    case LLVMIntSLT:
    case LLVMIntSLE:
    case LLVMIntULT:
    case LLVMIntULE:
        return -1;
    case LLVMIntSGT:
    case LLVMIntSGE:
    case LLVMIntUGT:
    case LLVMIntUGE:
        return 1;
    default:
        return 0;
    }
}

enum fold_op store_is_extremum(LLVMValueRef value, LLVMValueRef *a, LLVMValueRef *b)
{
    if (!LLVMIsASelectInst(value)) return FOLD_NONE;
    LLVMValueRef compare = LLVMGetOperand(value, 0), yes = LLVMGetOperand(value, 1),
                 no = LLVMGetOperand(value, 2);
    int order = store_order_of(compare);
    if (!order) return FOLD_NONE;
    if (LLVMGetOperand(compare, 0) == no && LLVMGetOperand(compare, 1) == yes)
        order = -order;
    else if (LLVMGetOperand(compare, 0) != yes || LLVMGetOperand(compare, 1) != no)
        return FOLD_NONE;
    if (a) *a = yes;
    if (b) *b = no;
    return order < 0 ? FOLD_MIN : FOLD_MAX;
}

bool store_is_truth(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

bool store_is_width(LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        return true;
    default:
        return false;
    }
}

/* Another store in between could change the word (what was emitted meanwhile does not): only where none, and
 * no call, lies between (or to the end). `store`: the one of the word.
 */
static bool quiet_after(const struct function *f, LLVMValueRef from, LLVMValueRef to, LLVMValueRef store)
{
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    for (LLVMValueRef i = LLVMGetNextInstruction(from); i && i != to; i = LLVMGetNextInstruction(i)) {
        if (node_of(f, i) < 0) continue;
        if (is_real_call(i)) return false;
        if (LLVMIsAStoreInst(i) && !content_is_beside(i, pointer, type)) return false;
    }
    return true;
}

/* A phi takes the value at the end of a block that only the store leads to. */
static bool phi_comes_after(const struct function *f, int store, int phi, LLVMValueRef value)
{
    const struct node *s = &f->nodes[store];
    struct use uses[MOST_USES];
    int n = data_uses(f, phi, uses);
    for (int i = 0; i < n; i++)
        if (uses[i].value == value && !dominates(f, s->block, s->position, uses[i].block, uses[i].position))
            return false;
    return n > 0;
}

/* Every other user comes after the store: it sees the word, not the step. */
static bool only_stored(const struct function *f, int store, LLVMValueRef value)
{
    const struct node *s = &f->nodes[store];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        int user = node_of(f, LLVMGetUser(use));
        if (user == store) continue;
        if (user < 0) return false;
        if (f->nodes[user].kind == NODE_PHI
                ? !phi_comes_after(f, store, user, value)
                : !dominates(f, s->block, s->position, f->nodes[user].block, f->nodes[user].position))
            return false;
    }
    return true;
}

/* The value that an earlier store of the same block put into the word: the optimiser left out the load. */
static bool is_in_word(const struct function *f, int store, int value, int *before)
{
    const struct node *s = &f->nodes[store];
    for (int i = 0; i < f->nodes[value].n_stores; i++) {
        int other = f->nodes[value].stores[i];
        if (other == store || f->nodes[other].block != s->block || f->nodes[other].position > s->position)
            continue;
        if (!address_is_same(LLVMGetOperand(f->nodes[other].value, 1), LLVMGetOperand(s->value, 1))) continue;
        *before = other;
        return true;
    }
    return false;
}

/* Is it a load of the word that the store writes, in the same block? */
static bool loads_word(const struct function *f, int store, LLVMValueRef value, int *load)
{
    int i = node_of(f, value);
    if (i < 0 || !is_load(&f->nodes[i]) || !f->nodes[i].carries) return false;
    const struct node *s = &f->nodes[store];
    if (f->nodes[i].block != s->block ||
        !address_is_same(LLVMGetOperand(value, 0), LLVMGetOperand(s->value, 1)))
        return false;
    *load = i;
    return true;
}

/* A phi of what the word holds on every way: half of the loads of `c[i] += ...` are left out like this. */
static bool phi_is_word(const struct function *f, int store, int phi)
{
    LLVMValueRef word = f->nodes[store].value, p = LLVMGetOperand(word, 1);
    struct use uses[MOST_USES];
    if (f->nodes[phi].kind != NODE_PHI || f->nodes[phi].block != f->nodes[store].block) return false;
    if (content_is_phi(p, f->nodes[phi].value)) return true;
    int n = data_uses(f, phi, uses);
    for (int i = 0; i < n; i++) {
        int in = node_of(f, uses[i].value), put = in < 0 ? -1 : forwarded(f, &uses[i]);
        if (put >= 0 && address_is_same(LLVMGetOperand(f->nodes[put].value, 1), p)) continue;
        if (in < 0 || !is_load(&f->nodes[in]) || !address_is_same(LLVMGetOperand(uses[i].value, 0), p))
            return false;
        if (f->nodes[in].block != uses[i].block || !quiet_after(f, uses[i].value, NULL, word)) return false;
    }
    return n > 0;
}

/* The same behind a condition: a phi of a block before, which only what is stored is computed from. */
static bool goes_through(const struct function *f, int store, int phi)
{
    if (f->nodes[phi].kind != NODE_PHI || f->nodes[phi].block == f->nodes[store].block) return false;
    LLVMValueRef value = LLVMGetOperand(f->nodes[store].value, 0);
    return content_goes_through(f->nodes[store].value, f->nodes[phi].value, value);
}

static bool add_term(struct update *update, LLVMValueRef term, LLVMValueRef factor)
{
    if (update->n == MOST_TERMS) return false;
    update->terms[update->n] = term;
    update->factors[update->n++] = factor;
    return true;
}

/* The smaller or larger of a value and a number: a count that stops there, if it is one. */
static bool is_cap(LLVMValueRef value)
{
    enum fold_op op = LLVMIsACallInst(value) ? fold_of(value, 0) : FOLD_NONE;
    return (op == FOLD_MIN || op == FOLD_MAX) && LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

/* The operand beside one of an operation of two, or of a choice with a constant. */
static unsigned other_operand(LLVMValueRef value, unsigned operand)
{
    if (!LLVMIsASelectInst(value)) return 1 - operand;
    unsigned chosen = LLVMIsAConstantInt(LLVMGetOperand(value, 1)) ? 2 : 1;
    return operand ? 0 : chosen;
}

/* `(*w & ~m) | bits`: bits are put in the place of others, which nobody keeps. Where they are says the mask
 * alone. */
static bool makes_room(const struct function *f, LLVMValueRef value, enum fold_op op)
{
    if (op != FOLD_OR || !LLVMIsABinaryOperator(value) || LLVMGetInstructionOpcode(value) != LLVMAnd)
        return false;
    int mask = node_of(f, LLVMGetOperand(value, 1));
    return mask < 0 || !f->nodes[mask].carries;
}

/* Go down the operands: one of them leads to the load, the others are terms. */
static bool spine(const struct function *f, int store, LLVMValueRef value, struct update *update, int depth)
{
    if (loads_word(f, store, value, &update->load)) return depth > 0 && flow_is_single_use(value);
    int i = node_of(f, value);
    if (i >= 0 && depth && is_in_word(f, store, i, &update->before)) return true;
    if (i >= 0 && depth && flow_is_single_use(value) && phi_is_word(f, store, i)) {
        update->before = i;
        return true;
    }
    if (i >= 0 && depth && goes_through(f, store, i)) {
        update->before = i;
        return true;
    }
    if (i < 0 || depth == MOST_TERMS || f->nodes[i].position < 0 || (depth && !flow_is_single_use(value)))
        return false;
    if (f->nodes[i].kind != NODE_ARITH || f->nodes[i].block != f->nodes[store].block) return false;
    if (store_is_width(value) || makes_room(f, value, update->op))
        return spine(f, store, LLVMGetOperand(value, 0), update, depth + 1);
    unsigned n = LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
    for (unsigned j = 0; j < n; j++) {
        enum fold_op op = fold_of(value, j);
        struct update below = *update;
        if (!op || (below.op && below.op != op)) continue;
        below.op = op;
        if (!spine(f, store, LLVMGetOperand(value, j), &below, depth + 1)) continue;
        bool fused = n == 3 && op == FOLD_ADD;
        LLVMValueRef term = LLVMGetOperand(value, fused ? 0 : other_operand(value, j));
        if (!add_term(&below, term, fused ? LLVMGetOperand(value, 1) : NULL)) return false;
        *update = below;
        return true;
    }
    update->is_capped = is_cap(value);
    return update->is_capped && spine(f, store, LLVMGetOperand(value, 0), update, depth + 1);
}

/* Only a count can be cut off part by part. */
static bool may_be_capped(const struct update *update)
{
    for (int i = 0; i < update->n; i++)
        if (!LLVMIsAConstantInt(update->terms[i])) return false;
    return update->op == FOLD_ADD;
}

/* word = min(word, term): the load is used by the comparison and the choice. */
static bool extremum(const struct function *f, int store, LLVMValueRef value, struct update *update)
{
    LLVMValueRef a, b;
    enum fold_op op = store_is_extremum(value, &a, &b);
    if (!op) return false;
    LLVMValueRef term = b;
    if (!loads_word(f, store, a, &update->load)) {
        term = a;
        if (!loads_word(f, store, b, &update->load)) return false;
    }
    LLVMValueRef word = f->nodes[update->load].value;
    for (LLVMUseRef use = LLVMGetFirstUse(word); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user != value && user != LLVMGetOperand(value, 0) && !kept_is_bare(user)) return false;
    }
    update->op = op;
    return add_term(update, term, NULL);
}

/* A variable, or what a pointer that the function was given leads to. */
static bool is_one_place(LLVMValueRef pointer)
{
    LLVMValueRef base = address_base(pointer);
    for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, i))) return false;
    return LLVMIsAGlobalVariable(base) || LLVMIsAAllocaInst(base) || LLVMIsAArgument(base);
}

/* A choice of the word by the conditions that were asked (detours.c). */
static bool is_asked(LLVMValueRef value)
{
    return LLVMIsASelectInst(value) && kept_is_asked(value) &&
           LLVMGetOperand(value, 1) == LLVMGetOperand(value, 2);
}

/* What the word held, or constants, whichever way was taken; the factor of the term: what other conditions on
 * a way say. */
static bool is_held(const struct function *f, int store, LLVMValueRef value, struct update *update, int depth)
{
    int i = node_of(f, value);
    if (LLVMIsAConstant(value)) return true;
    if (i < 0 || depth == MOST_TERMS) return false;
    if (is_load(&f->nodes[i])) {
        bool is_word = address_is_same(LLVMGetOperand(value, 0), LLVMGetOperand(f->nodes[store].value, 1));
        if (!is_word || (update->load >= 0 && update->load != i)) return false;
        update->load = i;
        return true;
    }
    if (is_asked(value)) {
        update->factors[0] = value;
        return is_held(f, store, LLVMGetOperand(value, 1), update, depth + 1);
    }
    for (unsigned j = 0; LLVMIsAPHINode(value) && j < LLVMCountIncoming(value); j++)
        if (!is_held(f, store, LLVMGetIncomingValue(value, j), update, depth + 1)) return false;
    return LLVMIsAPHINode(value) && !is_loop_header(f, f->nodes[i].block);
}

/* `if (c) noted = true;`, as detours.c tells it: each time that c is asked is a term. */
static bool notes(const struct function *f, int store, LLVMValueRef value, struct update *update)
{
    if (!is_asked(value)) return false;
    if (!kept_is_asked_anywhere(value) && !is_one_place(LLVMGetOperand(f->nodes[store].value, 1)))
        return false;
    LLVMValueRef word = LLVMGetOperand(value, 1);
    if (!is_held(f, store, word, update, 0) || update->load < 0) return false;
    update->op = FOLD_CHOICE;
    return add_term(update, LLVMGetOperand(value, 0), update->factors[0] ? word : NULL);
}

static bool is_within(const struct function *f, int loop, LLVMValueRef value)
{
    int i = node_of(f, value);
    if (i < 0 || f->nodes[i].position < 0 || !loop_holds(f, loop, f->nodes[i].block)) return false;
    if (!LLVMIsAGetElementPtrInst(value)) return true;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(value); j++)
        if (is_within(f, loop, LLVMGetOperand(value, j))) return true;
    return false;
}

/* Words that are multiplied one after the other are no products that parts could share: each is computed from
 * what it was. */
static bool is_scaled(const struct function *f, int store)
{
    int loop = f->blocks[f->nodes[store].block].loop;
    return loop < 0 || is_within(f, loop, LLVMGetOperand(f->nodes[store].value, 1));
}

bool store_is_of_given(const struct update *update)
{
    return update->n == 1 && !update->factors[0] && LLVMIsAArgument(update->terms[0]);
}

static bool is_reduction(const struct function *f, int store, LLVMValueRef value, struct update *update)
{
    *update = (struct update){.load = -1, .before = -1};
    return extremum(f, store, value, update) || spine(f, store, value, update, 0);
}

bool store_is_update(const struct function *f, int store, struct update *update)
{
    *update = (struct update){.load = -1, .before = -1};
    LLVMValueRef value = LLVMGetOperand(f->nodes[store].value, 0);
    if (!only_stored(f, store, value)) return false;
    if (notes(f, store, value, update)) return true;
    bool is_it = is_reduction(f, store, value, update);
    struct update state;
    if (!is_it || state_is_shared(f, store, update)) {
        bool is_state = state_is_update(f, store, &state);
        if (is_state) *update = state;
        if (!is_state && !is_it) return false;
    }
    if (update->is_capped && !may_be_capped(update)) return false;
    if (update->op == FOLD_MULTIPLY && is_scaled(f, store)) return false;
    int from = update->load >= 0 ? update->load : update->before;
    LLVMValueRef word = f->nodes[store].value;
    return quiet_after(f, f->nodes[from].value, word, word);
}
