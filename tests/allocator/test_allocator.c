/* Allocators: this machine, and lists of hosts reached by a stand-in for ssh. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "allocator/charge.h"
#include "allocator/hosts_file.h"
#include "parcast/allocator.h"

static const double most_wait_s = 60; /* for what comes at once on a quiet machine */
static char folder[] = "/tmp/parcast-test-XXXXXX";
static char path[256], spec[300];

static void write_text(const char *name, const char *text)
{
    char file[512];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static void remove_text(const char *name)
{
    char file[512];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    unlink(file);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/hosts", folder);
    snprintf(spec, sizeof spec, "hosts:%s", path);
    return setenv("FAKE_HOSTS", folder, 1);
}

static int run_command(const char *command)
{
    return system(command); /* NOLINT(cert-env33-c): in our own folder */
}

static int tear_down(void **state)
{
    char command[512];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return run_command(command);
}

/* Hosts that a case took down, and its list, are not the next one's, however the case ended. */
static int clear(void **state)
{
    char command[512];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    return run_command(command);
}

static const char platform_text[] =
    "schema: parcast.platform/1\n"
    "name: test\n"
    "billing_unit: 1 min\n"
    "nodes:\n"
    "  - {type: big, count: 2, cores: 8, price_per_hour: 6, hosts: [alpha, beta]}\n"
    "  - {type: node, count: 4, cores: 2, price_per_hour: 1}\n"
    "network: {latency: 30 us, bandwidth: 1 Gbit/s}\n";

static parcast_platform *platform(void)
{
    parcast_platform *p;
    assert_int_equal(parcast_platform_parse(platform_text, strlen(platform_text), "test", &p, NULL),
                     PARCAST_OK);
    return p;
}

static parcast_allocator *open_hosts(const parcast_platform *p)
{
    parcast_allocator_options o = {.platform = p, .shell = FAKE_RSH, .patience_s = most_wait_s};
    parcast_allocator *a;
    parcast_error error;
    if (parcast_allocator_open(spec, &o, &a, &error)) fail_msg("%s: %s", error.source, error.text);
    return a;
}

/* Waits for an event of a kind; others are passed over. */
static parcast_allocation_event await(parcast_allocator *a, parcast_allocation_event_kind kind)
{
    parcast_allocation_event event = {.kind = PARCAST_ALLOCATION_NONE};
    double until_s = parcast_allocator_elapsed(a) + most_wait_s;
    while (parcast_allocator_elapsed(a) < until_s) {
        assert_int_equal(parcast_allocator_wait(a, 0.5, &event, NULL), PARCAST_OK);
        if (event.kind == kind) return event;
        if (event.kind != PARCAST_ALLOCATION_NONE)
            print_message("an event of kind %d: %s\n", (int)event.kind, event.text);
    }
    fail_msg("no event of kind %d within %g s", (int)kind, most_wait_s);
    return event;
}

static void await_ready(parcast_allocator *a, int n)
{
    while (parcast_allocator_ready(a) < n) await(a, PARCAST_ALLOCATION_READY);
}

/* ---- prices ---- */

static void a_node_costs_whole_billing_units(void **state)
{
    (void)state;
    assert_true(charge(36, 60, 60) == 0.6);
    assert_true(charge(36, 60.001, 60) == 1.2);
    assert_true(fabs(charge(36, 90, 0) - 0.9) < 1e-12);
    assert_true(charge(36, 0, 60) == 0);
    assert_true(isnan(charge(NAN, 60, 60)));
}

/* ---- local ---- */

static void this_machine_gives_its_nodes_at_once(void **state)
{
    (void)state;
    parcast_platform *p = platform();
    parcast_allocator_options o = {.platform = p, .max_nodes = 3};
    parcast_allocator *a;
    int n;
    size_t held;
    assert_int_equal(parcast_allocator_open("local", &o, &a, NULL), PARCAST_OK);
    assert_int_equal(parcast_allocator_available(a, &n, NULL), PARCAST_OK);
    assert_int_equal(n, 3);
    assert_null(parcast_allocator_agent(a));
    assert_int_equal(parcast_allocator_request(a, 3, NULL), PARCAST_OK);
    parcast_allocation_event event = await(a, PARCAST_ALLOCATION_READY);
    assert_int_equal(event.n_nodes, 3);
    assert_true(event.complete);
    const parcast_held_node *nodes = parcast_allocator_nodes(a, &held);
    assert_int_equal(held, 3);
    assert_true(nodes[0].price_per_hour == 6 && nodes[2].price_per_hour == 1);
    assert_true(nodes[0].slots == 8 && nodes[2].slots == 2); /* the cores of their types */
    /* a minute of each has begun */
    assert_true(fabs(parcast_allocator_cost(a) - (6 + 6 + 1) / 60.0) < 1e-9);
    assert_int_equal(parcast_allocator_release(a, 1, NULL), PARCAST_OK);
    assert_int_equal(parcast_allocator_ready(a), 1);
    parcast_allocator_nodes(a, &held);
    assert_int_equal(held, 1);
    assert_int_equal(parcast_allocator_request(a, 4, NULL), PARCAST_INVALID);
    assert_int_equal(parcast_allocator_wait(a, 0, &event, NULL), PARCAST_OK);
    assert_int_equal(event.kind, PARCAST_ALLOCATION_NONE);
    parcast_allocator_close(&a);
    assert_null(a);
    parcast_platform_destroy(&p);
}

static void a_node_of_this_machine_has_as_many_cores_as_ranks(void **state)
{
    (void)state;
    parcast_allocator *a;
    int all, halves, huge;
    parcast_allocator_options options[] = {{0}, {.ranks_per_node = 2}, {.ranks_per_node = 100000}};
    int *counts[] = {&all, &halves, &huge};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(parcast_allocator_open("local", &options[i], &a, NULL), PARCAST_OK);
        assert_int_equal(parcast_allocator_available(a, counts[i], NULL), PARCAST_OK);
        parcast_allocator_close(&a);
    }
    assert_true(all >= 1);
    assert_int_equal(halves, all / 2 > 0 ? all / 2 : 1);
    assert_int_equal(huge, 1);
}

