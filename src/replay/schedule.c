/*
 * A GOAL program over LogGOPS, or over the flow model. Each rank's graph is read through a window that is as
 * wide as it must be:
 *
 *     operations   0 ........ base ............. end ........
 *                  all done   | in the window    | not read
 *
 * An operation that requires something is asked for when the last of that is done, because what is done names
 * its dependents; one that requires nothing is asked for at the start. So the window is read on to the
 * farthest dependent of whatever has just started or ended, and moves up when its first operation is done.
 */
#include <stdlib.h>

#include "core/lines.h"
#include "network/loggops_chains.h"
#include "replay/result.h"
#include "replay/schedule_flow.h"

#define NONE POOL_NONE
enum { DEPENDENT_CLASSES = 32, READ_AHEAD_BYTES = 16 << 20, LEAST_WINDOW = 512, MOST_WINDOW = 65536 };

static struct schedule_node *node_at(const struct schedule *s, uint32_t index)
{
    return (struct schedule_node *)s->nodes.records + index;
}

_Static_assert(sizeof(struct schedule_node) == 64, "operations lie across cache lines");

/* Dependents lie in blocks of 2, 4, 8, ... */
static unsigned class_of(uint32_t n_dependents)
{
    return n_dependents <= 1 ? 0 : 32U - (unsigned)__builtin_clz(n_dependents - 1);
}

static const int64_t *dependents_of(const struct schedule *s, const struct schedule_node *node)
{
    if (node->n_dependents == 1) return &node->dependents.only;
    return pool_at(&s->dependents[class_of(node->n_dependents)], node->dependents.block);
}

static bool keep_dependents(struct schedule *s, const struct goal_node *from, struct schedule_node *node)
{
    node->n_dependents = from->n_dependents;
    if (from->n_dependents == 1) node->dependents.only = from->dependents[0];
    if (from->n_dependents <= 1) return true;
    struct pool *blocks = &s->dependents[class_of(from->n_dependents)];
    uint32_t block = node->dependents.block = pool_take(blocks);
    if (block == NONE) return false;
    memcpy(pool_at(blocks, block), from->dependents, from->n_dependents * sizeof *from->dependents);
    return true;
}

static void make_ready(struct schedule *s, uint32_t index, int64_t release_ps)
{
    if (s->n_ready == s->ready_room) {
        uint32_t room = s->ready_room ? 2 * s->ready_room : 64;
        struct schedule_ready *ready = realloc(s->ready, room * sizeof *ready);
        if (!ready) {
            s->engine.failed = true;
            return;
        }
        s->ready = ready;
        s->ready_room = room;
    }
    s->ready[s->n_ready++] = (struct schedule_ready){index, release_ps};
}

static bool widen(struct schedule_rank *rank)
{
    uint32_t room = rank->window ? 2 * (rank->mask + 1) : 8;
    uint32_t *window = room ? malloc(room * sizeof *window) : NULL;
    if (!window) return false;
    for (uint64_t i = rank->base; rank->window && i < rank->end; i++)
        window[i & (room - 1)] = rank->window[i & rank->mask];
    free(rank->window);
    rank->window = window;
    rank->mask = room - 1;
    return true;
}

/* Take the rank's next operation into the window; it is ready at once if it requires nothing. */
static bool read_next(struct schedule *s, uint32_t rank_number)
{
    struct schedule_rank *rank = &s->ranks[rank_number];
    struct goal_node from;
    if ((!rank->window || rank->end - rank->base > rank->mask) && !widen(rank)) return false;
    if (!goal_cursor_next(&rank->cursor, &from)) return false;
    uint32_t index = pool_take(&s->nodes);
    if (index == NONE) return false;
    struct schedule_node *node = node_at(s, index);
    *node = (struct schedule_node){.amount = from.operation.amount,
                                   .number = rank->end,
                                   .rank = rank_number,
                                   .peer = from.operation.peer,
                                   .tag = from.operation.tag,
                                   .line = from.operation.line,
                                   .n_required = from.n_required,
                                   .kind = (uint8_t)from.operation.kind,
                                   .cpu = (uint8_t)from.operation.cpu,
                                   .nic = (uint8_t)from.operation.nic};
    if (!keep_dependents(s, &from, node)) return false;
    rank->window[rank->end++ & rank->mask] = index;
    if (s->nodes.n_taken > s->most_open) s->most_open = s->nodes.n_taken;
    if (from.n_required == 0) make_ready(s, index, 0);
    return true;
}

