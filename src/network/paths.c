/*
 * Paths of the flow model: the route between two nodes, computed when it is first needed and kept while it
 * is in use and for a while after.
 */
#include <math.h>
#include <stdio.h>

#include "network/fabric_internal.h"

enum { MOST_IDLE = 65536, FIRST_PLACES = 256 };

static uint32_t hash(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    key ^= key >> 32;
    return (uint32_t)((key * UINT64_C(0x9fb21c651e98df25)) >> 32);
}

static uint32_t *allocate_table(uint32_t n_places)
{
    uint32_t *table = malloc(n_places * sizeof *table);
    for (uint32_t i = 0; table && i < n_places; i++) table[i] = NONE;
    return table;
}

bool paths_create(struct fabric *fabric)
{
    fabric->paths = pool_of(sizeof(struct fabric_path));
    for (unsigned i = 0; i < sizeof fabric->uses / sizeof fabric->uses[0]; i++)
        fabric->uses[i] = pool_of(sizeof(struct fabric_use) << i);
    fabric->path_mask = fabric->link_mask = FIRST_PLACES - 1;
    fabric->path_table = allocate_table(FIRST_PLACES);
    fabric->link_table = allocate_table(FIRST_PLACES);
    fabric->idle_first = fabric->idle_last = NONE;
    return fabric->path_table && fabric->link_table;
}

void paths_destroy(struct fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->n_links; i++) free(fabric->links[i].users);
    for (unsigned i = 0; i < sizeof fabric->uses / sizeof fabric->uses[0]; i++)
        pool_destroy(&fabric->uses[i]);
    pool_destroy(&fabric->paths);
    free(fabric->links);
    free(fabric->link_table);
    free(fabric->path_table);
}

/* Links by their number in the topology. */

static uint32_t link_place(const struct fabric *fabric, uint64_t number)
{
    uint32_t at = hash(number) & fabric->link_mask;
    while (fabric->link_table[at] != NONE && fabric->links[fabric->link_table[at]].number != number)
        at = (at + 1) & fabric->link_mask;
    return at;
}

static bool grow_links(struct fabric *fabric)
{
    uint32_t room = fabric->link_room ? 2 * fabric->link_room : FIRST_PLACES / 2, n_places = 2 * room;
    struct fabric_link *links = n_places > room ? realloc(fabric->links, room * sizeof *links) : NULL;
    if (links) fabric->links = links;
    uint32_t *table = links ? allocate_table(n_places) : NULL;
    if (!table || !fabric_grow(&fabric->part_links, &fabric->part_link_room, room)) {
        free(table);
        return false;
    }
    free(fabric->link_table);
    fabric->link_table = table;
    fabric->link_mask = n_places - 1;
    fabric->link_room = room;
    for (uint32_t i = 0; i < fabric->n_links; i++) table[link_place(fabric, links[i].number)] = i;
    return true;
}

static uint32_t find_link(struct fabric *fabric, const struct topology_hop *hop)
{
    uint32_t at = link_place(fabric, hop->link);
    if (fabric->link_table[at] != NONE) return fabric->link_table[at];
    if (fabric->n_links == fabric->link_room) {
        if (!grow_links(fabric)) return NONE;
        at = link_place(fabric, hop->link);
    }
    uint32_t index = fabric->n_links++;
    fabric->link_table[at] = index;
    fabric->links[index] = (struct fabric_link){
        .number = hop->link, .capacity = hop->bandwidth_bytes_per_s, .latency_s = hop->latency_s};
    return index;
}

/* Paths by their ends. */

static uint32_t path_place(const struct fabric *fabric, uint32_t from, uint32_t to)
{
    uint32_t at = hash((uint64_t)from << 32 | to) & fabric->path_mask;
    for (;; at = (at + 1) & fabric->path_mask) {
        if (fabric->path_table[at] == NONE) return at;
        const struct fabric_path *path = path_at(fabric, fabric->path_table[at]);
        if (path->from == from && path->to == to) return at;
    }
}

