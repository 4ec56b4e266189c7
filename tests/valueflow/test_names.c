/* Arrays are called what the source calls them, and functions of libraries that everybody uses are no news.
 */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_cli.h"

static void build(const char *arguments)
{
    struct outcome outcome = run_cli("%s", arguments);
    if (outcome.status) fail_msg("%s: %s%s", arguments, outcome.out, outcome.err);
    outcome_clear(&outcome);
}

/* Is it "blocks of ARRAY" or "blocks of ARRAY (and what else is said of it)", or of equal work of it? */
static bool are_of(const char *blocks, const char *array)
{
    static const char of[] = "blocks of ", equal[] = "equal work of ";
    const char *name = blocks ? strstr(blocks, of) : NULL;
    if (!name) return false;
    name += strlen(of);
    if (strncmp(name, equal, strlen(equal)) == 0) name += strlen(equal);
    if (strncmp(name, array, strlen(array)) != 0) return false;
    const char *behind = name + strlen(array);
    return !*behind || strncmp(behind, " (", 2) == 0;
}

/* The blocks are laid on `array`, and nothing is unknown. */
static void check(const char *program, const char *how, const char *array)
{
    struct outcome outcome = run_cli("estimate -p 4 --json -- ./%s %s", program, how);
    if (outcome.status) fail_msg("%s %s: %s", program, how, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    json_t *point = json_array_get(json_object_get(object, "points"), 0);
    const char *blocks = json_string_value(json_object_get(point, "decomposition_block"));
    if (!blocks) blocks = json_string_value(json_object_get(point, "decomposition")); /* no others are even */
    if (!are_of(blocks, array))
        fail_msg("%s %s: '%s', not of '%s'", program, how, blocks ? blocks : "(none)", array);
    if (json_array_size(json_object_get(object, "not_followed"))) fail_msg("%s", outcome.err);
    json_decref(object);
    outcome_clear(&outcome);
}

static void arrays_of_c_have_their_names(void **state)
{
    (void)state;
    build("cc --values " PROGRAMS "/names.c -o c -lm");
    check("c", "globals", "next");
    check("c", "stack", "cold (main)");
    check("c", "lengths", "crisp (of_any_length)");
    check("c", "members", "now (names.c:54)");
    check("c", "rows", "other (names.c:40)");
}

/* What the function that allocates calls it says nothing. */
static void arrays_that_a_function_returns_are_called_by_its_caller(void **state)
{
    (void)state;
    build("cc --values --region kernel " VARIANTS "/allocated_rows.c -o rows");
    check("rows", "0", "v");
    check("rows", "1", "v");
    build("-h >/dev/null; grep -v include " KERNELS "/kernel.h >filled.c; "
          "\"$PARCAST\" cc --values -c -Dinline= -Dstatic= -include stdio.h -include stdlib.h filled.c && "
          "sed 's/#include \"kernel.h\"/#include <stdio.h>\\ndouble *filled(long n);/; s/argument(argc, "
          "argv, 1)/atol(argv[1])/' " KERNELS
          "/lu.c >lu.c && \"$PARCAST\" cc --values -include stdlib.h lu.c filled.o -o lu");
    check("lu", "48", "a");
}

/* Of what it puts into a variable of its caller the name is the variable's, through wrappers, too. */
static void arrays_are_called_by_the_variable_that_leads_to_them(void **state)
{
    (void)state;
    build("cc --values " PROGRAMS "/names.c -o c -lm");
    check("c", "pointers", "early (names.c:102)");
    check("c", "two", "old (names.c:109)");
    check("c", "tables", "lower (names.c:117)");
    check("c", "line", "left (names.c:131)");
    check("c", "statics", "dull (names.c:315)");
    build("c++ --values " PROGRAMS "/names.cpp -o cpp");
    check("cpp", "references", "near (names.cpp:55)");
    check("cpp", "pointers", "first (names.cpp:65)");
}

/* Where one place allocates the members of several structures, the variables tell them apart. */
static void members_are_called_by_the_variable_that_leads_to_their_structure(void **state)
{
    (void)state;
    build("cc --values " PROGRAMS "/names.c -o c -lm");
    check("c", "inlined", "low.data (names.c:179)");
    check("c", "structures", "low.data (names.c:181)");
    check("c", "address", "right.data (names.c:190)");
    check("c", "global", "plates.cold (names.c:196)");
    check("c", "planes", "back (names.c:211)");
    check("c", "headers", "even (names.c:226)");
    check("c", "trees", "left (names.c:239)");
    check("c", "chosen", "plates.warm (names.c:254)");
    check("c", "macros", "data (names.c:265)");
    check("c", "members_rows", "second.row (names.c:287)");
    build("c++ --values " PROGRAMS "/names.cpp -o cpp");
    check("cpp", "own", "lower.v (names.cpp:149)");
    check("cpp", "raw", "lower.p (names.cpp:149)");
}

/* A class of a header of the system allocates for the program's variable. */
static void arrays_of_libraries_are_called_by_the_variable_that_has_them(void **state)
{
    (void)state;
    build("c++ --values -O2 " PROGRAMS "/library.cpp -o library");
    check("library", "copied", "second (library.cpp:79)");
    check("library", "assigned", "kept (library.cpp:82)");
    check("library", "resized", "third (library.cpp:86)");
}

/* Objects that hold a pointer are the variable, wherever they come from. */
static void arrays_of_smart_pointers_have_their_names(void **state)
{
    (void)state;
    build("c++ --values -std=c++20 " PROGRAMS "/names.cpp -o cpp");
    check("cpp", "held", "white (names.cpp:77)");
    check("cpp", "moved", "fields (names.cpp:85)");
    check("cpp", "shared", "odd (names.cpp:93)");
    check("cpp", "pushed", "rows (names.cpp:102)");
    check("cpp", "behind", "lines (names.cpp:110)");
    check("cpp", "member", "lower.h (names.cpp:149)");
}

static void arrays_of_namespaces_have_their_names(void **state)
{
    (void)state;
    build("c++ --values " PROGRAMS "/names.cpp -o cpp");
    check("cpp", "", "plate::hot");
    check("cpp", "containers", "plate::cool (names.cpp:18)");
}

static void arrays_of_fortran_have_their_names(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    build("fc --values -O3 -funroll-loops -ffree-line-length-none -fcheck=all -std=legacy -Wunused "
          "-fno-unroll-loops " PROGRAMS "/names.f90 -o f90");
    check("f90", "module", "hot (module plate)");
    check("f90", "common", "/state/");
    check("f90", "present", "past (names.f90:13)");
    check("f90", "never", "future (names.f90:14) (16 x 16)");
    check("f90", "dummies", "left (names.f90:67)");
    check("f90", "line", "right (names.f90:76)");
    check("f90", "first", "past (names.f90:81)");
    check("f90", "frame", "warm (in_frame)");
}

/* By whatever rule they are divided; what is too long is cut where it shows, and keeps its place. */
static void long_names_are_told(void **state)
{
    static const char forty[] = "coefficients_of_the_factorised_matrix_in";
    static const struct {
        const char *parts, *rule;
    } rules[] = {{"4", "2 x 2 blocks of equal work of "}, {"6", " blocks of equal work of "}};
    char arguments[1024], expected[256];
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        snprintf(arguments, sizeof arguments, "cc --values -Da=%s_place " KERNELS "/lu.c -o lu -lm", forty);
        build(arguments);
        struct outcome outcome = run_cli("estimate -p %s -- ./lu 48", rules[i].parts);
        snprintf(expected, sizeof expected, "%s%s_place (lu.c:16)", rules[i].rule, forty);
        if (!strstr(outcome.out, expected)) fail_msg("no '%s' in: %s", expected, outcome.out);
        outcome_clear(&outcome);
        snprintf(arguments, sizeof arguments,
                 "-h >/dev/null; sed 's/filled(n . n)/calloc(n * n, 8)/' " KERNELS "/lu.c >%s_%s_%s.c && "
                 "\"$PARCAST\" cc --values -I" KERNELS " %s_%s_%s.c -o lu -lm",
                 forty, forty, forty, forty, forty, forty);
        build(arguments);
        outcome = run_cli("estimate -p %s -- ./lu 48", rules[i].parts);
        snprintf(expected, sizeof expected, "%sa (%s_", rules[i].rule, forty);
        if (!strstr(outcome.out, expected) ||
            !strstr(outcome.out, "...ficients_of_the_factorised_matrix_in.c:16)"))
            fail_msg("no '%s' in: %s", expected, outcome.out);
        outcome_clear(&outcome);
    }
}

