/* parcast estimate: what a sequential program would send on p processors. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "parcast/units.h"
#include "parcast/valueflow.h"
#include "table.h"

static const char synopsis[] =
    "parcast estimate [-p LIST] [--grid 4x4] [--extent M,M] [--json] -- PROGRAM [ARG]...";

struct options {
    struct cli_common common;
    char *list, *grid, *extent;
};

struct point {
    parcast_flow flow, block;
};

struct session {
    const struct options *options;
    const char **argv;
    int *counts;
    size_t n_counts;
    parcast_extents grid, extent;
    parcast_values *values;
    parcast_values_summary summary;
    struct point *points;
};

static bool read_extents(const char *text, parcast_extents *extents)
{
    *extents = (parcast_extents){0};
    while (extents->n < PARCAST_MAX_EXTENTS) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        unsigned long long n = strtoull(text, &end, 10);
        if (!n || n > 1u << 30) return false;
        extents->extent[extents->n++] = n;
        if (!*end) return true;
        if (*end != 'x' && *end != ',') return false;
        text = end + 1;
    }
    return false;
}

static const parcast_extents *extent_of(const struct session *session)
{
    return session->options->extent ? &session->extent : NULL;
}

static parcast_status compute(struct session *session, parcast_error *error)
{
    if (session->options->grid)
        return parcast_values_grid(session->values, &session->grid, extent_of(session),
                                   &session->points[0].flow, error);
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < session->n_counts; i++)
        status = parcast_values_minimum(session->values, (size_t)session->counts[i], extent_of(session),
                                        &session->points[i].flow, &session->points[i].block, error);
    return status;
}

/* Bytes sent for each operation; null for codes without floating-point operations. */
static json_t *intensity(const struct session *session, const parcast_flow *flow)
{
    return session->summary.flop ? json_real((double)flow->bytes / (double)session->summary.flop)
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

static json_t *point_json(const struct session *session, const struct point *point)
{
    const parcast_flow *flow = &point->flow;
    json_t *object = json_object();
    json_object_set_new(object, "processes", json_integer((json_int_t)flow->processes));
    json_object_set_new(object, "words", json_integer((json_int_t)flow->words));
    json_object_set_new(object, "words_block",
                        point->block.processes ? json_integer((json_int_t)point->block.words) : json_null());
    json_object_set_new(object, "decomposition", json_string(flow->decomposition));
    json_object_set_new(object, "bytes", json_integer((json_int_t)flow->bytes));
    json_object_set_new(object, "largest_part_words", json_integer((json_int_t)flow->largest_part_words));
    json_object_set_new(object, "messages", json_integer((json_int_t)flow->messages));
    json_object_set_new(object, "imbalance_ratio", json_real(flow->imbalance_ratio));
    json_object_set_new(object, "intensity_bytes_per_flop", intensity(session, flow));
    json_object_set_new(object, "matrix", matrix(flow));
    return object;
}

static json_t *reports(const struct session *session)
{
    json_t *array = json_array();
    for (size_t i = 0; i < session->summary.n_reports; i++) {
        parcast_values_report report = parcast_values_report_at(session->values, i);
        json_array_append_new(array, json_pack("{s:s, s:s, s:I}", "kind", report.kind, "name", report.name,
                                               "count", (json_int_t)report.count));
    }
    return array;
}

static void print_json(const struct session *session)
{
    json_t *object = json_object(), *arguments = json_array(), *points = json_array();
    for (size_t i = 1; session->argv[i]; i++) json_array_append_new(arguments, json_string(session->argv[i]));
    for (size_t i = 0; i < session->n_counts; i++)
        json_array_append_new(points, point_json(session, &session->points[i]));
    json_object_set_new(object, "schema", json_string("parcast.estimate/1"));
    json_object_set_new(object, "program", json_string(session->argv[0]));
    json_object_set_new(object, "arguments", arguments);
    json_object_set_new(object, "flop", json_integer((json_int_t)session->summary.flop));
    json_object_set_new(object, "points", points);
    json_object_set_new(object, "values", json_integer((json_int_t)session->summary.values));
    json_object_set_new(object, "vertices", json_integer((json_int_t)session->summary.vertices));
    json_object_set_new(object, "nets", json_integer((json_int_t)session->summary.nets));
    json_object_set_new(object, "edges", json_integer((json_int_t)session->summary.edges));
    json_object_set_new(object, "table_bytes", json_integer((json_int_t)session->summary.table_bytes));
    json_object_set_new(object, "not_followed", reports(session));
    cli_print_json(object);
}

static void warn_reports(const struct session *session)
{
    for (size_t i = 0; i < session->summary.n_reports; i++) {
        parcast_values_report report = parcast_values_report_at(session->values, i);
        cli_warn(&session->options->common, "%s: %s (%llu times)", report.kind, report.name,
                 (unsigned long long)report.count);
    }
}

static int print_table(const struct session *session)
{
    static const struct cli_column columns[] = {{"processes", CLI_RIGHT},  {"words", CLI_RIGHT},
                                                {"in blocks", CLI_RIGHT},  {"bytes", CLI_RIGHT},
                                                {"bytes/flop", CLI_RIGHT}, {"distribution", CLI_LEFT}};
    printf("%llu flop, %llu values of %llu words\n\n", (unsigned long long)session->summary.flop,
           (unsigned long long)session->summary.values, (unsigned long long)session->summary.vertices);
    struct cli_table *table =
        cli_table_create(&session->options->common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < session->n_counts; i++) {
        const parcast_flow *flow = &session->points[i].flow, *block = &session->points[i].block;
        cli_table_row(table);
        cli_table_put(table, "%zu", flow->processes);
        cli_table_put(table, "%llu", (unsigned long long)flow->words);
        if (block->processes)
            cli_table_put(table, "%llu", (unsigned long long)block->words);
        else
            cli_table_put(table, "-");
        cli_table_put(table, "%llu", (unsigned long long)flow->bytes);
        if (session->summary.flop)
            cli_table_put(table, "%.4g", (double)flow->bytes / (double)session->summary.flop);
        else
            cli_table_put(table, "-");
        cli_table_put(table, "%s", flow->decomposition);
    }
    return cli_table_print(&session->options->common, &table);
}

static int run(struct session *session)
{
    parcast_error error = {0};
    const struct cli_common *common = &session->options->common;
    int ended = 0;
    session->points = calloc(session->n_counts + 1, sizeof *session->points);
    if (!session->points) return EXIT_FAILED;
    if (parcast_values_trace((char *const *)session->argv, common->json, &session->values, &ended, &error))
        return cli_fail(common, &error);
    if (ended) cli_warn(common, "'%s' ended with status %d", session->argv[0], ended);
    parcast_values_summarise(session->values, &session->summary);
    if (!session->summary.entries) {
        parcast_error_set(&error, PARCAST_DATA, session->argv[0], 0, "the region was never entered");
        return cli_fail(common, &error);
    }
    warn_reports(session);
    if (compute(session, &error)) return cli_fail(common, &error);
    if (!common->json) return print_table(session);
    print_json(session);
    return 0;
}

static int check(struct session *session, parcast_error *error)
{
    const struct options *options = session->options;
    if (options->grid && !read_extents(options->grid, &session->grid))
        return cli_usage(&options->common, "--grid is up to three numbers like 4x4, not '%s'", options->grid);
    if (options->extent && !read_extents(options->extent, &session->extent))
        return cli_usage(&options->common, "--extent is up to three numbers like 64,64, not '%s'",
                         options->extent);
    if (parcast_units_list(options->list ? options->list : "2,4,8,16", &session->counts, &session->n_counts,
                           error))
        return cli_fail(&options->common, error);
    if (!options->grid) return -1;
    int p = 1;
    for (size_t i = 0; i < session->grid.n; i++) p *= (int)session->grid.extent[i];
    if (options->list && (session->n_counts != 1 || session->counts[0] != p))
        return cli_usage(&options->common, "-p %s does not agree with --grid %s, which is %d parts",
                         options->list, options->grid, p);
    session->n_counts = 1;
    session->counts[0] = p;
    return -1;
}

static void release(struct session *session)
{
    for (size_t i = 0; session->points && i < session->n_counts; i++) {
        parcast_flow_clear(&session->points[i].flow);
        parcast_flow_clear(&session->points[i].block);
    }
    free(session->points);
    free(session->counts);
    parcast_values_destroy(&session->values);
}

int cmd_estimate(int argc, const char **argv)
{
    struct options options = {.common = {.command = "estimate", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"processes", 'p', POPT_ARG_STRING, &options.list, 0, "numbers of processes (default: 2,4,8,16)",
         "LIST"},
        {"grid", 0, POPT_ARG_STRING, &options.grid, 0, "the words of exactly these blocks", "4x4"},
        {"extent", 0, POPT_ARG_STRING, &options.extent, 0, "words of the array along each dimension", "M,M"},
        CLI_COMMON(&options.common),
        POPT_TABLEEND};
    poptContext context;
    int status = cli_options(&options.common, argc, argv, table, &context);
    if (status >= 0) return status;
    parcast_error error = {0};
    struct session session = {.options = &options, .argv = poptGetArgs(context)};
    status = session.argv && session.argv[0] ? check(&session, &error)
                                             : cli_usage(&options.common, "no program given");
    if (status < 0) status = run(&session);
    release(&session);
    free(options.list);
    free(options.grid);
    free(options.extent);
    cli_options_free(&options.common, context);
    return status;
}
