#include "parcast/platform.h"

#include <math.h>
#include <stdlib.h>

void parcast_platform_destroy(parcast_platform **platform)
{
    parcast_platform *p = *platform;
    if (!p) return;
    for (size_t i = 0; i < p->n_types; i++) {
        free(p->types[i].name);
        free(p->types[i].memory_scaling);
        for (size_t k = 0; k < p->types[i].n_hosts; k++) free(p->types[i].hosts[k]);
        free(p->types[i].hosts);
    }
    free(p->types);
    free(p->network.sharing);
    free(p->network.routing);
    free(p->network.collectives);
    free(p->network.bandwidth_factors);
    free(p->network.exchange_factors);
    free(p->network.overlap);
    free(p->network.latency_factors);
    free(p->name);
    free(p->currency);
    free(p);
    *platform = NULL;
}

int parcast_platform_nodes(const parcast_platform *platform)
{
    int n = 0;
    for (size_t i = 0; i < platform->n_types; i++) n += platform->types[i].count;
    return n;
}

int parcast_platform_cores(const parcast_platform *platform)
{
    int n = 0;
    for (size_t i = 0; i < platform->n_types; i++) n += platform->types[i].count * platform->types[i].cores;
    return n;
}

double parcast_platform_overlap(const parcast_platform *platform)
{
    double most = NAN;
    for (size_t i = 0; i < platform->network.n_overlap; i++)
        most = fmax(most, platform->network.overlap[i].value); /* fmax passes over NAN */
    return most;
}

double parcast_platform_link_bandwidth(const parcast_platform *platform, size_t type)
{
    double own = platform->types[type].bandwidth_bytes_per_s;
    return isnan(own) ? platform->network.bandwidth_bytes_per_s : own;
}
