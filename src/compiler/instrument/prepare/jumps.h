/* Jumps to labels that a program computes. */
#ifndef PARCAST_INSTRUMENT_JUMPS_H
#define PARCAST_INSTRUMENT_JUMPS_H

#include <llvm-c/Core.h>

/** Number the labels whose addresses are taken, and choose among the numbers where an address was jumped to.
 */
void jumps_number(LLVMModuleRef module);

#endif
