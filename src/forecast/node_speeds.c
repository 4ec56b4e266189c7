/* Speeds of the nodes of a recording and of those of a platform, for a replay of the one on the other. */
#include "forecast/engine.h"
#include "forecast/machine.h"

void parcast_forecast_node_speeds(const parcast_run *run, parcast_platform *platform, double *node_speed)
{
    double reference = reference_calibration_of(run, 1, platform);
    for (size_t i = 0; i < run->n_nodes; i++) {
        const parcast_run_node *node = &run->nodes[i];
        int type = machine_node_type(platform, node);
        bool scored = node->calibration > 0 && reference > 0;
        node_speed[i] = type >= 0 ? machine_type_speed(&platform->types[type], reference)
                        : scored  ? node->calibration / reference
                                  : 1;
    }
    for (size_t t = 0; t < platform->n_types; t++)
        platform->types[t].speed = machine_type_speed(&platform->types[t], reference);
}
