/* Choices that take the labels of their condition though their alternatives have labels. */
#ifndef PARCAST_INSTRUMENT_CHOICES_H
#define PARCAST_INSTRUMENT_CHOICES_H

#include "flow.h"

/** After what carries a label is known: sets condition and alike. */
void choices_take_conditions(struct function *f);

#endif
