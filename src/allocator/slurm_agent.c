#include "allocator/slurm_agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/*
 * Open MPI's daemon stays in its step: it ends with it, and so with its job. One that goes to the background
 * ends the step; where Slurm tracks processes by cgroups it is then killed, else it outlives its job.
 *
 * Each daemon has a session folder to itself: as it starts it clears the one of its user on its machine, and
 * where several nodes are one machine, as with `slurmd -N`, that is under the others' hands; one launch in
 * some tens or hundreds then ends, "A call to mkdir was unable to create the desired directory". A folder
 * belongs to who lives in it, all of whom hold its lock; what daemons that were killed have left goes with
 * the next one.
 */
static const char agent_body[] =
    "job=$(sed -n \"s/^$host //p\" %s)\n"
    "[ -n \"$job\" ] || { echo \"parcast: node $host is not held\" >&2; exit 255; }\n"
    "unset SLURM_JOB_ID SLURM_JOBID SLURM_JOB_NODELIST SLURM_NODELIST SLURM_NNODES "
    "SLURM_NTASKS SLURM_STEP_ID\n"
    "exec srun --overlap --jobid=\"$job\" -w \"$host\" -N1 -n1 --mpi=none sh -c '\n"
    "    prefix=${TMPDIR:-/tmp}/parcast-mpi-\n"
    "    for old in \"$prefix\"*; do\n"
    "        [ -O \"$old\" ] && [ -f \"$old/lock\" ] && flock -n \"$old/lock\" rm -rf \"$old\"\n"
    "    done\n"
    "    folder=$(mktemp -d \"${prefix}XXXXXX\") && exec 9>\"$folder/lock\" && flock 9 &&\n"
    "        export OMPI_MCA_orte_tmpdir_base=\"$folder\"\n"
    "    trap : HUP INT TERM\n"
    "    sh -c \"$1\"\n"
    "    status=$?\n"
    "    [ -z \"$folder\" ] || rm -rf \"$folder\"\n"
    "    exit $status' sh \"$(printf '%%s ' \"$@\" | sed 's/ --daemonize / /')\"\n";

parcast_status slurm_write_map(const parcast_allocator *a, const char *path, parcast_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) return allocator_no_memory(error);
    for (size_t i = 0; i < a->n_nodes; i++) {
        const struct node *node = &a->nodes[i];
        bool there = node->state == PARCAST_NODE_READY || node->state == PARCAST_NODE_LEAVING;
        if (!node->gone && there) fprintf(memory, "%s %ld\n", node->name, node->job);
    }
    if (fclose(memory)) {
        free(text);
        return allocator_no_memory(error);
    }
    parcast_status status = allocator_replace(path, text, S_IRUSR | S_IWUSR, error);
    free(text);
    return status;
}

parcast_status slurm_write_agent(parcast_allocator *a, char **map, parcast_error *error)
{
    char *body;
    parcast_status status = allocator_directory(a, error);
    if (status) return status;
    if (asprintf(map, "%s/nodes", a->directory) < 0) {
        *map = NULL;
        return allocator_no_memory(error);
    }
    char *quoted = allocator_quote(*map);
    if (!quoted || asprintf(&body, agent_body, quoted) < 0) body = NULL;
    free(quoted);
    if (!body) return allocator_no_memory(error);
    status = allocator_write_agent(a, body, error);
    free(body);
    if (!status) status = slurm_write_map(a, *map, error);
    return status;
}
