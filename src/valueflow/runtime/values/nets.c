#include "valueflow/runtime/values/nets.h"

#include "valueflow/runtime/tables/vector.h"

struct vf_nets vf_nets = {.n = 1, .others = {.hash = {.width = 1, .is_index = true}}},
               vf_chain_nets = {.n = 1, .others = {.hash = {.width = 1, .is_index = true}}};

struct key {
    const struct vf_nets *nets;
    uint32_t vertex, what;
};

static bool is_net(uint32_t number, const void *wanted)
{
    const struct key *key = wanted;
    const struct vf_net *net = &key->nets->net[number];
    return net->vertex == key->vertex && net->what == key->what;
}

static uint32_t add(struct vf_nets *nets, uint32_t vertex, uint32_t what)
{
    nets->net = vf_grow(nets->net, &nets->capacity, sizeof *nets->net, nets->n);
    nets->net[nets->n] = (struct vf_net){.vertex = vertex, .what = what};
    return nets->n++;
}

static uint32_t find_other(struct vf_nets *nets, uint32_t vertex, uint32_t what)
{
    struct key key = {nets, vertex, what};
    uint32_t *at = vf_index_at(&nets->others, vf_hash_of((uint64_t)vertex << 32 | what), is_net, &key);
    if (!*at) *at = add(nets, vertex, what);
    return *at;
}

/* Those of a vertex are made one after the other: where they are linked one is found sooner than in a table
 * of all. */
uint32_t vf_net_of(struct vf_nets *nets, uint32_t vertex, uint32_t what)
{
    nets->first = vf_grow_sparse(nets->first, &nets->first_capacity, sizeof *nets->first, vertex);
    uint32_t number = nets->first[vertex], last = 0;
    for (int i = 0; number; i++) {
        const struct vf_net *net = &nets->net[number];
        if (net->what == what) return number;
        if (i + 1 == VF_LINKED) return find_other(nets, vertex, what);
        last = number;
        number = net->more;
    }
    uint32_t made = add(nets, vertex, what);
    *(last ? &nets->net[last].more : &nets->first[vertex]) = made;
    return made;
}