static bool read_until(struct schedule *s, uint32_t rank, uint64_t number)
{
    while (s->ranks[rank].end <= number)
        if (!read_next(s, rank)) return false;
    return true;
}

/* What requires the end (or the start) of an operation has one thing less to wait for. */
static void release_dependents(struct schedule *s, uint32_t index, bool started, int64_t date_ps)
{
    const struct schedule_node node = *node_at(s, index);
    int64_t farthest = 0;
    if (node.n_dependents == 0) return;
    const int64_t *dependents = dependents_of(s, &node);
    for (uint32_t i = 0; i < node.n_dependents; i++)
        if ((dependents[i] & 1) == started && dependents[i] / 2 > farthest) farthest = dependents[i] / 2;
    if (!read_until(s, node.rank, node.number + (uint64_t)farthest)) {
        s->unreadable = s->engine.failed = true;
        return;
    }
    dependents = dependents_of(s, &node); /* reading may have moved them */
    const struct schedule_rank *rank = &s->ranks[node.rank];
    for (uint32_t i = 0; i < node.n_dependents; i++) {
        if ((dependents[i] & 1) != started) continue;
        uint64_t number = node.number + (uint64_t)((dependents[i] - started) / 2);
        uint32_t index_of = rank->window[number & rank->mask];
        struct schedule_node *dependent = node_at(s, index_of);
        if (date_ps > dependent->release_ps) dependent->release_ps = date_ps; /* CPUs end in any order */
        if (--dependent->n_required == 0) make_ready(s, index_of, dependent->release_ps);
    }
}

/* A computation longer than the clock ends the run; it must not overflow before. */
static int64_t compute_ps(const struct schedule_node *node)
{
    return node->amount < KERNEL_LATEST_PS / SCHEDULE_NS ? node->amount * SCHEDULE_NS : KERNEL_LATEST_PS;
}

static void retire(struct schedule *s, uint32_t index)
{
    const struct schedule_node *node = node_at(s, index);
    struct schedule_rank *rank = &s->ranks[node->rank];
    if (node->kind == PARCAST_GOAL_COMPUTE && rank->compute_ps < KERNEL_LATEST_PS)
        rank->compute_ps += compute_ps(node);
    rank->window[node->number & rank->mask] = NONE;
    while (rank->base < rank->end && rank->window[rank->base & rank->mask] == NONE) rank->base++;
    if (node->n_dependents > 1)
        pool_give(&s->dependents[class_of(node->n_dependents)], node->dependents.block);
    pool_give(&s->nodes, index);
}

void schedule_check(struct schedule *s, parcast_status status)
{
    if (!status || s->recorded) return;
    s->recorded = status;
    s->engine.failed = true;
}

/* A send, or a computation, has its CPU until then. */
static void draw(struct schedule *s, const struct schedule_node *node, int64_t from_ps, int64_t to_ps)
{
    const parcast_operation drawn = {.kind = node->kind == PARCAST_GOAL_SEND ? PARCAST_OPERATION_SEND
                                                                             : PARCAST_OPERATION_COMPUTE};
    schedule_check(s, recorder_operation(&s->recorder, node->rank, &drawn, from_ps, to_ps));
}

static void record_start(struct schedule *s, const struct schedule_node *node, int64_t date_ps)
{
    struct match_key key = {(uint32_t)node->peer, 0, (int32_t)node->rank, node->tag};
    if (node->kind == PARCAST_GOAL_RECEIVE) return;
    draw(s, node, date_ps, loggops_end(&s->engine, node->rank));
    if (node->kind == PARCAST_GOAL_SEND)
        schedule_check(s, recorder_sent(&s->recorder, key, node->amount, date_ps));
}

void schedule_start(struct schedule *s, uint32_t index, int64_t date_ps)
{
    release_dependents(s, index, true, date_ps);
}

static void on_started(void *state, uint32_t index, int64_t date_ps)
{
    struct schedule *s = state;
    if (s->records) record_start(s, node_at(s, index), date_ps);
    schedule_start(s, index, date_ps);
}

