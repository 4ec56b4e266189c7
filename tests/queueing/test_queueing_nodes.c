/* The solver for clusters against the same cluster with every node a class of its own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference.h"

static const double memory_rates[] = {1, 1.8, 2.3, 2.5};

/* Two types; cores, a disk that others read too, and if asked memory with a rate curve and TX; RX; a switch.
 */
static parcast_node_network *make_cluster(int64_t first, int64_t second, int64_t jobs, bool with_memory)
{
    parcast_node_network *network = NULL;
    assert_int_equal(parcast_nodes_create(2, with_memory ? 3 : 1, 2, 1, &network, NULL), PARCAST_OK);
    const int64_t nodes[] = {first, second};
    for (size_t t = 0; t < 2; t++) {
        double slow = t == 0 ? 1 : 0.7;
        network->nodes[t] = nodes[t];
        network->jobs[t] = jobs + (int64_t)t;
        network->servers[t * network->n_private] = 2;
        network->time_s[parcast_nodes_delay(network, t)] = 1.3;
        network->time_s[parcast_nodes_private(network, t, 0)] = 2 * slow;
        network->time_s[parcast_nodes_own(network, t, 0)] = 0.15;
        network->time_s[parcast_nodes_global(network, t, 0)] = 0.05;
        for (size_t q = 0; q < 2; q++) {
            network->time_s[parcast_nodes_same(network, t, q)] = q == 1 ? 0.1 : 0.02;
            network->time_s[parcast_nodes_other(network, t, 1 - t, q)] = q == 1 ? 0.12 * slow : 0;
        }
        if (!with_memory) continue;
        network->time_s[parcast_nodes_private(network, t, 1)] = 0.8;
        network->time_s[parcast_nodes_private(network, t, 2)] = 0.4;
        network->rates[t * 3 + 1] = memory_rates;
        network->n_rates[t * 3 + 1] = 4;
    }
    return network;
}

static size_t count_nodes(const parcast_node_network *cluster)
{
    size_t n = 0;
    for (size_t t = 0; t < cluster->n_types; t++) n += (size_t)cluster->nodes[t];
    return n;
}

static size_t type_of(const parcast_node_network *cluster, size_t node)
{
    size_t t = 0;
    while (node >= (size_t)cluster->nodes[t]) node -= (size_t)cluster->nodes[t++];
    return t;
}

/* Every node a class; stations node by node: private, shared; then the global ones. */
static parcast_network *expand(const parcast_node_network *cluster)
{
    parcast_network *network = NULL;
    size_t n_nodes = count_nodes(cluster), per_node = cluster->n_private + cluster->n_shared;
    size_t n_stations = n_nodes * per_node + cluster->n_global;
    assert_int_equal(parcast_network_create(n_nodes, n_stations, &network, NULL), PARCAST_OK);
    for (size_t i = 0; i < n_nodes; i++) {
        size_t t = type_of(cluster, i);
        double *service_s = network->service_s + i * n_stations;
        network->population[i] = cluster->jobs[t];
        network->think_time_s[i] = cluster->time_s[parcast_nodes_delay(cluster, t)];
        for (size_t p = 0; p < cluster->n_private; p++) {
            size_t k = i * per_node + p, cell = t * cluster->n_private + p;
            service_s[k] = cluster->time_s[parcast_nodes_private(cluster, t, p)];
            network->servers[k] = cluster->servers[cell];
            assert_int_equal(
                parcast_network_set_rates(network, k, cluster->rates[cell], cluster->n_rates[cell], NULL),
                PARCAST_OK);
        }
        for (size_t j = 0; j < n_nodes; j++)
            for (size_t q = 0; q < cluster->n_shared; q++) {
                size_t u = type_of(cluster, j);
                size_t time = i == j   ? parcast_nodes_own(cluster, t, q)
                              : t == u ? parcast_nodes_same(cluster, t, q)
                                       : parcast_nodes_other(cluster, t, u, q);
                service_s[j * per_node + cluster->n_private + q] = cluster->time_s[time];
            }
        for (size_t g = 0; g < cluster->n_global; g++)
            service_s[n_nodes * per_node + g] = cluster->time_s[parcast_nodes_global(cluster, t, g)];
    }
    return network;
}