static void what_is_no_allocator_is_refused(void **state)
{
    (void)state;
    parcast_allocator *a = NULL;
    parcast_error error;
    assert_int_equal(parcast_allocator_open("moon", NULL, &a, &error), PARCAST_INVALID);
    assert_non_null(strstr(error.text, "local, hosts:FILE or slurm"));
    assert_int_equal(parcast_allocator_open("local:3", NULL, &a, &error), PARCAST_INVALID);
    assert_int_equal(parcast_allocator_open("hosts", NULL, &a, &error), PARCAST_INVALID);
    assert_int_equal(parcast_allocator_open("hosts:/none/such", NULL, &a, &error), PARCAST_NOT_FOUND);
    assert_int_equal(parcast_allocator_open(
                         "local", &(parcast_allocator_options){.min_nodes = 3, .max_nodes = 2}, &a, &error),
                     PARCAST_INVALID);
    assert_int_equal(
        parcast_allocator_open("local", &(parcast_allocator_options){.min_nodes = 100000}, &a, &error),
        PARCAST_DATA);
    assert_non_null(strstr(error.text, "and at least 100000 are needed"));
    assert_null(a);
}

/* ---- the list of hosts ---- */

/* The user did not start the env(1) before it. */
static void a_command_of_slurm_that_fails_is_named(void **state)
{
    (void)state;
    parcast_allocator *a = NULL;
    parcast_error error;
    char *before = strdup(getenv("PATH")), places[4096], command[600];
    assert_non_null(before);
    snprintf(
        command, sizeof command,
        "printf '#!/bin/sh\\necho sinfo: error: no controller\\nexit 3\\n' >%s/sinfo && chmod +x %s/sinfo",
        folder, folder);
    assert_int_equal(run_command(command), 0);
    snprintf(places, sizeof places, "%s:%s", folder, before);
    setenv("PATH", places, 1);
    assert_int_equal(parcast_allocator_open("slurm", NULL, &a, &error), PARCAST_IO);
    assert_string_equal(error.text, "'sinfo' ended with status 3: sinfo: error: no controller");
    snprintf(command, sizeof command, "ln -s \"$(command -v env)\" %s/env && rm %s/sinfo", folder, folder);
    assert_int_equal(run_command(command), 0);
    setenv("PATH", folder, 1);
    assert_int_equal(parcast_allocator_open("slurm", NULL, &a, &error), PARCAST_NOT_FOUND);
    assert_string_equal(error.text, "cannot start 'sinfo': it is not installed");
    setenv("PATH", before, 1);
    free(before);
    assert_null(a);
}

