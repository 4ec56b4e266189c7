/* Whom the instances of workspaces belong to: the words that they are copied into, or their own. */
#include "valueflow/runtime/object.h"
#include "valueflow/runtime/value.h"
#include "valueflow/runtime/workspace.h"

enum { MOST_ACCUMULATORS = 128 };

/* A few words on the stack keep what they are given for the moment. */
static bool is_accumulator(uint32_t word)
{
    const struct vf_group *group = &vf_groups[vf_kin[word].group];
    return group->kind == VF_FRAME && group->words <= MOST_ACCUMULATORS;
}

/* The first word that an instance is copied to. */
void vf_adopt_slow(uint32_t id, const struct vf_cell *cell)
{
    uint32_t vertex = vf_values[id].vertex, word = cell->vertex & ~VF_FLAGGED;
    if (vertex == VF_BUNDLE || !vf_kin[vertex].age || vf_kin[vertex].owner) return;
    if (cell->vertex & VF_FLAGGED && (vf_in_workspace(cell) || is_accumulator(word))) return;
    vf_kin[vertex].owner = word;
}

/* An instance belongs to its own word if that is no workspace after all, or to the word it was copied to. */
static uint32_t owner_of(uint32_t instance)
{
    uint32_t base = vf_kin[instance].base, owner = vf_kin[instance].owner;
    if (base && vf_groups[vf_kin[base].group].state != VF_WORKSPACE) return base;
    return owner && vf_groups[vf_kin[owner].group].state != VF_WORKSPACE ? owner : 0;
}

uint64_t vf_owned_instances(void (*tell)(uint32_t instance, uint32_t word))
{
    uint64_t n = 0;
    for (uint32_t v = 1; v < vf_vertices_size(); v++) {
        uint32_t owner = vf_words[v].signature ? owner_of(v) : 0;
        if (!owner) continue;
        n++;
        if (tell) tell(v, owner);
    }
    return n;
}
