/* Writing traces and reading them again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parcast/trace.h"
#include "random_trace.h"
#include "trace/duration.h"
#include "trace/encoder.h"
#include "trace/sequence.h"
#include "trace/writer.h"

static char path[] = "/tmp/parcast-trace-XXXXXX";

static int make_path(void **state)
{
    (void)state;
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int file = mkstemp(path);
    return file < 0 || close(file);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void ok(parcast_status status, const parcast_error *error)
{
    if (status) fail_msg("%s: %s", error->source, error->text);
}

static parcast_trace *open_trace(parcast_trace_mode mode)
{
    parcast_error error = {0};
    parcast_trace *trace = NULL;
    ok(parcast_trace_open(path, mode, &trace, &error), &error);
    return trace;
}

static const parcast_trace_event *next(parcast_trace_cursor *cursor)
{
    parcast_error error = {0};
    const parcast_trace_event *event = NULL;
    ok(parcast_trace_next(cursor, &event, &error), &error);
    return event;
}

static parcast_trace_cursor *cursor_of(parcast_trace *trace, int32_t rank)
{
    parcast_error error = {0};
    parcast_trace_cursor *cursor = NULL;
    ok(parcast_trace_cursor_open(trace, rank, &cursor, &error), &error);
    return cursor;
}

static long file_bytes(void)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_size;
}

/* -------- random events -------- */

enum { RANKS = 5, EVENTS = 40000 };
static const int32_t world[RANKS] = {0, 1, 2, 3, 4}, self[] = {-1}, odd[] = {1, 3}, even[] = {4, 2, 0};
static const parcast_trace_comm comms[] = {
    {.n_ranks = RANKS, .ranks = world},
    {.n_ranks = 1, .ranks = self},
    {.n_ranks = 2, .ranks = odd, .n_remote = 3, .remote_ranks = even, .inter = true},
};
static const char *const functions[] = {"MPI_Send", "MPI_Recv"}, *const nodes[] = {"one", "two"};
static const parcast_trace_site sites[] = {{"/bin/a", 0x1234}, {"/lib/b", 77}};
static const parcast_trace_rank ranks[RANKS] = {{.unit_s = 1},
                                                {.node = 1, .offset_s = 0.5, .unit_s = 1},
                                                {.unit_s = 1, .end = PARCAST_TRACE_LOST},
                                                {.unit_s = 1},
                                                {.unit_s = 1, .end = PARCAST_TRACE_ABSENT}};

static parcast_trace_meta full_meta(void)
{
    return (parcast_trace_meta){.program = "program with arguments",
                                .mpi = "MPICH 4.0.2",
                                .n_ranks = RANKS,
                                .ranks = ranks,
                                .n_comms = 3,
                                .comms = comms,
                                .n_functions = 2,
                                .functions = functions,
                                .n_nodes = 2,
                                .nodes = nodes,
                                .n_sites = 2,
                                .sites = sites};
}

static void write_random(uint64_t seed)
{
    parcast_error error = {0};
    parcast_trace_writer *writer = NULL;
    parcast_trace_meta meta = full_meta();
    uint64_t states[RANKS], choice = seed;
    ok(parcast_trace_create(path, &meta, &writer, &error), &error);
    for (int i = 0; i < RANKS; i++) states[i] = seed + (uint64_t)i;
    for (int i = 0; i < EVENTS; i++) {
        parcast_trace_event event;
        struct event_room room;
        int32_t rank = (int32_t)random_below(&choice, RANKS - 1); /* the last one has none */
        random_event(&states[rank], 3, 2, 2, &event, &room);
        ok(parcast_trace_write(writer, rank, &event, &error), &error);
    }
    ok(parcast_trace_finish(&writer, NULL, &error), &error);
    assert_null(writer);
}