static bool grow_path_table(struct fabric *fabric)
{
    uint32_t n_before = fabric->path_mask + 1, n_places = 2 * n_before;
    uint32_t *before = fabric->path_table, *table = n_places ? allocate_table(n_places) : NULL;
    if (!table) return false;
    fabric->path_table = table;
    fabric->path_mask = n_places - 1;
    for (uint32_t i = 0; i < n_before; i++) {
        if (before[i] == NONE) continue;
        const struct fabric_path *path = path_at(fabric, before[i]);
        table[path_place(fabric, path->from, path->to)] = before[i];
    }
    free(before);
    return true;
}

/* Empty a place and close the gap behind it. */
static void drop_place(struct fabric *fabric, uint32_t at)
{
    uint32_t *table = fabric->path_table;
    for (uint32_t next = at;;) {
        next = (next + 1) & fabric->path_mask;
        if (table[next] == NONE) break;
        const struct fabric_path *path = path_at(fabric, table[next]);
        uint32_t home = hash((uint64_t)path->from << 32 | path->to) & fabric->path_mask;
        if (((next - home) & fabric->path_mask) < ((next - at) & fabric->path_mask)) continue;
        table[at] = table[next];
        at = next;
    }
    table[at] = NONE;
}

static void leave_idle(struct fabric *fabric, uint32_t index)
{
    const struct fabric_path *path = path_at(fabric, index);
    if (path->idle_before != NONE)
        path_at(fabric, path->idle_before)->idle_after = path->idle_after;
    else
        fabric->idle_first = path->idle_after;
    if (path->idle_after != NONE)
        path_at(fabric, path->idle_after)->idle_before = path->idle_before;
    else
        fabric->idle_last = path->idle_before;
    fabric->n_idle--;
}

static void forget_longest_idle(struct fabric *fabric)
{
    uint32_t index = fabric->idle_first;
    const struct fabric_path *path = path_at(fabric, index);
    leave_idle(fabric, index);
    drop_place(fabric, path_place(fabric, path->from, path->to));
    if (path->n_uses) pool_give(&fabric->uses[use_class(path->n_uses)], path->uses);
    pool_give(&fabric->paths, index);
    fabric->n_paths--;
}

void paths_set_busy(struct fabric *fabric, uint32_t index)
{
    if (path_at(fabric, index)->n_under_way++ == 0) leave_idle(fabric, index);
}

void paths_set_idle(struct fabric *fabric, uint32_t index)
{
    struct fabric_path *path = path_at(fabric, index);
    if (--path->n_under_way > 0) return;
    path->idle_before = fabric->idle_last;
    path->idle_after = NONE;
    if (fabric->idle_last != NONE)
        path_at(fabric, fabric->idle_last)->idle_after = index;
    else
        fabric->idle_first = index;
    fabric->idle_last = index;
    fabric->n_idle++;
}

/* Routes. */

struct draft {
    struct topology_hop there[TOPOLOGY_MOST_HOPS + 1], back[TOPOLOGY_MOST_HOPS + 1];
    uint32_t n_there, n_back;
    struct fabric_use uses[2 * TOPOLOGY_MOST_HOPS + 2];
    uint32_t n_uses;
};

static bool draft_use(struct fabric *fabric, struct draft *draft, const struct topology_hop *hop,
                      double fraction)
{
    uint32_t link = find_link(fabric, hop), i = 0;
    if (link == NONE) return false;
    while (i < draft->n_uses && draft->uses[i].link != link) i++;
    if (i == draft->n_uses) draft->uses[draft->n_uses++] = (struct fabric_use){.link = link};
    draft->uses[i].fraction += fraction;
    return true;
}

static uint32_t scaled_route(const struct fabric *fabric, uint32_t from, uint32_t to,
                             struct topology_hop *hops)
{
    double bandwidth = fabric->options.bandwidth_ratio, latency = fabric->options.latency_ratio;
    uint32_t n = topology_route(&fabric->topology, from, to, fabric->options.local_through_link, hops);
    for (uint32_t i = 0; i < n; i++) {
        if (bandwidth > 0) hops[i].bandwidth_bytes_per_s *= bandwidth;
        if (latency > 0) hops[i].latency_s *= latency;
    }
    return n;
}

