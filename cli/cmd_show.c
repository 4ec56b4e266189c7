/* parcast show: what a study holds. */
#include <errno.h>
#include <stdlib.h>

#include "show.h"
#include "show_estimates.h"
#include "study_json.h"

static const char synopsis[] = "parcast show STUDY [--run N] [--json]";

struct options {
    struct cli_common common;
    char *run;
};

/* -------- JSON -------- */

static json_t *problems_json(const parcast_run_list *list)
{
    json_t *problems = json_array();
    for (size_t i = 0; i < list->n_runs; i++) {
        if (!show_is_first(list, i)) continue;
        json_t *runs = json_array();
        for (size_t k = i; k < list->n_runs; k++)
            if (list->runs[k].problem_id == list->runs[i].problem_id)
                json_array_append_new(runs, json_integer(list->runs[k].id));
        json_array_append_new(
            problems, json_pack("{s:I, s:o}", "id", (json_int_t)list->runs[i].problem_id, "runs", runs));
    }
    return problems;
}

/* The program of the latest complete run, or of the latest at all. */
static const char *main_program(const parcast_run_list *list)
{
    for (size_t i = list->n_runs; i > 0; i--)
        if (list->runs[i - 1].complete) return list->runs[i - 1].program;
    return list->n_runs > 0 ? list->runs[list->n_runs - 1].program : NULL;
}

static parcast_status add_run_json(parcast_study *study, int64_t run_id, bool details, json_t *object,
                                   parcast_error *error)
{
    parcast_run *run = NULL;
    parcast_status status = parcast_study_run_parts(study, run_id, cli_study_parts(details), &run, error);
    if (!status) status = cli_study_add_run(object, run, details, error);
    if (!status) status = cli_study_add_trace(object, study, run_id, error);
    parcast_run_destroy(&run);
    return status;
}

static int show_json(const struct cli_common *common, parcast_study *study, const parcast_run_list *list,
                     int64_t only)
{
    parcast_error error = {0};
    parcast_status status = PARCAST_OK;
    json_t *object = cli_study_json(main_program(list));
    json_t *estimates = NULL;
    json_object_set_new(object, "problems", problems_json(list));
    if (!only) status = show_estimates_json(study, &estimates, &error);
    if (estimates) json_object_set_new(object, "estimates", estimates);
    if (only)
        status = add_run_json(study, only, true, object, &error);
    else
        for (size_t i = 0; i < list->n_runs && !status; i++)
            status = add_run_json(study, list->runs[i].id, false, object, &error);
    if (status) {
        json_decref(object);
        return cli_fail(common, &error);
    }
    cli_print_json(object);
    return 0;
}

/* -------- */

static int show_one(const struct cli_common *common, parcast_study *study, const char *path, int64_t run_id)
{
    parcast_run *run = NULL;
    parcast_error error = {0};
    unsigned parts = cli_study_parts(true);
    if (parcast_study_run_parts(study, run_id, parts, &run, &error)) return cli_fail(common, &error);
    int status = show_run(common, path, run);
    parcast_run_destroy(&run);
    return status;
}

static int show(const struct cli_common *common, const char *path, int64_t only)
{
    parcast_study *study = NULL;
    parcast_run_list list = {0};
    parcast_error error = {0};
    int status = 0;
    if (parcast_study_open(path, PARCAST_STUDY_READ, &study, &error)) return cli_fail(common, &error);
    if (only && !common->json)
        status = show_one(common, study, path, only);
    else if (parcast_study_list(study, 0, &list, &error))
        status = cli_fail(common, &error);
    else if (common->json)
        status = show_json(common, study, &list, only);
    else if (!(status = show_list(common, path, &list)))
        status = show_estimates_print(common, study);
    parcast_run_list_clear(&list);
    parcast_study_close(&study);
    return status;
}

static int run(void *given, poptContext context)
{
    const struct options *options = given;
    const char *path = cli_only_argument(&options->common, context, "study");
    if (!path) return EXIT_USAGE;
    int64_t only = 0;
    if (options->run) {
        char *end = NULL;
        errno = 0;
        only = strtoll(options->run, &end, 10);
        if (end == options->run || *end || only < 1 || errno)
            return cli_usage(&options->common, "--run is the number of a run, not '%s'", options->run);
    }
    return show(&options->common, path, only);
}

int cmd_show(int argc, const char **argv)
{
    struct options options = {.common = {.command = "show", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"run", 0, POPT_ARG_STRING, &options.run, 0, "one run in detail", "N"},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    return cli_command(&options.common, argc, argv, table, run, &options);
}
