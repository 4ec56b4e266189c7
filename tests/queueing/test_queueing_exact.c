/* The exact solver against the product form summed up in 113 bits, and against the laws that it must obey. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "queueing/lattice.h"
#include "reference.h"

static parcast_solution *solve_within(const parcast_network *network, const parcast_solve_limits *limits)
{
    parcast_solution *solution = NULL;
    parcast_error error = {0};
    if (parcast_network_solve(network, PARCAST_SOLVE_EXACT, limits, &solution, &error))
        fail_msg("%s", error.text);
    return solution;
}

static parcast_solution *solve(const parcast_network *network)
{
    return solve_within(network, NULL);
}

static void assert_close(const char *what, double value, double right, double tolerance)
{
    if (!(fabs(value - right) <= tolerance)) fail_msg("%s is %.17g, not %.17g", what, value, right);
}

static double total_customers(const parcast_network *network)
{
    double total = 0;
    for (size_t r = 0; r < network->n_classes; r++) total += (double)network->population[r];
    return total;
}

/* Throughputs to a relative tolerance, queues to the same share of all customers. */
static void assert_equals_reference(const parcast_network *network, double tolerance)
{
    size_t n_cells = network->n_classes * network->n_stations;
    double *throughput_per_s = calloc(network->n_classes, sizeof *throughput_per_s);
    double *queue_length = calloc(n_cells, sizeof *queue_length);
    assert_true(throughput_per_s && queue_length);
    reference_solve(network, throughput_per_s, queue_length);
    parcast_solution *solution = solve(network);
    for (size_t r = 0; r < network->n_classes; r++)
        assert_close("X", solution->throughput_per_s[r], throughput_per_s[r],
                     tolerance * throughput_per_s[r]);
    for (size_t i = 0; i < n_cells; i++)
        assert_close("Q", solution->queue_length[i], queue_length[i], tolerance * total_customers(network));
    parcast_solution_destroy(&solution);
    free(throughput_per_s);
    free(queue_length);
}

/* Little, the population law, and no station busier than it can be. */
static void assert_laws(const parcast_network *network)
{
    parcast_solution *solution = solve(network);
    size_t n_stations = network->n_stations;
    for (size_t r = 0; r < network->n_classes; r++) {
        double customers = solution->throughput_per_s[r] * network->think_time_s[r], response_s = 0;
        for (size_t k = 0; k < n_stations; k++) {
            size_t i = r * n_stations + k;
            customers += solution->queue_length[i];
            response_s += solution->residence_s[i];
            assert_close("Q", solution->queue_length[i],
                         solution->throughput_per_s[r] * solution->residence_s[i],
                         1e-12 * (double)network->population[r]);
        }
        double population = (double)network->population[r];
        assert_close("population", customers, population, 1e-11 * population);
        assert_close("R", solution->response_s[r], response_s, 1e-12 * response_s);
    }
    for (size_t k = 0; k < n_stations; k++) {
        double busy = 0;
        for (size_t r = 0; r < network->n_classes; r++) busy += solution->utilization[r * n_stations + k];
        if (network->servers[k] != PARCAST_DELAY) assert_true(busy <= 1 + 1e-12);
    }
    parcast_solution_destroy(&solution);
}

static void check_random(uint64_t seed, int n_networks, const struct network_range *range, double tolerance)
{
    struct random random = {seed};
    for (int i = 0; i < n_networks; i++) {
        parcast_network *network = random_network(&random, range);
        assert_equals_reference(network, tolerance);
        assert_laws(network);
        parcast_network_destroy(&network);
    }
}

static void one_class_equals_the_product_form(void **state)
{
    (void)state;
    const struct network_range range = {.most_classes = 1,
                                        .most_stations = 6,
                                        .most_customers = 60,
                                        .most_servers = 12,
                                        .with_rates = true,
                                        .decades = 2};
    check_random(1, 150, &range, 1e-12);
}

static void one_class_of_single_servers_equals_the_product_form(void **state)
{
    (void)state;
    const struct network_range range = {
        .most_classes = 1, .most_stations = 8, .most_customers = 80, .most_servers = 1, .decades = 3};
    check_random(2, 60, &range, 1e-12);
}

static void demands_may_spread_over_twelve_decades(void **state)
{
    (void)state;
    const struct network_range range = {.most_classes = 1,
                                        .most_stations = 6,
                                        .most_customers = 60,
                                        .most_servers = 6,
                                        .with_rates = true,
                                        .decades = 12};
    check_random(3, 60, &range, 1e-11);
}

