/* What stands for the terms of a sum that carry no label: where it is, or what it is behind. */
#include <stdlib.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/place.h"
#include "compiler/instrument/function/store.h"

enum { MOST_STEPS = 24, MOST_WAYS = 32, MOST_QUESTIONS = 8 };

static bool is_among(const int *blocks, int n, int block)
{
    for (int i = 0; i < n; i++)
        if (blocks[i] == block) return true;
    return false;
}

/* Of the ways that part at `top`, does one lead past the block, and stay in the loop? Of `if (a || b)` that
 * of neither does; what an if and its else meet in is behind neither. */
static bool is_passed_by(const struct function *f, int block, int top)
{
    int ways[MOST_WAYS + 2] = {block, top}, n = 2, loop = f->blocks[block].loop;
    for (int i = 0; i < n; i++)
        for (int j = 0; i != 1 && j < f->blocks[ways[i]].n_before; j++) {
            int before = f->blocks[ways[i]].before[j];
            if (f->blocks[before].order < 0 || is_among(ways, n, before)) continue;
            if (n == MOST_WAYS + 2) return false;
            ways[n++] = before;
        }
    for (int i = 1; i < n; i++) {
        LLVMValueRef end = block_end(f, ways[i]);
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++) {
            int to = block_at(f, LLVMGetSuccessor(end, j));
            if (!is_among(ways, n, to) && (loop < 0 || loop_holds(f, loop, to))) return true;
        }
    }
    return false;
}

/* The condition that a block is behind, all ways of which stay in the loop; NULL. */
static LLVMValueRef guard_of(const struct function *f, int block)
{
    int before = f->blocks[block].dominator, loop = f->blocks[block].loop;
    LLVMValueRef end = block_end(f, before);
    bool is_branch = LLVMIsABranchInst(end) && LLVMIsConditional(end);
    if (before == block || f->blocks[before].loop != loop) return NULL;
    if (!is_branch && !LLVMIsASwitchInst(end)) return NULL;
    for (unsigned i = 0; loop >= 0 && i < LLVMGetNumSuccessors(end); i++) {
        int to = block_at(f, LLVMGetSuccessor(end, i));
        bool is_nowhere =
            !is_branch && LLVMIsAUnreachableInst(block_end(f, to)); /* there are no other cases */
        if (!is_nowhere && !loop_holds(f, loop, to)) return NULL;
    }
    if (f->blocks[block].n_before != 1 && !is_passed_by(f, block, before)) return NULL;
    return LLVMGetOperand(end, 0);
}

/* From the block to the header of its loop. */
static int guard_uses(const struct function *f, int block, struct use *uses)
{
    int n = 0, loop = f->blocks[block].loop;
    while (f->blocks[block].order >= 0 && f->blocks[block].loop == loop && n < MOST_USES) {
        int before = f->blocks[block].dominator;
        LLVMValueRef guard = guard_of(f, block);
        if (guard)
            uses[n++] = (struct use){guard, before, f->nodes[node_of(f, block_end(f, before))].position};
        if (before == block || (loop >= 0 && f->loops[loop].header == block)) break;
        block = before;
    }
    return n;
}

struct steps {
    int seen[MOST_STEPS], n;
    bool sizes_are_read; /* do sizes count, numbers in variables that the function leaves alone? */
};

static bool is_size(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           address_stands(value);
}

/* What was looked at already adds nothing; of what is computed in very many steps nobody knows. */
static bool is_read(const struct function *f, int loop, LLVMValueRef value, struct steps *steps)
{
    int i = node_of(f, value);
    if (i < 0 || !f->nodes[i].carries || f->nodes[i].position < 0) return false;
    if (loop >= 0 && !loop_holds(f, loop, f->nodes[i].block)) return false;
    for (int j = 0; j < steps->n; j++)
        if (steps->seen[j] == i) return false;
    if (!steps->sizes_are_read && is_size(value)) return false;
    if (f->nodes[i].kind == NODE_LEAF || steps->n == MOST_STEPS) return true;
    steps->seen[steps->n++] = i;
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++)
        if (is_read(f, loop, uses[j].value, steps)) return true;
    return false;
}

bool flow_is_read(const struct function *f, int loop, LLVMValueRef value)
{
    struct steps steps = {.sizes_are_read = true};
    return is_read(f, loop, value, &steps);
}

