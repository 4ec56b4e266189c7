/** The header before every frame, and the parts of the file that are not frames. docs/formats/trace.md. */
#ifndef PARCAST_TRACE_FRAME_H
#define PARCAST_TRACE_FRAME_H

#include "parcast/error.h"
#include "trace/bytes.h"

static const unsigned char trace_magic[8] = {'P', 'A', 'R', 'C', 'A', 'S', 'T', 'T'};
static const unsigned char trace_end_magic[8] = {'P', 'A', 'R', 'C', 'A', 'S', 'T', 'E'};
#define TRACE_FRAME_MARK 0x52465450U /* "PTFR" */

enum {
    TRACE_VERSION = 1,
    TRACE_HEADER_BYTES = 32,
    TRACE_FRAME_BYTES = 64,
    TRACE_FRAME_NEXT = 56, /* offset of the member `next` in a frame header */
    TRACE_END_BYTES = 32,
    TRACE_MOST_EVENTS = 1 << 16,      /* of a frame */
    TRACE_MOST_DEFINITIONS = 1 << 14, /* of a frame */
    TRACE_MOST_RAW_BYTES = 1 << 27,   /* of a part of a frame */
    TRACE_MOST_RANKS = 1 << 24,
};

enum frame_kind { FRAME_META = 1, FRAME_EVENTS = 2, FRAME_INDEX = 3 };

/* How the times of a frame are kept. */
enum frame_coding {
    CODING_CODES = 1,     /* duration.h: gap, call */
    CODING_CODES_CPU = 2, /* gap, call, CPU time of the gap */
    CODING_DOUBLES = 3,   /* IEEE 754: compute, call */
};

struct frame_header {
    enum frame_kind kind;
    enum frame_coding coding;
    uint32_t rank;
    uint32_t n_events;
    uint64_t first_event;
    uint32_t n_definitions;
    uint32_t definition_bytes, sequence_bytes; /* of the contents before compression */
    uint32_t stored_bytes;                     /* behind this header */
    double date;   /* of the main thread before the first event, in units of time */
    uint64_t next; /* offset of the rank's next frame, 0: there is none */
};

/** Bytes of time per event. */
size_t frame_time_bytes(enum frame_coding coding);
/** Bytes of the contents before compression. */
size_t frame_raw_bytes(const struct frame_header *header);

void frame_put(unsigned char bytes[TRACE_FRAME_BYTES], const struct frame_header *header);
/** False: the bytes are no frame header, or a damaged one. */
bool frame_get(const unsigned char bytes[TRACE_FRAME_BYTES], struct frame_header *header);

#endif
