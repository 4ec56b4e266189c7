/* Kernels whose least communication is known in closed form (tests/data/valueflow_cases.json), from source to
 * words. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "run_cli.h"

static json_t *cases;

static int load_cases(void **state)
{
    json_error_t error;
    json_t *file = json_load_file(TEST_DATA "/valueflow_cases.json", 0, &error);
    cases = file ? json_incref(json_object_get(file, "cases")) : NULL;
    json_decref(file);
    return cases ? cli_folder_create(state) : -1;
}

static int drop_cases(void **state)
{
    json_decref(cases);
    return cli_folder_remove(state);
}

/* Once, however many tests ask for it. */
static void compile_in(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    if (access(path, X_OK) == 0) return;
    struct outcome outcome = run_cli("cc --values --region kernel %s/%s.c -o %s -lm", folder, name, name);
    if (outcome.status) fail_msg("%s does not compile: %s", name, outcome.err);
    outcome_clear(&outcome);
}

static void compile(const char *name)
{
    compile_in(KERNELS, name);
}

/* "5000 8 5 10" */
static const char *arguments_of(json_t *point, char *text, size_t size)
{
    size_t i, n = 0;
    json_t *word;
    text[0] = '\0';
    json_array_foreach(json_object_get(point, "arguments"), i, word) n +=
        (size_t)snprintf(text + n, size - n, " %s", json_string_value(word));
    return text;
}

static const char *grid_of(json_t *point, char *text, size_t size)
{
    size_t i, n = 0;
    json_t *number;
    json_array_foreach(json_object_get(point, "grid"), i, number) n +=
        (size_t)snprintf(text + n, size - n, "%s%lld", i ? "x" : "", (long long)json_integer_value(number));
    return text;
}

static json_int_t words_of(const char *options, const char *name, const char *arguments)
{
    struct outcome outcome = run_cli("estimate %s --json -- ./%s%s", options, name, arguments);
    if (outcome.status) fail_msg("estimate %s -- %s%s: %s", options, name, arguments, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "schema")), "parcast.estimate/1");
    json_t *point = json_array_get(json_object_get(object, "points"), 0);
    json_t *words = json_object_get(point, "words"), *row, *cell;
    assert_true(json_is_integer(words));
    json_int_t result = json_integer_value(words), sum = 0;
    size_t i, j;
    json_array_foreach(json_object_get(point, "matrix"), i, row) json_array_foreach(row, j, cell) sum +=
        json_integer_value(cell);
    assert_int_equal(sum, result);
    json_decref(object);
    outcome_clear(&outcome);
    return result;
}

static void reference_decompositions_are_exact_to_the_word(void **state)
{
    (void)state;
    size_t i, j, n_checked = 0;
    json_t *one, *point;
    json_array_foreach(cases, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        if (!json_is_true(json_object_get(one, "exact_on_reference"))) continue;
        compile(name);
        json_array_foreach(json_object_get(one, "points"), j, point)
        {
            char grid[32], options[64], arguments[128];
            snprintf(options, sizeof options, "--grid %s", grid_of(point, grid, sizeof grid));
            json_int_t words = words_of(options, name, arguments_of(point, arguments, sizeof arguments));
            json_int_t expected = json_integer_value(json_object_get(point, "expected_words"));
            if (words != expected)
                fail_msg("%s%s on %s: %lld words, not %lld", name, arguments, grid, (long long)words,
                         (long long)expected);
            n_checked++;
        }
    }
    assert_true(n_checked > 20);
}

static void the_least_words_lie_between_the_bounds_of_every_case(void **state)
{
    (void)state;
    size_t i, j, n_checked = 0;
    json_t *one, *point;
    json_array_foreach(cases, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        compile(name);
        json_array_foreach(json_object_get(one, "points"), j, point)
        {
            char options[64], arguments[128];
            json_t *accept = json_object_get(point, "accept_words");
            json_int_t low = json_integer_value(json_array_get(accept, 0)),
                       high = json_integer_value(json_array_get(accept, 1));
            snprintf(options, sizeof options, "-p %lld",
                     (long long)json_integer_value(json_object_get(point, "p")));
            json_int_t words = words_of(options, name, arguments_of(point, arguments, sizeof arguments));
            if (words < low || words > high)
                fail_msg("%s%s %s: %lld words, not %lld to %lld", name, arguments, options, (long long)words,
                         (long long)low, (long long)high);
            n_checked++;
        }
    }
    assert_true(n_checked > 20);
}

