/*
 * The part of an allocator that its users see. One descriptor stands for all that can happen: an epoll set of
 * a counter that events wake, a timer of one second, and what the back end watches (children, a file).
 */
#include "parcast/allocator.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "allocator/internal.h"

static const struct backend *const backends[] = {&allocator_local, &allocator_hosts, &allocator_slurm};
enum { N_BACKENDS = sizeof backends / sizeof *backends };

/* ---- open and close ---- */

/* "hosts:FILE" -> the back end hosts, "FILE". */
static const struct backend *find_backend(const char *spec, const char **argument)
{
    size_t length = strcspn(spec, ":");
    *argument = spec[length] ? spec + length + 1 : NULL;
    for (int i = 0; i < N_BACKENDS; i++)
        if (strlen(backends[i]->name) == length && strncmp(backends[i]->name, spec, length) == 0)
            return backends[i];
    return NULL;
}

static parcast_status open_descriptors(parcast_allocator *a, parcast_error *error)
{
    const struct itimerspec second = {{1, 0}, {1, 0}};
    a->epoll = epoll_create1(EPOLL_CLOEXEC);
    a->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    a->tick = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (a->epoll < 0 || a->wake < 0 || a->tick < 0 || timerfd_settime(a->tick, 0, &second, NULL))
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot watch for nodes: %s", strerror(errno));
    allocator_watch(a, a->wake);
    allocator_watch(a, a->tick);
    return PARCAST_OK;
}

static parcast_status check_options(const parcast_allocator_options *o, parcast_error *error)
{
    if (o->min_nodes < 0 || o->max_nodes < 0 || o->ranks_per_node < 0 || !(o->patience_s >= 0))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "a number below 0 in the options of the allocator");
    if (o->max_nodes && o->min_nodes > o->max_nodes)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "at least %d nodes, but at most %d",
                                 o->min_nodes, o->max_nodes);
    return PARCAST_OK;
}

static parcast_status enough_nodes(parcast_allocator *a, parcast_error *error)
{
    int spare;
    parcast_status status = a->backend->spare(a, &spare, error);
    if (status || spare >= a->options.min_nodes) return status;
    return parcast_error_set(error, PARCAST_DATA, a->backend->name, 0,
                             "there %s %d node%s, and at least %d %s needed", spare == 1 ? "is" : "are",
                             spare, spare == 1 ? "" : "s", a->options.min_nodes,
                             a->options.min_nodes == 1 ? "is" : "are");
}

parcast_status parcast_allocator_open(const char *spec, const parcast_allocator_options *options,
                                      parcast_allocator **allocator, parcast_error *error)
{
    const char *argument;
    const struct backend *backend = find_backend(spec, &argument);
    parcast_allocator_options o = options ? *options : (parcast_allocator_options){.platform = NULL};
    if (!backend)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "nodes come from local, hosts:FILE or slurm, not '%s'", spec);
    parcast_status status = check_options(&o, error);
    if (status) return status;
    parcast_allocator *a = calloc(1, sizeof *a);
    if (!a) return allocator_no_memory(error);
    const double usual_patience_s = 60;
    a->backend = backend;
    a->options = o;
    if (a->options.min_nodes == 0) a->options.min_nodes = 1;
    a->patience_s = o.patience_s > 0 ? o.patience_s : usual_patience_s;
    a->epoll = a->wake = a->tick = a->lock = -1;
    a->opened_s = allocator_now(a);
    status = open_descriptors(a, error);
    if (!status) status = backend->open(a, argument, error);
    if (!status) status = enough_nodes(a, error);
    if (status)
        parcast_allocator_close(&a);
    else
        *allocator = a;
    return status;
}

static void remove_directory(parcast_allocator *a)
{
    if (a->agent && a->own_directory) unlink(a->agent); /* ours: it lies in a folder that we made */
    if (a->own_directory) rmdir(a->directory);
    if (a->lock >= 0) close(a->lock);
    free(a->agent);
    free(a->directory);
}

void parcast_allocator_close(parcast_allocator **allocator)
{
    if (!allocator || !*allocator) return;
    parcast_allocator *a = *allocator;
    for (size_t i = 0; i < a->n_nodes; i++)
        if (!a->nodes[i].gone) a->backend->give_back(a, &a->nodes[i]);
    a->backend->close(a);
    for (size_t i = 0; i < a->n_nodes; i++) a->nodes[i].gone = true;
    allocator_tidy(a);
    remove_directory(a);
    const int fds[] = {a->epoll, a->wake, a->tick};
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0) close(fds[i]);
    free(a->nodes);
    free(a->view);
    free(a);
    *allocator = NULL;
}

const char *parcast_allocator_name(const parcast_allocator *allocator)
{
    return allocator->backend->name;
}

const char *parcast_allocator_agent(const parcast_allocator *allocator)
{
    return allocator->agent;
}

int parcast_allocator_descriptor(const parcast_allocator *allocator)
{
    return allocator->epoll;
}

/* ---- how many ---- */

static int wanted(const parcast_allocator *a)
{
    return allocator_count(a, PARCAST_NODE_READY) + allocator_count(a, PARCAST_NODE_STARTING);
}

