/* Address space in which large tables grow without being moved. */
#ifndef PARCAST_VALUEFLOW_ROOM_H
#define PARCAST_VALUEFLOW_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define VF_ROOM_BYTES ((size_t)64 << 30) /* what 2^32 values take */
/* Rooms lie where neither programs nor their shadow memory do, nor that of a sanitizer. */
#define VF_FIRST_ROOM ((uintptr_t)0x110000000000)
#define VF_ROOMS_END  ((uintptr_t)0x200000000000)

/** Zeroed memory of VF_ROOM_BYTES of which pages appear when they are touched; NULL where address space is
 * limited, or no room is left. */
void *vf_room_take(void);
/** What the room holds is gone, and the room free for another table. */
void vf_room_free(void *room);

static inline bool vf_has_room(const void *table)
{
    return (uintptr_t)table >= VF_FIRST_ROOM && (uintptr_t)table < VF_ROOMS_END;
}
#pragma GCC visibility pop

#endif
