/* What a member adds to its sum, taken apart by the operation of the sum. */
#include "compiler/instrument/emit/pieces.h"

#include <string.h>

#include "compiler/instrument/emit/count.h"
#include "compiler/instrument/function/linear.h"
#include "compiler/instrument/function/store.h"

static bool is_same_key(const struct key *a, const struct key *b)
{
    return a->kind == b->kind && a->node == b->node && a->index == b->index;
}

/* Has a piece before the same labels? Then both are one term. */
static bool is_another(const struct pieces *pieces, const struct keys *keys)
{
    for (int i = 0; i < pieces->n; i++) {
        const struct keys *other = &pieces->keys[i];
        bool same = other->n == keys->n;
        for (int j = 0; same && j < keys->n; j++) same = is_same_key(&other->key[j], &keys->key[j]);
        if (same) return true;
    }
    return false;
}

static void add_piece(struct function *f, const struct use *uses, int n, struct pieces *pieces)
{
    if (pieces->n >= MOST_PIECES) {
        pieces->n = MOST_PIECES + 1;
        return;
    }
    struct keys *keys = &pieces->keys[pieces->n];
    *keys = (struct keys){0};
    for (int j = 0; j < n; j++) leaves_gather(f, &uses[j], pieces->sum, keys);
    bool is_sum = f->sums[pieces->sum].op == FOLD_ADD;
    pieces->is_power[pieces->n] =
        is_sum ? linear_is_power(f, uses, n, keys->n == 1) : keys->n == 1 && keys->flop > 0;
    pieces->has_powers |= pieces->is_power[pieces->n];
    pieces->flop += keys->flop;
    pieces->n += keys->n > 0 && !is_another(pieces, keys);
}

/* ---- lanes ---- */

/* Truth values, one beside the other, as bits of one number, or one more of them. */
static bool is_of_lanes(LLVMValueRef value)
{
    if (LLVMIsAInsertElementInst(value)) return true;
    LLVMTypeRef from = LLVMIsABitCastInst(value) ? LLVMTypeOf(LLVMGetOperand(value, 0)) : NULL;
    return from && LLVMGetTypeKind(from) == LLVMVectorTypeKind &&
           LLVMGetElementType(from) == LLVMInt1TypeInContext(LLVMGetTypeContext(from));
}

/* The lanes of which a number says how many hold; NULL. */
static LLVMValueRef counted_lanes(LLVMValueRef value)
{
    while (LLVMIsAInstruction(value) && store_is_width(value)) value = LLVMGetOperand(value, 0);
    const char *name = LLVMIsACallInst(value) ? intrinsic_name(value) : NULL;
    if (!name || strncmp(name, "llvm.ctpop.", 11) != 0) return NULL;
    LLVMValueRef bits = LLVMGetOperand(value, 0);
    while (LLVMIsAInstruction(bits) && store_is_width(bits)) bits = LLVMGetOperand(bits, 0);
    return is_of_lanes(bits) && LLVMIsABitCastInst(bits) ? LLVMGetOperand(bits, 0) : NULL;
}

static void split_lanes(struct function *f, LLVMValueRef lanes, struct pieces *pieces)
{
    for (; LLVMIsAInsertElementInst(lanes); lanes = LLVMGetOperand(lanes, 0)) {
        const struct node *node = &f->nodes[node_of(f, lanes)];
        struct use use = {LLVMGetOperand(lanes, 1), node->block, node->position};
        add_piece(f, &use, 1, pieces);
    }
}

/* ---- sums ---- */

static void split(struct function *f, const struct use *use, struct pieces *pieces, int depth);

/* The operands of an addition; of a fused one the product is one piece. */
static void split_operands(struct function *f, int i, struct pieces *pieces, int depth)
{
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses);
    if (n == 3) add_piece(f, uses, 2, pieces);
    pieces->flop += n == 3;
    for (int j = n == 3 ? 2 : 0; j < n; j++) {
        int other = node_of(f, uses[j].value);
        if (other >= 0 && f->nodes[other].sum == pieces->sum && forwarded(f, &uses[j]) < 0) continue;
        split(f, &uses[j], pieces, depth);
    }
}

/* What is added up in fewer bits, or in whole numbers, and then converted; -1. */
static int converted_sum(const struct function *f, int i)
{
    LLVMValueRef value = f->nodes[i].value;
    while (LLVMIsAInstruction(value) &&
           (store_is_width(value) || LLVMIsASIToFPInst(value) || LLVMIsAUIToFPInst(value)))
        value = LLVMGetOperand(value, 0);
    int sum = value == f->nodes[i].value ? -1 : node_of(f, value);
    bool is_sum = sum >= 0 && f->nodes[sum].kind == NODE_ARITH && f->nodes[sum].sum < 0;
    return is_sum && linear_is_addition(value) ? sum : -1;
}

static void split(struct function *f, const struct use *use, struct pieces *pieces, int depth)
{
    enum { DEEPEST = 16 };
    int i = node_of(f, use->value);
    bool goes = i >= 0 && depth < DEEPEST && f->nodes[i].kind == NODE_ARITH && f->nodes[i].carries &&
                f->nodes[i].sum < 0 && forwarded(f, use) < 0;
    LLVMValueRef multiple = goes ? linear_multiple_of(f, i) : NULL;
    if (multiple) {
        struct use within = {multiple, f->nodes[i].block, f->nodes[i].position};
        pieces->flop += count_flop(f->nodes[i].value);
        split(f, &within, pieces, depth + 1);
    } else if (goes && linear_is_addition(f->nodes[i].value)) {
        split_operands(f, i, pieces, depth + 1);
    } else if (goes && converted_sum(f, i) >= 0) {
        const struct node *sum = &f->nodes[converted_sum(f, i)];
        split(f, &(struct use){sum->value, sum->block, sum->position}, pieces, depth + 1);
    } else if (goes && counted_lanes(use->value)) {
        split_lanes(f, counted_lanes(use->value), pieces);
    } else {
        add_piece(f, use, 1, pieces);
    }
}

