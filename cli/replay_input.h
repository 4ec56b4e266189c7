/** What `parcast replay` reads: traces of every format, alone or through the study that they belong to. */
#ifndef PARCAST_CLI_REPLAY_INPUT_H
#define PARCAST_CLI_REPLAY_INPUT_H

#include <stdint.h>

#include "cli.h"
#include "parcast/operation.h"
#include "parcast/platform.h"

enum replay_format { REPLAY_OWN, REPLAY_STUDY, REPLAY_TI, REPLAY_GOAL };

/** What the file holds, by its content. */
parcast_status replay_detect(const char *path, enum replay_format *format, parcast_error *error);

struct replay_input;

/**
 * Open a trace of MPI operations, of any format but GOAL. Warnings and notes are printed.
 *
 * @param[in]     run       of a study; 0: the latest that has a trace
 * @param[in,out] platform  may be NULL; of a study's trace, speeds become relative to what it was recorded on
 * @param[in]     again     it was opened before: nothing is printed
 */
parcast_status replay_open(const struct cli_common *common, const char *path, enum replay_format format,
                           int64_t run, parcast_platform *platform, bool again, struct replay_input **input,
                           parcast_error *error);
/** Its operations, from the beginning. Valid until the input is closed. */
parcast_operation_source replay_source(struct replay_input *input);
void replay_close(struct replay_input **input);

#endif
