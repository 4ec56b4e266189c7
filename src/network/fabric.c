#include "network/fabric_internal.h"

#include <math.h>
#include <stdio.h>

void fabric_fail(struct fabric *fabric, parcast_status status, const char *text)
{
    if (fabric->failed) return;
    fabric->failed = status;
    snprintf(fabric->failure, sizeof fabric->failure, "%s", text);
}

/* Up, because nothing is done before its time; but a product or quotient of doubles that ought to be a whole
   number of ps may come out a little above it. */
int64_t fabric_ps(double seconds)
{
    const double rounding = 4e-16, least = 1e-3;
    double ps = ceil(seconds * 1e12 * (1 - rounding) - least);
    if (!(ps < (double)KERNEL_LATEST_PS)) return KERNEL_LATEST_PS;
    return ps > 0 ? (int64_t)ps : 0;
}

/* Groups: members that progress together. */

static struct pairing_links *links_of(const void *fabric, uint32_t index)
{
    return &member_at(fabric, index)->links;
}

static bool is_before(const void *fabric, uint32_t a, uint32_t b)
{
    return member_at(fabric, a)->goal < member_at(fabric, b)->goal;
}

static void bring_up_to_date(const struct fabric *fabric, struct fabric_group *group)
{
    int64_t now = fabric->kernel.now_ps;
    if (group->n) group->progress += group->rate * ((double)(now - group->updated_ps) * 1e-12);
    group->updated_ps = now;
}

static void join(struct fabric *fabric, struct fabric_group *group, uint32_t index)
{
    struct fabric_member *member = member_at(fabric, index);
    bring_up_to_date(fabric, group);
    member->goal += group->progress;
    member->links = (struct pairing_links){NONE, NONE};
    group->first = pairing_meld(fabric, links_of, is_before, group->first, index);
    group->n++;
}

static uint32_t leave_first(struct fabric *fabric, struct fabric_group *group)
{
    uint32_t index = group->first;
    group->first = pairing_rest(fabric, links_of, is_before, index);
    if (--group->n == 0) group->progress = 0; /* and with it what rounding has left */
    return index;
}

/* Members that are done in this event, where what is left takes less than the clock shows; in the order of
   their goals, linked as siblings. All leave before anyone hears of it, because who hears may join again. */
static uint32_t leave_reached(struct fabric *fabric, struct fabric_group *group)
{
    const double unseen_s = 2e-15;
    bring_up_to_date(fabric, group);
    double limit = fmax(group->progress, member_at(fabric, group->first)->goal) + group->rate * unseen_s;
    uint32_t first = NONE, last = NONE;
    while (group->n && member_at(fabric, group->first)->goal <= limit) {
        uint32_t index = leave_first(fabric, group);
        member_at(fabric, index)->links.sibling = NONE;
        if (last == NONE)
            first = index;
        else
            member_at(fabric, last)->links.sibling = index;
        last = index;
    }
    return first;
}

void group_update(struct fabric *fabric, struct fabric_group *group, double rate, bool changed,
                  uint32_t handle)
{
    const double same = 1e-14;
    if (!changed && fabs(rate - group->rate) <= same * group->rate) return;
    bring_up_to_date(fabric, group);
    group->rate = rate;
    if (group->n == 0 || rate <= 0) {
        kernel_cancel(&fabric->kernel, handle);
        return;
    }
    double left = member_at(fabric, group->first)->goal - group->progress;
    kernel_set(&fabric->kernel, fabric->kernel.now_ps + fabric_ps(left / rate),
               kernel_sequence(&fabric->kernel), handle);
}

/* Events. */

static void end_transfer(struct fabric *fabric, uint32_t index)
{
    struct fabric_member member = *member_at(fabric, index);
    pool_give(&fabric->members, index);
    paths_set_idle(fabric, member.group);
    fabric->n_events++;
    fabric->client.transferred(fabric->client.state, member.user);
}

static void on_path(struct fabric *fabric, uint32_t path)
{
    struct fabric_group *group = &path_at(fabric, path)->group;
    uint32_t n_before = group->n, next, first = leave_reached(fabric, group);
    paths_count(fabric, path, -(int)(n_before - group->n));
    for (uint32_t index = first; index != NONE; index = next) {
        next = member_at(fabric, index)->links.sibling;
        end_transfer(fabric, index);
    }
}

/* The latency of a transfer is over: it takes bandwidth from now on. */
static void on_member(struct fabric *fabric, uint32_t index)
{
    uint32_t path = member_at(fabric, index)->group;
    if (member_at(fabric, index)->goal <= 0) {
        end_transfer(fabric, index);
        return;
    }
    join(fabric, &path_at(fabric, path)->group, index);
    paths_count(fabric, path, 1);
}

