/*
 * Strongly connected components of the data flow (Tarjan 1972) are the sums: `s = s + x[i]`, through inner
 * loops and conditions too. A store cuts a component where the stored word's label is used instead
 * (forwarded()). After its loop the content may pass through phis (a loop that may run zero times joins with
 * the initial value); these belong to the sum as well, so that it can go straight into the store that ends
 * it.
 */
#include "compiler/instrument/function/sums.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/function/bests.h"
#include "compiler/instrument/function/choices.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/function/sum_ops.h"
#include "compiler/instrument/rewrite/continued.h"
#include "compiler/instrument/rewrite/trailing.h"

enum { DEEPEST = 8 }; /* conditions of conditions */

struct search {
    struct function *f;
    int *index, *low, *stack;
    bool *on_stack;
    int next, depth;
    int within;    /* looks at nothing outside this loop; -1 */
    int *asked, n; /* when it was asked last what a node comes of; how often that was */
};

static int edges(const struct function *f, int i, struct use *uses)
{
    int n = data_uses(f, i, uses);
    if (n < 0) n = 0;
    if (condition_use(f, i, &uses[n])) n++;
    return n;
}

static bool takes_part(const struct node *node)
{
    return node->needed && node->carries &&
           (node->kind == NODE_ARITH || node->kind == NODE_SELECT || node->kind == NODE_PHI);
}

/* A word in memory is a sum by itself. */
static bool is_in_memory(const struct function *f, const int *members, int n)
{
    for (int i = 0; i < n; i++)
        if (f->nodes[members[i]].kind != NODE_PHI) return false;
    return is_continued(f, members[0]);
}

static bool has_loop_phi(const struct function *f, const int *members, int n)
{
    for (int i = 0; i < n; i++)
        if (f->nodes[members[i]].kind == NODE_PHI) return true;
    return false;
}

/* Does the loop carry it from turn to turn? */
static bool has_phi_of(const struct function *f, int loop, const int *members, int n)
{
    for (int i = 0; i < n; i++)
        if (f->nodes[members[i]].kind == NODE_PHI && f->nodes[members[i]].block == f->loops[loop].header)
            return true;
    return false;
}

/* `if (i + 1 < n) next = x[i + 1]`: which content goes on to the next turn is counted and no matter of data,
 * so that it is a copy of one word in each turn. */
static bool is_handed_on(const struct function *f, const int *members, int n)
{
    for (int i = 0; i < n; i++) {
        const struct node *node = &f->nodes[members[i]];
        if (node->kind != NODE_PHI || node->condition >= 0) return false;
        if (is_loop_header(f, node->block) || LLVMCountIncoming(node->value) == 1) continue;
        LLVMValueRef condition = condition_of(f, node);
        if (!condition || flow_is_read(f, f->blocks[node->block].loop, condition)) return false;
    }
    return true;
}

static bool comes_of(struct search *s, int i, const int *members, int n)
{
    bool found = false;
    for (int j = 0; j < n; j++)
        if (members[j] == i) return true;
    if (s->asked[i] == s->n) return false;
    s->asked[i] = s->n;
    struct use *uses = take(MOST_USES + 1, sizeof *uses);
    int n_uses = edges(s->f, i, uses);
    for (int j = 0; j < n_uses && !found; j++) {
        int other = node_of(s->f, uses[j].value);
        if (other < 0 || !takes_part(&s->f->nodes[other]) || forwarded(s->f, &uses[j]) >= 0) continue;
        found = comes_of(s, other, members, n);
    }
    free(uses);
    return found;
}

/* Does the loop begin all of it with what has nothing to do with what it came to before? `for (..) { g = 0;
 * for (i ..) g += f(x[i], t); t -= g; }`: g is a sum in each turn of the outer loop, t comes of these. */
static bool begins_anew(struct search *s, const int *members, int n)
{
    const struct function *f = s->f;
    for (int i = 0; i < n; i++) {
        const struct node *node = &f->nodes[members[i]];
        if (node->kind != NODE_PHI || node->block != f->loops[s->within].header) continue;
        for (unsigned j = 0; j < LLVMCountIncoming(node->value); j++) {
            int first = node_of(f, LLVMGetIncomingValue(node->value, j));
            bool is_turn = loop_holds(f, s->within, block_at(f, LLVMGetIncomingBlock(node->value, j)));
            if (is_turn || first < 0 || !takes_part(&f->nodes[first])) continue;
            s->n++;
            if (comes_of(s, first, members, n)) return false;
        }
    }
    return true;
}

