/* Who holds what, and what goes where when the number of ranks changes: against owner maps by brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "elastic/layout.h"

/* A small generator, so that every run tests the same cases. */
static uint64_t state = 1;
static int draw(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

static parcast_elastic_shape random_shape(void)
{
    parcast_elastic_shape shape = {
        .name = "a", .element_bytes = (size_t)(1 + draw(9)), .n_dims = 1 + draw(4)};
    for (int d = 0; d < shape.n_dims; d++) {
        parcast_elastic_dim *dim = &shape.dims[d];
        dim->size = 1 + draw(shape.n_dims > 2 ? 7 : 23);
        dim->kind = (parcast_elastic_kind)draw(3);
        if (dim->kind == PARCAST_ELASTIC_CYCLIC) dim->block = draw(5);
        if (dim->kind != PARCAST_ELASTIC_CYCLIC && dim->size > 2) dim->halo = draw(3);
    }
    bool replicated = true;
    for (int d = 0; d < shape.n_dims; d++)
        replicated = replicated && shape.dims[d].kind == PARCAST_ELASTIC_WHOLE;
    for (int d = 0; d < shape.n_dims && replicated; d++) shape.dims[d].halo = 0;
    return shape;
}

static int64_t cells_of(const elastic_layout *layout)
{
    int64_t n = 1;
    for (int d = 0; d < layout->n_dims; d++) n *= layout->dims[d].size;
    return n;
}

/* Memory of a rank: each own cell has its global number, the halo is -1. Elements are int64_t here. */
static int64_t *make_memory(const elastic_layout *layout, int rank, bool fill)
{
    size_t n = (size_t)(elastic_layout_bytes(layout, rank) / layout->element_bytes);
    int64_t *memory = malloc((n + 1) * sizeof *memory);
    assert_non_null(memory);
    for (size_t i = 0; i < n; i++) memory[i] = -1;
    if (!fill) return memory;
    int64_t index[PARCAST_ELASTIC_MAX_DIMS], count[PARCAST_ELASTIC_MAX_DIMS] = {0};
    int64_t total = 1;
    for (int d = 0; d < layout->n_dims; d++)
        total *= count[d] = elastic_dim_count(&layout->dims[d], elastic_layout_part(layout, rank, d));
    for (int64_t i = 0; i < total; i++) {
        int64_t rest = i, number = 0, place = 0;
        for (int d = layout->n_dims - 1; d >= 0; d--) {
            index[d] = rest % count[d];
            rest /= count[d];
        }
        for (int d = 0; d < layout->n_dims; d++) {
            const elastic_dim *dim = &layout->dims[d];
            number =
                number * dim->size + elastic_dim_global(dim, elastic_layout_part(layout, rank, d), index[d]);
            place = place * (count[d] + 2 * dim->halo) + index[d] + dim->halo;
        }
        memory[place] = number;
    }
    return memory;
}

struct copy {
    const unsigned char *from;
    unsigned char *to;
    int64_t cells, visits;
};
static bool copy_runs(void *context, const elastic_strided *runs)
{
    struct copy *copy = context;
    assert_true(runs->bytes > 0 && runs->count > 0);
    assert_true(runs->count == 1 || (runs->source_step >= runs->bytes && runs->target_step >= runs->bytes));
    elastic_copy_strided(copy->to, copy->from, runs);
    copy->cells += runs->count * runs->bytes / (int64_t)sizeof(int64_t);
    copy->visits++;
    return true;
}

static int64_t move_all(const elastic_layout *source, int64_t **from, const elastic_layout *target,
                        int64_t **to)
{
    int64_t cells = 0;
    for (int t = 0; t < target->n_ranks; t++)
        for (int s = 0; s < source->n_ranks; s++) {
            struct copy copy = {(const unsigned char *)from[s], (unsigned char *)to[t], 0, 0};
            assert_int_equal(elastic_walk(source, s, target, t, copy_runs, &copy, NULL), PARCAST_OK);
            cells += copy.cells;
        }
    return cells;
}

static int64_t **make_all(const elastic_layout *layout, bool fill)
{
    int64_t **memory = malloc((size_t)layout->n_ranks * sizeof *memory);
    assert_non_null(memory);
    for (int r = 0; r < layout->n_ranks; r++) memory[r] = make_memory(layout, r, fill);
    return memory;
}

static void free_all(const elastic_layout *layout, int64_t **memory)
{
    for (int r = 0; r < layout->n_ranks; r++) free(memory[r]);
    free(memory);
}

/* Also what is not an own cell must be as it was: -1. */
static void assert_as_filled(const elastic_layout *layout, int64_t **memory)
{
    for (int r = 0; r < layout->n_ranks; r++) {
        int64_t *right = make_memory(layout, r, true);
        assert_memory_equal(memory[r], right,
                            (size_t)(elastic_layout_bytes(layout, r) / layout->element_bytes) *
                                sizeof *right);
        free(right);
    }
}

static void every_cell_arrives_once_whatever_the_layouts(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3000; i++) {
        parcast_elastic_shape shape = random_shape();
        shape.element_bytes = sizeof(int64_t);
        elastic_layout before = {0}, saved = {0}, after = {0};
        assert_int_equal(elastic_layout_make(&shape, 1 + draw(7), NULL, &before, NULL), PARCAST_OK);
        assert_int_equal(elastic_layout_saved(&before, &saved, NULL), PARCAST_OK);
        assert_int_equal(elastic_layout_make(&shape, 1 + draw(7), NULL, &after, NULL), PARCAST_OK);
        assert_true(elastic_layout_same_array(&saved, &after));
        int64_t **from = make_all(&before, true), **disk = make_all(&saved, false),
                **to = make_all(&after, false);

        /* Saving: each rank its own, all cells once. */
        int64_t n_saved = 0;
        for (int r = 0; r < before.n_ranks; r++) {
            struct copy copy = {(const unsigned char *)from[r], (unsigned char *)disk[r], 0, 0};
            assert_int_equal(elastic_walk(&before, r, &saved, r, copy_runs, &copy, NULL), PARCAST_OK);
            assert_int_equal(copy.cells * (int64_t)sizeof(int64_t), elastic_layout_bytes(&saved, r));
            n_saved += copy.cells;
        }
        assert_int_equal(n_saved, cells_of(&saved));
        assert_as_filled(&saved, disk);

        bool replicated = after.n_dims == 1 && after.dims[0].kind == PARCAST_ELASTIC_WHOLE;
        assert_int_equal(move_all(&saved, disk, &after, to),
                         cells_of(&saved) * (replicated ? after.n_ranks : 1));
        assert_as_filled(&after, to);
        free_all(&before, from);
        free_all(&saved, disk);
        free_all(&after, to);
        elastic_layout_clear(&before);
        elastic_layout_clear(&saved);
        elastic_layout_clear(&after);
    }
}

