/** What the formats of timelines share. */
#ifndef PARCAST_TRACE_TIMELINE_H
#define PARCAST_TRACE_TIMELINE_H

#include <stdio.h>

#include "parcast/timeline.h"
#include "trace/message_key.h"

/* One end of a message. */
struct timeline_end {
    int32_t source, destination; /* ranks of the world */
    int32_t tag;
    int64_t bytes;
    uint64_t key; /* the same at both ends */
};

struct timeline_state {
    int32_t rank;
    const char *name;                 /* NULL: computing */
    const parcast_trace_event *event; /* NULL: computing, or not known */
    double start_s, end_s;
};

/** A format is a table of these. They write to `out`; failures show in ferror(). */
struct timeline_writer {
    void (*begin)(FILE *out, const parcast_timeline_layout *layout, const bool *ranks);
    void (*state)(parcast_timeline *timeline, const struct timeline_state *state);
    void (*message)(parcast_timeline *timeline, const struct timeline_end *end, bool arrives, double date_s);
    void (*define_value)(FILE *out, const char *name, int number); /* before its first date */
    void (*value)(parcast_timeline *timeline, const char *name, int number, double date_s, double value);
    void (*end)(parcast_timeline *timeline);
};
extern const struct timeline_writer timeline_chrome, timeline_paje;

struct timeline_pending; /* a request that was begun */
struct timeline_held;    /* a line that waits for its date */

struct timeline_rank {
    bool shown, seen, ended;
    double last_s;
    struct timeline_pending *pending; /* [capacity] by request number */
    size_t capacity;
};

struct parcast_timeline {
    char *path;
    FILE *out;
    const struct timeline_writer *writer;
    const parcast_trace *trace; /* NULL: of a simulation */
    parcast_timeline_options options;
    int32_t n_ranks;
    int32_t *rank_node;          /* [n_ranks] */
    struct timeline_rank *ranks; /* [n_ranks] */
    bool *shown;                 /* [n_ranks] */
    struct message_keys keys;
    parcast_timeline_info info;
    char **values; /* names, [n_values] */
    size_t n_values;
    struct timeline_held *held; /* a heap, the earliest first */
    size_t n_held, held_capacity, flush_at;
    uint64_t n_lines;
    bool no_memory;
};

/** What the options leave of a state, or of an end of a message, is drawn. */
void timeline_draw_state(parcast_timeline *timeline, const struct timeline_state *state);
void timeline_draw_end(parcast_timeline *timeline, const struct timeline_end *end, bool arrives,
                       double date_s);
/** PARCAST_INVALID: no such rank, or dates that cannot be. */
parcast_status timeline_check_call(const parcast_timeline *timeline, int32_t rank, double start_s,
                                   double end_s, parcast_error *error);
/** What has gone wrong while writing. */
parcast_status timeline_check_output(const parcast_timeline *timeline, parcast_error *error);

FILE *timeline_out(parcast_timeline *timeline);
/** Number of a node. */
int32_t timeline_node(const parcast_timeline *timeline, int32_t rank);

/** Lines that must ascend in date wait here until no rank can come before them. */
struct timeline_queue;
parcast_status timeline_hold(parcast_timeline *timeline, double date_s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
