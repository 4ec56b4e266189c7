/* The same computation written in many ways has the same words: layouts, loop orders, workspaces, languages.
 */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run_cli.h"

static void compile(const char *command, const char *source, const char *program)
{
    struct outcome outcome =
        run_cli("%s --values --region kernel " VARIANTS "/%s -o %s -lm", command, source, program);
    if (outcome.status) fail_msg("%s does not compile: %s", source, outcome.err);
    outcome_clear(&outcome);
}

static json_int_t words_of(const char *options, const char *program, int which, const char *arguments)
{
    struct outcome outcome = run_cli("estimate %s --json -- ./%s %d%s", options, program, which, arguments);
    if (outcome.status) fail_msg("%s %d%s %s: %s", program, which, arguments, options, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    json_t *words = json_object_get(json_array_get(json_object_get(object, "points"), 0), "words");
    assert_true(json_is_integer(words));
    json_int_t result = json_integer_value(words);
    json_decref(object);
    outcome_clear(&outcome);
    return result;
}

static void have_words(const char *options, const char *program, int first, int last, const char *arguments,
                       json_int_t expected)
{
    for (int which = first; which <= last; which++) {
        json_int_t words = words_of(options, program, which, arguments);
        if (words != expected)
            fail_msg("%s %d%s %s: %lld words, not %lld", program, which, arguments, options, (long long)words,
                     (long long)expected);
    }
}

enum { SIDE = 24, STEPS = 4, SWEEPS = 2 * STEPS * SIDE * 2 }; /* words of a sweep on 2 x 2 blocks */

/* Copied ghosts, row pointers, row buffers, unions, arrays of each step, structures, indices, sums in place,
 * columns, red and black, fields of a cell, tiles and their results on the heap. */
static void sweeps_in_c_have_the_same_words(void **state)
{
    (void)state;
    compile("cc", "heat2d_ways.c", "ways_c");
    have_words("--grid 2x2", "ways_c", 0, 11, " 24 4", SWEEPS);
}

/* Rectangles are no minimum: 5-point sweeps may have up to a fifth fewer. */
static void least_words_of_sweeps_are_near_the_blocks(void **state)
{
    (void)state;
    for (int which = 0; which <= 11; which++) {
        json_int_t words = words_of("-p 4", "ways_c", which, " 24 4");
        if (words < 0.8 * SWEEPS || words > 1.01 * SWEEPS)
            fail_msg("%d: %lld words at the least, %d in blocks", which, (long long)words, SWEEPS);
    }
}

/* Accessors, virtual calls, function objects, small arrays, moved grids, vectors of vectors, arrays of values
 * with a temporary for every row. */
static void sweeps_in_cxx_have_the_same_words(void **state)
{
    (void)state;
    compile("c++", "heat2d_ways.cpp", "ways_cxx");
    have_words("--grid 2x2", "ways_cxx", 0, 6, " 24 4", SWEEPS);
}

/* Functions of sections, automatic arrays, pointers, components, allocations that are moved, derived types,
 * where, columns that pointers may alias. */
static void sweeps_in_fortran_have_the_same_words(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    compile("fc", "heat2d_ways.f90", "ways_fortran");
    have_words("--grid 2x2", "ways_fortran", 0, 7, "", SWEEPS);
}

/* Looking right or left, in blocks; row by row, unrolled, column by column, in tiles. */
static void orders_of_a_product_have_the_same_words(void **state)
{
    (void)state;
    compile("cc", "products.c", "products");
    json_int_t lu = words_of("--grid 4x1", "products", 0, " 24"),
               cholesky = words_of("--grid 4x1", "products", 3, " 24");
    assert_true(lu > cholesky && cholesky > 0);
    have_words("--grid 4x1", "products", 1, 2, " 24", lu);
    have_words("--grid 4x1", "products", 4, 4, " 24", cholesky);
    have_words("--grid 4", "products", 5, 8, " 24", (json_int_t)3 * SIDE * 3);
    have_words("-p 4", "products", 5, 8, " 24", (json_int_t)3 * SIDE * 3);
}

/* Lines that are solved in workspaces of the function, the loop, the heap, or of all; with records, and with
 * coefficients that are input: across a border goes what the line comes to there, and what comes back. */
static void lines_are_swept_across_borders(void **state)
{
    enum { LINES = 24, TIMES = 4 };
    (void)state;
    compile("cc", "lines.c", "lines");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 2x2";
        have_words(options, "lines", 0, 5, " 24 4", (json_int_t)2 * 2 * LINES * TIMES);
        have_words(options, "lines", 6, 7, " 24 4", (json_int_t)2 * 3 * LINES * TIMES);
    }
}

/* A value belongs to the plane or table that it is put into, though it was put into a buffer first. With each
 * row of a table, n words and one beside a corner, and the two words of the frame that two parts read. */
