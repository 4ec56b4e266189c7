#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parcast/platform.h"

#define HEAD    "schema: parcast.platform/1\n"
#define NODE    "nodes: [{type: a, count: 2, cores: 4}]\n"
#define NETWORK "network: {latency: 30 us, bandwidth: 1 Gbit/s}\n"

static parcast_platform *load_example(const char *name)
{
    char path[512];
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    snprintf(path, sizeof path, "%s/%s.yaml", EXAMPLES, name);
    if (parcast_platform_load(path, &platform, &error))
        fail_msg("%s:%d: %s", error.source, error.line, error.text);
    return platform;
}

static parcast_status parse(const char *text, parcast_platform **platform, parcast_error *error)
{
    return parcast_platform_parse(text, strlen(text), "p.yaml", platform, error);
}

static void the_mixed_example_is_read(void **state)
{
    (void)state;
    parcast_platform *p = load_example("eight-nodes");
    assert_string_equal(p->name, "eight-nodes");
    assert_string_equal(p->currency, "USD");
    assert_int_equal(p->n_types, 2);
    assert_string_equal(p->types[1].name, "big");
    assert_int_equal(p->types[1].count, 4);
    assert_int_equal(p->types[1].cores, 16);
    assert_true(p->types[1].speed == 1.35 && p->types[1].speed_given);
    assert_true(p->types[1].memory_bandwidth_bytes_per_s == 80e9);
    assert_true(p->types[1].price_per_hour == 1.90);
    assert_true(isnan(p->types[1].flop_rate_flop_per_s));
    assert_int_equal(p->network.topology, PARCAST_STAR);
    assert_float_equal(p->network.latency_s, 30e-6, 1e-18);
    assert_true(isnan(p->network.link_latency_s));
    assert_true(p->network.bandwidth_bytes_per_s == 125e6);
    assert_true(p->shared_memory.bandwidth_bytes_per_s == 8e9);
    assert_int_equal(parcast_platform_nodes(p), 8);
    assert_int_equal(parcast_platform_cores(p), 80);
    parcast_platform_destroy(&p);
    assert_null(p);
}

static void the_cloud_example_is_read(void **state)
{
    (void)state;
    parcast_platform *p = load_example("cloud");
    assert_true(p->billing_unit_s == 60);
    assert_true(p->types[0].startup_delay_s == 90);
    assert_int_equal(p->types[0].sockets, 2);
    assert_int_equal(p->types[0].n_memory_scaling, 8);
    assert_true(p->types[0].memory_scaling[3] == 5.6);
    assert_true(p->types[0].speed == 1 && !p->types[0].speed_given);
    assert_int_equal(p->network.topology, PARCAST_FAT_TREE);
    assert_int_equal(p->network.n_levels, 2);
    assert_int_equal(p->network.down[1], 4);
    assert_true(p->network.bisection_bytes_per_s == 25e9);
    assert_float_equal(p->network.latency_s, 8e-6, 1e-18); /* two links to a node on the same switch */
    parcast_platform_destroy(&p);
}

static void the_half_duplex_example_is_read(void **state)
{
    (void)state;
    parcast_platform *p = load_example("old-cluster");
    assert_int_equal(p->network.duplex, PARCAST_HALF_DUPLEX);
    assert_string_equal(p->network.sharing, "equal-share");
    assert_true(p->types[0].cpu_in == 0.33);
    assert_true(p->types[0].flop_rate_flop_per_s == 120e6);
    assert_true(parcast_platform_link_bandwidth(p, 0) == 12.5e6);
    assert_true(parcast_platform_link_bandwidth(p, 1) == 1.25e6);
    assert_int_equal(p->network.n_bandwidth_factors, 3);
    assert_true(p->network.bandwidth_factors[1].bytes == 1024);
    assert_true(p->network.bandwidth_factors[2].value == 0.94);
    parcast_platform_destroy(&p);
}

static void a_single_node_needs_no_network(void **state)
{
    (void)state;
    parcast_platform *p = NULL;
    assert_int_equal(parse(HEAD "nodes: [{type: me, count: 1, cores: 2}]\n", &p, NULL), PARCAST_OK);
    assert_string_equal(p->name, "p");
    assert_true(p->shared_memory.latency_s == 0.5e-6);
    assert_true(p->shared_memory.bandwidth_bytes_per_s == 5e9);
    assert_true(parcast_platform_latency(p, 1) == 0);
    parcast_platform_destroy(&p);
}

