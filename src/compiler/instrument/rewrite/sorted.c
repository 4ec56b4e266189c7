/*
 * A window that is sorted on the stack, as for a median: words change places, and what stands in one at last
 * has been compared with others. Moving alone would be copies of what each word held before, as if the rank
 * were known. So a store into an array of the frame takes the labels of the comparison that it was made
 * after, if it stores what was in the array or what has been compared with it.
 */
#include "compiler/instrument/rewrite/sorted.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/choices.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/exchanges.h"

enum { MOST_DEPTH = 8 };

/* The array of the frame that an address is in. */
static LLVMValueRef array_of(LLVMValueRef pointer)
{
    return LLVMIsAAllocaInst(address_base(pointer));
}

static bool is_of_array(const struct node *node, LLVMValueRef array)
{
    return is_load(node) && array_of(LLVMGetOperand(node->value, 0)) == array;
}

static int n_of_array(const struct function *f, const struct leaves *leaves, LLVMValueRef array)
{
    int n = 0;
    for (int i = 0; i < leaves->n; i++) n += is_of_array(&f->nodes[leaves->node[i]], array);
    return n;
}

/* Which of two labelled values is the larger, one of them of the array? */
static bool compares(const struct function *f, int compare, LLVMValueRef array)
{
    int n = 0;
    if (compare < 0 || !store_order_of(f->nodes[compare].value)) return false;
    for (unsigned i = 0; i < 2; i++) {
        struct use side = {LLVMGetOperand(f->nodes[compare].value, i), f->nodes[compare].block,
                           f->nodes[compare].position};
        struct leaves leaves;
        leaves_of(f, &side, &leaves);
        if (!leaves.n) return false;
        n += n_of_array(f, &leaves, array);
    }
    return n > 0;
}

static bool is_moved(const struct function *f, int store, int compare, LLVMValueRef array)
{
    const struct node *node = &f->nodes[store];
    LLVMValueRef value = LLVMGetOperand(node->value, 0);
    if (value == LLVMGetOperand(f->nodes[compare].value, 0) ||
        value == LLVMGetOperand(f->nodes[compare].value, 1))
        return true;
    struct use use = {value, node->block, node->position};
    struct leaves leaves;
    leaves_of(f, &use, &leaves);
    return leaves.n > 0 && n_of_array(f, &leaves, array) == leaves.n;
}

static void ask(struct function *f, int store, int compare)
{
    f->nodes[store].condition = compare;
    f->nodes[compare].asked = true;
}

/* The last comparison that control has passed in this turn of the loop. */
static void take_condition(struct function *f, int store)
{
    struct node *node = &f->nodes[store];
    LLVMValueRef array = array_of(LLVMGetOperand(node->value, 1));
    int loop = f->blocks[node->block].loop, block = node->block;
    if (!array || node_of(f, LLVMGetOperand(node->value, 0)) < 0) return;
    LLVMValueRef exchanged_by = exchanges_compared(node->value);
    if (exchanged_by) {
        ask(f, store, node_of(f, exchanged_by));
        return;
    }
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        block = f->blocks[block].dominator;
        if (block < 0 || (loop >= 0 && !loop_holds(f, loop, block))) return;
        LLVMValueRef end = block_end(f, block);
        int compare =
            LLVMIsABranchInst(end) && LLVMIsConditional(end) ? node_of(f, LLVMGetCondition(end)) : -1;
        if (!compares(f, compare, array)) continue;
        if (!is_moved(f, store, compare, array)) return;
        ask(f, store, compare);
        return;
    }
}

void sorted_take_conditions(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++)
        if (is_store(&f->nodes[i]) && f->blocks[f->nodes[i].block].order >= 0) take_condition(f, i);
}

bool sorted_use(const struct function *f, int store, struct use *use)
{
    int compare = f->nodes[store].condition;
    if (compare < 0) return false;
    *use = (struct use){f->nodes[compare].value, f->nodes[compare].block, f->nodes[compare].position + 1};
    return true;
}