parcast_status parcast_allocator_available(parcast_allocator *allocator, int *n_nodes, parcast_error *error)
{
    int spare;
    parcast_status status = allocator->backend->spare(allocator, &spare, error);
    if (status) return status;
    int all = wanted(allocator) + spare, most = allocator->options.max_nodes;
    *n_nodes = most && all > most ? most : all;
    return PARCAST_OK;
}

int parcast_allocator_ready(parcast_allocator *allocator)
{
    return allocator_count(allocator, PARCAST_NODE_READY);
}

/* The youngest requests are withdrawn first. */
static void withdraw(parcast_allocator *a, int n)
{
    for (size_t i = a->n_nodes; i-- > 0 && n > 0;) {
        struct node *node = &a->nodes[i];
        if (node->gone || node->state != PARCAST_NODE_STARTING) continue;
        a->backend->give_back(a, node);
        n--;
    }
    allocator_tidy(a);
}

parcast_status parcast_allocator_request(parcast_allocator *a, int n_nodes, parcast_error *error)
{
    int most = a->options.max_nodes;
    if (n_nodes < a->options.min_nodes || (most && n_nodes > most)) {
        parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%d nodes are outside what was allowed", n_nodes);
        parcast_error_hint(error, "at least %d%s", a->options.min_nodes, most ? ", and there is a most" : "");
        return PARCAST_INVALID;
    }
    int more = n_nodes - wanted(a);
    if (more < 0) withdraw(a, -more);
    if (more <= 0) return PARCAST_OK;
    parcast_status status = a->backend->grow(a, more, error);
    allocator_tidy(a);
    return status;
}

static int given_up_first(const struct node *node)
{
    return node->state == PARCAST_NODE_LOST || node->state == PARCAST_NODE_LEAVING ||
           node->state == PARCAST_NODE_STARTING;
}

parcast_status parcast_allocator_release(parcast_allocator *a, int n_nodes, parcast_error *error)
{
    if (n_nodes < 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%d nodes cannot be kept", n_nodes);
    allocator_tidy(a);
    int ready = allocator_count(a, PARCAST_NODE_READY);
    for (size_t i = a->n_nodes; i-- > 0;) {
        struct node *node = &a->nodes[i];
        bool starting = node->state == PARCAST_NODE_STARTING;
        if (starting && wanted(a) <= n_nodes) continue;
        if (!given_up_first(node) && ready-- <= n_nodes) break;
        a->backend->give_back(a, node);
    }
    allocator_tidy(a);
    return PARCAST_OK;
}

const parcast_held_node *parcast_allocator_nodes(parcast_allocator *a, size_t *n)
{
    allocator_tidy(a);
    *n = 0;
    parcast_held_node *view = realloc(a->view, (a->n_nodes + 1) * sizeof *view);
    if (!view) return NULL;
    a->view = view;
    for (size_t i = 0; i < a->n_nodes; i++) {
        const struct node *node = &a->nodes[i];
        const char *name = node->name ? node->name : "";
        view[i] = (parcast_held_node){.name = name,
                                      .address = node->address ? node->address : name,
                                      .slots = node->slots,
                                      .type = node->type,
                                      .state = node->state,
                                      .doubted = node->checking,
                                      .price_per_hour = node->price_per_hour,
                                      .asked_s = node->asked_s,
                                      .ready_s = node->ready_s};
    }
    *n = a->n_nodes;
    return view;
}

/* ---- events ---- */

static void drain(int fd)
{
    uint64_t count;
    while (read(fd, &count, sizeof count) > 0) {
    }
}

static bool next_event(parcast_allocator *a, parcast_allocation_event *event)
{
    if (a->n_events == 0) {
        drain(a->wake);
        return false;
    }
    *event = a->events[0];
    event->complete = allocator_count(a, PARCAST_NODE_STARTING) == 0;
    memmove(a->events, a->events + 1, --a->n_events * sizeof *a->events);
    return true;
}

parcast_status parcast_allocator_wait(parcast_allocator *a, double timeout_s, parcast_allocation_event *event,
                                      parcast_error *error)
{
    double until_s = allocator_now(a) + timeout_s;
    *event = (parcast_allocation_event){.kind = PARCAST_ALLOCATION_NONE};
    for (;;) {
        if (next_event(a, event)) return PARCAST_OK;
        parcast_status status = a->backend->look(a, error);
        drain(a->tick);
        allocator_tidy(a);
        if (status) return status;
        if (next_event(a, event)) return PARCAST_OK;
        double left_s = until_s - allocator_now(a);
        if (left_s <= 0) return PARCAST_OK;
        struct epoll_event ready;
        epoll_wait(a->epoll, &ready, 1, left_s < 1 ? (int)ceil(1000 * left_s) : 1000);
    }
}

void parcast_allocator_suspect(parcast_allocator *a, const char *name)
{
    for (size_t i = 0; i < a->n_nodes; i++) {
        struct node *node = &a->nodes[i];
        bool ready = node->state == PARCAST_NODE_READY || node->state == PARCAST_NODE_LEAVING;
        if (!node->gone && ready && node->name && strcmp(node->name, name) == 0) a->backend->check(a, node);
    }
}
