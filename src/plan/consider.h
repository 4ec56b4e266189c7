/**
 * What a size is worth as the next one: the run goes there, learns what iterations take there, and goes on as
 * is best then. docs/models/plan.md, section 5.
 */
#ifndef PARCAST_PLAN_CONSIDER_H
#define PARCAST_PLAN_CONSIDER_H

#include "plan/decide.h"

/** Under a budget a larger size must save so much of the whole time. */
#define CONSIDER_WORTH 0.3

/** What is minimised within which limit; all of what is left of the run. */
struct aim {
    enum measure least, limited;
    double limit;   /* infinite: none */
    double reserve; /* of it, for what a correction would take */
    double whole;   /* of `least`, what is spent included: what gains are held against */
};

/** A size and what follows. */
struct candidate {
    size_t size;
    struct path path; /* of all blocks; the first ones on `size` */
    bool met;         /* expected to keep the limit */
    double margin_z;  /* largest of the margins that were asked for which it is kept surely; below 0: none */
};

/** The same measure with the margin for uncertainty. */
enum measure measure_with_margin(enum measure measure);

struct considered; /* tables that all sizes of one decision share */

parcast_status considered_create(const parcast_decision *decision, const struct problem *problem,
                                 const struct aim *aim, struct considered **considered, parcast_error *error);
void considered_destroy(struct considered **considered);

/**
 * The best schedule that begins with a size.
 *
 * @param[in]     current   size in use, -1: none
 * @param[in,out] candidate its path has room; the rest is set
 */
parcast_status consider(struct considered *considered, int current, size_t size, struct candidate *candidate,
                        parcast_error *error);

#endif
