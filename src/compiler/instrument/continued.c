#include "continued.h"

#include <string.h>

#include "flow.h"
#include "store.h"

enum { MOST_PHIS = 24, MOST_STORES = 8 };

struct walk {
    const struct function *f;
    int phis[MOST_PHIS], n_phis;
    int stores[MOST_STORES], n_stores;
    LLVMValueRef word;
};

bool ends_many(const struct function *f, LLVMValueRef p)
{
    const char *name = LLVMIsACallInst(p) ? intrinsic_name(p) : NULL;
    return name ? strncmp(name, "llvm.mem", 8) == 0 : node_of(f, p) >= 0 && is_real_call(p);
}

static bool has(const int *list, int n, int one)
{
    for (int i = 0; i < n; i++)
        if (list[i] == one) return true;
    return false;
}

static bool add_store(struct walk *w, int store)
{
    struct update update;
    LLVMValueRef word = LLVMGetOperand(w->f->nodes[store].value, 1);
    if (has(w->stores, w->n_stores, store)) return true;
    if (w->n_stores == MOST_STORES || (w->word && w->word != word)) return false;
    if (!store_is_update(w->f, store, &update)) return false;
    w->word = word;
    w->stores[w->n_stores++] = store;
    return true;
}

static bool follow(struct walk *w, int phi);

/* Stored in the word a moment ago, or another phi of its content; what was there before anything is added is
 * a constant or read. */
static bool is_content(struct walk *w, LLVMValueRef value, int block)
{
    const struct function *f = w->f;
    int i = node_of(f, value);
    if (LLVMIsAConstant(value)) return true;
    if (i < 0) return false;
    struct use use = {value, block, f->nodes[node_of(f, block_end(f, block))].position};
    int store = forwarded(f, &use);
    if (store >= 0) return add_store(w, store);
    if (f->nodes[i].kind == NODE_PHI) return follow(w, i);
    return is_load(&f->nodes[i]) && (!w->word || LLVMGetOperand(value, 0) == w->word);
}

static bool follow(struct walk *w, int phi)
{
    LLVMValueRef value = w->f->nodes[phi].value;
    if (has(w->phis, w->n_phis, phi)) return true;
    if (w->n_phis == MOST_PHIS) return false;
    w->phis[w->n_phis++] = phi;
    for (unsigned j = 0; j < LLVMCountIncoming(value); j++) {
        int from = block_at(w->f, LLVMGetIncomingBlock(value, j));
        if (!is_content(w, LLVMGetIncomingValue(value, j), from)) return false;
    }
    return true;
}

/* Nothing else gives the word a value on the way. */
static bool is_quiet(const struct walk *w, int block)
{
    LLVMValueRef p = LLVMGetFirstInstruction(w->f->blocks[block].ref);
    for (; p; p = LLVMGetNextInstruction(p)) {
        if (ends_many(w->f, p)) return false;
        if (LLVMIsAStoreInst(p) && LLVMGetOperand(p, 1) == w->word &&
            !has(w->stores, w->n_stores, node_of(w->f, p)))
            return false;
    }
    return true;
}

/* The outermost of the loops around a store that a phi is not in. */
static int loop_left(const struct function *f, int store, int phi)
{
    int loop = f->blocks[f->nodes[store].block].loop, left = -1;
    for (; loop >= 0 && !loop_holds(f, loop, f->nodes[phi].block); loop = f->loops[loop].outer) left = loop;
    return left;
}

/* Nothing changes the word in the loops around its stores, nor where phis are that lead here. */
static bool is_its_content(const struct walk *w, int phi)
{
    const struct function *f = w->f;
    for (int i = 0; i < w->n_stores; i++) {
        int loop = loop_left(f, w->stores[i], phi);
        for (int b = 0; loop >= 0 && b < f->n_blocks; b++)
            if (loop_holds(f, loop, b) && !is_quiet(w, b)) return false;
    }
    for (int i = 0; i < w->n_phis; i++)
        if (w->phis[i] != phi && !is_quiet(w, f->nodes[w->phis[i]].block)) return false;
    return w->n_stores > 0;
}

bool is_continued(const struct function *f, int phi)
{
    struct walk w = {.f = f};
    return follow(&w, phi) && is_its_content(&w, phi);
}

LLVMValueRef continued_word(const struct function *f, int phi)
{
    struct walk w = {.f = f};
    int depth = loop_depth(f, f->nodes[phi].block), deepest = 0;
    if (f->nodes[phi].sum >= 0 || !follow(&w, phi) || !is_its_content(&w, phi)) return NULL;
    int word = node_of(f, w.word);
    if (word >= 0 && f->nodes[word].position >= 0 &&
        !dominates(f, f->nodes[word].block, f->nodes[word].position, f->nodes[phi].block, -1))
        return NULL;
    for (int i = 0; i < w.n_stores; i++) {
        int here = loop_depth(f, f->nodes[w.stores[i]].block);
        if (here > deepest) deepest = here;
    }
    return deepest >= depth + 2 ? w.word : NULL;
}
