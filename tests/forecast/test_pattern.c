#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "forecast/pattern.h"

enum { MAX_ENTRIES = 4096 };

/* Matrix of a shape with known counts and bytes per edge. */
static struct traffic_matrix draw(const struct pattern *truth, int n, struct traffic_entry *entries)
{
    int dims[3], d = pattern_dimensions(truth->kind);
    size_t found = 0;
    double count, bytes;
    pattern_grid(n, d ? d : 1, pattern_ascending(truth->kind), dims);
    for (int from = 0; from < n; from++) {
        int to[PATTERN_MAX_DEGREE], classes[PATTERN_MAX_DEGREE];
        int degree = pattern_neighbours(truth->kind, n, dims, from, to, classes);
        if (degree < 0) { /* all with all, or the centre of a star */
            degree = 0;
            for (int other = 0; other < n; other++) {
                if (other == from) continue;
                pattern_edge(truth, n, dims, truth->kind == PATTERN_STAR ? 1 : 0, &count, &bytes);
                entries[found++] = (struct traffic_entry){from, other, count, bytes};
            }
        }
        for (int i = 0; i < degree; i++) {
            pattern_edge(truth, n, dims, classes[i], &count, &bytes);
            size_t e = 0;
            while (e < found && !(entries[e].from == from && entries[e].to == to[i])) e++;
            if (e == found) entries[found++] = (struct traffic_entry){from, to[i], 0, 0};
            entries[e].count += count;
            entries[e].bytes += bytes;
        }
    }
    return (struct traffic_matrix){.n = n, .weight = 1, .entries = entries, .n_entries = found};
}

static void every_shape_is_recognised_and_drawn_larger(void **state)
{
    (void)state;
    static const int counts[] = {6, 12, 24};
    static struct traffic_entry entries[3][MAX_ENTRIES];
    for (int kind = PATTERN_RANDOM + 1; kind < PATTERN_KINDS; kind++) {
        struct pattern truth = {
            .kind = (enum pattern_kind)kind, .count = {100, 100, 100}, .bytes = {8e5, 6e5, 4e5}};
        truth.law = pattern_dimensions(truth.kind) > 0 ? EDGE_FACE : EDGE_INVERSE;
        struct traffic_matrix matrices[3];
        for (int i = 0; i < 3; i++) matrices[i] = draw(&truth, counts[i], entries[i]);
        struct pattern found;
        pattern_detect(matrices, 3, &found);
        assert_int_equal(found.kind, kind);
        assert_true(found.score > 0.99);
        int dims[3], d = pattern_dimensions(truth.kind);
        pattern_grid(48, d ? d : 1, pattern_ascending(truth.kind), dims);
        for (int k = 0; k < (d ? d : 1); k++) {
            double count, bytes, true_count, true_bytes;
            pattern_edge(&found, 48, dims, k, &count, &bytes);
            pattern_edge(&truth, 48, dims, k, &true_count, &true_bytes);
            assert_float_equal(count / true_count, 1, 1e-6);
            if (d > 1) assert_float_equal(bytes / true_bytes, 1, 1e-6);
        }
    }
}

static void two_ranks_are_too_few_and_that_is_said(void **state)
{
    (void)state;
    struct traffic_entry entries[] = {{0, 1, 10, 1e4}, {1, 0, 10, 1e4}};
    struct traffic_matrix matrix = {.n = 2, .weight = 1, .entries = entries, .n_entries = 2};
    struct pattern found;
    pattern_detect(&matrix, 1, &found);
    assert_true(found.kind > PATTERN_RANDOM);
    assert_true(found.ambiguous);
}

/* 2 x 2 blocks are a square of a plane or a layer of a cube: the sends to nobody tell. */
static void sends_to_nobody_tell_the_dimensions(void **state)
{
    (void)state;
    static struct traffic_entry entries[MAX_ENTRIES];
    struct pattern truth = {
        .kind = PATTERN_GRID_3, .law = EDGE_FACE, .count = {80, 80, 80}, .bytes = {8e5, 8e5, 8e5}};
    struct traffic_matrix matrix = draw(&truth, 4, entries);
    struct pattern found;
    pattern_detect(&matrix, 1, &found);
    assert_int_equal(pattern_dimensions(found.kind), 2);
    matrix.sends_per_round = 6;
    pattern_detect(&matrix, 1, &found);
    assert_int_equal(pattern_dimensions(found.kind), 3);
    matrix.sends_per_round = 2; /* a line does not explain the square */
    pattern_detect(&matrix, 1, &found);
    assert_int_equal(pattern_dimensions(found.kind), 2);
}

static void irregular_traffic_stays_irregular(void **state)
{
    (void)state;
    static struct traffic_entry entries[MAX_ENTRIES];
    size_t n = 0;
    srand(3);
    for (int from = 0; from < 32; from++)
        for (int to = 0; to < 32; to++)
            if (from != to && rand() % 3 == 0)
                entries[n++] = (struct traffic_entry){from, to, 1 + rand() % 50, rand() % 100000};
    struct traffic_matrix matrix = {.n = 32, .weight = 1, .entries = entries, .n_entries = n};
    struct pattern found;
    pattern_detect(&matrix, 1, &found);
    assert_int_equal(found.kind, PATTERN_RANDOM);
    assert_true(growth_value(&found.random_count, 32) > 0);
}

static void a_program_without_messages_has_no_shape(void **state)
{
    (void)state;
    struct traffic_matrix matrix = {.n = 8, .weight = 1};
    struct pattern found;
    pattern_detect(&matrix, 1, &found);
    assert_int_equal(found.kind, PATTERN_NONE);
}

static void grids_are_balanced(void **state)
{
    (void)state;
    static const struct {
        int n, d, dims[3];
    } cases[] = {{12, 2, {4, 3, 1}}, {16, 2, {4, 4, 1}}, {7, 2, {7, 1, 1}},
                 {8, 3, {2, 2, 2}},  {12, 3, {3, 2, 2}}, {64, 3, {4, 4, 4}},
                 {24, 3, {4, 3, 2}}, {1, 3, {1, 1, 1}},  {30, 1, {30, 1, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int dims[3];
        pattern_grid(cases[i].n, cases[i].d, false, dims);
        assert_memory_equal(dims, cases[i].dims, sizeof dims);
    }
    for (int n = 1; n < 400; n++)
        for (int d = 1; d <= 3; d++) {
            int dims[3];
            pattern_grid(n, d, true, dims);
            assert_int_equal(dims[0] * dims[1] * dims[2], n);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_balanced),
        cmocka_unit_test(every_shape_is_recognised_and_drawn_larger),
        cmocka_unit_test(two_ranks_are_too_few_and_that_is_said),
        cmocka_unit_test(sends_to_nobody_tell_the_dimensions),
        cmocka_unit_test(irregular_traffic_stays_irregular),
        cmocka_unit_test(a_program_without_messages_has_no_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