bool flow_is_data(const struct function *f, int loop, LLVMValueRef value)
{
    struct steps steps = {.sizes_are_read = false};
    return is_read(f, loop, value, &steps);
}

static bool is_chosen_in(const struct function *f, LLVMValueRef value, struct steps *steps)
{
    int i = node_of(f, value);
    if (i < 0 || !f->nodes[i].carries || f->nodes[i].kind == NODE_LEAF) return false;
    for (int j = 0; j < steps->n; j++)
        if (steps->seen[j] == i) return false;
    if (f->nodes[i].condition >= 0 || steps->n == MOST_STEPS) return true;
    steps->seen[steps->n++] = i;
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    bool found = false;
    for (int j = 0; j < n && !found; j++) found = is_chosen_in(f, uses[j].value, steps);
    free(uses);
    return found;
}

/* Is it, or a number that it is computed from, chosen by a condition that counts? */
static bool is_chosen(const struct function *f, LLVMValueRef value)
{
    struct steps steps = {.n = 0};
    return is_chosen_in(f, value, &steps);
}

/* Sizes in an address may carry a label, too, but say nothing. */
int standing_uses(const struct function *f, int store, struct use *uses)
{
    LLVMValueRef pointer = LLVMGetOperand(f->nodes[store].value, 1);
    int n = place_uses(f, store, pointer, uses), loop = f->blocks[f->nodes[store].block].loop;
    for (int i = 0; i < n; i++)
        if (flow_is_read(f, loop, uses[i].value) || is_chosen(f, uses[i].value)) return n;
    n = guard_uses(f, f->nodes[store].block, uses);
    for (int i = 0; i < n; i++)
        if (use_carries(f, &uses[i])) return n;
    return place_uses(f, store, pointer, uses);
}

int guarding_uses(const struct function *f, int i, struct use *uses)
{
    int block = f->nodes[i].block, loop = f->blocks[block].loop, n = guard_uses(f, block, uses), n_data = 0;
    for (int j = 0; loop >= 0 && j < n; j++)
        if (flow_is_data(f, loop, uses[j].value)) uses[n_data++] = uses[j];
    return n_data;
}

/* ---- what a constant is behind ---- */

/* Does the loop end in another place than at this edge, too? */
static bool is_left_elsewhere(const struct function *f, int loop, int from, int to)
{
    for (int b = 0; b < f->n_blocks; b++) {
        if (b == from || f->blocks[b].order < 0 || !loop_holds(f, loop, b)) continue;
        LLVMValueRef end = block_end(f, b);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            int next = block_at(f, LLVMGetSuccessor(end, i));
            if (next != to && !loop_holds(f, loop, next)) return true;
        }
    }
    return false;
}

static bool are_same(LLVMValueRef a, LLVMValueRef b)
{
    if (LLVMIsAConstant(a)) return false;
    return a == b || (LLVMIsALoadInst(a) && LLVMIsALoadInst(b) &&
                      address_is_reloaded(LLVMGetOperand(a, 0), LLVMGetOperand(b, 0)));
}

/* Do two comparisons have a number in common? */
static bool compare_same(LLVMValueRef a, LLVMValueRef b)
{
    if (!LLVMIsACmpInst(a) || !LLVMIsACmpInst(b)) return false;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++)
            if (are_same(LLVMGetOperand(a, i), LLVMGetOperand(b, j))) return true;
    return false;
}

static LLVMValueRef condition_at(const struct function *f, int block)
{
    LLVMValueRef end = block_end(f, block);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
}

/* The loop that a block leads to and to nothing else; -1. */
static int loop_behind(const struct function *f, int block)
{
    for (int i = 0; i < MOST_STEPS; i++) {
        LLVMValueRef end = block_end(f, block);
        if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) return -1;
        int next = block_at(f, LLVMGetSuccessor(end, 0));
        if (is_loop_header(f, next)) return f->blocks[next].loop;
        block = next;
    }
    return -1;
}

/* Is what is asked there whether a loop is run at all? Then the loop asks for the same number where it ends.
 */
static bool is_of_loop(const struct function *f, int from, int to)
{
    int loop = loop_behind(f, to);
    LLVMValueRef asked = condition_at(f, from);
    for (int b = 0; asked && loop >= 0 && b < f->n_blocks; b++) {
        LLVMValueRef end = f->blocks[b].order >= 0 && loop_holds(f, loop, b) ? condition_at(f, b) : NULL;
        if (end && compare_same(asked, end)) return true;
    }
    return false;
}

