/* Leaves of a value, and which values are sums put together: looked for, before anything is emitted. */
#include "compiler/instrument/function/leaves.h"

#include <stdlib.h>

#include "compiler/instrument/emit/count.h"
#include "compiler/instrument/function/linear.h"
#include "compiler/instrument/function/of_sums.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/function/truth_trees.h"
#include "compiler/instrument/rewrite/continued.h"

enum { DEEPEST = 12, DEEPEST_USE = 4 }; /* operations that are looked through */

static void add_key(struct keys *keys, int kind, int node, int index)
{
    for (int i = 0; i < keys->n; i++)
        if ((int)keys->key[i].kind == kind && keys->key[i].node == node && keys->key[i].index == index)
            return;
    if (keys->n == MOST_LABELS) {
        keys->overflow = true;
        return;
    }
    keys->key[keys->n++] = (struct key){kind, node, index};
}

struct walk {
    struct function *f;
    bool *seen;
    int within, is_inside, n_alike;
    bool is_of_turns; /* what is at hand is the same in all turns of a loop */
    struct keys *keys;
};

static void walk(struct walk *w, const struct use *use);

static void walk_operands(struct walk *w, int i)
{
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(w->f, i, uses);
    for (int j = 0; j < n; j++) walk(w, &uses[j]);
    free(uses);
}

/* What is put together within an alternative is not there behind it: only its leaves are. */
static void walk_alike(struct walk *w, int i)
{
    int flop = w->keys->flop, n_choices = w->keys->n_choices;
    w->n_alike++;
    walk_operands(w, i);
    w->n_alike--;
    w->keys->flop = flop;
    w->keys->n_choices = n_choices;
}

static bool is_choice(const struct node *node)
{
    return node->kind == NODE_PHI ||
           (node->kind == NODE_SELECT && !store_is_extremum(node->value, NULL, NULL));
}

/* What may turn out to be a sum when the program runs. */
static bool may_be_sum(const struct node *node)
{
    if (node->sum >= 0) return true;
    return node->kind == NODE_LEAF && (node->position < 0 || is_load(node) || is_real_call(node->value));
}

/* The same number: a count goes into a sum of real ones, too. */
static bool passes_on(LLVMValueRef value)
{
    return store_is_width(value) || LLVMIsASIToFPInst(value) || LLVMIsAUIToFPInst(value);
}

/* The operation that operand j of the value goes into, which may be taken off where multiples are added up;
 * -1 where the value passes it on. */
static int tree_op(const struct node *node, unsigned j, bool with_multiples)
{
    if (node->kind == NODE_PHI) return -1;
    if (node->kind == NODE_SELECT) return (int)store_is_extremum(node->value, NULL, NULL);
    if (with_multiples && linear_is_difference(node->value)) return FOLD_ADD;
    return passes_on(node->value) ? -1 : (int)fold_of(node->value, j);
}

/* A word of an array of the frame that is named by constants, like an accumulator. */
static bool is_frame_word(LLVMValueRef p)
{
    for (; LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0))
        for (unsigned j = 1; j < (unsigned)LLVMGetNumOperands(p); j++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(p, j))) return false;
    return LLVMIsAAllocaInst(p) != NULL;
}

/* A sum, or such a word: loaded, or what has been stored there. */
static bool is_static_sum(const struct function *f, const struct use *use)
{
    const struct node *node = &f->nodes[node_of(f, use->value)];
    int store = forwarded(f, use);
    if (node->sum >= 0) return true;
    if (store >= 0)
        return LLVMIsAStoreInst(f->nodes[store].value) &&
               is_frame_word(LLVMGetOperand(f->nodes[store].value, 1));
    return is_load(node) && is_frame_word(LLVMGetOperand(node->value, 0));
}

/* What is put together by one operation. */
struct tree {
    int op, n_sums;
    int last;   /* of these; the square of one is none */
    int within; /* a sum that is not part of it */
    int kind;   /* the operation of all these sums; 0: they have several, or words are among them */
    bool has_multiples, has_signs; /* of these sums; by numbers that may be negative */
};

/* Do all operands of a value belong to the tree, as `is` says, by the operation that it has? */
static bool operands_are(struct function *f, int i, struct tree *tree, int depth,
                         bool (*is)(struct function *, const struct use *, struct tree *, int depth))
{
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    bool fine = n >= 1;
    for (int j = 0; fine && j < n; j++) {
        int own = tree_op(&f->nodes[i], (unsigned)j, tree->has_multiples);
        fine = own < 0 || (own && (!tree->op || own == tree->op));
        if (fine && own > 0) tree->op = own;
        fine = fine && is(f, &uses[j], tree, depth + 1);
    }
    free(uses);
    return fine;
}

