/** Memory that begins a cache line. */
#ifndef PARCAST_CORE_LINES_H
#define PARCAST_CORE_LINES_H

#include <stddef.h>

enum { LINE_BYTES = 64 };

/**
 * n records, not set to anything; to be freed by free(). NULL when memory is short.
 *
 * What is large and read here and there lies in large pages where the system has them: with small ones,
 * finding where a page lies would cost as much as reading from it.
 */
void *lines_allocate(size_t n, size_t record_bytes);

#endif
