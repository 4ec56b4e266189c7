/** Platforms of SimGrid, in XML: docs/formats/platform.md, "SimGrid platforms". */
#ifndef PARCAST_PLATFORM_SIMGRID_H
#define PARCAST_PLATFORM_SIMGRID_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/error.h"

/** Does the text begin as XML does? */
bool simgrid_is_xml(const char *text, size_t length);

/**
 * The platform as text of our own format.
 *
 * @param[out] yaml  set on success; free() by the caller
 * @return PARCAST_OK, PARCAST_FORMAT (no XML, or values that cannot be), PARCAST_UNSUPPORTED (an element, or
 * routes, that have no counterpart: named with its line), PARCAST_MEMORY
 */
parcast_status simgrid_to_yaml(const char *text, size_t length, const char *source, char **yaml,
                               parcast_error *error);

#endif
