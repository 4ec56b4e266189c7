/** Commands that compute for long by themselves: a signal that asks them to stop is a message. */
#ifndef PARCAST_CLI_INTERRUPT_H
#define PARCAST_CLI_INTERRUPT_H

#include "cli.h"

/**
 * From now on SIGINT, SIGTERM and SIGHUP end this process with a message and EXIT_FAILED, its own children
 * with the status alone. A SIGHUP that is ignored, as below nohup, stays so.
 *
 * @param[in] common lives as long as the process; a line of progress is taken away
 */
void interrupt_is_failure(const struct cli_common *common);

#endif
