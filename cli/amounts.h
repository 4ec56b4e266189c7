/**
 * Options that are amounts of time or money, alike in every command. An error names the option.
 */
#ifndef PARCAST_CLI_AMOUNTS_H
#define PARCAST_CLI_AMOUNTS_H

#include "parcast/plan.h"

/** A time span [s] as parcast_units_time takes it. */
parcast_status cli_read_time(const char *option, const char *text, double *seconds, parcast_error *error);

/**
 * --deadline and --budget, each NULL where it is not given: NAN in the goal.
 * A deadline is later than now; a budget is a plain number from 0, in the currency of the platform.
 */
parcast_status cli_read_goal(const char *deadline, const char *budget, parcast_plan_goal *goal,
                             parcast_error *error);

#endif
