/** parcast run: the nodes that a run holds. */
#ifndef PARCAST_CLI_RUN_NODES_H
#define PARCAST_CLI_RUN_NODES_H

#include "cli.h"
#include "parcast/allocator.h"
#include "parcast/supervisor.h"

struct nodes {
    const struct cli_common *common;
    const parcast_platform *platform; /* lent; may be NULL */
    parcast_allocator *allocator;
    parcast_supervisor_host *hosts; /* [n_hosts] */
    size_t n_hosts;
};

/** Open an allocator; SPEC as in --allocator. */
parcast_status nodes_open(const struct cli_common *common, const char *spec, const char *shell,
                          const parcast_allocator_options *options, struct nodes *nodes,
                          parcast_error *error);
void nodes_close(struct nodes *nodes);

/** Nodes that could be held now. */
parcast_status nodes_available(struct nodes *nodes, int *n, parcast_error *error);
/**
 * What a run may have of the nodes that it wants: the wish itself when they are ready; else those it is on,
 * and the rest is asked for. Before the first launch (present 0) it waits until they are ready, or some of
 * them.
 */
parcast_status nodes_grant(struct nodes *nodes, int present, int wanted, int *granted, parcast_error *error);
/** Are nodes being waited for? */
bool nodes_start(struct nodes *nodes);
const parcast_supervisor_host *nodes_hosts(struct nodes *nodes, int n_nodes, size_t *n);
/** Nothing runs beyond the first n any more. */
void nodes_keep(struct nodes *nodes, int n);

#endif
