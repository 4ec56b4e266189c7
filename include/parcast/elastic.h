/**
 * Elastic programs: an MPI program whose number of ranks changes while it runs.
 *
 * A program says which arrays and values it would need to go on elsewhere, and calls a safe point at the head
 * of its time-step loop. `parcast run` then writes checkpoints, resumes after a crash, and moves the run to
 * more or fewer ranks. Each rank fetches only the pieces that it needs. Started by mpiexec alone, the same
 * program runs as ever: a safe point is then a test of one flag.
 *
 *     parcast_elastic *e = parcast_elastic_open(MPI_COMM_WORLD, NULL);
 *     const parcast_elastic_array *u = parcast_elastic_add(e, &(parcast_elastic_shape){
 *         .name = "u", .element_bytes = sizeof(double), .n_dims = 2,
 *         .dims = {{.size = n, .kind = PARCAST_ELASTIC_BLOCK, .halo = 1}, {.size = n}}});
 *     parcast_elastic_value(e, "residual", &residual, sizeof residual);
 *     for (int64_t k = parcast_elastic_first_iteration(e); k < n_steps; k++) {
 *         if (parcast_elastic_safe_point(e)) return leave(e);
 *         ... u->data ...
 *     }
 *     parcast_elastic_close(&e);
 *
 * The library is built once per MPI: libparcast-elastic-openmpi, libparcast-elastic-mpich. Every function
 * but the getters is collective over the communicator. Errors are fatal as MPI's are by default: the cause is
 * printed and MPI_Abort is called, unless the options say that errors return. Calls out of order, without a
 * handle or outside of MPI_Init and MPI_Finalize are fatal always. Checkpoints: docs/formats/checkpoint.md.
 */
#ifndef PARCAST_ELASTIC_H
#define PARCAST_ELASTIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PARCAST_ELASTIC_MAX_DIMS = 4 };

/** How the indices of one dimension are dealt to the ranks. */
typedef enum parcast_elastic_kind {
    PARCAST_ELASTIC_WHOLE, /**< not at all: every rank has all indices */
    PARCAST_ELASTIC_BLOCK, /**< one interval each; the first `size mod parts` intervals are longer by one */
    PARCAST_ELASTIC_CYCLIC /**< blocks of `block` indices in turn */
} parcast_elastic_kind;

/** One dimension of an array. What is left out is 0: a whole dimension without halo. */
typedef struct parcast_elastic_dim {
    int64_t size; /**< indices in all, at least 1 */
    parcast_elastic_kind kind;
    int64_t halo;  /**< cells in memory on either side of the own ones; never saved. Not with CYCLIC */
    int64_t block; /**< CYCLIC: indices in a block; 0 counts as 1 */
    int parts;     /**< ranks along this dimension; 0: chosen, as even as the sizes allow */
    bool weighted; /**< BLOCK: intervals as long as the ranks are fast. One distributed dimension only */
} parcast_elastic_dim;

/**
 * An array as the whole program sees it, row by row: the last dimension is contiguous (in Fortran the first,
 * so the module turns the order round). Without a distributed dimension every rank holds the same array.
 * The parts of the distributed dimensions multiply to the number of ranks; rank r has the coordinates of r in
 * row-major order.
 */
typedef struct parcast_elastic_shape {
    const char *name;     /**< letters, digits, _ . -; at most 63 */
    size_t element_bytes; /**< at least 1 */
    int n_dims;           /**< 1 to PARCAST_ELASTIC_MAX_DIMS */
    parcast_elastic_dim dims[PARCAST_ELASTIC_MAX_DIMS];
    bool read_only; /**< never saved: the program fills it again before the first iteration */
} parcast_elastic_shape;

/**
 * The part of an array that this rank holds. Element (i0, i1, ...) of the own cells, from 0, lies at
 * sum_d (i_d + halo_d) stride[d] elements behind data. Lent by the handle; after a resize in memory the
 * fields have new values.
 */
typedef struct parcast_elastic_array {
    void *data;                               /**< with the halo, zero at first, on a page boundary */
    int64_t count[PARCAST_ELASTIC_MAX_DIMS];  /**< own indices of each dimension */
    int64_t first[PARCAST_ELASTIC_MAX_DIMS];  /**< smallest own index; the size where there is none */
    int64_t stride[PARCAST_ELASTIC_MAX_DIMS]; /**< [elements] */
    int part[PARCAST_ELASTIC_MAX_DIMS];       /**< coordinate of this rank, 0 in a whole dimension */
    int parts[PARCAST_ELASTIC_MAX_DIMS];      /**< ranks along a dimension */
} parcast_elastic_array;

