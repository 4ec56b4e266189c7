/* What `estimate` says in words: the decomposition, the singletons. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_cli.h"

static json_t *estimate(const char *name, const char *options, const char *arguments)
{
    struct outcome outcome = run_cli("cc --values --region kernel " KERNELS "/%s.c -o %s -lm", name, name);
    if (outcome.status) fail_msg("%s does not compile: %s", name, outcome.err);
    outcome_clear(&outcome);
    outcome = run_cli("estimate %s --json -- ./%s %s", options, name, arguments);
    if (outcome.status) fail_msg("%s: %s", name, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    assert_non_null(object);
    outcome_clear(&outcome);
    return object;
}

static const char *decomposition(json_t *object)
{
    return json_string_value(
        json_object_get(json_array_get(json_object_get(object, "points"), 0), "decomposition"));
}

static void holds(const char *text, const char *part)
{
    if (!text || !strstr(text, part)) fail_msg("'%s' does not say '%s'", text, part);
}

static void a_product_is_blocks_whose_factors_lie_on_rows_and_columns_of_parts(void **state)
{
    (void)state;
    json_t *object = estimate("matmul_ijk", "-p 16", "64");
    holds(decomposition(object), "4 x 4 blocks of");
    holds(decomposition(object), "(64 x 64)");
    holds(decomposition(object), "each word on 4 parts");
    assert_int_equal(json_integer_value(json_object_get(object, "singletons")), 0);
    json_decref(object);
}

static void a_matrix_times_a_vector_replicates_the_vector(void **state)
{
    (void)state;
    json_t *object = estimate("matvec_power", "-p 4", "128 3");
    holds(decomposition(object), "4 blocks of");
    holds(decomposition(object), "replicated");
    json_decref(object);
}

static double words_of(const char *name, const char *options, const char *arguments)
{
    json_t *object = estimate(name, options, arguments);
    double words =
        json_number_value(json_object_get(json_array_get(json_object_get(object, "points"), 0), "words"));
    json_decref(object);
    return words;
}

/* Its samples, where weights and what they change by are fewer words than these; its outputs otherwise. */
static void a_layer_that_learns_divides_whatever_is_cheaper(void **state)
{
    enum { INPUTS = 16, WEIGHTS = 128, OTHERS = 3, STEPS = 3 };
    (void)state;
    for (int samples = 16; samples <= 256; samples *= 2) {
        char arguments[64];
        double by_samples = 2 * WEIGHTS * OTHERS * STEPS, by_outputs = samples * INPUTS * OTHERS;
        double right = by_samples < by_outputs ? by_samples : by_outputs;
        snprintf(arguments, sizeof arguments, "%d %d", samples, STEPS);
        double words = words_of("layer", "-p 4", arguments);
        if (words > 1.01 * right || words < 0.99 * right)
            fail_msg("%g words for %d samples, not %g", words, samples, right);
    }
}

/* Points far apart have the same nearest centre in every step; who distributes them cannot know it. Blocks
 * cost T (p - 1) (2 k m + k). */
static void points_are_not_placed_by_the_centre_that_is_found_for_them(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("cc --values --region kernel -DAPART " KERNELS "/kmeans.c -o kmeans_apart -lm");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    for (int p = 4; p <= 5; p++) {
        outcome = run_cli("estimate -p %d --json -- ./kmeans_apart 2000 8 5 10", p);
        if (outcome.status) fail_msg("%s", outcome.err);
        json_t *object = json_loads(outcome.out, 0, NULL);
        const json_t *point = json_array_get(json_object_get(object, "points"), 0);
        double words = json_number_value(json_object_get(point, "words")), blocks = 10 * (p - 1) * 85;
        if (words < 0.94 * blocks || words > 1.06 * blocks)
            fail_msg("%g words on %d, not %g", words, p, blocks);
        json_decref(object);
        outcome_clear(&outcome);
    }
}

/* u and next of 8 x 8 points: no more parts than these 128 words. */
static void more_parts_than_words_are_wrong_usage(void **state)
{
    (void)state;
    json_t *object = estimate("heat2d_swap", "-p 64", "8 4");
    json_decref(object);
    struct outcome outcome = run_cli("estimate -p 2,5000,4 -- ./heat2d_swap 8 4");
    assert_int_equal(outcome.status, 2);
    holds(outcome.err, "5000 parts for 128 words");
    holds(outcome.err, "-p 2,4\n");
    outcome_clear(&outcome);
}

/* 2 k m centres and sums, as CommAnalyzer finds, and the k counts. */
static void centres_sums_and_counts_are_the_singletons_of_kmeans(void **state)
{
    (void)state;
    json_t *object = estimate("kmeans", "-p 4", "2000 8 5 5"),
           *groups = json_object_get(object, "singleton_groups");
    assert_int_equal(json_integer_value(json_object_get(object, "singletons")), 2 * 5 * 8 + 5);
    json_int_t sources = 0;
    size_t i;
    json_t *group;
    json_array_foreach(groups, i, group)
    {
        if (strcmp(json_string_value(json_object_get(group, "role")), "source") == 0)
            sources += json_integer_value(json_object_get(group, "words"));
    }
    assert_int_equal(sources, 40);
    json_decref(object);
}

static void a_scalar_product_has_one_sink_and_no_shared_factor(void **state)
{
    (void)state;
    json_t *object = estimate("dot", "-p 4", "10000");
    assert_int_equal(json_integer_value(json_object_get(object, "singletons")), 1);
    json_t *point = json_array_get(json_object_get(object, "points"), 0);
    assert_int_equal((int)json_number_value(json_object_get(point, "singleton_words")), 3);
    assert_null(strstr(decomposition(object), "each word on"));
    json_decref(object);
}

/* 17 x 17 nodes cannot be divided evenly, and most of the work lies with the elements: 2 x 2 blocks of these.
 */
static void a_mesh_is_divided_by_its_elements(void **state)
{
    (void)state;
    json_t *object = estimate("quads", "-p 4", "16 3"),
           *point = json_array_get(json_object_get(object, "points"), 0);
    holds(decomposition(object), "(16 x 16)");
    json_int_t words = json_integer_value(json_object_get(point, "words"));
    if (words < 600 || words > 808) fail_msg("%lld words, %s", (long long)words, decomposition(object));
    json_decref(object);
}

static void a_stencil_has_no_singletons(void **state)
{
    (void)state;
    json_t *object = estimate("heat2d_swap", "--grid 2x2", "32 5");
    holds(decomposition(object), "2 x 2 blocks of");
    assert_int_equal(json_integer_value(json_object_get(object, "singletons")), 0);
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_is_blocks_whose_factors_lie_on_rows_and_columns_of_parts),
        cmocka_unit_test(a_matrix_times_a_vector_replicates_the_vector),
        cmocka_unit_test(a_layer_that_learns_divides_whatever_is_cheaper),
        cmocka_unit_test(points_are_not_placed_by_the_centre_that_is_found_for_them),
        cmocka_unit_test(more_parts_than_words_are_wrong_usage),
        cmocka_unit_test(centres_sums_and_counts_are_the_singletons_of_kmeans),
        cmocka_unit_test(a_scalar_product_has_one_sink_and_no_shared_factor),
        cmocka_unit_test(a_mesh_is_divided_by_its_elements),
        cmocka_unit_test(a_stencil_has_no_singletons),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
