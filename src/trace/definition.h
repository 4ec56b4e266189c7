/** An event without its times as bytes. What is equal in two events is equal in their bytes. */
#ifndef PARCAST_TRACE_DEFINITION_H
#define PARCAST_TRACE_DEFINITION_H

#include "parcast/trace.h"
#include "trace/bytes.h"

enum { DEFINITION_MOST_COUNTS = 1 << 20 };

/** Append the definition of an event, without a length before it. */
void definition_put(struct trace_buffer *buffer, const parcast_trace_event *event);

/** Numbers in the vectors of a definition; SIZE_MAX if its bytes make no sense. */
size_t definition_vector_room(const unsigned char *bytes, size_t n);

/**
 * The event of a definition whose room was found sound; unknown members are passed over. An operation that is
 * not known stays in event->op as its number.
 *
 * @param[in,out] room  where vectors are put; moved on behind them
 */
bool definition_get(const unsigned char *bytes, size_t n, parcast_trace_event *event, int64_t **room);

#endif
