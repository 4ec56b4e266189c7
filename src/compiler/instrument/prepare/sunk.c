#include "compiler/instrument/prepare/sunk.h"

#include <string.h>

#include "compiler/instrument/function/store.h"

enum { MOST_BRANCHES = 16, DEEPEST = 8, MOST_ROUNDS = 100 };

/* Branches to a block that end in stores, of all that lead there. */
struct branches {
    LLVMValueRef stores[MOST_BRANCHES];
    LLVMBasicBlockRef blocks[MOST_BRANCHES];
    int n, n_all;
};

/* Nothing behind it reads or writes memory. */
static LLVMValueRef last_store(LLVMBasicBlockRef block)
{
    for (LLVMValueRef p = LLVMGetLastInstruction(block); p; p = LLVMGetPreviousInstruction(p)) {
        if (LLVMIsAStoreInst(p)) return LLVMGetVolatile(p) || LLVMGetOrdering(p) ? NULL : p;
        bool is_quiet = LLVMIsABranchInst(p) || LLVMIsABinaryOperator(p) || LLVMIsACastInst(p) ||
                        LLVMIsACmpInst(p) || LLVMIsAGetElementPtrInst(p) || LLVMIsASelectInst(p) ||
                        LLVMIsADbgInfoIntrinsic(p);
        if (!is_quiet) return NULL;
    }
    return NULL;
}

static bool can_be_again(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) || LLVMIsABinaryOperator(value) || LLVMIsACastInst(value);
}

static bool is_alike(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMIsAInstruction(b) && LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) &&
           LLVMTypeOf(a) == LLVMTypeOf(b) && LLVMGetNumOperands(a) == LLVMGetNumOperands(b) &&
           (!LLVMIsAGetElementPtrInst(a) || LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b));
}

/* Is it the same value in all branches? What is used in all of them is there behind them, too; what each
 * computes from such values can be computed there. */
static bool is_common(const LLVMValueRef *values, int n, int depth)
{
    bool same = true;
    for (int k = 1; k < n; k++) same = same && values[k] == values[0];
    if (same) return true;
    if (depth == DEEPEST || !LLVMIsAInstruction(values[0]) || !can_be_again(values[0])) return false;
    for (int k = 1; k < n; k++)
        if (!is_alike(values[0], values[k])) return false;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(values[0]); j++) {
        LLVMValueRef operands[MOST_BRANCHES];
        for (int k = 0; k < n; k++) operands[k] = LLVMGetOperand(values[k], j);
        if (!is_common(operands, n, depth + 1)) return false;
    }
    return true;
}

/* What is added to a word, or the smaller of it and a number, is what it is, in each branch for itself. */
static bool is_added(LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), both[2] = {NULL, NULL};
    bool is_extremum = store_is_extremum(value, &both[0], &both[1]);
    bool adds = LLVMIsABinaryOperator(value) || (LLVMIsACallInst(value) && fold_of(value, 0) >= FOLD_MIN);
    for (unsigned j = 0; (adds || is_extremum) && j < 2; j++) {
        LLVMValueRef load = is_extremum ? both[j] : LLVMGetOperand(value, j);
        if (!LLVMIsALoadInst(load)) continue;
        const LLVMValueRef addresses[2] = {LLVMGetOperand(store, 1), LLVMGetOperand(load, 0)};
        if (is_common(addresses, 2, 0)) return true;
    }
    return false;
}

/* The end of a loop leads to its beginning, too, but is no branch. */
static void find_branches(const struct function *f, int to, struct branches *b)
{
    LLVMBasicBlockRef join = f->blocks[to].ref;
    b->n = b->n_all = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(join)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef end = LLVMGetUser(use);
        b->n_all++;
        if (!LLVMIsABranchInst(end) || LLVMIsConditional(end) || b->n == MOST_BRANCHES) continue;
        LLVMBasicBlockRef block = LLVMGetInstructionParent(end);
        int from = block_at(f, block);
        if (f->blocks[from].order < 0 || from == to || dominates(f, to, 0, from, 1)) continue;
        if (!(b->stores[b->n] = last_store(block)) || is_added(b->stores[b->n])) continue;
        b->blocks[b->n++] = block;
    }
}