static uint64_t compare_rank(parcast_trace *trace, int32_t rank, uint64_t seed)
{
    uint64_t state = seed + (uint64_t)rank, n = 0;
    double dates[8] = {0};
    parcast_trace_cursor *cursor = cursor_of(trace, rank);
    for (const parcast_trace_event *got; (got = next(cursor)); n++) {
        parcast_trace_event event;
        struct event_room room;
        random_event(&state, 3, 2, 2, &event, &room);
        if (!same_event(&event, got)) fail_msg("rank %d: event %zu is another", rank, (size_t)n);
        assert_true(got->compute == event.compute && got->call_s == event.call_s);
        double start_s = ranks[rank].offset_s + dates[got->thread] + event.compute;
        assert_true(fabs(got->start_s - start_s) < 1e-9 * (1 + start_s));
        dates[got->thread] += event.compute + event.call_s;
    }
    assert_int_equal(parcast_trace_position(cursor), n);
    parcast_trace_cursor_close(&cursor);
    return n;
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 4; seed++) {
        parcast_trace_info info;
        uint64_t n = 0;
        write_random(seed);
        parcast_trace *trace = open_trace(PARCAST_TRACE_WHOLE);
        for (int32_t rank = 0; rank < RANKS; rank++) n += compare_rank(trace, rank, seed);
        parcast_trace_get_info(trace, &info);
        assert_int_equal(n, EVENTS);
        assert_int_equal(info.n_events, EVENTS);
        assert_int_equal(info.file_bytes, file_bytes());
        assert_false(info.cut || info.complete);
        assert_true(info.checksum != 0);
        parcast_trace_close(&trace);
    }
}

static void what_the_trace_says_about_itself_is_kept(void **state)
{
    (void)state;
    write_random(1);
    parcast_trace *trace = open_trace(PARCAST_TRACE_WHOLE);
    const parcast_trace_meta *about = parcast_trace_about(trace);
    assert_string_equal(about->program, "program with arguments");
    assert_string_equal(about->mpi, "MPICH 4.0.2");
    assert_int_equal(about->n_ranks, RANKS);
    assert_int_equal(about->ranks[1].node, 1);
    assert_true(about->ranks[1].offset_s == 0.5);
    assert_int_equal(about->ranks[2].end, PARCAST_TRACE_LOST);
    assert_int_equal(about->ranks[4].n_events, 0);
    assert_int_equal(about->n_comms, 3);
    assert_string_equal(parcast_trace_function(trace, 1), "MPI_Recv");
    assert_null(parcast_trace_function(trace, 2));
    assert_string_equal(about->nodes[1], "two");
    assert_string_equal(about->sites[1].module, "/lib/b");
    assert_int_equal(about->sites[0].offset, 0x1234);
    assert_int_equal(parcast_trace_world_rank(trace, 3, PARCAST_TRACE_WORLD, 2), 2);
    assert_int_equal(parcast_trace_world_rank(trace, 3, PARCAST_TRACE_SELF, 0), 3);
    assert_int_equal(parcast_trace_world_rank(trace, 3, 2, 0), 4); /* of the remote group */
    assert_int_equal(parcast_trace_world_rank(trace, 3, 2, 3), -1);
    assert_int_equal(parcast_trace_world_rank(trace, 3, 0, PARCAST_TRACE_PROC_NULL), -1);
    assert_null(parcast_trace_get_comm(trace, 3));
    parcast_trace_close(&trace);
}

static void reading_goes_on_at_any_event(void **state)
{
    (void)state;
    parcast_error error = {0};
    write_random(7);
    parcast_trace *trace = open_trace(PARCAST_TRACE_WHOLE);
    parcast_trace_cursor *seeker = cursor_of(trace, 2);
    uint64_t n = parcast_trace_about(trace)->ranks[2].n_events, random = 5;
    for (int i = 0; i < 20; i++) {
        uint64_t at = i == 0 ? n - 1 : random_below(&random, n);
        parcast_trace_cursor *reader = cursor_of(trace, 2);
        for (uint64_t k = 0; k < at; k++) next(reader);
        ok(parcast_trace_seek(seeker, at, &error), &error);
        assert_int_equal(parcast_trace_position(seeker), at);
        const parcast_trace_event *a = next(reader), *b = next(seeker);
        assert_true(same_event(a, b) && a->compute == b->compute);
        assert_true(fabs(a->start_s - b->start_s) < 1e-9 * (1 + a->start_s));
        parcast_trace_cursor_close(&reader);
    }
    ok(parcast_trace_seek(seeker, n + 5, &error), &error);
    assert_null(next(seeker));
    parcast_trace_cursor_close(&seeker);
    parcast_trace_close(&trace);
}

/* -------- damage -------- */

