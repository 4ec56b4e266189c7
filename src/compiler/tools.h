/* Where the parts of the wrappers are, and running them. */
#ifndef PARCAST_COMPILER_TOOLS_H
#define PARCAST_COMPILER_TOOLS_H

#include "compiler/words.h"
#include "parcast/compiler.h"

/** What one run of a wrapper needs; paths are absolute. */
struct tools {
    const char *compiler; /* clang-19, ... */
    char *instrumenter, *runtime, *include;
    char *scratch; /* a folder for what lies between the steps */
};

parcast_status tools_find(parcast_language language, struct tools *tools, parcast_error *error);
/** The same parts with the compiler of another language: they stay those of `tools`. */
parcast_status tools_of_language(const struct tools *tools, parcast_language language, struct tools *other,
                                 parcast_error *error);
/** Removes the scratch folder too. */
void tools_clear(struct tools *tools);

/** The folder of the run time of flang's programs; NULL where there is none. The caller frees it. */
char *tools_fortran_libraries(void);

/** Run a command (word[0] is looked up in PATH) and wait; status is its exit status, 128 + signal if it died.
 */
parcast_status tools_run(const struct words *words, int *status, parcast_error *error);
/** The same, and what it says is nobody's. */
parcast_status tools_ask(const struct words *words, int *status, parcast_error *error);

#endif
