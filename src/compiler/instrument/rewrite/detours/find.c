/*
 * Where ways part by what carries a label, and each of them leads to one block, a word may have been stored
 * on some: what it holds where they meet is a choice, of constants or of what is made of the word, by what
 * the ways parted by.
 */
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/capped.h"
#include "compiler/instrument/rewrite/detours/detour.h"

enum { MOST_DEPTH = 12 };

static LLVMValueRef condition_at(const struct function *f, int block)
{
    LLVMValueRef end = block_end(f, block);
    if (LLVMIsASwitchInst(end)) return LLVMGetOperand(end, 0);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
}

static bool carries(const struct function *f, LLVMValueRef value)
{
    int i = node_of(f, value);
    return i >= 0 && f->nodes[i].carries;
}

/* Is it computed from a counter of loops? */
static bool is_counted(const struct function *f, LLVMValueRef value, int depth)
{
    int i = node_of(f, value);
    if (i < 0 || f->nodes[i].position < 0 || depth == MOST_DEPTH) return false;
    if (LLVMIsAPHINode(value)) return is_loop_header(f, f->nodes[i].block) && !f->nodes[i].carries;
    for (unsigned j = 0; f->nodes[i].kind == NODE_ARITH && j < (unsigned)LLVMGetNumOperands(value); j++)
        if (is_counted(f, LLVMGetOperand(value, j), depth + 1)) return true;
    return false;
}

/* Is it the same whatever the loop goes through? */
static bool is_given(const struct function *f, int loop, LLVMValueRef value, int depth)
{
    int i = node_of(f, value);
    if (!carries(f, value) || f->nodes[i].position < 0 || !loop_holds(f, loop, f->nodes[i].block))
        return true;
    if (LLVMIsALoadInst(value)) {
        int place = node_of(f, LLVMGetOperand(value, 0));
        return place < 0 || f->nodes[place].position < 0 || !loop_holds(f, loop, f->nodes[place].block);
    }
    bool given = f->nodes[i].kind == NODE_ARITH && depth < MOST_DEPTH;
    for (unsigned j = 0; given && j < (unsigned)LLVMGetNumOperands(value); j++)
        given = is_given(f, loop, LLVMGetOperand(value, j), depth + 1);
    return given;
}

/* Where in the loops this is, `i == 0 || i == n - 1`: the number may be data, but tells no more than one that
 * says how often a loop is run. */
static bool asks_for_place(const struct function *f, int loop, LLVMValueRef condition, int depth)
{
    if (LLVMIsAICmpInst(condition)) return is_counted(f, condition, 0) && is_given(f, loop, condition, 0);
    bool is_place = (LLVMIsASelectInst(condition) || LLVMIsABinaryOperator(condition)) && depth < MOST_DEPTH;
    for (unsigned j = 0; is_place && j < (unsigned)LLVMGetNumOperands(condition); j++) {
        LLVMValueRef part = LLVMGetOperand(condition, j);
        is_place = !carries(f, part) || asks_for_place(f, loop, part, depth + 1);
    }
    return is_place;
}

static bool is_asked_at(const struct function *f, int block)
{
    LLVMValueRef condition = condition_at(f, block);
    int loop = loop_outermost(f, block);
    if (!condition || !carries(f, condition)) return false;
    return loop < 0 || LLVMIsASwitchInst(block_end(f, block)) || !asks_for_place(f, loop, condition, 0);
}

/* ---- the ways ---- */

int detour_way(const struct detour *d, int block)
{
    for (int i = 0; i < d->n_ways; i++)
        if (d->ways[i] == block) return i;
    return -1;
}

static bool add_before(const struct function *f, struct detour *d, int block)
{
    const struct block *b = &f->blocks[block];
    if (b->n_before > MOST_WAYS) return false; /* a switch may have many edges to one block */
    for (int i = 0; i < b->n_before; i++) {
        int before = b->before[i];
        if (detour_way(d, before) >= 0) continue;
        if (d->n_ways == MOST_WAYS || f->blocks[before].loop != f->blocks[d->fork].loop) return false;
        if (before == d->join || !dominates(f, d->fork, 0, before, 0)) return false;
        d->ways[d->n_ways++] = before;
    }
    return true;
}

