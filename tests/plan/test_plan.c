/* Plans: hand-made cases with known answers, and properties over random programs. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/plan.h"
#include "plan/learn.h"
#include "plan/problem.h"
#include "plan/tables.h"
#include "scenario.h"

static const parcast_plan_goal no_goal = {NAN, NAN};

static parcast_plan_goal deadline(double seconds)
{
    return (parcast_plan_goal){seconds, NAN};
}

static parcast_plan_goal budget(double money)
{
    return (parcast_plan_goal){NAN, money};
}

static parcast_plan *make(const parcast_malleable *m, parcast_plan_goal goal, bool elastic)
{
    parcast_plan *plan;
    parcast_error error;
    assert_int_equal(parcast_plan_create(m, &goal, elastic, &plan, &error), PARCAST_OK);
    return plan;
}

static void near(double value, double expected, double ratio)
{
    if (!(fabs(value - expected) <= ratio * fabs(expected)))
        fail_msg("%.9g instead of %.9g", value, expected);
}

/* ---- the published LU ---- */

/*
 * Times of iteration k = 1..8 of a block LU of 8 column blocks without communication: panel + ceil((8-k)/p)
 * trsm
 * + ceil((8-k)^2/p) products (Gerlach, Schaeli, Hersch 2006: n = 2592, r = 324, 62.7 Mflop/s).
 */
static parcast_malleable *published_lu(void)
{
    static const int nodes[] = {1, 4, 8};
    double table[8 * 3], serial[8];
    const double r = 324, rate = 62.7e6, trsm = r * r * r / rate, product = 2 * trsm;
    for (int k = 1; k <= 8; k++) {
        double rows = r * (9 - k), panel = r * r * (rows - r / 3) / rate;
        int left = 8 - k;
        for (int q = 0; q < 3; q++) {
            int p = nodes[q];
            table[(size_t)(k - 1) * 3 + (size_t)q] =
                panel + (left + p - 1) / p * trsm + (left * left + p - 1) / p * product;
        }
        serial[k - 1] = table[(size_t)(k - 1) * 3];
    }
    return scenario_table(8, 3, nodes, table, serial);
}

static parcast_plan *schedule(const parcast_malleable *m, size_t n, const int64_t *from, const int *nodes)
{
    parcast_stretch stretches[8] = {{0}};
    parcast_plan *plan;
    for (size_t i = 0; i < n; i++)
        stretches[i] = (parcast_stretch){.from_iteration = from[i], .nodes = nodes[i]};
    assert_int_equal(parcast_plan_evaluate(m, &no_goal, stretches, n, &plan, NULL), PARCAST_OK);
    return plan;
}

static void dynamic_efficiency_of_the_published_lu_is_reproduced(void **state)
{
    (void)state;
    static const double on_4[] = {79, 79, 70, 74, 58, 56, 25, 25}, on_8[] = {62, 60, 52, 53, 36, 28, 12, 12};
    parcast_malleable *m = published_lu();
    for (size_t k = 0; k < 8; k++) {
        const parcast_size *sizes = m->sizes;
        double t4 = m->iteration_s[k * 3 + 1], t8 = m->iteration_s[k * 3 + 2], t1 = m->blocks[k].serial_s;
        assert_true(fabs(100 * t1 / (sizes[1].nodes * t4) - on_4[k]) <= 0.5);
        assert_true(fabs(100 * t1 / (sizes[2].nodes * t8) - on_8[k]) <= 0.55);
    }
    parcast_plan *kill = schedule(m, 2, (const int64_t[]){0, 1}, (const int[]){8, 4});
    parcast_plan *eight = schedule(m, 1, (const int64_t[]){0}, (const int[]){8});
    parcast_plan *four = schedule(m, 1, (const int64_t[]){0}, (const int[]){4});
    near(kill->time_s, 57.66, 1e-3);
    near(eight->time_s, 45.73, 1e-3);
    near(four->time_s, 64.71, 1e-3);
    near(kill->stretches[0].efficiency_ratio, 0.62, 0.01);
    assert_true(kill->efficiency_ratio > eight->efficiency_ratio);
    assert_true(kill->efficiency_ratio < four->efficiency_ratio);
    /* the whole run's efficiency is that of the stretches weighted with the node-seconds they hold */
    double work = 0, held = 0;
    for (size_t i = 0; i < kill->n_stretches; i++) {
        const parcast_stretch *s = &kill->stretches[i];
        work += s->efficiency_ratio * s->nodes * s->time_s;
        held += s->nodes * s->time_s;
    }
    near(kill->efficiency_ratio, work / held, 1e-12);
    near(kill->node_s, held, 1e-12);
    parcast_plan_destroy(&kill);
    parcast_plan_destroy(&eight);
    parcast_plan_destroy(&four);
    parcast_malleable_destroy(&m);
}