/* What holds of a value in one branch may not hold behind all. */
static void forget_promises(LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMGetElementPtr:
        LLVMSetIsInBounds(value, false);
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNSW(value, false);
        LLVMSetNUW(value, false);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        LLVMSetExact(value, false);
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(value, false);
        break;
    case LLVMZExt:
        LLVMSetNNeg(value, false);
        break;
    default:
        break;
    }
}

static LLVMValueRef compute(LLVMBuilderRef builder, const LLVMValueRef *values, int n)
{
    bool same = true;
    for (int k = 1; k < n; k++) same = same && values[k] == values[0];
    if (same) return values[0];
    LLVMValueRef again = LLVMInstructionClone(values[0]);
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(again); j++) {
        LLVMValueRef operands[MOST_BRANCHES];
        for (int k = 0; k < n; k++) operands[k] = LLVMGetOperand(values[k], j);
        LLVMSetOperand(again, j, compute(builder, operands, n));
    }
    forget_promises(again);
    LLVMInsertIntoBuilder(builder, again);
    return again;
}

static bool is_one_word(const LLVMValueRef *stores, int n, LLVMValueRef *addresses)
{
    for (int k = 0; k < n; k++) {
        addresses[k] = LLVMGetOperand(stores[k], 1);
        if (LLVMTypeOf(LLVMGetOperand(stores[k], 0)) != LLVMTypeOf(LLVMGetOperand(stores[0], 0)))
            return false;
    }
    return is_common(addresses, n, 0);
}

/* ---- which condition a branch is behind ---- */

struct fork {
    int block, way; /* the block that ends with the condition, -1; the first block behind it */
};

/* A branch may be one block or several that join again. */
static struct fork fork_of(const struct function *f, LLVMBasicBlockRef branch)
{
    static const struct fork none = {-1, -1};
    int block = block_at(f, branch);
    for (;;) {
        while (f->blocks[block].n_before > 1 && f->blocks[block].dominator != block)
            block = f->blocks[block].dominator;
        if (f->blocks[block].n_before != 1) return none;
        int before = f->blocks[block].before[0];
        LLVMValueRef end = block_end(f, before);
        if (!LLVMIsABranchInst(end)) return none;
        if (LLVMIsConditional(end)) return (struct fork){before, block};
        block = before;
    }
}

/* Whole loops are no choice of a value: is there one behind a block, and not behind the join? */
static bool has_loop(const struct function *f, int first, int join)
{
    int loop = f->blocks[join].loop;
    if (f->blocks[first].loop != loop) return true;
    for (int b = 0; b < f->n_blocks; b++)
        if (f->blocks[b].loop != loop && dominates(f, first, 0, b, 1) && !dominates(f, join, 0, b, 1))
            return true;
    return false;
}

static LLVMValueRef first_place(LLVMBasicBlockRef block)
{
    LLVMValueRef p = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(p)) p = LLVMGetNextInstruction(p);
    return p;
}

/* One for all: as little aligned as any, and of a type only if it is that of all. */
static LLVMValueRef common_store(const struct branches *b)
{
    static const char *const kinds[] = {"tbaa", "tbaa.struct", "alias.scope", "noalias", "nontemporal"};
    LLVMValueRef store = LLVMInstructionClone(b->stores[0]);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        unsigned kind = LLVMGetMDKindID(kinds[i], (unsigned)strlen(kinds[i]));
        bool same = true;
        for (int k = 1; k < b->n; k++)
            same = same && LLVMGetMetadata(b->stores[k], kind) == LLVMGetMetadata(b->stores[0], kind);
        if (!same) LLVMSetMetadata(store, kind, NULL);
    }
    for (int k = 1; k < b->n; k++)
        if (LLVMGetAlignment(b->stores[k]) < LLVMGetAlignment(store))
            LLVMSetAlignment(store, LLVMGetAlignment(b->stores[k]));
    return store;
}

