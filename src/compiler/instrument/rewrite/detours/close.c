/*
 * What a detour comes to: where the ways meet, a phi of what the word holds, a store of it that the program
 * does not have, from which the word's label is taken, and, where the conditions count, a choice by all of
 * them, each carried there by phis, as false from where it was not asked (`if (a || b)`).
 */
#include <llvm-c/DebugInfo.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/detours/detour.h"
#include "compiler/instrument/rewrite/joins.h"
#include "compiler/instrument/rewrite/kept.h"

enum { MOST_DEPTH = 8 };

/* ---- addresses ---- */

static bool is_known_at(const struct function *f, LLVMValueRef value, int block)
{
    int i = node_of(f, value);
    if (i < 0 || f->nodes[i].position < 0) return !LLVMIsAInstruction(value) || i >= 0;
    return f->nodes[i].block == block || dominates(f, f->nodes[i].block, 0, block, 0);
}

/* What may be computed once more. */
static bool is_repeatable(LLVMValueRef value, bool loads)
{
    if (loads && LLVMIsALoadInst(value))
        return address_stands(value) ||
               (!LLVMGetVolatile(value) && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind);
    return LLVMIsAGetElementPtrInst(value) || LLVMIsACastInst(value) || LLVMIsABinaryOperator(value);
}

static bool is_known(const struct function *f, LLVMValueRef value, int block, bool loads, int depth)
{
    if (is_known_at(f, value, block)) return true;
    value = address_behind(value);
    if (!is_repeatable(value, loads) || depth == MOST_DEPTH) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!is_known(f, LLVMGetOperand(value, i), block, loads, depth + 1)) return false;
    return true;
}

bool detour_is_known_at_fork(const struct function *f, const struct detour *d)
{
    return is_known(f, d->pointer, d->fork, false, 0);
}

static LLVMValueRef pointer_behind(const struct detour *d)
{
    return d->pointer_before ? d->pointer_before : d->pointer;
}

bool detour_is_known_at_join(const struct function *f, const struct detour *d)
{
    return is_known(f, pointer_behind(d), d->join, !d->pointer_before && !d->is_unknown, 0);
}

/* The value where the builder stands, in the block. */
static LLVMValueRef again(const struct function *f, LLVMValueRef value, int block)
{
    if (is_known_at(f, value, block)) return value;
    value = address_behind(value);
    if (is_known_at(f, value, block)) return value;
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        LLVMSetOperand(copy, i, again(f, LLVMGetOperand(value, i), block));
    LLVMInsertIntoBuilder(f->module->builder, copy);
    return copy;
}

/* ---- places ---- */

static void begin_block(const struct function *f, int block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(f->blocks[block].ref);
    LLVMPositionBuilderBeforeInstrAndDbgRecords(f->module->builder, first);
    LLVMSetCurrentDebugLocation2(f->module->builder, NULL);
}

static void end_block(const struct function *f, int block)
{
    LLVMPositionBuilderBefore(f->module->builder, block_end(f, block));
    LLVMSetCurrentDebugLocation2(f->module->builder, NULL);
}

static void behind_phis(const struct function *f, int block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[block].ref);
    while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(f->module->builder, i);
    LLVMSetCurrentDebugLocation2(f->module->builder, NULL);
}

/* ---- values at the end of each way ---- */

struct carried {
    const struct function *f;
    const struct detour *d;
    LLVMValueRef at_end[MOST_WAYS];
    LLVMValueRef (*in)(const struct carried *c, int way); /* what the way itself says; NULL */
};

static LLVMValueRef carried_to_end(struct carried *c, int block);

static LLVMValueRef carried_to(struct carried *c, int block)
{
    const struct block *b = &c->f->blocks[block];
    LLVMValueRef values[MOST_WAYS] = {NULL};
    LLVMBasicBlockRef from[MOST_WAYS];
    bool alike = true;
    for (int i = 0; i < b->n_before; i++) {
        values[i] = carried_to_end(c, b->before[i]);
        from[i] = c->f->blocks[b->before[i]].ref;
        alike = alike && values[i] == values[0];
    }
    if (alike) return values[0];
    begin_block(c->f, block);
    LLVMValueRef phi = LLVMBuildPhi(c->f->module->builder, LLVMTypeOf(values[0]), "");
    LLVMAddIncoming(phi, values, from, (unsigned)b->n_before);
    return phi;
}

static LLVMValueRef carried_to_end(struct carried *c, int block)
{
    int way = detour_way(c->d, block);
    if (!c->at_end[way]) c->at_end[way] = c->in ? c->in(c, way) : NULL;
    if (!c->at_end[way]) c->at_end[way] = carried_to(c, block);
    return c->at_end[way];
}

/* ---- conditions ---- */