static void close_component(struct search *s, int root)
{
    struct function *f = s->f;
    int first = s->depth;
    do s->on_stack[s->stack[--first]] = false;
    while (s->stack[first] != root);
    int n = s->depth - first;
    bool is_whole = s->within < 0 ||
                    (has_phi_of(f, s->within, s->stack + first, n) && begins_anew(s, s->stack + first, n));
    if (is_whole && n > 1 && has_loop_phi(f, s->stack + first, n) && !is_in_memory(f, s->stack + first, n) &&
        !is_handed_on(f, s->stack + first, n)) {
        for (int i = first; i < s->depth; i++) f->nodes[s->stack[i]].sum = f->n_sums;
        f->n_sums++;
    }
    s->depth = first;
}

/* May it be part of a sum that is looked for? */
static bool is_open(const struct search *s, int i)
{
    const struct node *node = &s->f->nodes[i];
    return takes_part(node) && node->sum < 0 && (s->within < 0 || loop_holds(s->f, s->within, node->block));
}

static void visit(struct search *s, int i)
{
    struct use *uses = take(MOST_USES + 1, sizeof *uses); /* not on the stack: the search goes deep */
    s->index[i] = s->low[i] = ++s->next;
    s->stack[s->depth++] = i;
    s->on_stack[i] = true;
    int n = edges(s->f, i, uses);
    for (int j = 0; j < n; j++) {
        int other = node_of(s->f, uses[j].value);
        if (other < 0 || !is_open(s, other) || forwarded(s->f, &uses[j]) >= 0) continue;
        if (!s->index[other]) {
            visit(s, other);
            if (s->low[other] < s->low[i]) s->low[i] = s->low[other];
        } else if (s->on_stack[other] && s->index[other] < s->low[i]) {
            s->low[i] = s->index[other];
        }
    }
    free(uses);
    if (s->low[i] == s->index[i]) close_component(s, i);
}

static void search_within(struct search *s, int loop)
{
    struct function *f = s->f;
    s->within = loop;
    s->next = 0;
    memset(s->index, 0, (size_t)f->n_nodes * sizeof *s->index);
    for (int i = 0; i < f->n_nodes; i++)
        if (is_open(s, i) && !s->index[i]) visit(s, i);
}

/* Loops within others first: what these begin anew in each turn is no part of what is made of it. */
static void find_components(struct function *f)
{
    struct search s = {.f = f};
    int deepest = 0;
    s.index = take((size_t)f->n_nodes, sizeof *s.index);
    s.low = take((size_t)f->n_nodes, sizeof *s.low);
    s.stack = take((size_t)f->n_nodes, sizeof *s.stack);
    s.asked = take((size_t)f->n_nodes, sizeof *s.asked);
    s.on_stack = take((size_t)f->n_nodes, sizeof *s.on_stack);
    for (int l = 0; l < f->n_loops; l++)
        if (loop_depth(f, f->loops[l].header) > deepest) deepest = loop_depth(f, f->loops[l].header);
    for (int depth = deepest; depth > 1; depth--)
        for (int l = 0; l < f->n_loops; l++)
            if (loop_depth(f, f->loops[l].header) == depth) search_within(&s, l);
    search_within(&s, -1);
    free(s.index);
    free(s.low);
    free(s.stack);
    free(s.asked);
    free(s.on_stack);
}

/* The outermost loop whose header has a phi of the sum. */
static void find_loop(struct function *f, int sum)
{
    f->sums[sum].loop = -1;
    for (int l = 0; l < f->n_loops && f->sums[sum].loop < 0; l++)
        for (int i = 0; i < f->n_nodes; i++)
            if (f->nodes[i].sum == sum && f->nodes[i].kind == NODE_PHI &&
                f->nodes[i].block == f->loops[l].header) {
                f->sums[sum].loop = l;
                break;
            }
}

/* ---- what kind of reduction ---- */

/* Where several phis of a loop's header are one sum, it begins with all that these begin with. */
static void find_merged(struct function *f, int sum)
{
    int n = 0;
    for (int i = 0; i < f->n_nodes; i++)
        n += f->nodes[i].sum == sum && f->nodes[i].kind == NODE_PHI && f->sums[sum].loop >= 0 &&
             f->nodes[i].block == f->loops[f->sums[sum].loop].header;
    f->sums[sum].merged = n > 1;
}

