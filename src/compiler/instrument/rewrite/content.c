/*
 * A loop that compares with *p and stores to it may load *p once: what it holds later is known from the
 * stores, and goes around the loop in a phi. A reduction of the word would look like one of a register of
 * which copies are stored. The instrumenter puts the load back, which is the same number.
 */
#include "compiler/instrument/rewrite/content.h"

#include <llvm-c/Target.h>
#include <string.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/typed.h"
#include "compiler/instrument/rewrite/kept.h"
#include "compiler/instrument/unit/effects.h"
#include "compiler/instrument/unit/own.h"

enum { MOST_PHIS = 64, MOST_ENDS = 512, DEEPEST = 8 };

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

bool content_is_below(LLVMBasicBlockRef block, LLVMBasicBlockRef fork)
{
    for (int depth = 0; block && depth < DEEPEST; depth++, block = content_predecessor(block))
        if (block == fork) return true;
    return false;
}

static bool is_within(LLVMValueRef pointer)
{
    return LLVMIsAGetElementPtrInst(pointer) ||
           (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
}

struct place {
    LLVMValueRef base;
    long long offset_bytes;
};

static struct place place_of(LLVMValueRef pointer)
{
    struct place place = {.base = pointer};
    while (is_within(place.base) && LLVMGetNumOperands(place.base) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(place.base, 1))) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(place.base);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 8) break;
        place.offset_bytes += LLVMConstIntGetSExtValue(LLVMGetOperand(place.base, 1));
        place.base = LLVMGetOperand(place.base, 0);
    }
    return place;
}

static bool is_variable(LLVMValueRef base)
{
    return LLVMIsAGlobalVariable(base) || LLVMIsAAllocaInst(base);
}

bool content_is_beside(LLVMValueRef store, LLVMValueRef pointer, LLVMTypeRef type)
{
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(store)));
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    struct place put = place_of(LLVMGetOperand(store, 1)), word = place_of(pointer);
    long long put_bytes = (long long)LLVMStoreSizeOfType(layout, LLVMTypeOf(LLVMGetOperand(store, 0))),
              word_bytes = (long long)LLVMStoreSizeOfType(layout, type), apart_bytes;
    if (!address_is_apart(put.base, word.base, &apart_bytes)) {
        LLVMValueRef put_in = address_base(put.base), word_in = address_base(word.base);
        return put_in != word_in && is_variable(put_in) && is_variable(word_in);
    }
    apart_bytes += word.offset_bytes - put.offset_bytes; /* a[i].x and a[i].y are members of one structure */
    return apart_bytes >= put_bytes || -apart_bytes >= word_bytes;
}

struct content {
    LLVMValueRef store;                    /* an access to the word, or NULL */
    LLVMValueRef pointer, phis[MOST_PHIS]; /* phis that are, or are taken to be, what is at the pointer */
    int n_phis, n_ends;
    struct {
        LLVMValueRef value;
        LLVMBasicBlockRef block;
    } ends[MOST_ENDS]; /* where it was asked for, and holds unless all of this is in vain */
    bool for_labels;   /* stores by other pointers are to other words */
};

static bool is_phi_of_word(struct content *c, LLVMValueRef phi);

/* Calls that only compute or read, and notes for debuggers, write nothing. */
static bool may_write(LLVMValueRef instruction)
{
    if (LLVMIsAInvokeInst(instruction)) return true;
    if (!LLVMIsACallInst(instruction)) return LLVMGetInstructionOpcode(instruction) == LLVMFence;
    const char *name = intrinsic_name(instruction);
    if (name && strncmp(name, "llvm.dbg.", 9) == 0) return false;
    return !is_pure_call(instruction) && !is_reading_call(instruction);
}

enum answer { HOLDS, HOLDS_NOT, UNTOUCHED };

static bool clears(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef called = LLVMGetCalledValue(call);
    return !strncmp(LLVMGetValueName2(called, &length), "llvm.memset.", 12);
}

/* The word is one of those that the call sets to zero: memset, or calloc. */
static bool is_cleared(const struct content *c, LLVMValueRef i)
{
    size_t length;
    if (!LLVMIsACallInst(i)) return false;
    LLVMValueRef array = address_base(c->pointer);
    if (clears(i)) return LLVMIsNull(LLVMGetOperand(i, 1)) && address_base(LLVMGetOperand(i, 0)) == array;
    return i == array && !strcmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), "calloc");
}