static void on_node(struct fabric *fabric, uint32_t number)
{
    uint32_t next, first = leave_reached(fabric, &fabric->nodes[number].group);
    fabric_mark_node(fabric, number);
    for (uint32_t index = first; index != NONE; index = next) {
        uint32_t user = member_at(fabric, index)->user;
        next = member_at(fabric, index)->links.sibling;
        pool_give(&fabric->members, index);
        fabric->n_events++;
        fabric->client.computed(fabric->client.state, user);
    }
}

static void on_timer(struct fabric *fabric, uint32_t index)
{
    uint32_t user;
    memcpy(&user, pool_at(&fabric->timers, index), sizeof user);
    pool_give(&fabric->timers, index);
    fabric->client.timer(fabric->client.state, user);
}

static void handle_event(struct fabric *fabric, uint32_t handle)
{
    uint32_t index = handle / EVENT_CLASSES;
    switch ((enum event_class)(handle % EVENT_CLASSES)) {
    case EVENT_MEMBER:
        on_member(fabric, index);
        break;
    case EVENT_PATH:
        on_path(fabric, index);
        break;
    case EVENT_NODE:
        on_node(fabric, index);
        break;
    case EVENT_TIMER:
        on_timer(fabric, index);
        break;
    case EVENT_CLASSES:
        break;
    }
}

parcast_status fabric_run(struct fabric *fabric, parcast_error *error)
{
    struct kernel *kernel = &fabric->kernel;
    while (!fabric->failed) {
        bool last_of_date = kernel_empty(kernel) || kernel_next_date(kernel) > kernel->now_ps;
        if (last_of_date && share_needed(fabric)) {
            share_solve(fabric);
            continue;
        }
        uint32_t handle;
        if (!kernel_next(kernel, &handle)) return PARCAST_OK;
        if (kernel_failed(kernel))
            fabric_fail(fabric, PARCAST_MEMORY, "out of memory for events");
        else if (kernel_exhausted(kernel))
            fabric_fail(fabric, PARCAST_LIMIT,
                        "the simulated time exceeds 53 days, or there are too many events");
        else
            handle_event(fabric, handle);
    }
    return parcast_error_set(error, fabric->failed, NULL, 0, "%s", fabric->failure);
}

/* What clients begin. */

void fabric_mark_node(struct fabric *fabric, uint32_t node)
{
    if (fabric->nodes[node].dirty) return;
    fabric->nodes[node].dirty = true;
    fabric->dirty_nodes[fabric->n_dirty_nodes++] = node;
}

static uint32_t take_member(struct fabric *fabric, double goal, uint32_t group, uint32_t user)
{
    uint32_t index = pool_take(&fabric->members);
    if (index == NONE || !kernel_reserve(&fabric->kernel, EVENT_CLASSES * fabric->members.n_used)) {
        fabric_fail(fabric, PARCAST_MEMORY, "out of memory for transfers and computations");
        return NONE;
    }
    *member_at(fabric, index) = (struct fabric_member){.goal = goal, .group = group, .user = user};
    return index;
}

/* The entry with the largest size strictly below the message's. */
static double factor(const struct fabric_curve *curve, double bytes)
{
    double value = 1;
    for (size_t i = 0; i < curve->n_points && curve->points[i].bytes < bytes; i++)
        value = curve->points[i].value;
    return value;
}

/* What a transfer over a path is: how much it has to progress, after which latency. */
struct measure {
    double goal, latency_s;
};

static struct measure measure(const struct fabric *fabric, const struct fabric_path *path, double bytes)
{
    struct measure m = {bytes, path->latency_s};
    if (fabric->options.ideal_network) return (struct measure){0, 0};
    if (path->local) return m;
    double size = bytes + fabric->envelope_bytes;
    m.goal = size / factor(&fabric->bandwidth_factors, size);
    m.latency_s *= factor(&fabric->latency_factors, size);
    return m;
}

void fabric_transfer(struct fabric *fabric, uint32_t from, uint32_t to, double bytes, uint32_t user)
{
    uint32_t path = paths_find(fabric, from, to);
    if (path == NONE) return;
    struct measure m = measure(fabric, path_at(fabric, path), bytes);
    uint32_t index = take_member(fabric, m.goal, path, user);
    if (index == NONE) return;
    paths_set_busy(fabric, path);
    fabric->n_transfers++;
    kernel_schedule(&fabric->kernel, fabric->kernel.now_ps + fabric_ps(m.latency_s),
                    kernel_sequence(&fabric->kernel), index * EVENT_CLASSES + EVENT_MEMBER);
}