static void counts_agree_with_a_scan_of_the_owners(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3000; i++) {
        parcast_elastic_shape shape = {
            .name = "a", .element_bytes = 1, .n_dims = 1, .dims = {{.size = 1 + draw(60), .block = draw(9)}}};
        shape.dims[0].kind = draw(2) ? PARCAST_ELASTIC_CYCLIC : PARCAST_ELASTIC_BLOCK;
        elastic_layout layout = {0};
        assert_int_equal(elastic_layout_make(&shape, 1 + draw(9), NULL, &layout, NULL), PARCAST_OK);
        const elastic_dim *dim = &layout.dims[0];
        int owners[64] = {0};
        for (int p = 0; p < dim->parts; p++) {
            int64_t n = 0;
            for (int64_t g = elastic_dim_next(dim, p, 0); g < dim->size;
                 g = elastic_dim_next(dim, p, g + 1), n++) {
                owners[g]++;
                assert_int_equal(elastic_dim_local(dim, p, g), n);
                assert_int_equal(elastic_dim_global(dim, p, n), g);
            }
            assert_int_equal(elastic_dim_count(dim, p), n);
        }
        for (int64_t g = 0; g < dim->size; g++) assert_int_equal(owners[g], 1);
        elastic_layout_clear(&layout);
    }
}

