/* Requests of a rank that is read from time-independent text: begun, and not yet awaited. */
#include <stdlib.h>
#include <string.h>

#include "trace/ti.h"

void ti_rank_free(struct ti_rank *rank)
{
    free(rank->requests);
    free(rank->open);
    free(rank->ages);
    *rank = (struct ti_rank){.requests = NULL};
}

static bool grow(struct ti_rank *s)
{
    int32_t capacity = s->capacity ? 2 * s->capacity : 8;
    if (capacity < s->capacity) return false;
    struct ti_request *requests = realloc(s->requests, (size_t)capacity * sizeof *requests);
    if (requests) s->requests = requests;
    bool *open = realloc(s->open, (size_t)capacity * sizeof *open);
    if (open) s->open = open;
    uint64_t *ages = realloc(s->ages, (size_t)capacity * sizeof *ages);
    if (ages) s->ages = ages;
    if (!requests || !open || !ages) return false;
    memset(s->open + s->capacity, 0, (size_t)(capacity - s->capacity) * sizeof *open);
    s->capacity = capacity;
    return true;
}

int32_t ti_begin_request(struct ti_rank *s, int64_t source, int64_t destination, int64_t tag)
{
    if (s->n_open == s->capacity && !grow(s)) return -1;
    int32_t i = s->first_free;
    while (s->open[i]) i++;
    s->first_free = i + 1;
    s->open[i] = true;
    s->ages[i] = s->n_begun++;
    s->requests[i] = (struct ti_request){(int32_t)source, (int32_t)destination, (int32_t)tag};
    s->n_open++;
    return i;
}

int32_t ti_find_request(const struct ti_rank *s, int64_t source, int64_t destination, int64_t tag)
{
    int32_t oldest = -1;
    for (int32_t i = 0; i < s->capacity; i++) {
        const struct ti_request *r = &s->requests[i];
        if (!s->open[i] || r->source != source || r->destination != destination || r->tag != tag) continue;
        if (oldest < 0 || s->ages[i] < s->ages[oldest]) oldest = i;
    }
    return oldest;
}

void ti_end_request(struct ti_rank *s, int32_t number)
{
    s->open[number] = false;
    if (number < s->first_free) s->first_free = number;
    s->n_open--;
}

static int64_t *all_open(struct ti_rank *s, int64_t *numbers)
{
    size_t n = 0;
    for (int32_t i = 0; i < s->capacity; i++)
        if (s->open[i]) numbers[n++] = i;
    return numbers;
}

bool ti_open_requests(struct ti_rank *s, struct ti_room *room, parcast_trace_event *event)
{
    if (s->n_open == 0) return false;
    if ((size_t)s->n_open > room->capacity) {
        int64_t *numbers = realloc(room->numbers, (size_t)s->n_open * sizeof *numbers);
        if (!numbers) return false;
        *room = (struct ti_room){numbers, (size_t)s->n_open};
    }
    parcast_trace_event_clear(event, PARCAST_TRACE_WAITALL);
    event->requests = all_open(s, room->numbers);
    event->n_requests = (size_t)s->n_open;
    s->n_open = s->first_free = 0;
    memset(s->open, 0, (size_t)s->capacity * sizeof *s->open);
    return true;
}
