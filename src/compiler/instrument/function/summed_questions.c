/*
 * What is read of the same place as a term says little of it: a mask, a length. But where each turn adds up
 * something first and then asks for that, `for (..) { z = 0; for (j ..) z += w[j] * x[i][j]; if (z < 0) for
 * (j ..) g[j] += x[i][j]; }`, the term is made where z is known.
 */
#include "compiler/instrument/function/summed_questions.h"

#include <stdlib.h>

enum { DEEPEST = 8 };

/* Is it computed from what a loop has come to that the block is behind? */
static bool is_of_loop(const struct function *f, int block, LLVMValueRef value, int depth)
{
    int i = node_of(f, value);
    if (i < 0 || depth == DEEPEST || !f->nodes[i].carries || f->nodes[i].position < 0) return false;
    int loop = f->blocks[f->nodes[i].block].loop;
    if (loop >= 0 && !loop_holds(f, loop, block))
        return f->nodes[i].kind == NODE_PHI || f->nodes[i].kind == NODE_ARITH;
    if (f->nodes[i].kind == NODE_LEAF || is_loop_header(f, f->nodes[i].block)) return false;
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    bool found = false;
    for (int j = 0; j < n && !found; j++) found = is_of_loop(f, block, uses[j].value, depth + 1);
    free(uses);
    return found;
}

int summed_questions(const struct function *f, int store, struct use *uses)
{
    int n = store_questions(f, store, uses), kept = 0;
    for (int i = 0; i < n; i++)
        if (is_of_loop(f, f->nodes[store].block, uses[i].value, 0)) uses[kept++] = uses[i];
    return kept;
}
