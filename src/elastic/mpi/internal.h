/** What the files of the application library share. */
#ifndef PARCAST_ELASTIC_INTERNAL_H
#define PARCAST_ELASTIC_INTERNAL_H

#include <mpi.h>

#include "elastic/manifest.h"
#include "elastic/place.h"
#include "elastic/wire.h"
#include "parcast/elastic.h"

#ifndef PARCAST_ELASTIC_HAS_MPI
#error "mpi.h was not found by __has_include"
#endif

/* A group of ranks that was spawned in memory, and what was before it. */
typedef struct elastic_level {
    MPI_Comm inter;            /* between the group and those before it */
    MPI_Comm comm, own, quiet; /* of all, without the group; null on ranks of the group */
    int below;                 /* ranks without the group */
} elastic_level;

typedef struct elastic_item {
    char name[ELASTIC_NAME_BYTES];
    parcast_elastic_shape shape; /* its name is not used */
    parcast_elastic_array array; /* what the program sees */
    elastic_layout layout, saved;
    size_t mapped_bytes;
} elastic_item;

typedef struct elastic_value {
    char name[ELASTIC_NAME_BYTES];
    void *data;
    size_t bytes;
} elastic_value;

/* What all ranks have agreed on; it goes round in one broadcast. */
typedef struct elastic_orders {
    int64_t stop_at;              /* leave at the first safe point from this iteration on; -1: no order */
    int64_t save_at;              /* write a checkpoint there and go on; -1: no order */
    int64_t resize_at, resize_to; /* in memory; -1: no order; 0: as soon as it is prepared */
    int64_t prepare, prepared;    /* of that order: begin to prepare; it is prepared on rank 0 */
    int64_t alone;                /* the supervisor is gone */
    int64_t interval;             /* iterations between two looks at the supervisor's orders */
} elastic_orders;

struct parcast_elastic {
    bool plain;        /* first: all that a safe point looks at without the supervisor */
    int64_t iteration; /* the next one */
    bool supervised;
    int finalize_key; /* attribute of MPI_COMM_SELF */
    MPI_Comm comm;    /* the program's */
    MPI_Comm own;     /* ours, with the same ranks */
    MPI_Comm quiet;   /* again, for a thread that spawns; null where MPI has one thread only */
    int rank, n_ranks;
    parcast_elastic_options options;
    parcast_error error;
    double *weights;         /* [n_ranks] speeds; NULL: equal */
    int place, n_colleagues; /* among the ranks of this node */

    elastic_item **items;
    size_t n_items;
    elastic_value *values;
    size_t n_values;
    bool begun, resumed, left;
    bool resized;          /* by the last safe point */
    bool loaded;           /* the first iteration was told */
    elastic_level *levels; /* [n_levels] from the first one that this rank has seen */
    size_t n_levels;
    char *manifest; /* rank 0: of the last checkpoint that was committed */
    double copy_s;  /* that the slowest rank took for its part of the last one */

    /* a resize in memory */
    struct elastic_ahead *ahead;   /* that is being prepared; NULL: none */
    struct elastic_behind *behind; /* checkpoint of the last one that is being written; NULL: none */
    int64_t resize_to;             /* of what is being prepared */
    int64_t save_first;            /* a checkpoint comes before every one */
    int64_t cannot_pull;           /* ranks may not read each other's memory */
    bool hung;                     /* a spawn did not return */
    double last_spawn_s, iteration_s;
    double touch_bytes_per_s; /* of all ranks, in the last preparation; 0: none yet */

    /* the supervisor */
    char address[300], token[ELASTIC_TOKEN_BYTES], directory[768], node[256];
    int launch;
    elastic_place *here; /* where this rank is, for a supervisor that hears nothing; NULL: it is not told */
    int here_fd;
    bool durable;      /* checkpoints lie on a disk that all nodes see */
    bool expect;       /* this launch will resume: memory is touched while it waits */
    elastic_wire wire; /* rank 0 only */
    int64_t next_epoch;

    /* orders */
    elastic_orders orders;   /* agreed */
    elastic_orders incoming; /* rank 0: as the supervisor wants them; elsewhere: buffer of the broadcast */
    MPI_Request agreement;   /* broadcast under way */
    int64_t next_look;       /* iteration in which the next one begins */
    double check_s, look_began_s; /* rank 0: what a look costs, and what the beginning of the last one did */
    double began_s, last_look_s, last_told_s; /* rank 0 */
    int64_t last_look;
};

enum { ELASTIC_READY_TAG = 1 };

double elastic_now(void);
/* Speeds of all ranks, and which of them are on this node. */
parcast_status elastic_gather_weights(parcast_elastic *e, parcast_error *error);

/* Describe and, unless errors return, print and abort. Returns the code. */
parcast_status elastic_raise(parcast_elastic *e, const parcast_error *error);
static inline parcast_status elastic_no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
}

/* Waits that leave the core to others: the old and the new ranks share it during a move. */
void elastic_wait(MPI_Request *request);
void elastic_broadcast(parcast_elastic *e, void *bytes, int64_t n);
/* Zero only if zero everywhere; otherwise the error of the lowest rank that failed is everyone's. */
parcast_status elastic_agree(parcast_elastic *e, parcast_status status, parcast_error *error);

/* register.c */
parcast_status elastic_item_place(parcast_elastic *e, elastic_item *item, parcast_error *error);
void elastic_item_release(elastic_item *item);

