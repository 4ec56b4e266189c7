/**
 * One rank's frame in the making: events become tokens (numbers of their definitions, in the order in which
 * these first occur) and times; packing finds what is repeated and lays out the contents of the frame.
 */
#ifndef PARCAST_TRACE_ENCODER_H
#define PARCAST_TRACE_ENCODER_H

#include "trace/frame.h"

/** Times of an event: codes (duration.h), or exact numbers in `compute` and `call`. */
struct event_times {
    uint16_t gap, in_call, cpu; /* cpu only in CODING_CODES_CPU */
    double compute, call;       /* CODING_DOUBLES */
};

struct thread_clock {
    int32_t thread;
    double first, now; /* before its first event of this frame; after its last one */
};

struct encoder {
    enum frame_coding coding;
    bool dated; /* compute is time, not flop */
    uint32_t limit_events, limit_definitions;
    uint32_t n_events, n_definitions;
    uint64_t first_event;
    uint16_t *tokens;                /* [limit_events] */
    struct event_times *times;       /* [limit_events] */
    struct trace_buffer definitions; /* each with its length before it */
    uint32_t *places;                /* [limit_definitions] of the bytes in `definitions` */
    uint32_t *lengths;               /* [limit_definitions] */
    uint16_t *slots;                 /* [n_slots] hash table: number of a definition + 1 */
    uint32_t n_slots;
    struct thread_clock *threads; /* [n_threads], the main thread first */
    size_t n_threads;
};

/** False: out of memory; encoder_free() is due all the same. */
bool encoder_init(struct encoder *encoder, enum frame_coding coding, bool dated, uint32_t limit_events);
void encoder_free(struct encoder *encoder);

/** Does another event need a new frame? */
bool encoder_full(const struct encoder *encoder);

/** Set the clock of a thread that has no events yet. False: out of memory. */
bool encoder_start_thread(struct encoder *encoder, int32_t thread, double date);

/** Append an event; the encoder must not be full. False: out of memory. */
bool encoder_add(struct encoder *encoder, int32_t thread, const unsigned char *definition, size_t n,
                 const struct event_times *times);

/** Sections of the packed frame, ends in bytes: entropy differs between them. */
enum { ENCODER_MOST_SECTIONS = 20 };
struct packed_frame {
    struct trace_buffer bytes;
    size_t ends[ENCODER_MOST_SECTIONS];
    size_t n_sections;
};

/** Contents and header (all but rank, stored_bytes and next) of the frame; the encoder is then empty again.
 */
bool encoder_pack(struct encoder *encoder, struct frame_header *header, struct packed_frame *packed);

#endif
