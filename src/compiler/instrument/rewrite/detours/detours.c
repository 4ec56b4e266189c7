/*
 * `if (c) *p = f(*p);` is `*p = c ? f(*p) : *p`, and `if (c) *p = 1; else *p = 0;` is `*p = c ? 1 : 0`: what
 * is stored depends on what c is computed from, whichever way is taken. A store of the choice is put where
 * the ways meet, from which the word's label is taken; the program's own stores stay, and nothing is stored
 * there in truth.
 */
#include "compiler/instrument/rewrite/detours/detours.h"

#include <stdlib.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/detours/detour.h"

enum { MOST_ROUNDS = 256 };

static void mark(const struct detour *d, bool *is_changed)
{
    for (int i = 0; i < d->n_ways; i++) is_changed[d->ways[i]] = true;
    is_changed[d->join] = true;
}

/* Blocks by their order, so that ways within ways are closed first. What was put in is seen in the next round
 * only; where blocks changed, at once. */
static bool close_some(const struct function *f, const int *in_order, bool *is_changed)
{
    bool found = false;
    for (int i = 0; i < f->n_blocks; i++) {
        struct detour d = {.is_changed = is_changed};
        if (!in_order[i] || is_changed[in_order[i] - 1] || !detour_find(f, in_order[i] - 1, &d)) continue;
        bool is_part = detour_is_part(f, &d);
        found = true;
        detour_close(f, &d);
        mark(&d, is_changed);
        if (is_part) break;
    }
    return found;
}

static bool close_round(struct module_state *module, LLVMValueRef function)
{
    struct function f = {.ref = function, .module = module};
    function_number(&f);
    function_blocks(&f);
    flow_kinds(&f);
    flow_carries(&f);
    int *in_order = take((size_t)f.n_blocks, sizeof *in_order);
    bool *is_changed = take((size_t)f.n_blocks, sizeof *is_changed);
    for (int b = 0; b < f.n_blocks; b++)
        if (f.blocks[b].order >= 0) in_order[f.blocks[b].order] = b + 1;
    bool found = close_some(&f, in_order, is_changed);
    free(in_order);
    free(is_changed);
    function_free(&f);
    return found;
}

void detours_close(struct module_state *module, LLVMValueRef function)
{
    for (int i = 0; i < MOST_ROUNDS && close_round(module, function); i++) {
    }
}
