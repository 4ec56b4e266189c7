/* Cases of kinds "ti" and "collective": operations of MPI ranks on the flow model. */
#include <stdlib.h>
#include <string.h>

#include "parcast/replay.h"
#include "parcast/ti.h"
#include "replay_cases.h"

/* Ends of the operations of every rank, as they come. */
struct ends {
    size_t n_ranks;
    json_t **rank;
};

static void on_operation(void *state, int rank, const parcast_operation *operation, double begin_s,
                         double end_s)
{
    const struct ends *ends = state;
    (void)operation;
    (void)begin_s;
    json_array_append_new(ends->rank[rank], json_real(end_s));
}

static bool create_ends(struct ends *ends, size_t n_ranks)
{
    ends->n_ranks = n_ranks;
    ends->rank = calloc(n_ranks + 1, sizeof *ends->rank);
    for (size_t r = 0; ends->rank && r < n_ranks; r++) ends->rank[r] = json_array();
    return ends->rank != NULL;
}

static void destroy_ends(struct ends *ends)
{
    for (size_t r = 0; ends->rank && r < ends->n_ranks; r++) json_decref(ends->rank[r]);
    free(ends->rank);
}

static void compare_ends(struct check *check, const struct ends *ends)
{
    const json_t *expected = json_object_get(json_object_get(check->test, "expect"), "action_end");
    if (!expected) return;
    if (json_array_size(expected) != ends->n_ranks) check_fail(check, "action_end is not of as many ranks");
    for (size_t r = 0; r < ends->n_ranks; r++) {
        const json_t *list = json_array_get(expected, r);
        char what[48];
        snprintf(what, sizeof what, "action_end[%zu]", r);
        if (json_array_size(list) != json_array_size(ends->rank[r]))
            check_fail(check, "%s has %zu values, expected %zu", what, json_array_size(ends->rank[r]),
                       json_array_size(list));
        for (size_t i = 0; i < json_array_size(list); i++)
            check_number(check, what, i, json_real_value(json_array_get(ends->rank[r], i)),
                         json_array_get(list, i));
    }
}

static void compare(struct check *check, const parcast_replay_result *result)
{
    const json_t *makespan = json_object_get(json_object_get(check->test, "expect"), "makespan");
    double *end_s = calloc((size_t)result->n_ranks, sizeof *end_s);
    if (!end_s) {
        check_fail(check, "out of memory");
        return;
    }
    for (int r = 0; r < result->n_ranks; r++) end_s[r] = result->ranks[r].end_s;
    check_array(check, "rank_end", end_s, (size_t)result->n_ranks);
    if (makespan) check_number(check, "makespan", 0, result->time_s, makespan);
    free(end_s);
}

/* Algorithms by collective, where the case names them. */
static void read_algorithms(const struct check *check, parcast_replay_options *options)
{
    const json_t *algorithms = json_object_get(check->test, "algorithms");
    for (unsigned c = 0; c < PARCAST_COLLECTIVES; c++) {
        const char *name = text_at(algorithms, parcast_collective_name((parcast_collective)c));
        if (*name) options->algorithms[c] = name;
    }
}

static void run(struct check *check, const parcast_operation_source *source, parcast_replay_options *options)
{
    const json_t *hosts = json_object_get(check->test, "rank_to_host");
    const json_t *machine = json_object_get(check->test, "platform");
    bool with_loggops = strcmp(text_at(json_object_get(check->test, "model"), "network"), "loggops") == 0;
    const parcast_loggops loggops = case_loggops(check);
    parcast_platform *platform = with_loggops ? NULL : case_platform(check);
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    struct ends ends = {0};
    int *rank_node = calloc((size_t)source->n_ranks + 1, sizeof *rank_node);
    parcast_replay_observer observer = {.state = &ends, .operation = on_operation};
    const char *table = text_at(check->test, "collectives");
    if ((!platform && !with_loggops) || !rank_node || !create_ends(&ends, (size_t)source->n_ranks))
        goto release;
    for (int r = 0; r < source->n_ranks; r++)
        rank_node[r] = hosts ? (int)json_number_value(json_array_get(hosts, (size_t)r)) : r;
    options->local_through_link = true;
    options->flop_rate_flop_per_s = number_at(machine, "speed", 0);
    options->observer = &observer;
    if (*table) options->collectives = table;
    read_algorithms(check, options);
    if (parcast_replay_run(source, platform, rank_node, with_loggops ? &loggops : NULL, options, &result,
                           &error)) {
        check_error(check, &error);
    } else {
        compare_ends(check, &ends); /* the first that is off says most */
        compare(check, result);
    }
release:
    destroy_ends(&ends);
    parcast_replay_result_destroy(&result);
    parcast_platform_destroy(&platform);
    free(rank_node);
}

void check_ti(struct check *check)
{
    const char *text = text_at(json_object_get(check->test, "input"), "text");
    parcast_replay_options options = {.collectives = "naive"};
    parcast_ti *trace = NULL;
    parcast_error error = {0};
    if (parcast_ti_parse(text, strlen(text), text_at(check->test, "id"), &trace, &error)) {
        check_error(check, &error);
        return;
    }
    parcast_operation_source source = parcast_ti_source(trace);
    run(check, &source, &options);
    parcast_ti_destroy(&trace);
}

/* One collective on every rank. */
struct single {
    parcast_operation operation;
    bool *given; /* [ranks] */
};

static parcast_status next_single(void *state, int rank, parcast_operation *operation, parcast_error *error)
{
    struct single *single = state;
    (void)error;
    *operation = (parcast_operation){.kind = PARCAST_OPERATION_END};
    if (!single->given[rank]) *operation = single->operation;
    single->given[rank] = true;
    return PARCAST_OK;
}

void check_collective(struct check *check)
{
    const json_t *input = json_object_get(check->test, "input");
    int n_ranks = (int)number_at(check->test, "ranks", 0);
    const char *name = text_at(input, "collective");
    unsigned c = 0;
    while (c < PARCAST_COLLECTIVES && strcmp(parcast_collective_name((parcast_collective)c), name) != 0) c++;
    struct single single = {.operation = {.kind = PARCAST_OPERATION_COLLECTIVE,
                                          .collective = (parcast_collective)c,
                                          .root = (int32_t)number_at(input, "root", 0),
                                          .bytes = (int64_t)number_at(input, "bytes", 0)},
                            .given = calloc((size_t)n_ranks + 1, sizeof(bool))};
    parcast_operation_source source = {
        .state = &single, .n_ranks = n_ranks, .name = text_at(check->test, "id"), .next = next_single};
    parcast_replay_options options = {.collectives = "naive"};
    if (c == PARCAST_COLLECTIVES || !single.given) {
        check_fail(check, "collective '%s' is not known", name);
    } else {
        const char *algorithm = text_at(input, "algorithm");
        if (*algorithm) options.algorithms[c] = algorithm;
        run(check, &source, &options);
    }
    free(single.given);
}
