/** What the files of the supervisor share. */
#ifndef PARCAST_ELASTIC_SUPERVISE_H
#define PARCAST_ELASTIC_SUPERVISE_H

#include <sys/types.h>

#include "elastic/place.h"
#include "elastic/store.h"
#include "elastic/wire.h"
#include "parcast/supervisor.h"

enum {
    ELASTIC_MAX_LAUNCHES = 8,
    ELASTIC_MAX_STRANGERS = 16,
    ELASTIC_RESIZE_PATIENCE_S = 30,
    ELASTIC_TERM_S = 3
};

enum launch_state {
    LAUNCH_FREE,     /* no launch in this place */
    LAUNCH_STARTING, /* the launcher runs */
    LAUNCH_READY,    /* all ranks wait for the beginning */
    LAUNCH_BEGUN,    /* they fetch */
    LAUNCH_RUNNING,
    LAUNCH_HOLDING, /* stands still until the next launch has copied its arrays */
    LAUNCH_PARTING, /* the next one runs; this one writes its checkpoint, and ends */
    LAUNCH_LEFT,    /* a checkpoint is committed, the ranks end */
    LAUNCH_DONE,    /* the program said that it is done */
    LAUNCH_ENDED    /* cancelled or dead; waits to be reaped */
};

struct launch_host {
    char name[256];    /* as the caller calls it */
    char address[256]; /* where it is reached over the network */
    int slots;
    double speed;
};

struct launch {
    enum launch_state state;
    int number;
    struct launch_host *hosts; /* [n_hosts], none without an agent */
    size_t n_hosts;
    pid_t pid; /* 0 when it was reaped */
    int exit_status;
    bool killed; /* by a signal: the launcher, not its ranks */
    int nodes, ranks;
    elastic_wire wire;
    bool host_lost;  /* one of its hosts is gone */
    bool hung;       /* it was ended for it */
    bool told_late;  /* that it does not come up */
    bool unclosed;   /* its ranks have finalized, but not closed */
    bool greeted;    /* it opened the library */
    bool late;       /* it did not come up in time, and is ended */
    bool can_hold;   /* its library speaks version 2 */
    bool in_memory;  /* the program can be resized in memory */
    int64_t offered; /* epoch of the checkpoint that it was given; -1: none */
    double started_s, ready_s, begun_s;
    double kill_s; /* when it is killed; INFINITY: not */
};

/* What is being measured of a move. */
struct move {
    int from_nodes;
    int64_t iteration;
    bool leaves_hosts;            /* some that were used are not any more */
    double saving_s, committed_s; /* of the last checkpoint that ended a struct launch */
    char reason[256];
};

enum server_state { SERVER_STARTING, SERVER_READY, SERVER_FAILED };

struct server { /* of pieces on another node */
    enum server_state state;
    char host[256];  /* as the caller calls it */
    char reach[256]; /* where the host is reached over the network */
    char node[256];  /* as it calls itself, and its ranks do */
    char address[300];
    pid_t pid;      /* 0: it has ended */
    int input;      /* closing it ends the server */
    int output;     /* not blocking */
    double until_s; /* when it must have answered */
    char line[512]; /* that is being read */
    size_t length;
};

/* Second copies of the pieces of checkpoints. */
struct copies {
    char *text; /* manifest of the checkpoint that waits to be copied; NULL: none */
    size_t bytes;
    int64_t epoch; /* that is being copied; 0: none */
    int n_left;    /* pieces that are under way */
    bool failed;
    int64_t doubled; /* the newest epoch that lies twice; 0: none */
    char told[256];  /* why the last one failed */
};

/* A rank that was looked for. */
struct stuck {
    elastic_found found;
    char host[256];
};

enum watch_stage {
    WATCH_QUIET, /* nothing is wrong */
    WATCH_ASKED, /* it is silent: its ranks are looked for */
    WATCH_TOLD
};

/* What is known of a program that does not speak. */
struct watch {
    double heard_s;   /* when the program spoke last */
    double longest_s; /* that it computed without a word; 0: not measured */
    bool saving;      /* it is writing a checkpoint */
    int speaker;      /* number of the launch that spoke */
    int launch;       /* number and state of the one that is watched */
    enum launch_state state;
    enum watch_stage stage;
    double asked_s;
    struct stuck *ranks; /* [n_ranks] */
    size_t n_ranks;
    double looked_s;   /* for what a program that is done has left behind */
    double leftover_s; /* since when it is known */
    bool leftover_is_told;
    bool leftover_is_ended;
};

/* Name of the server beside the manifests. */
#define SUPERVISE_DISK "*disk"

