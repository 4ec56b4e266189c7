/* Gradients, curves, approximations and bounds of random networks: what must hold whatever the numbers are.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference.h"

static const struct network_range one_class = {.most_classes = 1,
                                               .most_stations = 6,
                                               .most_customers = 50,
                                               .most_servers = 6,
                                               .with_rates = false,
                                               .decades = 1.5};
static const struct network_range any_rates = {.most_classes = 1,
                                               .most_stations = 5,
                                               .most_customers = 30,
                                               .most_servers = 4,
                                               .with_rates = true,
                                               .decades = 1.5};
static const struct network_range several_classes = {.most_classes = 3,
                                                     .most_stations = 4,
                                                     .most_customers = 6,
                                                     .most_servers = 3,
                                                     .with_rates = true,
                                                     .decades = 1.5};
static const struct network_range single_servers = {.most_classes = 1,
                                                    .most_stations = 8,
                                                    .most_customers = 60,
                                                    .most_servers = 1,
                                                    .with_rates = false,
                                                    .decades = 2};

static parcast_solution *solve(const parcast_network *network, parcast_solve_method method)
{
    parcast_solution *solution = NULL;
    parcast_error error = {0};
    if (parcast_network_solve(network, method, NULL, &solution, &error)) fail_msg("%s", error.text);
    return solution;
}

static double throughput(const parcast_network *network, size_t r)
{
    parcast_solution *solution = solve(network, PARCAST_SOLVE_EXACT);
    double throughput_per_s = solution->throughput_per_s[r];
    parcast_solution_destroy(&solution);
    return throughput_per_s;
}

/* d ln X_s / d ln value by central differences. */
static double quotient(const parcast_network *network, size_t s, double *value)
{
    const double step = 1e-5, before = *value;
    *value = before * (1 + step);
    double up = throughput(network, s);
    *value = before * (1 - step);
    double down = throughput(network, s);
    *value = before;
    return (log(up) - log(down)) / (log1p(step) - log1p(-step));
}

static parcast_gradient *differentiate(const parcast_network *network)
{
    parcast_gradient *gradient = NULL;
    parcast_error error = {0};
    if (parcast_network_gradient(network, NULL, &gradient, &error)) fail_msg("%s", error.text);
    return gradient;
}

static void assert_near(const char *what, double value, double right, double tolerance)
{
    if (!(fabs(value - right) <= tolerance)) fail_msg("%s is %.12g, not %.12g", what, value, right);
}

static void check_gradient(parcast_network *network)
{
    parcast_gradient *gradient = differentiate(network);
    size_t n_classes = network->n_classes, n_stations = network->n_stations;
    for (size_t s = 0; s < n_classes; s++) {
        double sum = 0;
        for (size_t r = 0; r < n_classes; r++) {
            double *think_s = &network->think_time_s[r], found = gradient->think[s * n_classes + r];
            assert_near("d ln X / d ln Z", found, *think_s > 0 ? quotient(network, s, think_s) : 0, 2e-6);
            sum += found;
            for (size_t k = 0; k < n_stations; k++) {
                double *service_s = &network->service_s[r * n_stations + k];
                found = gradient->demand[(s * n_classes + r) * n_stations + k];
                assert_near("d ln X / d ln D", found, *service_s > 0 ? quotient(network, s, service_s) : 0,
                            2e-6);
                sum += found;
            }
        }
        assert_near("the elasticities of a class", sum, -1,
                    1e-10); /* all times doubled: half the throughput */
    }
    parcast_gradient_destroy(&gradient);
}

static void gradients_are_the_difference_quotients(void **state)
{
    (void)state;
    static const struct network_range *const ranges[] = {&one_class, &any_rates, &several_classes,
                                                         &single_servers};
    struct random random = {21};
    for (int i = 0; i < 60; i++) {
        parcast_network *network = random_network(&random, ranges[i % 4]);
        check_gradient(network);
        parcast_network_destroy(&network);
    }
}

static void open_classes_act_on_the_gradient_of_closed_ones(void **state)
{
    (void)state;
    parcast_network *network = NULL;
    assert_int_equal(parcast_network_create(3, 3, &network, NULL), PARCAST_OK);
    network->servers[2] = PARCAST_DELAY;
    network->population[0] = 5;
    network->population[2] = 3;
    network->arrival_rate_per_s[1] = 0.3;
    network->think_time_s[2] = 0.5;
    for (size_t i = 0; i < 9; i++) network->service_s[i] = 0.4 + 0.2 * (double)(i * 5 % 9);
    parcast_gradient *gradient = differentiate(network);
    for (size_t s = 0; s < 3; s += 2)
        for (size_t i = 0; i < 9; i++)
            assert_near("d ln X / d ln D", gradient->demand[s * 9 + i],
                        quotient(network, s, &network->service_s[i]), 1e-6);
    for (size_t i = 9; i < 18; i++) assert_true(gradient->demand[i] == 0); /* X of the open class is lambda */
    parcast_gradient_destroy(&gradient);
    parcast_network_destroy(&network);
}