/* The same computations through workspaces on the stack and on the heap, in tiles, with other layouts. */
static void variants_of_a_kernel_have_the_words_of_the_plain_code(void **state)
{
    static const struct {
        const char *variant, *kernel;
    } variants[] = {{"heat2d_stack", "heat2d_copyback"},
                    {"heat2d_heap", "heat2d_copyback"},
                    {"heat2d_vla", "heat2d_copyback"},
                    {"heat2d_tiled", "heat2d_swap"},
                    {"matmul_tiled", "matmul_ijk"},
                    {"matmul_packed", "matmul_ijk"},
                    {"spmv_stack", "spmv_laplacian"},
                    {"spmv_products", "spmv_laplacian"},
                    {"kmeans_arrays", "kmeans"},
                    {"gauss_seidel2d_stack", "gauss_seidel2d"},
                    {"gauss_seidel2d_columns", "gauss_seidel2d"},
                    {"dot_tiled", "dot"},
                    {"jacobi1d_vectors", "jacobi1d"}};
    (void)state;
    size_t i, n_checked = 0;
    json_t *one;
    json_array_foreach(cases, i, one) for (size_t k = 0; k < sizeof variants / sizeof *variants; k++)
    {
        json_t *point = json_array_get(json_object_get(one, "points"), 0);
        char grid[32], options[64], arguments[128];
        if (strcmp(json_string_value(json_object_get(one, "name")), variants[k].kernel) != 0) continue;
        compile_in(VARIANTS, variants[k].variant);
        snprintf(options, sizeof options, "--grid %s", grid_of(point, grid, sizeof grid));
        json_int_t words =
            words_of(options, variants[k].variant, arguments_of(point, arguments, sizeof arguments));
        json_int_t expected = json_integer_value(json_object_get(point, "expected_words"));
        if (words != expected)
            fail_msg("%s%s on %s: %lld words, not %lld", variants[k].variant, arguments, grid,
                     (long long)words, (long long)expected);
        n_checked++;
    }
    assert_int_equal(n_checked, sizeof variants / sizeof *variants);
}

/* C++ with vectors and markers in two files, through make; arrays come from the allocator behind operator
 * new. */
static void a_cxx_project_is_built_by_its_own_makefile(void **state)
{
    (void)state;
    setenv("PARCAST", PARCAST_PROGRAM, 1);
    struct outcome outcome = run_cli("-h >built; make -f " PROJECT "/Makefile SOURCE=" PROJECT
                                     " CXX=\"$PARCAST c++ --values\" >>built 2>&1 || cat built");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
    assert_int_equal(words_of("--grid 2x2", "prog", ""), 2 * 10 * 64 * 2);
}

/* Words of a step on parts^3 boxes: forces of nodes that several boxes have go to their owner, positions and
 * velocities come back, jumps cross every face both ways: three in examples/hydro, of which `parcast record`
 * counts the same, one where no more is needed. */
static long words_of_hydro(long side, const long *parts, long jumps)
{
    long nodes = 1, all = (side + 1) * (side + 1) * (side + 1), faces = 0;
    for (int d = 0; d < 3; d++) {
        nodes *= side + parts[d];
        faces += (parts[d] - 1) * side * side;
    }
    return 9 * (nodes - all) + 2 * jumps * faces;
}

/* Many files, indirect access, workspaces on stack and heap; by the difference of two lengths of the run. */
static void an_unstructured_program_sends_about_what_its_mpi_version_does(void **state)
{
    static const struct {
        const char *options;
        long parts[3];
    } cases_of_hydro[] = {{"-p 2", {2, 1, 1}}, {"-p 8", {2, 2, 2}}};
    (void)state;
    setenv("PARCAST", PARCAST_PROGRAM, 1);
    struct outcome outcome =
        run_cli("-h >built; mkdir in_hydro; make -C in_hydro -f " HYDRO "/Makefile SOURCE=" HYDRO
                " CXX=\"$PARCAST c++ --values\" >>built 2>&1 || cat built");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
    for (size_t i = 0; i < sizeof cases_of_hydro / sizeof *cases_of_hydro; i++) {
        json_int_t two = words_of(cases_of_hydro[i].options, "in_hydro/hydro", " 6 2");
        json_int_t three = words_of(cases_of_hydro[i].options, "in_hydro/hydro", " 6 3");
        double words = (double)(three - two);
        double sent = (double)words_of_hydro(6, cases_of_hydro[i].parts, 3),
               needed = (double)words_of_hydro(6, cases_of_hydro[i].parts, 1);
        if (!(words >= 0.5 * sent && words <= 1.02 * needed))
            fail_msg("%s: %.0f words a step, the MPI program sends %.0f, of which %.0f are needed",
                     cases_of_hydro[i].options, words, sent, needed);
    }
}