static void every_network_key_is_read(void **state)
{
    (void)state;
    parcast_platform *p = NULL;
    assert_int_equal(
        parse(HEAD NODE
              "network: {topology: dragonfly, groups: [2, 3], chassis: 2, routers: [2, 4], "
              "nodes_per_router: 2, link_latency: 1 us, bandwidth: 1 GB/s, duplex: half, overhead: 2 us,"
              "bisection: 4 GB/s, routing: peer-compat, collectives: openmpi, weights: latency, "
              "weight_size: 8775, crosstraffic: 0.05, window: 4 MiB, envelope: 16, eager_below: 64 KiB,"
              "detached_below: 128 KiB, latency_factors: [[0, 2], [1000, 1]],"
              "loggops: {L: 5 us, o: 1 us, g: 2 us, G: 0.3 ns, O: 0.1 ns, S: 64 KiB}}\n",
              &p, NULL),
        PARCAST_OK);
    const parcast_network_description *n = &p->network;
    assert_int_equal(n->groups, 2);
    assert_int_equal(n->group_cables, 3);
    assert_int_equal(n->chassis_cables, 1);
    assert_int_equal(n->router_cables, 4);
    assert_int_equal(n->nodes_per_router, 2);
    assert_true(n->weights == 1 && n->weight_size_bytes == 8775 && n->crosstraffic == 0.05);
    assert_true(n->window_bytes == 4194304 && n->envelope_bytes == 16);
    assert_true(n->eager_below_bytes == 65536 && n->detached_below_bytes == 131072);
    assert_string_equal(n->collectives, "openmpi");
    assert_string_equal(n->routing, "peer-compat");
    assert_int_equal(n->n_latency_factors, 2);
    assert_true(n->loggops.given);
    assert_float_equal(n->loggops.G_s_per_byte, 0.3e-9, 1e-24);
    assert_true(n->loggops.S_bytes == 65536);
    parcast_platform_destroy(&p);
}

struct bad {
    const char *text;
    parcast_status status;
    int line;
    const char *says;
    const char *hint; /* part of it, NULL: any */
};

