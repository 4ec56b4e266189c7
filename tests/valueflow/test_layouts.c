/* Scientific kernels in layouts that hide what they are of: fields of a mesh in one block, room for more than
 * there is, planes of which one is cut in rows and the next one in columns.
 */
#include "variants.h"

/* Three states of one of both cells at each edge across a cut, and three fluxes back: 16 and 18 edges. */
static void fields_on_lists_of_edges_are_cut_alike(void **state)
{
    enum { ROWS = 18, COLUMNS = 16, TIMES = 3, EACH = 6 * TIMES };
    (void)state;
    compile("cc", "fields_of_edges.c", "fields_of_edges");
    have_words("--grid 2x2", "fields_of_edges", 0, 2, " 18 16 3", (json_int_t)EACH * (ROWS + COLUMNS));
    have_words("--grid 2x3", "fields_of_edges", 0, 0, " 18 16 3", (json_int_t)EACH * (2 * ROWS + COLUMNS));
}

/* Two coordinates of each node on a cut go to the cells beyond it, and two sums of forces come back; the node
 * where cuts cross has three other parts instead of two. Neither nodes nor sides tell rows, and pressures do
 * not, but the centres of cells do. */
static void sides_in_a_list_are_cut_as_their_cells(void **state)
{
    enum { ROWS = 16, COLUMNS = 20, TIMES = 3, EACH = 4 * TIMES };
    (void)state;
    compile("cc", "listed_sides.c", "listed_sides");
    have_words("--grid 2x2", "listed_sides", 0, 0, " 16 20 3", EACH * (ROWS + 1 + COLUMNS + 1 + 1));
    have_words("--grid 1x3", "listed_sides", 0, 0, " 16 20 3", (json_int_t)EACH * 2 * (ROWS + 1));
    have_words("-p 4", "listed_sides", 0, 0, " 16 20 3", EACH * (ROWS + 1 + COLUMNS + 1 + 1));
}

/* A cell's value goes across each cut one way, and the flux the other way, in every step: what is cut are the
 * cells, of which faces in their order tell nothing, though there are more of them. */
static void faces_in_a_list_are_cut_as_their_cells(void **state)
{
    enum { ROWS = 24, COLUMNS = 28, TIMES = 4, EACH = 2 * TIMES };
    (void)state;
    compile("cc", "listed_faces.c", "listed_faces");
    have_words("--grid 2x2", "listed_faces", 0, 1, " 24 28 4", (json_int_t)EACH * (ROWS + COLUMNS));
    have_words("--grid 1x3", "listed_faces", 0, 1, " 24 28 4", (json_int_t)EACH * 2 * ROWS);
    have_words("--grid 3x1", "listed_faces", 0, 1, " 24 28 4", (json_int_t)EACH * 2 * COLUMNS);
    have_words("--grid 2x2", "listed_faces", 0, 1, " 24 24 4", (json_int_t)EACH * (ROWS + ROWS));
    have_words("--grid 1x3", "listed_faces", 0, 1, " 24 24 4", (json_int_t)EACH * 2 * ROWS);
}

/* Two columns go to the left half and one to the right one in each step: the four words that mirror images at
 * walls are apart are no structures, eleven of which are in a row. */
static void mirror_images_are_no_structures(void **state)
{
    enum { ROWS = 20, COLUMNS = 40, TIMES = 4 };
    (void)state;
    compile("cc", "walls.c", "walls");
    have_words("--grid 1x2", "walls", 0, 1, " 20 40 4", (json_int_t)3 * ROWS * TIMES);
    have_words("--grid 2x1", "walls", 0, 1, " 20 40 4", (json_int_t)2 * COLUMNS * TIMES);
}

/* Nothing but what is transposed between rows and columns: of each part's share all that it does not keep. */
static void planes_are_crossed(void **state)
{
    (void)state;
    compile("cc", "crossed.c", "crossed");
    have_words("-p 4", "crossed", 0, 2, " 28 24", 28 * 24 * 3 / 4);
    have_words("-p 5", "crossed", 0, 2, " 30 25", 30 * 25 * 4 / 5);
}

