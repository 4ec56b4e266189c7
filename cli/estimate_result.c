/* An estimate as JSON, as a table, in a study. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "estimate.h"
#include "parcast/study.h"
#include "parcast/units.h"
#include "table.h"

double estimate_largest_bytes(const parcast_flow *flow)
{
    uint64_t most = 0;
    for (size_t a = 0; a < flow->processes; a++) {
        uint64_t out = 0, in = 0;
        for (size_t b = 0; b < flow->processes; b++) {
            out += flow->matrix[a * flow->processes + b];
            in += flow->matrix[b * flow->processes + a];
        }
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return flow->words ? (double)most * (double)flow->bytes / (double)flow->words : 0;
}

/* Bytes sent for each operation; null for codes without floating-point operations. */
static json_t *intensity(const struct estimate *estimate, const parcast_flow *flow)
{
    return estimate->summary.flop ? json_real((double)flow->bytes / (double)estimate->summary.flop)
                                  : json_null();
}

static json_t *matrix(const parcast_flow *flow)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < flow->processes; i++) {
        json_t *row = json_array();
        for (size_t j = 0; j < flow->processes; j++)
            json_array_append_new(row, json_integer((json_int_t)flow->matrix[i * flow->processes + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *bound_json(const struct estimate_point *point)
{
    if (!point->bounded) return json_null();
    return json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "nodes", point->nodes, "low_s",
                     point->low_s, "high_s", point->high_s, "compute_s", point->compute_s, "communication_s",
                     point->communication_s, "network_s", point->network_s, "overlap_ratio",
                     point->overlap_ratio, "roofline_time_s", point->roofline_s, "largest_part_time_s",
                     point->largest_s);
}

/* A source or a sink costs p - 1 words for each of its values, a reduction that everybody reads twice that.
 */
static double singleton_words(const struct estimate *estimate, size_t processes)
{
    double versions = 0;
    for (size_t i = 0; i < estimate->n_singletons; i++)
        versions +=
            (double)estimate->singletons[i].read_versions + (double)estimate->singletons[i].summed_versions;
    return versions * (double)(processes - 1);
}

static json_t *point_json(const struct estimate *estimate, const struct estimate_point *point)
{
    const parcast_flow *flow = &point->flow, *block = &point->block;
    json_t *object = json_object();
    json_object_set_new(object, "processes", json_integer((json_int_t)flow->processes));
    json_object_set_new(object, "words", json_integer((json_int_t)flow->words));
    json_object_set_new(object, "words_block",
                        block->processes ? json_integer((json_int_t)block->words) : json_null());
    json_object_set_new(object, "decomposition", json_string(flow->decomposition));
    json_object_set_new(object, "bytes", json_integer((json_int_t)flow->bytes));
    json_object_set_new(object, "decomposition_block",
                        block->processes ? json_string(block->decomposition) : json_null());
    json_object_set_new(object, "bytes_block",
                        block->processes ? json_integer((json_int_t)block->bytes) : json_null());
    json_object_set_new(object, "singleton_words", json_real(singleton_words(estimate, flow->processes)));
    json_object_set_new(object, "largest_part_words", json_integer((json_int_t)flow->largest_part_words));
    json_object_set_new(object, "largest_part_bytes", json_real(estimate_largest_bytes(flow)));
    json_object_set_new(object, "messages", json_integer((json_int_t)flow->messages));
    json_object_set_new(object, "imbalance_ratio", json_real(flow->imbalance_ratio));
    json_object_set_new(object, "intensity_bytes_per_flop", intensity(estimate, flow));
    json_object_set_new(object, "efficiency_bound_ratio",
                        point->bounded ? cli_json_number(point->efficiency_ratio) : json_null());
    json_object_set_new(object, "time_bound_s",
                        point->bounded ? cli_json_number(point->time_s) : json_null());
    json_object_set_new(object, "bound", bound_json(point));
    json_object_set_new(object, "matrix", matrix(flow));
    return object;
}

static json_t *between_json(const struct estimate *estimate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < estimate->n_between; i++)
        json_array_append_new(
            array, json_pack("{s:i, s:o, s:o, s:o}", "processes", estimate->between[i].processes, "bytes",
                             cli_json_number(estimate->between[i].bytes), "bytes_block",
                             cli_json_number(estimate->between[i].block_bytes), "largest_part_bytes",
                             cli_json_number(estimate->between[i].largest_bytes)));
    return array;
}

static uint64_t count_singletons(const struct estimate *estimate)
{
    uint64_t n = 0;
    for (size_t i = 0; i < estimate->n_singletons; i++) n += estimate->singletons[i].n_words;
    return n;
}

static const char *role_of(const parcast_singletons *group)
{
    if (!group->summed_versions) return "source";
    return group->read_versions ? "reduction" : "sink";
}

static json_t *singleton_groups(const struct estimate *estimate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < estimate->n_singletons; i++) {
        const parcast_singletons *group = &estimate->singletons[i];
        json_array_append_new(array,
                              json_pack("{s:o, s:s, s:I, s:I, s:I}", "array", cli_json_text(group->array),
                                        "role", role_of(group), "words", (json_int_t)group->n_words,
                                        "read_versions", (json_int_t)group->read_versions, "summed_versions",
                                        (json_int_t)group->summed_versions));
    }
    return array;
}

static json_t *reports(const struct estimate *estimate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < estimate->summary.n_reports; i++) {
        parcast_values_report report = parcast_values_report_at(estimate->values, i);
        json_array_append_new(array,
                              json_pack("{s:s, s:o, s:I}", "kind", report.kind, "name",
                                        cli_json_text(report.name), "count", (json_int_t)report.count));
    }
    return array;
}

