/*
 * What is kept for each key is computed in each turn of what it was and of the turn's numbers: a mean that
 * forgets, h[k] = h[k] * 31 + c, or a mean and a variance that are updated together. In a register that is
 * handed on from part to part (sum_ops.c). Where data choose the words it is likewise: none of them depends
 * on others but on the terms, whichever of these words it is computed of.
 */
#include "compiler/instrument/function/state.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/place.h"

enum { DEEPEST = 12 };

struct state {
    const struct function *f;
    int store;
    LLVMValueRef root; /* of all its words */
    struct update *update;
    bool is_computed; /* of the word itself */
};

/* The structure that a word is in, at a fixed distance. */
static LLVMValueRef root_of(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, i))) return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

static bool is_written_here(const struct state *s, LLVMValueRef pointer)
{
    const struct function *f = s->f;
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[f->nodes[s->store].block].ref); i;
         i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && !LLVMGetVolatile(i) && address_is_same(LLVMGetOperand(i, 1), pointer))
            return true;
    return false;
}

/* What a word of the structure held before the turn, or what this turn has computed for it. */
static bool is_of_state(struct state *s, LLVMValueRef value)
{
    const struct function *f = s->f;
    int i = node_of(f, value), block = f->nodes[s->store].block;
    LLVMValueRef word = f->nodes[s->store].value;
    if (i < 0 || f->nodes[i].block != block) return false;
    if (LLVMIsALoadInst(value)) {
        LLVMValueRef p = LLVMGetOperand(value, 0);
        if (LLVMGetVolatile(value) || root_of(p) != s->root || !is_written_here(s, p)) return false;
        if (address_is_same(p, LLVMGetOperand(word, 1))) {
            if (s->update->load >= 0 && s->update->load != i) return false;
            s->update->load = i;
            s->is_computed = true;
        }
        return true;
    }
    for (int j = 0; j < f->nodes[i].n_stores; j++) {
        const struct node *other = &f->nodes[f->nodes[i].stores[j]];
        if (f->nodes[i].stores[j] != s->store && other->block == block &&
            root_of(LLVMGetOperand(other->value, 1)) == s->root)
            return true;
    }
    return false;
}

static bool is_computed_of_state(struct state *s, LLVMValueRef value, int depth)
{
    int i = node_of(s->f, value);
    if (i < 0 || depth == DEEPEST) return false;
    if (is_of_state(s, value)) return true;
    if (s->f->nodes[i].kind != NODE_ARITH || s->f->nodes[i].block != s->f->nodes[s->store].block)
        return false;
    for (int j = 0; j < LLVMGetNumOperands(value); j++)
        if (is_computed_of_state(s, LLVMGetOperand(value, (unsigned)j), depth + 1)) return true;
    return false;
}

static bool add_term(struct update *update, LLVMValueRef term)
{
    for (int i = 0; i < update->n; i++)
        if (update->terms[i] == term) return true;
    if (update->n == MOST_TERMS) return false;
    update->factors[update->n] = NULL;
    update->terms[update->n++] = term;
    return true;
}

/* Down to what is of the state, and what has nothing to do with it: the terms. */
static bool find_terms(struct state *s, LLVMValueRef value, int depth)
{
    if (LLVMIsAConstant(value) || LLVMIsAFunction(value) || is_of_state(s, value)) return true;
    if (!is_computed_of_state(s, value, 0)) return add_term(s->update, value);
    unsigned n = LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
    for (unsigned j = 0; j < n; j++)
        if (depth == DEEPEST || !find_terms(s, LLVMGetOperand(value, j), depth + 1)) return false;
    return true;
}

static struct state state_of(const struct function *f, int store, struct update *update)
{
    return (struct state){
        .f = f, .store = store, .root = root_of(LLVMGetOperand(f->nodes[store].value, 1)), .update = update};
}

bool state_is_update(const struct function *f, int store, struct update *update)
{
    *update = (struct update){.load = -1, .before = -1, .op = FOLD_TURNS};
    struct state s = state_of(f, store, update);
    return address_is_of_key(s.root) && find_terms(&s, LLVMGetOperand(f->nodes[store].value, 0), 0) &&
           s.is_computed && update->n > 0;
}

bool state_is_shared(const struct function *f, int store, const struct update *update)
{
    struct update unused = {.load = -1};
    struct state s = state_of(f, store, &unused);
    if (!address_is_of_key(s.root)) return false;
    for (int i = 0; i < update->n; i++) {
        if (is_computed_of_state(&s, update->terms[i], 0)) return true;
        if (update->factors[i] && is_computed_of_state(&s, update->factors[i], 0)) return true;
    }
    return false;
}
