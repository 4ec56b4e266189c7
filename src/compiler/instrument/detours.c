/*
 * `if (c) *p = f(*p);` is `*p = c ? f(*p) : *p`: whether it is stored depends on what c is computed from, and
 * the word holds the outcome in either case. Where the word was read before the ways part, a store of the
 * choice is put where they meet, from which the word's label is taken; the program's own store stays, and
 * nothing is stored there in truth.
 *
 * c may be several comparisons, one after another (`if (a || b)`). Each is carried to where the ways meet by
 * phis, as false from where it was not asked.
 */
#include "detours.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "flow.h"
#include "kept.h"
#include "store.h"

enum { MOST_DETOURS = 64, MOST_WAYS = 16, MOST_DEPTH = 12 };

/* The store; where the ways part and meet; the blocks between, the fork first. */
struct detour {
    int store, block, fork, join;
    int ways[MOST_WAYS], n_ways;
    LLVMValueRef pointer, value, old[MOST_WAYS]; /* old: for each way into the join but the store's */
};

static LLVMValueRef end_of(const struct function *f, int block)
{
    return LLVMGetBasicBlockTerminator(f->blocks[block].ref);
}

static int block_at(const struct function *f, LLVMBasicBlockRef block)
{
    return f->nodes[node_of(f, LLVMGetBasicBlockTerminator(block))].block;
}

static bool is_simple_load(const struct function *f, int i, LLVMValueRef pointer)
{
    return i >= 0 && is_load(&f->nodes[i]) && f->nodes[i].kind == NODE_LEAF &&
           store_same_pointer(LLVMGetOperand(f->nodes[i].value, 0), pointer) &&
           !LLVMGetVolatile(f->nodes[i].value);
}

static bool intrinsic_writes(LLVMValueRef call)
{
    static const char *const writers[] = {"llvm.mem", "llvm.masked.", "llvm.x86.", "llvm.lifetime.",
                                          "llvm.stackrestore"};
    const char *name = intrinsic_name(call);
    for (size_t i = 0; name && i < sizeof writers / sizeof *writers; i++)
        if (strncmp(name, writers[i], strlen(writers[i])) == 0) return true;
    return false;
}

static bool writes(const struct node *node)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(node->value);
    if (op == LLVMCall || op == LLVMInvoke || op == LLVMCallBr)
        return is_real_call(node->value) || intrinsic_writes(node->value);
    return op == LLVMStore || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMFence;
}

static bool add_before(const struct function *f, struct detour *d, int block)
{
    const struct block *b = &f->blocks[block];
    for (int i = 0; i < b->n_before; i++) {
        int before = b->before[i], j = 0;
        while (j < d->n_ways && d->ways[j] != before) j++;
        if (j < d->n_ways) continue;
        if (d->n_ways == MOST_WAYS || f->blocks[before].loop != f->blocks[d->fork].loop) return false;
        d->ways[d->n_ways++] = before;
    }
    return true;
}

/* Backwards from where the ways meet. An inner loop between makes it more than a detour. */
static bool find_ways(const struct function *f, struct detour *d)
{
    d->ways[0] = d->fork;
    d->n_ways = 1;
    bool fine = add_before(f, d, d->join);
    for (int i = 1; fine && i < d->n_ways; i++) fine = d->ways[i] != d->join && add_before(f, d, d->ways[i]);
    return fine;
}

static bool find_fork(const struct function *f, struct detour *d)
{
    LLVMValueRef end = end_of(f, d->block);
    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) return false;
    d->join = block_at(f, LLVMGetSuccessor(end, 0));
    d->fork = f->blocks[d->join].dominator;
    if (f->blocks[d->join].n_before < 2 || f->blocks[d->join].n_before > MOST_WAYS) return false;
    if (d->fork < 0 || d->fork == d->block) return false;
    int loop = f->blocks[d->fork].loop;
    return f->blocks[d->join].loop == loop && f->blocks[d->block].loop == loop && find_ways(f, d);
}

static bool reads(const struct node *node)
{
    return is_load(node) || is_reading_call(node->value);
}

/* The store is the only one between, and nothing reads memory behind it. */
static bool is_alone(const struct function *f, const struct detour *d)
{
    for (int i = 0; i < d->n_ways; i++)
        if (!LLVMIsABranchInst(end_of(f, d->ways[i]))) return false;
    for (int i = 0; i < f->n_nodes; i++) {
        const struct node *node = &f->nodes[i];
        int way = 1;
        while (way < d->n_ways && d->ways[way] != node->block) way++;
        if (way == d->n_ways || node->position < 0 || i == d->store) continue;
        bool after = node->block == d->block && node->position > f->nodes[d->store].position;
        if (writes(node) || (after && reads(node))) return false;
    }
    return true;
}

