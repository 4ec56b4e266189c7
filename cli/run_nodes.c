#include "run_nodes.h"

#include <stdlib.h>
#include <string.h>

parcast_status nodes_open(const struct cli_common *common, const char *spec, const char *shell,
                          const parcast_allocator_options *options, struct nodes *nodes, parcast_error *error)
{
    parcast_allocator_options with_shell = *options;
    with_shell.shell = shell;
    *nodes = (struct nodes){.common = common, .platform = options->platform};
    return parcast_allocator_open(spec, &with_shell, &nodes->allocator, error);
}

void nodes_close(struct nodes *nodes)
{
    parcast_allocator_close(&nodes->allocator);
    free(nodes->hosts);
    *nodes = (struct nodes){0};
}

parcast_status nodes_available(struct nodes *nodes, int *n, parcast_error *error)
{
    return parcast_allocator_available(nodes->allocator, n, error);
}

static void tell_event(const struct nodes *nodes, const parcast_allocation_event *event)
{
    if (event->kind == PARCAST_ALLOCATION_LOST || event->kind == PARCAST_ALLOCATION_REFUSED)
        cli_warn(nodes->common, "%s", event->text);
    else if (event->kind != PARCAST_ALLOCATION_NONE)
        cli_note(nodes->common, "%s", event->text);
}

/* All that has happened; the first look may wait. */
static parcast_status hear(struct nodes *nodes, double wait_s, bool *refused, parcast_error *error)
{
    parcast_allocation_event event = {0};
    parcast_status status;
    do {
        status = parcast_allocator_wait(nodes->allocator, wait_s, &event, error);
        if (status) return status;
        tell_event(nodes, &event);
        *refused = *refused || event.kind == PARCAST_ALLOCATION_REFUSED;
        wait_s = 0;
    } while (event.kind != PARCAST_ALLOCATION_NONE);
    return PARCAST_OK;
}

/* A run that has no node yet waits for its first ones. */
static parcast_status wait_for_first(struct nodes *nodes, int wanted, int *granted, parcast_error *error)
{
    bool refused = false;
    parcast_status status = PARCAST_OK;
    while (!status && !refused && parcast_allocator_ready(nodes->allocator) < wanted)
        status = hear(nodes, 0.2, &refused, error);
    if (status) return status;
    int ready = parcast_allocator_ready(nodes->allocator);
    if (ready < 1) return parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "no node could be had");
    *granted = ready < wanted ? ready : wanted;
    return PARCAST_OK;
}

parcast_status nodes_grant(struct nodes *nodes, int present, int wanted, int *granted, parcast_error *error)
{
    bool refused = false;
    size_t held;
    parcast_status status = hear(nodes, 0, &refused, error);
    if (status) return status;
    parcast_allocator_nodes(nodes->allocator, &held);
    if (wanted > parcast_allocator_ready(nodes->allocator) && (size_t)wanted > held)
        status = parcast_allocator_request(nodes->allocator, wanted, error);
    if (status) return status;
    if (present == 0) return wait_for_first(nodes, wanted, granted, error);
    *granted = wanted <= parcast_allocator_ready(nodes->allocator) ? wanted : present;
    return PARCAST_OK;
}

bool nodes_start(struct nodes *nodes)
{
    size_t n;
    const parcast_held_node *all = parcast_allocator_nodes(nodes->allocator, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i].state == PARCAST_NODE_STARTING) return true;
    return false;
}

const parcast_supervisor_host *nodes_hosts(struct nodes *nodes, int n_nodes, size_t *n)
{
    size_t held;
    const parcast_held_node *all = parcast_allocator_nodes(nodes->allocator, &held);
    parcast_supervisor_host *grown = realloc(nodes->hosts, (size_t)n_nodes * sizeof *grown);
    *n = 0;
    if (!grown) return NULL;
    nodes->hosts = grown;
    for (size_t i = 0; i < held && *n < (size_t)n_nodes; i++) {
        if (all[i].state != PARCAST_NODE_READY && all[i].state != PARCAST_NODE_LEAVING) continue;
        double speed = nodes->platform && all[i].type >= 0 ? nodes->platform->types[all[i].type].speed : 1;
        grown[(*n)++] = (parcast_supervisor_host){all[i].name, all[i].slots, speed > 0 ? speed : 1};
    }
    return grown;
}

void nodes_keep(struct nodes *nodes, int n)
{
    parcast_error error = {0};
    if (parcast_allocator_release(nodes->allocator, n, &error) != PARCAST_OK)
        cli_warn(nodes->common, "nodes are not given back: %s", error.text);
}
