/** The functions that a preload library of ours stands in front of. */
#ifndef PARCAST_PRELOAD_BEHIND_H
#define PARCAST_PRELOAD_BEHIND_H

#include "call.h"

/** Address of the function behind ours; ends the process when there is none, as the loader would have. */
void *behind_find(const struct function *f, enum binding binding, const void *site);

#endif
