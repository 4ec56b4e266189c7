/*
 * A machine with ranks on it, as the cluster model sees it: one entry a node, the node of every rank. Made
 * from a platform and a placement, or from a recorded run.
 */
#ifndef PARCAST_FORECAST_MACHINE_H
#define PARCAST_FORECAST_MACHINE_H

#include <stdbool.h>

#include "parcast/platform.h"
#include "parcast/study.h"

struct machine_node {
    double speed; /* of a core, relative to the reference node type */
    int cores, sockets;
    double bandwidth_bytes_per_s; /* of its link, per direction */
    const double *memory_scaling; /* lent by the platform; NULL: none known */
    int n_memory_scaling;
    int type; /* of the platform, -1 if it has none */
    int n_ranks;
    int group; /* nodes with the same hardware and number of ranks */
};

struct machine {
    int n_nodes, n_ranks, n_groups;
    struct machine_node *nodes; /* [n_nodes] */
    int *node_of_rank;          /* [n_ranks] */
    int max_ranks_per_node;
    double min_bandwidth_bytes_per_s; /* over the nodes */
    double latency_s, overhead_s;
    double bisection_bytes_per_s; /* NAN: none */
    bool half_duplex;
    double local_latency_s, local_bandwidth_bytes_per_s;
};

/* Speed of a node type against a reference score of the calibration kernel (NAN: unknown). */
double machine_type_speed(const parcast_node_type *type, double reference_calibration);

parcast_status machine_from_placement(const parcast_platform *platform, const parcast_placement *placement,
                                      double reference_calibration, struct machine *machine,
                                      parcast_error *error);

/*
 * The machine of a recorded run. Node types are those of the platform with the same name or, unnamed, with
 * the same cores and calibration; others keep their calibration against the reference. Links are the
 * platform's, or (platform NULL) a common default.
 */
parcast_status machine_from_run(const parcast_run *run, const parcast_platform *platform,
                                double reference_calibration, struct machine *machine, parcast_error *error);

void machine_clear(struct machine *machine);

#endif
