/* Sums, products and extremes of whole arrays, or along one dimension; scalar products and matmul. */
#include "valueflow/runtime/library/fortran_array.h"
#include "valueflow/runtime/values/value.h"

extern uint64_t parcast_vf_flop; /* region.c */

static bool is_masked_out(const struct vf_descriptor *mask, size_t number)
{
    if (!mask || !mask->base) return false;
    const unsigned char *p = vf_element(mask, mask->rank ? number : 0);
    for (uint64_t i = 0; i < mask->bytes; i++)
        if (p[i]) return false;
    return true;
}

/* What the mask says of an element is a term as well, also where it leaves the element out. */
static uint32_t mask_label(const struct vf_descriptor *mask, size_t number)
{
    if (!mask || !mask->base) return 0;
    return vf_label_at(vf_element(mask, mask->rank ? number : 0), vf_unit_bytes(mask));
}

static void leave_out(struct parcast_vf_sum *sum, const struct vf_descriptor *mask, size_t number)
{
    uint32_t label = mask_label(mask, number);
    if (vf_carries(label)) parcast_vf_sum_term1(sum, label);
}

static void add_term(struct parcast_vf_sum *sum, uint32_t label, const struct vf_descriptor *mask,
                     size_t number)
{
    uint32_t other = mask_label(mask, number);
    if (vf_carries(other))
        parcast_vf_sum_term2(sum, label, other);
    else
        parcast_vf_sum_term1(sum, label);
}

static uint32_t value_of(struct parcast_vf_sum *sum, uint32_t op)
{
    static const char site[] = "a sum of a whole array";
    uint32_t id = parcast_vf_sum_value(sum, site, 1, op);
    if (!vf_carries(id)) {
        parcast_vf_sum_free(sum);
        return id;
    }
    vf_hold_register(id); /* beyond the sum's own */
    parcast_vf_sum_free(sum);
    vf_values[id].references -= VF_REGISTER; /* who keeps the label keeps it */
    return id;
}

static void add_all(struct parcast_vf_sum *sum, const struct vf_descriptor *x,
                    const struct vf_descriptor *mask)
{
    size_t n = vf_elements_of(x);
    parcast_vf_sum_start(sum, 0, NULL);
    parcast_vf_flop += n;
    for (size_t i = 0; i < n; i++)
        if (is_masked_out(mask, i))
            leave_out(sum, mask, i);
        else
            add_term(sum, vf_label_at(vf_element(x, i), vf_unit_bytes(x)), mask, i);
}

uint32_t vf_total(int mask)
{
    struct parcast_vf_sum sum = {0};
    add_all(&sum, vf_argument(0), vf_argument(mask));
    return value_of(&sum, vf_call.what->op);
}

/* Of complex numbers, both parts of both come into either part. */
static void add_product(struct parcast_vf_sum *sum, const unsigned char *p, const struct vf_descriptor *x,
                        const unsigned char *q, const struct vf_descriptor *y, uint32_t part)
{
    bool is_complex = vf_parts_of(x) == 2 && vf_parts_of(y) == 2;
    parcast_vf_sum_term2(sum, vf_label_of(p, x, 0), vf_label_of(q, y, is_complex ? part : 0));
    if (is_complex) parcast_vf_sum_term2(sum, vf_label_of(p, x, 1), vf_label_of(q, y, !part));
}

/* Operations on real numbers for one of these numbers: a product, and the addition of it. */
static size_t flop_of_product(const struct vf_descriptor *x)
{
    return vf_parts_of(x) == 2 ? 8 : 2;
}

uint32_t vf_dot(void)
{
    struct parcast_vf_sum sum = {0};
    const struct vf_descriptor *x = vf_argument(0), *y = vf_argument(1);
    parcast_vf_sum_start(&sum, 0, NULL);
    size_t n = vf_elements_of(x);
    parcast_vf_flop += flop_of_product(x) * n;
    for (size_t i = 0; i < n; i++) add_product(&sum, vf_element(x, i), x, vf_element(y, i), y, 0);
    return value_of(&sum, vf_call.what->op);
}

static void end_sum(struct parcast_vf_sum *sum, unsigned char *p, const struct vf_descriptor *result,
                    uint32_t part)
{
    uint32_t bytes = vf_part_bytes(result);
    p += (size_t)part * bytes;
    if (sum->n)
        parcast_vf_sum_store(sum, p, bytes, 1, vf_call.what->op);
    else
        parcast_vf_clear(p, bytes);
    parcast_vf_sum_free(sum);
}