static parcast_status read_all(parcast_trace_mode mode, uint64_t *n, parcast_error *error)
{
    parcast_trace *trace = NULL;
    parcast_status status = parcast_trace_open(path, mode, &trace, error);
    *n = 0;
    for (int32_t rank = 0; rank < RANKS && !status; rank++) {
        const parcast_trace_event *event;
        parcast_trace_cursor *cursor = cursor_of(trace, rank);
        while (!(status = parcast_trace_next(cursor, &event, error)) && event) (*n)++;
        parcast_trace_cursor_close(&cursor);
    }
    parcast_trace_close(&trace);
    return status;
}

static void a_cut_trace_is_refused_or_read_up_to_its_last_full_frame(void **state)
{
    (void)state;
    uint64_t n = 0, before = UINT64_MAX;
    parcast_error error = {0};
    write_random(3);
    for (long bytes = file_bytes() - 1; bytes > 2000; bytes = bytes * 9 / 10) {
        assert_int_equal(truncate(path, bytes), 0);
        assert_int_equal(read_all(PARCAST_TRACE_WHOLE, &n, &error), PARCAST_FORMAT);
        assert_non_null(strstr(error.text, "is cut"));
        assert_non_null(strstr(error.hint, "--cut"));
        ok(read_all(PARCAST_TRACE_UP_TO_CUT, &n, &error), &error);
        assert_true(n <= before);
        before = n;
    }
    assert_true(before < EVENTS / 4);
    assert_int_equal(truncate(path, 20), 0);
    assert_int_equal(read_all(PARCAST_TRACE_UP_TO_CUT, &n, &error), PARCAST_FORMAT);
}

static void a_trace_read_up_to_its_cut_holds_what_was_written(void **state)
{
    (void)state;
    write_random(3);
    assert_int_equal(truncate(path, file_bytes() / 2), 0);
    parcast_trace *trace = open_trace(PARCAST_TRACE_UP_TO_CUT);
    parcast_trace_info info;
    uint64_t n = 0;
    for (int32_t rank = 0; rank < RANKS; rank++) n += compare_rank(trace, rank, 3);
    parcast_trace_get_info(trace, &info);
    assert_true(n > 0 && n < EVENTS);
    assert_true(info.cut && !info.complete);
    parcast_trace_close(&trace);
}

static void poke(long offset, unsigned char change)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ change, file), byte ^ change);
    assert_int_equal(fclose(file), 0);
}

static void every_changed_byte_is_noticed(void **state)
{
    (void)state;
    uint64_t n, random = 11;
    write_random(5);
    long bytes = file_bytes();
    for (int i = 0; i < 150; i++) {
        parcast_error error = {0};
        long offset = i < 100 ? i : (long)random_below(&random, (uint64_t)bytes);
        unsigned char change = (unsigned char)(1 << random_below(&random, 8));
        poke(offset, change);
        parcast_status status = read_all(PARCAST_TRACE_WHOLE, &n, &error);
        if (status == PARCAST_OK) fail_msg("byte %ld: a change went unnoticed", offset);
        assert_int_equal(status, PARCAST_FORMAT);
        assert_true(error.text[0]);
        poke(offset, change);
    }
    parcast_error error = {0};
    ok(read_all(PARCAST_TRACE_WHOLE, &n, &error), &error);
}

static void what_is_no_trace_is_refused(void **state)
{
    (void)state;
    uint64_t n;
    parcast_error error = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 100; i++) fputs("no trace at all ", file);
    fclose(file);
    assert_int_equal(read_all(PARCAST_TRACE_UP_TO_CUT, &n, &error), PARCAST_FORMAT);
    assert_non_null(strstr(error.text, "not a trace"));
    parcast_trace *trace = NULL;
    assert_int_equal(parcast_trace_open("/nonexistent/trace", PARCAST_TRACE_WHOLE, &trace, &error),
                     PARCAST_NOT_FOUND);
    assert_int_equal(parcast_trace_open("/tmp", PARCAST_TRACE_WHOLE, &trace, &error), PARCAST_FORMAT);
}

