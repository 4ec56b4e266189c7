/* A line of time-independent text as an event. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/ti.h"

struct arguments {
    const struct ti_line *line;
    size_t at; /* next word */
    int32_t rank, n_ranks;
    struct ti_rank *state;
    struct ti_room *room;
    parcast_error *error;
};

static const double largest = 0x1p53; /* numbers are read as doubles: counts may be written 1e3 */

static parcast_status wrong(const struct arguments *a, const char *what)
{
    return parcast_error_set(a->error, PARCAST_FORMAT, a->line->source, a->line->number, "rank %d, '%s': %s",
                             a->rank, a->line->words[1], what);
}

static size_t n_left(const struct arguments *a)
{
    return a->line->n - a->at;
}

/* Most numbers are short and whole: reading these is a tenth of the work of strtod. */
static bool short_number(const char *word, double *value)
{
    enum { DIGITS = 15 };
    int64_t number = 0;
    int i = 0;
    for (; i < DIGITS && word[i] >= '0' && word[i] <= '9'; i++) number = 10 * number + (word[i] - '0');
    *value = (double)number;
    return i > 0 && word[i] == '\0';
}

static parcast_status number(struct arguments *a, double *value)
{
    char *end;
    if (n_left(a) == 0) return wrong(a, "a number is missing");
    const char *word = a->line->words[a->at++];
    if (short_number(word, value)) return PARCAST_OK;
    *value = strtod(word, &end);
    if (end != word && *end == '\0' && isfinite(*value)) return PARCAST_OK;
    return parcast_error_set(a->error, PARCAST_FORMAT, a->line->source, a->line->number,
                             "rank %d, '%s': '%s' is not a number", a->rank, a->line->words[1], word);
}

static parcast_status integer(struct arguments *a, double least, double most, int64_t *value)
{
    double given = 0;
    parcast_status status = number(a, &given);
    if (status) return status;
    if (given != floor(given)) return wrong(a, "a whole number was expected");
    if (given < least || given > most) return wrong(a, "a number is out of range");
    *value = (int64_t)given;
    return PARCAST_OK;
}

static parcast_status amount(struct arguments *a, double *value)
{
    parcast_status status = number(a, value);
    if (!status && *value < 0) return wrong(a, "a negative amount");
    return status;
}

/* Elements, MPI's numbers of types as the peer writes them. */
static const int64_t type_bytes[] = {8, 4, 1, 2, 8, 4, 1, 8};
enum { DOUBLE = 0, BYTE = 6 };

static parcast_status type(struct arguments *a, int64_t *bytes)
{
    int64_t id = a->state->doubles ? DOUBLE : BYTE;
    *bytes = type_bytes[id];
    if (n_left(a) == 0) return PARCAST_OK;
    parcast_status status = integer(a, 0, 7, &id);
    if (!status) *bytes = type_bytes[id];
    return status;
}

static parcast_status scale(struct arguments *a, int64_t *value, int64_t factor)
{
    if (*value > (int64_t)largest / factor) return wrong(a, "a message of more than 8 petabytes");
    if (*value > 0) *value *= factor;
    return PARCAST_OK;
}

static parcast_status no_more(const struct arguments *a)
{
    return n_left(a) == 0 ? PARCAST_OK : wrong(a, "there are more words than the action has");
}

static int64_t *room_for(struct arguments *a, size_t n)
{
    if (n > a->room->capacity) {
        int64_t *numbers = realloc(a->room->numbers, n * sizeof *numbers);
        if (!numbers) {
            parcast_error_set(a->error, PARCAST_MEMORY, a->line->source, a->line->number, "out of memory");
            return NULL;
        }
        a->room->numbers = numbers;
        a->room->capacity = n;
    }
    return a->room->numbers;
}

/* -------- actions -------- */

static parcast_status local(struct arguments *a, enum ti_action action, parcast_trace_event *e)
{
    switch (action) {
    case TI_INIT:
        a->state->begun = true;
        a->state->doubles = n_left(a) > 0;
        a->at = a->line->n;
        parcast_trace_event_clear(e, PARCAST_TRACE_INIT);
        return PARCAST_OK;
    case TI_FINALIZE:
        a->state->ended = true;
        parcast_trace_event_clear(e, PARCAST_TRACE_FINALIZE);
        return no_more(a);
    case TI_COMPUTE:
        parcast_trace_event_clear(e, PARCAST_TRACE_COMPUTE);
        return amount(a, &e->compute);
    default:
        parcast_trace_event_clear(e, PARCAST_TRACE_SLEEP);
        return amount(a, &e->call_s);
    }
}

