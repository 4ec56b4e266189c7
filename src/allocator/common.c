/* Nodes, events and clocks that all back ends share. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "allocator/charge.h"
#include "allocator/internal.h"

parcast_status allocator_no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the allocator");
}

double allocator_now(const parcast_allocator *a)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec - a->opened_s;
}

/* ---- nodes ---- */

struct node *allocator_add(parcast_allocator *a, const char *name, int slots, int type)
{
    const parcast_platform *platform = a->options.platform;
    char *copy = name ? strdup(name) : NULL;
    struct node *nodes = realloc(a->nodes, (a->n_nodes + 1) * sizeof *nodes);
    if (nodes) a->nodes = nodes;
    if (!nodes || (name && !copy)) {
        free(copy);
        return NULL;
    }
    double price = platform && type >= 0 ? platform->types[type].price_per_hour : NAN, now = allocator_now(a);
    nodes[a->n_nodes] = (struct node){.name = copy,
                                      .slots = slots,
                                      .type = type,
                                      .state = PARCAST_NODE_STARTING,
                                      .price_per_hour = price,
                                      .asked_s = now,
                                      .ready_s = NAN,
                                      .order = a->asked++,
                                      .deadline_s = now + a->patience_s,
                                      .echo_s = now,
                                      .ping_s = now};
    return &nodes[a->n_nodes++];
}

void allocator_ready(parcast_allocator *a, struct node *node, int slots)
{
    node->state = PARCAST_NODE_READY;
    node->ready_s = allocator_now(a);
    node->deadline_s = INFINITY;
    if (node->slots == 0) node->slots = slots;
}

int allocator_count(const parcast_allocator *a, parcast_node_state state)
{
    int n = 0;
    for (size_t i = 0; i < a->n_nodes; i++) n += !a->nodes[i].gone && a->nodes[i].state == state;
    return n;
}

static double price_until(const parcast_allocator *a, const struct node *node, double now)
{
    if (node->paid) return 0;
    double unit_s = a->options.platform ? a->options.platform->billing_unit_s : 0;
    return charge(node->price_per_hour, now - node->asked_s, unit_s);
}

void allocator_settle(parcast_allocator *a, struct node *node)
{
    if (node->gone) return;
    a->charged += price_until(a, node, allocator_now(a));
    node->gone = true;
    child_end(&node->child);
    child_end(&node->keeper);
}

void allocator_lose(parcast_allocator *a, struct node *node)
{
    a->charged += price_until(a, node, allocator_now(a));
    node->paid = true;
    node->state = PARCAST_NODE_LOST;
    node->checking = false;
    node->deadline_s = INFINITY;
    child_end(&node->child);
    child_end(&node->keeper);
}

double parcast_allocator_cost(const parcast_allocator *a)
{
    double cost = a->charged, now = allocator_now(a);
    for (size_t i = 0; i < a->n_nodes; i++)
        if (!a->nodes[i].gone) cost += price_until(a, &a->nodes[i], now);
    return cost;
}

double parcast_allocator_elapsed(const parcast_allocator *a)
{
    return allocator_now(a);
}

/* Ready ones first; leaving ones after them, then those that start, then those that are lost. In each the
   order of the platform's types, in each of those the order of asking. */
static int rank_of(const struct node *node)
{
    static const int ranks[] = {[PARCAST_NODE_READY] = 0,
                                [PARCAST_NODE_LEAVING] = 1,
                                [PARCAST_NODE_STARTING] = 2,
                                [PARCAST_NODE_LOST] = 3};
    return ranks[node->state];
}

static int in_order(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    if (rank_of(x) != rank_of(y)) return rank_of(x) < rank_of(y) ? -1 : 1;
    if (x->type != y->type) return (unsigned)x->type < (unsigned)y->type ? -1 : 1; /* unknown types last */
    return x->order < y->order ? -1 : x->order > y->order;
}

void allocator_tidy(parcast_allocator *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->n_nodes; i++) {
        if (a->nodes[i].gone) {
            free(a->nodes[i].name);
            free(a->nodes[i].address);
        } else {
            a->nodes[kept++] = a->nodes[i];
        }
    }
    a->n_nodes = kept;
    if (kept > 1) qsort(a->nodes, kept, sizeof *a->nodes, in_order);
}

/* ---- types ---- */

static bool named_after(const char *host, const char *type)
{
    size_t length = strlen(type);
    if (strncmp(host, type, length) != 0) return false;
    const char *rest = host + length;
    if (*rest == '-') rest++;
    return rest[strspn(rest, "0123456789")] == '\0' || rest[strspn(rest, "0123456789")] == '.';
}

int allocator_type_of_host(const parcast_platform *platform, const char *host)
{
    for (size_t t = 0; platform && t < platform->n_types; t++) {
        const parcast_node_type *type = &platform->types[t];
        for (size_t i = 0; i < type->n_hosts; i++)
            if (strcmp(type->hosts[i], host) == 0) return (int)t;
        if (type->n_hosts == 0 && named_after(host, type->name)) return (int)t;
    }
    return -1;
}

int allocator_type_of_index(const parcast_platform *platform, int index)
{
    for (size_t t = 0; platform && t < platform->n_types; t++) {
        if (index < platform->types[t].count) return (int)t;
        index -= platform->types[t].count;
    }
    return -1;
}

/* ---- events ---- */

void allocator_tell(parcast_allocator *a, parcast_allocation_event_kind kind, int n_nodes, const char *format,
                    ...)
{
    if (a->n_events == ALLOCATOR_EVENTS) { /* nobody listens: the oldest is the least worth */
        memmove(a->events, a->events + 1, (ALLOCATOR_EVENTS - 1) * sizeof *a->events);
        a->n_events--;
    }
    parcast_allocation_event *event = &a->events[a->n_events++];
    *event = (parcast_allocation_event){.kind = kind, .n_nodes = n_nodes};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(event->text, sizeof event->text, format, arguments);
    va_end(arguments);
    const uint64_t one = 1;
    if (write(a->wake, &one, sizeof one) != sizeof one) return; /* it is readable already */
}

void allocator_watch(parcast_allocator *a, int fd)
{
    struct epoll_event event = {.events = EPOLLIN};
    /* Without it a change is seen at the next tick. */
    if (epoll_ctl(a->epoll, EPOLL_CTL_ADD, fd, &event)) return;
}