static void what_cannot_be_is_not_written(void **state)
{
    (void)state;
    parcast_error error = {0};
    parcast_trace_writer *writer = NULL;
    parcast_trace_meta meta = full_meta();
    parcast_trace_event event;
    ok(parcast_trace_create(path, &meta, &writer, &error), &error);
    parcast_trace_event_clear(&event, PARCAST_TRACE_SEND);
    assert_int_equal(parcast_trace_write(writer, RANKS, &event, &error), PARCAST_INVALID);
    event.comm = 3;
    assert_int_equal(parcast_trace_write(writer, 0, &event, &error), PARCAST_INVALID);
    event.comm = 0;
    event.compute = NAN;
    assert_int_equal(parcast_trace_write(writer, 0, &event, &error), PARCAST_INVALID);
    event.compute = -1;
    assert_int_equal(parcast_trace_write(writer, 0, &event, &error), PARCAST_INVALID);
    parcast_trace_event_clear(&event, (parcast_trace_op)127);
    assert_int_equal(parcast_trace_write(writer, 0, &event, &error), PARCAST_INVALID);
    parcast_trace_discard(&writer);
    assert_int_not_equal(access(path, F_OK), 0);
    meta.n_ranks = 3; /* fewer than its communicators name */
    assert_int_equal(parcast_trace_create(path, &meta, &writer, &error), PARCAST_INVALID);
    assert_int_equal(make_path(NULL), 0);
}

static void a_full_disk_is_said(void **state)
{
    (void)state;
    parcast_error error = {0};
    parcast_trace_writer *writer = NULL;
    parcast_trace_meta meta = full_meta();
    if (access("/dev/full", W_OK) != 0) skip();
    parcast_status status = parcast_trace_create("/dev/full", &meta, &writer, &error);
    assert_int_equal(status, PARCAST_IO);
    assert_int_equal(access("/dev/full", W_OK), 0); /* a device is not taken away */
}

/* -------- codes, repetition, size -------- */

static void durations_keep_eight_bits_behind_the_first(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 200000; i++) {
        uint64_t value = random_below(&random, UINT64_MAX) >> (1 + random_below(&random, 62));
        uint16_t code = duration_encode(value);
        uint64_t back = duration_decode(code);
        double error = back > value ? (double)(back - value) : (double)(value - back);
        assert_true(code < DURATION_CODE_END);
        assert_true(error <= (double)value / 512);
        assert_int_equal(duration_encode(back), code);
    }
    for (uint64_t value = 0; value < 512; value++)
        assert_int_equal(duration_decode(duration_encode(value)), value);
}

static void sums_of_durations_do_not_drift(void **state)
{
    (void)state;
    int64_t carry = 0, sum = 0, kept = 0;
    for (int i = 0; i < 100000; i++) {
        uint64_t value = 100003 + (uint64_t)(i % 3);
        sum += (int64_t)value;
        kept += (int64_t)duration_decode(duration_encode_carried(value, &carry));
    }
    assert_true(llabs(sum - kept) <= 256);
}

static void repetition_is_found_whatever_its_length(void **state)
{
    (void)state;
    enum { MOST = 16384 };
    static uint16_t tokens[MOST], read[MOST];
    for (uint32_t period = 1; period < 300; period += 13) {
        for (uint32_t i = 0; i < MOST; i++) tokens[i] = (uint16_t)(i % period);
        struct trace_buffer out = {.n = 0};
        assert_true(sequence_put(&out, tokens, MOST));
        assert_true(out.n < 2 * period + 16);
        struct sequence s = {
            .view = view_of(out.bytes, out.n), .tokens = read, .n = MOST, .n_definitions = period};
        for (uint32_t i = 0; i < MOST; i++) assert_int_equal(sequence_next(&s), tokens[i]);
        assert_int_equal(sequence_next(&s), -1);
        free(out.bytes);
    }
}

