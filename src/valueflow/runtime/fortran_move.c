/*
 * Which element goes where in cshift, reshape, pack and the like is asked of the function itself: it is
 * called once more for an array of numbers in place of the elements.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/runtime/fortran_array.h"

enum { INT32 = 9 };

static struct vf_descriptor numbers_like(const struct vf_descriptor *d, int32_t *numbers)
{
    struct vf_descriptor like = *d;
    int64_t stride = sizeof *numbers;
    like.base = (unsigned char *)numbers;
    like.bytes = sizeof *numbers;
    like.type = INT32;
    like.attribute = like.extra = 0;
    for (int i = 0; i < d->rank; i++) {
        like.dim[i].stride = stride;
        stride *= d->dim[i].extent;
    }
    return like;
}

/* The copy ends with the dimensions that there are. */
static struct vf_descriptor copy_of(const struct vf_descriptor *d)
{
    struct vf_descriptor copy = {0};
    memcpy(&copy, d, offsetof(struct vf_descriptor, dim) + d->rank * sizeof *d->dim);
    return copy;
}

typedef void (*transformation)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                               uintptr_t);

/* Elements that come from nowhere have number 0. */
static void ask(const struct vf_descriptor *numbers, struct vf_descriptor *moved)
{
    uintptr_t a[VF_MOST_ARGUMENTS];
    memcpy(a, vf_call.arguments, sizeof a);
    a[0] = (uintptr_t)moved;
    a[1] = (uintptr_t)numbers;
    if (vf_call.what->kind != VF_MOVE) a[3] = 0;                        /* a boundary of the elements' type */
    transformation again = (transformation)(uintptr_t)vf_call.function; // NOLINT(performance-no-int-to-ptr)
    again(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}

void vf_move(const struct vf_descriptor *result)
{
    const struct vf_descriptor *source = (const struct vf_descriptor *)vf_call.arguments[1]; // NOLINT
    struct vf_descriptor moved = {0}, copy = copy_of(source);
    int32_t *numbers = malloc((vf_call.n ? vf_call.n : 1) * sizeof *numbers);
    if (!numbers || vf_call.n > INT32_MAX) {
        free(numbers);
        return;
    }
    for (size_t i = 0; i < vf_call.n; i++) numbers[i] = (int32_t)i + 1;
    struct vf_descriptor like = numbers_like(&copy, numbers);
    ask(&like, &moved);
    size_t n = vf_elements_of(result);
    for (size_t i = 0; moved.base && i < n; i++) {
        int32_t from;
        memcpy(&from, moved.base + i * sizeof from, sizeof from);
        if (from)
            vf_put_element(vf_element(result, i), result, (size_t)from - 1);
        else
            parcast_vf_clear(vf_element(result, i), result->bytes);
    }
    free(moved.base);
    free(numbers);
}
