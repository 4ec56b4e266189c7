/* The bound of an estimate on a platform: engine `bound` asked for every count of the list. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "parcast/forecast.h"

/* ---- what crosses between nodes ---- */

/* Node of a rank when nodes are filled one after the other. */
static size_t node_of(const parcast_placement *placement, size_t rank)
{
    size_t node = 0;
    for (size_t g = 0; g < placement->n_groups; g++) {
        size_t on_node = (size_t)placement->groups[g].n_ranks, n = (size_t)placement->groups[g].n_nodes;
        if (rank < on_node * n) return node + rank / on_node;
        rank -= on_node * n;
        node += n;
    }
    return node - 1;
}

/* The same blocks with those of a node taken together. */
static parcast_status gather(const parcast_flow *flow, const parcast_placement *placement,
                             parcast_flow *between, parcast_error *error)
{
    size_t p = flow->processes, n = (size_t)placement->n_nodes;
    uint64_t *matrix = calloc(n * n, sizeof *matrix), words = 0;
    if (!matrix) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu nodes", n);
    for (size_t a = 0; a < p; a++)
        for (size_t b = 0; b < p; b++) {
            size_t from = node_of(placement, a), to = node_of(placement, b);
            if (from == to) continue;
            matrix[from * n + to] += flow->matrix[a * p + b];
            words += flow->matrix[a * p + b];
        }
    *between = (parcast_flow){.processes = n, .words = words, .matrix = matrix};
    between->bytes =
        flow->words ? (uint64_t)llround((double)words * (double)flow->bytes / (double)flow->words) : 0;
    return PARCAST_OK;
}

static bool is_known(const struct estimate *estimate, int n_nodes)
{
    for (size_t i = 0; i < estimate->n_points; i++)
        if (estimate->points[i].flow.processes == (size_t)n_nodes) return true;
    for (size_t i = 0; i < estimate->n_between; i++)
        if (estimate->between[i].processes == n_nodes) return true;
    return n_nodes < 2;
}

static parcast_status count_between(struct estimate *estimate, const struct estimate_point *point,
                                    const parcast_placement *placement, parcast_error *error)
{
    parcast_flow flow = {0}, block = {0};
    if (is_known(estimate, placement->n_nodes)) return PARCAST_OK;
    parcast_status status = estimate->is_grid
                                ? gather(&point->flow, placement, &flow, error)
                                : parcast_values_minimum(estimate->values, (size_t)placement->n_nodes,
                                                         estimate->extent, &flow, &block, error);
    if (!status)
        estimate->between[estimate->n_between++] = (parcast_estimate_volume){
            placement->n_nodes, (double)flow.bytes, block.processes ? (double)block.bytes : NAN,
            estimate_largest_bytes(&flow)};
    parcast_flow_clear(&flow);
    parcast_flow_clear(&block);
    return status;
}

/* ---- bounds ---- */

static const parcast_estimate_volume *volume_at(const parcast_estimate *made, int processes)
{
    for (size_t i = 0; i < made->n_volumes; i++)
        if (made->volumes[i].processes == processes) return &made->volumes[i];
    return NULL;
}

/* Volumes of the points and of the numbers of nodes between them. */
static parcast_status collect_volumes(const struct estimate *estimate, parcast_estimate *made,
                                      parcast_error *error)
{
    made->volumes = calloc(estimate->n_points + estimate->n_between + 1, sizeof *made->volumes);
    if (!made->volumes) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a bound");
    for (size_t i = 0; i < estimate->n_points; i++) {
        const struct estimate_point *point = &estimate->points[i];
        if (point->flow.processes < 2) continue;
        made->volumes[made->n_volumes++] = (parcast_estimate_volume){
            (int)point->flow.processes, (double)point->flow.bytes,
            point->block.processes ? (double)point->block.bytes : NAN, estimate_largest_bytes(&point->flow)};
    }
    for (size_t i = 0; i < estimate->n_between; i++) made->volumes[made->n_volumes++] = estimate->between[i];
    return PARCAST_OK;
}

/* The same with nothing hidden, and with the part that has most to send or receive instead of the mean part.
 */
static void set_variants(struct estimate_point *point, const parcast_estimate_volume *volume,
                         double network_s, double overlap_ratio)
{
    double largest_s = network_s;
    if (volume && volume->bytes > 0) largest_s *= volume->largest_bytes * volume->processes / volume->bytes;
    point->network_s = network_s;
    point->overlap_ratio = overlap_ratio;
    point->roofline_s = point->compute_s + network_s * (1 - overlap_ratio); /* (5) */
    point->largest_s = fmax(point->compute_s + largest_s * (1 - overlap_ratio), largest_s);
}

struct predictors {
    parcast_predictor *bound, *no_overlap;
};

/* What computing hides: given, or the platform's. */
static double overlap_of(const struct estimate *estimate)
{
    double ratio = estimate->figures.overlap_ratio;
    if (isnan(ratio)) ratio = parcast_platform_overlap(estimate->platform);
    return isnan(ratio) ? 0 : ratio;
}

