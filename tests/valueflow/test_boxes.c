/* Particles in boxes, which have room for as many each: words of three dimensions, derived by hand. */
#include "variants.h"

/* Other shapes may have fewer words than the best blocks. */
static void have_blocks(const char *options, const char *program, const char *arguments, json_int_t expected)
{
    struct outcome outcome = run_cli("estimate %s --json -- ./%s %s", options, program, arguments);
    if (outcome.status) fail_msg("%s %s %s: %s", program, arguments, options, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL),
           *point = json_array_get(json_object_get(object, "points"), 0);
    json_int_t words = json_integer_value(json_object_get(point, "words")),
               in_blocks = json_integer_value(json_object_get(point, "words_block"));
    if (in_blocks != expected || words > in_blocks)
        fail_msg("%s %s %s: %lld words in blocks, %lld in all, not %lld", program, arguments, options,
                 (long long)in_blocks, (long long)words, (long long)expected);
    json_decref(object);
    outcome_clear(&outcome);
}

/* Three words of each of three particles in the boxes around a part's own, 7 columns of 6 boxes or 37 boxes,
 * in each step; or where space is periodic 16 columns of 8, or 98, since copies of what lies beyond the ends
 * are values of their own. */
static void boxes_of_particles_have_extents(void **state)
{
    enum { STEPS = 2, BOX = 3 * 3 * STEPS, FOUR = 4 * 7 * 6 * BOX, EIGHT = 8 * 37 * BOX };
    enum { FOUR_PERIODIC = 4 * 16 * 8 * BOX, EIGHT_PERIODIC = 8 * 98 * BOX };
    (void)state;
    compile("cc", "boxes.c", "boxes");
    have_words("--grid 2x2", "boxes", 0, 1, " 6 2", FOUR);
    have_words("--grid 2x2x2", "boxes", 0, 1, " 6 2", EIGHT);
    have_words("-p 4", "boxes", 0, 1, " 6 2", FOUR);
    have_words("-p 8", "boxes", 0, 1, " 6 2", EIGHT);
    have_words("--grid 2x2", "boxes", 2, 2, " 6 2", FOUR_PERIODIC);
    have_words("--grid 2x2x2", "boxes", 2, 2, " 6 2", EIGHT_PERIODIC);
    have_words("--grid 2x2 --extent 6,6,144", "boxes", 2, 2, " 6 2", FOUR_PERIODIC);
    have_blocks("-p 4", "boxes", "2 6 2", FOUR_PERIODIC);
    have_blocks("-p 8", "boxes", "2 6 2", EIGHT_PERIODIC);
}

/* Two words of each of four particles in 9 boxes around a part's own in each step, or in a row on both sides
 * of each of three borders; a box may have room for more. */
static void boxes_have_room_for_more_particles(void **state)
{
    enum { STEPS = 3, BOX = 4 * 2 * STEPS, SQUARES = 4 * 9 * BOX, ROWS = 3 * 2 * 8 * BOX };
    (void)state;
    compile("cc", "slots.c", "slots");
    have_words("--grid 2x2", "slots", 0, 3, " 8 3", SQUARES);
    have_words("--grid 4", "slots", 0, 3, " 8 3", ROWS);
    have_words("-p 4", "slots", 0, 3, " 8 3", SQUARES);
}

/* Four numbers and a charge of each of six particles in the boxes around a part's own, 5 columns of 4 boxes
 * or 19 boxes; 7 columns of 6 or 37. However many words of a box lie along the last dimension, blocks are of
 * whole boxes. */
static void blocks_of_boxes_have_short_cuts(void **state)
{
    enum { BOX = 6 * 5 };
    (void)state;
    compile("cc", "charged_boxes.c", "charged_boxes");
    have_blocks("-p 4", "charged_boxes", "0 4", 4 * 5 * 4 * BOX);
    have_blocks("-p 8", "charged_boxes", "0 4", 8 * 19 * BOX);
    have_blocks("-p 4", "charged_boxes", "0 6", 4 * 7 * 6 * BOX);
    if (!has_time()) return;
    have_blocks("-p 8", "charged_boxes", "0 6", 8 * 37 * BOX);
}

