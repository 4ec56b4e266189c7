/*
 * Who gets how much of the links. Weighted max-min sharing by progressive filling: all shares rise together,
 * in proportion to 1 / weight; a transfer stops when it reaches its own bound, or when a link on its route is
 * full. The level of a link is share * weight of whoever is stopped by it:
 *
 *     level = capacity that is left / sum of fraction / weight of those that are not fixed yet
 *
 * Take the lowest of all levels and bounds again and again, and fix who is stopped there. What is fixed
 * elsewhere lowers a link's capacity left and its sum in the same ratio or less, so levels only rise: an
 * entry of the heap that is out of date is too low, and is put right when it comes up.
 *
 * Not everything is computed anew. Paths on links where something changed are free, all others keep their
 * shares; the free ones are filled into what the others leave. Shares are max-min exactly when every path has
 * a bottleneck: its own bound, or a full link on which no other path has a higher level. So it is enough to
 * look at the links of the free paths: a path there that has lost its bottleneck, or is above the level of a
 * link that is full now, becomes free too, and the filling is repeated until there is none. When that would
 * come to much of the network, all that is tied to the change is computed at once.
 *
 * Source: Bertsekas and Gallager, Data Networks, 1992, section 6.5; docs/models/network.md, "Shares".
 */
#include <math.h>

#include "network/fabric_internal.h"

/* Less than this is rounding: of a sum of bounds against a capacity, and of a share against what it was. */
static const double slack = 1e-12;

bool fabric_grow(uint32_t **list, uint32_t *room, uint32_t n)
{
    if (n <= *room) return true;
    uint32_t more = *room ? 2 * *room : 64;
    while (more < n) more *= 2;
    uint32_t *grown = realloc(*list, more * sizeof *grown);
    if (!grown) return false;
    *list = grown;
    *room = more;
    return true;
}

bool share_needed(const struct fabric *fabric)
{
    return fabric->n_dirty_links | fabric->n_dirty_paths | fabric->n_dirty_nodes;
}

static void set_share(struct fabric *fabric, uint32_t index, double share)
{
    struct fabric_path *path = path_at(fabric, index);
    group_update(fabric, &path->group, share, path->dirty, index * EVENT_CLASSES + EVENT_PATH);
    fabric->n_solved++;
}

/* A link whose transfers cannot fill it even at their bounds limits nobody. */
static bool can_limit(const struct fabric_link *link)
{
    return link->bound_sum > link->capacity * (1 + slack);
}

/* Free a path, and look at the links that it may be limited by. */
static void take_path(struct fabric *fabric, uint32_t index)
{
    struct fabric_path *path = path_at(fabric, index);
    if (path->mark == fabric->mark || path->group.n == 0) return;
    path->mark = fabric->mark;
    fabric->part_paths[fabric->n_part_paths++] = index;
    uint32_t n_uses = path->n_uses;
    const struct fabric_use *uses = n_uses ? uses_of(fabric, path) : NULL;
    for (uint32_t i = 0; i < n_uses; i++) {
        struct fabric_link *link = &fabric->links[uses[i].link];
        if (link->mark == fabric->mark || !can_limit(link)) continue;
        link->mark = fabric->mark;
        fabric->part_links[fabric->n_part_links++] = uses[i].link;
        fabric->part_size += link->n_users;
    }
}

static void take_users(struct fabric *fabric, const struct fabric_link *link)
{
    for (uint32_t i = 0; i < link->n_users; i++) take_path(fabric, link->users[i].path);
}

/* What has changed, and the paths of a changed link that limits or has limited. */
static void begin_part(struct fabric *fabric)
{
    fabric->mark++;
    fabric->n_part_links = fabric->n_part_paths = 0;
    fabric->part_size = 0;
    for (uint32_t i = 0; i < fabric->n_dirty_paths; i++) take_path(fabric, fabric->dirty_paths[i]);
    for (uint32_t i = 0; i < fabric->n_dirty_links; i++) {
        struct fabric_link *link = &fabric->links[fabric->dirty_links[i]];
        bool limits = can_limit(link);
        if (limits | link->limited) take_users(fabric, link);
        link->limited = limits;
    }
}

