/* Replays of traces of parcast's own format. A message of b bytes takes 2 ms + b us between nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "few.h"
#include "parcast/ti.h"
#include "parcast/trace_text.h"
#include "trace_maker.h"

static double message_s(double bytes)
{
    return 2e-3 + bytes * 1e-6;
}

static void send(int32_t rank, int32_t peer, int64_t bytes)
{
    parcast_trace_event event = maker_message(PARCAST_TRACE_SEND, peer, 0, bytes);
    maker_put(rank, &event);
}

static void receive(int32_t rank, int32_t peer, int64_t bytes)
{
    parcast_trace_event event = maker_message(PARCAST_TRACE_RECV, peer, 0, bytes);
    maker_put(rank, &event);
}

static void compute(int32_t rank, double compute_s)
{
    parcast_trace_event event = maker_event(PARCAST_TRACE_FINALIZE, compute_s);
    maker_put(rank, &event);
}

/* WAIT, WAITALL, ... for these requests; completed: -1 all, otherwise the position of the only one. */
static void wait_for(int32_t rank, parcast_trace_op op, const int64_t *requests, size_t n, int64_t completed)
{
    parcast_trace_event event = maker_event(op, 0);
    event.requests = requests;
    event.n_requests = n;
    event.flag = true;
    if (completed >= 0) {
        event.completed = &completed;
        event.n_completed = 1;
    }
    maker_put(rank, &event);
}

static void begin(int32_t rank, parcast_trace_op op, int32_t peer, int64_t bytes, int32_t request)
{
    parcast_trace_event event = maker_message(op, peer, 0, bytes);
    event.start = PARCAST_TRACE_NONBLOCKING;
    event.request = request;
    if (peer == PARCAST_TRACE_ANY) event.matched_peer = PARCAST_TRACE_ANY; /* nothing ever came */
    maker_put(rank, &event);
}

static void computing_and_messages_take_their_time(void **state)
{
    (void)state;
    maker_begin(2, NULL, 0);
    compute(0, 1.5);
    send(0, 1, 1000);
    receive(1, 0, 1000);
    compute(1, 0.25);
    const double ends[] = {1.5, 1.5 + message_s(1000) + 0.25};
    maker_expect_ends(maker_finish(), ends, 2);
}

static void computing_is_scaled_from_the_recorded_node_to_the_other(void **state)
{
    static const char *const nodes[] = {"slow", "fast"};
    const parcast_trace_rank ranks[] = {{.node = 0, .unit_s = 1}, {.node = 1, .unit_s = 1}};
    const parcast_trace_meta about = {.n_ranks = 2, .ranks = ranks, .nodes = nodes, .n_nodes = 2};
    const double speeds[] = {0.5, 2};
    parcast_replay_result *result = NULL;
    (void)state;
    maker_begin_about(&about);
    compute(0, 4);
    compute(1, 4);
    assert_int_equal(maker_replay(maker_finish(), speeds, 2, &result, NULL), PARCAST_OK);
    assert_float_equal(result->ranks[0].compute_s, 2, 1e-12);
    assert_float_equal(result->ranks[1].compute_s, 8, 1e-12);
    parcast_replay_result_destroy(&result);
}

static void peers_are_ranks_of_the_communicator(void **state)
{
    static const int32_t world[] = {0, 1, 2, 3}, self[] = {-1}, back[] = {3, 1};
    static const parcast_trace_comm comms[] = {
        {.n_ranks = 4, .ranks = world}, {.n_ranks = 1, .ranks = self}, {.n_ranks = 2, .ranks = back}};
    (void)state;
    maker_begin(4, comms, 3);
    parcast_trace_event event = maker_message(PARCAST_TRACE_SEND, 1, 0, 500);
    event.comm = 2;
    maker_put(3, &event);
    event.op = PARCAST_TRACE_RECV;
    event.peer = 0;
    maker_put(1, &event);
    event = maker_event(PARCAST_TRACE_BCAST, 0);
    event.comm = 2;
    event.root = 1;
    event.bytes = 500;
    maker_put(3, &event);
    maker_put(1, &event);
    event = maker_event(PARCAST_TRACE_ALLREDUCE, 0.5); /* of a rank alone: nothing to wait for */
    event.comm = PARCAST_TRACE_SELF;
    event.bytes = 8;
    maker_put(0, &event);
    const double ends[] = {0.5, message_s(500), 0, 2 * message_s(500)};
    maker_expect_ends(maker_finish(), ends, 4);
}

