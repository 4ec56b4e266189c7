/*
 * `m[k] = std::min(m[k], std::make_pair(x, i))` chooses between two places, that of a pair of its own and
 * that of m[k], and copies what stands there: where m[k] was chosen, into itself. Whoever writes it out
 * stores in `if (x < m[k].first || ..)` what is better. So what stands at a chosen place is loaded on each
 * way that leads there, or is what was stored at that place before; and what the word holds is not stored
 * again.
 */
#include "compiler/instrument/rewrite/written_back.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/again.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/joins.h"
#include "compiler/instrument/rewrite/kept.h"
#include "compiler/instrument/rewrite/place_ways.h"

enum { MOST_WAYS = 8, DEEPEST = 6, MOST_ROUNDS = 64 };

static bool is_simple(LLVMValueRef access)
{
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

/* Other than as stores do, of which it is asked where. */
static bool may_write(LLVMValueRef i)
{
    return !LLVMIsAStoreInst(i) && again_changes_memory(i);
}

/* The place that was chosen in the block where a load is, and at which it loads, or at a fixed distance from
 * it; NULL. */
static LLVMValueRef chosen_place(LLVMValueRef load)
{
    LLVMValueRef p = LLVMGetOperand(load, 0);
    if (LLVMIsAGetElementPtrInst(p)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(p, i))) return NULL;
        p = LLVMGetOperand(p, 0);
    }
    if (!LLVMIsAInstruction(p) || LLVMGetInstructionParent(p) != LLVMGetInstructionParent(load)) return NULL;
    unsigned n = LLVMIsAPHINode(p) ? LLVMCountIncoming(p) : 0;
    return LLVMIsASelectInst(p) || (n > 1 && n <= MOST_WAYS) ? p : NULL;
}

/* Is one of the places chosen from a variable of the frame, and none computed from the choice? */
static bool is_of_frame(LLVMValueRef phi)
{
    bool any = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef base = address_base(LLVMGetIncomingValue(phi, i));
        if (base == phi || LLVMIsAPHINode(base)) return false;
        any = any || LLVMIsAAllocaInst(base);
    }
    return any;
}

/* The same place as that of the load, with what the phi takes from a way. */
static LLVMValueRef place_on_way(LLVMBuilderRef builder, LLVMValueRef load, LLVMValueRef phi, unsigned way)
{
    LLVMValueRef p = LLVMGetOperand(load, 0), base = LLVMIsASelectInst(phi) ? LLVMGetOperand(phi, way + 1)
                                                                            : LLVMGetIncomingValue(phi, way);
    if (p == phi) return base;
    LLVMValueRef place = LLVMInstructionClone(p);
    LLVMSetOperand(place, 0, base);
    LLVMInsertIntoBuilder(builder, place);
    return place;
}

/* Is nothing of this place written from the beginning of the block to the load? */
static bool is_quiet_until(LLVMValueRef load, LLVMValueRef place)
{
    for (LLVMValueRef i = LLVMGetPreviousInstruction(load); i; i = LLVMGetPreviousInstruction(i)) {
        if (may_write(i)) return false;
        if (LLVMIsAStoreInst(i) && !content_is_beside(i, place, LLVMTypeOf(load))) return false;
    }
    return true;
}

/* What was stored or loaded at a place, looked for backwards from an instruction of the block; NULL. */
static LLVMValueRef stored_before_at(LLVMValueRef i, LLVMBasicBlockRef block, LLVMValueRef place,
                                     LLVMTypeRef type)
{
    for (int depth = 0; depth < DEEPEST; depth++) {
        for (; i; i = LLVMGetPreviousInstruction(i)) {
            bool is_load = LLVMIsALoadInst(i) && is_simple(i) && LLVMTypeOf(i) == type;
            if (is_load && address_is_same(LLVMGetOperand(i, 0), place)) return i;
            if (may_write(i)) return NULL;
            if (!LLVMIsAStoreInst(i) || content_is_beside(i, place, type)) continue;
            bool is_it = is_simple(i) && address_is_same(LLVMGetOperand(i, 1), place) &&
                         LLVMTypeOf(LLVMGetOperand(i, 0)) == type;
            return is_it ? LLVMGetOperand(i, 0) : NULL;
        }
        block = content_predecessor(block);
        if (!block) break;
        i = LLVMGetLastInstruction(block);
    }
    return NULL;
}

static LLVMValueRef stored_before(LLVMBasicBlockRef block, LLVMValueRef place, LLVMTypeRef type)
{
    return stored_before_at(LLVMGetLastInstruction(block), block, place, type);
}

