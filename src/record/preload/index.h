/** From where a binding counts the completed requests of an array. */
#ifndef PARCAST_PRELOAD_INDEX_H
#define PARCAST_PRELOAD_INDEX_H

#include "record.h"

/** 0 in C; 1 in Fortran, except for mpi_f08 of MPICH 4.0, which forgets to add it: the library is asked once.
 */
int index_base(const struct call *c);

#endif
