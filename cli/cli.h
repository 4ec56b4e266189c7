/**
 * What the commands share: option parsing, messages, JSON and tables. The work itself is in libparcast.
 */
#ifndef PARCAST_CLI_H
#define PARCAST_CLI_H

#include <jansson.h>
#include <popt.h>
#include <stdbool.h>

#include "parcast/error.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_TOLERANCE = 4 };

/** A command as main() sees it; argv[0] is the command's name. Returns the exit status. */
#define COMMAND(name, summary)              int cmd_##name(int argc, const char **argv);
#define COMMAND_AS(name, function, summary) int cmd_##function(int argc, const char **argv);
#include "commands.def"
#undef COMMAND
#undef COMMAND_AS

/** Options that every command has. Put CLI_COMMON(&common) last in an option table, before POPT_TABLEEND. */
struct cli_common {
    const char *command;  /**< name for messages */
    const char *synopsis; /**< lines after "usage:"; equal to the manual page's */
    int json, quiet, verbose, help;
    char *color;                    /**< auto, always, never */
    const struct poptOption *table; /**< that cli_options was given */
    int line_open;                  /**< a line of progress stands on the terminal; messages take its place */
};
#define CLI_COMMON(c)                                                                                        \
    {"json", 0, POPT_ARG_NONE, &(c)->json, 0, "print the result as one JSON object", NULL},                  \
        {"quiet", 'q', POPT_ARG_NONE, &(c)->quiet, 0, "no progress and no notes", NULL},                     \
        {"verbose", 'v', POPT_ARG_NONE, &(c)->verbose, 0, "say more", NULL},                                 \
        {"color", 0, POPT_ARG_STRING, &(c)->color, 0, "colours; auto: on a terminal", "auto|always|never"},  \
    {                                                                                                        \
        "help", 'h', POPT_ARG_NONE, &(c)->help, 0, "print this help", NULL                                   \
    }

/**
 * Parse the options of a command. Words after "--" are left alone.
 *
 * @param[out] context stays valid until cli_options_free; cli_argument takes the words from it
 * @return -1 to go on, otherwise the exit status to leave with (help was printed, or the usage was wrong)
 */
int cli_options(struct cli_common *common, int argc, const char **argv, const struct poptOption *table,
                poptContext *context);
/** Also the texts that the options were given. */
void cli_options_free(struct cli_common *common, poptContext context);

/**
 * A whole command: parse, do the work with what was parsed into `options`, free.
 *
 * @param[in] work  takes the options and the words that are none; returns the exit status
 */
int cli_command(struct cli_common *common, int argc, const char **argv, const struct poptOption *table,
                int (*work)(void *options, poptContext context), void *options);

/** The next word that is no option, or NULL. */
const char *cli_argument(poptContext context);
/** The only one, "study" or what else it is called; NULL after a complaint when there is none or another one.
 */
const char *cli_only_argument(const struct cli_common *common, poptContext context, const char *what);

/** Print "parcast COMMAND: error: ..." with place and hint to stderr; returns the exit status. */
int cli_fail(const struct cli_common *common, const parcast_error *error);
/** Is the stack large enough for compilers and searches? With too small a one they end without a message. */
parcast_status cli_check_stack(parcast_error *error);
/** Complain about the usage; returns EXIT_USAGE. */
int cli_usage(const struct cli_common *common, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** A warning or note on stderr; notes are silent with -q. */
void cli_warn(const struct cli_common *common, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_note(const struct cli_common *common, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A line of progress on a terminal, in place of the one before; nothing elsewhere and with -q. */
void cli_show_line(struct cli_common *common, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Take away a line of progress. */
void cli_close_line(const struct cli_common *common);

/** A number, or null where it is not known. */
json_t *cli_json_number(double value);
/** A text, or null for NULL. Names of files, hosts and columns may be no UTF-8: then every byte that is not
 * ASCII is a question mark. */
json_t *cli_json_text(const char *value);
/** Print one JSON object with a newline and release it. Numbers keep 17 digits. */
void cli_print_json(json_t *object);

/** True when messages to this stream may be coloured (terminal, NO_COLOR unset, --color). */
bool cli_colored(const struct cli_common *common, int fd);

#endif