static void count_sum(const struct function *f, int i, struct tree *tree)
{
    int kind = f->nodes[i].sum >= 0 ? f->sums[f->nodes[i].sum].op : 0;
    tree->kind = !tree->n_sums || tree->kind == kind ? kind : 0;
    tree->n_sums += !tree->n_sums || tree->last != i;
    tree->last = i;
}

/* Multiples of sums are sums of multiples, and the least of multiples that keep the order is a least one. */
static bool are_of_kind(const struct tree *tree)
{
    if (!tree->has_multiples) return true;
    bool is_order = tree->op == FOLD_MIN || tree->op == FOLD_MAX;
    return tree->kind == tree->op && (tree->op == FOLD_ADD || (is_order && !tree->has_signs));
}

/* Counts the sums that a value puts together by one operation; false where there is anything else. */
static bool puts_together(struct function *f, const struct use *use, struct tree *tree, int depth)
{
    int i = node_of(f, use->value);
    if (i < 0 || !f->nodes[i].carries) return true;
    const struct node *node = &f->nodes[i];
    if (depth > DEEPEST || (node->sum >= 0 && node->sum == tree->within)) return false;
    if (is_static_sum(f, use)) {
        count_sum(f, i, tree);
        return true;
    }
    if (forwarded(f, use) >= 0 || node->condition >= 0 || node->kind == NODE_LEAF) return false;
    LLVMValueRef multiple = node->kind == NODE_ARITH ? linear_multiple_of(f, i) : NULL;
    tree->has_multiples |= multiple || linear_is_difference(node->value);
    if (!multiple) return operands_are(f, i, tree, depth, puts_together);
    tree->has_signs |= !linear_keeps_order(node->value);
    return puts_together(f, &(struct use){multiple, node->block, node->position}, tree, depth + 1);
}

/* The operation of a value that is several sums put together, and used for something else then: it is one
 * value, as it would be if one register had held the sum. */
static int is_result(struct function *f, const struct use *use, int within)
{
    struct tree tree = {.within = within};
    int i = node_of(f, use->value);
    if (i < 0 || (f->nodes[i].kind != NODE_ARITH && f->nodes[i].kind != NODE_SELECT)) return 0;
    if (puts_together(f, use, &tree, 0) && tree.n_sums > 1 && are_of_kind(&tree)) return tree.op;
    return truth_tree(f, use->value, within);
}

static bool calls_itself(LLVMValueRef call)
{
    bool is_call = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
    return is_call && LLVMGetCalledValue(call) == LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
}

/* The operation by which what the function itself has come to is put together with other numbers. */
static int op_of_calls(LLVMValueRef value, int depth)
{
    int n = LLVMIsABinaryOperator(value) && depth < DEEPEST ? LLVMGetNumOperands(value) : 0;
    for (int j = 0; j < n; j++) {
        LLVMValueRef operand = LLVMGetOperand(value, (unsigned)j);
        int own = (int)fold_of(value, (unsigned)j);
        if (own && (calls_itself(operand) || op_of_calls(operand, depth + 1) == own)) return own;
    }
    return 0;
}

static bool is_returned(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMIsAReturnInst(LLVMGetUser(use))) return true;
    return false;
}