/* Nodes that several parts need: 8 x 8 x 8 of all parts, say, without the 7 x 7 x 7 that there are. Three
 * forces on each are added up in two steps; its place is needed before these, between them and behind them,
 * there along one dimension only where volumes come of derivatives; where it is stiff, its speed before both.
 * Blocks are those of cells, whether there are more nodes or corners. */
static void corners_are_divided_as_cells_are(void **state)
{
    enum { EIGHT = 8 * 8 * 8 - 343, SIX = 7 * 9 * 8 - 343, FOUR = 8 * 8 * 7 - 343, PLAIN = 13, STIFF = 21 };
    (void)state;
    compile("cc", "hexahedra.c", "hexahedra");
    have_words("-p 8", "hexahedra", 0, 0, " 6 2", PLAIN * EIGHT);
    have_words("-p 8", "hexahedra", 1, 1, " 6 2", STIFF * EIGHT);
    have_words("-p 4", "hexahedra", 1, 1, " 6 2", STIFF * FOUR);
    have_words("--grid 2x2x2", "hexahedra", 0, 0, " 6 2", PLAIN * EIGHT);
    have_words("--grid 1x3x2", "hexahedra", 0, 0, " 6 2", PLAIN * SIX);
    have_words("--grid 1x3x2", "hexahedra", 1, 2, " 6 2", STIFF * SIX);
    have_words("--grid 2x2x2", "hexahedra", 2, 2, " 6 2", STIFF * EIGHT);
}

/* In every step each part that a node belongs to but one gets what that has, and sends what its hexahedra
 * come to there: 7 x 9 nodes of two parts each way, of which 7 belong to four. It does not matter where
 * matrices are, nor whether what comes of them is kept; one for all goes to each part once. */
static void bricks_have_all_their_forces_in_one_place(void **state)
{
    enum { X = 8, Y = 6, Z = 8, STEPS = 3, PLANE = (X + 1) * (Y + 1), LINE = Y + 1, MATRIX = 8 * 8 };
    enum { FOUR = 2 * STEPS * (2 * (PLANE - LINE) + 3 * LINE), TWO = 2 * STEPS * PLANE };
    (void)state;
    compile("cc", "bricks.c", "bricks");
    have_words("--grid 2x1x2", "bricks", 0, 0, " 8 6 8 3", FOUR);
    have_words("--grid 2x1x2", "bricks", 1, 2, " 8 6 8 3", FOUR);
    have_words("--grid 2x1x2", "bricks", 3, 3, " 8 6 8 3", FOUR + 3 * MATRIX);
    have_words("-p 4", "bricks", 0, 2, " 8 6 8 3", FOUR);
    have_words("-p 4", "bricks", 3, 3, " 8 6 8 3", FOUR + 3 * MATRIX);
    have_words("-p 2", "bricks", 0, 2, " 8 6 8 3", TWO);
}

/* The same of tetrahedra, of which those in one box lie more with nodes of one side or the other: all of a
 * layer of boxes are on one side, and so is the number that six of them have. */
static void tetrahedra_beside_a_cut_are_on_one_side(void **state)
{
    enum { STEPS = 2, LINE = 6 + 1, PLANE = LINE * LINE };
    enum { FOUR = 2 * STEPS * (2 * (PLANE - LINE) + 3 * LINE), TWO = 2 * STEPS * PLANE };
    (void)state;
    compile("cc", "tetrahedra.c", "tetrahedra");
    have_words("--grid 1x2x2", "tetrahedra", 0, 1, " 6 2", FOUR);
    have_words("--grid 2x1x1", "tetrahedra", 0, 1, " 6 2", TWO);
    have_words("-p 4", "tetrahedra", 0, 1, " 6 2", FOUR);
}

