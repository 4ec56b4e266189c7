/** The estimates of a study, as engine `bound` takes them. */
#ifndef PARCAST_CLI_ESTIMATES_H
#define PARCAST_CLI_ESTIMATES_H

#include "parcast/bound.h"
#include "parcast/forecast.h"

struct cli_estimates {
    parcast_estimate *estimates; /**< [n] of the program that was estimated last, the latest last */
    size_t n;
    char **target; /**< [n_target] words of --problem; NULL if it was not given */
    size_t n_target;
    parcast_bound_basis basis; /**< of these */
    int64_t problem_id;        /**< of the latest estimate; 0 without any */
};

/** A study without estimates gives none, which is no error. Partial ones are left out. `problem`: words with
 * blanks between, or NULL. */
parcast_status cli_estimates_load(const char *study_path, const char *problem,
                                  struct cli_estimates *estimates, parcast_error *error);
void cli_estimates_clear(struct cli_estimates *estimates);

/** Options of `estimate` and `predict` that stand for figures of a platform; NULL: not given. */
struct cli_figures {
    char *flop_rate, *bandwidth, *overlap;
};
parcast_status cli_figures_read(const struct cli_figures *options, parcast_bound_figures *figures,
                                parcast_error *error);

/** Say what a forecast without runs is for: the program that was estimated, with these arguments. */
parcast_status cli_estimates_name(const struct cli_estimates *estimates, parcast_forecast *forecast,
                                  parcast_error *error);

#endif