static void several_classes_equal_the_product_form(void **state)
{
    (void)state;
    const struct network_range range = {.most_classes = 3,
                                        .most_stations = 4,
                                        .most_customers = 6,
                                        .most_servers = 4,
                                        .with_rates = true,
                                        .decades = 2};
    check_random(4, 60, &range, 1e-12);
}

static void several_classes_at_single_servers_equal_the_product_form(void **state)
{
    (void)state;
    const struct network_range range = {
        .most_classes = 3, .most_stations = 4, .most_customers = 6, .most_servers = 1, .decades = 2};
    check_random(5, 60, &range, 1e-12);
}

static parcast_network *make(size_t n_stations, int64_t population, double think_s)
{
    parcast_network *network = NULL;
    assert_int_equal(parcast_network_create(1, n_stations, &network, NULL), PARCAST_OK);
    network->population[0] = population;
    network->think_time_s[0] = think_s;
    return network;
}

static void the_population_may_be_just_below_at_and_above_the_servers(void **state)
{
    (void)state;
    for (int64_t n = 14; n <= 18; n++) {
        parcast_network *network = make(3, n, 0);
        for (size_t k = 0; k < 3; k++) network->service_s[k] = 1 + (double)k;
        network->servers[1] = 16;
        assert_equals_reference(network, 1e-13);
        parcast_network_destroy(&network);
    }
}

static void tied_bottlenecks_with_many_customers_are_exact(void **state)
{
    (void)state;
    parcast_network *network = make(4, 700, 3);
    const int servers[] = {8, 1, 3, 12};
    for (size_t k = 0; k < 4; k++) {
        network->servers[k] = servers[k];
        network->service_s[k] = servers[k] / 3.0;
    }
    assert_equals_reference(network, 1e-12);
    parcast_network_destroy(&network);
}

static void thousands_of_servers_do_not_overflow(void **state)
{
    (void)state;
    parcast_network *network = make(2, 1300, 0);
    network->servers[0] = 1000;
    network->service_s[0] = 1000;
    network->service_s[1] = 0.98;
    assert_equals_reference(network, 1e-12);
    parcast_network_destroy(&network);
}

static void two_modes_from_thrashing_are_exact(void **state)
{
    (void)state;
    double rates[60]; /* fast while few are there, then next to nothing */
    for (size_t j = 0; j < 60; j++) rates[j] = j < 59 ? 1 + 10 * (double)j : 0.1;
    for (int64_t n = 100; n <= 1000; n += 450) { /* at 1000 the tilt misses the bulk by 140 powers of ten */
        parcast_network *network = make(2, n, 4 * (double)n);
        network->service_s[0] = 1;
        network->service_s[1] = 0.2;
        assert_int_equal(parcast_network_set_rates(network, 0, rates, 60, NULL), PARCAST_OK);
        assert_equals_reference(network, 1e-11);
        parcast_network_destroy(&network);
    }
}

static void doubles_and_wide_numbers_agree(void **state)
{
    (void)state;
    const struct network_range range = {.most_classes = 3,
                                        .most_stations = 5,
                                        .most_customers = 9,
                                        .most_servers = 4,
                                        .with_rates = true,
                                        .decades = 1};
    struct random random = {6};
    for (int i = 0; i < 40; i++) {
        parcast_network *network = random_network(&random, &range);
        struct closed_model model;
        struct closed_result narrow = {0}, wide = {0};
        struct lattice lattice;
        parcast_solve_limits limits = queueing_limits(NULL);
        assert_int_equal(queueing_closed_create(network, network->population, NULL, &model, NULL),
                         PARCAST_OK);
        if (model.n_stations == 0) goto next;
        assert_int_equal(queueing_lattice_create(&model, 1, &limits, &lattice, NULL), PARCAST_OK);
        assert_int_equal(queueing_result_create(&model, &narrow, NULL), PARCAST_OK);
        assert_int_equal(queueing_result_create(&model, &wide, NULL), PARCAST_OK);
        for (size_t r = 0; r < model.n_classes; r++)
            lattice.tilt[r] = 1; /* far off: only wide numbers forgive it */
        assert_int_equal(queueing_lattice_wide(&model, &lattice, 1e9, &wide, NULL), PARCAST_OK);
        assert_int_equal(queueing_lattice_solve(&model, &limits, &narrow, NULL), PARCAST_OK);
        for (size_t r = 0; r < model.n_classes; r++)
            assert_close("X", wide.throughput_per_s[r], narrow.throughput_per_s[r],
                         1e-12 * narrow.throughput_per_s[r]);
        for (size_t j = 0; j < model.n_classes * model.n_stations; j++)
            assert_close("Q", wide.queue[j], narrow.queue[j], 1e-12 * total_customers(network));
        queueing_lattice_destroy(&lattice);
    next:
        queueing_result_destroy(&narrow);
        queueing_result_destroy(&wide);
        queueing_closed_destroy(&model);
        parcast_network_destroy(&network);
    }
}

