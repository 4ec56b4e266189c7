/* parcast probe as its users start it: alone, with ranks of every MPI that is installed, inside a launcher.
 */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "parcast/platform.h"

static char folder[] = "/tmp/parcast-probe-test-XXXXXX";

static char *read_file(const char *name)
{
    char path[256];
    enum { MAX_TEXT = 1 << 20 };
    char *text = malloc(MAX_TEXT);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || !text) {
        fail_msg("cannot read %s", path);
        abort();
    }
    size_t size = fread(text, 1, MAX_TEXT - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* A shell command in the folder, with out and err written there; returns the exit status. */
static int run(const char *format, ...)
{
    char command[2048];
    int n = snprintf(command, sizeof command, "cd %s && { ", folder);
    va_list arguments;
    va_start(arguments, format);
    n += vsnprintf(command + n, sizeof command - (size_t)n, format, arguments);
    va_end(arguments);
    snprintf(command + n, sizeof command - (size_t)n, "; } >out 2>err </dev/null");
    int status = system(command); // NOLINT(cert-env33-c,bugprone-command-processor)
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect_success(int status)
{
    if (status == 0) return;
    char *messages = read_file("err");
    print_error("%s", messages);
    free(messages);
    fail_msg("status %d", status);
}

static void expect_error(const char *part)
{
    char *messages = read_file("err");
    if (!strstr(messages, part) || !strstr(messages, "parcast probe: error: "))
        fail_msg("no '%s' in: %s", part, messages);
    free(messages);
}

static parcast_platform *load(const char *name)
{
    char path[256];
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (parcast_platform_load(path, &platform, &error)) fail_msg("%s", error.text);
    return platform;
}

static json_t *read_json(void)
{
    char *text = read_file("out");
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    if (!root) fail_msg("%s in %s", error.text, text);
    free(text);
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "parcast.probe/1");
    return root;
}

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_number(value)) fail_msg("no number '%s'", name);
    return json_number_value(value);
}

static void this_machine_becomes_a_platform_file(void **state)
{
    (void)state;
    expect_success(run("'%s' probe -o here.yaml", PARCAST_PROGRAM));
    parcast_platform *p = load("here.yaml");
    assert_string_equal(p->name, "here");
    assert_int_equal(parcast_platform_nodes(p), 1);
    assert_true(p->types[0].calibration > 0 && !p->types[0].speed_given);
    assert_true(p->types[0].memory_bandwidth_bytes_per_s > 0 && p->types[0].flop_rate_flop_per_s > 0);
    assert_true(isnan(p->network.bandwidth_bytes_per_s));
    parcast_platform_destroy(&p);
    char *table = read_file("out");
    assert_non_null(strstr(table, "memory bandwidth"));
    assert_non_null(strstr(table, "speed of a core"));
    free(table);
}

static void json_and_file_say_the_same(void **state)
{
    (void)state;
    expect_success(run("'%s' probe --json -o both.yaml", PARCAST_PROGRAM));
    json_t *root = read_json();
    parcast_platform *p = load("both.yaml");
    const json_t *type = json_array_get(json_object_get(root, "node_types"), 0);
    assert_true(number(type, "calibration") == p->types[0].calibration);
    assert_true(number(type, "memory_bandwidth_bytes_per_s") == p->types[0].memory_bandwidth_bytes_per_s);
    assert_true(number(json_object_get(root, "shared_memory"), "latency_s") == p->shared_memory.latency_s);
    assert_true(json_is_null(json_object_get(root, "network")));
    assert_true(json_is_array(json_object_get(root, "notes")));
    parcast_platform_destroy(&p);
    json_decref(root);
}

static void the_platform_can_go_to_standard_output(void **state)
{
    (void)state;
    expect_success(run("'%s' probe -q -o -", PARCAST_PROGRAM));
    parcast_platform *p = load("out");
    assert_int_equal(p->n_types, 1);
    parcast_platform_destroy(&p);
}

static const char *const launchers[] = {
#ifdef MPIEXEC_OPENMPI
    MPIEXEC_OPENMPI,
#endif
#ifdef MPIEXEC_MPICH
    MPIEXEC_MPICH,
#endif
    NULL};

