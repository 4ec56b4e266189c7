/*
 * Every function three times: as it is followed, as it was written, and as that with its operations counted.
 * A program of which every unit has all runs at its own speed outside of `parcast estimate`, which also runs
 * it so once, to time it and to count its iterations, and hardly slower when it counts the operations of
 * these.
 *
 *     f:  switch (parcast_vf_plain) { case 0: goto f.followed; case 1: goto f.plain; case 2: goto f.counted;
 * }
 */
#ifndef PARCAST_INSTRUMENT_PLAIN_H
#define PARCAST_INSTRUMENT_PLAIN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/**
 * Give every function of an instrumented unit its plain and its counted version.
 *
 * @param[in] module  instrumented
 * @param[in] plain   the same unit, optimised alike and not instrumented, of the same context; taken over
 * @param[in] regions the functions that are the region
 * @return false where the linker refuses; the unit is then of no use
 *
 * A unit with what cannot stand several times (indirect functions, variables under a second name) stays as it
 * is.
 */
bool plain_add(LLVMModuleRef module, LLVMModuleRef plain, const char *const *regions, int n_regions);

#endif
