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

struct replay_choice {
    const struct cli_common *common;
    int64_t run; /**< of a study; 0: the latest that has a trace */
    bool cut;    /**< a trace that ends early, or of a run that lost ranks, as far as it goes */
    bool again;  /**< it was opened before: no warnings and notes */
};

/**
 * Open a trace of MPI operations, of any format but GOAL. Warnings and notes are printed.
 *
 * @param[in,out] platform  may be NULL; of a study's trace, speeds become relative to what it was recorded on
 */
parcast_status replay_open(const struct replay_choice *choice, const char *path, enum replay_format format,
                           parcast_platform *platform, struct replay_input **input, parcast_error *error);
/** Its operations, from the beginning. Valid until the input is closed. */
parcast_operation_source replay_source(struct replay_input *input);
void replay_close(struct replay_input **input);

#endif
