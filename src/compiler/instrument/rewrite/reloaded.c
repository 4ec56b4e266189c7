/*
 * `for (..) if (near) a[i] += f(c->x);`: as far as types tell the store may have changed c->x, so that the
 * optimiser keeps it in a register and loads it again behind the store alone. Such a phi chooses nothing, and
 * is no sum of what was chosen last: on every way it is what the word holds.
 */
#include "compiler/instrument/rewrite/reloaded.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/continued.h"
#include "compiler/instrument/unit/effects.h"

enum { MOST_PHIS = 24 };

struct web {
    const struct function *f;
    int phis[MOST_PHIS], n;
    LLVMValueRef word;
    bool is_loaded; /* by more than one load */
    LLVMValueRef load;
};

static bool follow(struct web *w, int phi);

static bool is_of_word(struct web *w, LLVMValueRef value)
{
    const struct function *f = w->f;
    int i = node_of(f, value);
    if (i < 0 || f->nodes[i].position < 0) return false;
    if (f->nodes[i].kind == NODE_PHI) return follow(w, i);
    if (!is_load(&f->nodes[i]) || f->nodes[i].kind != NODE_LEAF || LLVMGetVolatile(value)) return false;
    LLVMValueRef word = LLVMGetOperand(value, 0);
    if (!w->word) w->word = word;
    w->is_loaded = w->is_loaded || (w->load && w->load != value);
    w->load = value;
    return w->word == word;
}

static bool follow(struct web *w, int phi)
{
    LLVMValueRef value = w->f->nodes[phi].value;
    for (int i = 0; i < w->n; i++)
        if (w->phis[i] == phi) return true;
    if (w->n == MOST_PHIS) return false;
    w->phis[w->n++] = phi;
    for (unsigned j = 0; j < LLVMCountIncoming(value); j++)
        if (!is_of_word(w, LLVMGetIncomingValue(value, j))) return false;
    return true;
}

/* Arrays by other names are taken to be others. */
static bool may_change(const struct function *f, LLVMValueRef instruction, LLVMValueRef array)
{
    if (LLVMIsAStoreInst(instruction)) return address_base(LLVMGetOperand(instruction, 1)) == array;
    return ends_many(f, instruction) && !effects_spare(instruction, array);
}

static bool is_quiet(const struct function *f, int loop, LLVMValueRef array)
{
    for (int b = 0; b < f->n_blocks; b++) {
        if (!loop_holds(f, loop, b)) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b].ref); i; i = LLVMGetNextInstruction(i))
            if (may_change(f, i, array)) return false;
    }
    return true;
}

static bool is_known_at(const struct function *f, LLVMValueRef word, int block)
{
    int i = node_of(f, word);
    return i < 0 || f->nodes[i].position < 0 ||
           dominates(f, f->nodes[i].block, f->nodes[i].position, block, -1);
}

LLVMValueRef reloaded_word(const struct function *f, int phi)
{
    struct web w = {.f = f};
    if (f->nodes[phi].kind != NODE_PHI || !follow(&w, phi) || !w.is_loaded) return NULL;
    LLVMValueRef array = address_base(w.word);
    for (int i = 0; i < w.n; i++) {
        int loop = f->blocks[f->nodes[w.phis[i]].block].loop;
        if (!is_known_at(f, w.word, f->nodes[w.phis[i]].block)) return NULL;
        if (loop < 0 || !is_quiet(f, loop, array)) return NULL;
    }
    return w.word;
}
