/**
 * The efficiency bound: what no distribution of a sequential program's work can beat on a machine.
 *
 *   estimates (parcast estimate -s) ──parcast_bound_basis──► predictor of engine `bound`
 *
 * An estimate says how many floating-point operations W a program does at one size and how many bytes C must
 * cross between p parts. With the rate R of one core, the bandwidth B of a node and the share O of a transfer
 * that computing can hide, S cores of speed 1 on N nodes need at least
 *
 *     T >= T1 / S + C(N) (1 - O) / sum of B over the nodes,   T1 = W / R
 *
 * which is equations 1 to 5 of CommAnalyzer (HPDC'18) with a node for a part: what ranks of one node exchange
 * does not cross the network. docs/models/value-flow.md, section 5.
 */
#ifndef PARCAST_BOUND_H
#define PARCAST_BOUND_H

#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What must cross between p parts, over the whole region. Sizes are bytes; NAN where not known. */
typedef struct parcast_estimate_volume {
    int processes;
    double bytes;         /**< least that was found */
    double block_bytes;   /**< best rectangular blocks */
    double largest_bytes; /**< most that one part sends or receives, under the least */
} parcast_estimate_volume;

/** Figures of a machine that stand instead of the platform's. NAN: not given. */
typedef struct parcast_bound_figures {
    double flop_per_s;            /**< of one core of speed 1, at this program */
    double bandwidth_bytes_per_s; /**< of a node, per direction, with all nodes busy */
    double overlap_ratio;         /**< share of a transfer that computing can hide, 0 to 1; NAN: 0 */
} parcast_bound_figures;

/** One estimate of a sequential program at one size. */
typedef struct parcast_estimate {
    char *program;
    char **arguments; /**< [n_arguments] */
    size_t n_arguments;
    double flop;        /**< of the region; 0 for integer codes */
    double serial_s;    /**< time of the region on one core, uninstrumented; NAN if not measured */
    double calibration; /**< score of that core [1/s]; NAN if unknown */
    parcast_bound_figures figures;
    parcast_estimate_volume *volumes; /**< [n_volumes] ascending processes, from 2 */
    size_t n_volumes;
} parcast_estimate;

/**
 * Read a parcast.estimate/1 object, as a study keeps it.
 *
 * @param[in]  source   named in messages
 * @param[out] estimate released with parcast_estimate_clear; untouched on failure
 * @return PARCAST_OK; PARCAST_FORMAT (no such object, a field of the wrong type or out of range);
 *         PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_estimate_parse(const char *json, const char *source,
                                                  parcast_estimate *estimate, parcast_error *error);
PARCAST_API void parcast_estimate_clear(parcast_estimate *estimate);

/** What engine `bound` is made from, beside the runs. */
typedef struct parcast_bound_basis {
    const parcast_estimate *estimates; /**< [n_estimates] of one program, any sizes, the latest last */
    size_t n_estimates;
    char *const *target; /**< [n_target] arguments to forecast; NULL: those of the runs, where they are of the
                              same form, otherwise those of the latest estimate */
    size_t n_target;
    parcast_bound_figures figures; /**< NAN: those of the latest estimate, then the platform's */
} parcast_bound_basis;

#ifdef __cplusplus
}
#endif
#endif
