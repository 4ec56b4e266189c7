#include "replay/schedule_flow.h"

#include <stdlib.h>

#define NONE POOL_NONE

static struct schedule_node *node_at(const struct schedule *s, uint32_t index)
{
    return (struct schedule_node *)s->nodes.records + index;
}

static struct schedule_cpu *cpu_of(const struct schedule *s, const struct schedule_node *node)
{
    return &s->flow->cpus[(size_t)node->rank * (size_t)s->goal->n_cpus + node->cpu];
}

static int64_t now_ps(const struct schedule *s)
{
    return s->flow->transport->methods->now(s->flow->transport, 0);
}

static void begin_computation(struct schedule *s, uint32_t index)
{
    const struct schedule_node node = *node_at(s, index);
    struct transport *transport = s->flow->transport;
    const double ns = 1e-9;
    cpu_of(s, &node)->busy = true;
    schedule_start(s, index, now_ps(s));
    transport->methods->compute(
        transport, node.rank, (double)node.amount * ns * s->flow->ranks[node.rank].core_s_per_second, index);
}

static void queue_computation(struct schedule *s, uint32_t index)
{
    struct schedule_cpu *cpu = cpu_of(s, node_at(s, index));
    node_at(s, index)->next = NONE;
    if (!cpu->busy) {
        begin_computation(s, index);
        return;
    }
    if (cpu->first == NONE)
        cpu->first = index;
    else
        node_at(s, cpu->last)->next = index;
    cpu->last = index;
}

static void end_computation(struct schedule *s, uint32_t index, int64_t began_ps)
{
    const struct schedule_node *node = node_at(s, index);
    const parcast_operation drawn = {.kind = PARCAST_OPERATION_COMPUTE};
    struct schedule_cpu *cpu = cpu_of(s, node);
    uint32_t next = cpu->first;
    if (s->records)
        schedule_check(s, recorder_operation(&s->recorder, node->rank, &drawn, began_ps, now_ps(s)));
    cpu->busy = false;
    if (next == NONE) return;
    cpu->first = node_at(s, next)->next;
    begin_computation(s, next);
}

static void begin_send(struct schedule *s, uint32_t index)
{
    const struct schedule_node node = *node_at(s, index);
    struct transport *transport = s->flow->transport;
    const struct match_key key = {(uint32_t)node.peer, 0, (int32_t)node.rank, node.tag};
    if (s->records) schedule_check(s, recorder_sent(&s->recorder, key, node.amount, now_ps(s)));
    schedule_start(s, index, now_ps(s));
    transport->methods->send(transport, key, node.amount, PARCAST_SEND_STANDARD, index);
}

static void begin_receive(struct schedule *s, uint32_t index)
{
    const struct schedule_node node = *node_at(s, index);
    struct transport *transport = s->flow->transport;
    const struct match_key key = {node.rank, 0, node.peer < 0 ? MATCH_ANY : node.peer,
                                  node.tag < 0 ? MATCH_ANY : node.tag};
    schedule_start(s, index, now_ps(s));
    transport->methods->receive(transport, key, -1, index);
}

static void issue(struct schedule *s, uint32_t index)
{
    struct schedule_node *node = node_at(s, index);
    node->issued = true;
    if (node->kind != PARCAST_GOAL_RECEIVE) s->flow->ranks[node->rank].n_active++;
    if (node->kind == PARCAST_GOAL_COMPUTE)
        queue_computation(s, index);
    else if (node->kind == PARCAST_GOAL_SEND)
        begin_send(s, index);
    else
        begin_receive(s, index);
}

void schedule_flow_settle(void *schedule)
{
    struct schedule *s = schedule;
    if (recorder_tick(&s->recorder)) recorder_progress(&s->recorder, now_ps(s), s->flow->n_events);
    for (uint32_t i = 0; i < s->n_ready && !s->engine.failed; i++) issue(s, s->ready[i].node);
    s->n_ready = 0;
}