/* To a part of a sum one of the number that is added, to one of a product both. */
static void add_number(struct parcast_vf_sum *sum, const unsigned char *p, const struct vf_descriptor *x,
                       uint32_t part, const struct vf_descriptor *mask, size_t number)
{
    if (is_masked_out(mask, number))
        leave_out(sum, mask, number);
    else if (vf_parts_of(x) == 2 && vf_call.what->op == VF_OP_MULTIPLY)
        parcast_vf_sum_term2(sum, vf_label_of(p, x, 0), vf_label_of(p, x, 1));
    else
        add_term(sum, vf_label_of(p, x, part), mask, number);
}

static size_t flop_of_number(const struct vf_descriptor *x)
{
    if (vf_parts_of(x) == 1) return 1;
    return vf_call.what->op == VF_OP_MULTIPLY ? 6 : 2;
}

/* The numbers of x, or their products with those of y: a sum for each part of the result. */
static void add_up_parts(unsigned char *result, const struct vf_descriptor *x, const struct vf_descriptor *y,
                         const struct vf_descriptor *mask)
{
    size_t n = vf_elements_of(x);
    parcast_vf_flop += n * (y ? flop_of_product(x) : flop_of_number(x));
    for (uint32_t part = 0; part < vf_parts_of(x); part++) {
        struct parcast_vf_sum sum = {0};
        parcast_vf_sum_start(&sum, 0, NULL);
        for (size_t i = 0; i < n; i++) {
            if (y)
                add_product(&sum, vf_element(x, i), x, vf_element(y, i), y, part);
            else
                add_number(&sum, vf_element(x, i), x, part, mask, i);
        }
        end_sum(&sum, result, x, part);
    }
}

void vf_complex_total(unsigned char *result)
{
    add_up_parts(result, vf_argument(1), NULL, vf_argument(5));
}

void vf_complex_dot(unsigned char *result)
{
    add_up_parts(result, vf_argument(1), vf_argument(2), NULL);
}

void vf_along(const struct vf_descriptor *result, int dimension, int mask_at)
{
    const struct vf_descriptor *x = vf_argument(1), *mask = mask_at ? vf_argument(mask_at) : NULL;
    int d = (int)vf_call.arguments[dimension] - 1;
    if (d < 0 || d >= x->rank) return;
    size_t before = 1, extent = x->dim[d].extent > 0 ? (size_t)x->dim[d].extent : 0,
           n = vf_elements_of(result);
    uint32_t parts = vf_parts_of(result);
    parcast_vf_flop += n * extent * flop_of_number(x);
    for (int i = 0; i < d; i++) before *= (size_t)x->dim[i].extent;
    for (size_t r = 0; r < n * parts; r++) {
        struct parcast_vf_sum sum = {0};
        size_t to = r / parts, first = to % before + to / before * before * extent;
        uint32_t part = (uint32_t)(r % parts);
        parcast_vf_sum_start(&sum, 0, NULL);
        for (size_t j = 0; j < extent; j++) {
            size_t from = first + j * before;
            add_number(&sum, vf_element(x, from), x, part, mask, from);
        }
        end_sum(&sum, vf_element(result, to), result, part);
    }
}

void vf_found_place(const struct vf_descriptor *result, int mask)
{
    for (size_t i = 0; i < vf_elements_of(result); i++) {
        struct parcast_vf_sum sum = {0};
        add_all(&sum, vf_argument(1), vf_argument(mask));
        end_sum(&sum, vf_element(result, i), result, 0);
    }
}

static unsigned char *at(const struct vf_descriptor *d, size_t i, size_t j)
{
    return d->base + (int64_t)i * d->dim[0].stride + (d->rank > 1 ? (int64_t)j * d->dim[1].stride : 0);
}

/* One element of the result, or one part of it. */
static void multiply_one(const struct vf_descriptor *result, size_t i, size_t j, bool is_transposed,
                         uint32_t part)
{
    const struct vf_descriptor *x = vf_argument(1), *y = vf_argument(2);
    bool row = x->rank == 1;
    size_t n = (size_t)y->dim[0].extent;
    struct parcast_vf_sum sum = {0};
    parcast_vf_sum_start(&sum, 0, NULL);
    for (size_t k = 0; k < n; k++) {
        const unsigned char *a = row ? at(x, k, 0) : is_transposed ? at(x, k, i) : at(x, i, k);
        add_product(&sum, a, x, at(y, k, j), y, part);
    }
    end_sum(&sum, row ? at(result, j, 0) : at(result, i, j), result, part);
}

void vf_multiply(const struct vf_descriptor *result, bool is_transposed)
{
    const struct vf_descriptor *x = vf_argument(1), *y = vf_argument(2);
    size_t n = (size_t)y->dim[0].extent, rows = x->rank == 1 ? 1 : (size_t)x->dim[is_transposed].extent,
           columns = y->rank == 1 ? 1 : (size_t)y->dim[1].extent;
    parcast_vf_flop += flop_of_product(x) * n * rows * columns;
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            for (uint32_t part = 0; part < vf_parts_of(result); part++)
                multiply_one(result, i, j, is_transposed, part);
}