static void on_received(void *state, const struct loggops_message *message, int64_t date_ps)
{
    struct schedule *s = state;
    int64_t end_ps = loggops_end(&s->engine, message->destination);
    const struct transport_message told = {.source = message->source,
                                           .destination = message->destination,
                                           .tag = message->tag,
                                           .bytes = message->bytes,
                                           .sent_ps = message->sent_ps,
                                           .received_ps = end_ps > date_ps ? end_ps : date_ps};
    schedule_check(s, recorder_received(&s->recorder, &told));
}

void schedule_done(struct schedule *s, uint32_t index, int64_t date_ps)
{
    uint32_t rank = node_at(s, index)->rank;
    release_dependents(s, index, false, date_ps);
    retire(s, index);
    if (!s->records || !s->recorder.options->timeline || !schedule_rank_is_done(s, rank)) return;
    schedule_check(
        s, parcast_timeline_end_rank(s->recorder.options->timeline, (int32_t)rank, s->recorder.error));
}

static void on_done(void *state, uint32_t index, int64_t date_ps)
{
    schedule_done(state, index, date_ps);
}

/* What requires it, where that was read, and otherwise what it will be read from. */
static void fetch_dependents(const struct schedule *s, const struct schedule_rank *rank,
                             const struct schedule_node *node)
{
    const int64_t *dependents = dependents_of(s, node);
    uint64_t last = node->number;
    for (uint32_t i = 0; i < node->n_dependents && i < 8; i++) {
        last = node->number + (uint64_t)(dependents[i] / 2);
        if (last < rank->end) __builtin_prefetch(node_at(s, rank->window[last & rank->mask]), 1);
    }
    if (last < rank->end) return;
    __builtin_prefetch(&rank->cursor.rank, 1);
    goal_cursor_foresee(&rank->cursor);
}

/* What the start or end of an operation will touch. */
static void on_foresee(void *state, uint32_t rank_number, uint32_t index, unsigned stage)
{
    const struct schedule *s = state;
    const struct schedule_node *node = node_at(s, index);
    const struct schedule_rank *rank = &s->ranks[rank_number];
    if (stage == 0) {
        __builtin_prefetch(node, 1);
        __builtin_prefetch(rank, 1);
    } else if (node->rank != rank_number) { /* the place has been taken by another one since */
        return;
    } else if (stage == 1) {
        __builtin_prefetch(&rank->window[node->number & rank->mask], 1);
        if (node->n_dependents > 1) __builtin_prefetch(dependents_of(s, node));
    } else if (node->n_dependents > 0) {
        fetch_dependents(s, rank, node);
    }
}

static void issue(struct schedule *s, const struct schedule_ready *ready)
{
    static const enum loggops_kind kinds[] = {
        [PARCAST_GOAL_SEND] = LOGGOPS_SEND,
        [PARCAST_GOAL_RECEIVE] = LOGGOPS_RECEIVE,
        [PARCAST_GOAL_COMPUTE] = LOGGOPS_COMPUTE,
    };
    struct schedule_node *node = node_at(s, ready->node);
    bool computes = node->kind == PARCAST_GOAL_COMPUTE;
    node->issued = true;
    struct loggops_operation operation = {.kind = kinds[node->kind],
                                          .cpu = node->cpu,
                                          .nic = node->nic,
                                          .host = node->rank,
                                          .peer = node->peer,
                                          .tag = node->tag,
                                          .amount = computes ? compute_ps(node) : node->amount,
                                          .user = ready->node};
    loggops_issue(&s->engine, &operation, ready->release_ps);
}

static void issue_rank(struct schedule *s, uint32_t rank)
{
    for (unsigned kind = 0; kind <= PARCAST_GOAL_COMPUTE; kind++)
        for (uint32_t i = 0; i < s->n_ready; i++) {
            const struct schedule_node *node = node_at(s, s->ready[i].node);
            if (node->rank == rank && node->kind == kind) issue(s, &s->ready[i]);
        }
}

/* Ready by one event: ranks in ascending order (two at most, the ends of a message); on a rank sends, then
   receives, then computations; within a kind in the order in which they became ready. */