static void receives_from_any_take_what_came_when_it_was_recorded(void **state)
{
    (void)state;
    maker_begin(3, NULL, 0);
    for (int32_t source = 2; source > 0; source--) {
        parcast_trace_event event =
            maker_message(PARCAST_TRACE_RECV, PARCAST_TRACE_ANY, PARCAST_TRACE_ANY, 50);
        event.matched_peer = source;
        event.matched_tag = 7;
        maker_put(0, &event);
    }
    for (int32_t source = 1; source < 3; source++) {
        parcast_trace_event event = maker_message(PARCAST_TRACE_SEND, 0, 7, 50);
        event.compute = source; /* rank 2 sends later: rank 0 waits for it first */
        maker_put(source, &event);
    }
    const double ends[] = {2 + message_s(50), 1, 2};
    maker_expect_ends(maker_finish(), ends, 3);
}

static void waits_for_any_wait_for_what_they_completed_then(void **state)
{
    const int64_t both[] = {0, 1}, first[] = {0};
    (void)state;
    maker_begin(3, NULL, 0);
    begin(0, PARCAST_TRACE_RECV, 1, 50, 0);
    begin(0, PARCAST_TRACE_RECV, 2, 50, 1);
    wait_for(0, PARCAST_TRACE_WAITANY, both, 2, 1);
    send(0, 1, 50); /* only now */
    wait_for(0, PARCAST_TRACE_TEST, first, 1, -1);
    receive(1, 0, 50);
    send(1, 0, 50);
    compute(2, 1);
    send(2, 0, 50);
    const double m = message_s(50), ends[] = {1 + 3 * m, 1 + 2 * m, 1};
    maker_expect_ends(maker_finish(), ends, 3);
}

static void persistent_requests_begin_at_each_start(void **state)
{
    const int64_t request[] = {5};
    (void)state;
    maker_begin(2, NULL, 0);
    for (int32_t rank = 0; rank < 2; rank++) {
        parcast_trace_event event = maker_message(rank ? PARCAST_TRACE_RECV : PARCAST_TRACE_SEND,
                                                  rank ? PARCAST_TRACE_ANY : 1, 3, 20000);
        event.start = PARCAST_TRACE_PERSISTENT;
        event.request = 5;
        maker_put(rank, &event);
        for (int round = 0; round < 3; round++) {
            parcast_trace_event started = maker_event(PARCAST_TRACE_START, 0.5);
            started.request = 5;
            if (rank) started.matched_tag = 3;
            maker_put(rank, &started);
            wait_for(rank, PARCAST_TRACE_WAITALL, request, 1, -1);
        }
        parcast_trace_event freed = maker_event(PARCAST_TRACE_REQUEST_FREE, 0);
        freed.request = 5;
        maker_put(rank, &freed);
    }
    const double ends[] = {3 * (0.5 + message_s(20000)), 3 * (0.5 + message_s(20000))};
    maker_expect_ends(maker_finish(), ends, 2);
}

static void messages_to_nobody_are_nothing(void **state)
{
    const int64_t request[] = {0};
    (void)state;
    maker_begin(1, NULL, 0);
    send(0, PARCAST_TRACE_PROC_NULL, 0);
    begin(0, PARCAST_TRACE_RECV, PARCAST_TRACE_PROC_NULL, 0, 0);
    wait_for(0, PARCAST_TRACE_WAIT, request, 1, -1);
    parcast_trace_event event = maker_message(PARCAST_TRACE_SENDRECV, PARCAST_TRACE_PROC_NULL, 0, 0);
    event.source = PARCAST_TRACE_PROC_NULL;
    maker_put(0, &event);
    const double ends[] = {0};
    maker_expect_ends(maker_finish(), ends, 1);
}

/* Text that is read as such, and the trace that it is converted to, are replayed alike. */
static void expect_same_as_text(const char *text)
{
    char path[] = "/tmp/parcast-text-XXXXXX";
    parcast_ti *ti = NULL;
    parcast_trace *trace = NULL;
    parcast_replay_result *wanted = NULL, *result = NULL;
    parcast_error error = {0};
    parcast_platform *platform = maker_platform();
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && close(file) == 0);
    if (parcast_ti_load(path, &ti, &error)) fail_msg("%s", error.text);
    parcast_operation_source source = parcast_ti_source(ti);
    if (parcast_replay_run(&source, platform, NULL, NULL, NULL, &wanted, &error)) fail_msg("%s", error.text);
    if (parcast_trace_open_any(path, PARCAST_TRACE_WHOLE, &trace, NULL, &error)) fail_msg("%s", error.text);
    if (maker_replay(trace, NULL, 0, &result, &error)) fail_msg("%s", error.text);
    for (int r = 0; r < wanted->n_ranks; r++)
        assert_int_equal(result->ranks[r].end_ps, wanted->ranks[r].end_ps);
    parcast_replay_result_destroy(&wanted);
    parcast_replay_result_destroy(&result);
    parcast_ti_destroy(&ti);
    parcast_platform_destroy(&platform);
    unlink(path);
}

