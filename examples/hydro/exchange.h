/* What the ranks tell each other. The cube is cut into boxes on a 3-D grid of ranks. */
#ifndef HYDRO_EXCHANGE_H
#define HYDRO_EXCHANGE_H

#include <mpi.h>

#include <array>
#include <vector>

#include "../sequential/hydro/fields.h"
#include "../sequential/hydro/mesh.h"

/*
 * A node that several boxes have belongs to the lowest of them. Sums go down and results up one direction
 * after the other, so that three messages reach all seven boxes around an edge or a corner. A plane is sent
 * without the nodes that an earlier direction has given away.
 */
struct Ranks {
    MPI_Comm comm;
    std::array<int, DIRECTIONS> grid;                      /* ranks along each direction */
    std::array<int, DIRECTIONS> low, high;                 /* neighbours; MPI_PROC_NULL */
    std::array<std::vector<int>, DIRECTIONS> given, taken; /* nodes of the low and of the high plane */
    std::array<std::vector<int>, FACES> rim;               /* elements that others look at */
    std::vector<bool> owned;                               /* [nodes] */
};

/* False when there are more ranks in a direction than elements. */
bool cut(int side, Ranks &ranks, Box &box);
void find_shared(const Box &box, Ranks &ranks);

/* Parts of sums to their owners. */
void collect(const Ranks &ranks, const std::vector<std::vector<double> *> &fields);
/* From the owners to everyone. */
void spread(const Ranks &ranks, const std::vector<std::vector<double> *> &fields);
/* Jumps of elements at the rim into the ghosts of the neighbours. */
void exchange_jumps(const Ranks &ranks, Fields &fields, const Mesh &mesh);

#endif
