#ifndef PARCAST_VALUEFLOW_RESULT_H
#define PARCAST_VALUEFLOW_RESULT_H

#include "valueflow/runtime/tables/tables.h"

#pragma GCC visibility push(hidden)

/** The vertex of a result that lives in no word: the same for the same place in the program and the same
 * homes of what it was computed from, so that a repeated step finds it again. */
uint32_t vf_result_vertex(const char *site, uint32_t n, const uint32_t *labels);
/** A term of a sum that has more sources than a chain keeps apart, as a value of its own; held once. */
uint32_t vf_term(uint32_t n, const uint32_t *flat);
#pragma GCC visibility pop

#endif
