/* Pages of tables that come before they are touched. */
#ifndef PARCAST_VALUEFLOW_AHEAD_H
#define PARCAST_VALUEFLOW_AHEAD_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

/** All of this will be touched soon, as new memory of a table when all tables have `mapped`: another
 * processor has its pages made from the near end on. It helps most where that is asked for before the program
 * gets there (vector.c, hash.c). A wish: where there is no other processor, little memory or an old kernel,
 * pages come when they are touched, as ever. */
void vf_ahead(void *p, size_t bytes, size_t mapped);
/** Threads that this has begun: 0 or 1. */
unsigned vf_ahead_threads(void);

#pragma GCC visibility pop

#endif