static void on_settle(void *state)
{
    struct schedule *s = state;
    if (recorder_tick(&s->recorder))
        recorder_progress(&s->recorder, s->engine.kernel.now_ps, s->engine.n_events);
    if (s->n_ready == 1) {
        issue(s, &s->ready[0]);
    } else if (s->n_ready > 1) {
        uint32_t low = UINT32_MAX, high = 0;
        for (uint32_t i = 0; i < s->n_ready; i++) {
            uint32_t rank = node_at(s, s->ready[i].node)->rank;
            if (rank < low) low = rank;
            if (rank > high) high = rank;
        }
        issue_rank(s, low);
        if (high != low) issue_rank(s, high);
    }
    s->n_ready = 0;
}

static void destroy(struct schedule *s)
{
    for (uint32_t r = 0; s->ranks && r < s->n_ranks; r++) {
        goal_cursor_close(&s->ranks[r].cursor);
        free(s->ranks[r].window);
    }
    for (unsigned i = 0; i < DEPENDENT_CLASSES; i++) pool_destroy(&s->dependents[i]);
    pool_destroy(&s->nodes);
    free(s->ready);
    free(s->ranks);
    recorder_destroy(&s->recorder);
    schedule_flow_destroy(s);
    loggops_destroy(&s->engine);
}

/* What is to be found out besides the dates. */
static parcast_status begin_recording(struct schedule *s, const parcast_replay_options *options,
                                      parcast_error *error)
{
    if (!options) return PARCAST_OK;
    if (options->critical_path && s->engine.parameters.compat)
        return parcast_error_set(
            error, PARCAST_INVALID, NULL, 0,
            "a critical path is not defined where operations begin before what they require");
    if (options->timeline && s->goal->n_cpus > 1)
        return parcast_error_set(error, PARCAST_UNSUPPORTED, s->goal->source, 0,
                                 "a timeline shows one CPU per rank, and there are %d", s->goal->n_cpus);
    parcast_status status = recorder_create(&s->recorder, s->n_ranks, NULL, options, error);
    if (status) return status;
    s->records = options->timeline || options->matrix || options->observer;
    if (s->flow || !s->engine.hosts) return PARCAST_OK; /* the flow model is told when it is made */
    if (options->timeline) s->engine.client.received = on_received;
    const struct chain_layout *chains = recorder_layout(&s->recorder);
    if (!chains || loggops_follow(&s->engine, chains)) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a critical path");
}

/* The program, without a network yet. */
static parcast_status open_program(struct schedule *s, const parcast_goal *goal, parcast_error *error)
{
    *s = (struct schedule){
        .goal = goal, .n_ranks = (uint32_t)goal->n_ranks, .nodes = pool_of(sizeof(struct schedule_node))};
    if (!goal->finished)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the program is not finished");
    for (unsigned i = 0; i < DEPENDENT_CLASSES; i++) s->dependents[i] = pool_of(sizeof(int64_t) << i);
    s->ranks = lines_allocate(s->n_ranks, sizeof *s->ranks);
    if (!s->ranks) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    memset(s->ranks, 0, s->n_ranks * sizeof *s->ranks);
    uint32_t window = READ_AHEAD_BYTES / s->n_ranks;
    if (window < LEAST_WINDOW) window = LEAST_WINDOW;
    if (window > MOST_WINDOW) window = MOST_WINDOW;
    for (uint32_t r = 0; r < s->n_ranks; r++) goal_cursor_open(&s->ranks[r].cursor, goal, (int)r, window);
    return PARCAST_OK;
}

static parcast_status unreadable(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_IO, NULL, 0, "a program cannot be read back, or memory is short");
}

static parcast_status run(struct schedule *s, parcast_error *error)
{
    for (uint32_t r = 0; r < s->n_ranks; r++) {
        uint64_t n_first = s->goal->ranks[r].n_first;
        if (n_first && !read_until(s, r, n_first - 1)) return unreadable(error);
        if (s->flow)
            schedule_flow_settle(s);
        else
            on_settle(s);
    }
    parcast_status status = s->flow ? s->flow->transport->methods->run(s->flow->transport, error)
                                    : loggops_run(&s->engine, error);
    if (s->recorded) return s->recorded;
    if (s->unreadable) return unreadable(error);
    if (!status && s->engine.failed)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for operations");
    if (!status) status = schedule_check_end(s, error);
    return status;
}