/* Those before the join that only the fork leads to. */
static bool find_into(const struct function *f, struct detour *d)
{
    const struct block *join = &f->blocks[d->join];
    for (int i = 0; i < join->n_before; i++) {
        int before = join->before[i];
        if (f->blocks[before].order < 0 || before == d->fork || !dominates(f, d->fork, 0, before, 0))
            continue;
        if (detour_way(d, before) >= 0) return false; /* two edges */
        if (d->n_ways == MOST_WAYS || f->blocks[before].loop != f->blocks[d->fork].loop) return false;
        LLVMValueRef end = block_end(f, before);
        if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) return false;
        d->into[d->n_into++] = before;
        d->ways[d->n_ways++] = before;
    }
    return d->n_into >= 2;
}

static bool leads_elsewhere(const struct function *f, const struct detour *d, int block)
{
    LLVMValueRef end = block_end(f, block);
    if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end)) return true;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        int to = block_at(f, LLVMGetSuccessor(end, i));
        if (to == d->join) continue;
        if (detour_way(d, to) >= 1) {
            if (f->blocks[to].order <= f->blocks[block].order) return true; /* round and round */
            continue;
        }
        if (!LLVMIsAUnreachableInst(block_end(f, to))) return true; /* nobody comes back from there */
    }
    return false;
}

/* Backwards from where the ways meet. An inner loop between makes it more than a detour, also one that is
 * entered in several places, as by a switch into it, and so is none of the function's loops. */
static bool find_ways(const struct function *f, struct detour *d)
{
    d->ways[0] = d->fork;
    d->n_ways = 1;
    d->n_into = 0;
    if (!find_into(f, d)) return false;
    for (int i = 1; i < d->n_ways; i++)
        if (!add_before(f, d, d->ways[i])) return false;
    for (int i = 0; i < d->n_ways; i++)
        if (leads_elsewhere(f, d, d->ways[i])) return false;
    return true;
}

/* ---- whether the conditions count ---- */

static bool is_behind(const struct function *f, int block, int other)
{
    return block != other && dominates(f, other, 0, block, 0);
}

static bool was_held(const struct detour *d, LLVMValueRef value)
{
    for (int i = 0; i < d->n_held; i++)
        if (d->held[i] == value && !d->is_put[i]) return true;
    return false;
}

/* A choice that was found on the way before, as detour_close() leaves it, of more than constants. */
static bool is_choice_of_more(LLVMValueRef value)
{
    LLVMValueRef chosen = LLVMIsASelectInst(value) ? LLVMGetOperand(value, 1) : NULL;
    if (!chosen || chosen != LLVMGetOperand(value, 2) || !LLVMIsAPHINode(chosen)) return false;
    for (unsigned i = 0; i < LLVMCountIncoming(chosen); i++)
        if (!LLVMIsAConstant(LLVMGetIncomingValue(chosen, i))) return true;
    return false;
}

/* Is the value made of the word and constants alone? */
static bool is_of_word(const struct function *f, const struct detour *d, LLVMValueRef value, int depth)
{
    if (LLVMIsAConstant(value) || was_held(d, value)) return true;
    int i = node_of(f, value);
    if (i < 0 || depth == MOST_DEPTH || f->nodes[i].position < 0) return false;
    bool between = is_behind(f, f->nodes[i].block, d->fork);
    if ((between || f->nodes[i].block == d->fork) && detour_loads(f, i, d->pointer)) return true;
    if (between && is_choice_of_more(value))
        return is_of_word(f, d, LLVMGetOperand(value, 1), depth + 1) &&
               is_of_word(f, d, LLVMGetOperand(value, 2), depth + 1);
    if (f->nodes[i].kind != NODE_ARITH && !(between && f->nodes[i].kind == NODE_PHI)) return false;
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++)
        if (!is_of_word(f, d, uses[j].value, depth + 1)) return false;
    return n > 0;
}

static bool all_of_word(const struct function *f, const struct detour *d)
{
    for (int i = 0; i < d->n_held; i++)
        if (d->is_put[i] && !is_of_word(f, d, d->held[i], 0)) return false;
    return true;
}

static int count_constants(const struct detour *d)
{
    int n = 0;
    for (int i = 0; i < d->n_held; i++) n += LLVMIsAConstant(d->held[i]) && !LLVMIsUndef(d->held[i]);
    return n;
}

