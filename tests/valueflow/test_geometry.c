/*
 * Blocks where the array that the work goes by is not simply a line or a rectangle of written words: fields
 * in one array, lists of edges, tables of a dynamic program, points of which nothing is written. Words on a
 * grid are derived by hand, N words along a side, T sweeps, p parts as px x py x pz:
 *
 *   aos3d, soa3d   three fields, 2 T N^2 (px + py + pz - 3) each
 *   stencil9       T (2 N (px + py - 2) + 4 (px - 1) (py - 1)); the frame's share goes with a partial sum
 *   blur           the same, and 9 weights to p - 1 parts
 *   wavefront      N (px + py - 2) of the table, N (py - 1) + N (px - 1) of the sequences, one across the
 *                  middle and one of each border behind a cut
 *   edges          2 T N (px + py - 2): a cell's value once to each part beside it
 *   faces          3 T 2 N (px + py - 2): three fields of the cells on either side of a cut
 *   nbody          3 T N (p - 1) coordinates and N (p - 1) masses
 *   fft            2 N log2 p: a number and its partner change places in so many of the stages
 *   shortest_paths N^2 (px + py - 2): a row and a column in each step
 *   lattice        three of nine populations each way, two of them N - 1 times and four across both cuts; the
 *                  last step's are not read; one of each frame once
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

#include "few.h"
#include "run_cli.h"

static void compile(const char *source, const char *name)
{
    struct outcome outcome = run_cli("cc --values --region kernel %s -o %s -lm", source, name);
    if (outcome.status) fail_msg("%s does not compile: %s", name, outcome.err);
    outcome_clear(&outcome);
}

/* What a point says: its words, and those of the best rectangular blocks. */
struct told {
    json_int_t words, words_block;
};

static struct told tell(const char *options, const char *name, const char *arguments, char *decomposition)
{
    struct outcome outcome = run_cli("estimate --whole %s --json -- ./%s %s", options, name, arguments);
    if (outcome.status) fail_msg("estimate %s -- %s %s: %s", options, name, arguments, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    assert_non_null(object);
    json_t *point = json_array_get(json_object_get(object, "points"), 0);
    struct told told = {json_integer_value(json_object_get(point, "words")),
                        json_integer_value(json_object_get(point, "words_block"))};
    snprintf(decomposition, 256, "%s", json_string_value(json_object_get(point, "decomposition")));
    json_decref(object);
    outcome_clear(&outcome);
    return told;
}

static json_int_t words_of(const char *options, const char *name, const char *arguments, char *decomposition)
{
    return tell(options, name, arguments, decomposition).words;
}

static const struct {
    const char *kernel, *arguments, *grid;
    int p;
    json_int_t words;
    double least_ratio; /* odd shapes may send so much less */
} cases[] = {
    {"aos3d", "8 3", "2x2x2", 8, 3LL * 2 * 3 * 64 * 3, 0.8},
    {"soa3d", "8 3 3", "2x2x2", 8, 3LL * 2 * 3 * 64 * 3, 0.8},
    /* two halves that do not meet, of even and odd points, need half of it */
    {"shallow_water", "32 3", "2x2", 4, 3LL * 2 * 32 * 2 * 3, 0.45},
    {"padded", "2 32 3 7", "2x2", 4, 3LL * 2 * 32 * 2, 0.88},
    {"padded", "3 16 2 13", "2x2x2", 8, 2LL * 2 * 3 * 256, 0.88},
    {"stencil9", "32 4", "4x4", 16, 4LL * (2 * 32 * 6 + 4 * 9), 0.8},
    {"blur", "32 4", "2x2", 4, 4LL * (2 * 32 * 2 + 4) + 9LL * 3, 0.88},
    {"wavefront", "64", "2x2", 4, 4LL * 64 + 3, 0.9},
    {"edges", "32 5", "2x2", 4, 2LL * 5 * 32 * 2, 0.88},
    {"faces", "32 4", "2x2", 4, 3LL * 4 * 2 * 32 * 2, 0.9},
    {"nbody", "64 3", "4", 4, 3LL * 3 * 3 * 64 + 3LL * 64, 1},
    {"fft", "256", "4", 4, 2LL * 256 * 2, 1},
    {"shortest_paths", "32", "2x2", 4, 2LL * 32 * 32, 1},
    {"lattice", "32 4", "2x2", 4, 3LL * (4 * (3 * 32 - 2) - 4) + 4, 0.9},
};

static void fields_edges_and_tables_have_blocks_exact_to_the_word(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[512], options[64], decomposition[256];
        snprintf(source, sizeof source, KERNELS "/%s.c", cases[i].kernel);
        compile(source, cases[i].kernel);
        snprintf(options, sizeof options, "--grid %s", cases[i].grid);
        json_int_t words = words_of(options, cases[i].kernel, cases[i].arguments, decomposition);
        if (words != cases[i].words)
            fail_msg("%s on %s: %lld words, not %lld (%s)", cases[i].kernel, cases[i].grid, (long long)words,
                     (long long)cases[i].words, decomposition);
        snprintf(options, sizeof options, "-p %d", cases[i].p);
        words = words_of(options, cases[i].kernel, cases[i].arguments, decomposition);
        double ratio = (double)words / (double)cases[i].words;
        if (!(ratio >= cases[i].least_ratio && ratio <= 1.01))
            fail_msg("%s %s: %lld words, %.2f of the blocks (%s)", cases[i].kernel, options, (long long)words,
                     ratio, decomposition);
    }
}

