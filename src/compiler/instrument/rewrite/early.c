/*
 * `for (..) if (a[i] == key) { found = i; break; }` finds what `if (found < 0 && a[i] == key) found = i`
 * does: it comes of all that was compared. So what is found goes around the loop in a register that each turn
 * chooses anew, `found = a[i] == key ? i : found`, and is the same number where the loop is left.
 */
#include "compiler/instrument/rewrite/early.h"

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/kept.h"

enum { MOST_EXITS = 8, MOST_ROUNDS = 64, MOST_STEPS = 4 };

/* The ways out of a loop in the order of a turn, which passes them all; what a phi behind the loop, or one
 * that it goes on from, is behind each. */
struct search {
    int loop, latch, n_exits, exits[MOST_EXITS];
    bool is_early[MOST_EXITS]; /* data decide */
    LLVMValueRef found[MOST_EXITS], phis[MOST_EXITS];
    unsigned ways[MOST_EXITS]; /* of these phis */
    int n_found;
    bool is_truth; /* what was found is whether it was */
};

static bool has_inner(const struct function *f, int loop)
{
    for (int l = 0; l < f->n_loops; l++)
        if (f->loops[l].outer == loop) return true;
    return false;
}

static bool is_known_before(const struct function *f, LLVMValueRef value, int block)
{
    int i = node_of(f, value);
    return i < 0 || f->nodes[i].position < 0 ||
           (f->nodes[i].block != block && dominates(f, f->nodes[i].block, 0, block, 0));
}

/* A counter of the loop, from wherever it counts, or a place that it leads to; `counts`: it is one. */
static bool is_counted(const struct function *f, int loop, LLVMValueRef value, bool *counts, int depth)
{
    int i = node_of(f, value);
    if (is_known_before(f, value, f->loops[loop].header)) return true;
    if (depth == MOST_STEPS || !loop_holds(f, loop, f->nodes[i].block)) return false;
    if (LLVMIsAPHINode(value)) {
        if (f->nodes[i].block != f->loops[loop].header) return false;
        for (unsigned j = 0; j < LLVMCountIncoming(value); j++) {
            LLVMValueRef in = LLVMGetIncomingValue(value, j);
            bool steps = (LLVMIsABinaryOperator(in) || LLVMIsAGetElementPtrInst(in)) &&
                         LLVMGetOperand(in, 0) == value && LLVMIsAConstant(LLVMGetOperand(in, 1));
            if (!steps && !is_known_before(f, in, f->loops[loop].header)) return false;
        }
        return *counts = true;
    }
    if (!LLVMIsABinaryOperator(value) && !LLVMIsACastInst(value) && !LLVMIsAGetElementPtrInst(value))
        return false;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(value); j++)
        if (!is_counted(f, loop, LLVMGetOperand(value, j), counts, depth + 1)) return false;
    return true;
}

/* What was known before, stands in a variable, or is computed of such: `grid->n - 1`. */
static bool is_bound(const struct function *f, int loop, LLVMValueRef value, int depth)
{
    if (is_known_before(f, value, f->loops[loop].header)) return true;
    bool goes_on = LLVMIsACastInst(value) || LLVMIsALoadInst(value) || LLVMIsABinaryOperator(value) ||
                   LLVMIsAGetElementPtrInst(value);
    if (!goes_on || depth == MOST_STEPS) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!is_bound(f, loop, LLVMGetOperand(value, i), depth + 1)) return false;
    return true;
}

/* Does the loop count to a number, which may be loaded in each turn? */
static bool counts_to(const struct function *f, int loop, LLVMValueRef condition)
{
    for (unsigned i = 0; LLVMIsAICmpInst(condition) && i < 2; i++) {
        bool counts = false;
        if (is_counted(f, loop, LLVMGetOperand(condition, i), &counts, 0) && counts &&
            is_bound(f, loop, LLVMGetOperand(condition, 1 - i), 0))
            return true;
    }
    return false;
}

/* Are real numbers compared that carry labels? */
static bool compares_numbers(const struct function *f, int loop, LLVMValueRef condition, int depth)
{
    int i = node_of(f, condition);
    if (i < 0 || !f->nodes[i].carries || depth == MOST_STEPS || !loop_holds(f, loop, f->nodes[i].block))
        return false;
    if (LLVMIsAFCmpInst(condition)) return true;
    bool any = false;
    for (unsigned j = 0; fold_of(condition, 0) >= FOLD_AND && j < (unsigned)LLVMGetNumOperands(condition);
         j++)
        any = any || compares_numbers(f, loop, LLVMGetOperand(condition, j), depth + 1);
    return any;
}