/* Weights, or coordinates of the centres, go to three others in each step, and sums of each come back, with
 * the number in each cluster. Factors of 12 columns go to the other columns, and of 13 rows, the first of
 * which is only read, what is behind the diagonal, and it, to the other rows. */
static void spare_room_changes_nothing(void **state)
{
    enum { OTHERS = 3, TIMES = 3, WEIGHTS = 8, CLUSTERS = 5, N = 24, HALF = N / 2 };
    const json_int_t regression = TIMES * OTHERS * 2 * WEIGHTS,
                     clusters = TIMES * OTHERS * (3 * CLUSTERS + 4 * CLUSTERS),
                     factors = HALF * (N - 1) - HALF * (HALF - 1) / 2,
                     heads = HALF * N - HALF * (HALF - 1) / 2;
    (void)state;
    compile("cc", "spare_room.c", "spare_room");
    have_words("--grid 4", "spare_room", 0, 0, " 400 8 3", regression);
    have_words("-p 4", "spare_room", 0, 0, " 400 8 3", regression);
    have_words("--grid 4", "spare_room", 1, 1, " 600 5 3", clusters);
    have_words("-p 4", "spare_room", 1, 1, " 600 5 3", clusters);
    have_words("--grid 2x2", "spare_room", 2, 2, " 24 1 1", factors + heads);
    have_words("--grid 2x2", "spare_room", 3, 3, " 24 1 1", factors + heads);
}

/* Words of a triangle of n rows in the first so many of these. */
static json_int_t of_triangle(json_int_t n, json_int_t rows)
{
    return rows * n - rows * (rows - 1) / 2;
}

/* The first row, and from below the last one, is read by half of the matrix and written by nobody: it is cut
 * like the others. Factors of a column go to the parts that have columns behind it, a row, from the diagonal
 * on, to those that have rows behind it: of four, of six each, to three, two and one. */
static void rows_that_are_only_read_are_cut_too(void **state)
{
    enum { N = 24, HALF = N / 2, FOURTH = N / 4 };
    json_int_t rows = 0, columns = 0;
    (void)state;
    for (json_int_t k = 1; k < 4; k++) {
        rows += of_triangle(N, k * FOURTH);
        columns += of_triangle(N - 1, k * FOURTH);
    }
    compile("cc", "eliminated.c", "eliminated");
    have_words("--grid 2x2", "eliminated", 0, 2, " 24", of_triangle(N, HALF) + of_triangle(N - 1, HALF));
    have_words("--grid 4x1", "eliminated", 0, 2, " 24", rows);
    have_words("--grid 1x4", "eliminated", 0, 2, " 24", columns);
}

/* Nor are points cut that do not divide by the number of parts: 401 of eight words each. */
static void points_are_not_cut(void **state)
{
    enum { TIMES = 3, WEIGHTS = 8 };
    (void)state;
    compile("cc", "spare_room.c", "spare_room");
    have_words("--grid 3", "spare_room", 0, 0, " 401 8 3", (json_int_t)TIMES * 2 * 2 * WEIGHTS);
    have_words("--grid 7", "spare_room", 0, 0, " 401 8 3", (json_int_t)TIMES * 6 * 2 * WEIGHTS);
}

/* Of two columns in different halves each half has to have the other one, and so of two rows. */
static void rotations_show_the_rows_of_their_matrix(void **state)
{
    enum { N = 24, PAIRS = N / 2 * (N / 2) };
    (void)state;
    compile("cc", "rotated.c", "rotated");
    have_words("--grid 2x2", "rotated", 0, 1, " 24", (json_int_t)PAIRS * 4 * N);
}

/* Three populations of nine cross a border either way, on a torus; at corners of blocks one goes across both.
 */
static void populations_are_not_cut(void **state)
{
    enum { ROWS = 40, COLUMNS = 30, TIMES = 3 };
    (void)state;
    compile("cc", "populations.c", "populations");
    have_words("--grid 1x3", "populations", 0, 1, " 40 30 3", (json_int_t)TIMES * 3 * 6 * ROWS);
    have_words("--grid 2x2", "populations", 0, 1, " 40 30 3",
               (json_int_t)TIMES * (2 * 6 * (ROWS + COLUMNS) - 4 * 4));
    have_words("--grid 1x3", "populations", 0, 1, " 18 16 3", (json_int_t)TIMES * 3 * 6 * 18);
    have_words("--grid 3x1", "populations", 0, 1, " 18 16 3", (json_int_t)TIMES * 3 * 6 * 16);
}