static LLVMValueRef only_user(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

/* What the function ends with on several ways. */
static bool is_end(const struct function *f, LLVMValueRef value)
{
    int at = value && LLVMIsAPHINode(value) ? node_of(f, value) : -1;
    return at >= 0 && f->blocks[f->nodes[at].block].loop < 0 && is_returned(value);
}

/* On one way it ends with the value, on another one with what it puts together by this operation. */
static int op_instead(const struct function *f, LLVMValueRef value)
{
    LLVMValueRef end = only_user(value);
    int op = 0;
    if (!is_end(f, end)) return 0;
    for (unsigned j = 0; !op && j < LLVMCountIncoming(end); j++)
        op = op_of_calls(LLVMGetIncomingValue(end, j), 0);
    return op;
}

/* It ends with the value and what it has come to when it called itself, put together by this operation. */
static int op_beside(const struct function *f, LLVMValueRef value)
{
    LLVMValueRef whole = only_user(value);
    int op = whole ? op_of_calls(whole, 0) : 0;
    for (LLVMValueRef next; op && (next = only_user(whole)) && op_of_calls(next, 0) == op;) whole = next;
    return op && (is_returned(whole) || is_end(f, only_user(whole))) ? op : 0;
}

int leaves_last_term(struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    if (node->kind != NODE_ARITH) return 0;
    int op = op_instead(f, node->value);
    if (!op) op = op_beside(f, node->value);
    struct use own = {node->value, node->block, node->position};
    return op && leaves_tree(f, &own) != op ? op : 0; /* a tree has terms of its own */
}

static bool comes_of(const struct function *f, LLVMValueRef value, int sum, int depth)
{
    int i = node_of(f, value);
    if (i < 0 || depth > 4) return false;
    if (f->nodes[i].sum == sum) return true;
    if (f->nodes[i].kind != NODE_ARITH && f->nodes[i].kind != NODE_PHI) return false;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(value); j++)
        if (comes_of(f, LLVMGetOperand(value, j), sum, depth + 1)) return true;
    return false;
}

/* x[best], where best is what the sum has chosen so far: no term, but its own content. */
static bool is_chosen(const struct function *f, const struct node *node, int sum)
{
    if (sum < 0 || !fold_chooses(f->sums[sum].op) || node->sum == sum || !is_load(node)) return false;
    LLVMValueRef p = LLVMGetOperand(node->value, 0);
    for (; LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0))
        for (unsigned j = 1; j < (unsigned)LLVMGetNumOperands(p); j++)
            if (comes_of(f, LLVMGetOperand(p, j), sum, 0)) return true;
    return comes_of(f, p, sum, 0);
}

static void add_so_far(struct keys *keys, int load)
{
    for (int i = 0; i < keys->n_so_far; i++)
        if (keys->so_far[i] == load) return;
    if (keys->n_so_far < MOST_SO_FAR) keys->so_far[keys->n_so_far++] = load;
}

static void add_chosen(struct walk *w, int i)
{
    int width = leaves_width(w->f, i);
    for (int j = 0; j < width; j++) add_key(w->keys, KEY_VALUE, i, j);
}

/* Its alternatives take the operations of the way that is gone (work.h). */
static void note_choice(struct walk *w, int i)
{
    if (w->keys->n_choices < MOST_NOTED) w->keys->choices[w->keys->n_choices++] = i;
}

/* Is it the same in all turns of a loop that uses it? */
static bool is_of_all_turns(const struct function *f, const struct use *use, int i)
{
    int loop = f->blocks[use->block].loop;
    return f->nodes[i].kind == NODE_ARITH && loop >= 0 && !loop_holds(f, loop, f->nodes[i].block);
}

static void walk(struct walk *w, const struct use *use)
{
    struct function *f = w->f;
    struct use condition;
    int i = node_of(f, use->value);
    if (i < 0 || !f->nodes[i].carries) return;
    struct node *node = &f->nodes[i];
    int store = forwarded(f, use);
    if (store >= 0) {
        add_key(w->keys, KEY_STORED, store, 0);
        return;
    }
    if (w->seen[i] || node->skip || (node->sum >= 0 && node->sum == w->within)) return;
    if (is_chosen(f, node, w->within)) {
        add_so_far(w->keys, i);
        return;
    }
    w->seen[i] = true;
    bool is_open = w->is_inside++ == 0 && w->keys->is_open, was_of_turns = w->is_of_turns;
    w->is_of_turns = node->kind == NODE_ARITH && (was_of_turns || is_of_all_turns(f, use, i));
    if (node->sum >= 0) {
        add_key(w->keys, KEY_READ, i, 0);
    } else if (!is_open && !w->n_alike && is_result(f, use, w->within)) {
        add_key(w->keys, KEY_TREE, i, 0);
    } else if (!is_open && !w->n_alike && leaves_last_term(f, i)) {
        add_key(w->keys, KEY_TERM, i, 0);
    } else if (w->is_of_turns && !w->n_alike && of_sums(f, i)) {
        add_key(w->keys, KEY_WHOLE, i, 0);
    } else if (node->kind == NODE_LEAF) {
        add_key(w->keys, KEY_VALUE, i, 0);
    } else if (condition_use(f, i, &condition)) {
        walk(w, &condition);
        note_choice(w, i);
        if (node->alike) walk_alike(w, i);
        if (node->decided) add_chosen(w, i);
    } else if (is_choice(node)) {
        note_choice(w, i);
        add_chosen(w, i);
    } else {
        w->keys->flop += count_flop(node->value);
        walk_operands(w, i);
    }
    w->is_of_turns = was_of_turns;
}

