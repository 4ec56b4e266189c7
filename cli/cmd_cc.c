/* parcast cc, c++, fc: compiler wrappers. Everything but their own options belongs to the compiler. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "parcast/compiler.h"

#define SYNOPSIS(name) "parcast " name " --values [--region FUNCTION]... ARG..."

struct options {
    struct cli_common common;
    int values;
    const char **regions; /* [n_regions] */
    size_t n_regions;
    const char **arguments; /* [n_arguments] the compiler's */
    size_t n_arguments;
};

static int print_help(struct options *options)
{
    static const char *help[] = {"parcast", "--help"};
    char *region = NULL;
    const struct poptOption table[] = {
        {"values", 0, POPT_ARG_NONE, &options->values, 0,
         "instrument the flow of values, for parcast estimate", NULL},
        {"region", 0, POPT_ARG_STRING, &region, 0, "this function is the region of interest; may be repeated",
         "FUNCTION"},
        {"help", 'h', POPT_ARG_NONE, &options->common.help, 0, "print this help", NULL},
        POPT_TABLEEND};
    poptContext context;
    return cli_options(&options->common, 2, help, table, &context);
}

/* Ours may stand among the compiler's, which has none of these names: CFLAGS may name a region. Returns -1 to
 * go on. */
static int read_options(struct options *options, int argc, const char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (i == 1 && (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)) return print_help(options);
        if (strcmp(word, "--values") == 0) {
            options->values = 1;
        } else if (strncmp(word, "--region=", 9) == 0 || strcmp(word, "--region") == 0) {
            const char *name = word[8] ? word + 9 : ++i < argc ? argv[i] : "";
            if (!*name) return cli_usage(&options->common, "--region needs the name of a function");
            options->regions[options->n_regions++] = name;
        } else {
            options->arguments[options->n_arguments++] = word;
        }
    }
    if (!options->values) return cli_usage(&options->common, "say what to instrument: --values");
    return -1;
}

static void wait_for_compiler(int number)
{
    (void)number;
}

/* Ctrl-C ends the compiler, too, which has the default again; what lies between the steps is removed then. */
static void outlive_the_compiler(void)
{
    const struct sigaction action = {.sa_handler = wait_for_compiler, .sa_flags = SA_RESTART};
    struct sigaction before;
    if (!sigaction(SIGINT, NULL, &before) && before.sa_handler != SIG_IGN) sigaction(SIGINT, &action, NULL);
}

static int run(struct options *options, parcast_language language)
{
    parcast_error error = {0};
    int status = 0;
    const parcast_compile compile = {.language = language,
                                     .regions = options->regions,
                                     .n_regions = options->n_regions,
                                     .arguments = options->arguments,
                                     .n_arguments = options->n_arguments};
    outlive_the_compiler();
    if (cli_check_stack(&error) || parcast_compiler_run(&compile, &status, &error))
        return cli_fail(&options->common, &error);
    return status;
}

static int wrap(int argc, const char **argv, const char *command, const char *synopsis,
                parcast_language language)
{
    struct options options = {.common = {.command = command, .synopsis = synopsis}};
    options.regions = calloc((size_t)argc, sizeof *options.regions);
    options.arguments = calloc((size_t)argc, sizeof *options.arguments);
    int status = options.regions && options.arguments ? read_options(&options, argc, argv) : EXIT_FAILED;
    if (status < 0) status = run(&options, language);
    free(options.regions);
    free(options.arguments);
    return status;
}

int cmd_cc(int argc, const char **argv)
{
    return wrap(argc, argv, "cc", SYNOPSIS("cc"), PARCAST_C);
}

int cmd_cxx(int argc, const char **argv)
{
    return wrap(argc, argv, "c++", SYNOPSIS("c++"), PARCAST_CXX);
}

int cmd_fc(int argc, const char **argv)
{
    return wrap(argc, argv, "fc", SYNOPSIS("fc"), PARCAST_FORTRAN);
}
