#include "valueflow/runtime/blocks/unsourced.h"

#include "valueflow/runtime/blocks/name.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/tables/trie.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/nets.h"

enum {
    MOST_READERS = 64, /* of one net; a net of more says nothing */
    MANY_WORDS = 16,
};

/* An instance that is named by its word alone, and was not copied to another one. */
static bool is_unsourced(uint32_t vertex)
{
    uint32_t base = vf_kin[vertex].base;
    return base && !vf_kin[vertex].owner && vf_words[vertex].signature == vf_begin_hash((uint64_t)base << 1);
}

static struct vf_group *group_of(uint32_t vertex)
{
    return &vf_groups[vf_kin[vertex].group];
}

/* ---- strangers ---- */

/* What comes again: readers are called otherwise until names have settled. */
static bool is_telling(const struct vf_net *net)
{
    return net->count > 1 && is_unsourced(net->vertex) && group_of(net->vertex)->state == VF_UNDECIDED;
}

/* The nets that tell something, by vertex: list[first[v]] to list[first[v + 1] - 1]. */
struct telling {
    uint32_t n_vertices, n;
    uint32_t *first, *list, *read; /* read [n_vertices]: by readers, the last vertex that they were seen at */
};

static size_t bytes_of(uint32_t n)
{
    return ((size_t)n + 2) * sizeof(uint32_t);
}

static void gather(struct telling *t)
{
    t->first = vf_map(bytes_of(t->n_vertices));
    t->list = vf_map(bytes_of(t->n));
    t->read = vf_map(bytes_of(t->n_vertices));
    for (uint32_t i = 1; i < vf_nets.n; i++)
        if (is_telling(&vf_nets.net[i])) t->first[vf_nets.net[i].vertex + 1]++;
    for (uint32_t v = 1; v <= t->n_vertices; v++) t->first[v] += t->first[v - 1];
    for (uint32_t i = vf_nets.n; i-- > 1;) /* first[v + 1] moves down to where the nets of v begin */
        if (is_telling(&vf_nets.net[i])) t->list[--t->first[vf_nets.net[i].vertex + 1]] = i;
}

/* Has the net no reader in common with those before? The first of its readers, or 0. */
static uint32_t find_stranger(struct telling *t, const struct vf_net *net)
{
    uint32_t pins[MOST_READERS], n = vf_trie_pins(net->what, net->vertex, MOST_READERS, pins);
    bool strange = n > 0 && n < MOST_READERS;
    for (uint32_t i = 0; i < n; i++) strange = strange && t->read[pins[i] & ~VF_FOLD_PIN] != net->vertex;
    for (uint32_t i = 0; i < n; i++) t->read[pins[i] & ~VF_FOLD_PIN] = net->vertex;
    return strange ? pins[0] & ~VF_FOLD_PIN : 0;
}

/* Nets of a vertex that have no reader in common with one before. Two of buffers that are used in turn, for
 * one block of a mesh and for another one, tell as much as eight of anything, if they are those of many
 * words. */
static void look_for_strangers(struct telling *t, uint32_t vertex)
{
    uint32_t n = 0, first = 0, from = t->first[vertex + 1],
             end = vertex + 1 < t->n_vertices ? t->first[vertex + 2] : t->n;
    bool in_turn = false;
    struct vf_group *group = group_of(vertex);
    if (end - from < 2 || group->state != VF_UNDECIDED) return;
    for (uint32_t i = from; i < end; i++) {
        uint32_t reader = find_stranger(t, &vf_nets.net[t->list[i]]);
        in_turn = in_turn || (reader && first && vf_are_in_turn(vf_base(first), vf_base(reader)));
        if (!first) first = reader;
        n += reader != 0;
    }
    group->n_in_blocks += in_turn;
    if (n >= VF_MUCH_MORE_OFTEN || group->n_in_blocks >= MANY_WORDS) group->state = VF_WORKSPACE;
}

static void decide(void)
{
    struct telling t = {.n_vertices = vf_vertices_size()};
    for (uint32_t i = 1; i < vf_nets.n; i++) t.n += is_telling(&vf_nets.net[i]);
    if (t.n < 2) return;
    gather(&t);
    for (uint32_t v = 1; v < t.n_vertices; v++) look_for_strangers(&t, v);
    vf_unmap(t.first, bytes_of(t.n_vertices));
    vf_unmap(t.list, bytes_of(t.n));
    vf_unmap(t.read, bytes_of(t.n_vertices));
}

/* ---- what costs nothing ---- */

static bool is_free(uint32_t vertex)
{
    return is_unsourced(vertex) && group_of(vertex)->state == VF_WORKSPACE &&
           !group_of(vertex)->is_coefficients;
}

void vf_unsourced_settle(void)
{
    if (!vf_any_instances) return;
    decide();
    for (uint32_t v = 1; (v = vf_named_from(v)); v++)
        if (vf_vertices[v].net_count && vf_vertices[v].net_state != VF_SEVERAL && is_free(v))
            vf_vertices[v].net_count = 0;
    for (uint32_t i = 1; i < vf_nets.n; i++)
        if (is_free(vf_nets.net[i].vertex)) vf_nets.net[i].count = 0;
}