static void curves_hold_every_population(void **state)
{
    (void)state;
    static const struct network_range *const ranges[] = {&one_class, &any_rates, &single_servers};
    struct random random = {22};
    for (int i = 0; i < 60; i++) {
        parcast_network *network = random_network(&random, ranges[i % 3]);
        int64_t population = network->population[0];
        double *curve = calloc((size_t)population, sizeof *curve);
        assert_int_equal(parcast_network_throughput_curve(network, NULL, curve, NULL), PARCAST_OK);
        for (int64_t n = 1; n <= population; n++) {
            network->population[0] = n;
            double right = throughput(network, 0);
            assert_near("X", curve[n - 1], right, 1e-12 * right);
        }
        free(curve);
        parcast_network_destroy(&network);
    }
}

static void long_curves_rise_and_bend_down(void **state)
{
    (void)state;
    enum { POPULATION = 20000 };
    parcast_network *network = NULL;
    assert_int_equal(parcast_network_create(1, 9, &network, NULL), PARCAST_OK);
    network->population[0] = POPULATION;
    network->think_time_s[0] = 5000;
    for (size_t k = 0; k < 9; k++) {
        network->servers[k] = k % 2 ? 8 : 1;
        network->service_s[k] = (k % 2 ? 7 : 0.8) + 0.01 * (double)k;
    }
    double *curve = calloc(POPULATION, sizeof *curve);
    assert_int_equal(parcast_network_throughput_curve(network, NULL, curve, NULL), PARCAST_OK);
    for (int n = 1; n < POPULATION; n++) {
        assert_true(curve[n] >= curve[n - 1] * (1 - 1e-13));
        if (n > 1) assert_true(curve[n] - curve[n - 1] <= curve[n - 1] - curve[n - 2] + 1e-13);
    }
    for (int64_t n = 1; n <= POPULATION; n = 7 * n + 1) {
        network->population[0] = n;
        assert_near("X", curve[n - 1], throughput(network, 0), 1e-12 * curve[n - 1]);
    }
    free(curve);
    parcast_network_destroy(&network);
}

/* Mean over networks of the largest relative error of a throughput. */
static double mean_error(const struct network_range *range, parcast_solve_method method, uint64_t seed)
{
    enum { N_NETWORKS = 100 };
    struct random random = {seed};
    double sum = 0;
    for (int i = 0; i < N_NETWORKS; i++) {
        parcast_network *network = random_network(&random, range);
        parcast_solution *right = solve(network, PARCAST_SOLVE_EXACT), *near = solve(network, method);
        double largest = 0;
        for (size_t r = 0; r < network->n_classes; r++) {
            largest = fmax(largest, fabs(near->throughput_per_s[r] / right->throughput_per_s[r] - 1));
            double customers = near->throughput_per_s[r] * network->think_time_s[r];
            for (size_t k = 0; k < network->n_stations; k++)
                customers += near->queue_length[r * network->n_stations + k];
            assert_near("population", customers, (double)network->population[r], 1e-8 * customers);
        }
        sum += largest;
        parcast_solution_destroy(&right);
        parcast_solution_destroy(&near);
        parcast_network_destroy(&network);
    }
    return sum / N_NETWORKS;
}

static void approximations_are_as_near_as_they_should(void **state)
{
    (void)state;
    struct network_range singles = several_classes, multiple = several_classes;
    singles.most_servers = 1;
    singles.with_rates = false;
    multiple.with_rates = false;
    double schweitzer = mean_error(&singles, PARCAST_SOLVE_SCHWEITZER, 23);
    double linearizer = mean_error(&singles, PARCAST_SOLVE_LINEARIZER, 23);
    if (!(schweitzer < 0.04)) fail_msg("schweitzer: %g", schweitzer);
    if (!(linearizer < 0.004)) fail_msg("linearizer: %g", linearizer);
    linearizer = mean_error(&multiple, PARCAST_SOLVE_LINEARIZER, 24);
    if (!(linearizer < 0.025)) fail_msg("linearizer with several servers: %g", linearizer);
}

static void one_class_with_servers_of_its_own_is_exact_in_the_approximation(void **state)
{
    (void)state;
    parcast_network *network = NULL;
    assert_int_equal(parcast_network_create(1, 3, &network, NULL), PARCAST_OK);
    network->population[0] = 30;
    network->servers[0] = 16;
    for (size_t k = 0; k < 3; k++) network->service_s[k] = k ? 1 : 17;
    parcast_solution *near = solve(network, PARCAST_SOLVE_LINEARIZER);
    double right = throughput(network, 0);
    assert_near("X", near->throughput_per_s[0], right, 1e-10 * right);
    parcast_solution_destroy(&near);
    parcast_network_destroy(&network);
}

