/** Linear algebra on one thread: what is solved here is small, and every thread takes memory. */
#ifndef PARCAST_CLI_ONE_THREAD_H
#define PARCAST_CLI_ONE_THREAD_H

/**
 * OpenBLAS starts its threads when it is loaded, before main. Where the environment does not say how many, it
 * is told one until then. This takes that back, for the programs that are started: first in main.
 */
void one_thread_restore(void);

#endif
