/*
 * The machine that a run was made on, as a platform that traces can be replayed on, and the node of each of
 * its ranks.
 */
#ifndef PARCAST_FORECAST_HOME_H
#define PARCAST_FORECAST_HOME_H

#include <stdbool.h>

#include "parcast/platform.h"
#include "parcast/study.h"

struct home {
    parcast_platform platform; /* its types are the home's own, what they point to is lent */
    parcast_platform *star;    /* that it was made from; NULL: from the platform of the runs */
    int *rank_node;            /* [n_ranks] */
};

/*
 * The nodes of the run as the platform describes them; a run on one node alone does without.
 *
 * Lends the run's and the platform's texts. PARCAST_DATA when the run was made on several nodes that the
 * platform (NULL: there is none) does not describe.
 */
parcast_status home_create(const parcast_run *run, const parcast_platform *platform, struct home *home,
                           parcast_error *error);
void home_clear(struct home *home);

/* Were two runs made with the same ranks on the same nodes? */
bool home_is_same(const parcast_run *a, const parcast_run *b);

#endif