static void weights_make_intervals_as_long_as_ranks_are_fast(void **unused)
{
    (void)unused;
    const double weights[] = {1, 2, 1};
    const parcast_elastic_shape shape = {
        .name = "a",
        .element_bytes = 8,
        .n_dims = 2,
        .dims = {{.size = 100, .kind = PARCAST_ELASTIC_BLOCK, .weighted = true}, {.size = 3}}};
    elastic_layout layout = {0};
    assert_int_equal(elastic_layout_make(&shape, 3, weights, &layout, NULL), PARCAST_OK);
    assert_int_equal(elastic_dim_count(&layout.dims[0], 0), 25);
    assert_int_equal(elastic_dim_count(&layout.dims[0], 1), 50);
    assert_int_equal(elastic_dim_count(&layout.dims[0], 2), 25);
    elastic_layout_clear(&layout);
}

static void a_grid_is_as_square_as_the_sizes_allow(void **unused)
{
    (void)unused;
    const parcast_elastic_shape shape = {
        .name = "a",
        .element_bytes = 8,
        .n_dims = 2,
        .dims = {{.size = 100, .kind = PARCAST_ELASTIC_BLOCK}, {.size = 100, .kind = PARCAST_ELASTIC_BLOCK}}};
    elastic_layout layout = {0};
    assert_int_equal(elastic_layout_make(&shape, 12, NULL, &layout, NULL), PARCAST_OK);
    assert_int_equal(layout.dims[0].parts * layout.dims[1].parts, 12);
    assert_in_range(layout.dims[0].parts, 3, 4);
    elastic_layout_clear(&layout);
}

/* 3 TiB: no memory is touched, every count must be right. */
static void sizes_beyond_32_bits_are_counted_right(void **unused)
{
    (void)unused;
    const int64_t n = INT64_C(400000000000);
    const parcast_elastic_shape shape = {
        .name = "a",
        .element_bytes = 8,
        .n_dims = 1,
        .dims = {{.size = n, .kind = PARCAST_ELASTIC_CYCLIC, .block = INT64_C(3000000000)}}};
    elastic_layout two = {0}, three = {0};
    assert_int_equal(elastic_layout_make(&shape, 2, NULL, &two, NULL), PARCAST_OK);
    assert_int_equal(elastic_layout_make(&shape, 3, NULL, &three, NULL), PARCAST_OK);
    assert_int_equal(elastic_layout_bytes(&two, 0) + elastic_layout_bytes(&two, 1), 8 * n);
    assert_int_equal(elastic_layout_bytes(&three, 0) + elastic_layout_bytes(&three, 1) +
                         elastic_layout_bytes(&three, 2),
                     8 * n);
    elastic_layout_clear(&two);
    elastic_layout_clear(&three);
}

static bool count_bytes(void *context, const elastic_strided *runs)
{
    assert_true(runs->source >= 0 && runs->target >= 0);
    *(int64_t *)context += runs->bytes * runs->count;
    return true;
}

static void moves_beyond_32_bits_are_found_quickly(void **unused)
{
    (void)unused;
    const int64_t n = INT64_C(400000000000);
    const parcast_elastic_shape shape = {
        .name = "a", .element_bytes = 8, .n_dims = 1, .dims = {{.size = n, .kind = PARCAST_ELASTIC_BLOCK}}};
    elastic_layout two = {0}, three = {0};
    int64_t bytes = 0;
    assert_int_equal(elastic_layout_make(&shape, 2, NULL, &two, NULL), PARCAST_OK);
    assert_int_equal(elastic_layout_make(&shape, 3, NULL, &three, NULL), PARCAST_OK);
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 3; t++)
            assert_int_equal(elastic_walk(&two, s, &three, t, count_bytes, &bytes, NULL), PARCAST_OK);
    assert_int_equal(bytes, 8 * n);
    elastic_layout_clear(&two);
    elastic_layout_clear(&three);
}