/* A rank that does nothing itself has waited until that began which it waited for. */
static void end_waiting(struct schedule_flow_rank *rank, int64_t now, int64_t cause_ps)
{
    int64_t until = cause_ps < now ? cause_ps : now;
    if (until > rank->idle_since_ps) rank->waiting_ps += until - rank->idle_since_ps;
    rank->idle_since_ps = now;
}

static void on_done(void *schedule, uint32_t index, int64_t cause_ps)
{
    struct schedule *s = schedule;
    const struct schedule_node node = *node_at(s, index);
    struct schedule_flow_rank *rank = &s->flow->ranks[node.rank];
    int64_t now = now_ps(s);
    rank->end_ps = now;
    s->flow->n_events++;
    if (node.kind == PARCAST_GOAL_RECEIVE) {
        if (rank->n_active == 0) end_waiting(rank, now, cause_ps);
    } else if (--rank->n_active == 0) {
        rank->idle_since_ps = now;
    }
    if (node.kind == PARCAST_GOAL_COMPUTE) end_computation(s, index, cause_ps);
    schedule_done(s, index, now);
}

static void on_received(void *schedule, const struct transport_message *message)
{
    struct schedule *s = schedule;
    struct transport_message told = *message;
    told.received_ps = now_ps(s);
    schedule_check(s, recorder_received(&s->recorder, &told));
}

/* Nothing waits for a send's caller to go on, or for a message that is not received yet. */
static void ignore(void *schedule, uint32_t number)
{
    (void)schedule;
    (void)number;
}

static parcast_status read_speeds(struct schedule *s, const parcast_platform *platform, const int *rank_node,
                                  double faster, parcast_error *error)
{
    for (uint32_t r = 0; r < s->n_ranks; r++) {
        int node = rank_node[r];
        size_t type = 0;
        if (node < 0 || node >= parcast_platform_nodes(platform))
            return parcast_error_set(error, PARCAST_DATA, platform->name, 0,
                                     "rank %u on node %d: there are %d nodes", r, node,
                                     parcast_platform_nodes(platform));
        while (node >= platform->types[type].count) node -= platform->types[type++].count;
        s->flow->ranks[r].core_s_per_second = 1 / (faster * platform->types[type].speed);
    }
    return PARCAST_OK;
}

parcast_status schedule_flow_create(struct schedule *s, const parcast_platform *platform,
                                    const int *rank_node, const parcast_replay_options *options,
                                    parcast_error *error)
{
    const struct transport_client client = {.state = s,
                                            .proceed = ignore,
                                            .arrived = ignore,
                                            .done = on_done,
                                            .settle = schedule_flow_settle,
                                            .received = options->timeline ? on_received : NULL};
    size_t n_cpus = (size_t)s->n_ranks * (size_t)s->goal->n_cpus;
    s->flow = calloc(1, sizeof *s->flow);
    if (s->flow) {
        s->flow->cpus = malloc((n_cpus + 1) * sizeof *s->flow->cpus);
        s->flow->ranks = calloc((size_t)s->n_ranks + 1, sizeof *s->flow->ranks);
    }
    if (!s->flow || !s->flow->cpus || !s->flow->ranks)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u ranks", s->n_ranks);
    for (size_t i = 0; i < n_cpus; i++) s->flow->cpus[i] = (struct schedule_cpu){NONE, NONE, false};
    double faster = options->scale_speed_ratio > 0 ? options->scale_speed_ratio : 1;
    parcast_status status = read_speeds(s, platform, rank_node, faster, error);
    if (status) return status;
    return transport_flow(&s->flow->transport, platform, rank_node, s->n_ranks, recorder_layout(&s->recorder),
                          options, &client, error);
}

void schedule_flow_destroy(struct schedule *s)
{
    if (!s->flow) return;
    if (s->flow->transport) s->flow->transport->methods->destroy(&s->flow->transport);
    free(s->flow->cpus);
    free(s->flow->ranks);
    free(s->flow);
    s->flow = NULL;
}
