/* Results and instances that can only be computed where something else is become one vertex with that. */
#ifndef PARCAST_VALUEFLOW_UNITE_H
#define PARCAST_VALUEFLOW_UNITE_H

#include "valueflow/load/load.h"

/** Vertices of the file as groups; the root of a group stands for it. */
struct unite {
    struct values_file *file;
    uint32_t *up;
    uint32_t *place;   /* roots, of the last look, with a flag (unite.c) */
    bool *is_result;   /* of a vertex that lives in no word of the program's arrays */
    bool *is_gone;     /* of the first word of a block that was freed: its values are looked at no more */
    bool *is_of_frame; /* of these, a value of a workspace on the stack */
};

uint32_t unite_root(struct unite *u, uint32_t vertex);
/** Values that turned out to go through a workspace are what they are computed from (through.c). */
parcast_status unite_through(struct unite *u);
/** Sums whose only use is to be added to another one: their terms are that one's (splice.c). */
parcast_status unite_sums(struct unite *u);
/** Results whose readers read all that they are computed from are with one of these, and nobody is sent them
 * (recomputed.c). */
parcast_status unite_anyway(struct unite *u, bool *any);
/** Finds the file's roots, and leaves out what nobody needs. */
parcast_status unite_all(struct values_file *file);

#endif