static const struct bad bads[] = {
    {"", PARCAST_FORMAT, 0, "empty", NULL},
    {"# only a comment\n", PARCAST_FORMAT, 0, "empty", NULL},
    {"hello\n", PARCAST_FORMAT, 1, "no platform file", NULL},
    {"- 1\n- 2\n", PARCAST_FORMAT, 1, "no platform file", NULL},
    {"nodes: []\n", PARCAST_FORMAT, 1, "schema", "parcast.platform/1"},
    {"schema: parcast.platform/2\n" NODE NETWORK, PARCAST_FORMAT, 1, "parcast.platform/2", "another version"},
    {"schema: [1]\n", PARCAST_FORMAT, 1, "schema", NULL},
    {HEAD NETWORK, PARCAST_FORMAT, 1, "'nodes' is missing", NULL},
    {HEAD NODE, PARCAST_FORMAT, 1, "'network' is missing", "topology: star"},
    {HEAD "nodes: {type: a}\n" NETWORK, PARCAST_FORMAT, 2, "'nodes' takes a list", NULL},
    {HEAD "nodes: []\n" NETWORK, PARCAST_DATA, 2, "0 node types", NULL},
    {HEAD "nodes: [3]\n" NETWORK, PARCAST_FORMAT, 2, "must be a mapping", NULL},
    {HEAD "nodes:\n  - type: a\n    count: 2\n    core: 4\n" NETWORK, PARCAST_FORMAT, 5, "unknown key 'core'",
     "did you mean 'cores'"},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, zzzzzzzz: 1}]\n" NETWORK, PARCAST_FORMAT, 2, "'zzzzzzzz'",
     "known keys: type, hosts, count"},
    {HEAD NODE NETWORK "netwrok: 1\n", PARCAST_FORMAT, 4, "'netwrok'", "'network'"},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, count: 3}]\n" NETWORK, PARCAST_FORMAT, 2,
     "'count' stands twice", NULL},
    {HEAD NODE NODE NETWORK, PARCAST_FORMAT, 3, "'nodes' stands twice", NULL},
    {HEAD "nodes: [{type: a, count: 1, cores: 1},\n {type: a, count: 1, cores: 1}]\n" NETWORK, PARCAST_DATA,
     3, "earlier node type", NULL},
    {HEAD "nodes: [{count: 2, cores: 4}]\n" NETWORK, PARCAST_FORMAT, 2, "'type' is missing", NULL},
    {HEAD "nodes: [{type: a, count: 0, cores: 4}]\n" NETWORK, PARCAST_DATA, 2, "'count'", NULL},
    {HEAD "nodes: [{type: a, count: -2, cores: 4}]\n" NETWORK, PARCAST_DATA, 2, "'count'", NULL},
    {HEAD "nodes: [{type: a, count: 99999999999, cores: 4}]\n" NETWORK, PARCAST_DATA, 2, "'count'", NULL},
    {HEAD "nodes: [{type: a, count: 10000000, cores: 65536}]\n" NETWORK, PARCAST_DATA, 2, "1e9 cores", NULL},
    {HEAD "nodes: [{type: a, count: 2.5, cores: 4}]\n" NETWORK, PARCAST_FORMAT, 2, "whole number", NULL},
    {HEAD "nodes: [{type: a, count: two, cores: 4}]\n" NETWORK, PARCAST_FORMAT, 2, "'two' is not a number",
     NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, sockets: 3}]\n" NETWORK, PARCAST_DATA, 2, "sockets", NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, speed: 0}]\n" NETWORK, PARCAST_DATA, 2, "'speed'", NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, speed: nan}]\n" NETWORK, PARCAST_FORMAT, 2, "'speed'", NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, speed: .inf}]\n" NETWORK, PARCAST_FORMAT, 2, "'speed'",
     NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, speed: }]\n" NETWORK, PARCAST_FORMAT, 2, "no value", NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, price_per_hour: -1}]\n" NETWORK, PARCAST_DATA, 2,
     "price_per_hour", NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, cpu_in: 1.5}]\n" NETWORK, PARCAST_DATA, 2, "'cpu_in'", NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 4, memory_bandwidth: 25 GHz}]\n" NETWORK, PARCAST_FORMAT, 2,
     "unknown unit 'GHz'", "GB/s"},
    {HEAD "nodes: [{type: a, count: 2, cores: 2, memory_scaling: [1, 2, 3]}]\n" NETWORK, PARCAST_DATA, 2,
     "3 entries for 2 cores", NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 2, memory_scaling: [2, 3]}]\n" NETWORK, PARCAST_DATA, 2,
     "begin with 1", NULL},
    {HEAD "nodes: [{type: a, count: 2, cores: 2, memory_scaling: 1}]\n" NETWORK, PARCAST_FORMAT, 2, "a list",
     NULL},
    {HEAD NODE "network: {bandwidth: 1 GB/s}\n", PARCAST_FORMAT, 3, "'latency' is missing", NULL},
    {HEAD NODE "network: {latency: 1 us}\n", PARCAST_FORMAT, 3, "'bandwidth' is missing", NULL},
    {HEAD NODE "network: {latency: 30, bandwidth: 1 GB/s}\n", PARCAST_DATA, 3, "'latency'", "in seconds"},
    {HEAD NODE "network: {latency: 30 us, bandwidth: 0}\n", PARCAST_DATA, 3, "'bandwidth'", NULL},
    {HEAD NODE "network: {latency: 30 us, link_latency: 3 us, bandwidth: 1 GB/s}\n", PARCAST_DATA, 3,
     "one of them", NULL},
    {HEAD NODE "network: {topology: ring, latency: 1 us, bandwidth: 1 GB/s}\n", PARCAST_FORMAT, 3,
     "star, fat-tree, torus, dragonfly", NULL},
    {HEAD NODE "network: {topology: torus, latency: 1 us, bandwidth: 1 GB/s}\n", PARCAST_FORMAT, 3, "'dims'",
     NULL},
    {HEAD NODE "network: {topology: torus, dims: [1, 1], latency: 1 us, bandwidth: 1 GB/s}\n", PARCAST_DATA,
     3, "places for 1 nodes, not for 2", NULL},
    {HEAD NODE "network: {topology: torus, dims: [], latency: 1 us, bandwidth: 1 GB/s}\n", PARCAST_FORMAT, 3,
     "empty", NULL},
    {HEAD NODE "network: {topology: torus, dims: [2,1,1,1,1,1,1,1,1], latency: 1 us, bandwidth: 1 GB/s}\n",
     PARCAST_DATA, 3, "more than 8", NULL},
    {HEAD NODE "network: {dims: [2], latency: 1 us, bandwidth: 1 GB/s}\n", PARCAST_DATA, 3, "topology torus",
     NULL},
    {HEAD NODE "network: {topology: fat-tree, down: [2, 2], up: [1], latency: 1 us, bandwidth: 1 GB/s}\n",
     PARCAST_DATA, 3, "1 levels where others have 2", NULL},
    {HEAD NODE "network: {topology: dragonfly, groups: 3, chassis: 1, routers: 2, nodes_per_router: 1, "
               "latency: 1 us, bandwidth: 1 GB/s}\n",
     PARCAST_DATA, 3, "'groups'", NULL},
    {HEAD NODE
     "network: {topology: dragonfly, groups: [1, 2, 3], chassis: 1, routers: 2, nodes_per_router: 1, "
     "latency: 1 us, bandwidth: 1 GB/s}\n",
     PARCAST_FORMAT, 3, "[count, cables of a link]", NULL},
    {HEAD NODE "network: {eager_below: 2 kB, detached_below: 1 kB, latency: 1 us, bandwidth: 1 GB/s}\n",
     PARCAST_DATA, 3, "detached_below", NULL},
    {HEAD NODE "network: {bandwidth_factors: [[10, 1], [5, 1]], latency: 1 us, bandwidth: 1 GB/s}\n",
     PARCAST_DATA, 3, "ascend", NULL},
    {HEAD NODE "network: {overlap: [[0, 1.2]], latency: 1 us, bandwidth: 1 GB/s}\n", PARCAST_DATA, 3,
     "key 'overlap': '1.2' is more than 1", NULL},
    {HEAD NODE "network: {bandwidth_factors: [[10, 1, 3]], latency: 1 us, bandwidth: 1 GB/s}\n",
     PARCAST_FORMAT, 3, "[size, value]", NULL},
    {HEAD NODE "network: {loggops: {L: 5 us}, latency: 1 us, bandwidth: 1 GB/s}\n", PARCAST_FORMAT, 3,
     "missing in loggops", NULL},
    {HEAD NODE NETWORK "shared_memory: {latency: 1 us, speed: 3}\n", PARCAST_FORMAT, 4, "shared_memory",
     NULL},
    {HEAD NODE NETWORK "name: [1]\n", PARCAST_FORMAT, 4, "'name' takes a single value", NULL},
    {HEAD "nodes: &n [{type: a, count: 1, cores: 1}]\n", PARCAST_FORMAT, 2, "anchor", NULL},
    {HEAD "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", PARCAST_FORMAT, 2, "anchor", NULL},
    {HEAD "nodes: *n\n", PARCAST_FORMAT, 2, "alias", NULL},
    {HEAD "? [a, b]\n: 3\n", PARCAST_FORMAT, 2, "key must be a word", NULL},
    {HEAD NODE NETWORK "---\n" HEAD, PARCAST_FORMAT, 4, "second document", NULL},
    {HEAD "nodes: [{type: a, count: 1\n", PARCAST_FORMAT, 3, "not YAML", NULL},
    {HEAD "name: \"a\\0b\"\n", PARCAST_FORMAT, 2, "zero byte", NULL},
    {HEAD "name: caf\xe9 noir\n", PARCAST_FORMAT, 2, "UTF-8", NULL},
    {HEAD "name: \x01\n", PARCAST_FORMAT, 2, "UTF-8", NULL},
};