/* As far as labels go: the last store of the word, or the call that cleared it, says. */
static enum answer look_for_labels(const struct content *c, LLVMValueRef value, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == c->pointer)
            return LLVMGetOperand(i, 0) == value ? HOLDS : HOLDS_NOT;
        if (i == value && LLVMIsALoadInst(i)) return LLVMGetOperand(i, 0) == c->pointer ? HOLDS : HOLDS_NOT;
        if (is_cleared(c, i)) return LLVMIsNull(value) ? HOLDS : HOLDS_NOT;
        bool is_quiet =
            LLVMIsACallInst(i) && (clears(i) || own_is_hook(i) || effects_spare(i, address_base(c->pointer)));
        if ((i == c->pointer && !is_within(i)) || (may_write(i) && !is_quiet)) return HOLDS_NOT;
    }
    return UNTOUCHED;
}

/* Backwards from an instruction: the last store, or load, of the word says. */
static enum answer look_back_from(const struct content *c, LLVMValueRef value, LLVMValueRef i)
{
    for (; i; i = LLVMGetPreviousInstruction(i)) {
        LLVMOpcode code = LLVMGetInstructionOpcode(i);
        bool is_store = code == LLVMStore, is_load = code == LLVMLoad && i == value;
        if (i == c->pointer || may_write(i) || code == LLVMAtomicRMW || code == LLVMAtomicCmpXchg)
            return HOLDS_NOT;
        if ((is_store || is_load) && LLVMGetVolatile(i)) return HOLDS_NOT;
        if (is_store && content_is_beside(i, c->pointer, LLVMTypeOf(value))) continue;
        if (is_store && (kept_is_shown(i) || (c->store && typed_apart(i, c->store)))) continue;
        if (is_store)
            return LLVMGetOperand(i, 1) == c->pointer && LLVMGetOperand(i, 0) == value ? HOLDS : HOLDS_NOT;
        if (is_load) return LLVMGetOperand(i, 0) == c->pointer ? HOLDS : HOLDS_NOT;
    }
    return UNTOUCHED;
}

static enum answer look_back(const struct content *c, LLVMValueRef value, LLVMBasicBlockRef block)
{
    return look_back_from(c, value, LLVMGetLastInstruction(block));
}

static bool holds_above(struct content *c, LLVMValueRef value, LLVMBasicBlockRef block);

static bool holds_at_end(struct content *c, LLVMValueRef value, LLVMBasicBlockRef block)
{
    for (int i = 0; i < c->n_ends; i++)
        if (c->ends[i].value == value && c->ends[i].block == block) return true;
    if (c->n_ends == MOST_ENDS) return false;
    c->ends[c->n_ends].value = value;
    c->ends[c->n_ends++].block = block;
    enum answer answer = c->for_labels ? look_for_labels(c, value, block) : look_back(c, value, block);
    if (answer != UNTOUCHED) return answer == HOLDS;
    if (LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == block)
        return is_phi_of_word(c, value);
    return holds_above(c, value, block);
}

/* On every way into the block. */
static bool holds_above(struct content *c, LLVMValueRef value, LLVMBasicBlockRef block)
{
    bool holds = false;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; use; use = LLVMGetNextUse(use)) {
        if (!LLVMIsATerminatorInst(LLVMGetUser(use))) continue;
        holds = holds_at_end(c, value, LLVMGetInstructionParent(LLVMGetUser(use)));
        if (!holds) break;
    }
    return holds;
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

bool content_is_word(LLVMValueRef value, LLVMValueRef store, LLVMBasicBlockRef block)
{
    struct content content = {.store = store, .pointer = LLVMGetOperand(store, 1)};
    return holds_at_end(&content, value, block);
}

bool content_is_phi(LLVMValueRef pointer, LLVMValueRef phi)
{
    struct content content = {.pointer = pointer, .for_labels = true};
    return is_phi_of_word(&content, phi);
}

/* Is the value what some store puts at the pointer? */
static bool is_put_there(const struct content *c, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
            LLVMGetOperand(user, 1) == c->pointer)
            return true;
    }
    return false;
}

/* What a word holds where a loop is left: the word says it there, too. */
static bool is_behind_loop(LLVMValueRef phi)
{
    return LLVMIsAPHINode(phi) && LLVMCountIncoming(phi) == 1;
}

/* Nobody uses the phi in the loop, or those that it goes on in, but the instruction and others of which the
 * word gets what they compute: `if (c) *s += x; if (d) *s += y;`. */
