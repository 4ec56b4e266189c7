/* Sums, searches, histograms and fields in one array written in many ways have the same words. */
#include "variants.h"

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

static void rows_in_two_sums_have_the_words_of_one(void **state)
{
    enum { N = 64, TIMES = 4, OTHERS = 3, WAYS = 3 };
    (void)state;
    compile("cc", "halves.c", "halves");
    have_words("--grid 4", "halves", 0, WAYS - 1, " 64 4", N * TIMES * OTHERS);
    have_words("-p 4", "halves", 0, WAYS - 1, " 64 4", N * TIMES * OTHERS);
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

/* A grid lies on the keys, whatever they and copies of the bins are made of: each other part sends its bins.
 * Of how many there are depends whether memory is made for them, and nothing else. */
static void histograms_have_the_same_words(void **state)
{
    (void)state;
    compile("cc", "histograms.c", "histograms");
    have_words("--grid 4", "histograms", 0, 3, " 4000", 16 * 3);
    for (int which = 0; which <= 3; which++) /* few in a bin */
        have_words("--grid 4", "histograms", which, which, " 600", 16 * 3);
    have_words("--grid 4", "histograms", 4, 4, " 2400", 64 * 3);
    compile("c++", "bins.cpp", "bins");
    have_words("--grid 4", "bins", 0, 2, " 4000", 16 * 3);
    have_words("--grid 4", "bins", 3, 3, " 4000", 16 * 3);
    have_words("--grid 4", "bins", 4, 4, " 4000", 4 * 3);
    have_words("--grid 4", "bins", 5, 5, " 4000", 2 * 16 * 3);
}

/* Each other part sends what it has in each of 64 bins, and needs to know how many lists the library has. */
static void tables_of_lists_are_bins(void **state)
{
    enum { KEYS = 64, OTHERS = 3 };
    (void)state;
    compile("c++", "hashed.cpp", "hashed");
    have_words("--grid 4", "hashed", 0, 0, " 4000", (KEYS + 1) * OTHERS);
    have_words("--grid 4", "hashed", 1, 2, " 4000", KEYS * OTHERS);
}

/* All 48 limits, of which bisection reads those that it comes by, go to three other parts; so do bins. There
 * is one more where as many are counted. */
static void bisections_read_what_they_compare(void **state)
{
    enum { LIMITS = 48, OTHERS = 3 };
    (void)state;
    compile("c++", "bisections.cpp", "bisections");
    have_words("--grid 4", "bisections", 0, 0, " 2400", (LIMITS - 1) * OTHERS);
    have_words("--grid 4", "bisections", 1, 1, " 2400", 2 * LIMITS * OTHERS);
    have_words("--grid 4", "bisections", 2, 3, " 2400", LIMITS * OTHERS);
    have_words("--grid 4", "bisections", 4, 4, " 2400", (2 * LIMITS + 1) * OTHERS);
}

/* The largest of each key that a part has. */
static void what_may_not_have_begun_is_a_largest(void **state)
{
    enum { KEYS = 16, OTHERS = 3 };
    (void)state;
    compile("c++", "optionals.cpp", "optionals");
    have_words("--grid 4", "optionals", 0, 1, " 4000", KEYS * OTHERS);
}

/* A sum that is squared is needed whole, where its half is not: half of each part's sum will do. */
static void squares_of_sums_need_the_sums(void **state)
{
    enum { ROWS = 16, OTHERS = 3 };
    (void)state;
    compile("c++", "powers_of_sums.cpp", "powers_of_sums");
    have_words("--grid 1x4 --extent 16x250", "powers_of_sums", 0, 2, " 16 250", ROWS * OTHERS);
    have_words("--grid 1x4 --extent 16x250", "powers_of_sums", 3, 3, " 16 250", OTHERS);
    have_words("--grid 4x1 --extent 16x250", "powers_of_sums", 0, 3, " 16 250", OTHERS);
    have_words("--grid 4", "powers_of_sums", 4, 5, " 16 250", ROWS * OTHERS);
}

/* So it is where the power comes of a function, by whichever way it is called, or takes the sum's place. */
static void powers_of_sums_in_functions_need_the_sums(void **state)
{
    enum { ROWS = 16, OTHERS = 3 };
    (void)state;
    compile("c++", "powers_in_functions.cpp", "powers_in_functions");
    have_words("--grid 1x4 --extent 16x250", "powers_in_functions", 0, 17, " 16 250", ROWS * OTHERS);
    have_words("--grid 1x4 --extent 16x250", "powers_in_functions", 18, 23, " 16 250", OTHERS);
    have_words("--grid 1x4 --extent 16x250", "powers_in_functions", 24, 24, " 16 250", ROWS * OTHERS);
    have_words("--grid 4x1 --extent 16x250", "powers_in_functions", 0, 24, " 16 250", OTHERS);
}

/* What chooses a bin comes of its key, whatever it chooses there. */
static void counts_that_keys_choose_have_the_words_of_bins(void **state)
{
    enum { OTHERS = 3 };
    (void)state;
    compile("cc", "chosen_counts.c", "chosen_counts");
    have_words("--grid 4", "chosen_counts", 0, 4, " 4000", 16 * OTHERS);
    have_words("--grid 4", "chosen_counts", 5, 6, " 4000", 4 * OTHERS);
    have_words("--grid 4", "chosen_counts", 7, 7, " 4000", OTHERS);
    have_words("--grid 4", "chosen_counts", 8, 10, " 4000", 4 * OTHERS);
    have_words("--grid 4", "chosen_counts", 11, 11, " 4000", 4 * OTHERS);
}

/* Whether a number is one of them is asked of all. */
static void masks_choose_what_is_added_up(void **state)
{
    enum { KEYS = 48, OTHERS = 3 };
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    compile("fc", "masked_sums.f90", "masked_sums");
    have_words("--grid 4", "masked_sums", 0, 2, " 2400", KEYS * OTHERS);
}

/* The length of what parts have, and back to all that divide by it. */
static void lengths_are_added_up(void **state)
{
    enum { OTHERS = 3, STEPS = 3 };
    (void)state;
    compile("cc", "lengths.c", "lengths");
    have_words("--grid 4", "lengths", 0, 2, " 400 3", STEPS * 2 * OTHERS);
}

/* A search for a key that is there is no result of its own, whether or not one that is not would be put in.
 */
static void words_of_maps_are_found_alike(void **state)
{
    enum { N = 24, M = 32, OTHERS = 3 };
    (void)state;
    compile("c++", "maps.cpp", "maps");
    have_words("--grid 2x2", "maps", 0, 2, " 24 32", N * M + N * N);
    have_words("--grid 4", "maps", 3, 8, " 4000 16", 16 * OTHERS);
}

/* All that the sums read is cut like the keys' numbers; what a bin held before does not come back to it. */
static void two_sums_of_a_key_have_twice_the_words(void **state)
{
    (void)state;
    compile("cc", "counted_sums.c", "counted_sums");
    have_words("--grid 4", "counted_sums", 0, 2, " 3000 16", 2 * 16 * 3);
    have_words("--grid 7", "counted_sums", 0, 2, " 2003 8", 2 * 8 * 6);
    have_words("--grid 4", "counted_sums", 3, 4, " 5000 64", 64 * 3);
}

/* Rows of a matrix whose columns are multiplied with each other stay whole: 126 or 125 of 501 on each part. A
 * mean goes there and back. */
static void rows_of_products_are_not_cut(void **state)
{
    (void)state;
    compile("cc", "column_products.c", "column_products");
    have_words("--grid 4", "column_products", 0, 1, " 501 4", 4 * 4 * 3);
    have_words("--grid 3", "column_products", 0, 1, " 77 5", 5 * 5 * 2);
    have_words("--grid 4", "column_products", 2, 2, " 501 4", (4 * 4 + 2 * 4) * 3);
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

/* The points are cut, however few they are, not the coefficients: neighbours once, both coefficients to each
 * other part in every step and their partial sums back. */
static void a_few_coefficients_leave_the_points_to_be_cut(void **state)
{
    enum { TIMES = 3 };
    static const char *const points[] = {" 16 3", " 60 3", " 400 3"};
    (void)state;
    compile("cc", "few_coefficients.c", "few_coefficients");
    for (int others = 1; others <= 3; others += 2)
        for (size_t i = 0; i < 2 * sizeof points / sizeof *points; i++) {
            const char *options = i % 2         ? others == 1 ? "-p 2" : "-p 4"
                                  : others == 1 ? "--grid 2"
                                                : "--grid 4";
            have_words(options, "few_coefficients", 0, 0, points[i / 2], (2 + 4 * TIMES) * others);
            have_words(options, "few_coefficients", 1, 1, points[i / 2], (4 + 4 * TIMES) * others);
            have_words(options, "few_coefficients", 2, 2, points[i / 2], TIMES * others);
            if (i / 2 == 2) have_words(options, "few_coefficients", 3, 3, points[i / 2], 2 * TIMES * others);
        }
    have_words("-p 8", "few_coefficients", 2, 2, " 12 3", 7 * TIMES);
}

/* Every coefficient goes to each other part in every step, and a partial sum comes back; of the mean, with
 * the variance beside it, two; of a matrix of products eight, since those of the column of ones are known,
 * for three coefficients. */
static void fits_send_coefficients_and_sums(void **state)
{
    enum { OTHERS = 3, TIMES = 3 };
    static const int words[] = {4, 6, 6, 4, 3, 8 + 3};
    (void)state;
    compile("cc", "fitted.c", "fitted");
    for (int way = 0; way < (int)(sizeof words / sizeof *words); way++) {
        have_words("--grid 4", "fitted", way, way, " 400 3", (json_int_t)words[way] * OTHERS * TIMES);
        have_words("-p 4", "fitted", way, way, " 401 3", (json_int_t)words[way] * OTHERS * TIMES);
        have_words("-p 2", "fitted", way, way, " 60 3", (json_int_t)words[way] * TIMES);
    }
}

/* Neighbours in every direction, and what the partial products and norms come to: what the input would be
 * needed for where other sums add up with its later values is no reason to send it. */
static void directions_cost_their_borders_and_sums(void **state)
{
    enum { SIDE = 16, STEPS = 3, SUMS = 1 + STEPS * (STEPS + 1) / 2 + STEPS };
    (void)state;
    compile("cc", "krylov.c", "krylov");
    have_words("--grid 2x1", "krylov", 0, 1, " 16 3", STEPS * 2 * SIDE + SUMS * 2);
    have_words("--grid 2x2", "krylov", 0, 1, " 16 3", STEPS * 4 * SIDE + SUMS * 2 * 3);
}

/* Of each pair across a border one of the two parts has what it needs anyway, for its forces: three particles
 * of a border, their forces back, a weight and a size. */
static void sums_over_pairs_cost_their_borders(void **state)
{
    enum { BORDERS = 3, TIMES = 4, REACH = 3 };
    (void)state;
    compile("cc", "pairs.c", "pairs");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 4";
        assert_int_equal(words_of(options, "pairs", 0, " 400 4"),
                         TIMES * BORDERS * (2 * REACH + 1) + 2 * BORDERS);
        assert_int_equal(words_of(options, "pairs", 1, " 400 4"), TIMES * BORDERS * 2);
        assert_int_equal(words_of(options, "pairs", 2, " 400 4"), TIMES * BORDERS * (2 * 2 + 1));
        /* squares need nothing of the other side, though products of the same numbers do */
        assert_int_equal(words_of(options, "pairs", 3, " 400 4"), TIMES / 2 * BORDERS * (2 + 1));
    }
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

/* Whoever is handed the place needs to know which one it is, of all that was compared. */
static void a_place_that_is_handed_on_has_the_words_of_its_search(void **state)
{
    (void)state;
    compile("cc", "handed.c", "handed");
    have_words("--grid 4", "handed", 0, 4, "", 3);
    have_words("-p 4", "handed", 0, 4, "", 3);
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

/* What chose a row or a structure chose where the pointer that stands there leads. Centroids go to the other
 * parts, and sums and counts come back. */
static void sums_that_pointers_lead_to_come_of_what_chose_the_pointer(void **state)
{
    enum { FEATURES = 3, CENTROIDS = 5, OTHERS = 3, TIMES = 3 };
    (void)state;
    compile("cc", "led_to.c", "led_to");
    have_words("--grid 4", "led_to", 0, 7, " 4000 3", OTHERS * TIMES * (2 * FEATURES + 1) * CENTROIDS);
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
    enum { PARTS = 4, WAYS = 19 };
    (void)state;
    compile("cc", "beside.c", "beside");
    have_words("--grid 4", "beside", 0, WAYS - 1, " 4096", 2 * (PARTS - 1));
    have_words("-p 4", "beside", 0, WAYS - 1, " 4096", 2 * (PARTS - 1));
}

/* Each part has found its own, and sends it. */
static void what_is_found_of_all_numbers_costs_a_word_a_part(void **state)
{
    enum { PARTS = 4 };
    (void)state;
    compile("cc", "furthest.c", "furthest");
    have_words("--grid 4 --extent 4096", "furthest", 0, 4, " 4096", PARTS - 1);
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

/* A partial sum of each part to one of them in every step, and the whole back. */
static void sums_in_variables_of_the_file_are_sums(void **state)
{
    enum { PARTS = 4, TIMES = 4 };
    (void)state;
    compile("cc", "global_sums.c", "global_sums");
    have_words("--grid 4", "global_sums", 0, 5, " 16 4", (json_int_t)2 * (PARTS - 1) * TIMES);
    have_words("-p 4", "global_sums", 0, 5, " 16 4", (json_int_t)2 * (PARTS - 1) * TIMES);
}

/* A partial sum of each part to one of them in every step, and the whole back, though all that a part does
 * with the whole is to put it into its words. */
static void sums_that_stand_everywhere_are_sent_everywhere(void **state)
{
    enum { PARTS = 4, TIMES = 3 };
    (void)state;
    compile("cc", "spread.c", "spread");
    have_words("--grid 4", "spread", 0, 3, " 3", (json_int_t)2 * (PARTS - 1) * TIMES);
    have_words("-p 4", "spread", 0, 3, " 3", (json_int_t)2 * (PARTS - 1) * TIMES);
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
    have_words("--grid 4", "four_sums", 3, 3, " 16 3", WORDS);
    have_words("-p 4", "four_sums", 3, 3, " 66 3", WORDS);
}

/* What one, two or four variables have come to is put together, whatever is left over and where it is added.
 */
static void reductions_in_several_variables_have_the_words_of_one(void **state)
{
    enum { PARTS = 4, TIMES = 3, WORDS = 2 * (PARTS - 1) * TIMES };
    (void)state;
    compile("cc", "packets.c", "packets");
    for (int left = 0; left < 4; left++) {
        char arguments[16];
        snprintf(arguments, sizeof arguments, " %d %d", 64 + left, TIMES);
        have_words("--grid 4", "packets", 0, 8, arguments, WORDS);
    }
    have_words("-p 4", "packets", 0, 8, " 66 3", WORDS);
}

/* What all numbers have come to, whatever that is, costs a word from each other part and one back; what comes
 * of two sums, two words from each other part and one back. */
static void reductions_tuned_by_hand_have_the_words_of_plain_ones(void **state)
{
    enum { PARTS = 4, TIMES = 3, WORDS = 2 * (PARTS - 1) * TIMES, OF_TWO = 3 * (PARTS - 1) * TIMES };
    (void)state;
    compile("cc", "unrolled.c", "unrolled");
    for (int way = 0; way < 12; way++) have_words("--grid 4", "unrolled", way, way, " 66 3", WORDS);
    have_words("--grid 4", "unrolled", 4, 11, " 67 3", WORDS);
    have_words("-p 4", "unrolled", 0, 11, " 66 3", WORDS);
    for (int way = 12; way < 14; way++) have_words("--grid 4", "unrolled", way, way, " 67 3", OF_TWO);
}

/* A number and its place, which are one, from each other part, and one number back. */
static void the_best_of_several_bests_is_one_search(void **state)
{
    enum { PARTS = 4, TIMES = 3, WORDS = 2 * (PARTS - 1) * TIMES };
    (void)state;
    compile("cc", "bests.c", "bests");
    for (int way = 0; way < 10; way++) have_words("--grid 4", "bests", way, way, " 66 3", WORDS);
    have_words("--grid 4", "bests", 0, 9, " 67 3", WORDS);
    have_words("-p 4", "bests", 0, 9, " 66 3", WORDS);
    if (system("command -v flang-new-19 >/dev/null")) return;
    compile("fc", "bests.f90", "bests_of_fortran");
    have_words("--grid 4", "bests_of_fortran", 0, 0, " 66 3", WORDS);
}

/* Two numbers from each other part, or one, and one back. */
static void two_numbers_that_are_compared_first_are_compared_one_by_one(void **state)
{
    enum { PARTS = 4, TIMES = 3, OF_TWO = 3 * (PARTS - 1) * TIMES, OF_ONE = 2 * (PARTS - 1) * TIMES };
    (void)state;
    compile("c++ -std=c++17", "both_ends.cpp", "both_ends");
    for (int way = 0; way < 6; way++) have_words("--grid 4", "both_ends", way, way, " 66 3", OF_TWO);
    have_words("--grid 4", "both_ends", 1, 1, " 67 3", OF_TWO);
    have_words("--grid 4", "both_ends", 6, 6, " 66 3", OF_ONE);
}

/* Whether all that a part has hold, or any, from each other part, and what is said of all back. */
static void whether_all_hold_is_one_reduction(void **state)
{
    enum { PARTS = 4, TIMES = 3, WORDS = 2 * (PARTS - 1) * TIMES };
    (void)state;
    compile("cc", "all_of_them.c", "all_of_them");
    for (int way = 0; way < 14; way++) have_words("--grid 4", "all_of_them", way, way, " 66 3", WORDS);
    have_words("-p 4", "all_of_them", 0, 13, " 64 3", WORDS);
}

/* All pairs of the highest two bits are of two parts: both numbers of each amplitude go to one other part. */
static void complex_numbers_have_the_words_of_their_parts(void **state)
{
    enum { AMPLITUDES = 64, TIMES = 3, WORDS = 2 * 2 * AMPLITUDES * TIMES };
    (void)state;
    compile("cc", "gates.c", "gates");
    for (int way = 0; way < 5; way++)
        have_words("--grid 4x1 --extent 64x2", "gates", way, way, " 64 3", WORDS);
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

/* In each of three steps a word from each other part and one to it. */
static void searches_of_the_library_are_of_all_numbers(void **state)
{
    (void)state;
    compile("c++", "sought.cpp", "sought");
    have_words("-p 4", "sought", 0, 3, " 400 3", 3 * 2 * 3);
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

/* A border is crossed by three of nine populations each way, and both by four; periodic, so each side of a
 * block is a border. Whatever structures other ways take the array for, and with rings of copies around it.
 */
static void populations_lie_together_or_one_after_the_other(void **state)
{
    enum { N = 16, STEPS = 3, CUT = 2 * 2 * 3 * N, CORNERS = 4 * 4, WAYS = 3 };
    (void)state;
    compile("cc", "lattice_pull.c", "lattice_pull");
    have_words("--grid 2x2", "lattice_pull", 0, WAYS - 1, " 16 3", STEPS * (2 * CUT - CORNERS));
    have_words("-p 2", "lattice_pull", 0, WAYS - 1, " 16 3", STEPS * CUT);
    have_words("--grid 2x2", "lattice_pull", 0, WAYS - 1, " 9 2", 2 * (2 * 2 * 2 * 3 * 9 - CORNERS));
}

/*
 * Who pushes them may own what has been pushed as long as it has not been read: then three cross a border as
 * where they are pulled, and not the six numbers that they are computed from.
 */
static void populations_that_are_pushed_are_sent_as_those_that_are_pulled(void **state)
{
    enum { N = 12, STEPS = 2, CUT = 2 * 3 * N, WAYS = 3 };
    (void)state;
    compile("cc", "lattice_push.c", "lattice_push");
    have_words("-p 2", "lattice_push", 0, WAYS - 1, " 12 2", STEPS * 2 * CUT);
    have_words("-p 4", "lattice_push", 0, WAYS - 1, " 12 2", STEPS * (4 * CUT - 4 * 4));
    have_words("-p 9", "lattice_push", 0, 1, " 12 2", STEPS * (6 * CUT - 9 * 4));
}

/*
 * Each part gets the widths of its rows and columns that lie elsewhere, once, and adds up its terms: on 2 x 2
 * parts every width is on two.
 */
static void terms_with_widths_are_added_up_where_they_lie(void **state)
{
    enum { N = 16, STEPS = 3, LAST = 3 };
    (void)state;
    compile("cc", "widths.c", "widths");
    have_words("--grid 2x2 --extent 16,16", "widths", 0, LAST, " 16 3", 2 * N + 3 * STEPS);
    have_words("--grid 1x2 --extent 16,16", "widths", 0, LAST, " 16 3", N + STEPS);
    have_words("--grid 2x1 --extent 16,16", "widths", 0, LAST, " 16 3", N + STEPS);
    have_words("-p 2", "widths", 0, LAST, " 16 3", N + STEPS);
}

/*
 * Between walls a border is crossed by three of nine populations each way, by a diagonal one for all cells
 * but one. Macros and flat indices have no types: what lies ten words apart, by any way to say so, is a cell.
 * Pulled ones leave four of the wall for the other side of each border, in both arrays.
 */
static void populations_of_flat_arrays_lie_together(void **state)
{
    enum { N = 16, STEPS = 3, CUT = 2 * (3 * N - 2), CORNERS = 4, WALL = 2 * 4 };
    (void)state;
    compile("cc", "lattice_flat.c", "lattice_flat");
    have_words("-p 2", "lattice_flat", 0, 3, " 3", STEPS * CUT);
    have_words("--grid 2", "lattice_flat", 0, 1, " 3", STEPS * CUT + WALL);
    have_words("-p 4", "lattice_flat", 0, 1, " 3", STEPS * (2 * CUT - CORNERS));
    have_words("--grid 2x2", "lattice_flat", 0, 1, " 3", STEPS * (2 * CUT - CORNERS) + 2 * WALL);
}

/* In each half of a step two of three fields go across a border, one way. */
static void curls_of_fields_in_one_array_have_their_extents(void **state)
{
    enum {
        N = 12,
        STEPS = 2,
        CUT = 2 * N * N * 2,
        SMALL = 8,
        SMALL_STEPS = 3,
        SMALL_CUT = 2 * SMALL * SMALL * 2
    };
    (void)state;
    compile("cc", "curls.c", "curls");
    have_words("--grid 2x2x2", "curls", 0, 1, " 12 2", STEPS * 2 * 3 * CUT);
    have_words("--grid 2x2x1", "curls", 0, 1, " 8 3", SMALL_STEPS * 2 * 2 * SMALL_CUT);
}

/* Two fields each way across every face of a border: that the first point is beside the last is no row. */
static void lines_that_are_closed_are_as_long_as_they_are(void **state)
{
    enum { N = 12, STEPS = 3, FACES = 2 * 2 * N, WAYS = 3 };
    (void)state;
    compile("cc", "wrapped_lines.c", "wrapped_lines");
    have_words("--grid 2x2", "wrapped_lines", 0, WAYS - 1, " 12 3", STEPS * FACES * 2 * 2);
}

/* The nodes on both sides of a border, and two at the corner: not blocks of the matrix, which is larger. */
static void a_matrix_made_in_every_step_is_divided_by_nodes(void **state)
{
    enum { N = 16, STEPS = 3 };
    (void)state;
    compile("cc", "assembled_mesh.c", "assembled_mesh");
    have_words("-p 2", "assembled_mesh", 0, 0, " 16 3", STEPS * 2 * N);
    have_words("-p 4", "assembled_mesh", 0, 0, " 16 3", STEPS * (2 * 2 * N + 2));
}

/* Three partial sums and three coordinates for each node of a border, three times over where four parts meet:
 * members of a structure are words of their own, whoever tells where they are. */
static void members_add_up_the_forces_of_a_list(void **state)
{
    enum { N = 8, STEPS = 3, COPIES = N + 1, OF_FOUR = (N + 2) * (N + 2) - (N + 1) * (N + 1) };
    (void)state;
    compile("c++", "corner_lists.cpp", "corner_lists");
    have_words("--grid 1x2 --extent 8,8,12", "corner_lists", 0, 0, " 8 3", STEPS * 2 * 3 * COPIES);
    have_words("--grid 2x2 --extent 8,8,12", "corner_lists", 0, 2, " 8 3", STEPS * 2 * 3 * OF_FOUR);
}

/* Two words each way across each of three borders: what is compared is read in every turn, taken or not. */
static void what_the_least_so_far_is_compared_with_is_read(void **state)
{
    enum { STEPS = 3, BORDERS = 3, REACH = 2, WAYS = 5 };
    (void)state;
    compile("cc", "best_so_far.c", "best_so_far");
    have_words("--grid 4", "best_so_far", 0, WAYS - 1, " 32 3", STEPS * BORDERS * 2 * REACH);
}

/* Each of three parts adds up its terms of three sums, and each border sends a value. The factors, and
 * products that are stored first, are with these terms. */
static void parts_add_up_what_others_would_multiply(void **state)
{
    enum { STEPS = 3, OTHERS = 3, FULL_ROWS = 3, WAYS = 6 };
    (void)state;
    compile("cc", "full_rows.c", "full_rows");
    static const char *const options[] = {"--grid 4", "--grid 4 --extent 28", "-p 4"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        have_words(options[i], "full_rows", 0, WAYS - 1, " 28 3", STEPS * OTHERS * (FULL_ROWS + 1));
    have_words("--grid 4", "full_rows", 0, WAYS - 1, " 48 3", STEPS * OTHERS * (FULL_ROWS + 1));
}

/* Blocks of nodes, of which those at the frame have fewer elements: the fullest has 5.1 % more work than the
 * mean. Nodes on both sides of a border, and two where borders cross; nine sums, and eight quotients of two
 * of them that all need. Other parts that are even may have a few words less. */
static void blocks_a_little_less_even_go_before_scattered_parts(void **state)
{
    enum { N = 16, STEPS = 4, BORDERS = 2 * N * (1 + 3) + 3 * 2, SUMS = 7 * (1 + 2 * STEPS + 2 * STEPS) };
    (void)state;
    compile("cc", "element_products.c", "element_products");
    have_words("--grid 2x4", "element_products", 0, 0, " 16 4", STEPS * BORDERS + SUMS);
    json_int_t words = words_of("-p 8", "element_products", 0, " 16 4"), blocks = STEPS * BORDERS + SUMS;
    if (words > blocks || words < 0.96 * (double)blocks)
        fail_msg("%lld words, not %lld", (long long)words, (long long)blocks);
}

/* Each other part sends the least of what it has, in whichever list that stands, and is told what it came to
 * in the step before. */
static void the_least_goes_on_from_list_to_list(void **state)
{
    enum { STEPS = 4, OTHERS = 3 };
    static const char *const arguments[] = {" 400 1 4", " 400 3 4", " 400 11 4"};
    (void)state;
    compile("cc", "least_of_lists.c", "least_of_lists");
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        have_words("--grid 4", "least_of_lists", 0, 2, arguments[i], (2 * STEPS - 1) * OTHERS);
        have_words("--grid 4", "least_of_lists", 3, 4, arguments[i], (2 * STEPS - 1) * OTHERS);
    }
}

/* A mean and its terms of three other parts, in each step; what stands in the arguments every part knows. */
static void numbers_in_arguments_of_fortran_are_known(void **state)
{
    enum { TIMES = 4, OTHERS = 3 };
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    compile("fc", "told.f90", "told");
    have_words("-p 4", "told", 0, 1, " 64 4", TIMES * 2 * OTHERS);
}

/* What one part has of a sum that is only added to costs a word, however many steps there are: of N rows on
 * both sides of four cuts. A matrix that is made once goes with the vector; a parameter goes to all, and a
 * word of the row to where it is multiplied. */
static void a_matrix_made_once_goes_with_the_vector(void **state)
{
    enum { N = 16, SUMS = 2 * 4 * N, OTHERS = 3 };
    (void)state;
    compile("cc", "made_matrices.c", "made_matrices");
    for (int i = 0; i < 2; i++) {
        const char *options = i ? "-p 4" : "--grid 2x2";
        have_words(options, "made_matrices", 0, 1, " 16 10", SUMS);
        have_words(options, "made_matrices", 2, 2, " 16 10", SUMS + OTHERS);
        have_words(options, "made_matrices", 3, 4, " 16 10", SUMS + SUMS);
    }
}

/* Four cuts of a ring, each within an element: in each step its last node, and what the other part has for
 * the sum there. Its matrix is made where it is needed, and each one is as much work as the others; of one
 * function that is called, the first element tells nothing of that yet. */
static void matrices_of_elements_that_come_of_nothing_are_made_anywhere(void **state)
{
    enum { TIMES = 4, CUTS = 4 };
    (void)state;
    compile("cc", "made_elements.c", "made_elements");
    have_words("--grid 4", "made_elements", 0, 1, " 128 4", TIMES * CUTS * 2);
    have_words("-p 4", "made_elements", 0, 1, " 128 4", TIMES * CUTS * 2);
    have_words("--grid 4", "made_elements", 0, 1, " 32 4", TIMES * CUTS * 2);
    have_words("-p 4", "made_elements", 0, 1, " 32 4", TIMES * CUTS * 2);
}

/* Rows at the border in both steps, and one partial sum: the last step's. Numbers of values that its terms
 * came of have been free for long when it is used. */
static void sums_remember_their_terms_until_they_are_used(void **state)
{
    static const int sides[] = {48, 64};
    (void)state;
    compile("cc", "changes.c", "changes");
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        char side[16];
        snprintf(side, sizeof side, " %d", sides[i]);
        have_words("--grid 2x1", "changes", 0, 2, side, 2 * 2 * sides[i] + 1);
        have_words("-p 2", "changes", 0, 0, side, 2 * 2 * sides[i] + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_goes_on_from_list_to_list),
        cmocka_unit_test(numbers_in_arguments_of_fortran_are_known),
        cmocka_unit_test(histograms_have_the_same_words),
        cmocka_unit_test(two_sums_of_a_key_have_twice_the_words),
        cmocka_unit_test(tables_of_lists_are_bins),
        cmocka_unit_test(bisections_read_what_they_compare),
        cmocka_unit_test(what_may_not_have_begun_is_a_largest),
        cmocka_unit_test(squares_of_sums_need_the_sums),
        cmocka_unit_test(powers_of_sums_in_functions_need_the_sums),
        cmocka_unit_test(counts_that_keys_choose_have_the_words_of_bins),
        cmocka_unit_test(masks_choose_what_is_added_up),
        cmocka_unit_test(lengths_are_added_up),
        cmocka_unit_test(words_of_maps_are_found_alike),
        cmocka_unit_test(rows_of_products_are_not_cut),
        cmocka_unit_test(weighted_sums_cost_a_word_a_part),
        cmocka_unit_test(regressions_send_model_and_gradient),
        cmocka_unit_test(a_few_coefficients_leave_the_points_to_be_cut),
        cmocka_unit_test(fits_send_coefficients_and_sums),
        cmocka_unit_test(directions_cost_their_borders_and_sums),
        cmocka_unit_test(sums_over_pairs_cost_their_borders),
        cmocka_unit_test(a_place_that_is_found_has_the_words_of_one_in_a_register),
        cmocka_unit_test(a_place_that_is_handed_on_has_the_words_of_its_search),
        cmocka_unit_test(the_numbers_at_two_places_are_two_reductions),
        cmocka_unit_test(clusters_that_know_their_sums_leave_the_work_to_the_points),
        cmocka_unit_test(sums_that_pointers_lead_to_come_of_what_chose_the_pointer),
        cmocka_unit_test(mixtures_have_the_same_words),
        cmocka_unit_test(sums_in_memory_have_the_words_of_registers),
        cmocka_unit_test(numbers_beside_each_other_in_memory_are_reductions),
        cmocka_unit_test(products_with_a_vector_have_the_same_words),
        cmocka_unit_test(rows_in_two_sums_have_the_words_of_one),
        cmocka_unit_test(what_a_sum_and_its_terms_read_is_paid_for),
        cmocka_unit_test(what_is_found_of_all_numbers_costs_a_word_a_part),
        cmocka_unit_test(long_sums_are_divided_along_their_terms),
        cmocka_unit_test(searches_of_the_library_are_of_all_numbers),
        cmocka_unit_test(factors_of_rows_come_of_one_number),
        cmocka_unit_test(forces_are_added_up_where_nodes_are_known),
        cmocka_unit_test(places_found_by_a_function_cost_a_search),
        cmocka_unit_test(descriptors_of_modules_have_no_home),
        cmocka_unit_test(turns_of_registers_are_work),
        cmocka_unit_test(reductions_in_steps_have_the_words_of_one),
        cmocka_unit_test(reductions_in_several_variables_have_the_words_of_one),
        cmocka_unit_test(reductions_tuned_by_hand_have_the_words_of_plain_ones),
        cmocka_unit_test(the_best_of_several_bests_is_one_search),
        cmocka_unit_test(two_numbers_that_are_compared_first_are_compared_one_by_one),
        cmocka_unit_test(whether_all_hold_is_one_reduction),
        cmocka_unit_test(complex_numbers_have_the_words_of_their_parts),
        cmocka_unit_test(columns_are_scaled_like_divided_ones),
        cmocka_unit_test(what_is_added_once_is_an_expression),
        cmocka_unit_test(sums_in_variables_of_the_file_are_sums),
        cmocka_unit_test(sums_that_stand_everywhere_are_sent_everywhere),
        cmocka_unit_test(rank_one_updates_send_vectors),
        cmocka_unit_test(populations_lie_together_or_one_after_the_other),
        cmocka_unit_test(populations_that_are_pushed_are_sent_as_those_that_are_pulled),
        cmocka_unit_test(populations_of_flat_arrays_lie_together),
        cmocka_unit_test(terms_with_widths_are_added_up_where_they_lie),
        cmocka_unit_test(curls_of_fields_in_one_array_have_their_extents),
        cmocka_unit_test(lines_that_are_closed_are_as_long_as_they_are),
        cmocka_unit_test(a_matrix_made_in_every_step_is_divided_by_nodes),
        cmocka_unit_test(parts_add_up_what_others_would_multiply),
        cmocka_unit_test(members_add_up_the_forces_of_a_list),
        cmocka_unit_test(what_the_least_so_far_is_compared_with_is_read),
        cmocka_unit_test(blocks_a_little_less_even_go_before_scattered_parts),
        cmocka_unit_test(a_matrix_made_once_goes_with_the_vector),
        cmocka_unit_test(matrices_of_elements_that_come_of_nothing_are_made_anywhere),
        cmocka_unit_test(sums_remember_their_terms_until_they_are_used),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
