/** What the formats of timelines share. */
#ifndef PARCAST_TRACE_TIMELINE_H
#define PARCAST_TRACE_TIMELINE_H

#include <stdio.h>

#include "parcast/timeline.h"

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
    const parcast_trace_event *event; /* NULL: computing */
    double start_s, end_s;
};

/** A format is a table of these. They write to `out`; failures show in ferror(). */
struct timeline_writer {
    void (*begin)(FILE *out, const parcast_trace *trace, const bool *ranks);
    void (*state)(parcast_timeline *timeline, const struct timeline_state *state);
    void (*message)(parcast_timeline *timeline, const struct timeline_end *end, bool arrives, double date_s);
    void (*define_value)(FILE *out, const char *name, int number); /* before its first date */
    void (*value)(parcast_timeline *timeline, const char *name, int number, double date_s, double value);
    void (*end)(parcast_timeline *timeline);
};
extern const struct timeline_writer timeline_chrome, timeline_paje;

FILE *timeline_out(parcast_timeline *timeline);
/** Number of a node. */
int32_t timeline_node(const parcast_timeline *timeline, int32_t rank);

/** Lines that must ascend in date wait here until no rank can come before them. */
struct timeline_queue;
parcast_status timeline_hold(parcast_timeline *timeline, double date_s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
