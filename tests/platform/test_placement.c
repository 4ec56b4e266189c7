#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/platform.h"

static parcast_platform *machine(const char *nodes)
{
    char text[1024];
    parcast_platform *p = NULL;
    parcast_error error = {0};
    int length = snprintf(
        text, sizeof text,
        "schema: parcast.platform/1\nnodes: [%s]\nnetwork: {latency: 1 us, bandwidth: 1 GB/s}\n", nodes);
    if (parcast_platform_parse(text, (size_t)length, "p", &p, &error)) fail_msg("%s", error.text);
    return p;
}

/* Ranks of every node, dealt one by one as the manual says. */
static void deal(const parcast_platform *p, int n_ranks, parcast_placement_policy policy, int *ranks,
                 int *type)
{
    int n = 0, cores[64] = {0};
    for (size_t t = 0; t < p->n_types; t++)
        for (int i = 0; i < p->types[t].count; i++, n++) {
            type[n] = (int)t;
            cores[n] = p->types[t].cores;
            ranks[n] = 0;
        }
    for (int node = 0; n_ranks > 0; node = (node + 1) % n) {
        while (policy == PARCAST_FILL && ranks[node] == cores[node]) node++;
        if (ranks[node] == cores[node]) continue;
        int take = policy == PARCAST_SPREAD ? 1 : n_ranks < cores[node] ? n_ranks : cores[node];
        ranks[node] += take;
        n_ranks -= take;
    }
}

static void expect_same(const parcast_platform *p, int n_ranks, parcast_placement_policy policy)
{
    int ranks[64] = {0}, type[64] = {0}, n_nodes = 0, node = 0;
    parcast_placement *placement = NULL;
    assert_int_equal(parcast_placement_create(p, n_ranks, policy, false, &placement, NULL), PARCAST_OK);
    deal(p, n_ranks, policy, ranks, type);
    for (size_t g = 0; g < placement->n_groups; g++) {
        const parcast_placement_group *group = &placement->groups[g];
        while (type[node] < (int)group->type) node++; /* a type whose later nodes stay empty */
        assert_true(group->n_nodes > 0);
        for (int i = 0; i < group->n_nodes; i++, node++) {
            assert_int_equal(type[node], (int)group->type);
            assert_int_equal(ranks[node], group->n_ranks);
            n_nodes++;
        }
    }
    int used = 0;
    for (int i = 0; i < parcast_platform_nodes(p); i++) used += ranks[i] > 0;
    assert_int_equal(n_nodes, used);
    assert_int_equal(placement->n_nodes, used);
    assert_int_equal(placement->n_ranks, n_ranks);
    assert_int_equal(placement->policy, policy);
    parcast_placement_destroy(&placement);
    assert_null(placement);
}

static void placements_equal_dealing_ranks_one_by_one(void **state)
{
    (void)state;
    static const char *const machines[] = {
        "{type: a, count: 1, cores: 1}",
        "{type: a, count: 4, cores: 4}, {type: b, count: 4, cores: 16}",
        "{type: b, count: 2, cores: 16}, {type: a, count: 5, cores: 3}, {type: c, count: 1, cores: 7}",
        "{type: a, count: 9, cores: 1}, {type: b, count: 1, cores: 64}",
    };
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        parcast_platform *p = machine(machines[m]);
        for (int n = 1; n <= parcast_platform_cores(p); n++) {
            expect_same(p, n, PARCAST_FILL);
            expect_same(p, n, PARCAST_SPREAD);
        }
        parcast_platform_destroy(&p);
    }
}

static void more_ranks_than_cores_are_refused_unless_asked_for(void **state)
{
    (void)state;
    parcast_platform *p = machine("{type: a, count: 3, cores: 4}, {type: b, count: 2, cores: 1}");
    parcast_placement *placement = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_placement_create(p, 15, PARCAST_FILL, false, &placement, &error), PARCAST_DATA);
    assert_non_null(strstr(error.text, "15 ranks do not fit on 14 cores"));
    assert_int_equal(parcast_placement_create(p, 0, PARCAST_FILL, true, &placement, &error), PARCAST_INVALID);
    assert_null(placement);
    for (int n = 15; n < 100; n++) {
        assert_int_equal(parcast_placement_create(p, n, PARCAST_SPREAD, true, &placement, NULL), PARCAST_OK);
        int sum = 0;
        for (size_t g = 0; g < placement->n_groups; g++) {
            const parcast_placement_group *group = &placement->groups[g];
            double fair = (double)n * p->types[group->type].cores / 14;
            assert_true(fabs(group->n_ranks - fair) <= 1);
            sum += group->n_nodes * group->n_ranks;
        }
        assert_int_equal(sum, n);
        assert_int_equal(placement->n_nodes, 5);
        parcast_placement_destroy(&placement);
    }
    parcast_platform_destroy(&p);
}

static void a_million_nodes_are_placed_as_groups(void **state)
{
    (void)state;
    parcast_platform *p =
        machine("{type: a, count: 1000000, cores: 64}, {type: b, count: 1000000, cores: 8}");
    parcast_placement *placement = NULL;
    assert_int_equal(parcast_placement_create(p, 20000001, PARCAST_SPREAD, false, &placement, NULL),
                     PARCAST_OK);
    assert_int_equal(placement->n_groups, 3);
    assert_int_equal(placement->groups[0].n_nodes, 1);
    assert_int_equal(placement->groups[0].n_ranks, 13);
    assert_int_equal(placement->groups[1].n_nodes, 999999);
    assert_int_equal(placement->groups[1].n_ranks, 12);
    assert_int_equal(placement->groups[2].n_ranks, 8);
    parcast_placement_destroy(&placement);
    parcast_platform_destroy(&p);
}

static void cost_counts_the_nodes_used(void **state)
{
    (void)state;
    parcast_platform *p =
        machine("{type: a, count: 4, cores: 4, price_per_hour: 0.42}, "
                "{type: b, count: 4, cores: 16, price_per_hour: 1.9}, {type: c, count: 1, cores: 1}");
    parcast_placement *placement = NULL;
    assert_int_equal(parcast_placement_create(p, 20, PARCAST_FILL, false, &placement, NULL), PARCAST_OK);
    assert_float_equal(parcast_placement_cost(p, placement, 1800), (4 * 0.42 + 1.9) / 2, 1e-12);
    assert_true(parcast_placement_cost(p, placement, 0) == 0);
    p->billing_unit_s = 3600;
    assert_float_equal(parcast_placement_cost(p, placement, 1800), 4 * 0.42 + 1.9, 1e-12);
    assert_float_equal(parcast_placement_cost(p, placement, 3600), 4 * 0.42 + 1.9, 1e-12);
    assert_float_equal(parcast_placement_cost(p, placement, 3601), 2 * (4 * 0.42 + 1.9), 1e-12);
    assert_true(isnan(parcast_placement_cost(p, placement, NAN)));
    parcast_placement_destroy(&placement);
    assert_int_equal(parcast_placement_create(p, 81, PARCAST_FILL, false, &placement, NULL), PARCAST_OK);
    assert_true(isnan(parcast_placement_cost(p, placement, 1))); /* type c has no price */
    parcast_placement_destroy(&placement);
    parcast_platform_destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placements_equal_dealing_ranks_one_by_one),
        cmocka_unit_test(more_ranks_than_cores_are_refused_unless_asked_for),
        cmocka_unit_test(a_million_nodes_are_placed_as_groups),
        cmocka_unit_test(cost_counts_the_nodes_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
