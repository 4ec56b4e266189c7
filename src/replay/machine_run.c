/* A replay of MPI operations from its beginning to its result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "replay/machine.h"
#include "replay/result.h"

#define NONE POOL_NONE

/* Setting up. */

static double scaled(double ratio)
{
    return ratio > 0 ? ratio : 1;
}

/* What a recorded second and a flop take on every rank's core. */
static parcast_status read_speeds(struct machine *m, const int *rank_node)
{
    struct topology topology;
    double faster = scaled(m->options->scale_speed_ratio), rate = m->options->flop_rate_flop_per_s;
    parcast_status status = m->platform ? topology_create(&topology, m->platform, m->error) : PARCAST_OK;
    if (status) return status;
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        const parcast_node_type *type =
            m->platform ? &m->platform->types[topology_type(&topology, (uint32_t)rank_node[r])] : NULL;
        if (type) m->node_type[r] = (uint32_t)(type - m->platform->types);
        double flop_rate = type && !isnan(type->flop_rate_flop_per_s) ? type->flop_rate_flop_per_s : rate;
        m->core_s_per_second[r] = 1 / (faster * (type ? type->speed : 1));
        m->core_s_per_flop[r] = flop_rate > 0 ? 1 / (faster * flop_rate) : NAN;
    }
    if (m->platform) topology_destroy(&topology);
    return PARCAST_OK;
}

static parcast_status check_nodes(const struct machine *m, const int *rank_node)
{
    if (!m->platform) return PARCAST_OK;
    for (uint32_t r = 0; r < m->n_ranks; r++)
        if (rank_node[r] < 0 || rank_node[r] >= parcast_platform_nodes(m->platform))
            return parcast_error_set(m->error, PARCAST_DATA, m->platform->name, 0,
                                     "rank %u on node %d: there are %d nodes", r, rank_node[r],
                                     parcast_platform_nodes(m->platform));
    return PARCAST_OK;
}

static bool allocate(struct machine *m)
{
    m->activities = pool_of(sizeof(struct machine_activity));
    m->collectives = pool_of(sizeof(struct machine_collective));
    m->ranks = calloc(m->n_ranks, sizeof *m->ranks);
    for (uint32_t r = 0; m->ranks && r < m->n_ranks; r++) m->ranks[r].collective = NONE;
    m->ready = calloc(m->n_ranks, sizeof *m->ready);
    m->core_s_per_flop = calloc(m->n_ranks, sizeof(double));
    m->core_s_per_second = calloc(m->n_ranks, sizeof(double));
    m->node_type = calloc(m->n_ranks, sizeof *m->node_type);
    return m->ranks && m->ready && m->core_s_per_flop && m->core_s_per_second && m->node_type;
}

static void release(struct machine *m)
{
    machine_collectives_destroy(m);
    for (uint32_t r = 0; m->ranks && r < m->n_ranks; r++) free(m->ranks[r].requests);
    if (m->transport) m->transport->methods->destroy(&m->transport);
    pool_destroy(&m->activities);
    choose_destroy(&m->choice);
    by_node_destroy(&m->by_node);
    agree_destroy(&m->agreement);
    free(m->ranks);
    free(m->ready);
    free(m->core_s_per_flop);
    free(m->core_s_per_second);
    free(m->node_type);
    recorder_destroy(&m->recorder);
}

static parcast_status collect(struct machine *m, parcast_replay_result **result)
{
    parcast_replay_result *r = replay_result_create((int)m->n_ranks);
    if (!r) return parcast_error_set(m->error, PARCAST_MEMORY, NULL, 0, "out of memory for a result");
    for (uint32_t i = 0; i < m->n_ranks; i++)
        replay_result_set(r, (int)i, m->ranks[i].end_ps, m->ranks[i].compute_ps, m->ranks[i].waiting_ps);
    m->transport->methods->count(m->transport, r);
    r->most_open = m->activities.n_used;
    r->n_stopped = m->n_stopped;
    parcast_status status = PARCAST_OK;
    if (!choose_tell(&m->choice, m->source->mpi, &r->collectives))
        status = parcast_error_set(m->error, PARCAST_MEMORY, NULL, 0, "out of memory for a result");
    if (!status) status = recorder_collect(&m->recorder, m->node_type, m->platform, r);
    if (status)
        parcast_replay_result_destroy(&r);
    else
        *result = r;
    return status;
}

static parcast_status run(struct machine *m)
{
    machine_begin(m);
    parcast_status status = m->failed ? m->failed : m->transport->methods->run(m->transport, m->error);
    if (m->failed) return m->failed;
    return status ? status : machine_check_end(m, m->error);
}

static int *identity(uint32_t n)
{
    int *node = calloc(n, sizeof *node);
    for (uint32_t r = 0; node && r < n; r++) node[r] = (int)r;
    return node;
}

static parcast_status set_up(struct machine *m, const int *rank_node, const parcast_loggops *loggops)
{
    const struct transport_client client = machine_client(m);
    parcast_status status = check_nodes(m, rank_node);
    if (!status) status = read_speeds(m, rank_node);
    if (!status) status = choose_create(&m->choice, m->options, m->platform, m->source->mpi, m->error);
    if (!status) status = recorder_create(&m->recorder, m->n_ranks, m->node_type, m->options, m->error);
    if (status) return status;
    if (!loggops) {
        m->by_node.rank_node = rank_node;
        m->by_node.n_ranks = m->n_ranks;
    }
    const struct chain_layout *chains = recorder_layout(&m->recorder);
    if (loggops) return transport_loggops(&m->transport, m->n_ranks, chains, loggops, &client, m->error);
    return transport_flow(&m->transport, m->platform, rank_node, m->n_ranks, chains, m->options, &client,
                          m->error);
}

parcast_status parcast_replay_run(const parcast_operation_source *source, const parcast_platform *platform,
                                  const int *rank_node, const parcast_loggops *loggops,
                                  const parcast_replay_options *options, parcast_replay_result **result,
                                  parcast_error *error)
{
    static const parcast_replay_options usual = {0};
    struct machine m = {.source = source,
                        .platform = platform,
                        .options = options ? options : &usual,
                        .n_ranks = (uint32_t)source->n_ranks,
                        .error = error};
    double begin_s = replay_wall();
    int *own_node = NULL;
    if (source->n_ranks < 1) return parcast_error_set(error, PARCAST_DATA, source->name, 0, "no ranks");
    if (!platform && !loggops)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "neither a platform nor LogGOPS");
    if (!rank_node) rank_node = own_node = identity(m.n_ranks);
    parcast_status status = PARCAST_OK;
    if (rank_node && allocate(&m))
        status = set_up(&m, rank_node, loggops);
    else
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (!status) status = run(&m);
    if (!status) status = collect(&m, result);
    if (!status) replay_result_close(*result, begin_s);
    release(&m);
    free(own_node);
    return status;
}
