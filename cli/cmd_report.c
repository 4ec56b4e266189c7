/* parcast report: the answer, the charts and how the forecast knows, as one page of HTML. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "parcast/report.h"

static const char synopsis[] = "parcast report [-o FILE] [--json] STUDY";

struct options {
    struct cli_common common;
    char *output;
};

/* What the page calls the study: the last part of its path. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static const char *today(char *text, size_t size)
{
    time_t now = time(NULL);
    struct tm local;
    if (!localtime_r(&now, &local) || strftime(text, size, "%Y-%m-%d %H:%M", &local) == 0) return NULL;
    return text;
}

static void say_where(const struct cli_common *common, const char *output, size_t length)
{
    if (common->json)
        cli_print_json(json_pack("{s:s, s:s, s:I}", "schema", "parcast.report/1", "file", output, "bytes",
                                 (json_int_t)length));
    else if (strcmp(output, "-") != 0)
        cli_note(common, "%s (%.1f MB): open it in a browser", output, (double)length / 1e6);
}

static int report(const struct cli_common *common, const char *path, const char *output)
{
    parcast_error error = {0};
    parcast_study *study = NULL;
    char *html = NULL, when[32];
    size_t length = 0;
    int exit_status = 0;
    parcast_status status = parcast_study_open(path, PARCAST_STUDY_READ, &study, &error);
    if (!status)
        status =
            parcast_report_study(study, base_name(path), today(when, sizeof when), &html, &length, &error);
    if (!status) status = parcast_report_write(output, html, length, &error);
    if (status)
        exit_status = cli_fail(common, &error);
    else
        say_where(common, output, length);
    free(html);
    parcast_study_close(&study);
    return exit_status;
}

static int run(void *given, poptContext context)
{
    const struct options *options = given;
    const char *path = cli_only_argument(&options->common, context, "study");
    if (!path) return EXIT_USAGE;
    const char *output = options->output ? options->output : "report.html";
    if (options->common.json && strcmp(output, "-") == 0)
        return cli_usage(&options->common, "--json and '-o -' both want standard output");
    return report(&options->common, path, output);
}

int cmd_report(int argc, const char **argv)
{
    struct options options = {.common = {.command = "report", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"output", 'o', POPT_ARG_STRING, &options.output, 0,
         "write the page to FILE (report.html); - is stdout", "FILE"},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    return cli_command(&options.common, argc, argv, table, run, &options);
}
