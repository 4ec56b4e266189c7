/* What a change of the node count takes: docs/models/plan.md, section 2. */
#include <math.h>

#include "plan/learn.h"

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

/*
 * Blocks stay in order. From p nodes to q > p node i < p keeps what [i/p, (i+1)/p) and [i/q, (i+1)/q) have in
 * common; that is least at the last one, which gives most, and a new node gets 1/q. From q to p it is the
 * same backwards.
 */
double move_share(int from_nodes, int to_nodes)
{
    double p = fmin(from_nodes, to_nodes), q = fmax(from_nodes, to_nodes);
    if (p == q) return 0;
    double keeps = fmax(0, p / q - (p - 1) / p);
    return fmax(1 / p - keeps, 1 / q);
}

parcast_move_time parcast_move_predict(const parcast_move_model *move, const parcast_size *from,
                                       const parcast_size *to)
{
    parcast_move_time time = {.launch_s = move->launch_s + to->processes * move->launch_per_rank_s +
                                          to->nodes * move->launch_per_node_s + move->begin_s};
    if (!from) return time;
    time.stop_s = move->stop_s + move->bytes / (from->nodes * move->save_bytes_per_s);
    time.move_s = move->bytes * move_share(from->nodes, to->nodes) / move->move_bytes_per_s;
    if (move->copies && to->nodes < from->nodes)
        time.held_s = move->bytes / to->nodes * (1 / move->save_bytes_per_s + 1 / move->move_bytes_per_s);
    if (move->overlaps) {
        time.beside_s = time.launch_s;
        time.launch_s = move->resume_s;
    }
    return time;
}
