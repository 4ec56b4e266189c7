/* Sums over the profiles of a run: all items into one array, sorted by key, equal keys merged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/study.h"

typedef int compare_items(const void *a, const void *b);
typedef void merge_items(void *into, const void *item);

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
}

/* Sort [n] items by key and merge neighbours with equal keys; returns how many are left. */
static size_t merge_equal(void *items, size_t n, size_t size, compare_items *compare, merge_items *merge)
{
    char *at = items;
    if (n == 0) return 0;
    qsort(items, n, size, compare);
    size_t last = 0;
    for (size_t i = 1; i < n; i++) {
        if (compare(at + last * size, at + i * size) == 0)
            merge(at + last * size, at + i * size);
        else if (++last != i)
            memcpy(at + last * size, at + i * size, size);
    }
    return last + 1;
}

/* An unknown smallest time (NAN) gives way to a known one: fmin and fmax do that. */
static void merge_calls(void *into, const void *item)
{
    parcast_profile_call *sum = into;
    const parcast_profile_call *more = item;
    sum->count += more->count;
    sum->bytes += more->bytes;
    sum->time_s += more->time_s;
    sum->wait_s += more->wait_s;
    sum->min_s = fmin(sum->min_s, more->min_s);
    sum->max_s = fmax(sum->max_s, more->max_s);
}

static int by_call_name(const void *a, const void *b)
{
    return strcmp(((const parcast_profile_call *)a)->name, ((const parcast_profile_call *)b)->name);
}

static int longest_call_first(const void *a, const void *b)
{
    const parcast_profile_call *x = a, *y = b;
    if (x->time_s != y->time_s) return x->time_s < y->time_s ? 1 : -1;
    return strcmp(x->name, y->name);
}

parcast_status parcast_run_calls(const parcast_run *run, parcast_profile_call **calls, size_t *n,
                                 parcast_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < run->n_profiles; i++) total += run->ranks[i].n_calls;
    parcast_profile_call *all = calloc(total + 1, sizeof *all);
    if (!all) return no_memory(error);
    total = 0;
    for (size_t i = 0; i < run->n_profiles; i++)
        for (size_t k = 0; k < run->ranks[i].n_calls; k++) all[total++] = run->ranks[i].calls[k];
    *n = merge_equal(all, total, sizeof *all, by_call_name, merge_calls);
    if (*n > 1) qsort(all, *n, sizeof *all, longest_call_first);
    *calls = all;
    return PARCAST_OK;
}

static void merge_sizes(void *into, const void *item)
{
    parcast_profile_sizes *sum = into;
    const parcast_profile_sizes *more = item;
    sum->count += more->count;
    sum->bytes += more->bytes;
    sum->time_s += more->time_s;
    sum->min_s = fmin(sum->min_s, more->min_s);
}

static int by_size(const void *a, const void *b)
{
    const parcast_profile_sizes *x = a, *y = b;
    if (x->message_class != y->message_class) return x->message_class < y->message_class ? -1 : 1;
    if (x->reach != y->reach) return x->reach < y->reach ? -1 : 1;
    return (x->bin > y->bin) - (x->bin < y->bin);
}

parcast_status parcast_run_sizes(const parcast_run *run, parcast_profile_sizes **sizes, size_t *n,
                                 parcast_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < run->n_profiles; i++) total += run->ranks[i].n_sizes;
    parcast_profile_sizes *all = calloc(total + 1, sizeof *all);
    if (!all) return no_memory(error);
    total = 0;
    for (size_t i = 0; i < run->n_profiles; i++)
        for (size_t k = 0; k < run->ranks[i].n_sizes; k++) all[total++] = run->ranks[i].sizes[k];
    *n = merge_equal(all, total, sizeof *all, by_size, merge_sizes);
    *sizes = all;
    return PARCAST_OK;
}

static void merge_collectives(void *into, const void *item)
{
    parcast_profile_collective *sum = into;
    const parcast_profile_collective *more = item;
    sum->count += more->count;
    sum->bytes += more->bytes;
    sum->time_s += more->time_s;
    sum->min_s = fmin(sum->min_s, more->min_s);
}

static int by_collective(const void *a, const void *b)
{
    const parcast_profile_collective *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    if (names) return names;
    if (x->n_ranks != y->n_ranks) return x->n_ranks < y->n_ranks ? -1 : 1;
    if (x->reach != y->reach) return x->reach < y->reach ? -1 : 1;
    return (x->bin > y->bin) - (x->bin < y->bin);
}

parcast_status parcast_run_collectives(const parcast_run *run, parcast_profile_collective **collectives,
                                       size_t *n, parcast_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < run->n_profiles; i++) total += run->ranks[i].n_collectives;
    parcast_profile_collective *all = calloc(total + 1, sizeof *all);
    if (!all) return no_memory(error);
    total = 0;
    for (size_t i = 0; i < run->n_profiles; i++)
        for (size_t k = 0; k < run->ranks[i].n_collectives; k++) all[total++] = run->ranks[i].collectives[k];
    *n = merge_equal(all, total, sizeof *all, by_collective, merge_collectives);
    *collectives = all;
    return PARCAST_OK;
}

static void merge_sites(void *into, const void *item)
{
    parcast_profile_site *sum = into;
    const parcast_profile_site *more = item;
    sum->count += more->count;
    sum->bytes += more->bytes;
    sum->time_s += more->time_s;
    sum->min_s = fmin(sum->min_s, more->min_s);
    sum->compute_s += more->compute_s;
    sum->compute_sq_s2 += more->compute_sq_s2;
    sum->compute_min_s = fmin(sum->compute_min_s, more->compute_min_s);
}

static int by_site(const void *a, const void *b)
{
    const parcast_profile_site *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    if (!names) names = strcmp(x->module ? x->module : "", y->module ? y->module : "");
    if (names) return names;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->bin > y->bin) - (x->bin < y->bin);
}

static int longest_site_first(const void *a, const void *b)
{
    const parcast_profile_site *x = a, *y = b;
    if (x->time_s != y->time_s) return x->time_s < y->time_s ? 1 : -1;
    return by_site(a, b);
}

parcast_status parcast_run_sites(const parcast_run *run, parcast_profile_site **sites, size_t *n,
                                 parcast_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < run->n_profiles; i++) total += run->ranks[i].n_sites;
    parcast_profile_site *all = calloc(total + 1, sizeof *all);
    if (!all) return no_memory(error);
    total = 0;
    for (size_t i = 0; i < run->n_profiles; i++)
        for (size_t k = 0; k < run->ranks[i].n_sites; k++) all[total++] = run->ranks[i].sites[k];
    *n = merge_equal(all, total, sizeof *all, by_site, merge_sites);
    if (*n > 1) qsort(all, *n, sizeof *all, longest_site_first);
    *sites = all;
    return PARCAST_OK;
}

void parcast_run_messages(const parcast_run *run, parcast_messages *messages)
{
    parcast_messages sum = {0};
    for (size_t i = 0; i < run->n_profiles; i++) {
        for (size_t k = 0; k < run->ranks[i].n_sizes; k++) {
            const parcast_profile_sizes *item = &run->ranks[i].sizes[k];
            if (item->message_class != PARCAST_MESSAGE_SEND) continue;
            sum.count += item->count;
            sum.bytes += item->bytes;
            if (item->reach != PARCAST_REACH_SAME_NODE) continue;
            sum.same_node_count += item->count;
            sum.same_node_bytes += item->bytes;
        }
    }
    *messages = sum;
}