typedef struct parcast_elastic parcast_elastic;

/** What a program may say at the beginning. */
typedef struct parcast_elastic_options {
    bool errors_return; /**< failures are returned, and described by parcast_elastic_error */
    bool in_memory;     /**< the program can go on with other ranks: it computes with parcast_elastic_comm and
                             handles PARCAST_ELASTIC_RESIZED */
    void (*release)(void *context); /**< in memory, before the communicator changes: free what was made of it
                                         (MPI waits for it at the end otherwise); may be NULL */
    void *context;
    int64_t iterations; /**< iterations that the whole run will take, for the forecast; 0 if not known */
} parcast_elastic_options;

/** What a safe point asks of the program. */
typedef enum parcast_elastic_state {
    PARCAST_ELASTIC_GO_ON = 0,
    PARCAST_ELASTIC_LEAVE,   /**< close, finalize, exit with 0, print no result: others go on */
    PARCAST_ELASTIC_RESIZED, /**< communicator and arrays are others now: set up again what was made of them,
                                  call parcast_elastic_first_iteration, go on. Only with `in_memory` */
    PARCAST_ELASTIC_FAILED   /**< only when errors return */
} parcast_elastic_state;

/** Register an array before the first iteration; NULL on failure. */
PARCAST_API const parcast_elastic_array *parcast_elastic_add(parcast_elastic *e,
                                                             const parcast_elastic_shape *shape);

/**
 * Register a value that is the same on every rank (scalar, small table, state of a generator). `value` is
 * lent until close; what rank 0 holds is saved.
 */
PARCAST_API parcast_status parcast_elastic_value(parcast_elastic *e, const char *name, void *value,
                                                 size_t bytes);

/** Global index of an own index of a dimension. */
PARCAST_API int64_t parcast_elastic_global(const parcast_elastic *e, const parcast_elastic_array *array,
                                           int dim, int64_t index);

/**
 * Registration ends here; a resumed run receives its values and its pieces of the arrays.
 * @return iterations that are done: 0, or that of the checkpoint; -1 on failure
 */
PARCAST_API int64_t parcast_elastic_first_iteration(parcast_elastic *e);

/** True when the run was resumed: the arrays hold what was saved. Known from the first iteration on. */
PARCAST_API bool parcast_elastic_resumed(const parcast_elastic *e);

/**
 * The head of an iteration: no message is in flight that the program will wait for later. Each call counts as
 * one iteration. All ranks get the same answer in the same iteration.
 *
 * Cost: without `parcast run` a test of a flag; with it one non-blocking broadcast every so many
 * iterations that it stays below a thousandth of the time.
 */
PARCAST_API parcast_elastic_state parcast_elastic_safe_point(parcast_elastic *e);

/**
 * Release everything, the arrays too. Between the last safe point and this the program prints its result:
 * when all ranks have called it the work is done, and a crash is not repaired any more.
 */
PARCAST_API void parcast_elastic_close(parcast_elastic **e);

/** The last failure; lent. */
PARCAST_API const parcast_error *parcast_elastic_error(const parcast_elastic *e);

/* What needs mpi.h; programs without an MPI may still include the header. */
#ifdef __has_include
#if __has_include(<mpi.h>)
#define PARCAST_ELASTIC_HAS_MPI
#endif
#endif
#ifdef PARCAST_ELASTIC_HAS_MPI
#ifdef __cplusplus
}
#endif
#include <mpi.h>
#ifdef __cplusplus
extern "C" {
#endif

/**
 * Begin, after MPI_Init. A program has one handle, for all its arrays; every rank registers the same arrays
 * and values with it, in the same order, with global sizes.
 * @param[in] comm    of all ranks
 * @param[in] options may be NULL
 */
PARCAST_API parcast_elastic *parcast_elastic_open(MPI_Comm comm, const parcast_elastic_options *options);

/** The communicator to compute with. It is that of open until a resize in memory replaces it. */
PARCAST_API MPI_Comm parcast_elastic_comm(const parcast_elastic *e);
#endif

#ifdef __cplusplus
}
#endif
#endif