/* As a number that is true or false: of a switch, anything that is computed from what it asks for. */
static LLVMValueRef truth_at(const struct function *f, int block)
{
    LLVMValueRef end = block_end(f, block);
    if (!LLVMIsASwitchInst(end)) return LLVMGetCondition(end);
    LLVMValueRef asked = LLVMGetOperand(end, 0);
    end_block(f, block);
    return LLVMBuildICmp(f->module->builder, LLVMIntNE, asked, LLVMConstNull(LLVMTypeOf(asked)), "");
}

static LLVMValueRef condition_of_way(const struct function *f, const struct detour *d, int way)
{
    LLVMValueRef condition = truth_at(f, d->ways[way]);
    if (!way) return condition;
    struct carried carried = {.f = f, .d = d};
    carried.at_end[0] = LLVMConstInt(LLVMTypeOf(condition), 0, false);
    carried.at_end[way] = condition;
    return carried_to(&carried, d->join);
}

static LLVMValueRef whole_condition(const struct function *f, const struct detour *d)
{
    LLVMValueRef all[MOST_WAYS] = {NULL};
    int n = 0;
    for (int i = 0; i < d->n_ways; i++)
        if (detour_decides(f, d, d->ways[i])) all[n++] = condition_of_way(f, d, i);
    behind_phis(f, d->join);
    LLVMValueRef whole = all[0];
    for (int i = 1; i < n; i++) whole = LLVMBuildOr(f->module->builder, whole, all[i], "");
    return whole;
}

/* ---- the word ---- */

static LLVMValueRef held_in(const struct carried *c, int way)
{
    int word = way ? detour_word_in(c->f, c->d, c->d->ways[way]) : -1;
    return word < 0 ? NULL : detour_value_of(c->f, word);
}

/* What a load would say where the ways part. */
static LLVMValueRef load_before(const struct function *f, const struct detour *d)
{
    end_block(f, d->fork);
    LLVMValueRef pointer = again(f, d->pointer, d->fork);
    LLVMValueRef load = LLVMBuildLoad2(f->module->builder, LLVMTypeOf(d->held[0]), pointer, "");
    kept_shows(f->module->context, load);
    return load;
}

/* What the word holds where the ways meet; the optimiser may have it in a register already. */
static LLVMValueRef outcome(struct carried *c)
{
    const struct block *join = &c->f->blocks[c->d->join];
    for (int i = 0; i < join->n_before; i++) carried_to_end(c, join->before[i]);
    LLVMValueRef phi = LLVMGetFirstInstruction(join->ref);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        bool is_it = true;
        for (unsigned i = 0; is_it && i < LLVMCountIncoming(phi); i++) {
            int from = 0;
            while (c->f->blocks[join->before[from]].ref != LLVMGetIncomingBlock(phi, i)) from++;
            is_it = LLVMGetIncomingValue(phi, i) == carried_to_end(c, join->before[from]);
        }
        if (is_it) return phi;
    }
    return carried_to(c, c->d->join);
}

static LLVMValueRef ask(const struct function *f, const struct detour *d, LLVMValueRef word)
{
    LLVMValueRef condition = whole_condition(f, d);
    LLVMValueRef choice = LLVMBuildSelect(f->module->builder, condition, word, word, "");
    if (LLVMIsAInstruction(word) && LLVMGetInstructionParent(word) == f->blocks[d->join].ref) {
        LLVMReplaceAllUsesWith(word, choice);
        LLVMSetOperand(choice, 1, word);
        LLVMSetOperand(choice, 2, word);
    }
    kept_asks(f->module->context, choice);
    return choice;
}

static void put_word(const struct function *f, const struct detour *d)
{
    LLVMValueRef store = f->nodes[d->stores[0]].value;
    struct carried carried = {.f = f, .d = d, .in = held_in};
    carried.at_end[0] = d->is_unknown ? load_before(f, d) : d->before;
    LLVMValueRef word = outcome(&carried);
    if (d->is_asked) word = ask(f, d, word);
    behind_phis(f, d->join);
    if (LLVMIsASelectInst(word) && LLVMGetInstructionParent(word) == f->blocks[d->join].ref)
        LLVMPositionBuilderBefore(f->module->builder, LLVMGetNextInstruction(word));
    LLVMSetCurrentDebugLocation2(f->module->builder, LLVMInstructionGetDebugLoc(store));
    LLVMValueRef pointer = again(f, pointer_behind(d), d->join);
    LLVMValueRef shown = LLVMBuildStore(f->module->builder, word, pointer);
    for (int i = 0; i < d->n_stores; i++)
        kept_instead(f->module->context, f->nodes[d->stores[i]].value, shown);
}

bool detour_is_part(const struct function *f, const struct detour *d)
{
    return f->blocks[d->join].n_before != d->n_into;
}

void detour_close(const struct function *f, const struct detour *d)
{
    LLVMBasicBlockRef into[MOST_WAYS];
    if (!detour_is_part(f, d)) {
        put_word(f, d);
        return;
    }
    for (int i = 0; i < d->n_into; i++) into[i] = f->blocks[d->into[i]].ref;
    joins_part(f->module->context, f->blocks[d->join].ref, into, (unsigned)d->n_into);
}
