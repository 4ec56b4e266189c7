/*
 * Collectives that do not block. As in MPI libraries without a thread of their own for it, a collective takes
 * its next step only while its rank is in some call: not while it computes.
 */
#include <stdlib.h>
#include <string.h>

#include "replay/machine.h"

#define NONE POOL_NONE

/* How many a rank has begun on a communicator: all ranks begin them in the same order, so equal numbers are
 * one collective. */
struct machine_count {
    uint32_t communicator;
    uint32_t n;
};

struct machine_numbers {
    struct machine_count *counts; /* [n] */
    uint32_t n;
};

static struct machine_collective *collective_at(const struct machine *m, uint32_t index)
{
    return pool_at(&m->collectives, index);
}

static bool next_number(struct machine *m, uint32_t rank, uint32_t communicator, uint32_t *number)
{
    if (!m->numbers) m->numbers = calloc(m->n_ranks, sizeof *m->numbers);
    if (!m->numbers) return false;
    struct machine_numbers *list = &m->numbers[rank];
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->counts[i].communicator != communicator) continue;
        *number = list->counts[i].n++;
        return true;
    }
    struct machine_count *counts = realloc(list->counts, (list->n + 1) * sizeof *counts);
    if (!counts) return false;
    list->counts = counts;
    counts[list->n++] = (struct machine_count){communicator, 1};
    *number = 0;
    return true;
}

/* The operation's counts are lent only until the rank's next one. */
static bool copy_counts(struct machine_collective *c)
{
    struct collective_schedule *s = &c->schedule;
    size_t n = s->all_ranks;
    if (!s->counts) return true;
    c->counts = malloc(2 * n * sizeof *c->counts);
    if (!c->counts) return false;
    memcpy(c->counts, s->counts, n * sizeof *c->counts);
    s->counts = c->counts;
    if (s->receive_counts) memcpy(c->counts + n, s->receive_counts, n * sizeof *c->counts);
    if (s->receive_counts) s->receive_counts = c->counts + n;
    return true;
}

/* Behind those that the rank has begun before. */
static void append(struct machine *m, struct machine_rank *rank, uint32_t index)
{
    uint32_t *link = &rank->collective;
    while (*link != NONE) link = &collective_at(m, *link)->next;
    *link = index;
}

void machine_begin_collective(struct machine *m, uint32_t number)
{
    enum { NUMBERS = 1 << 30 };
    struct machine_rank *rank = &m->ranks[number];
    const parcast_operation *o = &rank->operation;
    struct machine_collective c = {.next = NONE, .request = o->request};
    struct machine_request *request = machine_request_at(m, number, o->request);
    uint32_t order = 0;
    if (!request || !machine_schedule(m, number, &c.schedule)) return;
    uint32_t index = pool_take(&m->collectives);
    if (index == NONE || !next_number(m, number, o->communicator, &order) || !copy_counts(&c)) {
        machine_fail(m, number, PARCAST_MEMORY, "out of memory for collectives");
        return;
    }
    c.n_freed = request->n_freed;
    c.place = (struct machine_place){o->members, 2 * o->communicator + 1};
    c.tag = PARCAST_COLLECTIVES + (int32_t)(order % NUMBERS); /* those that block have lower ones */
    request->n_open++;
    *collective_at(m, index) = c;
    append(m, rank, index);
}

static void take_step(struct machine *m, uint32_t number, uint32_t index)
{
    struct machine_collective *c = collective_at(m, index);
    struct schedule_action action;
    c->ended = !schedule_next(&c->schedule, &action);
    bool waits = c->ended || action.what == SCHEDULE_WAIT;
    c->inner.waits = waits ? SCHEDULE_ALL_CHANNELS : 0;
    if (waits && !c->ended) c->inner.waits = action.channel;
    if (waits) return;
    c->inner.n_open[action.channel]++;
    uint32_t token = machine_activity(m, number, NONE, index, action.channel);
    if (action.what == SCHEDULE_SEND)
        machine_send(m, number, &c->place, (int32_t)action.peer, c->tag, action.data.bytes,
                     PARCAST_SEND_STANDARD, token);
    else
        machine_receive(m, number, &c->place, (int32_t)action.peer, c->tag, -1, token);
}

/* True: it is over. */
static bool advance(struct machine *m, uint32_t number, uint32_t index)
{
    const struct machine_collective *c = collective_at(m, index);
    while (!m->failed && m->ranks[number].n_starts == 0 && !machine_inner_blocks(&c->inner)) {
        if (c->ended) return true;
        take_step(m, number, index);
    }
    return false;
}

static bool in_call(const struct machine_rank *rank)
{
    return rank->begun && !rank->computes && rank->operation.kind != PARCAST_OPERATION_SLEEP;
}

void machine_progress(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    if (rank->collective == NONE || !in_call(rank)) return;
    for (uint32_t *link = &rank->collective; *link != NONE && !m->failed;) {
        uint32_t index = *link;
        struct machine_collective *c = collective_at(m, index);
        if (!advance(m, number, index)) {
            link = &c->next;
            continue;
        }
        *link = c->next;
        machine_request_step(rank, c->request, c->n_freed);
        free(c->counts);
        pool_give(&m->collectives, index);
    }
}

void machine_collectives_destroy(struct machine *m)
{
    for (uint32_t r = 0; m->ranks && r < m->n_ranks; r++) {
        for (uint32_t i = m->ranks[r].collective; i != NONE; i = collective_at(m, i)->next)
            free(collective_at(m, i)->counts);
        if (m->numbers) free(m->numbers[r].counts);
    }
    free(m->numbers);
    pool_destroy(&m->collectives);
}
