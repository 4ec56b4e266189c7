/**
 * Discrete-event kernel: which event is next.
 *
 * The clock counts picoseconds in 64 bits (106 days), and dates are compared as integers only. Events come in
 * the order of (date, sequence). A sequence number is given once, when the cause of an event stands, from one
 * counter; waiting never changes it. So the order depends on nothing but the input.
 *
 * An event is a handle; what it means is its owner's business. Events that may be moved or taken back lie in
 * an indexed heap, others in an agenda. Those that are due at once, with a fresh sequence number, need no
 * order: they lie in a ring.
 */
#ifndef PARCAST_NETWORK_KERNEL_H
#define PARCAST_NETWORK_KERNEL_H

#include "core/agenda.h"

/** 1 s on the kernel's clock. */
#define KERNEL_SECOND_PS INT64_C(1000000000000)
/** Dates stay below, so that sums of a date and a duration do not overflow: 53 days. */
#define KERNEL_LATEST_PS (INT64_MAX / 2)

struct kernel_soon {
    uint64_t sequence;
    uint32_t handle;
};

struct kernel {
    struct heap heap;     /**< of events that were set */
    struct agenda agenda; /**< of events that were scheduled */
    int64_t now_ps;
    uint64_t now_sequence; /**< of the event that was taken last, if it did not lie in the ring */
    uint64_t n_sequences;  /**< numbers given so far */
    struct kernel_soon *soon;
    uint32_t soon_first, n_soon, soon_room; /**< room: a power of two, or 0 */
    int64_t soon_ps;                        /**< date of all events in the ring */
};

/** Room for events that are set, with handles below n_handles; false when memory is short. */
bool kernel_reserve(struct kernel *kernel, uint32_t n_handles);
void kernel_destroy(struct kernel *kernel);
/** False when memory is short: the event then goes into the agenda. */
bool kernel_grow_soon(struct kernel *kernel);

static inline uint64_t kernel_sequence(struct kernel *kernel)
{
    return kernel->n_sequences++;
}

/** An event was lost for want of memory: the run must end with PARCAST_MEMORY. */
static inline bool kernel_failed(const struct kernel *kernel)
{
    return kernel->agenda.failed;
}

/** The counter or the clock has run out: the run must end with PARCAST_LIMIT. */
static inline bool kernel_exhausted(const struct kernel *kernel)
{
    return kernel->n_sequences >= HEAP_MOST_ORDER || kernel->now_ps >= KERNEL_LATEST_PS;
}

/** An event with a number that was given just now. It stays where it is. */
static inline void kernel_schedule(struct kernel *kernel, int64_t date_ps, uint64_t sequence, uint32_t handle)
{
    bool at_once = date_ps == kernel->now_ps && (kernel->n_soon == 0 || kernel->soon_ps == date_ps);
    if (!at_once || (kernel->n_soon == kernel->soon_room && !kernel_grow_soon(kernel))) {
        agenda_push(&kernel->agenda, date_ps, sequence, handle);
        return;
    }
    uint32_t at = (kernel->soon_first + kernel->n_soon++) & (kernel->soon_room - 1);
    kernel->soon[at] = (struct kernel_soon){sequence, handle};
    kernel->soon_ps = date_ps;
}

/** Set or move an event whose owner keeps at most one in the heap. */
static inline void kernel_set(struct kernel *kernel, int64_t date_ps, uint64_t sequence, uint32_t handle)
{
    heap_set(&kernel->heap, date_ps, sequence, handle);
}

/** Take back an event that kernel_set has set, if it is set. */
static inline void kernel_cancel(struct kernel *kernel, uint32_t handle)
{
    if (heap_contains(&kernel->heap, handle)) heap_remove(&kernel->heap, handle);
}

static inline bool kernel_empty(const struct kernel *kernel)
{
    return kernel->n_soon == 0 && heap_empty(&kernel->heap) && agenda_empty(&kernel->agenda);
}

/** The first event that is not in the ring; NULL: there is none. */
static inline const struct heap_entry *kernel_first_later(struct kernel *kernel)
{
    const struct heap_entry *scheduled = agenda_top(&kernel->agenda);
    if (heap_empty(&kernel->heap)) return scheduled;
    const struct heap_entry *set = heap_top(&kernel->heap);
    return scheduled && heap_before(scheduled, set) ? scheduled : set;
}

/** The date of the next event; only when there is one. */
static inline int64_t kernel_next_date(struct kernel *kernel)
{
    const struct heap_entry *first = kernel_first_later(kernel);
    if (!first) return kernel->soon_ps;
    return kernel->n_soon && kernel->soon_ps < first->key ? kernel->soon_ps : first->key;
}

static inline bool kernel_soon_is_first(const struct kernel *kernel, const struct heap_entry *first)
{
    if (!first) return true;
    if (first->key != kernel->soon_ps) return kernel->soon_ps < first->key;
    return kernel->soon[kernel->soon_first].sequence < heap_order(first);
}

static inline uint32_t kernel_take_soon(struct kernel *kernel)
{
    uint32_t handle = kernel->soon[kernel->soon_first].handle;
    kernel->soon_first = (kernel->soon_first + 1) & (kernel->soon_room - 1);
    kernel->n_soon--;
    kernel->now_ps = kernel->soon_ps;
    return handle;
}

/** Take the next event and set the clock to it; false when there is none. */
static inline bool kernel_next(struct kernel *kernel, uint32_t *handle)
{
    const struct heap_entry *first = kernel_first_later(kernel);
    if (kernel->n_soon && kernel_soon_is_first(kernel, first)) {
        *handle = kernel_take_soon(kernel);
        return true;
    }
    if (!first) return false;
    kernel->now_ps = first->key;
    kernel->now_sequence = heap_order(first);
    *handle = heap_handle(first);
    if (!heap_empty(&kernel->heap) && first == heap_top(&kernel->heap))
        heap_pop(&kernel->heap);
    else
        agenda_take(&kernel->agenda, first);
    return true;
}

#endif
