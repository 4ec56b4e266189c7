/* Constants that a choice is made among. */
#ifndef PARCAST_INSTRUMENT_CONSTANTS_H
#define PARCAST_INSTRUMENT_CONSTANTS_H

#include "compiler/instrument/function/flow.h"

/** How many different constants a choice is made among, also through choices among its alternatives; 2 at
 * most. A truth value as a number is 0 or 1. Cost: once per choice as much as the choices behind it. */
int constants_among(const struct function *f, int choice);
/** Are there two different constants in the choice, or in one that it is an alternative of? Cost: as above.
 */
bool constants_differ(const struct function *f, int choice);

#endif
