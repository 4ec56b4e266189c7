/* Results in registers that are vertices of their own: sums with several users, arguments, workspaces. */
#include "valueflow/runtime/result.h"

#include "valueflow/runtime/hash.h"
#include "valueflow/runtime/object.h"
#include "valueflow/runtime/value.h"

static struct vf_hash sites = {.width = 2}, results = {.width = 1};

static uint32_t site_object(const char *site)
{
    uint64_t where = (uint64_t)(uintptr_t)site;
    uint32_t key[2] = {(uint32_t)where, (uint32_t)(where >> 32)}, *at = vf_hash_at(&sites, key);
    if (!*at) {
        *at = vf_object_of_results(site);
        vf_hash_added(&sites);
    }
    return *at;
}

uint32_t vf_result_vertex(const char *site, uint32_t n, const uint32_t *labels)
{
    uint32_t object = site_object(site);
    uint32_t state = vf_next(VF_ROOT, vf_objects[object].first8); /* the site itself stands first */
    for (uint32_t i = 0; i < n; i++)
        if (vf_carries(labels[i])) state = vf_next(state, vf_values[labels[i]].vertex);
    uint32_t *at = vf_hash_at(&results, &state);
    if (!*at) {
        *at = vf_object_next_result(object);
        vf_hash_added(&results);
    }
    return *at;
}

uint32_t parcast_vf_result(const char *site, uint32_t work, uint32_t n, const uint32_t *labels)
{
    if (!vf_tracing) return VF_UNTOUCHED;
    uint32_t carrying = 0, last = VF_UNTOUCHED;
    for (uint32_t i = 0; i < n; i++)
        if (vf_carries(labels[i])) carrying++, last = labels[i];
    if (!carrying) return VF_UNTOUCHED;
    if (carrying == 1) return last; /* computed from one value: travels as that value */
    uint32_t vertex = vf_result_vertex(site, n, labels), id = vf_value_create(vertex);
    for (uint32_t i = 0; i < n; i++) vf_pin(labels[i], vertex, 0);
    vf_add_work(vertex, work);
    return id; /* held by the slot that the instrumented code keeps it in */
}