/* The edge of a block that parts gets a block of its own, whose phis would choose nothing. */
static void part_edge(LLVMContextRef context, LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
    joins_part(context, block, &from, 1);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef apart = LLVMGetSuccessor(end, i);
        LLVMValueRef next = LLVMGetBasicBlockTerminator(apart);
        if (LLVMGetNumSuccessors(next) != 1 || LLVMGetSuccessor(next, 0) != block) continue;
        for (LLVMValueRef phi; (phi = LLVMIsAPHINode(LLVMGetFirstInstruction(apart)));) {
            if (LLVMCountIncoming(phi) != 1) break;
            LLVMReplaceAllUsesWith(phi, LLVMGetIncomingValue(phi, 0));
            LLVMInstructionEraseFromParent(phi);
        }
    }
}

/* Each way into the block has a block of its own. */
static bool has_own_ways(LLVMContextRef context, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef from[MOST_WAYS];
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    unsigned n = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));
        from[i] = LLVMGetIncomingBlock(phi, i);
        if (!LLVMIsABranchInst(end)) return false;
        for (unsigned j = 0; j < i; j++)
            if (from[j] == from[i]) return false;
    }
    for (unsigned i = 0; i < n; i++)
        if (LLVMIsConditional(LLVMGetBasicBlockTerminator(from[i]))) part_edge(context, block, from[i]);
    return true;
}

/* Load on each way what the block loads at the place that these choose. */
static void load_on_ways(LLVMBuilderRef builder, LLVMValueRef load, LLVMValueRef phi)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMPositionBuilderBefore(builder, phi);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(load));
    LLVMValueRef whole = LLVMBuildPhi(builder, type, "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef place = place_on_way(builder, load, phi, i), value = stored_before(from, place, type);
        if (!value) value = LLVMBuildLoad2(builder, type, place, "");
        LLVMAddIncoming(whole, &value, &from, 1);
    }
    LLVMReplaceAllUsesWith(load, whole);
    LLVMInstructionEraseFromParent(load);
}

static bool can_be_loaded_on_ways(LLVMBuilderRef builder, LLVMValueRef load, LLVMValueRef phi)
{
    bool can_be = true;
    LLVMPositionBuilderBefore(builder, load);
    for (unsigned i = 0; can_be && i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef place = place_on_way(builder, load, phi, i);
        can_be = is_quiet_until(load, place);
        if (LLVMIsAInstruction(place) && !LLVMGetFirstUse(place)) LLVMInstructionEraseFromParent(place);
    }
    return can_be;
}

static bool part_load(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef phi = LLVMIsALoadInst(i) && is_simple(i) ? chosen_place(i) : NULL;
        if (!phi || !LLVMIsAPHINode(phi) || !is_of_frame(phi) || !can_be_loaded_on_ways(builder, i, phi))
            continue;
        if (!has_own_ways(context, block)) return false;
        load_on_ways(builder, i, chosen_place(i));
        return true;
    }
    return false;
}

/* ---- without a branch ---- */

/* Is the place in the frame, or is it written behind the load in any case? Then it may be read in any case.
 */
static bool may_be_read(LLVMValueRef load, LLVMValueRef place)
{
    if (LLVMIsAAllocaInst(address_base(place))) return true;
    for (LLVMValueRef i = load; i; i = LLVMGetNextInstruction(i)) {
        if (may_write(i)) return false;
        if (LLVMIsAStoreInst(i) && address_is_same(LLVMGetOperand(i, 1), place)) return true;
    }
    return false;
}

/* `*(c ? &mine : &m[k])` is c ? mine : m[k]. */
static void choose_content(LLVMBuilderRef builder, LLVMValueRef load)
{
    LLVMValueRef select = LLVMIsALoadInst(load) && is_simple(load) ? chosen_place(load) : NULL, values[2];
    if (!select || !LLVMIsASelectInst(select)) return;
    bool is_frame = LLVMIsAAllocaInst(address_base(LLVMGetOperand(select, 1))) ||
                    LLVMIsAAllocaInst(address_base(LLVMGetOperand(select, 2)));
    LLVMPositionBuilderBefore(builder, load);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(load));
    for (unsigned way = 0; way < 2; way++) {
        LLVMValueRef place = place_on_way(builder, load, select, way);
        if (!is_frame || !may_be_read(load, place)) return;
        values[way] = stored_before_at(LLVMGetPreviousInstruction(load), LLVMGetInstructionParent(load),
                                       place, LLVMTypeOf(load));
        if (!values[way]) values[way] = LLVMBuildLoad2(builder, LLVMTypeOf(load), place, "");
    }
    LLVMValueRef chosen = LLVMBuildSelect(builder, LLVMGetOperand(select, 0), values[0], values[1], "");
    LLVMReplaceAllUsesWith(load, chosen);
    LLVMInstructionEraseFromParent(load);
}

static void choose_contents(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        choose_content(builder, i);
    }
}

/* ---- what the word holds already ---- */

/* Is it what the word at the store's place holds at the end of the block? */
bool written_back_is_held(LLVMValueRef value, LLVMValueRef store, LLVMBasicBlockRef block)
{
    if (!LLVMIsALoadInst(value) || !address_is_same(LLVMGetOperand(value, 0), LLVMGetOperand(store, 1)))
        return false;
    for (int depth = 0; block && depth < DEEPEST; depth++, block = content_predecessor(block))
        for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
            if (i == value) return true;
            if (may_write(i)) return false;
            if (LLVMIsAStoreInst(i) && !content_is_beside(i, LLVMGetOperand(value, 0), LLVMTypeOf(value)))
                return false;
        }
    return false;
}