/* All that is tied to it: whoever shares a limiting link with one of them. */
static void close_part(struct fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->n_part_links; i++)
        take_users(fabric, &fabric->links[fabric->part_links[i]]);
    if (!fabric->options.full_solver) return;
    for (uint32_t i = 0; i < fabric->n_links; i++) take_users(fabric, &fabric->links[i]);
}

/* What those that are not free leave of the links. */
static void subtract_others(struct fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->n_part_links; i++) {
        struct fabric_link *link = &fabric->links[fabric->part_links[i]];
        for (uint32_t u = 0; u < link->n_users; u++) {
            const struct fabric_path *path = path_at(fabric, link->users[u].path);
            if (path->mark == fabric->mark) continue;
            double fraction = uses_of(fabric, path)[link->users[u].use].fraction;
            link->left -= fraction * path->group.n * path->group.rate;
        }
    }
}

static void prepare(struct fabric *fabric, bool closed)
{
    for (uint32_t i = 0; i < fabric->n_part_links; i++) {
        struct fabric_link *link = &fabric->links[fabric->part_links[i]];
        link->left = link->capacity;
        link->per_level = link->highest = 0;
        link->level = INFINITY;
        link->n_unfixed = 0;
    }
    for (uint32_t p = 0; p < fabric->n_part_paths; p++) {
        struct fabric_path *path = path_at(fabric, fabric->part_paths[p]);
        uint32_t n_uses = path->n_uses;
        const struct fabric_use *uses = n_uses ? uses_of(fabric, path) : NULL;
        path->unfixed = true;
        for (uint32_t i = 0; i < n_uses; i++) {
            struct fabric_link *link = &fabric->links[uses[i].link];
            if (link->mark != fabric->mark) continue;
            link->per_level += uses[i].fraction * path->group.n * path->per_weight;
            link->n_unfixed++;
        }
    }
    if (!closed) subtract_others(fabric);
}

/* The sum has lost digits when most of it was subtracted: add up what is left. */
static double level_of(const struct fabric *fabric, struct fabric_link *link)
{
    const double lost = 1e-2;
    if (link->per_level < lost * link->per_level_before) {
        link->per_level = 0;
        for (uint32_t i = 0; i < link->n_users; i++) {
            const struct fabric_path *path = path_at(fabric, link->users[i].path);
            if (path->mark != fabric->mark || !path->unfixed) continue;
            link->per_level +=
                uses_of(fabric, path)[link->users[i].use].fraction * path->group.n * path->per_weight;
        }
        link->per_level_before = link->per_level;
    }
    return fmax(link->left, 0) / link->per_level;
}

/* bottleneck: the link that stops it, NONE for its own bound. */
static void fix_path(struct fabric *fabric, uint32_t index, double share, uint32_t bottleneck)
{
    struct fabric_path *path = path_at(fabric, index);
    uint32_t n_uses = path->n_uses;
    const struct fabric_use *uses = n_uses ? uses_of(fabric, path) : NULL;
    double level = share / path->per_weight;
    path->unfixed = false;
    path->share = share;
    path->bottleneck = bottleneck;
    for (uint32_t i = 0; i < n_uses; i++) {
        struct fabric_link *link = &fabric->links[uses[i].link];
        if (link->mark != fabric->mark) continue;
        double amount = uses[i].fraction * path->group.n;
        link->left -= amount * share;
        link->per_level -= amount * path->per_weight;
        link->highest = fmax(link->highest, level);
        link->n_unfixed--;
    }
}

static void fix_users(struct fabric *fabric, uint32_t index, double level)
{
    struct fabric_link *link = &fabric->links[index];
    link->level = level;
    for (uint32_t i = 0; i < link->n_users; i++) {
        const struct fabric_path *path = path_at(fabric, link->users[i].path);
        if (path->mark != fabric->mark || !path->unfixed) continue;
        fix_path(fabric, link->users[i].path, fmin(level * path->per_weight, path->bound), index);
    }
}

static double bound_level(const struct fabric_path *path)
{
    return path->bound / path->per_weight;
}

