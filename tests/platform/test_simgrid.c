/* SimGrid's platform files: clusters and stars become what they are, everything else is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/platform.h"
#include "platform/simgrid_units.h"

#define XML                                                                                                  \
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n<platform "        \
    "version='4.1'>\n"
#define CLUSTER                                                                                              \
    "<cluster id='c' prefix='h' suffix='' radical='0-7,16' speed='2Gf,1Gf' core='4' bw='125MBps' "           \
    "lat='50us' "

static parcast_platform *load(const char *text)
{
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    if (parcast_platform_parse(text, strlen(text), "x.xml", &platform, &error))
        fail_msg("line %d: %s %s", error.line, error.text, error.hint);
    return platform;
}

static void a_cluster_is_a_star_with_the_settings_of_smpi(void **state)
{
    parcast_platform *p = load(XML CLUSTER "loopback_bw='10GBps' loopback_lat='1us'/></platform>");
    const parcast_network_description *n = &p->network;
    (void)state;
    assert_int_equal(n->topology, PARCAST_STAR);
    assert_int_equal(parcast_platform_nodes(p), 9);
    assert_int_equal(p->types[0].cores, 4);
    assert_float_equal(p->types[0].flop_rate_flop_per_s, 2e9, 0);
    assert_float_equal(n->bandwidth_bytes_per_s, 1.25e8, 0);
    assert_float_equal(n->link_latency_s, 5e-5, 1e-18);
    assert_int_equal(n->duplex, PARCAST_FULL_DUPLEX);
    assert_float_equal(n->weight_size_bytes, 8775, 0);
    assert_float_equal(n->crosstraffic, 0.05, 0);
    assert_float_equal(n->window_bytes, 4194304, 0);
    assert_float_equal(n->envelope_bytes, 16, 0);
    assert_float_equal(n->detached_below_bytes, 65536, 0);
    assert_int_equal(n->n_bandwidth_factors, 9);
    assert_int_equal(n->n_latency_factors, 9);
    assert_string_equal(n->collectives, "naive");
    assert_float_equal(p->shared_memory.bandwidth_bytes_per_s, 1e10, 0);
    parcast_platform_destroy(&p);
}

static void settings_of_the_file_count(void **state)
{
    parcast_platform *p = load(
        XML
        "<config><prop id='network/model' value='LV08'/><prop id='network/crosstraffic' value='0'/>\n"
        "<prop id='smpi/async-small-thresh' value='4096'/><prop id='network/TCP-gamma' value='0'/></config>\n"
        "<zone id='w' routing='Full'>" CLUSTER "sharing_policy='SHARED'/></zone></platform>");
    const parcast_network_description *n = &p->network;
    (void)state;
    assert_int_equal(n->duplex, PARCAST_HALF_DUPLEX);
    assert_int_equal(n->n_bandwidth_factors, 1);
    assert_float_equal(n->bandwidth_factors[0].value, 0.97, 0);
    assert_float_equal(n->weight_size_bytes, 20537, 0);
    assert_float_equal(n->crosstraffic, 0, 0);
    assert_float_equal(n->eager_below_bytes, 4096, 0);
    parcast_platform_destroy(&p);
}

static void topologies_have_their_parameters(void **state)
{
    (void)state;
    parcast_platform *p = load(XML CLUSTER "topology='TORUS' topo_parameters='3,3'/></platform>");
    assert_int_equal(p->network.topology, PARCAST_TORUS);
    assert_int_equal(p->network.dims[1], 3);
    parcast_platform_destroy(&p);
    p = load(XML CLUSTER "topology='FAT_TREE' topo_parameters='2;4,3;1,2;1,2'/></platform>");
    assert_int_equal(p->network.topology, PARCAST_FAT_TREE);
    assert_int_equal(p->network.down[1], 3);
    assert_int_equal(p->network.up[1], 2);
    assert_int_equal(p->network.parallel[1], 2);
    parcast_platform_destroy(&p);
    p = load(XML CLUSTER "topology='DRAGONFLY' topo_parameters='2,3;1,1;4,1;2'/></platform>");
    assert_int_equal(p->network.topology, PARCAST_DRAGONFLY);
    assert_int_equal(p->network.groups, 2);
    assert_int_equal(p->network.group_cables, 3);
    assert_int_equal(p->network.nodes_per_router, 2);
    assert_string_equal(p->network.routing, "peer-compat");
    parcast_platform_destroy(&p);
}

#define HOSTS "<host id='a' speed='1Gf'/><host id='b' speed='2Gf' core='2'/><host id='c' speed='1Gf'/>\n"
#define LINKS                                                                                                \
    "<link id='la' bandwidth='1Gbps' latency='1ms' sharing_policy='SPLITDUPLEX'/>\n"                         \
    "<link id='lb' bandwidth='10MBps' latency='2ms' sharing_policy='SPLITDUPLEX'/>\n"                        \
    "<link id='lc' bandwidth='1MiBps' sharing_policy='SPLITDUPLEX'/>\n"
#define ROUTE(a, b)                                                                                          \
    "<route src='" a "' dst='" b "'><link_ctn id='l" a "' direction='UP'/><link_ctn id='l" b                 \
    "' direction='DOWN'/></route>\n"

static void hosts_whose_routes_make_a_star_are_one(void **state)
{
    parcast_platform *p = load(XML "<zone id='z' routing='Full'>" HOSTS LINKS ROUTE("a", "b")
                                   ROUTE("b", "c") "</zone></platform>");
    (void)state;
    assert_int_equal(parcast_platform_nodes(p), 3);
    assert_int_equal(p->types[1].cores, 2);
    assert_float_equal(p->types[0].bandwidth_bytes_per_s, 1.25e8, 0);
    assert_float_equal(p->types[1].link_latency_s, 2e-3, 1e-18);
    assert_float_equal(p->types[2].bandwidth_bytes_per_s, 1048576, 0);
    assert_float_equal(p->types[2].link_latency_s, 0, 0);
    parcast_platform_destroy(&p);
}

static void expect(const char *text, parcast_status status, int line, const char *part)
{
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_platform_parse(text, strlen(text), "x.xml", &platform, &error), status);
    if (!strstr(error.text, part) || error.line != line)
        fail_msg("line %d: '%s' lacks '%s'", error.line, error.text, part);
    assert_null(platform);
}

static void what_has_no_counterpart_is_refused_by_name(void **state)
{
    (void)state;
    expect(XML CLUSTER "bb_bw='1GBps'/></platform>", PARCAST_UNSUPPORTED, 4, "bb_bw");
    expect(XML CLUSTER "sharing_policy='FATPIPE'/></platform>", PARCAST_UNSUPPORTED, 4, "FATPIPE");
    expect(XML CLUSTER "/>\n" CLUSTER "/></platform>", PARCAST_UNSUPPORTED, 5, "more than one cluster");
    expect(XML CLUSTER "topology='SLIM_FLY' topo_parameters='1'/></platform>", PARCAST_UNSUPPORTED, 4,
           "SLIM_FLY");
    expect(XML "<peer id='p'/></platform>", PARCAST_UNSUPPORTED, 4, "'peer'");
    expect(XML "<config><prop id='smpi/os' value='1'/></config>" CLUSTER "/></platform>", PARCAST_UNSUPPORTED,
           4, "smpi/os");
    expect(XML HOSTS LINKS "<route src='a' dst='b'><link_ctn id='la'/></route></platform>",
           PARCAST_UNSUPPORTED, 8, "two links");
    expect(XML HOSTS LINKS "<route src='a' dst='b'><link_ctn id='la'/><link_ctn id='la'/></route></platform>",
           PARCAST_UNSUPPORTED, 8, "two hosts have the link");
    expect(XML HOSTS LINKS ROUTE("a", "b") "</platform>", PARCAST_FORMAT, 9,
           "no route shows the link of host 'c'");
    expect(XML HOSTS "<route src='a' dst='x'/></platform>", PARCAST_UNSUPPORTED, 5, "'x'");
    expect(XML "<cluster id='c' radical='0-3' speed='1Gf' bw='fast' lat='1us'/></platform>", PARCAST_FORMAT,
           4, "bw cannot be 'fast'");
    expect(XML "<cluster id='c' radical='3-0' speed='1Gf' bw='1Bps' lat='1us'/></platform>", PARCAST_FORMAT,
           4, "'3-0'");
    expect(XML "<cluster id='c' radical='0-3' bw='1Bps' lat='1us'/></platform>", PARCAST_FORMAT, 4,
           "'speed'");
    expect(XML "</platform>", PARCAST_FORMAT, 4, "neither a cluster nor a host");
    expect(XML "<zone></platform>", PARCAST_FORMAT, 4, "no XML");
    /* found when the text is our own: no place for 9 nodes */
    expect(XML CLUSTER "topology='TORUS' topo_parameters='2,2'/></platform>", PARCAST_DATA, 0, "");
}

static void numbers_have_units(void **state)
{
    double value;
    int count;
    (void)state;
    assert_true(simgrid_bandwidth("8bps", &value) && value == 1);
    assert_true(simgrid_bandwidth("1.5GiBps", &value) && value == 1.5 * 1073741824.0);
    assert_false(simgrid_bandwidth("1GB", &value));
    assert_false(simgrid_bandwidth("-1GBps", &value));
    assert_true(simgrid_time("3m", &value) && value == 180);
    assert_false(simgrid_time("nan", &value));
    assert_true(simgrid_speed("100Mf,50Mf", &value) && value == 1e8);
    assert_false(simgrid_speed("", &value));
    assert_true(simgrid_radical("1,4-6,9", &count) && count == 5);
    assert_false(simgrid_radical("1,", &count));
    assert_false(simgrid_radical("0-99999999999", &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cluster_is_a_star_with_the_settings_of_smpi),
        cmocka_unit_test(settings_of_the_file_count),
        cmocka_unit_test(topologies_have_their_parameters),
        cmocka_unit_test(hosts_whose_routes_make_a_star_are_one),
        cmocka_unit_test(what_has_no_counterpart_is_refused_by_name),
        cmocka_unit_test(numbers_have_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
