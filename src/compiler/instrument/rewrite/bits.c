/*
 * `bits[i] = c` of a std::vector<bool> or a bitset is `if (c) *w |= m; else *w &= ~m;`, of which the
 * optimiser makes one store of what the ways computed, each of a load of its own. Neither tells of the
 * condition then. So the bits are put into the word where the ways meet: *w = (*w & ~m) | (c ? m : 0), which
 * is the same number; with other masks (*w & (c ? -1 : k)) | (c ? m : 0).
 */
#include "compiler/instrument/rewrite/bits.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/kept.h"

enum { MOST_WAYS = 8 };

/* What each way makes of the word that the store writes: some bits set, or only those of a mask kept. */
struct bits {
    LLVMValueRef phi, store;
    LLVMValueRef results[MOST_WAYS], loads[MOST_WAYS], masks[MOST_WAYS];
    bool sets[MOST_WAYS];
    unsigned n;
};

static bool may_write(LLVMValueRef i)
{
    return LLVMIsAStoreInst(i) || ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && is_real_call(i));
}

/* From an instruction to another, or to the end of its block. */
static bool is_quiet(LLVMValueRef from, LLVMValueRef to)
{
    for (LLVMValueRef i = LLVMGetNextInstruction(from); i && i != to; i = LLVMGetNextInstruction(i))
        if (may_write(i)) return false;
    return true;
}

static bool is_word(const struct bits *b, LLVMValueRef value, LLVMBasicBlockRef way)
{
    return LLVMIsALoadInst(value) && !LLVMGetVolatile(value) &&
           LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic && flow_is_single_use(value) &&
           LLVMGetInstructionParent(value) == way &&
           address_is_same(LLVMGetOperand(value, 0), LLVMGetOperand(b->store, 1)) && is_quiet(value, NULL);
}

static bool add_way(struct bits *b, LLVMValueRef result, LLVMBasicBlockRef way)
{
    LLVMOpcode op = LLVMIsABinaryOperator(result) ? LLVMGetInstructionOpcode(result) : LLVMRet;
    if ((op != LLVMOr && op != LLVMAnd) || !flow_is_single_use(result) || b->n == MOST_WAYS) return false;
    for (unsigned i = 0; i < 2; i++) {
        if (!is_word(b, LLVMGetOperand(result, i), way)) continue;
        b->results[b->n] = result;
        b->loads[b->n] = LLVMGetOperand(result, i);
        b->masks[b->n] = LLVMGetOperand(result, 1 - i);
        b->sets[b->n++] = op == LLVMOr;
        return true;
    }
    return false;
}

/* The store that follows the phi, of it; NULL. */
static LLVMValueRef store_of(LLVMValueRef phi)
{
    LLVMValueRef user = flow_is_single_use(phi) ? LLVMGetUser(LLVMGetFirstUse(phi)) : NULL;
    bool is_it = user && LLVMIsAStoreInst(user) && !LLVMGetVolatile(user) &&
                 LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic && LLVMGetOperand(user, 0) == phi &&
                 LLVMGetInstructionParent(user) == LLVMGetInstructionParent(phi) && is_quiet(phi, user);
    return is_it ? user : NULL;
}

static bool find_bits(LLVMValueRef phi, struct bits *b)
{
    *b = (struct bits){.phi = phi, .store = store_of(phi)};
    bool any_set = false, all_set = true;
    for (unsigned i = 0; b->store && i < LLVMCountIncoming(phi); i++) {
        if (!add_way(b, LLVMGetIncomingValue(phi, i), LLVMGetIncomingBlock(phi, i))) return false;
        any_set = any_set || b->sets[i];
        all_set = all_set && b->sets[i];
    }
    return any_set && !all_set;
}

static bool is_complement(LLVMValueRef mask, LLVMValueRef other)
{
    if (LLVMIsAConstantInt(mask) && LLVMIsAConstantInt(other)) return LLVMConstNot(mask) == other;
    return LLVMIsABinaryOperator(mask) && LLVMGetInstructionOpcode(mask) == LLVMXor &&
           LLVMGetOperand(mask, 0) == other && LLVMIsAConstantInt(LLVMGetOperand(mask, 1)) &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(mask, 1)) == -1;
}

/* The one mask of all ways, whose bits are set or cleared; NULL. */
static LLVMValueRef common_mask(const struct bits *b)
{
    LLVMValueRef mask = NULL;
    for (unsigned i = 0; i < b->n; i++) {
        if (!b->sets[i]) continue;
        if (mask && mask != b->masks[i]) return NULL;
        mask = b->masks[i];
    }
    for (unsigned i = 0; i < b->n; i++)
        if (!b->sets[i] && !is_complement(b->masks[i], mask)) return NULL;
    return mask;
}

/* A phi of the masks of the ways that set bits, or of those that keep some, and a number for the others: a
 * choice by the condition, whatever the masks come of. */
static LLVMValueRef phi_of(LLVMBuilderRef builder, const struct bits *b, bool sets, LLVMValueRef others)
{
    LLVMPositionBuilderBefore(builder, b->phi);
    LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(b->phi), "");
    for (unsigned i = 0; i < b->n; i++) {
        LLVMValueRef value = b->sets[i] == sets ? b->masks[i] : others;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(b->phi, i);
        LLVMAddIncoming(phi, &value, &from, 1);
    }
    kept_asks(LLVMGetTypeContext(LLVMTypeOf(b->phi)), phi);
    return phi;
}

static void put(LLVMBuilderRef builder, const struct bits *b)
{
    LLVMTypeRef type = LLVMTypeOf(b->phi);
    LLVMValueRef mask = common_mask(b), set = phi_of(builder, b, true, LLVMConstNull(type)),
                 kept = mask ? NULL : phi_of(builder, b, false, LLVMConstAllOnes(type));
    LLVMPositionBuilderBefore(builder, b->store);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(b->results[0]));
    LLVMValueRef word = LLVMBuildLoad2(builder, type, LLVMGetOperand(b->store, 1), "");
    LLVMSetAlignment(word, LLVMGetAlignment(b->store));
    if (mask) kept = LLVMBuildNot(builder, mask, "");
    LLVMValueRef rest = LLVMBuildAnd(builder, word, kept, "");
    LLVMSetOperand(b->store, 0, LLVMBuildOr(builder, rest, set, ""));
    LLVMInstructionEraseFromParent(b->phi);
    for (unsigned i = 0; i < b->n; i++) {
        LLVMInstructionEraseFromParent(b->results[i]);
        LLVMInstructionEraseFromParent(b->loads[i]);
    }
}

void bits_put(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i && LLVMIsAPHINode(i); i = next) {
            struct bits b;
            next = LLVMGetNextInstruction(i);
            if (find_bits(i, &b)) put(builder, &b);
        }
    LLVMDisposeBuilder(builder);
}
