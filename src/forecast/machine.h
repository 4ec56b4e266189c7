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
    const parcast_breakpoint *bandwidth_factors,
        *exchange_factors; /* by message size; lent by the platform */
    size_t n_bandwidth_factors, n_exchange_factors;
    double local_latency_s, local_bandwidth_bytes_per_s;
};

/* Speed of a node type against a reference score of the calibration kernel (NAN: unknown). */
double machine_type_speed(const parcast_node_type *type, double reference_calibration);

/*
 * Node type of the platform that a recorded node is: the one it was named after (`record --node`), the one
 * that lists its host or bears its name without the number, otherwise the probed type with as many cores
 * whose calibration score is nearest, within 10 %. -1: none.
 */
int machine_node_type(const parcast_platform *platform, const parcast_run_node *node);

parcast_status machine_from_placement(const parcast_platform *platform, const parcast_placement *placement,
                                      double reference_calibration, struct machine *machine,
                                      parcast_error *error);

/*
 * The machine of a recorded run. Node types are those of machine_node_type; others keep their calibration
 * against the reference. Links are the platform's, or (platform NULL) a common default.
 */
parcast_status machine_from_run(const parcast_run *run, const parcast_platform *platform,
                                double reference_calibration, struct machine *machine, parcast_error *error);

/* Bytes of a message between nodes as the bare bandwidth would have to carry them. */
double machine_wire_bytes(const struct machine *machine, double bytes);

/* What messages of this size cost more while as much comes the other way: 0 with a full-duplex link, 1 where
 * both directions together are no faster than one. */
double machine_exchange_penalty(const struct machine *machine, double bytes);

void machine_clear(struct machine *machine);

#endif
