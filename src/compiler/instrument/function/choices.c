/*
 * `c ? -x : x` says nothing that x does not say, but for c: where all alternatives have the same leaves, the
 * choice is what is computed. Labels of the leaves are there before the ways part, so such a choice is like
 * arithmetic of the condition and the alternatives. So is a slope limiter, `a * b <= 0 ? 0 : least(a, b)`:
 * the 0 comes of a and b as well.
 */
#include "compiler/instrument/function/choices.h"

#include <stdlib.h>

#include "compiler/instrument/function/constants.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/kept.h"

enum { MOST_STEPS = 6 };

static void add_leaf(struct leaves *leaves, int node)
{
    for (int i = 0; i < leaves->n; i++)
        if (leaves->node[i] == node) return;
    if (leaves->n == MOST_LEAVES)
        leaves->overflow = true;
    else
        leaves->node[leaves->n++] = node;
}

static bool is_open_choice(const struct node *node)
{
    if (node->condition >= 0) return false;
    return node->kind == NODE_PHI ||
           (node->kind == NODE_SELECT && !store_is_extremum(node->value, NULL, NULL));
}

static int all_uses(const struct function *f, int i, struct use *uses)
{
    int n = data_uses(f, i, uses);
    if (n < 0) n = 0;
    if (condition_use(f, i, &uses[n])) n++;
    return n;
}

static void gather(const struct function *f, const struct use *use, bool *seen, struct leaves *leaves)
{
    int i = node_of(f, use->value), store = i < 0 ? -1 : forwarded(f, use);
    if (i < 0 || !f->nodes[i].carries) return;
    if (store >= 0) {
        add_leaf(leaves, store);
        return;
    }
    if (seen[i]) return;
    seen[i] = true;
    if (f->nodes[i].kind == NODE_LEAF || f->nodes[i].decided || is_open_choice(&f->nodes[i])) {
        add_leaf(leaves, i);
        return;
    }
    struct use *uses = take(MOST_USES + 1, sizeof *uses);
    int n = all_uses(f, i, uses);
    for (int j = 0; j < n; j++) gather(f, &uses[j], seen, leaves);
    free(uses);
}

void leaves_of(const struct function *f, const struct use *use, struct leaves *leaves)
{
    bool *seen = take((size_t)f->n_nodes, sizeof *seen);
    *leaves = (struct leaves){.n = 0};
    gather(f, use, seen, leaves);
    free(seen);
}

static bool are_within(const struct leaves *a, const struct leaves *b)
{
    if (a->overflow || b->overflow) return false;
    for (int i = 0; i < a->n; i++) {
        bool found = false;
        for (int j = 0; j < b->n; j++) found = found || a->node[i] == b->node[j];
        if (!found) return false;
    }
    return true;
}

static bool same_leaves(const struct function *f, const struct use *uses, int n, struct leaves *leaves)
{
    leaves_of(f, &uses[0], leaves);
    for (int i = 1; i < n; i++) {
        struct leaves other;
        leaves_of(f, &uses[i], &other);
        if (!are_within(leaves, &other) || !are_within(&other, leaves)) return false;
    }
    return leaves->n > 0 && !leaves->overflow;
}

static bool reaches(const struct function *f, int from, int to, bool *seen)
{
    struct use *uses = take(MOST_USES + 1, sizeof *uses);
    int n = all_uses(f, from, uses);
    bool found = false;
    for (int j = 0; j < n && !found; j++) {
        int i = node_of(f, uses[j].value);
        if (i < 0 || !f->nodes[i].carries || forwarded(f, &uses[j]) >= 0) continue;
        found = i == to;
        if (found || seen[i]) continue;
        seen[i] = true;
        found = reaches(f, i, to, seen);
    }
    free(uses);
    return found;
}

/* Does the value feed itself? Then it is a sum, or part of one. */
static bool feeds(const struct function *f, int from, int to)
{
    bool *seen = take((size_t)f->n_nodes, sizeof *seen);
    bool found = from == to || reaches(f, from, to, seen);
    free(seen);
    return found;
}

static bool is_in_sum(const struct function *f, int i)
{
    struct use *uses = take(MOST_USES + 1, sizeof *uses);
    int n = all_uses(f, i, uses);
    bool found = false;
    for (int j = 0; j < n && !found; j++) {
        int other = node_of(f, uses[j].value);
        if (other < 0 || !f->nodes[other].carries || forwarded(f, &uses[j]) >= 0) continue;
        found = feeds(f, other, i);
    }
    free(uses);
    return found;
}