/* The load that says what the word holds at the end of a block, with nothing written since. */
static int find_old(const struct function *f, const struct detour *d, int block)
{
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        LLVMValueRef i = LLVMGetLastInstruction(f->blocks[block].ref);
        for (; i; i = LLVMGetPreviousInstruction(i)) {
            int node = node_of(f, i);
            if (is_simple_load(f, node, d->pointer)) return node;
            if (writes(&f->nodes[node])) return -1;
        }
        bool is_between = block != d->fork && dominates(f, d->fork, 0, block, 0);
        if (!is_between && f->blocks[block].n_before != 1) return -1;
        block = is_between ? f->blocks[block].dominator : f->blocks[block].before[0];
    }
    return -1;
}

/* Whichever way is taken, the word has been read. */
static bool find_olds(const struct function *f, struct detour *d)
{
    const struct block *join = &f->blocks[d->join];
    for (int i = 0; i < join->n_before; i++) {
        if (join->before[i] == d->block) continue;
        int old = find_old(f, d, join->before[i]);
        if (old < 0) return false;
        d->old[i] = f->nodes[old].value;
        if (d->old[i] == d->value) return false;
    }
    return true;
}

static bool is_old(const struct function *f, const struct detour *d, LLVMValueRef value)
{
    for (int i = 0; i < f->blocks[d->join].n_before; i++)
        if (d->old[i] == value) return true;
    return false;
}

static bool is_behind(const struct function *f, int block, int other)
{
    return block != other && dominates(f, other, 0, block, 0);
}

/* Is the value made of the word and constants alone? */
static bool is_of_word(const struct function *f, const struct detour *d, LLVMValueRef value, int depth)
{
    if (LLVMIsAConstant(value) || is_old(f, d, value)) return true;
    int i = node_of(f, value);
    if (i < 0 || depth == MOST_DEPTH || f->nodes[i].position < 0) return false;
    bool between = is_behind(f, f->nodes[i].block, d->fork);
    if (between && is_simple_load(f, i, d->pointer)) return true;
    if (f->nodes[i].kind != NODE_ARITH && !(between && f->nodes[i].kind == NODE_PHI)) return false;
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++)
        if (!is_of_word(f, d, uses[j].value, depth + 1)) return false;
    return n > 0;
}

static bool is_known_at(const struct function *f, LLVMValueRef value, int block)
{
    int i = node_of(f, value);
    return i < 0 || f->nodes[i].position < 0 || is_behind(f, block, f->nodes[i].block);
}

/* The address may be computed again where the ways meet. */
static bool pointer_is_known(const struct function *f, const struct detour *d)
{
    if (is_known_at(f, d->pointer, d->join)) return true;
    if (!LLVMIsAGetElementPtrInst(d->pointer)) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(d->pointer); i++)
        if (!is_known_at(f, LLVMGetOperand(d->pointer, i), d->join)) return false;
    return true;
}

static bool find_detour(const struct function *f, int i, struct detour *d)
{
    LLVMValueRef store = f->nodes[i].value;
    if (!is_store(&f->nodes[i]) || f->blocks[f->nodes[i].block].order < 0) return false;
    if (LLVMGetVolatile(store) || LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic) return false;
    *d = (struct detour){.store = i,
                         .block = f->nodes[i].block,
                         .value = LLVMGetOperand(store, 0),
                         .pointer = LLVMGetOperand(store, 1)};
    if (LLVMIsAConstant(d->value) || node_of(f, d->value) < 0) return false;
    return find_fork(f, d) && is_alone(f, d) && pointer_is_known(f, d) && find_olds(f, d) &&
           is_of_word(f, d, d->value, 0);
}

/* ---- putting it in ---- */

/* One condition at the end of each block between. */
struct carried {
    const struct function *f;
    const struct detour *d;
    LLVMValueRef at_end[MOST_WAYS];
};

static int index_of(const struct detour *d, int block)
{
    int i = 0;
    while (d->ways[i] != block) i++;
    return i;
}

static void begin_block(const struct function *f, int block)
{
    LLVMPositionBuilderBefore(f->module->builder, LLVMGetFirstInstruction(f->blocks[block].ref));
    LLVMSetCurrentDebugLocation2(f->module->builder, NULL);
}

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
    int i = index_of(c->d, block);
    if (!c->at_end[i]) c->at_end[i] = carried_to(c, block);
    return c->at_end[i];
}

