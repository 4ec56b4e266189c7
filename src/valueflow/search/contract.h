/*
 * A smaller graph for distributions that keep groups of vertices together: every group is one vertex. Its
 * words are those of the large graph, exactly, for every such distribution: sets that lie in one group are
 * gone, equal ones are one. A sum of which every term has a label in its own group is added up there or
 * nowhere and becomes a reader like others; one with other terms keeps a vertex of its own.
 *
 * Where these are too many only the longest sums keep a vertex of their own, the others read values. Then the
 * words of the small graph are near to those of the large one, no more: good enough to tell which
 * distributions are worth counting.
 */
#ifndef PARCAST_VALUEFLOW_CONTRACT_H
#define PARCAST_VALUEFLOW_CONTRACT_H

#include "valueflow/graph/graph.h"

struct contraction {
    parcast_values *values; /* arrays and names are those of the large graph */
    uint32_t *vertex;       /* [n_vertices of the large graph] its vertex in the small one */
    uint64_t n_read, n_met; /* pins of all sets of two or more that lie in several groups, and of these sets
                               in the small graph: the fewer, the more readers of one value lie together */
};

/**
 * @param[in] group [n_vertices] below n_groups
 * @param[in] most  vertices that the small graph may have
 * @param[in] near  only the longest sums stay alone
 * @param[out] made false where it would have more
 *
 * Cost: O(pins + terms).
 */
parcast_status contract(const parcast_values *values, const uint32_t *group, uint32_t n_groups, uint32_t most,
                        bool near, struct contraction *contraction, bool *made);
/** Would the small graph have at most so many vertices? */
parcast_status contract_fits(const parcast_values *values, const uint32_t *group, uint32_t n_groups,
                             uint32_t most, bool *fits);
void contraction_clear(struct contraction *contraction);

#endif
