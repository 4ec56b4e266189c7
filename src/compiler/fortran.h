/* gfortran's options where flang stands for it. */
#ifndef PARCAST_COMPILER_FORTRAN_H
#define PARCAST_COMPILER_FORTRAN_H

#include <stddef.h>

#include "compiler/arguments.h"

/** What an option that is of this kind for C is for here. */
enum argument_kind fortran_kind(const char *word, enum argument_kind kind);

/** Append what the linker is told by the first of n words so that flang takes it; returns how many words that
 * took, 0 where flang takes it as it is. */
size_t fortran_link(const char *const *arguments, size_t n, struct words *words);

#endif
