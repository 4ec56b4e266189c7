#include "run_nodes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pause_s = 10, longest_pause_s = 600, first_wait_s = 10, hear_every_s = 0.1;

parcast_status nodes_open(const struct cli_common *common, const char *spec, const char *shell,
                          const parcast_allocator_options *options, struct nodes *nodes, parcast_error *error)
{
    parcast_allocator_options with_shell = *options;
    with_shell.shell = shell;
    *nodes = (struct nodes){.common = common,
                            .platform = options->platform,
                            .min_nodes = options->min_nodes > 1 ? options->min_nodes : 1,
                            .first_s = NAN,
                            .heard_s = -INFINITY,
                            .pause_s = pause_s};
    return parcast_allocator_open(spec, &with_shell, &nodes->allocator, error);
}

void nodes_close(struct nodes *nodes)
{
    parcast_allocator_close(&nodes->allocator);
    free(nodes->hosts);
    free(nodes->names);
    free(nodes->used);
    *nodes = (struct nodes){0};
}

parcast_status nodes_available(struct nodes *nodes, int *n, parcast_error *error)
{
    return parcast_allocator_available(nodes->allocator, n, error);
}

static double now_s(const struct nodes *nodes)
{
    return parcast_allocator_elapsed(nodes->allocator);
}

/* The same refusal is told once; it is asked again later and later, until something changes. */
static void on_refused(struct nodes *nodes, const parcast_allocation_event *event)
{
    if (strcmp(nodes->refusal, event->text) != 0) cli_warn(nodes->common, "%s", event->text);
    snprintf(nodes->refusal, sizeof nodes->refusal, "%s", event->text);
    if (now_s(nodes) < nodes->ask_s) return; /* several in one moment */
    nodes->ask_s = now_s(nodes) + nodes->pause_s;
    nodes->pause_s = fmin(2 * nodes->pause_s, longest_pause_s);
}

static void on_event(struct nodes *nodes, const parcast_allocation_event *event)
{
    if (event->kind == PARCAST_ALLOCATION_REFUSED) {
        on_refused(nodes, event);
        return;
    }
    if (event->kind == PARCAST_ALLOCATION_MORE) {
        nodes->ask_s = 0;
        nodes->pause_s = pause_s;
    }
    if (event->kind == PARCAST_ALLOCATION_LOST || event->kind == PARCAST_ALLOCATION_LEAVING)
        cli_warn(nodes->common, "%s", event->text);
    else
        cli_note(nodes->common, "%s", event->text);
}

/* All that has happened. */
static parcast_status hear(struct nodes *nodes, parcast_error *error)
{
    parcast_allocation_event event = {0};
    nodes->heard_s = now_s(nodes);
    for (;;) {
        parcast_status status = parcast_allocator_wait(nodes->allocator, 0, &event, error);
        if (status || event.kind == PARCAST_ALLOCATION_NONE) return status;
        on_event(nodes, &event);
    }
}

struct counts {
    int ready, starting, doubted;
};

static struct counts count(struct nodes *nodes)
{
    struct counts counts = {0};
    size_t n;
    const parcast_held_node *all = parcast_allocator_nodes(nodes->allocator, &n);
    for (size_t i = 0; i < n; i++) {
        counts.ready += all[i].state == PARCAST_NODE_READY;
        counts.starting += all[i].state == PARCAST_NODE_STARTING;
        counts.doubted += all[i].doubted && all[i].state != PARCAST_NODE_LOST;
    }
    if (counts.ready > 0 && isnan(nodes->first_s)) nodes->first_s = now_s(nodes);
    return counts;
}

/* Nothing runs: wait for all that were wanted, but not for ever when there are enough to begin. */
static parcast_status grant_first(struct nodes *nodes, struct counts counts, int wanted, int *granted,
                                  parcast_error *error)
{
    int most = counts.ready < wanted ? counts.ready : wanted;
    bool waits = counts.starting > 0 && !nodes->begun &&
                 !(counts.ready >= nodes->min_nodes && now_s(nodes) - nodes->first_s > first_wait_s);
    *granted = 0;
    if (counts.doubted > 0 || (counts.ready < wanted && waits)) return PARCAST_OK;
    if (counts.ready >= nodes->min_nodes) {
        *granted = most;
        return PARCAST_OK;
    }
    if (counts.starting > 0 || (nodes->begun && now_s(nodes) < nodes->ask_s)) return PARCAST_OK;
    parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "no node could be had%s%s",
                      nodes->refusal[0] ? ": " : "", nodes->refusal);
    if (nodes->begun && nodes->resumable)
        parcast_error_hint(error, "the same command resumes the run when there are nodes again");
    return PARCAST_NOT_FOUND;
}

