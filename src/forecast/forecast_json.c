/* A forecast as parcast.forecast/1 (docs/formats/forecast.md). Quantities that are not known are null. */
#include <jansson.h>

#include "core/json.h"
#include "parcast/forecast.h"

static json_t *nodes_json(const parcast_forecast *f, const parcast_point *p, const parcast_platform *platform)
{
    (void)f;
    json_t *nodes = json_array();
    for (size_t g = 0; g < p->placement->n_groups; g++) {
        const parcast_placement_group *group = &p->placement->groups[g];
        json_array_append_new(nodes, json_pack("{s:o, s:i, s:i}", "type",
                                               json_of_text(platform->types[group->type].name), "count",
                                               group->n_nodes, "ranks", group->n_ranks));
    }
    return nodes;
}

static json_t *point_json(const parcast_forecast *f, const parcast_point *p, const parcast_platform *platform)
{
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o}}",
                     "processes", p->processes, "nodes", nodes_json(f, p, platform), "time_s",
                     json_of_number(p->time_s), "low_s", json_of_number(p->low_s), "high_s",
                     json_of_number(p->high_s), "compute_s", json_of_number(p->compute_s), "communication_s",
                     json_of_number(p->communication_s), "efficiency_ratio",
                     json_of_number(p->efficiency_ratio), "speedup", json_of_number(p->speedup), "cost",
                     json_of_number(p->cost), "limit", p->limit[0] ? json_of_text(p->limit) : json_null(),
                     "sensitivity", "speed", json_of_number(p->sensitivity[0]), "bandwidth",
                     json_of_number(p->sensitivity[1]), "latency", json_of_number(p->sensitivity[2]),
                     "memory", json_of_number(p->sensitivity[3]));
}

static json_t *best_json(const parcast_forecast *f, int index)
{
    if (index < 0) return json_null();
    const parcast_point *p = &f->points[index];
    return json_pack("{s:i, s:i, s:o, s:o}", "processes", p->processes, "nodes", p->placement->n_nodes,
                     "time_s", json_of_number(p->time_s), "cost", json_of_number(p->cost));
}

static json_t *notes_json(char *const *notes, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(array, json_of_text(notes[i]));
    return array;
}

static json_t *parameters_json(const parcast_fit_report *r)
{
    json_t *array = json_array();
    for (size_t i = 0; i < r->n_parameters; i++) {
        const parcast_parameter *p = &r->parameters[i];
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:s, s:s}", "name", p->name,
                             "unit", p->unit, "value", json_of_number(p->value), "low",
                             json_of_number(p->low), "high", json_of_number(p->high), "sd_ln",
                             json_of_number(p->sd_ln), "prior_only", p->prior_only, "identifiable",
                             p->identifiable, "fixed", p->fixed, "note", p->note, "advice", p->advice));
    }
    return array;
}

static json_t *runs_json(const parcast_fit_report *r)
{
    json_t *array = json_array();
    for (size_t i = 0; i < r->n_runs; i++) {
        const parcast_used_run *run = &r->runs[i];
        json_array_append_new(
            array, json_pack("{s:I, s:i, s:i, s:o, s:o, s:o, s:o, s:b, s:b}", "id", (json_int_t)run->id,
                             "processes", run->processes, "nodes", run->nodes, "weight",
                             json_of_number(run->weight), "time_s", json_of_number(run->time_s), "fitted_s",
                             json_of_number(run->fitted_s), "left_out_s", json_of_number(run->left_out_s),
                             "oversubscribed", run->oversubscribed, "held_out", run->held_out));
    }
    return array;
}

static json_t *report_json(const parcast_fit_report *r)
{
    json_t *functions = json_array();
    for (size_t i = 0; i < r->n_functions; i++)
        json_array_append_new(functions, json_pack("{s:s, s:s, s:o}", "quantity", r->functions[i].quantity,
                                                   "form", r->functions[i].form, "loo_ratio",
                                                   json_of_number(r->functions[i].loo_ratio)));
    return json_pack("{s:b, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "empirical", r->empirical,
                     "parameters", parameters_json(r), "functions", functions, "runs", runs_json(r), "rank",
                     r->rank, "condition", json_of_number(r->condition), "loo_mean_ratio",
                     json_of_number(r->loo_mean_ratio), "loo_worst_ratio", json_of_number(r->loo_worst_ratio),
                     "extrapolation_ratio", json_of_number(r->extrapolation_ratio), "notes",
                     notes_json(r->notes, r->n_notes));
}

static json_t *advice_json(const parcast_forecast *f)
{
    json_t *array = json_array();
    for (size_t i = 0; i < f->n_advice; i++)
        json_array_append_new(array, json_pack("{s:i, s:i, s:o, s:o}", "processes", f->advice[i].processes,
                                               "nodes", f->advice[i].nodes, "gain_ratio",
                                               json_of_number(f->advice[i].gain_ratio), "cost",
                                               json_of_number(f->advice[i].cost)));
    return array;
}

char *parcast_forecast_json(const parcast_forecast *f, const parcast_platform *platform)
{
    json_t *points = json_array();
    for (size_t i = 0; i < f->n_points; i++)
        json_array_append_new(points, point_json(f, &f->points[i], platform));
    json_t *best =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "fastest", best_json(f, f->best.fastest), "cheapest",
                  best_json(f, f->best.cheapest), "turning_point", best_json(f, f->best.turning_point),
                  "under_deadline", best_json(f, f->best.under_deadline), "under_budget",
                  best_json(f, f->best.under_budget));
    json_t *object = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                               "schema", "parcast.forecast/1", "engine", parcast_engine_name(f->engine),
                               "program", json_of_text(f->program), "arguments", json_of_text(f->arguments),
                               "platform", json_of_text(f->platform), "currency", json_of_text(f->currency),
                               "policy", f->policy == PARCAST_FILL ? "fill" : "spread", "deadline_s",
                               json_of_number(f->deadline_s), "budget", json_of_number(f->budget), "points",
                               points, "best", best, "report", report_json(f->report), "advice",
                               advice_json(f), "notes", notes_json(f->notes, f->n_notes));
    if (!object) return NULL;
    char *json = json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(object);
    return json;
}
