#include "compiler/instrument/emit/labels.h"

#include <assert.h>
#include <stdlib.h>

#include "compiler/hooks.h"
#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/taken.h"
#include "compiler/instrument/emit/work.h"
#include "compiler/instrument/function/linear.h"
#include "compiler/instrument/function/sums.h"
#include "compiler/instrument/rewrite/continued.h"

/* Instructions of one block in which fewer values end than wait before their numbers are used again: of each
 * at most one that a word held and four that its bundle stood for (VF_QUARANTINE of the run time is 2048). */
enum { FAR = 400 };

/* What lives across a loop or a call must not be given another meaning meanwhile. */
static void keep(struct function *f, LLVMValueRef label)
{
    LLVMValueRef arguments[2] = {emit_slot(f, f->module->i32), label};
    emit_call(f->module, HOOK_keep, arguments, 2);
    if (f->n_kept == f->kept_size) {
        f->kept_size = f->kept_size ? 2 * f->kept_size : 16;
        f->kept = more_of(f->kept, (size_t)f->kept_size, sizeof *f->kept);
    }
    f->kept[f->n_kept++] = arguments[0];
}

static bool call_between(const struct function *f, int i, int user)
{
    for (LLVMValueRef p = LLVMGetNextInstruction(f->nodes[i].value); p && p != f->nodes[user].value;
         p = LLVMGetNextInstruction(p))
        if (ends_many(f, p)) return true;
    return false;
}

static bool is_far(const struct function *f, int load, int user)
{
    return f->nodes[user].position - f->nodes[load].position > FAR;
}

/* Is the label of a load used in another block, far behind or beyond a call? Follows arithmetic from `i` on
 * to whoever uses the result. */
static bool lives_long(const struct function *f, int load, int i, int depth)
{
    if (depth > 24 || f->nodes[i].asked) return true;
    for (LLVMUseRef use = LLVMGetFirstUse(f->nodes[i].value); use; use = LLVMGetNextUse(use)) {
        int user = node_of(f, LLVMGetUser(use));
        if (user < 0) continue;
        const struct node *node = &f->nodes[user];
        bool ends = is_store(node) || is_real_call(node->value) || LLVMIsAReturnInst(node->value);
        if (!ends && !node->needed) continue;
        if (node->block != f->nodes[i].block || node->kind == NODE_PHI || is_far(f, load, user)) return true;
        if (f->nodes[i].position >= 0 && call_between(f, i, user)) return true;
        if (!ends && node->sum < 0 && lives_long(f, load, user, depth + 1)) return true;
    }
    return false;
}

/* What a call reads a number from, if it says so. */
static LLVMValueRef text_of(const struct module_state *m, LLVMValueRef call)
{
    LLVMValueRef text = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    bool is_pointer = text && LLVMGetTypeKind(LLVMTypeOf(text)) == LLVMPointerTypeKind;
    return is_pointer ? text : LLVMConstNull(m->pointer);
}

/* As it is, or as one of several. */
static bool is_stored(LLVMValueRef value, int depth)
{
    enum { DEEP = 4 };
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value) return true;
        bool goes_on = LLVMIsAPHINode(user) || LLVMIsASelectInst(user);
        if (goes_on && depth < DEEP && is_stored(user, depth + 1)) return true;
    }
    return false;
}

/* A structure of few bytes is copied as one whole number. */
static bool may_be_several(const struct function *f, LLVMValueRef load)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    bool is_whole = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && emit_word_size(f->module, type) > 1;
    return is_whole && is_stored(load, 0);
}

static LLVMValueRef load_label(struct function *f, int i)
{
    struct module_state *m = f->module;
    LLVMValueRef load = f->nodes[i].value, p = emit_address(f, i);
    LLVMTypeRef type = LLVMTypeOf(load);
    if (!may_be_several(f, load)) return emit_load(m, p, type);
    LLVMValueRef arguments[2] = {p, emit_i32(m, emit_word_size(m, type))};
    return emit_call(m, HOOK_load_whole, arguments, 2);
}

