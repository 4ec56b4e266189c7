/*
 * `if (d < best) { best = d; nearest[i] = j; }` is a reduction as it is where a register holds the place and
 * nearest[i] is written behind the loop. The optimiser must not turn one into the other, since nearest[i] may
 * never be written; of the stores in the loop only those would be seen that happen to be executed, each of a
 * number that comes from nowhere. So a register is made that the label of the word is taken from behind the
 * loop. The program's own stores stay, and nothing is stored there in truth.
 */
#include "compiler/instrument/rewrite/kept.h"

#include <stdlib.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/mark.h"
#include "compiler/instrument/rewrite/content.h"

enum { MOST_KEPT = 64, MOST_STEPS = 16 };

static const char hidden[] = "parcast.hidden", shown[] = "parcast.shown", asked[] = "parcast.asked",
                  bare[] = "parcast.bare";

bool kept_is_hidden(LLVMValueRef store)
{
    return mark_of(store, hidden) >= 0;
}

void kept_hides(LLVMContextRef context, LLVMValueRef store)
{
    mark_put(context, store, hidden, 0);
}

void kept_instead(LLVMContextRef context, LLVMValueRef hidden_store, LLVMValueRef shown_store)
{
    kept_hides(context, hidden_store);
    mark_put(context, shown_store, shown, 0);
}

/* Constants, counters of loops, and what is computed from them alone; not what the word at the pointer holds.
 */
struct steps {
    LLVMValueRef pointer, seen[MOST_STEPS];
    int n;
};

static bool is_place(struct steps *s, LLVMValueRef value)
{
    if (LLVMIsAConstantInt(value) || LLVMIsAConstantFP(value)) return true;
    if (!LLVMIsAInstruction(value)) return false;
    for (int i = 0; i < s->n; i++)
        if (s->seen[i] == value) return true;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    bool computes = op == LLVMPHI || (op >= LLVMAdd && op <= LLVMXor) || (op >= LLVMTrunc && op <= LLVMSExt);
    if (!computes || s->n == MOST_STEPS || (op == LLVMPHI && s->pointer && content_is_phi(s->pointer, value)))
        return false;
    s->seen[s->n++] = value;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!is_place(s, LLVMGetOperand(value, i))) return false;
    return true;
}

bool kept_is_place(LLVMValueRef value)
{
    struct steps steps = {.pointer = NULL};
    return is_place(&steps, value);
}

/* The store, where the ways around it part and meet again, where the loop comes back, its last block and the
 * one behind it. */
struct keeping {
    int store, loop, from, join, latch, last, behind;
    LLVMValueRef pointer;
};

static bool passes(const struct function *f, const struct keeping *k, int block)
{
    return block == k->join || dominates(f, k->join, 0, block, 0);
}

/* One way back and one way out of the loop, both behind the place where the ways around the store meet. */
static bool find_ways(const struct function *f, struct keeping *k)
{
    const struct loop *loop = &f->loops[k->loop];
    k->latch = k->last = k->behind = -1;
    for (int b = 0; b < f->n_blocks; b++) {
        if (!loop->holds[b]) continue;
        LLVMValueRef end = block_end(f, b);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            int to = block_at(f, LLVMGetSuccessor(end, i));
            if (loop->holds[to] && to != loop->header) continue;
            int *way = to == loop->header ? &k->latch : &k->last;
            if (*way >= 0 || !passes(f, k, b)) return false;
            *way = b;
            if (to != loop->header) k->behind = to;
        }
    }
    return k->latch >= 0 && k->last >= 0 && f->blocks[k->behind].n_before == 1;
}

/* Is it computed of what the loop has found so far? Places in memory are not looked into. */
static bool is_of_register(const struct function *f, LLVMValueRef value, int depth)
{
    int i = node_of(f, value);
    if (i < 0 || f->nodes[i].position < 0 || LLVMIsALoadInst(value)) return false;
    if (LLVMIsAPHINode(value) || depth == MOST_STEPS) return true;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(value); j++)
        if (is_of_register(f, LLVMGetOperand(value, j), depth + 1)) return true;
    return false;
}

/* Do only words that are read in the turn, a mask say, decide whether the way parts from the others? */
static bool is_guarded_by_words(const struct function *f, int block, int dominator)
{
    for (; block != dominator; block = f->blocks[block].dominator) {
        LLVMValueRef end = block_end(f, f->blocks[block].dominator);
        if (!LLVMIsABranchInst(end) ||
            (LLVMIsConditional(end) && is_of_register(f, LLVMGetCondition(end), 0)))
            return false;
    }
    return true;
}

/* The store's block is a detour: entered from one block of the loop, behind a guard or not, left for one that
 * every turn passes. */
static bool find_detour(const struct function *f, struct keeping *k)
{
    int block = f->nodes[k->store].block;
    LLVMValueRef end = block_end(f, block);
    k->loop = f->blocks[block].loop;
    if (k->loop < 0 || f->blocks[block].n_before != 1) return false;
    k->from = f->blocks[block].before[0];
    LLVMValueRef fork = block_end(f, k->from);
    if (!loop_holds(f, k->loop, k->from) || !LLVMIsABranchInst(fork) || !LLVMIsConditional(fork))
        return false;
    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) return false;
    k->join = block_at(f, LLVMGetSuccessor(end, 0));
    int parting = f->blocks[k->join].dominator;
    return k->join != f->loops[k->loop].header && f->blocks[k->join].loop == k->loop &&
           (parting == k->from || dominates(f, parting, 0, k->from, 0)) &&
           is_guarded_by_words(f, k->from, parting) && find_ways(f, k);
}

