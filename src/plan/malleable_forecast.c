/* A malleable program from a forecast: one point for each node count, all slots of its nodes filled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/malleable.h"

/* The platform with as many cores on a node as it is given ranks; everything else is lent. */
static parcast_node_type *types_with_slots(const parcast_platform *platform, int ranks_per_node)
{
    parcast_node_type *types = calloc(platform->n_types, sizeof *types);
    if (!types) return NULL;
    memcpy(types, platform->types, platform->n_types * sizeof *types);
    for (size_t t = 0; t < platform->n_types; t++) {
        types[t].cores = ranks_per_node;
        types[t].sockets = 1;
    }
    return types;
}

/* More ranks than cores would need a forecast of a crowded node: the cores are given out as they are. */
static parcast_status check_slots(const parcast_platform *platform, int ranks_per_node, parcast_error *error)
{
    for (size_t t = 0; t < platform->n_types; t++)
        if (ranks_per_node > platform->types[t].cores)
            return parcast_error_set(error, PARCAST_INVALID, platform->name, 0,
                                     "%d ranks a node, but node type '%s' has %d cores", ranks_per_node,
                                     platform->types[t].name, platform->types[t].cores);
    return PARCAST_OK;
}

static parcast_status forecast_sizes(const parcast_predictor *predictor, const parcast_platform *platform,
                                     bool other_machine, const parcast_malleable *m,
                                     parcast_forecast **forecast, parcast_error *error)
{
    int *counts = calloc(m->n_sizes, sizeof *counts);
    if (!counts) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    for (size_t q = 0; q < m->n_sizes; q++) counts[q] = m->sizes[q].processes;
    parcast_forecast_options options = {.counts = counts,
                                        .n_counts = m->n_sizes,
                                        .policy = PARCAST_FILL,
                                        .other_machine = other_machine,
                                        .deadline_s = NAN,
                                        .budget = NAN};
    parcast_status status = parcast_forecast_create(predictor, platform, &options, forecast, error);
    free(counts);
    return status;
}

/* An interval of a forecast is 1.96 standard deviations of ln time to either side. */
static double sd_ln_of(const parcast_point *point)
{
    double sd = log(point->high_s / point->low_s) / (2 * 1.96);
    return isfinite(sd) && sd > 0 ? sd : 0;
}

static parcast_status fill_from(parcast_malleable *m, const parcast_forecast *f, parcast_error *error)
{
    struct size_time *times = calloc(m->n_sizes, sizeof *times);
    if (!times) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    for (size_t q = 0; q < m->n_sizes; q++) {
        const parcast_point *point = &f->points[q];
        bool split = isfinite(point->compute_s) && point->compute_s >= 0 && point->compute_s <= point->time_s;
        times[q].compute_s = split ? point->compute_s : point->time_s;
        times[q].communication_s = point->time_s - times[q].compute_s;
        m->sizes[q].sd_ln = sd_ln_of(point);
        m->sizes[q].capacity = point->speedup / point->efficiency_ratio;
    }
    malleable_fill(m, f->points[0].speedup * f->points[0].time_s, times);
    free(times);
    return PARCAST_OK;
}

static parcast_status name_program(parcast_malleable *m, parcast_forecast *f, const parcast_run *run,
                                   parcast_error *error)
{
    parcast_status status = run ? parcast_forecast_set_program(f, run, error) : PARCAST_OK;
    if (status) return status;
    char *program = strdup(f->program), *arguments = strdup(f->arguments);
    if (!program || !arguments) {
        free(program);
        free(arguments);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    }
    free(m->program);
    free(m->arguments);
    m->program = program;
    m->arguments = arguments;
    return PARCAST_OK;
}

parcast_status parcast_malleable_create(const parcast_predictor *predictor, const parcast_platform *platform,
                                        const parcast_run *reference,
                                        const parcast_malleable_options *options,
                                        parcast_malleable **malleable, parcast_error *error)
{
    parcast_malleable *m = NULL;
    parcast_forecast *forecast = NULL;
    parcast_platform slots = *platform;
    parcast_node_type *types = NULL;
    int ranks = options ? options->ranks_per_node : 0;
    if (ranks > 0) {
        if (check_slots(platform, ranks, error)) return PARCAST_INVALID;
        types = types_with_slots(platform, ranks);
        if (!types) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
        slots.types = types;
    }
    parcast_status status = malleable_begin(&slots, options, &m, error);
    if (!status)
        status = forecast_sizes(predictor, &slots, options && options->other_machine, m, &forecast, error);
    /* The analyzer does not see that a forecast is set on success. */
    if (!status && forecast) status = fill_from(m, forecast, error);
    if (!status && forecast) status = name_program(m, forecast, reference, error);
    if (!status && forecast) m->engine = forecast->engine;
    parcast_forecast_destroy(&forecast);
    free(types);
    if (status)
        parcast_malleable_destroy(&m);
    else
        *malleable = m;
    return status;
}