static void large_populations_keep_every_law(void **state)
{
    (void)state;
    parcast_network *network = make(33, 65536, 1000);
    for (size_t k = 0; k < 33; k++) {
        network->servers[k] = k % 2 ? 8 : 1;
        network->service_s[k] = (network->servers[k]) * (1 + (double)(k * 37 % 101) / 101);
    }
    assert_laws(network);
    parcast_solution *solution = solve(network);
    double most_s = 0;
    for (size_t k = 0; k < 33; k++) most_s = fmax(most_s, network->service_s[k] / network->servers[k]);
    assert_close("X", solution->throughput_per_s[0], 1 / most_s, 1e-12);
    parcast_solution_destroy(&solution);
    parcast_network_destroy(&network);
}

static void short_memory_changes_nothing(void **state)
{
    (void)state;
    const struct network_range one = {
        .most_classes = 1, .most_stations = 30, .most_customers = 200, .most_servers = 6, .decades = 1};
    const struct network_range several = {
        .most_classes = 3, .most_stations = 20, .most_customers = 8, .most_servers = 3, .decades = 1};
    struct random random = {7};
    for (int i = 0; i < 60; i++) {
        parcast_network *network = random_network(&random, i % 2 ? &one : &several);
        double points = 1;
        for (size_t r = 0; r < network->n_classes; r++) points *= (double)network->population[r] + 1;
        /* about half of what keeping everything takes, enough for two times the square root of the stations
         */
        double vectors = 2 * ceil(sqrt((double)network->n_stations)) + 8;
        parcast_solve_limits limits = {.memory_bytes = 8 * points * vectors + 1000};
        parcast_solution *full = solve(network), *tight = solve_within(network, &limits);
        for (size_t j = 0; j < network->n_classes * network->n_stations; j++)
            assert_true(full->queue_length[j] == tight->queue_length[j]);
        parcast_solution_destroy(&full);
        parcast_solution_destroy(&tight);
        parcast_network_destroy(&network);
    }
}

static void the_order_of_stations_does_not_matter(void **state)
{
    (void)state;
    const struct network_range range = {.most_classes = 2,
                                        .most_stations = 8,
                                        .most_customers = 20,
                                        .most_servers = 5,
                                        .with_rates = false,
                                        .decades = 3};
    struct random random = {8};
    for (int i = 0; i < 40; i++) {
        parcast_network *network = random_network(&random, &range), *mirrored = NULL;
        size_t n_classes = network->n_classes, n_stations = network->n_stations;
        assert_int_equal(parcast_network_create(n_classes, n_stations, &mirrored, NULL), PARCAST_OK);
        for (size_t r = 0; r < n_classes; r++) {
            mirrored->population[r] = network->population[r];
            mirrored->think_time_s[r] = network->think_time_s[r];
            for (size_t k = 0; k < n_stations; k++) {
                size_t other = n_stations - 1 - k;
                mirrored->servers[other] = network->servers[k];
                mirrored->visits[r * n_stations + other] = network->visits[r * n_stations + k];
                mirrored->service_s[r * n_stations + other] = network->service_s[r * n_stations + k];
            }
        }
        parcast_solution *a = solve(network), *b = solve(mirrored);
        for (size_t r = 0; r < n_classes; r++)
            assert_close("X", b->throughput_per_s[r], a->throughput_per_s[r], 1e-13 * a->throughput_per_s[r]);
        parcast_solution_destroy(&a);
        parcast_solution_destroy(&b);
        parcast_network_destroy(&network);
        parcast_network_destroy(&mirrored);
    }
}