/* Where irregular parts need fewer words, the table says which blocks are meant. */
static void blocks_are_told_beside_irregular_parts(void **state)
{
    (void)state;
    build("cc --values " PROGRAMS "/names.c -o c -lm");
    struct outcome outcome = run_cli("estimate -p 4 -- ./c members");
    if (!strstr(outcome.out, "in blocks, 4 processes: 2 x 2 blocks of now (names.c:54) (16 x 16)"))
        fail_msg("%s", outcome.out);
    outcome_clear(&outcome);
}

/* A name that is misspelled would silently let everything count. */
static void regions_are_told_and_those_that_are_nowhere_too(void **state)
{
    (void)state;
    build("cc --values --region in_globals --region nowhere " PROGRAMS "/names.c -o c -lm");
    struct outcome outcome = run_cli("estimate -p 4 -- ./c globals");
    if (!strstr(outcome.out, " words in in_globals\n")) fail_msg("%s", outcome.out);
    if (!strstr(outcome.err, "names a function that the program does not have: nowhere"))
        fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    build("cc --values " PROGRAMS "/names.c -o c -lm");
    outcome = run_cli("estimate -p 4 --json -- ./c globals");
    if (!strstr(outcome.out, "\"region\": \"main\"")) fail_msg("%s", outcome.out);
    outcome_clear(&outcome);
}