static parcast_node_solution *solve(const parcast_node_network *cluster, parcast_solve_method method)
{
    parcast_node_solution *solution = NULL;
    parcast_error error = {0};
    if (parcast_nodes_solve(cluster, method, true, &solution, &error)) fail_msg("%s", error.text);
    return solution;
}

/* Largest relative difference of the cycle times from those of the expanded network. */
static double compare(const parcast_node_network *cluster, parcast_solve_method method,
                      parcast_solve_method expanded_method)
{
    parcast_network *network = expand(cluster);
    parcast_node_solution *solution = solve(cluster, method);
    parcast_solution *right = NULL;
    parcast_error error = {0};
    double largest = 0;
    if (parcast_network_solve(network, expanded_method, NULL, &right, &error)) fail_msg("%s", error.text);
    for (size_t i = 0; i < network->n_classes; i++) {
        double cycle_s = (double)network->population[i] / right->throughput_per_s[i];
        largest = fmax(largest, fabs(solution->cycle_s[type_of(cluster, i)] / cycle_s - 1));
    }
    parcast_solution_destroy(&right);
    parcast_node_solution_destroy(&solution);
    parcast_network_destroy(&network);
    return largest;
}

static void merged_nodes_have_the_fixed_point_of_single_ones(void **state)
{
    (void)state;
    for (int memory = 0; memory < 2; memory++)
        for (int64_t jobs = 1; jobs < 8; jobs += 2) {
            parcast_node_network *cluster = make_cluster(3, 2, jobs, memory);
            double error = compare(cluster, PARCAST_SOLVE_SCHWEITZER, PARCAST_SOLVE_SCHWEITZER);
            if (!(error < 1e-9)) fail_msg("%lld jobs: off by %g", (long long)jobs, error);
            parcast_nodes_destroy(&cluster);
        }
}

/* Largest errors against the exact solution over 1..7 jobs per node, demands at shared stations times a
 * factor. */
static void find_errors(double factor, bool cores_to_spare, double *schweitzer, double *linearizer)
{
    *schweitzer = *linearizer = 0;
    for (int64_t jobs = 1; jobs < 8; jobs++) {
        parcast_node_network *cluster = make_cluster(2, 1, jobs, false);
        for (size_t t = 0; t < 2; t++) {
            if (cores_to_spare) cluster->servers[t] = PARCAST_DELAY;
            cluster->time_s[parcast_nodes_same(cluster, t, 1)] *= factor;
            cluster->time_s[parcast_nodes_other(cluster, t, 1 - t, 1)] *= factor;
        }
        *schweitzer = fmax(*schweitzer, compare(cluster, PARCAST_SOLVE_SCHWEITZER, PARCAST_SOLVE_EXACT));
        *linearizer = fmax(*linearizer, compare(cluster, PARCAST_SOLVE_LINEARIZER, PARCAST_SOLVE_EXACT));
        parcast_nodes_destroy(&cluster);
    }
}

static void linearizer_is_several_times_nearer_where_the_network_is_busy(void **state)
{
    (void)state;
    double schweitzer, linearizer;
    find_errors(6, true, &schweitzer, &linearizer);
    if (!(schweitzer < 0.08)) fail_msg("schweitzer is off by %g", schweitzer);
    if (!(linearizer < 0.01)) fail_msg("linearizer is off by %g", linearizer);
    assert_true(3 * linearizer < schweitzer);
}

static void jobs_that_share_cores_are_a_few_per_mille_off(void **state)
{
    (void)state;
    double schweitzer, linearizer;
    find_errors(1, false, &schweitzer, &linearizer);
    if (!(fmax(schweitzer, linearizer) < 0.005)) fail_msg("off by %g and %g", schweitzer, linearizer);
    find_errors(6, false, &schweitzer, &linearizer);
    if (!(linearizer < 0.02)) fail_msg("linearizer is off by %g (schweitzer %g)", linearizer, schweitzer);
}

