/*
 * `if (w[i] > w[j]) swap(w[i], w[j]);` in an array on the stack: w[i] is the smaller of both, and w[j] the
 * larger, whether they are exchanged or not. As a branch only the exchanges that happen would be seen. So
 * both words are stored where the ways part, for their labels; the program's own stores stay, and nothing is
 * stored there in truth.
 */
#include "compiler/instrument/rewrite/exchanges.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/kept.h"

enum { DEEPEST = 4 };

struct exchange {
    LLVMBasicBlockRef from, block;
    LLVMValueRef array, compare;
    LLVMValueRef stores[2];
    bool when_true;
};

static LLVMValueRef stored_in(LLVMValueRef store)
{
    return LLVMGetOperand(store, 0);
}

static LLVMValueRef address_of(LLVMValueRef store)
{
    return LLVMGetOperand(store, 1);
}

/* Two plain stores, and nothing else that touches memory. */
static bool find_stores(LLVMBasicBlockRef block, LLVMValueRef *stores)
{
    int n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i) || LLVMIsAInvokeInst(i) || (LLVMIsACallInst(i) && !is_pure_call(i)))
            return false;
        if (!LLVMIsAStoreInst(i)) continue;
        if (n == 2 || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
        stores[n++] = i;
    }
    return n == 2;
}

/* Does the value stand in the array, or at this pointer in it? */
static bool stands_in(LLVMValueRef value, LLVMValueRef array, LLVMValueRef pointer)
{
    LLVMValueRef p = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (p && address_base(p) == array && (!pointer || address_is_same(p, pointer))) return true;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || stored_in(user) != value || address_base(address_of(user)) != array)
            continue;
        if (!pointer || address_is_same(address_of(user), pointer)) return true;
    }
    return false;
}

/* Of what goes around a loop in a register, from one pair of words to the next, the place is not known. */
static bool stands_at(LLVMValueRef value, const struct exchange *e, LLVMValueRef pointer, int depth)
{
    if (stands_in(value, e->array, pointer)) return true;
    if (!LLVMIsAPHINode(value)) return false;
    for (unsigned i = 0; depth < DEEPEST && i < LLVMCountIncoming(value); i++) {
        LLVMValueRef in = LLVMGetIncomingValue(value, i);
        if (in != value && !stands_at(in, e, NULL, depth + 1)) return false;
    }
    return true;
}

/* What is computed between is computed at the fork, too, even where the words are not exchanged: nothing that
 * may end the program then, as a division, nor get far from the array, as a product. */
static bool may_be_at_fork(const struct exchange *e, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != e->block) return true;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if (op == LLVMPHI) return true;
    bool is_scaled = op == LLVMMul || op == LLVMShl || op == LLVMOr;
    if (is_scaled && !LLVMIsAConstantInt(LLVMGetOperand(value, 1))) return false;
    if (!is_scaled && op != LLVMAdd && op != LLVMSub && op != LLVMGetElementPtr && op != LLVMTrunc &&
        op != LLVMZExt && op != LLVMSExt)
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!may_be_at_fork(e, LLVMGetOperand(value, i))) return false;
    return true;
}

/* Does the value stand where the other one is stored? An address that it was read from is good at the fork.
 */
static bool was_there(const struct exchange *e, LLVMValueRef value, LLVMValueRef store)
{
    LLVMValueRef p = address_of(store);
    bool was_read = LLVMIsALoadInst(value) && address_is_same(LLVMGetOperand(value, 0), p);
    return stands_at(value, e, p, 0) && (was_read || may_be_at_fork(e, p));
}

/* Each of the two values that are compared goes to where the other one was. */
static bool exchanges(const struct exchange *e)
{
    LLVMValueRef a = stored_in(e->stores[0]), b = stored_in(e->stores[1]);
    LLVMValueRef left = LLVMGetOperand(e->compare, 0), right = LLVMGetOperand(e->compare, 1);
    if (a == b || !((a == left && b == right) || (a == right && b == left))) return false;
    if (LLVMIsAConstant(a) || LLVMIsAConstant(b)) return false;
    return was_there(e, b, e->stores[0]) && was_there(e, a, e->stores[1]);
}