/* Nothing before the store in its block that reads the word; other words may be written. */
static bool comes_first(LLVMValueRef store)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    for (LLVMValueRef i = LLVMGetPreviousInstruction(store); i; i = LLVMGetPreviousInstruction(i)) {
        if (LLVMIsALoadInst(i) || may_write(i)) return false;
        if (LLVMIsAStoreInst(i) && !content_is_beside(i, LLVMGetOperand(store, 1), type)) return false;
    }
    return true;
}

static bool is_known_on_ways(LLVMValueRef pointer, LLVMBasicBlockRef block)
{
    if (LLVMIsAGetElementPtrInst(pointer) && LLVMGetInstructionParent(pointer) == block) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, i))) return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return !LLVMIsAInstruction(pointer) || LLVMGetInstructionParent(pointer) != block;
}

static LLVMValueRef pointer_on_way(LLVMBuilderRef builder, LLVMValueRef pointer, LLVMBasicBlockRef block)
{
    if (!LLVMIsAInstruction(pointer) || LLVMGetInstructionParent(pointer) != block) return pointer;
    LLVMValueRef copy = LLVMInstructionClone(pointer);
    LLVMInsertIntoBuilder(builder, copy);
    return copy;
}

static void store_on_ways(LLVMBuilderRef builder, LLVMValueRef store)
{
    LLVMValueRef phi = LLVMGetOperand(store, 0);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(store);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (written_back_is_held(LLVMGetIncomingValue(phi, i), store, from)) continue;
        LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef copy = LLVMInstructionClone(store);
        LLVMSetOperand(copy, 0, LLVMGetIncomingValue(phi, i));
        LLVMSetOperand(copy, 1, pointer_on_way(builder, LLVMGetOperand(store, 1), block));
        LLVMInsertIntoBuilder(builder, copy);
    }
    LLVMInstructionEraseFromParent(store);
}

/* Is what is stored on ways where the word is another one than before a place, or something else that was
 * chosen with one? */
static bool is_written_back(LLVMValueRef store, bool is_any)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(store);
    LLVMValueRef phi = LLVMGetOperand(store, 0);
    bool any = false;
    if (!is_simple(store) || !LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != block) return false;
    if (!is_known_on_ways(LLVMGetOperand(store, 1), block) || !comes_first(store)) return false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        bool is_own = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(from)) == 1,
             holds = written_back_is_held(LLVMGetIncomingValue(phi, i), store, from);
        if (!holds && (!is_own || !(is_any || kept_is_place(LLVMGetIncomingValue(phi, i))))) return false;
        any = any || holds;
    }
    return any;
}

static void part_stores(LLVMBuilderRef builder, LLVMBasicBlockRef block, bool is_any)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAStoreInst(i) && is_written_back(i, is_any)) store_on_ways(builder, i);
    }
}

/* What nobody asks for any more is not to be another reader of the word. */
static void drop_unused(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i && LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMGetFirstUse(i)) LLVMInstructionEraseFromParent(i);
    }
}

/* `*p = *p`. */
static void drop_held(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAStoreInst(i) || !is_simple(i)) continue;
        LLVMValueRef value = LLVMGetOperand(i, 0), j = LLVMGetPreviousInstruction(i);
        while (j && j != value && !may_write(j) &&
               !(LLVMIsAStoreInst(j) && !content_is_beside(j, LLVMGetOperand(i, 1), LLVMTypeOf(value))))
            j = LLVMGetPreviousInstruction(j);
        bool is_held_here = j && j == value && LLVMIsALoadInst(j) &&
                            address_is_same(LLVMGetOperand(j, 0), LLVMGetOperand(i, 1));
        if (is_held_here) LLVMInstructionEraseFromParent(i);
    }
}

/* What the block loads of the frame that was stored there before. */
static void take_stored(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsALoadInst(i) || !is_simple(i)) continue;
        LLVMValueRef value =
            stored_before_at(LLVMGetPreviousInstruction(i), block, LLVMGetOperand(i, 0), LLVMTypeOf(i));
        if (!value) continue;
        LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
    }
}

static void part_places(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        if (!place_ways_part(context, builder, b)) continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned way = 0; way < 2; way++) {
            take_stored(LLVMGetSuccessor(end, way));
            drop_held(LLVMGetSuccessor(end, way));
        }
    }
}

void written_back_part(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    part_places(context, builder, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        bool any = false;
        for (int i = 0; i < MOST_ROUNDS && part_load(context, builder, b); i++) any = true;
        choose_contents(builder, b);
        part_stores(builder, b, any);
        if (any) drop_unused(b);
    }
    LLVMDisposeBuilder(builder);
}
