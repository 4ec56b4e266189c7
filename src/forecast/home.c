#include "forecast/home.h"

#include <stdlib.h>
#include <string.h>

#include "forecast/machine.h"
#include "platform/keys.h"

static const char one_node[] = "schema: parcast.platform/1\nname: as recorded\n"
                               "nodes: [{type: recorded, count: 1, cores: 1}]\n"
                               "network: {topology: star, latency: 30 us, bandwidth: 10 Gbit/s}\n";

static parcast_status no_memory(const parcast_run *run, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the machine of run %lld",
                             (long long)run->id);
}

static parcast_status undescribed(const parcast_run *run, parcast_error *error)
{
    parcast_error_set(error, PARCAST_DATA, NULL, 0,
                      "run %lld was made on %zu nodes that the platform does not describe",
                      (long long)run->id, run->n_nodes);
    parcast_error_hint(error,
                       "give the platform of the recorded runs with --recorded-on; its types are those "
                       "of 'record --node', or list their hosts");
    return PARCAST_DATA;
}

static bool is_restricted(const parcast_run_node *node, const parcast_node_type *type)
{
    return node->allowed_cores > 0 && node->allowed_cores < type->cores;
}

/* The next free node of each run node's type; false when it has too few, or the ranks had only some cores. */
static bool find_nodes(const parcast_run *run, const parcast_platform *platform, int *node_of)
{
    for (size_t i = 0; i < run->n_nodes; i++) {
        int type = machine_node_type(platform, &run->nodes[i]), first = 0, used = 0;
        if (type < 0 || is_restricted(&run->nodes[i], &platform->types[type])) return false;
        for (int t = 0; t < type; t++) first += platform->types[t].count;
        for (size_t j = 0; j < i; j++) used += machine_node_type(platform, &run->nodes[j]) == type;
        if (used >= platform->types[type].count) return false;
        node_of[i] = first + used;
    }
    return true;
}

static parcast_node_type type_of(const parcast_run_node *node, const parcast_platform *platform)
{
    int type = machine_node_type(platform, node);
    parcast_node_type made;
    node_type_defaults(&made);
    made.hosts = node->name ? (char **)&node->name : NULL;
    made.n_hosts = node->name ? 1 : 0;
    made.cores = node->cores > 0 ? node->cores : node->n_ranks;
    made.calibration = node->calibration;
    if (platform && type >= 0) made = platform->types[type];
    if (type < 0) made.name = node->type ? node->type : node->name;
    made.count = 1;
    if (is_restricted(node, &made)) made.cores = node->allowed_cores;
    return made;
}

/* Every node of the run is a type of its own on a star, whose parameters are the platform's where it is one.
 */
static parcast_status make_star(const parcast_run *run, const parcast_platform *platform, struct home *home,
                                int *node_of, parcast_error *error)
{
    bool star = platform && platform->network.topology == PARCAST_STAR;
    for (size_t i = 0; i < run->n_nodes && run->n_nodes > 1; i++)
        if (!star || machine_node_type(platform, &run->nodes[i]) < 0) return undescribed(run, error);
    parcast_status status =
        parcast_platform_parse(one_node, sizeof one_node - 1, "built-in platform", &home->star, error);
    if (status) return status;
    home->platform = *home->star;
    if (star) home->platform.network = platform->network;
    if (platform) home->platform.shared_memory = platform->shared_memory;
    home->platform.n_types = run->n_nodes;
    home->platform.types = calloc(run->n_nodes, sizeof *home->platform.types);
    if (!home->platform.types) return no_memory(run, error);
    for (size_t i = 0; i < run->n_nodes; i++) {
        home->platform.types[i] = type_of(&run->nodes[i], platform);
        if (!home->platform.types[i].name) home->platform.types[i].name = home->star->types[0].name;
        node_of[i] = (int)i;
    }
    return PARCAST_OK;
}

static parcast_status use_platform(const parcast_run *run, const parcast_platform *platform,
                                   struct home *home, parcast_error *error)
{
    home->platform = *platform;
    home->platform.types = calloc(platform->n_types, sizeof *platform->types);
    if (!home->platform.types) return no_memory(run, error);
    memcpy(home->platform.types, platform->types, platform->n_types * sizeof *platform->types);
    return PARCAST_OK;
}

parcast_status home_create(const parcast_run *run, const parcast_platform *platform, struct home *home,
                           parcast_error *error)
{
    struct home made = {.star = NULL};
    int *node_of = calloc(run->n_nodes + 1, sizeof *node_of);
    made.rank_node = calloc((size_t)run->n_ranks + 1, sizeof *made.rank_node);
    parcast_status status = PARCAST_OK;
    if (!node_of || !made.rank_node)
        status = no_memory(run, error);
    else if (run->n_nodes == 0 || run->n_profiles == 0)
        status =
            parcast_error_set(error, PARCAST_DATA, NULL, 0, "run %lld has no profile", (long long)run->id);
    else if (platform && find_nodes(run, platform, node_of))
        status = use_platform(run, platform, &made, error);
    else
        status = make_star(run, platform, &made, node_of, error);
    for (size_t i = 0; i < run->n_profiles && !status; i++) {
        const parcast_rank_profile *profile = &run->ranks[i];
        if (profile->spawned || profile->rank < 0 || profile->rank >= run->n_ranks) continue;
        if (profile->node >= 0 && (size_t)profile->node < run->n_nodes)
            made.rank_node[profile->rank] = node_of[profile->node];
    }
    free(node_of);
    if (status)
        home_clear(&made);
    else
        *home = made;
    return status;
}

void home_clear(struct home *home)
{
    free(home->platform.types);
    parcast_platform_destroy(&home->star);
    free(home->rank_node);
    *home = (struct home){.star = NULL};
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool home_is_same(const parcast_run *a, const parcast_run *b)
{
    if (a->n_ranks != b->n_ranks || a->n_nodes != b->n_nodes || a->n_profiles != b->n_profiles) return false;
    for (size_t i = 0; i < a->n_nodes; i++) {
        const parcast_run_node *x = &a->nodes[i], *y = &b->nodes[i];
        if (x->n_ranks != y->n_ranks || x->allowed_cores != y->allowed_cores ||
            !same_text(x->name, y->name) || !same_text(x->type, y->type))
            return false;
    }
    for (size_t i = 0; i < a->n_profiles; i++)
        if (a->ranks[i].rank != b->ranks[i].rank || a->ranks[i].node != b->ranks[i].node) return false;
    return true;
}