static void work_that_shrinks_gives_nodes_back_and_costs_less(void **state)
{
    (void)state;
    double work[200];
    for (int k = 0; k < 200; k++) work[k] = pow(1 - k / 200.0, 2);
    struct scenario s = {.n_blocks = 200,
                         .iterations_per_block = 1,
                         .n_sizes = 16,
                         .work = work,
                         .serial_s = 20,
                         .fixed_ratio = 0,
                         .p_cost_s = 0.02,
                         .price_per_hour = 1,
                         .move = scenario_move(0.3)};
    parcast_malleable *m = scenario_create(&s);
    parcast_plan *fixed = make(m, deadline(150), false), *elastic = make(m, deadline(150), true);
    assert_true(fixed->deadline_met && elastic->deadline_met);
    assert_true(elastic->cost < 0.9 * fixed->cost);
    assert_true(elastic->n_stretches >= 3);
    for (size_t i = 1; i < elastic->n_stretches; i++)
        assert_true(elastic->stretches[i].nodes < elastic->stretches[i - 1].nodes);
    assert_true(elastic->bound <= elastic->cost * (1 + 1e-9));
    assert_true(elastic->cost <= 1.01 * elastic->bound);
    parcast_plan_destroy(&fixed);
    parcast_plan_destroy(&elastic);
    parcast_malleable_destroy(&m);
}

/* ---- deadlines and budgets ---- */

/* 2 nodes take 1000 s, 8 take 340 s, and are less efficient. */
static parcast_malleable *two_or_eight(double price)
{
    static const int nodes[] = {2, 4, 8};
    struct scenario s = {.n_blocks = 1000,
                         .iterations_per_block = 1,
                         .n_sizes = 3,
                         .nodes = nodes,
                         .serial_s = 1.88,
                         .fixed_ratio = 0.065,
                         .price_per_hour = price,
                         .move = scenario_move(0.5)};
    return scenario_create(&s);
}

static void a_deadline_that_2_nodes_miss_and_8_make_is_met_for_less_than_8_throughout(void **state)
{
    (void)state;
    parcast_malleable *m = two_or_eight(1);
    parcast_plan *two = schedule(m, 1, (const int64_t[]){0}, (const int[]){2});
    parcast_plan *eight = schedule(m, 1, (const int64_t[]){0}, (const int[]){8});
    double limit = 0.5 * (two->time_s + eight->time_s);
    parcast_plan *elastic = make(m, deadline(limit), true), *fixed = make(m, deadline(limit), false);
    assert_true(elastic->deadline_met && elastic->time_s <= limit && elastic->time_s >= 0.97 * limit);
    assert_true(elastic->cost < fixed->cost && elastic->cost < 0.9 * eight->cost &&
                elastic->cost > two->cost);
    assert_true(elastic->cost <= 1.005 * elastic->bound);
    assert_non_null(strstr(elastic->reason, "less money"));
    parcast_plan_destroy(&two);
    parcast_plan_destroy(&eight);
    parcast_plan_destroy(&elastic);
    parcast_plan_destroy(&fixed);
    parcast_malleable_destroy(&m);
}

static void a_budget_buys_the_least_time(void **state)
{
    (void)state;
    parcast_malleable *m = two_or_eight(1);
    parcast_plan *two = schedule(m, 1, (const int64_t[]){0}, (const int[]){2});
    parcast_plan *eight = schedule(m, 1, (const int64_t[]){0}, (const int[]){8});
    double money = 0.5 * (two->cost + eight->cost);
    parcast_plan *plan = make(m, budget(money), true);
    assert_true(plan->budget_met && plan->cost <= money && plan->cost > 0.98 * money);
    assert_true(plan->time_s < two->time_s && plan->time_s > eight->time_s);
    parcast_plan_destroy(&plan);
    plan = make(m, budget(0.5 * two->cost), true);
    assert_false(plan->budget_met);
    near(plan->cost, two->cost, 1e-9); /* the cheapest */
    assert_non_null(strstr(plan->reason, "no schedule stays within"));
    parcast_plan_destroy(&plan);
    parcast_plan_destroy(&two);
    parcast_plan_destroy(&eight);
    parcast_malleable_destroy(&m);
}

