/* A loop as instrumented code and the run time share it; the fields are known to
 * src/compiler/instrument/emit/loops.c. */
#ifndef PARCAST_COMPILER_LOOP_H
#define PARCAST_COMPILER_LOOP_H

#include <stdint.h>

#define PARCAST_LOOPS_SECTION "parcast_loops"

struct parcast_vf_loop {
    const char *site;   /* "heat.c:12 (kernel)" */
    uint64_t uncounted; /* 1: the last iteration leaves before it is counted */
    /* Of the plain version, inside the region: */
    uint64_t count;     /* iterations */
    uint64_t entries;   /* times that it began, in no other such loop */
    uint64_t time_ns;   /* of these */
    uint64_t before_ns; /* of the region before the first of these */
};

#endif
