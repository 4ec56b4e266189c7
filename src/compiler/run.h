/* One run of a wrapper, which its steps share. */
#ifndef PARCAST_COMPILER_RUN_H
#define PARCAST_COMPILER_RUN_H

#include "compiler/arguments.h"
#include "compiler/tools.h"

struct run {
    const parcast_compile *compile;
    struct arguments arguments;
    struct tools tools;
    struct words objects; /* of sources and assembly: one each */
};

static inline bool run_is_fortran(const struct run *run)
{
    return run->compile->language == PARCAST_FORTRAN;
}

/** Is an object made of this argument? */
static inline bool run_is_compiled(const struct run *run, size_t argument)
{
    unsigned char kind = run->arguments.kind[argument];
    return kind == ARGUMENT_SOURCE || kind == ARGUMENT_ASSEMBLY;
}

/** link.c; status is that of the linker. */
parcast_status run_link(const struct run *run, int *status, parcast_error *error);

#endif