static struct outcome run_regions(const char *const *names, size_t n)
{
    char arguments[1024] = "c++ --values";
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(arguments);
        snprintf(arguments + length, sizeof arguments - length, " --region '%s'", names[i]);
    }
    strcat(arguments, " " PROGRAMS "/regions.cpp -o regions");
    build(arguments);
    return run_cli("estimate -p 2 -- ./regions");
}

/* It may well be a region that misses what was meant. */
static void regions_that_send_nothing_are_told(void **state)
{
    (void)state;
    build("cc --values --region kernel " KERNELS "/axpy.c -o axpy -lm");
    struct outcome outcome = run_cli("estimate -p 2 -- ./axpy 64 4");
    assert_int_equal(outcome.status, 0);
    if (!strstr(outcome.err, "nothing has to be sent in kernel")) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
}

static void a_region_that_is_asked_for_too_late_is_told(void **state)
{
    static const char late[] = "a region is chosen when the program is compiled, this one's is kernel";
    (void)state;
    build("cc --values --region kernel " KERNELS "/axpy.c -o axpy -lm");
    setenv("PARCAST_REGION", "sweep, other", 1);
    struct outcome outcome = run_cli("estimate -p 2 -- ./axpy 64 4");
    if (!strstr(outcome.err, late)) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    setenv("PARCAST_REGION", "sweep, kernel", 1);
    outcome = run_cli("estimate -p 2 -- ./axpy 64 4");
    unsetenv("PARCAST_REGION");
    if (strstr(outcome.err, late)) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
}

/* The last part of a name is enough, in a template, too; a class is not its functions. */
/* Of the thread that is followed; in a file whose name has blanks. */
static void arrays_of_a_thread_have_names(void **state)
{
    static const char *const names[] = {"blocks of next (64)", "blocks of heap (o ne.c:6) (64)"};
    (void)state;
    struct outcome outcome = run_cli(
        "-h >built; mkdir 'a place' && printf '%%s\\n' '#include <stdlib.h>' 'enum { N = 64 };' "
        "'static _Thread_local double next[N];' 'static double now[N];' 'int main(int argc, char **argv) {' "
        "'double *heap = malloc(sizeof next), *v = argc > 1 ? next : heap;' "
        "'for (int s = 0; s < 3; s++) { for (int i = 1; i < N - 1; i++) v[i] = now[i - 1] + now[i + 1];' "
        "'for (int i = 1; i < N - 1; i++) now[i] = v[i]; }' "
        "'return now[5] > argc; }' >'a place/o ne.c' && \"$PARCAST\" cc --values 'a place/o ne.c' -o blanks");
    if (outcome.status) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
    for (size_t i = 0; i < 2; i++) {
        outcome = run_cli("estimate --whole -p 2 -- ./blanks %s", i ? "" : "thread");
        if (!strstr(outcome.out, names[i])) fail_msg("%s%s", outcome.out, outcome.err);
        outcome_clear(&outcome);
    }
}

/* A hint says what can be done; blanks around names are nobody's. */
static void regions_that_are_not_entered_are_told(void **state)
{
    static const char *const causes[] = {
        "the region was never entered: unused, step\nhint: with these arguments",
        "the region was never entered: main\nhint: compile main",
        "the region was never entered: step\nhint: a process entered it that the program forks, at child.c:1 "
        "(main)"};
    static const char *const programs[] = {"unentered", "no_main", "child"};
    (void)state;
    struct outcome outcome = run_cli(
        "-h >built; echo 'int a[9]; void unused(void) { a[1]++; } void step(void) { a[2]++; }' >parts.c && "
        "echo 'int main(void) { return 0; }' >main.c && gcc -c main.c && "
        "PARCAST_REGION=' unused , step ,' \"$PARCAST\" cc --values parts.c main.c -o unentered && "
        "\"$PARCAST\" cc --values parts.c main.o -o no_main && "
        "echo 'int fork(void), wait(int *), a[9]; void step(void) { a[2]++; } "
        "int main(void) { if (fork()) wait(0); else step(); }' >child.c && "
        "\"$PARCAST\" cc --values --region step child.c -o child");
    if (outcome.status) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
    for (size_t i = 0; i < 3; i++) {
        outcome = run_cli("estimate -p 2 -- ./%s", programs[i]);
        assert_int_equal(outcome.status, 3);
        if (!strstr(outcome.err, causes[i])) fail_msg("%s", outcome.err);
        outcome_clear(&outcome);
    }
    outcome = run_cli("cc --values --region= parts.c main.c");
    assert_int_equal(outcome.status, 2);
    outcome_clear(&outcome);
}

