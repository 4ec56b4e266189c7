/* What a change of the node count takes: docs/models/plan.md, section 2. */
#include <math.h>

#include "parcast/plan.h"

static double slowest_link(const parcast_platform *platform)
{
    double slowest = INFINITY;
    for (size_t t = 0; t < platform->n_types; t++)
        slowest = fmin(slowest, parcast_platform_link_bandwidth(platform, t));
    return slowest;
}

void parcast_move_model_default(const parcast_platform *platform, parcast_move_model *move)
{
    *move = (parcast_move_model){.stop_s = 0.05,
                                 .save_bytes_per_s = 2e9,
                                 .move_bytes_per_s = slowest_link(platform),
                                 .launch_s = 0.1,
                                 .launch_per_rank_s = 0.02,
                                 .overlaps = true};
}

/* Blocks stay in order, so the node that gains or gives most handles at most a whole share of the smaller
   set. */
parcast_move_time parcast_move_predict(const parcast_move_model *move, const parcast_size *from,
                                       const parcast_size *to)
{
    parcast_move_time time = {.launch_s = move->launch_s + to->processes * move->launch_per_rank_s +
                                          to->nodes * move->launch_per_node_s + move->begin_s};
    if (!from) return time;
    int fewer = from->nodes < to->nodes ? from->nodes : to->nodes;
    time.stop_s = move->stop_s + move->bytes / (from->nodes * move->save_bytes_per_s);
    if (from->nodes != to->nodes) time.move_s = move->bytes / (fewer * move->move_bytes_per_s);
    if (move->overlaps) {
        time.beside_s = time.launch_s;
        time.launch_s = move->resume_s;
    }
    return time;
}
