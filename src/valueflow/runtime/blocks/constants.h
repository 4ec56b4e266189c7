/* Words that nobody can write: the constants of a program and of its libraries. */
#ifndef PARCAST_VALUEFLOW_CONSTANTS_H
#define PARCAST_VALUEFLOW_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/** Find them: of what is loaded now. */
void vf_constants_open(void);
/** Tables in a program, `static const double weight[3]`, are in every part of it. O(segments) */
bool vf_is_constant(uintptr_t address);
#pragma GCC visibility pop

#endif
