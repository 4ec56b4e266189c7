#include "movement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_MESSAGES = 256, MOST_PENDING = 128 };

struct message {
    struct schedule_data data;
    parcast_collective part;
    uint32_t sets[MOVEMENT_BYTES]; /* of the sender, as they were then */
    uint32_t known;
};

struct queue {
    struct message messages[MOST_MESSAGES];
    uint32_t n, taken;
};

struct pending {
    uint32_t from, channel;
    struct schedule_data data;
};

struct rank {
    struct collective_schedule schedule;
    uint32_t sets[MOVEMENT_BYTES];
    uint32_t known;                /* ranks that it has heard of, straight or not */
    uint32_t prefix;               /* scan: contributions from below */
    uint32_t from[MOVEMENT_RANKS]; /* all-to-all: blocks that came from each */
    struct message came;           /* the last one: an algorithm may pass on what came, not the sum */
    struct pending pending[MOST_PENDING];
    uint32_t n_pending, channels; /* channels: it waits for these */
    bool ended;
};

static struct rank ranks[MOVEMENT_RANKS];
static struct queue queues[MOVEMENT_RANKS][MOVEMENT_RANKS];
static const struct movement *what;

static void wrong(const char *why, uint32_t rank)
{
    fail_msg(
        "%s by %s (parts %s, %s; hierarchy %d, segments of %d) on %u ranks, root %u, %d bytes: rank %u %s",
        parcast_collective_name(what->collective), collective_algorithm_name(what->plan.algorithm),
        collective_algorithm_name(what->plan.parts[0]), collective_algorithm_name(what->plan.parts[1]),
        (int)what->plan.hierarchy, (int)what->plan.segment_bytes, what->n, what->root, (int)what->bytes, rank,
        why);
}

static int64_t count_of(uint32_t i)
{
    return what->counts ? what->counts[i] : what->bytes;
}

static int64_t begin_of(uint32_t block)
{
    int64_t begin = 0;
    for (uint32_t i = 0; i < block; i++) begin += count_of(i);
    return begin;
}

static bool is_one(parcast_collective c, const parcast_collective *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == c) return true;
    return false;
}

#define IS_ONE(c, ...)                                                                                       \
    is_one((c), (const parcast_collective[]){__VA_ARGS__},                                                   \
           sizeof((const parcast_collective[]){__VA_ARGS__}) / sizeof(parcast_collective))

static bool of_vector(parcast_collective c)
{
    return IS_ONE(c, PARCAST_COLLECTIVE_BARRIER, PARCAST_COLLECTIVE_BCAST, PARCAST_COLLECTIVE_REDUCE,
                  PARCAST_COLLECTIVE_ALLREDUCE, PARCAST_COLLECTIVE_SCAN, PARCAST_COLLECTIVE_EXSCAN);
}

static bool is_alltoall(parcast_collective c)
{
    return IS_ONE(c, PARCAST_COLLECTIVE_ALLTOALL, PARCAST_COLLECTIVE_ALLTOALLV, PARCAST_COLLECTIVE_ALLTOALLW);
}

static bool is_scan(parcast_collective c)
{
    return IS_ONE(c, PARCAST_COLLECTIVE_SCAN, PARCAST_COLLECTIVE_EXSCAN);
}

static bool adds(parcast_collective part)
{
    return IS_ONE(part, PARCAST_COLLECTIVE_REDUCE, PARCAST_COLLECTIVE_ALLREDUCE,
                  PARCAST_COLLECTIVE_REDUCE_SCATTER, PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK);
}

static int64_t total(void)
{
    return of_vector(what->collective) ? what->bytes : begin_of(what->n);
}

/* Bruck's all-to-all: what is followed are slots, (source << 8 | destination) of the block in each. */
static bool has_slots(void)
{
    return is_alltoall(what->collective) && what->plan.algorithm == ALGORITHM_BRUCK;
}

static uint32_t slot(uint32_t source, uint32_t destination)
{
    return source % what->n << 8 | destination % what->n;
}

static bool by_node_scan(void)
{
    return is_scan(what->collective) && what->plan.hierarchy != HIERARCHY_FLAT;
}

/* At the beginning. */

static uint32_t given(uint32_t rank, int64_t byte)
{
    uint32_t own = UINT32_C(1) << rank;
    bool in_own_block = byte >= begin_of(rank) && byte < begin_of(rank + 1);
    if (IS_ONE(what->collective, PARCAST_COLLECTIVE_BCAST, PARCAST_COLLECTIVE_SCATTER,
               PARCAST_COLLECTIVE_SCATTERV))
        return rank == what->root ? own : 0;
    if (IS_ONE(what->collective, PARCAST_COLLECTIVE_GATHER, PARCAST_COLLECTIVE_GATHERV,
               PARCAST_COLLECTIVE_ALLGATHER, PARCAST_COLLECTIVE_ALLGATHERV))
        return in_own_block ? own : 0;
    return own;
}