void leaves_gather(struct function *f, const struct use *use, int within, struct keys *keys)
{
    struct walk w = {.f = f,
                     .seen = take((size_t)f->n_nodes, sizeof(bool)),
                     .within = within,
                     .keys = keys,
                     .is_of_turns = keys->is_of_turns};
    walk(&w, use);
    free(w.seen);
}

/* What adds to a sum does not go on to where that is used. */
static bool goes_on(const struct node *node)
{
    return node->sum < 0 && (node->kind == NODE_ARITH || node->kind == NODE_PHI);
}

/* What it has come to when it calls itself is put together in another way (op_of_calls()). */
static bool is_recursive(const struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].position >= 0 && calls_itself(f->nodes[i].value)) return true;
    return false;
}

static bool is_used_in_turns(const struct function *f, int i, int from, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(f->nodes[from].value); use; use = LLVMGetNextUse(use)) {
        int user = node_of(f, LLVMGetUser(use)), loop = user < 0 ? -1 : f->blocks[f->nodes[user].block].loop;
        if (user < 0) continue;
        if (loop >= 0 && !loop_holds(f, loop, f->nodes[i].block)) return true;
        if (LLVMIsAReturnInst(f->nodes[user].value)) return !is_recursive(f); /* wherever it is called */
        if (depth < DEEPEST_USE && goes_on(&f->nodes[user]) && is_used_in_turns(f, i, user, depth + 1))
            return true;
    }
    return false;
}

bool leaves_are_of_turns(const struct function *f, int i)
{
    return is_used_in_turns(f, i, i, 0);
}

int leaves_width(struct function *f, int i)
{
    if (f->nodes[i].width >= 0) return f->nodes[i].width;
    f->nodes[i].width = 1; /* should it depend on itself */
    if (f->nodes[i].kind == NODE_PHI && continued_word(f, i)) return 1;
    struct use *uses = take(MOST_USES, sizeof *uses);
    int width = 1, n = data_uses(f, i, uses);
    bool is_of_turns = leaves_are_of_turns(f, i);
    for (int j = 0; j < n; j++) {
        struct keys keys = {.is_of_turns = is_of_turns};
        leaves_gather(f, &uses[j], -1, &keys);
        if (keys.n > width) width = keys.n;
    }
    free(uses);
    return f->nodes[i].width = width > MOST_PHI_LABELS ? 1 : width;
}

static bool is_tree(struct function *f, const struct use *use, struct tree *tree, int depth);

/* What comes of one label is a term, whatever is computed from it: of a recursive function that ends with the
 * square of a number. */
static bool is_term(struct function *f, const struct use *use)
{
    struct keys keys = {0};
    leaves_gather(f, use, -1, &keys);
    return keys.n <= 1;
}

static bool alternatives_are(struct function *f, int i, struct tree *tree, int depth)
{
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    bool fine = n >= 1;
    for (int j = 0; fine && j < n; j++) fine = is_term(f, &uses[j]) || is_tree(f, &uses[j], tree, depth + 1);
    free(uses);
    return fine;
}

static bool is_tree(struct function *f, const struct use *use, struct tree *tree, int depth)
{
    int i = node_of(f, use->value);
    if (i < 0 || !f->nodes[i].carries)
        return true; /* nothing to follow, like the zero of a loop that never ran */
    if (depth > DEEPEST) return false;
    if (forwarded(f, use) >= 0) return true;
    const struct node *node = &f->nodes[i];
    if (may_be_sum(node) || (depth && leaves_last_term(f, i))) return true;
    bool is_open = node->condition < 0 || node->decided; /* of the latter the condition is a term more */
    if (!is_open || node->kind == NODE_LEAF) return false;
    if (node->kind == NODE_PHI) return alternatives_are(f, i, tree, depth);
    return node->condition < 0 && operands_are(f, i, tree, depth, is_tree);
}

int leaves_tree(struct function *f, const struct use *use)
{
    struct tree tree = {.within = -1};
    return is_tree(f, use, &tree, 0) ? tree.op : is_result(f, use, -1);
}
