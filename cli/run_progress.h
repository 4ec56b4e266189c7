/** parcast run: how far a run is, for people who watch it on a terminal. */
#ifndef PARCAST_CLI_RUN_PROGRESS_H
#define PARCAST_CLI_RUN_PROGRESS_H

#include "cli.h"
#include "parcast/supervisor.h"

struct progress {
    struct cli_common *common;
    bool shows;    /**< standard error is a terminal */
    bool moves;    /**< and the program does not write there: one line is written over and over */
    double next_s; /**< when it is shown next */
};

void progress_begin(struct progress *progress, struct cli_common *common);
/** `end_s`: when the run is expected to end; NAN: as quick as it was on these nodes. */
void progress_show(struct progress *progress, const parcast_supervised *state, double end_s);
void progress_end(struct progress *progress);

#endif