/* Two and three parts beside each other, of whole rows: every row of a matrix on as many parts as lie along
 * it. */
static void numbers_of_parts_that_no_grid_suits_are_cut_in_two_again_and_again(void **state)
{
    const json_int_t n = 48;
    (void)state;
    compile("matmul_ijk");
    assert_int_equal(words_of("-p 3", "matmul_ijk", " 48"), 32 * n + n * n);
    assert_int_equal(words_of("-p 5", "matmul_ijk", " 48"), 19 * n + 29 * 2 * n + n * n);
    assert_int_equal(words_of("-p 7", "matmul_ijk", " 48"), 21 * 2 * n + 27 * n + 2 * n * n);
    assert_true(words_of("-p 3", "in_hydro/hydro", " 5 2") < words_of("-p 4", "in_hydro/hydro", " 5 2"));
}

/* Whole rows are as even as they can be, however the work of a part is rounded. */
static void blocks_of_whole_rows_are_even_enough(void **state)
{
    (void)state;
    compile("matmul_ijk");
    assert_int_equal(words_of("-p 9", "matmul_ijk", " 37"), (2 + 2) * 37 * 37);
    assert_int_equal(words_of("-p 24", "matmul_ijk", " 35"), (3 + 5) * 35 * 35);
    assert_int_equal(words_of("-p 64", "matmul_ijk", " 62"), (7 + 7) * 62 * 62);
}

/* Clusters that the region finds are no way to distribute its points, also where their numbers are loaded
 * again for each coordinate. */
static void keys_that_are_loaded_again_are_not_known_before(void **state)
{
    (void)state;
    compile_in(VARIANTS, "kmeans_arrays");
    assert_int_equal(words_of("-p 8", "kmeans_arrays", " 3055 2 7 1"), 7 * (2 * 7 * 2 + 7));
    assert_int_equal(words_of("-p 8", "kmeans_arrays", " 3055 2 7 2"), 2 * 7 * (2 * 7 * 2 + 7));
}

/* Rows stay whole with their sums, however many more words one part has than another. */
static void rows_of_a_matrix_are_cut_between_them(void **state)
{
    (void)state;
    compile("matvec_power");
    assert_int_equal(words_of("--grid 10", "matvec_power", " 326 1"), 326 * 9);
    assert_int_equal(words_of("--grid 9", "matvec_power", " 197 2"), 2 * 197 * 8);
}

/* Lists of several lengths use one place of allocation after each other; cells have nothing to do with each
 * other. */
static void temporaries_of_several_sizes_send_nothing(void **state)
{
    (void)state;
    compile("materials");
    assert_int_equal(words_of("--grid 4", "materials", " 400 5"), 0);
    assert_int_equal(words_of("--grid 4", "materials", " 40000 3"), 0);
}

/* The zeros that it begins with cost nothing, every step from then on does. */
static void arrays_of_the_region_own_what_they_hold(void **state)
{
    (void)state;
    compile("heat2d_rows");
    assert_int_equal(words_of("-p 2", "heat2d_rows", " 64 4"), (4 - 1) * 2 * 64);
    assert_int_equal(words_of("-p 2", "heat2d_rows", " 24 4"), (4 - 1) * 2 * 24);
}

/* Like any input: it belongs to the word that it is put into, whether the array is small or large. */
static void numbers_from_a_text_are_input(void **state)
{
    (void)state;
    compile("text");
    assert_int_equal(words_of("--grid 2", "text", " 400 3"), 3 * 2);
    assert_int_equal(words_of("--grid 2", "text", " 6000 3"), 3 * 2);
}

/* Forces that are products of an element's stress with sums that were made in a workspace: two partial sums
 * to the owner of a shared node, two positions back. */
static void products_of_sums_are_added_up_where_the_element_is(void **state)
{
    (void)state;
    compile("stress");
    json_int_t two = words_of("--grid 2x2 --extent 24,24", "stress", " 24 2"),
               three = words_of("--grid 2x2 --extent 24,24", "stress", " 24 3");
    assert_int_equal(three - two, 4 * (26 * 26 - 25 * 25));
}