/* Three fields go across a cut in each step, and three flows back. */
static void structures_that_are_made_one_by_one_are_not_cut(void **state)
{
    enum { TIMES = 3, CUTS = 3 };
    (void)state;
    compile("cc", "made_one_by_one.c", "made_one_by_one");
    have_words("--grid 4", "made_one_by_one", 0, 1, " 240 3", (json_int_t)TIMES * CUTS * 6);
}

/* Of waves a height goes across each cut either way in each step, of fields one of these and one of those;
 * what is never written at the end of a cut goes once. */
static void numbers_of_a_point_are_not_cut(void **state)
{
    enum { ROWS = 16, COLUMNS = 19, TIMES = 3, ONCE = 1 };
    (void)state;
    compile("cc", "mixed_cells.c", "mixed_cells");
    have_words("--grid 2x2", "mixed_cells", 0, 2, " 18 21 3", (json_int_t)TIMES * 2 * (ROWS + COLUMNS));
    have_words("--grid 1x3", "mixed_cells", 0, 2, " 18 21 3", (json_int_t)TIMES * 2 * 2 * ROWS);
    have_words("--grid 1x3", "mixed_cells", 0, 2, " 16 24 3", (json_int_t)TIMES * 2 * 2 * (ROWS - 2));
    have_words("--grid 2x2", "mixed_cells", 3, 4, " 18 21 3",
               (json_int_t)TIMES * 2 * (ROWS + COLUMNS) + 2 * ONCE);
    have_words("--grid 1x3", "mixed_cells", 3, 4, " 18 21 3", 2 * ((json_int_t)TIMES * 2 * ROWS + ONCE));
}

/* One of both fields goes across each cut either way in each step, its products along rows only. */
static void scratch_is_as_long_as_what_it_is_for(void **state)
{
    enum { N = 20, INNER = N - 2, TIMES = 4 };
    (void)state;
    compile("cc", "spare_scratch.c", "spare_scratch");
    have_words("--grid 2x2", "spare_scratch", 0, 3, " 20 20 4", (json_int_t)TIMES * 2 * 3 * INNER);
    have_words("--grid 1x3", "spare_scratch", 0, 3, " 20 20 4", (json_int_t)TIMES * 2 * 2 * 2 * INNER);
    have_words("-p 4", "spare_scratch", 0, 3, " 20 20 4", (json_int_t)TIMES * 2 * 3 * INNER);
}

/* Of the points of a plane on either side of a cut each sends one word in each step, and the mean of 27 has
 * one from each part that has some of them. Each dimension of the grid is cut, and fields are none of them.
 */
static void small_blocks_are_cut_as_asked(void **state)
{
    enum { N = 7, M = 6, L = 8, TIMES = 2, EDGES = 4 * (N + M + L), CORNERS = 8 };
    const json_int_t planes = 2 * (M * L + N * L + N * M);
    (void)state;
    compile("c++", "small_blocks.cpp", "small_blocks");
    have_words("--grid 2x2x1", "small_blocks", 0, 1, " 9 8 10 2",
               (json_int_t)TIMES * (2 * (M * L + N * L) + 4 * L));
    have_words("--grid 2x2x2", "small_blocks", 0, 1, " 9 8 10 2", TIMES * (planes + EDGES + CORNERS));
    have_words("--grid 2x2x1", "small_blocks", 2, 3, " 9 8 10 2", (json_int_t)TIMES * 2 * (M * L + N * L));
    have_words("--grid 2x2x2", "small_blocks", 2, 3, " 9 8 10 2", TIMES * planes);
}

/* Of points on either side of a cut each sends one word in each step, and those beside two cuts one more,
 * whether a row is a word longer than a column or a word shorter. */
