/*
 * Any events of up to four ranks are replayed on both networks, or refused with a reason: no trace that
 * checksums let through makes a replay crash or hang. Twelve bytes are one event.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parcast/replay.h"
#include "trace/reader.h"
#include "trace/translate.h"

enum { RANKS = 4, EVENT_BYTES = 12, MOST_EVENTS = 256, ROOM = 8 };

static void require(int condition)
{
    if (!condition) abort();
}

/* ---- what the events refer to ---- */

static const int32_t world[RANKS] = {0, 1, 2, 3}, alone[] = {-1}, even[] = {2, 0}, odd[] = {1, 3},
                     broken[] = {0, -1};
static const parcast_trace_comm comms[] = {
    {.n_ranks = RANKS, .ranks = world},
    {.n_ranks = 1, .ranks = alone},
    {.n_ranks = 2, .ranks = even},
    {.n_ranks = 2, .ranks = odd},
    {.n_ranks = 2, .ranks = broken},
    {.inter = true, .n_ranks = 2, .ranks = even, .n_remote = 2, .remote_ranks = odd},
    {.inter = true, .n_ranks = 2, .ranks = odd, .n_remote = 2, .remote_ranks = even},
    {.inter = true, .other_world = true, .n_ranks = 2, .ranks = even, .n_remote = 2, .remote_ranks = broken}};
static const char *const functions[] = {"MPI_Comm_create_group", "MPI_Intercomm_merge", "MPI_Win_fence",
                                        "MPI_X"};
enum { COMMS = sizeof comms / sizeof comms[0], FUNCTIONS = sizeof functions / sizeof functions[0] };

static const parcast_trace_op ops[] = {
#define OP(name, number, text) PARCAST_TRACE_##name,
    PARCAST_TRACE_OP_LIST(OP)
#undef OP
};
enum { OPS = sizeof ops / sizeof ops[0] };

/* ---- events from bytes ---- */

struct events {
    const uint8_t *records[MOST_EVENTS]; /* of one rank */
    size_t n, at;
    int64_t numbers[4][ROOM];
};

struct program {
    struct parcast_trace trace;
    struct events events[RANKS];
    struct translation ranks[RANKS];
};

static size_t bits_of(uint8_t byte, int64_t *numbers, const int64_t **pointer)
{
    size_t n = 0;
    for (int i = 0; i < ROOM; i++)
        if (byte >> i & 1) numbers[n++] = i;
    *pointer = numbers;
    return n;
}

static size_t counts_of(const parcast_trace_event *e, uint8_t byte, int64_t *numbers, const int64_t **pointer)
{
    size_t n = byte & 128 ? (size_t)comms[e->comm].n_ranks : byte % 3;
    for (size_t i = 0; i < n; i++) numbers[i] = (int64_t)(byte & 7) * (int64_t)i * 1000 - (byte == 255);
    *pointer = numbers;
    return n;
}

static void make_event(const uint8_t *b, struct events *from, parcast_trace_event *e)
{
    static const int64_t sizes[] = {0, 1, 50, 1000, 20000, (int64_t)1 << 40, -1, INT64_MAX};
    parcast_trace_event_clear(e, ops[b[0] / RANKS % OPS]);
    e->start = (parcast_trace_start)(b[1] % 3);
    e->mode = (parcast_trace_send_mode)(b[8] / ROOM % 4);
    e->flag = b[1] & 4;
    e->thread = b[1] > 250;
    e->function = b[1] / 8 % (FUNCTIONS + 1) - 1;
    e->comm = b[2] % COMMS;
    e->new_comm = b[3] % (COMMS + 1) - 1;
    e->peer = e->root = b[4] % 8 - 3;
    e->tag = b[5] % 3 - 1;
    e->source = b[5] / 3 % 8 - 3;
    e->bytes = e->recv_bytes = sizes[b[6] % 8];
    e->matched_peer = b[7] % 6 - 2;
    e->matched_tag = b[7] / 6 % 3 - 1;
    e->request = b[8] % ROOM - (b[8] == 255);
    e->n_requests = bits_of(b[9], from->numbers[0], &e->requests);
    e->n_completed = bits_of(b[10], from->numbers[1], &e->completed);
    if (e->op == PARCAST_TRACE_COMM_CREATE) {
        e->n_sources = bits_of(b[9], from->numbers[0], &e->sources);
        e->n_destinations = bits_of(b[10], from->numbers[1], &e->destinations);
    }
    e->n_send_counts = counts_of(e, b[11], from->numbers[2], &e->send_counts);
    e->n_recv_counts = counts_of(e, b[11], from->numbers[3], &e->recv_counts);
    e->compute = e->call_s = b[3] * 1e-6;
}