static void a_deadline_that_nothing_meets_gives_the_least_time_and_says_so(void **state)
{
    (void)state;
    parcast_malleable *m = two_or_eight(1);
    parcast_plan *eight = schedule(m, 1, (const int64_t[]){0}, (const int[]){8}),
                 *plan = make(m, deadline(100), true);
    assert_false(plan->deadline_met);
    near(plan->time_s, eight->time_s, 1e-12);
    assert_non_null(strstr(plan->reason, "no schedule ends within"));
    parcast_plan_destroy(&plan);
    parcast_plan_goal both = {100, 1e-6};
    plan = make(m, both, true);
    assert_false(plan->deadline_met || plan->budget_met);
    parcast_plan_destroy(&plan);
    parcast_plan_destroy(&eight);
    parcast_malleable_destroy(&m);
}

static void both_limits_are_kept_where_that_can_be(void **state)
{
    (void)state;
    parcast_malleable *m = two_or_eight(1);
    parcast_plan *cheap = make(m, deadline(600), true);
    parcast_plan_goal goal = {600, 1.02 * cheap->cost};
    parcast_plan *plan = make(m, goal, true);
    assert_true(plan->deadline_met && plan->budget_met);
    parcast_plan_destroy(&plan);
    goal.budget = 0.95 * cheap->cost; /* then the budget binds, and the time is the least within it */
    plan = make(m, goal, true);
    assert_true(plan->budget_met && !plan->deadline_met && plan->time_s > 600);
    parcast_plan_destroy(&plan);
    parcast_plan_destroy(&cheap);
    parcast_malleable_destroy(&m);
}

static void without_prices_node_seconds_count_and_a_budget_is_refused(void **state)
{
    (void)state;
    parcast_malleable *m = two_or_eight(NAN);
    parcast_plan *elastic = make(m, deadline(600), true), *fixed = make(m, deadline(600), false);
    assert_true(isnan(elastic->cost) && elastic->deadline_met);
    assert_true(elastic->node_s < fixed->node_s);
    parcast_plan_goal goal = budget(1);
    parcast_error error;
    parcast_plan *plan = NULL;
    assert_int_equal(parcast_plan_create(m, &goal, true, &plan, &error), PARCAST_INVALID);
    assert_non_null(strstr(error.hint, "price_per_hour"));
    goal = deadline(-1);
    assert_int_equal(parcast_plan_create(m, &goal, true, &plan, &error), PARCAST_INVALID);
    parcast_plan_destroy(&elastic);
    parcast_plan_destroy(&fixed);
    parcast_malleable_destroy(&m);
}

/* ---- billing, start-up ---- */

static void nodes_are_charged_from_request_to_release_in_whole_units(void **state)
{
    (void)state;
    static const int nodes[] = {2, 4};
    struct scenario s = {.n_blocks = 100,
                         .iterations_per_block = 1,
                         .n_sizes = 2,
                         .nodes = nodes,
                         .serial_s = 20,
                         .price_per_hour = 36,
                         .startup_s = 30,
                         .billing_unit_s = 60,
                         .move = scenario_move(5)};
    parcast_malleable *m = scenario_create(&s);
    /* 2 nodes: 30 s start-up, 5 s launch, 50 x 10 s; move 5 s; 4 nodes: 50 x 5 s: 790 s in all */
    parcast_plan *plan = schedule(m, 2, (const int64_t[]){0, 50}, (const int[]){2, 4});
    near(plan->time_s, 790, 1e-12);
    near(plan->stretches[1].start_s, 540, 1e-12);
    /* the first two for 790 s = 14 minutes; two more from 535 - 30 = 505 to 790 s: 285 s = 5 minutes */
    near(plan->cost, 0.01 * 60 * (2 * 14 + 2 * 5), 1e-12);
    near(plan->stretches[1].cost, 0.01 * (4 * (5 + 250) + 2 * 30), 1e-12);
    parcast_plan_destroy(&plan);
    /* 4 nodes first, then 2: the others go when the move has ended, at 30 + 5 + 250 + 5 = 290 s */
    plan = schedule(m, 2, (const int64_t[]){0, 50}, (const int[]){4, 2});
    near(plan->cost, 0.01 * 60 * (2 * 5 + 2 * 14), 1e-12);
    parcast_plan_destroy(&plan);
    parcast_malleable_destroy(&m);
}

