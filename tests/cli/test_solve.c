/* parcast solve as its users start it: every published case, and everything that can be wrong with the input.
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

struct outcome {
    int status;
    char *out, *err;
};

static char folder[] = "/tmp/parcast-solve-XXXXXX";

static char *read_file(const char *name)
{
    char path[256];
    enum { MAX_TEXT = 1 << 20 };
    char *text = malloc(MAX_TEXT);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(text);
    size_t size = fread(text, 1, MAX_TEXT - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

static void write_input(const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/input.json", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Runs `parcast solve OPTIONS input.json` on the text. */
static struct outcome run(const char *options, const char *text)
{
    char command[1024];
    write_input(text);
    snprintf(command, sizeof command, "'%s' solve %s %s/input.json >%s/out 2>%s/err", PARCAST_PROGRAM,
             options, folder, folder, folder);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return (struct outcome){WEXITSTATUS(status), read_file("out"), read_file("err")};
}

static void forget(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
}

static const char *method_of(const char *kind)
{
    if (strncmp(kind, "bounds", 6) == 0) return "bounds";
    return strncmp(kind, "approx-schweitzer", 17) == 0 ? "schweitzer" : "exact";
}

/* Equal shapes, nulls at the same places, numbers within the tolerance of the case. */
static void compare(const char *id, const json_t *expected, const json_t *found, double tolerance)
{
    if (json_is_array(expected)) {
        assert_int_equal(json_array_size(expected), json_array_size(found));
        for (size_t i = 0; i < json_array_size(expected); i++)
            compare(id, json_array_get(expected, i), json_array_get(found, i), tolerance);
        return;
    }
    assert_int_equal(json_is_null(expected), json_is_null(found));
    if (json_is_null(expected)) return;
    double right = json_number_value(expected), value = json_number_value(found);
    if (!(fabs(value - right) <= tolerance * fmax(1, fabs(right))))
        fail_msg("%s: %.17g, not %.17g", id, value, right);
}

static void compare_bounds(const char *id, const json_t *expected, const json_t *found, double tolerance)
{
    static const char *const kinds[] = {"aba", "bjb", "pb", "gb"};
    const json_t *bounds = json_object_get(found, "bounds");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const json_t *right = json_object_get(expected, kinds[i]), *kind = json_object_get(bounds, kinds[i]);
        assert_int_equal(right == NULL, kind == NULL);
        if (!right) continue;
        const json_t *throughput = json_object_get(kind, "throughput_per_s");
        const json_t *response = json_object_get(kind, "response_s");
        compare(id, json_object_get(right, "X_lower"), json_array_get(throughput, 0), tolerance);
        compare(id, json_object_get(right, "X_upper"), json_array_get(throughput, 1), tolerance);
        compare(id, json_object_get(right, "R_lower"), json_array_get(response, 0), tolerance);
        compare(id, json_object_get(right, "R_upper"), json_array_get(response, 1), tolerance);
    }
}

static void compare_solution(const char *id, const json_t *expected, const json_t *found, double tolerance)
{
    static const struct {
        const char *expected, *found;
    } fields[] = {{"X", "throughput_per_s"},
                  {"R_total", "response_s"},
                  {"Q", "queue_length"},
                  {"R", "residence_s"},
                  {"U", "utilization"}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        compare(id, json_object_get(expected, fields[i].expected), json_object_get(found, fields[i].found),
                tolerance);
}

static void check_case(json_t *entry)
{
    const char *id = json_string_value(json_object_get(entry, "id"));
    const char *method = method_of(json_string_value(json_object_get(entry, "kind")));
    json_t *network = json_object_get(entry, "network");
    json_object_set_new(network, "schema", json_string("parcast.network/1"));
    char *text = json_dumps(network, JSON_REAL_PRECISION(17)), options[64];
    snprintf(options, sizeof options, "--json --method %s", method);
    struct outcome outcome = run(options, text);
    free(text);
    if (outcome.status != 0) fail_msg("%s: %s", id, outcome.err);
    json_t *found = json_loads(outcome.out, 0, NULL);
    assert_non_null(found);
    assert_string_equal(json_string_value(json_object_get(found, "schema")), "parcast.solve/1");
    assert_string_equal(json_string_value(json_object_get(found, "method")), method);
    double tolerance = json_number_value(json_object_get(entry, "rel_tol"));
    (strcmp(method, "bounds") == 0 ? compare_bounds : compare_solution)(
        id, json_object_get(entry, "expected"), found, tolerance);
    json_decref(found);
    forget(&outcome);
}

static void every_published_case_holds_through_the_command(void **state)
{
    (void)state;
    json_t *file = json_load_file(TEST_DATA "/queueing_cases.json", 0, NULL);
    json_t *cases = json_object_get(file, "cases"), *entry;
    size_t i;
    assert_true(json_array_size(cases) == 14);
    json_array_foreach(cases, i, entry) check_case(entry);
    json_decref(file);
}

static void expect_failure(const char *options, const char *text, int status, const char *words)
{
    struct outcome outcome = run(options, text);
    if (outcome.status != status) fail_msg("exit status %d, not %d: %s", outcome.status, status, outcome.err);
    assert_string_equal(outcome.out, "");
    assert_non_null(strstr(outcome.err, "parcast solve: error: "));
    if (!strstr(outcome.err, words)) fail_msg("'%s' is not in: %s", words, outcome.err);
    forget(&outcome);
}

static void malformed_networks_are_refused_with_the_field(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "input.json"},
        {"[1,2]", "JSON object"},
        {"{\"classes\":1", "input.json:1:"},
        {"{\"schema\":\"parcast.network/2\"}", "parcast.network/2"},
        {"{\"clases\":1}", "'clases'"},
        {"{\"classes\":0,\"stations\":1}", "'classes'"},
        {"{\"classes\":1.5,\"stations\":1}", "'classes'"},
        {"{\"classes\":1}", "'stations'"},
        {"{\"classes\":4000000000,\"stations\":4000000000,\"servers\":[1]}", "'servers'"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[0],\"N\":[1],\"V\":[[1]],\"S\":[[1]]}", "servers[0]"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[-1],\"V\":[[1]],\"S\":[[1]]}", "'N[0]'"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[\"x\"],\"V\":[[1]],\"S\":[[1]]}", "'N[0]'"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1,2]],\"S\":[[1]]}", "'V[0]'"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1]],\"S\":[[null]]}", "'S[0][0]'"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1]],\"S\":[[-1]]}", "S[0][0]"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1]],\"S\":[[0]]}", "class 0"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1]],\"S\":[[1]],\"Z\":[-1]}",
         "Z[0]"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1]],\"S\":[[1]],\"rates\":[[]]}",
         "rates[0]"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1]],\"S\":[[1]],\"rates\":[[0]]}",
         "rates[0][0]"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1]],\"S\":[[1]],\"lambda\":[1]}",
         "class 0"},
        {"{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1e300]],\"S\":[[1e300]]}",
         "V[0][0]"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_failure("--json", bad[i].text, 3, bad[i].words);
}

