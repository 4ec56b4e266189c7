/** The frame of a rank that is being read: its definitions, and the state of reading its sequence and times.
 */
#ifndef PARCAST_TRACE_DECODER_H
#define PARCAST_TRACE_DECODER_H

#include "parcast/trace.h"
#include "trace/frame.h"
#include "trace/sequence.h"

struct decoder {
    struct frame_header header;
    unsigned char *raw; /* contents */
    size_t raw_capacity;
    parcast_trace_event *definitions; /* [header.n_definitions] */
    int64_t *numbers;                 /* their vectors */
    int32_t *expected;                /* [3][header.n_definitions] */
    struct sequence sequence;
    const unsigned char *times;
    double *dates; /* [n_dates] of the threads, in units of time */
    size_t n_dates;
};

/** Room for the contents of a frame, to be filled before decoder_begin. NULL: out of memory. */
unsigned char *decoder_room(struct decoder *decoder, const struct frame_header *header);

/**
 * Begin with a frame whose contents lie in the room.
 * @return PARCAST_OK; PARCAST_MEMORY; PARCAST_FORMAT. The error is not described.
 */
parcast_status decoder_begin(struct decoder *decoder);

/** Times in stored units. */
struct decoded {
    parcast_trace_event *event; /* without times */
    double compute, gap, call;
    double date; /* of the call */
};

/** The next event of the frame. False: its contents make no sense. Must not be called at its end. */
bool decoder_next(struct decoder *decoder, struct decoded *decoded);

static inline bool decoder_at_end(const struct decoder *decoder)
{
    return decoder->sequence.at == decoder->header.n_events;
}

void decoder_free(struct decoder *decoder);

#endif