static void a_budget_holds_with_billing_units(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 60; i++) {
        struct scenario s = {.n_blocks = 60,
                             .iterations_per_block = 5,
                             .n_sizes = 6,
                             .serial_s = scenario_uniform(&seed, 1, 40),
                             .fixed_ratio = 0.03,
                             .price_per_hour = 3,
                             .startup_s = 20,
                             .billing_unit_s = 60,
                             .move = scenario_move(2)};
        parcast_malleable *m = scenario_create(&s);
        parcast_plan *one = schedule(m, 1, (const int64_t[]){0}, (const int[]){1});
        parcast_plan *plan = make(m, budget(one->cost * scenario_uniform(&seed, 1.0, 1.3)), true);
        assert_true(plan->budget_met && plan->cost <= plan->goal.budget * (1 + 1e-9));
        assert_true(plan->time_s <= one->time_s * (1 + 1e-9));
        parcast_plan_destroy(&plan);
        parcast_plan_destroy(&one);
        parcast_malleable_destroy(&m);
    }
}

/* ---- properties ---- */

static parcast_malleable *random_program(uint64_t *seed, int n_blocks, int n_sizes, double *work)
{
    int shape = (int)(scenario_bits(seed) % 3);
    for (int k = 0; k < n_blocks; k++)
        work[k] = shape == 0   ? 1
                  : shape == 1 ? pow(1 - k / (double)n_blocks, 2)
                               : scenario_uniform(seed, 0.2, 2);
    struct scenario s = {.n_blocks = n_blocks,
                         .iterations_per_block = 1 + (int64_t)(scenario_bits(seed) % 5),
                         .n_sizes = n_sizes,
                         .work = work,
                         .serial_s = scenario_uniform(seed, 0.5, 50),
                         .fixed_ratio = scenario_uniform(seed, 0, 0.2),
                         .p_cost_s = scenario_uniform(seed, 0, 0.1),
                         .price_per_hour = scenario_uniform(seed, 0.1, 5),
                         .startup_s = scenario_bits(seed) % 2 ? 0 : scenario_uniform(seed, 0, 30),
                         .billing_unit_s = scenario_bits(seed) % 3 ? 0 : 60,
                         .move = scenario_move(scenario_uniform(seed, 0, 20))};
    return scenario_create(&s);
}

static double span(const parcast_malleable *m, uint64_t *seed, double (*value)(const parcast_plan *))
{
    double low = INFINITY, high = 0;
    for (size_t q = 0; q < m->n_sizes; q++) {
        parcast_plan *one = schedule(m, 1, (const int64_t[]){0}, &m->sizes[q].nodes);
        low = fmin(low, value(one));
        high = fmax(high, value(one));
        parcast_plan_destroy(&one);
    }
    return scenario_uniform(seed, 0.9 * low, 1.05 * high);
}

static double time_of(const parcast_plan *plan)
{
    return plan->time_s;
}

static double cost_of(const parcast_plan *plan)
{
    return plan->cost;
}

static void the_elastic_plan_is_never_worse_than_the_best_fixed_one(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double work[40];
    int better = 0;
    for (int i = 0; i < 400; i++) {
        parcast_malleable *m = random_program(&seed, 40, 2 + (int)(scenario_bits(&seed) % 9), work);
        bool timed = i % 3 != 1, money = i % 3 != 0;
        parcast_plan_goal goal = {timed ? span(m, &seed, time_of) : NAN,
                                  money ? span(m, &seed, cost_of) : NAN};
        parcast_plan *fixed = make(m, goal, false), *elastic = make(m, goal, true);
        bool fixed_met = fixed->deadline_met && fixed->budget_met;
        bool elastic_met = elastic->deadline_met && elastic->budget_met;
        assert_true(elastic_met || !fixed_met);
        if (elastic_met == fixed_met && elastic_met && timed) assert_true(elastic->cost <= fixed->cost);
        if (elastic_met == fixed_met && elastic_met && !timed) assert_true(elastic->time_s <= fixed->time_s);
        if (!elastic_met && !money) assert_true(elastic->time_s <= fixed->time_s);
        if (!elastic_met && !timed) assert_true(elastic->cost <= fixed->cost);
        better += (elastic_met && !fixed_met) || elastic->cost < 0.99 * fixed->cost ||
                  elastic->time_s < 0.99 * fixed->time_s;
        parcast_plan_destroy(&fixed);
        parcast_plan_destroy(&elastic);
        parcast_malleable_destroy(&m);
    }
    assert_true(better > 100); /* and often better */
}

