/* Words that were copied before anything read them: 8 bytes may be one number or two, or eight. */
#ifndef PARCAST_VALUEFLOW_WHOLE_H
#define PARCAST_VALUEFLOW_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/** What a word holds, which is copied as the first thing that the region does with it. */
uint32_t vf_whole_input(uintptr_t address, unsigned size);
/** The inputs that the halves are, once one of its copies is accessed in halves; false when the value is no
 * such input. They are made when they are first asked for, as long as the word's block is there; the word is
 * in halves from then on, if it still holds them. There must be room for these (cells.h). */
bool vf_whole_halves(uint32_t id, uint32_t halves[2]);

#pragma GCC visibility pop

#endif