/* The content of a sum has its label where it is read, which may be within an alternative. */
static bool any_in_sum(const struct function *f, const struct leaves *leaves)
{
    for (int i = 0; i < leaves->n; i++)
        if (!is_store(&f->nodes[leaves->node[i]]) && is_in_sum(f, leaves->node[i])) return true;
    return false;
}

/* A phi of one value is no choice; a select of one value was put there for its condition (guarded.c). */
static bool is_choice(const struct node *node, const struct use *uses, int n)
{
    if (node->kind == NODE_SELECT) return true;
    for (int j = 1; j < n; j++)
        if (uses[j].value != uses[0].value) return true;
    return false;
}

/* Has a loop that leaves this begun with the other one? */
static bool has_begun_with(const struct function *f, LLVMValueRef left, LLVMValueRef start)
{
    while (LLVMIsAPHINode(left) && LLVMCountIncoming(left) == 1) left = LLVMGetIncomingValue(left, 0);
    if (LLVMIsAConstant(left)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(left); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAPHINode(user) || LLVMCountIncoming(user) != 2 || node_of(f, user) < 0) continue;
        LLVMValueRef other = LLVMGetIncomingValue(user, LLVMGetIncomingValue(user, 0) == left);
        if (other == start && is_loop_header(f, f->nodes[node_of(f, user)].block)) return true;
    }
    return false;
}

bool choices_go_on(const struct function *f, const struct node *node, const struct use *uses, int n)
{
    return node->kind == NODE_PHI && n == 2 &&
           (has_begun_with(f, uses[0].value, uses[1].value) ||
            has_begun_with(f, uses[1].value, uses[0].value));
}

/* Is one value computed from the other and constants alone? */
static bool is_made_of(const struct function *f, LLVMValueRef value, LLVMValueRef other, int depth)
{
    if (value == other) return true;
    int i = node_of(f, value);
    if (i < 0 || depth == MOST_STEPS || f->nodes[i].kind != NODE_ARITH) return false;
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses), n_made = 0;
    for (int j = 0; j < n; j++) {
        if (!use_carries(f, &uses[j])) continue;
        if (!is_made_of(f, uses[j].value, other, depth + 1)) return false;
        n_made++;
    }
    return n_made > 0;
}

static bool is_ordered_by(const struct function *f, LLVMValueRef compare, LLVMValueRef a, LLVMValueRef b)
{
    return is_made_of(f, LLVMGetOperand(compare, 0), a, 0) && is_made_of(f, LLVMGetOperand(compare, 1), b, 0);
}

/* The smaller or larger by magnitude, `fabs(a) < fabs(b) ? a : b`, is computed from both, as the smaller is.
 */
static bool is_by_magnitude(const struct function *f, const struct node *node)
{
    if (node->kind != NODE_SELECT || LLVMGetTypeKind(LLVMTypeOf(node->value)) == LLVMPointerTypeKind)
        return false;
    LLVMValueRef compare = LLVMGetOperand(node->value, 0), a = LLVMGetOperand(node->value, 1),
                 b = LLVMGetOperand(node->value, 2);
    return store_order_of(compare) && (is_ordered_by(f, compare, a, b) || is_ordered_by(f, compare, b, a));
}

static bool is_least(const struct function *f, LLVMValueRef value, int depth)
{
    int i = node_of(f, value), found = -1;
    if (i < 0 || depth == MOST_STEPS) return false;
    const struct node *node = &f->nodes[i];
    if (store_is_extremum(value, NULL, NULL) || is_by_magnitude(f, node)) return true;
    if (node->kind != NODE_ARITH || fold_of(value, 0) >= FOLD_MIN) return node->kind == NODE_ARITH;
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++) {
        if (!use_carries(f, &uses[j])) continue;
        if (found >= 0) return false;
        found = j;
    }
    return found >= 0 && is_least(f, uses[found].value, depth + 1);
}

/* Below a threshold: what is compared is the alternative, or the alternative is made of it. */
static bool is_threshold(const struct function *f, LLVMValueRef condition, LLVMValueRef value)
{
    if (!LLVMIsACmpInst(condition)) return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef compared = LLVMGetOperand(condition, i);
        if (!LLVMIsAConstant(compared) &&
            (is_made_of(f, compared, value, 0) || is_made_of(f, value, compared, 0)))
            return true;
    }
    return false;
}

