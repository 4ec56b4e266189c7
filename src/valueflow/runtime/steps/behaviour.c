#include "valueflow/runtime/steps/behaviour.h"

#include "valueflow/runtime/values/value.h"

enum {
    LONG_SWEEP = 4, /* cells that a word passes before it begins anew */
    MOST_PASSED =
        1 << 18, /* of a group's words, with nothing that comes again: it is swept through nothing */
};

/* How far from constants a value is that comes of nothing else, from 1 on; 0: it comes of something. Of what
 * stands in words of other arrays it is not known, nor of workspaces, which nobody watches any more. */
uint32_t vf_steps_from_constants(const struct vf_sources *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t word = vf_kin[vf_values[s->labels[i]].vertex].base, steps = word ? vf_words[word].sight : 0;
        const struct vf_group *group = &vf_groups[vf_kin[word].group];
        if (!steps || (group->state == VF_WORKSPACE && !group->is_coefficients)) return 0;
        if (steps > most) most = steps;
    }
    return most + 1;
}

/* Words that come of constants alone, by way of one another, and each as far from them as before, are
 * computed again, as the coefficients of a line are for each line; what a program iterates gets further from
 * them. A field that is zero still in most of its words is no such array, so that words which come of nothing
 * at all, as what depends on the point of an integration only, have to be computed many times. */
void vf_look_for_coefficients(uint32_t base, struct vf_group *group, const struct vf_sources *s)
{
    struct vf_word *word = &vf_words[base];
    uint32_t steps = vf_steps_from_constants(s), often = VF_MANY_TIMES;
    if (steps > 1) often = group->kind == VF_FRAME ? VF_MORE_OFTEN : VF_MUCH_MORE_OFTEN;
    word->witness = steps && steps == word->sight ? word->witness + 1 : 0;
    word->sight = steps;
    group->is_sourced = group->is_sourced || !steps;
    if (group->is_sourced || word->witness < often) return;
    group->state = VF_WORKSPACE;
    group->is_coefficients = true;
}

static uint64_t add_names(uint64_t hash, uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t vertex = vf_values[labels[i]].vertex;
        if (vertex == VF_BUNDLE) {
            hash = add_names(hash, vf_bundle_of(labels[i])->n, vf_bundle_of(labels[i])->labels);
        } else if (vf_carries(labels[i])) {
            hash = (hash ^ vf_name_in_undecided(vertex, vf_home_of(vertex, &vf_kin[vertex]))) *
                   0xff51afd7ed558ccdull;
            hash ^= hash >> 32;
        }
    }
    return hash;
}

uint64_t vf_sum_in_undecided(uint64_t name, uint32_t n, const uint32_t *labels)
{
    uint64_t hash = add_names((name + 1) * 0x9e3779b97f4a7c15ull, n, labels);
    return hash ? hash : 1;
}

/* What a word's next value comes of besides its own: 0 where there is nothing of another array, or something
 * of its own array. */
static uint32_t passed_by(uint32_t base, const struct vf_sources *s)
{
    uint32_t own = vf_kin[base].group + 1, sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t vertex = vf_values[s->labels[i]].vertex;
        const struct vf_kin *kin = &vf_kin[vertex];
        if (vf_is_of(vertex, kin, base)) continue;
        if (vf_group_behind(vertex) == own) return 0;
        sum += (vf_home_of(vertex, kin) + 1) * 0x9e3779b1u;
    }
    return sum;
}

/*
 * A line or a plane that is swept through an array: y[i] = f(y[i], u[j][i]). The word goes on from its own
 * value, past one word of the array after the other, and then begins anew. Each value is one of its own: it
 * belongs where it passes.
 */
bool vf_passes(uint32_t base, const struct vf_sources *s)
{
    struct vf_word *word = &vf_words[base];
    uint32_t by = s->own ? passed_by(base, s) : 0, n = word->signature >> 32 & ~VF_BEGUN_ANEW;
    if (!s->own) {
        bool begins_anew = n >= LONG_SWEEP || word->signature >> 63;
        word->signature = begins_anew ? (uint64_t)VF_BEGUN_ANEW << 32 : 0;
        return false;
    }
    bool is_another = by && n && by != (uint32_t)word->signature; /* not the first one */
    if (by && (!n || is_another)) word->signature = ((word->signature >> 32) + 1) << 32 | by;
    return is_another;
}

/* What has begun anew and passes by as before sweeps through it again: what a program iterates does not begin
 * anew. */
void vf_look_for_sweeps(uint32_t base, uint32_t instance, struct vf_group *group)
{
    bool is_new = !vf_vertices[instance].versions;
    group->n_passed += is_new;
    if (!is_new && vf_words[base].signature >> 63) group->n_again++;
    if (group->n_again >= VF_MUCH_MORE_OFTEN)
        group->state = VF_WORKSPACE;
    else if (group->n_passed >= MOST_PASSED)
        group->state = VF_OWNED;
}
