/*
 * `if (!seen[k]) seen[k] = 1;` or `if (first[k] < 0) first[k] = i;` notes of each key that it has come. Which
 * turn is the first says the word itself; of the stores only those would be seen that happen to be executed,
 * one for each key. But each part notes of its own keys, and what they have noted is put together: a word
 * that comes of all keys. So a choice of what it holds is stored where the ways part, which stands for the
 * key (standing.c); the program's own store stays, and nothing is stored there in truth. Who asks for the
 * word, to count how many keys there are, asks for the keys.
 */
#include "compiler/instrument/rewrite/firsts.h"

#include <stdlib.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/mark.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/again.h"
#include "compiler/instrument/rewrite/guarded/places.h"
#include "compiler/instrument/rewrite/guarded/ways.h"

static const char of_keys[] = "parcast.keys";

static bool compares_number(LLVMValueRef value)
{
    return (LLVMIsAICmpInst(value) || LLVMIsAFCmpInst(value)) && LLVMIsAConstant(LLVMGetOperand(value, 1));
}

static bool is_only_compared(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAFreezeInst(user) || compares_number(user)) continue;
        if (address_behind_bits(user) == user || !is_only_compared(user)) return false;
    }
    return true;
}

void firsts_mark(LLVMContextRef context, LLVMValueRef load)
{
    if (address_is_of_key(LLVMGetOperand(load, 0)) && is_only_compared(load))
        mark_put(context, load, of_keys, 0);
}

bool firsts_is_marked(LLVMValueRef load)
{
    return mark_of(load, of_keys) >= 0;
}

/* The word that the store writes, loaded in the block that ends by comparing it with a number; NULL. */
static LLVMValueRef asked_word(LLVMBasicBlockRef from, LLVMValueRef compare, LLVMValueRef store)
{
    LLVMValueRef word = address_behind_bits(LLVMGetOperand(compare, 0));
    bool is_word = LLVMIsALoadInst(word) && !LLVMGetVolatile(word) &&
                   LLVMGetInstructionParent(word) == from &&
                   address_is_same(LLVMGetOperand(word, 0), LLVMGetOperand(store, 1));
    for (LLVMValueRef i = word; is_word && i; i = LLVMGetNextInstruction(i))
        if (again_changes_memory(i)) return NULL;
    return is_word ? word : NULL;
}

/* Is it the smaller or larger of what the word held and something else that is stored there? */
static bool goes_on(const struct node *node, LLVMValueRef pointer)
{
    return LLVMIsAStoreInst(node->value) && store_is_extremum(LLVMGetOperand(node->value, 0), NULL, NULL) &&
           address_is_same(LLVMGetOperand(node->value, 1), pointer);
}

/* Does the block begin the best of a key, which goes on elsewhere? Parts tell one another of that, from which
 * it is seen that the key has come. */
static bool begins_best(const struct function *f, int block)
{
    for (int i = 0; i < f->n_nodes; i++) {
        if (f->nodes[i].block != block || !is_store(&f->nodes[i])) continue;
        for (int j = 0; j < f->n_nodes; j++)
            if (f->nodes[j].position >= 0 && j != i &&
                goes_on(&f->nodes[j], LLVMGetOperand(f->nodes[i].value, 1)))
                return true;
    }
    return false;
}

/* A number that comes from nowhere is stored where data choose, behind a question for that word alone. */
static bool notes_key(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    int block = node->block, value;
    if (!is_store(node) || LLVMGetVolatile(node->value)) return false;
    if (LLVMGetOrdering(node->value) != LLVMAtomicOrderingNotAtomic) return false;
    if (f->blocks[block].order < 0 || f->blocks[block].loop < 0 || f->blocks[block].n_before != 1)
        return false;
    value = node_of(f, LLVMGetOperand(node->value, 0));
    if (value >= 0 && f->nodes[value].carries) return false;
    if (!type_carries(LLVMTypeOf(LLVMGetOperand(node->value, 0)))) return false;
    struct use *uses = take(MOST_USES, sizeof *uses);
    bool is_it = choosing_uses(f, i, uses) && !store_questions(f, i, uses) && !begins_best(f, block);
    free(uses);
    return is_it;
}

static void show(const struct function *f, int i)
{
    LLVMValueRef store = f->nodes[i].value;
    LLVMBasicBlockRef from = f->blocks[f->blocks[f->nodes[i].block].before[0]].ref;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return;
    LLVMValueRef compare = LLVMGetCondition(end);
    if (!compares_number(compare) || LLVMGetInstructionParent(compare) != from) return;
    LLVMValueRef word = asked_word(from, compare, store);
    if (!word) return;
    guarded_show(f->module->context, f->module->builder, store, from, compare, LLVMGetOperand(compare, 0));
    firsts_mark(f->module->context, word);
}

void firsts_show(struct module_state *module, LLVMValueRef function)
{
    struct function f = {.ref = function, .module = module};
    function_number(&f);
    function_blocks(&f);
    flow_kinds(&f);
    flow_carries(&f);
    for (int i = 0; i < f.n_nodes; i++)
        if (notes_key(&f, i)) show(&f, i);
    function_free(&f);
}