static json_t *scaled_json(const parcast_values_run *run)
{
    if (!run->iterations) return json_null();
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "what", run->what, "iterations",
                     (json_int_t)run->iterations, "followed", (json_int_t)run->followed, "window",
                     (json_int_t)run->window, "checked", (json_int_t)run->checked, "differing",
                     (json_int_t)run->differing, "difference_ratio", run->difference_ratio, "spread_ratio",
                     run->spread_ratio, "left_out_ratio", run->left_out_ratio);
}

static void add_figures(const struct estimate *estimate, json_t *object)
{
    const parcast_bound_figures *figures = &estimate->figures;
    json_object_set_new(object, "serial_s", cli_json_number(estimate->serial_s));
    json_object_set_new(object, "runs_s", cli_json_number(estimate->run.runs_s));
    json_object_set_new(object, "calibration", cli_json_number(estimate->calibration));
    json_object_set_new(object, "figures",
                        json_pack("{s:o, s:o, s:o}", "flop_per_s", cli_json_number(figures->flop_per_s),
                                  "bandwidth_bytes_per_s", cli_json_number(figures->bandwidth_bytes_per_s),
                                  "overlap_ratio", cli_json_number(figures->overlap_ratio)));
    json_object_set_new(object, "platform",
                        cli_json_text(estimate->platform ? estimate->platform->name : NULL));
}

json_t *estimate_json(const struct estimate *estimate)
{
    const parcast_values_summary *summary = &estimate->summary;
    json_t *object = json_object(), *arguments = json_array(), *points = json_array();
    for (size_t i = 1; estimate->argv[i]; i++)
        json_array_append_new(arguments, cli_json_text(estimate->argv[i]));
    for (size_t i = 0; i < estimate->n_points; i++)
        json_array_append_new(points, point_json(estimate, &estimate->points[i]));
    json_object_set_new(object, "schema", json_string("parcast.estimate/1"));
    json_object_set_new(object, "program", cli_json_text(estimate->argv[0]));
    json_object_set_new(object, "arguments", arguments);
    json_object_set_new(object, "flop", json_integer((json_int_t)summary->flop));
    json_object_set_new(object, "points", points);
    json_object_set_new(object, "between_nodes", between_json(estimate));
    json_object_set_new(object, "singletons", json_integer((json_int_t)count_singletons(estimate)));
    json_object_set_new(object, "singleton_groups", singleton_groups(estimate));
    json_object_set_new(object, "values", json_integer((json_int_t)summary->values));
    json_object_set_new(object, "vertices", json_integer((json_int_t)summary->vertices));
    json_object_set_new(object, "nets", json_integer((json_int_t)summary->nets));
    json_object_set_new(object, "edges", json_integer((json_int_t)summary->edges));
    json_object_set_new(object, "table_bytes", json_integer((json_int_t)summary->table_bytes));
    json_object_set_new(object, "region", cli_json_text(summary->region));
    json_object_set_new(object, "partial", cli_json_text(summary->partial));
    json_object_set_new(object, "scaled", scaled_json(&estimate->run));
    add_figures(estimate, object);
    json_object_set_new(object, "not_followed", reports(estimate));
    return object;
}

