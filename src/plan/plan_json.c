/* A plan as parcast.plan/1 (docs/formats/plan.md). Quantities that are not known are null. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "parcast/plan.h"

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Names come from files and command lines: bytes that are no UTF-8 become question marks. */
static json_t *text(const char *value)
{
    json_t *string = json_string(value);
    if (string) return string;
    size_t n = 0;
    char copy[1024];
    for (; value[n] && n + 1 < sizeof copy; n++) copy[n] = (unsigned char)value[n] < 0x80 ? value[n] : '?';
    copy[n] = '\0';
    return json_string(copy);
}

static json_t *stretch_json(const parcast_stretch *s)
{
    return json_pack("{s:I, s:I, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "from_iteration",
                     (json_int_t)s->from_iteration, "iterations", (json_int_t)s->n_iterations, "nodes",
                     s->nodes, "processes", s->processes, "predicted_s", number(s->time_s), "start_s",
                     number(s->start_s), "move_s", number(s->move_s), "startup_s", number(s->startup_s),
                     "cost", number(s->cost), "efficiency_ratio", number(s->efficiency_ratio));
}

static json_t *move_json(const parcast_move_model *m)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "stop_s", number(m->stop_s),
                     "bytes", number(m->bytes), "save_bytes_per_s", number(m->save_bytes_per_s),
                     "move_bytes_per_s", number(m->move_bytes_per_s), "launch_s", number(m->launch_s),
                     "launch_per_rank_s", number(m->launch_per_rank_s), "launch_per_node_s",
                     number(m->launch_per_node_s), "begin_s", number(m->begin_s), "overlaps", m->overlaps,
                     "resume_s", number(m->resume_s));
}

char *parcast_plan_json(const parcast_malleable *malleable, const parcast_plan *plan)
{
    json_t *schedule = json_array(), *notes = json_array();
    for (size_t i = 0; i < plan->n_stretches; i++)
        json_array_append_new(schedule, stretch_json(&plan->stretches[i]));
    for (size_t i = 0; i < malleable->n_notes; i++) json_array_append_new(notes, text(malleable->notes[i]));
    json_t *object =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:o, "
                  "s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}",
                  "schema", "parcast.plan/1", "engine", parcast_engine_name(malleable->engine), "program",
                  text(malleable->program), "arguments", text(malleable->arguments), "platform",
                  text(malleable->platform), "currency", text(malleable->currency), "elastic", plan->elastic,
                  "deadline_s", number(plan->goal.deadline_s), "budget", number(plan->goal.budget), "met",
                  plan->deadline_met && plan->budget_met, "deadline_met", plan->deadline_met, "budget_met",
                  plan->budget_met, "time_s", number(plan->time_s), "low_s", number(plan->low_s), "high_s",
                  number(plan->high_s), "cost", number(plan->cost), "cost_low", number(plan->cost_low),
                  "cost_high", number(plan->cost_high), "efficiency_ratio", number(plan->efficiency_ratio),
                  "node_s", number(plan->node_s), "bound", number(plan->bound), "iterations",
                  (json_int_t)parcast_malleable_iterations(malleable), "reason", text(plan->reason),
                  "move_model", move_json(&malleable->move), "schedule", schedule, "notes", notes);
    if (!object) return NULL;
    char *json = json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(object);
    return json;
}