static parcast_status peer(struct arguments *a, bool any, int64_t *rank)
{
    parcast_status status = integer(a, INT32_MIN, INT32_MAX, rank);
    if (status || (*rank >= 0 && *rank < a->n_ranks) || (any && *rank == TI_ANY_SOURCE)) return status;
    if (*rank < 0) return wrong(a, any ? "the source is neither a rank nor -555 (any)" : "a negative rank");
    return wrong(a, "no such rank");
}

static parcast_status point_to_point(struct arguments *a, enum ti_action action, parcast_trace_event *e)
{
    bool receives = action == TI_RECV || action == TI_IRECV, waits = action == TI_SEND || action == TI_RECV;
    int64_t other = 0, tag = 0, bytes = 0, factor = 1;
    parcast_trace_event_clear(e, receives ? PARCAST_TRACE_RECV : PARCAST_TRACE_SEND);
    parcast_status status = peer(a, receives, &other);
    if (!status) status = integer(a, receives ? TI_ANY_TAG : 0, INT32_MAX, &tag);
    if (!status && receives && tag < 0 && tag != TI_ANY_TAG)
        return wrong(a, "a tag below 0 is -444 (any) or none");
    if (!status) status = integer(a, receives ? -1 : 0, largest, &bytes);
    if (!status) status = type(a, &factor);
    if (!status) status = scale(a, &bytes, factor);
    if (!status) status = no_more(a);
    if (status) return status;
    e->peer = other == TI_ANY_SOURCE ? PARCAST_TRACE_ANY : (int32_t)other;
    e->tag = receives && tag == TI_ANY_TAG ? PARCAST_TRACE_ANY : (int32_t)tag;
    e->bytes = bytes;
    e->matched_peer = e->peer == PARCAST_TRACE_ANY || e->tag == PARCAST_TRACE_ANY ? PARCAST_TRACE_ANY : 0;
    e->matched_tag = e->matched_peer;
    if (waits) return PARCAST_OK;
    e->start = PARCAST_TRACE_NONBLOCKING;
    e->request = receives ? ti_begin_request(a->state, other, a->rank, tag)
                          : ti_begin_request(a->state, a->rank, other, tag);
    if (e->request >= 0) return PARCAST_OK;
    return parcast_error_set(a->error, PARCAST_MEMORY, a->line->source, a->line->number, "out of memory");
}

static parcast_status sendrecv(struct arguments *a, parcast_trace_event *e)
{
    int64_t sent = 0, to = 0, received = 0, from = 0, send_factor = 1, recv_factor = 1;
    parcast_trace_event_clear(e, PARCAST_TRACE_SENDRECV);
    parcast_status status = integer(a, 0, largest, &sent);
    if (!status) status = peer(a, false, &to);
    if (!status) status = integer(a, 0, largest, &received);
    if (!status) status = peer(a, true, &from);
    if (!status) status = type(a, &send_factor);
    if (!status) status = type(a, &recv_factor);
    if (!status) status = scale(a, &sent, send_factor);
    if (!status) status = scale(a, &received, recv_factor);
    if (!status) status = no_more(a);
    if (status) return status;
    e->peer = (int32_t)to;
    e->bytes = sent;
    e->source = from == TI_ANY_SOURCE ? PARCAST_TRACE_ANY : (int32_t)from;
    e->matched_peer = e->matched_tag = from == TI_ANY_SOURCE ? PARCAST_TRACE_ANY : 0;
    e->recv_bytes = received;
    return PARCAST_OK;
}

/* A wait for what is not open is ignored, as the peer does; a test says nothing about its outcome. */
static parcast_status completion(struct arguments *a, enum ti_action action, parcast_trace_event *e)
{
    int64_t source = 0, destination = 0, tag = 0;
    parcast_status status = integer(a, TI_ANY_SOURCE, INT32_MAX, &source);
    if (!status) status = integer(a, 0, INT32_MAX, &destination);
    if (!status) status = integer(a, INT32_MIN, INT32_MAX, &tag);
    if (!status) status = no_more(a);
    if (status) return status;
    parcast_trace_event_clear(e, action == TI_WAIT ? PARCAST_TRACE_WAIT : PARCAST_TRACE_TEST);
    int32_t request = ti_find_request(a->state, source, destination, tag);
    int64_t *numbers = room_for(a, 1);
    if (!numbers) return PARCAST_MEMORY;
    if (request < 0) return PARCAST_OK;
    numbers[0] = request;
    e->requests = numbers;
    e->n_requests = 1;
    if (action == TI_WAIT) ti_end_request(a->state, request);
    return PARCAST_OK;
}

static parcast_status wait_for_all(struct arguments *a, parcast_trace_event *e)
{
    size_t n = (size_t)a->state->n_open;
    parcast_status status = n_left(a) ? PARCAST_OK : no_more(a); /* older versions write a number */
    if (status || !room_for(a, n + 1)) return status ? status : PARCAST_MEMORY;
    if (!ti_open_requests(a->state, a->room, e)) parcast_trace_event_clear(e, PARCAST_TRACE_WAITALL);
    return PARCAST_OK;
}