/* ---- against every schedule there is ---- */

enum { SMALL_BLOCKS = 6, SMALL_SIZES = 3, SMALL_PATHS = 729 };

static void fill_random(struct table *t, uint64_t *seed)
{
    size_t n = SMALL_SIZES;
    for (size_t i = 0; i < SMALL_BLOCKS * n; i++) t->block_s[i] = scenario_uniform(seed, 1, 10);
    for (size_t q = 0; q < n; q++) {
        t->rate[q] = (double)(q + 1) * scenario_uniform(seed, 0.8, 1.2);
        t->risk[q] = scenario_uniform(seed, 1, 1.3);
        for (size_t k = 0; k < SMALL_BLOCKS; k++) t->block_s[k * n + q] /= (double)(q + 1);
    }
    for (size_t i = 0; i < (n + 1) * n; i++) {
        bool stay = i / n == i % n;
        t->move_s[i] = stay ? 0 : scenario_uniform(seed, 0, 2);
        t->move_cost[i] = stay ? 0 : scenario_uniform(seed, 0, 2);
    }
}

static void path_of_number(const struct problem *p, int number, struct path *path)
{
    for (size_t k = 0; k < p->n_blocks; k++, number /= SMALL_SIZES)
        path->size[k] = (uint16_t)(number % SMALL_SIZES);
    path_measure(p, path);
}

static void dynamic_programming_finds_what_trying_all_schedules_finds(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 100; i++) {
        struct table t;
        struct workspace *workspace;
        struct path path, other;
        assert_int_equal(table_create(SMALL_BLOCKS, SMALL_SIZES, &t, NULL), PARCAST_OK);
        fill_random(&t, &seed);
        assert_int_equal(workspace_create(&t.problem, &workspace, NULL), PARCAST_OK);
        assert_int_equal(path_create(&t.problem, &path, NULL), PARCAST_OK);
        assert_int_equal(path_create(&t.problem, &other, NULL), PARCAST_OK);
        double weight[MEASURES], least = INFINITY;
        for (int w = 0; w < MEASURES; w++)
            weight[w] = scenario_bits(&seed) % 2 ? scenario_uniform(&seed, 0, 1) : 0;
        double found = dynamic_search(&t.problem, workspace, weight, &path);
        for (int number = 0; number < SMALL_PATHS; number++) {
            double sum = 0;
            path_of_number(&t.problem, number, &other);
            for (int w = 0; w < MEASURES; w++) sum += weight[w] * other.total[w];
            least = fmin(least, sum);
        }
        assert_true(fabs(found - least) <= 1e-9 * (1 + least));
        path_clear(&path);
        path_clear(&other);
        workspace_destroy(&workspace);
        table_clear(&t);
    }
}

static void a_limit_is_kept_whenever_some_schedule_keeps_it_at_nearly_the_least_price(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double excess = 0;
    for (int i = 0; i < 300; i++) {
        struct table t;
        struct workspace *workspace;
        struct path path[2], other;
        struct found found;
        assert_int_equal(table_create(SMALL_BLOCKS, SMALL_SIZES, &t, NULL), PARCAST_OK);
        fill_random(&t, &seed);
        assert_int_equal(workspace_create(&t.problem, &workspace, NULL), PARCAST_OK);
        for (int j = 0; j < 2; j++) assert_int_equal(path_create(&t.problem, &path[j], NULL), PARCAST_OK);
        assert_int_equal(path_create(&t.problem, &other, NULL), PARCAST_OK);
        double limit = scenario_uniform(&seed, 8, 45), least = INFINITY, shortest = INFINITY;
        for (int number = 0; number < SMALL_PATHS; number++) {
            path_of_number(&t.problem, number, &other);
            shortest = fmin(shortest, other.total[MEASURE_LATE]);
            if (other.total[MEASURE_LATE] <= limit) least = fmin(least, other.total[MEASURE_COST]);
        }
        assert_int_equal(
            constrained_search(&t.problem, workspace, MEASURE_COST, MEASURE_LATE, limit, path, &found, NULL),
            PARCAST_OK);
        assert_int_equal(found.met, isfinite(least));
        if (found.met) {
            assert_true(path[0].total[MEASURE_LATE] <= limit);
            assert_true(found.bound <= least * (1 + 1e-9));
            assert_true(path[0].total[MEASURE_COST] >= least * (1 - 1e-9));
            excess = fmax(excess, path[0].total[MEASURE_COST] / least - 1);
        } else {
            near(path[0].total[MEASURE_LATE], shortest, 1e-6);
        }
        for (int j = 0; j < 2; j++) path_clear(&path[j]);
        path_clear(&other);
        workspace_destroy(&workspace);
        table_clear(&t);
    }
    assert_true(excess < 0.25); /* six coarse blocks: a block is a sixth of the run */
}