/* By an exception, by a longjmp, out of calls of itself: the sweeps behind it are outside. */
static void regions_that_are_left_in_another_way_have_ended(void **state)
{
    enum { WORDS = 100, SHORT = 10, TIMES = 3, DEEP = 3 };
    static const struct {
        const char *how;
        json_int_t flop;
    } cases[] = {
        {"", (TIMES * DEEP + 1) * WORDS}, {"throw", TIMES * SHORT + WORDS}, {"jump", TIMES * SHORT + WORDS}};
    (void)state;
    struct outcome outcome = run_cli("c++ --values --region sweep " PROGRAMS "/left.cpp -o left");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outcome = run_cli("estimate -p 2 --json -- ./left %s", cases[i].how);
        json_t *object = json_loads(outcome.out, 0, NULL);
        if (!object) fail_msg("%s%s", outcome.out, outcome.err);
        json_int_t flop = json_integer_value(json_object_get(object, "flop"));
        if (flop != cases[i].flop) fail_msg("'%s': %lld operations", cases[i].how, (long long)flop);
        json_decref(object);
        outcome_clear(&outcome);
    }
}

static void functions_of_classes_and_templates_are_regions(void **state)
{
    static const char *const found[] = {
        "member",
        "generic",
        "operator()",
        "operator+=",
        "free_function",
        "ordinary",
        "plain::ordinary",
        "plate::member",
        "outer::plate::generic",
        "plate<double>::member",
        "free_function<double, 3>",
    };
    static const char *const nowhere[] = {"plain",     "double", "outer", "plate<float>::member",
                                          "e::member", "size"};
    (void)state;
    struct outcome outcome = run_regions(found, sizeof found / sizeof *found);
    if (*outcome.err || !strstr(outcome.out, " words in member, generic, "))
        fail_msg("%s%s", outcome.err, outcome.out);
    outcome_clear(&outcome);
    outcome = run_regions(nowhere, sizeof nowhere / sizeof *nowhere);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        if (!strstr(outcome.err, nowhere[i])) fail_msg("%s: %s", nowhere[i], outcome.err);
    outcome_clear(&outcome);
}

/* Distributions build with -D_FORTIFY_SOURCE: a copy that is checked is a copy all the same. */
static void checked_copies_are_copies(void **state)
{
    (void)state;
    build("cc --values -O2 -D_FORTIFY_SOURCE=2 " PROGRAMS "/names.c -o c -lm");
    check("c", "globals", "next");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_c_have_their_names),
        cmocka_unit_test(arrays_that_a_function_returns_are_called_by_its_caller),
        cmocka_unit_test(arrays_are_called_by_the_variable_that_leads_to_them),
        cmocka_unit_test(members_are_called_by_the_variable_that_leads_to_their_structure),
        cmocka_unit_test(arrays_of_libraries_are_called_by_the_variable_that_has_them),
        cmocka_unit_test(arrays_of_smart_pointers_have_their_names),
        cmocka_unit_test(arrays_of_namespaces_have_their_names),
        cmocka_unit_test(arrays_of_fortran_have_their_names),
        cmocka_unit_test(long_names_are_told),
        cmocka_unit_test(blocks_are_told_beside_irregular_parts),
        cmocka_unit_test(regions_are_told_and_those_that_are_nowhere_too),
        cmocka_unit_test(regions_that_send_nothing_are_told),
        cmocka_unit_test(a_region_that_is_asked_for_too_late_is_told),
        cmocka_unit_test(arrays_of_a_thread_have_names),
        cmocka_unit_test(regions_that_are_not_entered_are_told),
        cmocka_unit_test(regions_that_are_left_in_another_way_have_ended),
        cmocka_unit_test(functions_of_classes_and_templates_are_regions),
        cmocka_unit_test(checked_copies_are_copies),
    };
    setenv("PARCAST", PARCAST_PROGRAM, 1);
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