/* N root dt, N flop root dt, N flop dt: what stands behind the count. */
static parcast_status root_of(struct arguments *a, parcast_trace_event *e)
{
    int64_t root = 0;
    parcast_status status = n_left(a) ? integer(a, 0, a->n_ranks - 1, &root) : PARCAST_OK;
    e->root = (int32_t)root;
    return status;
}

static parcast_status reduction(struct arguments *a, enum ti_action action, parcast_trace_event *e)
{
    static const parcast_trace_op ops[] = {[TI_REDUCE] = PARCAST_TRACE_REDUCE,
                                           [TI_ALLREDUCE] = PARCAST_TRACE_ALLREDUCE,
                                           [TI_SCAN] = PARCAST_TRACE_SCAN,
                                           [TI_EXSCAN] = PARCAST_TRACE_EXSCAN};
    int64_t factor = 1;
    parcast_trace_event_clear(e, ops[action]);
    parcast_status status = integer(a, 0, largest, &e->count);
    if (!status) status = amount(a, &e->flop);
    if (!status && action == TI_REDUCE) status = root_of(a, e);
    if (!status) status = type(a, &factor);
    e->bytes = e->count;
    if (!status) status = scale(a, &e->bytes, factor);
    return status ? status : no_more(a);
}

/* One count, or one to send and one to receive; a root or none. */
static parcast_status blocks(struct arguments *a, enum ti_action action, parcast_trace_event *e)
{
    static const parcast_trace_op ops[] = {[TI_BCAST] = PARCAST_TRACE_BCAST,
                                           [TI_GATHER] = PARCAST_TRACE_GATHER,
                                           [TI_SCATTER] = PARCAST_TRACE_SCATTER,
                                           [TI_ALLGATHER] = PARCAST_TRACE_ALLGATHER,
                                           [TI_ALLTOALL] = PARCAST_TRACE_ALLTOALL};
    bool rooted = action == TI_BCAST || action == TI_GATHER || action == TI_SCATTER;
    int64_t other = 0, factor = 1, other_factor = 1;
    parcast_trace_event_clear(e, ops[action]);
    parcast_status status = integer(a, 0, largest, &e->bytes);
    if (!status && action != TI_BCAST) status = integer(a, 0, largest, &other);
    if (!status && rooted) status = root_of(a, e);
    if (!status) status = type(a, &factor);
    if (!status && action != TI_BCAST) status = type(a, &other_factor);
    if (!status) status = scale(a, &e->bytes, factor);
    return status ? status : no_more(a);
}

/* n numbers into the room from `first` on. */
static parcast_status counts(struct arguments *a, size_t first, size_t n)
{
    int64_t *numbers = room_for(a, first + n);
    if (!numbers) return PARCAST_MEMORY;
    for (size_t i = 0; i < n; i++) {
        parcast_status status = integer(a, 0, largest, &numbers[first + i]);
        if (status) return status;
    }
    return PARCAST_OK;
}

static parcast_status scale_counts(struct arguments *a, size_t first, size_t n, int64_t factor)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < n && !status; i++) status = scale(a, &a->room->numbers[first + i], factor);
    return status;
}

static parcast_status gatherv(struct arguments *a, enum ti_action action, parcast_trace_event *e)
{
    size_t n = (size_t)a->n_ranks;
    bool scatters = action == TI_SCATTERV;
    int64_t send_factor = 1, recv_factor = 1;
    parcast_trace_event_clear(e, scatters ? PARCAST_TRACE_SCATTERV : PARCAST_TRACE_GATHERV);
    parcast_status status = scatters ? counts(a, 0, n) : integer(a, 0, largest, &e->bytes);
    if (!status) status = scatters ? integer(a, 0, largest, &e->bytes) : counts(a, 0, n);
    if (!status) status = root_of(a, e);
    if (!status) status = type(a, &send_factor);
    if (!status) status = type(a, &recv_factor);
    if (!status) status = scale(a, &e->bytes, scatters ? recv_factor : send_factor);
    if (!status) status = scale_counts(a, 0, n, scatters ? send_factor : recv_factor);
    if (!status) status = no_more(a);
    if (status || e->root != a->rank) return status;
    *(scatters ? &e->send_counts : &e->recv_counts) = a->room->numbers;
    *(scatters ? &e->n_send_counts : &e->n_recv_counts) = n;
    return PARCAST_OK;
}

