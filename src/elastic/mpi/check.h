/** Mistakes in the use of the library; see check.c. */
#ifndef PARCAST_ELASTIC_CHECK_H
#define PARCAST_ELASTIC_CHECK_H

#include "elastic/mpi/internal.h"

/** What all ranks meet is said once: the lowest one prints, and ends the others in their sleep here. */
void elastic_await_lower(int rank);
/** Print what is in stderr's buffer, and let the launcher take it: MPI_Abort may be quicker. */
void elastic_flush(void);

/** Print, and end the program: where there is no handle whose options could say something else. */
_Noreturn void elastic_refuse(const char *what);
_Noreturn void elastic_refuse_call(const char *call);
static inline void elastic_check_handle(const parcast_elastic *e, const char *call)
{
    if (!e) elastic_refuse_call(call);
}

/** A process opens the library once at a time, between MPI_Init and MPI_Finalize. */
void elastic_check_open(MPI_Comm comm);
void elastic_note_open(parcast_elastic *e);
void elastic_note_close(parcast_elastic *e);

/** PARCAST_INVALID where no safe point may be. */
parcast_status elastic_check_point(const parcast_elastic *e, parcast_error *error);

/** Collective: all ranks have registered the same. PARCAST_INVALID on all ranks; PARCAST_MEMORY */
parcast_status elastic_check_registered(parcast_elastic *e, parcast_error *error);

#endif