/* What repeats is one visit: a move of single elements costs no more calls than one of blocks. */
static void patterns_that_repeat_are_few_visits(void **unused)
{
    (void)unused;
    const parcast_elastic_shape shapes[] = {
        {.name = "a",
         .element_bytes = 8,
         .n_dims = 1,
         .dims = {{.size = 1000, .kind = PARCAST_ELASTIC_CYCLIC}}},
        {.name = "a",
         .element_bytes = 8,
         .n_dims = 2,
         .dims = {{.size = 100, .halo = 1}, {.size = 10, .kind = PARCAST_ELASTIC_BLOCK}}},
        {.name = "a",
         .element_bytes = 8,
         .n_dims = 2,
         .dims = {{.size = 100}, {.size = 10, .kind = PARCAST_ELASTIC_CYCLIC}}},
    };
    const int64_t most_visits[] = {2, 1, 200};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        elastic_layout two = {0}, four = {0};
        assert_int_equal(elastic_layout_make(&shapes[i], 2, NULL, &two, NULL), PARCAST_OK);
        assert_int_equal(elastic_layout_make(&shapes[i], 4, NULL, &four, NULL), PARCAST_OK);
        int64_t *from = make_memory(&two, 0, true), *to = make_memory(&four, 0, false),
                *same = make_memory(&two, 0, false);
        struct copy copy = {(const unsigned char *)from, (unsigned char *)to, 0, 0};
        assert_int_equal(elastic_walk(&two, 0, &four, 0, copy_runs, &copy, NULL), PARCAST_OK);
        assert_in_range(copy.visits, 1, most_visits[i]);
        copy = (struct copy){(const unsigned char *)from, (unsigned char *)same, 0, 0};
        assert_int_equal(elastic_walk(&two, 0, &two, 0, copy_runs, &copy, NULL), PARCAST_OK);
        assert_int_equal(copy.visits, 1);
        free(from);
        free(to);
        free(same);
        elastic_layout_clear(&two);
        elastic_layout_clear(&four);
    }
}

static void assert_refused(parcast_elastic_shape shape, int n_ranks, const double *weights,
                           parcast_status status)
{
    elastic_layout layout = {0};
    parcast_error error = {0};
    assert_int_equal(elastic_layout_make(&shape, n_ranks, weights, &layout, &error), status);
    assert_non_null(strstr(error.text, "'a'"));
}

static void shapes_that_make_no_sense_are_refused(void **unused)
{
    (void)unused;
    const double bad[] = {1, 0};
#define SHAPE(...)                                                                                           \
    ((parcast_elastic_shape){.name = "a", .element_bytes = 8, .n_dims = 1, .dims = {{__VA_ARGS__}}})
    assert_refused(SHAPE(.size = 0), 1, NULL, PARCAST_INVALID);
    assert_refused(SHAPE(.size = 4, .halo = 1), 1, NULL, PARCAST_INVALID);
    assert_refused(SHAPE(.size = 4, .kind = PARCAST_ELASTIC_CYCLIC, .halo = 1), 1, NULL, PARCAST_INVALID);
    assert_refused(SHAPE(.size = 4, .kind = PARCAST_ELASTIC_CYCLIC, .block = -1), 1, NULL, PARCAST_INVALID);
    assert_refused(SHAPE(.size = 4, .kind = PARCAST_ELASTIC_BLOCK, .parts = 3), 4, NULL, PARCAST_INVALID);
    assert_refused(SHAPE(.size = 4, .kind = PARCAST_ELASTIC_BLOCK, .weighted = true), 2, bad,
                   PARCAST_INVALID);
    assert_refused(SHAPE(.size = 4, .weighted = true), 2, NULL, PARCAST_INVALID);
    assert_refused(SHAPE(.size = INT64_C(1) << 60, .kind = PARCAST_ELASTIC_BLOCK), 2, NULL, PARCAST_LIMIT);
    assert_refused(SHAPE(.size = INT64_MAX, .kind = PARCAST_ELASTIC_BLOCK, .halo = INT64_MAX), 2, NULL,
                   PARCAST_LIMIT);
    parcast_elastic_shape none = SHAPE(.size = 4);
    none.n_dims = 5;
    assert_refused(none, 1, NULL, PARCAST_INVALID);
    none = SHAPE(.size = 4);
    none.element_bytes = 0;
    assert_refused(none, 1, NULL, PARCAST_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_arrives_once_whatever_the_layouts),
        cmocka_unit_test(counts_agree_with_a_scan_of_the_owners),
        cmocka_unit_test(weights_make_intervals_as_long_as_ranks_are_fast),
        cmocka_unit_test(a_grid_is_as_square_as_the_sizes_allow),
        cmocka_unit_test(sizes_beyond_32_bits_are_counted_right),
        cmocka_unit_test(moves_beyond_32_bits_are_found_quickly),
        cmocka_unit_test(patterns_that_repeat_are_few_visits),
        cmocka_unit_test(shapes_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
