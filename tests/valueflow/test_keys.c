/* What is found, counted or kept for each key has the words of bins, in whatever form it is written. */
#include "variants.h"

enum { BINS = 16, OTHERS = 3 };

/* Each other part sends its best of each key, or its number; of a structure each word, and each place. */
static void the_best_of_each_key_is_a_reduction(void **state)
{
    enum { EACH = BINS * OTHERS };
    (void)state;
    compile("cc", "keyed.c", "keyed");
    have_words("--grid 4", "keyed", 0, 3, " 4000", EACH);
    have_words("--grid 4", "keyed", 4, 4, " 4000", (json_int_t)4 * EACH);
    have_words("--grid 4", "keyed", 5, 5, " 4000", (json_int_t)2 * EACH);
    have_words("--grid 4", "keyed", 6, 8, " 4000", EACH);
    have_words("--grid 4", "keyed", 12, 16, " 4000", (json_int_t)2 * EACH);
    have_words("--grid 4", "keyed", 17, 17, " 4000", EACH);
    have_words("--grid 4", "keyed", 18, 19, " 4000", (json_int_t)2 * EACH);
}

/* Two words for each key, whichever function chooses between two objects. */
static void the_better_of_two_objects_is_a_reduction(void **state)
{
    (void)state;
    compile("c++", "best_pairs.cpp", "best_pairs");
    have_words("--grid 4", "best_pairs", 0, 1, " 4000", (json_int_t)2 * BINS * OTHERS);
    have_words("--grid 4", "best_pairs", 2, 4, " 4000", (json_int_t)2 * BINS * OTHERS);
    have_words("--grid 4", "best_pairs", 5, 5, " 4000", (json_int_t)2 * BINS * OTHERS);
    compile("c++ -std=c++20", "best_pairs.cpp", "best_pairs20");
    have_words("--grid 4", "best_pairs20", 0, 0, " 4000", (json_int_t)2 * BINS * OTHERS);
    have_words("--grid 4", "best_pairs20", 5, 5, " 4000", (json_int_t)2 * BINS * OTHERS);
}

/* Each other part tells which of the keys it has seen, or where first; how many there are besides. */
static void the_first_of_each_key_is_a_reduction(void **state)
{
    (void)state;
    compile("cc", "keyed.c", "first_of");
    have_words("--grid 4", "first_of", 20, 21, " 4000", (json_int_t)BINS * OTHERS);
    have_words("--grid 4", "first_of", 22, 23, " 4000", (json_int_t)(BINS + 1) * OTHERS);
    have_words("--grid 4", "first_of", 24, 24, " 4000", (json_int_t)2 * BINS * OTHERS);
}

/* A number over each border, whether both differ or not, and how often they do. */
static void what_is_asked_is_read_also_where_it_does_not_count(void **state)
{
    (void)state;
    compile("cc", "keyed.c", "asked");
    have_words("--grid 4", "asked", 9, 11, " 4000", (json_int_t)2 * OTHERS);
    have_words("-p 4", "asked", 9, 11, " 4000", (json_int_t)2 * OTHERS);
}

static void whole_arrays_of_fortran_are_reductions(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    compile("fc", "keyed.f90", "keyed_fortran");
    have_words("--grid 4", "keyed_fortran", 0, 4, "", OTHERS);
    have_words("--grid 4", "keyed_fortran", 5, 6, "", (json_int_t)BINS * OTHERS);
    have_words("--grid 4", "keyed_fortran", 7, 7, "", OTHERS);
}

/* Each other part sends its count of each key, and knows the keys in the nodes, by which it finds them. */
static void nodes_of_maps_are_not_cut(void **state)
{
    (void)state;
    compile("c++", "counted_in_maps.cpp", "counted_in_maps");
    have_words("--grid 4", "counted_in_maps", 0, 2, " 4000 11", (json_int_t)2 * 11 * OTHERS);
    have_words("--grid 4", "counted_in_maps", 0, 2, " 4000 64", (json_int_t)2 * 64 * OTHERS);
}

/* Who sets a bit, or calls a function that does, reads both numbers; over each border one. */
static void bits_come_of_what_sets_them(void **state)
{
    (void)state;
    compile("cc", "set_bits.c", "set_bits");
    have_words("--grid 4", "set_bits", 0, 0, " 512", OTHERS);
    have_words("--grid 4", "set_bits", 1, 1, " 512", OTHERS);
    have_words("--grid 4", "set_bits", 2, 2, " 512", OTHERS);
}

/* All nodes but those of the first row are found by the one above: over a cut between rows each column is
 * told of once, over one between columns the first node alone. */
static void levels_come_of_those_that_found_them(void **state)
{
    enum { COLUMNS = 12 };
    (void)state;
    compile("cc", "frontiers.c", "frontiers");
    have_words("--grid 1x4", "frontiers", 0, 2, " 8 12", OTHERS);
    have_words("--grid 2x2", "frontiers", 0, 2, " 8 12", COLUMNS + 1);
}

