/* The emulated cluster as its users see it: the specification, the shim, nodes that come up and go. */
#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { TEXT_BYTES = 1 << 16, UNPERMITTED = 77 };

static char folder[] = "/tmp/parcast-cluster-XXXXXX";

struct outcome {
    int status;
    char text[TEXT_BYTES];
};

static int create_folder(void **state)
{
    (void)state;
    char name[16];
    if (!mkdtemp(folder) || chdir(folder) != 0) return -1;
    snprintf(name, sizeof name, "t%d", (int)getpid() % 100000);
    setenv("CLUSTER", name, 1);
    setenv("CLUSTER_BUILD", BUILD, 1);
    return 0;
}

static struct outcome run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A command of the shell; both its outputs in one text. */
static struct outcome run(const char *format, ...)
{
    struct outcome outcome = {.status = -1};
    char command[4096], words[4200];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    snprintf(words, sizeof words, "{ %s\n} 2>&1", command);
    FILE *out = popen(words, "r");
    if (!out) return outcome;
    size_t length = fread(outcome.text, 1, sizeof outcome.text - 1, out);
    outcome.text[length] = '\0';
    int status = pclose(out);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

static int remove_folder(void **state)
{
    (void)state;
    if (geteuid() == 0) run("%s down --force", CLUSTER_PROGRAM);
    run("rm -rf /run/parcast-cluster/$CLUSTER %s", folder);
    return 0;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct outcome read_spec(const char *text)
{
    write_file("spec.yaml", text);
    return run("awk -v file=spec.yaml -f %s/spec.awk spec.yaml", VALIDATION);
}

static void a_specification_becomes_a_line_for_every_node(void **state)
{
    (void)state;
    struct outcome o = read_spec("latency: 0.05 ms # one way\nnodes:\n"
                                 "  - {name: big, count: 2, cores: 4, speed: 1/4, link: 400 Mbit/s}\n"
                                 "  - {name: small, speed: 0.06, link: 100 Mbit/s}\n");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.text, "latency 50000\n1 big1 4 0.25 400000000\n2 big2 4 0.25 400000000\n"
                                "3 small 1 0.06 100000000\n");
}

static void a_mistake_in_a_specification_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"  - {name: a, sped: 0.1}", "spec.yaml:2: unknown key 'sped'"},
        {"  - {name: a, speed: 2}", "spec.yaml:2: speed must be above 0"},
        {"  - {name: a, speed: x}", "spec.yaml:2: speed 'x'"},
        {"  - {name: a, cores: 0}", "spec.yaml:2: cores must be"},
        {"  - {name: a, link: 400 MB/s}", "spec.yaml:2: '400 MB/s' is no rate"},
        {"  - {name: a b}", "spec.yaml:2: a node needs a name"},
        {"  - {name: a}\n  - {name: a}", "spec.yaml:3: two nodes are called 'a'"},
        {"  - {name: a, count: 17}", "spec.yaml:2: count must be"},
        {"latency: 5", "spec.yaml:2: '5' has no unit"},
        {"latency: much", "spec.yaml:2: 'much' is no time"},
        {"nodes [", "spec.yaml:2: not understood"},
        {"", "no nodes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "nodes:\n%s\n", cases[i].line);
        struct outcome o = read_spec(text);
        assert_int_equal(o.status, 3);
        if (!strstr(o.text, cases[i].says)) fail_msg("'%s' says '%s'", cases[i].line, o.text);
    }
}

static struct outcome place(int n, const char *how, const char *list)
{
    write_file("nodes", "1 a 2 0.1 1e8 A 0\n2 b 1 0.1 1e8 B 0\n3 c 3 0.1 1e8 C 0\n");
    return run("printf '%s' | awk -v n=%d -v how=%s -f %s/place.awk nodes %s | tr '\\n' ' '", list, n, how,
               VALIDATION, *list ? "-" : "");
}

static void ranks_are_placed_as_the_forecast_places_them(void **state)
{
    (void)state;
    assert_string_equal(place(4, "fill", "").text, "A A B C ");
    assert_string_equal(place(4, "spread", "").text, "A B C A ");
    assert_string_equal(place(6, "spread", "").text, "A B C A C C ");
    assert_string_equal(place(3, "list", "c\\na\\nc\\n").text, "C A C ");
    assert_non_null(strstr(place(7, "fill", "").text, "7 ranks, but the cluster has 6 cores"));
    assert_non_null(strstr(place(2, "list", "b\\nb\\n").text, "node 'b' has 1 cores only"));
    assert_non_null(strstr(place(1, "list", "d\\n").text, "there is no node 'd'"));
}

static void whoever_is_not_root_is_told_so(void **state)
{
    (void)state;
    write_file("spec.yaml", "nodes:\n  - {name: a}\n");
    const char *as_other = geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups" : "";
    if (run("%s test -x %s", as_other, CLUSTER_PROGRAM).status) { /* below root's home, say */
        print_message("others than root may not enter the folder of %s\n", CLUSTER_PROGRAM);
        skip();
    }
    struct outcome o = run("chmod 755 . && %s %s up spec.yaml", as_other, CLUSTER_PROGRAM);
    assert_int_equal(o.status, UNPERMITTED);
    assert_non_null(strstr(o.text, "must be root"));
}

