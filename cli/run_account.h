/** parcast run: what the nodes of this machine are charged, by the prices of the platform. */
#ifndef PARCAST_CLI_RUN_ACCOUNT_H
#define PARCAST_CLI_RUN_ACCOUNT_H

#include "parcast/allocator.h"

struct account {
    parcast_allocator *allocator; /**< NULL: nothing is charged */
    int held;
};

/** As hosts and Slurm are charged: each node from its request to its release, in whole billing units. */
parcast_status account_open(const parcast_platform *platform, int max_nodes, int ranks_per_node,
                            struct account *account, parcast_error *error);
void account_close(struct account *account);

/** So many nodes are held from now on. */
parcast_status account_hold(struct account *account, int n_nodes, parcast_error *error);
/** Charged until now; NAN without a platform or a price. */
double account_cost(const struct account *account);

#endif
