/** Running a program with settings in its environment, and passing on signals meanwhile. */
#ifndef PARCAST_VALUEFLOW_EXECUTE_H
#define PARCAST_VALUEFLOW_EXECUTE_H

#include <signal.h>
#include <stdbool.h>

#include "core/signals.h"
#include "parcast/error.h"

enum { EXECUTE_MOST_SETTINGS = 5 };

/** A program, and how its runs ended. */
struct execution {
    char *const *argv;
    bool to_stderr;     /**< its standard output goes to standard error */
    const char *leaves; /**< a file that is empty until it is about to end; NULL: none */
    sigset_t held;      /**< signals to us, until they are released */
    struct signals_before before;
    int ended_by, stopped_by; /**< signals: the last run died of it; it reached us meanwhile. 0: none */
    long peak_kb;             /**< of the last run */
    double runs_s;            /**< CPU time of all runs */
};

/** One run. A first signal to us goes on to the program, which may leave something yet; a second one ends it.
 *
 * @param[in]  settings [at most EXECUTE_MOST_SETTINGS, NULL at the end] in place of older ones
 * @param[in]  silent   its standard output goes nowhere
 * @param[out] status   its exit status; 128 + ended_by
 * @return PARCAST_OK, PARCAST_NOT_FOUND, PARCAST_MEMORY, PARCAST_IO
 */
parcast_status execute(struct execution *e, char *const *settings, bool silent, int *status,
                       parcast_error *error);

#endif