static bool is_for(const struct content *c, LLVMValueRef phi, LLVMValueRef instruction, LLVMValueRef stored)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool goes_on = user == instruction || is_behind_loop(user) || is_put_there(c, user);
        for (int i = 0; i < c->n_phis && !goes_on; i++) goes_on = c->phis[i] == user;
        if (!goes_on) return false;
    }
    return instruction != phi && stored != phi;
}

bool content_goes_through(LLVMValueRef store, LLVMValueRef phi, LLVMValueRef adds)
{
    struct content content = {.pointer = LLVMGetOperand(store, 1), .for_labels = true};
    LLVMValueRef stored = LLVMGetOperand(store, 0);
    if (!is_phi_of_word(&content, phi)) return false;
    for (int i = 0; i < content.n_phis; i++)
        if (!is_for(&content, content.phis[i], adds, stored)) return false;
    for (LLVMValueRef i = LLVMGetPreviousInstruction(store); i; i = LLVMGetPreviousInstruction(i))
        if ((LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == content.pointer) ||
            (may_write(i) && !own_is_hook(i)))
            return false;
    return holds_above(&content, phi, LLVMGetInstructionParent(store));
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

static LLVMValueRef load_again(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMTypeRef type,
                               LLVMValueRef pointer)
{
    LLVMPositionBuilderBefore(builder, first_after_phis(block));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    return LLVMBuildLoad2(builder, type, pointer, "");
}

/* A phi, none of those already known, that goes on with the value and is what is at the pointer; NULL. */
static LLVMValueRef find_next(const struct content *known, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        struct content content = {.store = known->store, .pointer = known->pointer};
        bool is_known = !LLVMIsAPHINode(user);
        for (int i = 0; i < known->n_phis; i++) is_known = is_known || known->phis[i] == user;
        if (is_known || LLVMIsALandingPadInst(first_after_phis(LLVMGetInstructionParent(user)))) continue;
        if (is_phi_of_word(&content, user)) return user;
    }
    return NULL;
}

/* Behind the loop, too, whoever reads the word reads it. */
static void reload_behind(LLVMBuilderRef builder, const struct content *known, LLVMValueRef value)
{
    for (LLVMValueRef phi; (phi = find_next(known, value)) != NULL;) {
        LLVMValueRef load =
            load_again(builder, LLVMGetInstructionParent(phi), LLVMTypeOf(phi), known->pointer);
        LLVMReplaceAllUsesWith(phi, load);
        LLVMInstructionEraseFromParent(phi);
        reload_behind(builder, known, load);
    }
}

/* `m[i] = x; if (y < m[i]) m[i] = y;`: the comparison is with x, which has been put there. */
static bool reload_put(LLVMBuilderRef builder, LLVMValueRef compare, LLVMValueRef choice, LLVMValueRef store,
                       unsigned side)
{
    LLVMValueRef value = LLVMGetOperand(compare, side), pointer = LLVMGetOperand(store, 1);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(compare);
    struct content content = {.store = store, .pointer = pointer};
    bool is_load = LLVMIsALoadInst(value) && LLVMGetOperand(value, 0) == pointer;
    if (!LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || is_load) return false;
    if (LLVMGetOperand(compare, 1 - side) != LLVMGetOperand(store, 0)) return false;
    enum answer answer = look_back_from(&content, value, LLVMGetPreviousInstruction(compare));
    if (answer == HOLDS_NOT) return false;
    if (answer == UNTOUCHED &&
        (LLVMGetInstructionParent(value) == block || !holds_above(&content, value, block)))
        return false;
    LLVMPositionBuilderBefore(builder, compare);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef load = LLVMBuildLoad2(builder, LLVMTypeOf(value), pointer, "");
    replace(compare, value, load);
    replace(choice, value, load);
    return true;
}

void content_reload(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef compare,
                    LLVMValueRef choice, LLVMValueRef store)
{
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    for (unsigned i = 0; i < 2; i++)
        if (reload_put(builder, compare, choice, store, i)) return;
    if (!is_known_before(store, block)) return;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef phi = LLVMGetOperand(compare, i);
        struct content content = {.store = store, .pointer = pointer};
        if (!LLVMIsAPHINode(phi) || !is_phi_of_word(&content, phi)) continue;
        if (LLVMGetInstructionParent(phi) != block && !holds_above(&content, phi, block)) continue;
        for (int j = 0; j < content.n_phis; j++) reload_behind(builder, &content, content.phis[j]);
        LLVMValueRef load = load_again(builder, block, LLVMTypeOf(phi), pointer);
        replace(compare, phi, load);
        replace(choice, phi, load);
        return;
    }
}
