#include "raw_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t entries_of(const struct raw_view *v, enum raw_section_id id)
{
    return v->header->sections[id].entries;
}

/* Entries are copied out: the bytes need not be aligned. */
static void entry(const struct raw_view *v, enum raw_section_id id, uint64_t i, void *out)
{
    const struct raw_section *s = &v->header->sections[id];
    memcpy(out, v->bytes + s->offset + i * s->entry_bytes, s->entry_bytes);
}

static parcast_status no_memory(const char *source, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory for a profile");
}

static void *table(uint64_t n, size_t bytes)
{
    return calloc(n ? n : 1, bytes);
}

/* Name of a function; false if the number is none or the text is damaged. */
static bool name_of(const struct raw_view *v, uint64_t function, char name[PARCAST_CALL_NAME])
{
    struct raw_name raw;
    if (function >= entries_of(v, RAW_SECTION_NAMES)) return false;
    entry(v, RAW_SECTION_NAMES, function, &raw);
    if (!memchr(raw.text, '\0', sizeof raw.text)) return false;
    memcpy(name, raw.text, sizeof raw.text);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const parcast_profile_call *)a)->name, ((const parcast_profile_call *)b)->name);
}

/* The calls of a function at all its sites, and those that had none. */
static void add_sites(const struct raw_view *v, struct raw_call *calls, uint64_t n_calls)
{
    for (uint64_t i = 0; i < entries_of(v, RAW_SECTION_SITES); i++) {
        struct raw_site site;
        entry(v, RAW_SECTION_SITES, i, &site);
        if (!site.used || site.count == 0 || site.function >= n_calls) continue;
        struct raw_call *c = &calls[site.function];
        if (c->count == 0 || site.min < c->min) c->min = site.min;
        if (site.max > c->max) c->max = site.max;
        c->count += site.count;
        c->bytes += site.bytes;
        c->ticks += site.ticks;
    }
}

static parcast_status read_calls(const struct raw_view *v, const char *source, parcast_rank_profile *p,
                                 parcast_error *error)
{
    uint64_t n = entries_of(v, RAW_SECTION_CALLS);
    parcast_status status = PARCAST_OK;
    struct raw_call *raw = table(n, sizeof *raw);
    p->calls = table(n, sizeof *p->calls);
    if (!raw || !p->calls) {
        status = no_memory(source, error);
        goto free_raw;
    }
    for (uint64_t i = 0; i < n; i++) entry(v, RAW_SECTION_CALLS, i, &raw[i]);
    add_sites(v, raw, n);
    for (uint64_t i = 0; i < n; i++) {
        if (raw[i].count == 0) continue;
        parcast_profile_call *c = &p->calls[p->n_calls];
        if (!name_of(v, i, c->name)) {
            status = parcast_error_set(error, PARCAST_FORMAT, source, 0, "a call has no name");
            goto free_raw;
        }
        c->count = raw[i].count;
        c->bytes = raw[i].bytes;
        c->time_s = v->tick_s * (double)raw[i].ticks;
        c->min_s = v->tick_s * (double)raw[i].min;
        c->max_s = v->tick_s * (double)raw[i].max;
        p->n_calls++;
    }
    qsort(p->calls, p->n_calls, sizeof *p->calls, by_name);

free_raw:
    free(raw);
    return status;
}

static parcast_status read_sizes(const struct raw_view *v, const char *source, parcast_rank_profile *p,
                                 parcast_error *error)
{
    uint64_t n = entries_of(v, RAW_SECTION_SIZES);
    p->sizes = table(n, sizeof *p->sizes);
    if (!p->sizes) return no_memory(source, error);
    for (uint64_t i = 0; i < n; i++) {
        struct raw_size raw;
        entry(v, RAW_SECTION_SIZES, i, &raw);
        if (raw.count == 0) continue;
        p->sizes[p->n_sizes++] = (parcast_profile_sizes){
            .message_class = (parcast_message_class)(i / ((uint64_t)RAW_REACHES * RAW_BINS)),
            .reach = (parcast_reach)(i / RAW_BINS % RAW_REACHES),
            .bin = (int)(i % RAW_BINS),
            .count = raw.count,
            .bytes = raw.bytes,
            .time_s = v->tick_s * (double)raw.ticks,
            .min_s = v->tick_s * (double)raw.min,
        };
    }
    return PARCAST_OK;
}