static void converted_text_is_replayed_like_the_text(void **state)
{
    (void)state;
    expect_same_as_text("0 compute 1e6\n0 isend 1 4 5000\n0 irecv 1 4 700\n0 waitall\n"
                        "1 irecv 0 4 5000\n1 isend 0 4 700\n1 wait 1 0 4\n1 compute 3e5\n1 wait 0 1 4\n");
    expect_same_as_text(
        "0 init x\n1 init x\n2 init x\n0 allreduce 100 1000\n1 allreduce 100 1000\n2 allreduce 100 1000\n"
        "0 reducescatter 2 3 4 10\n1 reducescatter 2 3 4 10\n2 reducescatter 2 3 4 10\n"
        "0 gatherv 5 1 5 6 0\n1 gatherv 5 1 5 6 0\n2 gatherv 6 1 5 6 0\n0 bcast 9\n1 bcast 9\n2 bcast 9\n");
    expect_same_as_text(
        "0 sendRecv 100 1 200 1\n1 sendRecv 200 0 100 0\n0 alltoallv 8 1 7 5 2 3\n1 alltoallv 9 2 3 7 7 3\n"
        "0 sleep 2\n1 recv -555 -444 10\n0 send 1 9 10\n");
}

/* -------- what does not block -------- */

static void collective(int32_t rank, parcast_trace_op op, int64_t bytes, int32_t request)
{
    parcast_trace_event event = maker_event(op, 0);
    event.bytes = bytes;
    event.request = request;
    if (request >= 0) event.start = PARCAST_TRACE_NONBLOCKING;
    maker_put(rank, &event);
}

/* Two rounds; the second begins when the rank is in a call after the end of the first. */
static void collectives_go_on_while_their_rank_is_in_a_call(void **state)
{
    const int64_t request[] = {0};
    (void)state;
    for (int tests = 0; tests < 2; tests++) {
        maker_begin(4, NULL, 0);
        for (int32_t rank = 0; rank < 4; rank++) {
            collective(rank, PARCAST_TRACE_ALLREDUCE, 8, 0);
            parcast_trace_event test = maker_event(PARCAST_TRACE_TEST, 0.5);
            test.requests = request;
            test.n_requests = 1;
            if (tests) maker_put(rank, &test);
            parcast_trace_event wait = maker_event(PARCAST_TRACE_WAIT, tests ? 0.5 : 1);
            wait.requests = request;
            wait.n_requests = 1;
            maker_put(rank, &wait);
        }
        const double end = tests ? 1 : 1 + message_s(8), ends[] = {end, end, end, end};
        maker_expect_ends(maker_finish(), ends, 4);
    }
}

static void collectives_under_way_together_do_not_mix(void **state)
{
    const int64_t both[] = {0, 1};
    (void)state;
    maker_begin(4, NULL, 0);
    for (int32_t rank = 0; rank < 4; rank++) {
        collective(rank, PARCAST_TRACE_ALLREDUCE, 8, 0);
        collective(rank, PARCAST_TRACE_ALLREDUCE, 4, 1);
        collective(rank, PARCAST_TRACE_BARRIER, 0, -1);
        if (rank % 2) wait_for(rank, PARCAST_TRACE_WAIT, both + 1, 1, -1);
        wait_for(rank, PARCAST_TRACE_WAITALL, both, rank % 2 ? 1 : 2, -1);
    }
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (maker_replay(maker_finish(), NULL, 0, &result, &error)) fail_msg("%s", error.text);
    assert_int_equal(result->n_messages, 3 * 4 * 2);
    parcast_replay_result_destroy(&result);
}

