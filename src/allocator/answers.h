/**
 * What others answer: Slurm's commands, and hosts through ssh. Bytes of strangers; nothing here trusts them.
 */
#ifndef PARCAST_ALLOCATOR_ANSWERS_H
#define PARCAST_ALLOCATOR_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

enum { ALLOCATOR_MAX_CORES = 1 << 20 }; /* that a node may say it has */

/** sinfo -N -o "%N|%T|%C", sorted by node: nodes that answer and of which no core is taken, each once. */
int slurm_count_free(const char *answer);

/** The same answer: nodes that Slurm clears of an ended job, and that nobody has behind that. */
int slurm_count_clearing(const char *answer);
/** squeue -o "%N|%C|%T": the first line's node and cores. False, and nothing is set: it has none. */
bool slurm_read_job(const char *answer, char *name, size_t size, int *cores);
/** "salloc: Granted job allocation 12", "salloc: Pending job allocation 12"; 0: neither. */
long slurm_job_in(const char *line);
/** What follows "WORD|" at the beginning of a line; NULL: there is no such line. */
const char *slurm_find_line(const char *answer, const char *word);
/** The rest of such a line as the address of a node, a host name or a number. False, and nothing is set: it
 * is none. */
bool slurm_read_address(const char *rest, char *address, size_t size);

/** "parcast CORES" of a host; 1 where CORES is no number of cores. False: it is something else. */
bool host_read_greeting(const char *line, int *cores);

#endif