static void what_is_put_into_a_buffer_first_belongs_to_the_plane(void **state)
{
    enum { N = 64, TIMES = 10 };
    (void)state;
    compile("cc", "above.c", "above");
    have_words("--grid 2x2", "above", 0, 2, " 64 10", (json_int_t)2 * TIMES * N * 2);
    have_words("--grid 2x2", "above", 3, 4, " 64 10", (json_int_t)(2 * N + 1) * TIMES + 2);
    for (int which = 0; which <= 2; which++) {
        json_int_t words = words_of("-p 4", "above", which, " 64 10");
        if (words < 2252 || words > 2586) fail_msg("%d: %lld words at the least", which, (long long)words);
    }
}

/* A field that is zero in most words, again and again, is a field: position and speed go across each border
 * both ways, but in the first step, for constants have no source. */
static void a_field_that_is_zero_at_first_is_no_workspace(void **state)
{
    enum { TIMES = 60, BORDERS = 3 };
    (void)state;
    compile("cc", "front.c", "front");
    have_words("--grid 4", "front", 0, 0, " 256 60", (TIMES - 1) * BORDERS * 4);
}

/* Every part needs all of the vector, or sends a part of every sum; of a length a word there and back. */
static void products_with_a_vector_have_the_same_words(void **state)
{
    enum { N = 128, TIMES = 10, OTHERS = 3 };
    (void)state;
    compile("cc", "vectors.c", "vectors");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 4";
        have_words(options, "vectors", 0, 1, " 128 10", TIMES * N * OTHERS);
        have_words(options, "vectors", 2, 2, " 128 10", TIMES * (N + 2) * OTHERS);
    }
}

/* Fluxes in a line and a plane are those through faces of their own, wherever these live: what is swept
 * through the cells belongs where it passes. */
static void fluxes_of_a_sweep_go_across_borders_once(void **state)
{
    enum { N = 12, TIMES = 3, WAYS = 6, PLANE = N * N * TIMES };
    static const struct {
        const char *options;
        json_int_t words;
    } cases[] = {{"--grid 1x2x2 --extent 12,12,12", 2 * PLANE},
                 {"--grid 2x2x1 --extent 12,12,12", 2 * PLANE},
                 {"--grid 2x1x1 --extent 12,12,12", PLANE},
                 {"-p 4", 2 * PLANE}};
    (void)state;
    compile("cc", "transport.c", "transport");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        have_words(cases[i].options, "transport", 0, WAYS - 1, " 12 3", cases[i].words);
}

/* A word there and one back where a line is cut, or one from each side, whoever allocates the buffer and
 * when. */
static void buffers_that_calls_allocate_have_the_words_of_registers(void **state)
{
    enum { N = 24, TIMES = 3, WAYS = 4, WORDS = 2 * 2 * N * TIMES };
    (void)state;
    compile("cc", "buffers.c", "buffers");
    have_words("--grid 2x2", "buffers", 0, WAYS - 1, " 24 3", WORDS);
    have_words("-p 4", "buffers", 0, WAYS - 1, " 24 3", WORDS);
}

/* Each of the colours, the residual and the coarse sweep sends the points at two borders to both sides. */
static void small_arrays_of_several_statements_are_no_workspaces(void **state)
{
    enum { N = 40, TIMES = 20, FACTOR = 8 };
    (void)state;
    compile("cc", "cycles.c", "cycles");
    have_words("--grid 2x2", "cycles", 0, 0, " 40 20", FACTOR * N * TIMES);
}

/* Lines one way send nothing, those across them a word there and back at the border. */
static void a_field_solved_in_a_buffer_is_no_workspace(void **state)
{
    enum { N = 48, TIMES = 10, WORDS = 2 * N * TIMES };
    (void)state;
    compile("cc", "alternating.c", "alternating");
    json_int_t words = words_of("-p 2", "alternating", 0, " 0 10");
    if (words < 0.95 * WORDS || words > 1.05 * WORDS) fail_msg("%lld words, not %d", (long long)words, WORDS);
}

static void rows_in_two_sums_have_the_words_of_one(void **state)
{
    enum { N = 64, TIMES = 4, OTHERS = 3, WAYS = 3 };
    (void)state;
    compile("cc", "halves.c", "halves");
    have_words("--grid 4", "halves", 0, WAYS - 1, " 64 4", N * TIMES * OTHERS);
    have_words("-p 4", "halves", 0, WAYS - 1, " 64 4", N * TIMES * OTHERS);
}

/* Positions go to both other parts at first and after each step but the last, and so do masses, once. */
static void arrays_that_are_used_in_part_are_divided_evenly(void **state)
{
    (void)state;
    compile("cc", "places.c", "places");
    have_words("--grid 3", "places", 0, 0, " 63 2", (2 * 2 + 1) * 63 * 2);
    have_words("-p 3", "places", 0, 0, " 63 2", (2 * 2 + 1) * 63 * 2);
    have_words("-p 3", "places", 0, 0, " 60 2", (2 * 2 + 1) * 60 * 2);
}