/* Nodes that several parts need: 14 x 16 of all parts, say, without the 13 x 13 that there are. Two forces on
 * each are added up in two steps, and its place is needed before these and between them. */
static void sides_stay_with_their_cell(void **state)
{
    enum { N = 12, EIGHT = 14 * 16 - (N + 1) * (N + 1), FOUR = 14 * 14 - (N + 1) * (N + 1), TIMES = 8 };
    (void)state;
    compile("cc", "sides.c", "sides");
    have_words("--grid 2x4", "sides", 0, 0, " 12 2", TIMES * EIGHT);
    have_words("--grid 2x4", "sides", 1, 1, " 12 2", TIMES * EIGHT);
    have_words("-p 4", "sides", 1, 1, " 12 2", TIMES * FOUR);
}

/* A flux for each pair of triangles on both sides of a border in each of two steps, and what it is computed
 * from: one number, or two in structures. Two rows of two blocks have two borders of N pairs, of four four.
 */
static void triangles_of_squares_have_rows(void **state)
{
    enum { N = 12, STEPS = 2, FOUR = 2 * N * STEPS, EIGHT = 4 * N * STEPS };
    (void)state;
    compile("cc", "bisected.c", "bisected");
    have_blocks("-p 4", "bisected", "0 12 2", 2 * FOUR);
    have_blocks("-p 4", "bisected", "1 12 2", 2 * FOUR);
    have_blocks("-p 4", "bisected", "2 12 2", 3 * FOUR);
    have_blocks("-p 8", "bisected", "0 12 2", 2 * EIGHT);
    have_blocks("-p 8", "bisected", "1 12 2", 2 * EIGHT);
    have_words("--grid 2x2", "bisected", 2, 2, " 12 2", 3 * FOUR);
}

/* The words of a mesh do not depend on how it is numbered. Plane: for each point on a border a partial sum of
 * its force, and its place. Conjugate gradients: a word each way across a border in every step, two sums in
 * each and one before. Block: force and place of the points on a border, once for each other part there. Odd
 * shapes may have a tenth less, and cuts of so few cells as much more. */
static void meshes_may_be_numbered_at_random(void **state)
{
    enum { N = 16, SIDE = 8, POINTS = SIDE + 1, STEPS = 3, TWO = 2 * POINTS * POINTS * STEPS };
    enum { EIGHT = 2 * (8 * 125 - POINTS * POINTS * POINTS) * STEPS };
    static const struct {
        int which, parts;
        const char *mesh;
        json_int_t words;
    } meshes[] = {
        {0, 2, " 16 3", 2 * (N + 1) * STEPS},
        {0, 4, " 16 3", 2 * (2 * N + 3) * STEPS},
        {1, 2, " 16 3", 2 * N * STEPS + 4 * STEPS + 2},
        {1, 4, " 16 3", 2 * 2 * N * STEPS + 3 * (4 * STEPS + 2)},
        {2, 2, " 8 3", TWO},
        {2, 8, " 8 3", EIGHT},
        {3, 2, " 8 3", TWO * 3 / 2},
    };
    (void)state;
    compile("cc", "renumbered.c", "renumbered");
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        for (int at_random = has_time() ? 0 : 1; at_random < 2; at_random++) {
            char options[16], arguments[32];
            snprintf(options, sizeof options, "-p %d", meshes[i].parts);
            snprintf(arguments, sizeof arguments, "%s %d", meshes[i].mesh, at_random);
            json_int_t words = words_of(options, "renumbered", meshes[i].which, arguments);
            double ratio = (double)words / (double)meshes[i].words;
            if (ratio < 0.9 || ratio > 1.13)
                fail_msg("%d%s %s: %lld words, %.2f of %lld", meshes[i].which, arguments, options,
                         (long long)words, ratio, (long long)meshes[i].words);
        }
}

/* Four numbers across each side of a border and what goes through it back, and the smallest time step: that
 * this comes of a term for each triangle puts no triangles beside each other. On eight parts there are four
 * borders of the square's length. */
