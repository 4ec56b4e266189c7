/* How many operations a value has taken, where that depends on the way that was gone. */
#ifndef PARCAST_INSTRUMENT_WORK_H
#define PARCAST_INSTRUMENT_WORK_H

#include "compiler/instrument/emit/labels.h"

/** The operations between the leaves and here, and `more`, at the builder's place: those of alternatives that
 * were chosen among count as they were taken. Labels have been made before. */
LLVMValueRef work_emit(struct function *f, const struct keys *keys, int more);
/** Note the operations of the alternatives of a choice, whose labels have been made if it has any: of a phi
 * those of the way that was gone, of a select those of both. */
void work_note(struct function *f, int choice);

#endif