static void begin(void)
{
    memset(ranks, 0, sizeof ranks);
    for (uint32_t a = 0; a < what->n; a++)
        for (uint32_t b = 0; b < what->n; b++) queues[a][b].n = queues[a][b].taken = 0;
    for (uint32_t r = 0; r < what->n; r++) {
        ranks[r].known = UINT32_C(1) << r;
        for (int64_t i = 0; i < total(); i++) ranks[r].sets[i] = given(r, i);
        for (uint32_t i = 0; has_slots() && i < what->n; i++) ranks[r].sets[i] = slot(r, r + i);
        ranks[r].schedule = (struct collective_schedule){.collective = what->collective,
                                                         .plan = what->plan,
                                                         .all_ranks = what->n,
                                                         .own_rank = r,
                                                         .own_root = what->root,
                                                         .bytes = what->bytes,
                                                         .element_bytes = what->element_bytes,
                                                         .counts = what->counts,
                                                         .nodes = what->nodes};
        schedule_begin(&ranks[r].schedule);
    }
}

/* Messages. */

static bool passes_on(const struct rank *rank, const struct schedule_data *data)
{
    const struct schedule_data *came = &rank->came.data;
    return what->plan.algorithm == ALGORITHM_RECURSIVE_DOUBLING_UNFOLDED && came->n_blocks > 0 &&
           came->n_blocks == data->n_blocks && came->first == data->first;
}

static void send(uint32_t from, uint32_t to, struct schedule_data data)
{
    struct queue *queue = &queues[from][to];
    if (to >= what->n || to == from) wrong("sends to nobody, or to itself", from);
    if (queue->n == MOST_MESSAGES) wrong("sends too many messages", from);
    struct message *message = &queue->messages[queue->n++];
    message->data = data;
    message->part = ranks[from].schedule.part;
    message->known = ranks[from].known;
    memcpy(message->sets, passes_on(&ranks[from], &data) ? ranks[from].came.sets : ranks[from].sets,
           sizeof message->sets);
}

static void merge(uint32_t rank, int64_t byte, const struct message *message, uint32_t from)
{
    uint32_t *own = &ranks[rank].sets[byte], in = message->sets[byte];
    if (by_node_scan()) return;
    if (in == 0) wrong("gets what its partner does not have", rank);
    if (is_scan(what->collective)) {
        if (from < rank && byte == 0) ranks[rank].prefix |= in;
        *own |= in;
    } else if (!adds(message->part) || (*own & in) == *own) {
        *own = in;
    } else if ((*own & in) == 0) {
        *own |= in;
    } else {
        wrong("adds a contribution twice", rank);
    }
}

static void take_slots(uint32_t rank, const struct message *message)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < what->n; i++)
        if (i & (uint32_t)message->data.first) {
            ranks[rank].sets[i] = message->sets[i];
            n++;
        }
    if (n != message->data.n_blocks || message->data.bytes != n * what->bytes)
        wrong("gets another number of blocks than there are", rank);
}

static void take(uint32_t rank, const struct pending *receive)
{
    struct queue *queue = &queues[receive->from][rank];
    const struct message *message = &queue->messages[queue->taken++];
    const struct schedule_data *data = &message->data;
    ranks[rank].known |= message->known;
    if (data->bytes != receive->data.bytes) wrong("expects another size than is sent", rank);
    if (has_slots()) {
        take_slots(rank, message);
        return;
    }
    if (is_alltoall(what->collective)) {
        if (data->first != rank || data->bytes != count_of(rank)) wrong("gets another's block", rank);
        ranks[rank].from[receive->from]++;
        return;
    }
    ranks[rank].came = *message;
    if (data->first != receive->data.first && data->bytes > 0)
        wrong("expects other data than are sent", rank);
    if (data->n_blocks == 0)
        for (int64_t i = 0; i < data->bytes; i++) merge(rank, data->first + i, message, receive->from);
    for (uint32_t b = 0; b < data->n_blocks; b++) {
        uint32_t block = (uint32_t)(data->first + b) % what->n;
        for (int64_t i = begin_of(block); i < begin_of(block + 1); i++)
            merge(rank, i, message, receive->from);
    }
}

