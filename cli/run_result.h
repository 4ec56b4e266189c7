/** parcast run: what came of it, as parcast.run/1 (docs/formats/run.md), and kept in the study. */
#ifndef PARCAST_CLI_RUN_RESULT_H
#define PARCAST_CLI_RUN_RESULT_H

#include <jansson.h>

#include "cli.h"
#include "parcast/supervisor.h"

/** Iterations on each node count, as the program reports them. */
struct tally {
    struct tally_size {
        int nodes;
        int64_t iterations;
        double time_s;
    } *sizes; /**< [n] in the order in which they first ran */
    size_t n;
    int nodes; /**< of the last report */
    int64_t iteration;
    double running_s;
};

void tally_take(struct tally *tally, const parcast_supervised *state);
void tally_clear(struct tally *tally);

/** The object; `cost` is NAN if unknown. */
json_t *result_json(const parcast_supervisor_result *result, const struct tally *tally, double cost);
/** The line for people, on stderr. */
void result_tell(const parcast_supervisor_result *result);
/**
 * Into the study. A study that cannot be written is no failure of the run: it is said.
 *
 * @param[in] problem of recorded runs; 0: that of the path and the arguments
 */
void result_keep(const struct cli_common *common, const char *study, int64_t problem, const char *path,
                 char *const *arguments, size_t n_arguments, const json_t *result);

#endif