/* ---- sizes and courses ---- */

static const char platform_text[] =
    "schema: parcast.platform/1\n"
    "name: mixed\n"
    "nodes:\n"
    "  - {type: small, count: 4, cores: 4, price_per_hour: 0.4, startup_delay: 10 s}\n"
    "  - {type: big, count: 400, cores: 16, speed: 2, price_per_hour: 2}\n"
    "network: {topology: star, latency: 30 us, bandwidth: 1 Gbit/s}\n";

static parcast_platform *platform(void)
{
    parcast_platform *p;
    assert_int_equal(parcast_platform_parse(platform_text, strlen(platform_text), "test", &p, NULL),
                     PARCAST_OK);
    return p;
}

static void sizes_are_the_first_nodes_of_the_platform(void **state)
{
    (void)state;
    parcast_platform *p = platform();
    parcast_malleable *m;
    parcast_malleable_options o = {.n_iterations = 50, .min_nodes = 2, .max_nodes = 6};
    assert_int_equal(parcast_malleable_unknown(p, 100, &o, &m, NULL), PARCAST_OK);
    assert_int_equal(m->n_sizes, 5);
    assert_int_equal(m->sizes[0].nodes, 2);
    assert_int_equal(m->sizes[4].processes, 4 * 4 + 2 * 16);
    near(m->sizes[4].capacity, 16 + 2 * 16 * 2, 1e-12);
    near(m->sizes[4].price_per_s, (4 * 0.4 + 2 * 2) / 3600, 1e-12);
    near(m->sizes[0].startup_s, 10, 1e-12);
    assert_int_equal(parcast_malleable_size(m, 1), -1);
    assert_int_equal(parcast_malleable_size(m, 4), 2);
    assert_int_equal(parcast_malleable_size(m, 99), 4);
    assert_int_equal(parcast_malleable_iterations(m), 50);
    parcast_malleable_destroy(&m);
    o = (parcast_malleable_options){0};
    assert_int_equal(parcast_malleable_unknown(p, 100, &o, &m, NULL), PARCAST_OK);
    assert_int_equal(m->n_sizes, 256); /* of 404 */
    assert_int_equal(m->sizes[255].nodes, 404);
    assert_int_equal(m->n_notes, 3);
    parcast_malleable_destroy(&m);
    o.min_nodes = 405;
    parcast_error error;
    assert_int_equal(parcast_malleable_unknown(p, 100, &o, &m, &error), PARCAST_INVALID);
    o = (parcast_malleable_options){.work = (const double[]){1, -1}, .n_work = 2};
    assert_int_equal(parcast_malleable_unknown(p, 100, &o, &m, &error), PARCAST_INVALID);
    parcast_platform_destroy(&p);
}

static void work_is_spread_over_the_iterations(void **state)
{
    (void)state;
    parcast_platform *p = platform();
    parcast_malleable *m;
    parcast_malleable_options o = {
        .n_iterations = 100000, .work = (const double[]){3, 1}, .n_work = 2, .max_nodes = 2};
    assert_int_equal(parcast_malleable_unknown(p, 100, &o, &m, NULL), PARCAST_OK);
    assert_int_equal(m->n_blocks, 10000);
    assert_int_equal(parcast_malleable_iterations(m), 100000);
    near(m->iteration_s[0], 3 * m->iteration_s[(size_t)2 * 9999], 1e-9);
    double serial = 0;
    for (size_t k = 0; k < m->n_blocks; k++)
        serial += (double)m->blocks[k].n_iterations * m->blocks[k].serial_s;
    near(serial, 100, 1e-9);
    parcast_malleable_destroy(&m);
    parcast_platform_destroy(&p);
}

