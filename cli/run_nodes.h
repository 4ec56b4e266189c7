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
    int min_nodes;
    parcast_supervisor_host *hosts; /* [n_hosts] that were lent last */
    size_t n_hosts;
    char (*names)[256]; /* [n_hosts] */
    char (*used)[256];  /* [n_used] those the program has been on since its last move */
    size_t n_used;
    int wanted;        /* soon, as the caller said last: so many are not given back */
    bool begun;        /* a program was launched */
    bool resumable;    /* what has run is kept for the same command */
    double first_s;    /* when the first node was ready; NAN: none was */
    double heard_s;    /* when the allocator was listened to last */
    double ask_s;      /* after a refusal: not before */
    double pause_s;    /* after the next refusal */
    char refusal[256]; /* the last one: it is told once */
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
 * or what is left of them, and the rest is asked for. When nothing runs (present 0): 0 as long as it is worth
 * waiting.
 *
 * @return PARCAST_NOT_FOUND when nothing runs and no node can be had
 */
parcast_status nodes_grant(struct nodes *nodes, int present, int wanted, int *granted, parcast_error *error);
/** Are nodes being waited for? */
bool nodes_start(struct nodes *nodes);
const parcast_supervisor_host *nodes_hosts(struct nodes *nodes, int n_nodes, size_t *n);
/** Is a host that was lent still there? */
parcast_host_state nodes_host(struct nodes *nodes, const char *name);
/** Find out. */
void nodes_suspect(struct nodes *nodes, const char *name);
/** Nothing runs beyond the first n any more: what is not wanted is given back. */
void nodes_keep(struct nodes *nodes, int n);
/** Nothing is about to move: what was asked for and is not wanted any more is given back. */
void nodes_give_up(struct nodes *nodes, int present);

#endif
