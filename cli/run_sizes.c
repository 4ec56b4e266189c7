#include "run_sizes.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static parcast_status read_nodes(const char *text, struct sizes *sizes, parcast_error *error)
{
    char *end;
    sizes->min_nodes = 1;
    sizes->max_nodes = 0;
    sizes->given = text != NULL;
    if (!text) return PARCAST_OK;
    errno = 0;
    long first = strtol(text, &end, 10), last = first;
    if (end != text && *end == '-') last = strtol(end + 1, &end, 10);
    if (errno || end == text || *end || first < 1 || last < first || last > 1000000)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "--nodes '%s' is no number or range of nodes such as 2-8", text);
    sizes->min_nodes = (int)first;
    sizes->max_nodes = (int)last;
    return PARCAST_OK;
}

static int fewest_cores(const struct cli_common *common, const parcast_platform *platform)
{
    int fewest = platform->types[0].cores, most = fewest;
    for (size_t t = 1; t < platform->n_types; t++) {
        int cores = platform->types[t].cores;
        if (cores < fewest) fewest = cores;
        if (cores > most) most = cores;
    }
    if (fewest < most)
        cli_note(common, "nodes have %d to %d cores; a run has as many ranks on each: %d (--ranks-per-node)",
                 fewest, most, fewest);
    return fewest;
}

parcast_status sizes_read(const struct cli_common *common, const char *nodes, int ranks_per_node,
                          const parcast_platform *platform, struct sizes *sizes, parcast_error *error)
{
    sizes->ranks_per_node = ranks_per_node > 0 ? ranks_per_node
                            : platform         ? fewest_cores(common, platform)
                                               : 1;
    return read_nodes(nodes, sizes, error);
}

int sizes_of_this_machine(const struct sizes *sizes)
{
    cpu_set_t allowed;
    long cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                                     : sysconf(_SC_NPROCESSORS_ONLN);
    int nodes = (int)(cores / sizes->ranks_per_node);
    return nodes < 1 ? 1 : nodes;
}
