/** parcast run: how many nodes a run may have, and how many ranks a node. */
#ifndef PARCAST_CLI_RUN_SIZES_H
#define PARCAST_CLI_RUN_SIZES_H

#include <stdbool.h>

#include "cli.h"
#include "parcast/platform.h"

struct sizes {
    int min_nodes, max_nodes; /**< max_nodes is 0 as long as nobody has counted what there is */
    bool given;               /**< by --nodes */
    int ranks_per_node;
};

/**
 * --nodes "4" or "2-8", and the ranks of a node: --ranks-per-node, else the cores of the platform's nodes,
 * else one. Where the platform's nodes differ the fewest cores count, which is said.
 *
 * @param[in] ranks_per_node below 1: not given
 * @param[in] platform       NULL: none
 */
parcast_status sizes_read(const struct cli_common *common, const char *nodes, int ranks_per_node,
                          const parcast_platform *platform, struct sizes *sizes, parcast_error *error);
/** Nodes that this machine makes: its cores by the ranks of a node, at least one. */
int sizes_of_this_machine(const struct sizes *sizes);

#endif
