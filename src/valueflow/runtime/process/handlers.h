/* The program's handlers of signals. */
#ifndef PARCAST_VALUEFLOW_HANDLERS_H
#define PARCAST_VALUEFLOW_HANDLERS_H

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/** The C library's sigaction, for handlers of the run time's own. */
int vf_sigaction(int number, const struct sigaction *action, struct sigaction *old);
/** Did the program leave a handler by a jump? Nothing has been followed since. */
bool vf_handler_was_left(void);

#pragma GCC visibility pop

#endif
