#include "trace_requests.h"

#include <stdlib.h>

#include "spool.h"

enum { FIRST = 1024, MOST = 65536, BITS = 64 };

/* A queue of requests with one handle; head TRACED_NONE: the slot is free. */
struct queue {
    word key;
    int32_t head, tail;
    int32_t met;    /* last one that an array met */
    uint32_t array; /* in which */
};

static struct traced_request *requests; /* [capacity] by number */
static struct queue *slots;             /* [2 * capacity] */
static uint64_t used[MOST / BITS];
static unsigned capacity, n_used, lowest_word;
static uint32_t array_number;

static unsigned slot_of(word key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15U >> 40) & (2 * capacity - 1);
}

static struct queue *queue_of(word key)
{
    unsigned i = slot_of(key);
    while (slots[i].head != TRACED_NONE && slots[i].key != key) i = (i + 1) & (2 * capacity - 1);
    return &slots[i];
}

static bool grow(void)
{
    unsigned more = capacity ? 2 * capacity : FIRST;
    if (more > MOST) return false;
    struct traced_request *bigger = realloc(requests, more * sizeof *bigger);
    if (!bigger) return false;
    requests = bigger;
    struct queue *old = slots, *queues = malloc(2 * (size_t)more * sizeof *queues);
    if (!queues) return false;
    unsigned old_capacity = capacity;
    for (unsigned i = 0; i < 2 * more; i++) queues[i].head = TRACED_NONE;
    slots = queues;
    capacity = more;
    for (unsigned i = 0; i < 2 * old_capacity; i++)
        if (old[i].head != TRACED_NONE) *queue_of(old[i].key) = old[i];
    free(old);
    return true;
}

static int32_t lowest_free(void)
{
    while (used[lowest_word] == UINT64_MAX) lowest_word++;
    return (int32_t)(lowest_word * BITS + (unsigned)__builtin_ctzll(~used[lowest_word]));
}

int32_t traced_add(word key)
{
    if (n_used == capacity && !grow()) {
        spool.header->flags |= SPOOL_REQUESTS;
        return TRACED_NONE;
    }
    int32_t number = lowest_free();
    used[number / BITS] |= (uint64_t)1 << number % BITS;
    n_used++;
    requests[number] = (struct traced_request){.key = key, .next = TRACED_NONE};
    struct queue *queue = queue_of(key);
    if (queue->head == TRACED_NONE) {
        *queue = (struct queue){.key = key, .head = number, .tail = number};
        return number;
    }
    requests[queue->tail].next = number;
    queue->tail = number;
    return number;
}

struct traced_request *traced_at(int32_t number)
{
    return &requests[number];
}

int32_t traced_find(word key)
{
    return n_used ? queue_of(key)->head : TRACED_NONE;
}

void traced_begin_array(void)
{
    array_number++;
}

int32_t traced_find_next(word key)
{
    if (!n_used) return TRACED_NONE;
    struct queue *queue = queue_of(key);
    int32_t number = queue->head;
    if (number == TRACED_NONE) return TRACED_NONE;
    if (queue->array == array_number) number = requests[queue->met].next;
    if (number == TRACED_NONE) return TRACED_NONE;
    queue->array = array_number;
    queue->met = number;
    return number;
}

/* Close the gap, so that every queue stays reachable from its own slot. */
static void remove_queue(struct queue *queue)
{
    unsigned hole = (unsigned)(queue - slots), mask = 2 * capacity - 1;
    for (unsigned i = (hole + 1) & mask; slots[i].head != TRACED_NONE; i = (i + 1) & mask) {
        unsigned home = slot_of(slots[i].key);
        if (((i - home) & mask) < ((i - hole) & mask)) continue;
        slots[hole] = slots[i];
        hole = i;
    }
    slots[hole].head = TRACED_NONE;
}

void traced_remove(int32_t number)
{
    struct queue *queue = queue_of(requests[number].key);
    int32_t before = TRACED_NONE;
    for (int32_t i = queue->head; i != number; i = requests[i].next) before = i;
    int32_t after = requests[number].next;
    if (before == TRACED_NONE)
        queue->head = after;
    else
        requests[before].next = after;
    if (queue->tail == number) queue->tail = before;
    if (queue->head == TRACED_NONE) remove_queue(queue);
    const unsigned place = (unsigned)number;
    used[place / BITS] &= ~((uint64_t)1 << place % BITS);
    n_used--;
    if (place / BITS < lowest_word) lowest_word = place / BITS;
}
