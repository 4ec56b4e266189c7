#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "forecast/collective.h"
#include "forecast/growth.h"

static const struct growth_form forms[] = {
    {{GROWTH_ONE}},  {{GROWTH_INVERSE}}, {{GROWTH_INVERSE, GROWTH_ONE}}, {{GROWTH_LOG}}, {{GROWTH_OTHERS}},
    {{GROWTH_ROOT}}, {{GROWTH_BORDER_1}}};
enum { N_FORMS = sizeof forms / sizeof forms[0] };

static void sample(double (*truth)(double), const double *counts, size_t n, struct growth_point *points)
{
    for (size_t i = 0; i < n; i++) points[i] = (struct growth_point){counts[i], truth(counts[i]), 1};
}

static double constant(double n)
{
    (void)n;
    return 7;
}

static double amdahl(double n)
{
    return 100 / n + 3;
}

static double tree(double n)
{
    return 5 * log2(n);
}

static double edge(double n)
{
    return 40 / sqrt(n);
}

static double line(double n)
{
    return 2 * (1 - 1 / n);
}

static void the_form_behind_the_points_is_found_and_goes_on(void **state)
{
    (void)state;
    static const double counts[] = {2, 4, 8, 16};
    double (*const truths[])(double) = {constant, amdahl, tree, edge, line};
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
        struct growth_point points[4];
        struct growth growth;
        sample(truths[t], counts, 4, points);
        growth_choose(points, 4, forms, N_FORMS, GROWTH_COUNTED, &growth);
        assert_float_equal(growth_value(&growth, 128) / truths[t](128), 1, 1e-6);
        assert_true(growth.loo_ratio < 1e-6);
    }
}

static void a_small_deviation_does_not_buy_a_second_term(void **state)
{
    (void)state;
    struct growth_point points[] = {{1, 100, 1}, {2, 50.02, 1}, {4, 24.99, 1}, {8, 12.51, 1}};
    struct growth growth;
    growth_choose(points, 4, forms, N_FORMS, GROWTH_COUNTED, &growth);
    assert_int_equal(growth.form.term[0], GROWTH_INVERSE);
    assert_int_equal(growth.form.term[1], GROWTH_NONE);
}

static void coefficients_are_never_negative(void **state)
{
    (void)state;
    struct growth_point points[] = {{1, 100, 1}, {2, 40, 1}, {4, 15, 1}, {8, 5, 1}}; /* faster than 1/n */
    struct growth growth;
    growth_choose(points, 4, forms, N_FORMS, GROWTH_COUNTED, &growth);
    assert_true(growth.c[0] >= 0 && growth.c[1] >= 0);
    for (int n = 1; n < 4096; n *= 2) assert_true(growth_value(&growth, n) >= 0);
}

static void no_points_and_zeros_give_zero(void **state)
{
    (void)state;
    struct growth_point points[] = {{2, 0, 1}, {4, 0, 1}};
    struct growth growth;
    char text[64];
    growth_choose(points, 0, forms, N_FORMS, GROWTH_COUNTED, &growth);
    assert_true(growth_value(&growth, 16) == 0);
    growth_choose(points, 2, forms, N_FORMS, GROWTH_COUNTED, &growth);
    assert_true(growth_value(&growth, 16) == 0);
    assert_string_equal(growth_text(&growth, text, sizeof text), "0");
}

static void one_count_takes_the_first_form(void **state)
{
    (void)state;
    struct growth_point points[] = {{4, 12, 1}, {4, 12.2, 1}};
    struct growth growth;
    growth_choose(points, 2, forms, N_FORMS, GROWTH_COUNTED, &growth);
    assert_int_equal(growth.form.term[0], GROWTH_ONE);
    assert_float_equal(growth_value(&growth, 64), 12.1, 0.1);
    assert_true(isnan(growth.loo_ratio));
}

/* ---- collectives ---- */

static struct machine machine_of(int n_nodes, int per_node, struct machine_node *nodes)
{
    for (int i = 0; i < n_nodes; i++)
        nodes[i] = (struct machine_node){
            .speed = 1, .cores = per_node, .sockets = 1, .bandwidth_bytes_per_s = 1e8, .n_ranks = per_node};
    return (struct machine){.n_nodes = n_nodes,
                            .n_ranks = n_nodes * per_node,
                            .n_groups = 1,
                            .nodes = nodes,
                            .max_ranks_per_node = per_node,
                            .min_bandwidth_bytes_per_s = 1e8,
                            .latency_s = 5e-5,
                            .bisection_bytes_per_s = NAN,
                            .local_latency_s = 5e-7,
                            .local_bandwidth_bytes_per_s = 5e9};
}

static double sum(struct transfer_cost cost)
{
    return cost.start_s + cost.network_s + cost.local_s;
}

static void mpi_names_are_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int kind;
    } names[] = {{"MPI_Allreduce", COLLECTIVE_ALLREDUCE},
                 {"MPI_Iallreduce", COLLECTIVE_ALLREDUCE},
                 {"MPI_Reduce", COLLECTIVE_REDUCE},
                 {"MPI_Ireduce_scatter_block", COLLECTIVE_REDUCE_SCATTER},
                 {"MPI_Alltoallw_init", COLLECTIVE_ALLTOALL},
                 {"MPI_Neighbor_alltoall", COLLECTIVE_NEIGHBOR},
                 {"MPI_Ibcast", COLLECTIVE_BCAST},
                 {"MPI_Exscan", COLLECTIVE_SCAN},
                 {"MPI_Iscatterv", COLLECTIVE_SCATTER},
                 {"MPI_Send", -1},
                 {"MPI_Reduce_local", -1},
                 {"MPI_Isend", -1},
                 {"MPI_Comm_split", -1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(collective_kind_of(names[i].name), names[i].kind);
}

static void collectives_cost_more_with_bytes_and_nodes_and_nothing_alone(void **state)
{
    (void)state;
    struct machine_node nodes[16];
    for (int kind = 0; kind < COLLECTIVE_KINDS; kind++) {
        struct machine alone = machine_of(1, 1, nodes);
        assert_true(sum(collective_cost((enum collective_kind)kind, &alone, 1, 1e6)) == 0);
        double before = 0;
        for (double bytes = 0; bytes < 1e8; bytes = bytes * 8 + 8) {
            struct machine eight = machine_of(8, 2, nodes);
            struct transfer_cost cost = collective_cost((enum collective_kind)kind, &eight, 16, bytes);
            assert_true(cost.start_s >= 0 && cost.network_s >= 0 && cost.local_s >= 0);
            if (kind != COLLECTIVE_ALLGATHER && kind != COLLECTIVE_ALLTOALL && kind != COLLECTIVE_ALLREDUCE &&
                kind != COLLECTIVE_REDUCE_SCATTER)
                assert_true(sum(cost) >= before); /* those four change algorithm, which may pay at the step */
            before = sum(cost);
        }
        struct machine one = machine_of(1, 16, nodes);
        struct transfer_cost inside = collective_cost((enum collective_kind)kind, &one, 16, 1e4);
        assert_true(inside.network_s == 0 && inside.start_s == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_form_behind_the_points_is_found_and_goes_on),
        cmocka_unit_test(a_small_deviation_does_not_buy_a_second_term),
        cmocka_unit_test(coefficients_are_never_negative),
        cmocka_unit_test(no_points_and_zeros_give_zero),
        cmocka_unit_test(one_count_takes_the_first_form),
        cmocka_unit_test(mpi_names_are_kinds),
        cmocka_unit_test(collectives_cost_more_with_bytes_and_nodes_and_nothing_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