/* Every part's largest, the largest of all back, every part's sum. */
static void what_a_sum_and_its_terms_read_is_paid_for(void **state)
{
    enum { WAYS = 4, WORDS = 3 * 3 };
    (void)state;
    compile("cc", "maxima.c", "maxima");
    have_words("--grid 4", "maxima", 0, WAYS - 1, " 2400", WORDS);
    have_words("-p 4", "maxima", 0, WAYS - 1, " 2400", WORDS);
}

/* Adding up where the terms lie costs fewer words, but leaves three quarters of the work to the first half.
 */
static void halves_of_a_factorisation_send_columns(void **state)
{
    enum { N = 64 };
    (void)state;
    compile("cc", "factors.c", "factors");
    have_words("-p 2", "factors", 0, 0, " 64", N * N / 4);
}

/* What a register holds is not used again meanwhile: beyond a call, a move of memory, thousands of stores. */
static void a_long_block_has_the_words_of_a_call(void **state)
{
    (void)state;
    compile("cc", "long_block.c", "long_block");
    have_words("--grid 2", "long_block", 0, 2, "", 3);
}

/* A grid lies on the keys, whatever they and copies of the bins are made of: each other part sends its bins.
 */
static void histograms_have_the_same_words(void **state)
{
    (void)state;
    compile("cc", "histograms.c", "histograms");
    have_words("--grid 4", "histograms", 0, 3, " 4000", 16 * 3);
}

/* Every part needs all positions in every step, and all masses once, however they are laid out: a grid means
 * bodies where only these divide the work. */
static void bodies_have_the_same_words(void **state)
{
    (void)state;
    compile("cc", "bodies.c", "bodies");
    have_words("--grid 4", "bodies", 0, 3, " 60 3", (3 * 3 + 1) * 60 * 3);
    have_words("-p 4", "bodies", 0, 3, " 60 3", (3 * 3 + 1) * 60 * 3);
}

/* Partial sums are enough where all terms have a value in common, which goes once to each part: a result
 * there and back in each step, and the weights once; a mean there and back, too. */
static void weighted_sums_cost_a_word_a_part(void **state)
{
    enum { OTHERS = 3, TIMES = 5 };
    (void)state;
    compile("cc", "weights.c", "weights");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 4";
        have_words(options, "weights", 0, 2, " 1000 5", 2 * TIMES * OTHERS + OTHERS);
        have_words(options, "weights", 3, 3, " 1000 5", 2 * TIMES * OTHERS + 2 * OTHERS);
        have_words(options, "weights", 4, 4, " 1000 5", 4 * TIMES * OTHERS);
    }
}

/* Points are cut: the model goes to each part in each step, and a partial gradient comes back. */
static void regressions_send_model_and_gradient(void **state)
{
    enum { FEATURES = 8, OTHERS = 3, TIMES = 4 };
    (void)state;
    compile("cc", "regression.c", "regression");
    have_words("--grid 4", "regression", 0, 2, " 400 4", 2 * FEATURES * OTHERS * TIMES);
    have_words("-p 4", "regression", 0, 2, " 400 4", 2 * FEATURES * OTHERS * TIMES);
}

/* Of pairs across a border the sum may take both; the others are added up. The least is where one of the two
 * parts has what it needs of each: three particles of a border, their forces back, a weight and a size. */
static void sums_over_pairs_cost_their_borders(void **state)
{
    enum { BORDERS = 3, TIMES = 4, REACH = 3 };
    (void)state;
    compile("cc", "pairs.c", "pairs");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 4";
        json_int_t pushed = words_of(options, "pairs", 0, " 400 4"),
                   correlated = words_of(options, "pairs", 1, " 400 4");
        assert_in_range(pushed, TIMES * BORDERS * (2 * REACH + 1) + 2 * BORDERS,
                        TIMES * BORDERS * (4 * REACH + 1) + 2 * BORDERS);
        assert_in_range(correlated, TIMES * BORDERS * 2, TIMES * BORDERS * 3);
    }
}

/* The largest array of which each word is computed from another one holds the corners of cells and has no
 * rows: the grid is one of cells. */
static void a_grid_lies_on_an_array_that_has_its_extents(void **state)
{
    (void)state;
    compile("cc", "corners.c", "corners");
    have_words("--grid 2x2", "corners", SIDE, SIDE, " 4", (json_int_t)2 * STEPS * (SIDE - 2) * 2);
}

/* A place that is found along with the best so far is the same reduction where memory keeps it meanwhile, and
 * where it is a pointer. */
static void a_place_that_is_found_has_the_words_of_one_in_a_register(void **state)
{
    (void)state;
    compile("cc", "nearest.c", "nearest");
    have_words("--grid 4", "nearest", 0, 4, " 500 5", (json_int_t)5 * 3 * (2 * 40 + 5));
    compile("cc", "nearest.c", "nearest_plane -DFEATURES=2"); /* distances of so few sources go through */
    json_int_t words = words_of("--grid 4", "nearest_plane", 0, " 500 5"),
               right = (json_int_t)5 * 3 * (2 * 10 + 5);
    assert_in_range(words, right - right / 16, right + right / 16);
    have_words("--grid 4", "nearest_plane", 1, 4, " 500 5", words);
}