static void two_ranks_share_the_memory_of_one_host(void **state)
{
    (void)state;
    for (size_t i = 0; launchers[i]; i++) {
        expect_success(
            run("'%s' probe --json --ranks 2 --mpiexec '%s' -o two.yaml", PARCAST_PROGRAM, launchers[i]));
        json_t *root = read_json();
        parcast_platform *p = load("two.yaml");
        const json_t *hosts = json_object_get(root, "hosts");
        assert_int_equal(json_array_size(hosts), 1);
        assert_true(number(json_array_get(hosts, 0), "ranks") == 2);
        assert_true(number(json_array_get(hosts, 0), "shared_latency_s") > 0);
        assert_true(json_string_length(json_object_get(root, "mpi")) > 5);
        assert_int_equal(parcast_platform_nodes(p), 1);
        parcast_platform_destroy(&p);
        json_decref(root);
    }
}

/* Every host has one partner for it. */
static void expect_overlap(const json_t *pairs, int n_measured)
{
    int n = 0;
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *overlap = json_object_get(json_array_get(pairs, i), "overlap");
        n += json_array_size(overlap) > 0;
        for (size_t k = 0; k < json_array_size(overlap); k++) {
            double ratio = number(json_array_get(overlap, k), "overlap_ratio");
            assert_true(ratio >= 0 && ratio <= 1);
        }
    }
    assert_int_equal(n, n_measured);
}

static void expect_network(int n_hosts)
{
    json_t *root = read_json();
    const json_t *pairs = json_object_get(root, "pairs"), *network = json_object_get(root, "network");
    assert_int_equal(json_array_size(json_object_get(root, "hosts")), n_hosts);
    assert_int_equal(json_array_size(pairs), n_hosts * (n_hosts - 1) / 2);
    assert_true(number(network, "latency_s") > 0);
    assert_true(number(network, "bandwidth_bytes_per_s") > 0);
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *messages = json_object_get(json_array_get(pairs, i), "messages");
        assert_true(json_array_size(messages) >= 2);
        assert_true(number(json_array_get(messages, 0), "bytes") == 1);
    }
    expect_overlap(pairs, n_hosts / 2);
    assert_true(json_array_size(json_object_get(network, "overlap")) >= 1);
    json_decref(root);
}

static void every_pair_of_hosts_is_measured_once(void **state)
{
    (void)state;
    for (size_t i = 0; launchers[i]; i++) {
        expect_success(
            run("'%s' probe --json --ranks 2 --mpiexec '%s' --pretend-hosts", PARCAST_PROGRAM, launchers[i]));
        expect_network(2);
    }
#ifdef MPIEXEC_OPENMPI /* three busy ranks on few cores: Open MPI yields when idle */
    expect_success(run("'%s' probe --json --ranks 3 --mpiexec '%s' --pretend-hosts -o three.yaml",
                       PARCAST_PROGRAM, MPIEXEC_OPENMPI));
    expect_network(3);
    parcast_platform *p = load("three.yaml");
    assert_int_equal(parcast_platform_nodes(p), 3);
    parcast_platform_destroy(&p);
#endif
}

static void only_rank_0_speaks_inside_a_launcher(void **state)
{
    (void)state;
    for (size_t i = 0; launchers[i]; i++) {
        expect_success(run("'%s' -n 2 '%s' probe --json -o inside.yaml", launchers[i], PARCAST_PROGRAM));
        json_t *root = read_json();
        const json_t *hosts = json_object_get(root, "hosts");
        assert_int_equal(json_array_size(hosts), 1);
        assert_true(number(json_array_get(hosts, 0), "ranks") == 2);
        json_decref(root);
        parcast_platform *p = load("inside.yaml");
        assert_int_equal(parcast_platform_nodes(p), 1);
        parcast_platform_destroy(&p);
    }
}

/* The ranks are slowed to a quarter by a preloaded MPI_Wtime; scores are by MPI_Wtime, in the file and beside
 * it. */
static void a_slowed_machine_is_seen_as_slow(void **state)
{
    (void)state;
    static const char *const preloads[] = {
#ifdef MPIEXEC_OPENMPI
        MPIEXEC_OPENMPI " -x LD_PRELOAD=" SLOW_WTIME,
#endif
#ifdef MPIEXEC_MPICH
        MPIEXEC_MPICH " -genv LD_PRELOAD " SLOW_WTIME,
#endif
        NULL};
    for (size_t i = 0; preloads[i]; i++) {
        expect_success(run("'%s' probe --json --ranks 1 --mpiexec '%s'", PARCAST_PROGRAM, preloads[i]));
        json_t *root = read_json();
        const json_t *host = json_array_get(json_object_get(root, "hosts"), 0);
        double ratio = number(host, "dilation_ratio");
        if (ratio < 0.1 || ratio > 0.27) fail_msg("slowed to %g, not to a quarter", ratio);
        assert_true(number(host, "calibration_busy") > 0);
        json_decref(root);
    }
}

