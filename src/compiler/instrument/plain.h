/*
 * Every function twice: as it is followed, and as it was written. A program of which every unit has both runs
 * at its own speed outside of `parcast estimate`, which also runs it so once, to time it and to count its
 * iterations.
 *
 *     f:  if (parcast_vf_plain) goto f.plain else goto f.traced
 */
#ifndef PARCAST_INSTRUMENT_PLAIN_H
#define PARCAST_INSTRUMENT_PLAIN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/**
 * Give every function of an instrumented unit its plain version.
 *
 * @param[in] module  instrumented
 * @param[in] plain   the same unit, optimised alike and not instrumented, of the same context; taken over
 * @param[in] regions the functions that are the region
 * @return false where the linker refuses; the unit is then of no use
 *
 * A unit with what cannot stand twice (indirect functions, variables under a second name) stays as it is.
 */
bool plain_add(LLVMModuleRef module, LLVMModuleRef plain, const char *const *regions, int n_regions);

#endif