/* Over each cut both nodes of every edge are told, whoever is kept beside the least. */
static void shortest_ways_come_of_all_neighbours(void **state)
{
    enum { ROWS = 16, COLUMNS = 24, SWEEPS = 3 };
    (void)state;
    compile("cc", "relaxed.c", "relaxed");
    have_words("--grid 2x2", "relaxed", 0, 9, " 3", (json_int_t)2 * SWEEPS * (ROWS + COLUMNS));
    compile("c++", "relaxed_lists.cpp", "relaxed_lists");
    have_words("--grid 2x2", "relaxed_lists", 0, 2, " 3", (json_int_t)2 * SWEEPS * (ROWS + COLUMNS));
}

/* Each row comes of the one before, whether what was carried over from that stays or is outdone. */
static void what_is_carried_over_and_outdone_was_compared(void **state)
{
    enum { MOST = 32 };
    (void)state;
    compile("cc", "packed.c", "packed");
    have_words("--grid 4x1", "packed", 0, 2, "", (json_int_t)OTHERS * (MOST + 1));
    have_words("-p 4", "packed", 0, 2, "", (json_int_t)OTHERS * (MOST + 1));
}

/* Each word of each key, whatever it is computed of: three, one, one, two, four of them. */
static void what_is_kept_for_each_key_is_handed_on(void **state)
{
    (void)state;
    compile("cc", "states.c", "states");
    have_words("--grid 4", "states", 0, 0, " 4000", (json_int_t)3 * BINS * OTHERS);
    have_words("--grid 4", "states", 1, 2, " 4000", (json_int_t)BINS * OTHERS);
    have_words("--grid 4", "states", 3, 3, " 4000", (json_int_t)2 * BINS * OTHERS);
    have_words("--grid 4", "states", 4, 4, " 4000", (json_int_t)4 * BINS * OTHERS);
    have_words("--grid 4", "states", 6, 6, " 4000", (json_int_t)BINS * OTHERS);
}

/* Each part computes what its numbers make of it and hands it on; with what it is the largest of, two words.
 */
static void what_turns_make_of_it_is_handed_on(void **state)
{
    (void)state;
    compile("cc", "handed_on.c", "handed_on");
    have_words("--grid 4", "handed_on", 0, 4, " 4000", OTHERS);
    have_words("-p 4", "handed_on", 0, 4, " 4000", OTHERS);
    have_words("--grid 4", "handed_on", 5, 5, " 4000", (json_int_t)2 * OTHERS);
    have_words("--grid 4", "handed_on", 6, 8, " 4000", OTHERS);
    have_words("-p 4", "handed_on", 9, 9, " 4000", (json_int_t)2 * OTHERS);
}

/* Each part knows how many turns it has done, which is no work of the word that counts them. */
static void turns_that_are_counted_are_no_work(void **state)
{
    (void)state;
    compile("cc", "states.c", "counted_turns");
    have_words("--grid 4", "counted_turns", 5, 5, " 4000", (json_int_t)2 * OTHERS);
    struct outcome outcome = run_cli("estimate --grid 4 --json -- ./counted_turns 5 4000");
    json_t *object = json_loads(outcome.out, 0, NULL);
    json_t *point = json_array_get(json_object_get(object, "points"), 0);
    assert_true(json_number_value(json_object_get(point, "imbalance_ratio")) < 0.03);
    json_decref(object);
    outcome_clear(&outcome);
}

/* In each step each other part sends what it has added up, once or twice, and is told what is solved for,
 * which is known before the first one. */
static void what_is_solved_for_is_told_in_each_step(void **state)
{
    enum { STEPS = 5 };
    (void)state;
    compile("cc", "solved.c", "solved");
    have_words("--grid 4", "solved", 0, 0, " 4000 5", (json_int_t)(STEPS + STEPS - 1) * OTHERS);
    have_words("--grid 4", "solved", 1, 1, " 4000 5", (json_int_t)(2 * STEPS + STEPS - 1) * OTHERS);
    have_words("-p 4", "solved", 2, 2, " 4000 5", (json_int_t)(STEPS + STEPS - 1) * OTHERS);
    have_words("--grid 4", "solved", 3, 3, " 4000 5", (json_int_t)2 * (STEPS + STEPS - 1) * OTHERS);
}

/* In each step each other part sends what it has added up, and is told what all of it comes to together: two
 * sums and one number, two of both, after it was told how many numbers there are, or three and two; what the
 * last step comes to nobody needs. One of the sums may be kept in a structure. */