static void an_elastic_run_teaches_iterations_and_moves(void **state)
{
    (void)state;
    static const char run[] = "{\"schema\": \"parcast.run/1\", \"iterations\": 700, \"events\": ["
                              "{\"iteration\": 10, \"from_nodes\": 2, \"to_nodes\": 4, \"stop_s\": 0.2, "
                              "\"move_s\": 0.5, \"launch_s\": 0.3, "
                              "\"bytes\": 1e8}, {\"iteration\": 20, \"from_nodes\": 4, \"to_nodes\": 2, "
                              "\"stop_s\": 0.2, \"move_s\": 0.5, "
                              "\"launch_s\": 0.3, \"bytes\": 1e8}]}";
    parcast_platform *p = platform();
    parcast_course course;
    assert_int_equal(parcast_course_read(NULL, 0, run, p, &course, NULL), PARCAST_OK);
    assert_int_equal(course.n_iterations, 700);
    assert_true(course.move_measured && course.bytes_measured);
    near(course.move.bytes, 1e8, 1e-12);
    parcast_size two = {.nodes = 2, .processes = 2}, four = {.nodes = 4, .processes = 4};
    parcast_move_time time = parcast_move_predict(&course.move, &two, &four);
    near(time.move_s, 0.5, 1e-6);
    near(time.stop_s + time.launch_s, 0.5, 0.15);
    parcast_course_clear(&course);
    /* a launch that overlapped with the run: what stood still counts */
    static const char overlapped[] =
        "{\"schema\": \"parcast.run/1\", \"events\": [{\"from_nodes\": 2, \"to_nodes\": 4, \"stop_s\": 0.2, "
        "\"move_s\": 0.5, \"launch_s\": 9, \"pause_s\": 0.8, \"bytes\": 1e8}]}";
    assert_int_equal(parcast_course_read(NULL, 0, overlapped, p, &course, NULL), PARCAST_OK);
    assert_int_equal(course.n_iterations, 0);
    time = parcast_move_predict(&course.move, &two, &four);
    near(time.stop_s + time.move_s + time.launch_s, 0.8, 0.1);
    parcast_course_clear(&course);
    parcast_error error;
    assert_int_equal(parcast_course_read(NULL, 0, "{\"schema\": 3}", p, &course, &error), PARCAST_FORMAT);
    assert_int_equal(parcast_course_read(NULL, 0, "[", p, &course, &error), PARCAST_FORMAT);
    parcast_platform_destroy(&p);
}

static void a_move_takes_what_its_bytes_and_ranks_say(void **state)
{
    (void)state;
    parcast_move_model move = {.stop_s = 1,
                               .bytes = 8e9,
                               .save_bytes_per_s = 2e9,
                               .move_bytes_per_s = 1e9,
                               .launch_s = 3,
                               .launch_per_rank_s = 0.5,
                               .launch_per_node_s = 0.25,
                               .begin_s = 2};
    parcast_size p = {.nodes = 4, .processes = 16}, q = {.nodes = 2, .processes = 8};
    parcast_move_time time = parcast_move_predict(&move, &p, &q);
    near(time.stop_s, 1 + 8e9 / (4 * 2e9), 1e-12);
    near(time.move_s, 8e9 / (2 * 1e9), 1e-12);
    near(time.launch_s, 3 + 8 * 0.5 + 2 * 0.25 + 2, 1e-12);
    assert_true(parcast_move_predict(&move, &p, &p).move_s == 0);
    assert_true(parcast_move_predict(&move, NULL, &p).stop_s == 0);
}

static double common(double a, double b, double c, double d)
{
    return fmax(0, fmin(b, d) - fmax(a, c));
}

static void no_node_gives_or_takes_more_than_the_share_that_moves(void **state)
{
    (void)state;
    for (int p = 1; p <= 12; p++)
        for (int q = 1; q <= 12; q++) {
            double most = 0; /* node i has [i/p, (i+1)/p) before, [i/q, (i+1)/q) after */
            for (int i = 0; i < (p > q ? p : q); i++) {
                double before = i < p ? 1.0 / p : 0, after = i < q ? 1.0 / q : 0;
                double stays = before > 0 && after > 0
                                   ? common((double)i / p, (i + 1.0) / p, (double)i / q, (i + 1.0) / q)
                                   : 0;
                most = fmax(most, fmax(before - stays, after - stays));
            }
            assert_float_equal(move_share(p, q), most, 1e-12);
        }
}

