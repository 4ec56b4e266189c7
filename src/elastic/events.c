/* Launches that begin, and what is told of a move that was made. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elastic/supervise.h"

/* -------- the beginning -------- */

const char *supervise_count_nodes(int n, char text[32])
{
    snprintf(text, 32, "%d node%s", n, n == 1 ? "" : "s");
    return text;
}

int64_t supervise_iteration_of(const char *manifest)
{
    long long epoch, iteration;
    return manifest && sscanf(manifest, "parcast-checkpoint 1\nepoch %lld\niteration %lld", &epoch,
                              &iteration) == 2
               ? iteration
               : 0;
}

/* The newest checkpoint older than the one that was refused; none: from the start. */
static parcast_status offer(supervisor *s, struct launch *launch, char **text, size_t *bytes)
{
    char damaged[256];
    int64_t epoch = -1, before = launch->offered >= 0 ? launch->offered : INT64_MAX;
    parcast_error none = {0};
    bool had = s->store.n > 0;
    parcast_status status = elastic_store_newest(&s->store, before, text, bytes, &epoch, damaged, &none);
    if (damaged[0]) supervise_tell(s, true, "a checkpoint is damaged and passed over: %s", damaged);
    if (status && status != PARCAST_NOT_FOUND) {
        if (s->error) *s->error = none;
        return status;
    }
    if (status && had) supervise_tell(s, true, "no checkpoint can be used: the run begins anew");
    launch->offered = epoch;
    return PARCAST_OK;
}

/* Where the run will be when a launch has begun with a manifest. */
static void set_beginning(supervisor *s, const struct launch *launch, const char *text)
{
    s->state.nodes = launch->nodes;
    s->state.iteration = supervise_iteration_of(text);
    s->state.since_iteration = s->state.iteration;
    s->state.running_s = 0;
}

/* A move that is due soon is ordered with the beginning. */
parcast_status supervise_say_begin(supervisor *s, struct launch *launch, const char *text, size_t bytes)
{
    set_beginning(s, launch, text);
    parcast_status status = supervise_ask(s);
    if (status) return status;
    char *servers = supervise_servers_text(s);
    int64_t stop = supervise_wants_move(s, launch) && s->wish.at_iteration >= 0 ? s->wish.at_iteration : -1;
    bool in_memory = stop >= 0 && supervise_moves_in_memory(s, launch, s->wish.nodes);
    s->stop_ordered = stop >= 0 && !in_memory;
    s->resize_ordered = in_memory;
    elastic_wire_say(&launch->wire, "begin %lld %lld %d %zu %zu %d", (long long)s->store.next_epoch,
                     (long long)stop, in_memory ? s->wish.nodes * s->request->ranks_per_node : 0, bytes,
                     servers ? strlen(servers) : 0, !s->request->overlap);
    if (bytes) elastic_wire_send(&launch->wire, text, bytes);
    if (servers) elastic_wire_send(&launch->wire, servers, strlen(servers));
    launch->state = LAUNCH_BEGUN;
    launch->begun_s = supervise_now();
    free(servers);
    return PARCAST_OK;
}

parcast_status supervise_begin(supervisor *s, struct launch *launch)
{
    char *text = NULL;
    size_t bytes = 0;
    parcast_status status = offer(s, launch, &text, &bytes);
    if (!status) status = supervise_say_begin(s, launch, text, bytes);
    free(text);
    return status;
}

/* -------- events -------- */

/*
 * The caller may give nodes back now. Where the last checkpoint lies in the memory of nodes that are left
 * another one is written first, on the nodes that stay, and copied.
 */
static void tell_moved(supervisor *s, const parcast_supervisor_event *event)
{
    struct launch *running = s->next ? s->next : s->now;
    if (!s->calls->moved) return;
    s->leaving_epoch = 0;
    s->leave_until_s = 0;
    s->left_for = *event;
    s->leaving_nodes =
        s->move.leaves_hosts && supervise_copies(s) && elastic_wire_say(&running->wire, "save 0");
    if (s->leaving_nodes) return;
    if (s->move.leaves_hosts && s->request->agent)
        supervise_begin_leaving(s);
    else
        s->calls->moved(s->context, event);
}

