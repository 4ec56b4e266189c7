/* The same computation written in many ways has the same words: layouts, loop orders, workspaces, languages.
 */
#include "variants.h"

enum { SIDE = 24, STEPS = 4, SWEEPS = 2 * STEPS * SIDE * 2 }; /* words of a sweep on 2 x 2 blocks */

/* Copied ghosts, row pointers, row buffers, unions, arrays of each step, structures, indices, sums in place,
 * columns, red and black, fields of a cell, tiles and their results on the heap, points that a function of a
 * structure leads to, a loop that a switch leads into, values that are loaded a turn before. */
static void sweeps_in_c_have_the_same_words(void **state)
{
    (void)state;
    compile("cc", "heat2d_ways.c", "ways_c");
    have_words("--grid 2x2", "ways_c", 0, 13, " 24 4", SWEEPS);
    have_words("--grid 2x2", "ways_c", 14, 14, " 24 4", SWEEPS);
}

/* Rectangles are no minimum: 5-point sweeps may have up to a fifth fewer. */
static void least_words_of_sweeps_are_near_the_blocks(void **state)
{
    (void)state;
    for (int which = 0; which <= 14; which++) {
        json_int_t words = words_of("-p 4", "ways_c", which, " 24 4");
        if (words < 0.8 * SWEEPS || words > 1.01 * SWEEPS)
            fail_msg("%d: %lld words at the least, %d in blocks", which, (long long)words, SWEEPS);
    }
    have_words("-p 2", "ways_c", 12, 12, " 24 4", SWEEPS / 2); /* how far loops go takes no work */
}

/* One word over each border either way in every step; the sums of three other parts. */
static void lanes_have_the_words_of_numbers(void **state)
{
    enum { OTHERS = 3 };
    (void)state;
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx2")) skip();
    compile("cc", "lanes.c", "lanes");
    have_words("--grid 4", "lanes", 0, 0, " 64 4", (json_int_t)2 * OTHERS * STEPS);
    have_words("--grid 4", "lanes", 1, 1, " 64 4", (json_int_t)2 * OTHERS * STEPS);
    have_words("--grid 4", "lanes", 2, 4, " 64 4", OTHERS);
    if (!__builtin_cpu_supports("fma")) return;
    compile("cc", "lane_wise.c", "lane_wise");
    have_words("--grid 4", "lane_wise", 0, 0, " 68 4", (json_int_t)2 * OTHERS * STEPS);
    have_words("--grid 4", "lane_wise", 1, 1, " 68 4", (json_int_t)2 * OTHERS * STEPS);
    have_words("--grid 4", "lane_wise", 2, 2, " 68 4", (json_int_t)2 * OTHERS * STEPS);
    have_words("--grid 4", "lane_wise", 3, 3, " 68 4", (json_int_t)2 * OTHERS * STEPS);
    have_words("--grid 4", "lane_wise", 4, 5, " 68 4", (json_int_t)2 * OTHERS * STEPS);
    have_words("--grid 4", "lane_wise", 6, 6, " 68 4", OTHERS);
    have_words("--grid 4", "lane_wise", 7, 7, " 68 4", OTHERS);
    have_words("--grid 4", "lane_wise", 8, 8, " 66 4", (json_int_t)2 * OTHERS * STEPS);
#endif
}

/* Accessors, virtual calls, function objects, small arrays, moved grids, vectors of vectors, arrays of values
 * with a temporary for every row, rows that are copied and put together in every step. */
static void sweeps_in_cxx_have_the_same_words(void **state)
{
    (void)state;
    compile("c++", "heat2d_ways.cpp", "ways_cxx");
    have_words("--grid 2x2", "ways_cxx", 0, 6, " 24 4", SWEEPS);
    have_words("--grid 2x2", "ways_cxx", 7, 8, " 24 4", SWEEPS);
}

/* Nodes of lists and maps, words allocated one by one, pieces of a line, part of an array: columns are
 * theirs, not the blocks'. A sweep over 24 x 24 of 26 x 26 words; 24 x 32 sums of 16 products, of which a
 * part needs half of a and of b. */
static void containers_have_the_words_of_an_array(void **state)
{
    (void)state;
    compile("c++", "containers.cpp", "containers");
    have_words("--grid 2x2", "containers", 0, 5, " 0 26 26", SWEEPS);
    have_words("--grid 1x4", "containers", 0, 5, " 0 26 26", SWEEPS / 2 * 3);
    have_words("--grid 2x2", "containers", 0, 5, " 1 24 32", 24 * 16 + 16 * 32);
    have_words("-p 4", "containers", 0, 5, " 1 24 32", 24 * 16 + 16 * 32);
}