/* Tiles that do not divide the matrix: what pads them is no work of any part. */
static void padded_tiles_are_divided_like_the_matrix(void **state)
{
    (void)state;
    compile_in(VARIANTS, "matmul_packed");
    assert_int_equal(words_of("-p 9", "matmul_packed", " 33"), 4 * 33 * 33);
}

/* However a program adds up, every part but one sends what its words come to. */
static void sums_of_sums_are_one_word_of_each_part(void **state)
{
    (void)state;
    compile_in(VARIANTS, "reductions");
    for (int which = 0; which <= 18; which++) {
        char arguments[32];
        if (which > 11 && which < 15) continue; /* more than one sum */
        snprintf(arguments, sizeof arguments, " %d 2402", which);
        json_int_t words = words_of("-p 6", "reductions", arguments);
        if (words != 5) fail_msg("reductions%s: %lld words", arguments, (long long)words);
    }
    assert_int_equal(words_of("-p 6", "reductions", " 12 2400"), 2 * 5);
    assert_int_equal(words_of("-p 6", "reductions", " 13 2400"), 4 * 5);
    /* A grid lies on what the partial sums read, not on the one word that they are put into. */
    assert_int_equal(words_of("--grid 6", "reductions", " 14 6000"),
                     words_of("-p 6", "reductions", " 14 6000"));
}

/* Assignments of sections, and functions of whole arrays: what flang's run time does with descriptors. */
static void fortran_descriptors_are_followed(void **state)
{
    static const struct {
        const char *options, *arguments;
        json_int_t words;
    } calls[] = {{"--grid 2x2", " 1", (json_int_t)2 * 24 * 24},
                 {"--grid 4", " 2", (json_int_t)5 * 4 * 2},
                 {"--grid 4", " 3", (json_int_t)5 * 3 * 2},
                 {"-p 4", " 4", (json_int_t)4 * 3},
                 {"-p 4", " 5", 0},
                 {"-p 4", " 6", 0}};
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    struct outcome outcome = run_cli("fc --values --region kernel " VARIANTS "/fields.f90 -o fields");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    assert_int_equal(words_of("--grid 2x2x2", "fields", ""), 3 * 3 * 2 * 12 * 12);
    outcome = run_cli("fc --values --region kernel " VARIANTS "/intrinsics.f90 -o intrinsics");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        json_int_t words = words_of(calls[i].options, "intrinsics", calls[i].arguments);
        if (words != calls[i].words)
            fail_msg("intrinsics%s: %lld words", calls[i].arguments, (long long)words);
    }
}

static void fortran_has_the_same_words(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    struct outcome outcome = run_cli("fc --values --region kernel " PROJECT "/heat.f90 -o heat");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    assert_int_equal(words_of("--grid 2x2", "heat", ""), 2 * 10 * 64 * 2);
}

static void a_program_without_instrumentation_is_named(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("estimate -p 2 -- true");
    assert_int_equal(outcome.status, 3);
    assert_non_null(strstr(outcome.err, "true: the program is not instrumented"));
    assert_non_null(strstr(outcome.err, "must get its environment, and end before it"));
    outcome_clear(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_decompositions_are_exact_to_the_word),
        cmocka_unit_test(the_least_words_lie_between_the_bounds_of_every_case),
        cmocka_unit_test(variants_of_a_kernel_have_the_words_of_the_plain_code),
        cmocka_unit_test(a_cxx_project_is_built_by_its_own_makefile),
        cmocka_unit_test(an_unstructured_program_sends_about_what_its_mpi_version_does),
        cmocka_unit_test(numbers_of_parts_that_no_grid_suits_are_cut_in_two_again_and_again),
        cmocka_unit_test(blocks_of_whole_rows_are_even_enough),
        cmocka_unit_test(keys_that_are_loaded_again_are_not_known_before),
        cmocka_unit_test(rows_of_a_matrix_are_cut_between_them),
        cmocka_unit_test(temporaries_of_several_sizes_send_nothing),
        cmocka_unit_test(arrays_of_the_region_own_what_they_hold),
        cmocka_unit_test(numbers_from_a_text_are_input),
        cmocka_unit_test(products_of_sums_are_added_up_where_the_element_is),
        cmocka_unit_test(padded_tiles_are_divided_like_the_matrix),
        cmocka_unit_test(sums_of_sums_are_one_word_of_each_part),
        cmocka_unit_test(fortran_has_the_same_words),
        cmocka_unit_test(fortran_descriptors_are_followed),
        cmocka_unit_test(a_program_without_instrumentation_is_named),
    };
    return cmocka_run_group_tests(tests, load_cases, drop_cases);
}
