#include "valueflow/runtime/tables/room.h"

#include "valueflow/runtime/tables/map.h"
#include "valueflow/runtime/tables/pages.h"

enum { MOST_FREE = 64 };

static uintptr_t next = VF_FIRST_ROOM;
static void *free_rooms[MOST_FREE];
static size_t n_free;

void *vf_room_take(void)
{
    if (n_free) return free_rooms[--n_free];
    if (next >= VF_ROOMS_END) return NULL;
    void *at = (void *)next; // NOLINT(performance-no-int-to-ptr): addresses are what is dealt with here
    void *room = vf_map_pages(at, VF_ROOM_BYTES, MAP_FIXED_NOREPLACE);
    if (room != at) {
        if (room != MAP_FAILED) vf_unmap_pages(room, VF_ROOM_BYTES);
        next = VF_ROOMS_END;
        return NULL;
    }
    next += VF_ROOM_BYTES;
    madvise(room, VF_ROOM_BYTES, MADV_DONTDUMP);
    vf_pages_for_range(room, VF_ROOM_BYTES);
    return room;
}

void vf_room_free(void *room)
{
    if (n_free == MOST_FREE) {
        vf_unmap_pages(room, VF_ROOM_BYTES);
        return;
    }
    madvise(room, VF_ROOM_BYTES, MADV_DONTNEED);
    free_rooms[n_free++] = room;
}
