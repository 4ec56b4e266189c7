/* The calls of a reduction in a register: where it begins, what it adds. Where it ends: words.c, labels.c. */
#include <stddef.h>
#include <stdlib.h>

#include "compiler/hooks.h"
#include "compiler/instrument/emit/count.h"
#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/labels.h"
#include "compiler/instrument/emit/pieces.h"
#include "compiler/instrument/function/bests.h"
#include "compiler/instrument/function/linear.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/function/sum_ops.h"
#include "compiler/instrument/function/sums.h"
#include "compiler/instrument/rewrite/trailing.h"

static void emit_term_labels(struct function *f, int sum, const struct labels *labels)
{
    struct module_state *m = f->module;
    LLVMValueRef arguments[3] = {f->sums[sum].slot};
    for (int i = 0; i < labels->n && i < 2; i++) arguments[i + 1] = labels->ids[i];
    if (labels->n == 1) {
        emit_call(m, HOOK_sum_term1, arguments, 2);
    } else if (labels->n == 2) {
        emit_call(m, HOOK_sum_term2, arguments, 3);
    } else {
        arguments[1] = emit_i32(m, (unsigned)labels->n);
        arguments[2] = emit_buffer(f, labels);
        emit_call(m, HOOK_sum_term, arguments, 3);
    }
}

/* Operands of a member that are not of the sum. */
static void gather_terms(struct function *f, int i, struct keys *keys)
{
    const struct node *node = &f->nodes[i];
    struct use *uses = take(MOST_USES + 1, sizeof *uses);
    int n = node->kind == NODE_PHI ? 0 : data_uses(f, i, uses);
    if (n < 0) n = 0;
    if (condition_use(f, i, &uses[n])) n++;
    for (int j = 0; j < n; j++) leaves_gather(f, &uses[j], node->sum, keys);
    free(uses);
}

/* What another accumulator has come to is added to a sum of squares, but is no square itself. */
static bool is_as_it_is(const struct function *f, int i, const struct pieces *pieces, int piece)
{
    return f->sums[pieces->sum].has_powers && !pieces->is_power[piece] && pieces->keys[piece].n == 1 &&
           sums_arrive(f, i);
}

/* The terms of another sum go to this one; sums_emit() puts in what both are. */
static LLVMValueRef emit_join_call(struct function *f, int sum, int other)
{
    LLVMValueRef arguments[4] = {f->sums[sum].slot, f->sums[other].slot, emit_i32(f->module, 0),
                                 emit_i32(f->module, 0)};
    LLVMValueRef call = emit_call(f->module, HOOK_sum_join, arguments, 4);
    f->joins = more_of(f->joins, (size_t)f->n_joins + 1, sizeof *f->joins);
    f->joins[f->n_joins++] = (struct sum_join){call, sum, other};
    return call;
}

/* A choice among what several sums have chosen: what these have come to is all in one of them then. */
static bool emit_bests(struct function *f, int i)
{
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses), n_joined = 0;
    for (int j = 0; j < n; j++) {
        int other = bests_joined(f, i, uses[j].value);
        if (other < 0) continue;
        emit_after(f, i);
        emit_join_call(f, f->nodes[i].sum, other);
        n_joined++;
    }
    free(uses);
    return n_joined > 0;
}

/* What another accumulator of the same kind has come to, which nothing else is computed from: its terms are
 * terms of this sum. */
static bool emit_join(struct function *f, int i, const struct pieces *pieces, int piece)
{
    const struct key *key = &pieces->keys[piece].key[0];
    struct node *content = &f->nodes[key->node];
    if (pieces->keys[piece].n != 1 || key->kind != KEY_READ || pieces->is_power[piece] || content->read ||
        !trailing_is_joined(f, i, key->node))
        return false;
    sums_emit_term(f, key->node); /* first what this very instruction adds */
    emit_after(f, i);
    content->joined = emit_join_call(f, pieces->sum, content->sum);
    return true;
}