/* What stands at two places that were found comes of all that was compared, whatever was looked for and
 * stored meanwhile. */
static void the_numbers_at_two_places_are_two_reductions(void **state)
{
    (void)state;
    compile("c++", "extremes.cpp", "extremes");
    have_words("--grid 4", "extremes", 0, 2, " 1024", 2 * 3);
    have_words("-p 4", "extremes", 0, 2, " 1024", 2 * 3);
}

/* What they become lies beside the sums: the work still lies with the points, one of which a cut may go
 * through. */
static void clusters_that_know_their_sums_leave_the_work_to_the_points(void **state)
{
    (void)state;
    compile("cc", "clusters.c", "clusters");
    json_int_t words = words_of("--grid 4", "clusters", 500, " 5"), right = (json_int_t)5 * 3 * (2 * 40 + 5);
    assert_in_range(words, right, right + right / 100);
}

/* What a point has of each distribution may stand anywhere: means, widths and weights go to the other parts,
 * and their sums come back. */
static void mixtures_have_the_same_words(void **state)
{
    enum { MODEL = 3 * 4, OTHERS = 3, TIMES = 3 };
    (void)state;
    compile("cc", "mixture.c", "mixture");
    have_words("--grid 4", "mixture", 0, 4, " 1000 3", 2 * MODEL * OTHERS * TIMES);
    have_words("-p 4", "mixture", 0, 4, " 1000 3", 2 * MODEL * OTHERS * TIMES);
}

/* What is added up in memory from a number goes around the loop in a register, and every sum so far is
 * stored. */
static void sums_in_memory_have_the_words_of_registers(void **state)
{
    enum { PARTS = 4, WAYS = 12 };
    (void)state;
    compile("cc", "accumulators.c", "accumulators");
    have_words("--grid 4", "accumulators", 0, WAYS - 1, " 4096", PARTS - 1);
    have_words("-p 4", "accumulators", 0, WAYS - 1, " 4096", PARTS - 1);
}

/* A store to one is no store to the other, and what is counted comes of what is compared. */
static void numbers_beside_each_other_in_memory_are_reductions(void **state)
{
    enum { PARTS = 4, WAYS = 14 };
    (void)state;
    compile("cc", "beside.c", "beside");
    have_words("--grid 4", "beside", 0, WAYS - 1, " 4096", 2 * (PARTS - 1));
    have_words("-p 4", "beside", 0, WAYS - 1, " 4096", 2 * (PARTS - 1));
}

/* One part that does all the work, and sends the others their sums, has fewer words. */
static void blocks_of_a_product_in_any_order_keep_their_work(void **state)
{
    (void)state;
    compile("cc", "octants.c", "octants");
    have_words("--grid 2x2", "octants", SIDE, SIDE, "", (json_int_t)2 * SIDE * SIDE);
}

/* Two words go across the border in every step, whichever statement stores what the neighbours decide. */
static void flags_that_branches_set_come_of_what_they_ask(void **state)
{
    enum { WORDS = 2 * STEPS };
    (void)state;
    compile("cc", "flags.c", "flags");
    have_words("--grid 2", "flags", 0, 12, " 24 4", WORDS);
    compile("cc -g", "flags.c", "flags_debugged"); /* notes for debuggers are in the way of what is put in */
    have_words("--grid 2", "flags_debugged", 0, 12, " 24 4", WORDS);
    if (system("command -v flang-new-19 >/dev/null")) skip();
    compile("fc", "flags.f90", "flags_fortran");
    have_words("--grid 2", "flags_fortran", 0, 5, "", WORDS);
}

/* Each of 2 x 2 blocks reads a row, a column and a corner of the others in every step. */
static void cells_live_by_their_neighbours_in_any_statement(void **state)
{
    (void)state;
    compile("cc", "life.c", "lives");
    have_words("--grid 2x2", "lives", 0, 8, " 26 4", (json_int_t)STEPS * 4 * (2 * SIDE / 2 + 1));
    have_words("-p 4", "lives", 0, 8, " 26 4", (json_int_t)STEPS * 4 * (2 * SIDE / 2 + 1));
}

/* Each part has found its own, and sends it. */
static void what_is_found_of_all_numbers_costs_a_word_a_part(void **state)
{
    enum { PARTS = 4 };
    (void)state;
    compile("cc", "furthest.c", "furthest");
    have_words("--grid 4 --extent 4096", "furthest", 0, 4, " 4096", PARTS - 1);
}

/* Half a row and half a column go each way across the borders of 2 x 2 blocks. */
static void piles_fall_over_borders_whoever_counts(void **state)
{
    (void)state;
    compile("cc", "piles.c", "piles");
    have_words("--grid 2x2 --extent 26,26", "piles", 0, 2, " 26 4", (json_int_t)STEPS * 4 * SIDE);
}

/* What a matrix's rows begin at is counted, and has no home; of the whole program, too, whose arguments every
 * process has. Two words a border and step but for the first vector, which anybody can compute. */
