/** Where this rank runs: its node among the nodes of the world, its cores, the state of the machine. */
#ifndef PARCAST_PRELOAD_PLACE_H
#define PARCAST_PRELOAD_PLACE_H

#include "record.h"

/** What this process knows by itself: host, core, load, the speed of the core (3 ms of CPU time). */
void place_describe(struct raw_header *header);

/** What one rank tells all others. */
struct place_rank {
    int32_t leader;     /* lowest rank of its node; afterwards the number of its node */
    int32_t keeps_file; /* its record lies in a file of its own */
};

/**
 * What the ranks find out together: the node of every rank, the CPUs of the node. Collective over
 * MPI_COMM_WORLD.
 *
 * @return [n_ranks], never freed
 */
struct place_rank *place_together(struct raw_header *header, bool keeps_file);

#endif
