#include "replay/recorder.h"

#include <stdlib.h>
#include <string.h>

/* Up to so many ranks, computing on the critical path is told apart rank by rank; beyond, by kind of node. */
enum { MOST_RANKS_APART = 64 };
#define SECOND_PS 1e12

static parcast_status no_memory(const struct recorder *r)
{
    return parcast_error_set(r->error, PARCAST_MEMORY, NULL, 0,
                             "out of memory for what the replay finds out");
}

static bool make_layout(struct recorder *r, uint32_t n_ranks, const uint32_t *node_type)
{
    uint32_t n_groups = 1;
    r->groups = calloc(n_ranks, sizeof *r->groups);
    for (uint32_t i = 0; r->groups && i < n_ranks; i++) {
        r->groups[i] = n_ranks <= MOST_RANKS_APART ? i : node_type ? node_type[i] : 0;
        if (r->groups[i] >= n_groups) n_groups = r->groups[i] + 1;
    }
    uint32_t operations = CHAIN_COMPUTE + n_groups;
    r->layout = (struct chain_layout){operations + PARCAST_COLLECTIVES + 2, r->groups, operations,
                                      PARCAST_COLLECTIVES};
    r->chain = calloc(r->layout.n_parts, sizeof *r->chain);
    r->last_rank = 0;
    return r->groups && r->chain;
}

parcast_status recorder_create(struct recorder *r, uint32_t n_ranks, const uint32_t *node_type,
                               const parcast_replay_options *options, parcast_error *error)
{
    *r = (struct recorder){.options = options, .last_rank = -1, .error = error};
    bool fine = phases_create(&r->phases, n_ranks, options->loops);
    if (fine && options->matrix) fine = matrix_create(&r->matrix);
    if (fine && options->critical_path) fine = make_layout(r, n_ranks, node_type);
    if (fine) return PARCAST_OK;
    recorder_destroy(r);
    return no_memory(r);
}

void recorder_destroy(struct recorder *r)
{
    phases_destroy(&r->phases);
    matrix_destroy(&r->matrix);
    free(r->groups);
    free(r->chain);
    r->groups = NULL;
    r->chain = NULL;
    r->layout.n_parts = 0;
}

void recorder_progress(const struct recorder *r, int64_t now_ps, uint64_t n_events)
{
    const parcast_replay_observer *observer = r->options ? r->options->observer : NULL;
    if (observer && observer->progress)
        observer->progress(observer->state, (double)now_ps / SECOND_PS, n_events);
}

parcast_status recorder_begin(struct recorder *r, uint32_t rank, const parcast_operation *o,
                              const struct rank_figures *figures)
{
    bool fine = o->kind == PARCAST_OPERATION_MARK ? phases_mark(&r->phases, rank, o, figures)
                                                  : phases_operation(&r->phases, rank, o, figures);
    return fine ? PARCAST_OK : no_memory(r);
}

/* A timeline shows the messages of point to point only: those of collectives are in contexts that are odd. */
static parcast_status draw_message(const struct recorder *r, uint32_t context,
                                   const parcast_timeline_end *end, bool arrives, int64_t date_ps)
{
    if (!r->options->timeline || context % 2) return PARCAST_OK;
    return parcast_timeline_message(r->options->timeline, end, arrives, (double)date_ps / SECOND_PS,
                                    r->error);
}

parcast_status recorder_sent(struct recorder *r, struct match_key key, int64_t bytes, int64_t now_ps)
{
    const parcast_timeline_end end = {key.source, (int32_t)key.destination, (int32_t)(key.communicator / 2),
                                      key.tag, bytes};
    if (r->options->matrix && !matrix_add(&r->matrix, (uint32_t)key.source, key.destination, bytes))
        return no_memory(r);
    return draw_message(r, key.communicator, &end, false, now_ps);
}

parcast_status recorder_received(struct recorder *r, const struct transport_message *message)
{
    const parcast_timeline_end end = {(int32_t)message->source, (int32_t)message->destination,
                                      (int32_t)(message->context / 2), message->tag, message->bytes};
    return draw_message(r, message->context, &end, true, message->received_ps);
}

static const char *state_name(const parcast_operation *o)
{
    if (o->kind == PARCAST_OPERATION_COMPUTE) return NULL;
    bool collective = o->kind == PARCAST_OPERATION_COLLECTIVE || o->kind == PARCAST_OPERATION_ICOLLECTIVE;
    return collective ? parcast_collective_name(o->collective) : parcast_operation_name(o->kind);
}

parcast_status recorder_operation(struct recorder *r, uint32_t rank, const parcast_operation *o,
                                  int64_t begin_ps, int64_t end_ps)
{
    const parcast_replay_observer *observer = r->options->observer;
    double begin_s = (double)begin_ps / SECOND_PS, end_s = (double)end_ps / SECOND_PS;
    if (o->kind == PARCAST_OPERATION_MARK) return PARCAST_OK;
    if (observer && observer->operation) observer->operation(observer->state, (int)rank, o, begin_s, end_s);
    if (!r->options->timeline) return PARCAST_OK;
    return parcast_timeline_state(r->options->timeline, (int32_t)rank, state_name(o), begin_s, end_s,
                                  r->error);
}

