#include "run_result.h"

#include <stdio.h>
#include <stdlib.h>

#include "parcast/study.h"
#include "parcast/units.h"

/* -------- iterations on each node count -------- */

static struct tally_size *size_of(struct tally *tally, int nodes)
{
    for (size_t i = 0; i < tally->n; i++)
        if (tally->sizes[i].nodes == nodes) return &tally->sizes[i];
    struct tally_size *grown = realloc(tally->sizes, (tally->n + 1) * sizeof *grown);
    if (!grown) return NULL; /* this size is left out of the result */
    tally->sizes = grown;
    grown[tally->n] = (struct tally_size){.nodes = nodes};
    return &grown[tally->n++];
}

void tally_take(struct tally *tally, const parcast_supervised *state)
{
    if (state->nodes != tally->nodes || state->running_s < tally->running_s ||
        state->since_iteration > tally->iteration || state->iteration < tally->iteration) {
        tally->nodes = state->nodes;
        tally->iteration = state->since_iteration;
        tally->running_s = 0;
    }
    int64_t n = state->iteration - tally->iteration;
    double time_s = state->running_s - tally->running_s;
    if (state->nodes < 1 || n < 1 || !(time_s > 0)) return;
    tally->iteration = state->iteration;
    tally->running_s = state->running_s;
    struct tally_size *size = size_of(tally, state->nodes);
    if (!size) return;
    size->iterations += n;
    size->time_s += time_s;
}

void tally_clear(struct tally *tally)
{
    free(tally->sizes);
    *tally = (struct tally){.sizes = NULL};
}

/* -------- JSON -------- */

static json_t *event_json(const parcast_supervisor_event *event)
{
    return json_pack("{sI si si si so so so so so sI sb ss}", "iteration", (json_int_t)event->iteration,
                     "from_nodes", event->from_nodes, "to_nodes", event->to_nodes, "to_ranks",
                     event->to_ranks, "stop_s", cli_json_number(event->stop_s), "move_s",
                     cli_json_number(event->move_s), "copy_s", cli_json_number(event->copy_s), "launch_s",
                     cli_json_number(event->launch_s), "pause_s", cli_json_number(event->pause_s), "bytes",
                     (json_int_t)event->bytes, "in_memory", event->in_memory, "reason", event->reason);
}

json_t *result_json(const parcast_supervisor_result *result, const struct tally *tally, double cost)
{
    json_t *events = json_array(), *sizes = json_array();
    for (size_t i = 0; i < result->n_events; i++)
        json_array_append_new(events, event_json(&result->events[i]));
    for (size_t i = 0; i < tally->n; i++)
        json_array_append_new(sizes, json_pack("{si sI sf}", "nodes", tally->sizes[i].nodes, "iterations",
                                               (json_int_t)tally->sizes[i].iterations, "time_s",
                                               tally->sizes[i].time_s));
    return json_pack("{ss sf so sI so so sn sb si sI sI}", "schema", "parcast.run/1", "time_s",
                     result->time_s, "cost", cli_json_number(cost), "iterations",
                     (json_int_t)result->iterations, "sizes", sizes, "events", events, "deadline_met",
                     "complete", result->complete, "exit_status", result->exit_status, "checkpoints",
                     (json_int_t)result->n_checkpoints, "crashes", (json_int_t)result->n_crashes);
}

void result_tell(const parcast_supervisor_result *result)
{
    char time[32];
    size_t n_moves = 0;
    for (size_t i = 0; i < result->n_events; i++) n_moves += result->events[i].from_nodes > 0;
    fprintf(stderr, "parcast run: %s, %lld iterations, %zu change%s of size, %zu checkpoint%s, %zu crash%s\n",
            parcast_units_format_time(result->time_s, time, sizeof time), (long long)result->iterations,
            n_moves, n_moves == 1 ? "" : "s", result->n_checkpoints, result->n_checkpoints == 1 ? "" : "s",
            result->n_crashes, result->n_crashes == 1 ? "" : "es");
}

/* -------- the study -------- */

void result_keep(const struct cli_common *common, const char *study_path, int64_t problem, const char *path,
                 char *const *arguments, size_t n_arguments, const json_t *result)
{
    parcast_study *study;
    parcast_error error = {0};
    char *text = json_dumps(result, JSON_REAL_PRECISION(17));
    parcast_status status = text ? parcast_study_open(study_path, PARCAST_STUDY_WRITE, &study, &error)
                                 : parcast_error_set(&error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (!status) {
        if (!problem) status = parcast_study_problem(study, path, arguments, n_arguments, &problem, &error);
        if (!status) status = parcast_study_add_result(study, problem, "parcast.run/1", text, &error);
        parcast_study_close(&study);
    }
    if (status) cli_warn(common, "the run is not kept in the study: %s", error.text);
    free(text);
}
