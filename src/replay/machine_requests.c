/* Requests of a rank, by number. */
#include <stdlib.h>
#include <string.h>

#include "replay/machine.h"

enum { MOST_REQUESTS = 1 << 24 };

struct machine_request *machine_request_at(struct machine *m, uint32_t number, uint32_t request)
{
    struct machine_rank *rank = &m->ranks[number];
    if (request >= MOST_REQUESTS) {
        machine_fail(m, number, PARCAST_DATA, "a request with a number beyond all bounds");
        return NULL;
    }
    if (request >= rank->n_requests) {
        uint32_t n = rank->n_requests ? rank->n_requests : 8;
        while (n <= request) n *= 2;
        struct machine_request *requests = realloc(rank->requests, n * sizeof *requests);
        if (!requests) {
            machine_fail(m, number, PARCAST_MEMORY, "out of memory for requests");
            return NULL;
        }
        memset(requests + rank->n_requests, 0, (n - rank->n_requests) * sizeof *requests);
        rank->requests = requests;
        rank->n_requests = n;
    }
    return &rank->requests[request];
}

void machine_request_step(struct machine_rank *rank, uint32_t number, uint32_t n_freed)
{
    struct machine_request *request = &rank->requests[number];
    if (request->n_freed != n_freed) {
        rank->n_left--;
    } else if (--request->n_open == 0 && request->awaited) {
        request->awaited = false;
        rank->n_awaited--;
    }
}

static void await(struct machine_rank *rank, struct machine_request *request)
{
    if (request->n_open == 0 || request->awaited) return;
    request->awaited = true;
    rank->n_awaited++;
}

void machine_await_all(struct machine_rank *rank)
{
    for (uint32_t i = 0; i < rank->n_requests; i++) await(rank, &rank->requests[i]);
}

static void await_one(struct machine *m, uint32_t number, uint32_t request)
{
    if (request == UINT32_MAX) return; /* a wait for what was awaited already */
    struct machine_request *awaited = machine_request_at(m, number, request);
    if (awaited) await(&m->ranks[number], awaited);
}

void machine_await_named(struct machine *m, uint32_t number)
{
    const parcast_operation *o = &m->ranks[number].operation;
    if (!o->requests) await_one(m, number, o->request);
    for (uint32_t i = 0; o->requests && i < o->n_requests; i++) await_one(m, number, o->requests[i]);
}

/* What is under way under the number goes on without it; the end of the rank waits for that. */
void machine_free_request(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    struct machine_request *request = machine_request_at(m, number, rank->operation.request);
    if (!request || request->n_open == 0) return;
    rank->n_left += request->n_open;
    request->n_open = 0;
    request->n_freed++;
}

/* Rare: its receives are searched for among all that is under way. */
void machine_cancel_request(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    uint32_t request = rank->operation.request;
    const struct machine_request *cancelled = machine_request_at(m, number, request);
    for (uint32_t i = 0; cancelled && cancelled->n_open > 0 && i < m->activities.n_used; i++) {
        struct machine_activity *a = pool_at(&m->activities, i);
        if (a->kind != ACTIVITY_RECEIVES || a->rank != number || a->request != request ||
            a->n_freed != cancelled->n_freed)
            continue;
        struct match_key key = {number, a->context, a->peer, a->tag};
        if (!m->transport->methods->withdraw(m->transport, key, i)) continue;
        a->kind = ACTIVITY_NONE;
        pool_give(&m->activities, i);
        machine_request_step(rank, request, cancelled->n_freed);
    }
}
