#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raw_sample.h"
#include "record/raw.h"

/* The cmocka of Debian 12 has none for doubles. */
#define assert_double_equal(a, b, epsilon) assert_true(fabs((a) - (b)) <= (epsilon))

static struct file *make_file(void)
{
    struct file *f = raw_sample();
    assert_non_null(f);
    return f;
}

static void times_are_scaled_by_the_stamps(void **state)
{
    (void)state;
    struct file *f = make_file();
    parcast_rank_profile p;
    assert_int_equal(parcast_raw_read(f, sizeof *f, "f", &p, NULL), PARCAST_OK);
    assert_double_equal(p.time_s, 2, 1e-9);
    assert_double_equal(p.mpi_s, 0.5, 1e-9);
    assert_double_equal(p.compute_s, 1.5, 1e-9);
    assert_double_equal(p.compute_wall_s, 1.5, 1e-9);
    assert_true(p.complete);
    assert_true(isnan(p.shutdown_s));
    parcast_profile_clear(&p);
    free(f);
}

static void calls_are_summed_over_sites_and_those_without(void **state)
{
    (void)state;
    struct file *f = make_file();
    parcast_rank_profile p;
    assert_int_equal(parcast_raw_read(f, sizeof *f, "f", &p, NULL), PARCAST_OK);
    assert_int_equal(p.n_calls, 2);
    assert_string_equal(p.calls[0].name, "MPI_Allreduce");
    assert_int_equal(p.calls[0].count, 10);
    assert_int_equal(p.calls[1].count, 7);
    assert_int_equal(p.calls[1].bytes, 100);
    assert_double_equal(p.calls[1].min_s, 2.5e-9, 1e-15);
    /* 0.3 s in ten calls of which the cheapest took 0.01 s. */
    assert_double_equal(p.calls[0].wait_s, 0.2, 1e-9);
    assert_double_equal(p.wait_s, 0.2, 1e-9);
    assert_double_equal(p.calls[1].wait_s, 0, 1e-15);
    assert_string_equal(p.sites[0].module, "/bin/program");
    parcast_profile_clear(&p);
    free(f);
}

static void peers_windows_and_phases_are_read(void **state)
{
    (void)state;
    struct file *f = make_file();
    parcast_rank_profile p;
    assert_int_equal(parcast_raw_read(f, sizeof *f, "f", &p, NULL), PARCAST_OK);
    assert_int_equal(p.n_peers, 2);
    assert_int_equal(p.peers[0].rank, 2);
    assert_int_equal(p.peers[0].reach, PARCAST_REACH_SAME_NODE);
    assert_int_equal(p.peers[1].reach, PARCAST_REACH_OTHER_NODE);
    assert_int_equal(p.n_windows, 2);
    assert_double_equal(p.windows_s[0], 0.5, 1e-9);
    assert_double_equal(p.windows_s[1], 0.75 + 0.25,
                        1e-9); /* with what came after the last synchronisation */
    assert_int_equal(p.n_phases, 1);
    assert_double_equal(p.phases[0].time_s, 2, 1e-9);
    assert_double_equal(p.phases[0].compute_s, 1.5, 1e-9);
    parcast_profile_clear(&p);
    free(f);
}

static void check_refused(struct file *f, size_t size)
{
    parcast_rank_profile p;
    parcast_error error;
    memset(&p, 0x55, sizeof p);
    assert_int_equal(parcast_raw_read(f, size, "damaged.file", &p, &error), PARCAST_FORMAT);
    assert_string_equal(error.source, "damaged.file");
    assert_int_equal(((unsigned char *)&p)[0], 0x55);
    free(f);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    struct file *f = make_file();
    f->header.magic[0] = 'X';
    check_refused(f, sizeof *f);
    check_refused(make_file(), sizeof *f - 8);
    check_refused(make_file(), 20);
    f = make_file();
    f->header.version = 99;
    check_refused(f, sizeof *f);
    f = make_file();
    f->header.sections[RAW_SECTION_SITES].entries = UINT64_MAX / 8;
    check_refused(f, sizeof *f);
    f = make_file();
    f->header.sections[RAW_SECTION_PEERS].offset = sizeof *f + 8;
    check_refused(f, sizeof *f);
    f = make_file();
    f->header.rank = 4;
    check_refused(f, sizeof *f);
    f = make_file();
    f->header.window_shift = 64;
    check_refused(f, sizeof *f);
    f = make_file();
    f->sites[1].function = 2;
    check_refused(f, sizeof *f);
    f = make_file();
    memset(f->names[1].text, 'x', sizeof f->names[1].text);
    check_refused(f, sizeof *f);
    f = make_file();
    f->header.n_syncs = 100;
    check_refused(f, sizeof *f);
}

/* Every single byte turned round: read or refused, never worse (the sanitizers watch). */
static void no_single_damaged_byte_does_harm(void **state)
{
    (void)state;
    struct file *f = make_file();
    for (size_t i = 0; i < sizeof *f; i++) {
        parcast_rank_profile p;
        ((unsigned char *)f)[i] ^= 0xff;
        if (parcast_raw_read(f, sizeof *f, "f", &p, NULL) == PARCAST_OK) parcast_profile_clear(&p);
        ((unsigned char *)f)[i] ^= 0xff;
    }
    free(f);
}

static void write_file(const char *directory, const char *name, const void *bytes, size_t n)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void a_directory_is_read_in_the_order_of_worlds_and_ranks(void **state)
{
    (void)state;
    char directory[] = "/tmp/parcast-raw-XXXXXX", command[64];
    parcast_rank_profile *profiles;
    size_t n;
    parcast_error error;
    assert_non_null(mkdtemp(directory));
    struct file *f = make_file();
    f->header.start_unix_ns = 2000000000;
    write_file(directory, "0000000000000007.1.parcast-raw", f, sizeof *f);
    f->header.rank = 0;
    write_file(directory, "0000000000000007.0.parcast-raw", f, sizeof *f);
    f->header.world_id = 9;
    f->header.start_unix_ns = 1000000000;
    write_file(directory, "0000000000000009.0.parcast-raw", f, sizeof *f);
    write_file(directory, "0000000000000007.2.parcast-raw", "", 0);
    write_file(directory, "another.file", "x", 1);
    assert_int_equal(parcast_raw_read_directory(directory, &profiles, &n, &error), PARCAST_OK);
    assert_int_equal(n, 4);
    assert_int_equal(profiles[0].world_id, 9);
    for (int rank = 0; rank < 3; rank++) assert_int_equal(profiles[1 + rank].rank, rank);
    assert_true(profiles[3].unsaved);
    assert_true(isnan(profiles[3].time_s));
    parcast_profiles_destroy(&profiles, n);
    assert_null(profiles);
    write_file(directory, "0000000000000007.3.parcast-raw", f, 100);
    assert_int_equal(parcast_raw_read_directory(directory, &profiles, &n, &error), PARCAST_FORMAT);
    assert_non_null(strstr(error.source, "0000000000000007.3.parcast-raw"));
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
    free(f);
}

static void a_missing_directory_is_an_error(void **state)
{
    (void)state;
    parcast_rank_profile *profiles;
    size_t n;
    assert_int_equal(parcast_raw_read_directory("/nonexistent/directory", &profiles, &n, NULL), PARCAST_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_scaled_by_the_stamps),
        cmocka_unit_test(calls_are_summed_over_sites_and_those_without),
        cmocka_unit_test(peers_windows_and_phases_are_read),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(no_single_damaged_byte_does_harm),
        cmocka_unit_test(a_directory_is_read_in_the_order_of_worlds_and_ranks),
        cmocka_unit_test(a_missing_directory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
