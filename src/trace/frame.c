#include "trace/frame.h"

#include "trace/checksum.h"

enum { CHECKED_BYTES = 52 };

size_t frame_time_bytes(enum frame_coding coding)
{
    return coding == CODING_CODES ? 4 : coding == CODING_CODES_CPU ? 6 : 16;
}

size_t frame_raw_bytes(const struct frame_header *header)
{
    return (size_t)header->definition_bytes + header->sequence_bytes +
           header->n_events * frame_time_bytes(header->coding);
}

void frame_put(unsigned char bytes[TRACE_FRAME_BYTES], const struct frame_header *h)
{
    memset(bytes, 0, TRACE_FRAME_BYTES);
    put_u32(bytes, TRACE_FRAME_MARK);
    bytes[4] = (unsigned char)h->kind;
    bytes[5] = (unsigned char)h->coding;
    put_u32(bytes + 8, h->rank);
    put_u32(bytes + 12, h->n_events);
    put_u64(bytes + 16, h->first_event);
    put_u32(bytes + 24, h->n_definitions);
    put_u32(bytes + 28, h->definition_bytes);
    put_u32(bytes + 32, h->sequence_bytes);
    put_u32(bytes + 36, h->stored_bytes);
    put_u64(bytes + 40, double_bits(h->date));
    put_u32(bytes + CHECKED_BYTES, trace_crc32c(bytes, CHECKED_BYTES));
    put_u64(bytes + TRACE_FRAME_NEXT, h->next);
}

/* The checksum says that it is as it was written, not that it makes sense. */
static bool makes_sense(const struct frame_header *h)
{
    if (h->definition_bytes > TRACE_MOST_RAW_BYTES || h->sequence_bytes > TRACE_MOST_RAW_BYTES) return false;
    if (h->stored_bytes > TRACE_MOST_RAW_BYTES || h->n_events > TRACE_MOST_EVENTS) return false;
    if (h->kind != FRAME_EVENTS) return h->n_events == 0;
    return h->coding >= CODING_CODES && h->coding <= CODING_DOUBLES && h->n_events > 0 &&
           h->n_definitions > 0 && h->n_definitions <= TRACE_MOST_DEFINITIONS &&
           h->n_definitions <= h->n_events && h->date >= 0 && h->date <= 0x1p63;
}

bool frame_get(const unsigned char bytes[TRACE_FRAME_BYTES], struct frame_header *h)
{
    if (get_u32(bytes) != TRACE_FRAME_MARK) return false;
    if (get_u32(bytes + CHECKED_BYTES) != trace_crc32c(bytes, CHECKED_BYTES)) return false;
    h->kind = bytes[4];
    h->coding = bytes[5];
    h->rank = get_u32(bytes + 8);
    h->n_events = get_u32(bytes + 12);
    h->first_event = get_u64(bytes + 16);
    h->n_definitions = get_u32(bytes + 24);
    h->definition_bytes = get_u32(bytes + 28);
    h->sequence_bytes = get_u32(bytes + 32);
    h->stored_bytes = get_u32(bytes + 36);
    h->date = bits_double(get_u64(bytes + 40));
    h->next = get_u64(bytes + TRACE_FRAME_NEXT);
    return makes_sense(h);
}
