/* What kind of reduction a sum in a register is. */
#include "compiler/instrument/function/sum_ops.h"

#include "compiler/instrument/function/store.h"

bool sum_is_offered(const struct function *f, int sum, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        int user = node_of(f, LLVMGetUser(use));
        if (user < 0 || f->nodes[user].sum != sum) continue;
        if (f->nodes[user].kind == NODE_PHI || f->nodes[user].kind == NODE_SELECT) return true;
    }
    return false;
}

/* What members of the sum choose in a turn, or begin with: one number at most in all turns, and 0 or nobody
 * knows what at the beginning. */
struct constants {
    LLVMValueRef chosen;
    bool is_one, begins_with_zero;
};

/* Of lanes of real numbers that are masks, too. */
static bool is_constant(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) || LLVMIsAConstantFP(value);
}

static void note_constant(struct constants *c, LLVMValueRef value, bool begins)
{
    if (begins) {
        c->begins_with_zero &= !is_constant(value) || LLVMIsNull(value);
        return;
    }
    c->is_one &= is_constant(value) && (!c->chosen || c->chosen == value);
    c->chosen = value;
}

/* `ok = ok && c` where the optimiser chooses between ok and 0, and `any = any || c` between any and 1. */
static enum fold_op chosen_of_constants(const struct function *f, int sum)
{
    struct constants c = {.is_one = true, .begins_with_zero = true};
    int loop = f->sums[sum].loop;
    for (int i = 0; i < f->n_nodes && loop >= 0; i++) {
        const struct node *node = &f->nodes[i];
        bool is_phi = node->kind == NODE_PHI;
        if (node->sum != sum || (!is_phi && node->kind != NODE_SELECT)) continue;
        for (unsigned j = 0; j < (is_phi ? LLVMCountIncoming(node->value) : 2); j++) {
            LLVMValueRef value =
                is_phi ? LLVMGetIncomingValue(node->value, j) : LLVMGetOperand(node->value, j + 1);
            int other = node_of(f, value);
            if (other >= 0 && f->nodes[other].sum == sum) continue;
            note_constant(&c, value, is_phi && node->block == f->loops[loop].header);
        }
    }
    if (!c.chosen || !c.is_one) return FOLD_CHOICE;
    if (LLVMIsNull(c.chosen)) return FOLD_AND;
    return c.begins_with_zero ? FOLD_OR : FOLD_CHOICE;
}

/* Sums that are choices only: by which comparison of the content with what is offered. The kind matters where
 * such sums are put together. */
static enum fold_op chosen_by(const struct function *f, int sum)
{
    for (int i = 0; i < f->n_nodes; i++) {
        int order = store_order_of(f->nodes[i].value);
        for (unsigned j = 0; order && j < 2; j++) {
            int own = node_of(f, LLVMGetOperand(f->nodes[i].value, j));
            if (own < 0 || f->nodes[own].sum != sum) continue;
            if (!sum_is_offered(f, sum, LLVMGetOperand(f->nodes[i].value, 1 - j))) continue;
            return (order < 0) == (j == 1) ? FOLD_MIN : FOLD_MAX;
        }
    }
    return chosen_of_constants(f, sum);
}

/* Additions and subtractions of whatever members: a sum and what it has lost by rounding (Kahan 1965) are
 * made of pieces that parts add up, like the sum itself. */
bool sum_is_linear(LLVMValueRef value)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return op == LLVMFAdd || op == LLVMFSub || op == LLVMFNeg;
}

/* Whether a number is not 0. */
static bool is_truth_of(LLVMValueRef value)
{
    return LLVMIsAICmpInst(value) && LLVMGetICmpPredicate(value) == LLVMIntNE &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
           !LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
}

