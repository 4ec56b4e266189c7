#include "study_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static json_t *count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

/* Lines of a text as an array. */
static json_t *lines(const char *value)
{
    json_t *array = json_array();
    while (value && *value) {
        size_t length = strcspn(value, "\n");
        char *line = strndup(value, length);
        json_array_append_new(array, cli_json_text(line ? line : ""));
        free(line);
        value += length + (value[length] == '\n');
    }
    return array;
}

unsigned cli_study_parts(bool details)
{
    return details ? PARCAST_PART_ALL & ~PARCAST_PART_WINDOWS : PARCAST_PART_CALLS | PARCAST_PART_SIZES;
}

json_t *cli_study_json(const char *program)
{
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_string("parcast.study/1"));
    json_object_set_new(object, "program", cli_json_text(program));
    json_object_set_new(object, "runs", json_array());
    return object;
}

static json_t *nodes_json(const parcast_run *run)
{
    json_t *array = json_array();
    for (size_t i = 0; i < run->n_nodes; i++) {
        const parcast_run_node *node = &run->nodes[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", cli_json_text(node->name));
        json_object_set_new(object, "type", cli_json_text(node->type));
        json_object_set_new(object, "ranks", json_integer(node->n_ranks));
        json_object_set_new(object, "cores", json_integer(node->cores));
        json_object_set_new(object, "allowed_cores", json_integer(node->allowed_cores));
        json_object_set_new(object, "sockets", json_integer(node->sockets));
        json_object_set_new(object, "memory_bytes", cli_json_number(node->memory_bytes));
        json_object_set_new(object, "calibration", cli_json_number(node->calibration));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *rank_json(const parcast_rank_profile *profile)
{
    json_t *object = json_object();
    json_object_set_new(object, "rank", json_integer(profile->rank));
    json_object_set_new(object, "node", json_integer(profile->node));
    json_object_set_new(object, "host", cli_json_text(profile->host));
    json_object_set_new(object, "core", json_integer(profile->core));
    json_object_set_new(object, "time_s", cli_json_number(profile->time_s));
    json_object_set_new(object, "compute_s", cli_json_number(profile->compute_s));
    json_object_set_new(object, "mpi_s", cli_json_number(profile->mpi_s));
    json_object_set_new(object, "wait_s", cli_json_number(profile->wait_s));
    json_object_set_new(object, "io_s", cli_json_number(profile->io_s));
    json_object_set_new(object, "cpu_s", cli_json_number(profile->cpu_s));
    json_object_set_new(object, "startup_s", cli_json_number(profile->startup_s));
    json_object_set_new(object, "shutdown_s", cli_json_number(profile->shutdown_s));
    json_object_set_new(object, "threads", json_integer(profile->n_threads));
    json_object_set_new(object, "peak_memory_bytes", cli_json_number(profile->peak_memory_bytes));
    json_object_set_new(object, "complete", json_boolean(profile->complete));
    json_object_set_new(object, "end", json_string(parcast_profile_end_name(profile->end)));
    if (profile->spawned) json_object_set_new(object, "spawned", json_true());
    return object;
}

static json_t *ranks_json(const parcast_run *run)
{
    json_t *array = json_array();
    for (size_t i = 0; i < run->n_profiles; i++) json_array_append_new(array, rank_json(&run->ranks[i]));
    return array;
}

static parcast_status add_calls(json_t *object, const parcast_run *run, parcast_error *error)
{
    parcast_profile_call *calls = NULL;
    size_t n = 0;
    parcast_status status = parcast_run_calls(run, &calls, &n, error);
    if (status) return status;
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *call = json_object();
        json_object_set_new(call, "name", cli_json_text(calls[i].name));
        json_object_set_new(call, "count", count(calls[i].count));
        json_object_set_new(call, "time_s", cli_json_number(calls[i].time_s));
        json_object_set_new(call, "bytes", count(calls[i].bytes));
        json_object_set_new(call, "wait_s", cli_json_number(calls[i].wait_s));
        json_object_set_new(call, "min_s", cli_json_number(calls[i].min_s));
        json_object_set_new(call, "max_s", cli_json_number(calls[i].max_s));
        json_array_append_new(array, call);
    }
    json_object_set_new(object, "calls", array);
    free(calls);
    return PARCAST_OK;
}

static json_t *messages_json(const parcast_run *run)
{
    parcast_messages messages;
    json_t *object = json_object();
    parcast_run_messages(run, &messages);
    json_object_set_new(object, "count", count(messages.count));
    json_object_set_new(object, "bytes", count(messages.bytes));
    json_object_set_new(object, "same_node_count", count(messages.same_node_count));
    json_object_set_new(object, "same_node_bytes", count(messages.same_node_bytes));
    return object;
}

/* Bytes of a bin: [low, high). */
static void add_bin(json_t *object, int bin)
{
    json_object_set_new(object, "from_bytes", json_real(bin > 0 ? ldexp(1, bin - 1) : 0));
    json_object_set_new(object, "below_bytes",
                        bin < PARCAST_SIZE_BINS - 1 ? json_real(ldexp(1, bin)) : json_null());
}

static parcast_status add_sizes(json_t *object, const parcast_run *run, parcast_error *error)
{
    parcast_profile_sizes *sizes = NULL;
    size_t n = 0;
    parcast_status status = parcast_run_sizes(run, &sizes, &n, error);
    if (status) return status;
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *item = json_object();
        json_object_set_new(item, "class", json_string(parcast_message_class_name(sizes[i].message_class)));
        json_object_set_new(item, "reach", json_string(parcast_reach_name(sizes[i].reach)));
        add_bin(item, sizes[i].bin);
        json_object_set_new(item, "count", count(sizes[i].count));
        json_object_set_new(item, "bytes", count(sizes[i].bytes));
        json_object_set_new(item, "time_s", cli_json_number(sizes[i].time_s));
        json_object_set_new(item, "min_s", cli_json_number(sizes[i].min_s));
        json_array_append_new(array, item);
    }
    json_object_set_new(object, "histogram", array);
    free(sizes);
    return PARCAST_OK;
}

static parcast_status add_collectives(json_t *object, const parcast_run *run, parcast_error *error)
{
    parcast_profile_collective *collectives = NULL;
    size_t n = 0;
    parcast_status status = parcast_run_collectives(run, &collectives, &n, error);
    if (status) return status;
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *item = json_object();
        json_object_set_new(item, "name", cli_json_text(collectives[i].name));
        json_object_set_new(item, "ranks", json_integer(collectives[i].n_ranks));
        json_object_set_new(item, "reach", json_string(parcast_reach_name(collectives[i].reach)));
        add_bin(item, collectives[i].bin);
        json_object_set_new(item, "count", count(collectives[i].count));
        json_object_set_new(item, "bytes", count(collectives[i].bytes));
        json_object_set_new(item, "time_s", cli_json_number(collectives[i].time_s));
        json_object_set_new(item, "min_s", cli_json_number(collectives[i].min_s));
        json_array_append_new(array, item);
    }
    json_object_set_new(object, "collectives", array);
    free(collectives);
    return PARCAST_OK;
}