static bool holds_load(const struct function *f, const struct detour *d)
{
    for (int i = 0; i < d->n_held; i++) {
        int node = node_of(f, d->held[i]);
        if (node >= 0 && detour_loads(f, node, d->pointer)) return true;
    }
    return false;
}

static bool adds_to_word(const struct function *f, const struct detour *d)
{
    struct update update;
    for (int i = 0; i < d->n_stores; i++)
        if (store_is_update(f, d->stores[i], &update)) return true;
    return false;
}

/* On every way, by one operation: nothing chooses what the word holds, but which terms are added to it. */
static bool all_add_to_word(const struct function *f, const struct detour *d)
{
    struct update update;
    enum fold_op op = FOLD_NONE;
    if (d->is_unknown || d->before) return false;
    for (int i = 0; i < d->n_held; i++)
        if (!d->is_put[i]) return false;
    for (int i = 0; i < d->n_stores; i++) {
        if (!store_is_update(f, d->stores[i], &update) || (op && update.op != op)) return false;
        op = update.op;
    }
    return op == FOLD_ADD;
}

/* Bits: which of `held` it is, or what was held before. */
static unsigned bit_of(const struct detour *d, LLVMValueRef value)
{
    for (int j = 0; j < d->n_held; j++)
        if (d->held[j] == value) return 1u << j;
    return 1u << MOST_HELD;
}

/* Does only what is other than 0 lead from the block's dominator to it? What is asked; NULL. */
static LLVMValueRef set_at(const struct function *f, int block)
{
    int before = f->blocks[block].dominator;
    LLVMValueRef end = block_end(f, before), asked = condition_at(f, before);
    bool asks = f->blocks[block].n_before == 1 && asked && LLVMIsABranchInst(end) && LLVMIsAICmpInst(asked) &&
                LLVMIsNull(LLVMGetOperand(asked, 1));
    LLVMIntPredicate is = asks ? LLVMGetICmpPredicate(asked) : LLVMIntULT;
    if (is != LLVMIntNE && is != LLVMIntEQ) return NULL;
    return block_at(f, LLVMGetSuccessor(end, is == LLVMIntEQ)) == block ? LLVMGetOperand(asked, 0) : NULL;
}

/* What the word held, where the block is behind a question whether that is other than 0; NULL. */
static LLVMValueRef asked_to_be_set(const struct function *f, const struct detour *d, int block)
{
    bool is_between = true;
    for (int depth = 0; depth < MOST_DEPTH && block; depth++) {
        is_between = is_between && block != d->fork;
        LLVMValueRef asked = set_at(f, block);
        bool is_word = asked && detour_loads(f, node_of(f, asked), d->pointer);
        if (is_word && (is_between || asked == d->before)) return asked;
        block = f->blocks[block].dominator;
    }
    return NULL;
}

/* What the word held before, where the fork leads straight to the block and nothing says more; NULL. */
static LLVMValueRef held_before(const struct function *f, const struct detour *d, int block)
{
    for (; block != d->fork; block = f->blocks[block].before[0])
        if (f->blocks[block].n_before != 1 || detour_word_in(f, d, block) != DETOUR_SILENT) return NULL;
    return d->before;
}

/* Which of `held` a block that leads to the join leaves there. A flag that is set already stays what it is
 * where it is set again. */
static unsigned left_by(const struct function *f, const struct detour *d, int block)
{
    int word = detour_word_in(f, d, block);
    LLVMValueRef value = word < 0 ? held_before(f, d, block) : detour_value_of(f, word), held = NULL;
    if (value && LLVMIsAConstantInt(value) && !LLVMIsNull(value)) held = asked_to_be_set(f, d, block);
    return bit_of(d, held ? held : value);
}

/* All that can be there from this block on; `known` [MOST_WAYS]: of each way, 0 where it was not asked for.
 * From where nobody comes back nothing is. */
static unsigned outcomes(const struct function *f, const struct detour *d, int block, unsigned *known)
{
    int way = block == d->join ? -1 : detour_way(d, block);
    if (way < 0 || known[way]) return way < 0 ? 0 : known[way];
    for (int i = 0; i < d->n_into; i++)
        if (d->into[i] == block) return known[way] = left_by(f, d, block);
    LLVMValueRef end = block_end(f, block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        known[way] |= outcomes(f, d, block_at(f, LLVMGetSuccessor(end, i)), known);
    return known[way];
}

bool detour_decides(const struct function *f, const struct detour *d, int block)
{
    LLVMValueRef end = block_end(f, block);
    unsigned known[MOST_WAYS] = {0}, first = 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        unsigned one = outcomes(f, d, block_at(f, LLVMGetSuccessor(end, i)), known);
        if (one && first && one != first) return true;
        if (one) first = one;
    }
    return false;
}

