#ifndef PARCAST_VALUEFLOW_VALUE_H
#define PARCAST_VALUEFLOW_VALUE_H

#include "valueflow/runtime/hash.h"
#include "valueflow/runtime/tables.h"

/** Finished nets beyond the last one of a vertex: (vertex, state) and (vertex, chain) -> how many versions.
 */
extern struct vf_hash vf_nets, vf_chain_nets;

void vf_values_open(void);
/** Count the pins and the chain of a value as one more version of its vertex. */
void vf_value_finish(uint32_t id);
uint32_t vf_values_size(void);
/** Values created since the start. */
uint64_t vf_values_created(void);

#endif
