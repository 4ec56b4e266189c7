/** The file of hosts:FILE. */
#ifndef PARCAST_ALLOCATOR_HOSTS_FILE_H
#define PARCAST_ALLOCATOR_HOSTS_FILE_H

#include <stddef.h>

#include "parcast/platform.h"

struct host {
    char *name;
    int slots; /**< 0: not given */
    int type;  /**< of the platform, -1: unknown */
};

struct host_list {
    struct host *hosts; /**< [n] in the order of the file */
    size_t n;
};

/**
 * Read lines NAME, NAME:SLOTS or NAME slots=SLOTS type=TYPE; # begins a comment. A name stands once.
 *
 * @return PARCAST_OK; PARCAST_NOT_FOUND, PARCAST_IO; PARCAST_FORMAT, PARCAST_DATA with the line
 */
parcast_status host_list_read(const char *path, const parcast_platform *platform, struct host_list *list,
                              parcast_error *error);
/** The same from memory; `source` names it in messages. */
parcast_status host_list_parse(const char *text, size_t size, const char *source,
                               const parcast_platform *platform, struct host_list *list,
                               parcast_error *error);
void host_list_clear(struct host_list *list);
/** Index of a name; -1: not there. */
int host_list_find(const struct host_list *list, const char *name);

#endif