static double time_of(const struct outcome *o)
{
    const char *text = strstr(o->text, "time_s ");
    assert_int_equal(o->status, 0);
    assert_non_null(text);
    return strtod(text + strlen("time_s "), NULL);
}

static void computing_takes_as_much_longer_as_the_node_is_slower(void **state)
{
    (void)state;
    const char *program = MPIEXEC_OPENMPI " -n 2 -x LD_PRELOAD=" SHIM;
    struct outcome real = run("CLUSTER_SPEED=0.25 %s %s/skeleton.openmpi ring 0.005 20", program, PROGRAMS);
    assert_true(time_of(&real) >= 20 * 0.005 / 0.25);
    struct outcome slept =
        run("CLUSTER_SLEEP=1 CLUSTER_SPEED=0.001 %s %s/skeleton.openmpi ring 0.0005 5", program, PROGRAMS);
    assert_true(time_of(&slept) >= 5 * 0.0005 / 0.001);
    struct outcome bad = run("CLUSTER_SPEED=2 %s %s/skeleton.openmpi ring 0.0005 5", program, PROGRAMS);
    assert_non_null(strstr(bad.text, "CLUSTER_SPEED is '2'"));
}

static json_t *record(const char *launcher, const char *study, const char *variables)
{
    json_error_t error;
    struct outcome o =
        run("%s %s record -q --json -s %s -n 3 --mpiexec '%s' -- %s/skeleton.openmpi halo 0.002 10 >out.json",
            variables, PARCAST_PROGRAM, study, launcher, PROGRAMS);
    if (o.status) fail_msg("%s", o.text);
    json_t *root = json_load_file("out.json", 0, &error);
    assert_non_null(root);
    return root;
}

static json_t *first_run(const json_t *root)
{
    return json_array_get(json_object_get(root, "runs"), 0);
}

static long calls_of(const json_t *root, const char *name)
{
    size_t i;
    json_t *call;
    json_array_foreach(json_object_get(first_run(root), "calls"), i,
                       call) if (strcmp(json_string_value(json_object_get(call, "name")), name) ==
                                 0) return (long)json_integer_value(json_object_get(call, "count"));
    return 0;
}

static void cluster_is_up_or_skip(const char *spec)
{
    write_file("spec.yaml", spec);
    struct outcome o = run("%s up spec.yaml", CLUSTER_PROGRAM);
    if (o.status == UNPERMITTED) {
        printf("%s", o.text);
        skip();
    }
    if (o.status) fail_msg("%s", o.text);
}

static const char two_nodes[] = "nodes:\n  - {name: fast, cores: 2, speed: 0.2, link: 400 Mbit/s}\n"
                                "  - {name: slow, cores: 1, speed: 0.1, link: 100 Mbit/s}\n";

static void a_recorded_run_shows_the_nodes_as_they_are_emulated(void **state)
{
    (void)state;
    cluster_is_up_or_skip(two_nodes);
    json_t *root = record(CLUSTER_PROGRAM " mpiexec", "a.parcast", "");
    json_t *nodes = json_object_get(first_run(root), "nodes"),
           *ranks = json_object_get(first_run(root), "ranks_detail");
    assert_int_equal(json_array_size(nodes), 2);
    static const char *const names[] = {"fast", "slow"};
    for (size_t i = 0; i < 2; i++) {
        json_t *node = json_array_get(nodes, i);
        assert_string_equal(json_string_value(json_object_get(node, "name")), names[i]);
        assert_int_equal(json_integer_value(json_object_get(node, "ranks")), 2 - (int)i);
        assert_int_equal(json_integer_value(json_object_get(node, "allowed_cores")), 2 - (int)i);
    }
    assert_true(json_is_false(json_object_get(first_run(root), "oversubscribed")));
    /* computing is what was computed, by the speed; the CPU time is what this machine took for it */
    for (size_t rank = 0; rank < 3; rank++) {
        json_t *detail = json_array_get(ranks, rank);
        assert_true(json_number_value(json_object_get(detail, "compute_s")) >=
                    0.99 * 10 * 0.002 / (rank < 2 ? 0.2 : 0.1));
    }
    json_decref(root);
}

static void the_shim_hides_no_call_from_the_recorder_and_adds_none(void **state)
{
    (void)state;
    static const char *const names[] = {"MPI_Init",    "MPI_Sendrecv", "MPI_Allreduce",
                                        "MPI_Barrier", "MPI_Reduce",   "MPI_Finalize"};
    json_t *plain = record(MPIEXEC_OPENMPI, "b.parcast", "");
    json_t *slowed = record(MPIEXEC_OPENMPI " -x LD_PRELOAD=" SHIM ":" BUILD "/libparcast-record.so",
                            "b.parcast", "CLUSTER_SPEED=0.2");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_true(calls_of(plain, names[i]) > 0);
        assert_int_equal(calls_of(slowed, names[i]), calls_of(plain, names[i]));
    }
    assert_int_equal(json_array_size(json_object_get(first_run(slowed), "calls")),
                     json_array_size(json_object_get(first_run(plain), "calls")));
    json_decref(plain);
    json_decref(slowed);
}

