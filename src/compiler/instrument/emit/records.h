/*
 * Arrays of structures: their types tell how many bytes lie together, which distances between words cannot
 * where fields mix. Where a function computes the place of an element, it tells the run time once about the
 * array that the place is in (src/valueflow/runtime/blocks/record.c).
 */
#ifndef PARCAST_INSTRUMENT_RECORDS_H
#define PARCAST_INSTRUMENT_RECORDS_H

#include "compiler/instrument/function/function.h"

/** After everything else of the function: arrays of the frame are announced by then. */
void records_emit(struct function *f);

#endif