static double lowest_bound(const struct fabric *fabric)
{
    double lowest = INFINITY;
    for (uint32_t i = 0; i < fabric->n_part_paths; i++)
        lowest = fmin(lowest, bound_level(path_at(fabric, fabric->part_paths[i])));
    return lowest;
}

static void build_levels(struct fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->n_part_links; i++) {
        struct fabric_link *link = &fabric->links[fabric->part_links[i]];
        link->per_level_before = link->per_level;
        heap_place(&fabric->levels, i,
                   (struct heap_entry){heap_key_of(fmax(link->left, 0) / link->per_level), heap_word(i, i)});
    }
    heap_build(&fabric->levels, fabric->n_part_links);
}

static void build_bounds(struct fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->n_part_paths; i++) {
        double level = bound_level(path_at(fabric, fabric->part_paths[i]));
        heap_place(&fabric->bounds, i, (struct heap_entry){heap_key_of(level), heap_word(i, i)});
    }
    heap_build(&fabric->bounds, fabric->n_part_paths);
}

/* Fix the path with the lowest bound if that is below the level. Most parts have no such path: the heap of
   bounds is built when the first might be one. Returns the lowest bound of those that are not fixed. */
static double fix_lowest_bound(struct fabric *fabric, bool *built, double level, bool *fixed)
{
    if (!*built) build_bounds(fabric);
    *built = true;
    *fixed = false;
    while (!heap_empty(&fabric->bounds)) {
        uint32_t index = fabric->part_paths[heap_handle(heap_top(&fabric->bounds))];
        const struct fabric_path *path = path_at(fabric, index);
        if (!path->unfixed) {
            heap_pop(&fabric->bounds);
            continue;
        }
        if (*fixed || bound_level(path) >= level) return bound_level(path);
        heap_pop(&fabric->bounds);
        fix_path(fabric, index, path->bound, NONE);
        *fixed = true;
    }
    return INFINITY;
}

static void empty_heap(struct heap *heap)
{
    while (heap->n > 0) heap->slot[heap_handle(&heap->entries[--heap->n])] = HEAP_NOWHERE;
}

static void fill(struct fabric *fabric)
{
    double lowest = lowest_bound(fabric);
    bool bounds_built = false, fixed;
    build_levels(fabric);
    while (!heap_empty(&fabric->levels)) {
        uint32_t at = heap_handle(heap_top(&fabric->levels));
        struct fabric_link *link = &fabric->links[fabric->part_links[at]];
        if (link->n_unfixed == 0) {
            heap_pop(&fabric->levels);
            continue;
        }
        double level = level_of(fabric, link);
        if (heap_key_of(level) > heap_top(&fabric->levels)->key) {
            heap_set(&fabric->levels, heap_key_of(level), at, at);
            continue;
        }
        if (lowest < level) {
            lowest = fix_lowest_bound(fabric, &bounds_built, level, &fixed);
            if (fixed) continue;
        }
        fix_users(fabric, fabric->part_links[at], level);
    }
    empty_heap(&fabric->bounds);
    for (uint32_t i = 0; i < fabric->n_part_paths; i++) { /* those that no link stops */
        uint32_t index = fabric->part_paths[i];
        if (path_at(fabric, index)->unfixed) fix_path(fabric, index, path_at(fabric, index)->bound, NONE);
    }
}

/* Has a path that kept its share lost its bottleneck on this link, or is it above the link's level now? */
static bool is_disturbed(const struct fabric_path *path, const struct fabric_link *link, uint32_t index)
{
    double level = path->group.rate / path->per_weight;
    if (level > link->level * (1 + slack)) return true;
    if (path->bottleneck != index) return false;
    bool full = link->left <= slack * link->capacity;
    return !full || link->highest > level * (1 + slack);
}

/* Free whoever is disturbed; false when nobody is, and the shares hold. */
static bool free_disturbed(struct fabric *fabric)
{
    uint32_t n_links = fabric->n_part_links, n_paths = fabric->n_part_paths;
    for (uint32_t i = 0; i < n_links; i++) {
        uint32_t index = fabric->part_links[i];
        const struct fabric_link *link = &fabric->links[index];
        for (uint32_t u = 0; u < link->n_users; u++) {
            const struct fabric_path *path = path_at(fabric, link->users[u].path);
            if (path->mark != fabric->mark && is_disturbed(path, link, index))
                take_path(fabric, link->users[u].path);
        }
    }
    return fabric->n_part_paths > n_paths;
}

