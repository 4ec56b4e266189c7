/* Time-independent text: what every action becomes, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parcast/trace_text.h"

static char folder[] = "/tmp/parcast-text-XXXXXX";
static char text_path[64], trace_path[64], again_path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(text_path, sizeof text_path, "%s/in.txt", folder);
    snprintf(trace_path, sizeof trace_path, "%s/trace", folder);
    snprintf(again_path, sizeof again_path, "%s/again.txt", folder);
    return 0;
}

static int remove_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command); /* NOLINT(cert-env33-c) */
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static parcast_trace *convert(const char *text)
{
    parcast_error error = {0};
    parcast_trace *trace = NULL;
    put(text_path, text);
    if (parcast_trace_from_ti(text_path, trace_path, NULL, &error))
        fail_msg("%s:%d: %s", error.source, error.line, error.text);
    if (parcast_trace_open(trace_path, PARCAST_TRACE_WHOLE, &trace, &error)) fail_msg("%s", error.text);
    return trace;
}

static parcast_trace_cursor *cursor_of(parcast_trace *trace, int32_t rank)
{
    parcast_trace_cursor *cursor = NULL;
    assert_int_equal(parcast_trace_cursor_open(trace, rank, &cursor, NULL), PARCAST_OK);
    return cursor;
}

static const parcast_trace_event *next(parcast_trace_cursor *cursor)
{
    const parcast_trace_event *event = NULL;
    assert_int_equal(parcast_trace_next(cursor, &event, NULL), PARCAST_OK);
    return event;
}

/* The event of one action of rank 0 of three; the cursor stays open. */
static const parcast_trace_event *action(const char *init, const char *line, parcast_trace **trace,
                                         parcast_trace_cursor **cursor)
{
    char text[512];
    snprintf(text, sizeof text, "0 init%s\n1 init%s\n2 init%s\n0 %s\n", init, init, init, line);
    *trace = convert(text);
    *cursor = cursor_of(*trace, 0);
    assert_int_equal(next(*cursor)->op, PARCAST_TRACE_INIT);
    const parcast_trace_event *event = next(*cursor);
    assert_non_null(event);
    return event;
}

struct expectation {
    const char *init, *line;
    parcast_trace_op op;
    int32_t peer, tag, root;
    int64_t bytes, count, recv_bytes;
    double amount; /* compute, call_s or flop */
};

static const struct expectation expectations[] = {
    {"", "compute 1e3", PARCAST_TRACE_COMPUTE, .amount = 1000},
    {"", "sleep 0.25", PARCAST_TRACE_SLEEP, .amount = 0.25},
    {"", "send 1 5 30000", PARCAST_TRACE_SEND, .peer = 1, .tag = 5, .bytes = 30000},
    {"", "send 1 5 100 0", PARCAST_TRACE_SEND, .peer = 1, .tag = 5, .bytes = 800},
    {" 1", "send 1 5 100", PARCAST_TRACE_SEND, .peer = 1, .tag = 5, .bytes = 800},
    {" 1", "send 1 5 100 6", PARCAST_TRACE_SEND, .peer = 1, .tag = 5, .bytes = 100},
    {"", "recv -555 -444 10", PARCAST_TRACE_RECV, .peer = PARCAST_TRACE_ANY, .tag = PARCAST_TRACE_ANY,
     .bytes = 10},
    {"", "recv 2 3 -1", PARCAST_TRACE_RECV, .peer = 2, .tag = 3, .bytes = -1},
    {"", "sendRecv 4000 1 50 2 6 0", PARCAST_TRACE_SENDRECV, .peer = 1, .bytes = 4000, .recv_bytes = 400},
    {"", "barrier", PARCAST_TRACE_BARRIER, .bytes = 0},
    {"", "bcast 1000 2 1", PARCAST_TRACE_BCAST, .root = 2, .bytes = 4000},
    {"", "reduce 50 7 2 0", PARCAST_TRACE_REDUCE, .root = 2, .bytes = 400, .count = 50, .amount = 7},
    {"", "allreduce 3000 5000", PARCAST_TRACE_ALLREDUCE, .bytes = 3000, .count = 3000, .amount = 5000},
    {"", "alltoall 20 20 0 0", PARCAST_TRACE_ALLTOALL, .bytes = 160},
    {"", "allgather 7 7", PARCAST_TRACE_ALLGATHER, .bytes = 7},
    {"", "gather 5 5 1", PARCAST_TRACE_GATHER, .root = 1, .bytes = 5},
    {"", "scatter 5 5 1 3 3", PARCAST_TRACE_SCATTER, .root = 1, .bytes = 10},
    {"", "gatherv 9 1 2 3 1", PARCAST_TRACE_GATHERV, .root = 1, .bytes = 9},
    {"", "scan 4 8", PARCAST_TRACE_SCAN, .bytes = 4, .count = 4, .amount = 8},
    {"", "exscan 4 8 4", PARCAST_TRACE_EXSCAN, .bytes = 32, .count = 4, .amount = 8},
};