static void matrices_that_are_made_in_the_region_have_even_rows(void **state)
{
    enum { PARTS = 4, PRODUCTS = 5, WORDS = 2 * (PARTS - 1) * (PRODUCTS - 1) };
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct outcome outcome =
            run_cli("c++ --values %s " VARIANTS "/assembled.cpp -o assembled", i ? "--region kernel" : "");
        if (outcome.status) fail_msg("%s", outcome.err);
        outcome_clear(&outcome);
        have_words("-p 4", "assembled", 0, 2, " 64 5", WORDS);
    }
}

/* What was in memory before says nothing of it. */
static void numbers_from_a_file_are_input_wherever_they_go(void **state)
{
    (void)state;
    compile("cc", "read_in.c", "read_in");
    have_words("--grid 2 --extent 24", "read_in", 0, 2, " 24", 2);
}

/* In every step each part has the places of all, and once their masses. */
static void bodies_that_are_copied_have_the_same_words(void **state)
{
    enum { N = 32, TIMES = 3, PARTS = 4, WORDS = (PARTS - 1) * N * (3 * TIMES + 1) };
    (void)state;
    compile("cc", "copied_bodies.c", "copied_bodies");
    have_words("--grid 4x1 --extent 32,7", "copied_bodies", 0, 0, " 32 3", WORDS);
    have_words("-p 4", "copied_bodies", 0, 4, " 32 3", WORDS);
}

/* A vector of each side goes to the other in every step. */
static void structures_by_value_have_the_words_of_their_numbers(void **state)
{
    (void)state;
    compile("cc", "by_value.c", "by_value");
    have_words("--grid 2x1 --extent 24,3", "by_value", 0, 4, " 24 4", (json_int_t)2 * 3 * STEPS);
}

/* Both neighbours across three borders in every step, and once the factor; nobody knows whose names these
 * are. */
static void names_like_ours_are_the_programs(void **state)
{
    enum { PARTS = 4 };
    (void)state;
    compile("cc", "own_names.c", "own_names");
    have_words("--grid 4", "own_names", 0, 1, " 64 4", (json_int_t)(PARTS - 1) * (2 * 4 + 1));
}

/* On two parts y goes to the other one, on four x does, too; how long rows are chooses no word. */
static void rank_one_updates_send_vectors(void **state)
{
    enum { N = 64, TIMES = 2 };
    (void)state;
    compile("cc", "rank_one.c", "rank_one");
    compile("fc", "outer.f90", "outer");
    have_words("-p 4", "rank_one", 0, 3, " 64 2", (json_int_t)2 * N * TIMES);
    have_words("--grid 2x1", "rank_one", 0, 3, " 128 2",
               (json_int_t)2 * N * TIMES); /* more readers than a way */
    have_words("--grid 2x2", "rank_one", 0, 4, " 64 2", (json_int_t)2 * N * TIMES);
    have_words("-p 4", "outer", 0, 4, " 64 2", (json_int_t)2 * N * TIMES);
}

/* One word over each border in every step, and once how many points there are. */
static void arrays_filled_up_from_others_have_their_words(void **state)
{
    enum { PARTS = 4, TIMES = 3 };
    (void)state;
    compile("fc", "filled.f90", "filled");
    have_words("--grid 4", "filled", 0, 7, " 32 3", (json_int_t)PARTS * TIMES + PARTS - 1);
}

/* A partial sum of each part to one of them in every step, and the whole back. */
static void sums_in_variables_of_the_file_are_sums(void **state)
{
    enum { PARTS = 4, TIMES = 4 };
    (void)state;
    compile("cc", "global_sums.c", "global_sums");
    have_words("--grid 4", "global_sums", 0, 5, " 16 4", (json_int_t)2 * (PARTS - 1) * TIMES);
    have_words("-p 4", "global_sums", 0, 5, " 16 4", (json_int_t)2 * (PARTS - 1) * TIMES);
}

/* Over each of four borders two words go forward and one back. */
static void slopes_are_limited_by_branches_as_by_expressions(void **state)
{
    enum { PARTS = 4, TIMES = 4 };
    (void)state;
    compile("cc", "limiters.c", "limiters");
    have_words("--grid 4", "limiters", 0, 6, " 64 4", (json_int_t)3 * PARTS * TIMES);
    have_words("-p 4", "limiters", 0, 6, " 64 4", (json_int_t)3 * PARTS * TIMES);
}

/* Over each of four borders the three numbers of a cell go both ways. */
static void what_is_added_once_is_an_expression(void **state)
{
    enum { PARTS = 4, TIMES = 4 };
    (void)state;
    compile("cc", "pressures.c", "pressures");
    have_words("--grid 4", "pressures", 0, 1, " 64 4", (json_int_t)2 * 3 * PARTS * TIMES);
    have_words("-p 4", "pressures", 0, 1, " 64 4", (json_int_t)2 * 3 * PARTS * TIMES);
}