/* Data decide: what is read in the loop, or real numbers. How far a loop counts may carry a label, too. */
static bool is_asked(const struct function *f, int loop, LLVMValueRef condition)
{
    if (counts_to(f, loop, condition)) return false;
    return flow_is_read(f, loop, condition) || compares_numbers(f, loop, condition, 0);
}

static bool add_exit(const struct function *f, struct search *s, int block)
{
    LLVMValueRef end = block_end(f, block);
    if (s->n_exits == MOST_EXITS || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return false;
    int at = s->n_exits++;
    for (; at && f->blocks[s->exits[at - 1]].order > f->blocks[block].order; at--) {
        s->exits[at] = s->exits[at - 1];
        s->is_early[at] = s->is_early[at - 1];
    }
    s->exits[at] = block;
    s->is_early[at] = is_asked(f, s->loop, LLVMGetCondition(end));
    return true;
}

static bool find_exits(const struct function *f, int l, struct search *s)
{
    const struct loop *loop = &f->loops[l];
    *s = (struct search){.loop = l, .latch = -1};
    for (int b = 0; b < f->n_blocks; b++) {
        if (!loop->holds[b] || f->blocks[b].order < 0) continue;
        LLVMValueRef end = block_end(f, b);
        bool leaves = false;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            int to = block_at(f, LLVMGetSuccessor(end, i));
            leaves = leaves || !loop->holds[to];
            if (to == loop->header && s->latch >= 0) return false;
            if (to == loop->header) s->latch = b;
        }
        if (leaves && !add_exit(f, s, b)) return false;
    }
    bool any = false;
    for (int i = 0; i < s->n_exits; i++) {
        if (s->exits[i] != s->latch && !dominates(f, s->exits[i], 0, s->latch, 0)) return false;
        any = any || s->is_early[i];
    }
    return any;
}

/* Which way out of the loop alone leads to the end of a block; -1. */
static int exit_to(const struct function *f, const struct search *s, int block)
{
    for (int step = 0; step < MOST_STEPS && !loop_holds(f, s->loop, block); step++) {
        if (f->blocks[block].n_before != 1) return -1;
        block = f->blocks[block].before[0];
    }
    for (int i = 0; i < s->n_exits; i++)
        if (s->exits[i] == block) return i;
    return -1;
}

static LLVMValueRef behind_phis(LLVMValueRef value)
{
    while (LLVMIsAPHINode(value) && LLVMCountIncoming(value) == 1) value = LLVMGetIncomingValue(value, 0);
    return value;
}

static bool is_known_in(const struct function *f, LLVMValueRef value, int block)
{
    int i = node_of(f, value);
    return is_known_before(f, value, block) || f->nodes[i].block == block;
}

/* What stands there when the loop is left. */
static bool is_read_there(const struct function *f, const struct search *s, LLVMValueRef value)
{
    int i = node_of(f, value);
    return i >= 0 && is_load(&f->nodes[i]) && f->nodes[i].kind == NODE_LEAF && !LLVMGetVolatile(value) &&
           LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind &&
           loop_holds(f, s->loop, f->nodes[i].block);
}

/* A number or a pointer that says where, or whether. */
static bool may_be_found(const struct function *f, const struct search *s, int exit, LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    bool counts = false;
    if (!is_known_in(f, value, s->exits[exit])) return false;
    if (is_read_there(f, s, value)) return true;
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind && !LLVMIsAConstantFP(value)) return false;
    return (kept_is_place(value) || (is_counted(f, s->loop, value, &counts, 0) && counts));
}

/* What a truth value is where a condition is true, or is not: 1, 0; -1 where that does not say. */
static int known_truth(LLVMValueRef condition, bool holds, LLVMValueRef value, int depth)
{
    if (condition == value) return holds;
    if (!LLVMIsAInstruction(condition) || depth == MOST_STEPS) return -1;
    LLVMOpcode op = LLVMGetInstructionOpcode(condition);
    if (op == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(condition, 1)))
        return known_truth(LLVMGetOperand(condition, 0), !holds, value, depth + 1);
    enum fold_op own = op == LLVMSelect || op == LLVMAnd || op == LLVMOr ? fold_of(condition, 0) : FOLD_NONE;
    if (own != (holds ? FOLD_AND : FOLD_OR)) return -1; /* all operands are as the whole is */
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(condition); i++) {
        LLVMValueRef operand = LLVMGetOperand(condition, i);
        int known = LLVMIsAConstant(operand) ? -1 : known_truth(operand, holds, value, depth + 1);
        if (known >= 0) return known;
    }
    return -1;
}

static bool leaves_when_true(const struct function *f, const struct search *s, LLVMValueRef end)
{
    return !loop_holds(f, s->loop, block_at(f, LLVMGetSuccessor(end, 0)));
}

