/*
 * `if (fabs(x[i] - x[i + 1]) > c) ++*p;` counts what a register would count by `n += fabs(..) > c`: what is
 * compared is read in each turn, and not only in those that count.
 */
#include "compiler/instrument/emit/asked.h"

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/content.h"

/* The block that alone leads to that of the store, by a condition that carries a label and leaves the loop on
 * neither way; -1. */
static int fork_of(const struct function *f, int store)
{
    const struct block *block = &f->blocks[f->nodes[store].block];
    int fork = block->n_before == 1 ? block->before[0] : -1;
    LLVMValueRef end = fork < 0 ? NULL : block_end(f, fork);
    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return -1;
    int asked = node_of(f, LLVMGetCondition(end));
    if (block->loop < 0 || f->blocks[fork].loop != block->loop || asked < 0 || !f->nodes[asked].carries)
        return -1;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (!loop_holds(f, block->loop, block_at(f, LLVMGetSuccessor(end, i)))) return -1;
    return fork;
}

static bool is_known_at(const struct function *f, LLVMValueRef value, int block)
{
    int i = node_of(f, value);
    if (!LLVMIsAInstruction(value)) return true;
    return i >= 0 && f->nodes[i].block != block && dominates(f, f->nodes[i].block, 0, block, 0);
}

/* A place at a fixed distance from a pointer, made again at the end of the builder's block where it is made
 * behind that; NULL where it depends on more. */
static LLVMValueRef place_at(struct function *f, LLVMValueRef pointer, int block)
{
    if (is_known_at(f, pointer, block)) return pointer;
    if (!LLVMIsAGetElementPtrInst(pointer)) return NULL;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, i))) return NULL;
    LLVMValueRef base = place_at(f, LLVMGetOperand(pointer, 0), block);
    if (!base) return NULL;
    LLVMValueRef copy = LLVMInstructionClone(pointer);
    LLVMSetOperand(copy, 0, base);
    LLVMInsertIntoBuilder(f->module->builder, copy);
    return copy;
}

/* Is it the same word in each turn? */
static bool stays(const struct function *f, int loop, LLVMValueRef pointer)
{
    for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++) {
            int index = node_of(f, LLVMGetOperand(pointer, i));
            if (index >= 0 && f->nodes[index].position >= 0 && loop_holds(f, loop, f->nodes[index].block))
                return false;
        }
    int base = node_of(f, pointer);
    return base < 0 || f->nodes[base].position < 0 || !loop_holds(f, loop, f->nodes[base].block);
}

/* Nobody uses what is stored but the store, and registers in which the optimiser has what the word holds. */
static bool is_of_word_alone(LLVMValueRef store)
{
    LLVMValueRef stored = LLVMGetOperand(store, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(stored); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user != store && !(LLVMIsAPHINode(user) && content_is_phi(LLVMGetOperand(store, 1), user)))
            return false;
    }
    return true;
}

LLVMValueRef asked_place(struct function *f, int store, const struct update *update)
{
    LLVMValueRef value = f->nodes[store].value, pointer = LLVMGetOperand(value, 1), place = NULL;
    int fork = fork_of(f, store);
    bool may_be = fork >= 0 && update->n == 1 && update->op == FOLD_ADD && !update->is_capped &&
                  is_of_word_alone(value) && stays(f, f->blocks[f->nodes[store].block].loop, pointer);
    if (may_be) {
        emit_before(f->module, block_end(f, fork));
        place = place_at(f, pointer, f->nodes[store].block);
    }
    if (place) return emit_there(f, place);
    emit_after(f, store);
    return NULL;
}
