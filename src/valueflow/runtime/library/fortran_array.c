/* Elements of arrays: how many there are and how long, and their labels, gathered before a call and put where
 * the elements are after it. */
#include "valueflow/runtime/library/fortran_array.h"

#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

size_t vf_elements_of(const struct vf_descriptor *d)
{
    size_t n = 1;
    for (int i = 0; i < d->rank; i++) n *= d->dim[i].extent > 0 ? (size_t)d->dim[i].extent : 0;
    return n;
}

static uint32_t units_of(const struct vf_descriptor *d)
{
    uint64_t n = d->bytes / vf_unit_bytes(d);
    return n ? (uint32_t)n : 1;
}

static void put_at(void *p, uint32_t bytes, uint32_t label)
{
    parcast_vf_copy(p, bytes, label);
}

void vf_gather(const struct vf_descriptor *d)
{
    uint32_t bytes = vf_unit_bytes(d);
    vf_call.n = vf_elements_of(d);
    vf_call.units = units_of(d);
    vf_call.is_scalar = d->rank == 0;
    vf_call.labels =
        vf_grow(vf_call.labels, &vf_call.capacity, sizeof *vf_call.labels, vf_call.n * vf_call.units);
    for (size_t i = 0; i < vf_call.n; i++)
        for (uint32_t j = 0; j < vf_call.units; j++) {
            uint32_t label = vf_label_at(vf_element(d, i) + (size_t)j * bytes, bytes);
            vf_hold_register(label);
            vf_call.labels[i * vf_call.units + j] = label;
        }
}

void vf_drop_labels(void)
{
    for (size_t i = 0; i < vf_call.n * vf_call.units; i++) vf_release_register(vf_call.labels[i]);
    vf_call.n = 0;
}

void vf_put_element(unsigned char *p, const struct vf_descriptor *d, size_t from)
{
    uint32_t bytes = vf_unit_bytes(d), units = units_of(d);
    for (uint32_t j = 0; j < units; j++) {
        uint32_t unit = j < vf_call.units ? j : vf_call.units - 1;
        put_at(p + (size_t)j * bytes, bytes, vf_call.labels[from * vf_call.units + unit]);
    }
}

void vf_scatter(const struct vf_descriptor *d)
{
    size_t n = vf_elements_of(d);
    for (size_t i = 0; i < n && (vf_call.is_scalar ? vf_call.n : i < vf_call.n); i++)
        vf_put_element(vf_element(d, i), d, vf_call.is_scalar ? 0 : i);
}

void vf_begin_anew(const struct vf_descriptor *d)
{
    size_t n = vf_elements_of(d);
    for (size_t i = 0; i < n; i++) parcast_vf_clear(vf_element(d, i), d->bytes);
}
