/*
 * Traffic patterns: which rank sends to which, at any number of ranks.
 *
 * The recorded rank-to-rank matrices of a program are compared with the regular shapes that parallel programs
 * use. A shape that explains them can be drawn for any number of ranks and any placement, so that the share
 * of the traffic that leaves each node follows from the program and is not an average over partners. Where no
 * shape fits, partners are taken as random (p_ij = n_j/(n-1), the correction of the paper's (8), (9)).
 *
 * On a d-dimensional grid p_1 x .. x p_d = n the edge across dimension k carries a face of the block,
 * b_k(n) = A_k p_k / n, with A_k the cross-section of the whole domain in bytes.
 */
#ifndef PARCAST_FORECAST_PATTERN_H
#define PARCAST_FORECAST_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "forecast/growth.h"

/* X(constant, text, dimensions, periodic, dimensions ascending) */
#define PATTERN_LIST(X)                                                                                      \
    X(LINE, "line", 1, false, false)                                                                         \
    X(RING, "ring", 1, true, false)                                                                          \
    X(GRID_2, "2-D grid", 2, false, false)                                                                   \
    X(GRID_2_ASCENDING, "2-D grid, short side first", 2, false, true)                                        \
    X(TORUS_2, "2-D periodic grid", 2, true, false)                                                          \
    X(TORUS_2_ASCENDING, "2-D periodic grid, short side first", 2, true, true)                               \
    X(GRID_3, "3-D grid", 3, false, false)                                                                   \
    X(GRID_3_ASCENDING, "3-D grid, short side first", 3, false, true)                                        \
    X(TORUS_3, "3-D periodic grid", 3, true, false)                                                          \
    X(TORUS_3_ASCENDING, "3-D periodic grid, short side first", 3, true, true)                               \
    X(HYPERCUBE, "hypercube", 0, false, false)                                                               \
    X(STAR, "all with rank 0", 0, false, false)                                                              \
    X(ALL, "all with all", 0, false, false)

enum pattern_kind {
    PATTERN_NONE,   /* no point-to-point traffic */
    PATTERN_RANDOM, /* irregular: partners as if drawn */
#define PATTERN_ENUM(constant, text, dimensions, periodic, ascending) PATTERN_##constant,
    PATTERN_LIST(PATTERN_ENUM)
#undef PATTERN_ENUM
        PATTERN_KINDS
};

enum { PATTERN_CLASSES = 3, PATTERN_MAX_DEGREE = 32 };

/* How the bytes of an edge go with n: a face p_k/n, or a growth term. */
enum pattern_edge_law { EDGE_FACE, EDGE_CONSTANT, EDGE_INVERSE, EDGE_INVERSE_SQUARE };

struct pattern {
    enum pattern_kind kind;
    double score;   /* how well it explains the matrices, 0..1 */
    bool ambiguous; /* other shapes explain them as well: too few ranks were recorded */
    enum pattern_edge_law law;
    double loo_ratio;                         /* error of the edge law at left-out counts, NAN if unknown */
    double count[PATTERN_CLASSES];            /* messages per directed edge and run */
    double bytes[PATTERN_CLASSES];            /* coefficient A_k of the edge law */
    struct growth random_count, random_bytes; /* PATTERN_RANDOM: messages and bytes per process */
};

/* One directed entry of a recorded matrix. */
struct traffic_entry {
    int from, to;
    double count, bytes;
};

struct traffic_matrix {
    int n;                  /* ranks */
    double sends_per_round; /* of a rank, those to MPI_PROC_NULL included: 2 d on a d-dimensional grid; 0:
                               unknown */
    double weight;
    const struct traffic_entry *entries;
    size_t n_entries;
};

/* Find the shape behind the matrices (those with n >= 2) and fit its edge law. */
void pattern_detect(const struct traffic_matrix *matrices, size_t n_matrices, struct pattern *pattern);

/* Grid of n ranks in d dimensions, as balanced as MPI_Dims_create makes it, descending unless `ascending`. */
void pattern_grid(int n, int d, bool ascending, int dims[3]);

/*
 * Neighbours that a rank sends to, with the class (dimension) of each edge, at most PATTERN_MAX_DEGREE; for
 * grids, hypercube and star's outer ranks. Returns their number; -1 for kinds without a bounded degree
 * (ALL, RANDOM, rank 0 of STAR).
 */
int pattern_neighbours(enum pattern_kind kind, int n, const int dims[3], int rank, int to[],
                       int edge_class[]);

/* Messages and bytes of one directed edge of a class at n ranks. */
void pattern_edge(const struct pattern *pattern, int n, const int dims[3], int edge_class, double *count,
                  double *bytes);

int pattern_dimensions(enum pattern_kind kind);
bool pattern_ascending(enum pattern_kind kind);
const char *pattern_text(enum pattern_kind kind);

#endif