parcast_status nodes_grant(struct nodes *nodes, int present, int wanted, int *granted, parcast_error *error)
{
    parcast_status status = hear(nodes, error);
    struct counts counts = status ? (struct counts){0} : count(nodes);
    if (!status && wanted > counts.ready + counts.starting && now_s(nodes) >= nodes->ask_s) {
        status = parcast_allocator_request(nodes->allocator, wanted, error);
        if (!status) status = hear(nodes, error);
        if (!status) counts = count(nodes);
    }
    if (status) return status;
    if (present == 0) return grant_first(nodes, counts, wanted, granted, error);
    if (wanted <= counts.ready)
        *granted = wanted;
    else if (counts.ready < present && counts.ready >= nodes->min_nodes)
        *granted = counts.ready; /* some are wanted back */
    else
        *granted = present;
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

/* Ready ones; nodes that are wanted back only where there are no others. */
const parcast_supervisor_host *nodes_hosts(struct nodes *nodes, int n_nodes, size_t *n)
{
    size_t held;
    const parcast_held_node *all = parcast_allocator_nodes(nodes->allocator, &held);
    parcast_supervisor_host *hosts = realloc(nodes->hosts, (size_t)n_nodes * sizeof *hosts);
    if (hosts) nodes->hosts = hosts;
    char(*names)[256] = realloc(nodes->names, (size_t)n_nodes * sizeof *names);
    if (names) nodes->names = names;
    *n = 0;
    if (!hosts || !names || !all) return NULL;
    for (size_t i = 0; i < held && *n < (size_t)n_nodes; i++) {
        if (all[i].state != PARCAST_NODE_READY && all[i].state != PARCAST_NODE_LEAVING) continue;
        double speed = nodes->platform && all[i].type >= 0 ? nodes->platform->types[all[i].type].speed : 1;
        snprintf(names[*n], sizeof *names, "%s", all[i].name);
        hosts[*n] = (parcast_supervisor_host){.name = names[*n],
                                              .slots = all[i].slots,
                                              .speed = speed > 0 ? speed : 1,
                                              .address = all[i].address};
        ++*n;
    }
    nodes->n_hosts = *n;
    nodes->begun = true;
    return hosts;
}

parcast_host_state nodes_host(struct nodes *nodes, const char *name)
{
    size_t n;
    parcast_error error;
    if (now_s(nodes) - nodes->heard_s >= hear_every_s && hear(nodes, &error) != PARCAST_OK)
        return PARCAST_HOST_FINE; /* the next wish tells */
    const parcast_held_node *all = parcast_allocator_nodes(nodes->allocator, &n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(all[i].name, name) != 0) continue;
        if (all[i].state == PARCAST_NODE_LOST) return PARCAST_HOST_GONE;
        bool enough = parcast_allocator_ready(nodes->allocator) >= nodes->min_nodes;
        return all[i].state == PARCAST_NODE_LEAVING && enough ? PARCAST_HOST_WANTED_BACK : PARCAST_HOST_FINE;
    }
    return PARCAST_HOST_GONE;
}

void nodes_suspect(struct nodes *nodes, const char *name)
{
    parcast_allocator_suspect(nodes->allocator, name);
}

/* Nodes that came since may stand before those that are in use: none of these is given back. While ranks are
 * on a node that is leaving nothing is, for such nodes go first. */
static void release_others(struct nodes *nodes, char (*names)[256], size_t n_names, int n)
{
    parcast_error error = {0};
    size_t held;
    const parcast_held_node *all = parcast_allocator_nodes(nodes->allocator, &held);
    int keep = n > nodes->wanted ? n : nodes->wanted;
    for (size_t i = 0; i < held; i++)
        for (size_t k = 0; k < n_names; k++) {
            if (strcmp(all[i].name, names[k]) != 0) continue;
            if (all[i].state == PARCAST_NODE_LEAVING) return;
            if (all[i].state == PARCAST_NODE_READY && (int)i + 1 > keep) keep = (int)i + 1;
        }
    if (parcast_allocator_release(nodes->allocator, keep, &error) != PARCAST_OK)
        cli_warn(nodes->common, "nodes are not given back: %s", error.text);
}

void nodes_keep(struct nodes *nodes, int n)
{
    size_t n_names = nodes->n_hosts < (size_t)n ? nodes->n_hosts : (size_t)n;
    char(*used)[256] = realloc(nodes->used, (n_names + 1) * sizeof *used);
    if (used) {
        nodes->used = used;
        nodes->n_used = n_names;
        if (n_names > 0) memcpy(used, nodes->names, n_names * sizeof *used);
    }
    release_others(nodes, nodes->names, n_names, n);
}

void nodes_give_up(struct nodes *nodes, int present)
{
    struct counts counts = count(nodes);
    if (nodes->n_used == (size_t)present && nodes->wanted <= present &&
        counts.ready + counts.starting > present)
        release_others(nodes, nodes->used, nodes->n_used, present);
}