static bool draft_route(struct fabric *fabric, struct draft *draft, uint32_t from, uint32_t to)
{
    draft->n_there = scaled_route(fabric, from, to, draft->there);
    for (uint32_t i = 0; i < draft->n_there; i++)
        if (!draft_use(fabric, draft, &draft->there[i], 1)) return false;
    if (fabric->crosstraffic == 0) return true;
    draft->n_back = scaled_route(fabric, to, from, draft->back);
    for (uint32_t i = 0; i < draft->n_back; i++)
        if (!draft_use(fabric, draft, &draft->back[i], fabric->crosstraffic)) return false;
    return true;
}

/* Bound, weight and latency of the route. */
static void measure(struct fabric *fabric, const struct draft *draft, struct fabric_path *path)
{
    double weight = 0;
    path->bound = INFINITY;
    for (uint32_t i = 0; i < draft->n_there; i++) {
        const struct topology_hop *hop = &draft->there[i];
        path->latency_s += hop->latency_s;
        path->bound = fmin(path->bound, hop->bandwidth_bytes_per_s);
        weight += hop->latency_s + fabric->weight_size_bytes / hop->bandwidth_bytes_per_s;
    }
    if (fabric->window_bytes > 0 && path->latency_s > 0)
        path->bound = fmin(path->bound, fabric->window_bytes / (2 * path->latency_s));
    if (!fabric->latency_weights) weight = 1;
    *(weight > 0 ? &fabric->seen_weight : &fabric->seen_no_weight) = true;
    path->per_weight = weight > 0 ? 1 / weight : 1;
}

static void measure_memory(const struct fabric *fabric, struct fabric_path *path)
{
    const parcast_shared_memory *memory = &fabric->topology.platform->shared_memory;
    path->local = true;
    path->latency_s = memory->latency_s;
    path->bound = memory->bandwidth_bytes_per_s;
    path->per_weight = 1;
}

static bool keep_uses(struct fabric *fabric, const struct draft *draft, struct fabric_path *path)
{
    path->n_uses = (uint16_t)draft->n_uses;
    path->uses = NONE;
    if (draft->n_uses == 0) return true;
    path->uses = pool_take(&fabric->uses[use_class(draft->n_uses)]);
    if (path->uses == NONE) return false;
    memcpy(uses_of(fabric, path), draft->uses, draft->n_uses * sizeof draft->uses[0]);
    return true;
}

static uint32_t make_path(struct fabric *fabric, uint32_t from, uint32_t to)
{
    static const struct fabric_group no_members = {.first = NONE};
    struct draft draft = {.n_uses = 0};
    struct fabric_path path = {.group = no_members, .from = from, .to = to, .bottleneck = NONE};
    if (fabric->n_idle >= MOST_IDLE) forget_longest_idle(fabric);
    if (!draft_route(fabric, &draft, from, to)) return NONE;
    if (draft.n_there > 0)
        measure(fabric, &draft, &path);
    else
        measure_memory(fabric, &path);
    uint32_t index = pool_take(&fabric->paths);
    if (index == NONE || !kernel_reserve(&fabric->kernel, EVENT_CLASSES * fabric->paths.n_used)) return NONE;
    if (!keep_uses(fabric, &draft, &path)) return NONE;
    path.n_under_way = 1; /* until the list of idle ones has it */
    *path_at(fabric, index) = path;
    paths_set_idle(fabric, index);
    fabric->n_paths++;
    return index;
}

