/* What several sums come to, their quotient say. */
#include "compiler/instrument/function/of_sums.h"

#include <stdlib.h>

#include "compiler/instrument/function/leaves.h"
#include "compiler/instrument/function/store.h"

static bool is_perhaps_sum(const struct function *f, const struct key *key)
{
    const struct node *node = &f->nodes[key->node];
    if (key->kind == KEY_STORED) return false;
    return key->kind != KEY_VALUE || node->kind == NODE_PHI ||
           (node->position >= 0 && is_real_call(node->value));
}

/* A word may hold one: what a residual came to the step before, in a structure. */
static bool may_hold_sum(const struct function *f, const struct key *key)
{
    return key->kind == KEY_STORED || is_load(&f->nodes[key->node]);
}

/* A whole number that a function is given is a number of elements, which has no label when the program runs.
 */
static bool is_given_number(const struct function *f, const struct key *key)
{
    const struct node *node = &f->nodes[key->node];
    return key->kind == KEY_VALUE && node->position < 0 &&
           LLVMGetTypeKind(LLVMTypeOf(node->value)) == LLVMIntegerTypeKind;
}

static int count_carrying(struct function *f, int i)
{
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses), carrying = 0;
    for (int j = 0; j < n; j++) {
        int operand = node_of(f, uses[j].value);
        carrying += operand >= 0 && f->nodes[operand].carries;
    }
    free(uses);
    return carrying;
}

bool of_sums(struct function *f, int i)
{
    struct keys keys = {.is_open = true};
    const struct node *node = &f->nodes[i];
    if (!type_is_real(LLVMTypeOf(node->value)) || count_carrying(f, i) < 2) return false;
    leaves_gather(f, &(struct use){node->value, node->block, node->position}, -1, &keys);
    int n_sums = 0, n_values = 0;
    for (int j = 0; j < keys.n; j++) {
        if (is_given_number(f, &keys.key[j])) continue;
        bool is_sum = is_perhaps_sum(f, &keys.key[j]);
        if (!is_sum && !may_hold_sum(f, &keys.key[j])) return false;
        n_sums += is_sum;
        n_values++;
    }
    return n_values > 1 && n_sums;
}