static void equal_classes_equal_one_class_of_all_customers(void **state)
{
    (void)state;
    parcast_network *parts = NULL, *whole = make(3, 15, 2);
    assert_int_equal(parcast_network_create(3, 3, &parts, NULL), PARCAST_OK);
    const int servers[] = {4, 1, 2};
    for (size_t k = 0; k < 3; k++) {
        whole->servers[k] = parts->servers[k] = servers[k];
        whole->service_s[k] = 1 + (double)k;
        for (size_t r = 0; r < 3; r++) parts->service_s[r * 3 + k] = whole->service_s[k];
    }
    for (size_t r = 0; r < 3; r++) {
        parts->population[r] = 4 + (int64_t)r;
        parts->think_time_s[r] = 2;
    }
    parcast_solution *a = solve(parts), *b = solve(whole);
    for (size_t r = 0; r < 3; r++)
        assert_close("X", a->throughput_per_s[r], b->throughput_per_s[0] * (double)(4 + r) / 15, 1e-13);
    parcast_solution_destroy(&a);
    parcast_solution_destroy(&b);
    parcast_network_destroy(&parts);
    parcast_network_destroy(&whole);
}

static void identical_stations_have_the_closed_form(void **state)
{
    (void)state;
    for (size_t n_stations = 1; n_stations < 40; n_stations += 7)
        for (int64_t n = 1; n < 3000; n = 3 * n + 1) {
            parcast_network *network = make(n_stations, n, 0);
            for (size_t k = 0; k < n_stations; k++) network->service_s[k] = 0.25;
            parcast_solution *solution = solve(network);
            double right = (double)n / (0.25 * ((double)n + (double)n_stations - 1));
            assert_close("X", solution->throughput_per_s[0], right, 1e-12 * right);
            parcast_solution_destroy(&solution);
            parcast_network_destroy(&network);
        }
}

static void nobody_in_the_network_means_zeros(void **state)
{
    (void)state;
    parcast_network *network = make(2, 0, 1);
    network->servers[1] = 4;
    network->service_s[0] = network->service_s[1] = 1;
    parcast_solution *solution = solve(network);
    assert_true(solution->throughput_per_s[0] == 0 && solution->response_s[0] == 0);
    assert_true(solution->queue_length[1] == 0 && solution->utilization[1] == 0);
    parcast_solution_destroy(&solution);
    parcast_network_destroy(&network);
}

static void open_stations_follow_erlang(void **state)
{
    (void)state;
    parcast_network *network = NULL;
    assert_int_equal(parcast_network_create(2, 3, &network, NULL), PARCAST_OK);
    const int servers[] = {1, 2, PARCAST_DELAY};
    for (size_t k = 0; k < 3; k++) network->servers[k] = servers[k];
    for (size_t i = 0; i < 6; i++) network->service_s[i] = 1;
    network->arrival_rate_per_s[0] = 0.5;
    network->arrival_rate_per_s[1] = 0.25;
    parcast_solution *solution = solve(network);
    double load = 0.75;
    assert_close("M/M/1", solution->residence_s[0], 1 / (1 - load), 1e-14);
    assert_close("M/M/2", solution->residence_s[1], 1 / (1 - load * load / 4), 1e-14);
    assert_close("M/M/inf", solution->residence_s[5], 1, 0);
    assert_close("X", solution->throughput_per_s[1], 0.25, 0);
    parcast_solution_destroy(&solution);
    parcast_network_destroy(&network);
}

/*
 * N closed customers think for think_s and meet open ones, offered load rho, at one station. With n closed
 * and i open there, the weight is think_s^(N-n)/(N-n)! D^n C(n+i, i) rho^i / (a(1)...a(n+i)).
 */
struct meeting {
    int customers;
    double think_s, demand_s, load;
    int servers;
    size_t n_rates;
    double rates[4];
};

static double meeting_rate(const struct meeting *m, int j)
{
    if (m->n_rates > 0) return m->rates[(size_t)j < m->n_rates ? (size_t)j - 1 : m->n_rates - 1];
    return j < m->servers ? j : m->servers;
}

static void count_all_states(const struct meeting *m, double *closed, double *open)
{
    long double total = 0, n_closed = 0, n_open = 0, outer = 1;
    for (int n = 0; n <= m->customers; n++) {
        long double term = outer;
        for (int i = 0; i < 20000; i++) {
            total += term;
            n_closed += n * term;
            n_open += i * term;
            term *= (long double)m->load * (n + i + 1) / (i + 1) / meeting_rate(m, n + i + 1);
        }
        outer *= (m->customers - n) / (long double)m->think_s * m->demand_s / meeting_rate(m, n + 1);
    }
    *closed = (double)(n_closed / total);
    *open = (double)(n_open / total);
}