static void emit_pieces(struct function *f, int i, const struct pieces *pieces)
{
    for (int j = 0; j < pieces->n; j++) {
        struct labels labels;
        if (emit_join(f, i, pieces, j)) continue;
        labels_of(f, &pieces->keys[j], &labels);
        emit_after(f, i);
        LLVMValueRef arguments[2] = {f->sums[pieces->sum].slot, labels.ids[0]};
        if (is_as_it_is(f, i, pieces, j))
            emit_call(f->module, HOOK_sum_whole, arguments, 2);
        else
            emit_term_labels(f, pieces->sum, &labels);
    }
    f->sums[pieces->sum].has_powers |= pieces->has_powers;
    f->sums[pieces->sum].flop += pieces->flop;
    f->sums[pieces->sum].n_terms += pieces->n;
}

/* Is it one more than before, or so? How many turns there were everybody knows, who did his. */
static bool counts_turns(const struct function *f, int i)
{
    LLVMValueRef value = f->nodes[i].value;
    return f->sums[f->nodes[i].sum].op == FOLD_ADD && LLVMIsABinaryOperator(value) &&
           LLVMGetInstructionOpcode(value) == LLVMAdd &&
           (LLVMIsAConstant(LLVMGetOperand(value, 0)) || LLVMIsAConstant(LLVMGetOperand(value, 1)));
}

/* What the sum alone is computed further from, as in x = x * x + 0.25, adds no term but operations, of which
 * a copy has none. They go straight into the sum's record: a call would cost more than they do. */
static void emit_own_work(struct function *f, int i, int flop)
{
    struct module_state *m = f->module;
    const struct node *node = &f->nodes[i];
    if (node->kind != NODE_ARITH || store_is_width(node->value) || counts_turns(f, i)) return;
    f->sums[node->sum].has_powers |= !linear_is_addition(node->value) && !linear_multiple_of(f, i);
    int own = count_flop(node->value);
    emit_after(f, i);
    LLVMValueRef index = emit_i64(m, offsetof(struct parcast_vf_sum, work) / sizeof(uint64_t));
    LLVMValueRef at = LLVMBuildInBoundsGEP2(m->builder, m->i64, f->sums[node->sum].slot, &index, 1, "");
    LLVMValueRef work = LLVMBuildLoad2(m->builder, m->i64, at, "");
    LLVMValueRef more = emit_i64(m, (unsigned)(flop + (own > 0 ? own : 1)));
    LLVMBuildStore(m->builder, LLVMBuildAdd(m->builder, work, more, ""), at);
}

static bool emit_split(struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    if (!pieces_may_be(f, i)) return false;
    struct pieces *pieces = take(1, sizeof *pieces);
    bool fits = pieces_find(f, i, pieces);
    if (fits && pieces->n)
        emit_pieces(f, i, pieces);
    else if (fits)
        emit_own_work(f, i, pieces->flop - linear_is_fused(node->value));
    free(pieces);
    return fits;
}

/* Before there is any term, what stands at the place so far is one: the first that others are compared with.
 * Other members of the sum may have terms in this turn before member i has, but not before these loads. */
static void emit_first(struct function *f, int i, const struct keys *term)
{
    struct keys keys = {.n = 0};
    struct labels labels;
    bool are_here = true;
    int last = -1;
    for (int j = 0; j < term->n_so_far; j++) {
        int load = term->so_far[j];
        if (f->nodes[load].kind != NODE_LEAF) continue;
        keys.key[keys.n++] = (struct key){KEY_VALUE, load, 0};
        are_here = are_here && f->nodes[load].block == f->nodes[i].block;
        if (load > last) last = load;
    }
    if (!keys.n) return;
    labels_of(f, &keys, &labels);
    emit_after(f, are_here ? last : i);
    LLVMValueRef arguments[3] = {f->sums[f->nodes[i].sum].slot, emit_i32(f->module, (unsigned)labels.n),
                                 emit_buffer(f, &labels)};
    emit_call(f->module, HOOK_sum_first, arguments, 3);
}