/* Waits until nothing is left of the processes that measure, and of their files. */
static void check_end_by(const char *launcher, const char *signal, int status)
{
    int ended =
        run("trap - INT; mkdir kept; TMPDIR=$PWD/kept '%s' probe --ranks 2 --mpiexec '%s' --pretend-hosts & "
            "probe=$!; for i in $(seq 300); do pgrep -f -- \"--output $PWD/\" && break; sleep 0.1; done; "
            "kill -%s $probe; wait $probe; status=$?; "
            "for i in $(seq 100); do pgrep -f -- \"--output $PWD/\" || break; sleep 0.1; done; "
            "pgrep -f -- \"--output $PWD/\" && exit 1; ls kept/parcast-* && exit 2; rm -r kept; exit $status",
            PARCAST_PROGRAM, launcher, signal);
    if (ended != status) fail_msg("%s, %s: status %d", launcher, signal, ended);
}

static void a_signal_to_it_ends_its_ranks(void **state)
{
    (void)state;
    for (size_t i = 0; launchers[i]; i++) {
        check_end_by(launchers[i], "TERM", 143);
        expect_error("stopped by signal 15");
        check_end_by(launchers[i], "INT", 130);
    }
}

/* Its file stays. */
static void without_it_its_ranks_end(void **state)
{
    (void)state;
    for (size_t i = 0; launchers[i]; i++) {
        check_end_by(launchers[i], "KILL", 2);
        expect_success(run("rm -r kept"));
    }
}

static void what_cannot_be_done_is_said(void **state)
{
    (void)state;
    assert_int_equal(run("'%s' probe extra", PARCAST_PROGRAM), 2);
    expect_error("one word too many");
    assert_int_equal(run("'%s' probe --ranks -1", PARCAST_PROGRAM), 2);
    expect_error("--ranks");
    assert_int_equal(run("'%s' probe --json -o -", PARCAST_PROGRAM), 2);
    expect_error("standard output");
    assert_int_equal(run("'%s' probe --ranks 2 --mpiexec /nonexistent/mpiexec", PARCAST_PROGRAM), 1);
    expect_error("is not there or not executable");
    assert_int_equal(run("'%s' probe --ranks 2 --mpiexec true", PARCAST_PROGRAM), 1);
    expect_error("no launcher of Open MPI or MPICH");
    assert_int_equal(run("'%s' probe -o /dev/full", PARCAST_PROGRAM), 1);
    expect_error("cannot write '/dev/full': No space left on device");
    assert_int_equal(run("'%s' probe -o /nonexistent/p.yaml", PARCAST_PROGRAM), 1);
    expect_error("No such file or directory");
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    if (geteuid() != 0 || run("mkdir small && mount -t tmpfs -o size=4k tmpfs small") != 0) skip();
    int written = run("echo old >small/p.yaml; '%s' probe -o small/p.yaml", PARCAST_PROGRAM);
    char *old = read_file("small/p.yaml"), *messages = read_file("err");
    int unmounted = run("umount small");
    assert_int_equal(written, 1);
    assert_string_equal(old, "old\n");
    assert_non_null(strstr(messages, "No space left on device"));
    assert_int_equal(unmounted, 0);
    free(old);
    free(messages);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command); // NOLINT(cert-env33-c,bugprone-command-processor)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_machine_becomes_a_platform_file),
        cmocka_unit_test(json_and_file_say_the_same),
        cmocka_unit_test(the_platform_can_go_to_standard_output),
        cmocka_unit_test(two_ranks_share_the_memory_of_one_host),
        cmocka_unit_test(every_pair_of_hosts_is_measured_once),
        cmocka_unit_test(only_rank_0_speaks_inside_a_launcher),
        cmocka_unit_test(a_slowed_machine_is_seen_as_slow),
        cmocka_unit_test(a_signal_to_it_ends_its_ranks),
        cmocka_unit_test(without_it_its_ranks_end),
        cmocka_unit_test(what_cannot_be_done_is_said),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