/* Rows of all fields, over two borders of each part. */
static void a_line_of_parts_cuts_all_fields_alike(void **state)
{
    enum { SIDE_OF_FIELDS = 24, TIMES = 4, PARTS = 4 };
    (void)state;
    compile("cc", "stacked.c", "stacked");
    for (int fields = 2; fields <= 6; fields++)
        have_words("--grid 4", "stacked", fields, fields, " 24 4",
                   (json_int_t)2 * SIDE_OF_FIELDS * fields * PARTS * TIMES);
}

/* A block of each ninth of the plane would give one part nearly three times the mean. */
static void work_of_branches_is_where_they_were_taken(void **state)
{
    enum { SIDE_OF_PLANE = 48, TIMES = 4 };
    (void)state;
    compile("cc", "heavy_corner.c", "heavy_corner");
    struct outcome outcome = run_cli("estimate --grid 3x3 --json -- ./heavy_corner 48 4");
    json_t *object = json_loads(outcome.out, 0, NULL);
    json_t *point = json_array_get(json_object_get(object, "points"), 0);
    assert_int_equal(json_integer_value(json_object_get(point, "words")),
                     4 * 2 * (SIDE_OF_PLANE - 2) * TIMES);
    double uneven = json_number_value(json_object_get(point, "imbalance_ratio"));
    if (uneven < 1 || uneven > 2) fail_msg("%.2f above the mean", uneven);
    json_decref(object);
    outcome_clear(&outcome);
}

/* Once the coefficients are known for what they are, only the line's own value goes over the border. */
static void sweeps_with_coefficients_lose_no_step(void **state)
{
    static const int steps[] = {9, 12, 20};
    char arguments[16];
    (void)state;
    compile("cc", "coefficients.c", "coefficients");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        snprintf(arguments, sizeof arguments, " 16 %d", steps[i]);
        have_words("--grid 2 --whole", "coefficients", 0, 4, arguments, steps[i]);
    }
}

static void few_written_words_end_no_search(void **state)
{
    (void)state;
    compile("cc", "narrow.c", "narrow");
    have_words("-p 2", "narrow", 0, 0, " 8", 0);
    have_words("-p 4", "narrow", 0, 0, " 8", 0);
    have_words("--grid 4", "narrow", 1, 1, " 24", 9); /* three sums of four parts */
    assert_in_range(words_of("-p 4", "narrow", 1, " 24"), 1, 9);
}

/* Blocks of nodes have a half more words; nodes that two, four and eight parts share send 7 of 8. */
static void elements_that_meet_at_nodes_are_divided(void **state)
{
    enum { N = 8, TIMES = 3, NODES = N + 1 };
    const json_int_t copies = (NODES + 1) * (NODES + 1) * (NODES + 1) - NODES * NODES * NODES;
    (void)state;
    compile("cc", "elements.c", "elements");
    have_words("-p 8", "elements", 0, 0, " 8 3", (2 * TIMES + 1) * copies);
    have_words("--grid 2x2x2 --extent 8,8,8", "elements", 0, 0, " 8 3", (2 * TIMES + 1) * copies);
}

/* A border's nodes go to the elements beside it, whose areas need them, and what these add to their forces
 * comes back; where the nodes are at first is one more of it where no area has been asked for. */
static void forces_are_added_up_where_nodes_are_known(void **state)
{
    enum { BORDER = 17 };
    (void)state;
    compile("cc", "moving_nodes.c", "moving_nodes");
    have_words("--grid 2x1 --extent 16,16", "moving_nodes", 1, 1, " 16 3", (json_int_t)2 * 3 * BORDER);
    have_words("--grid 2x1 --extent 16,16", "moving_nodes", 0, 0, " 16 3", (json_int_t)(2 * 3 + 1) * BORDER);
    have_words("--grid 2x1 --extent 16,16", "moving_nodes", 0, 0, " 16 8", (json_int_t)(2 * 8 + 1) * BORDER);
}

static void arrays_made_anew_keep_their_words(void **state)
{
    static const int steps[] = {8, 9, 12, 20};
    char arguments[16];
    (void)state;
    compile("cc", "anew.c", "anew");
    compile("c++", "vector_class.cpp", "vector_class");
    have_words("--grid 4", "anew", 0, 2, " 64 6", (json_int_t)4 * 4 * 6);
    for (size_t i = 0; i < sizeof steps / sizeof *steps;
         i++) { /* neighbours, two sums and what they come to */
        snprintf(arguments, sizeof arguments, " 64 %d", steps[i]);
        have_words("--grid 4", "vector_class", 0, 1, arguments, (8 + 12) * steps[i] + 3);
    }
}

/* What a mask or a list gathers in an array that is allocated for it lies where it goes to. */
static void what_is_gathered_has_no_home(void **state)
{
    enum { N = 16, TIMES = 3, SWEEPS_INSIDE = 4 * (N - 2) * TIMES };
    (void)state;
    compile("fc", "masked.f90", "masked");
    compile("cc", "materials.c", "materials");
    have_words("--grid 2x2", "masked", 0, 2, " 16 3", SWEEPS_INSIDE);
    have_words("--grid 2 --extent 256", "materials", 0, 0, " 16 20 4", 0);
    have_words("--grid 2 --extent 64", "materials", 0, 0, " 8 20 4", 0);
    have_words("--grid 2x2", "materials", 1, 1, " 16 3 1", SWEEPS_INSIDE);
    have_words("--grid 2x2", "materials", 1, 1, " 16 3 4", SWEEPS_INSIDE);
}