/* Sparse rows: who sent to whom. */
static json_t *matrix_json(const parcast_run *run)
{
    json_t *array = json_array();
    for (size_t i = 0; i < run->n_profiles; i++) {
        for (size_t k = 0; k < run->ranks[i].n_peers; k++) {
            const parcast_profile_peer *peer = &run->ranks[i].peers[k];
            json_t *item = json_object();
            json_object_set_new(item, "from", json_integer(run->ranks[i].rank));
            json_object_set_new(item, "to", json_integer(peer->rank));
            json_object_set_new(item, "reach", json_string(parcast_reach_name(peer->reach)));
            json_object_set_new(item, "count", count(peer->count));
            json_object_set_new(item, "bytes", count(peer->bytes));
            if (run->ranks[i].spawned) json_object_set_new(item, "spawned", json_true());
            json_array_append_new(array, item);
        }
    }
    return array;
}

static parcast_status add_sites(json_t *object, const parcast_run *run, parcast_error *error)
{
    parcast_profile_site *sites = NULL;
    size_t n = 0;
    parcast_status status = parcast_run_sites(run, &sites, &n, error);
    if (status) return status;
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *item = json_object();
        json_object_set_new(item, "name", cli_json_text(sites[i].name));
        json_object_set_new(item, "module", cli_json_text(sites[i].module));
        json_object_set_new(item, "offset", count(sites[i].offset));
        add_bin(item, sites[i].bin);
        json_object_set_new(item, "count", count(sites[i].count));
        json_object_set_new(item, "bytes", count(sites[i].bytes));
        json_object_set_new(item, "time_s", cli_json_number(sites[i].time_s));
        json_object_set_new(item, "min_s", cli_json_number(sites[i].min_s));
        json_object_set_new(item, "compute_s", cli_json_number(sites[i].compute_s));
        json_array_append_new(array, item);
    }
    json_object_set_new(object, "sites", array);
    free(sites);
    return PARCAST_OK;
}

