/* Transfers and computations with dates, as such. */
#include <math.h>
#include <stdlib.h>

#include "network/fabric.h"
#include "parcast/replay.h"

struct run {
    struct fabric fabric;
    const parcast_transfer *transfers;
    const parcast_work *works;
    size_t n_transfers, n_works;
    double *end_s; /* [n_transfers + n_works]; users are numbered alike */
};

static void on_end(void *state, uint32_t user)
{
    struct run *run = state;
    run->end_s[user] = (double)run->fabric.kernel.now_ps / 1e12;
}

static void on_start(void *state, uint32_t user)
{
    struct run *run = state;
    if (user < run->n_transfers) {
        const parcast_transfer *transfer = &run->transfers[user];
        fabric_transfer(&run->fabric, (uint32_t)transfer->source, (uint32_t)transfer->destination,
                        transfer->bytes, user);
    } else {
        const parcast_work *work = &run->works[user - run->n_transfers];
        fabric_compute(&run->fabric, (uint32_t)work->node, work->core_s, user);
    }
}

static bool is_node(const parcast_platform *platform, int node)
{
    return node >= 0 && node < parcast_platform_nodes(platform);
}

static bool is_amount(double value)
{
    return value >= 0 && value < INFINITY;
}

static parcast_status check(const struct run *run, const parcast_platform *platform, parcast_error *error)
{
    if (run->n_transfers + run->n_works > HEAP_MOST_HANDLES / 8)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "%zu transfers and computations are too many",
                                 run->n_transfers + run->n_works);
    for (size_t i = 0; i < run->n_transfers; i++) {
        const parcast_transfer *t = &run->transfers[i];
        if (!is_node(platform, t->source) || !is_node(platform, t->destination) || !is_amount(t->bytes) ||
            !is_amount(t->start_s))
            return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                     "transfer %zu: %g bytes from node %d to node %d at %g s cannot be", i,
                                     t->bytes, t->source, t->destination, t->start_s);
    }
    for (size_t i = 0; i < run->n_works; i++) {
        const parcast_work *w = &run->works[i];
        if (!is_node(platform, w->node) || !is_amount(w->core_s) || !is_amount(w->start_s))
            return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                     "computation %zu: %g s on node %d at %g s cannot be", i, w->core_s,
                                     w->node, w->start_s);
    }
    return PARCAST_OK;
}

static double start_of(const struct run *run, size_t i)
{
    return i < run->n_transfers ? run->transfers[i].start_s : run->works[i - run->n_transfers].start_s;
}

/* Something that no event has ended, because computations were starved for ever. */
static parcast_status check_ended(const struct run *run, parcast_error *error)
{
    for (size_t i = 0; i < run->n_transfers + run->n_works; i++)
        if (isnan(run->end_s[i]))
            return parcast_error_set(error, PARCAST_DATA, NULL, 0, "%s %zu never ends",
                                     i < run->n_transfers ? "transfer" : "computation",
                                     i < run->n_transfers ? i : i - run->n_transfers);
    return PARCAST_OK;
}

parcast_status parcast_replay_transfers(const parcast_platform *platform,
                                        const parcast_replay_options *options,
                                        const parcast_transfer *transfers, size_t n_transfers,
                                        const parcast_work *works, size_t n_works, double *transfer_end_s,
                                        double *work_end_s, parcast_error *error)
{
    struct run run = {.transfers = transfers, .works = works, .n_transfers = n_transfers, .n_works = n_works};
    struct fabric_client client = {&run, on_end, on_end, on_start};
    struct fabric_options how = {0};
    size_t n = n_transfers + n_works;
    if (options)
        how = (struct fabric_options){.local_through_link = options->local_through_link,
                                      .ideal_network = options->ideal_network,
                                      .bandwidth_ratio = options->scale_bandwidth_ratio,
                                      .latency_ratio = options->scale_latency_ratio,
                                      .full_solver = options->full_solver};
    parcast_status status = check(&run, platform, error);
    if (status) return status;
    run.end_s = malloc((n + 1) * sizeof *run.end_s);
    if (!run.end_s)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu transfers", n);
    status = fabric_create(&run.fabric, platform, &how, &client, error);
    if (status) goto free_ends;
    for (size_t i = 0; i < n; i++) {
        run.end_s[i] = NAN;
        fabric_timer(&run.fabric, fabric_ps(start_of(&run, i)), (uint32_t)i);
    }
    status = fabric_run(&run.fabric, error);
    if (!status) status = check_ended(&run, error);
    for (size_t i = 0; i < n_transfers && !status; i++) transfer_end_s[i] = run.end_s[i];
    for (size_t i = 0; i < n_works && !status; i++) work_end_s[i] = run.end_s[n_transfers + i];
    fabric_destroy(&run.fabric);
free_ends:
    free(run.end_s);
    return status;
}