static void places_found_by_a_function_cost_a_search(void **state)
{
    (void)state;
    compile("cc", "largest_by.c", "largest_by");
    have_words("--grid 4", "largest_by", 0, 11, " 64 2", (json_int_t)2 * 3 * 2);
}

static void descriptors_of_modules_have_no_home(void **state)
{
    (void)state;
    compile("fc", "counted.f90", "counted");
    have_words("--grid 4", "counted", 0, 0, " 600", 9); /* three bins, of three other parts */
}

static void nested_rules_ask_their_conditions(void **state)
{
    (void)state;
    compile("cc", "rules.c", "rules");
    have_words("--grid 2", "rules", 0, 3, " 8 0", 2);
    have_words("--grid 2", "rules", 0, 3, " 8 24", 2);
    have_words("--grid 2", "rules", 0, 3, " 8 255", 2);
}

static void constant_tables_are_everywhere(void **state)
{
    (void)state;
    compile("cc", "constant_tables.c", "constant_tables");
    have_words("--grid 4", "constant_tables", 0, 3, " 16 3", (json_int_t)2 * 4 * 3);
}

/* Scaled from a few steps: none of them is lost. */
static void steps_that_may_throw_are_all_counted(void **state)
{
    (void)state;
    compile("c++", "thrown.cpp", "thrown");
    have_words("--grid 4", "thrown", 0, 0, " 100000 200", (json_int_t)2 * 4 * 200);
}

static void fortran_rounds_and_assigns_structures(void **state)
{
    (void)state;
    compile("fc", "rounded.f90", "rounded");
    compile("fc", "structures.f90", "structures");
    have_words("--grid 4 --extent 16", "rounded", 0, 2, " 2", (json_int_t)3 * 2);
    have_words("--grid 4", "structures", 0, 2, "", (json_int_t)3 * 2);
}

/* Half of the line takes twenty times as many operations, all of which are its words' work. */
static void turns_of_registers_are_work(void **state)
{
    enum { WAYS = 5, TIMES = 2 };
    (void)state;
    compile("cc", "turns.c", "turns");
    for (int way = 0; way < WAYS; way++) {
        struct outcome outcome =
            run_cli("estimate --grid 2 --extent 64 --json -- ./turns %d 64 %d", way, TIMES);
        json_t *object = json_loads(outcome.out, 0, NULL);
        json_t *point = json_array_get(json_object_get(object, "points"), 0);
        assert_int_equal(json_integer_value(json_object_get(point, "words")), TIMES);
        double uneven = json_number_value(json_object_get(point, "imbalance_ratio"));
        if (uneven < 0.82 || uneven > 0.99) fail_msg("way %d: %.2f above the mean", way, uneven);
        json_decref(object);
        outcome_clear(&outcome);
    }
}

/* What each part has found goes to one of them in every step, and what that has found back. */
static void reductions_in_steps_have_the_words_of_one(void **state)
{
    enum { PARTS = 4, TIMES = 3, WORDS = 2 * (PARTS - 1) * TIMES };
    (void)state;
    compile("cc", "greatest.c", "greatest");
    compile("cc", "four_sums.c", "four_sums");
    have_words("--grid 4", "greatest", 0, 4, " 64 3", WORDS);
    have_words("--grid 4", "four_sums", 0, 2, " 64 3", WORDS);
    have_words("-p 4", "four_sums", 0, 2, " 64 3", WORDS);
}

/* A word of the factor goes to every part below its own row. */
static void columns_are_scaled_like_divided_ones(void **state)
{
    enum { N = 16, PARTS = 4 };
    json_int_t words = 0;
    (void)state;
    for (int j = 0; j < N; j++) words += (j + 1) * (PARTS - 1 - j * PARTS / N);
    compile("cc", "scaled_columns.c", "scaled_columns");
    have_words("--grid 4x1 --extent 16,16", "scaled_columns", 0, 1, " 16", words);
}

/* Rows and columns over the cuts in every step; the factor once. */
static void factors_of_rows_come_of_one_number(void **state)
{
    enum { SIDE_OF_PLANE = 16, PARTS = 4, TIMES = 3 };
    (void)state;
    compile("cc", "row_factors.c", "row_factors");
    have_words("--grid 2x2", "row_factors", 0, 2, " 16 3",
               (json_int_t)2 * 2 * SIDE_OF_PLANE * TIMES + PARTS - 1);
}