static json_t *phases_json(const parcast_run *run)
{
    json_t *array = json_array();
    for (size_t i = 0; i < run->n_profiles; i++) {
        for (size_t k = 0; k < run->ranks[i].n_phases; k++) {
            const parcast_profile_phase *phase = &run->ranks[i].phases[k];
            json_t *item = json_object();
            json_object_set_new(item, "rank", json_integer(run->ranks[i].rank));
            json_object_set_new(item, "level", json_integer(phase->level));
            json_object_set_new(item, "count", count(phase->count));
            json_object_set_new(item, "time_s", cli_json_number(phase->time_s));
            json_object_set_new(item, "compute_s", cli_json_number(phase->compute_s));
            json_array_append_new(array, item);
        }
    }
    return array;
}

static void add_scalars(json_t *object, const parcast_run *run)
{
    json_t *arguments = json_array();
    for (size_t i = 0; i < run->n_arguments; i++)
        json_array_append_new(arguments, cli_json_text(run->arguments[i]));
    json_object_set_new(object, "id", json_integer(run->id));
    json_object_set_new(object, "problem", json_integer(run->problem_id));
    json_object_set_new(object, "program", cli_json_text(run->program));
    json_object_set_new(object, "arguments", arguments);
    json_object_set_new(object, "source",
                        json_string(run->source == PARCAST_RUN_IMPORTED ? "imported" : "recorded"));
    json_object_set_new(object, "started_at", cli_json_text(run->started_at));
    json_object_set_new(object, "ranks", json_integer(run->n_ranks));
    json_object_set_new(object, "nodes_used", json_integer(run->n_nodes_used));
    json_object_set_new(object, "mpi", cli_json_text(run->mpi));
    json_object_set_new(object, "launcher", cli_json_text(run->launcher));
    json_object_set_new(object, "placement", cli_json_text(run->placement));
    json_object_set_new(object, "complete", json_boolean(run->complete));
    json_object_set_new(object, "oversubscribed", json_boolean(run->oversubscribed));
    json_object_set_new(object, "weak", json_boolean(run->weak));
    json_object_set_new(object, "exit_status", json_integer(run->exit_status));
    json_object_set_new(object, "time_s", cli_json_number(run->time_s));
    json_object_set_new(object, "wall_s", cli_json_number(run->wall_s));
    json_object_set_new(object, "compute_s", cli_json_number(run->compute_s));
    json_object_set_new(object, "mpi_s", cli_json_number(run->mpi_s));
    json_object_set_new(object, "wait_s", cli_json_number(run->wait_s));
    json_object_set_new(object, "imbalance_ratio", cli_json_number(run->imbalance_ratio));
    json_object_set_new(object, "load_average", cli_json_number(run->load_average));
    json_object_set_new(object, "notes", lines(run->notes));
}

parcast_status cli_study_add_run(json_t *study, const parcast_run *run, bool details, parcast_error *error)
{
    json_t *object = json_object();
    add_scalars(object, run);
    json_object_set_new(object, "nodes", nodes_json(run));
    json_object_set_new(object, "ranks_detail", ranks_json(run));
    json_object_set_new(object, "messages", messages_json(run));
    parcast_status status = add_calls(object, run, error);
    if (details) {
        json_object_set_new(object, "matrix", matrix_json(run));
        json_object_set_new(object, "phases", phases_json(run));
        if (!status) status = add_sizes(object, run, error);
        if (!status) status = add_collectives(object, run, error);
        if (!status) status = add_sites(object, run, error);
    }
    json_array_append_new(json_object_get(study, "runs"), object);
    return status;
}

parcast_status cli_study_add_trace(json_t *json, parcast_study *study, int64_t run_id, parcast_error *error)
{
    const json_t *runs = json_object_get(json, "runs");
    json_t *run = json_array_get(runs, json_array_size(runs) - 1);
    parcast_study_trace_file trace;
    parcast_status status = parcast_study_trace(study, run_id, &trace, error);
    if (status == PARCAST_NOT_FOUND) return PARCAST_OK;
    if (status) return status;
    json_t *object = json_pack("{s:o, s:I, s:I}", "file", cli_json_text(trace.file), "bytes",
                               (json_int_t)trace.bytes, "n_events", (json_int_t)trace.n_events);
    json_object_set_new(object, "gaps", cli_json_text(trace.gaps));
    json_object_set_new(run, "trace", object);
    parcast_study_trace_clear(&trace);
    return PARCAST_OK;
}