/* The sum that a number is computed from alone, its magnitude or square, say; -1. */
static int sum_behind(const struct function *f, int i, int depth)
{
    struct use uses[MOST_USES];
    int n = 0, other = -1;
    if (f->nodes[i].sum >= 0 || depth == DEEPEST || f->nodes[i].kind != NODE_ARITH) return f->nodes[i].sum;
    n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++) {
        int one = node_of(f, uses[j].value);
        if (one < 0 || !f->nodes[one].carries) continue;
        if (other >= 0 && one != other) return -1;
        other = one;
    }
    return other < 0 ? -1 : sum_behind(f, other, depth + 1);
}

/* A sum of the same loop that a condition compares with, guards and negations aside; -1 if there is none. */
static int compared_sum(const struct function *f, LLVMValueRef condition, int sum, int depth)
{
    int n = LLVMIsAInstruction(condition) && !LLVMIsAPHINode(condition) ? LLVMGetNumOperands(condition) : 0;
    bool compares = LLVMIsAICmpInst(condition) || LLVMIsAFCmpInst(condition);
    for (int j = 0; j < n; j++) {
        LLVMValueRef operand = LLVMGetOperand(condition, (unsigned)j);
        int other = node_of(f, operand), found = -1;
        if (other < 0) continue;
        if (!compares && depth < DEEPEST && store_is_truth(operand))
            found = compared_sum(f, operand, sum, depth + 1);
        else if (compares && sum_behind(f, other, 0) != sum)
            found = sum_behind(f, other, 0);
        if (found >= 0 && f->sums[found].loop == f->sums[sum].loop) return found;
    }
    return -1;
}

/* Is a part of the sum chosen by this condition? */
static bool is_chosen_by(const struct function *f, int sum, LLVMValueRef condition)
{
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].sum == sum && f->nodes[i].kind != NODE_ARITH &&
            condition_of(f, &f->nodes[i]) == condition)
            return true;
    return false;
}

/* A sum of the same loop that is chosen by this condition, too, and that the condition is computed from: what
 * stands at the place so far, which the optimiser keeps in a register. -1 if there is none. */
static int content_sum(const struct function *f, LLVMValueRef condition, LLVMValueRef value, int sum,
                       int depth)
{
    int i = node_of(f, value), found = -1;
    if (i < 0 || depth > DEEPEST || !f->nodes[i].carries) return -1;
    int own = f->nodes[i].sum;
    if (own >= 0)
        return own != sum && f->sums[own].loop == f->sums[sum].loop && fold_chooses(f->sums[own].op) &&
                       is_chosen_by(f, own, condition)
                   ? own
                   : -1;
    if (f->nodes[i].kind != NODE_ARITH) return -1;
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n && found < 0; j++) found = content_sum(f, condition, uses[j].value, sum, depth + 1);
    free(uses);
    return found;
}

/* `if (d < best) { best = d; b = c; }`: b depends on every d that best was compared with. */
static void merge_conditions(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++) {
        const struct node *node = &f->nodes[i];
        if (node->sum < 0 || node->condition < 0) continue;
        LLVMValueRef condition = f->nodes[node->condition].value;
        int other = compared_sum(f, condition, node->sum, 0);
        if (other < 0) other = content_sum(f, condition, condition, node->sum, 0);
        if (other >= 0) sums_merge(f, node->sum, other);
    }
}

/* A sum of the same loop that this one's terms are made of by additions alone; -1. */
static int added_sum(const struct function *f, LLVMValueRef value, int sum, int depth)
{
    int i = node_of(f, value), found = -1;
    if (i < 0 || depth > DEEPEST || !f->nodes[i].carries) return -1;
    const struct node *node = &f->nodes[i];
    if (node->sum >= 0 && node->sum != sum)
        return f->sums[node->sum].loop == f->sums[sum].loop && f->sums[node->sum].op == FOLD_ADD ? node->sum
                                                                                                 : -1;
    if (depth && node->sum == sum) return -1;
    if (!sum_is_linear(value) && node->kind != NODE_PHI && node->kind != NODE_SELECT) return -1;
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n && found < 0; j++) found = added_sum(f, uses[j].value, sum, depth + 1);
    free(uses);
    return found;
}

/* What a sum has lost by rounding, added up beside it: both are made of the same pieces. */
static void merge_additions(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++) {
        const struct node *node = &f->nodes[i];
        if (node->sum < 0 || f->sums[node->sum].op != FOLD_ADD) continue;
        int other = added_sum(f, node->value, node->sum, 0);
        if (other >= 0) sums_merge(f, node->sum, other);
    }
}

bool sums_arrive(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    bool is_added_to = node->kind != NODE_SELECT || store_is_extremum(node->value, NULL, NULL);
    return is_added_to && node->sum >= 0 && !loop_holds(f, f->sums[node->sum].loop, node->block);
}