static parcast_network *meeting_network(const struct meeting *m)
{
    parcast_network *network = NULL;
    assert_int_equal(parcast_network_create(3, 1, &network, NULL), PARCAST_OK);
    network->servers[0] = m->servers;
    network->arrival_rate_per_s[0] = 0.25 * m->load / 0.5; /* two open classes share the load */
    network->arrival_rate_per_s[2] = 0.75 * m->load / 2;
    network->service_s[0] = 0.5;
    network->service_s[2] = 2;
    network->population[1] = m->customers;
    network->think_time_s[1] = m->think_s;
    network->service_s[1] = m->demand_s;
    if (m->n_rates == 0) return network;
    network->rates[0] = malloc(sizeof m->rates);
    assert_non_null(network->rates[0]);
    memcpy(network->rates[0], m->rates, sizeof m->rates);
    network->n_rates[0] = m->n_rates;
    return network;
}

static void open_and_closed_customers_at_several_servers_equal_the_product_form(void **state)
{
    (void)state;
    static const struct meeting cases[] = {
        {1, 2, 1, 0.5, 2, 0, {0}},       {5, 3, 1, 1.5, 2, 0, {0}},      {20, 0.5, 2, 3.9, 4, 0, {0}},
        {3, 10, 0.1, 0.01, 8, 0, {0}},   {40, 1, 1, 14, 16, 0, {0}},     {30, 5, 1e-3, 60, 64, 0, {0}},
        {6, 1, 1, 0.9, 1, 3, {1, 3, 2}}, {9, 4, 2, 0.2, 1, 2, {2, 0.5}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct meeting *m = &cases[i];
        double closed = 0, open = 0;
        count_all_states(m, &closed, &open);
        parcast_network *network = meeting_network(m);
        parcast_solution *solution = solve(network);
        assert_close("closed", solution->queue_length[1], closed, 1e-12 * fmax(1, closed));
        assert_close("open", solution->queue_length[0], 0.25 * open, 1e-12 * fmax(1, open));
        assert_close("open", solution->queue_length[2], 0.75 * open, 1e-12 * fmax(1, open));
        assert_close("X", solution->throughput_per_s[1] * m->think_s + closed, m->customers, 1e-10);
        assert_close("X", solution->throughput_per_s[2], network->arrival_rate_per_s[2], 0);
        parcast_solution_destroy(&solution);
        parcast_network_destroy(&network);
    }
}

static void where_open_and_closed_customers_meet_the_approximations_do_not_guess(void **state)
{
    (void)state;
    const struct meeting meeting = {5, 1, 1, 0.5, 2, 0, {0}}, overloaded = {5, 1, 1, 2, 2, 0, {0}};
    parcast_network *network = meeting_network(&meeting);
    parcast_solution *solution = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_network_solve(network, PARCAST_SOLVE_LINEARIZER, NULL, &solution, &error),
                     PARCAST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "station 0"));
    parcast_network_destroy(&network);
    network = meeting_network(&overloaded);
    assert_int_equal(parcast_network_solve(network, PARCAST_SOLVE_EXACT, NULL, &solution, &error),
                     PARCAST_DATA);
    assert_non_null(strstr(error.text, "overloaded"));
    assert_null(solution);
    parcast_network_destroy(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_class_equals_the_product_form),
        cmocka_unit_test(one_class_of_single_servers_equals_the_product_form),
        cmocka_unit_test(demands_may_spread_over_twelve_decades),
        cmocka_unit_test(several_classes_equal_the_product_form),
        cmocka_unit_test(several_classes_at_single_servers_equal_the_product_form),
        cmocka_unit_test(the_population_may_be_just_below_at_and_above_the_servers),
        cmocka_unit_test(tied_bottlenecks_with_many_customers_are_exact),
        cmocka_unit_test(thousands_of_servers_do_not_overflow),
        cmocka_unit_test(two_modes_from_thrashing_are_exact),
        cmocka_unit_test(doubles_and_wide_numbers_agree),
        cmocka_unit_test(large_populations_keep_every_law),
        cmocka_unit_test(short_memory_changes_nothing),
        cmocka_unit_test(the_order_of_stations_does_not_matter),
        cmocka_unit_test(equal_classes_equal_one_class_of_all_customers),
        cmocka_unit_test(identical_stations_have_the_closed_form),
        cmocka_unit_test(nobody_in_the_network_means_zeros),
        cmocka_unit_test(open_stations_follow_erlang),
        cmocka_unit_test(open_and_closed_customers_at_several_servers_equal_the_product_form),
        cmocka_unit_test(where_open_and_closed_customers_meet_the_approximations_do_not_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