static parcast_status next(void *state, int rank, parcast_operation *o, parcast_error *error)
{
    struct program *p = state;
    struct translation *t = &p->ranks[rank];
    struct events *from = &p->events[rank];
    while (t->next_queued == t->n_queued && from->at < from->n) {
        parcast_trace_event event;
        t->next_queued = t->n_queued = 0;
        t->event = (int)from->at;
        make_event(from->records[from->at++], from, &event);
        parcast_status status = translate_event(t, &event, error);
        if (status) return status;
    }
    if (t->next_queued == t->n_queued) {
        t->next_queued = t->n_queued = 0;
        parcast_status status = translate_end(t, error);
        if (status) return status;
    }
    if (t->next_queued < t->n_queued)
        *o = t->queue[t->next_queued++];
    else
        *o = (parcast_operation){.kind = PARCAST_OPERATION_END};
    return PARCAST_OK;
}

static void begin(struct program *p)
{
    for (int32_t rank = 0; rank < RANKS; rank++) {
        p->events[rank].at = 0;
        p->ranks[rank] = (struct translation){.trace = &p->trace,
                                              .name = "events",
                                              .rank = rank,
                                              .speed = 1,
                                              .cached_comm = PARCAST_TRACE_NONE};
    }
}

static void replay(struct program *p, const parcast_platform *platform, const parcast_loggops *loggops)
{
    parcast_operation_source source = {
        .state = p, .n_ranks = RANKS, .name = "events", .next = next, .has_events = true};
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    begin(p);
    if (parcast_replay_run(&source, platform, NULL, loggops, NULL, &result, &error) != PARCAST_OK)
        require(error.text[0] != '\0' && !result);
    else
        require(result->time_s >= 0 && result->n_ranks == RANKS);
    parcast_replay_result_destroy(&result);
    for (int32_t rank = 0; rank < RANKS; rank++) translation_clear(&p->ranks[rank]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] =
        "schema: parcast.platform/1\nnodes: [{type: a, count: 4, cores: 2}]\n"
        "network: {topology: star, latency: 1e-5, bandwidth: 1e8, eager_below: 100, detached_below: 10000}\n";
    static const parcast_loggops machine = {
        .L_s = 1e-6, .o_s = 1e-6, .g_s = 1e-6, .G_s_per_byte = 1e-9, .S_bytes = 100};
    struct program *p = calloc(1, sizeof *p);
    parcast_platform *platform = NULL;
    require(p != NULL);
    p->trace.meta.about = (parcast_trace_meta){
        .n_ranks = RANKS, .n_comms = COMMS, .comms = comms, .n_functions = FUNCTIONS, .functions = functions};
    for (size_t i = 0; i + EVENT_BYTES <= size; i += EVENT_BYTES) {
        struct events *events = &p->events[data[i] % RANKS];
        if (events->n < MOST_EVENTS) events->records[events->n++] = data + i;
    }
    require(parcast_platform_parse(text, sizeof text - 1, "platform", &platform, NULL) == PARCAST_OK);
    replay(p, platform, NULL);
    replay(p, platform, &machine);
    parcast_platform_destroy(&platform);
    free(p);
    return 0;
}
