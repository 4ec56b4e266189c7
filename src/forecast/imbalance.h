/*
 * Imbalance: how much longer the slowest rank computes than the mean one, and what of it will last.
 *
 * Two things make ranks uneven: the program, which gives them unequal work (blocks that do not divide, a rank
 * that prepares the next step), and chance (interrupts, cold caches, other tenants). The first happens to the
 * same rank in the same part of every run and may grow with n; the second is another one each time, and the
 * slowest of n that scatter alike grows slowly. Runs with the same n on different nodes tell them apart: with
 * c_k the computing of each rank between two synchronisations in run k, divided by the mean over ranks, and
 *
 *   e(c) = sum over windows of max over ranks c / sum over windows of mean over ranks c - 1        (excess)
 *   e_1^2 = mean over k of e(c_k)^2,   e_m = e(mean over m runs of c_k)
 *
 * chance shrinks by sqrt(m) in the mean of m runs, what lasts stays:
 *
 *   random^2 = (e_1^2 - e_m^2) / (1 - 1/m),   lasting^2 = e_1^2 - random^2
 */
#ifndef PARCAST_FORECAST_IMBALANCE_H
#define PARCAST_FORECAST_IMBALANCE_H

#include "forecast/growth.h"
#include "forecast/machine.h"

/* Of one run: computing [windows][n] as it would be on nodes of equal speed, mean 1 over all; one window
 * where the ranks counted different synchronisations. */
struct uneven {
    double *computing; /* owned */
    size_t windows;
    int n;
};

struct imbalance {
    struct growth lasting, random; /* of the slowest process, relative to the mean */
};

/* NULL computing where there is nothing to compare (one rank). */
parcast_status uneven_create(const parcast_run *run, const struct machine *machine, struct uneven *uneven,
                             parcast_error *error);
void uneven_clear(struct uneven *uneven);

double uneven_excess(const struct uneven *uneven);

/* Functions of n through runs with weights; weight 0: not looked at. Quadratic in the number of runs. */
void imbalance_fit(const struct uneven *const *runs, const double *weights, size_t n_runs,
                   struct imbalance *imbalance);

double imbalance_value(const struct imbalance *imbalance, double n);

#endif