/* Does control come from the end of one block to one that it leads to always, but not in any case? What
 * says how often a loop is run is no question; where a search has found something is one. */
static bool is_question(const struct function *f, int from, int to)
{
    LLVMValueRef end = block_end(f, from);
    int loop = f->blocks[from].loop;
    bool is_branch = LLVMIsABranchInst(end) && LLVMIsConditional(end);
    if (!is_branch && !LLVMIsASwitchInst(end)) return false;
    if (f->blocks[to].n_before != 1 && !is_passed_by(f, to, from)) return false;
    if (is_of_loop(f, from, to)) return false;
    if (!loop_holds(f, loop, to)) return is_left_elsewhere(f, loop, from, to);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (!loop_holds(f, loop, block_at(f, LLVMGetSuccessor(end, i)))) return false;
    return true;
}

static bool is_in(const struct function *f, int loop, LLVMValueRef value)
{
    int i = node_of(f, value);
    return i >= 0 && f->nodes[i].position >= 0 && loop_holds(f, loop, f->nodes[i].block);
}

/* Is it computed from words of an array that the loop goes through? A size, or what is to be done, is the
 * same word in each turn, which the optimiser may not know to stay as it is. */
static bool is_gone_through(const struct function *f, int loop, LLVMValueRef value, struct steps *steps)
{
    struct use uses[MOST_USES];
    int i = node_of(f, value), n;
    if (!is_in(f, loop, value) || !f->nodes[i].carries) return false;
    if (is_load(&f->nodes[i])) return is_in(f, loop, LLVMGetOperand(value, 0));
    for (int j = 0; j < steps->n; j++)
        if (steps->seen[j] == i) return false;
    if (steps->n == MOST_STEPS) return false;
    steps->seen[steps->n++] = i;
    n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++)
        if (is_gone_through(f, loop, uses[j].value, steps)) return true;
    return false;
}

/* Of each loop the innermost one, which the others are behind as well. Where data chooses the word, as keys
 * do, only those of who goes through these. */
int store_questions(const struct function *f, int store, struct use *uses)
{
    struct use places[MOST_USES];
    int block = f->nodes[store].block, n = 0;
    bool is_chosen = choosing_uses(f, store, places) > 0;
    int last = is_chosen ? f->blocks[block].loop : -1;
    while (f->blocks[block].order > 0 && n < MOST_QUESTIONS) {
        int before = f->blocks[block].dominator, loop = f->blocks[before].loop;
        if (before == block || before < 0) break;
        if (loop >= 0 && loop != last && is_question(f, before, block)) {
            LLVMValueRef end = block_end(f, before);
            struct steps steps = {.n = 0};
            uses[n] = (struct use){LLVMGetOperand(end, 0), before, f->nodes[node_of(f, end)].position};
            if (is_gone_through(f, loop, uses[n].value, &steps)) {
                n++;
                last = loop;
            }
        }
        block = before;
    }
    return n;
}

/* ---- what chooses a place ---- */

struct choosing {
    const struct function *f;
    struct use *uses;
    int n, steps;
};

static bool carries(const struct function *f, LLVMValueRef value)
{
    int i = node_of(f, value);
    return i >= 0 && f->nodes[i].carries;
}

static bool is_op(LLVMValueRef value, LLVMOpcode op)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == op;
}

static bool is_linear(LLVMValueRef value)
{
    return is_op(value, LLVMAdd) || is_op(value, LLVMSub) || is_op(value, LLVMMul) ||
           is_op(value, LLVMSExt) || is_op(value, LLVMZExt) || is_op(value, LLVMTrunc) ||
           (is_op(value, LLVMShl) && LLVMIsAConstant(LLVMGetOperand(value, 1)));
}

/* `i * ld` for an index that carries nothing. */
static bool is_stride(const struct choosing *c, LLVMValueRef product, unsigned operand)
{
    LLVMValueRef other = LLVMGetOperand(product, 1 - operand);
    return !LLVMIsAConstant(other) && !carries(c->f, other);
}

