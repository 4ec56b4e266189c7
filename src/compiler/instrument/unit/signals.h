#ifndef PARCAST_INSTRUMENT_SIGNALS_H
#define PARCAST_INSTRUMENT_SIGNALS_H

#include "compiler/instrument/function/function.h"

/** Does the call of signal or sigaction certainly install no handler: a question, or a constant SIG_IGN or
 * SIG_DFL? */
bool signals_no_handler(const struct function *f, LLVMValueRef call);

#endif