static void persistent_collectives_begin_at_each_start(void **state)
{
    const int64_t request[] = {0}, counts[] = {30, 20};
    (void)state;
    maker_begin(2, NULL, 0);
    for (int32_t rank = 0; rank < 2; rank++) {
        parcast_trace_event event = maker_event(PARCAST_TRACE_ALLGATHERV, 0);
        event.start = PARCAST_TRACE_PERSISTENT;
        event.request = 0;
        event.bytes = counts[rank];
        event.recv_counts = counts;
        event.n_recv_counts = 2;
        maker_put(rank, &event);
        for (int round = 0; round < 2; round++) {
            parcast_trace_event start = maker_event(PARCAST_TRACE_START, 0);
            start.request = 0;
            maker_put(rank, &start);
            wait_for(rank, PARCAST_TRACE_WAIT, request, 1, -1);
        }
    }
    const double first = message_s(30), ends[] = {2 * first, 2 * first}; /* the larger block decides */
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (maker_replay(maker_finish(), NULL, 0, &result, &error)) fail_msg("%s", error.text);
    assert_int_equal(result->n_messages, 4);
    for (int r = 0; r < 2; r++) assert_float_equal(result->ranks[r].end_s, ends[r], 3e-5);
    parcast_replay_result_destroy(&result);
}

static void a_freed_request_ends_by_itself(void **state)
{
    const int64_t request[] = {0};
    (void)state;
    maker_begin(2, NULL, 0);
    begin(0, PARCAST_TRACE_SEND, 1, 20000, 0);
    parcast_trace_event event = maker_event(PARCAST_TRACE_REQUEST_FREE, 0);
    event.request = 0;
    maker_put(0, &event);
    begin(0, PARCAST_TRACE_SEND, 1, 50, 0);
    wait_for(0, PARCAST_TRACE_WAIT, request, 1, -1);
    compute(1, 1);
    receive(1, 0, 20000);
    receive(1, 0, 50);
    const double end = 1 + message_s(20000), ends[] = {end, end};
    maker_expect_ends(maker_finish(), ends, 2);
}

static void synchronous_senders_wait_for_their_receive(void **state)
{
    (void)state;
    for (int mode = PARCAST_TRACE_STANDARD; mode <= PARCAST_TRACE_BUFFERED; mode++) {
        int64_t bytes = mode == PARCAST_TRACE_BUFFERED ? 20000 : 50;
        maker_begin(2, NULL, 0);
        parcast_trace_event event = maker_message(PARCAST_TRACE_SEND, 1, 0, bytes);
        event.mode = (parcast_trace_send_mode)mode;
        maker_put(0, &event);
        compute(1, 1);
        receive(1, 0, bytes);
        const double ends[] = {mode == PARCAST_TRACE_SYNCHRONOUS,
                               mode == PARCAST_TRACE_BUFFERED ? 1 + message_s(20000) : 1};
        maker_expect_ends(maker_finish(), ends, 2);
    }
}

static void cancelled_receives_take_no_message(void **state)
{
    const int64_t request[] = {0};
    (void)state;
    maker_begin(2, NULL, 0);
    begin(0, PARCAST_TRACE_RECV, 1, 50, 0);
    parcast_trace_event event = maker_event(PARCAST_TRACE_CANCEL, 0);
    event.request = 0;
    maker_put(0, &event);
    wait_for(0, PARCAST_TRACE_WAIT, request, 1, -1);
    receive(0, 1, 50);
    begin(0, PARCAST_TRACE_RECV, PARCAST_TRACE_ANY, 50, 0); /* nothing ever comes, and nobody waits */
    compute(1, 1);
    send(1, 0, 50);
    const double ends[] = {1 + message_s(50), 1};
    maker_expect_ends(maker_finish(), ends, 2);
}

/* -------- probes -------- */

/* What lies between the probe and the receive comes after the message, of a large one after its envelope. */
static void probes_wait_for_the_message(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        int64_t bytes = large ? 20000 : 50;
        maker_begin(2, NULL, 0);
        compute(0, 1);
        send(0, 1, bytes);
        parcast_trace_event missed = maker_message(PARCAST_TRACE_IPROBE, 0, 0, 0);
        maker_put(1, &missed);
        parcast_trace_event probe =
            maker_message(PARCAST_TRACE_PROBE, PARCAST_TRACE_ANY, PARCAST_TRACE_ANY, bytes);
        maker_put(1, &probe);
        parcast_trace_event receive_it = maker_message(PARCAST_TRACE_RECV, 0, 0, bytes);
        receive_it.compute = 0.5;
        maker_put(1, &receive_it);
        const double end = large ? 1.5 + message_s(20000) : 1 + message_s(50) + 0.5;
        const double ends[] = {large ? end : 1, end};
        maker_expect_ends(maker_finish(), ends, 2);
    }
}