static bool leads_to(const struct function *f, const struct detour *d, int block, int to, int without)
{
    int i = 0;
    while (i < d->n_ways && d->ways[i] != block) i++;
    if (block == to || block == without || i == d->n_ways) return block == to;
    LLVMValueRef end = end_of(f, block);
    for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++)
        if (leads_to(f, d, block_at(f, LLVMGetSuccessor(end, j)), to, without)) return true;
    return false;
}

/* Can it still go both ways from here? */
static bool decides(const struct function *f, const struct detour *d, int block)
{
    return LLVMIsConditional(end_of(f, block)) && leads_to(f, d, block, d->block, d->join) &&
           leads_to(f, d, block, d->join, d->block);
}

static LLVMValueRef condition_at(const struct function *f, const struct detour *d, int way)
{
    LLVMValueRef condition = LLVMGetCondition(end_of(f, d->ways[way]));
    if (!way) return condition;
    struct carried carried = {.f = f, .d = d};
    carried.at_end[0] = LLVMConstInt(LLVMTypeOf(condition), 0, false);
    carried.at_end[way] = condition;
    return carried_to(&carried, d->join);
}

static void behind_phis(const struct function *f, int block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[block].ref);
    while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(f->module->builder, i);
}

static LLVMValueRef whole_condition(const struct function *f, const struct detour *d)
{
    LLVMValueRef all[MOST_WAYS] = {NULL}, whole;
    int n = 0;
    for (int i = 0; i < d->n_ways; i++)
        if (decides(f, d, d->ways[i])) all[n++] = condition_at(f, d, i);
    behind_phis(f, d->join);
    whole = all[0];
    for (int i = 1; i < n; i++) whole = LLVMBuildOr(f->module->builder, whole, all[i], "");
    return whole;
}

static LLVMValueRef outcome_from(const struct function *f, const struct detour *d, LLVMBasicBlockRef from)
{
    const struct block *join = &f->blocks[d->join];
    int i = 0;
    while (f->blocks[join->before[i]].ref != from) i++;
    return d->old[i] ? d->old[i] : d->value;
}

static bool is_outcome(const struct function *f, const struct detour *d, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingValue(phi, i) != outcome_from(f, d, LLVMGetIncomingBlock(phi, i))) return false;
    return true;
}

/* What the word holds where the ways meet; the optimiser may have it in a register already. */
static LLVMValueRef outcome(const struct function *f, const struct detour *d)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(f->blocks[d->join].ref);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        if (is_outcome(f, d, phi)) return phi;
    begin_block(f, d->join);
    phi = LLVMBuildPhi(f->module->builder, LLVMTypeOf(d->value), "");
    for (int i = 0; i < f->blocks[d->join].n_before; i++) {
        LLVMBasicBlockRef from = f->blocks[f->blocks[d->join].before[i]].ref;
        LLVMValueRef value = outcome_from(f, d, from);
        LLVMAddIncoming(phi, &value, &from, 1);
    }
    return phi;
}

static LLVMValueRef pointer_at_join(const struct function *f, const struct detour *d)
{
    if (is_known_at(f, d->pointer, d->join)) return d->pointer;
    LLVMValueRef again = LLVMInstructionClone(d->pointer);
    LLVMInsertIntoBuilder(f->module->builder, again);
    return again;
}

static void close_detour(const struct function *f, const struct detour *d)
{
    LLVMValueRef word = outcome(f, d), condition = whole_condition(f, d), store = f->nodes[d->store].value;
    LLVMSetCurrentDebugLocation2(f->module->builder, LLVMInstructionGetDebugLoc(store));
    LLVMValueRef choice = LLVMBuildSelect(f->module->builder, condition, word, word, "");
    LLVMReplaceAllUsesWith(word, choice);
    LLVMSetOperand(choice, 1, word);
    LLVMSetOperand(choice, 2, word);
    kept_instead(f->module->context, store,
                 LLVMBuildStore(f->module->builder, choice, pointer_at_join(f, d)));
}

static bool close_first(struct module_state *module, LLVMValueRef function)
{
    struct function f = {.ref = function, .module = module};
    struct detour d;
    bool found = false;
    function_number(&f);
    function_blocks(&f);
    flow_kinds(&f);
    for (int i = 0; i < f.n_nodes && !found; i++) found = find_detour(&f, i, &d);
    if (found) close_detour(&f, &d);
    function_free(&f);
    return found;
}

void detours_close(struct module_state *module, LLVMValueRef function)
{
    for (int i = 0; i < MOST_DETOURS && close_first(module, function); i++) {
    }
}
