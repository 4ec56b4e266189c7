/*
 * Messages of a workload laid on a machine: what leaves and reaches every node, and what a single rank sends.
 * Whole-run sums; the cluster model divides them by its cycles. Bytes on links are wire bytes
 * (machine_wire_bytes): the bare bandwidth carries them in the time that the messages take.
 */
#ifndef PARCAST_FORECAST_TRAFFIC_H
#define PARCAST_FORECAST_TRAFFIC_H

#include "forecast/machine.h"
#include "forecast/pattern.h"

struct node_traffic {
    double out_bytes;      /* to other nodes */
    double rank_out_bytes; /* of the rank of this node that sends most */
    double rank_out_count;
    double rank_local_bytes; /* inside the node, of its busiest rank */
    double rank_local_count;
};

struct traffic {
    struct node_traffic *nodes; /* [n_nodes] */
    double *in_bytes;           /* [n_nodes][n_groups] bytes that reach a node, by the group of the sender */
    double away_bytes;          /* between nodes, all together, as they are */
    bool random;                /* partners as if drawn: loads fluctuate */
};

parcast_status traffic_create(const struct pattern *pattern, const struct machine *machine,
                              struct traffic *traffic, parcast_error *error);
void traffic_clear(struct traffic *traffic);

#endif
