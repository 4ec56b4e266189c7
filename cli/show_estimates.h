/** The estimates that a study holds, for `parcast show`. */
#ifndef PARCAST_CLI_SHOW_ESTIMATES_H
#define PARCAST_CLI_SHOW_ESTIMATES_H

#include <jansson.h>

#include "cli.h"
#include "parcast/study.h"

/** A table of them, those that are partial marked; nothing where there are none. The exit status. */
int show_estimates_print(const struct cli_common *common, parcast_study *study);
/** [{program, arguments, flop, partial, scaled, points:[{processes, words, words_block, bytes}]}]; to be
 * released. */
parcast_status show_estimates_json(parcast_study *study, json_t **array, parcast_error *error);

/** The same of texts of the format parcast.estimate/1 [n]. PARCAST_FORMAT for what is no object. */
parcast_status show_estimates_read(char *const *texts, size_t n, json_t **array, parcast_error *error);
/** Their table. The exit status. */
int show_estimates_table(const struct cli_common *common, const json_t *estimates);

#endif