/* `at += ld` in a loop that does not change ld. */
static bool is_stride_of(const struct choosing *c, const struct node *phi, LLVMValueRef next)
{
    if (!is_op(next, LLVMAdd) || c->f->loops[c->f->blocks[phi->block].loop].header != phi->block)
        return false;
    bool is_left = LLVMGetOperand(next, 0) == phi->value;
    if (!is_left && LLVMGetOperand(next, 1) != phi->value) return false;
    int i = node_of(c->f, LLVMGetOperand(next, is_left ? 1 : 0));
    return i < 0 || c->f->nodes[i].position < 0 ||
           !loop_holds(c->f, c->f->blocks[phi->block].loop, c->f->nodes[i].block);
}

/* What a place is counted up from by a stride; -1 where it is not. */
static int counted_from(const struct choosing *c, int i)
{
    const struct node *node = &c->f->nodes[i];
    if (node->kind != NODE_PHI || c->f->blocks[node->block].loop < 0 || LLVMCountIncoming(node->value) != 2)
        return -1;
    for (unsigned j = 0; j < 2; j++)
        if (is_stride_of(c, node, LLVMGetIncomingValue(node->value, j))) return 1 - (int)j;
    return -1;
}

static void add_choosing(struct choosing *c, const struct use *use)
{
    int i = node_of(c->f, use->value);
    if (i < 0 || !c->f->nodes[i].carries || c->n == MOST_USES) return;
    int from = counted_from(c, i);
    bool is_sum = c->f->nodes[i].sum >= 0 || (!is_linear(use->value) && from < 0);
    if (is_sum || c->steps++ > MOST_STEPS || forwarded(c->f, use) >= 0) {
        c->uses[c->n++] = *use;
        return;
    }
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(c->f, i, uses);
    for (int j = 0; j < n; j++) {
        bool is_size =
            from >= 0 ? j != from : is_op(use->value, LLVMMul) && is_stride(c, use->value, (unsigned)j);
        if (!is_size) add_choosing(c, &uses[j]);
    }
    free(uses);
}

int choosing_uses_at(const struct function *f, int i, LLVMValueRef pointer, struct use *uses)
{
    struct choosing c = {.f = f, .uses = uses};
    struct use *all = take(MOST_USES, sizeof *all);
    int n = place_uses(f, i, pointer, all);
    for (int j = 0; j < n; j++) add_choosing(&c, &all[j]);
    free(all);
    return c.n;
}

int choosing_uses(const struct function *f, int store, struct use *uses)
{
    return choosing_uses_at(f, store, LLVMGetOperand(f->nodes[store].value, 1), uses);
}

/* `1 << k % 64`, or its complement: a bit, by its place. */
static bool is_bit(LLVMValueRef term)
{
    if (is_op(term, LLVMXor) && LLVMIsAConstantInt(LLVMGetOperand(term, 1))) term = LLVMGetOperand(term, 0);
    return is_op(term, LLVMShl) && LLVMIsAConstantInt(LLVMGetOperand(term, 0));
}

/* `*w |= 1 << j % n`: where a bit is says as little as where the word is, though n may carry a label. */
static bool are_places_of_bits(const struct function *f, int store, const struct update *update)
{
    int loop = loop_outermost(f, f->nodes[store].block);
    if (update->op != FOLD_AND && update->op != FOLD_OR && update->op != FOLD_XOR) return false;
    for (int i = 0; i < update->n; i++) {
        LLVMValueRef term = update->terms[i];
        if (loop < 0 && !is_bit(term)) return false;
        if (loop < 0 && !update->factors[i]) continue;
        bool is_word = LLVMGetTypeKind(LLVMTypeOf(term)) == LLVMIntegerTypeKind &&
                       LLVMGetIntTypeWidth(LLVMTypeOf(term)) > 1;
        if (!is_word || update->factors[i] || flow_is_data(f, loop, term) || is_chosen(f, term)) return false;
    }
    return true;
}

bool terms_carry(const struct function *f, int store, const struct update *update)
{
    const struct node *node = &f->nodes[store];
    if (are_places_of_bits(f, store, update)) return false;
    for (int i = 0; i < update->n; i++) {
        struct use term = {update->terms[i], node->block, node->position};
        struct use factor = {update->factors[i], node->block, node->position};
        if (use_carries(f, &term) || (factor.value && use_carries(f, &factor))) return true;
    }
    return false;
}
