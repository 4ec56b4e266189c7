/*
 * What flang's runtime puts aside. The values of `[a, b(2:n), c]`, where nobody knows beforehand how many
 * there are, are pushed one after the other behind the array that there is so far, which the watched
 * realloc() moves when it grows. The right sides of a forall are pushed on a stack, from where they are
 * assigned.
 */
#include "valueflow/runtime/library/fortran_array.h"

/* As far as it matters: struct ArrayConstructorVector. */
struct constructor {
    const struct vf_descriptor *to;
    int64_t next; /* elements that there are */
};

static size_t n_before;

static const struct constructor *constructor(void)
{
    return (const struct constructor *)vf_call.arguments[0]; // NOLINT(performance-no-int-to-ptr)
}

void vf_push_begin(void)
{
    n_before = (size_t)constructor()->next;
}

void vf_push_end(void)
{
    const struct vf_descriptor *to = constructor()->to, *from = vf_argument(1);
    if (!to->base) return;
    unsigned char *end = to->base + n_before * to->bytes;
    if (vf_call.what->kind == VF_PUSHED_ONE) {
        parcast_vf_move(end, from, to->bytes);
        return;
    }
    size_t n = vf_elements_of(from);
    for (size_t i = 0; i < n; i++) parcast_vf_move(end + i * to->bytes, vf_element(from, i), to->bytes);
}

/* ---- stacks of values ---- */

extern void _FortranAValueAt(void *stack, uint64_t number, struct vf_descriptor *value) __attribute__((weak));

enum { MOST_STACKS = 32 };

static struct {
    uintptr_t stack;
    uint64_t n; /* values that are on it */
} stacks[MOST_STACKS];

/* Its entry, or a free one; NULL when all are taken. */
static uint64_t *depth_of(uintptr_t stack)
{
    int free_entry = -1;
    for (int i = 0; i < MOST_STACKS; i++) {
        if (stacks[i].stack == stack) return &stacks[i].n;
        if (!stacks[i].stack) free_entry = i;
    }
    if (free_entry < 0) return NULL;
    stacks[free_entry].stack = stack;
    stacks[free_entry].n = 0;
    return &stacks[free_entry].n;
}

bool vf_stack_begin(void)
{
    return _FortranAValueAt && depth_of(vf_call.arguments[0]);
}

void vf_stack_end(void)
{
    uint64_t *depth = depth_of(vf_call.arguments[0]);
    const struct vf_descriptor *from = vf_argument(1);
    struct vf_descriptor kept = {0};
    void *stack = (void *)vf_call.arguments[0]; // NOLINT(performance-no-int-to-ptr)
    _FortranAValueAt(stack, (*depth)++, &kept);
    size_t n = kept.base ? vf_elements_of(from) : 0;
    for (size_t i = 0; i < n; i++) parcast_vf_move(vf_element(&kept, i), vf_element(from, i), from->bytes);
}

void vf_stack_forget(void)
{
    for (int i = 0; i < MOST_STACKS; i++)
        if (stacks[i].stack == vf_call.arguments[0]) stacks[i].stack = 0;
}
