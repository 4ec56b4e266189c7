#include "compiler/instrument/rewrite/continued.h"

#include <string.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/reloaded.h"

enum { MOST_PHIS = 24, MOST_STORES = 8, MOST_WAYS = 4, DEEPEST = 4 };

struct walk {
    const struct function *f;
    int phis[MOST_PHIS], n_phis;
    int stores[MOST_STORES], n_stores;
    int loops[MOST_STORES], n_loops; /* in which a register adds to what the word held */
    LLVMValueRef word;
    bool is_other; /* what was followed is not the content of one word, though it is listed */
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

static bool follow(struct walk *w, int phi);

static int added_to(const struct function *f, LLVMValueRef value, int depth);

/* The first of the alternatives of a choice that is one; those that are none are what it was compared with.
 */
static int chosen_from(const struct function *f, LLVMValueRef value, int depth)
{
    bool is_phi = LLVMIsAPHINode(value);
    unsigned n = is_phi ? LLVMCountIncoming(value) : 2;
    int found = -1;
    for (unsigned j = 0; n <= MOST_WAYS && j < n && found < 0; j++)
        found =
            added_to(f, is_phi ? LLVMGetIncomingValue(value, j) : LLVMGetOperand(value, j + 1), depth + 1);
    return found;
}

/* The phi of a loop's header that a value of the loop is added to, or goes on from where nothing better
 * comes, turn by turn; -1. */
static int added_to(const struct function *f, LLVMValueRef value, int depth)
{
    int i = node_of(f, value);
    if (i < 0 || depth == DEEPEST || f->nodes[i].position < 0) return -1;
    if (f->nodes[i].kind == NODE_PHI && is_loop_header(f, f->nodes[i].block)) return i;
    if (f->nodes[i].kind == NODE_PHI || f->nodes[i].kind == NODE_SELECT) return chosen_from(f, value, depth);
    unsigned n = f->nodes[i].kind == NODE_ARITH ? (unsigned)LLVMGetNumOperands(value) : 0;
    int found = -1;
    for (unsigned j = 0; j < n && found < 0; j++)
        if (fold_of(value, j)) found = added_to(f, LLVMGetOperand(value, j), depth + 1);
    return found;
}

static bool is_content(struct walk *w, LLVMValueRef value, int block);
static bool ends_loop(struct walk *w, LLVMValueRef value, int depth);

/* Of a loop that may have no turn: or what the word held before. */
static bool may_end_loop(struct walk *w, LLVMValueRef phi, int depth)
{
    bool ends = false;
    if (depth == DEEPEST || LLVMCountIncoming(phi) > MOST_WAYS) return false;
    for (unsigned j = 0; j < LLVMCountIncoming(phi); j++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, j);
        bool is_end = ends_loop(w, value, depth + 1);
        if (!is_end && !is_content(w, value, block_at(w->f, LLVMGetIncomingBlock(phi, j)))) return false;
        ends = ends || is_end;
    }
    return ends;
}

/* What the word holds behind a loop that has added to it in a register, from what it held before. */
static bool ends_loop(struct walk *w, LLVMValueRef value, int depth)
{
    const struct function *f = w->f;
    int joined = LLVMIsAPHINode(value) && LLVMCountIncoming(value) > 1 ? node_of(f, value) : -1;
    if (joined >= 0 && !is_loop_header(f, f->nodes[joined].block)) return may_end_loop(w, value, depth);
    while (LLVMIsAPHINode(value) && LLVMCountIncoming(value) == 1) value = LLVMGetIncomingValue(value, 0);
    int made = node_of(f, value), phi = made < 0 ? -1 : added_to(f, value, 0);
    if (phi < 0 || LLVMCountIncoming(f->nodes[phi].value) != 2) return false;
    int loop = f->blocks[f->nodes[phi].block].loop, before = -1;
    bool goes_on = false;
    for (unsigned j = 0; j < 2; j++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(f->nodes[phi].value, j);
        if (incoming == value)
            goes_on = true;
        else
            before = node_of(f, incoming);
    }
    if (!goes_on || before < 0 || f->nodes[before].kind != NODE_PHI || w->n_loops == MOST_STORES)
        return false;
    w->loops[w->n_loops++] = loop;
    return follow(w, before);
}

/* The same one in every turn of the loop that the store is in. */
static bool is_one_word(const struct function *f, int store, LLVMValueRef word)
{
    int i = node_of(f, word), loop = f->blocks[f->nodes[store].block].loop;
    return i < 0 || f->nodes[i].position < 0 || loop < 0 || !loop_holds(f, loop, f->nodes[i].block);
}

static bool add_store(struct walk *w, int store)
{
    struct update update;
    LLVMValueRef word = LLVMGetOperand(w->f->nodes[store].value, 1);
    if (has(w->stores, w->n_stores, store)) return true;
    if (w->n_stores == MOST_STORES || (w->word && w->word != word)) return false;
    w->word = word;
    w->stores[w->n_stores++] = store;
    bool adds =
        store_is_update(w->f, store, &update) ||
        (is_one_word(w->f, store, word) && ends_loop(w, LLVMGetOperand(w->f->nodes[store].value, 0), 0));
    w->is_other = w->is_other || !adds;
    return adds;
}

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
        if (is_content(w, LLVMGetIncomingValue(value, j), from)) continue;
        w->is_other = true;
        return false;
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
    for (int i = 0; i < w->n_loops; i++)
        for (int b = 0; b < f->n_blocks; b++)
            if (loop_holds(f, w->loops[i], b) && !is_quiet(w, b)) return false;
    for (int i = 0; i < w->n_phis; i++)
        if (w->phis[i] != phi && !is_quiet(w, f->nodes[w->phis[i]].block)) return false;
    return w->n_stores > 0 && !w->is_other;
}

bool is_continued(const struct function *f, int phi)
{
    struct walk w = {.f = f};
    if (reloaded_word(f, phi)) return true;
    return follow(&w, phi) && is_its_content(&w, phi);
}

LLVMValueRef continued_word(const struct function *f, int phi)
{
    struct walk w = {.f = f};
    int depth = loop_depth(f, f->nodes[phi].block), deepest = 0;
    LLVMValueRef reloaded = f->nodes[phi].sum >= 0 ? NULL : reloaded_word(f, phi);
    if (reloaded) return reloaded;
    if (f->nodes[phi].sum >= 0 || !follow(&w, phi) || !is_its_content(&w, phi)) return NULL;
    int word = node_of(f, w.word);
    if (word >= 0 && f->nodes[word].position >= 0 &&
        !dominates(f, f->nodes[word].block, f->nodes[word].position, f->nodes[phi].block, -1))
        return NULL;
    for (int i = 0; i < w.n_stores; i++) {
        int here = loop_depth(f, f->nodes[w.stores[i]].block);
        if (here > deepest) deepest = here;
    }
    return deepest > depth ? w.word : NULL;
}
