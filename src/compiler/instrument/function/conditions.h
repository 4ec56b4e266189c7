/* Which choices take the labels of their conditions, since no alternative of theirs carries any. */
#ifndef PARCAST_INSTRUMENT_CONDITIONS_H
#define PARCAST_INSTRUMENT_CONDITIONS_H

#include "compiler/instrument/function/function.h"

void conditions_take(struct function *f);

#endif
