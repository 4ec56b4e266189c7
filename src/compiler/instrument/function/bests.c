/*
 * The largest number and its place, looked for in several variables: `if (m1 > m0) { m0 = m1; p0 = p1; }`
 * behind the loop. The choice of the number alone would be the larger of two sums (leaves.c), but the one of
 * the place asks for both numbers. Where nothing else is computed from these, all of them are one reduction.
 */
#include "compiler/instrument/function/bests.h"

#include <stdlib.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/function/sum_ops.h"

enum { DEEPEST = 8, MOST_SUMS = 4 };

/* The sums that a choice takes from. */
struct bests {
    const struct function *f;
    int sums[MOST_SUMS], n;
    bool has_places;  /* something is chosen that is not compared */
    bool is_computed; /* some of it is computed from what a sum has chosen */
};

static bool is_of(const struct bests *b, int sum)
{
    for (int i = 0; i < b->n; i++)
        if (b->sums[i] == sum) return true;
    return false;
}

/* The member of a sum that a value is behind its loop, in more bits or fewer; -1. */
static int content_of(const struct function *f, LLVMValueRef value)
{
    int i = node_of(f, value);
    while (i >= 0 && f->nodes[i].sum < 0 && f->nodes[i].kind == NODE_ARITH &&
           store_is_width(f->nodes[i].value))
        i = node_of(f, LLVMGetOperand(f->nodes[i].value, 0));
    if (i < 0 || f->nodes[i].sum < 0) return -1;
    const struct sum *sum = &f->sums[f->nodes[i].sum];
    bool is_behind = sum->loop >= 0 && !loop_holds(f, sum->loop, f->nodes[i].block);
    return is_behind && fold_chooses(sum->op) ? i : -1;
}

/* The larger of two, of whole numbers by an intrinsic. */
static bool is_extremum(LLVMValueRef value)
{
    int op = LLVMIsACallInst(value) ? (int)fold_of(value, 0) : 0;
    return op == FOLD_MIN || op == FOLD_MAX || store_is_extremum(value, NULL, NULL);
}

static bool is_choice(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    if (node->kind == NODE_PHI) return !is_loop_header(f, node->block);
    return node->kind == NODE_SELECT || (node->kind == NODE_ARITH && is_extremum(node->value));
}

static unsigned n_ways(LLVMValueRef choice)
{
    return LLVMIsAPHINode(choice) ? LLVMCountIncoming(choice) : 2;
}

static LLVMValueRef way(LLVMValueRef choice, unsigned j)
{
    if (LLVMIsAPHINode(choice)) return LLVMGetIncomingValue(choice, j);
    return LLVMGetOperand(choice, j + (LLVMIsASelectInst(choice) != NULL));
}

enum { OF_NONE = -2, OF_SEVERAL = -1 };

static int sum_made_of(const struct function *f, LLVMValueRef value, int depth);

static int sum_of_operands(const struct function *f, int i, int depth)
{
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses), sum = n < 0 ? OF_SEVERAL : OF_NONE;
    for (int j = 0; j < n && sum != OF_SEVERAL; j++) {
        int one = sum_made_of(f, uses[j].value, depth + 1);
        if (one != OF_NONE) sum = sum == OF_NONE || sum == one ? one : OF_SEVERAL;
    }
    free(uses);
    return sum;
}

/* The one sum whose content a value is, or is computed from. */
static int sum_made_of(const struct function *f, LLVMValueRef value, int depth)
{
    int i = node_of(f, value), content = content_of(f, value);
    if (i < 0 || !f->nodes[i].carries) return OF_NONE;
    if (content >= 0) return f->nodes[content].sum;
    const struct node *node = &f->nodes[i];
    bool is_made = node->kind == NODE_ARITH ||
                   (node->kind == NODE_PHI && node->condition < 0 && !is_loop_header(f, node->block));
    return is_made && node->sum < 0 && depth < DEEPEST ? sum_of_operands(f, i, depth) : OF_SEVERAL;
}

/* Whatever the choice takes has to come of one sum. */
static bool find_sums(struct bests *b, int choice)
{
    LLVMValueRef value = b->f->nodes[choice].value;
    b->n = 0;
    for (unsigned j = 0; j < n_ways(value); j++) {
        int sum = sum_made_of(b->f, way(value, j), 0);
        if (sum < 0) return false;
        b->is_computed |= content_of(b->f, way(value, j)) < 0;
        if (is_of(b, sum)) continue;
        if (b->n == MOST_SUMS || (b->n && b->f->sums[sum].op != b->f->sums[b->sums[0]].op)) return false;
        b->sums[b->n++] = sum;
    }
    return b->n > 1;
}

static bool is_open(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    return node->sum < 0 && node->needed && node->carries && is_choice(f, i);
}