/* A launch that died, until the caller knows which of its hosts did. */
struct suspects {
    struct launch_host *hosts; /* [n] */
    size_t n;
    bool counted;      /* it counts as a crash unless a host is gone */
    bool first_failed; /* nothing had run before: the run ends unless a host is gone */
};

typedef struct supervisor {
    const parcast_supervisor_request *request;
    const parcast_supervisor_calls *calls;
    void *context;
    parcast_supervisor_result result;
    elastic_store store;
    parcast_error *error;

    char token[ELASTIC_TOKEN_BYTES], address[300];
    int listener, signals;
    elastic_wire strangers[ELASTIC_MAX_STRANGERS]; /* have not said hello yet */
    struct launch launches[ELASTIC_MAX_LAUNCHES];
    struct launch *now, *next; /* the one that computes, the one that will; NULL if none */
    int n_launched;
    struct pollfd *fds; /* all that is waited for */
    struct server *servers;
    size_t n_servers;

    parcast_supervised state;
    parcast_wish wish;
    bool stop_ordered;
    bool resize_ordered;
    double resize_until_s; /* a resize in memory that takes longer hangs; INFINITY: none is under way */
    bool resizing;         /* its data move; before that ranks are spawned while the program computes */
    bool can_spawn;        /* the MPI can */
    int not_in_memory_to;  /* nodes that could not be reached in memory; 0: none */
    struct move move;
    double begin_s, last_commit_s, last_save_order_s, last_launch_took_s, asked_s;
    double array_bytes; /* of all ranks, as the last launch told; 0: unknown */
    double hosts_looked_s;
    double not_before_s;  /* when nothing runs: the next launch */
    const char *why_next; /* its reason; NULL: what the caller says */
    struct suspects suspects;
    bool is_elastic; /* the program has opened the library once */
    int retries;
    bool trim_due, quit;
    char *held_text; /* what the launch that holds still has: a manifest */
    size_t held_bytes;
    parcast_supervised held_state;
    bool cannot_pull; /* ranks may not read the memory of others here: pieces are written first */
    struct copies copies;
    struct watch watch;
    int64_t leaving_epoch; /* of that checkpoint; 0: not written yet */
    bool leaving_nodes; /* the checkpoint still lies on nodes that are left: `left_for` is told after the next
                           one */
    parcast_supervisor_event left_for;
    double leave_until_s; /* the caller is told of it by then, or as soon as nothing runs there; 0: not yet */
} supervisor;

