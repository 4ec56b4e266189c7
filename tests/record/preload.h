/** Runs MPI programs under the preload library and reads what they leave. */
#ifndef TEST_PRELOAD_H
#define TEST_PRELOAD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parcast/profile.h"

enum { MPICH, OPENMPI, N_MPIS };

struct record {
    char directory[64];
    int exit_status; /* of the launcher */
    parcast_rank_profile *profiles;
    size_t n;
    char output[65536]; /* stdout and stderr */
};

/** "mpich", "openmpi" */
const char *mpi_name(int mpi);

/** Skips the test with a message where this MPI is not installed. */
void need_program(int mpi, const char *program);

/**
 * Run `mpiexec ARGUMENTS` of this MPI in a new directory with the library preloaded; in the arguments @
 * stands for the directory of the programs and % for ".mpich" or ".openmpi". `environment` is put before, as
 * for env.
 */
void run_recorded(struct record *r, int mpi, const char *environment, const char *arguments);
void free_record(struct record *r);

/** The profile of a rank of the first world; fails the test if there is none. */
const parcast_rank_profile *rank_of(const struct record *r, int rank);
uint64_t calls_of(const parcast_rank_profile *p, const char *name);
uint64_t bytes_of(const parcast_rank_profile *p, const char *name);

#endif