static void probes_wait_on_loggops_too(void **state)
{
    static const parcast_loggops loggops = {.L_s = 1e-3, .o_s = 1e-4, .g_s = 1e-4, .S_bytes = 1000};
    parcast_trace_operations *operations = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    maker_begin(2, NULL, 0);
    compute(0, 1);
    send(0, 1, 50);
    parcast_trace_event probe = maker_message(PARCAST_TRACE_PROBE, 0, 0, 50);
    maker_put(1, &probe);
    receive(1, 0, 50);
    compute(1, 0.5);
    parcast_trace *trace = maker_finish();
    assert_int_equal(parcast_trace_operations_create(trace, NULL, 0, &operations, &error), PARCAST_OK);
    parcast_operation_source source = parcast_trace_operations_source(operations);
    if (parcast_replay_run(&source, NULL, NULL, &loggops, NULL, &result, &error)) fail_msg("%s", error.text);
    assert_float_equal(result->ranks[1].end_s, 1 + 1e-4 + 1e-3 + 1e-4 + 0.5, 1e-9);
    parcast_replay_result_destroy(&result);
    parcast_trace_operations_destroy(&operations);
    parcast_trace_close(&trace);
}

/* -------- neighbours and communicators -------- */

static void neighbours_exchange_all_at_once(void **state)
{
    static const int32_t world[] = {0, 1, 2}, self[] = {-1};
    static const parcast_trace_comm comms[] = {
        {.n_ranks = 3, .ranks = world}, {.n_ranks = 1, .ranks = self}, {.n_ranks = 3, .ranks = world}};
    const int64_t request[] = {0};
    (void)state;
    maker_begin(3, comms, 3);
    for (int32_t rank = 0; rank < 3; rank++) {
        const int64_t around[] = {(rank + 2) % 3, (rank + 1) % 3};
        parcast_trace_event event = maker_event(PARCAST_TRACE_COMM_CREATE, 0);
        event.comm = PARCAST_TRACE_SELF; /* nothing to agree on */
        event.new_comm = 2;
        event.sources = event.destinations = around;
        event.n_sources = event.n_destinations = 2;
        maker_put(rank, &event);
        event = maker_event(PARCAST_TRACE_NEIGHBOR_ALLTOALL, 0);
        event.comm = 2;
        event.bytes = 50;
        maker_put(rank, &event);
        event = maker_event(PARCAST_TRACE_NEIGHBOR_ALLGATHER, 0);
        event.comm = 2;
        event.bytes = 50;
        event.start = PARCAST_TRACE_NONBLOCKING;
        event.request = 0;
        maker_put(rank, &event);
        parcast_trace_event wait = maker_event(PARCAST_TRACE_WAIT, 1);
        wait.requests = request;
        wait.n_requests = 1;
        maker_put(rank, &wait);
    }
    const double end = 1 + 2e-3 + 2 * 50e-6, ends[] = {end, end, end}; /* two messages share each link */
    maker_expect_ends(maker_finish(), ends, 3);
}

static void some_communicators_are_made_by_their_members_alone(void **state)
{
    static const int32_t world[] = {0, 1, 2}, self[] = {-1}, odd[] = {0, 2};
    static const parcast_trace_comm comms[] = {
        {.n_ranks = 3, .ranks = world}, {.n_ranks = 1, .ranks = self}, {.n_ranks = 2, .ranks = odd}};
    static const char *const functions[] = {"MPI_Comm_create_group", "MPI_Comm_dup"};
    const parcast_trace_meta about = {
        .n_ranks = 3, .comms = comms, .n_comms = 3, .functions = functions, .n_functions = 2};
    (void)state;
    maker_begin_about(&about);
    for (int32_t rank = 0; rank < 3; rank += 2) {
        parcast_trace_event event = maker_event(PARCAST_TRACE_COMM_CREATE, rank);
        event.function = 0;
        event.new_comm = 2;
        maker_put(rank, &event);
    }
    const double end = 2 + 2 * message_s(128), ends[] = {end, 0, end}; /* halves there and back */
    maker_expect_ends(maker_finish(), ends, 3);
}