static void every_action_becomes_its_event(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        const struct expectation *x = &expectations[i];
        parcast_trace *trace;
        parcast_trace_cursor *cursor;
        const parcast_trace_event *e = action(x->init, x->line, &trace, &cursor);
        double amount = e->op == PARCAST_TRACE_COMPUTE ? e->compute
                        : e->op == PARCAST_TRACE_SLEEP ? e->call_s
                                                       : e->flop;
        if (e->op != x->op || e->peer != x->peer || e->tag != x->tag || e->root != x->root ||
            e->bytes != x->bytes || e->count != x->count || e->recv_bytes != x->recv_bytes ||
            amount != x->amount)
            fail_msg("'%s' became another event", x->line);
        parcast_trace_cursor_close(&cursor);
        parcast_trace_close(&trace);
    }
}

static void assert_numbers(const int64_t *numbers, size_t n, int64_t a, int64_t b, int64_t c)
{
    assert_int_equal(n, 3);
    assert_int_equal(numbers[0], a);
    assert_int_equal(numbers[1], b);
    assert_int_equal(numbers[2], c);
}

static void vectors_are_in_bytes(void **state)
{
    (void)state;
    parcast_trace *trace;
    parcast_trace_cursor *cursor;
    const parcast_trace_event *e = action("", "alltoallv 6 1 2 3 60 10 20 30 0 1", &trace, &cursor);
    assert_numbers(e->send_counts, e->n_send_counts, 8, 16, 24);
    assert_numbers(e->recv_counts, e->n_recv_counts, 40, 80, 120);
    parcast_trace_cursor_close(&cursor);
    parcast_trace_close(&trace);
    e = action("", "scatterv 1 2 3 9 0 0 0", &trace, &cursor);
    assert_numbers(e->send_counts, e->n_send_counts, 8, 16, 24);
    assert_int_equal(e->bytes, 72);
    parcast_trace_cursor_close(&cursor);
    parcast_trace_close(&trace);
    e = action("", "reducescatter 1 2 3 100 1", &trace, &cursor);
    assert_numbers(e->recv_counts, e->n_recv_counts, 4, 8, 12);
    assert_int_equal(e->count, 6);
    assert_true(e->flop == 100);
    parcast_trace_cursor_close(&cursor);
    parcast_trace_close(&trace);
    e = action("", "allgatherv 9 1 2 3 1 1 0 4 8", &trace, &cursor);
    assert_numbers(e->recv_counts, e->n_recv_counts, 4, 8, 12);
    parcast_trace_cursor_close(&cursor);
    parcast_trace_close(&trace);
}

static void waits_take_the_oldest_request_of_their_kind(void **state)
{
    (void)state;
    parcast_trace *trace =
        convert("0 init\n0 irecv 1 3 10\n0 irecv 1 3 20\n0 isend 1 3 5\n0 wait 1 0 3\n0 wait 0 1 3\n"
                "0 wait 1 0 9\n0 isend 1 4 5\n0 test 0 1 4\n0 waitall\n0 irecv 1 5 5\n0 finalize\n1 init\n");
    parcast_trace_cursor *cursor = cursor_of(trace, 0);
    next(cursor);
    for (int32_t i = 0; i < 3; i++) assert_int_equal(next(cursor)->request, i);
    const parcast_trace_event *e = next(cursor);
    assert_int_equal(e->op, PARCAST_TRACE_WAIT);
    assert_int_equal(e->requests[0], 0);
    assert_int_equal(next(cursor)->requests[0], 2);
    assert_int_equal(next(cursor)->n_requests, 0);
    assert_int_equal(next(cursor)->request, 0);
    e = next(cursor);
    assert_int_equal(e->op, PARCAST_TRACE_TEST);
    assert_false(e->flag);
    e = next(cursor);
    assert_int_equal(e->op, PARCAST_TRACE_WAITALL);
    assert_int_equal(e->n_requests, 2);
    next(cursor);
    e = next(cursor); /* nobody waits for the last one */
    assert_int_equal(e->op, PARCAST_TRACE_WAITALL);
    assert_int_equal(e->n_requests, 1);
    assert_int_equal(next(cursor)->op, PARCAST_TRACE_FINALIZE);
    assert_null(next(cursor));
    parcast_trace_cursor_close(&cursor);
    parcast_trace_close(&trace);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *word;
    } cases[] = {
        {"0 init\n0 frobnicate\n", 2, "not known"},
        {"0 init\n1 init\n\n# words\n0 send 1 5\n", 5, "missing"},
        {"0 init\n0 send 0 1 2 6 7\n", 2, "more words"},
        {"0 init\n0 send 5 1 2\n", 2, "no such rank"},
        {"0 init\n0 recv -1 1 2\n", 2, "-555"},
        {"0 init\n0 recv 0 -7 2\n", 2, "-444"},
        {"0 init\n0 compute many\n", 2, "not a number"},
        {"0 init\n0 compute -1\n", 2, "negative"},
        {"0 init\n0 send 0 1 2.5\n", 2, "whole number"},
        {"0 init\n0 send 0 1 nan\n", 2, "not a number"},
        {"0 init\n0 send 0 1 2 9\n", 2, "out of range"},
        {"0 init\n0 comm_split\n0 barrier\n", 3, "comm_split"},
        {"0 init\n0 finalize\n0 compute 1\n", 3, "finalize"},
        {"0 init\nx init\n", 2, "not a rank"},
        {"0 init\n99999 init\n", 0, "rank 99999"},
        {"0 init\n0\n", 2, "missing"},
        {"", 0, "empty"},
        {"a b c\n", 1, "neither"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parcast_error error = {0};
        put(text_path, cases[i].text);
        parcast_status status = parcast_trace_from_ti(text_path, trace_path, NULL, &error);
        assert_int_equal(status, PARCAST_FORMAT);
        if (error.line != cases[i].line || !strstr(error.text, cases[i].word))
            fail_msg("'%s': line %d: %s", cases[i].text, error.line, error.text);
    }
}

