/* Whom the instances of workspaces belong to: the words that they are copied into, or their own. */
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

enum { MOST_ACCUMULATORS = 128 };

/* A few words on the stack keep what they are given for the moment. */
static bool is_accumulator(uint32_t word)
{
    const struct vf_group *group = &vf_groups[vf_kin[word].group];
    return group->kind == VF_FRAME && group->words <= MOST_ACCUMULATORS;
}

/* What is computed elsewhere, a structure that a function returns say, changes the word that it is copied
 * into as what is computed there does. */
static void watch_copies(uint32_t word, uint32_t instance)
{
    static uint32_t *latest; /* by word: the instance that it was given last */
    static size_t capacity;
    latest = vf_grow_scattered(latest, &capacity, sizeof *latest, word);
    if (latest[word] == instance) return;
    latest[word] = instance;
    vf_word_changes(word, instance);
}

static bool is_workspace_of(uint32_t word)
{
    return vf_groups[vf_kin[word].group].state == VF_WORKSPACE;
}

/* What changes places within one array, by rows that are exchanged or bits that are reversed, is no other
 * word's value: nothing is computed, and the array is used for nothing else. */
static bool moves_within(uint32_t instance, uint32_t word)
{
    const struct vf_kin *kin = &vf_kin[instance];
    return kin->base && kin->group && kin->group == vf_kin[word].group;
}

/* The first word that an instance is copied to; not one that has turned out to be of a workspace. It is one
 * more version of that word. */
void vf_adopt_slow(uint32_t id, const struct vf_cell *cell)
{
    uint32_t vertex = vf_values[id].vertex, word = cell->vertex & ~VF_FLAGGED;
    if (vertex == VF_BUNDLE || !vf_kin[vertex].age) return;
    bool is_flagged = cell->vertex & VF_FLAGGED;
    if (is_flagged && moves_within(vertex, word)) return;
    if (is_flagged && vf_groups[vf_kin[word].group].state == VF_UNDECIDED) watch_copies(word, vertex);
    uint32_t *owner = &vf_kin[vertex].owner;
    if (*owner && is_workspace_of(*owner)) *owner = 0;
    if (!*owner && !(is_flagged && (is_workspace_of(word) || is_accumulator(word)))) *owner = word;
    if (*owner == word) vf_vertices[word].versions++;
}

static uint32_t word_of(uint32_t instance)
{
    uint32_t owner = vf_kin[instance].owner;
    return owner && !is_workspace_of(owner) ? owner : 0;
}

/* What is put aside, those for which a mask holds say, and goes from there to other places is not at home in
 * between. And what few values have come of a workspace tells whether they were copied. */
static void find_uses(void)
{
    for (uint32_t v = 1; (v = vf_named_from(v)); v++) {
        uint32_t base = vf_kin[v].base, word = vf_words[v].signature ? word_of(v) : 0;
        if (!base || !word) continue;
        struct vf_group *group = &vf_groups[vf_kin[base].group];
        if (vf_is_gone_from(base, word)) group->is_scattered = true;
        if (group->n_kept < VF_KEPT_ENOUGH) group->copied = true;
    }
}

/* It was made before that was seen of its array, and goes through as later ones did. */
static bool goes_through(uint32_t instance)
{
    uint32_t base = vf_kin[instance].base;
    const struct vf_group *group = &vf_groups[vf_kin[base].group];
    return base && vf_words[instance].sight == VF_THROUGH && group->state == VF_WORKSPACE && !group->copied &&
           !group->is_coefficients;
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
    find_uses();
    for (uint32_t v = 1; (v = vf_named_from(v)); v++) {
        uint32_t owner = vf_words[v].signature ? owner_of(v) : 0;
        if (!owner && vf_words[v].signature && goes_through(v)) owner = v;
        if (!owner) continue;
        n++;
        if (tell) tell(v, owner);
    }
    return n;
}