static bool find_exchange(LLVMBasicBlockRef block, struct exchange *e)
{
    e->block = block;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end) || !find_stores(block, e->stores)) return false;
    e->from = content_predecessor(block);
    LLVMValueRef fork = e->from ? LLVMGetBasicBlockTerminator(e->from) : NULL;
    if (!fork || !LLVMIsABranchInst(fork) || !LLVMIsConditional(fork)) return false;
    e->compare = LLVMGetCondition(fork);
    e->when_true = LLVMGetSuccessor(fork, 0) == block;
    LLVMBasicBlockRef join = LLVMGetSuccessor(end, 0), other = LLVMGetSuccessor(fork, e->when_true);
    LLVMValueRef first = LLVMGetFirstInstruction(other);
    bool meets = other == join || (content_predecessor(other) == e->from && LLVMIsABranchInst(first) &&
                                   !LLVMIsConditional(first) && LLVMGetSuccessor(first, 0) == join);
    e->array = address_base(address_of(e->stores[0]));
    return meets && store_order_of(e->compare) && LLVMIsAAllocaInst(e->array) &&
           address_base(address_of(e->stores[1])) == e->array && exchanges(e);
}

/* The address at the fork, computed there again where it is computed between. */
static LLVMValueRef address_at_fork(LLVMBuilderRef builder, const struct exchange *e, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != e->block) return value;
    if (LLVMIsAPHINode(value)) return LLVMGetIncomingValue(value, 0); /* of one way */
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        LLVMSetOperand(copy, i, address_at_fork(builder, e, LLVMGetOperand(value, i)));
    LLVMInsertIntoBuilder(builder, copy);
    return copy;
}

/* What was in a register where the ways meet is chosen, too. */
static void replace_joined(const struct exchange *e, LLVMValueRef exchanged, LLVMValueRef kept,
                           LLVMValueRef chosen)
{
    LLVMBasicBlockRef join = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(e->block), 0);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(join), next; LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        if (LLVMCountIncoming(phi) != 2) return;
        unsigned own = LLVMGetIncomingBlock(phi, 1) == e->block;
        if (LLVMGetIncomingValue(phi, own) != exchanged || LLVMGetIncomingValue(phi, 1 - own) != kept)
            continue;
        LLVMReplaceAllUsesWith(phi, chosen);
        LLVMInstructionEraseFromParent(phi);
    }
}

/* The comparison is frozen: what is chosen by it is a copy of one of both, not the smaller of two numbers. */
static void show(struct module_state *m, const struct exchange *e)
{
    LLVMBuilderRef builder = m->builder;
    LLVMValueRef chosen[2];
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(e->from));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef condition = LLVMBuildFreeze(builder, e->compare, "");
    for (int i = 0; i < 2; i++) {
        LLVMValueRef exchanged = stored_in(e->stores[i]), kept = stored_in(e->stores[1 - i]);
        chosen[i] = LLVMBuildSelect(builder, condition, e->when_true ? exchanged : kept,
                                    e->when_true ? kept : exchanged, "");
    }
    for (int i = 0; i < 2; i++) {
        LLVMValueRef p = address_at_fork(builder, e, address_of(e->stores[i]));
        kept_instead(m->context, e->stores[i], LLVMBuildStore(builder, chosen[i], p));
    }
    for (int i = 0; i < 2; i++)
        replace_joined(e, stored_in(e->stores[i]), stored_in(e->stores[1 - i]), chosen[i]);
}

void exchanges_show(struct module_state *module, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        struct exchange e;
        if (find_exchange(b, &e)) show(module, &e);
    }
}

bool exchanges_chooses(LLVMValueRef value)
{
    return LLVMIsASelectInst(value) && LLVMIsAFreezeInst(LLVMGetOperand(value, 0)) &&
           store_order_of(LLVMGetOperand(LLVMGetOperand(value, 0), 0));
}

LLVMValueRef exchanges_compared(LLVMValueRef store)
{
    LLVMValueRef chosen = stored_in(store);
    return exchanges_chooses(chosen) ? LLVMGetOperand(LLVMGetOperand(chosen, 0), 0) : NULL;
}
