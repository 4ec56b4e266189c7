/* The allocator `slurm`; started by test_slurm.sh on a Slurm of four nodes with two cores each. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "parcast/allocator.h"

static const char platform_text[] = "schema: parcast.platform/1\n"
                                    "name: test\n"
                                    "nodes: [{type: n, count: 4, cores: 2, price_per_hour: 36}]\n"
                                    "network: {latency: 30 us, bandwidth: 1 Gbit/s}\n";

static parcast_platform *platform;

static int set_up(void **state)
{
    (void)state;
    return parcast_platform_parse(platform_text, strlen(platform_text), "test", &platform, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    parcast_platform_destroy(&platform);
    return 0;
}

static parcast_allocator *open_slurm(double patience_s)
{
    parcast_allocator_options o = {.platform = platform, .patience_s = patience_s};
    parcast_allocator *a;
    parcast_error error;
    if (parcast_allocator_open("slurm", &o, &a, &error)) fail_msg("%s (%s)", error.text, error.hint);
    return a;
}

/* Slurm takes its time, and busy machines more of it. */
static const double most_s = 90;

static parcast_allocation_event await(parcast_allocator *a, parcast_allocation_event_kind kind)
{
    parcast_allocation_event event = {.kind = PARCAST_ALLOCATION_NONE};
    double until_s = parcast_allocator_elapsed(a) + most_s;
    while (parcast_allocator_elapsed(a) < until_s) {
        assert_int_equal(parcast_allocator_wait(a, 0.5, &event, NULL), PARCAST_OK);
        if (event.kind == kind) return event;
    }
    fail_msg("no event of kind %d within %g s; the last was: %s", (int)kind, most_s, event.text);
    return event;
}

static void await_ready(parcast_allocator *a, int n)
{
    while (parcast_allocator_ready(a) < n) await(a, PARCAST_ALLOCATION_READY);
}

/* First word that a command prints. */
static void output_of(const char *command, char *word, size_t size)
{
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c): Slurm's own commands */
    assert_non_null(pipe);
    word[0] = '\0';
    if (!fgets(word, (int)size, pipe)) word[0] = '\0';
    word[strcspn(word, "\n")] = '\0';
    pclose(pipe);
}

static int jobs(void)
{
    char word[32];
    output_of("squeue -h -t RUNNING,PENDING | wc -l", word, sizeof word);
    return atoi(word);
}

static void await_jobs(int n)
{
    for (int i = 0; i < 600 && jobs() != n; i++) usleep(100000);
    assert_int_equal(jobs(), n);
}

static void nodes_come_as_companion_jobs_and_go_again(void **state)
{
    (void)state;
    parcast_allocator *a = open_slurm(most_s);
    size_t n;
    int available;
    assert_int_equal(parcast_allocator_available(a, &available, NULL), PARCAST_OK);
    assert_int_equal(available, 4);
    for (int round = 0; round < 3; round++) { /* in-place resizing works once; this any number of times */
        assert_int_equal(parcast_allocator_request(a, 3, NULL), PARCAST_OK);
        await_ready(a, 3);
        const parcast_held_node *nodes = parcast_allocator_nodes(a, &n);
        assert_int_equal(n, 3);
        assert_string_not_equal(nodes[0].name, nodes[1].name);
        assert_int_equal(nodes[0].slots, 2);
        assert_true(nodes[0].price_per_hour == 36);
        assert_int_equal(jobs(), 3);
        assert_int_equal(parcast_allocator_available(a, &available, NULL), PARCAST_OK);
        assert_int_equal(available, 4);
        assert_int_equal(parcast_allocator_release(a, 1, NULL), PARCAST_OK);
        assert_int_equal(parcast_allocator_ready(a), 1);
        await_jobs(1);
    }
    assert_true(parcast_allocator_cost(a) > 0);
    parcast_allocator_close(&a);
    await_jobs(0);
}

static void run_command(const char *command)
{
    char nothing[8];
    output_of(command, nothing, sizeof nothing);
}

