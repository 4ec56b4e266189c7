/*
 * `if (c) *p = f(*p);` is `*p = c ? f(*p) : *p`, and `if (c) *p = 1; else *p = 0;` is `*p = c ? 1 : 0`: what
 * is stored depends on what c is computed from, whichever way is taken. A store of the choice is put where
 * the ways meet, from which the word's label is taken; the program's own stores stay, and nothing is stored
 * there in truth.
 */
#include "detours.h"

#include <stdlib.h>

#include "detour.h"
#include "flow.h"

enum { MOST_DETOURS = 128 };

/* Blocks by their order, so that ways within ways are closed first. */
static bool find_first(const struct function *f, struct detour *d)
{
    int *in_order = take((size_t)f->n_blocks, sizeof *in_order);
    bool found = false;
    for (int b = 0; b < f->n_blocks; b++)
        if (f->blocks[b].order >= 0) in_order[f->blocks[b].order] = b + 1;
    for (int i = 0; i < f->n_blocks && !found; i++) found = in_order[i] && detour_find(f, in_order[i] - 1, d);
    free(in_order);
    return found;
}

static bool close_first(struct module_state *module, LLVMValueRef function)
{
    struct function f = {.ref = function, .module = module};
    struct detour d;
    function_number(&f);
    function_blocks(&f);
    flow_kinds(&f);
    flow_carries(&f);
    bool found = find_first(&f, &d);
    if (found) detour_close(&f, &d);
    function_free(&f);
    return found;
}

void detours_close(struct module_state *module, LLVMValueRef function)
{
    for (int i = 0; i < MOST_DETOURS && close_first(module, function); i++) {
    }
}
