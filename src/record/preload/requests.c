#include "requests.h"

#include <stdlib.h>
#include <string.h>

#include "tables.h"

enum { FIRST = 1024, MOST = 65536 };

unsigned requests_open;
static struct request *slots;
static unsigned capacity;

static size_t slot_of(word key)
{
    return (size_t)((key * 0x9e3779b97f4a7c15U) >> 32) & (capacity - 1);
}

/* The slot of the oldest entry with this key, or the free one behind those that it might have been in. */
static struct request *oldest_slot(word key)
{
    size_t i = slot_of(key);
    while (slots[i].kind && slots[i].key != key) i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static struct request *free_slot(word key)
{
    size_t i = slot_of(key);
    while (slots[i].kind) i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static bool grow(void)
{
    unsigned old_capacity = capacity;
    struct request *old = slots;
    if (capacity >= MOST) return false;
    struct request *more = calloc(capacity ? 2 * (size_t)capacity : FIRST, sizeof *more);
    if (!more) return false;
    slots = more;
    capacity = old_capacity ? 2 * old_capacity : FIRST;
    for (unsigned i = 0; i < old_capacity; i++)
        if (old[i].kind) *free_slot(old[i].key) = old[i];
    free(old);
    return true;
}

struct request *requests_add(word key, enum request_kind kind)
{
    if (2 * requests_open >= capacity && !grow() && 8 * requests_open >= 7 * capacity) {
        recorder.header->lost_requests++;
        return NULL;
    }
    /*
     * An entry with this key is of a request that was lost from sight, unless threads call at once: then it
     * may be complete already in a thread that has not yet come to say so, and both stay, the older one
     * first.
     */
    struct request *r = recorder.locked ? free_slot(key) : oldest_slot(key);
    if (r->kind)
        comms_release(r->comm);
    else
        requests_open++;
    *r = (struct request){.key = key, .kind = (uint8_t)kind};
    return r;
}

struct request *requests_find(word key)
{
    if (!requests_open) return NULL;
    struct request *r = oldest_slot(key);
    return r->kind ? r : NULL;
}

/* Close the gap, so that every entry stays reachable from its own slot. */
void requests_remove(struct request *request)
{
    size_t hole = (size_t)(request - slots), mask = capacity - 1;
    comms_release(request->comm);
    requests_open--;
    for (size_t i = (hole + 1) & mask; slots[i].kind; i = (i + 1) & mask) {
        size_t home = slot_of(slots[i].key);
        if (((i - home) & mask) < ((i - hole) & mask)) continue;
        slots[hole] = slots[i];
        hole = i;
    }
    slots[hole].kind = 0;
}

void requests_received(struct request *r, const void *status)
{
    uint64_t bytes = r->cancelled ? r->bytes : abi_status_bytes(status);
    unsigned reach = r->reach;
    if (reach == 2 && !r->cancelled && r->comm)
        reach = comm_reach(comm_world_rank(r->comm, abi_status_source(status)));
    if (bytes == r->bytes && reach == r->reach) return;
    table_message_back(1, r->reach, r->bytes, r->ticks);
    table_message(1, reach, bytes, r->ticks);
    if (!r->corrects_call) return;
    if (r->site)
        r->site->bytes += bytes - r->bytes;
    else
        recorder.calls[r->function].bytes += bytes - r->bytes;
}
