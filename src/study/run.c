#include <stdlib.h>
#include <string.h>

#include "study/internal.h"

static void clear_node(parcast_run_node *node)
{
    free(node->name);
    free(node->type);
}

void parcast_run_clear(parcast_run *run)
{
    if (!run) return;
    free(run->program);
    for (size_t i = 0; i < run->n_arguments && run->arguments; i++) free(run->arguments[i]);
    free(run->arguments);
    free(run->started_at);
    free(run->mpi);
    free(run->launcher);
    free(run->placement);
    free(run->notes);
    for (size_t i = 0; i < run->n_nodes && run->nodes; i++) clear_node(&run->nodes[i]);
    free(run->nodes);
    parcast_profiles_destroy(&run->ranks, run->n_profiles);
    memset(run, 0, sizeof *run);
}

void parcast_run_destroy(parcast_run **run)
{
    if (!run || !*run) return;
    parcast_run_clear(*run);
    free(*run);
    *run = NULL;
}

void parcast_run_list_clear(parcast_run_list *list)
{
    if (!list) return;
    for (size_t i = 0; i < list->n_runs; i++) parcast_run_clear(&list->runs[i]);
    free(list->runs);
    memset(list, 0, sizeof *list);
}

parcast_status study_pack_arguments(char *const *arguments, size_t n, char **packed, size_t *size,
                                    parcast_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++) total += strlen(arguments[i]) + 1;
    char *text = malloc(total ? total : 1);
    if (!text) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    char *end = text;
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(arguments[i]) + 1;
        memcpy(end, arguments[i], length);
        end += length;
    }
    *packed = text;
    *size = total;
    return PARCAST_OK;
}
