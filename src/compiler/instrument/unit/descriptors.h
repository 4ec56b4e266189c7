/* Fortran's descriptors: where an array is, its extents and strides. */
#ifndef PARCAST_INSTRUMENT_DESCRIPTORS_H
#define PARCAST_INSTRUMENT_DESCRIPTORS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Does a load or store access a member of a descriptor? Its numbers are bounds and sizes, which have no
 * home: flang says so in the type of the access (not with -O0), and the type of a variable does. */
bool is_descriptor_member(LLVMValueRef access);
bool is_descriptor(LLVMTypeRef type);

#endif
