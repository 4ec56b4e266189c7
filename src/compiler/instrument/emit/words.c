/* Stores and ranges of words. */
#include <stdio.h>
#include <string.h>

#include "compiler/hooks.h"
#include "compiler/instrument/emit/asked.h"
#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/instrument.h"
#include "compiler/instrument/emit/labels.h"
#include "compiler/instrument/emit/work.h"
#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/linear.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/function/summed_questions.h"
#include "compiler/instrument/rewrite/exchanges.h"
#include "compiler/instrument/rewrite/sorted.h"
#include "compiler/instrument/unit/descriptors.h"
#include "compiler/instrument/unit/site.h"
#include "compiler/instrument/unit/source_name.h"

static unsigned long long size_of(const struct function *f, LLVMValueRef value)
{
    return LLVMStoreSizeOfType(f->module->layout, LLVMTypeOf(value));
}

static unsigned word_size(const struct function *f, LLVMValueRef value)
{
    return emit_word_size(f->module, LLVMTypeOf(value));
}

static LLVMValueRef emit_clear(struct function *f, LLVMValueRef p, unsigned long long bytes)
{
    struct module_state *m = f->module;
    LLVMValueRef arguments[2] = {p, emit_i64(m, bytes)};
    emit_call(m, HOOK_clear, arguments, 2);
    return emit_i32(m, 0);
}

static LLVMValueRef emit_copy(struct function *f, LLVMValueRef p, unsigned size, LLVMValueRef label)
{
    struct module_state *m = f->module;
    LLVMValueRef few[2] = {p, label}, arguments[3] = {p, emit_i32(m, size), label};
    if (size >= 4)
        emit_call(m, size == 8 ? HOOK_copy8 : HOOK_copy4, few, 2);
    else
        emit_call(m, HOOK_copy, arguments, 3);
    return label;
}

/* A value is one of others: the smaller, the one in whose favour a condition is. */
static bool is_chosen(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value)) return false;
    enum fold_op op = fold_of(value, 0);
    return LLVMIsASelectInst(value) || LLVMIsAPHINode(value) || op == FOLD_MIN || op == FOLD_MAX;
}

static LLVMValueRef emit_computed(struct function *f, LLVMValueRef p, unsigned size, const struct keys *keys,
                                  const struct labels *labels, bool is_power)
{
    struct module_state *m = f->module;
    LLVMValueRef arguments[10] = {p}, work = work_emit(f, keys, 0);
    if (is_power) work = LLVMBuildOr(m->builder, work, emit_i32(m, VF_IS_POWER), "");
    if (size == 8 && labels->n <= 8) {
        arguments[1] = work;
        for (int i = 0; i < labels->n; i++) arguments[i + 2] = labels->ids[i];
        return emit_call(m, (enum hook)(HOOK_store8_1 + labels->n - 1), arguments, (unsigned)labels->n + 2);
    }
    arguments[1] = emit_i32(m, size);
    arguments[2] = work;
    arguments[3] = emit_i32(m, (unsigned)labels->n);
    arguments[4] = emit_buffer(f, labels);
    return emit_call(m, HOOK_store, arguments, 5);
}

static LLVMValueRef emit_sum_end(struct function *f, int sum, enum hook hook, LLVMValueRef p, unsigned size,
                                 unsigned op)
{
    struct module_state *m = f->module;
    op |= sums_op(&f->sums[sum]) & VF_POWERS;
    LLVMValueRef arguments[5] = {f->sums[sum].slot, p, emit_i32(m, size),
                                 emit_i32(m, sums_work_of_term(&f->sums[sum])), emit_i32(m, op)};
    return emit_call(m, hook, arguments, 5);
}

static LLVMValueRef emit_fold(struct function *f, LLVMValueRef p, unsigned size, unsigned op,
                              const struct keys *keys, const struct labels *labels)
{
    struct module_state *m = f->module;
    if (size == 8 && (labels->n == 1 || labels->n == 2)) {
        LLVMValueRef few[5] = {p, work_emit(f, keys, 1), emit_i32(m, op), labels->ids[0],
                               labels->ids[labels->n - 1]};
        return emit_call(m, labels->n == 1 ? HOOK_fold8_1 : HOOK_fold8_2, few, (unsigned)labels->n + 3);
    }
    LLVMValueRef arguments[6] = {
        p, emit_i32(m, size), work_emit(f, keys, 1), emit_i32(m, op), emit_i32(m, (unsigned)labels->n), NULL};
    arguments[5] = emit_buffer(f, labels);
    return emit_call(m, HOOK_fold, arguments, 6);
}