static void rows_that_are_a_word_longer_than_columns_are_rows(void **state)
{
    enum { PLANES = 5, A = 8, B = 9, STEPS = 3, WORDS = STEPS * PLANES * (2 * A + 2 * B + 4) };
    (void)state;
    compile("cc", "points_around.c", "points_around");
    have_words("--grid 1x2x2", "points_around", 0, 0, " 5 8 9 3", WORDS);
    have_words("--grid 1x2x2", "points_around", 1, 1, " 5 8 9 3", WORDS);
    have_words("--grid 1x2x2", "points_around", 0, 0, " 5 9 8 3", WORDS);
}

/* One of five numbers goes across each cut either way in each step; a sum comes from each of the other parts
 * and goes there. */
static void five_numbers_of_a_point_are_not_cut(void **state)
{
    enum { ROWS = 16, COLUMNS = 19, TIMES = 2 };
    (void)state;
    compile("cc", "reactions.c", "reactions");
    have_words("--grid 2x2", "reactions", 0, 1, " 18 21 2", (json_int_t)TIMES * 2 * (ROWS + COLUMNS + 4 - 1));
    have_words("--grid 1x3", "reactions", 0, 1, " 18 21 2", (json_int_t)TIMES * 2 * (2 * ROWS + 3 - 1));
}

/* Rows of few structures each would be one array, and these are, too: one number crosses a cut either way. */
static void long_rows_of_cells_are_one_array(void **state)
{
    enum { ROWS = 14, COLUMNS = 25, TIMES = 2 };
    (void)state;
    compile("c++", "rows_of_cells.cpp", "rows_of_cells");
    have_words("--grid 2x2", "rows_of_cells", 0, 1, " 16 27 2", (json_int_t)TIMES * 2 * (ROWS + COLUMNS));
    have_words("--grid 1x3", "rows_of_cells", 0, 1, " 16 27 2", (json_int_t)TIMES * 2 * 2 * ROWS);
}

/* A row or a column goes either way, or pressures one way and velocities the other, though rows begin in the
 * midst of a group; rows of 32, with two of the frame, do not. */
static void lanes_are_no_dimension(void **state)
{
    enum { TIMES = 4 };
    static const int sides[][2] = {{21, 27}, {30, 29}, {22, 30}};
    (void)state;
    compile("cc", "lanes_of_fields.c", "lanes_of_fields");
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, " %d %d %d", sides[i][0], sides[i][1], TIMES);
        have_words("--grid 2x2", "lanes_of_fields", 0, 1, arguments, TIMES * 2 * (sides[i][0] + sides[i][1]));
        have_words("--grid 2x2", "lanes_of_fields", 2, 3, arguments, TIMES * 2 * (sides[i][0] + sides[i][1]));
    }
}

/* A row or a column of points goes either way, however the few entries of a matrix' row are added up: what
 * none of them is added to is nothing. */
static void sums_of_nothing_are_no_values(void **state)
{
    enum { ROWS = 24, COLUMNS = 28, TIMES = 4 };
    (void)state;
    compile("cc", "short_rows.c", "short_rows");
    have_words("--grid 2x2", "short_rows", 0, 1, " 24 28 4", (json_int_t)TIMES * 2 * (ROWS + COLUMNS));
    have_words("--grid 4x1", "short_rows", 0, 1, " 24 28 4", (json_int_t)TIMES * 3 * 2 * COLUMNS);
}

/* Rows of an arena, and fluxes in it, change nothing, however large it is: a row or column goes either way.
 */
static void arenas_are_as_large_as_they_are_used(void **state)
{
    enum { ROWS = 19, COLUMNS = 26, TIMES = 4 };
    (void)state;
    compile("cc", "arenas.c", "arenas");
    have_words("--grid 2x2", "arenas", 0, 1, " 19 26 4", (json_int_t)TIMES * 2 * (ROWS + COLUMNS));
    have_words("--grid 1x3", "arenas", 0, 1, " 19 26 4", (json_int_t)TIMES * 2 * 2 * ROWS);
    assert_in_range(words_of("-p 4", "arenas", 0, " 19 26 4"), TIMES * 2 * (ROWS + COLUMNS) * 8 / 10,
                    TIMES * 2 * (ROWS + COLUMNS));
}

/* Products are divided as the rows that they are added up for, of one step and of several, where those change
 * places, too. */