static void what_several_sums_come_to_is_one_value(void **state)
{
    enum { STEPS = 5 };
    (void)state;
    compile("cc", "quotients.c", "quotients");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 4";
        have_words(options, "quotients", 0, 2, " 4000 5", (json_int_t)(2 + 1) * STEPS * OTHERS);
        have_words(options, "quotients", 3, 3, " 4000 5", (json_int_t)((2 + 2) * STEPS + 1) * OTHERS);
        have_words(options, "quotients", 4, 4, " 4000 5", (json_int_t)(3 + 2) * STEPS * OTHERS);
        have_words(options, "quotients", 5, 5, " 4000 5", (json_int_t)(2 * STEPS + STEPS - 1) * OTHERS);
        have_words(options, "quotients", 6, 7, " 4000 5", (json_int_t)(2 + 1) * STEPS * OTHERS);
    }
}

/* In each step each other part sends what it has added up of the numbers of each cluster and how many points
 * these are, and is told the centre, whether points are added up in blocks or not: some blocks have no point
 * of a cluster, or other ones in each step. */
static void blocks_of_points_are_points(void **state)
{
    enum { NUMBERS = 3, CLUSTERS = 7, STEPS = 3, WORDS = STEPS * CLUSTERS * (2 * NUMBERS + 1) };
    (void)state;
    compile("cc", "block_sums.c", "block_sums");
    have_words("--grid 4", "block_sums", 0, 4, " 504 3 7 3", (json_int_t)WORDS * OTHERS);
    have_words("-p 3", "block_sums", 0, 4, " 504 3 7 3", (json_int_t)WORDS * 2);
}

/* Weights go to three others in each step, since each sample is asked what they make of it, and the changes
 * come from these. */
static void who_is_asked_for_a_sum_has_to_know_it(void **state)
{
    enum { TIMES = 3, WEIGHTS = 6 };
    (void)state;
    compile("cc", "perceptron.c", "perceptron");
    have_words("--grid 4", "perceptron", 0, 3, " 400 6 3", (json_int_t)TIMES * 2 * WEIGHTS * OTHERS);
    have_words("--grid 4", "perceptron", 1, 2, " 400 6 3", (json_int_t)TIMES * 2 * WEIGHTS * OTHERS);
    have_words("-p 4", "perceptron", 0, 3, " 400 6 3", (json_int_t)TIMES * 2 * WEIGHTS * OTHERS);
}

/* The step goes to three others each time, and what it comes of comes from these: one word for multiples of
 * both sums, or of both least ones, that are put together by the same operation, and two where one is turned
 * round, or they are divided by each other. So it is where each step's is kept. */
static void multiples_of_sums_are_put_together_as_sums_are(void **state)
{
    enum { TIMES = 4 };
    (void)state;
    compile("cc", "multiples.c", "multiples");
    have_words("--grid 4", "multiples", 0, 6, " 400 4", (json_int_t)TIMES * 2 * OTHERS);
    have_words("--grid 4", "multiples", 2, 2, " 400 4", (json_int_t)TIMES * 2 * OTHERS);
    have_words("--grid 4", "multiples", 5, 5, " 400 4", (json_int_t)TIMES * 2 * OTHERS);
    have_words("--grid 4", "multiples", 7, 8, " 400 4", (json_int_t)TIMES * 3 * OTHERS);
    have_words("-p 4", "multiples", 2, 6, " 400 4", (json_int_t)TIMES * 2 * OTHERS);
    have_words("--grid 4", "multiples", 9, 13, " 400 4", (json_int_t)TIMES * 2 * OTHERS);
    have_words("-p 4", "multiples", 9, 13, " 400 4", (json_int_t)TIMES * 2 * OTHERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_each_key_is_a_reduction),
        cmocka_unit_test(the_better_of_two_objects_is_a_reduction),
        cmocka_unit_test(the_first_of_each_key_is_a_reduction),
        cmocka_unit_test(what_is_asked_is_read_also_where_it_does_not_count),
        cmocka_unit_test(whole_arrays_of_fortran_are_reductions),
        cmocka_unit_test(nodes_of_maps_are_not_cut),
        cmocka_unit_test(bits_come_of_what_sets_them),
        cmocka_unit_test(levels_come_of_those_that_found_them),
        cmocka_unit_test(shortest_ways_come_of_all_neighbours),
        cmocka_unit_test(what_is_carried_over_and_outdone_was_compared),
        cmocka_unit_test(what_turns_make_of_it_is_handed_on),
        cmocka_unit_test(what_is_kept_for_each_key_is_handed_on),
        cmocka_unit_test(turns_that_are_counted_are_no_work),
        cmocka_unit_test(what_is_solved_for_is_told_in_each_step),
        cmocka_unit_test(what_several_sums_come_to_is_one_value),
        cmocka_unit_test(blocks_of_points_are_points),
        cmocka_unit_test(who_is_asked_for_a_sum_has_to_know_it),
        cmocka_unit_test(multiples_of_sums_are_put_together_as_sums_are),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
