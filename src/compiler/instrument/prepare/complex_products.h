/* Products of complex numbers that come to no number. */
#ifndef PARCAST_INSTRUMENT_COMPLEX_PRODUCTS_H
#define PARCAST_INSTRUMENT_COMPLEX_PRODUCTS_H

#include <llvm-c/Core.h>

/** Leave out the question whether a product has come to no number and is to be computed again. */
void complex_products_make_plain(LLVMModuleRef module);

#endif