/* control.c: rank 0 and the supervisor. */
parcast_status elastic_control_open(parcast_elastic *e, parcast_error *error);
/* Read what has arrived into e->incoming. */
void elastic_control_poll(parcast_elastic *e);
/* Wait for "begin"; the texts are to be freed, empty ones are NULL. False: the supervisor is gone. */
typedef struct elastic_begin {
    int64_t next_epoch, stop_at;
    int64_t ranks; /* if not 0: at stop_at the run goes on with so many, in memory */
    int64_t manifest_bytes, servers_bytes;
    int64_t save_first; /* checkpoints come before resizes in memory */
} elastic_begin;
bool elastic_control_begin(parcast_elastic *e, elastic_begin *begin, char **manifest, char **servers);
/* After a resize in memory: the next order. False: the supervisor is gone. */
bool elastic_control_next(parcast_elastic *e);
/* What ranks that hold still are told. */
typedef enum elastic_word {
    ELASTIC_WORD_WRITE,   /* write a checkpoint first, others begin with it */
    ELASTIC_WORD_FETCHED, /* others go on already: write it now, and leave */
    ELASTIC_WORD_GO_ON    /* there are no others */
} elastic_word;
elastic_word elastic_control_hold(parcast_elastic *e, int64_t iteration, int64_t epoch, const char *manifest);
/* Hand a manifest over; `how` is leave, stay or behind. */
bool elastic_control_hand_over(parcast_elastic *e, int64_t iteration, int64_t epoch, const char *how,
                               const char *manifest);
/* True when the supervisor has committed what was handed over. */
bool elastic_control_committed(parcast_elastic *e);

/* save.c: a checkpoint of this moment on all ranks. True when it is committed. */
typedef enum elastic_saving {
    ELASTIC_SAVE_AND_STAY,
    ELASTIC_SAVE_IN_MOVE,   /* the same in the middle of a resize */
    ELASTIC_SAVE_AND_LEAVE, /* if it is committed; else the ranks go on */
    ELASTIC_SAVE_LAST       /* the ranks leave in any case: their arrays are given up on the way */
} elastic_saving;
bool elastic_save(parcast_elastic *e, int64_t iteration, elastic_saving how);
/* The piece of this rank. With `last` its arrays are given up on the way. */
parcast_status elastic_write_piece(const parcast_elastic *e, int64_t epoch, bool last, elastic_piece *piece,
                                   parcast_error *error);
/* All pieces on rank 0, to be freed, unless a rank failed before (`status`) or fails now. */
parcast_status elastic_gather_pieces(parcast_elastic *e, parcast_status status, const elastic_piece *piece,
                                     elastic_piece **pieces, parcast_error *error);
/* Rank 0: the text, to be freed. Pieces in memory get their sizes here. */
parcast_status elastic_format_manifest(const parcast_elastic *e, int64_t iteration, int64_t epoch,
                                       elastic_piece *pieces, char **text, parcast_error *error);

/* hold.c: at an order to stop. True when the ranks are to leave: others go on. */
bool elastic_leave(parcast_elastic *e, int64_t iteration);

/* resize.c: in memory. */
/* Ranks of a spawned group join the others. */
parcast_status elastic_join(parcast_elastic *e, MPI_Comm parent, parcast_error *error);
/* Communicators, rank and size of what is computed with now. */
parcast_status elastic_settle(parcast_elastic *e, MPI_Comm comm, parcast_error *error);
/* A communicator for threads that spawn, where MPI has them. */
void elastic_settle_quiet(parcast_elastic *e);
/* Rank 0: can it be done? The text says why not. */
bool elastic_can_resize(const parcast_elastic *e, int64_t ranks, parcast_error *error);
/* What was prepared is what the ranks compute with from now on; `was` gets their arrays [n_items]. */
parcast_status elastic_become(parcast_elastic *e, elastic_item *was, parcast_error *error);
/* The youngest groups go, down to so many ranks. True on ranks that leave. */
bool elastic_shrink(parcast_elastic *e, int64_t ranks);
/* Those of e->comm, which must not be that of open. */
void elastic_free_comms(parcast_elastic *e);

/* move.c */
parcast_elastic_state elastic_resize(parcast_elastic *e, int64_t iteration, int64_t ranks);
/* A rank that was spawned hears where the run is and gets its part of the data. */
parcast_status elastic_join_run(parcast_elastic *e, int64_t *n_bytes, parcast_error *error);
/* Ranks that were spawned for nothing hear it, and end. */
void elastic_send_away(parcast_elastic *next);
/* The orders of rank 0 become everyone's. */
void elastic_hear_orders(parcast_elastic *e);
/* At the end: groups part in order, or MPI_Finalize breaks or hangs. */
void elastic_part(parcast_elastic *e);

/* load.c: what the supervisor hands over at the beginning. */
parcast_status elastic_load(parcast_elastic *e, parcast_error *error);
/* Go on from a checkpoint, on all ranks. */
parcast_status elastic_resume(parcast_elastic *e, const char *text, size_t bytes, const char *servers,
                              int64_t *n_bytes, parcast_error *error);

/* fetch.c: my part of all arrays of a checkpoint. `servers` lists "NODE HOST:PORT" lines, may be NULL. */
parcast_status elastic_fetch(parcast_elastic *e, const elastic_manifest *manifest, const char *servers,
                             int64_t *n_bytes, parcast_error *error);

#endif