/* Are there messages for all receives that are waited for? The k-th receive from a rank takes its k-th. */
static bool can_go_on(const struct rank *r, uint32_t rank)
{
    uint32_t needed[MOVEMENT_RANKS] = {0};
    for (uint32_t i = 0; i < r->n_pending; i++) {
        const struct pending *p = &r->pending[i];
        const struct queue *queue = &queues[p->from][rank];
        needed[p->from]++;
        if ((r->channels >> p->channel & 1) && queue->n - queue->taken < needed[p->from]) return false;
    }
    return true;
}

/* Data land when they are waited for, in the order of the receives. */
static void land(struct rank *r, uint32_t rank)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->n_pending; i++)
        if (r->channels >> r->pending[i].channel & 1)
            take(rank, &r->pending[i]);
        else
            r->pending[kept++] = r->pending[i];
    r->n_pending = kept;
    r->channels = 0;
}

static bool advance(uint32_t rank)
{
    struct rank *r = &ranks[rank];
    struct schedule_action action;
    bool moved = false;
    while (!r->ended && can_go_on(r, rank)) {
        land(r, rank);
        moved = true;
        if (!schedule_next(&r->schedule, &action)) {
            r->ended = true;
            if (r->n_pending) wrong("ends before its receives", rank);
        } else if (action.what == SCHEDULE_SEND) {
            send(rank, action.peer, action.data);
        } else if (action.what == SCHEDULE_RECEIVE) {
            if (r->n_pending == MOST_PENDING || action.peer >= what->n) wrong("receives beyond bounds", rank);
            r->pending[r->n_pending++] = (struct pending){action.peer, action.channel, action.data};
        } else {
            r->channels = action.channel;
        }
    }
    return moved;
}

/* In the end. */

static void check_bytes(uint32_t rank, int64_t begin_byte, int64_t end_byte, uint32_t set)
{
    for (int64_t i = begin_byte; i < end_byte; i++)
        if (ranks[rank].sets[i] != set) wrong("ends without what it is to have", rank);
}

static void check_rank(uint32_t r)
{
    uint32_t all = (UINT32_C(1) << what->n) - 1, below = (UINT32_C(1) << r) - 1;
    bool is_root = r == what->root;
    switch (what->collective) {
    case PARCAST_COLLECTIVE_BARRIER:
        if (ranks[r].known != all) wrong("goes on before all have come", r);
        break;
    case PARCAST_COLLECTIVE_BCAST:
        check_bytes(r, 0, total(), UINT32_C(1) << what->root);
        break;
    case PARCAST_COLLECTIVE_REDUCE:
        if (is_root) check_bytes(r, 0, total(), all);
        break;
    case PARCAST_COLLECTIVE_ALLREDUCE:
        check_bytes(r, 0, total(), all);
        break;
    case PARCAST_COLLECTIVE_SCATTER:
    case PARCAST_COLLECTIVE_SCATTERV:
        check_bytes(r, begin_of(r), begin_of(r + 1), UINT32_C(1) << what->root);
        break;
    case PARCAST_COLLECTIVE_REDUCE_SCATTER:
    case PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        check_bytes(r, begin_of(r), begin_of(r + 1), all);
        break;
    case PARCAST_COLLECTIVE_SCAN:
    case PARCAST_COLLECTIVE_EXSCAN:
        if (by_node_scan() ? (ranks[r].known & below) != below : ranks[r].prefix != below)
            wrong("ends without the sum of those below, or with more", r);
        break;
    default:
        for (uint32_t b = 0; b < what->n; b++)
            if (has_slots()) {
                if (ranks[r].sets[b] != slot(r + what->n - b, r)) wrong("ends with another's block", r);
            } else if (is_alltoall(what->collective)) {
                if (b != r && ranks[r].from[b] != 1) wrong("gets another number of blocks than one", r);
            } else if ((is_root ||
                        !IS_ONE(what->collective, PARCAST_COLLECTIVE_GATHER, PARCAST_COLLECTIVE_GATHERV))) {
                check_bytes(r, begin_of(b), begin_of(b + 1), UINT32_C(1) << b);
            }
    }
}

void movement_check(const struct movement *movement)
{
    what = movement;
    begin();
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t r = 0; r < what->n; r++) moved |= advance(r);
    }
    for (uint32_t r = 0; r < what->n; r++) {
        if (!ranks[r].ended) wrong("waits for ever", r);
        for (uint32_t b = 0; b < what->n; b++)
            if (queues[r][b].n != queues[r][b].taken) wrong("sends what nobody receives", r);
        if (what->n > 1) check_rank(r);
    }
}