static void malformed_platforms_are_refused_with_line_and_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        parcast_platform *p = NULL;
        parcast_error error = {0};
        parcast_status status = parse(bads[i].text, &p, &error);
        if (status != bads[i].status || error.line != bads[i].line || !strstr(error.text, bads[i].says) ||
            strcmp(error.source, "p.yaml") != 0 || (bads[i].hint && !strstr(error.hint, bads[i].hint)))
            fail_msg("%s\ngives %s, line %d: %s (hint: %s)", bads[i].text, parcast_status_name(status),
                     error.line, error.text, error.hint);
        assert_null(p);
    }
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    char *text = malloc(DEPTH + 64);
    assert_non_null(text);
    int n = sprintf(text, HEAD "nodes: ");
    memset(text + n, '[', DEPTH);
    parcast_platform *p = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_platform_parse(text, (size_t)n + DEPTH, "p", &p, &error), PARCAST_FORMAT);
    assert_null(p);
    for (int i = 0; i < DEPTH / 2; i++) text[n + 2 * i] = '-', text[n + 2 * i + 1] = ' ';
    assert_int_equal(parcast_platform_parse(text, (size_t)n + DEPTH, "p", &p, &error), PARCAST_FORMAT);
    free(text);
}

static void huge_files_are_refused_without_reading_them(void **state)
{
    (void)state;
    char path[] = "/tmp/parcast-platform-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, 100000000), 0);
    parcast_platform *p = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_platform_load(path, &p, &error), PARCAST_FORMAT);
    assert_non_null(strstr(error.text, "larger than"));
    close(file);
    unlink(path);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    parcast_platform *p = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_platform_load("/nonexistent/p.yaml", &p, &error), PARCAST_IO);
    assert_string_equal(error.text, "cannot open '/nonexistent/p.yaml': No such file or directory");
    assert_int_equal(parcast_platform_load("/tmp", &p, &error), PARCAST_IO);
    assert_non_null(strstr(error.text, "directory"));
    assert_null(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mixed_example_is_read),
        cmocka_unit_test(the_cloud_example_is_read),
        cmocka_unit_test(the_half_duplex_example_is_read),
        cmocka_unit_test(a_single_node_needs_no_network),
        cmocka_unit_test(every_network_key_is_read),
        cmocka_unit_test(malformed_platforms_are_refused_with_line_and_key),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(huge_files_are_refused_without_reading_them),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
