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
 * Read a trace: one file with the actions of all ranks, or a list of files, one a line.
 *
 * @return PARCAST_OK, PARCAST_IO, PARCAST_FORMAT (malformed, with file and line), PARCAST_UNSUPPORTED (an
 * action that cannot be replayed), PARCAST_MEMORY
 *
 * Cost: O(length) time; about eight bytes of memory per action.
 */
PARCAST_API parcast_status parcast_ti_load(const char *path, parcast_ti **trace, parcast_error *error);

/** One file from memory; `source` names it in messages. */
PARCAST_API parcast_status parcast_ti_parse(const char *text, size_t length, const char *source,
                                            parcast_ti **trace, parcast_error *error);

/** The operations, from the beginning; one reader at a time. Lends the trace. */
PARCAST_API parcast_operation_source parcast_ti_source(parcast_ti *trace);

/** A remark on the trace that its user should see, or NULL. */
PARCAST_API const char *parcast_ti_warning(const parcast_ti *trace);

/** Release a trace and null the pointer. NULL is fine. */
PARCAST_API void parcast_ti_destroy(parcast_ti **trace);

#ifdef __cplusplus
}
#endif
#endif