static bool fill_part(struct fabric *fabric, bool closed)
{
    if (!heap_reserve(&fabric->levels, fabric->n_part_links) ||
        !heap_reserve(&fabric->bounds, fabric->n_part_paths)) {
        fabric_fail(fabric, PARCAST_MEMORY, "out of memory for shares");
        return false;
    }
    prepare(fabric, closed);
    fill(fabric);
    return true;
}

static void solve_max_min(struct fabric *fabric)
{
    enum { MOST_ROUNDS = 24 };
    begin_part(fabric);
    bool closed = false;
    for (int round = 0; !closed; round++) {
        closed = fabric->options.full_solver || round == MOST_ROUNDS ||
                 fabric->part_size > fabric->n_active_uses / 4;
        if (closed) close_part(fabric);
        if (!fill_part(fabric, closed)) return;
        if (!closed && !free_disturbed(fabric)) break;
    }
    for (uint32_t i = 0; i < fabric->n_part_paths; i++)
        set_share(fabric, fabric->part_paths[i], path_at(fabric, fabric->part_paths[i])->share);
}

/* Each link is divided by the number of its transfers; what one end leaves unused is not given to others. */
static void solve_equal(struct fabric *fabric)
{
    fabric->mark++;
    fabric->n_part_paths = 0;
    for (uint32_t i = 0; i < fabric->n_dirty_paths; i++) take_path(fabric, fabric->dirty_paths[i]);
    for (uint32_t i = 0; i < fabric->n_dirty_links; i++)
        take_users(fabric, &fabric->links[fabric->dirty_links[i]]);
    for (uint32_t i = 0; i < fabric->n_part_paths; i++) {
        struct fabric_path *path = path_at(fabric, fabric->part_paths[i]);
        uint32_t n_uses = path->n_uses;
        const struct fabric_use *uses = n_uses ? uses_of(fabric, path) : NULL;
        double share = path->bound;
        path->unfixed = false;
        for (uint32_t u = 0; u < n_uses; u++) {
            const struct fabric_link *link = &fabric->links[uses[u].link];
            share = fmin(share, link->capacity / link->n_transfers);
        }
        set_share(fabric, fabric->part_paths[i], share);
    }
}

/* Computations share what transfers leave of the node's cores, each at most one core. */
static void solve_nodes(struct fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->n_dirty_nodes; i++) {
        struct fabric_node *node = &fabric->nodes[fabric->dirty_nodes[i]];
        double left = node->cores - node->n_in * node->cpu_in - node->n_out * node->cpu_out;
        double rate = node->group.n ? fmin(1, fmax(left, 0) / node->group.n) : 0;
        node->dirty = false;
        group_update(fabric, &node->group, rate, true, fabric->dirty_nodes[i] * EVENT_CLASSES + EVENT_NODE);
    }
    fabric->n_dirty_nodes = 0;
}

static void forget_changes(struct fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->n_dirty_links; i++) fabric->links[fabric->dirty_links[i]].dirty = false;
    for (uint32_t i = 0; i < fabric->n_dirty_paths; i++) {
        uint32_t index = fabric->dirty_paths[i];
        struct fabric_path *path = path_at(fabric, index);
        if (path->group.n == 0)
            group_update(fabric, &path->group, 0, true, index * EVENT_CLASSES + EVENT_PATH);
        path->dirty = false;
    }
    fabric->n_dirty_links = fabric->n_dirty_paths = 0;
}

void share_solve(struct fabric *fabric)
{
    if (!fabric_grow(&fabric->part_paths, &fabric->part_path_room, fabric->paths.n_used)) {
        fabric_fail(fabric, PARCAST_MEMORY, "out of memory for shares");
        return;
    }
    if (fabric->equal_share)
        solve_equal(fabric);
    else
        solve_max_min(fabric);
    forget_changes(fabric);
    solve_nodes(fabric);
}