/* Is it compared with what the sum has chosen, or chosen, by another question than this one? */
static bool is_compared(const struct function *f, int sum, LLVMValueRef value, LLVMValueRef compare)
{
    int own = node_of(f, value);
    if (own < 0 || f->nodes[own].sum == sum) return false;
    if (sum_is_offered(f, sum, value)) return true;
    for (int i = 0; i < f->n_nodes; i++) {
        if (f->nodes[i].sum != sum || f->nodes[i].condition < 0) continue;
        LLVMValueRef other = f->nodes[f->nodes[i].condition].value;
        if (other == compare || !store_order_of(other)) continue;
        if (LLVMGetOperand(other, 0) == value || LLVMGetOperand(other, 1) == value) return true;
    }
    return false;
}

/* Two numbers that are compared first, each of which may be the least or the largest: `if (x < y) { lo =
 * min(lo, x); hi = max(hi, y); } else ..`. They are terms, one by one. */
static bool is_of_pair(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    int op = f->sums[node->sum].op;
    if (node->kind != NODE_PHI || node->condition < 0 || (op != FOLD_MIN && op != FOLD_MAX)) return false;
    LLVMValueRef compare = f->nodes[node->condition].value;
    return store_order_of(compare) && is_compared(f, node->sum, LLVMGetOperand(compare, 0), compare) &&
           is_compared(f, node->sum, LLVMGetOperand(compare, 1), compare);
}

static bool emit_pair(struct function *f, int i)
{
    if (!is_of_pair(f, i)) return false;
    const struct node *node = &f->nodes[i];
    struct use use;
    condition_use(f, i, &use);
    for (unsigned j = 0; j < 2; j++) {
        struct keys keys = {0};
        struct labels labels;
        use.value = LLVMGetOperand(f->nodes[node->condition].value, j);
        leaves_gather(f, &use, node->sum, &keys);
        if (!keys.n) continue;
        labels_of(f, &keys, &labels);
        emit_after(f, i);
        emit_term_labels(f, node->sum, &labels);
        f->sums[node->sum].n_terms++;
    }
    return true;
}

void sums_emit_term(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    if (node->term_emitted) return;
    node->term_emitted = true;
    if (emit_bests(f, i) || emit_pair(f, i) || emit_split(f, i)) return;
    struct keys keys = {0};
    struct labels labels;
    gather_terms(f, i, &keys);
    if (!keys.n) {
        emit_own_work(f, i, keys.flop);
        return;
    }
    labels_of(f, &keys, &labels);
    emit_first(f, i, &keys);
    emit_after(f, i);
    emit_term_labels(f, node->sum, &labels);
    f->sums[node->sum].has_powers |= keys.n == 1 && keys.flop > 0;
    f->sums[node->sum].flop += keys.flop;
    f->sums[node->sum].n_terms++;
}

/* Sums that were merged begin together, with all that any of their phis begins with. */
static void gather_beginning(struct function *f, int i, const struct use *use, struct keys *keys)
{
    const struct node *node = &f->nodes[i];
    leaves_gather(f, use, node->sum, keys);
    if (!f->sums[node->sum].merged || !is_loop_header(f, node->block)) return;
    struct use *uses = take(MOST_USES, sizeof *uses);
    for (int other = 0; other < f->n_nodes; other++) {
        const struct node *phi = &f->nodes[other];
        if (other == i || phi->kind != NODE_PHI || phi->sum != node->sum || phi->block != node->block)
            continue;
        int n = data_uses(f, other, uses);
        for (int j = 0; j < n; j++)
            if (uses[j].block == use->block) leaves_gather(f, &uses[j], node->sum, keys);
    }
    free(uses);
}