static double cycle(const parcast_node_network *cluster, parcast_solve_method method, size_t t)
{
    parcast_node_solution *solution = solve(cluster, method);
    double cycle_s = solution->cycle_s[t];
    parcast_node_solution_destroy(&solution);
    return cycle_s;
}

static void check_gradient(parcast_node_network *cluster, parcast_solve_method method)
{
    parcast_node_solution *solution = solve(cluster, method);
    for (size_t i = 0; i < cluster->n_times; i++)
        for (size_t t = 0; t < cluster->n_types; t++) {
            double time_s = cluster->time_s[i], step_s = 1e-4 * time_s;
            if (time_s == 0) continue;
            cluster->time_s[i] = time_s + step_s;
            double up = cycle(cluster, method, t);
            cluster->time_s[i] = time_s - step_s;
            double down = cycle(cluster, method, t);
            cluster->time_s[i] = time_s;
            double quotient = (up - down) / (2 * step_s),
                   found = solution->gradient[t * cluster->n_times + i];
            if (!(fabs(found - quotient) <= 1e-6 * fmax(1, fabs(quotient))))
                fail_msg("d cycle %zu / d time %zu is %.12g, not %.12g", t, i, found, quotient);
        }
    parcast_node_solution_destroy(&solution);
}

static void gradients_are_the_difference_quotients(void **state)
{
    (void)state;
    for (int memory = 0; memory < 2; memory++)
        for (int64_t jobs = 1; jobs < 6; jobs += 2) {
            parcast_node_network *cluster = make_cluster(3, 2, jobs, memory);
            check_gradient(cluster, PARCAST_SOLVE_SCHWEITZER);
            check_gradient(cluster, PARCAST_SOLVE_LINEARIZER);
            parcast_nodes_destroy(&cluster);
        }
}

/* Times in other units: the cycle scales, so sum of time * derivative is the cycle. */
static void gradients_scale_with_the_unit_of_time(void **state)
{
    (void)state;
    parcast_node_network *cluster = make_cluster(20, 7, 9, true);
    for (int method = 0; method < 2; method++) {
        parcast_node_solution *solution =
            solve(cluster, method ? PARCAST_SOLVE_LINEARIZER : PARCAST_SOLVE_SCHWEITZER);
        for (size_t t = 0; t < 2; t++) {
            double sum_s = 0;
            for (size_t i = 0; i < cluster->n_times; i++)
                sum_s += cluster->time_s[i] * solution->gradient[t * cluster->n_times + i];
            assert_true(fabs(sum_s / solution->cycle_s[t] - 1) < 1e-10);
        }
        parcast_node_solution_destroy(&solution);
    }
    parcast_nodes_destroy(&cluster);
}

static void a_time_of_zero_has_a_gradient_too(void **state)
{
    (void)state;
    parcast_node_network *cluster = make_cluster(2, 2, 3, false);
    size_t i = parcast_nodes_global(cluster, 0, 0), p = parcast_nodes_private(cluster, 1, 0);
    cluster->time_s[i] = cluster->time_s[p] = 0;
    parcast_node_solution *solution = solve(cluster, PARCAST_SOLVE_SCHWEITZER);
    size_t indices[] = {i, p};
    for (size_t j = 0; j < 2; j++) {
        double before = cycle(cluster, PARCAST_SOLVE_SCHWEITZER, 0);
        cluster->time_s[indices[j]] = 1e-6;
        double after = cycle(cluster, PARCAST_SOLVE_SCHWEITZER, 0);
        cluster->time_s[indices[j]] = 0;
        assert_true(fabs((after - before) / 1e-6 - solution->gradient[indices[j]]) < 1e-4);
    }
    parcast_node_solution_destroy(&solution);
    parcast_nodes_destroy(&cluster);
}