parcast_status recorder_end(struct recorder *r, uint32_t rank, const struct rank_figures *figures,
                            const int64_t *chain)
{
    phases_end(&r->phases, rank, figures);
    if (r->chain && chain[CHAIN_DATE] > r->chain[CHAIN_DATE]) {
        chain_copy(r->chain, chain, r->layout.n_parts);
        r->last_rank = (int)rank;
    }
    if (!r->options->timeline) return PARCAST_OK;
    return parcast_timeline_end_rank(r->options->timeline, (int32_t)rank, r->error);
}

/* The critical path. */

static int largest_first(const void *a, const void *b)
{
    const parcast_replay_share *x = a, *y = b;
    if (x->compute_s != y->compute_s) return x->compute_s < y->compute_s ? 1 : -1;
    return x->rank - y->rank;
}

static const char *type_name(const parcast_platform *platform, uint32_t type)
{
    return platform && type < platform->n_types ? platform->types[type].name : NULL;
}

/* Groups that computed on the path: ranks, or kinds of nodes when there are many ranks. */
static bool put_shares(const struct recorder *r, uint32_t n_ranks, const uint32_t *node_type,
                       const parcast_platform *platform, parcast_replay_path *path)
{
    uint32_t n = r->layout.operations - CHAIN_COMPUTE;
    path->parts = calloc(n, sizeof *path->parts);
    if (!path->parts) return false;
    for (uint32_t group = 0; group < n; group++) {
        double compute_s = (double)r->chain[CHAIN_COMPUTE + group] / SECOND_PS;
        bool ranks = n_ranks <= MOST_RANKS_APART;
        uint32_t type = !ranks ? group : node_type ? node_type[group] : 0;
        path->compute_s += compute_s;
        if (compute_s <= 0) continue;
        path->parts[path->n_parts++] =
            (parcast_replay_share){ranks ? (int)group : -1, type_name(platform, type), compute_s};
    }
    if (path->n_parts) qsort(path->parts, path->n_parts, sizeof *path->parts, largest_first);
    return true;
}

static int longest_first(const void *a, const void *b)
{
    const parcast_replay_operation_time *x = a, *y = b;
    if (x->time_s != y->time_s) return x->time_s < y->time_s ? 1 : -1;
    return strcmp(x->name, y->name);
}

static bool put_operations(const struct recorder *r, parcast_replay_path *path)
{
    uint32_t n = r->layout.n_collectives + 2;
    path->operations = calloc(n, sizeof *path->operations);
    if (!path->operations) return false;
    for (uint32_t i = 0; i < n; i++) {
        double time_s = (double)r->chain[r->layout.operations + i] / SECOND_PS;
        const char *name = i == 0 ? "point to point"
                           : i <= r->layout.n_collectives
                               ? parcast_collective_name((parcast_collective)(i - 1))
                               : "non-blocking collectives";
        if (time_s <= 0) continue;
        path->operations[path->n_operations++] = (parcast_replay_operation_time){name, time_s};
    }
    if (path->n_operations)
        qsort(path->operations, path->n_operations, sizeof *path->operations, longest_first);
    return true;
}

static bool put_path(const struct recorder *r, uint32_t n_ranks, const uint32_t *node_type,
                     const parcast_platform *platform, parcast_replay_path *path)
{
    path->rank = r->last_rank;
    if (!r->chain) return true;
    path->messages = (uint64_t)r->chain[CHAIN_MESSAGES];
    path->overhead_s = (double)r->chain[CHAIN_OVERHEAD] / SECOND_PS;
    path->gap_s = (double)r->chain[CHAIN_GAP] / SECOND_PS;
    path->latency_s = (double)r->chain[CHAIN_LATENCY] / SECOND_PS;
    path->transfer_s = (double)r->chain[CHAIN_TRANSFER] / SECOND_PS;
    path->sharing_s = (double)r->chain[CHAIN_SHARING] / SECOND_PS;
    path->sleep_s = (double)r->chain[CHAIN_SLEEP] / SECOND_PS;
    path->cores_s = (double)r->chain[CHAIN_CORES] / SECOND_PS;
    return put_shares(r, n_ranks, node_type, platform, path) && put_operations(r, path);
}

parcast_status recorder_collect(struct recorder *r, const uint32_t *node_type,
                                const parcast_platform *platform, parcast_replay_result *result)
{
    if (r->options->matrix) result->pairs = matrix_take(&r->matrix, &result->n_pairs);
    if (phases_take(&r->phases, result) &&
        put_path(r, (uint32_t)result->n_ranks, node_type, platform, &result->path))
        return PARCAST_OK;
    return no_memory(r);
}
