#include "synthetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 1024, MAX_NODES = 256 };

/* Balanced grid, longer side first, as MPI_Dims_create makes it. */
static void grid(int n, int *rows, int *columns)
{
    *columns = (int)floor(sqrt(n) + 1e-9);
    while (n % *columns != 0) --*columns;
    *rows = n / *columns;
}

static int neighbours(int rank, int rows, int columns, int to[4], int vertical[4])
{
    int n = 0, r = rank / columns, c = rank % columns;
    if (r > 0) vertical[n] = 1, to[n++] = rank - columns;
    if (r + 1 < rows) vertical[n] = 1, to[n++] = rank + columns;
    if (c > 0) vertical[n] = 0, to[n++] = rank - 1;
    if (c + 1 < columns) vertical[n] = 0, to[n++] = rank + 1;
    return n;
}

static double face_bytes(const struct synthetic_program *p, int rows, int columns, int vertical)
{
    return p->edge_bytes / (vertical ? columns : rows);
}

double synthetic_time(const struct synthetic_program *p, const parcast_platform *platform, int n_nodes,
                      const size_t *types, const int *ranks_per_node)
{
    int node_of[MAX_RANKS], n = 0, rows, columns;
    double sent[MAX_NODES] = {0}, received[MAX_NODES] = {0}, ready[MAX_RANKS], last = 0;
    for (int i = 0; i < n_nodes; i++)
        for (int j = 0; j < ranks_per_node[i]; j++) node_of[n++] = i;
    grid(n, &rows, &columns);
    for (int r = 0; r < n; r++) /* one iteration stands for all: they are equal */
        last = fmax(last, ready[r] = (p->work_s / n + p->replicated_s) / p->iterations /
                                     platform->types[types[node_of[r]]].speed);
    for (int r = 0; r < n; r++) {
        int to[4], vertical[4], degree = neighbours(r, rows, columns, to, vertical), a = node_of[r];
        for (int k = 0; k < degree; k++) {
            int b = node_of[to[k]];
            double bytes = face_bytes(p, rows, columns, vertical[k]), arrived;
            if (a == b) {
                arrived = ready[r] + platform->shared_memory.latency_s +
                          bytes / platform->shared_memory.bandwidth_bytes_per_s;
            } else { /* cut through: the receiving link starts when the first bytes are there */
                double start = fmax(ready[r], sent[a]);
                sent[a] = start + bytes / parcast_platform_link_bandwidth(platform, types[a]);
                double there = fmax(start + platform->network.latency_s, received[b]);
                arrived = received[b] = there + bytes / parcast_platform_link_bandwidth(platform, types[b]);
            }
            last = fmax(last, arrived);
        }
    }
    double tree = ceil(log2(n_nodes)) * platform->network.latency_s; /* allreduce of 8 bytes */
    return p->iterations * (last + tree);
}

static void add_peers(parcast_rank_profile *profile, const struct synthetic_program *p, int n_ranks,
                      int per_node)
{
    int rows, columns, to[4], vertical[4];
    grid(n_ranks, &rows, &columns);
    profile->n_peers = (size_t)neighbours(profile->rank, rows, columns, to, vertical);
    profile->peers = calloc(4, sizeof *profile->peers);
    for (size_t i = 0; i < profile->n_peers; i++)
        profile->peers[i] = (parcast_profile_peer){
            .rank = to[i],
            .reach = to[i] / per_node == profile->rank / per_node ? PARCAST_REACH_SAME_NODE
                                                                  : PARCAST_REACH_OTHER_NODE,
            .count = (uint64_t)p->iterations,
            .bytes = (uint64_t)(p->iterations * face_bytes(p, rows, columns, vertical[i]))};
}

static void add_statistics(parcast_rank_profile *profile, const struct synthetic_program *p, int n_ranks)
{
    profile->n_rounds = n_ranks > 1 ? (uint64_t)p->iterations : 0;
    profile->n_collectives = 1;
    profile->collectives = calloc(1, sizeof *profile->collectives);
    strcpy(profile->collectives[0].name, "MPI_Allreduce");
    profile->collectives[0].n_ranks = n_ranks;
    profile->collectives[0].count = (uint64_t)p->iterations;
    profile->collectives[0].bytes = 8 * (uint64_t)p->iterations;
    profile->n_syncs = (uint64_t)p->iterations;
}

parcast_run synthetic_run(const struct synthetic_program *p, const parcast_platform *platform, size_t type,
                          int n_ranks, int n_nodes, int64_t id)
{
    size_t types[MAX_NODES];
    int per_node[MAX_NODES];
    for (int i = 0; i < n_nodes; i++) {
        types[i] = type;
        per_node[i] = n_ranks / n_nodes;
    }
    parcast_run run = {.id = id,
                       .problem_id = 1,
                       .source = PARCAST_RUN_RECORDED,
                       .program = strdup("synthetic"),
                       .n_ranks = n_ranks,
                       .n_nodes_used = n_nodes,
                       .complete = true,
                       .n_nodes = (size_t)n_nodes,
                       .n_profiles = (size_t)n_ranks,
                       .wall_s = NAN,
                       .load_average = NAN};
    run.time_s = synthetic_time(p, platform, n_nodes, types, per_node);
    run.nodes = calloc((size_t)n_nodes, sizeof *run.nodes);
    run.ranks = calloc((size_t)n_ranks, sizeof *run.ranks);
    double compute = (p->work_s / n_ranks + p->replicated_s) / platform->types[type].speed;
    for (int i = 0; i < n_nodes; i++)
        run.nodes[i] = (parcast_run_node){.name = strdup("node"),
                                          .type = strdup(platform->types[type].name),
                                          .n_ranks = n_ranks / n_nodes,
                                          .cores = platform->types[type].cores,
                                          .sockets = 1,
                                          .memory_bytes = NAN,
                                          .calibration = NAN};
    for (int r = 0; r < n_ranks; r++) {
        parcast_rank_profile *profile = &run.ranks[r];
        *profile = (parcast_rank_profile){.rank = r,
                                          .n_ranks = n_ranks,
                                          .node = r / (n_ranks / n_nodes),
                                          .n_nodes = n_nodes,
                                          .complete = true,
                                          .time_s = run.time_s,
                                          .compute_s = compute,
                                          .mpi_s = run.time_s - compute,
                                          .io_s = 0};
        add_peers(profile, p, n_ranks, n_ranks / n_nodes);
        add_statistics(profile, p, n_ranks);
    }
    run.compute_s = compute;
    run.mpi_s = run.time_s - compute;
    return run;
}