/* Does another choice take from the same sums, all of them? It may be of one of them already. */
static bool is_beside(const struct bests *b, int i)
{
    struct bests other = {.f = b->f};
    bool is_free = is_open(b->f, i) || (b->f->nodes[i].sum >= 0 && is_of(b, b->f->nodes[i].sum));
    if (!is_free || !is_choice(b->f, i) || !find_sums(&other, i) || other.n != b->n) return false;
    for (int j = 0; j < b->n; j++)
        if (!is_of(&other, b->sums[j])) return false;
    return true;
}

/* Is a content used to choose only: by the choices of these sums, or their questions? */
static bool is_used_to_choose(struct bests *b, LLVMValueRef value, int sum, int depth)
{
    const struct function *f = b->f;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef by = LLVMGetUser(use);
        int user = node_of(f, by);
        if (user < 0 || loop_holds(f, f->sums[sum].loop, f->nodes[user].block)) continue;
        if (LLVMIsABranchInst(by) || (!f->nodes[user].carries && !is_store(&f->nodes[user]))) continue;
        if (is_beside(b, user)) {
            b->has_places |= !is_extremum(by);
            b->is_computed |= depth > 0 && !store_is_truth(value) && !store_is_width(value);
            continue;
        }
        if (f->nodes[user].sum == sum) continue;
        bool passes =
            (f->nodes[user].kind == NODE_ARITH && store_is_truth(by)) || sum_made_of(f, by, 0) == sum;
        if (depth == DEEPEST || !passes || !is_used_to_choose(b, by, sum, depth + 1)) return false;
    }
    return true;
}

static bool are_used_to_choose(struct bests *b)
{
    const struct function *f = b->f;
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].sum >= 0 && is_of(b, f->nodes[i].sum) && !is_beside(b, i) &&
            !is_used_to_choose(b, f->nodes[i].value, f->nodes[i].sum, 0))
            return false;
    return true;
}

/* Notes the sums that a value is computed from by way of contents, or of what stands where these lead. */
static void note_sums(const struct bests *b, LLVMValueRef value, bool *found, int depth)
{
    const struct function *f = b->f;
    int i = node_of(f, value);
    if (i < 0 || depth == DEEPEST || LLVMIsAPHINode(value)) depth = DEEPEST;
    for (int j = 0; i >= 0 && j < b->n; j++) found[j] |= f->nodes[i].sum == b->sums[j];
    if (depth == DEEPEST || f->nodes[i].sum >= 0) return;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(value); j++)
        note_sums(b, LLVMGetOperand(value, j), found, depth + 1);
}

/* Is it chosen by a comparison of what the sums have chosen? */
static bool is_compared(const struct bests *b, int choice)
{
    LLVMValueRef condition = condition_of(b->f, &b->f->nodes[choice]);
    bool found[MOST_SUMS] = {false};
    if (!condition) return false;
    note_sums(b, condition, found, 0);
    for (int i = 0; i < b->n; i++)
        if (!found[i]) return false;
    return true;
}

/* Of one loop, where nothing is read before all is there. */
static bool merge(struct function *f, const struct bests *b)
{
    for (int i = 1; i < b->n; i++)
        if (f->sums[b->sums[i]].loop != f->sums[b->sums[0]].loop) return false;
    for (int i = 1; i < b->n; i++) sums_merge(f, b->sums[0], b->sums[i]);
    return true;
}

bool bests_take(struct function *f, int choice)
{
    struct bests b = {.f = f};
    if (!is_open(f, choice) || !find_sums(&b, choice) || !is_compared(&b, choice)) return false;
    if (!are_used_to_choose(&b) || !b.has_places) return false;
    if (b.is_computed) return merge(f, &b);
    bool *is_one = take((size_t)f->n_nodes, sizeof *is_one);
    int into = -1;
    for (int i = 0; i < f->n_nodes; i++) {
        is_one[i] = is_beside(&b, i);
        if (is_one[i] && into < 0) into = f->nodes[i].sum;
    }
    for (int i = 0; i < f->n_nodes; i++)
        if (is_one[i]) f->nodes[i].sum = into < 0 ? b.sums[0] : into;
    free(is_one);
    return true;
}

/* ---- what is left over ---- */

/* Does the loop of a sum go on with what another one has come to? */
static bool goes_on_with(const struct function *f, int sum, int other)
{
    int loop = f->sums[sum].loop, n = 0;
    for (int i = 0; i < f->n_nodes; i++) {
        const struct node *node = &f->nodes[i];
        if (node->sum != sum || node->kind != NODE_PHI || node->block != f->loops[loop].header) continue;
        for (unsigned j = 0; j < LLVMCountIncoming(node->value); j++) {
            if (loop_holds(f, loop, block_at(f, LLVMGetIncomingBlock(node->value, j)))) continue;
            int content = content_of(f, LLVMGetIncomingValue(node->value, j));
            if (content < 0 || f->nodes[content].sum != other) return false;
            n++;
        }
    }
    return n > 0;
}