static LLVMValueRef leaf_label(struct function *f, int i)
{
    struct module_state *m = f->module;
    struct node *node = &f->nodes[i];
    LLVMValueRef label;
    if (node->position < 0) {
        unsigned index = 0;
        while (LLVMGetParam(f->ref, index) != node->value) index++;
        emit_at_top(f, 0);
        LLVMValueRef arguments[2] = {f->ref, emit_i32(m, index)};
        bool is_place = LLVMGetTypeKind(LLVMTypeOf(node->value)) == LLVMPointerTypeKind;
        label = emit_call(m, is_place ? HOOK_place_take : HOOK_argument, arguments, 2);
        keep(f, label);
        return label;
    }
    emit_after(f, i);
    if (is_load(node)) {
        label = load_label(f, i);
    } else if (known_callee(node->value).kind == KNOWN_INPUT) {
        LLVMValueRef text = text_of(m, node->value);
        label = emit_call(m, HOOK_input, &text, 1);
    } else {
        LLVMValueRef callee = call_identity(f, i);
        label = emit_call(m, HOOK_call_end, &callee, 1);
    }
    if (!is_load(node) || lives_long(f, i, i, 0)) keep(f, label);
    return label;
}

static LLVMValueRef single_if(struct function *f, const struct use *use, const struct taken *taken,
                              LLVMValueRef at, bool is_of_turns);

/* Labels at a place, filled up to a width; more than there is room for become one result. */
static void alternatives(struct function *f, int i, const struct use *use, const struct taken *taken,
                         LLVMValueRef at, LLVMValueRef *ids)
{
    int width = leaves_width(f, i);
    struct keys keys = {.is_of_turns = leaves_are_of_turns(f, i)};
    leaves_gather(f, use, -1, &keys);
    if (keys.n > width) {
        ids[0] = single_if(f, use, taken, at, false);
        return;
    }
    struct labels labels;
    labels_of(f, &keys, &labels);
    for (int j = 0; j < width; j++) ids[j] = j < labels.n ? labels.ids[j] : emit_i32(f->module, 0);
}

/* An alternative may come of this choice itself, by a phi of the loop around it: then it has been made when
 * the alternatives are there. */
static void choose(struct function *f, int i)
{
    struct module_state *m = f->module;
    struct node *node = &f->nodes[i];
    int width = leaves_width(f, i);
    LLVMValueRef yes[MOST_PHI_LABELS] = {NULL}, no[MOST_PHI_LABELS] = {NULL};
    struct use uses[MOST_USES] = {{0}};
    data_uses(f, i, uses);
    int last;
    struct taken first = taken_select(f, i, 0, &last), second = taken_select(f, i, 1, &last);
    LLVMValueRef after = f->nodes[last + 1].value, condition = LLVMGetOperand(node->value, 0);
    alternatives(f, i, &uses[0], &first, after, yes);
    alternatives(f, i, &uses[1], &second, after, no);
    if (node->labels) return;
    node->labels = take(1, sizeof *node->labels);
    node->labels->n = width;
    emit_before(m, after);
    for (int j = 0; j < width; j++)
        node->labels->ids[j] = LLVMBuildSelect(m->builder, condition, yes[j], no[j], "");
}

/* Of a word that goes on: what it says itself. */
static bool read_again(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    LLVMValueRef word = continued_word(f, i);
    if (!word) return false;
    node->labels = take(1, sizeof *node->labels);
    node->labels->n = node->width = 1;
    emit_at_top(f, node->block);
    node->labels->ids[0] = emit_load(f->module, word, LLVMTypeOf(node->value));
    keep(f, node->labels->ids[0]);
    return true;
}

