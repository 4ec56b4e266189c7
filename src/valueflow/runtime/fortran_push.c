/*
 * `[a, b(2:n), c]` where nobody knows beforehand how many values there are: flang's runtime pushes one after
 * the other behind the array that it has so far, which the watched realloc() moves when it grows.
 */
#include "valueflow/runtime/fortran_array.h"

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