static void products_lie_with_their_rows(void **state)
{
    enum { ROWS = 13, COLUMNS = 19, TIMES = 3 };
    (void)state;
    compile("cc", "products_apart.c", "products_apart");
    have_words("--grid 2x2", "products_apart", 0, 1, " 13 19 3", (json_int_t)TIMES * 2 * (ROWS + COLUMNS));
    have_words("--grid 2x2", "products_apart", 0, 1, " 13 19 1", (json_int_t)2 * (ROWS + COLUMNS));
}

/* Along diagonals a word of each place but one, for each of both fields across a cut between rows; between
 * columns one of each row to the right, and to the left, and one for the other field. A ring is cut twice,
 * and two words go across each cut; rows of rings have nothing in common. */
static void few_steps_tell_rows(void **state)
{
    enum { ROWS = 18, COLUMNS = 14, TIMES = 3 };
    (void)state;
    compile("cc", "few_steps.c", "few_steps");
    have_words("--grid 2x1", "few_steps", 0, 0, " 18 14 3", (json_int_t)TIMES * 2 * (COLUMNS - 1));
    have_words("--grid 1x3", "few_steps", 0, 0, " 18 14 3", (json_int_t)TIMES * 2 * (3 * ROWS - 1));
    have_words("--grid 2x1", "few_steps", 1, 1, " 18 14 3", 0);
    have_words("--grid 1x2", "few_steps", 1, 1, " 18 14 3", (json_int_t)TIMES * 2 * 2 * ROWS);
}

/* Planes that have nothing in common are cut for nothing, rows of each plane for one row either way. Where
 * structures read three words across planes and two across columns, rows are cut for nothing. */
static void few_steps_tell_planes(void **state)
{
    enum { PLANES = 8, ROWS = 10, COLUMNS = 12, TIMES = 2 };
    (void)state;
    compile("cc", "few_planes.c", "few_planes");
    have_words("--grid 2x1x1", "few_planes", 0, 0, " 8 10 12 2", 0);
    have_words("--grid 1x2x1", "few_planes", 0, 0, " 8 10 12 2", (json_int_t)TIMES * 2 * PLANES * COLUMNS);
    have_words("--grid 2x2x2", "few_planes", 1, 1, " 8 10 12 2",
               (json_int_t)TIMES * ROWS * (3 * COLUMNS + 2 * PLANES));
    have_words("--grid 1x2x1", "few_planes", 1, 1, " 8 10 12 2", 0);
}

/* In each step a pressure goes over each face that is cut, and the speed there back. */
static void cells_of_three_dimensions_show_by_their_faces(void **state)
{
    enum { PLANES = 8, ROWS = 10, COLUMNS = 12, TIMES = 3 };
    (void)state;
    compile("cc", "staggered3.c", "staggered3");
    have_words("--grid 1x2x1", "staggered3", 8, 8, " 10 12 3", (json_int_t)TIMES * 2 * PLANES * COLUMNS);
    have_words("--grid 2x2x2", "staggered3", 8, 8, " 10 12 3",
               (json_int_t)TIMES * 2 * (ROWS * COLUMNS + PLANES * COLUMNS + PLANES * ROWS));
}

/* Points are divided, whose numbers the sums are of: each part gives its share of all 36 sums. */
static void rows_of_data_are_cut_with_their_terms(void **state)
{
    enum { NUMBERS = 8, SUMS = NUMBERS * (NUMBERS + 1) / 2 };
    (void)state;
    compile("cc", "covariance.c", "covariance");
    have_words("--grid 2x1", "covariance", 0, 1, " 200 8", SUMS);
    have_words("--grid 4x1", "covariance", 0, 1, " 200 8", (json_int_t)3 * SUMS);
}

/* Of A every row goes to all parts of its row of blocks, of B every one to those of its column of blocks,
 * whichever of the three lie alike: both are not gathered where one of them happens to be. */
