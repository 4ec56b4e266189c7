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

static uint32_t word_of(uint32_t instance)
{
    uint32_t owner = vf_kin[instance].owner;
    return owner && vf_groups[vf_kin[owner].group].state != VF_WORKSPACE ? owner : 0;
}

/* What is put aside, those for which a mask holds say, and goes from there to other places is not at home in
 * between. */
static void find_scattered(void)
{
    for (uint32_t v = 1; v < vf_vertices_size(); v++) {
        uint32_t base = vf_kin[v].base, word = vf_words[v].signature ? word_of(v) : 0;
        if (base && word && vf_is_gone_from(base, word)) vf_groups[vf_kin[base].group].is_scattered = true;
    }
}

/* An instance belongs to its own word if that is no workspace after all, or to the word it was copied to. */
static uint32_t owner_of(uint32_t instance)
{
    uint32_t base = vf_kin[instance].base, word = word_of(instance);
    const struct vf_group *group = &vf_groups[vf_kin[base].group];
    bool is_own = base && group->state != VF_WORKSPACE;
    return is_own && !(group->is_scattered && word) ? base : word;
}

uint64_t vf_owned_instances(void (*tell)(uint32_t instance, uint32_t word))
{
    uint64_t n = 0;
    find_scattered();
    for (uint32_t v = 1; v < vf_vertices_size(); v++) {
        uint32_t owner = vf_words[v].signature ? owner_of(v) : 0;
        if (!owner) continue;
        n++;
        if (tell) tell(v, owner);
    }
    return n;
}