/* What the loop goes on with as long as it is this: false, or true; -1. */
static int goes_on_with(const struct function *f, const struct search *s, int exit, LLVMValueRef value)
{
    LLVMValueRef end = block_end(f, s->exits[exit]);
    int i = node_of(f, value);
    bool is_truth = LLVMTypeOf(value) == LLVMTypeOf(LLVMGetCondition(end));
    if (!is_truth || i < 0 || !f->nodes[i].carries || !loop_holds(f, s->loop, f->nodes[i].block)) return -1;
    return known_truth(LLVMGetCondition(end), !leaves_when_true(f, s, end), value, 0);
}

/* Does each turn that is not the last one end with the same value, in all ways out that it is found by? */
static bool is_truth_found(const struct function *f, const struct search *s)
{
    int known = -1;
    for (int i = 0; i < s->n_exits; i++) {
        if (!s->found[i]) continue;
        if (LLVMIsAConstant(s->found[i])) return false;
        int own = goes_on_with(f, s, i, s->found[i]);
        if (own < 0 || (known >= 0 && own != known)) return false;
        known = own;
    }
    return known >= 0;
}

/* Does it only say which way control goes? */
static bool only_leads(LLVMValueRef phi, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsATerminatorInst(user) && !LLVMIsAReturnInst(user)) continue;
        if (!LLVMIsAPHINode(user) || depth == MOST_STEPS || !only_leads(user, depth + 1)) return false;
    }
    return true;
}

/* False where there are two numbers for one way out. */
static bool add_ways(const struct function *f, LLVMValueRef phi, struct search *s, int depth)
{
    for (unsigned j = 0; j < LLVMCountIncoming(phi); j++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, j);
        int exit = exit_to(f, s, block_at(f, LLVMGetIncomingBlock(phi, j))), own = node_of(f, in);
        bool goes_on = exit < 0 && LLVMIsAPHINode(in) && own >= 0 &&
                       !loop_holds(f, s->loop, f->nodes[own].block) &&
                       !is_loop_header(f, f->nodes[own].block);
        if (goes_on && (depth == MOST_EXITS || !add_ways(f, in, s, depth + 1))) return false;
        if (exit < 0) continue;
        if (s->found[exit]) return false;
        s->found[exit] = behind_phis(in);
        s->phis[exit] = phi;
        s->ways[exit] = j;
        s->n_found++;
    }
    return true;
}

/* Not the same number whichever way the loop is left, where ways meet. */
static bool differ(const struct search *s)
{
    LLVMValueRef first = NULL;
    for (int i = 0; i < s->n_exits; i++) {
        if (!s->found[i]) continue;
        if (first && (first != s->found[i] || !LLVMIsAConstant(first))) return true;
        first = s->found[i];
    }
    return false;
}

static bool find_phi(const struct function *f, int phi, bool joined, struct search *s)
{
    bool any = false, all = true;
    s->n_found = 0;
    for (int i = 0; i < s->n_exits; i++) s->found[i] = NULL;
    if (!add_ways(f, f->nodes[phi].value, s, 0)) return false;
    for (int i = 0; i < s->n_exits; i++) {
        if (!s->found[i] || !s->is_early[i]) continue;
        all = all && may_be_found(f, s, i, s->found[i]);
        any = true;
    }
    s->is_truth = any && is_truth_found(f, s);
    return any && (s->is_truth || (all && (!joined || differ(s)))) && !only_leads(f->nodes[phi].value, 0);
}

/* Whoever else takes what was found behind this way out takes it from the register. */
static void take_from(const struct function *f, const struct search *s, int exit, LLVMValueRef now)
{
    LLVMValueRef found = s->found[exit], way = LLVMGetIncomingValue(s->phis[exit], s->ways[exit]);
    if (way == found) LLVMSetOperand(s->phis[exit], s->ways[exit], now); /* or by a phi of one way */
    for (LLVMUseRef use = LLVMGetFirstUse(found), next; use && !LLVMIsAConstant(found); use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        int i = node_of(f, user);
        next = LLVMGetNextUse(use);
        bool is_behind = LLVMIsAPHINode(user) && LLVMCountIncoming(user) == 1 && i >= 0 &&
                         !loop_holds(f, s->loop, f->nodes[i].block);
        if (is_behind && exit_to(f, s, block_at(f, LLVMGetIncomingBlock(user, 0))) == exit)
            LLVMSetOperand(user, 0, now);
    }
}

static LLVMValueRef begin_block(const struct function *f, int block, LLVMTypeRef type)
{
    LLVMBuilderRef builder = f->module->builder;
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, LLVMGetFirstInstruction(f->blocks[block].ref));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    return LLVMBuildPhi(builder, type, "");
}

static void go_round(const struct function *f, const struct search *s, LLVMValueRef before, LLVMValueRef now,
                     LLVMValueRef none)
{
    const struct block *header = &f->blocks[f->loops[s->loop].header];
    for (int i = 0; i < header->n_before; i++) {
        int from = header->before[i];
        LLVMAddIncoming(before, from == s->latch ? &now : &none, &f->blocks[from].ref, 1);
    }
}

