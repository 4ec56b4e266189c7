/* A plan as parcast.plan/1 (docs/formats/plan.md). Quantities that are not known are null. */
#include <jansson.h>

#include "core/json.h"
#include "parcast/plan.h"

static json_t *stretch_json(const parcast_stretch *s)
{
    return json_pack("{s:I, s:I, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "from_iteration",
                     (json_int_t)s->from_iteration, "iterations", (json_int_t)s->n_iterations, "nodes",
                     s->nodes, "processes", s->processes, "predicted_s", json_of_number(s->time_s), "start_s",
                     json_of_number(s->start_s), "move_s", json_of_number(s->move_s), "startup_s",
                     json_of_number(s->startup_s), "cost", json_of_number(s->cost), "efficiency_ratio",
                     json_of_number(s->efficiency_ratio));
}

static json_t *move_json(const parcast_move_model *m)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "stop_s",
                     json_of_number(m->stop_s), "bytes", json_of_number(m->bytes), "save_bytes_per_s",
                     json_of_number(m->save_bytes_per_s), "move_bytes_per_s",
                     json_of_number(m->move_bytes_per_s), "launch_s", json_of_number(m->launch_s),
                     "launch_per_rank_s", json_of_number(m->launch_per_rank_s), "launch_per_node_s",
                     json_of_number(m->launch_per_node_s), "begin_s", json_of_number(m->begin_s), "overlaps",
                     m->overlaps, "resume_s", json_of_number(m->resume_s));
}

char *parcast_plan_json(const parcast_malleable *malleable, const parcast_plan *plan)
{
    json_t *schedule = json_array(), *notes = json_array();
    for (size_t i = 0; i < plan->n_stretches; i++)
        json_array_append_new(schedule, stretch_json(&plan->stretches[i]));
    for (size_t i = 0; i < malleable->n_notes; i++)
        json_array_append_new(notes, json_of_text(malleable->notes[i]));
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:o, "
        "s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}",
        "schema", "parcast.plan/1", "engine", parcast_engine_name(malleable->engine), "program",
        json_of_text(malleable->program), "arguments", json_of_text(malleable->arguments), "platform",
        json_of_text(malleable->platform), "currency", json_of_text(malleable->currency), "elastic",
        plan->elastic, "deadline_s", json_of_number(plan->goal.deadline_s), "budget",
        json_of_number(plan->goal.budget), "met", plan->deadline_met && plan->budget_met, "deadline_met",
        plan->deadline_met, "budget_met", plan->budget_met, "time_s", json_of_number(plan->time_s), "low_s",
        json_of_number(plan->low_s), "high_s", json_of_number(plan->high_s), "cost",
        json_of_number(plan->cost), "cost_low", json_of_number(plan->cost_low), "cost_high",
        json_of_number(plan->cost_high), "efficiency_ratio", json_of_number(plan->efficiency_ratio), "node_s",
        json_of_number(plan->node_s), "bound", json_of_number(plan->bound), "iterations",
        (json_int_t)parcast_malleable_iterations(malleable), "reason", json_of_text(plan->reason),
        "move_model", move_json(&malleable->move), "schedule", schedule, "notes", notes);
    if (!object) return NULL;
    char *json = json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(object);
    return json;
}