static void a_smallest_time_step_does_not_tie_a_mesh_together(void **state)
{
    enum { N = 16, STEPS = 3, TWO = STEPS * (2 * 4 * N + 2), EIGHT = STEPS * (4 * 2 * 4 * N + 14) };
    (void)state;
    compile("cc", "timed_triangles.c", "timed_triangles");
    for (int which = 0; which < 2; which++) {
        json_int_t two = words_of("-p 2", "timed_triangles", which, " 16 3"),
                   eight = words_of("-p 8", "timed_triangles", which, " 16 3");
        if (two > TWO || 100 * eight > 105 * EIGHT)
            fail_msg("%d: %lld words of %d, %lld of %d", which, (long long)two, TWO, (long long)eight, EIGHT);
    }
}

/* Force, place and velocity of the points on a border, once for each other part there: corner forces that
 * begin with what comes of three words, and have more added to them, are added up at the points all the same.
 */
static void corner_forces_in_several_steps_are_added_up(void **state)
{
    enum { SIDE = 8, POINTS = SIDE + 1, STEPS = 3, EACH = 3 * STEPS };
    enum { TWO = POINTS * POINTS * EACH, EIGHT = (8 * 125 - POINTS * POINTS * POINTS) * EACH };
    (void)state;
    compile("cc", "renumbered.c", "added_up");
    have_words("--grid 2x1x1", "added_up", 3, 3, " 8 3 0", TWO);
    have_words("--grid 2x2x2", "added_up", 3, 3, " 8 3 0", EIGHT);
    have_words("-p 8", "added_up", 3, 3, " 8 3 0", EIGHT);
}

/* Slopes of four stages in one array, or in an array each: both sides of two cuts in each of them. */
static void stages_may_lie_in_one_array(void **state)
{
    enum { STEPS = 3, STAGES = 4 };
    (void)state;
    compile("cc", "stages.c", "stages");
    have_words("--grid 2x2", "stages", 0, 1, " 21 26 3", (json_int_t)STEPS * STAGES * 2 * (21 + 26));
    have_words("--grid 1x3", "stages", 0, 1, " 21 26 3", (json_int_t)STEPS * STAGES * 2 * 2 * 21);
}

/* Rows, columns and numbers of a matrix in structures, as of five points in 17 x 17: what is cut is what they
 * are multiplied with. */
static void a_matrix_may_be_listed_in_structures(void **state)
{
    enum { SIDE = 17, STEPS = 4 };
    (void)state;
    compile("cc", "listed.c", "listed");
    have_words("--grid 2x2", "listed", 0, 1, " 17 4", (json_int_t)STEPS * 2 * 2 * SIDE);
    have_words("--grid 1x3", "listed", 0, 1, " 17 4", (json_int_t)STEPS * 2 * 2 * SIDE);
}

/* A plane of points in each step both ways across each cut, wherever their 27 columns are kept: a block that
 * a list has grown into has as many words as there are points by chance. */
static void a_list_that_grows_is_no_mesh(void **state)
{
    enum { N = 8, TIMES = 3, CUT = 2 * N * N * TIMES, EDGE = 4 * N * TIMES };
    (void)state;
    compile("c++", "numbered.cpp", "numbered");
    have_words("--grid 1x1x2", "numbered", 0, 1, " 8 3", CUT);
    have_words("--grid 1x2x1", "numbered", 0, 1, " 8 3", CUT);
    have_words("--grid 2x2x1", "numbered", 0, 1, " 8 3", 2 * CUT + EDGE);
}

/* Each point's value goes across a cut once in each step but the first one, whose values come of nothing, and
 * three parts tell the largest. Blocks that other lists have outgrown, of as many words as the vectors have
 * room for, are no vectors. */