/* Is the alternative no less known where the ways part? */
static bool is_known_before(const struct function *f, int i, const struct leaves *leaves)
{
    const struct node *node = &f->nodes[i];
    int fork = f->blocks[node->block].dominator;
    for (int j = 0; node->kind == NODE_PHI && j < leaves->n; j++) {
        const struct node *leaf = &f->nodes[leaves->node[j]];
        if (leaf->position >= 0 && leaf->block != fork && !dominates(f, leaf->block, 0, fork, 0))
            return false;
    }
    return true;
}

/* An alternative beside constants that the condition has the word over: the least of several values, or what
 * is computed from the same leaves as the condition, two at least. */
static bool is_limited(const struct function *f, int i, const struct use *alternative, LLVMValueRef condition)
{
    struct leaves own, asked;
    struct use use = {condition, f->nodes[i].block, f->nodes[i].position};
    leaves_of(f, alternative, &own);
    leaves_of(f, &use, &asked);
    if (own.overflow || any_in_sum(f, &own) || !is_known_before(f, i, &own)) return false;
    if (is_least(f, alternative->value, 0)) return true;
    return own.n >= 2 && are_within(&own, &asked) && are_within(&asked, &own) &&
           !is_threshold(f, condition, alternative->value);
}

/* `a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b`, a slope limiter. */
static bool is_limiter(const struct function *f, int i, const struct use *uses, int n, LLVMValueRef condition)
{
    int n_limited = 0;
    for (int j = 0; j < n; j++) {
        if (!use_carries(f, &uses[j])) continue;
        if (!is_limited(f, i, &uses[j], condition)) return false;
        n_limited++;
    }
    return n_limited > 0 && n_limited < n;
}

static bool are_alike(const struct function *f, int i, const struct use *uses, int n)
{
    struct leaves leaves;
    return is_choice(&f->nodes[i], uses, n) && same_leaves(f, uses, n, &leaves) && !any_in_sum(f, &leaves);
}

static bool adds_leaves(const struct function *f, int i, const struct use *uses, int n,
                        LLVMValueRef condition)
{
    struct leaves asked, own;
    struct use use = {condition, f->nodes[i].block, f->nodes[i].position};
    leaves_of(f, &use, &asked);
    for (int j = 0; j < n; j++) {
        leaves_of(f, &uses[j], &own);
        if (are_within(&asked, &own)) return false;
    }
    return true;
}

/* `s == 3 ? 1 : s == 2 ? x : 0`: where constants differ, s alone tells which one it is. A truth value that is
 * a constant on one way is `and` or `or` of the condition and what it is on the other. */
static bool is_decided(const struct function *f, int i, const struct use *uses, int n, LLVMValueRef condition)
{
    LLVMValueRef value = f->nodes[i].value;
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind && !type_is_real(LLVMTypeOf(value)))
        return false;
    if (choices_go_on(f, &f->nodes[i], uses, n)) return false; /* whether a loop is run at all */
    return constants_among(f, i) > 0 && (store_is_truth(value) || constants_differ(f, i)) &&
           adds_leaves(f, i, uses, n, condition);
}

/* Nothing is read for the alternatives in any loop, but for what is asked: `if (x[m] < key) low = m + 1; else
 * high = m;` with a number of elements that the function was given, which may carry a label. They tell no
 * more than constants would. */
static bool is_asked_alone(const struct function *f, int i, const struct use *uses, int n,
                           LLVMValueRef condition)
{
    int loop = loop_outermost(f, f->nodes[i].block);
    if (loop < 0 || !is_choice(&f->nodes[i], uses, n) || choices_go_on(f, &f->nodes[i], uses, n))
        return false;
    if (LLVMGetTypeKind(LLVMTypeOf(f->nodes[i].value)) == LLVMPointerTypeKind) return false;
    for (int j = 0; j < n; j++)
        if (flow_is_data(f, loop, uses[j].value)) return false;
    return flow_is_data(f, f->blocks[f->nodes[i].block].loop, condition);
}

/* Does the choice, not of a sum, take the labels of its condition, besides those of the alternative that is
 * taken? */
static bool decide(struct function *f, int i, int c)
{
    struct node *node = &f->nodes[i];
    node->condition = c;
    node->decided = !is_in_sum(f, i);
    if (!node->decided) node->condition = -1;
    return node->decided;
}

