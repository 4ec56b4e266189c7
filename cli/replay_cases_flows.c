/* Cases of kind "flows": a list of transfers, and of computations, under a flow model. */
#include <stdlib.h>
#include <string.h>

#include "parcast/replay.h"
#include "replay_cases.h"

struct flows {
    int n_hosts;
    size_t n_transfers, n_works;
    parcast_transfer *transfers;
    parcast_work *works;
    double *transfer_end_s, *work_end_s, *rank_end_s;
};

static double item(const json_t *list, size_t i)
{
    return json_number_value(json_array_get(list, i));
}

static bool allocate(struct flows *flows)
{
    flows->transfers = calloc(flows->n_transfers + 1, sizeof *flows->transfers);
    flows->works = calloc(flows->n_works + 1, sizeof *flows->works);
    flows->transfer_end_s = calloc(flows->n_transfers + 1, sizeof(double));
    flows->work_end_s = calloc(flows->n_works + 1, sizeof(double));
    flows->rank_end_s = calloc((size_t)flows->n_hosts + 1, sizeof(double));
    return flows->transfers && flows->works && flows->transfer_end_s && flows->work_end_s &&
           flows->rank_end_s;
}

static void release(struct flows *flows)
{
    free(flows->transfers);
    free(flows->works);
    free(flows->transfer_end_s);
    free(flows->work_end_s);
    free(flows->rank_end_s);
}

static void read_lists(struct flows *flows, const json_t *transfers, const json_t *works)
{
    for (size_t i = 0; i < flows->n_transfers; i++) {
        const json_t *flow = json_array_get(transfers, i);
        flows->transfers[i] =
            (parcast_transfer){(int)item(flow, 0), (int)item(flow, 1), item(flow, 2), item(flow, 3)};
    }
    for (size_t i = 0; i < flows->n_works; i++) {
        const json_t *work = json_array_get(works, i);
        flows->works[i] = (parcast_work){(int)item(work, 0), item(work, 1), item(work, 2)};
    }
}

/* One flow for every ordered pair of hosts. */
static void fill_alltoall(struct flows *flows, double bytes)
{
    size_t n = 0;
    for (int from = 0; from < flows->n_hosts; from++)
        for (int to = 0; to < flows->n_hosts; to++)
            if (from != to) flows->transfers[n++] = (parcast_transfer){from, to, bytes, 0};
}

static bool read_flows(struct check *check, struct flows *flows)
{
    const json_t *input = json_object_get(check->test, "input"), *transfers = json_object_get(input, "flows");
    const json_t *works = json_object_get(input, "compute");
    bool pattern = strcmp(text_at(input, "format"), "flows-pattern") == 0;
    const json_t *arguments = json_object_get(input, "args");
    flows->n_hosts = (int)number_at(json_object_get(check->test, "platform"), "hosts", 1);
    flows->n_works = json_array_size(works);
    flows->n_transfers =
        pattern ? (size_t)flows->n_hosts * (size_t)(flows->n_hosts - 1) : json_array_size(transfers);
    if (pattern && strcmp(text_at(input, "pattern"), "alltoall") != 0) {
        check_fail(check, "pattern '%s' is not known", text_at(input, "pattern"));
        return false;
    }
    if (!allocate(flows)) {
        check_fail(check, "out of memory");
        return false;
    }
    read_lists(flows, transfers, works);
    if (pattern) fill_alltoall(flows, number_at(input, "bytes", number_at(arguments, "bytes", 0)));
    return true;
}

static void compare(struct check *check, struct flows *flows)
{
    const json_t *makespan = json_object_get(json_object_get(check->test, "expect"), "makespan");
    double latest = 0;
    for (size_t i = 0; i < flows->n_transfers; i++) {
        const parcast_transfer *t = &flows->transfers[i];
        double end = flows->transfer_end_s[i];
        if (end > latest) latest = end;
        if (end > flows->rank_end_s[t->source]) flows->rank_end_s[t->source] = end;
        if (end > flows->rank_end_s[t->destination]) flows->rank_end_s[t->destination] = end;
    }
    for (size_t i = 0; i < flows->n_works; i++)
        if (flows->work_end_s[i] > latest) latest = flows->work_end_s[i];
    check_array(check, "rank_end", flows->rank_end_s, (size_t)flows->n_hosts);
    check_array(check, "flow_end", flows->transfer_end_s, flows->n_transfers);
    check_array(check, "compute_end", flows->work_end_s, flows->n_works);
    if (makespan) check_number(check, "makespan", 0, latest, makespan);
}

void check_flows(struct check *check)
{
    struct flows flows = {0};
    parcast_error error = {0};
    parcast_replay_options options = {.local_through_link = true};
    parcast_platform *platform = case_platform(check);
    if (platform && read_flows(check, &flows)) {
        if (parcast_replay_transfers(platform, &options, flows.transfers, flows.n_transfers, flows.works,
                                     flows.n_works, flows.transfer_end_s, flows.work_end_s, &error))
            check_error(check, &error);
        else
            compare(check, &flows);
    }
    release(&flows);
    parcast_platform_destroy(&platform);
}
