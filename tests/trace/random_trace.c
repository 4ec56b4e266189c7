#include "random_trace.h"

#include <string.h>

uint64_t random_below(uint64_t *state, uint64_t n)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15U); /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return n ? (z ^ (z >> 31)) % n : 0;
}

static const parcast_trace_op ops[] = {
#define OP(name, number, text) PARCAST_TRACE_##name,
    PARCAST_TRACE_OP_LIST(OP)
#undef OP
};

/* Small mostly, now and then anything. */
static int64_t number(uint64_t *state)
{
    switch (random_below(state, 8)) {
    case 0:
        return 0;
    case 1:
        return (int64_t)random_below(state, UINT64_MAX);
    default:
        return (int64_t)random_below(state, 200) - 10;
    }
}

static int32_t number_of(uint64_t *state, size_t n)
{
    return (int32_t)random_below(state, n + 1) - 1;
}

static size_t fill(uint64_t *state, int64_t *numbers, const int64_t **pointer)
{
    size_t n = random_below(state, 4) ? 0 : random_below(state, 17);
    for (size_t i = 0; i < n; i++) numbers[i] = number(state);
    *pointer = numbers;
    return n;
}

void random_event(uint64_t *state, size_t n_comms, size_t n_functions, size_t n_sites, parcast_trace_event *e,
                  struct event_room *room)
{
    parcast_trace_event_clear(e, ops[random_below(state, sizeof ops / sizeof ops[0])]);
    e->start = (parcast_trace_start)random_below(state, 3);
    e->mode = (parcast_trace_send_mode)random_below(state, 4);
    e->flag = random_below(state, 2);
    e->function = number_of(state, n_functions);
    e->thread = random_below(state, 8) ? 0 : (int32_t)random_below(state, 5);
    e->site = number_of(state, n_sites);
    e->comm = (int32_t)random_below(state, n_comms);
    e->new_comm = number_of(state, n_comms);
    int32_t *const small[] = {&e->peer,        &e->tag,  &e->source,  &e->source_tag, &e->matched_peer,
                              &e->matched_tag, &e->root, &e->request, &e->value};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) *small[i] = (int32_t)number(state);
    e->bytes = number(state);
    e->recv_bytes = number(state);
    e->count = number(state);
    e->flop = (double)number(state) / 3;
    e->n_requests = fill(state, room->numbers[0], &e->requests);
    e->n_completed = fill(state, room->numbers[1], &e->completed);
    e->n_send_counts = fill(state, room->numbers[2], &e->send_counts);
    e->n_recv_counts = fill(state, room->numbers[3], &e->recv_counts);
    e->n_sources = fill(state, room->numbers[4], &e->sources);
    e->n_destinations = fill(state, room->numbers[5], &e->destinations);
    e->compute = (double)random_below(state, 1000000) * 1e-7;
    e->call_s = (double)random_below(state, 1000000) * 1e-8;
}

static bool same_numbers(const int64_t *a, size_t n, const int64_t *b, size_t m)
{
    return n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0);
}

bool same_event(const parcast_trace_event *a, const parcast_trace_event *b)
{
    return a->op == b->op && a->start == b->start && a->mode == b->mode && a->flag == b->flag &&
           a->function == b->function && a->thread == b->thread && a->site == b->site && a->comm == b->comm &&
           a->peer == b->peer && a->tag == b->tag && a->bytes == b->bytes && a->source == b->source &&
           a->source_tag == b->source_tag && a->recv_bytes == b->recv_bytes &&
           a->matched_peer == b->matched_peer && a->matched_tag == b->matched_tag && a->root == b->root &&
           a->request == b->request && a->new_comm == b->new_comm && a->value == b->value &&
           a->count == b->count && a->flop == b->flop &&
           same_numbers(a->requests, a->n_requests, b->requests, b->n_requests) &&
           same_numbers(a->completed, a->n_completed, b->completed, b->n_completed) &&
           same_numbers(a->send_counts, a->n_send_counts, b->send_counts, b->n_send_counts) &&
           same_numbers(a->recv_counts, a->n_recv_counts, b->recv_counts, b->n_recv_counts) &&
           same_numbers(a->sources, a->n_sources, b->sources, b->n_sources) &&
           same_numbers(a->destinations, a->n_destinations, b->destinations, b->n_destinations);
}