/* Two groups of two. An agreement: reduce in each (or nothing), first ranks, broadcast in each. */
static void groups_agree_over_their_first_ranks(void **state)
{
    static const int32_t world[] = {0, 1, 2, 3}, self[] = {-1}, low[] = {0, 1}, high[] = {2, 3};
    static const parcast_trace_comm comms[] = {
        {.n_ranks = 4, .ranks = world},
        {.n_ranks = 1, .ranks = self},
        {.inter = true, .n_ranks = 2, .ranks = low, .n_remote = 2, .remote_ranks = high}};
    (void)state;
    static const parcast_trace_op ops[] = {PARCAST_TRACE_ALLREDUCE, PARCAST_TRACE_BCAST,
                                           PARCAST_TRACE_ALLTOALL, PARCAST_TRACE_GATHER};
    const double m = message_s(50), two = 2e-3 + 2 * 50e-6; /* two messages share a link */
    const double ends[][4] = {{3 * m, 3 * m, 3 * m, 3 * m}, /* the one that sends last goes on at once */
                              {0, 0, m, 2 * m},
                              {two, two, two, two},
                              {0, two, 0, 0}};
    for (int i = 0; i < 4; i++) {
        maker_begin(4, comms, 3);
        for (int32_t rank = 0; rank < 4; rank++) {
            parcast_trace_event event = maker_event(ops[i], 0);
            event.comm = 2;
            event.bytes = 50;
            event.root = rank >= 2 ? 1 : rank == 1 ? PARCAST_TRACE_ROOT : PARCAST_TRACE_PROC_NULL;
            maker_put(rank, &event);
        }
        parcast_replay_result *result = NULL;
        parcast_error error = {0};
        if (maker_replay(maker_finish(), NULL, 0, &result, &error)) fail_msg("%s", error.text);
        for (int r = 0; r < 4; r++)
            if (i > 0 || r % 2) assert_float_equal(result->ranks[r].end_s, ends[i][r], 1e-9);
        parcast_replay_result_destroy(&result);
    }
}

/* -------- what cannot be -------- */

static void a_deadlock_names_ranks_and_events(void **state)
{
    (void)state;
    maker_begin(2, NULL, 0);
    compute(0, 1);
    receive(0, 1, 10);
    receive(1, 0, 10);
    maker_expect_failure(maker_finish(), PARCAST_DATA,
                         "rank 0 waits in recv (event 1) for a message from rank 1");
}

static void a_deadlock_in_collectives_and_waits_says_for_whom(void **state)
{
    const int64_t both[] = {0, 1};
    (void)state;
    maker_begin(3, NULL, 0);
    collective(0, PARCAST_TRACE_BARRIER, 0, -1);
    collective(1, PARCAST_TRACE_BARRIER, 0, -1);
    begin(2, PARCAST_TRACE_RECV, 0, 8, 0);
    begin(2, PARCAST_TRACE_RECV, 1, 8, 1);
    wait_for(2, PARCAST_TRACE_WAITALL, both, 2, -1);
    maker_expect_failure(maker_finish(), PARCAST_DATA,
                         "rank 2 waits in wait (event 2) for a message from rank 0");
    maker_begin(2, NULL, 0);
    collective(0, PARCAST_TRACE_ALLREDUCE, 8, 0);
    wait_for(0, PARCAST_TRACE_WAIT, both, 1, -1);
    parcast_trace_event probe = maker_message(PARCAST_TRACE_PROBE, 0, 0, 8);
    maker_put(1, &probe);
    maker_expect_failure(
        maker_finish(), PARCAST_DATA,
        "rank 0 waits in wait (event 1) for a message from rank 1; rank 1 waits in probe (event 0) "
        "for a message from rank 0");
}

static void collectives_that_do_not_fit_name_ranks_events_and_cause(void **state)
{
    static const int32_t world[] = {0, 1, 2}, self[] = {-1}, two[] = {2, 0};
    static const parcast_trace_comm comms[] = {
        {.n_ranks = 3, .ranks = world}, {.n_ranks = 1, .ranks = self}, {.n_ranks = 2, .ranks = two}};
    const int64_t first = 0;
    (void)state;
    maker_begin(2, NULL, 0);
    collective(0, PARCAST_TRACE_ALLREDUCE, 8, -1);
    collective(1, PARCAST_TRACE_BARRIER, 0, -1);
    maker_expect_failure(maker_finish(), PARCAST_DATA,
                         "rank 1, event 0, barrier: in its place rank 0 (event 0) calls allreduce");
    maker_begin(2, NULL, 0);
    collective(0, PARCAST_TRACE_ALLREDUCE, 8, 0);
    wait_for(0, PARCAST_TRACE_WAIT, &first, 1, -1);
    collective(1, PARCAST_TRACE_ALLREDUCE, 8, -1);
    maker_expect_failure(maker_finish(), PARCAST_DATA,
                         "allreduce: in its place rank 0 (event 0) calls the one that does not block");
    maker_begin(3, comms, 3);
    collective(1, PARCAST_TRACE_BARRIER, 0, -1); /* of another communicator */
    for (int i = 0; i < 2; i++) {
        parcast_trace_event event = maker_event(i ? PARCAST_TRACE_REDUCE : PARCAST_TRACE_BCAST, 0);
        event.comm = 2;
        event.bytes = 8;
        maker_put(i ? 2 : 0, &event);
    }
    maker_expect_failure(maker_finish(), PARCAST_DATA,
                         "rank 2, event 0, reduce: in its place rank 0 (event 0) calls bcast");
}

