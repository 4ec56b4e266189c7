/**
 * Time-independent traces of SimGrid as text: docs/formats/ti.md.
 */
#ifndef PARCAST_TI_H
#define PARCAST_TI_H

#include <stddef.h>

#include "parcast/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct parcast_ti parcast_ti;

/**
 * Read a trace: one file with the actions of all ranks, or a list of files, one a line. The text is turned
 * into a trace of parcast in a temporary file without a name (TMPDIR, else /tmp); for messages it is read
 * again.
 *
 * @return PARCAST_OK, PARCAST_NOT_FOUND, PARCAST_IO, PARCAST_FORMAT (malformed or unknown, with file and
 * line), PARCAST_MEMORY
 *
 * Cost: O(length) time. Memory: a frame of events for each rank, and its open requests.
 */
PARCAST_API parcast_status parcast_ti_load(const char *path, parcast_ti **trace, parcast_error *error);

/** One text from memory, copied; `source` names it in messages. */
PARCAST_API parcast_status parcast_ti_parse(const char *text, size_t length, const char *source,
                                            parcast_ti **trace, parcast_error *error);

/** The operations, from the beginning; what was got from it before is over. Lends the trace. */
PARCAST_API parcast_operation_source parcast_ti_source(parcast_ti *trace);

/** A remark on the trace that its user should see, or NULL. */
PARCAST_API const char *parcast_ti_warning(const parcast_ti *trace);

/** Release a trace and null the pointer. NULL is fine. */
PARCAST_API void parcast_ti_destroy(parcast_ti **trace);

#ifdef __cplusplus
}
#endif
#endif