static parcast_status bound_point(const struct estimate *estimate, const struct predictors *predictors,
                                  const parcast_estimate *made, const parcast_placement *placement,
                                  struct estimate_point *point, parcast_error *error)
{
    const parcast_platform *platform = estimate->platform;
    parcast_point bound, no_overlap;
    parcast_status status = parcast_predictor_point(predictors->bound, platform, placement, &bound, error);
    if (!status)
        status = parcast_predictor_point(predictors->no_overlap, platform, placement, &no_overlap, error);
    if (status) return status;
    point->bounded = true;
    point->nodes = placement->n_nodes;
    point->time_s = bound.time_s;
    point->low_s = bound.low_s;
    point->high_s = bound.high_s;
    point->compute_s = bound.compute_s;
    point->communication_s = bound.communication_s;
    point->efficiency_ratio = bound.compute_s / bound.time_s; /* (1): T1 / (S T) */
    set_variants(point, volume_at(made, placement->n_nodes), no_overlap.communication_s,
                 overlap_of(estimate));
    return PARCAST_OK;
}

static void say_source(struct estimate *estimate, const parcast_fit_report *report)
{
    for (size_t i = 0; i < report->n_parameters; i++) {
        const parcast_parameter *p = &report->parameters[i];
        if (strcmp(p->name, "time on one core") == 0)
            snprintf(estimate->bound_from, sizeof estimate->bound_from, "%s", p->note);
        if (strcmp(p->name, "overlap") == 0)
            snprintf(estimate->overlap_from, sizeof estimate->overlap_from, "%s", p->note);
    }
    for (size_t i = 0; i < report->n_notes; i++)
        if (strstr(report->notes[i], "probed")) cli_warn(estimate->common, "%s", report->notes[i]);
}

static parcast_status bound_points(struct estimate *estimate, parcast_placement *const *placements,
                                   parcast_error *error)
{
    size_t n = 0;
    while (estimate->argv[1 + n]) n++;
    parcast_estimate made = {.program = (char *)estimate->argv[0],
                             .arguments = (char **)(estimate->argv + 1),
                             .n_arguments = n,
                             .flop = (double)estimate->summary.flop,
                             .serial_s = estimate->serial_s,
                             .calibration = estimate->calibration,
                             .figures = estimate->figures};
    parcast_bound_basis basis = {.estimates = &made, .n_estimates = 1, .figures = estimate->figures};
    parcast_fit_options options = {.bound = &basis};
    struct predictors predictors = {0};
    parcast_status status = collect_volumes(estimate, &made, error);
    if (!status)
        status = parcast_predictor_create(PARCAST_ENGINE_BOUND, NULL, 0, estimate->platform, &options,
                                          &predictors.bound, error);
    basis.figures.overlap_ratio = 0;
    if (!status)
        status = parcast_predictor_create(PARCAST_ENGINE_BOUND, NULL, 0, estimate->platform, &options,
                                          &predictors.no_overlap, error);
    if (!status) say_source(estimate, parcast_predictor_report(predictors.bound));
    for (size_t i = 0; i < estimate->n_points && !status; i++)
        if (placements[i])
            status = bound_point(estimate, &predictors, &made, placements[i], &estimate->points[i], error);
    parcast_predictor_destroy(&predictors.bound);
    parcast_predictor_destroy(&predictors.no_overlap);
    free(made.volumes);
    return status;
}

/* More processes than the platform has cores: no bound there. */
static parcast_status place_points(struct estimate *estimate, parcast_placement **placements,
                                   parcast_error *error)
{
    for (size_t i = 0; i < estimate->n_points; i++) {
        struct estimate_point *point = &estimate->points[i];
        parcast_status status = parcast_placement_create(estimate->platform, (int)point->flow.processes,
                                                         PARCAST_FILL, false, &placements[i], error);
        if (status == PARCAST_DATA) {
            cli_note(estimate->common, "no bound for %zu processes: '%s' has %d cores", point->flow.processes,
                     estimate->platform->name, parcast_platform_cores(estimate->platform));
            continue;
        }
        if (!status) status = count_between(estimate, point, placements[i], error);
        if (status) return status;
    }
    return PARCAST_OK;
}

parcast_status estimate_bound(struct estimate *estimate, parcast_error *error)
{
    parcast_placement **placements = calloc(estimate->n_points + 1, sizeof(parcast_placement *));
    estimate->between = calloc(estimate->n_points + 1, sizeof *estimate->between);
    if (!placements || !estimate->between) {
        free(placements);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a bound");
    }
    parcast_status status = place_points(estimate, placements, error);
    if (!status) status = bound_points(estimate, placements, error);
    for (size_t i = 0; i < estimate->n_points; i++) parcast_placement_destroy(&placements[i]);
    free(placements);
    return status;
}
