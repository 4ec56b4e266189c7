/* A platform of more nodes of the kind that the runs were made on, for forecasts without a platform file. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "parcast/forecast.h"

/* Names go into YAML in quotes; a quote or a control character in a host's node type would end them. */
static void quote(const char *name, char *text, size_t size)
{
    size_t n = 0;
    for (; *name && n + 3 < size; name++)
        if ((unsigned char)*name >= 0x20 && *name != '"' && *name != '\\' && (unsigned char)*name < 0x7f)
            text[n++] = *name;
    text[n] = '\0';
}

parcast_status parcast_platform_from_runs(const parcast_run *runs, size_t n_runs, int n_ranks,
                                          parcast_platform **platform, parcast_error *error)
{
    int count = 8;
    const parcast_run_node *node = NULL;
    for (size_t i = 0; i < n_runs && !node; i++)
        if (runs[i].n_nodes > 0) node = &runs[i].nodes[0];
    int cores = node && node->cores > 0 ? node->cores : 0;
    bool table = cores == 0; /* of timings: as many cores as it used on a node */
    for (size_t i = 0; i < n_runs && table; i++) {
        int nodes = runs[i].n_nodes_used > 0 ? runs[i].n_nodes_used : 1;
        int per_node = (runs[i].n_ranks + nodes - 1) / nodes;
        cores = per_node > cores ? per_node : cores;
    }
    if (cores == 0) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0,
                          "the runs do not say what kind of node they were made on");
        parcast_error_hint(error, "describe the machine in a platform file and give it with --on");
        return PARCAST_DATA;
    }
    for (size_t i = 0; i < n_runs; i++)
        if (2 * runs[i].n_nodes_used > count) count = 2 * runs[i].n_nodes_used;
    int needed = (n_ranks - 1) / cores + 1;
    if (needed > count) count = needed;
    char type[64] = "recorded", text[1024];
    if (node && node->type) quote(node->type, type, sizeof type);
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nname: \"%d nodes of the recorded kind\"\n"
             "nodes:\n  - {type: \"%s\", count: %d, cores: %d, speed: 1}\n"
             "network: {topology: star, latency: 30 us, bandwidth: 10 Gbit/s, duplex: full}\n",
             count, type[0] ? type : "recorded", count, cores);
    return parcast_platform_parse(text, strlen(text), "built-in platform", platform, error);
}