/* 16 rows of a word each; in each of 3 steps the first and the last go to the parts beside. */
static void bits_have_the_words_that_they_are_in(void **state)
{
    enum { PARTS = 4, TIMES = 3 };
    (void)state;
    compile("c++", "bits.cpp", "bits");
    have_words("--grid 4", "bits", 0, 0, " 3", (json_int_t)2 * PARTS * TIMES);
    have_words("--grid 4", "bits", 1, 1, " 3", (json_int_t)2 * (PARTS - 1) * TIMES);
    have_words("--grid 4", "bits", 2, 4, " 3", (json_int_t)2 * PARTS * TIMES);
}

/* Rows that are not used are rows of their plane all the same: both are cut alike. Across a cut of 14 x 27
 * points one row of 27, or column of 14, goes either way in each of 3 steps. */
static void planes_of_rows_are_cut_alike(void **state)
{
    (void)state;
    compile("cc", "planes_of_rows.c", "planes");
    have_words("--grid 2x2", "planes", 0, 0, " 14 27 3", (json_int_t)3 * 2 * (27 + 14));
    have_words("--grid 4x1", "planes", 0, 0, " 14 27 3", (json_int_t)3 * 2 * 3 * 27);
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

/* Looking right or left, in blocks; row by row, unrolled, column by column, in tiles. Fewest would be 2 x 2
 * blocks, with partial sums: every way has these at least, and rows at most. */
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
    for (int way = 5; way <= 8; way++)
        assert_in_range(words_of("-p 4", "products", way, " 24"), 2 * SIDE * 3, 3 * SIDE * 3);
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

/* In each step three sums and a count of every centre go from the parts to one, and it comes back, whether
 * coordinates are side by side or in an array each, and however few points there are for a centre. Points
 * that are made of nothing are added up where it is known which centre is theirs. */
static void points_are_divided_in_any_layout(void **state)
{
    enum { CENTRES = 40, TWICE = 2, EACH = 3 + 1 + 3, SOME = 6 };
    (void)state;
    compile("cc", "kmeans_layouts.c", "layouts_of_points");
    for (int way = 0; way < 2; way++) {
        have_words("--grid 2", "layouts_of_points", way, way, " 1000 40 2", CENTRES * EACH * TWICE);
        have_words("--grid 2", "layouts_of_points", way, way, " 600 50 2", 50 * EACH * TWICE);
    }
    have_words("--grid 2", "layouts_of_points", 0, 3, " 300 6 2", SOME * EACH * TWICE);
    have_words("--grid 3", "layouts_of_points", 0, 3, " 300 6 2", 2 * SOME * EACH * TWICE);
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

/* The largest array of which each word is computed from another one holds the corners of cells and has no
 * rows: the grid is one of cells. */
static void a_grid_lies_on_an_array_that_has_its_extents(void **state)
{
    (void)state;
    compile("cc", "corners.c", "corners");
    have_words("--grid 2x2", "corners", SIDE, SIDE, " 4", (json_int_t)2 * STEPS * (SIDE - 2) * 2);
}

/* Pressures and velocities are not written in the same planes; a cut lies in the middle of both together. Of
 * a cut the neighbours' value is read in every step, of the frame's words once. */
static void staggered_fields_are_cut_in_the_middle(void **state)
{
    enum { N = 48, TIMES = 4 };
    (void)state;
    compile("cc", "staggered.c", "staggered");
    have_words("--grid 2x2", "staggered", N, N, " 4", 2LL * 2 * (TIMES * (N - 2) + 1));
    have_words("-p 4", "staggered", N, N, " 4", 2LL * 2 * (TIMES * (N - 2) + 1));
}

/* What particles give and take follows them: the blocks of two dimensions look worse than rows until it does.
 * A block sends the potential that it begins with and four more to all sides in each step, sums of charges to
 * two sides and a corner, and gets two fields from these. */
static void particles_on_a_plane_are_cut_in_blocks(void **state)
{
    enum { N = 64, TIMES = 2, RELAXED = 4, ACROSS = N / 2 + N / 4, PARTS = 8 };
    const json_int_t words = PARTS * (2LL * ACROSS * (TIMES * RELAXED + 1) + 3 * (ACROSS + 1) * TIMES);
    (void)state;
    compile("cc", "clouds.c", "clouds");
    have_words("--grid 2x4", "clouds", N, N, " 8 2", words);
    have_words("-p 8", "clouds", N, N, " 8 2", words);
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

/* A block of 2 x 2 of a plane without borders has all that is around it elsewhere; in a larger block of
 * memory, too.
 */
static void closed_planes_have_their_rows_in_any_block(void **state)
{
    enum { N = 16, TIMES = 3, AROUND = 4 * N / 2 + 4, LAST = 4 };
    (void)state;
    compile("cc", "torus.c", "torus");
    have_words("--grid 2x2", "torus", 0, LAST, " 16 3", (json_int_t)TIMES * 4 * AROUND);
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

/* One word over the cut each way in each step; the parameters are inputs, anew each time: where they are
 * copied to may not be where the caller comes back from. */
static void regions_are_given_structures_by_value(void **state)
{
    enum { TIMES = 4, PARAMETERS = 3 };
    (void)state;
    compile("cc", "given_by_value.c", "given_by_value");
    have_words("--grid 2", "given_by_value", 0, 0, " 64 4", TIMES * (2 + PARAMETERS));
    compile("cc", "given_any_number.c", "given_any_number");
    have_words("--grid 2", "given_any_number", 0, 0, " 64 4", TIMES * (2 + PARAMETERS));
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

/* One word over each border in every step, and once how many points there are. */
static void arrays_filled_up_from_others_have_their_words(void **state)
{
    enum { PARTS = 4, TIMES = 3 };
    (void)state;
    compile("fc", "filled.f90", "filled");
    have_words("--grid 4", "filled", 0, 7, " 32 3", (json_int_t)PARTS * TIMES + PARTS - 1);
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

static void arrays_made_anew_keep_their_words(void **state)
{
    static const int steps[] = {8, 9, 12, 20};
    char arguments[16];
    (void)state;
    compile("cc", "anew.c", "anew");
    compile("c++", "vector_class.cpp", "vector_class");
    have_words("--grid 4", "anew", 0, 2, " 64 6", (json_int_t)4 * 4 * 6);
    for (size_t i = 0; i < sizeof steps / sizeof *steps;
         i++) { /* neighbours, two sums and two quotients; one sum more before, one quotient less at the end
                 */
        snprintf(arguments, sizeof arguments, " 64 %d", steps[i]);
        have_words("--grid 4", "vector_class", 0, 1, arguments, (8 + 12) * steps[i]);
    }
}

/* What a mask or a list gathers in an array that is allocated for it lies where it goes to. */
static void what_is_gathered_has_no_home(void **state)
{
    enum { N = 16, TIMES = 3, SWEEPS_INSIDE = 4 * (N - 2) * TIMES };
    (void)state;
    compile("fc", "masked.f90", "masked");
    compile("cc", "materials.c", "materials");
    have_words("--grid 2x2", "masked", 0, 3, " 16 3", SWEEPS_INSIDE);
    have_words("--whole --grid 2x2", "masked", 0, 0, " 16 8", SWEEPS_INSIDE / TIMES * 8);
    have_words("--grid 2 --extent 256", "materials", 0, 0, " 16 20 4", 0);
    have_words("--grid 2 --extent 64", "materials", 0, 0, " 8 20 4", 0);
    have_words("--grid 2x2", "materials", 1, 1, " 16 3 1", SWEEPS_INSIDE);
    have_words("--grid 2x2", "materials", 1, 1, " 16 3 4", SWEEPS_INSIDE);
}

static void nested_rules_ask_their_conditions(void **state)
{
    (void)state;
    compile("cc", "rules.c", "rules");
    have_words("--grid 2", "rules", 0, 3, " 8 0", 2);
    have_words("--grid 2", "rules", 0, 3, " 8 24", 2);
    have_words("--grid 2", "rules", 0, 3, " 8 255", 2);
}

/* Who does not choose a value does not read what it is computed from. */
static void values_that_are_not_chosen_send_nothing(void **state)
{
    (void)state;
    compile("cc", "masks.c", "masks");
    have_words("--grid 2x2", "masks", 0, 4, " 26 4", SWEEPS);
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

/* A border is crossed once by a swept line, both ways by a stencil, wherever the transposed array lies. */
static void arrays_that_are_transposed_are_cut_along_their_turned_dimensions(void **state)
{
    enum { N = 16, M = 24, T = 3, L = 12, FACE = (L - 2) * (L - 2) };
    (void)state;
    compile("cc", "transposed.c", "transposed");
    have_words("--grid 2x2", "transposed", 0, 1, " 16 24 3", T * (N + M));
    have_words("--grid 4x1", "transposed", 0, 1, " 16 24 3", T * 3 * M);
    have_words("--grid 1x4", "transposed", 0, 1, " 16 24 3", T * 3 * N);
    have_words("-p 4", "transposed", 0, 0, " 16 24 3", T * (N + M));
    have_words("--grid 2x2", "transposed", 2, 2, " 16 24 3", T * 2 * 2 * (N - 2 + M - 2));
    have_words("--grid 2x2x2", "transposed", 3, 4, " 12 12 3", T * 3 * 2 * FACE);
    have_words("--grid 1x1x2", "transposed", 3, 4, " 12 12 3", T * 2 * FACE);
    have_words("--grid 4x1", "transposed", 5, 5, " 32 32 1", 32 * 32 / 4 * 3);
    have_words("-p 4", "transposed", 5, 5, " 32 32 1", 32 * 32 / 4 * 3);
}

/*
 * Two parts: a square of S of N - 2 lines, and the rest. Of products the rows of the square are on both. A
 * sweep sends one value forth and one back over its border, and two to the next sweep, one of which went
 * back; the first reads input, the last is not read. Four: three squares' sides of half the lines on both
 * sides of the diagonal.
 */
static void squares_are_folded_on_their_diagonal(void **state)
{
    enum { N = 24, S = 16, HALF = (N - 2) / 2 };
    (void)state;
    compile("cc", "squares.c", "squares");
    have_words("-p 2", "squares", 0, 0, " 24 1", 17 * N);
    have_words("-p 2", "squares", 1, 1, " 24 2", S * (6 * 2 + 1));
    have_words("-p 2", "squares", 1, 1, " 24 3", S * (6 * 3 + 1));
    json_int_t products = words_of("-p 4", "squares", 0, " 24 1");
    json_int_t sweeps = words_of("-p 4", "squares", 1, " 24 3");
    if (products > 1.05 * 3 * N / 2 * N) fail_msg("%lld words of products on four", (long long)products);
    if (sweeps > 1.05 * 3 * HALF * (6 * 3 + 1)) fail_msg("%lld words of sweeps on four", (long long)sweeps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_folded_on_their_diagonal),
        cmocka_unit_test(arrays_that_are_transposed_are_cut_along_their_turned_dimensions),
        cmocka_unit_test(sweeps_in_c_have_the_same_words),
        cmocka_unit_test(least_words_of_sweeps_are_near_the_blocks),
        cmocka_unit_test(lanes_have_the_words_of_numbers),
        cmocka_unit_test(sweeps_in_cxx_have_the_same_words),
        cmocka_unit_test(containers_have_the_words_of_an_array),
        cmocka_unit_test(bits_have_the_words_that_they_are_in),
        cmocka_unit_test(planes_of_rows_are_cut_alike),
        cmocka_unit_test(points_are_divided_in_any_layout),
        cmocka_unit_test(sweeps_in_fortran_have_the_same_words),
        cmocka_unit_test(orders_of_a_product_have_the_same_words),
        cmocka_unit_test(bodies_have_the_same_words),
        cmocka_unit_test(a_grid_lies_on_an_array_that_has_its_extents),
        cmocka_unit_test(staggered_fields_are_cut_in_the_middle),
        cmocka_unit_test(particles_on_a_plane_are_cut_in_blocks),
        cmocka_unit_test(blocks_of_a_product_in_any_order_keep_their_work),
        cmocka_unit_test(arrays_that_are_used_in_part_are_divided_evenly),
        cmocka_unit_test(halves_of_a_factorisation_send_columns),
        cmocka_unit_test(a_long_block_has_the_words_of_a_call),
        cmocka_unit_test(flags_that_branches_set_come_of_what_they_ask),
        cmocka_unit_test(cells_live_by_their_neighbours_in_any_statement),
        cmocka_unit_test(closed_planes_have_their_rows_in_any_block),
        cmocka_unit_test(piles_fall_over_borders_whoever_counts),
        cmocka_unit_test(matrices_that_are_made_in_the_region_have_even_rows),
        cmocka_unit_test(numbers_from_a_file_are_input_wherever_they_go),
        cmocka_unit_test(bodies_that_are_copied_have_the_same_words),
        cmocka_unit_test(regions_are_given_structures_by_value),
        cmocka_unit_test(structures_by_value_have_the_words_of_their_numbers),
        cmocka_unit_test(names_like_ours_are_the_programs),
        cmocka_unit_test(sweeps_with_coefficients_lose_no_step),
        cmocka_unit_test(few_written_words_end_no_search),
        cmocka_unit_test(elements_that_meet_at_nodes_are_divided),
        cmocka_unit_test(arrays_made_anew_keep_their_words),
        cmocka_unit_test(what_is_gathered_has_no_home),
        cmocka_unit_test(nested_rules_ask_their_conditions),
        cmocka_unit_test(values_that_are_not_chosen_send_nothing),
        cmocka_unit_test(constant_tables_are_everywhere),
        cmocka_unit_test(steps_that_may_throw_are_all_counted),
        cmocka_unit_test(fortran_rounds_and_assigns_structures),
        cmocka_unit_test(work_of_branches_is_where_they_were_taken),
        cmocka_unit_test(a_line_of_parts_cuts_all_fields_alike),
        cmocka_unit_test(slopes_are_limited_by_branches_as_by_expressions),
        cmocka_unit_test(arrays_filled_up_from_others_have_their_words),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