/* What the function has stored where it is loaded again, since another store may have changed it. */
static bool is_key(const struct node *node)
{
    if (!is_load(node) || LLVMGetTypeKind(LLVMTypeOf(node->value)) != LLVMIntegerTypeKind) return false;
    LLVMValueRef p = LLVMGetOperand(node->value, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == p) return true;
    }
    return false;
}

/* Keys in the address that nobody follows are looked at where they stand. */
static void emit_chosen_at(struct function *f, int store, unsigned size, int key)
{
    struct module_state *m = f->module;
    if (!is_key(&f->nodes[key])) return;
    emit_after(f, store);
    LLVMValueRef arguments[3] = {emit_address(f, store), emit_i32(m, size), emit_address(f, key)};
    emit_call(m, HOOK_chosen_at, arguments, 3);
}

/* Labels of the address: a partitioner must not know what the region chose with them. */
static void emit_chosen(struct function *f, int store, unsigned size)
{
    struct module_state *m = f->module;
    struct use uses[MOST_USES];
    struct keys all = {0}, keys = {0};
    struct labels labels;
    int n = choosing_uses(f, store, uses);
    for (int i = 0; i < n; i++) leaves_gather(f, &uses[i], -1, &all);
    for (int i = 0; i < all.n; i++)
        if (all.key[i].kind == KEY_STORED || f->nodes[all.key[i].node].needed)
            keys.key[keys.n++] = all.key[i];
        else if (all.key[i].kind == KEY_VALUE)
            emit_chosen_at(f, store, size, all.key[i].node);
    if (!keys.n) return;
    labels_of(f, &keys, &labels);
    emit_after(f, store);
    LLVMValueRef arguments[4] = {emit_address(f, store), emit_i32(m, size), emit_i32(m, (unsigned)labels.n),
                                 emit_buffer(f, &labels)};
    emit_call(m, HOOK_chosen, arguments, 4);
}

/* An update of a variable of the frame in no loop that is within its life. */
static bool is_once(const struct function *f, int store)
{
    LLVMValueRef variable = address_base(LLVMGetOperand(f->nodes[store].value, 1));
    int life = -1, loop = f->blocks[f->nodes[store].block].loop;
    if (!LLVMIsAAllocaInst(variable)) return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const char *name = LLVMIsACallInst(user) ? intrinsic_name(user) : NULL;
        int start = name && name_begins(name, "llvm.lifetime.start") ? node_of(f, user) : -1;
        if (start < 0) continue;
        if (f->blocks[f->nodes[start].block].loop == loop) return true;
        life = f->blocks[f->nodes[start].block].loop;
    }
    return life == loop;
}

/* What stands for the term where the caller has given a constant: `fill(h, key, 1)`. */
static void add_standing(struct function *f, int store, struct labels *labels)
{
    struct module_state *m = f->module;
    struct use uses[MOST_USES];
    struct keys keys = {0};
    struct labels standing;
    int n = standing_uses(f, store, uses);
    for (int i = 0; i < n; i++) leaves_gather(f, &uses[i], -1, &keys);
    labels_of(f, &keys, &standing);
    if (f->nodes[store].stored || labels->n != 1) return;
    emit_after(f, store);
    LLVMValueRef carries =
        LLVMBuildICmp(m->builder, LLVMIntUGT, labels->ids[0], emit_i32(m, VF_CONSTANT), "");
    for (int i = 0; i < standing.n && labels->n < MOST_LABELS; i++)
        labels->ids[labels->n++] = LLVMBuildSelect(m->builder, carries, emit_i32(m, 0), standing.ids[i], "");
}

/* What a term is made of, and what was added up to ask whether it is. */
static void gather_questions(struct function *f, int store, struct keys *keys)
{
    struct use uses[MOST_USES];
    int n = summed_questions(f, store, uses);
    for (int i = 0; i < n; i++) leaves_gather(f, &uses[i], -1, keys);
}