struct fabric_alone fabric_alone(struct fabric *fabric, uint32_t from, uint32_t to, double bytes)
{
    uint32_t path = paths_find(fabric, from, to);
    if (path == NONE) return (struct fabric_alone){0};
    struct measure m = measure(fabric, path_at(fabric, path), bytes);
    return (struct fabric_alone){fabric_ps(m.latency_s), fabric_ps(m.goal / path_at(fabric, path)->bound)};
}

void fabric_compute(struct fabric *fabric, uint32_t node, double core_s, uint32_t user)
{
    uint32_t index = take_member(fabric, core_s, node, user);
    if (index == NONE) return;
    join(fabric, &fabric->nodes[node].group, index);
    fabric_mark_node(fabric, node);
}

void fabric_timer(struct fabric *fabric, int64_t date_ps, uint32_t user)
{
    uint32_t index = pool_take(&fabric->timers);
    if (index == NONE || !kernel_reserve(&fabric->kernel, EVENT_CLASSES * fabric->timers.n_used)) {
        fabric_fail(fabric, PARCAST_MEMORY, "out of memory for timers");
        return;
    }
    memcpy(pool_at(&fabric->timers, index), &user, sizeof user);
    kernel_schedule(&fabric->kernel, date_ps, kernel_sequence(&fabric->kernel),
                    index * EVENT_CLASSES + EVENT_TIMER);
}

/* Creation. */

static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static void read_network(struct fabric *fabric, const parcast_network_description *network)
{
    fabric->equal_share = network->sharing && strcmp(network->sharing, "equal-share") == 0;
    fabric->latency_weights = given(network->weights, 0) != 0;
    fabric->weight_size_bytes = given(network->weight_size_bytes, 0);
    fabric->crosstraffic = given(network->crosstraffic, 0);
    fabric->window_bytes = given(network->window_bytes, 0);
    fabric->envelope_bytes = given(network->envelope_bytes, 0);
    fabric->bandwidth_factors =
        (struct fabric_curve){network->bandwidth_factors, network->n_bandwidth_factors};
    fabric->latency_factors = (struct fabric_curve){network->latency_factors, network->n_latency_factors};
}

static bool create_nodes(struct fabric *fabric)
{
    uint32_t n = fabric->topology.n_nodes;
    fabric->nodes = calloc((size_t)n + 1, sizeof *fabric->nodes);
    fabric->dirty_nodes = malloc(((size_t)n + 1) * sizeof *fabric->dirty_nodes);
    if (!fabric->nodes || !fabric->dirty_nodes) return false;
    for (uint32_t i = 0; i < n; i++) {
        const parcast_node_type *type =
            &fabric->topology.platform->types[topology_type(&fabric->topology, i)];
        fabric->nodes[i] = (struct fabric_node){
            .group = {.first = NONE}, .cores = type->cores, .cpu_in = type->cpu_in, .cpu_out = type->cpu_out};
    }
    return true;
}

parcast_status fabric_create(struct fabric *fabric, const parcast_platform *platform,
                             const struct fabric_options *options, const struct fabric_client *client,
                             parcast_error *error)
{
    *fabric = (struct fabric){.client = *client, .options = *options};
    fabric->members = pool_of(sizeof(struct fabric_member));
    fabric->timers = pool_of(sizeof(uint32_t));
    parcast_status status = topology_create(&fabric->topology, platform, error);
    if (status) return status;
    read_network(fabric, &platform->network);
    uint64_t n_handles = (uint64_t)EVENT_CLASSES * fabric->topology.n_nodes;
    if (n_handles > HEAP_MOST_HANDLES)
        status = parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "%u nodes are more than %u",
                                   fabric->topology.n_nodes, HEAP_MOST_HANDLES / EVENT_CLASSES);
    else if (!create_nodes(fabric) || !paths_create(fabric) ||
             !kernel_reserve(&fabric->kernel, (uint32_t)n_handles))
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u nodes",
                                   fabric->topology.n_nodes);
    if (status) fabric_destroy(fabric);
    return status;
}

void fabric_destroy(struct fabric *fabric)
{
    paths_destroy(fabric);
    kernel_destroy(&fabric->kernel);
    topology_destroy(&fabric->topology);
    pool_destroy(&fabric->members);
    pool_destroy(&fabric->timers);
    heap_destroy(&fabric->levels);
    heap_destroy(&fabric->bounds);
    free(fabric->nodes);
    free(fabric->dirty_links);
    free(fabric->dirty_paths);
    free(fabric->dirty_nodes);
    free(fabric->part_links);
    free(fabric->part_paths);
    *fabric = (struct fabric){0};
}
