#ifndef PARCAST_VALUEFLOW_RECORD_H
#define PARCAST_VALUEFLOW_RECORD_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/** The allocation at an address, if there is one, is an array of structures of so many bytes. */
void vf_record_note(uintptr_t address, uint32_t bytes);
#pragma GCC visibility pop

#endif
