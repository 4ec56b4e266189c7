/*
 * `if (fabs(x[i] - x[i + 1]) > c) ++*p;` counts what a register would count by `n += fabs(..) > c`: what is
 * compared is read in each turn, and not only in those that count.
 */
#include "compiler/instrument/emit/asked.h"

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/detours/detour.h"

enum { DEEPEST = 6, MOST_OPERANDS = 4 };

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

/* Numbers that may be computed where the program does not. */
static bool is_step(LLVMValueRef value)
{
    if (LLVMIsAGetElementPtrInst(value) || LLVMIsACastInst(value)) return true;
    LLVMOpcode op = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    bool is_safe = op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMAnd || op == LLVMOr;
    bool may_be_safe = op == LLVMShl || op == LLVMLShr || op == LLVMAShr || op == LLVMSDiv || op == LLVMUDiv;
    LLVMValueRef by = may_be_safe ? LLVMGetOperand(value, 1) : NULL;
    return is_safe || (by && LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by));
}

/* A place, made again where the builder is if it is made in the block; NULL where it depends on more. */
static LLVMValueRef place_at(struct function *f, LLVMValueRef value, int block, int depth)
{
    LLVMValueRef operands[MOST_OPERANDS];
    if (is_known_at(f, value, block)) return value;
    unsigned n = (unsigned)LLVMGetNumOperands(value);
    if (!is_step(value) || n > MOST_OPERANDS || depth == DEEPEST) return NULL;
    for (unsigned i = 0; i < n; i++) {
        operands[i] = place_at(f, LLVMGetOperand(value, i), block, depth + 1);
        if (!operands[i]) return NULL;
    }
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (unsigned i = 0; i < n; i++) LLVMSetOperand(copy, i, operands[i]);
    LLVMInsertIntoBuilder(f->module->builder, copy);
    return copy;
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

/* Does the same array, and no data, say which word it is in each turn? */
static bool is_fixed(const struct function *f, int loop, LLVMValueRef pointer)
{
    int base = node_of(f, address_base(pointer));
    bool is_made_before =
        base < 0 || f->nodes[base].position < 0 || !loop_holds(f, loop, f->nodes[base].block);
    return is_made_before && detour_is_fixed(f, loop, pointer);
}

static bool is_of_all(enum fold_op op)
{
    return op == FOLD_ADD || op == FOLD_OR || op == FOLD_AND || op == FOLD_XOR;
}

LLVMValueRef asked_place(struct function *f, int store, const struct update *update)
{
    LLVMValueRef value = f->nodes[store].value, pointer = LLVMGetOperand(value, 1), place = NULL;
    int fork = fork_of(f, store);
    bool may_be = fork >= 0 && update->n == 1 && is_of_all(update->op) && !update->is_capped &&
                  is_of_word_alone(value) && is_fixed(f, f->blocks[f->nodes[store].block].loop, pointer);
    if (may_be) {
        emit_before(f->module, block_end(f, fork));
        place = place_at(f, pointer, f->nodes[store].block, 0);
    }
    if (place) return emit_there(f, place);
    emit_after(f, store);
    return NULL;
}
