/* What is computed in registers and in workspaces, and whose it is: lines that are solved in buffers, fluxes
 * of faces, what is computed again for another reader. */
#include <string.h>

#include "variants.h"

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

/* One population goes across each of two cuts each way in every step: what collides is at home where it does,
 * and not where it is pulled to, though both arrays are gone in the end. */
static void what_is_freed_in_the_end_has_been_at_home(void **state)
{
    enum { TIMES = 6, CUTS = 2 };
    (void)state;
    compile("cc", "pulled.c", "pulled");
    have_words("--grid 2", "pulled", 0, 0, " 96 6", (json_int_t)2 * CUTS * TIMES);
    have_words("-p 2", "pulled", 0, 0, " 960 6", (json_int_t)2 * CUTS * TIMES);
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

/* Sums of the points beside each one, of which there are two for a point, are made again where they are
 * needed: a part reads its block and a layer around it, in the first two steps also of the frames of both
 * arrays. */
static void sums_in_a_buffer_that_are_more_than_points_are_made_again(void **state)
{
    enum { A = 6, B = 7, C = 9, TIMES = 4, WITH_FRAME = (A + 2) * (B + 2) * (C + 2) };
    enum { LAYERS = WITH_FRAME - A * B * C, ALL_LAYERS = (A + 4) * (B + 4) * (C + 4) - WITH_FRAME };
    (void)state;
    compile("cc", "sums_beside.c", "sums_beside");
    have_words("--grid 2x2x2", "sums_beside", 0, 4, " 6 7 9 4", 2 * ALL_LAYERS + (TIMES - 2) * LAYERS);
    json_int_t plain = words_of("-p 4", "sums_beside", 0, " 6 7 9 4");
    for (int which = 1; which <= 4; which++)
        assert_in_range(words_of("-p 4", "sums_beside", which, " 6 7 9 4"), plain * 97 / 100,
                        plain * 103 / 100);
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

/* From each corner one word of each row or column goes over a border, wherever fluxes are kept, though only
 * cells in the corners are computed from the source at once. */
static void fluxes_from_four_corners_go_across_borders_once(void **state)
{
    enum { N = 24, TIMES = 3, CORNERS = 4, BORDERS = 2, WORDS = TIMES * CORNERS * BORDERS * N };
    (void)state;
    compile("cc", "four_corners.c", "four_corners");
    have_words("--grid 2x2", "four_corners", 0, 1, " 24 3", WORDS);
    have_words("--grid 1x3", "four_corners", 0, 1, " 24 3", WORDS);
    have_words("-p 4", "four_corners", 0, 1, " 24 3", WORDS);
}

/* Three words of a cell go over a border, and as many of a flux come back, along rows and columns, wherever
 * the structures that a function returns are put. */
static void fluxes_that_functions_return_belong_to_no_line(void **state)
{
    enum { N = 16, FIELDS = 3, TIMES = 3, WORDS = 2 * N * 2 * 2 * FIELDS };
    (void)state;
    compile("cc", "returned.c", "returned");
    have_words("--grid 2x2 --extent 16,16,3", "returned", 0, 5, " 16 1", WORDS);
    have_words("--grid 2x2 --extent 16,16,3", "returned", 0, 5, " 16 3", (json_int_t)TIMES * WORDS);
    have_words("-p 4", "returned", 0, 5, " 16 3", (json_int_t)TIMES * WORDS);
}

/* A flux is computed by the cells on both sides of a face, by one function or two: each needs one word of its
 * neighbour, as if the flux were written out. */
static void fluxes_that_both_sides_compute_cost_their_sources(void **state)
{
    enum { PARTS = 4, TIMES = 3, WAYS = 3, WORDS = PARTS * 2 * TIMES };
    (void)state;
    compile("cc", "both_sides.c", "both_sides");
    have_words("--grid 4", "both_sides", 0, WAYS - 1, " 32 3", WORDS);
    have_words("-p 4", "both_sides", 0, WAYS - 1, " 32 3", WORDS);
}

/* So is the area of the face, from coordinates that never change: from the fourth step on, to send what was
 * computed of them costs more than to send them once. */
static void areas_that_both_sides_compute_cost_coordinates_once(void **state)
{
    enum { N = 16, AROUND = 4 * 4 * N / 2, COORDINATES = 3, TIMES = 4 };
    (void)state;
    compile("cc", "areas.c", "areas");
    have_words("--grid 2x2 --extent 16,16", "areas", 0, 1, " 16 4", AROUND * (COORDINATES + TIMES));
    have_words("--grid 2x2 --extent 16,16", "areas", 0, 1, " 16 20", AROUND * (COORDINATES + 5 * TIMES));
}

/* Elements that all of their nodes compute: a node needs its eight neighbours. */
static void elements_that_all_nodes_compute_cost_their_nodes(void **state)
{
    enum { N = 16, PARTS = 4, AROUND = PARTS * (4 * N / 2 + 4), STRIPS = PARTS * 2 * N, TIMES = 3 };
    (void)state;
    compile("cc", "means.c", "means");
    have_words("--grid 2x2 --extent 16,16", "means", 0, 1, " 16 1", AROUND);
    have_words("-p 4", "means", 0, 1, " 16 3", TIMES * STRIPS);
}

/* Along a border the quads of one side need both coordinates of the nodes of the other and push these, in two
 * directions; where two borders cross, the quad there needs one node more and pushes it. It does not matter
 * whether a quad's eight forces lie in registers or apart, in arrays. */
static void quads_have_all_their_forces_in_one_place(void **state)
{
    enum { ROWS = 13, COLUMNS = 18, TIMES = 3, OF_NODE = 2 * 2, ROW = COLUMNS + 1, COLUMN = ROWS + 1 };
    (void)state;
    compile("cc", "pushed_nodes.c", "pushed_nodes");
    have_words("--grid 2x2", "pushed_nodes", 0, 4, " 13 18 3", TIMES * OF_NODE * (ROW + COLUMN + 1));
    have_words("--grid 3x3", "pushed_nodes", 0, 4, " 13 18 3", TIMES * OF_NODE * (2 * ROW + 2 * COLUMN + 4));
    have_words("-p 2", "pushed_nodes", 0, 4, " 13 18 3", TIMES * OF_NODE * COLUMN);
}

/* Along a border the quads of one side need the two displacements of the nodes of the other and push these,
 * in every step, and their coordinates once; where two borders cross it is one node more. It does not matter
 * whether what comes of a quad's matrix is kept, or added up in a register and added to the node at once, nor
 * in which order the quads come. */
static void matrices_of_quads_stay_with_them(void **state)
{
    enum { ROWS = 11, COLUMNS = 14, TIMES = 4, OF_NODE = 2 * 2 * TIMES + 2, COLUMN = ROWS + 1 };
    (void)state;
    compile("cc", "stiffness.c", "stiffness");
    have_words("--grid 2x2", "stiffness", 0, 3, " 11 14 4", OF_NODE * (COLUMNS + 1 + COLUMN + 1));
    have_words("-p 2", "stiffness", 0, 3, " 11 14 4", OF_NODE * COLUMN);
}

/* A cell's value goes across each cut one way, and the flux the other way, in each sweep across it, whether
 * fluxes along rows and along columns are in one block, numbered in two ways, or in two. */
static void a_block_that_is_used_for_two_things_is_of_nobody(void **state)
{
    enum { ROWS = 24, COLUMNS = 28, TIMES = 4, EACH = 2 * TIMES };
    (void)state;
    compile("cc", "one_scratch.c", "one_scratch");
    have_words("--grid 2x2", "one_scratch", 0, 1, " 24 28 4", (json_int_t)EACH * (ROWS + COLUMNS));
    have_words("--grid 1x3", "one_scratch", 0, 1, " 24 28 4", (json_int_t)EACH * 2 * ROWS);
    have_words("-p 4", "one_scratch", 0, 1, " 24 28 4", (json_int_t)EACH * (ROWS + COLUMNS));
    have_words("--grid 2x2", "one_scratch", 0, 0, " 24 28 40", (json_int_t)10 * EACH * (ROWS + COLUMNS));
    have_words("--grid 2x2", "one_scratch", 0, 1, " 24 24 4", (json_int_t)EACH * (ROWS + ROWS));
}

/* What is left of a particle is computed where it is, from the four losses; what it leaves is added up. */
static void particles_that_pass_the_same_cells_are_computed_apart(void **state)
{
    enum { CELLS = 4 };
    (void)state;
    compile("cc", "walks.c", "walks");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 4";
        have_words(options, "walks", 0, 0, " 400 4", CELLS * 3);
        have_words(options, "walks", 1, 2, " 400 4", 2 * CELLS * 3);
        have_words(options, "walks", 3, 3, " 400 4", CELLS * 3);
    }
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

/* The inner words of the planes on both sides of the cut, in each of the steps of which two are taken at
 * once. */
static void rings_of_planes_are_workspaces(void **state)
{
    enum { INNER = 20 - 2, STEPS = 4 };
    (void)state;
    compile("cc", "ring.c", "ring");
    have_words("--grid 2x1x1", "ring", 0, 1, " 20 4", (json_int_t)2 * STEPS * INNER * INNER);
}

/* A node goes to the cell across each cut, and a force comes back, in each step, in however many chunks the
 * cells are worked on. */
static void buffers_for_chunks_of_a_mesh_have_the_words_of_one(void **state)
{
    enum { TIMES = 4 };
    (void)state;
    compile("cc", "chunks.c", "chunks");
    for (int which = 0; which < 8; which++) {
        have_words("--grid 2", "chunks", which, which, " 504 4", 2 * TIMES);
        have_words("-p 4", "chunks", which, which, " 504 4", 3 * 2 * TIMES);
    }
    have_words("--grid 2", "chunks", 0, 0, " 504 4 300", 2 * TIMES);
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

/* What the line comes to and what comes back, at both borders, and what is computed across the line besides:
 * N words, and as many more before the first step. With conductivities of faces the coefficients go as well,
 * and those at the borders, once. */
static void lines_that_are_solved_in_any_place_have_the_same_words(void **state)
{
    enum { N = 24, TIMES = 3, LAST = 4, OF_FACES = 5 };
    (void)state;
    compile("cc", "implicit.c", "implicit");
    have_words("--grid 2x2 --extent 24,24", "implicit", 0, LAST, " 24 3", 6 * N * TIMES + N);
    have_words("--grid 2x2 --extent 24,24", "implicit", OF_FACES, OF_FACES + LAST, " 24 3",
               8 * N * TIMES + 3 * N);
}

/*
 * Some numbers of the blocks come of the two parameters in every line, and go through as these like what is
 * computed in registers, though they are subtracted from where they stand. Lines that lie on one side each
 * need the parameters only, but for the first few, which come before it is known that the blocks are a
 * workspace.
 */
static void what_comes_of_parameters_in_every_line_costs_these_once(void **state)
{
    static const char *const apart[] = {"--grid 2x1 --extent 24,24", "--grid 1x2 --extent 24,24"};
    (void)state;
    compile("cc", "block_lines.c", "block_lines");
    for (int way = 0; way < 2; way++) {
        json_int_t first = words_of(apart[way], "block_lines", way, " 24 2");
        assert_in_range(first, 2, 142);
        have_words(apart[way], "block_lines", way, way, " 24 3", first);
        have_words("-p 2", "block_lines", way, way, " 24 1", 2);
    }
}

/* Of each line across the cut one part sends what it has for the next block and for the right-hand side there
 * and gets the solution of the next point, and what the block above it is made of. The first block of a line,
 * most of which comes of few numbers, is no more work than any other. */
static void blocks_along_lines_are_eliminated_evenly(void **state)
{
    enum { N = 12, B = 4, STEPS = 2 };
    (void)state;
    compile("cc", "block_elimination.c", "block_elimination");
    have_words("-p 2", "block_elimination", 0, 0, " 12 2", (json_int_t)STEPS * N * (B * B + B + B + B));
}

/* Whatever is added up on the stack on the way: elements that come of two sizes are nobody's, and each part
 * needs these. */
static void elements_that_come_of_sizes_cost_these(void **state)
{
    (void)state;
    compile("cc", "element_sizes.c", "element_sizes");
    have_words("--grid 2", "element_sizes", 0, 1, " 64 3", 2);
    have_words("-p 4", "element_sizes", 0, 1, " 64 3", 3 * 2);
}

static void least_is_at_most(json_int_t blocks, const char *program, int way, const char *arguments)
{
    json_int_t words = words_of("-p 4", program, way, arguments);
    if (words > blocks || 5 * words < 4 * blocks)
        fail_msg("%s %d: %lld words at the least, %lld in blocks", program, way, (long long)words,
                 (long long)blocks);
}

/* Fluxes of a workspace are what they are computed from, those before it was known to be one, too: every end
 * of an edge across a border reads the other end. In one step small arrays tell nothing yet. */
static void fluxes_along_edges_go_through_a_workspace_from_the_first_on(void **state)
{
    enum { N = 8, BORDERS = 3, TILES = 1, LAST = 5 };
    (void)state;
    compile("cc", "edges.c", "edges");
    have_words("--grid 4", "edges", 0, TILES, " 8 1", BORDERS * 2 * N);
    have_words("--grid 4", "edges", 0, LAST, " 8 3", (json_int_t)BORDERS * 2 * N * 3);
    have_words("--grid 4", "edges", 0, LAST, " 8 20", (json_int_t)BORDERS * 2 * N * 20);
    for (int way = 0; way <= LAST; way++) least_is_at_most(2 * 2 * 12 * 3, "edges", way, " 12 3");
}

/* Values of triangles that are kept lie where each border sends 2 n - 1 words, with sums; in registers, nodes
 * read as many. The least words of so small a mesh are found whatever they begin with. */
static void values_of_elements_have_the_words_of_registers_where_these_are_kept(void **state)
{
    enum { N = 12, TIMES = 3, BORDERS = 3, LAST = 5 };
    (void)state;
    compile("cc", "triangles.c", "triangles");
    have_words("--grid 4 --extent 144", "triangles", 0, LAST, " 12 3",
               (json_int_t)BORDERS * (2 * N - 1) * TIMES);
    have_words("--grid 4 --extent 64", "triangles", 0, LAST, " 8 1", BORDERS * (2 * 8 - 1));
    for (int way = 0; way <= LAST; way++)
        least_is_at_most((json_int_t)2 * (2 * N - 1) * TIMES, "triangles", way, " 12 3");
}

/* Nodes on borders: what moves each, in each step, and what pushes it, and once where it stood. */
static void small_arrays_that_elements_share_are_those_of_a_frame(void **state)
{
    enum { BORDERS = 3, TIMES = 4 };
    (void)state;
    compile("cc", "integrated.c", "integrated");
    have_words("-p 4", "integrated", 0, 1, " 48 4", BORDERS * (2 * TIMES + 1));
}

/* The first step comes of constants, but what it computes are values like all others. */
static void what_comes_of_constants_in_a_buffer_belongs_where_it_is_copied(void **state)
{
    enum { N = 32, TIMES = 6 };
    (void)state;
    compile("cc", "buffered_start.c", "buffered_start");
    for (int way = 0; way <= 2; way++)
        have_words("--grid 2x2", "buffered_start", way, way, " 34 6", (TIMES - 1) * 2 * 2 * N);
}

static void what_comes_of_one_number_in_a_buffer_belongs_where_it_is_copied(void **state)
{
    enum { N = 32, TIMES = 4, BORDERS = 3 };
    (void)state;
    compile("cc", "scaled_rows.c", "scaled_rows");
    have_words("--grid 4x1", "scaled_rows", 0, 5, " 32 4", (json_int_t)BORDERS * 2 * N * TIMES);
}

static void sections_that_are_copied_in_and_out_have_nobody(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    compile("fc", "sections.f90", "sections");
    have_words("-p 4", "sections", 0, 1, " 32 4", 0);
}

/* Sums of constants are computed where they are copied; in every step but the first two corners go over each
 * side on a border, either way. */
static void sums_of_constants_belong_where_they_are_copied(void **state)
{
    enum { N = 12, STEPS = 3, SIDES = 2 * N };
    (void)state;
    compile("cc", "copied_sums.c", "copied_sums");
    have_words("--grid 2x2x1 --extent 12,12,4", "copied_sums", 0, 1, " 12 3",
               (json_int_t)2 * 2 * SIDES * (STEPS - 1));
}

/* The end of its vector is computed of the number of rows: one word that nobody divides. */
static void matrices_that_are_copied_send_nothing(void **state)
{
    (void)state;
    compile("c++", "copied_matrix.cpp", "copied_matrix");
    have_words("-p 4", "copied_matrix", 0, 1, " 24", 0);
    have_words("--grid 2x2", "copied_matrix", 0, 1, " 24", 0);
}

/* Odd cells and even ones, each in two parts: a word goes over each border either way, in every step but the
 * first. */
static void what_is_below_a_threshold_costs_nothing_in_a_workspace(void **state)
{
    enum { STEPS = 4, BORDERS = 2 };
    (void)state;
    compile("cc", "thresholds.c", "thresholds");
    have_words("-p 4", "thresholds", 0, 2, " 6000 4", (json_int_t)2 * BORDERS * (STEPS - 1));
}

/* Each of four parts has one of the four elements that take many turns, of which the first is followed before
 * it is known that the array is a workspace. */
static void turns_in_a_workspace_count_once(void **state)
{
    (void)state;
    compile("cc", "least_of_both.c", "least_of_both");
    struct outcome outcome = run_cli("estimate --grid 4 --json -- ./least_of_both 0 64");
    json_t *object = json_loads(outcome.out, 0, NULL);
    json_t *point = json_array_get(json_object_get(object, "points"), 0);
    assert_int_equal(json_integer_value(json_object_get(point, "words")), 0);
    double uneven = json_number_value(json_object_get(point, "imbalance_ratio"));
    if (uneven > 0.15) fail_msg("%.2f above the mean", uneven);
    json_decref(object);
    outcome_clear(&outcome);
}

/* From each corner one word of each energy and direction of all cells along a cut, in each step, and once
 * what is given: coefficients of scattering and of directions, and the largest change; of what is made of
 * constants only the coefficients with a length. Between energies a word of each cell. */
static void what_flies_through_cells_is_computed_in_them(void **state)
{
    enum {
        X = 8,
        Y = 6,
        Z = 6,
        TIMES = 3,
        EACH = 8 * 2 * 2 * TIMES,
        GIVEN = 4 + 4 * 2 + 1,
        MADE = 3 * 2 + 1
    };
    (void)state;
    compile("cc", "energy_groups.c", "energy_groups");
    have_words("--grid 1x1x2x1", "energy_groups", 0, 0, " 8 6 6 3", EACH * Y * Z + GIVEN);
    have_words("--grid 2x1x1x1", "energy_groups", 0, 0, " 8 6 6 3", EACH * X * Y + GIVEN);
    have_words("--grid 1x1x2x1", "energy_groups", 1, 1, " 8 6 6 3", EACH * Y * Z + MADE);
    have_words("--grid 2x1x1x1", "energy_groups", 1, 1, " 8 6 6 3", EACH * X * Y + MADE);
    have_words("-p 2", "energy_groups", 1, 1, " 8 6 6 3", (json_int_t)2 * X * Y * Z * TIMES + MADE);
    have_words("-p 4", "energy_groups", 1, 1, " 8 6 6 3",
               (json_int_t)EACH * Y * Z + (json_int_t)2 * X * Y * Z * TIMES + 3 * MADE);
}

/* What is computed of numbers that are iterated changes as often as these do, and is no workspace however it
 * is used up; across each border goes a word of each both ways, but for the numbers that came of constants.
 */
static void what_is_computed_of_iterated_numbers_is_no_workspace(void **state)
{
    enum { BORDERS = 3, USES = 3, BOTH = 2, STEPS = 4, WORDS = BORDERS * BOTH * (STEPS * USES * 2 - 1) };
    (void)state;
    compile("cc", "iterated.c", "iterated");
    have_words("--grid 4", "iterated", 0, 1, " 400 4", WORDS);
    have_words("-p 4", "iterated", 0, 1, " 400 4", WORDS);
    struct outcome outcome = run_cli("estimate --grid 4 -- ./iterated 0 400 4");
    if (!strstr(outcome.out, "4 blocks of r ")) fail_msg("r has nobody: %s", outcome.out);
    outcome_clear(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_that_are_copied_send_nothing),
        cmocka_unit_test(small_arrays_that_elements_share_are_those_of_a_frame),
        cmocka_unit_test(what_comes_of_constants_in_a_buffer_belongs_where_it_is_copied),
        cmocka_unit_test(what_comes_of_one_number_in_a_buffer_belongs_where_it_is_copied),
        cmocka_unit_test(sections_that_are_copied_in_and_out_have_nobody),
        cmocka_unit_test(lines_that_are_solved_in_any_place_have_the_same_words),
        cmocka_unit_test(what_comes_of_parameters_in_every_line_costs_these_once),
        cmocka_unit_test(blocks_along_lines_are_eliminated_evenly),
        cmocka_unit_test(elements_that_come_of_sizes_cost_these),
        cmocka_unit_test(lines_are_swept_across_borders),
        cmocka_unit_test(fluxes_along_edges_go_through_a_workspace_from_the_first_on),
        cmocka_unit_test(values_of_elements_have_the_words_of_registers_where_these_are_kept),
        cmocka_unit_test(what_is_freed_in_the_end_has_been_at_home),
        cmocka_unit_test(what_is_put_into_a_buffer_first_belongs_to_the_plane),
        cmocka_unit_test(sums_in_a_buffer_that_are_more_than_points_are_made_again),
        cmocka_unit_test(a_field_that_is_zero_at_first_is_no_workspace),
        cmocka_unit_test(what_flies_through_cells_is_computed_in_them),
        cmocka_unit_test(what_is_computed_of_iterated_numbers_is_no_workspace),
        cmocka_unit_test(fluxes_of_a_sweep_go_across_borders_once),
        cmocka_unit_test(fluxes_from_four_corners_go_across_borders_once),
        cmocka_unit_test(fluxes_that_functions_return_belong_to_no_line),
        cmocka_unit_test(fluxes_that_both_sides_compute_cost_their_sources),
        cmocka_unit_test(areas_that_both_sides_compute_cost_coordinates_once),
        cmocka_unit_test(elements_that_all_nodes_compute_cost_their_nodes),
        cmocka_unit_test(quads_have_all_their_forces_in_one_place),
        cmocka_unit_test(a_block_that_is_used_for_two_things_is_of_nobody),
        cmocka_unit_test(matrices_of_quads_stay_with_them),
        cmocka_unit_test(particles_that_pass_the_same_cells_are_computed_apart),
        cmocka_unit_test(buffers_that_calls_allocate_have_the_words_of_registers),
        cmocka_unit_test(rings_of_planes_are_workspaces),
        cmocka_unit_test(buffers_for_chunks_of_a_mesh_have_the_words_of_one),
        cmocka_unit_test(small_arrays_of_several_statements_are_no_workspaces),
        cmocka_unit_test(a_field_solved_in_a_buffer_is_no_workspace),
        cmocka_unit_test(sums_of_constants_belong_where_they_are_copied),
        cmocka_unit_test(what_is_below_a_threshold_costs_nothing_in_a_workspace),
        cmocka_unit_test(turns_in_a_workspace_count_once),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
