/*
 * A loop that compares with *p and stores to it may load *p once: what it holds later is known from the
 * stores, and goes around the loop in a phi. A reduction of the word would look like one of a register of
 * which copies are stored. The instrumenter puts the load back, which is the same number.
 */
#include "content.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_PHIS = 16, MOST_BLOCKS = 16 };

LLVMBasicBlockRef content_predecessor(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef found = NULL;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; use; use = LLVMGetNextUse(use)) {
        if (!LLVMIsATerminatorInst(LLVMGetUser(use))) continue;
        if (found) return NULL;
        found = LLVMGetInstructionParent(LLVMGetUser(use));
    }
    return found;
}

struct content {
    LLVMValueRef pointer, phis[MOST_PHIS]; /* phis that are, or are taken to be, what is at the pointer */
    int n_phis;
};

static bool is_phi_of_word(struct content *c, LLVMValueRef phi);

/* Intrinsics that only compute, and notes for debuggers, write nothing. */
static bool may_write(LLVMValueRef instruction)
{
    if (LLVMIsAInvokeInst(instruction)) return true;
    if (!LLVMIsACallInst(instruction)) return LLVMGetInstructionOpcode(instruction) == LLVMFence;
    static const char *const quiet[] = {"llvm.dbg.", "llvm.fabs.", "llvm.sqrt.", "llvm.fmuladd."};
    size_t length;
    LLVMValueRef called = LLVMGetCalledValue(instruction);
    const char *name = LLVMGetValueName2(called, &length);
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (!strncmp(name, quiet[i], strlen(quiet[i]))) return false;
    return true;
}

enum answer { HOLDS, HOLDS_NOT, UNTOUCHED };

/* Backwards from the end of a block: the last store, or load, of the word says. */
static enum answer look_back(const struct content *c, LLVMValueRef value, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        LLVMOpcode code = LLVMGetInstructionOpcode(i);
        bool is_store = code == LLVMStore, is_load = code == LLVMLoad && i == value;
        if (i == c->pointer || may_write(i) || code == LLVMAtomicRMW || code == LLVMAtomicCmpXchg)
            return HOLDS_NOT;
        if ((is_store || is_load) && LLVMGetVolatile(i)) return HOLDS_NOT;
        if (is_store)
            return LLVMGetOperand(i, 1) == c->pointer && LLVMGetOperand(i, 0) == value ? HOLDS : HOLDS_NOT;
        if (is_load) return LLVMGetOperand(i, 0) == c->pointer ? HOLDS : HOLDS_NOT;
    }
    return UNTOUCHED;
}

static bool holds_at_end(struct content *c, LLVMValueRef value, LLVMBasicBlockRef block)
{
    for (int n = 0; block && n < MOST_BLOCKS; n++, block = content_predecessor(block)) {
        enum answer answer = look_back(c, value, block);
        if (answer != UNTOUCHED) return answer == HOLDS;
        if (LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == block)
            return is_phi_of_word(c, value);
    }
    return false;
}

/* Optimistic: around a loop a phi is the word if it was before. */
static bool is_phi_of_word(struct content *c, LLVMValueRef phi)
{
    if (!LLVMIsAPHINode(phi)) return false;
    for (int i = 0; i < c->n_phis; i++)
        if (c->phis[i] == phi) return true;
    if (c->n_phis == MOST_PHIS) return false;
    c->phis[c->n_phis++] = phi;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!holds_at_end(c, LLVMGetIncomingValue(phi, i), LLVMGetIncomingBlock(phi, i))) return false;
    return true;
}

/* The store's pointer is there where the block begins, from which alone the store is reached. */
static bool is_known_before(LLVMValueRef store, LLVMBasicBlockRef block)
{
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    if (!LLVMIsAInstruction(pointer)) return true;
    LLVMBasicBlockRef made = LLVMGetInstructionParent(pointer);
    return made != block && made != LLVMGetInstructionParent(store);
}

static void replace(LLVMValueRef user, LLVMValueRef value, LLVMValueRef by)
{
    for (unsigned i = 0; user && i < (unsigned)LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, i) == value) LLVMSetOperand(user, i, by);
}

static LLVMValueRef first_after_phis(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    return i;
}

void content_reload(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef compare,
                    LLVMValueRef choice, LLVMValueRef store)
{
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    if (!is_known_before(store, block)) return;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef phi = LLVMGetOperand(compare, i);
        struct content content = {.pointer = pointer};
        if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != block) continue;
        if (!is_phi_of_word(&content, phi)) continue;
        LLVMPositionBuilderBefore(builder, first_after_phis(block));
        LLVMSetCurrentDebugLocation2(builder, NULL);
        LLVMValueRef load = LLVMBuildLoad2(builder, LLVMTypeOf(phi), pointer, "");
        replace(compare, phi, load);
        replace(choice, phi, load);
        return;
    }
}
