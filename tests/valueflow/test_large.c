/*
 * Graphs of more than 100000 words, which are searched in a smaller one: meshes whose numbers tell little or
 * nothing of who is beside whom, and words without a place. What goes across a cut is derived by hand.
 */
#include <math.h>

#include "variants.h"

/* Cuts along a side, `along` parts of them each way, or a few per cent more or less. */
static void are_near(const char *program, int way, const char *arguments, int along, double cuts)
{
    char options[16];
    snprintf(options, sizeof options, "-p %d", along * along);
    json_int_t words = words_of(options, program, way, arguments);
    if ((double)words < 0.8 * cuts || (double)words > 1.06 * cuts)
        fail_msg("%s %d%s %s: %lld words, not about %.0f", program, way, arguments, options, (long long)words,
                 cuts);
}

/* Where numbers tell nothing of who is beside whom, a mesh is cut as if they did, though blocks of numbers
 * send nearly every value. */
static void shuffled_meshes_are_cut_along_their_sides(void **state)
{
    enum { SIDE = 160, TIMES = 2 };
    static const struct {
        int way, fields;
    } forms[] = {{0, 1}, {1, 1}, {4, 2}};
    const size_t n = has_time() ? sizeof forms / sizeof *forms : 1;
    (void)state;
    compile("cc", "shuffled.c", "shuffled");
    for (size_t i = 0; i < n; i++)
        for (int along = has_time() ? 2 : 4; along <= 4; along += 2)
            are_near("shuffled", forms[i].way, " 160 2", along,
                     forms[i].fields * 2.0 * 2 * (along - 1) * SIDE * TIMES);
}

/* Words that are relaxed edge by edge many times are cut like others: what lies along a cut goes across it in
 * each step, or less often where it does not change, and each weight there once. */
static void shortest_paths_are_cut_along_their_sides(void **state)
{
    enum { SIDE = 200, TIMES = 2, CUTS = 2 };
    (void)state;
    compile("cc", "shuffled.c", "shuffled");
    json_int_t words = words_of("-p 4", "shuffled", 2, " 200 2");
    if (words > CUTS * SIDE * (2 * TIMES + 1)) fail_msg("shortest paths: %lld words", (long long)words);
}

/* Slices of a mesh that is numbered along diagonals have longer borders than squares: three fields of a side
 * go across each cut both ways. */
static void numbers_along_diagonals_are_no_slices(void **state)
{
    enum { SIDE = 150, FIELDS = 3 };
    (void)state;
    compile("cc", "shuffled.c", "shuffled");
    for (int along = has_time() ? 2 : 4; along <= 4; along += 2)
        are_near("shuffled", 3, " 150 1", along, 2.0 * 2 * (along - 1) * SIDE * FIELDS);
}

/* Both cuts, one across the middle, two of the frame; each letter once beyond its first half: hundreds read
 * it, who tell no place. */
static void letters_lie_with_some_of_their_readers(void **state)
{
    enum { N = 600 };
    (void)state;
    compile("cc", "sequences.c", "sequences");
    have_words("-p 4", "sequences", N, N, "", 2 * N + 1 + 2 + 2 * N);
}

/* One part has all pairs of its points, the other all pairs with one of its own, and gets the others' points
 * for that. All pairs are one group of the smaller graph, which cannot be divided. */
static void pairs_that_are_counted_are_divided(void **state)
{
    enum { N = 460, BINS = 16 };
    const double points = N * sqrt(0.5);
    (void)state;
    compile("cc", "correlations.c", "correlations");
    json_int_t words = words_of("-p 2", "correlations", N, "");
    if ((double)words < 0.95 * 3 * points || (double)words > 1.02 * 3 * points + BINS)
        fail_msg("%lld words, not about %.0f", (long long)words, 3 * points + BINS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffled_meshes_are_cut_along_their_sides),
        cmocka_unit_test(shortest_paths_are_cut_along_their_sides),
        cmocka_unit_test(numbers_along_diagonals_are_no_slices),
        cmocka_unit_test(letters_lie_with_some_of_their_readers),
        cmocka_unit_test(pairs_that_are_counted_are_divided),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