/* Of the blocks that decide: does one ask for what carries a label, do all? */
static bool are_asked(const struct function *f, const struct detour *d, bool all)
{
    bool any = false;
    for (int i = 0; i < d->n_ways; i++) {
        if (!condition_at(f, d->ways[i]) || !detour_decides(f, d, d->ways[i])) continue;
        if (is_asked_at(f, d->ways[i]))
            any = true;
        else if (all)
            return false;
    }
    return any;
}

/* Is it another word in every turn of the loop? */
static bool moves(const struct function *f, const struct detour *d)
{
    int loop = f->blocks[d->fork].loop, made = node_of(f, d->pointer);
    return loop < 0 ||
           (made >= 0 && f->nodes[made].position >= 0 && loop_holds(f, loop, f->nodes[made].block));
}

/* Where the program does not say what the word holds on some way, it must be there all the same: the ways
 * part by data alone, and where the word lies does not depend on any. */
static bool may_be_asked(const struct function *f, const struct detour *d)
{
    return moves(f, d) && detour_is_fixed(f, f->blocks[d->fork].loop, d->pointer) && !adds_to_word(f, d) &&
           are_asked(f, d, true) && detour_is_known_at_fork(f, d);
}

static bool says_something(const struct function *f, struct detour *d)
{
    if (d->n_held + d->is_unknown < 2 || !are_asked(f, d, false)) return false;
    if (!detour_is_known_at_join(f, d)) return false;
    if (capped_is_count(f, d) || all_add_to_word(f, d)) return false;
    d->is_asked = all_of_word(f, d) && (moves(f, d) || !count_constants(d));
    if (d->is_unknown) return d->is_asked && may_be_asked(f, d);
    return d->is_asked || (count_constants(d) && !holds_load(f, d) && !adds_to_word(f, d));
}

static bool find_word(const struct function *f, struct detour *d)
{
    for (int i = 0; i < f->n_nodes; i++) {
        if (!detour_stores(&f->nodes[i]) || detour_way(d, f->nodes[i].block) < 1) continue;
        d->pointer = LLVMGetOperand(f->nodes[i].value, 1);
        if (detour_find_held(f, d) && says_something(f, d)) return true;
    }
    return false;
}

/* How many blocks a block is dominated by. */
static int depth_of(const struct function *f, int block)
{
    int depth = 0;
    for (; block; block = f->blocks[block].dominator) depth++; /* the entry is its own */
    return depth;
}

/* Ways part as late as they may: those between two that part earlier meet first. */
static bool find_from(const struct function *f, struct detour *d, int depth)
{
    const struct block *join = &f->blocks[d->join];
    int last = -1;
    for (int i = 0; i < join->n_before; i++) {
        int b = join->before[i];
        if (f->blocks[b].order < 0) continue;
        for (int over = depth_of(f, b) - depth; over > 0; over--) b = f->blocks[b].dominator;
        if (b == last || depth_of(f, b) != depth || !condition_at(f, b)) continue;
        last = d->fork = b;
        if (f->blocks[b].loop == join->loop && find_ways(f, d) && find_word(f, d)) return true;
    }
    return false;
}

bool detour_find(const struct function *f, int join, struct detour *d)
{
    const struct block *block = &f->blocks[join];
    int deepest = 0;
    if (block->order < 0 || block->n_before < 2 || block->dominator < 0) return false;
    if (LLVMIsALandingPadInst(LLVMGetFirstInstruction(block->ref))) return false;
    for (int i = 0; i < block->n_before; i++)
        if (f->blocks[block->before[i]].order >= 0 && depth_of(f, block->before[i]) > deepest)
            deepest = depth_of(f, block->before[i]);
    d->join = join;
    for (int depth = deepest; depth >= depth_of(f, block->dominator); depth--)
        if (find_from(f, d, depth)) return true;
    return false;
}