static void lists_of_hosts_are_read(void **state)
{
    (void)state;
    static const char text[] =
        "# ours\nalpha:4\n\nnode01 slots=2 # old\nnode02 type=big\r\nother.example.org\n";
    parcast_platform *p = platform();
    struct host_list list;
    assert_int_equal(host_list_parse(text, strlen(text), "hosts", p, &list, NULL), PARCAST_OK);
    assert_int_equal(list.n, 4);
    assert_string_equal(list.hosts[0].name, "alpha");
    assert_int_equal(list.hosts[0].slots, 4);
    assert_int_equal(list.hosts[0].type, 0);
    assert_int_equal(list.hosts[1].type, 1);
    assert_int_equal(list.hosts[2].type, 0);
    assert_int_equal(list.hosts[3].type, -1);
    assert_int_equal(host_list_find(&list, "node02"), 2);
    host_list_clear(&list);
    parcast_platform_destroy(&p);
}

static void bad_lines_are_refused_with_their_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
    } cases[] = {{"a\na\n", 2},        {"a b\n", 1},
                 {"a:0\n", 1},         {"a:x\n", 1},
                 {"\n-o\n", 2},        {"a;reboot\n", 1},
                 {"a slots=\n", 1},    {"$(x)\n", 1},
                 {"a type=none\n", 1}, {"a slots=99999999999999999999\n", 1},
                 {":3\n", 1}};
    parcast_platform *p = platform();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct host_list list = {NULL, 0};
        parcast_error error;
        parcast_status status =
            host_list_parse(cases[i].text, strlen(cases[i].text), "hosts", p, &list, &error);
        assert_true(status == PARCAST_FORMAT || status == PARCAST_DATA);
        assert_int_equal(error.line, cases[i].line);
        assert_null(list.hosts);
    }
    struct host_list list;
    assert_int_equal(host_list_parse("a\0b", 3, "hosts", p, &list, NULL), PARCAST_FORMAT);
    parcast_platform_destroy(&p);
}

/* ---- hosts ---- */

static void hosts_answer_and_stand_in_the_order_of_the_platform(void **state)
{
    (void)state;
    write_text("hosts", "node1\nnode2 slots=7\nalpha\n");
    parcast_platform *p = platform();
    parcast_allocator *a = open_hosts(p);
    size_t n;
    int available;
    assert_int_equal(parcast_allocator_available(a, &available, NULL), PARCAST_OK);
    assert_int_equal(available, 3);
    assert_int_equal(parcast_allocator_request(a, 3, NULL), PARCAST_OK);
    assert_true(parcast_allocator_descriptor(a) >= 0);
    await_ready(a, 3);
    const parcast_held_node *nodes = parcast_allocator_nodes(a, &n);
    assert_int_equal(n, 3);
    assert_string_equal(nodes[0].name, "alpha");
    assert_string_equal(nodes[1].name, "node1");
    assert_string_equal(nodes[2].name, "node2");
    assert_int_equal(nodes[0].slots, 8);
    assert_int_equal(nodes[1].slots, 2);
    assert_int_equal(nodes[2].slots, 7);
    assert_true(nodes[0].ready_s >= nodes[0].asked_s);
    assert_int_equal(parcast_allocator_release(a, 1, NULL), PARCAST_OK);
    nodes = parcast_allocator_nodes(a, &n);
    assert_int_equal(n, 1);
    assert_string_equal(nodes[0].name, "alpha");
    parcast_allocator_close(&a);
    parcast_platform_destroy(&p);
}

static void a_host_that_is_down_is_refused_and_the_others_come(void **state)
{
    (void)state;
    write_text("hosts", "node1\nnode2\n");
    write_text("node1.down", "");
    parcast_allocator *a = open_hosts(NULL);
    assert_int_equal(parcast_allocator_request(a, 2, NULL), PARCAST_OK);
    parcast_allocation_event event = await(a, PARCAST_ALLOCATION_REFUSED);
    assert_non_null(strstr(event.text, "No route to host"));
    if (parcast_allocator_ready(a) == 0) await_ready(a, 1);
    size_t n;
    assert_string_equal(parcast_allocator_nodes(a, &n)[0].name, "node2");
    assert_true(parcast_allocator_nodes(a, &n)[0].slots >= 1); /* its cores */
    int available;
    assert_int_equal(parcast_allocator_available(a, &available, NULL), PARCAST_OK);
    assert_int_equal(available, 1); /* node1 is left alone for a while */
    assert_true(isnan(parcast_allocator_cost(a)));
    remove_text("node1.down");
    parcast_allocator_close(&a);
}