double supervise_now(void);
/* Ask the caller for its wish. */
parcast_status supervise_ask(supervisor *s);
void supervise_tell(supervisor *s, bool warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

parcast_status supervise_launch_next(supervisor *s);
/* At the start and after a crash, as soon as there are nodes. */
parcast_status supervise_launch_first(supervisor *s);
/* Nobody wants it any more. */
void supervise_cancel_next(supervisor *s);

/* ends.c */
/* What is known of the run is what its last checkpoint says. */
void supervise_rewind(supervisor *s);
/* Launches that are over: what comes of it, and their places. */
parcast_status supervise_bury_all(supervisor *s);

/* launch.c */
/* Of the launcher, and where that is not known, of the program. */
parcast_mpi_family supervise_family(const supervisor *s);
parcast_status supervise_launch(supervisor *s, int nodes, bool expect, struct launch **made);

/* processes.c */
/* TERM now, KILL after some seconds. */
void supervise_end(struct launch *launch, double grace_s);
void supervise_kill(struct launch *launch);
/* A process and all below it. */
void supervise_kill_tree(pid_t root, int signal);
/* Waits for those that have ended; true when one did. */
bool supervise_reap(supervisor *s);
void supervise_kill_late(supervisor *s);
/* A process that a rank of this machine has left behind and that holds its output, once all ranks of the
 * launch have ended; 0: none. */
pid_t supervise_find_leftover(const supervisor *s, const struct launch *launch, char name[32]);
/* What a launcher that died has left on this machine. */
void supervise_kill_orphans(const supervisor *s);
/* What this run has left on this machine, whoever started it: after a supervisor that was killed, and at the
 * end. The caller holds the lock of the run. */
void supervise_kill_remains(const supervisor *s);

/* hosts.c */
/* A launch died: the caller finds out which of its hosts are gone. Takes them from it. */
void supervise_suspect(supervisor *s, struct launch *launch);
/* Which they were is known now: true if one is gone. */
bool supervise_clear_suspects(supervisor *s);
/* Ends launches on hosts that are gone, and those that do not come up. */
void supervise_look_at_hosts(supervisor *s);
double supervise_patience(const supervisor *s);
/* A host of a launch that is wanted back; NULL: none is. */
const char *supervise_wanted_back(const supervisor *s, const struct launch *launch);
/* Of the move that begins: the wish's, or that a host is wanted back. */
void supervise_set_reason(supervisor *s);
/* Start a rank that spawns another and ends in order; says why when it does not. */
bool supervise_can_spawn(supervisor *s);
/* Does the wish ask for other ranks than those of a launch? */
bool supervise_wants_move(const supervisor *s, const struct launch *launch);
/* Is the next move to be made in memory? */
bool supervise_moves_in_memory(const supervisor *s, const struct launch *launch, int nodes);

/* talk.c */
void supervise_accept(supervisor *s);
void supervise_listen_to_strangers(supervisor *s);
parcast_status supervise_listen(supervisor *s, struct launch *launch);

/* events.c */
/* "1 node", "2 nodes" */
const char *supervise_count_nodes(int n, char text[32]);
/* Iteration of a manifest; 0 without one. */
int64_t supervise_iteration_of(const char *manifest);
parcast_status supervise_begin(supervisor *s, struct launch *launch);
/* The same with arrays that wait in memory. */
parcast_status supervise_say_begin(supervisor *s, struct launch *launch, const char *text, size_t bytes);
/* The ranks of a launch compute: the move is over. */
void supervise_on_running(supervisor *s, struct launch *launch, int64_t iteration, double move_s,
                          double copy_s, int64_t bytes);
void supervise_keep_event(supervisor *s, const parcast_supervisor_event *event);

/* handover.c */
/* The ranks of this launch hold still; `bytes` of a manifest follow. */
parcast_status supervise_on_holding(supervisor *s, struct launch *launch, int64_t epoch, size_t bytes);
/* One holds still: the next one begins when it is ready. */
parcast_status supervise_hand_over(supervisor *s);
/* If one holds still: "write" a checkpoint first, or "go on". */
void supervise_release_held(supervisor *s, const char *word);
/* The next launch cannot copy: a checkpoint is written for it. */
void supervise_write_instead(supervisor *s, struct launch *next, const char *why);
/* Before a recovery: checkpoints that are written behind the run are committed, or their launches end. */
void supervise_finish_parting(supervisor *s);

/* servers.c */
/* A helper program, beside parcast or where it is installed; NULL if it is not there. */
const char *supervise_helper(const char *name, char path[1024]);
/* Begin to start a server on every host of a launch that has none. */
parcast_status supervise_serve(supervisor *s, const struct launch *launch);
/* What servers say, and those that have ended. */
void supervise_listen_to_servers(supervisor *s);
/* Its host is gone, and answers nobody. */
void supervise_fail_servers_on(supervisor *s, const char *host);
/* Those of a launch: the worst state. */
enum server_state supervise_serves(const supervisor *s, const struct launch *launch);
/* One beside the manifests. */
enum server_state supervise_serve_disk(supervisor *s);
void supervise_end_server(struct server *server);
char *supervise_servers_text(const supervisor *s);
void supervise_sweep_servers(supervisor *s, int64_t epoch);
void supervise_end_servers(supervisor *s);

/* Have the server of a host look for ranks of this run: supervise_found. */
void supervise_ask_places(supervisor *s, const struct launch_host *host, uint64_t key);
/* Have it kill those of a launch. */
void supervise_end_ranks(supervisor *s, const char *host, uint64_t key, int launch);

/* watch.c */
/* A launch has said a line. */
void supervise_hear(supervisor *s, const struct launch *launch, const char *line);
/* Tells which ranks are late, and ends a launch that hangs. */
void supervise_watch(supervisor *s);
void supervise_found(supervisor *s, const char *host, const elastic_found *found);

/* copies.c */
/* Do pieces lie in the memory of several nodes? */
bool supervise_copies(const supervisor *s);
/* Is the program on its node, or is anything that lies there needed still? */
bool supervise_needs_server(const supervisor *s, const struct server *server);
/* This checkpoint was committed; takes the text of its manifest. */
void supervise_copy(supervisor *s, char *text, size_t bytes);
/* Begin to copy what waits, if it may. */
void supervise_copy_on(supervisor *s);
/* A piece is copied; or why not. */
void supervise_on_copied(supervisor *s, int64_t epoch, const char *why);
void supervise_copies_broken(supervisor *s);
/* Nothing on nodes that were left is needed any more: their servers end. */
void supervise_begin_leaving(supervisor *s);
/* Tells the caller of the last move as soon as nothing runs on nodes that were left. */
void supervise_leave(supervisor *s);
/* Checkpoints to keep: `least`, and all from the last one that lies twice. */
size_t supervise_kept(const supervisor *s, size_t least);

#endif