static LLVMValueRef update_term(struct function *f, int store, const struct update *update, int term)
{
    const struct node *node = &f->nodes[store];
    unsigned size = word_size(f, LLVMGetOperand(node->value, 0));
    int direct = node_of(f, update->terms[term]);
    if (direct >= 0 && f->nodes[direct].direct) {
        emit_after(f, store);
        return emit_sum_end(f, f->nodes[direct].sum, HOOK_sum_fold, emit_address(f, store), size, update->op);
    }
    struct keys keys = {0};
    struct labels labels;
    struct use uses[MOST_USES] = {{update->terms[term], node->block, node->position},
                                  {update->factors[term], node->block, node->position}};
    int n = update->factors[term] ? 2 : 1;
    for (; update->op == FOLD_TURNS && n < update->n; n++)
        uses[n] = (struct use){update->terms[n], node->block, node->position};
    bool carries = terms_carry(f, store, update); /* or what stands for the terms does */
    if (!carries) n = standing_uses(f, store, uses);
    for (int i = 0; i < n; i++) leaves_gather(f, &uses[i], -1, &keys);
    bool is_of_one = keys.n == 1;
    if (carries) gather_questions(f, store, &keys);
    labels_of(f, &keys, &labels);
    if (carries && store_is_of_given(update)) add_standing(f, store, &labels);
    if (node->stored) return node->stored;
    LLVMValueRef place = carries ? NULL : asked_place(f, store, update);
    if (carries) emit_after(f, store);
    if (!place) place = emit_address(f, store);
    bool is_power = carries && linear_is_power(f, uses, n, is_of_one);
    unsigned flags = (is_once(f, store) ? VF_ONCE : 0) | (is_power ? VF_POWERS : 0);
    return emit_fold(f, place, size, (unsigned)update->op | flags, &keys, &labels);
}

static LLVMValueRef emit_update(struct function *f, int store, const struct update *update)
{
    const struct node *node = &f->nodes[store];
    LLVMValueRef label = NULL;
    for (int i = 0; i < (update->op == FOLD_TURNS ? 1 : update->n); i++) {
        label = update_term(f, store, update, i);
        if (node->stored) return node->stored;
    }
    emit_chosen(f, store, word_size(f, LLVMGetOperand(f->nodes[store].value, 0)));
    return label;
}

static LLVMValueRef emit_tree(struct function *f, LLVMValueRef p, unsigned size, int op,
                              const struct keys *keys, const struct labels *labels)
{
    struct module_state *m = f->module;
    LLVMValueRef arguments[6] = {p,
                                 emit_i32(m, size),
                                 work_emit(f, keys, 0),
                                 emit_i32(m, (unsigned)op),
                                 emit_i32(m, (unsigned)labels->n),
                                 emit_buffer(f, labels)};
    return emit_call(m, HOOK_tree_store, arguments, 6);
}

/* The value's own label first: the run time knows whether the word is of a workspace. */
static LLVMValueRef emit_sorted(struct function *f, int store, const struct use *compared, struct keys *keys)
{
    struct module_state *m = f->module;
    LLVMValueRef value = LLVMGetOperand(f->nodes[store].value, 0);
    struct labels labels;
    leaves_gather(f, compared, -1, keys);
    labels_of(f, keys, &labels);
    if (f->nodes[store].stored) return f->nodes[store].stored;
    emit_after(f, store);
    LLVMValueRef arguments[4] = {emit_address(f, store), emit_i32(m, word_size(f, value)),
                                 emit_i32(m, (unsigned)labels.n), emit_buffer(f, &labels)};
    return emit_call(m, HOOK_sorted, arguments, 4);
}

/* What a sum has come to so far, or what it began with: a place in a list that is being made, say. */
static bool is_so_far(const struct function *f, int i)
{
    if (f->nodes[i].kind != NODE_PHI || f->nodes[i].condition >= 0) return false;
    bool any = false;
    for (unsigned j = 0; j < LLVMCountIncoming(f->nodes[i].value); j++) {
        LLVMValueRef in = LLVMGetIncomingValue(f->nodes[i].value, j);
        int n = node_of(f, in);
        bool is_sum = n >= 0 && f->nodes[n].sum >= 0;
        if (!is_sum && !LLVMIsAConstant(in)) return false;
        any = any || is_sum;
    }
    return any;
}

/* A constant, or none of the program's, that comes of the conditions which it is behind. */
static LLVMValueRef emit_behind(struct function *f, LLVMValueRef p, unsigned size, const struct keys *keys,
                                const struct labels *labels)
{
    struct module_state *m = f->module;
    LLVMValueRef arguments[5] = {p, emit_i32(m, size), work_emit(f, keys, 0),
                                 emit_i32(m, (unsigned)labels->n), emit_buffer(f, labels)};
    return emit_call(m, HOOK_behind, arguments, 5);
}

