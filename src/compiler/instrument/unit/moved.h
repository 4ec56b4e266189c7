/* Where the C++ library's members put what they are given. */
#ifndef PARCAST_INSTRUMENT_MOVED_H
#define PARCAST_INSTRUMENT_MOVED_H

#include <llvm-c/Core.h>

/** `std::unique_ptr<double[]> u(p)` and `u.reset(p)`: the object that holds the pointer from this use on;
 * NULL where it is no such use. */
LLVMValueRef moved_into_pointer(LLVMUseRef use);
/** `u = make(n)` and `rows.push_back(make(n))`: the object that an object with a temporary's address gives up
 * what it has to; NULL. */
LLVMValueRef moved_from_temporary(LLVMValueRef temporary);

#endif