uint32_t paths_find(struct fabric *fabric, uint32_t from, uint32_t to)
{
    uint32_t at = path_place(fabric, from, to), path = fabric->path_table[at];
    if (path != NONE) return path;
    bool full = fabric->n_paths + fabric->n_paths / 2 > fabric->path_mask;
    path = full && !grow_path_table(fabric) ? NONE : make_path(fabric, from, to);
    if (path == NONE) {
        fabric_fail(fabric, PARCAST_MEMORY, "out of memory for a route");
        return NONE;
    }
    fabric->path_table[path_place(fabric, from, to)] = path;
    if (fabric->seen_weight && fabric->seen_no_weight)
        fabric_fail(
            fabric, PARCAST_DATA,
            "weights 'latency' need a latency on every route, or on none: a route without would starve");
    return path;
}

/* Who crosses a link. */

static bool add_user(struct fabric *fabric, struct fabric_link *link, uint32_t path, uint32_t use)
{
    if (link->n_users == link->user_room) {
        uint32_t room = link->user_room ? 2 * link->user_room : 4;
        struct fabric_user *users = realloc(link->users, room * sizeof *users);
        if (!users) {
            fabric_fail(fabric, PARCAST_MEMORY, "out of memory for a link's transfers");
            return false;
        }
        link->users = users;
        link->user_room = room;
    }
    uses_of(fabric, path_at(fabric, path))[use].place = link->n_users;
    link->users[link->n_users++] = (struct fabric_user){path, use};
    fabric->n_active_uses++;
    return true;
}

static void remove_user(struct fabric *fabric, struct fabric_link *link, uint32_t place)
{
    struct fabric_user last = link->users[--link->n_users];
    fabric->n_active_uses--;
    link->users[place] = last;
    uses_of(fabric, path_at(fabric, last.path))[last.use].place = place;
    if (link->n_users == 0) link->bound_sum = 0; /* forget what rounding has left */
}

static void mark_link(struct fabric *fabric, uint32_t index)
{
    struct fabric_link *link = &fabric->links[index];
    if (link->dirty) return;
    if (!fabric_grow(&fabric->dirty_links, &fabric->dirty_link_room, fabric->n_dirty_links + 1)) {
        fabric_fail(fabric, PARCAST_MEMORY, "out of memory for changed links");
        return;
    }
    link->dirty = true;
    fabric->dirty_links[fabric->n_dirty_links++] = index;
}

static void mark_path(struct fabric *fabric, uint32_t index)
{
    struct fabric_path *path = path_at(fabric, index);
    if (path->dirty) return;
    if (!fabric_grow(&fabric->dirty_paths, &fabric->dirty_path_room, fabric->n_dirty_paths + 1)) {
        fabric_fail(fabric, PARCAST_MEMORY, "out of memory for changed routes");
        return;
    }
    path->dirty = true;
    fabric->dirty_paths[fabric->n_dirty_paths++] = index;
}

static void count_on_nodes(struct fabric *fabric, const struct fabric_path *path, int n)
{
    struct fabric_node *from = &fabric->nodes[path->from], *to = &fabric->nodes[path->to];
    if (path->local) return;
    from->n_out += (uint32_t)n;
    to->n_in += (uint32_t)n;
    if (from->cpu_out > 0 && from->group.n) fabric_mark_node(fabric, path->from);
    if (to->cpu_in > 0 && to->group.n) fabric_mark_node(fabric, path->to);
}

void paths_count(struct fabric *fabric, uint32_t index, int n)
{
    const struct fabric_path *path = path_at(fabric, index);
    uint32_t n_uses = path->n_uses;
    struct fabric_use *uses = n_uses ? uses_of(fabric, path) : NULL;
    bool begins = n > 0 && path->group.n == (uint32_t)n, ends = path->group.n == 0;
    for (uint32_t i = 0; i < n_uses; i++) {
        struct fabric_link *link = &fabric->links[uses[i].link];
        link->bound_sum += uses[i].fraction * path->bound * n;
        link->n_transfers += (uint32_t)n;
        if (begins && !add_user(fabric, link, index, i)) return;
        if (ends) remove_user(fabric, link, uses[i].place);
        mark_link(fabric, uses[i].link);
    }
    count_on_nodes(fabric, path, n);
    mark_path(fabric, index);
}