/* Displacements may follow; they do not matter. */
static parcast_status allgatherv(struct arguments *a, parcast_trace_event *e)
{
    size_t n = (size_t)a->n_ranks;
    int64_t send_factor = 1, recv_factor = 1;
    parcast_trace_event_clear(e, PARCAST_TRACE_ALLGATHERV);
    parcast_status status = integer(a, 0, largest, &e->bytes);
    if (!status) status = counts(a, 0, n);
    if (!status) status = type(a, &send_factor);
    if (!status) status = type(a, &recv_factor);
    if (!status) status = scale(a, &e->bytes, send_factor);
    if (!status) status = scale_counts(a, 0, n, recv_factor);
    e->recv_counts = a->room->numbers;
    e->n_recv_counts = n;
    return status;
}

static parcast_status alltoallv(struct arguments *a, parcast_trace_event *e)
{
    size_t n = (size_t)a->n_ranks;
    int64_t whole = 0, send_factor = 1, recv_factor = 1;
    parcast_trace_event_clear(e, PARCAST_TRACE_ALLTOALLV);
    parcast_status status = integer(a, 0, largest, &whole);
    if (!status) status = counts(a, 0, n);
    if (!status) status = integer(a, 0, largest, &whole);
    if (!status) status = counts(a, n, n);
    if (!status) status = type(a, &send_factor);
    if (!status) status = type(a, &recv_factor);
    if (!status) status = scale_counts(a, 0, n, send_factor);
    if (!status) status = scale_counts(a, n, n, recv_factor);
    if (!status) status = no_more(a);
    if (status) return status;
    e->send_counts = a->room->numbers;
    e->recv_counts = a->room->numbers + n;
    e->n_send_counts = e->n_recv_counts = n;
    return PARCAST_OK;
}

static parcast_status reduce_scatter(struct arguments *a, parcast_trace_event *e)
{
    size_t n = (size_t)a->n_ranks;
    int64_t factor = 1;
    parcast_trace_event_clear(e, PARCAST_TRACE_REDUCE_SCATTER);
    parcast_status status = counts(a, 0, n);
    if (!status) status = amount(a, &e->flop);
    if (!status) status = type(a, &factor);
    for (size_t i = 0; i < n && !status; i++) e->count += a->room->numbers[i];
    if (!status) status = scale_counts(a, 0, n, factor);
    e->recv_counts = a->room->numbers;
    e->n_recv_counts = n;
    return status ? status : no_more(a);
}

static parcast_status collective(struct arguments *a, enum ti_action action, parcast_trace_event *e)
{
    if (a->state->split)
        return wrong(a, "a collective behind comm_split: the text does not say on which communicator it is");
    switch (action) {
    case TI_BARRIER:
        parcast_trace_event_clear(e, PARCAST_TRACE_BARRIER);
        return no_more(a);
    case TI_REDUCE:
    case TI_ALLREDUCE:
    case TI_SCAN:
    case TI_EXSCAN:
        return reduction(a, action, e);
    case TI_GATHERV:
    case TI_SCATTERV:
        return gatherv(a, action, e);
    case TI_ALLGATHERV:
        return allgatherv(a, e);
    case TI_ALLTOALLV:
        return alltoallv(a, e);
    case TI_REDUCESCATTER:
        return reduce_scatter(a, e);
    default:
        return blocks(a, action, e);
    }
}

static parcast_status event_of(struct arguments *a, enum ti_action action, parcast_trace_event *e, bool *none)
{
    switch (action) {
    case TI_INIT:
    case TI_FINALIZE:
    case TI_COMPUTE:
    case TI_SLEEP:
        return local(a, action, e);
    case TI_SEND:
    case TI_ISEND:
    case TI_RECV:
    case TI_IRECV:
        return point_to_point(a, action, e);
    case TI_SENDRECV:
        return sendrecv(a, e);
    case TI_WAIT:
    case TI_TEST:
        return completion(a, action, e);
    case TI_WAITALL:
        return wait_for_all(a, e);
    case TI_COMM_SPLIT:
        a->state->split = true;
        *none = true;
        return PARCAST_OK;
    case TI_COMM_SIZE:
    case TI_COMM_DUP:
    case TI_LOCATION:
        *none = true;
        return PARCAST_OK;
    case TI_NONE:
        return wrong(a, "this action is not known");
    default:
        return collective(a, action, e);
    }
}

parcast_status ti_event(const struct ti_line *line, int32_t rank, int32_t n_ranks, struct ti_rank *state,
                        struct ti_room *room, parcast_trace_event *event, bool *none, parcast_error *error)
{
    struct arguments a = {.line = line,
                          .at = 2,
                          .rank = rank,
                          .n_ranks = n_ranks,
                          .state = state,
                          .room = room,
                          .error = error};
    *none = false;
    if (line->n < 2)
        return parcast_error_set(error, PARCAST_FORMAT, line->source, line->number,
                                 "rank %d: an action is missing", rank);
    if (state->ended) return wrong(&a, "an action behind 'finalize'");
    return event_of(&a, ti_action_of(line->words[1]), event, none);
}
