/*
 * `for (..) if (a[i] == key) { found = i; break; }` finds what `if (found < 0 && a[i] == key) found = i`
 * does: it comes of all that was compared. So what is found goes around the loop in a register that each turn
 * chooses anew, `found = a[i] == key ? i : found`, and is the same number where the loop is left.
 */
#include "compiler/instrument/rewrite/early.h"

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/kept.h"

enum { MOST_EXITS = 8, MOST_ROUNDS = 64, MOST_STEPS = 4 };

/* The ways out of a loop in the order of a turn, which passes them all; what the phi is behind each. */
struct search {
    int loop, latch, n_exits, exits[MOST_EXITS];
    bool is_early[MOST_EXITS]; /* data decide */
    LLVMValueRef found[MOST_EXITS];
    unsigned ways[MOST_EXITS]; /* of the phi */
};

static bool has_inner(const struct function *f, int loop)
{
    for (int l = 0; l < f->n_loops; l++)
        if (f->loops[l].outer == loop) return true;
    return false;
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
    s->is_early[at] = flow_is_read(f, s->loop, LLVMGetCondition(end));
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

static bool is_known_before(const struct function *f, LLVMValueRef value, int block)
{
    int i = node_of(f, value);
    return i < 0 || f->nodes[i].position < 0 ||
           (f->nodes[i].block != block && dominates(f, f->nodes[i].block, 0, block, 0));
}

static bool is_known_in(const struct function *f, LLVMValueRef value, int block)
{
    int i = node_of(f, value);
    return is_known_before(f, value, block) || f->nodes[i].block == block;
}

/* A number that says where, or whether. */
static bool may_be_found(const struct function *f, const struct search *s, int exit, LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return (kind == LLVMIntegerTypeKind || LLVMIsAConstantFP(value)) && kept_is_place(value) &&
           is_known_in(f, value, s->exits[exit]);
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

static bool find_phi(const struct function *f, int phi, struct search *s)
{
    LLVMValueRef value = f->nodes[phi].value, first = NULL;
    bool differ = false, any = false; /* not the same number whichever way */
    for (int i = 0; i < s->n_exits; i++) s->found[i] = NULL;
    for (unsigned j = 0; j < LLVMCountIncoming(value); j++) {
        int exit = exit_to(f, s, block_at(f, LLVMGetIncomingBlock(value, j)));
        if (exit < 0) continue;
        LLVMValueRef in = behind_phis(LLVMGetIncomingValue(value, j));
        if (s->found[exit]) return false;
        s->found[exit] = in;
        s->ways[exit] = j;
        differ = differ || (first && (first != in || !LLVMIsAConstant(in)));
        first = in;
        if (!s->is_early[exit]) continue;
        if (!may_be_found(f, s, exit, in)) return false;
        any = true;
    }
    return any && differ && !only_leads(value, 0);
}

static void put_register(const struct function *f, int phi, const struct search *s)
{
    LLVMBuilderRef builder = f->module->builder;
    LLVMValueRef value = f->nodes[phi].value, nothing = NULL;
    LLVMTypeRef type = LLVMTypeOf(value);
    const struct block *header = &f->blocks[f->loops[s->loop].header];
    for (int i = 0; i < s->n_exits; i++) {
        bool is_end = s->found[i] && !s->is_early[i] && (!nothing || nothing == s->found[i]);
        if (is_end && is_known_before(f, s->found[i], f->loops[s->loop].header)) nothing = s->found[i];
    }
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, LLVMGetFirstInstruction(header->ref));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef before = LLVMBuildPhi(builder, type, ""), now = before, none = nothing;
    if (!none) none = LLVMConstNull(type);
    for (int i = 0; i < s->n_exits; i++) {
        LLVMValueRef end = block_end(f, s->exits[i]);
        if (s->found[i] && s->is_early[i]) {
            bool when_true = !loop_holds(f, s->loop, block_at(f, LLVMGetSuccessor(end, 0)));
            LLVMPositionBuilderBefore(builder, end);
            now = LLVMBuildSelect(builder, LLVMGetCondition(end), when_true ? s->found[i] : now,
                                  when_true ? now : s->found[i], "");
        }
        if (s->found[i] && (s->is_early[i] || s->found[i] == nothing)) LLVMSetOperand(value, s->ways[i], now);
    }
    for (int i = 0; i < header->n_before; i++) {
        int from = header->before[i];
        LLVMAddIncoming(before, from == s->latch ? &now : &none, &f->blocks[from].ref, 1);
    }
}

/* Each has phis of its own, which the next one is to see. */
static bool end_first(struct module_state *module, LLVMValueRef function)
{
    struct function f = {.ref = function, .module = module};
    struct search s;
    bool found = false;
    function_number(&f);
    function_blocks(&f);
    flow_kinds(&f);
    flow_carries(&f);
    for (int l = 0; l < f.n_loops && !found; l++) {
        if (has_inner(&f, l) || !find_exits(&f, l, &s)) continue;
        for (int i = 0; i < f.n_nodes && !found; i++) {
            if (!LLVMIsAPHINode(f.nodes[i].value) || f.blocks[f.nodes[i].block].order < 0) continue;
            found = !loop_holds(&f, l, f.nodes[i].block) && find_phi(&f, i, &s);
            if (found) put_register(&f, i, &s);
        }
    }
    function_free(&f);
    return found;
}

void early_ends(struct module_state *module, LLVMValueRef function)
{
    for (int i = 0; i < MOST_ROUNDS && end_first(module, function); i++) {
    }
}