/* The first launch is told to the caller, but is no change. */
void supervise_keep_event(supervisor *s, const parcast_supervisor_event *event)
{
    bool first = s->n_launched == 1 && event->iteration == 0 && event->from_nodes == 0;
    parcast_supervisor_event *grown =
        first ? NULL : realloc(s->result.events, (s->result.n_events + 1) * sizeof *grown);
    if (grown) {
        s->result.events = grown;
        grown[s->result.n_events++] = *event;
    }
    elastic_store_note(&s->store,
                       "running on %d nodes from iteration %lld: launch %.3f s, stop %.3f s, move %.3f s, "
                       "pause %.3f s, %lld bytes; %s",
                       event->to_nodes, (long long)event->iteration, event->launch_s, event->stop_s,
                       event->move_s, event->pause_s, (long long)event->bytes, event->reason);
    tell_moved(s, event);
}

static void add_event(supervisor *s, const struct launch *launch, int64_t iteration, double move_s,
                      double copy_s, int64_t bytes)
{
    parcast_supervisor_event event = {
        .iteration = iteration,
        .from_nodes = s->move.from_nodes,
        .to_nodes = launch->nodes,
        .to_ranks = launch->ranks,
        .stop_s = s->move.committed_s - s->move.saving_s,
        .move_s = move_s,
        .copy_s = copy_s,
        .launch_s = launch->ready_s - launch->started_s,
        .pause_s = supervise_now() - s->move.saving_s,
        .bytes = bytes,
    };
    if (event.from_nodes == 0) event.stop_s = event.pause_s = NAN;
    snprintf(event.reason, sizeof event.reason, "%s", s->move.reason);
    s->last_launch_took_s = event.launch_s;
    supervise_keep_event(s, &event);
}

static void tell_move(supervisor *s, const struct launch *launch, int64_t iteration)
{
    char from[32], to[32];
    if (s->n_launched == 1 && iteration == 0) return;
    if (s->move.from_nodes == 0)
        supervise_tell(s, false, "resumed at iteration %lld on %s", (long long)iteration,
                       supervise_count_nodes(launch->nodes, to));
    else
        supervise_tell(s, false, "iteration %lld: from %s to %s, still for %.3f s: %s", (long long)iteration,
                       supervise_count_nodes(s->move.from_nodes, from),
                       supervise_count_nodes(launch->nodes, to), supervise_now() - s->move.saving_s,
                       s->move.reason);
}

/* After a crash nobody knows where the last checkpoint lies. */
static bool leaves_hosts(const supervisor *s, const struct launch *launch)
{
    if (!s->now || s->now == launch) return s->store.n > 0;
    for (size_t i = 0; i < s->now->n_hosts; i++) {
        bool stays = false;
        for (size_t k = 0; k < launch->n_hosts && !stays; k++)
            stays = strcmp(s->now->hosts[i].name, launch->hosts[k].name) == 0;
        if (!stays) return true;
    }
    return false;
}

/* The new ranks compute. */
void supervise_on_running(supervisor *s, struct launch *launch, int64_t iteration, double move_s,
                          double copy_s, int64_t bytes)
{
    launch->state = LAUNCH_RUNNING;
    s->resize_until_s = INFINITY;
    s->move.leaves_hosts = leaves_hosts(s, launch);
    add_event(s, launch, iteration, move_s, copy_s, bytes);
    tell_move(s, launch, iteration);
    if (s->now && s->now->state == LAUNCH_HOLDING) {
        elastic_wire_say(&s->now->wire, "fetched");
        s->now->state = LAUNCH_PARTING;
    } else if (s->now && s->now != launch && s->now->kill_s > supervise_now() + 3) {
        s->now->kill_s = supervise_now() + 3;
    }
    s->now = launch;
    s->next = NULL;
    s->move = (struct move){0};
    s->state.nodes = launch->nodes;
    s->state.iteration = s->state.since_iteration = iteration;
    s->state.running_s = 0;
    s->last_save_order_s = supervise_now();
    s->trim_due = true;
}
