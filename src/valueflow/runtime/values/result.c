/* Results in registers that are vertices of their own: sums with several users, arguments. */
#include "valueflow/runtime/values/result.h"

#include "valueflow/runtime/blocks/name.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/values/value.h"

enum { SEEN = 1024 }; /* 10 bits */

static struct vf_hash sites = {.width = 3};

static uint32_t site_object(const char *site, uint32_t of)
{
    uint64_t where = (uint64_t)(uintptr_t)site;
    uint32_t key[3] = {(uint32_t)where, (uint32_t)(where >> 32), of}, *at = vf_hash_at(&sites, key);
    if (!*at) {
        *at = vf_object_of_results(site, of);
        vf_hash_added(&sites);
    }
    return *at;
}

/* Places of results as they were last seen: their object, and their last vertex. */
static struct seen {
    const char *site;
    uint32_t of, object, last;
} seen[SEEN];

static struct seen *see(const char *site, uint32_t of)
{
    struct seen *s = &seen[(((uintptr_t)site + of) * 0x9e3779b97f4a7c15ull) >> 54];
    if (s->site != site || s->of != of) *s = (struct seen){site, of, site_object(site, of), 0};
    return s;
}

uint32_t vf_result_vertex(const char *site, uint32_t n, const uint32_t *labels)
{
    struct seen *s = see(site, 0);
    return s->last = vf_vertex_again(s->object, s->object, s->last, n, labels);
}

/* Sums, or what was computed of sums before. */
static bool are_sums(uint32_t n, const uint32_t *flat)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct vf_value *value = &vf_values[flat[i]];
        if (!value->chain && !vf_is_of_sums(value->vertex)) return false;
    }
    return true;
}

/* Few sources travel as these, as they would in a register (workspace.h). */
uint32_t parcast_vf_result(const char *site, uint32_t work, uint32_t n, const uint32_t *labels)
{
    if (!vf_tracing) return VF_UNTOUCHED;
    uint32_t flat[VF_MOST_FLAT], all_work = work, m = vf_find_few(n, labels, flat, &all_work);
    bool is_power = m == 1 && vf_values[flat[0]].chain && vf_are_power(n, labels);
    if (is_power) return vf_power(flat[0], all_work);
    if (m < 2) return m ? flat[0] : vf_find_outside(n, labels);
    if (m <= VF_FEW && !vf_are_long(n, labels)) return vf_bundle(m, flat, all_work);
    m = vf_flatten(n, labels, flat);
    work += vf_work_of(n, labels);
    uint32_t vertex = vf_result_vertex(site, m, flat), id = vf_create_named(vertex);
    for (uint32_t i = 0; i < m; i++) vf_pin(flat[i], vertex, 0);
    vf_add_work(vertex, work);
    return id; /* held by the slot that the instrumented code keeps it in */
}

uint32_t parcast_vf_of_sums(const char *site, uint32_t work, uint32_t n, const uint32_t *labels)
{
    uint32_t flat[VF_MOST_FLAT], all_work = work,
                                 m = vf_tracing ? vf_find_few(n, labels, flat, &all_work) : 0;
    if (m < 2 || m > VF_FEW || !are_sums(m, flat)) return parcast_vf_result(site, work, n, labels);
    struct seen *s = see(site, VF_OF_SUMS);
    uint32_t vertex = s->last = vf_vertex_again(s->object, s->object, s->last, m, flat);
    uint32_t id = vf_create_named(vertex);
    for (uint32_t i = 0; i < m; i++) vf_pin(flat[i], vertex, 0);
    vf_add_work(vertex, all_work);
    return id;
}

/* Where a term is computed does not depend on which sums it is added to: it is one for all of them. */
uint32_t vf_term(uint32_t n, const uint32_t *flat)
{
    static const char site[] = VF_TERM_NAME;
    struct seen *s = see(site, 0);
    uint32_t vertex = s->last = vf_named_vertex(s->object, s->object, s->last, n, flat);
    uint32_t id = vf_create_named(vertex);
    for (uint32_t i = 0; i < n; i++) vf_pin(flat[i], vertex, 0);
    vf_add_work(vertex, n);
    vf_hold(id);
    return id;
}