static void rows_that_are_multiplied_go_where_their_products_are(void **state)
{
    enum { N = 24 };
    (void)state;
    compile("cc", "rows_times_rows.c", "rows_times_rows");
    have_words("--grid 1x2", "rows_times_rows", 0, 7, " 24", (json_int_t)N * N);
    have_words("--grid 3x1", "rows_times_rows", 1, 6, " 24", (json_int_t)2 * N * N);
    have_words("--grid 1x3", "rows_times_rows", 1, 1, " 24", (json_int_t)2 * N * N);
    have_words("--grid 1x3", "rows_times_rows", 6, 6, " 24", (json_int_t)2 * N * N);
    have_words("--grid 2x2", "rows_times_rows", 6, 6, " 24", (json_int_t)2 * N * N);
}

/* Two coefficients down each column and one number up again, over each cut, in each step; nothing where
 * columns stay whole. */
static void lines_that_have_nothing_in_common_are_rows(void **state)
{
    enum { COLUMNS = 24, TIMES = 3, EACH = 3 * TIMES };
    (void)state;
    compile("cc", "columns_of_air.c", "columns_of_air");
    have_words("--grid 2x2", "columns_of_air", 0, 1, " 24 20 3", (json_int_t)EACH * COLUMNS);
    have_words("--grid 1x4", "columns_of_air", 0, 1, " 24 20 3", (json_int_t)EACH * 3 * COLUMNS);
    have_words("--grid 4x1", "columns_of_air", 0, 1, " 24 20 3", 0);
}

/* Planes of 12 x 14 points within a frame, in each of 3 steps; rows alone are cut across. */
static void planes_of_fields_are_planes(void **state)
{
    enum { PLANES = 5, ROWS = 12, COLUMNS = 14, TIMES = 3 };
    (void)state;
    compile("cc", "fields_in_planes.c", "fields_in_planes");
    for (int way = 0; way < 2; way++)
        for (int fields = 3; fields < 5; fields++) {
            const json_int_t words = (json_int_t)2 * PLANES * fields * TIMES;
            char arguments[32];
            snprintf(arguments, sizeof arguments, " %d 5 14 16 3", fields);
            have_words("--grid 1x2x1", "fields_in_planes", way, way, arguments, words * COLUMNS);
            have_words("--grid 1x2x2", "fields_in_planes", way, way, arguments, words * (ROWS + COLUMNS));
        }
    have_words("--grid 1x2", "fields_in_planes", 2, 2, " 3 1 14 16 3", (json_int_t)2 * 3 * ROWS * TIMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_on_lists_of_edges_are_cut_alike),
        cmocka_unit_test(faces_in_a_list_are_cut_as_their_cells),
        cmocka_unit_test(sides_in_a_list_are_cut_as_their_cells),
        cmocka_unit_test(mirror_images_are_no_structures),
        cmocka_unit_test(planes_are_crossed),
        cmocka_unit_test(rows_that_are_only_read_are_cut_too),
        cmocka_unit_test(spare_room_changes_nothing),
        cmocka_unit_test(points_are_not_cut),
        cmocka_unit_test(rotations_show_the_rows_of_their_matrix),
        cmocka_unit_test(populations_are_not_cut),
        cmocka_unit_test(structures_that_are_made_one_by_one_are_not_cut),
        cmocka_unit_test(numbers_of_a_point_are_not_cut),
        cmocka_unit_test(scratch_is_as_long_as_what_it_is_for),
        cmocka_unit_test(small_blocks_are_cut_as_asked),
        cmocka_unit_test(rows_that_are_a_word_longer_than_columns_are_rows),
        cmocka_unit_test(five_numbers_of_a_point_are_not_cut),
        cmocka_unit_test(long_rows_of_cells_are_one_array),
        cmocka_unit_test(lanes_are_no_dimension),
        cmocka_unit_test(sums_of_nothing_are_no_values),
        cmocka_unit_test(arenas_are_as_large_as_they_are_used),
        cmocka_unit_test(products_lie_with_their_rows),
        cmocka_unit_test(rows_that_are_multiplied_go_where_their_products_are),
        cmocka_unit_test(few_steps_tell_rows),
        cmocka_unit_test(few_steps_tell_planes),
        cmocka_unit_test(rows_of_data_are_cut_with_their_terms),
        cmocka_unit_test(cells_of_three_dimensions_show_by_their_faces),
        cmocka_unit_test(lines_that_have_nothing_in_common_are_rows),
        cmocka_unit_test(planes_of_fields_are_planes),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
