/** What the ranks of a traced run share, gathered from their spools: functions, sites, communicators. */
#ifndef PARCAST_RECORD_MERGE_H
#define PARCAST_RECORD_MERGE_H

#include "record/spool.h"

struct merged_comm {
    struct spool_comm identity; /* its groups in ascending order of their hashes */
    int32_t *groups[2];         /* ranks of the world, -1 not known */
    int32_t n[2];
};

/* A hash table of what was met; values are numbers in the order of meeting. */
struct merge_index {
    uint32_t *slots; /* number + 1 */
    size_t n_slots;
};

struct merge {
    int32_t n_ranks;
    char **functions;
    size_t n_functions;
    parcast_trace_site *sites;
    size_t n_sites;
    struct merge_index site_index;
    struct merged_comm *comms;
    size_t n_comms;
    struct merge_index comm_index;
};

parcast_status merge_begin(struct merge *merge, int32_t n_ranks, parcast_error *error);
void merge_end(struct merge *merge);

/** Number of the function, site or communicator that an item of a rank's spool tells of; made when it is new.
 */
parcast_status merge_function(struct merge *merge, const struct spool_read *read, int32_t *number,
                              parcast_error *error);
parcast_status merge_site(struct merge *merge, const struct spool_read *read, int32_t *number,
                          parcast_error *error);
parcast_status merge_comm(struct merge *merge, int32_t rank, const struct spool_read *read, int32_t *number,
                          parcast_error *error);

#endif
