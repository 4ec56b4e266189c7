/*
 * Which element goes where in cshift, reshape, pack and the like is asked of the function itself: it is
 * called once more for an array of numbers in place of the elements. Some fill up from another array: the
 * boundary of eoshift, the pad of reshape, the vector of pack, the field of unpack. Its elements have the
 * numbers behind the others.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/runtime/library/fortran_array.h"

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

static const struct vf_descriptor *filling(void)
{
    const struct vf_descriptor *other = vf_call.what->kind == VF_FILL ? vf_argument(3) : NULL;
    return other && other->base ? other : NULL;
}

/* Elements that come from nowhere have number 0. */
static void ask(const struct vf_descriptor *numbers, const struct vf_descriptor *others,
                struct vf_descriptor *moved)
{
    uintptr_t a[VF_MOST_ARGUMENTS];
    memcpy(a, vf_call.arguments, sizeof a);
    a[0] = (uintptr_t)moved;
    a[1] = (uintptr_t)numbers;
    if (vf_call.what->kind == VF_FILL) a[3] = (uintptr_t)others;
    transformation again = (transformation)(uintptr_t)vf_call.function; // NOLINT(performance-no-int-to-ptr)
    again(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}

/* What fills up is as it was before the call: results are new arrays. */
static void put(const struct vf_descriptor *result, const struct vf_descriptor *moved,
                const struct vf_descriptor *others)
{
    size_t n = vf_elements_of(result);
    for (size_t i = 0; moved->base && i < n; i++) {
        int32_t from;
        unsigned char *to = vf_element(result, i);
        memcpy(&from, moved->base + i * sizeof from, sizeof from);
        if (!from)
            parcast_vf_clear(to, result->bytes);
        else if ((size_t)from <= vf_call.n)
            vf_put_element(to, result, (size_t)from - 1);
        else
            parcast_vf_move(to, vf_element(others, (size_t)from - 1 - vf_call.n), result->bytes);
    }
}

void vf_move(const struct vf_descriptor *result)
{
    const struct vf_descriptor *others = filling();
    struct vf_descriptor moved = {0}, copy = copy_of(vf_argument(1)), other = {0};
    size_t all = vf_call.n + (others ? vf_elements_of(others) : 0);
    int32_t *numbers = malloc((all ? all : 1) * sizeof *numbers);
    if (!numbers || all > INT32_MAX) {
        free(numbers);
        return;
    }
    for (size_t i = 0; i < all; i++) numbers[i] = (int32_t)i + 1;
    struct vf_descriptor like = numbers_like(&copy, numbers);
    if (others) {
        copy = copy_of(others);
        other = numbers_like(&copy, numbers + vf_call.n);
    }
    ask(&like, others ? &other : NULL, &moved);
    put(result, &moved, others);
    free(moved.base);
    free(numbers);
}