/* ---- for people ---- */

static void put_bound(struct cli_table *table, const struct estimate_point *point)
{
    char text[32];
    if (point->bounded) {
        cli_table_put(table, "%s", parcast_units_format_time(point->time_s, text, sizeof text));
        cli_table_put(table, "%.1f %%", 100 * point->efficiency_ratio);
    } else {
        cli_table_put(table, "-");
        cli_table_put(table, "-");
    }
}

static void put_point(const struct estimate *estimate, struct cli_table *table,
                      const struct estimate_point *point)
{
    const parcast_flow *flow = &point->flow, *block = &point->block;
    cli_table_row(table);
    cli_table_put(table, "%zu", flow->processes);
    cli_table_put(table, "%llu", (unsigned long long)flow->words);
    if (block->processes)
        cli_table_put(table, "%llu", (unsigned long long)block->words);
    else
        cli_table_put(table, "-");
    cli_table_put(table, "%llu", (unsigned long long)flow->bytes);
    if (estimate->summary.flop)
        cli_table_put(table, "%.4g", (double)flow->bytes / (double)estimate->summary.flop);
    else
        cli_table_put(table, "-");
    if (estimate->platform) put_bound(table, point);
    cli_table_put(table, "%s", flow->decomposition);
}

/* Where something else needs fewer words, the blocks are still what is written most easily. */
static void print_blocks(const struct estimate *estimate)
{
    bool first = true;
    for (size_t i = 0; i < estimate->n_points; i++) {
        const parcast_flow *flow = &estimate->points[i].flow, *block = &estimate->points[i].block;
        if (!block->processes || block->words == flow->words) continue;
        printf("%sin blocks, %zu processes: %s\n", first ? "\n" : "", flow->processes, block->decomposition);
        first = false;
    }
}

static bool is_same(const parcast_singletons *a, const parcast_singletons *b)
{
    return strcmp(a->array, b->array) == 0 && role_of(a) == role_of(b);
}

/* Groups of one name together: the sums of a function that is called from several places, say. */
static void print_singletons(const struct estimate *estimate)
{
    const parcast_singletons *groups = estimate->singletons;
    bool any = false;
    for (size_t i = 0; i < estimate->n_singletons; i++) {
        bool told = false;
        uint64_t n = 0;
        for (size_t j = 0; j < i; j++) told = told || is_same(&groups[j], &groups[i]);
        for (size_t j = i; j < estimate->n_singletons; j++)
            n += is_same(&groups[j], &groups[i]) ? groups[j].n_words : 0;
        if (told) continue;
        printf("%s%llu word%s of %s (%s)", any ? ", " : "singletons: ", (unsigned long long)n,
               n == 1 ? "" : "s", groups[i].array, role_of(&groups[i]));
        any = true;
    }
    if (any) printf("\n\n");
}

/* Those that do a little more or less are told with how little that is. */
static void print_scaled(const parcast_values_run *run)
{
    static const double least_told_ratio = 0.01;
    if (!run->iterations) return;
    bool all = run->differing && run->difference_ratio <= ESTIMATE_SAME_WORK_RATIO;
    printf("followed %llu of %llu iterations (%s); %llu of them stand%s for the others, of which %llu were "
           "seen to do as many operations",
           (unsigned long long)run->followed, (unsigned long long)run->iterations, run->what,
           (unsigned long long)run->window, run->window == 1 ? "s" : "",
           (unsigned long long)(run->checked - (all ? 0 : run->differing)));
    if (all) printf(" but for %.1g %%", 100 * run->difference_ratio);
    if (run->left_out_ratio >= least_told_ratio)
        printf("; what runs behind them, %.0f %% of the time, was not followed (--whole follows it)",
               100 * run->left_out_ratio);
    printf("\n\n");
}