static void a_silent_host_is_refused_when_patience_ends(void **state)
{
    (void)state;
    write_text("hosts", "node1\n");
    write_text("node1.silent", "");
    parcast_allocator_options o = {.shell = FAKE_RSH, .patience_s = 0.3};
    parcast_allocator *a;
    assert_int_equal(parcast_allocator_open(spec, &o, &a, NULL), PARCAST_OK);
    assert_int_equal(parcast_allocator_request(a, 1, NULL), PARCAST_OK);
    assert_non_null(strstr(await(a, PARCAST_ALLOCATION_REFUSED).text, "no answer in time"));
    remove_text("node1.silent");
    parcast_allocator_close(&a);
}

static void the_list_may_grow_and_shrink_while_it_runs(void **state)
{
    (void)state;
    write_text("hosts", "node1\n");
    parcast_allocator *a = open_hosts(NULL);
    size_t n;
    assert_int_equal(parcast_allocator_request(a, 1, NULL), PARCAST_OK);
    await_ready(a, 1);
    write_text("hosts", "node1\nnode2\n");
    assert_int_equal(await(a, PARCAST_ALLOCATION_MORE).n_nodes, 1);
    assert_int_equal(parcast_allocator_request(a, 2, NULL), PARCAST_OK);
    await_ready(a, 2);
    write_text("hosts", "node2\n");
    assert_non_null(strstr(await(a, PARCAST_ALLOCATION_LEAVING).text, "node1"));
    const parcast_held_node *nodes = parcast_allocator_nodes(a, &n);
    assert_int_equal(n, 2);
    assert_string_equal(nodes[0].name, "node2"); /* the one that stays comes first */
    assert_int_equal(nodes[1].state, PARCAST_NODE_LEAVING);
    assert_int_equal(parcast_allocator_ready(a), 1);
    assert_int_equal(parcast_allocator_release(a, 1, NULL), PARCAST_OK);
    nodes = parcast_allocator_nodes(a, &n);
    assert_int_equal(n, 1);
    write_text("hosts", "node2\n;;\n"); /* a bad file changes nothing */
    assert_non_null(strstr(await(a, PARCAST_ALLOCATION_REFUSED).text, "stays"));
    assert_int_equal(parcast_allocator_ready(a), 1);
    parcast_allocator_close(&a);
}

static void kill_watchers(const char *host)
{
    char file[512];
    long pid;
    snprintf(file, sizeof file, "%s/%s.pids", folder, host);
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    while (fscanf(stream, "%ld", &pid) == 1) kill((pid_t)pid, SIGKILL); /* the stand-in's own processes */
    fclose(stream);
    unlink(file);
}

static void a_host_that_dies_is_lost_and_a_broken_connection_is_not(void **state)
{
    (void)state;
    write_text("hosts", "node1\nnode2\n");
    remove_text("node1.pids");
    remove_text("node2.pids");
    parcast_allocator *a = open_hosts(NULL);
    parcast_allocation_event event;
    size_t n;
    assert_int_equal(parcast_allocator_request(a, 2, NULL), PARCAST_OK);
    await_ready(a, 2);
    kill_watchers("node1"); /* the connection breaks: it is made again */
    for (int i = 0; i < 5; i++) assert_int_equal(parcast_allocator_wait(a, 0.1, &event, NULL), PARCAST_OK);
    assert_int_equal(parcast_allocator_ready(a), 2);
    write_text("node2.down", "");
    kill_watchers("node2");
    event = await(a, PARCAST_ALLOCATION_LOST);
    assert_non_null(strstr(event.text, "node2"));
    assert_int_equal(parcast_allocator_ready(a), 1);
    const parcast_held_node *nodes = parcast_allocator_nodes(a, &n);
    assert_int_equal(n, 2);
    assert_int_equal(nodes[1].state, PARCAST_NODE_LOST);
    assert_int_equal(parcast_allocator_release(a, 1, NULL), PARCAST_OK);
    parcast_allocator_nodes(a, &n);
    assert_int_equal(n, 1);
    write_text("node1.down", "");
    parcast_allocator_suspect(a, "node1"); /* the caller saw it first */
    await(a, PARCAST_ALLOCATION_LOST);
    assert_int_equal(parcast_allocator_ready(a), 0);
    remove_text("node1.down");
    remove_text("node2.down");
    parcast_allocator_close(&a);
}

