/* Tables of the graph that is being made, that grow. */
#ifndef PARCAST_VALUEFLOW_ROOM_H
#define PARCAST_VALUEFLOW_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/** Room for n entries of a table that has *capacity; false without memory, and the table is as it was. */
bool load_room(void **table, size_t n, size_t *capacity, size_t size);

#endif
