/* Runs that were made as a forecast places its ranks. */
#include "forecast/machine.h"
#include "parcast/forecast.h"

static int type_of(const parcast_run_node *node, const parcast_platform *platform, bool same_kind)
{
    int type = machine_node_type(platform, node);
    return type < 0 && same_kind ? 0 : type;
}

bool parcast_forecast_same_nodes(const parcast_run *run, const parcast_platform *platform,
                                 const parcast_placement *placement, bool same_kind)
{
    int n_nodes = 0;
    if (run->n_ranks != placement->n_ranks) return false;
    if (run->n_nodes == 0) /* imported: how many nodes is all that is known */
        return same_kind && run->n_nodes_used == placement->n_nodes;
    for (size_t i = 0; i < run->n_nodes; i++) n_nodes += run->nodes[i].n_ranks > 0;
    if (n_nodes != placement->n_nodes) return false;
    for (size_t g = 0; g < placement->n_groups; g++) {
        const parcast_placement_group *group = &placement->groups[g];
        int n = 0;
        for (size_t i = 0; i < run->n_nodes; i++)
            n += run->nodes[i].n_ranks == group->n_ranks &&
                 type_of(&run->nodes[i], platform, same_kind) == (int)group->type;
        if (n != group->n_nodes) return false;
    }
    return true;
}