static void more_than_there_are_is_refused_and_what_waits_can_be_withdrawn(void **state)
{
    (void)state;
    write_text("hosts", "node1\nnode2\n");
    parcast_allocator *a = open_hosts(NULL);
    assert_int_equal(parcast_allocator_request(a, 5, NULL), PARCAST_OK);
    assert_non_null(strstr(await(a, PARCAST_ALLOCATION_REFUSED).text, "no more than 2"));
    assert_int_equal(parcast_allocator_request(a, 1, NULL), PARCAST_OK);
    await_ready(a, 1);
    size_t n;
    parcast_allocator_nodes(a, &n);
    assert_true(n == 1 || parcast_allocator_ready(a) == (int)n); /* the second was ready sooner, or is gone */
    parcast_allocator_close(&a);
}

static void the_agent_runs_a_command_as_launchers_want_it(void **state)
{
    (void)state;
    char command[1024], line[64] = "";
    write_text("hosts", "node1\n");
    parcast_allocator *a = open_hosts(NULL);
    const char *agent = parcast_allocator_agent(a);
    assert_non_null(agent);
    assert_int_equal(access(agent, X_OK), 0);
    snprintf(command, sizeof command, "%s -x -l me node1 echo 'two words' '&&' echo end", agent);
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c): a script that we wrote */
    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof line, pipe));
    assert_string_equal(line, "two words\n");
    assert_non_null(fgets(line, sizeof line, pipe));
    assert_string_equal(line, "end\n");
    assert_int_equal(pclose(pipe), 0);
    char copy[512];
    snprintf(copy, sizeof copy, "%s", agent);
    parcast_allocator_close(&a);
    assert_int_not_equal(access(copy, F_OK), 0);
}

static bool is_there(const char *name)
{
    char file[512];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    return access(file, F_OK) == 0;
}

/* A command that was killed leaves its folder; one that lives, or was begun this moment, must not lose its
 * own. */
static void folders_of_killed_commands_are_swept(void **state)
{
    (void)state;
    write_text("hosts", "node1\n");
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    parcast_allocator *living = open_hosts(NULL);
    char copy[512];
    snprintf(copy, sizeof copy, "%s", parcast_allocator_agent(living));
    *strrchr(copy, '/') = '\0';
    char command[2048];
    snprintf(command, sizeof command,
             "cd %s && mkdir parcast-nodes-old parcast-nodes-kept parcast-nodes-young && "
             "touch parcast-nodes-old/agent parcast-nodes-old/nodes parcast-nodes-kept/mine && "
             "touch -d '2 minutes ago' parcast-nodes-old parcast-nodes-kept %s",
             folder, copy);
    assert_int_equal(run_command(command), 0);
    parcast_allocator *a = open_hosts(NULL);
    assert_false(is_there("parcast-nodes-old"));
    assert_true(is_there("parcast-nodes-kept/mine")); /* not of ours */
    assert_true(is_there("parcast-nodes-young"));
    assert_int_equal(access(parcast_allocator_agent(living), X_OK), 0);
    parcast_allocator_close(&a);
    parcast_allocator_close(&living);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_node_costs_whole_billing_units, clear),
        cmocka_unit_test_setup(this_machine_gives_its_nodes_at_once, clear),
        cmocka_unit_test_setup(a_node_of_this_machine_has_as_many_cores_as_ranks, clear),
        cmocka_unit_test_setup(what_is_no_allocator_is_refused, clear),
        cmocka_unit_test_setup(a_command_of_slurm_that_fails_is_named, clear),
        cmocka_unit_test_setup(lists_of_hosts_are_read, clear),
        cmocka_unit_test_setup(bad_lines_are_refused_with_their_number, clear),
        cmocka_unit_test_setup(hosts_answer_and_stand_in_the_order_of_the_platform, clear),
        cmocka_unit_test_setup(a_host_that_is_down_is_refused_and_the_others_come, clear),
        cmocka_unit_test_setup(a_silent_host_is_refused_when_patience_ends, clear),
        cmocka_unit_test_setup(the_list_may_grow_and_shrink_while_it_runs, clear),
        cmocka_unit_test_setup(a_host_that_dies_is_lost_and_a_broken_connection_is_not, clear),
        cmocka_unit_test_setup(more_than_there_are_is_refused_and_what_waits_can_be_withdrawn, clear),
        cmocka_unit_test_setup(folders_of_killed_commands_are_swept, clear),
        cmocka_unit_test_setup(the_agent_runs_a_command_as_launchers_want_it, clear),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