static const int64_t *end_chain(const struct schedule *s, uint32_t rank)
{
    if (!recorder_layout(&s->recorder)) return NULL;
    return s->flow ? s->flow->transport->methods->chain(s->flow->transport, rank)
                   : loggops_end_chain(&s->engine, rank);
}

static parcast_status collect_records(struct schedule *s, parcast_replay_result *result)
{
    if (!s->recorder.options) return PARCAST_OK;
    for (uint32_t i = 0; i < s->n_ranks; i++) {
        const struct rank_figures figures = {.now_ps = result->ranks[i].end_ps};
        parcast_status status = recorder_end(&s->recorder, i, &figures, end_chain(s, i));
        if (status) return status;
    }
    return recorder_collect(&s->recorder, NULL, NULL, result);
}

static void collect_ranks(const struct schedule *s, parcast_replay_result *r)
{
    for (uint32_t i = 0; i < s->n_ranks; i++) {
        int64_t end_ps = s->flow ? s->flow->ranks[i].end_ps : loggops_end(&s->engine, i);
        int64_t waiting_ps = s->flow ? s->flow->ranks[i].waiting_ps : loggops_waiting(&s->engine, i);
        replay_result_set(r, (int)i, end_ps, s->ranks[i].compute_ps, waiting_ps);
    }
    r->most_open = s->most_open;
    if (s->flow) {
        s->flow->transport->methods->count(s->flow->transport, r);
    } else {
        r->n_messages = s->engine.n_messages;
        r->n_events = s->engine.n_events;
        r->most_in_flight = s->engine.most_in_flight;
    }
}

static parcast_status collect(struct schedule *s, parcast_replay_result **result, parcast_error *error)
{
    parcast_replay_result *r = replay_result_create((int)s->n_ranks);
    if (!r) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a result");
    collect_ranks(s, r);
    parcast_status status = collect_records(s, r);
    if (status)
        parcast_replay_result_destroy(&r);
    else
        *result = r;
    return status;
}

/* With everything set up, or not: status says. */
static parcast_status finish(struct schedule *s, parcast_status status, double begin_s,
                             parcast_replay_result **result, parcast_error *error)
{
    if (!status) status = run(s, error);
    if (!status) status = collect(s, result, error);
    destroy(s);
    if (!status) replay_result_close(*result, begin_s);
    return status;
}

parcast_status parcast_replay_goal_with(const parcast_goal *goal, const parcast_loggops *loggops,
                                        const parcast_replay_options *options, parcast_replay_result **result,
                                        parcast_error *error)
{
    struct loggops_parameters parameters;
    struct schedule s;
    const struct loggops_client client = {
        .state = &s, .started = on_started, .done = on_done, .settle = on_settle, .foresee = on_foresee};
    double begin_s = replay_wall();
    parcast_status status = open_program(&s, goal, error);
    if (!status) status = replay_loggops(loggops, &parameters, error);
    if (!status)
        status = loggops_create(&s.engine, &parameters, s.n_ranks, (uint32_t)goal->n_cpus,
                                (uint32_t)goal->n_nics, &client, error);
    if (!status) status = begin_recording(&s, options, error);
    return finish(&s, status, begin_s, result, error);
}

parcast_status parcast_replay_goal(const parcast_goal *goal, const parcast_loggops *loggops,
                                   parcast_replay_result **result, parcast_error *error)
{
    return parcast_replay_goal_with(goal, loggops, NULL, result, error);
}

parcast_status parcast_replay_goal_on(const parcast_goal *goal, const parcast_platform *platform,
                                      const int *rank_node, const parcast_replay_options *options,
                                      parcast_replay_result **result, parcast_error *error)
{
    static const parcast_replay_options usual = {0};
    struct schedule s;
    double begin_s = replay_wall();
    if (!options) options = &usual;
    parcast_status status = open_program(&s, goal, error);
    if (!status) status = begin_recording(&s, options, error);
    if (!status) status = schedule_flow_create(&s, platform, rank_node, options, error);
    return finish(&s, status, begin_s, result, error);
}