static void join(struct function *f, int i)
{
    struct module_state *m = f->module;
    struct node *node = &f->nodes[i];
    if (read_again(f, i)) return;
    int width = leaves_width(f, i);
    node->labels = take(1, sizeof *node->labels);
    node->labels->n = width;
    for (int j = 0; j < width; j++) {
        LLVMPositionBuilderBefore(m->builder, node->value);
        node->labels->ids[j] = LLVMBuildPhi(m->builder, m->i32, "");
    }
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++) {
        LLVMValueRef ids[MOST_PHI_LABELS];
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(node->value, (unsigned)j);
        struct taken taken = taken_edge(from, LLVMGetInstructionParent(node->value));
        alternatives(f, i, &uses[j], &taken, LLVMGetBasicBlockTerminator(from), ids);
        for (int k = 0; k < width; k++) LLVMAddIncoming(node->labels->ids[k], &ids[k], &from, 1);
    }
    free(uses);
    emit_at_top(f, node->block);
    for (int j = 0; j < width; j++) keep(f, node->labels->ids[j]);
}

static LLVMValueRef value_label(struct function *f, const struct key *key)
{
    struct node *node = &f->nodes[key->node];
    if (!node->labels) {
        if (node->kind == NODE_PHI) {
            join(f, key->node);
        } else if (node->kind == NODE_SELECT) {
            choose(f, key->node);
        } else {
            LLVMValueRef label = leaf_label(f, key->node);
            node->labels = take(1, sizeof *node->labels);
            node->labels->n = 1;
            node->labels->ids[0] = label;
        }
    }
    assert(node->labels && key->index < node->labels->n);
    return node->labels->ids[key->index];
}

/* The content of the sum of node i where the builder is. */
static LLVMValueRef emit_content(struct function *f, int i)
{
    struct module_state *m = f->module;
    const struct sum *sum = &f->sums[f->nodes[i].sum];
    LLVMValueRef value = f->nodes[i].value;
    unsigned counts = type_is_real(LLVMTypeOf(value)) ? 0 : VF_COUNTS;
    LLVMValueRef work = emit_i32(m, sums_work_of_term(sum)); /* sums_emit() puts in what is emitted later */
    LLVMValueRef arguments[4] = {sum->slot, emit_site(m, value), work, emit_i32(m, sums_op(sum) | counts)};
    LLVMValueRef content = emit_call(m, HOOK_sum_value, arguments, 4);
    keep(f, content);
    return content;
}

/* The content of a sum where something else than its store uses it. */
static LLVMValueRef read_label(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    if (node->read) return node->read;
    sums_emit_term(f, i); /* first what this very instruction adds */
    if (node->read) return node->read;
    emit_after(f, i);
    return node->read = emit_content(f, i);
}