/* As it is, not as the label of a word that it has been stored in. */
static bool is_alternative(const struct function *f, const struct use *uses, int n, LLVMValueRef value)
{
    for (int j = 0; j < n; j++)
        if (uses[j].value == value && forwarded(f, &uses[j]) < 0) return true;
    return false;
}

/* Does the condition compare what the choice keeps from turn to turn with another value? */
static bool compares_kept(const struct function *f, int i, const struct use *uses, int n,
                          LLVMValueRef condition)
{
    for (unsigned side = 0; store_order_of(condition) && side < 2; side++) {
        LLVMValueRef kept = LLVMGetOperand(condition, side);
        int own = node_of(f, kept), other = node_of(f, LLVMGetOperand(condition, 1 - side));
        if (own < 0 || other < 0 || !f->nodes[own].carries || !f->nodes[other].carries) continue;
        if (is_alternative(f, uses, n, kept) && feeds(f, own, i) && !feeds(f, other, i)) return true;
    }
    return false;
}

/* The best so far where the optimiser keeps the branch, since more is done on it or since what may come in
 * its place is computed again there: it is compared in every turn that its guards let through. The
 * comparison; -1. */
static int comparison_of(const struct function *f, int i, const struct use *uses, int n)
{
    const struct node *node = &f->nodes[i];
    LLVMValueRef chosen = condition_of(f, node);
    if (!chosen) return -1;
    if (compares_kept(f, i, uses, n, chosen)) return node_of(f, chosen);
    int fork = f->blocks[node->block].dominator;
    for (int j = 0; node->kind == NODE_PHI && j < n; j++)
        for (int b = uses[j].block; b >= 0 && b != fork; b = f->blocks[b].dominator) {
            LLVMValueRef end = block_end(f, b);
            bool parts = LLVMIsABranchInst(end) && LLVMIsConditional(end);
            if (parts && compares_kept(f, i, uses, n, LLVMGetCondition(end)))
                return node_of(f, LLVMGetCondition(end));
        }
    return -1;
}

static bool take_comparison(struct function *f, int i)
{
    struct use *uses = take(MOST_USES + 1, sizeof *uses);
    int n = data_uses(f, i, uses), c = n < 2 ? -1 : comparison_of(f, i, uses, n);
    free(uses);
    if (c >= 0) f->nodes[i].condition = c;
    return c >= 0;
}

/* Does the choice, not of a sum, take the labels of its condition and of all its alternatives? */
static bool take_condition(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    LLVMValueRef condition = condition_of(f, node);
    int c = condition ? node_of(f, condition) : -1;
    if (take_comparison(f, i)) return false;
    if (c < 0 || !f->nodes[c].carries) return false;
    struct use *uses = take(MOST_USES + 1, sizeof *uses);
    int n = data_uses(f, i, uses);
    if (n >= 2 &&
        (are_alike(f, i, uses, n) || is_by_magnitude(f, node) || is_limiter(f, i, uses, n, condition))) {
        node->condition = c;
        node->alike = !is_in_sum(f, i);
        if (node->alike)
            f->nodes[c].asked = true;
        else
            node->condition = -1;
    } else if (n >= 2 && (is_decided(f, i, uses, n, condition) ||
                          (kept_is_asked(node->value) && adds_leaves(f, i, uses, n, condition)))) {
        decide(f, i, c);
    } else if (n >= 2 && is_asked_alone(f, i, uses, n, condition)) {
        if (!decide(f, i, c)) node->condition = c;
    }
    free(uses);
    return node->condition >= 0;
}

/* Again, since a choice among choices waits for them. */
void choices_take_conditions(struct function *f)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < f->n_nodes; i++) {
            const struct node *node = &f->nodes[i];
            if (node->carries && node->block >= 0 && is_open_choice(node) && take_condition(f, i))
                changed = true;
        }
    }
}

/* What guards let through to a comparison is known behind it, not where the ways meet: such a choice is the
 * best so far of a sum, or takes no condition. */
void choices_drop_conditions(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++) {
        struct node *node = &f->nodes[i];
        struct use use;
        if (node->kind != NODE_PHI || node->sum >= 0 || !condition_use(f, i, &use)) continue;
        const struct node *compared = &f->nodes[node->condition];
        if (compared->position >= 0 &&
            !dominates(f, compared->block, compared->position, use.block, use.position))
            node->condition = -1;
    }
}