/* A stencil: four receives, four sends, a wait, computing that varies, now and then a reduction. */
static void write_stencil(parcast_trace_writer *writer, int32_t rank, int steps, uint64_t *random)
{
    parcast_error error = {0};
    int64_t requests[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int i = 0; i < steps; i++) {
        parcast_trace_event e;
        struct event_times t = {0};
        for (int k = 0; k < 8; k++) {
            parcast_trace_event_clear(&e, k < 4 ? PARCAST_TRACE_RECV : PARCAST_TRACE_SEND);
            e.start = PARCAST_TRACE_NONBLOCKING;
            e.peer = rank + k % 4;
            e.bytes = 8192;
            e.request = k;
            t.gap = duration_encode(100 + random_below(random, 30));
            t.in_call = duration_encode(400 + random_below(random, 100));
            ok(trace_writer_put(writer, rank, &e, &t, &error), &error);
        }
        parcast_trace_event_clear(&e, i % 10 == 9 ? PARCAST_TRACE_ALLREDUCE : PARCAST_TRACE_WAITALL);
        if (e.op == PARCAST_TRACE_WAITALL) {
            e.requests = requests;
            e.n_requests = 8;
        }
        t.gap = duration_encode(2000000 + random_below(random, 60000));
        t.in_call = duration_encode(30000 + random_below(random, 20000));
        ok(trace_writer_put(writer, rank, &e, &t, &error), &error);
    }
}

static void a_stencil_takes_less_than_three_bytes_an_event(void **state)
{
    (void)state;
    parcast_error error = {0};
    parcast_trace_writer *writer = NULL;
    parcast_trace_meta meta = {.n_ranks = 2};
    parcast_trace_info info = {0};
    uint64_t random = 1;
    ok(parcast_trace_create(path, &meta, &writer, &error), &error);
    trace_writer_set_coding(writer, CODING_CODES);
    for (int32_t rank = 0; rank < 2; rank++) write_stencil(writer, rank, 10000, &random);
    ok(parcast_trace_finish(&writer, &info, &error), &error);
    assert_int_equal(info.n_events, 180000);
    double bytes = (double)info.file_bytes / (double)info.n_events;
    if (bytes > 3) fail_msg("%.2f bytes an event", bytes);
}

static void threads_keep_their_own_dates(void **state)
{
    (void)state;
    parcast_error error = {0};
    parcast_trace_writer *writer = NULL;
    const parcast_trace_rank rank = {.unit_s = 1e-9};
    parcast_trace_meta meta = {.n_ranks = 1, .ranks = &rank};
    ok(parcast_trace_create(path, &meta, &writer, &error), &error);
    trace_writer_set_coding(writer, CODING_CODES_CPU);
    ok(trace_writer_start_thread(writer, 0, 3, 1000, &error), &error);
    for (int i = 0; i < 40000; i++) {
        parcast_trace_event e;
        parcast_trace_event_clear(&e, PARCAST_TRACE_BARRIER);
        e.thread = i % 2 ? 3 : 0;
        const struct event_times t = {.gap = 20, .in_call = 10, .cpu = 5};
        if (i == 20000) ok(trace_writer_flush_rank(writer, 0, &error), &error);
        ok(trace_writer_put(writer, 0, &e, &t, &error), &error);
    }
    ok(parcast_trace_finish(&writer, NULL, &error), &error);
    parcast_trace *trace = open_trace(PARCAST_TRACE_WHOLE);
    parcast_trace_cursor *cursor = cursor_of(trace, 0);
    for (int i = 0; i < 40000; i++) {
        const parcast_trace_event *e = next(cursor);
        double start_ns = (i % 2 ? 1000 : 0) + 30.0 * (i / 2) + 20;
        assert_true(fabs(e->start_s * 1e9 - start_ns) < 1e-3);
        assert_true(fabs(e->compute * 1e9 - 5) < 1e-6 && fabs(e->call_s * 1e9 - 10) < 1e-6);
    }
    assert_null(next(cursor));
    parcast_trace_cursor_close(&cursor);
    parcast_trace_close(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(what_the_trace_says_about_itself_is_kept),
        cmocka_unit_test(reading_goes_on_at_any_event),
        cmocka_unit_test(a_cut_trace_is_refused_or_read_up_to_its_last_full_frame),
        cmocka_unit_test(a_trace_read_up_to_its_cut_holds_what_was_written),
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(what_is_no_trace_is_refused),
        cmocka_unit_test(what_cannot_be_is_not_written),
        cmocka_unit_test(a_full_disk_is_said),
        cmocka_unit_test(durations_keep_eight_bits_behind_the_first),
        cmocka_unit_test(sums_of_durations_do_not_drift),
        cmocka_unit_test(repetition_is_found_whatever_its_length),
        cmocka_unit_test(a_stencil_takes_less_than_three_bytes_an_event),
        cmocka_unit_test(threads_keep_their_own_dates),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