static bool sink_into(const struct function *f, LLVMBuilderRef builder, int to)
{
    struct branches b;
    LLVMBasicBlockRef join = f->blocks[to].ref;
    LLVMValueRef addresses[MOST_BRANCHES], values[MOST_BRANCHES];
    find_branches(f, to, &b);
    if (b.n < 2 || b.n < b.n_all || !is_one_word(b.stores, b.n, addresses)) return false;
    if (has_loop(f, f->blocks[to].dominator, to) || LLVMIsALandingPadInst(first_place(join))) return false;
    for (int k = 0; k < b.n; k++) values[k] = LLVMGetOperand(b.stores[k], 0);
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, LLVMGetFirstInstruction(join));
    LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(values[0]), "");
    LLVMAddIncoming(phi, values, b.blocks, (unsigned)b.n);
    LLVMPositionBuilderBefore(builder, first_place(join));
    LLVMValueRef address = compute(builder, addresses, b.n), store = common_store(&b);
    LLVMSetOperand(store, 0, phi);
    LLVMSetOperand(store, 1, address);
    LLVMInsertIntoBuilder(builder, store);
    for (int k = 0; k < b.n; k++) LLVMInstructionEraseFromParent(b.stores[k]);
    return true;
}

/* ---- the two branches of a condition among others ---- */

static bool find_pair(const struct function *f, int to, const struct branches *b, LLVMBasicBlockRef pair[2])
{
    LLVMValueRef addresses[2];
    for (int i = 0; b->n_all > 2 && i < b->n; i++)
        for (int j = i + 1; j < b->n; j++) {
            struct fork fork = fork_of(f, b->blocks[i]), other = fork_of(f, b->blocks[j]);
            const LLVMValueRef stores[2] = {b->stores[i], b->stores[j]};
            if (fork.block < 0 || fork.block != other.block || !is_one_word(stores, 2, addresses)) continue;
            if (has_loop(f, fork.way, to) || has_loop(f, other.way, to)) continue;
            pair[0] = b->blocks[i];
            pair[1] = b->blocks[j];
            return true;
        }
    return false;
}

/* A builder keeps the place in the source that it came from. */
static void position_at_end(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMSetCurrentDebugLocation2(builder, NULL);
}

static void join_phi(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef between,
                     const LLVMBasicBlockRef pair[2])
{
    position_at_end(builder, between);
    LLVMValueRef inner = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, phi);
    LLVMValueRef outer = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMAddIncoming(from == pair[0] || from == pair[1] ? inner : outer, &value, &from, 1);
    }
    LLVMAddIncoming(outer, &inner, &between, 1);
    LLVMReplaceAllUsesWith(phi, outer);
}

/* They join in a block of their own first, which then may become a choice between two values. */
static void join_pair(LLVMBuilderRef builder, LLVMBasicBlockRef join, const LLVMBasicBlockRef pair[2])
{
    LLVMValueRef first = LLVMGetFirstInstruction(join);
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(join)));
    LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(context, join, "");
    while (LLVMIsAPHINode(first)) {
        LLVMValueRef phi = first;
        join_phi(builder, phi, between, pair);
        first = LLVMGetNextInstruction(phi);
        LLVMInstructionEraseFromParent(phi);
    }
    position_at_end(builder, between);
    LLVMBuildBr(builder, join);
    for (int i = 0; i < 2; i++) LLVMSetSuccessor(LLVMGetBasicBlockTerminator(pair[i]), 0, between);
}

/* False once no block is of this kind any more; blocks then have other numbers. */
static bool join_pairs(const struct function *f, LLVMBuilderRef builder)
{
    struct branches b;
    LLVMBasicBlockRef pair[2];
    for (int to = 0; to < f->n_blocks; to++) {
        if (f->blocks[to].order < 0) continue;
        find_branches(f, to, &b);
        if (!find_pair(f, to, &b, pair)) continue;
        join_pair(builder, f->blocks[to].ref, pair);
        return true;
    }
    return false;
}

/* What is joined may be a branch itself. */
static bool sink_in(LLVMBuilderRef builder, LLVMValueRef function)
{
    bool any = false, joined = true;
    for (int round = 0; joined && round < MOST_ROUNDS; round++) {
        struct function f = {.ref = function};
        function_number(&f);
        function_blocks(&f);
        for (bool changed = true; changed;) {
            changed = false;
            for (int b = 0; b < f.n_blocks; b++)
                while (f.blocks[b].order >= 0 && sink_into(&f, builder, b)) changed = any = true;
        }
        joined = round + 1 < MOST_ROUNDS && join_pairs(&f, builder);
        function_free(&f);
    }
    return any;
}

bool sink_stores(LLVMModuleRef module)
{
    bool any = false;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && sink_in(builder, f)) any = true;
    LLVMDisposeBuilder(builder);
    return any;
}
