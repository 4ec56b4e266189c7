/* Questions of what loops have come to that terms are behind. */
#ifndef PARCAST_INSTRUMENT_SUMMED_QUESTIONS_H
#define PARCAST_INSTRUMENT_SUMMED_QUESTIONS_H

#include "compiler/instrument/function/flow.h"

/** Of the questions that a store is behind those that ask for what a loop before it has come to: who makes
 * them has more to know than the term. Room for MOST_USES. */
int summed_questions(const struct function *f, int store, struct use *uses);

#endif
