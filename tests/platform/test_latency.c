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

static int ring(int a, int b, int d)
{
    int t = abs(a - b);
    return t < d - t ? t : d - t;
}

/* Links of the route from node a to node b, walked step by step. */
static int route_links(const parcast_network_description *n, int a, int b)
{
    int links = 0;
    if (n->topology == PARCAST_TORUS) {
        for (int i = 0; i < n->n_dims; i++) {
            links += ring(a % n->dims[i], b % n->dims[i], n->dims[i]);
            a /= n->dims[i];
            b /= n->dims[i];
        }
        return links;
    }
    if (n->topology == PARCAST_FAT_TREE) {
        for (int level = 0; a != b; level++) {
            a /= n->down[level];
            b /= n->down[level];
            links += 2;
        }
        return links;
    }
    int c = n->chassis, r = n->routers, per = n->nodes_per_router;
    int group = a / (c * r * per), chassis = a / (r * per) % c, router = a / per % r;
    int to_group = b / (c * r * per), to_chassis = b / (r * per) % c, to_router = b / per % r;
    links = 2;
    if (group != to_group) {
        links += (router != to_group) + (chassis != 0) + 1;
        router = group;
        chassis = 0;
    }
    return links + (router != to_router) + (chassis != to_chassis);
}

static double mean_by_enumeration(const parcast_network_description *network, int n)
{
    double links = 0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (a != b) links += route_links(network, a, b);
    return links / ((double)n * (n - 1));
}

static parcast_platform *machine(int nodes, const char *network)
{
    char text[512];
    parcast_platform *p = NULL;
    parcast_error error = {0};
    int length =
        snprintf(text, sizeof text,
                 "schema: parcast.platform/1\nnodes: [{type: a, count: %d, cores: 1}]\nnetwork: {%s, "
                 "bandwidth: 1 GB/s}\n",
                 nodes, network);
    if (parcast_platform_parse(text, (size_t)length, "p", &p, &error))
        fail_msg("%s: %s", network, error.text);
    return p;
}

static void closed_forms_equal_enumerated_routes(void **state)
{
    (void)state;
    static const struct {
        int nodes;
        const char *network;
    } cases[] = {
        {7, "topology: torus, dims: [7]"},
        {8, "topology: torus, dims: [2, 2, 2]"},
        {60, "topology: torus, dims: [5, 3, 4]"},
        {48, "topology: torus, dims: [1, 6, 8]"},
        {32, "topology: fat-tree, down: [4, 2, 4], up: [1, 2, 2]"},
        {45, "topology: fat-tree, down: [9, 5], up: [1, 3]"},
        {27, "topology: fat-tree, down: [1, 3, 9], up: [1, 1, 1]"},
        {72, "topology: dragonfly, groups: 3, chassis: 2, routers: 4, nodes_per_router: 3"},
        {16, "topology: dragonfly, groups: 4, chassis: 1, routers: 4, nodes_per_router: 1"},
        {54, "topology: dragonfly, groups: 3, chassis: 3, routers: 3, nodes_per_router: 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char network[256];
        snprintf(network, sizeof network, "%s, link_latency: 1", cases[i].network);
        parcast_platform *p = machine(cases[i].nodes, network);
        for (int n = 2; n <= cases[i].nodes; n++) {
            double expected = mean_by_enumeration(&p->network, n);
            if (fabs(parcast_platform_latency(p, n) - expected) > 1e-12 * expected)
                fail_msg("%s, %d nodes: %.15g, enumerated %.15g", cases[i].network, n,
                         parcast_platform_latency(p, n), expected);
        }
        parcast_platform_destroy(&p);
    }
}

static void a_star_has_the_same_latency_everywhere(void **state)
{
    (void)state;
    parcast_platform *p = machine(5, "latency: 30 us");
    assert_true(parcast_platform_latency(p, 2) == p->network.latency_s);
    assert_true(parcast_platform_latency(p, 5) == p->network.latency_s);
    assert_true(parcast_platform_latency(p, 500) == p->network.latency_s);
    assert_true(parcast_platform_latency(p, 1) == 0);
    assert_float_equal(parcast_platform_link_latency(p), 15e-6, 1e-18);
    parcast_platform_destroy(&p);
}

static void latency_and_link_latency_describe_the_same_machine(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        int links;
    } cases[] = {{"topology: star", 2},
                 {"topology: torus, dims: [4, 4]", 1},
                 {"topology: fat-tree, down: [4, 4], up: [1, 2]", 2},
                 {"topology: dragonfly, groups: 2, chassis: 2, routers: 4, nodes_per_router: 1", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s, link_latency: 2 us", cases[i].topology);
        parcast_platform *by_link = machine(16, text);
        assert_int_equal(parcast_platform_neighbour_links(by_link), cases[i].links);
        assert_float_equal(by_link->network.latency_s, cases[i].links * 2e-6, 1e-18);
        snprintf(text, sizeof text, "%s, latency: %d us", cases[i].topology, 2 * cases[i].links);
        parcast_platform *by_pair = machine(16, text);
        assert_float_equal(parcast_platform_link_latency(by_pair), 2e-6, 1e-18);
        assert_float_equal(parcast_platform_latency(by_pair, 16), parcast_platform_latency(by_link, 16),
                           1e-17);
        parcast_platform_destroy(&by_pair);
        parcast_platform_destroy(&by_link);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_equal_enumerated_routes),
        cmocka_unit_test(a_star_has_the_same_latency_everywhere),
        cmocka_unit_test(latency_and_link_latency_describe_the_same_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