/* As far as the events go: rank 0 waits for what rank 1 would have sent. */
static void a_trace_that_lost_a_rank_is_replayed_up_to_there_when_asked(void **state)
{
    const parcast_trace_rank ranks[] = {{.unit_s = 1}, {.unit_s = 1, .end = PARCAST_TRACE_LOST}};
    const parcast_trace_meta about = {.n_ranks = 2, .ranks = ranks};
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    maker_begin_about(&about);
    compute(0, 1);
    receive(0, 1, 50);
    compute(0, 7);
    receive(0, 1, 50);
    send(1, 0, 50);
    compute(1, 2);
    if (maker_replay(maker_finish_cut(), NULL, 0, &result, &error)) fail_msg("%s", error.text);
    assert_int_equal(result->n_stopped, 1);
    assert_float_equal(result->ranks[0].end_s, 8, 1e-9);
    assert_float_equal(result->ranks[1].end_s, 2, 1e-9);
    parcast_replay_result_destroy(&result);
}

static void one_sided_communication_is_refused(void **state)
{
    static const char *const functions[] = {"MPI_Put", "MPI_Win_fence"};
    const parcast_trace_meta about = {.n_ranks = 1, .functions = functions, .n_functions = 2};
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        maker_begin_about(&about);
        compute(0, 1);
        parcast_trace_event event = maker_event(i ? PARCAST_TRACE_OTHER : PARCAST_TRACE_RMA, 0);
        event.function = i;
        maker_put(0, &event);
        maker_expect_failure(maker_finish(), PARCAST_UNSUPPORTED,
                             i ? "rank 0, event 1, MPI_Win_fence: one-sided"
                               : "rank 0, event 1, MPI_Put: one-sided");
    }
}

static void calls_of_other_threads_are_refused(void **state)
{
    (void)state;
    maker_begin(1, NULL, 0);
    parcast_trace_event event = maker_event(PARCAST_TRACE_BARRIER, 0);
    event.thread = 2;
    maker_put(0, &event);
    maker_expect_failure(maker_finish(), PARCAST_UNSUPPORTED, "rank 0, event 0, barrier: called by thread 2");
}

static void other_worlds_are_refused(void **state)
{
    static const int32_t world[] = {0}, self[] = {-1}, unknown[] = {-1, -1};
    static const parcast_trace_comm comms[] = {{.n_ranks = 1, .ranks = world},
                                               {.n_ranks = 1, .ranks = self},
                                               {.inter = true,
                                                .other_world = true,
                                                .n_ranks = 1,
                                                .ranks = world,
                                                .n_remote = 2,
                                                .remote_ranks = unknown}};
    (void)state;
    maker_begin(1, comms, 3);
    parcast_trace_event event = maker_message(PARCAST_TRACE_SEND, 1, 0, 8);
    event.comm = 2;
    maker_put(0, &event);
    maker_expect_failure(maker_finish(), PARCAST_UNSUPPORTED,
                         "rank 0, event 0, send: its partners are in a world");
}

static void contradictions_are_named(void **state)
{
    const int64_t request[] = {3};
    (void)state;
    maker_begin(1, NULL, 0);
    wait_for(0, PARCAST_TRACE_WAIT, request, 1, -1);
    maker_expect_failure(maker_finish(), PARCAST_DATA, "rank 0, event 0, wait: request 3 is not open");
    maker_begin(2, NULL, 0);
    begin(0, PARCAST_TRACE_RECV, 1, 8, 0);
    begin(0, PARCAST_TRACE_RECV, 1, 8, 0);
    maker_expect_failure(maker_finish(), PARCAST_DATA,
                         "rank 0, event 1, recv: its request 0 is open already");
    maker_begin(2, NULL, 0);
    send(0, 2, 8);
    maker_expect_failure(maker_finish(), PARCAST_DATA, "rank 0, event 0, send: no such rank");
    maker_begin(2, NULL, 0);
    parcast_trace_event event = maker_event(PARCAST_TRACE_ALLGATHERV, 0);
    event.recv_counts = request;
    event.n_recv_counts = 1;
    maker_put(1, &event);
    maker_expect_failure(maker_finish(), PARCAST_DATA, "rank 1, event 0, allgatherv: 1 counts");
}

