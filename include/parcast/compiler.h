/**
 * Compiler wrappers: `parcast cc`, `c++` and `fc` stand in for the C, C++ and Fortran compiler of a build and
 * instrument what they compile. They take every argument that clang takes.
 */
#ifndef PARCAST_COMPILER_H
#define PARCAST_COMPILER_H

#include <stddef.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum parcast_language { PARCAST_C, PARCAST_CXX, PARCAST_FORTRAN } parcast_language;

/** What a wrapper was asked for. */
typedef struct parcast_compile {
    parcast_language language;
    const char *const *regions; /**< [n_regions] functions that are the region of interest */
    size_t n_regions;
    const char *const *arguments; /**< [n_arguments] as for the compiler, without its name */
    size_t n_arguments;
} parcast_compile;

/**
 * Compile, link or both, as the arguments say, with the calls of the value-flow run time in every function.
 * Compilation is three steps: the front end makes bitcode, parcast-instrument optimises and instruments it,
 * the code generator makes the object. Linking adds the run time. Arguments that ask for neither (-E,
 * --version) go to the compiler as they are.
 *
 * @param[out] status exit status of the first step that failed, 0 if all went well; untouched on failure
 * @return PARCAST_OK; PARCAST_NOT_FOUND (compiler or instrumenter is not installed); PARCAST_IO;
 * PARCAST_MEMORY
 *
 * The environment variable PARCAST_REGION (names with commas in between) adds regions, for build systems
 * where the command is hard to change.
 */
PARCAST_API parcast_status parcast_compiler_run(const parcast_compile *compile, int *status,
                                                parcast_error *error);

#ifdef __cplusplus
}
#endif
#endif