/* Fields that mix are at any distance from each other: the types of the program tell how many lie together.
 */
static void structures_stay_whole_in_every_language(void **state)
{
    static const struct {
        const char *compiler, *source, *grid, *shape;
        json_int_t words;
    } programs[] = {
        {"cc", KERNELS "/faces.c", "3x2", "3 x 2 x 1 blocks of cells (faces.c:33) (32 x 32 x 7)",
         3LL * 4 * 2 * 32 * 3},
        {"c++", VARIANTS "/faces.cpp", "2x2", "2 x 2 x 1 blocks of cells (faces.cpp:48) (32 x 32 x 7)",
         3LL * 4 * 2 * 32 * 2},
        {"fc", VARIANTS "/faces.f90", "2x2", "2 x 2 x 1 blocks of", 3LL * 4 * 2 * 32 * 2},
        {"cc", VARIANTS "/structures_in_turn.c", "2x2", "(34 x 34 x 3)", 4LL * (2 * 3 + 2 * 2) * 32},
        {"cc", VARIANTS "/structure_rows.c", "2x2", "(34 x 34)", 4LL * 2 * 32 * 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        bool is_fortran = strcmp(programs[i].compiler, "fc") == 0;
        char options[64], decomposition[256];
        if (is_fortran && system("command -v flang-new-19 >/dev/null")) continue;
        struct outcome outcome =
            run_cli("%s --values --region kernel -O2 %s -o structures%s", programs[i].compiler,
                    programs[i].source, strcmp(programs[i].compiler, "cc") == 0 ? " -lm" : "");
        if (outcome.status) fail_msg("%s does not compile: %s", programs[i].source, outcome.err);
        outcome_clear(&outcome);
        snprintf(options, sizeof options, "--grid %s", programs[i].grid);
        json_int_t words = words_of(options, "structures", "32 4", decomposition);
        if (words != programs[i].words || !strstr(decomposition, programs[i].shape))
            fail_msg("%s: %lld words, not %lld (%s)", programs[i].source, (long long)words,
                     (long long)programs[i].words, decomposition);
    }
}

/* Ten rows are no ten arrays of which each is cut alike. */
static void few_rows_of_structures_are_rows(void **state)
{
    enum { ROWS = 8, COLUMNS = 20, STEPS = 3 };
    char decomposition[256];
    (void)state;
    compile(VARIANTS "/two_fields.c", "two_fields");
    json_int_t words = words_of("--grid 2x1", "two_fields", "8 20 3", decomposition);
    if (words != 2 * COLUMNS * STEPS) fail_msg("%lld words (%s)", (long long)words, decomposition);
    words = words_of("--grid 1x2", "two_fields", "8 20 3", decomposition);
    if (words != 2 * ROWS * STEPS) fail_msg("%lld words (%s)", (long long)words, decomposition);
}

static void a_tiled_sum_is_divided_by_its_data(void **state)
{
    (void)state;
    char decomposition[256];
    compile(VARIANTS "/dot_tiled.c", "dot_tiled");
    assert_int_equal(words_of("--grid 16", "dot_tiled", "50000", decomposition),
                     15); /* terms die on the way */
    assert_int_equal(words_of("-p 16", "dot_tiled", "100000", decomposition), 15);
    assert_true(strstr(decomposition, "16 blocks of x (") || strstr(decomposition, "16 parts of x (") ||
                strstr(decomposition, "16 blocks of y (") || strstr(decomposition, "16 parts of y ("));
}

/* Rows and columns dealt out in turn send n - 1 - k words of the row and of the column to one other part in
 * step k, and the pivot to the other part of its column. Blocks with as much work each, the large ones first,
 * send fewer: what is done with is sent nowhere. */
static void a_factorisation_has_blocks_of_equal_work(void **state)
{
    (void)state;
    char decomposition[256];
    compile(KERNELS "/lu.c", "lu");
    json_int_t words = words_of("-p 4", "lu", "64", decomposition), in_turn = 2 * (64 * 63 / 2) + 63;
    if (words < 0.85 * (double)in_turn || words > 0.9 * (double)in_turn)
        fail_msg("%lld words", (long long)words);
    if (!strstr(decomposition, "blocks of equal work of") && !strstr(decomposition, "blocks of a (lu.c:16)"))
        fail_msg("%s", decomposition);
}

/* The least of elements, guarded, and its place are one word from every part and one to it in each step;
 * arrays that are made for one material after another are not those of the material before. */
static void choices_are_sums_and_materials_have_arrays_of_their_own(void **state)
{
    static const struct {
        const char *kernel, *arguments;
        json_int_t words;
    } known[] = {{"argmin", "1024 3", 3LL * 2 * 3},
                 {"pivot", "1024 3", 3LL * 2 * 3},
                 {"largest", "1024 3 0", 3LL * 2 * 3},
                 {"largest", "1024 3 1", 3LL * 2 * 3},
                 {"largest", "1024 3 2", 3LL * 2 * 3},
                 {"largest", "1024 3 3", 3LL * 2 * 3},
                 {"alike", "2000 2 3", 0},
                 {"alike", "20000 2 11", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char source[512], decomposition[256];
        snprintf(source, sizeof source, KERNELS "/%s.c", known[i].kernel);
        compile(source, known[i].kernel);
        for (int least = 0; least < 2; least++) {
            json_int_t words =
                words_of(least ? "-p 4" : "--grid 4", known[i].kernel, known[i].arguments, decomposition);
            if (words != known[i].words)
                fail_msg("%s %s%s: %lld words, not %lld (%s)", known[i].kernel, known[i].arguments,
                         least ? ", least" : "", (long long)words, (long long)known[i].words, decomposition);
        }
    }
}

/* One more than the grid has is that of fields. */
static void extents_that_are_given_may_tell_fields(void **state)
{
    (void)state;
    static const json_int_t words = 3LL * 2 * 3 * 64 * 3;
    char decomposition[256];
    compile(KERNELS "/aos3d.c", "aos3d");
    compile(KERNELS "/soa3d.c", "soa3d");
    assert_int_equal(words_of("--grid 2x2x2 --extent 10,10,10,4", "aos3d", "8 3", decomposition), words);
    assert_non_null(strstr(decomposition, "2 x 2 x 2 x 1 blocks"));
    assert_int_equal(words_of("--grid 2x2x2 --extent 3,10,10,10", "soa3d", "8 3 3", decomposition), words);
    assert_non_null(strstr(decomposition, "1 x 2 x 2 x 2 blocks"));
    struct outcome outcome = run_cli("estimate --grid 2x2 --extent 100,10,4,1 -- ./aos3d 8 3");
    assert_int_equal(outcome.status, 2);
    assert_non_null(strstr(outcome.err, "4 extents for a grid of 2 dimensions"));
    outcome_clear(&outcome);
    outcome = run_cli("estimate --grid 2x2 --extent 100,10,100 -- ./aos3d 48 1");
    assert_int_equal(outcome.status, 2);
    outcome_clear(&outcome);
}

/* A vector that all rows of a matrix read goes to every other part: what 8 blocks of rows send is 7/3 of what
 * 4 send, and no least words are above rows. */
static void rows_are_candidates_for_every_number_of_parts(void **state)
{
    (void)state;
    char decomposition[256];
    struct outcome outcome = run_cli("cc --values " HYDRO "/../cg.c -o cg -lm");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    json_int_t four = words_of("-p 4", "cg", "272 256 2", decomposition);
    json_int_t eight = words_of("-p 8", "cg", "272 256 2", decomposition);
    if (four <= 0 || 3 * eight > 7 * four)
        fail_msg("%lld words on 8 parts, %lld on 4 (%s)", (long long)eight, (long long)four, decomposition);
    words_of("-p 8", "cg", "600 32 1", decomposition);
    if (!strstr(decomposition, "; rows of weight"))
        fail_msg("rows of 33 entries do not lie with the sums over them: %s", decomposition);
}

/* More than 100000 vertices are searched by blocks of cells: grids are exact all the same, and odd shapes are
 * found. */
static void large_graphs_have_exact_blocks_and_better_shapes(void **state)
{
    (void)state;
    const json_int_t blocks = 2LL * 2 * 256 * 2;
    compile(KERNELS "/heat2d_swap.c", "heat2d_swap");
    struct outcome outcome = run_cli("estimate --whole -p 4 --json -- ./heat2d_swap 256 2");
    if (outcome.status) fail_msg("%s", outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    assert_non_null(object);
    json_t *point = json_array_get(json_object_get(object, "points"), 0);
    json_int_t words = json_integer_value(json_object_get(point, "words"));
    assert_int_equal(json_integer_value(json_object_get(point, "words_block")), blocks);
    if (words > blocks || (double)words < 0.88 * (double)blocks) fail_msg("%lld words", (long long)words);
    json_decref(object);
    outcome_clear(&outcome);
}

static void have_words(const char *options, const char *name, int first, int last, const char *arguments,
                       json_int_t expected)
{
    char all[64], decomposition[256];
    for (int way = first; way <= last; way++) {
        snprintf(all, sizeof all, "%d %s", way, arguments);
        json_int_t words = words_of(options, name, all, decomposition);
        if (words != expected)
            fail_msg("%s %s %s: %lld words in %s, not %lld", name, all, options, (long long)words,
                     decomposition, (long long)expected);
    }
}

/* Extents of structures are those of an array for each field, whichever other array has as many words, and a
 * grid cuts between them: the row below the cut, or nothing. */
static void extents_may_be_those_of_structures(void **state)
{
    enum { COLUMNS = 16, TIMES = 5 };
    (void)state;
    compile(VARIANTS "/cells_of_fields.c", "cells_of_fields");
    have_words("--grid 2x1 --extent 12,16", "cells_of_fields", 0, 1, "12 16 5", COLUMNS * TIMES);
    have_words("--grid 1x2 --extent 12,16", "cells_of_fields", 0, 1, "12 16 5", 0);
    have_words("--grid 2x1 --extent 12,16,2", "cells_of_fields", 1, 1, "12 16 5", COLUMNS * TIMES);
    have_words("-p 2 --extent 12,16", "cells_of_fields", 0, 1, "12 16 5", 0);
    have_words("--grid 2 --extent 12,16", "cells_of_fields", 0, 1, "12 16 5", COLUMNS * TIMES);
}

/* Of columns one array is read on both sides of two borders, once, and the sum goes round; of rows what is
 * computed crosses these. */
static void all_blocks_of_a_small_array_are_looked_at(void **state)
{
    enum { ROWS = 24, COLUMNS = 8, TIMES = 5 };
    (void)state;
    compile(VARIANTS "/columns_of_few.c", "columns_of_few");
    have_words("--grid 1x2 --extent 24,8", "columns_of_few", 0, 1, "24 8 5", 2 * ROWS + 2 * TIMES);
    have_words("-p 2", "columns_of_few", 0, 1, "24 8 5", 2 * ROWS + 2 * TIMES);
}

/* Two words cross each border, and partial sums and sums go to and from one part. */
static void products_of_a_border_are_added_up_where_they_are(void **state)
{
    enum { PARTS = 4 };
    (void)state;
    compile(VARIANTS "/products_of_border.c", "products_of_border");
    for (int times = 1; times <= 3; times++) {
        char arguments[16];
        snprintf(arguments, sizeof arguments, "32 %d", times);
        have_words("--grid 4", "products_of_border", 0, 2, arguments, (2 * PARTS + 2 * (PARTS - 1)) * times);
    }
}

/* Two particles on either side of every border of the ring, in each step, or their forces instead; blocks are
 * those of the particles, however many ghosts there are. */
static void ghosts_lie_with_what_they_are_images_of(void **state)
{
    enum { PARTS = 4, REACH = 2, TIMES = 8, WORDS = PARTS * 2 * REACH * TIMES };
    (void)state;
    compile(VARIANTS "/ghosts.c", "ghosts");
    have_words("--grid 4", "ghosts", 0, 1, "16 8", WORDS);
    have_words("-p 4", "ghosts", 0, 1, "16 8", WORDS);
    have_words("--grid 4", "ghosts", 0, 1, "64 8", WORDS);
    for (int which = 0; which < 2; which++) {
        char decomposition[256];
        assert_int_equal(tell("-p 4", "ghosts", which ? "1 16 8" : "0 16 8", decomposition).words_block,
                         WORDS);
    }
}

/* A halo that is computed is no part of what is divided; nor is the row more that faces have than cells, of
 * which a part is sent, in each step, those on the borders above and before it, and their density once. */
static void cells_of_a_halo_belong_to_those_beside_them(void **state)
{
    enum { N = 24, TIMES = 6, FOUR = 2, EIGHT = 4 };
    char decomposition[256];
    (void)state;
    compile(VARIANTS "/halos.c", "halos");
    assert_int_equal(tell("-p 8", "halos", "0 24 6", decomposition).words_block, TIMES * EIGHT * 2 * N);
    for (int p = FOUR; p <= EIGHT; p += FOUR)
        assert_int_equal(tell(p == FOUR ? "-p 4" : "-p 8", "halos", "1 24 6", decomposition).words_block,
                         p * (TIMES * 3 * N + N + 1));
}

/* The sum there and back in each step, or the factor once to each other part. */
static void what_all_read_in_an_array_of_the_same_size_has_no_images(void **state)
{
    enum { OTHERS = 3, STEPS = 3 };
    (void)state;
    compile(VARIANTS "/same_size.c", "same_size");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 4";
        have_words(options, "same_size", 0, 0, "16 3", 2 * OTHERS * STEPS);
        have_words(options, "same_size", 1, 1, "16 3", OTHERS);
        have_words(options, "same_size", 2, 2, "48 3", 2 * OTHERS * STEPS);
    }
}

static void extents_that_fit_no_array_are_an_error_of_a_search_too(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("estimate -p 4 --extent 7,100 -- ./aos3d 8 3");
    assert_int_equal(outcome.status, 2);
    assert_non_null(strstr(outcome.err, "no array of the region has the 700 words of --extent"));
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 1,4 --extent 10,10,10,4 -- ./aos3d 8 3");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
}

static void what_cannot_be_told_or_divided_comes_with_a_hint(void **state)
{
    static const char *const ways[][2] = {
        {"--grid 2x2", "ROWS,COLUMNS"}, {"--grid 2x2x2", "PLANES,ROWS,COLUMNS"}, {"-p 100", "fewer parts"}};
    (void)state;
    compile(KERNELS "/jacobi1d.c", "jacobi1d");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct outcome outcome = run_cli("estimate %s -- ./jacobi1d 61 3", ways[i][0]);
        assert_int_equal(outcome.status, 3);
        assert_non_null(strstr(outcome.err, ways[i][1]));
        outcome_clear(&outcome);
    }
}

/* Three colours both ways across each of two borders, and the nine words of the way once, for all the sites
 * that lie along it; in half of 8 sites as well, where the graph is large. */
static void lattices_of_four_dimensions_are_cut_along_all(void **state)
{
    enum { BORDER = 2 * (2 * 3 + 9), FOUR = 4 * 4 * 4, SIX = 6 * 6 * 6, EIGHT = 8 * 8 * 8 };
    (void)state;
    char decomposition[256];
    compile(VARIANTS "/lattice4d.c", "lattice4d");
    have_words("-p 16", "lattice4d", has_time() ? 0 : 1, 1, "6 1", 4 * BORDER * SIX);
    have_words("--grid 2x2x2x2", "lattice4d", 0, 1, "4 1", 4 * BORDER * FOUR);
    have_words("--grid 2x2x2x2 --extent 4,4,4,4", "lattice4d", 0, 1, "4 1", 4 * BORDER * FOUR);
    have_words("--grid 2x2x1x1x1 --extent 4,4,4,4,3", "lattice4d", 0, 1, "4 1", 2 * BORDER * FOUR);
    struct told told = tell("-p 8", "lattice4d", "1 8 1", decomposition);
    assert_int_equal(told.words, 3 * BORDER * EIGHT);
    assert_int_equal(told.words_block, 3 * BORDER * EIGHT);
    if (!strstr(decomposition, " blocks of to (")) fail_msg("%s", decomposition);
}

/* What a sum takes in with the frame makes corners a little more uneven than whole rows and columns do:
 * blocks are told all the same. Both sides of each cut in each step, and a sum of each part but one. */
static void blocks_whose_frames_weigh_a_little_are_told(void **state)
{
    enum { STEPS = 4 };
    static const int sides[] = {22, 28, 32};
    (void)state;
    compile(VARIANTS "/summed_frames.c", "summed_frames");
    for (size_t i = 0; i < 2 * sizeof sides / sizeof *sides; i++)
        for (int columns = 3; columns <= 4; columns++) {
            char options[16], arguments[32], decomposition[256];
            int side = sides[i / 2], p = 2 * columns, cuts = 1 + columns - 1;
            snprintf(options, sizeof options, "-p %d", p);
            snprintf(arguments, sizeof arguments, "%d %d %d", (int)(i % 2), side, STEPS);
            json_int_t words = tell(options, "summed_frames", arguments, decomposition).words_block;
            if (words != 2 * STEPS * cuts * (side - 2) + p - 1)
                fail_msg("%s %s: %lld words in blocks", arguments, options, (long long)words);
        }
}

/* Diagonals are as common as rows, and may divide the array as well, of which the corners may have no value:
 * both sides of a cut in each step, and once what of the frame is read from both. */
static void diagonals_are_no_rows(void **state)
{
    enum { STEPS = 5, SIDE = 23, MORE = 22, ROUND_A_PLANE = 10 * 11 - 8 * 9 };
    (void)state;
    compile(VARIANTS "/diagonals.c", "diagonals");
    have_words("--grid 2x1", "diagonals", 0, 0, "1 23 23 5", 2 * SIDE * STEPS + 2);
    have_words("--grid 2x1", "diagonals", 0, 0, "1 22 23 5", 2 * SIDE * STEPS + 2);
    have_words("--grid 2x1", "diagonals", 1, 1, "1 22 23 5", 2 * SIDE * STEPS + 4);
    have_words("--grid 1x2", "diagonals", 1, 1, "1 22 23 5", 2 * MORE * STEPS + 4);
    have_words("--grid 2x1x1", "diagonals", 2, 2, "7 8 9 5", 2 * 8 * 9 * STEPS + 2 * ROUND_A_PLANE);
    have_words("--grid 2x1x1", "diagonals", 2, 2, "8 8 9 5", 2 * 8 * 9 * STEPS + 2 * ROUND_A_PLANE);
}

/* Fields of one array that are written in turn are cut alike: both sides of three faces in each step. */
static void fields_that_take_turns_in_one_array_are_cut_alike(void **state)
{
    enum { SIDE = 12, STEPS = 3 };
    (void)state;
    compile(VARIANTS "/in_turn.c", "in_turn");
    have_words("--grid 2x2x2", "in_turn", 0, 2, "8 3", 3 * 2 * 8 * 8 * STEPS);
    have_words("--grid 3x2x1", "in_turn", 0, 2, "12 3", 3 * 2 * SIDE * SIDE * STEPS);
}

/* One row of 32, or column of 16, goes over a cut either way in each step, whatever lies around the planes
 * and between their words; the dimension of the planes may be given and is not cut. */
static void planes_that_take_turns_are_arrays(void **state)
{
    enum { ROWS = 16, COLUMNS = 32, STEPS = 4, OTHERS = 3 };
    (void)state;
    compile(VARIANTS "/planes_in_turn.c", "planes_in_turn");
    have_words("--grid 2x2", "planes_in_turn", 0, 5, "16 32 4", 2 * STEPS * (ROWS + COLUMNS));
    have_words("--grid 4x1", "planes_in_turn", 0, 5, "16 32 4", 2 * STEPS * OTHERS * COLUMNS);
    have_words("--grid 1x2", "planes_in_turn", 0, 5, "32 16 4", 2 * STEPS * COLUMNS);
    have_words("--grid 1x2x2", "planes_in_turn", 0, 2, "16 32 4", 2 * STEPS * (ROWS + COLUMNS));
    have_words("--grid 2x2x1", "planes_in_turn", 3, 4, "16 32 4", 2 * STEPS * (ROWS + COLUMNS));
    have_words("--grid 1x2x2 --extent 2,18,34", "planes_in_turn", 0, 1, "16 32 4",
               2 * STEPS * (ROWS + COLUMNS));
    have_words("--grid 2x2 --extent 18,34,3", "planes_in_turn", 4, 4, "16 32 4",
               2 * STEPS * (ROWS + COLUMNS));
}

/* A row and a column of each level, there and back across both cuts of a ring, in one sweep of the coarsest
 * and two of the others; halos are input where they are read first. */
static void levels_in_one_array_are_arrays(void **state)
{
    enum { FINE = 32, MIDDLE = 16, COARSE = 8, CYCLES = 3, SWEPT = 2 * FINE + 2 * MIDDLE + COARSE };
    (void)state;
    compile(VARIANTS "/levels.c", "levels");
    have_words("--grid 2x2", "levels", 0, 2, "32 3 3", 8 * CYCLES * SWEPT);
    have_words("--grid 1x4", "levels", 0, 2, "32 3 3", 8 * CYCLES * SWEPT);
    have_words("--grid 2x2", "levels", 3, 4, "32 3 3", 8 * CYCLES * SWEPT - 4 * FINE);
    have_words("--grid 4x1", "levels", 3, 4, "32 3 3", 8 * CYCLES * SWEPT - 2 * FINE);
    have_words("-p 2", "levels", 0, 2, "32 3 3", 4 * CYCLES * SWEPT);
    have_words("-p 2", "levels", 3, 4, "32 3 3", 4 * CYCLES * SWEPT - 2 * FINE);
}

/* The words of the plain array over each cut, either way in each step: those inside of a frame that stays. */
static void arrays_in_tiles_are_cut_as_what_they_mean(void **state)
{
    enum { ROWS = 22, COLUMNS = 16, STEPS = 4, SIDE = 12, N = 24 };
    (void)state;
    compile(VARIANTS "/stored_tiles.c", "stored_tiles");
    have_words("--grid 2x2", "stored_tiles", 0, 6, "24 18 4", 2 * STEPS * (ROWS + COLUMNS));
    have_words("--grid 4x1", "stored_tiles", 0, 6, "24 18 4", 2 * STEPS * 3 * COLUMNS);
    have_words("--grid 1x3", "stored_tiles", 0, 6, "24 18 4", 2 * STEPS * 2 * ROWS);
    have_words("--grid 2x2x1x1", "stored_tiles", 0, 0, "24 18 4", 2 * STEPS * (ROWS + COLUMNS));
    have_words("--grid 4x1x1x1 --extent 6,6,4,3", "stored_tiles", 0, 0, "24 18 4", 2 * STEPS * 3 * COLUMNS);
    have_words("--grid 4x1 --extent 24,18", "stored_tiles", 0, 1, "24 18 4", 2 * STEPS * 3 * COLUMNS);
    compile(VARIANTS "/declared_tiles.c", "declared_tiles");
    have_words("--grid 2x2x2", "declared_tiles", 0, 0, "", 2 * STEPS * 3 * (SIDE - 2) * (SIDE - 2));
    have_words("--grid 2x2", "declared_tiles", 1, 1, "", 2 * N * N);
    have_words("--grid 4x1", "declared_tiles", 1, 1, "", 3 * N * N);
}

/* As many words as there are numbers in each point, over each cut, either way in each step, whatever their
 * size; of rows that look one byte further the column behind the cut. */
static void small_words_are_words_of_their_own(void **state)
{
    enum { SIDE = 24, STEPS = 4, CUTS = 2 * STEPS * (SIDE + SIDE), ROWS = 26 };
    (void)state;
    compile(VARIANTS "/small_words.c", "small_words");
    have_words("--grid 2x2", "small_words", 0, 1, " 4", CUTS);
    have_words("--grid 2x2x1", "small_words", 2, 2, " 4", 3 * CUTS);
    have_words("--grid 2x2x1", "small_words", 3, 3, " 4", 4 * CUTS);
    have_words("--grid 2x2x1", "small_words", 4, 4, " 4", 2 * CUTS);
    have_words("--grid 2x2x1", "small_words", 5, 5, " 4", 5 * CUTS);
    have_words("--grid 2x2 --extent 26,26", "small_words", 6, 6, " 4", STEPS * ROWS);
}

/* Each word goes to its mirror image, but of those within blocks on the diagonal, in each step. */
static void squares_that_are_mirrored_have_their_rows(void **state)
{
    enum { STEPS = 3, OF_24 = 24 * 24 - 4 * 6 * 6, OF_37 = 37 * 37 - 18 * 18 - 19 * 19 };
    (void)state;
    compile(VARIANTS "/mirrored.c", "mirrored");
    have_words("--grid 4x1", "mirrored", 0, 0, "24 1", OF_24);
    have_words("--grid 2x2", "mirrored", 0, 0, "37 1", OF_37);
    have_words("--grid 4x1", "mirrored", 1, 1, "24 3", OF_24 * STEPS);
    have_words("--grid 2x2", "mirrored", 1, 1, "37 3", OF_37 * STEPS);
}

/* 325 words on 16 parts are 3.4 % from even at best; of what is as even the one that sends nothing is taken.
 */
static void nothing_is_sent_where_no_way_is_more_even(void **state)
{
    (void)state;
    char decomposition[256];
    compile(VARIANTS "/mirrored_half.c", "mirrored_half");
    assert_int_equal(words_of("-p 12", "mirrored_half", "25", decomposition), 0);
    assert_int_equal(words_of("-p 16", "mirrored_half", "25", decomposition), 0);
}

/* What is read over a cut: of velocities on both sides one of each row, and one across rows less; pressures
 * and walls once, and at the corner one of two parts in each step. Of fields four for each cell of a plane
 * but a line, the frame's once. */
static void faces_across_each_dimension_lie_where_their_cells_do(void **state)
{
    enum { STEPS = 3, N = 12, LINE = 4 * N - 2, SIDE = 6, PLANE = 4 * SIDE * (SIDE - 1) };
    (void)state;
    compile(VARIANTS "/layers.c", "layers");
    have_words("--grid 2x2", "layers", 2, 2, "12 3", 2LL * (STEPS * LINE + N + 2) + 2 * STEPS);
    have_words("--grid 4x1", "layers", 2, 2, "12 3", 3LL * (STEPS * LINE + N + 2));
    have_words("--grid 1x4", "layers", 2, 2, "12 3", 3LL * (STEPS * LINE + N + 2));
    have_words("--grid 2x2x2", "layers", 3, 3, "6 3", 3LL * (STEPS * PLANE + 4 * SIDE));
    have_words("--grid 1x2x2", "layers", 3, 3, "6 3", 2LL * (STEPS * PLANE + 4 * SIDE));
}

/* Rows that what two rows read is apart are planes by chance; a cut between these is twice as much for one
 * part as for the other, and saves the row that both read. */
static void planes_by_chance_do_not_make_blocks_uneven(void **state)
{
    enum { STEPS = 3, SIDE = 18 };
    (void)state;
    compile(VARIANTS "/chance_planes.c", "chance_planes");
    have_words("--grid 2x1", "chance_planes", STEPS, STEPS, "", 2 * SIDE * STEPS + SIDE);
}

/* Each part needs the rows of A and the columns of B of its block. All rows of a column meet in B, which
 * makes no planes of some rows; and nine rows on four parts are three, two, two and two. */
static void oblong_products_are_cut_as_they_are(void **state)
{
    enum { N = 24, M = 16, L = 20 };
    (void)state;
    compile(VARIANTS "/oblong.c", "oblong");
    have_words("--grid 1x4", "oblong", 0, 2, "24 16 20", 3 * N * L);
    have_words("--grid 4x1", "oblong", 0, 2, "24 16 20", 3 * M * L);
    have_words("--grid 2x2", "oblong", 0, 2, "24 16 20", N * L + M * L);
    have_words("--grid 4x1", "oblong", 0, 2, "9 20 6", 3 * 20 * 6);
    have_words("--grid 1x6", "oblong", 0, 2, "8 8 8", 5 * 8 * 8);
}

/* Of ten rows two parts have three, of twelve each has as many. */
static void a_grid_says_how_uneven_it_is(void **state)
{
    char decomposition[256];
    (void)state;
    compile(KERNELS "/heat2d_swap.c", "heat2d_swap");
    words_of("--grid 4x1", "heat2d_swap", "10 3", decomposition);
    assert_non_null(strstr(decomposition, ", largest part 20 % above the mean"));
    words_of("--grid 4x1", "heat2d_swap", "12 3", decomposition);
    assert_null(strstr(decomposition, "above the mean"));
}

/* Vectors of nine at the borders in both steps: sites are cut between, however many words each has. */
static void sites_with_their_matrices_are_structures(void **state)
{
    enum { SIDE = 8, VECTOR = 9, STEPS = 2, BORDER = 2 * SIDE * VECTOR * STEPS };
    static const struct {
        const char *options;
        int borders;
    } cuts[] = {{"--grid 2x2", 2}, {"--grid 1x2", 1}, {"--grid 2x1 --extent 8,8", 1}, {"-p 4", 2}};
    char decomposition[256];
    (void)state;
    compile(VARIANTS "/sites.c", "sites");
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        assert_int_equal(words_of(cuts[i].options, "sites", "8 2", decomposition), cuts[i].borders * BORDER);
        assert_non_null(strstr(decomposition, "(8 x 8 x 99)"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_by_chance_do_not_make_blocks_uneven),
        cmocka_unit_test(faces_across_each_dimension_lie_where_their_cells_do),
        cmocka_unit_test(squares_that_are_mirrored_have_their_rows),
        cmocka_unit_test(nothing_is_sent_where_no_way_is_more_even),
        cmocka_unit_test(fields_edges_and_tables_have_blocks_exact_to_the_word),
        cmocka_unit_test(structures_stay_whole_in_every_language),
        cmocka_unit_test(few_rows_of_structures_are_rows),
        cmocka_unit_test(a_tiled_sum_is_divided_by_its_data),
        cmocka_unit_test(a_factorisation_has_blocks_of_equal_work),
        cmocka_unit_test(choices_are_sums_and_materials_have_arrays_of_their_own),
        cmocka_unit_test(extents_that_are_given_may_tell_fields),
        cmocka_unit_test(rows_are_candidates_for_every_number_of_parts),
        cmocka_unit_test(large_graphs_have_exact_blocks_and_better_shapes),
        cmocka_unit_test(extents_may_be_those_of_structures),
        cmocka_unit_test(all_blocks_of_a_small_array_are_looked_at),
        cmocka_unit_test(products_of_a_border_are_added_up_where_they_are),
        cmocka_unit_test(ghosts_lie_with_what_they_are_images_of),
        cmocka_unit_test(cells_of_a_halo_belong_to_those_beside_them),
        cmocka_unit_test(what_all_read_in_an_array_of_the_same_size_has_no_images),
        cmocka_unit_test(extents_that_fit_no_array_are_an_error_of_a_search_too),
        cmocka_unit_test(what_cannot_be_told_or_divided_comes_with_a_hint),
        cmocka_unit_test(lattices_of_four_dimensions_are_cut_along_all),
        cmocka_unit_test(blocks_whose_frames_weigh_a_little_are_told),
        cmocka_unit_test(diagonals_are_no_rows),
        cmocka_unit_test(fields_that_take_turns_in_one_array_are_cut_alike),
        cmocka_unit_test(planes_that_take_turns_are_arrays),
        cmocka_unit_test(levels_in_one_array_are_arrays),
        cmocka_unit_test(arrays_in_tiles_are_cut_as_what_they_mean),
        cmocka_unit_test(small_words_are_words_of_their_own),
        cmocka_unit_test(oblong_products_are_cut_as_they_are),
        cmocka_unit_test(a_grid_says_how_uneven_it_is),
        cmocka_unit_test(sites_with_their_matrices_are_structures),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