bool bests_go_on(struct function *f, int phi)
{
    struct bests b = {.f = f};
    struct node *node = &f->nodes[phi];
    if (node->kind != NODE_PHI || !is_open(f, phi) || !find_sums(&b, phi) || b.n != 2) return false;
    int last = goes_on_with(f, b.sums[1], b.sums[0]);
    if (!last && !goes_on_with(f, b.sums[0], b.sums[1])) return false;
    node->sum = b.sums[last];
    return true;
}

/* What one way takes is no sum, what the others take is the content of one. */
static bool is_last_choice(struct bests *b, int i)
{
    const struct function *f = b->f;
    const struct node *node = &f->nodes[i];
    int n_others = 0;
    if (node->kind != NODE_PHI || !is_open(f, i)) return false;
    b->n = 0;
    for (unsigned j = 0; j < LLVMCountIncoming(node->value); j++) {
        int in = node_of(f, LLVMGetIncomingValue(node->value, j));
        int content = content_of(f, LLVMGetIncomingValue(node->value, j));
        n_others += content < 0;
        if (content < 0 ? in >= 0 && f->nodes[in].sum >= 0 : b->n && b->sums[0] != f->nodes[content].sum)
            return false;
        if (content < 0) continue;
        b->sums[0] = f->nodes[content].sum;
        b->n = 1;
    }
    return b->n == 1 && n_others > 0;
}

/* Has one of the ways to the phi been taken by a comparison with what there is? */
static bool is_compared_before(const struct bests *b, int phi)
{
    const struct function *f = b->f;
    LLVMValueRef value = f->nodes[phi].value;
    int fork = f->blocks[f->nodes[phi].block].dominator;
    bool found[MOST_SUMS] = {false};
    for (unsigned j = 0; j < LLVMCountIncoming(value); j++)
        for (int at = block_at(f, LLVMGetIncomingBlock(value, j)); at >= 0; at = f->blocks[at].dominator) {
            LLVMValueRef end = block_end(f, at);
            if (LLVMIsABranchInst(end) && LLVMIsConditional(end))
                note_sums(b, LLVMGetCondition(end), found, 0);
            if (at == fork) break;
        }
    return found[0];
}

/* Is a content used for these choices only, and for questions that lead to them? */
static bool is_used_at_last(const struct bests *b, LLVMValueRef value, int block, int depth)
{
    const struct function *f = b->f;
    int sum = b->sums[0];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef by = LLVMGetUser(use);
        int user = node_of(f, by);
        struct bests other = {.f = f};
        if (user < 0 || f->nodes[user].sum == sum || loop_holds(f, f->sums[sum].loop, f->nodes[user].block))
            continue;
        if (LLVMIsABranchInst(by) || (!f->nodes[user].carries && !is_store(&f->nodes[user]))) continue;
        if (f->nodes[user].block == block && is_last_choice(&other, user) && other.sums[0] == sum) continue;
        bool asks = f->nodes[user].kind == NODE_ARITH && store_is_truth(by) && depth < DEEPEST;
        if (!asks || !is_used_at_last(b, by, block, depth + 1)) return false;
    }
    return true;
}

bool bests_take_last(struct function *f, int phi)
{
    struct bests b = {.f = f}, other = {.f = f};
    if (!is_last_choice(&b, phi) || !is_compared_before(&b, phi)) return false;
    int sum = b.sums[0], block = f->nodes[phi].block;
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].sum == sum && !is_used_at_last(&b, f->nodes[i].value, block, 0)) return false;
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].block == block && is_last_choice(&other, i) && other.sums[0] == sum)
            f->nodes[i].sum = sum;
    return true;
}

/* The sum, other than its own, that an operand of a choice is the content of; -1. */
static int other_sum(const struct function *f, int member, LLVMValueRef operand)
{
    int content = is_choice(f, member) ? content_of(f, operand) : -1;
    if (content < 0 || content_of(f, f->nodes[member].value) < 0) return -1;
    return f->nodes[content].sum == f->nodes[member].sum ? -1 : f->nodes[content].sum;
}

int bests_joined(const struct function *f, int member, LLVMValueRef operand)
{
    int other = other_sum(f, member, operand);
    return other >= 0 && goes_on_with(f, f->nodes[member].sum, other) ? -1 : other;
}

bool bests_are_before(const struct function *f, int member, LLVMValueRef operand)
{
    int other = other_sum(f, member, operand);
    return other >= 0 && goes_on_with(f, f->nodes[member].sum, other);
}