/* Is it another value in each turn of the loop? A load in it may still be of one word. */
static bool is_of_turn(const struct function *f, int loop, const struct key *key)
{
    const struct node *node = &f->nodes[key->node];
    LLVMValueRef value = node->value;
    if (!loop_holds(f, loop, node->block)) return false;
    if (key->kind != KEY_VALUE || !value || !LLVMIsALoadInst(value)) return true;
    LLVMValueRef pointer = LLVMGetOperand(value, 0);
    while (LLVMIsAGetElementPtrInst(pointer)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, i))) return true;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return LLVMIsAInstruction(pointer) && loop_holds(f, loop, block_at(f, LLVMGetInstructionParent(pointer)));
}

static bool any_of_turn(const struct function *f, int loop, const struct keys *keys)
{
    for (int i = 0; i < keys->n; i++)
        if (is_of_turn(f, loop, &keys->key[i])) return true;
    return false;
}

static void add_key(struct keys *keys, const struct key *key)
{
    for (int i = 0; i < keys->n; i++)
        if (is_same_key(&keys->key[i], key)) return;
    keys->key[keys->n++] = *key;
}

/* What is the same in all turns is no term by itself, which the part that has it would add up as often as
 * there are turns: in `q += z[i] - c` it goes with z[i]. */
static void join_constant_pieces(const struct function *f, int i, struct pieces *pieces)
{
    enum { MOST_TOGETHER = 4 }; /* that a term keeps apart */
    int loop = f->blocks[f->nodes[i].block].loop;
    for (int j = 0; loop >= 0 && j < pieces->n; j++) {
        struct keys *same = &pieces->keys[j], *best = NULL;
        if (any_of_turn(f, loop, same)) continue;
        for (int k = 0; k < pieces->n; k++) {
            struct keys *other = &pieces->keys[k];
            bool fits = k != j && other->n + same->n <= MOST_TOGETHER && any_of_turn(f, loop, other);
            if (fits && (!best || other->n < best->n)) best = other;
        }
        if (!best) continue;
        for (int k = 0; k < same->n; k++) add_key(best, &same->key[k]);
        *same = pieces->keys[--pieces->n];
        pieces->is_power[j--] = pieces->is_power[pieces->n];
    }
}

/* The same twice is the same, so that whatever is compared is a term of its own. */
static bool takes_any_number_of_times(int op)
{
    return op == FOLD_MIN || op == FOLD_MAX || op == FOLD_AND || op == FOLD_OR;
}

static bool is_of_operands(int op)
{
    return takes_any_number_of_times(op) || op == FOLD_MULTIPLY || op == FOLD_XOR;
}

/* Does the value put its operands together by the operation of the sum? */
static bool is_by_op(const struct function *f, int i, int op)
{
    const struct node *node = &f->nodes[i];
    if (node->condition >= 0) return false;
    if (node->kind == NODE_SELECT) return (int)store_is_extremum(node->value, NULL, NULL) == op;
    return node->kind == NODE_ARITH && (int)fold_of(node->value, 0) == op &&
           (int)fold_of(node->value, 1) == op;
}

static void split_by_op(struct function *f, const struct use *use, struct pieces *pieces, int depth)
{
    enum { DEEPEST = 8 };
    int i = node_of(f, use->value);
    int op = (int)f->sums[pieces->sum].op;
    bool goes = i >= 0 && depth < DEEPEST && f->nodes[i].carries && forwarded(f, use) < 0;
    if (goes && f->nodes[i].sum == pieces->sum) return;
    goes = goes && f->nodes[i].sum < 0 && takes_any_number_of_times(op);
    if (!goes || !(is_by_op(f, i, op) || store_is_width(use->value) || is_of_lanes(use->value))) {
        add_piece(f, use, 1, pieces);
        return;
    }
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses);
    pieces->flop += count_flop(use->value);
    for (int j = 0; j < n; j++) split_by_op(f, &uses[j], pieces, depth + 1);
}

static bool has_so_far(const struct pieces *pieces)
{
    for (int j = 0; j < pieces->n; j++)
        if (pieces->keys[j].n_so_far) return true;
    return false;
}

static void split_member(struct function *f, int i, struct pieces *pieces)
{
    const struct node *node = &f->nodes[i];
    struct use uses[MOST_USES];
    if (f->sums[node->sum].op == FOLD_ADD) {
        split_operands(f, i, pieces, 0);
        return;
    }
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++) split_by_op(f, &uses[j], pieces, 0);
}

bool pieces_may_be(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    if (f->sums[node->sum].op == FOLD_ADD) return node->kind == NODE_ARITH && linear_is_addition(node->value);
    return is_of_operands((int)f->sums[node->sum].op) && is_by_op(f, i, (int)f->sums[node->sum].op);
}

bool pieces_find(struct function *f, int i, struct pieces *pieces)
{
    pieces->sum = f->nodes[i].sum;
    split_member(f, i, pieces);
    bool fits = pieces->n <= MOST_PIECES && !has_so_far(pieces);
    if (fits) join_constant_pieces(f, i, pieces);
    return fits;
}