/* A phi that takes something else than the sum on this way: the sum begins anew, or it is one more term. */
static void emit_beginning(struct function *f, int i, const struct use *use, LLVMValueRef at)
{
    struct module_state *m = f->module;
    const struct node *node = &f->nodes[i];
    struct keys keys = {.is_open = true};
    struct labels labels;
    const struct sum *sum = &f->sums[node->sum];
    bool anew = node->condition < 0 && !sum->merged && !fold_chooses(sum->op);
    bool goes_on = sum->op == FOLD_TURNS && sum->loop >= 0 &&
                   node->block != f->loops[sum->loop].header; /* of gcd(sum, x[i]) */
    bool begins = !goes_on && (is_loop_header(f, node->block) || anew || bests_are_before(f, i, use->value));
    gather_beginning(f, i, use, &keys);
    labels_of(f, &keys, &labels);
    emit_before(m, at);
    if (!begins) {
        if (keys.n) emit_term_labels(f, node->sum, &labels);
        return;
    }
    if (labels.n > 1 && sum->op && leaves_tree(f, use) == sum->op) {
        LLVMValueRef tree[5] = {sum->slot, emit_site(m, at), emit_i32(m, (unsigned)sum->op),
                                emit_i32(m, (unsigned)labels.n), emit_buffer(f, &labels)};
        emit_call(m, HOOK_tree_start, tree, 5);
        return;
    }
    LLVMValueRef arguments[3] = {f->sums[node->sum].slot, emit_i32(m, (unsigned)labels.n),
                                 emit_buffer(f, &labels)};
    emit_call(m, HOOK_sum_start, arguments, 3);
}

static void emit_beginnings(struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++) {
        int other = node_of(f, uses[j].value);
        if (other >= 0 && f->nodes[other].sum == node->sum && forwarded(f, &uses[j]) < 0) continue;
        if (bests_joined(f, i, uses[j].value) >= 0) continue;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(node->value, (unsigned)j);
        emit_beginning(f, i, &uses[j], LLVMGetBasicBlockTerminator(from));
    }
    free(uses);
}

unsigned sums_op(const struct sum *sum)
{
    return (unsigned)sum->op | (sum->has_powers ? VF_POWERS : 0);
}

unsigned sums_work_of_term(const struct sum *sum)
{
    int flop = sum->n_terms ? (sum->flop + sum->n_terms - 1) / sum->n_terms : 0;
    return flop > 0 ? (unsigned)flop + 1 : 1;
}

/* A sum may be read, by another one, before the last of its terms has been emitted. */
static void settle_reads(struct function *f)
{
    enum { WORK = 2, OP = 3 };
    for (int i = 0; i < f->n_joins; i++) {
        const struct sum_join *join = &f->joins[i];
        LLVMSetOperand(join->call, OP - 1, emit_i32(f->module, sums_op(&f->sums[join->sum])));
        LLVMSetOperand(join->call, OP, emit_i32(f->module, sums_op(&f->sums[join->other])));
    }
    for (int i = 0; i < f->n_nodes; i++) {
        const struct node *node = &f->nodes[i];
        if (node->sum < 0 || !node->read) continue;
        const struct sum *sum = &f->sums[node->sum];
        unsigned op = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(node->read, OP));
        LLVMSetOperand(node->read, WORK, emit_i32(f->module, sums_work_of_term(sum)));
        LLVMSetOperand(node->read, OP, emit_i32(f->module, op | sums_op(sum)));
    }
}

void sums_emit(struct function *f)
{
    for (int s = 0; s < f->n_sums; s++) f->sums[s].slot = emit_slot(f, f->module->sum_type);
    for (int i = 0; i < f->n_nodes; i++) {
        if (f->nodes[i].sum < 0) continue;
        sums_emit_term(f, i);
        if (f->nodes[i].kind == NODE_PHI) emit_beginnings(f, i);
    }
    settle_reads(f);
}
