#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.h"

static void print_help(const struct cli_common *common, poptContext context)
{
    printf("usage: %s\n\n", common->synopsis);
    fflush(stdout);
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size); /* popt prints a usage line of its own first: left out */
    if (!memory) return;
    poptPrintHelp(context, memory, 0);
    fclose(memory);
    char *options = strchr(text, '\n');
    if (options) fputs(options + 1, stdout);
    free(text);
}

int cli_options(struct cli_common *common, int argc, const char **argv, const struct poptOption *table,
                poptContext *context)
{
    common->table = table;
    *context = poptGetContext("parcast", argc, argv, table, 0);
    int result = poptGetNextOpt(*context);
    if (result < -1) {
        int status = cli_usage(common, "%s: %s", poptBadOption(*context, POPT_BADOPTION_NOALIAS),
                               poptStrerror(result));
        cli_options_free(common, *context);
        return status;
    }
    if (common->help) {
        print_help(common, *context);
        cli_options_free(common, *context);
        return 0;
    }
    if (common->color && strcmp(common->color, "auto") != 0 && strcmp(common->color, "always") != 0 &&
        strcmp(common->color, "never") != 0) {
        int status = cli_usage(common, "--color is auto, always or never, not '%s'", common->color);
        cli_options_free(common, *context);
        return status;
    }
    return -1;
}

static void free_words(char ***words)
{
    for (char **word = *words; word && *word; word++) free(*word);
    free(*words);
    *words = NULL;
}

void cli_options_free(struct cli_common *common, poptContext context)
{
    const struct poptOption *o = common->table;
    for (; o->longName || o->shortName; o++) {
        char **text = o->arg;
        if ((o->argInfo & POPT_ARG_MASK) == POPT_ARG_STRING) {
            free(*text);
            *text = NULL;
        } else if ((o->argInfo & POPT_ARG_MASK) == POPT_ARG_ARGV) {
            free_words(o->arg);
        }
    }
    poptFreeContext(context);
}

const char *cli_argument(poptContext context)
{
    return poptGetArg(context);
}

const char *cli_only_argument(const struct cli_common *common, poptContext context, const char *what)
{
    const char *first = cli_argument(context), *second = first ? cli_argument(context) : NULL;
    if (!first) cli_usage(common, "no %s given", what);
    if (second) cli_usage(common, "one %s at a time: what is '%s'?", what, second);
    return second ? NULL : first;
}

int cli_command(struct cli_common *common, int argc, const char **argv, const struct poptOption *table,
                int (*work)(void *options, poptContext context), void *options)
{
    poptContext context;
    int status = cli_options(common, argc, argv, table, &context);
    if (status >= 0) return status;
    status = work(options, context);
    cli_options_free(common, context);
    return status;
}

bool cli_colored(const struct cli_common *common, int fd)
{
    if (common->color && strcmp(common->color, "always") == 0) return true;
    if (common->color && strcmp(common->color, "never") == 0) return false;
    const char *no_color = getenv("NO_COLOR");
    return isatty(fd) && !(no_color && *no_color);
}

void cli_show_line(struct cli_common *common, const char *format, ...)
{
    va_list arguments;
    if (common->quiet || !isatty(STDERR_FILENO)) return;
    fputs("\r\033[K", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments); // NOLINT(clang-analyzer-valist.Uninitialized)
    va_end(arguments);
    fflush(stderr);
    common->line_open = true;
}

void cli_close_line(const struct cli_common *common)
{
    if (common->line_open) fputs("\r\033[K", stderr);
}

static void label(const struct cli_common *common, const char *word, const char *color)
{
    cli_close_line(common);
    bool colored = cli_colored(common, STDERR_FILENO);
    fprintf(stderr, "parcast %s: %s%s:%s ", common->command, colored ? color : "", word,
            colored ? "\033[0m" : "");
}

int cli_fail(const struct cli_common *common, const parcast_error *error)
{
    label(common, "error", "\033[1;31m");
    if (error->source[0] && error->line > 0)
        fprintf(stderr, "%s:%d: ", error->source, error->line);
    else if (error->source[0])
        fprintf(stderr, "%s: ", error->source);
    fprintf(stderr, "%s\n", error->text[0] ? error->text : parcast_status_text(error->code));
    if (error->hint[0]) fprintf(stderr, "hint: %s\n", error->hint);
    return parcast_status_exit(error->code);
}

parcast_status cli_check_stack(parcast_error *error)
{
    enum { LEAST_KIB = 512 };
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur == RLIM_INFINITY) return PARCAST_OK;
    unsigned long long limit_kib = (unsigned long long)stack.rlim_cur >> 10;
    if (limit_kib >= LEAST_KIB) return PARCAST_OK;
    parcast_error_set(error, PARCAST_LIMIT, NULL, 0,
                      "the stack is limited to %llu KiB, less than the %d KiB that this takes", limit_kib,
                      LEAST_KIB);
    parcast_error_hint(error, "raise the limit: ulimit -s 8192");
    return PARCAST_LIMIT;
}

int cli_usage(const struct cli_common *common, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    label(common, "error", "\033[1;31m");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nusage: %s\n", common->synopsis);
    return EXIT_USAGE;
}

void cli_warn(const struct cli_common *common, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    label(common, "warning", "\033[1;33m");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void cli_note(const struct cli_common *common, const char *format, ...)
{
    if (common->quiet) return;
    va_list arguments;
    va_start(arguments, format);
    label(common, "note", "\033[1;36m");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

json_t *cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_json_text(const char *value)
{
    if (!value) return json_null();
    json_t *string = json_string(value);
    if (string) return string;
    char *plain = strdup(value);
    for (char *c = plain; c && *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = plain ? json_string(plain) : NULL;
    free(plain);
    return string ? string : json_null();
}

void cli_print_json(json_t *object)
{
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(object);
}