/* The operation of one member; -1 for one that only passes on. */
static int op_of(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    if (node->kind == NODE_PHI || store_order_of(node->value)) return -1;
    if (node->kind == NODE_SELECT) {
        enum fold_op op = store_is_extremum(node->value, NULL, NULL);
        return op ? (int)op : -1;
    }
    if (sum_is_linear(node->value)) return FOLD_ADD;
    if (store_is_width(node->value) || is_truth_of(node->value)) return -1;
    int op = FOLD_NONE, n_members = 0, n = LLVMGetNumOperands(node->value);
    for (int j = 0; j < n; j++) {
        int other = node_of(f, LLVMGetOperand(node->value, (unsigned)j));
        if (other < 0 || f->nodes[other].sum != node->sum) continue;
        op = (int)fold_of(node->value, (unsigned)j);
        n_members++;
    }
    return n_members == 1 ? op : FOLD_NONE;
}

static bool is_member(const struct function *f, int sum, LLVMValueRef value)
{
    int i = node_of(f, value);
    return i >= 0 && f->nodes[i].sum == sum;
}

/* Is it used in a loop that it is made before, other than to begin with? `s += g(x, a[i])` with an x that
 * becomes another one behind the loop goes through all of a[] again for each. */
static bool is_looked_up(const struct function *f, int i, int loop)
{
    const struct node *node = &f->nodes[i];
    unsigned n = LLVMIsAPHINode(node->value) ? LLVMCountIncoming(node->value)
                                             : (unsigned)LLVMGetNumOperands(node->value);
    for (unsigned j = 0; j < n; j++) {
        LLVMValueRef value = LLVMIsAPHINode(node->value) ? LLVMGetIncomingValue(node->value, j)
                                                         : LLVMGetOperand(node->value, j);
        bool begins = LLVMIsAPHINode(node->value) && node->block == f->loops[loop].header;
        if (!is_member(f, node->sum, value) || begins) continue;
        if (!loop_holds(f, loop, f->nodes[node_of(f, value)].block)) return true;
    }
    return false;
}

/* Is it looked at in each turn, by something else than a question whether there is another one? Then it is
 * what it has come to by then, as a flux through a cell is that goes on to the next one. A loop within may
 * ask nothing of it either. */
static bool is_asked_for(const struct function *f, int i)
{
    int loop = f->blocks[f->nodes[i].block].loop;
    for (LLVMUseRef use = LLVMGetFirstUse(f->nodes[i].value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef by = LLVMGetUser(use);
        int user = node_of(f, by);
        if (user < 0 || !f->nodes[user].carries || f->nodes[user].sum == f->nodes[i].sum) continue;
        bool is_question = LLVMIsAICmpInst(by) || LLVMIsAFCmpInst(by);
        if (is_question && f->blocks[f->nodes[user].block].loop == loop) continue;
        if (loop >= 0 && loop_holds(f, loop, f->nodes[user].block)) return true;
    }
    return false;
}

/* Does each turn, of loops within the sum's loop, too, compute what there is of what there was the turn
 * before, whatever it does? `h = h * 31 + c`: a part does what it has to do and hands it on. */
static bool is_handed_on(const struct function *f, int sum)
{
    for (int i = 0; i < f->n_nodes; i++) {
        if (f->nodes[i].sum != sum) continue;
        if (is_asked_for(f, i)) return false;
        for (int loop = f->blocks[f->nodes[i].block].loop; loop >= 0; loop = f->loops[loop].outer)
            if (is_looked_up(f, i, loop)) return false;
    }
    return true;
}

/* What only chooses, one of its own and one of a part's at a time, is a reduction too: the best so far, or
 * the last that a condition holds for. */
void sum_find_op(struct function *f, int sum)
{
    int op = -1;
    for (int i = 0; i < f->n_nodes; i++) {
        if (f->nodes[i].sum != sum) continue;
        int one = op_of(f, i);
        if (one < 0) continue;
        op = op < 0 || op == one ? one : FOLD_NONE;
        if (!op) break;
    }
    if (op < 0) op = (int)chosen_by(f, sum);
    if (op == FOLD_NONE && is_handed_on(f, sum)) op = FOLD_TURNS;
    f->sums[sum].op = op;
}

void sums_merge(struct function *f, int into, int from)
{
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].sum == from) f->nodes[i].sum = into;
    f->sums[into].merged = true;
    sum_find_op(f, into);
}