static LLVMValueRef emit_plain(struct function *f, int store)
{
    const struct node *node = &f->nodes[store];
    LLVMValueRef value = LLVMGetOperand(node->value, 0);
    unsigned size = word_size(f, value);
    int i = node_of(f, value);
    if (i >= 0 && f->nodes[i].direct) {
        emit_after(f, store);
        return emit_sum_end(f, f->nodes[i].sum, HOOK_sum_store, emit_address(f, store), size,
                            (unsigned)f->sums[f->nodes[i].sum].op);
    }
    struct keys keys = {.is_open = true};
    struct labels labels;
    struct use use = {value, node->block, node->position}, compared, questions[MOST_USES];
    int n = flow_takes_questions(f, store) ? store_questions(f, store, questions) : 0;
    leaves_gather(f, &use, -1, &keys);
    for (int j = 0; j < n; j++) leaves_gather(f, &questions[j], -1, &keys);
    labels_of(f, &keys, &labels);
    if (node->stored) return node->stored;
    emit_after(f, store);
    LLVMValueRef p = emit_address(f, store);
    if (!labels.n) return emit_clear(f, p, size_of(f, value));
    if (n) return emit_behind(f, p, size, &keys, &labels);
    int op = labels.n > 1 ? leaves_tree(f, &use) : 0;
    if (op) return emit_tree(f, p, size, op, &keys, &labels);
    bool copies = labels.n == 1 && (f->nodes[i].identity || forwarded(f, &use) >= 0 || f->nodes[i].sum >= 0 ||
                                    is_so_far(f, i) || exchanges_chooses(value));
    if (copies && sorted_use(f, store, &compared)) return emit_sorted(f, store, &compared, &keys);
    if (copies) return emit_copy(f, p, size, labels.ids[0]);
    bool may_be_of_one = labels.n == 1 || is_chosen(value), /* but for what chose */
        is_power = may_be_of_one && linear_is_power(f, &use, 1, labels.n == 1);
    return emit_computed(f, p, size | (is_chosen(value) ? VF_CHOSEN : 0), &keys, &labels, is_power);
}

/* What a word is computed from may come of the word itself, by a phi of the loop around the store: then the
 * store has been told when its labels are there, and is not told again. */
LLVMValueRef labels_stored(struct function *f, int store)
{
    struct node *node = &f->nodes[store];
    if (node->stored) return node->stored;
    struct update update;
    node->stored = store_is_update(f, store, &update) ? emit_update(f, store, &update) : emit_plain(f, store);
    return node->stored;
}

/* Values of more than a word (long double): the rest of the bytes holds the same value. */
void emit_store(struct function *f, int store)
{
    LLVMValueRef value = LLVMGetOperand(f->nodes[store].value, 0);
    unsigned long long bytes = size_of(f, value);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (is_descriptor_member(f->nodes[store].value)) {
        emit_after(f, store);
        emit_clear(f, LLVMGetOperand(f->nodes[store].value, 1), bytes);
        return;
    }
    if (kind == LLVMVectorTypeKind || kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
        int i = node_of(f, value);
        emit_after(f, store);
        if (i >= 0 && f->nodes[i].carries)
            emit_unsupported(f, f->nodes[store].value, "a store of several values at once");
        emit_after(f, store);
        emit_clear(f, LLVMGetOperand(f->nodes[store].value, 1), bytes);
        return;
    }
    LLVMValueRef label = labels_stored(f, store);
    if (bytes <= 8) return;
    struct module_state *m = f->module;
    emit_after(f, store);
    LLVMValueRef one = emit_i64(m, 1);
    emit_copy(
        f, LLVMBuildInBoundsGEP2(m->builder, m->i64, LLVMGetOperand(f->nodes[store].value, 1), &one, 1, ""),
        8, label);
}

/* "setjmp at solve.c:12 (step)" */
static void emit_remark(struct function *f, enum hook hook, LLVMValueRef at, const char *what)
{
    char site[512], text[640];
    site_write(at, site, sizeof site);
    snprintf(text, sizeof text, "%.100s at %s", what, site);
    LLVMValueRef argument = emit_text(f->module, text);
    emit_call(f->module, hook, &argument, 1);
}

void emit_unsupported(struct function *f, LLVMValueRef at, const char *what)
{
    emit_remark(f, HOOK_unsupported, at, what);
}

void emit_refused(struct function *f, LLVMValueRef at, const char *what)
{
    emit_remark(f, HOOK_refused, at, what);
}

/* memcpy, memmove, memset: before the call, while the source's labels are as they were. */
void emit_range(struct function *f, int i, const char *name)
{
    struct module_state *m = f->module;
    LLVMValueRef call = f->nodes[i].value;
    LLVMValueRef bytes = LLVMGetOperand(call, 2);
    emit_before(m, call);
    if (LLVMTypeOf(bytes) != m->i64) bytes = LLVMBuildZExt(m->builder, bytes, m->i64, "");
    LLVMValueRef arguments[3] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), bytes};
    if (strncmp(name, "llvm.memset", 11) == 0) {
        arguments[1] = bytes;
        emit_call(m, HOOK_clear, arguments, 2);
    } else {
        emit_call(m, HOOK_move, arguments, 3);
    }
}
