#include "parcast/replay.h"

/* Nodes of a placement: those of its groups, group after group; within a node type from the type's first node
 * on. */
struct nodes {
    const parcast_platform *platform;
    const parcast_placement *placement;
};

static int first_node(const struct nodes *nodes, size_t group)
{
    const parcast_placement_group *groups = nodes->placement->groups;
    int node = 0;
    for (size_t t = 0; t < groups[group].type; t++) node += nodes->platform->types[t].count;
    for (size_t g = 0; g < group; g++)
        if (groups[g].type == groups[group].type) node += groups[g].n_nodes;
    return node;
}

void parcast_replay_place(const parcast_platform *platform, const parcast_placement *placement,
                          int *rank_node)
{
    struct nodes nodes = {platform, placement};
    int rank = 0;
    bool spread = placement->policy == PARCAST_SPREAD;
    for (int turn = 0; rank < placement->n_ranks; turn++)
        for (size_t g = 0; g < placement->n_groups; g++) {
            const parcast_placement_group *group = &placement->groups[g];
            int first = first_node(&nodes, g);
            if (spread && turn >= group->n_ranks) continue;
            for (int n = 0; n < group->n_nodes; n++)
                for (int i = 0; i < (spread ? 1 : group->n_ranks); i++) rank_node[rank++] = first + n;
        }
}
