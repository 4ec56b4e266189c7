/* parcast.replay/1 */
#include "replay_print.h"

static json_t *ranks_of(const parcast_replay_result *result)
{
    json_t *ranks = json_array();
    for (int r = 0; r < result->n_ranks; r++)
        json_array_append_new(ranks, json_pack("{s:f,s:f,s:f,s:f}", "end_s", result->ranks[r].end_s,
                                               "compute_s", result->ranks[r].compute_s, "communication_s",
                                               result->ranks[r].communication_s, "waiting_s",
                                               result->ranks[r].waiting_s));
    return ranks;
}

static json_t *path_of(const parcast_replay_path *path)
{
    if (path->rank < 0) return json_null();
    json_t *parts = json_array();
    for (size_t i = 0; i < path->n_parts; i++) {
        const parcast_replay_share *part = &path->parts[i];
        json_array_append_new(parts, json_pack("{s:o,s:s?,s:f}", "rank",
                                               part->rank < 0 ? json_null() : json_integer(part->rank),
                                               "node_type", part->node_type, "compute_s", part->compute_s));
    }
    json_t *operations = json_array();
    for (size_t i = 0; i < path->n_operations; i++)
        json_array_append_new(operations, json_pack("{s:s,s:f}", "name", path->operations[i].name, "time_s",
                                                    path->operations[i].time_s));
    return json_pack("{s:i,s:I,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:o,s:o}", "rank", path->rank, "messages",
                     (json_int_t)path->messages, "compute_s", path->compute_s, "shared_cores_s",
                     path->cores_s, "sleep_s", path->sleep_s, "overhead_s", path->overhead_s, "gap_s",
                     path->gap_s, "latency_s", path->latency_s, "transfer_s", path->transfer_s,
                     "shared_links_s", path->sharing_s, "compute", parts, "operations", operations);
}

static json_t *phases_of(const struct replay_report *report)
{
    json_t *phases = json_array();
    for (size_t i = 0; i < report->result->n_phases; i++) {
        const parcast_replay_phase *phase = &report->result->phases[i];
        json_array_append_new(
            phases, json_pack("{s:o,s:b,s:f,s:f,s:f,s:f,s:o,s:i}", "name", cli_json_text(phase->name),
                              "iteration", phase->iteration, "time_s", phase->time_s, "compute_s",
                              phase->compute_s, "communication_s", phase->communication_s, "waiting_s",
                              phase->waiting_s, "efficiency_ratio",
                              cli_json_number(phase->compute_s / phase->time_s), "nodes", report->n_nodes));
    }
    return phases;
}

static json_t *matrix_of(const parcast_replay_result *result)
{
    json_t *pairs = json_array();
    for (size_t i = 0; i < result->n_pairs; i++)
        json_array_append_new(pairs, json_pack("{s:i,s:i,s:I,s:I}", "source", result->pairs[i].source,
                                               "destination", result->pairs[i].destination, "messages",
                                               (json_int_t)result->pairs[i].messages, "bytes",
                                               (json_int_t)result->pairs[i].bytes));
    return pairs;
}

static json_t *collectives_of(const struct replay_report *report)
{
    static const char *const words[] = {[PARCAST_COLLECTIVES_USUAL] = "default",
                                        [PARCAST_COLLECTIVES_OPTION] = "option",
                                        [PARCAST_COLLECTIVES_PLATFORM] = "platform",
                                        [PARCAST_COLLECTIVES_RECORDING] = "recording"};
    const parcast_replay_collectives *collectives = &report->result->collectives;
    if (!collectives->table) return json_null();
    json_t *algorithms = json_object();
    for (unsigned c = 0; c < PARCAST_COLLECTIVES; c++)
        if (report->algorithms[c])
            json_object_set_new(algorithms, parcast_collective_name((parcast_collective)c),
                                json_string(report->algorithms[c]));
    return json_pack("{s:s,s:s,s:o,s:o,s:o}", "table", collectives->table, "chosen_by",
                     words[collectives->from], "file", cli_json_text(collectives->file), "recorded_with",
                     cli_json_text(collectives->mpi), "algorithms", algorithms);
}

static json_t *what_ifs_of(const struct replay_report *report)
{
    json_t *list = json_array();
    for (int i = 0; i < report->n_what_ifs; i++) {
        const struct replay_what_if *w = &report->what_ifs[i];
        json_array_append_new(list, json_pack("{s:s,s:f,s:o,s:o}", "name", w->name, "time_s", w->time_s,
                                              "saving_ratio", cli_json_number(w->saving_ratio),
                                              "path_saving_ratio", cli_json_number(w->at_most_ratio)));
    }
    return list;
}

static json_t *timeline_of(const struct replay_report *report)
{
    return json_pack("{s:o,s:I,s:I}", "file", cli_json_text(report->timeline), "states",
                     (json_int_t)report->drawn.n_states, "messages", (json_int_t)report->drawn.n_messages);
}

void replay_print_json(const struct replay_report *report)
{
    const parcast_replay_result *result = report->result;
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_string("parcast.replay/1"));
    json_object_set_new(object, "time_s", json_real(result->time_s));
    json_object_set_new(object, "ranks", ranks_of(result));
    json_object_set_new(object, "messages", json_integer((json_int_t)result->n_messages));
    json_object_set_new(object, "events", json_integer((json_int_t)result->n_events));
    json_object_set_new(object, "wall_s", json_real(result->wall_s));
    json_object_set_new(object, "peak_memory_bytes", json_integer((json_int_t)result->peak_memory_bytes));
    json_object_set_new(object, "phases", phases_of(report));
    json_object_set_new(object, "collectives", collectives_of(report));
    json_object_set_new(object, "critical_path", path_of(&result->path));
    if (report->show_pairs) json_object_set_new(object, "matrix", matrix_of(result));
    if (report->n_what_ifs) json_object_set_new(object, "what_if", what_ifs_of(report));
    if (report->timeline) json_object_set_new(object, "timeline", timeline_of(report));
    cli_print_json(object);
}
