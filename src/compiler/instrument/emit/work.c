#include "compiler/instrument/emit/work.h"

#include <stdlib.h>

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/taken.h"

static LLVMValueRef emit_sum(struct function *f, const struct keys *keys, int more)
{
    struct module_state *m = f->module;
    LLVMValueRef sum = emit_i32(m, (unsigned)(keys->flop + more));
    for (int i = 0; i < keys->n_choices; i++) {
        LLVMValueRef work = f->nodes[keys->choices[i]].work;
        if (work) sum = LLVMBuildAdd(m->builder, sum, work, "");
    }
    return sum;
}

/* What is chosen among is computed: that takes one operation at least. */
LLVMValueRef work_emit(struct function *f, const struct keys *keys, int more)
{
    struct module_state *m = f->module;
    LLVMValueRef sum = emit_sum(f, keys, more);
    if (LLVMIsAConstantInt(sum)) return LLVMConstIntGetZExtValue(sum) ? sum : emit_i32(m, 1);
    LLVMValueRef none = LLVMBuildICmp(m->builder, LLVMIntEQ, sum, emit_i32(m, 0), "");
    return LLVMBuildSelect(m->builder, none, emit_i32(m, 1), sum, "");
}

/* More labels than there is room for have become a result, which has its work. */
static LLVMValueRef work_of(struct function *f, const struct use *use, int width, LLVMValueRef at)
{
    struct keys keys = {0};
    leaves_gather(f, use, -1, &keys);
    for (int i = 0; i < keys.n_choices; i++) work_note(f, keys.choices[i]);
    emit_before(f->module, at);
    return keys.n > width ? emit_i32(f->module, 0) : emit_sum(f, &keys, 0);
}

static bool is_none(LLVMValueRef work)
{
    return LLVMIsAConstantInt(work) && LLVMConstIntGetZExtValue(work) == 0;
}

static void note_phi(struct function *f, int i, int width)
{
    struct module_state *m = f->module;
    struct node *node = &f->nodes[i];
    unsigned n = LLVMCountIncoming(node->value);
    struct use *uses = take(MOST_USES, sizeof *uses);
    LLVMValueRef *works = take(n, sizeof(LLVMValueRef));
    LLVMBasicBlockRef *from = take(n, sizeof(LLVMBasicBlockRef));
    bool any = false;
    data_uses(f, i, uses);
    for (unsigned j = 0; j < n; j++) {
        from[j] = LLVMGetIncomingBlock(node->value, j);
        works[j] = work_of(f, &uses[j], width, LLVMGetBasicBlockTerminator(from[j]));
        any = any || !is_none(works[j]);
    }
    if (any) {
        LLVMPositionBuilderBefore(m->builder, node->value);
        node->work = LLVMBuildPhi(m->builder, m->i32, "");
        LLVMAddIncoming(node->work, works, from, n);
    }
    free(from);
    free(works);
    free(uses);
}

/* A result that is not chosen is none: its work is the choice's, which computes both. */
static LLVMValueRef work_of_either(struct function *f, int i, unsigned which, int width,
                                   const struct use *use)
{
    struct module_state *m = f->module;
    int last;
    struct taken taken = taken_select(f, i, which, &last);
    LLVMValueRef work = work_of(f, use, width, f->nodes[last + 1].value);
    struct keys keys = {0};
    leaves_gather(f, use, -1, &keys);
    if (keys.n <= width) return work;
    LLVMValueRef left = emit_sum(f, &keys, 0);
    return LLVMBuildSelect(m->builder, taken_emit(m, &taken), work, left, "");
}

static void note_select(struct function *f, int i, int width)
{
    struct node *node = &f->nodes[i];
    struct use *uses = take(MOST_USES, sizeof *uses);
    data_uses(f, i, uses);
    LLVMValueRef yes = work_of_either(f, i, 0, width, &uses[0]),
                 no = work_of_either(f, i, 1, width, &uses[1]);
    LLVMValueRef sum = LLVMBuildAdd(f->module->builder, yes, no, "");
    if (!is_none(sum)) node->work = sum;
    free(uses);
}

/* What comes from the turn before has been counted there. */
void work_note(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    int width = node->labels ? node->labels->n : MOST_LABELS;
    if (node->is_noted) return;
    node->is_noted = true;
    if (node->kind == NODE_SELECT)
        note_select(f, i, width);
    else if (!is_loop_header(f, node->block))
        note_phi(f, i, width);
}