static void nodes_that_are_left_are_paid_until_the_state_lies_twice(void **state)
{
    (void)state;
    static const int nodes[] = {4, 2};
    static const int64_t from[] = {0, 5};
    struct scenario s = {.n_blocks = 10,
                         .iterations_per_block = 1,
                         .n_sizes = 4,
                         .serial_s = 4,
                         .price_per_hour = 3600,
                         .move = scenario_move(0)};
    s.move.bytes = 1e9; /* at 1 GB/s: on two nodes half a second to save, half a second to copy */
    parcast_malleable *m = scenario_create(&s);
    parcast_plan *once = schedule(m, 2, from, nodes);
    m->move.copies = true;
    parcast_plan *twice = schedule(m, 2, from, nodes);
    assert_float_equal(twice->time_s, once->time_s, 1e-9);
    assert_float_equal(twice->cost, once->cost + 2, 1e-9);
    assert_true(twice->cost_low <= twice->cost && twice->cost <= twice->cost_high);
    parcast_plan_destroy(&once);
    parcast_plan_destroy(&twice);
    parcast_malleable_destroy(&m);
}

static void a_schedule_that_cannot_be_is_refused(void **state)
{
    (void)state;
    parcast_malleable *m = two_or_eight(1);
    parcast_plan *plan = NULL;
    parcast_error error;
    const parcast_stretch wrong[][2] = {
        {{.from_iteration = 1, .nodes = 2}, {.from_iteration = 5, .nodes = 4}},
        {{.from_iteration = 0, .nodes = 3}, {.from_iteration = 5, .nodes = 4}},
        {{.from_iteration = 0, .nodes = 2}, {.from_iteration = 0, .nodes = 4}},
        {{.from_iteration = 0, .nodes = 2}, {.from_iteration = 1000, .nodes = 4}}};
    for (int i = 0; i < 4; i++)
        assert_int_equal(parcast_plan_evaluate(m, &no_goal, wrong[i], 2, &plan, &error), PARCAST_INVALID);
    assert_int_equal(parcast_plan_evaluate(m, &no_goal, NULL, 0, &plan, &error), PARCAST_INVALID);
    parcast_malleable_destroy(&m);
}

static void json_has_every_stretch(void **state)
{
    (void)state;
    parcast_malleable *m = two_or_eight(1);
    parcast_plan *plan = make(m, deadline(600), true);
    char *text = parcast_plan_json(m, plan);
    json_t *object = json_loads(text, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(object, "schema")), "parcast.plan/1");
    assert_int_equal(json_array_size(json_object_get(object, "schedule")), plan->n_stretches);
    assert_true(json_is_true(json_object_get(object, "met")));
    assert_true(json_is_null(json_object_get(object, "budget")));
    near(json_number_value(json_object_get(object, "time_s")), plan->time_s, 1e-12);
    json_t *last = json_array_get(json_object_get(object, "schedule"), plan->n_stretches - 1);
    assert_int_equal(json_integer_value(json_object_get(last, "nodes")),
                     plan->stretches[plan->n_stretches - 1].nodes);
    json_decref(object);
    free(text);
    parcast_plan_destroy(&plan);
    parcast_malleable_destroy(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dynamic_efficiency_of_the_published_lu_is_reproduced),
        cmocka_unit_test(work_that_shrinks_gives_nodes_back_and_costs_less),
        cmocka_unit_test(a_deadline_that_2_nodes_miss_and_8_make_is_met_for_less_than_8_throughout),
        cmocka_unit_test(a_budget_buys_the_least_time),
        cmocka_unit_test(a_deadline_that_nothing_meets_gives_the_least_time_and_says_so),
        cmocka_unit_test(both_limits_are_kept_where_that_can_be),
        cmocka_unit_test(without_prices_node_seconds_count_and_a_budget_is_refused),
        cmocka_unit_test(nodes_are_charged_from_request_to_release_in_whole_units),
        cmocka_unit_test(a_budget_holds_with_billing_units),
        cmocka_unit_test(the_elastic_plan_is_never_worse_than_the_best_fixed_one),
        cmocka_unit_test(dynamic_programming_finds_what_trying_all_schedules_finds),
        cmocka_unit_test(a_limit_is_kept_whenever_some_schedule_keeps_it_at_nearly_the_least_price),
        cmocka_unit_test(sizes_are_the_first_nodes_of_the_platform),
        cmocka_unit_test(work_is_spread_over_the_iterations),
        cmocka_unit_test(an_elastic_run_teaches_iterations_and_moves),
        cmocka_unit_test(a_move_takes_what_its_bytes_and_ranks_say),
        cmocka_unit_test(no_node_gives_or_takes_more_than_the_share_that_moves),
        cmocka_unit_test(nodes_that_are_left_are_paid_until_the_state_lies_twice),
        cmocka_unit_test(a_schedule_that_cannot_be_is_refused),
        cmocka_unit_test(json_has_every_stretch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
