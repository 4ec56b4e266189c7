/**
 * What the allocators share: nodes that are held, events that are told, child processes, the agent.
 *
 * A back end says how many nodes there could be, begins to start some, gives one back, and looks at the world
 * when it is asked to; everything else is common.
 */
#ifndef PARCAST_ALLOCATOR_INTERNAL_H
#define PARCAST_ALLOCATOR_INTERNAL_H

#include <sys/types.h>

#include "parcast/allocator.h"

struct child;

/** A node that is held, or was and is being cleared away. */
struct node {
    char *name;    /* NULL: not known yet (Slurm has not chosen) */
    char *address; /* NULL: its name */
    int slots, type;
    parcast_node_state state;
    double price_per_hour;
    double asked_s, ready_s;
    long order;           /* among nodes of a type: order of the file, of asking */
    long job;             /* slurm; 0: none yet */
    struct child *child;  /* what starts it, or watches it; NULL: none */
    struct child *keeper; /* slurm: the job lives as long as it does */
    double deadline_s;    /* a start or a check that takes longer has failed; INFINITY: none is under way */
    double echo_s;        /* hosts: last sign of life */
    double ping_s;        /* hosts: last question */
    bool checking;        /* ready, but in doubt */
    char said[200];       /* hosts: last complaint of what starts it, or watches it */
    bool paid;            /* lost: what it cost is in `charged` */
    bool gone;            /* given back or never came: to be removed */
};

struct backend {
    const char *name;
    /** argument: what follows "NAME:", NULL if nothing does. */
    parcast_status (*open)(parcast_allocator *a, const char *argument, parcast_error *error);
    void (*close)(parcast_allocator *a);
    /** Nodes that could be had besides those held. */
    parcast_status (*spare)(parcast_allocator *a, int *n_nodes, parcast_error *error);
    /** Begin to start n more; fewer where there are not so many, which is told as REFUSED. */
    parcast_status (*grow)(parcast_allocator *a, int n, parcast_error *error);
    /** Let a node go, whatever its state. */
    void (*give_back)(parcast_allocator *a, struct node *node);
    /** Look: change states and tell events. */
    parcast_status (*look)(parcast_allocator *a, parcast_error *error);
    /** Find out whether a ready node is still there. */
    void (*check)(parcast_allocator *a, struct node *node);
};

extern const struct backend allocator_local, allocator_hosts, allocator_slurm;

enum { ALLOCATOR_EVENTS = 64 };

struct parcast_allocator {
    const struct backend *backend;
    parcast_allocator_options options; /* shell, partition, directory: not used after open */
    double patience_s;
    struct node *nodes; /* [n_nodes] in the order in which they are used */
    size_t n_nodes;
    parcast_held_node *view;                           /* [n_nodes] for the caller */
    long asked;                                        /* nodes asked for in all: the order of asking */
    parcast_allocation_event events[ALLOCATOR_EVENTS]; /* [n_events] oldest first */
    size_t n_events;
    int epoll, wake, tick; /* see allocator.c */
    double opened_s;
    double charged; /* of nodes that were given back */
    char *directory;
    bool own_directory;
    int lock;    /* of its own directory; -1: none */
    char *agent; /* path, NULL: none */
    void *state; /* of the back end */
};

/* ---- common.c ---- */

parcast_status allocator_no_memory(parcast_error *error);
double allocator_now(const parcast_allocator *a);
/** A new node in state STARTING; NULL when out of memory. Pointers to nodes are then no longer valid. */
struct node *allocator_add(parcast_allocator *a, const char *name, int slots, int type);
/** It is ready from now on. */
void allocator_ready(parcast_allocator *a, struct node *node, int slots);
/** It is lost: charged no longer. What was held by it goes; told by the caller. */
void allocator_lose(parcast_allocator *a, struct node *node);
/** Nodes in one state, those that are gone left out. */
int allocator_count(const parcast_allocator *a, parcast_node_state state);
/** Take away nodes that are gone and put the rest in order. Pointers to nodes are then no longer valid. */
void allocator_tidy(parcast_allocator *a);
/** Add what a node cost and mark it as gone; its child is ended. */
void allocator_settle(parcast_allocator *a, struct node *node);
void allocator_tell(parcast_allocator *a, parcast_allocation_event_kind kind, int n_nodes, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));
/** Have the descriptor readable when fd is. */
void allocator_watch(parcast_allocator *a, int fd);

/** Type of a host in the platform: by its list of hosts, else by its name; -1: none of them. */
int allocator_type_of_host(const parcast_platform *platform, const char *host);
/** Type of the i-th node when nodes are counted in the order of the platform; -1 beyond. */
int allocator_type_of_index(const parcast_platform *platform, int index);

/* ---- agent.c ---- */

/** The folder for scripts; made when the caller gave none. */
parcast_status allocator_directory(parcast_allocator *a, parcast_error *error);
/** Write the agent script; `body` follows the part that sets $host and leaves the command in "$@". */
parcast_status allocator_write_agent(parcast_allocator *a, const char *body, parcast_error *error);
/** Write a file in one step. */
parcast_status allocator_replace(const char *path, const char *text, mode_t mode, parcast_error *error);
/** A word as a shell reads it back; free() it. */
char *allocator_quote(const char *word);

/* ---- child.c ---- */

/** A process of its own session with a socket for stdin, stdout and stderr. */
struct child {
    pid_t pid; /* 0: ended and waited for */
    int socket;
    char text[1024]; /* what it printed last and nobody took */
    size_t used;
    bool closed; /* it has closed its side */
    int status;  /* once ended: as a shell gives it */
};

parcast_status child_start(const char *const *words, struct child **child, parcast_error *error);
/** Take in what it printed; true if it still runs. */
bool child_read(struct child *child);
/** The next whole line, without its end; false if there is none. */
bool child_line(struct child *child, char *line, size_t size);
/** Say something to it; a child that has gone does not matter. */
void child_say(struct child *child, const char *text);
/** Ask it to end, then make it end; wait for it. Sets the pointer to NULL. */
void child_end(struct child **child);
/** Run to the end, at most limit_s; its output, free() it. PARCAST_IO when it fails: what it printed. `name`
   is what messages call it: the first word may be an env(1) before it. */
parcast_status child_run(const char *const *words, const char *name, double limit_s, char **output,
                         parcast_error *error);

#endif
