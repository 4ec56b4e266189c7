/**
 * State of a reader of platform trees, and how it complains.
 */
#ifndef PARCAST_PLATFORM_READ_H
#define PARCAST_PLATFORM_READ_H

#include "parcast/platform.h"
#include "platform/keys.h"
#include "platform/tree.h"

struct reader {
    const char *source;
    parcast_error *error;
};

/** Describe an error at the line of a value. */
parcast_status reader_fail(const struct reader *reader, const struct tree *at, parcast_status code,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));
parcast_status reader_out_of_memory(const struct reader *reader);

/** Set the fields of a struct from a mapping. Sections are left to the caller. */
parcast_status read_fields(const struct reader *reader, const struct tree *mapping, const char *what,
                           const struct key_table *table, void *fields);

/** What one key alone cannot show: sockets divide cores, the topology holds the nodes, ... */
parcast_status check_node_type(const struct reader *reader, const struct tree *mapping,
                               const parcast_node_type *type);
parcast_status check_platform(const struct reader *reader, const struct tree *root,
                              const parcast_platform *platform);

#endif