static void the_edges_of_a_cluster_are_plain(void **state)
{
    (void)state;
    parcast_node_network *one = NULL;
    assert_int_equal(parcast_nodes_create(1, 1, 1, 0, &one, NULL), PARCAST_OK);
    one->jobs[0] = 4;
    one->servers[0] = 8;
    one->time_s[parcast_nodes_private(one, 0, 0)] = 2; /* a core each, nobody to talk to */
    assert_true(cycle(one, PARCAST_SOLVE_SCHWEITZER, 0) == 2);
    one->servers[0] = 2; /* two share a core */
    assert_true(fabs(cycle(one, PARCAST_SOLVE_LINEARIZER, 0) - 4) < 1e-14);
    one->jobs[0] = 0;
    assert_true(cycle(one, PARCAST_SOLVE_LINEARIZER, 0) == 0);
    parcast_nodes_destroy(&one);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    parcast_node_solution *solution = NULL;
    parcast_node_network *cluster = NULL;
    assert_int_equal(parcast_nodes_create(0, 1, 1, 1, &cluster, NULL), PARCAST_INVALID);
    assert_int_equal(parcast_nodes_create(65, 1, 1, 1, &cluster, NULL), PARCAST_LIMIT);
    cluster = make_cluster(1, 1, 1, false);
    assert_int_equal(parcast_nodes_solve(cluster, PARCAST_SOLVE_EXACT, false, &solution, NULL),
                     PARCAST_INVALID);
    cluster->time_s[0] = -1;
    assert_int_equal(parcast_nodes_solve(cluster, PARCAST_SOLVE_SCHWEITZER, false, &solution, NULL),
                     PARCAST_INVALID);
    memset(cluster->time_s, 0, cluster->n_times * sizeof *cluster->time_s);
    assert_int_equal(parcast_nodes_solve(cluster, PARCAST_SOLVE_SCHWEITZER, false, &solution, NULL),
                     PARCAST_INVALID);
    cluster->nodes[0] = 0;
    assert_int_equal(parcast_nodes_solve(cluster, PARCAST_SOLVE_SCHWEITZER, false, &solution, NULL),
                     PARCAST_INVALID);
    assert_null(solution);
    parcast_nodes_destroy(&cluster);
}

static void random_clusters_are_solved(void **state)
{
    (void)state;
    struct random random = {11};
    for (int i = 0; i < 300; i++) {
        parcast_node_network *cluster =
            make_cluster(1 + (int64_t)random_below(&random, 100), 1 + (int64_t)random_below(&random, 4),
                         1 + (int64_t)random_below(&random, 40), random_below(&random, 2));
        for (size_t j = 0; j < cluster->n_times; j++)
            cluster->time_s[j] = random_below(&random, 4) ? pow(10, 6 * random_unit(&random) - 3) : 0;
        cluster->time_s[0] = cluster->time_s[1] = 0.01;
        for (int method = 0; method < 2; method++) {
            parcast_node_solution *solution =
                solve(cluster, method ? PARCAST_SOLVE_LINEARIZER : PARCAST_SOLVE_SCHWEITZER);
            for (size_t t = 0; t < 2; t++) {
                assert_true(isfinite(solution->cycle_s[t]) && solution->cycle_s[t] > 0);
                for (size_t q = 0; q < 2; q++)
                    assert_true(solution->shared_utilization[t * 2 + q] <= 1 + 1e-9 || method);
            }
            for (size_t j = 0; j < 2 * cluster->n_times; j++) assert_true(isfinite(solution->gradient[j]));
            parcast_node_solution_destroy(&solution);
        }
        parcast_nodes_destroy(&cluster);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_nodes_have_the_fixed_point_of_single_ones),
        cmocka_unit_test(linearizer_is_several_times_nearer_where_the_network_is_busy),
        cmocka_unit_test(jobs_that_share_cores_are_a_few_per_mille_off),
        cmocka_unit_test(gradients_are_the_difference_quotients),
        cmocka_unit_test(gradients_scale_with_the_unit_of_time),
        cmocka_unit_test(a_time_of_zero_has_a_gradient_too),
        cmocka_unit_test(the_edges_of_a_cluster_are_plain),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(random_clusters_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
