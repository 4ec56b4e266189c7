/** parcast run: sizes chosen by forecast and measurement. */
#ifndef PARCAST_CLI_RUN_DECIDE_H
#define PARCAST_CLI_RUN_DECIDE_H

#include <jansson.h>

#include "cli.h"
#include "parcast/decision.h"
#include "parcast/platform.h"
#include "parcast/supervisor.h"

/** What the user asks for; NULL and 0 mean not given. */
struct decide_request {
    const struct cli_common *common;
    const char *study, *deadline, *budget, *policy, *range;
    parcast_platform *platform; /**< lent; NULL: more nodes of the kind that the runs were made on */
    const char *program, *path; /**< as given, and where it was found */
    char *const *arguments;
    size_t n_arguments;
    int min_nodes, max_nodes, ranks_per_node;
    long long interval, iterations;
    bool overlaps; /**< the next size is launched while the present one computes */
    bool far;      /**< nodes are other machines, reached by an agent */
};

struct decider;

/** The forecast of the study, a platform and a goal. The texts of an error name the option. */
parcast_status decider_open(const struct decide_request *request, struct decider **decider,
                            parcast_error *error);
void decider_close(struct decider **decider);

/** `available`: nodes that could be had now; `cost`: charged until now, NAN if the decider is to count. */
parcast_status decider_wish(struct decider *decider, const parcast_supervised *state, int available,
                            double cost, parcast_wish *wish, parcast_error *error);
/** Nodes to hold from now on: more than it wishes when a growth lies ahead. */
int decider_request(const struct decider *decider);
/** When the run is expected to end [s]; NAN: nothing is known yet. */
double decider_end(const struct decider *decider);
void decider_moved(struct decider *decider, const parcast_supervisor_event *event);

/** The problem of the recorded runs that it works with; 0: there are none. */
int64_t decider_problem(const struct decider *decider);

/** Adds cost, deadline_met, budget_met and predictions to the result. */
void decider_report(struct decider *decider, double cost, json_t *result);
/** Lines for people, on stderr. */
void decider_tell(const struct decider *decider, double time_s);

#endif