static void an_overloaded_station_is_named(void **state)
{
    (void)state;
    expect_failure("",
                   "{\"classes\":2,\"stations\":2,\"servers\":[1,1],\"N\":[0,3],\"lambda\":[0.5,0],"
                   "\"V\":[[1,1],[1,1]],\"S\":[[1,2],[1,1]]}",
                   3, "station 1 is overloaded");
}

static void a_lattice_that_is_too_large_is_refused_with_its_size(void **state)
{
    (void)state;
    const char *text = "{\"classes\":4,\"stations\":2,\"servers\":[1,2],\"N\":[999,999,999,999],"
                       "\"V\":[[1,1],[1,1],[1,1],[1,1]],\"S\":[[1,2],[1,1],[2,1],[1,3]]}";
    expect_failure("", text, 1, "1000000000000 points");
    struct outcome outcome = run("--method linearizer --json", text);
    assert_int_equal(outcome.status, 0);
    forget(&outcome);
}

static void wrong_usage_is_status_2(void **state)
{
    (void)state;
    const char *text = "{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[1],\"V\":[[1]],\"S\":[[1]]}";
    expect_failure("--method magic", text, 2, "'magic'");
    expect_failure("--nonsense", text, 2, "--nonsense");
    expect_failure("another.json", text, 2, "one network");
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "'%s' solve /nowhere/net.json 2>%s/err", PARCAST_PROGRAM, folder);
    int status = system(command);
    char *text = read_file("err");
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_non_null(strstr(text, "/nowhere/net.json"));
    free(text);
}

static void the_table_for_people_holds_the_same_numbers(void **state)
{
    (void)state;
    struct outcome outcome = run("", "{\"classes\":1,\"stations\":2,\"servers\":[1,-1],\"N\":[1],\"Z\":[1],"
                                     "\"V\":[[1,1]],\"S\":[[1,2]]}");
    assert_int_equal(outcome.status, 0);
    assert_non_null(strstr(outcome.out, "0.25"));
    assert_non_null(strstr(outcome.out, "delay"));
    assert_string_equal(outcome.err, "");
    forget(&outcome);
}

static void a_network_may_come_from_standard_input(void **state)
{
    (void)state;
    char command[1024];
    write_input("{\"classes\":1,\"stations\":1,\"servers\":[1],\"N\":[2],\"V\":[[1]],\"S\":[[0.5]]}");
    snprintf(command, sizeof command, "'%s' solve --json - <%s/input.json >%s/out", PARCAST_PROGRAM, folder,
             folder);
    assert_int_equal(system(command), 0);
    char *text = read_file("out");
    assert_non_null(strstr(text, "2.0"));
    free(text);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"input.json", "out", "err"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_case_holds_through_the_command),
        cmocka_unit_test(malformed_networks_are_refused_with_the_field),
        cmocka_unit_test(an_overloaded_station_is_named),
        cmocka_unit_test(a_lattice_that_is_too_large_is_refused_with_its_size),
        cmocka_unit_test(wrong_usage_is_status_2),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(the_table_for_people_holds_the_same_numbers),
        cmocka_unit_test(a_network_may_come_from_standard_input),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