/* Of a run that was killed a moment ago, say: what it leaves does not end at once. */
static void nodes_that_are_being_cleared_are_waited_for(void **state)
{
    (void)state;
    char word[32] = "";
    run_command("srun -J stubborn -N4 --exclusive sh -c 'trap \"\" TERM; sleep 300' >/dev/null 2>&1 &");
    for (int i = 0; i < 600 && strcmp(word, "4") != 0; i++) {
        usleep(100000);
        output_of("sinfo -h -t allocated -o %D", word, sizeof word);
    }
    assert_string_equal(word, "4");
    sleep(1); /* the trap is set when the step has begun */
    run_command("scancel --name stubborn");
    output_of("sinfo -h -t completing -o %D", word, sizeof word);
    assert_string_equal(word, "4");
    parcast_allocator *a = open_slurm(most_s);
    assert_int_equal(parcast_allocator_request(a, 1, NULL), PARCAST_OK);
    await_ready(a, 1);
    parcast_allocator_close(&a);
    await_jobs(0);
}

static void the_agent_reaches_each_node_through_its_job(void **state)
{
    (void)state;
    char command[600], word[64];
    size_t n;
    parcast_allocator *a = open_slurm(most_s);
    assert_int_equal(parcast_allocator_request(a, 2, NULL), PARCAST_OK);
    await_ready(a, 2);
    const parcast_held_node *nodes = parcast_allocator_nodes(a, &n);
    for (size_t i = 0; i < n; i++) {
        snprintf(command, sizeof command, "%s -x %s 'echo $SLURMD_NODENAME'", parcast_allocator_agent(a),
                 nodes[i].name);
        output_of(command, word, sizeof word);
        assert_string_equal(word, nodes[i].name);
    }
    snprintf(command, sizeof command, "%s n9 hostname 2>&1", parcast_allocator_agent(a));
    output_of(command, word, sizeof word);
    assert_non_null(strstr(word, "not held"));
    parcast_allocator_close(&a);
}

static int make_session(const char *folder, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, S_IRWXU), 0);
    snprintf(path, sizeof path, "%s/%s/lock", folder, name);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(lock >= 0);
    return lock;
}

static int count_entries(const char *path)
{
    int n = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        n += entry->d_name[0] != '.';
    closedir(folder);
    return n;
}

/* All nodes are one machine here, and Open MPI's daemons clear each other's folders there as they start. */
static void each_daemon_has_a_session_folder_to_itself(void **state)
{
    (void)state;
    char folder[] = "/tmp/parcast-test-session-XXXXXX", command[900], words[2][300];
    size_t n;
    assert_non_null(mkdtemp(folder));
    close(make_session(folder, "parcast-mpi-dead"));
    int alive = make_session(folder, "parcast-mpi-alive");
    assert_int_equal(flock(alive, LOCK_EX), 0);
    parcast_allocator *a = open_slurm(most_s);
    assert_int_equal(parcast_allocator_request(a, 2, NULL), PARCAST_OK);
    await_ready(a, 2);
    const parcast_held_node *nodes = parcast_allocator_nodes(a, &n);
    for (size_t i = 0; i < 2; i++) {
        snprintf(command, sizeof command,
                 "said=$(TMPDIR=%s %s %s 'test -d \"$OMPI_MCA_orte_tmpdir_base\" && "
                 "echo \"$OMPI_MCA_orte_tmpdir_base\"; exit 3' 2>/dev/null); [ $? = 3 ] && echo \"$said\"",
                 folder, parcast_allocator_agent(a), nodes[i].name);
        output_of(command, words[i], sizeof words[i]);
        assert_int_equal(strncmp(words[i], folder, strlen(folder)), 0);
    }
    assert_string_not_equal(words[0], words[1]);
    assert_int_equal(count_entries(folder), 1); /* the one that lives */
    close(alive);
    snprintf(command, sizeof command, "TMPDIR=%s %s %s true", folder, parcast_allocator_agent(a),
             nodes[0].name);
    run_command(command);
    assert_int_equal(count_entries(folder), 0);
    assert_int_equal(rmdir(folder), 0);
    parcast_allocator_close(&a);
}

