/*
 * parcast probe: measure this machine, or the hosts of an allocation, and write a platform file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "parcast/probe.h"
#include "parcast/units.h"
#include "probe_launch.h"
#include "table.h"

struct options {
    struct cli_common common;
    char *output, *mpiexec;
    int ranks, pretend_hosts;
};

static void show_progress(const char *step, void *data)
{
    const struct cli_common *common = data;
    if (common->quiet || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[Kmeasuring: %s", step);
    fflush(stderr);
}

static void end_progress(const struct cli_common *common)
{
    if (common->quiet || !isatty(STDERR_FILENO)) return;
    fputs("\r\033[K", stderr);
}

static int measure_here(const struct cli_common *common, parcast_probe *probe)
{
    parcast_error error;
    parcast_probe result = {.bisection_bytes_per_s = NAN};
    result.hosts = calloc(1, sizeof *result.hosts);
    if (!result.hosts) {
        parcast_error_set(&error, PARCAST_MEMORY, NULL, 0, "out of memory");
        return cli_fail(common, &error);
    }
    parcast_status status = parcast_probe_node(true, show_progress, (void *)common, result.hosts, &error);
    end_progress(common);
    if (status) {
        parcast_probe_destroy(&result);
        return cli_fail(common, &error);
    }
    result.n_hosts = 1;
    *probe = result;
    return 0;
}

/* platform.yaml is "platform"; without a file the first host gives the name. */
static const char *platform_name(const struct options *options, const parcast_probe *probe, char *name,
                                 size_t size)
{
    const char *from = options->output && strcmp(options->output, "-") != 0 ? options->output : NULL;
    const char *slash = from ? strrchr(from, '/') : NULL;
    if (slash) from = slash + 1;
    if (!from || strcspn(from, ".") == 0) from = probe->n_hosts ? probe->hosts[0].name : "platform";
    snprintf(name, size, "%.*s", (int)strcspn(from, "."), from);
    return name[0] ? name : "platform";
}

