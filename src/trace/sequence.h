/**
 * Repetition: a sequence of tokens as literals and copies (Lempel and Ziv 1977). A copy of a length that is a
 * multiple of its distance m is "the last m events, k times". Times are not part of it.
 */
#ifndef PARCAST_TRACE_SEQUENCE_H
#define PARCAST_TRACE_SEQUENCE_H

#include "trace/bytes.h"

/** Append the sequence: varint 2 n and n tokens, or varint 2 n + 1 and a distance. False: out of memory. */
bool sequence_put(struct trace_buffer *out, const uint16_t *tokens, uint32_t n);

/** Reading it token by token; `tokens` fills up with what was read. */
struct sequence {
    struct trace_view view;
    uint16_t *tokens; /* [n] */
    uint32_t n, at;
    uint32_t literals, copies, distance; /* left of the element that is being read */
    uint32_t n_definitions, n_seen;      /* a literal is a definition that was seen, or the next */
};

/** The next token, or -1 where the sequence makes no sense. */
int32_t sequence_next(struct sequence *sequence);

#endif