static void a_message_to_another_node_takes_the_latency_and_all_of_it_arrives(void **state)
{
    (void)state;
    cluster_is_up_or_skip("latency: 2 ms\nnodes:\n  - {name: a, count: 2, link: 400 Mbit/s}\n");
    struct outcome o = run("%s run --sleep -- %s/skeleton.openmpi ring 0 20 8", CLUSTER_PROGRAM, PROGRAMS);
    assert_true(time_of(&o) >= 20 * 0.002);
    o = run("%s run --sleep -- %s/skeleton.openmpi ring 0 3 2000000", CLUSTER_PROGRAM, PROGRAMS);
    assert_true(time_of(&o) >= 3 * 2e6 * 8 / 400e6);
}

static int leftovers(void)
{
    struct outcome o =
        run("{ ip netns list; ip -o link; } | grep -c -e pc-$CLUSTER- -e pcv-$CLUSTER- -e pcb-$CLUSTER");
    return atoi(o.text);
}

static void down_leaves_nothing_behind(void **state)
{
    (void)state;
    cluster_is_up_or_skip(two_nodes);
    assert_true(leftovers() > 0);
    struct outcome o = run("%s down", CLUSTER_PROGRAM);
    assert_int_equal(o.status, 0);
    assert_int_equal(leftovers(), 0);
}

/* Starts a command of the cluster, kills it and nothing else after some time. */
static void kill_after(const char *words, int milliseconds)
{
    run("%s %s >killed.log 2>&1 & killed=$!; sleep %d.%03d; kill -KILL $killed", CLUSTER_PROGRAM, words,
        milliseconds / 1000, milliseconds % 1000);
}

static void what_a_killed_up_or_run_left_goes_with_the_next_down(void **state)
{
    (void)state;
    cluster_is_up_or_skip(two_nodes);
    kill_after("run --sleep -- " PROGRAMS "/skeleton.openmpi ring 0.1 10000", 2000);
    struct outcome o = run("%s down --force", CLUSTER_PROGRAM);
    assert_int_equal(o.status, 0);
    assert_int_equal(leftovers(), 0);
    assert_int_equal(atoi(run("pgrep -fc '[s]keleton.openmpi ring 0.1 10000'").text), 0);
    for (int ms = 150; ms <= 750; ms += 200) {
        kill_after("up spec.yaml", ms);
        o = run("%s down", CLUSTER_PROGRAM);
        assert_int_equal(o.status, 0);
        assert_int_equal(leftovers(), 0);
    }
}

static void a_run_that_is_under_way_is_not_taken_down(void **state)
{
    (void)state;
    cluster_is_up_or_skip(two_nodes);
    struct outcome o =
        run("%s run --sleep -- sh -c \": >$PWD/begun; until [ -e $PWD/go ]; do sleep 0.05; done; "
            "exec %s/skeleton.openmpi ring 0.05 10\" & "
            "until [ -e begun ]; do sleep 0.05; done; %s up spec.yaml; echo status $?; : >go; wait",
            CLUSTER_PROGRAM, PROGRAMS, CLUSTER_PROGRAM);
    assert_non_null(strstr(o.text, "a run is under way"));
    assert_non_null(strstr(o.text, "status 1"));
    assert_non_null(strstr(o.text, "time_s "));
}

static void a_run_passes_on_the_status_of_the_program(void **state)
{
    (void)state;
    cluster_is_up_or_skip(two_nodes);
    assert_int_equal(run("%s run -n 2 -- sh -c 'exit 7'", CLUSTER_PROGRAM).status, 7);
    assert_int_equal(run("%s run -n 99 -- true", CLUSTER_PROGRAM).status, 2);
    struct outcome o = run("%s run -n 2 --place slow,fast -- hostname", CLUSTER_PROGRAM);
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.text, "slow\n"));
    assert_non_null(strstr(o.text, "fast\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_specification_becomes_a_line_for_every_node),
        cmocka_unit_test(a_mistake_in_a_specification_is_named_with_its_line),
        cmocka_unit_test(ranks_are_placed_as_the_forecast_places_them),
        cmocka_unit_test(whoever_is_not_root_is_told_so),
        cmocka_unit_test(computing_takes_as_much_longer_as_the_node_is_slower),
        cmocka_unit_test(the_shim_hides_no_call_from_the_recorder_and_adds_none),
        cmocka_unit_test(a_recorded_run_shows_the_nodes_as_they_are_emulated),
        cmocka_unit_test(a_message_to_another_node_takes_the_latency_and_all_of_it_arrives),
        cmocka_unit_test(a_run_passes_on_the_status_of_the_program),
        cmocka_unit_test(a_run_that_is_under_way_is_not_taken_down),
        cmocka_unit_test(down_leaves_nothing_behind),
        cmocka_unit_test(what_a_killed_up_or_run_left_goes_with_the_next_down),
    };
    return cmocka_run_group_tests(tests, create_folder, remove_folder);
}
