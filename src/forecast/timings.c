#include "forecast/timings.h"

#include <math.h>

#include "forecast/machine.h"

double slowest_speed(const parcast_platform *platform, const parcast_placement *placement,
                     double reference_calibration)
{
    double slowest = INFINITY;
    for (size_t g = 0; g < placement->n_groups; g++)
        slowest = fmin(
            slowest, machine_type_speed(&platform->types[placement->groups[g].type], reference_calibration));
    return slowest;
}