static void a_list_of_files_is_read_like_one_text(void **state)
{
    (void)state;
    char path[96];
    snprintf(path, sizeof path, "%s/r0", folder);
    put(path, "0 init\n0 send 1 0 8\n0 finalize\n");
    snprintf(path, sizeof path, "%s/r1", folder);
    put(path, "1 init\n1 recv 0 0 8\n1 finalize\n");
    parcast_trace *trace = convert("r0\nr1\n");
    assert_int_equal(parcast_trace_about(trace)->n_ranks, 2);
    parcast_trace_cursor *cursor = cursor_of(trace, 1);
    next(cursor);
    assert_int_equal(next(cursor)->op, PARCAST_TRACE_RECV);
    parcast_trace_cursor_close(&cursor);
    parcast_trace_close(&trace);
    parcast_error error = {0};
    put(text_path, "r1\nr0 r1\n");
    assert_int_equal(parcast_trace_from_ti(text_path, trace_path, NULL, &error), PARCAST_FORMAT);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.text, "one file name"));
}

static void text_to_trace_to_text_is_the_same_text(void **state)
{
    (void)state;
    static const char text[] =
        "0 init\n0 compute 1000\n0 irecv 1 3 10\n0 isend 1 4 20\n0 wait 1 0 3\n0 wait 0 1 4\n0 bcast 100 1\n"
        "0 reduce 50 7 0\n0 alltoallv 6 3 3 5 2 3\n0 gatherv 4 0 0 1\n0 isend 1 5 1\n0 waitall\n0 finalize\n"
        "1 init\n1 send 0 3 10\n1 recv 0 4 20\n1 bcast 100 1\n1 reduce 50 7 0\n1 alltoallv 5 3 2 6 3 3\n"
        "1 gatherv 2 4 2 1\n1 recv 0 5 1\n1 finalize\n";
    char again[1024] = "";
    parcast_trace *trace = convert(text);
    parcast_trace_losses losses = NULL;
    parcast_error error = {0};
    if (parcast_trace_to_ti(trace, again_path, 0, &losses, &error)) fail_msg("%s", error.text);
    assert_null(losses);
    FILE *file = fopen(again_path, "r");
    assert_non_null(file);
    assert_true(fread(again, 1, sizeof again - 1, file) > 0);
    fclose(file);
    assert_string_equal(again, text);
    parcast_trace_close(&trace);
}

static void the_contents_tell_the_format(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        parcast_trace_format format;
    } cases[] = {
        {"# words\n\n0 init\n", PARCAST_TRACE_TIME_INDEPENDENT},
        {"p0 init\n", PARCAST_TRACE_TIME_INDEPENDENT},
        {"rank0.txt\nrank1.txt\n", PARCAST_TRACE_TIME_INDEPENDENT},
        {"// words\nnum_ranks 2\n", PARCAST_TRACE_GOAL},
        {"some other text\n", PARCAST_TRACE_FOREIGN},
        {"", PARCAST_TRACE_FOREIGN},
        {"\x7f"
         "ELF",
         PARCAST_TRACE_FOREIGN},
    };
    parcast_trace_format format;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put(text_path, cases[i].text);
        assert_int_equal(parcast_trace_detect(text_path, &format, NULL), PARCAST_OK);
        assert_int_equal(format, cases[i].format);
    }
    parcast_trace *trace = convert("0 init\n");
    parcast_trace_close(&trace);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            parcast_trace_open_any(i ? trace_path : text_path, PARCAST_TRACE_WHOLE, &trace, NULL, NULL),
            PARCAST_OK);
        assert_int_equal(parcast_trace_about(trace)->n_ranks, 1);
        parcast_trace_close(&trace);
    }
    assert_int_equal(parcast_trace_detect(trace_path, &format, NULL), PARCAST_OK);
    assert_int_equal(format, PARCAST_TRACE_OWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_action_becomes_its_event),
        cmocka_unit_test(vectors_are_in_bytes),
        cmocka_unit_test(waits_take_the_oldest_request_of_their_kind),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(a_list_of_files_is_read_like_one_text),
        cmocka_unit_test(text_to_trace_to_text_is_the_same_text),
        cmocka_unit_test(the_contents_tell_the_format),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
