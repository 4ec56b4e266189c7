/* Hosts that die, are wanted back, or do not come up. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "elastic/supervise.h"

static const double usual_patience_s = 60, look_every_s = 0.2;

static parcast_host_state state_of(const supervisor *s, const struct launch_host *host)
{
    return s->calls->host ? s->calls->host(s->context, host->name) : PARCAST_HOST_FINE;
}

double supervise_patience(const supervisor *s)
{
    return s->request->patience_s > 0 ? s->request->patience_s : usual_patience_s;
}

void supervise_suspect(supervisor *s, struct launch *launch)
{
    for (size_t i = 0; i < launch->n_hosts && s->calls->suspect; i++)
        s->calls->suspect(s->context, launch->hosts[i].name);
    free(s->suspects.hosts);
    s->suspects = (struct suspects){.hosts = launch->hosts, .n = launch->n_hosts};
    launch->hosts = NULL;
    launch->n_hosts = 0;
}

/* A node that is frozen holds its connections: nobody must ask there. */
static void look_at_servers(supervisor *s)
{
    for (size_t i = 0; i < s->n_servers && s->calls->host; i++) {
        struct server *server = &s->servers[i];
        if (server->state == SERVER_FAILED || !server->host[0] ||
            s->calls->host(s->context, server->host) != PARCAST_HOST_GONE)
            continue;
        if (supervise_needs_server(s, server))
            supervise_fail_servers_on(s, server->host);
        else
            supervise_end_server(server); /* the node was given back */
    }
}

bool supervise_clear_suspects(supervisor *s)
{
    bool lost = false;
    for (size_t i = 0; i < s->suspects.n; i++)
        lost = lost || state_of(s, &s->suspects.hosts[i]) == PARCAST_HOST_GONE;
    look_at_servers(s);
    free(s->suspects.hosts);
    s->suspects = (struct suspects){0};
    return lost;
}

const char *supervise_wanted_back(const supervisor *s, const struct launch *launch)
{
    for (size_t i = 0; i < launch->n_hosts; i++)
        if (state_of(s, &launch->hosts[i]) == PARCAST_HOST_WANTED_BACK) return launch->hosts[i].name;
    return NULL;
}

/* Who wishes as many nodes as there are does not wish this move. */
void supervise_set_reason(supervisor *s)
{
    bool wished = s->wish.relaunch || !s->now || s->wish.nodes != s->now->nodes;
    const char *host = wished ? NULL : supervise_wanted_back(s, s->now);
    if (host)
        snprintf(s->move.reason, sizeof s->move.reason, "node %.200s is wanted back", host);
    else
        snprintf(s->move.reason, sizeof s->move.reason, "%s", s->wish.reason);
}

/* A program that never opened the library may run as long as it likes; it is only said. */
static void look_at_start(supervisor *s, struct launch *launch)
{
    bool is_elastic = s->is_elastic || s->request->program->is_elastic;
    /* How long a program takes to open the library is not known before it has done so once. */
    double patience_s = supervise_patience(s) * (s->is_elastic ? 1 : 1 << (s->retries < 8 ? s->retries : 8));
    if (launch->greeted || supervise_now() - launch->started_s < patience_s) return;
    if (!is_elastic) {
        if (!launch->told_late)
            supervise_tell(
                s, true,
                "no rank has opened the elastic library for %.0f s: either the program does not use "
                "it, or the launcher hangs; end it with Ctrl-C",
                patience_s);
        launch->told_late = true;
        return;
    }
    char nodes[32];
    supervise_tell(s, true, "%s did not come up within %.0f s: the launcher is ended",
                   supervise_count_nodes(launch->nodes, nodes), patience_s);
    launch->greeted = launch->late = true; /* said once */
    supervise_kill(launch);
}

static void look_at_launch(supervisor *s, struct launch *launch)
{
    for (size_t i = 0; i < launch->n_hosts && !launch->host_lost; i++) {
        if (state_of(s, &launch->hosts[i]) != PARCAST_HOST_GONE) continue;
        launch->host_lost = true;
        if (launch == s->now)
            supervise_tell(s, true, "node %s is gone: the program is resumed without it",
                           launch->hosts[i].name);
        supervise_kill(launch);
    }
    if (launch->state == LAUNCH_STARTING) look_at_start(s, launch);
}

void supervise_look_at_hosts(supervisor *s)
{
    if (supervise_now() - s->hosts_looked_s < look_every_s) return;
    s->hosts_looked_s = supervise_now();
    look_at_servers(s);
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) {
        struct launch *launch = &s->launches[i];
        if (launch->pid && launch->state >= LAUNCH_STARTING && launch->state <= LAUNCH_RUNNING)
            look_at_launch(s, launch);
    }
}