/* Every part has its columns of one matrix and rows of the other, and sends what they add to each sum. */
static void long_sums_are_divided_along_their_terms(void **state)
{
    enum { N = 16, PARTS = 4 };
    (void)state;
    compile("cc", "long_sums.c", "long_sums");
    have_words("-p 4", "long_sums", 0, 4, " 16 1024 16", (json_int_t)(PARTS - 1) * N * N);
    have_words("-p 4", "long_sums", 5, 5, " 16 1024 16", (json_int_t)(PARTS - 1) * N * (N + 1) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_in_c_have_the_same_words),
        cmocka_unit_test(least_words_of_sweeps_are_near_the_blocks),
        cmocka_unit_test(sweeps_in_cxx_have_the_same_words),
        cmocka_unit_test(sweeps_in_fortran_have_the_same_words),
        cmocka_unit_test(orders_of_a_product_have_the_same_words),
        cmocka_unit_test(histograms_have_the_same_words),
        cmocka_unit_test(bodies_have_the_same_words),
        cmocka_unit_test(weighted_sums_cost_a_word_a_part),
        cmocka_unit_test(regressions_send_model_and_gradient),
        cmocka_unit_test(sums_over_pairs_cost_their_borders),
        cmocka_unit_test(a_grid_lies_on_an_array_that_has_its_extents),
        cmocka_unit_test(a_place_that_is_found_has_the_words_of_one_in_a_register),
        cmocka_unit_test(the_numbers_at_two_places_are_two_reductions),
        cmocka_unit_test(clusters_that_know_their_sums_leave_the_work_to_the_points),
        cmocka_unit_test(mixtures_have_the_same_words),
        cmocka_unit_test(sums_in_memory_have_the_words_of_registers),
        cmocka_unit_test(numbers_beside_each_other_in_memory_are_reductions),
        cmocka_unit_test(blocks_of_a_product_in_any_order_keep_their_work),
        cmocka_unit_test(lines_are_swept_across_borders),
        cmocka_unit_test(what_is_put_into_a_buffer_first_belongs_to_the_plane),
        cmocka_unit_test(a_field_that_is_zero_at_first_is_no_workspace),
        cmocka_unit_test(products_with_a_vector_have_the_same_words),
        cmocka_unit_test(fluxes_of_a_sweep_go_across_borders_once),
        cmocka_unit_test(buffers_that_calls_allocate_have_the_words_of_registers),
        cmocka_unit_test(small_arrays_of_several_statements_are_no_workspaces),
        cmocka_unit_test(a_field_solved_in_a_buffer_is_no_workspace),
        cmocka_unit_test(rows_in_two_sums_have_the_words_of_one),
        cmocka_unit_test(arrays_that_are_used_in_part_are_divided_evenly),
        cmocka_unit_test(what_a_sum_and_its_terms_read_is_paid_for),
        cmocka_unit_test(halves_of_a_factorisation_send_columns),
        cmocka_unit_test(a_long_block_has_the_words_of_a_call),
        cmocka_unit_test(flags_that_branches_set_come_of_what_they_ask),
        cmocka_unit_test(cells_live_by_their_neighbours_in_any_statement),
        cmocka_unit_test(what_is_found_of_all_numbers_costs_a_word_a_part),
        cmocka_unit_test(piles_fall_over_borders_whoever_counts),
        cmocka_unit_test(matrices_that_are_made_in_the_region_have_even_rows),
        cmocka_unit_test(numbers_from_a_file_are_input_wherever_they_go),
        cmocka_unit_test(bodies_that_are_copied_have_the_same_words),
        cmocka_unit_test(structures_by_value_have_the_words_of_their_numbers),
        cmocka_unit_test(long_sums_are_divided_along_their_terms),
        cmocka_unit_test(names_like_ours_are_the_programs),
        cmocka_unit_test(factors_of_rows_come_of_one_number),
        cmocka_unit_test(sweeps_with_coefficients_lose_no_step),
        cmocka_unit_test(few_written_words_end_no_search),
        cmocka_unit_test(elements_that_meet_at_nodes_are_divided),
        cmocka_unit_test(forces_are_added_up_where_nodes_are_known),
        cmocka_unit_test(arrays_made_anew_keep_their_words),
        cmocka_unit_test(what_is_gathered_has_no_home),
        cmocka_unit_test(places_found_by_a_function_cost_a_search),
        cmocka_unit_test(descriptors_of_modules_have_no_home),
        cmocka_unit_test(nested_rules_ask_their_conditions),
        cmocka_unit_test(constant_tables_are_everywhere),
        cmocka_unit_test(steps_that_may_throw_are_all_counted),
        cmocka_unit_test(fortran_rounds_and_assigns_structures),
        cmocka_unit_test(turns_of_registers_are_work),
        cmocka_unit_test(reductions_in_steps_have_the_words_of_one),
        cmocka_unit_test(columns_are_scaled_like_divided_ones),
        cmocka_unit_test(work_of_branches_is_where_they_were_taken),
        cmocka_unit_test(what_is_added_once_is_an_expression),
        cmocka_unit_test(a_line_of_parts_cuts_all_fields_alike),
        cmocka_unit_test(slopes_are_limited_by_branches_as_by_expressions),
        cmocka_unit_test(sums_in_variables_of_the_file_are_sums),
        cmocka_unit_test(rank_one_updates_send_vectors),
        cmocka_unit_test(arrays_filled_up_from_others_have_their_words),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
