/* Arrays with more room than is used of them. */
#ifndef PARCAST_VALUEFLOW_SPARE_ROOM_H
#define PARCAST_VALUEFLOW_SPARE_ROOM_H

#include "valueflow/graph/graph.h"

/** A scratch array that is declared for the largest mesh there may be, of which as much is used as another
 * array has, word by word for the words of that one, becomes as long as that; and lists that have grown are
 * told. After sources_find(). */
parcast_status spare_room_leave(parcast_values *values);

#endif
