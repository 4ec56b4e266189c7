/* The agent for nodes of Slurm: a daemon of MPI is started as a step of the job that its node belongs to. */
#ifndef PARCAST_ALLOCATOR_SLURM_AGENT_H
#define PARCAST_ALLOCATOR_SLURM_AGENT_H

#include "allocator/internal.h"

/** Write which job each node that is held belongs to, a line each: "n2 17". */
parcast_status slurm_write_map(const parcast_allocator *a, const char *path, parcast_error *error);

/** Write the agent, and the first map, whose path goes to `map`; free() it, also after an error. */
parcast_status slurm_write_agent(parcast_allocator *a, char **map, parcast_error *error);

#endif