/* Whether it was found is what any turn, or all of them, said. */
static void put_truth(const struct function *f, int phi, const struct search *s)
{
    LLVMBuilderRef builder = f->module->builder;
    LLVMTypeRef type = LLVMTypeOf(f->nodes[phi].value);
    LLVMValueRef before = begin_block(f, f->loops[s->loop].header, type), now = before, none = NULL;
    for (int i = 0; i < s->n_exits; i++) {
        if (!s->found[i]) continue;
        none = LLVMConstInt(type, (unsigned)goes_on_with(f, s, i, s->found[i]), false);
        bool all = LLVMConstIntGetZExtValue(none);
        LLVMPositionBuilderBefore(builder, block_end(f, s->exits[i]));
        now = LLVMBuildSelect(builder, s->found[i], all ? now : LLVMConstInt(type, 1, false),
                              all ? LLVMConstNull(type) : now, "");
        take_from(f, s, i, now);
    }
    go_round(f, s, before, now, none);
}

/* A counter that a size, say, gives a label is chosen for what the condition asked only. */
static LLVMValueRef without_label(const struct function *f, LLVMValueRef found)
{
    int i = node_of(f, found);
    if (i < 0 || !f->nodes[i].carries || is_load(&f->nodes[i])) return found;
    LLVMValueRef bare = LLVMBuildFreeze(f->module->builder, found, "");
    kept_bares(f->module->context, bare);
    return bare;
}

static LLVMValueRef found_in_vain(const struct function *f, const struct search *s)
{
    LLVMValueRef nothing = NULL;
    for (int i = 0; i < s->n_exits; i++) {
        bool is_end = s->found[i] && !s->is_early[i] && (!nothing || nothing == s->found[i]);
        if (is_end && is_known_before(f, s->found[i], f->loops[s->loop].header)) nothing = s->found[i];
    }
    return nothing;
}

static void put_register(const struct function *f, int phi, const struct search *s)
{
    LLVMBuilderRef builder = f->module->builder;
    LLVMValueRef nothing = found_in_vain(f, s);
    LLVMTypeRef type = LLVMTypeOf(f->nodes[phi].value);
    LLVMValueRef before = begin_block(f, f->loops[s->loop].header, type), now = before;
    for (int i = 0; i < s->n_exits; i++) {
        LLVMValueRef end = block_end(f, s->exits[i]);
        if (s->found[i] && s->is_early[i]) {
            bool when_true = leaves_when_true(f, s, end);
            LLVMPositionBuilderBefore(builder, end);
            LLVMValueRef found = without_label(f, s->found[i]);
            now = LLVMBuildSelect(builder, LLVMGetCondition(end), when_true ? found : now,
                                  when_true ? now : found, "");
        }
        if (s->found[i] && (s->is_early[i] || s->found[i] == nothing)) take_from(f, s, i, now);
    }
    go_round(f, s, before, now, nothing ? nothing : LLVMConstNull(type));
}

/* The phi behind the loop that most ways out lead to; -1. */
static int find_last(const struct function *f, bool joined, struct search *s)
{
    int last = -1, most = 0;
    for (int i = 0; i < f->n_nodes; i++) {
        if (!LLVMIsAPHINode(f->nodes[i].value) || f->blocks[f->nodes[i].block].order < 0) continue;
        if (loop_holds(f, s->loop, f->nodes[i].block) || !find_phi(f, i, joined, s) || s->n_found <= most)
            continue;
        last = i;
        most = s->n_found;
    }
    return last >= 0 && find_phi(f, last, joined, s) ? last : -1;
}

/* Each has phis of its own, which the next one is to see: first those where ways meet. */
static bool end_first(struct module_state *module, LLVMValueRef function, bool joined)
{
    struct function f = {.ref = function, .module = module};
    struct search s;
    int found = -1;
    function_number(&f);
    function_blocks(&f);
    flow_kinds(&f);
    flow_carries(&f);
    for (int l = 0; l < f.n_loops && found < 0; l++) {
        if (has_inner(&f, l) || !find_exits(&f, l, &s)) continue;
        found = find_last(&f, joined, &s);
        if (found >= 0 && s.is_truth)
            put_truth(&f, found, &s);
        else if (found >= 0)
            put_register(&f, found, &s);
    }
    function_free(&f);
    return found >= 0;
}

void early_ends(struct module_state *module, LLVMValueRef function)
{
    bool joined = true;
    for (int i = 0; i < MOST_ROUNDS; i++) {
        if (end_first(module, function, joined)) continue;
        if (!joined) break;
        joined = false;
    }
}
