/**
 * How many threads the library may work with.
 */
#ifndef PARCAST_THREADS_H
#define PARCAST_THREADS_H

#include <stddef.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * At most n threads at a time from here on, in this process and those that it forks; 0: as many as there are
 * processors for it, which is the case before. What is found does not depend on it.
 *
 * To be called while the library does nothing else.
 */
PARCAST_API void parcast_threads_limit(size_t n);

/** As many as it may work with. */
PARCAST_API size_t parcast_threads(void);

#ifdef __cplusplus
}
#endif
#endif