static int by_name_and_size(const void *a, const void *b)
{
    const parcast_profile_collective *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order) return order;
    if (x->n_ranks != y->n_ranks) return x->n_ranks < y->n_ranks ? -1 : 1;
    if (x->reach != y->reach) return x->reach < y->reach ? -1 : 1;
    return (x->bin > y->bin) - (x->bin < y->bin);
}

static parcast_status read_collectives(const struct raw_view *v, const char *source, parcast_rank_profile *p,
                                       parcast_error *error)
{
    uint64_t n = entries_of(v, RAW_SECTION_COLLECTIVES);
    p->collectives = table(n, sizeof *p->collectives);
    if (!p->collectives) return no_memory(source, error);
    for (uint64_t i = 0; i < n; i++) {
        struct raw_collective raw;
        entry(v, RAW_SECTION_COLLECTIVES, i, &raw);
        if (raw.count == 0) continue;
        parcast_profile_collective *c = &p->collectives[p->n_collectives];
        if (!name_of(v, raw.function, c->name) || raw.reach >= RAW_REACHES || raw.bin >= RAW_BINS ||
            raw.n_ranks > INT32_MAX)
            return parcast_error_set(error, PARCAST_FORMAT, source, 0, "a collective is damaged");
        c->n_ranks = (int)raw.n_ranks;
        c->reach = (parcast_reach)raw.reach;
        c->bin = (int)raw.bin;
        c->count = raw.count;
        c->bytes = raw.bytes;
        c->time_s = v->tick_s * (double)raw.ticks;
        c->min_s = v->tick_s * (double)raw.min;
        p->n_collectives++;
    }
    qsort(p->collectives, p->n_collectives, sizeof *p->collectives, by_name_and_size);
    return PARCAST_OK;
}

static parcast_status read_peers(const struct raw_view *v, const char *source, parcast_rank_profile *p,
                                 parcast_error *error)
{
    uint64_t n = entries_of(v, RAW_SECTION_PEERS);
    if (n > INT32_MAX) return parcast_error_set(error, PARCAST_FORMAT, source, 0, "too many peers");
    p->peers = table(n + 1, sizeof *p->peers);
    if (!p->peers) return no_memory(source, error);
    if (v->header->other_worlds_count)
        p->peers[p->n_peers++] = (parcast_profile_peer){
            -1, PARCAST_REACH_UNKNOWN, v->header->other_worlds_count, v->header->other_worlds_bytes};
    for (uint64_t i = 0; i < n; i++) {
        struct raw_peer raw;
        entry(v, RAW_SECTION_PEERS, i, &raw);
        if (raw.count == 0) continue;
        parcast_reach reach =
            raw.node == v->header->node ? PARCAST_REACH_SAME_NODE : PARCAST_REACH_OTHER_NODE;
        p->peers[p->n_peers++] = (parcast_profile_peer){(int)i, reach, raw.count, raw.bytes};
    }
    return PARCAST_OK;
}

static char *module_path(const struct raw_view *v, uint64_t module)
{
    struct raw_module raw;
    if (module >= entries_of(v, RAW_SECTION_MODULES)) return strdup("unknown");
    entry(v, RAW_SECTION_MODULES, module, &raw);
    return strndup(raw.path, sizeof raw.path);
}

static bool read_site(const struct raw_view *v, const struct raw_site *raw, parcast_profile_site *s)
{
    if (!name_of(v, raw->function, s->name) || raw->bin >= RAW_BINS) return false;
    s->offset = raw->offset;
    s->bin = raw->bin;
    s->blocking = raw->used & RAW_SITE_WAITS;
    s->count = raw->count;
    s->bytes = raw->bytes;
    s->time_s = v->tick_s * (double)raw->ticks;
    s->min_s = v->tick_s * (double)raw->min;
    s->compute_s = v->tick_s * (double)raw->gap;
    s->compute_sq_s2 = v->tick_s * v->tick_s * (isfinite(raw->gap_sq) ? raw->gap_sq : 0);
    s->compute_min_s = v->tick_s * (double)raw->gap_min;
    return true;
}

static int by_time(const void *a, const void *b)
{
    const parcast_profile_site *x = a, *y = b;
    if (x->time_s != y->time_s) return x->time_s > y->time_s ? -1 : 1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->bin > y->bin) - (x->bin < y->bin);
}

