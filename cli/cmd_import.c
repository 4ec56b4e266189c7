/* parcast import: times that were measured without parcast. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parcast/scaling.h"
#include "parcast/study.h"
#include "parcast/table.h"
#include "parcast/units.h"
#include "table.h"

static const char synopsis[] = "parcast import -s STUDY [--weak] [--program NAME] [--json] FILE.csv";

struct import {
    struct cli_common common;
    char *study, *program;
    int weak;
    parcast_table *table;
    parcast_run *runs; /* [table->n_rows] */
    size_t n_runs;
    json_t *warnings, *hints;
};

static void warn(struct import *import, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void warn(struct import *import, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_warn(&import->common, "%s", text);
    json_array_append_new(import->warnings, cli_json_text(text));
}

/* The file's name without folder and ending: the program that an imported problem is filed under. */
static char *base_name(const char *path)
{
    if (strcmp(path, "-") == 0) return strdup("imported");
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static char *now(void)
{
    char text[32];
    time_t seconds = time(NULL);
    struct tm utc;
    if (!gmtime_r(&seconds, &utc) || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return NULL;
    return strdup(text);
}

/* One entry a node, when the table says how many and of which type; processes are dealt evenly. */
static bool fill_nodes(const parcast_table_row *row, parcast_run *run)
{
    if (!row->node_type || row->nodes == 0) return true;
    size_t n = (size_t)row->nodes;
    run->nodes = calloc(n, sizeof *run->nodes);
    if (!run->nodes) return false;
    run->n_nodes = n;
    for (size_t i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.40s-%zu", row->node_type, i + 1);
        run->nodes[i] = (parcast_run_node){.name = strdup(name),
                                           .type = strdup(row->node_type),
                                           .n_ranks = row->processes / row->nodes +
                                                      ((int)i < row->processes % row->nodes),
                                           .memory_bytes = NAN,
                                           .calibration = NAN};
        if (!run->nodes[i].name || !run->nodes[i].type) return false;
    }
    return true;
}

static bool fill_run(const struct import *import, const parcast_table_row *row, parcast_run *run)
{
    char placement[64] = "";
    if (row->nodes > 0)
        snprintf(placement, sizeof placement, "%d ranks on %d nodes", row->processes, row->nodes);
    *run = (parcast_run){.source = PARCAST_RUN_IMPORTED,
                         .program = strdup(import->program),
                         .started_at = now(),
                         .placement = placement[0] ? strdup(placement) : NULL,
                         .n_ranks = row->processes,
                         .n_nodes_used = row->nodes,
                         .complete = true,
                         .weak = import->weak,
                         .time_s = row->time_s,
                         .wall_s = NAN,
                         .compute_s = row->compute_s,
                         .mpi_s = row->mpi_s,
                         .wait_s = NAN,
                         .imbalance_ratio = NAN,
                         .load_average = NAN};
    return run->program && fill_nodes(row, run);
}

static parcast_status make_runs(struct import *import, parcast_error *error)
{
    import->runs = calloc(import->table->n_rows, sizeof *import->runs);
    for (; import->runs && import->n_runs < import->table->n_rows;) {
        size_t i = import->n_runs++; /* counted first: what is half filled is released too */
        if (!fill_run(import, &import->table->rows[i], &import->runs[i])) break;
        if (import->n_runs == import->table->n_rows) return PARCAST_OK;
    }
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the runs of a table");
}

static int compare_rows(const void *a, const void *b)
{
    const parcast_table_row *x = a, *y = b;
    if (x->processes != y->processes) return x->processes < y->processes ? -1 : 1;
    if (x->nodes != y->nodes) return x->nodes < y->nodes ? -1 : 1;
    return (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

static size_t repetitions(const parcast_table *table, size_t first)
{
    size_t n = 1;
    while (first + n < table->n_rows && table->rows[first + n].processes == table->rows[first].processes &&
           table->rows[first + n].nodes == table->rows[first].nodes)
        n++;
    return n;
}

static void warn_of_scatter(struct import *import)
{
    const parcast_table *table = import->table;
    for (size_t i = 0; i < table->n_rows; i += repetitions(table, i)) {
        double shortest = table->rows[i].time_s, longest = table->rows[i + repetitions(table, i) - 1].time_s;
        if (longest > 1.5 * shortest)
            warn(import, "times at %d processes differ by a factor of %.1f: was the machine shared?",
                 table->rows[i].processes, longest / shortest);
    }
}

static parcast_status warn_of_bad_scaling(struct import *import, parcast_error *error)
{
    const parcast_table *table = import->table;
    parcast_scaling_timings *model = NULL;
    parcast_scaling_timing *points = calloc(table->n_rows, sizeof *points);
    if (!points) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    for (size_t i = 0; i < table->n_rows; i++)
        points[i] = (parcast_scaling_timing){.processes = table->rows[i].processes,
                                             .nodes = table->rows[i].nodes,
                                             .time_s = table->rows[i].time_s};
    parcast_status status = parcast_scaling_fit_timings(points, table->n_rows, import->weak, &model, error);
    free(points);
    if (status) return status;
    parcast_scaling_timings_summary summary = parcast_scaling_timings_describe(model);
    parcast_scaling_timings_destroy(&model);
    if (summary.does_not_scale)
        warn(import,
             "this program does not scale: no count is clearly faster than %d process%s; check the runs, or "
             "the problem is too small to be shared (or did it grow with the processes: --weak?)",
             summary.smallest, summary.smallest == 1 ? "" : "es");
    if (summary.n_counts < 3)
        warn(import, "times at %zu process count%s only: the forecast will be very wide", summary.n_counts,
             summary.n_counts == 1 ? "" : "s");
    return PARCAST_OK;
}

static void hint(struct import *import, const char *text)
{
    cli_note(&import->common, "%s", text);
    json_array_append_new(import->hints, cli_json_text(text));
}

/* Which recording would narrow the forecast. */
static void give_hints(struct import *import)
{
    const parcast_table *table = import->table;
    bool split = true, nodes = true;
    for (size_t i = 0; i < table->n_rows; i++) {
        split = split && !isnan(table->rows[i].compute_s) && !isnan(table->rows[i].mpi_s);
        nodes = nodes && table->rows[i].nodes > 0;
    }
    if (!nodes)
        hint(import,
             "the number of nodes is not known for every run: the forecast cannot tell a full node from "
             "a busy network; a column 'nodes' would");
    if (!split)
        hint(import,
             "total times only: 'parcast record -n 1,2,4' of the same program, even on a small machine, "
             "would give the split into computing and MPI and the messages, and narrow the forecast");
}

static bool same_run(const parcast_run *a, const parcast_run *b)
{
    return a->source == b->source && strcmp(a->program, b->program) == 0 && a->n_ranks == b->n_ranks &&
           a->n_nodes_used == b->n_nodes_used && a->time_s == b->time_s;
}

/* A table that is imported again doubles its runs: they would look like repetitions that agree too well. */
static parcast_status warn_of_repetition(struct import *import, parcast_study *study, parcast_error *error)
{
    parcast_run_list list;
    size_t known = 0;
    parcast_status status = parcast_study_list(study, 0, &list, error);
    if (status) return status;
    for (size_t i = 0; i < import->n_runs; i++) {
        bool found = false;
        for (size_t k = 0; k < list.n_runs && !found; k++) found = same_run(&import->runs[i], &list.runs[k]);
        known += found;
    }
    parcast_run_list_clear(&list);
    if (import->n_runs > 0 && known == import->n_runs)
        warn(import, "%s already holds the same %zu run%s: imported again, they count twice", import->study,
             known, known == 1 ? "" : "s");
    return PARCAST_OK;
}

static parcast_status store(struct import *import, parcast_error *error)
{
    parcast_study *study = NULL;
    parcast_status status = parcast_study_open(import->study, PARCAST_STUDY_WRITE, &study, error);
    if (status) return status;
    status = warn_of_repetition(import, study, error);
    if (!status) status = parcast_study_add_runs(study, import->runs, import->n_runs, error);
    parcast_study_close(&study);
    return status;
}

static void print_json(const struct import *import, const char *path)
{
    json_t *object = json_object(), *runs = json_array(), *ignored = json_array();
    for (size_t i = 0; i < import->n_runs; i++) {
        const parcast_run *run = &import->runs[i];
        json_t *entry = json_object();
        json_object_set_new(entry, "id", json_integer(run->id));
        json_object_set_new(entry, "processes", json_integer(run->n_ranks));
        json_object_set_new(entry, "nodes",
                            run->n_nodes_used ? json_integer(run->n_nodes_used) : json_null());
        json_object_set_new(entry, "time_s", json_real(run->time_s));
        json_object_set_new(entry, "compute_s", cli_json_number(run->compute_s));
        json_object_set_new(entry, "mpi_s", cli_json_number(run->mpi_s));
        json_array_append_new(runs, entry);
    }
    for (size_t i = 0; i < import->table->n_ignored; i++)
        json_array_append_new(ignored, cli_json_text(import->table->ignored[i]));
    json_object_set_new(object, "schema", json_string("parcast.import/1"));
    json_object_set_new(object, "study", cli_json_text(import->study));
    json_object_set_new(object, "file", cli_json_text(path));
    json_object_set_new(object, "program", cli_json_text(import->program));
    json_object_set_new(object, "weak", json_boolean(import->weak));
    json_object_set_new(object, "runs", runs);
    json_object_set_new(object, "ignored_columns", ignored);
    json_object_set(object, "warnings", import->warnings);
    json_object_set(object, "hints", import->hints);
    cli_print_json(object);
}

static int print_table(const struct import *import)
{
    static const struct cli_column columns[] = {
        {"processes", CLI_RIGHT}, {"nodes", CLI_RIGHT}, {"runs", CLI_RIGHT}, {"median time [s]", CLI_RIGHT}};
    const parcast_table *table = import->table;
    struct cli_table *out = cli_table_create(&import->common, columns, 4);
    for (size_t i = 0; i < table->n_rows; i += repetitions(table, i)) {
        size_t n = repetitions(table, i);
        double low = table->rows[i + (n - 1) / 2].time_s, high = table->rows[i + n / 2].time_s;
        cli_table_row(out);
        cli_table_put(out, "%d", table->rows[i].processes);
        if (table->rows[i].nodes > 0)
            cli_table_put(out, "%d", table->rows[i].nodes);
        else
            cli_table_put(out, "-");
        cli_table_put(out, "%zu", n);
        cli_table_number(out, 0.5 * (low + high), 5);
    }
    printf("%zu run%s of '%s' imported into %s\n\n", import->n_runs, import->n_runs == 1 ? "" : "s",
           import->program, import->study);
    return cli_table_print(&import->common, &out);
}

static parcast_status import_file(struct import *import, const char *path, parcast_error *error)
{
    parcast_status status = parcast_table_read(path, &import->table, error);
    if (status) return status;
    qsort(import->table->rows, import->table->n_rows, sizeof *import->table->rows, compare_rows);
    for (size_t i = 0; i < import->table->n_ignored; i++)
        warn(import, "column '%s' is not understood and ignored", import->table->ignored[i]);
    status = make_runs(import, error);
    if (!status) status = warn_of_bad_scaling(import, error);
    if (status) return status;
    warn_of_scatter(import);
    return store(import, error);
}

static int run(struct import *import, const char *path)
{
    parcast_error error = {0};
    if (!import->program) import->program = base_name(path);
    import->warnings = json_array();
    import->hints = json_array();
    if (!import->program || !import->warnings || !import->hints) {
        parcast_error_set(&error, PARCAST_MEMORY, NULL, 0, "out of memory");
        return cli_fail(&import->common, &error);
    }
    if (import_file(import, path, &error)) return cli_fail(&import->common, &error);
    give_hints(import);
    if (!import->common.json) return print_table(import);
    print_json(import, path);
    return 0;
}

static void release(struct import *import, poptContext context)
{
    parcast_table_destroy(&import->table);
    for (size_t i = 0; i < import->n_runs; i++) parcast_run_clear(&import->runs[i]);
    free(import->runs);
    json_decref(import->warnings);
    json_decref(import->hints);
    cli_options_free(&import->common, context);
}

int cmd_import(int argc, const char **argv)
{
    struct import import = {.common = {.command = "import", .synopsis = synopsis}};
    const struct poptOption options[] = {{"study", 's', POPT_ARG_STRING, &import.study, 0,
                                          "study to add the runs to; made when missing", "STUDY"},
                                         {"weak", 0, POPT_ARG_NONE, &import.weak, 0,
                                          "weak scaling: the problem grew with the processes", NULL},
                                         {"program", 0, POPT_ARG_STRING, &import.program, 0,
                                          "name of the program (default: the file's name)", "NAME"},
                                         CLI_COMMON(&import.common),
                                         POPT_TABLEEND};
    poptContext context;
    int status = cli_options(&import.common, argc, argv, options, &context);
    if (status >= 0) {
        free(import.study);
        free(import.program);
        return status;
    }
    const char *path = cli_argument(context), *more = path ? cli_argument(context) : NULL;
    if (!import.study)
        status = cli_usage(&import.common, "into which study? -s STUDY");
    else if (!path)
        status = cli_usage(&import.common, "which table?");
    else if (more)
        status = cli_usage(&import.common, "one table at a time: what is '%s'?", more);
    else if (import.program && import.program[0] == '\0')
        status = cli_usage(&import.common, "--program needs a name");
    else
        status = run(&import, path);
    release(&import, context);
    return status;
}