static void check_bounds(const parcast_network *network)
{
    parcast_bounds bounds;
    assert_int_equal(parcast_network_bounds(network, &bounds, NULL), PARCAST_OK);
    parcast_solution *solution = solve(network, PARCAST_SOLVE_EXACT);
    double right = solution->throughput_per_s[0];
    double response_s = (double)network->population[0] / right - network->think_time_s[0];
    assert_true(bounds.bound[PARCAST_BOUNDS_ABA].applies);
    for (size_t i = 0; i < PARCAST_N_BOUNDS; i++) {
        const parcast_bound *bound = &bounds.bound[i];
        if (!bound->applies) continue;
        if (!(bound->throughput_low_per_s <= right * (1 + 1e-9) &&
              right * (1 - 1e-9) <= bound->throughput_high_per_s))
            fail_msg("%s: %.17g is not in [%.17g, %.17g]", parcast_bounds_name(i), right,
                     bound->throughput_low_per_s, bound->throughput_high_per_s);
        double slack = 1e-9 * (response_s + network->think_time_s[0]);
        assert_true(bound->response_low_s <= response_s + slack &&
                    response_s - slack <= bound->response_high_s);
    }
    parcast_solution_destroy(&solution);
}

static void more_customers_than_can_be_passed_over_are_refused(void **state)
{
    (void)state;
    parcast_network *network = NULL;
    assert_int_equal(parcast_network_create(2, 3, &network, NULL), PARCAST_OK);
    network->servers[0] = 10; /* both classes */
    network->servers[1] = 4;  /* the second alone, beside its think time */
    network->population[0] = 15;
    network->population[1] = INT64_C(8888888888885);
    network->think_time_s[1] = 1;
    for (size_t k = 0; k < 3; k++) {
        network->service_s[k] = k == 1 ? 0 : 0.025;
        network->service_s[3 + k] = 0.5;
    }
    const parcast_solve_method methods[] = {PARCAST_SOLVE_SCHWEITZER, PARCAST_SOLVE_LINEARIZER};
    for (size_t i = 0; i < 2; i++) {
        parcast_solution *solution = NULL;
        parcast_error error = {0};
        assert_int_equal(parcast_network_solve(network, methods[i], NULL, &solution, &error), PARCAST_LIMIT);
        assert_non_null(strstr(error.text, "too many"));
        assert_null(solution);
    }
    parcast_network_destroy(&network);
}

static void bounds_hold(void **state)
{
    (void)state;
    struct network_range no_delay = single_servers;
    no_delay.without_delays = true;
    const struct network_range *const ranges[] = {&one_class, &any_rates, &single_servers, &no_delay};
    struct random random = {25};
    for (int i = 0; i < 1200; i++) {
        parcast_network *network = random_network(&random, ranges[i % 4]);
        check_bounds(network);
        parcast_network_destroy(&network);
    }
}

static void bounds_that_do_not_apply_are_left_out(void **state)
{
    (void)state;
    parcast_network *network = NULL;
    parcast_bounds bounds;
    assert_int_equal(parcast_network_create(1, 2, &network, NULL), PARCAST_OK);
    network->population[0] = 4;
    network->service_s[0] = network->service_s[1] = 1;
    assert_int_equal(parcast_network_bounds(network, &bounds, NULL), PARCAST_OK);
    for (size_t i = 0; i < PARCAST_N_BOUNDS; i++) assert_true(bounds.bound[i].applies);
    network->think_time_s[0] = 1;
    assert_int_equal(parcast_network_bounds(network, &bounds, NULL), PARCAST_OK);
    assert_true(!bounds.bound[PARCAST_BOUNDS_PB].applies && bounds.bound[PARCAST_BOUNDS_GB].applies);
    network->servers[1] = 2;
    assert_int_equal(parcast_network_bounds(network, &bounds, NULL), PARCAST_OK);
    assert_true(!bounds.bound[PARCAST_BOUNDS_BJB].applies && !bounds.bound[PARCAST_BOUNDS_GB].applies);
    network->population[0] = 0;
    network->arrival_rate_per_s[0] = 0.1;
    assert_int_equal(parcast_network_bounds(network, &bounds, NULL), PARCAST_UNSUPPORTED);
    parcast_network_destroy(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_the_difference_quotients),
        cmocka_unit_test(open_classes_act_on_the_gradient_of_closed_ones),
        cmocka_unit_test(curves_hold_every_population),
        cmocka_unit_test(long_curves_rise_and_bend_down),
        cmocka_unit_test(approximations_are_as_near_as_they_should),
        cmocka_unit_test(one_class_with_servers_of_its_own_is_exact_in_the_approximation),
        cmocka_unit_test(more_customers_than_can_be_passed_over_are_refused),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(bounds_that_do_not_apply_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