static void a_request_that_must_wait_is_taken_back(void **state)
{
    (void)state;
    parcast_allocator *all = open_slurm(most_s), *late = open_slurm(1);
    assert_int_equal(parcast_allocator_request(all, 4, NULL), PARCAST_OK);
    await_ready(all, 4);
    assert_int_equal(parcast_allocator_request(late, 1, NULL), PARCAST_OK);
    assert_non_null(strstr(await(late, PARCAST_ALLOCATION_REFUSED).text, "taken back"));
    await_jobs(4);
    assert_int_equal(parcast_allocator_release(all, 2, NULL), PARCAST_OK);
    await(late, PARCAST_ALLOCATION_MORE);
    parcast_allocator_close(&late);
    late = open_slurm(most_s);
    assert_int_equal(parcast_allocator_request(late, 1, NULL), PARCAST_OK);
    await_ready(late, 1);
    parcast_allocator_close(&late);
    parcast_allocator_close(&all);
    await_jobs(0);
}

static void a_drained_node_is_wanted_back(void **state)
{
    (void)state;
    char command[200], word[8];
    size_t n;
    parcast_allocator *a = open_slurm(most_s);
    assert_int_equal(parcast_allocator_request(a, 1, NULL), PARCAST_OK);
    await_ready(a, 1);
    char name[64];
    snprintf(name, sizeof name, "%s", parcast_allocator_nodes(a, &n)[0].name);
    snprintf(command, sizeof command, "scontrol update NodeName=%s State=DRAIN Reason=test", name);
    output_of(command, word, sizeof word);
    assert_non_null(strstr(await(a, PARCAST_ALLOCATION_LEAVING).text, name));
    assert_int_equal(parcast_allocator_nodes(a, &n)[0].state, PARCAST_NODE_LEAVING);
    parcast_allocator_close(&a);
    await_jobs(0);
    snprintf(command, sizeof command, "scontrol update NodeName=%s State=RESUME", name);
    output_of(command, word, sizeof word);
}

static void a_node_whose_daemon_is_killed_is_lost(void **state)
{
    (void)state;
    char file[300], name[64];
    size_t n;
    int pid = 0;
    parcast_allocator *a = open_slurm(most_s);
    assert_int_equal(parcast_allocator_request(a, 2, NULL), PARCAST_OK);
    await_ready(a, 2);
    snprintf(name, sizeof name, "%s", parcast_allocator_nodes(a, &n)[1].name);
    snprintf(file, sizeof file, "%s/slurmd.%s.pid", getenv("SLURM_PIDS"), name);
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    assert_int_equal(fscanf(stream, "%d", &pid), 1);
    fclose(stream);
    assert_true(pid > 1);
    assert_int_equal(kill(pid, SIGKILL), 0);
    parcast_allocator_suspect(a, name); /* a launcher would notice at once; Slurm after SlurmdTimeout */
    assert_non_null(strstr(await(a, PARCAST_ALLOCATION_LOST).text, name));
    assert_int_equal(parcast_allocator_ready(a), 1);
    assert_string_not_equal(parcast_allocator_nodes(a, &n)[0].name, name);
    parcast_allocator_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_come_as_companion_jobs_and_go_again),
        cmocka_unit_test(nodes_that_are_being_cleared_are_waited_for),
        cmocka_unit_test(the_agent_reaches_each_node_through_its_job),
        cmocka_unit_test(each_daemon_has_a_session_folder_to_itself),
        cmocka_unit_test(a_request_that_must_wait_is_taken_back),
        cmocka_unit_test(a_drained_node_is_wanted_back),
        cmocka_unit_test(a_node_whose_daemon_is_killed_is_lost),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