static parcast_status read_sites(const struct raw_view *v, const char *source, parcast_rank_profile *p,
                                 parcast_error *error)
{
    uint64_t n = entries_of(v, RAW_SECTION_SITES);
    p->sites = table(n, sizeof *p->sites);
    if (!p->sites) return no_memory(source, error);
    for (uint64_t i = 0; i < n; i++) {
        struct raw_site raw;
        entry(v, RAW_SECTION_SITES, i, &raw);
        if (!raw.used || raw.count == 0) continue;
        parcast_profile_site *s = &p->sites[p->n_sites];
        if (!read_site(v, &raw, s))
            return parcast_error_set(error, PARCAST_FORMAT, source, 0, "a call site is damaged");
        s->module = module_path(v, raw.module);
        if (!s->module) return no_memory(source, error);
        p->n_sites++;
    }
    qsort(p->sites, p->n_sites, sizeof *p->sites, by_time);
    return PARCAST_OK;
}

/* Waiting is what a blocking call takes above the cheapest one of its site and size. */
static void derive_waiting(parcast_rank_profile *p)
{
    for (size_t i = 0; i < p->n_sites; i++) {
        const parcast_profile_site *s = &p->sites[i];
        double wait_s = s->time_s - (double)s->count * s->min_s;
        if (!s->blocking || !(wait_s > 0)) continue;
        parcast_profile_call *c = bsearch(s->name, p->calls, p->n_calls, sizeof *c, by_name);
        if (c) c->wait_s += wait_s;
        p->wait_s += wait_s;
    }
    if (p->wait_s > p->mpi_s) p->wait_s = p->mpi_s; /* other threads waited too */
}

static int by_level(const void *a, const void *b)
{
    int x = ((const parcast_profile_phase *)a)->level, y = ((const parcast_profile_phase *)b)->level;
    return (x > y) - (x < y);
}

static parcast_status read_phases(const struct raw_view *v, const char *source, parcast_rank_profile *p,
                                  parcast_error *error)
{
    const struct raw_header *h = v->header;
    uint64_t n = entries_of(v, RAW_SECTION_PHASES);
    p->phases = table(n, sizeof *p->phases);
    if (!p->phases) return no_memory(source, error);
    for (uint64_t i = 0; i < n; i++) {
        struct raw_phase raw;
        entry(v, RAW_SECTION_PHASES, i, &raw);
        if (!raw.used) continue;
        if (i == h->phase) { /* the one that was on */
            if (v->end_ticks > h->phase_ticks) raw.ticks += v->end_ticks - h->phase_ticks;
            if (h->main.gap > h->phase_gap) raw.gap += h->main.gap - h->phase_gap;
        }
        p->phases[p->n_phases++] = (parcast_profile_phase){
            raw.level, raw.count, v->tick_s * (double)raw.ticks, v->tick_s * (double)raw.gap};
    }
    qsort(p->phases, p->n_phases, sizeof *p->phases, by_level);
    return PARCAST_OK;
}

static parcast_status read_windows(const struct raw_view *v, const char *source, parcast_rank_profile *p,
                                   parcast_error *error)
{
    const struct raw_header *h = v->header;
    uint64_t capacity = entries_of(v, RAW_SECTION_WINDOWS);
    p->n_syncs = h->n_syncs;
    p->syncs_per_window = (uint64_t)1 << h->window_shift;
    uint64_t n = h->n_syncs >> h->window_shift;
    if (h->n_syncs & (p->syncs_per_window - 1)) n++;
    if (n > capacity)
        return parcast_error_set(error, PARCAST_FORMAT, source, 0, "more windows than there is room for");
    p->windows_s = table(n, sizeof *p->windows_s);
    if (!p->windows_s) return no_memory(source, error);
    p->n_windows = n;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t ticks;
        entry(v, RAW_SECTION_WINDOWS, i, &ticks);
        if (i + 1 == n && h->main.gap > h->window_mark) ticks += h->main.gap - h->window_mark;
        p->windows_s[i] = v->tick_s * (double)ticks;
    }
    return PARCAST_OK;
}

parcast_status raw_read_tables(const struct raw_view *view, const char *source, parcast_rank_profile *profile,
                               parcast_error *error)
{
    static parcast_status (*const readers[])(const struct raw_view *, const char *, parcast_rank_profile *,
                                             parcast_error *) = {
        read_calls, read_sizes, read_collectives, read_peers, read_sites, read_phases, read_windows,
    };
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        parcast_status status = readers[i](view, source, profile, error);
        if (status) return status;
    }
    derive_waiting(profile);
    return PARCAST_OK;
}