static void a_rank_that_was_lost_is_named(void **state)
{
    const parcast_trace_rank ranks[] = {{.unit_s = 1}, {.unit_s = 1, .end = PARCAST_TRACE_LOST}};
    const parcast_trace_meta about = {.n_ranks = 2, .ranks = ranks};
    (void)state;
    maker_begin_about(&about);
    compute(0, 1);
    maker_expect_failure(maker_finish(), PARCAST_DATA, "rank 1 was killed");
}

/* -------- memory -------- */

static uint64_t peak_of_rounds(int n_rounds)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    maker_begin(2, NULL, 0);
    for (int round = 0; round < n_rounds; round++)
        for (int32_t rank = 0; rank < 2; rank++) {
            const int64_t request[] = {0};
            begin(rank, PARCAST_TRACE_RECV, 1 - rank, 8, 0);
            parcast_trace_event event = maker_message(PARCAST_TRACE_SEND, 1 - rank, 0, 8);
            event.compute = 1e-6 * (round % 100);
            maker_put(rank, &event);
            wait_for(rank, PARCAST_TRACE_WAIT, request, 1, -1);
        }
    if (maker_replay(maker_finish(), NULL, 0, &result, &error)) fail_msg("%s", error.text);
    assert_int_equal(result->n_messages, 2 * n_rounds);
    uint64_t peak = result->peak_memory_bytes;
    parcast_replay_result_destroy(&result);
    return peak;
}

static void memory_does_not_grow_with_the_length(void **state)
{
    enum { ROUNDS = 15000, MOST_BYTES = 1 << 20 }; /* three frames of each rank, then thirty */
    (void)state;
    if (few_or_all(1, 0)) skip(); /* only with many it shows */
#if defined(__SANITIZE_ADDRESS__)
    skip(); /* what is freed is kept for a while */
#endif
    uint64_t few = peak_of_rounds(ROUNDS), many = peak_of_rounds(10 * ROUNDS);
    assert_true(many - few < MOST_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computing_and_messages_take_their_time),
        cmocka_unit_test(computing_is_scaled_from_the_recorded_node_to_the_other),
        cmocka_unit_test(peers_are_ranks_of_the_communicator),
        cmocka_unit_test(receives_from_any_take_what_came_when_it_was_recorded),
        cmocka_unit_test(waits_for_any_wait_for_what_they_completed_then),
        cmocka_unit_test(persistent_requests_begin_at_each_start),
        cmocka_unit_test(messages_to_nobody_are_nothing),
        cmocka_unit_test(converted_text_is_replayed_like_the_text),
        cmocka_unit_test(collectives_go_on_while_their_rank_is_in_a_call),
        cmocka_unit_test(collectives_under_way_together_do_not_mix),
        cmocka_unit_test(persistent_collectives_begin_at_each_start),
        cmocka_unit_test(a_freed_request_ends_by_itself),
        cmocka_unit_test(synchronous_senders_wait_for_their_receive),
        cmocka_unit_test(cancelled_receives_take_no_message),
        cmocka_unit_test(probes_wait_for_the_message),
        cmocka_unit_test(probes_wait_on_loggops_too),
        cmocka_unit_test(neighbours_exchange_all_at_once),
        cmocka_unit_test(some_communicators_are_made_by_their_members_alone),
        cmocka_unit_test(groups_agree_over_their_first_ranks),
        cmocka_unit_test(a_deadlock_names_ranks_and_events),
        cmocka_unit_test(a_deadlock_in_collectives_and_waits_says_for_whom),
        cmocka_unit_test(collectives_that_do_not_fit_name_ranks_events_and_cause),
        cmocka_unit_test(a_trace_that_lost_a_rank_is_replayed_up_to_there_when_asked),
        cmocka_unit_test(one_sided_communication_is_refused),
        cmocka_unit_test(calls_of_other_threads_are_refused),
        cmocka_unit_test(other_worlds_are_refused),
        cmocka_unit_test(contradictions_are_named),
        cmocka_unit_test(a_rank_that_was_lost_is_named),
        cmocka_unit_test(memory_does_not_grow_with_the_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
