/* Collectives over the neighbours in a topology: messages to and from each of them, all at once. */
#include <stdlib.h>
#include <string.h>

#include "trace/translate.h"

static struct translated_topology *topology_of(const struct translation *t, int32_t comm)
{
    struct translated_topology *topology = t->topologies;
    while (topology && topology->comm != comm) topology = topology->next;
    return topology;
}

/* The number of a communicator that was freed is given again. */
static void forget(struct translation *t, int32_t comm)
{
    struct translated_topology **link = &t->topologies;
    while (*link && (*link)->comm != comm) link = &(*link)->next;
    struct translated_topology *found = *link;
    if (!found) return;
    *link = found->next;
    free(found);
}

parcast_status translate_topology(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    size_t n = e->n_sources + e->n_destinations;
    if (e->new_comm == PARCAST_TRACE_NONE) return PARCAST_OK;
    forget(t, e->new_comm);
    if (n == 0) return PARCAST_OK;
    struct translated_topology *topology = malloc(sizeof *topology + n * sizeof *topology->ranks);
    if (!topology) return translate_no_memory(t, error);
    *topology = (struct translated_topology){.next = t->topologies,
                                             .comm = e->new_comm,
                                             .n_sources = e->n_sources,
                                             .n_destinations = e->n_destinations};
    if (e->n_sources) memcpy(topology->ranks, e->sources, e->n_sources * sizeof *topology->ranks);
    if (e->n_destinations)
        memcpy(topology->ranks + e->n_sources, e->destinations, e->n_destinations * sizeof *topology->ranks);
    t->topologies = topology;
    return PARCAST_OK;
}

/* Messages of these collectives meet only each other: their communicators have numbers behind all others. */
static parcast_status put_message(struct translation *t, const parcast_trace_event *e, bool sends,
                                  int64_t peer, int64_t bytes, uint32_t request, parcast_error *error)
{
    parcast_operation *o = NULL;
    if (peer == PARCAST_TRACE_PROC_NULL) return PARCAST_OK;
    if (peer < 0 || peer > INT32_MAX || bytes < 0)
        return translate_fail(t, e, PARCAST_DATA, error, "neighbour %lld, %lld bytes cannot be",
                              (long long)peer, (long long)bytes);
    parcast_status status =
        translate_on(t, e, e->comm, sends ? PARCAST_OPERATION_ISEND : PARCAST_OPERATION_IRECEIVE, &o, error);
    if (status) return status;
    o->communicator += (uint32_t)parcast_trace_about(t->trace)->n_comms;
    o->peer = (int32_t)peer;
    o->bytes = sends ? bytes : -1;
    o->request = request;
    return PARCAST_OK;
}

static bool is_vector(const parcast_trace_event *e)
{
    return e->op == PARCAST_TRACE_NEIGHBOR_ALLTOALLV || e->op == PARCAST_TRACE_NEIGHBOR_ALLTOALLW;
}

static parcast_status put_messages(struct translation *t, const parcast_trace_event *e,
                                   const struct translated_topology *to, uint32_t request,
                                   parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    if (is_vector(e) && e->n_send_counts != to->n_destinations)
        return translate_fail(t, e, PARCAST_DATA, error, "%zu counts for %zu neighbours", e->n_send_counts,
                              to->n_destinations);
    for (size_t i = 0; i < to->n_sources && !status; i++)
        status = put_message(t, e, false, to->ranks[i], 0, request, error);
    for (size_t i = 0; i < to->n_destinations && !status; i++)
        status = put_message(t, e, true, to->ranks[to->n_sources + i],
                             is_vector(e) ? e->send_counts[i] : e->bytes, request, error);
    return status;
}

parcast_status translate_neighbours(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    const struct translated_topology *topology = topology_of(t, e->comm);
    bool blocks = e->start == PARCAST_TRACE_BLOCKING;
    uint32_t request = blocks ? translate_spare_request(t) : (uint32_t)e->request;
    parcast_status status = PARCAST_OK;
    if (!topology)
        return translate_fail(t, e, PARCAST_DATA, error, "the rank has no neighbours in communicator %d",
                              e->comm);
    if (!blocks) status = translate_begin_request(t, e, false, error);
    if (status || e->start == PARCAST_TRACE_PERSISTENT) return status;
    status = put_messages(t, e, topology, request, error);
    if (status || !blocks) return status;
    parcast_operation *o = translate_put(t, PARCAST_OPERATION_WAIT);
    if (!o) return translate_no_memory(t, error);
    o->request = request;
    return PARCAST_OK;
}