/* Nothing else in the loop has to do with this very word. */
static bool is_alone(const struct function *f, const struct keeping *k)
{
    int made = node_of(f, k->pointer);
    if (made >= 0 && f->nodes[made].position >= 0 && loop_holds(f, k->loop, f->nodes[made].block))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(k->pointer); use; use = LLVMGetNextUse(use)) {
        int user = node_of(f, LLVMGetUser(use));
        if (user >= 0 && user != k->store && loop_holds(f, k->loop, f->nodes[user].block)) return false;
    }
    return true;
}

static bool find_keeping(const struct function *f, int i, struct keeping *k)
{
    LLVMValueRef store = f->nodes[i].value;
    if (!is_store(&f->nodes[i]) || f->blocks[f->nodes[i].block].order < 0) return false;
    if (LLVMGetVolatile(store) || LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic) return false;
    *k = (struct keeping){.store = i, .pointer = LLVMGetOperand(store, 1)};
    LLVMValueRef value = LLVMGetOperand(store, 0);
    struct steps steps = {.pointer = k->pointer};
    bool may_be = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind || LLVMIsAConstantFP(value);
    return may_be && find_detour(f, k) && is_alone(f, k) && is_place(&steps, value);
}

static LLVMValueRef phi_at(const struct function *f, LLVMBasicBlockRef block, LLVMTypeRef type)
{
    LLVMPositionBuilderBeforeInstrAndDbgRecords(f->module->builder, LLVMGetFirstInstruction(block));
    LLVMSetCurrentDebugLocation2(f->module->builder, NULL);
    return LLVMBuildPhi(f->module->builder, type, "");
}

static void add_incomings(const struct function *f, LLVMValueRef phi, int block, int one, LLVMValueRef value,
                          LLVMValueRef others)
{
    for (int i = 0; i < f->blocks[block].n_before; i++) {
        int from = f->blocks[block].before[i];
        LLVMAddIncoming(phi, from == one ? &value : &others, &f->blocks[from].ref, 1);
    }
}

/* The optimiser may have made the register: what the word holds is used behind the loop without a load. Of
 * two registers each would be a sum. */
static LLVMValueRef find_register(const struct function *f, const struct keeping *k, LLVMTypeRef type)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(f->blocks[k->join].ref);
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        if (LLVMTypeOf(phi) == type && content_is_phi(k->pointer, phi)) return phi;
    return NULL;
}

static LLVMValueRef make_register(const struct function *f, const struct keeping *k, LLVMValueRef value)
{
    int header = f->loops[k->loop].header;
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef before = phi_at(f, f->blocks[header].ref, type),
                 after = phi_at(f, f->blocks[k->join].ref, type);
    add_incomings(f, after, k->join, f->nodes[k->store].block, value, before);
    add_incomings(f, before, header, k->latch, after, LLVMConstNull(type));
    return after;
}

/* The phi of the register behind the loop, of which there is one where it is used there. */
static LLVMValueRef result_of(const struct function *f, const struct keeping *k, LLVMValueRef after)
{
    LLVMBasicBlockRef behind = f->blocks[k->behind].ref;
    LLVMValueRef phi = LLVMGetFirstInstruction(behind);
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        if (LLVMGetIncomingValue(phi, 0) == after) return phi;
    phi = phi_at(f, behind, LLVMTypeOf(after));
    LLVMAddIncoming(phi, &after, &f->blocks[k->last].ref, 1);
    return phi;
}

static void keep_word(const struct function *f, const struct keeping *k)
{
    LLVMBuilderRef builder = f->module->builder;
    LLVMValueRef store = f->nodes[k->store].value, value = LLVMGetOperand(store, 0);
    LLVMValueRef after = find_register(f, k, LLVMTypeOf(value));
    if (!after) after = make_register(f, k, value);
    LLVMValueRef result = result_of(f, k, after), next = result;
    while (LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
    LLVMPositionBuilderBefore(builder, next);
    kept_instead(f->module->context, store, LLVMBuildStore(builder, result, k->pointer));
}

/* Each has phis of its own, which the next one is to see. */
static bool keep_first(struct module_state *module, LLVMValueRef function)
{
    struct function f = {.ref = function, .module = module};
    struct keeping k;
    bool found = false;
    function_number(&f);
    function_blocks(&f);
    for (int i = 0; i < f.n_nodes && !found; i++) found = find_keeping(&f, i, &k);
    if (found) keep_word(&f, &k);
    function_free(&f);
    return found;
}

void kept_words(struct module_state *module, LLVMValueRef function)
{
    for (int i = 0; i < MOST_KEPT && keep_first(module, function); i++) {
    }
}

void kept_shows(LLVMContextRef context, LLVMValueRef load)
{
    mark_put(context, load, shown, 0);
}

bool kept_is_shown(LLVMValueRef access)
{
    return mark_of(access, shown) >= 0;
}

void kept_asks(LLVMContextRef context, LLVMValueRef choice)
{
    mark_put(context, choice, asked, 0);
}

bool kept_is_asked(LLVMValueRef choice)
{
    return mark_of(choice, asked) >= 0;
}

void kept_asks_anywhere(LLVMContextRef context, LLVMValueRef choice)
{
    mark_put(context, choice, asked, 1);
}

bool kept_is_asked_anywhere(LLVMValueRef choice)
{
    return mark_of(choice, asked) == 1;
}

void kept_bares(LLVMContextRef context, LLVMValueRef value)
{
    mark_put(context, value, bare, 0);
}

bool kept_is_bare(LLVMValueRef value)
{
    return LLVMIsAFreezeInst(value) && mark_of(value, bare) >= 0;
}

static void forget(LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction))
        LLVMReplaceAllUsesWith(instruction, LLVMGetUndef(LLVMTypeOf(instruction)));
    LLVMInstructionEraseFromParent(instruction);
}

void kept_forget(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (mark_of(i, shown) >= 0) forget(i);
        }
}