/* Phis after the loop that take the content and otherwise nothing that is another sum. */
static bool can_extend(const struct function *f, int i, int *sum)
{
    const struct node *node = &f->nodes[i];
    if (node->kind != NODE_PHI || node->sum >= 0 || !node->needed || node->condition >= 0) return false;
    if (is_loop_header(f, node->block)) return false;
    *sum = -1;
    for (unsigned j = 0; j < LLVMCountIncoming(node->value); j++) {
        int other = node_of(f, LLVMGetIncomingValue(node->value, j));
        if (other < 0 || f->nodes[other].sum < 0) continue;
        if (*sum >= 0 && *sum != f->nodes[other].sum) return false;
        *sum = f->nodes[other].sum;
    }
    return *sum >= 0 && !loop_holds(f, f->sums[*sum].loop, node->block);
}

/* A phi of two ways that is followed by others' use of the sum must not take its content away: only phis
 * whose every source inside the sum has no other user outside. */
static bool sole_user(const struct function *f, int i, int sum)
{
    LLVMValueRef phi = f->nodes[i].value;
    for (unsigned j = 0; j < LLVMCountIncoming(phi); j++) {
        int other = node_of(f, LLVMGetIncomingValue(phi, j));
        if (other < 0 || f->nodes[other].sum != sum) continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f->nodes[other].value); use; use = LLVMGetNextUse(use)) {
            int user = node_of(f, LLVMGetUser(use));
            if (user < 0 || user == i || f->nodes[user].sum == sum) continue;
            if (loop_holds(f, f->sums[sum].loop, f->nodes[user].block)) continue;
            if (f->nodes[user].carries || is_store(&f->nodes[user])) return false;
        }
    }
    return true;
}

static void extend(struct function *f)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < f->n_nodes; i++) {
            int sum;
            if (trailing_extend(f, i) || trailing_multiply(f, i) || trailing_add(f, i) ||
                trailing_meet(f, i) || bests_take(f, i) || bests_go_on(f, i) || bests_take_last(f, i)) {
                changed = true;
                continue;
            }
            if (!can_extend(f, i, &sum) ||
                (LLVMCountIncoming(f->nodes[i].value) > 1 && !sole_user(f, i, sum)))
                continue;
            f->nodes[i].sum = sum;
            changed = true;
        }
    }
}

/* The other uses of what is stored take it from the word. */
static bool is_taken_from(const struct function *f, int store, LLVMValueRef value, LLVMValueRef phi)
{
    for (unsigned j = 0; j < LLVMCountIncoming(phi); j++) {
        int from = block_at(f, LLVMGetIncomingBlock(phi, j));
        struct use use = {value, from, f->nodes[node_of(f, block_end(f, from))].position};
        if (LLVMGetIncomingValue(phi, j) == value && forwarded(f, &use) != store) return false;
    }
    return true;
}

static bool is_for_store(const struct function *f, int store, LLVMValueRef value)
{
    int n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_phi = LLVMIsAPHINode(user) && is_taken_from(f, store, value, user);
        if (!is_phi && n++) return false;
    }
    return n == 1;
}

/* In a loop that the sum's loop is not in the content is stored in every turn, and ends with none of them. */
static bool is_stored_once(const struct function *f, int store, int i)
{
    int loop = f->blocks[f->nodes[store].block].loop;
    return loop < 0 || loop_holds(f, loop, f->nodes[i].block);
}

static void mark_direct(struct function *f, int store, LLVMValueRef value)
{
    int i = value ? node_of(f, value) : -1;
    if (i >= 0 && sums_arrive(f, i) && is_stored_once(f, store, i) && is_for_store(f, store, value))
        f->nodes[i].direct = true;
}

static void find_direct(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++) {
        struct update update;
        if (!is_store(&f->nodes[i])) continue;
        if (!store_is_update(f, i, &update))
            mark_direct(f, i, LLVMGetOperand(f->nodes[i].value, 0));
        else
            for (int j = 0; j < update.n; j++)
                if (!update.factors[j] && update.op == FOLD_ADD) mark_direct(f, i, update.terms[j]);
    }
}

void sums_find(struct function *f)
{
    find_components(f);
    choices_drop_conditions(f);
    f->sums = take((size_t)f->n_sums, sizeof *f->sums);
    for (int s = 0; s < f->n_sums; s++) {
        find_loop(f, s);
        sum_find_op(f, s);
        find_merged(f, s);
    }
    merge_conditions(f);
    merge_additions(f);
    extend(f);
    find_direct(f);
}