static json_t *types_json(const parcast_platform *platform)
{
    json_t *list = json_array();
    for (size_t i = 0; i < platform->n_types; i++) {
        const parcast_node_type *type = &platform->types[i];
        json_t *object = json_pack("{s:s, s:i, s:i, s:i}", "type", type->name, "count", type->count, "cores",
                                   type->cores, "sockets", type->sockets);
        json_object_set_new(object, "calibration", cli_json_number(type->calibration));
        json_object_set_new(object, "flop_rate_flop_per_s", cli_json_number(type->flop_rate_flop_per_s));
        json_object_set_new(object, "memory_bytes", cli_json_number(type->memory_bytes));
        json_object_set_new(object, "memory_bandwidth_bytes_per_s",
                            cli_json_number(type->memory_bandwidth_bytes_per_s));
        json_t *scaling = json_array();
        for (size_t j = 0; j < type->n_memory_scaling; j++)
            json_array_append_new(scaling, json_real(type->memory_scaling[j]));
        json_object_set_new(object, "memory_scaling", scaling);
        json_object_set_new(object, "bandwidth_bytes_per_s",
                            cli_json_number(parcast_platform_link_bandwidth(platform, i)));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *hosts_json(const parcast_probe *probe)
{
    json_t *list = json_array();
    for (size_t i = 0; i < probe->n_hosts; i++) {
        const parcast_probe_host *host = &probe->hosts[i];
        json_t *object = json_pack("{s:o, s:i, s:i}", "name", cli_json_text(host->name), "ranks", host->ranks,
                                   "cores", host->cores);
        json_object_set_new(object, "calibration", cli_json_number(host->calibration));
        json_object_set_new(object, "calibration_busy", cli_json_number(host->calibration_busy));
        json_object_set_new(object, "dilation_ratio", cli_json_number(host->dilation_ratio));
        json_object_set_new(object, "load_ratio", cli_json_number(host->load_ratio));
        json_object_set_new(object, "shared_latency_s", cli_json_number(host->shared_latency_s));
        json_object_set_new(object, "shared_bandwidth_bytes_per_s",
                            cli_json_number(host->shared_bandwidth_bytes_per_s));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *pairs_json(const parcast_probe *probe)
{
    json_t *list = json_array();
    for (size_t i = 0; i < probe->n_pairs; i++) {
        const parcast_probe_pair *pair = &probe->pairs[i];
        json_t *points = json_array();
        for (int k = 0; k < pair->n_sizes; k++)
            json_array_append_new(
                points, json_pack("{s:f, s:f}", "bytes", pair->bytes[k], "one_way_s", pair->one_way_s[k]));
        json_t *object = json_pack("{s:o, s:o, s:o}", "from", cli_json_text(probe->hosts[pair->a].name), "to",
                                   cli_json_text(probe->hosts[pair->b].name), "messages", points);
        json_t *overlap = json_array();
        for (int k = 0; k < pair->n_overlap; k++)
            json_array_append_new(overlap, json_pack("{s:f, s:f}", "bytes", pair->overlap_bytes[k],
                                                     "overlap_ratio", pair->overlap_ratio[k]));
        json_object_set_new(object, "overlap", overlap);
        json_object_set_new(object, "eager_up_to_bytes", cli_json_number(pair->eager_up_to_bytes));
        json_object_set_new(object, "overhead_s", cli_json_number(pair->overhead_s));
        json_object_set_new(object, "both_ways_ratio", cli_json_number(pair->both_ways_ratio));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *network_json(const parcast_platform *platform)
{
    const parcast_network_description *n = &platform->network;
    if (isnan(n->bandwidth_bytes_per_s)) return json_null();
    json_t *object = json_pack("{s:s, s:s}", "topology", "star", "duplex",
                               n->duplex == PARCAST_HALF_DUPLEX ? "half" : "full");
    json_object_set_new(object, "latency_s", cli_json_number(n->latency_s));
    json_object_set_new(object, "overhead_s", cli_json_number(n->overhead_s));
    json_object_set_new(object, "bandwidth_bytes_per_s", cli_json_number(n->bandwidth_bytes_per_s));
    json_object_set_new(object, "bisection_bytes_per_s", cli_json_number(n->bisection_bytes_per_s));
    json_t *overlap = json_array();
    for (size_t i = 0; i < n->n_overlap; i++)
        json_array_append_new(overlap, json_pack("{s:f, s:f}", "from_bytes", n->overlap[i].bytes,
                                                 "overlap_ratio", n->overlap[i].value));
    json_object_set_new(object, "overlap", overlap);
    return object;
}

enum { MAX_NOTES = 32 };

static void print_json(const parcast_probe *probe, const parcast_platform *platform, double wall_s)
{
    char notes[MAX_NOTES][PARCAST_PROBE_NOTE];
    size_t n_notes = parcast_probe_notes(probe, notes, MAX_NOTES);
    json_t *texts = json_array();
    for (size_t i = 0; i < n_notes; i++) json_array_append_new(texts, cli_json_text(notes[i]));
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", "parcast.probe/1", "name", platform->name, "mpi",
                  probe->mpi, "node_types", types_json(platform), "network", network_json(platform));
    json_object_set_new(root, "shared_memory",
                        json_pack("{s:f, s:f}", "latency_s", platform->shared_memory.latency_s,
                                  "bandwidth_bytes_per_s", platform->shared_memory.bandwidth_bytes_per_s));
    json_object_set_new(root, "hosts", hosts_json(probe));
    json_object_set_new(root, "pairs", pairs_json(probe));
    json_object_set_new(root, "bisection_measured_bytes_per_s",
                        cli_json_number(probe->bisection_bytes_per_s));
    json_object_set_new(root, "notes", texts);
    json_object_set_new(root, "wall_s", json_real(wall_s));
    cli_print_json(root);
}

static void put(struct cli_table *table, const char *what, const char *value, const char *how)
{
    cli_table_row(table);
    cli_table_put(table, "%s", what);
    cli_table_put(table, "%s", value);
    cli_table_put(table, "%s", how);
}

/* 12.5 GB/s, 176 Gflop/s: four digits are more than a probe knows. */
static const char *rate(double value, const char *unit, char *text, size_t size)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t i = 0;
    if (isnan(value)) return "-";
    while (value >= 999.5 && i + 1 < sizeof prefixes / sizeof prefixes[0]) {
        value /= 1000;
        i++;
    }
    snprintf(text, size, "%.3g %s%s", value, prefixes[i], unit);
    return text;
}

static void put_node_type(struct cli_table *table, const parcast_node_type *type)
{
    char text[96];
    snprintf(text, sizeof text, "%d", type->count);
    cli_table_row(table);
    cli_table_put(table, "nodes '%s'", type->name);
    cli_table_put(table, "%d", type->count);
    cli_table_put(table, "hosts that are alike");
    snprintf(text, sizeof text, "%d", type->cores);
    put(table, "  cores", text, "physical cores that may be used");
    snprintf(text, sizeof text, "%d", type->sockets);
    put(table, "  sockets", text, "hwloc");
    put(table, "  memory", rate(type->memory_bytes, "B", text, sizeof text), "installed");
    put(table, "  speed of a core", rate(type->calibration, "pairs/s", text, sizeof text),
        "calibration kernel, one core busy");
    put(table, "  arithmetic of a core", rate(type->flop_rate_flop_per_s, "flop/s", text, sizeof text),
        "multiply-add on vectors in registers, median of 21");
    put(table, "  memory bandwidth", rate(type->memory_bandwidth_bytes_per_s, "B/s", text, sizeof text),
        "triad, best count of cores, best of 9");
    if (type->n_memory_scaling > 1) {
        snprintf(text, sizeof text, "x %.3g", type->memory_scaling[type->n_memory_scaling - 1]);
        put(table, "  all cores against one", text, "triad");
    }
    if (!isnan(type->bandwidth_bytes_per_s))
        put(table, "  link", rate(type->bandwidth_bytes_per_s, "B/s", text, sizeof text),
            "slower than the others'");
}

/* The best over sizes and pairs of one protocol: a send that ends by itself, or one that waits for its
 * receiver. */
static double best_overlap(const parcast_probe *probe, bool eager)
{
    double best = NAN;
    for (size_t i = 0; i < probe->n_pairs; i++) {
        const parcast_probe_pair *pair = &probe->pairs[i];
        for (int k = 0; k < pair->n_overlap; k++)
            if ((pair->overlap_bytes[k] <= pair->eager_up_to_bytes) == eager)
                best = fmax(best, pair->overlap_ratio[k]);
    }
    return best;
}

static void put_overlap(struct cli_table *table, const parcast_probe *probe)
{
    char text[32];
    static const struct {
        const char *what, *how;
        bool eager;
    } rows[] = {{"hidden behind computing, eager",
                 "Isend, Irecv, compute, Waitall; best size whose send ends by itself", true},
                {"hidden, rendezvous", "the same, sizes that wait for their receiver", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double best = best_overlap(probe, rows[i].eager);
        if (isnan(best)) continue;
        snprintf(text, sizeof text, "%.0f %%", 100 * best);
        put(table, rows[i].what, text, rows[i].how);
    }
}

static void put_network(struct cli_table *table, const parcast_platform *platform, const parcast_probe *probe)
{
    char text[64];
    const parcast_network_description *n = &platform->network;
    put(table, "shared memory latency",
        parcast_units_format_time(platform->shared_memory.latency_s, text, sizeof text),
        "half a round trip on one node, median");
    put(table, "shared memory bandwidth",
        rate(platform->shared_memory.bandwidth_bytes_per_s, "B/s", text, sizeof text),
        "one copy in, one out, median");
    if (isnan(n->bandwidth_bytes_per_s)) return;
    put(table, "network latency", parcast_units_format_time(n->latency_s, text, sizeof text),
        "half a round trip of 1 byte less overhead, median");
    put(table, "overhead of a message", parcast_units_format_time(n->overhead_s, text, sizeof text),
        "time of MPI_Isend, median");
    put(table, "network bandwidth", rate(n->bandwidth_bytes_per_s, "B/s", text, sizeof text),
        "of a link, each direction");
    put(table, "duplex", n->duplex == PARCAST_HALF_DUPLEX ? "half" : "full",
        "both directions at once against one");
    put(table, "between the halves", rate(probe->bisection_bytes_per_s, "B/s", text, sizeof text),
        "all pairs at once, each direction");
    put_overlap(table, probe);
}

static int print_table(const struct cli_common *common, const parcast_probe *probe,
                       const parcast_platform *platform, double wall_s)
{
    static const struct cli_column columns[] = {{"what", CLI_LEFT}, {"value", CLI_RIGHT}, {"how", CLI_WRAP}};
    char notes[MAX_NOTES][PARCAST_PROBE_NOTE];
    struct cli_table *table = cli_table_create(common, columns, 3);
    for (size_t i = 0; i < platform->n_types; i++) put_node_type(table, &platform->types[i]);
    put_network(table, platform, probe);
    int status = cli_table_print(common, &table);
    size_t n_notes = parcast_probe_notes(probe, notes, MAX_NOTES);
    for (size_t i = 0; i < n_notes; i++) cli_note(common, "%s", notes[i]);
    if (probe->mpi[0])
        cli_note(common, "measured in %.1f s with %s", wall_s, probe->mpi);
    else
        cli_note(common, "measured in %.1f s", wall_s);
    return status;
}

static int publish(const struct options *options, const parcast_probe *probe, double wall_s)
{
    parcast_platform *platform = NULL;
    parcast_error error;
    char name[64];
    parcast_status status =
        parcast_probe_platform(probe, platform_name(options, probe, name, sizeof name), &platform, &error);
    if (status) return cli_fail(&options->common, &error);
    int result = 0;
    bool to_stdout = options->output && strcmp(options->output, "-") == 0;
    if (options->output && parcast_platform_save(platform, options->output, &error))
        result = cli_fail(&options->common, &error);
    else if (options->common.json)
        print_json(probe, platform, wall_s);
    else if (!to_stdout)
        result = print_table(&options->common, probe, platform, wall_s);
    if (!result && options->output && !to_stdout) cli_note(&options->common, "wrote %s", options->output);
    parcast_platform_destroy(&platform);
    return result;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int probe_and_publish(const struct options *options)
{
    const struct cli_common *common = &options->common;
    struct probe_launcher launcher = probe_launcher_find();
    parcast_probe probe = {0};
    double start_s = now_s();
    int status;
    if (launcher.mpi && launcher.rank > 0)
        return probe_become_helper(common, &launcher, options->pretend_hosts);
    if (launcher.mpi && launcher.size > 1) {
        show_progress("hosts and messages between them", (void *)common);
        status = probe_run_inside(common, &launcher, options->pretend_hosts, &probe);
    } else if (options->ranks > 1 || options->mpiexec) {
        show_progress("hosts and messages between them", (void *)common);
        status = probe_run_ranks(common, options->ranks ? options->ranks : 1, options->mpiexec,
                                 options->pretend_hosts, &probe);
    } else
        status = measure_here(common, &probe);
    end_progress(common);
    if (!status) status = publish(options, &probe, now_s() - start_s);
    parcast_probe_destroy(&probe);
    return status;
}

static int check_usage(const struct options *options, poptContext context)
{
    const struct cli_common *common = &options->common;
    const char *word = cli_argument(context);
    if (word) return cli_usage(common, "'%s' is one word too many", word);
    if (options->ranks < 0 || options->ranks > 1000000)
        return cli_usage(common, "--ranks takes a number from 1 to 1000000, not %d", options->ranks);
    if (common->json && options->output && strcmp(options->output, "-") == 0)
        return cli_usage(common, "-o - and --json both want standard output");
    return 0;
}

static const char synopsis[] = "parcast probe [-o FILE] [--ranks N] [--mpiexec COMMAND] [--json]";

int cmd_probe(int argc, const char **argv)
{
    struct options options = {.common = {.command = "probe", .synopsis = synopsis}};
    struct poptOption table[] = {
        {"output", 'o', POPT_ARG_STRING, &options.output, 0, "write the platform file", "FILE"},
        {"ranks", 0, POPT_ARG_INT, &options.ranks, 0, "measure messages between N MPI ranks too", "N"},
        {"mpiexec", 0, POPT_ARG_STRING, &options.mpiexec, 0, "launcher that starts the ranks", "COMMAND"},
        {"pretend-hosts", 0, POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, &options.pretend_hosts, 0,
         "count every rank as a host of its own, for tests", NULL},
        CLI_COMMON(&options.common),
        POPT_TABLEEND};
    poptContext context;
    int status = cli_options(&options.common, argc, argv, table, &context);
    if (status >= 0) return status;
    status = check_usage(&options, context);
    if (!status) status = probe_and_publish(&options);
    cli_options_free(&options.common, context);
    return status;
}