int estimate_print(const struct estimate *estimate)
{
    struct cli_column columns[8] = {{"processes", CLI_RIGHT},
                                    {"words", CLI_RIGHT},
                                    {"in blocks", CLI_RIGHT},
                                    {"bytes", CLI_RIGHT},
                                    {"bytes/flop", CLI_RIGHT}};
    size_t n = 5;
    if (estimate->platform) {
        columns[n++] = (struct cli_column){"time from", CLI_RIGHT};
        columns[n++] = (struct cli_column){"eff. up to", CLI_RIGHT};
    }
    columns[n++] = (struct cli_column){"distribution", CLI_WRAP};
    if (estimate->summary.partial) printf("PARTIAL: %s\n\n", estimate->summary.partial);
    printf("%llu flop, %llu values of %llu words", (unsigned long long)estimate->summary.flop,
           (unsigned long long)estimate->summary.values, (unsigned long long)estimate->summary.vertices);
    if (estimate->summary.region) printf(" in %s", estimate->summary.region);
    printf("\n\n");
    print_scaled(&estimate->run);
    print_singletons(estimate);
    struct cli_table *table = cli_table_create(estimate->common, columns, n);
    for (size_t i = 0; i < estimate->n_points; i++) put_point(estimate, table, &estimate->points[i]);
    int status = cli_table_print(estimate->common, &table);
    if (!status) print_blocks(estimate);
    if (!status && estimate->platform && estimate->bound_from[0] && !estimate->common->quiet)
        printf("\nno program that computes the same on %s takes less; time on one core: %s; overlap: %s\n",
               estimate->platform->name, estimate->bound_from, estimate->overlap_from);
    return status;
}

/* ---- in a study ---- */

/* Matrices of many parts say little to a reader and grow with their square. */
static void drop_large_matrices(json_t *object)
{
    const size_t most = 64;
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(object, "points"), i, point)
    {
        if (json_array_size(json_object_get(point, "matrix")) > most)
            json_object_set_new(point, "matrix", json_null());
    }
}

/* An estimate that fails shall leave no empty study. */
static bool can_be_made(const char *path)
{
    struct stat file;
    char *copy = strdup(path);
    bool can = copy && *path && stat(path, &file) && errno == ENOENT && !access(dirname(copy), W_OK | X_OK);
    free(copy);
    return can;
}

parcast_status estimate_check_study(const char *path, parcast_error *error)
{
    parcast_study *study = NULL;
    if (can_be_made(path)) return PARCAST_OK;
    parcast_status status = parcast_study_open(path, PARCAST_STUDY_WRITE, &study, error);
    parcast_study_close(&study);
    return status;
}

parcast_status estimate_keep(const struct estimate *estimate, const char *path, parcast_error *error)
{
    parcast_study *study;
    int64_t problem_id;
    size_t n = 0;
    while (estimate->argv[1 + n]) n++;
    json_t *object = estimate_json(estimate);
    drop_large_matrices(object);
    char *json = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(object);
    if (!json) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the estimate");
    parcast_status status = parcast_study_open(path, PARCAST_STUDY_WRITE, &study, error);
    if (!status) {
        /* The library copies the words; argv of a program is not const. */
        status = parcast_study_problem(study, estimate->argv[0], (char *const *)(estimate->argv + 1), n,
                                       &problem_id, error);
        if (!status) status = parcast_study_add_result(study, problem_id, "parcast.estimate/1", json, error);
        parcast_study_close(&study);
    }
    free(json);
    return status;
}

void estimate_release(struct estimate *estimate)
{
    for (size_t i = 0; estimate->points && i < estimate->n_points; i++) {
        parcast_flow_clear(&estimate->points[i].flow);
        parcast_flow_clear(&estimate->points[i].block);
    }
    free(estimate->singletons);
    free(estimate->points);
    free(estimate->between);
    parcast_platform_destroy(&estimate->platform);
    parcast_values_destroy(&estimate->values);
}
