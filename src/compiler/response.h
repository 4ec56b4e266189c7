/* Response files: @FILE among the arguments stands for the words of FILE. */
#ifndef PARCAST_COMPILER_RESPONSE_H
#define PARCAST_COMPILER_RESPONSE_H

#include "compiler/words.h"
#include "parcast/compiler.h"

/** All words, those of response files in their places; a file that cannot be read stays as it is, for the
 * compiler to complain. */
parcast_status response_expand(const parcast_compile *compile, struct words *words, parcast_error *error);

/** More words than a command line holds go through a response file in `folder`; the first, the program,
 * stays. */
parcast_status response_shorten(struct words *words, const char *folder, parcast_error *error);

#endif