/* Behind the loop nothing is added to what the search has come to. */
bool labels_may_be_late(const struct function *f, int call, LLVMValueRef pointer)
{
    int i = node_of(f, pointer);
    if (i < 0 || f->nodes[i].sum < 0 || LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
        return false;
    int loop = f->sums[f->nodes[i].sum].loop;
    return loop >= 0 && !loop_holds(f, loop, f->nodes[i].block) && !loop_holds(f, loop, f->nodes[call].block);
}

LLVMValueRef labels_late(struct function *f, int call, LLVMValueRef pointer)
{
    int i = node_of(f, pointer);
    if (f->nodes[i].read) return f->nodes[i].read;
    emit_before(f->module, f->nodes[call].value);
    return emit_content(f, i);
}

/* What all the labels come to at the builder's place: by one operation, or as the hook for others says. */
static LLVMValueRef put_together(struct function *f, LLVMValueRef at, int op, int hook,
                                 const struct keys *keys, const struct labels *labels)
{
    struct module_state *m = f->module;
    LLVMValueRef arguments[5] = {emit_site(m, at), emit_i32(m, (unsigned)keys->flop)};
    int n = 2;
    if (op) arguments[n++] = emit_i32(m, (unsigned)op);
    arguments[n++] = emit_i32(m, (unsigned)labels->n);
    arguments[n++] = emit_buffer(f, labels);
    return emit_call(m, hook, arguments, (unsigned)n);
}

/* Several sums put together, where their whole is used for something else, or what is a term of a sum that
 * others put together. */
static LLVMValueRef tree_label(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    if (node->read) return node->read;
    struct keys keys = {.is_open = true};
    struct labels labels;
    struct use use = {node->value, node->block, node->position};
    leaves_gather(f, &use, -1, &keys);
    labels_of(f, &keys, &labels);
    if (node->read) return node->read; /* it comes of itself */
    emit_after(f, i);
    int term_op = leaves_last_term(f, i), op = term_op ? term_op : leaves_tree(f, &use);
    int hook = term_op ? HOOK_term_value : op ? HOOK_tree_value : HOOK_of_sums;
    node->read = put_together(f, node->value, op, hook, &keys, &labels);
    keep(f, node->read);
    return node->read;
}

void labels_of(struct function *f, const struct keys *keys, struct labels *labels)
{
    labels->n = keys->n;
    labels->sum = -1;
    for (int i = 0; i < keys->n; i++) {
        const struct key *key = &keys->key[i];
        switch (key->kind) {
        case KEY_VALUE:
            labels->ids[i] = value_label(f, key);
            break;
        case KEY_STORED:
            labels->ids[i] = labels_stored(f, key->node);
            break;
        case KEY_READ:
            labels->ids[i] = read_label(f, key->node);
            break;
        case KEY_TREE:
        case KEY_TERM:
        case KEY_WHOLE:
            labels->ids[i] = tree_label(f, key->node);
            break;
        }
    }
    for (int i = 0; i < keys->n_choices; i++) work_note(f, keys->choices[i]);
}

/* What is not taken carries nothing: who does not choose a value does not read its sources. */
static void keep_if(struct function *f, const struct taken *taken, struct labels *labels)
{
    struct module_state *m = f->module;
    LLVMValueRef is_taken = taken_emit(m, taken);
    for (int i = 0; is_taken && i < labels->n; i++)
        labels->ids[i] = LLVMBuildSelect(m->builder, is_taken, labels->ids[i], emit_i32(m, 0), "");
}

static LLVMValueRef single_if(struct function *f, const struct use *use, const struct taken *taken,
                              LLVMValueRef at, bool is_of_turns)
{
    struct module_state *m = f->module;
    struct keys keys = {.is_open = true, .is_of_turns = is_of_turns};
    struct labels labels;
    leaves_gather(f, use, -1, &keys);
    if (!keys.n) return emit_i32(m, 0);
    labels_of(f, &keys, &labels);
    emit_before(m, at);
    if (labels.n == 1) return labels.ids[0];
    keep_if(f, taken, &labels);
    int op = leaves_tree(f, use);
    LLVMValueRef label = put_together(f, at, op, op ? HOOK_tree_value : HOOK_result, &keys, &labels);
    keep(f, label);
    return label;
}

/* The square of a sum is not the sum, though it comes of that alone, but for what chose it. */
LLVMValueRef labels_single(struct function *f, const struct use *use, LLVMValueRef at)
{
    struct module_state *m = f->module;
    LLVMValueRef label = single_if(f, use, &(struct taken){0}, at, true);
    struct keys keys = {.is_open = true, .is_of_turns = true};
    leaves_gather(f, use, -1, &keys);
    bool may_be_of_one = keys.n == 1 || LLVMIsAPHINode(use->value) || LLVMIsASelectInst(use->value);
    if (!keys.n || !may_be_of_one || !linear_is_power(f, use, 1, keys.n == 1)) return label;
    LLVMValueRef arguments[2] = {work_emit(f, &keys, 0), label};
    label = emit_call(m, HOOK_power, arguments, 2);
    keep(f, label);
    return label;
}

LLVMValueRef labels_together(struct function *f, const struct use *uses, int n, LLVMValueRef at)
{
    struct module_state *m = f->module;
    struct keys keys = {0};
    struct labels labels;
    for (int i = 0; i < n; i++) leaves_gather(f, &uses[i], -1, &keys);
    if (!keys.n) return emit_i32(m, 0);
    labels_of(f, &keys, &labels);
    emit_before(m, at);
    if (labels.n == 1) return labels.ids[0];
    return put_together(f, at, 0, HOOK_result, &keys, &labels);
}
