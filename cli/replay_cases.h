/** What the kinds of cases share: numbers of a case, and comparing with what is expected. */
#ifndef PARCAST_REPLAY_CASES_H
#define PARCAST_REPLAY_CASES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "parcast/platform.h"
#include "parcast/replay.h"

/** A case under check: what went wrong first is kept. */
struct check {
    const json_t *file; /**< the whole file: patterns, factors */
    const json_t *test;
    double absolute, relative; /**< tolerance */
    bool failed;
    double worst; /**< largest |x - expected| */
    char text[600];
};

/** Keep the first complaint and mark the case as failed. */
void check_fail(struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The library's complaint. */
void check_error(struct check *check, const parcast_error *error);
/** Compare one number with its expectation; `what` and index name it. */
void check_number(struct check *check, const char *what, size_t index, double value, const json_t *expected);
/** Compare expect.NAME, an array, when the case has it. */
void check_array(struct check *check, const char *name, const double *values, size_t n_values);

/** A number at KEY, or `otherwise` when it is missing. */
double number_at(const json_t *object, const char *key, double otherwise);
const char *text_at(const json_t *object, const char *key);

/** The platform that the case describes, NULL when it cannot be read. */
parcast_platform *case_platform(struct check *check);

/** The case's LogGOPS parameters. */
parcast_loggops case_loggops(const struct check *check);

void check_goal(struct check *check);
void check_flows(struct check *check);
void check_ti(struct check *check);
void check_collective(struct check *check);

#endif