static void lists_that_grow_have_the_rows_of_what_they_hold(void **state)
{
    enum { ROWS = 24, COLUMNS = 28, TIMES = 4, OTHERS = 3 };
    (void)state;
    compile("c++", "grown_rows.cpp", "grown_rows");
    have_words("--grid 2x2", "grown_rows", 0, 1, " 24 28 4",
               (json_int_t)2 * (ROWS + COLUMNS) * (TIMES - 1) + OTHERS);
}

/* The upper left triangle goes to the part below, and the square that this has to the part on its right,
 * however many columns a group could have. */
static void columns_of_a_matrix_are_no_plane(void **state)
{
    (void)state;
    compile("cc", "cholesky.c", "cholesky");
    have_words("--grid 2x2", "cholesky", 0, 2, " 20", 10 * 11 / 2 + 10 * 10);
    have_words("--grid 2x2", "cholesky", 0, 2, " 21", 11 * 12 / 2 + 11 * 10);
    have_words("--grid 2x2", "cholesky", 0, 2, " 23", 12 * 13 / 2 + 12 * 11);
}

/* Cells have four words or three, whichever of them read each other: borders are between cells, also where
 * lines of words could be divided more evenly, or with fewer words. */
static void cells_of_several_words_are_cut_between(void **state)
{
    enum { N = 14, M = 17, TIMES = 3, BLOCKS = N + M, WAYS = 4 };
    const int sides[WAYS] = {2, 1, 2, 2}, words[WAYS] = {4, 4, 3, 3};
    (void)state;
    compile("cc", "coupled_cells.c", "coupled_cells");
    for (int way = 0; way < WAYS; way++) {
        int each = sides[way] * words[way] * TIMES;
        have_words("--grid 1x3", "coupled_cells", way, way, " 14 17 3", (json_int_t)each * 2 * N);
        have_words("--grid 4x1", "coupled_cells", way, way, " 14 17 3", (json_int_t)each * 3 * M);
        have_words("--grid 2x2", "coupled_cells", way, way, " 14 17 3", (json_int_t)each * BLOCKS);
    }
}

/* A value at a corner between parts goes to those that do not have it, which send back what they add. */
static void cells_may_read_their_corners(void **state)
{
    enum { N = 14, M = 17, TIMES = 3, BOTH = 2 * TIMES };
    (void)state;
    compile("cc", "coupled_cells.c", "coupled_cells");
    have_words("--grid 1x3", "coupled_cells", 4, 4, " 14 17 3", BOTH * 2 * (N + 1));
    have_words("--grid 4x1", "coupled_cells", 4, 4, " 14 17 3", BOTH * 3 * (M + 1));
    have_words("--grid 2x2", "coupled_cells", 4, 4, " 14 17 3", BOTH * (N + M + 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_particles_have_extents),
        cmocka_unit_test(boxes_have_room_for_more_particles),
        cmocka_unit_test(blocks_of_boxes_have_short_cuts),
        cmocka_unit_test(corners_are_divided_as_cells_are),
        cmocka_unit_test(bricks_have_all_their_forces_in_one_place),
        cmocka_unit_test(tetrahedra_beside_a_cut_are_on_one_side),
        cmocka_unit_test(sides_stay_with_their_cell),
        cmocka_unit_test(triangles_of_squares_have_rows),
        cmocka_unit_test(meshes_may_be_numbered_at_random),
        cmocka_unit_test(a_smallest_time_step_does_not_tie_a_mesh_together),
        cmocka_unit_test(corner_forces_in_several_steps_are_added_up),
        cmocka_unit_test(stages_may_lie_in_one_array),
        cmocka_unit_test(a_matrix_may_be_listed_in_structures),
        cmocka_unit_test(a_list_that_grows_is_no_mesh),
        cmocka_unit_test(lists_that_grow_have_the_rows_of_what_they_hold),
        cmocka_unit_test(columns_of_a_matrix_are_no_plane),
        cmocka_unit_test(cells_of_several_words_are_cut_between),
        cmocka_unit_test(cells_may_read_their_corners),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
