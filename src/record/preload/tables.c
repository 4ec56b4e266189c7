#include "tables.h"

#include <dlfcn.h>
#include <stdio.h>

/* Above this many the table is slow and full for practical purposes. */
enum { SITES_LIMIT = RAW_SITES / 4 * 3, COLLECTIVES_LIMIT = RAW_COLLECTIVES / 4 * 3 };

static unsigned n_sites, n_collectives, n_modules;

static unsigned module_of(const void *address, uint64_t *offset)
{
    Dl_info info;
    *offset = (uint64_t)(uintptr_t)address;
    if (!dladdr(address, &info) || !info.dli_fname) return RAW_MODULES;
    uint64_t base = (uint64_t)(uintptr_t)info.dli_fbase;
    for (unsigned i = 0; i < n_modules; i++) {
        if (recorder.modules[i].base != base) continue;
        *offset -= base;
        return i;
    }
    if (n_modules == RAW_MODULES) return RAW_MODULES;
    struct raw_module *m = &recorder.modules[n_modules];
    snprintf(m->path, sizeof m->path, "%s", info.dli_fname);
    m->base = base;
    *offset -= base;
    return n_modules++;
}

static struct raw_site *new_site(struct raw_site *s, const struct call *c, unsigned bin)
{
    if (n_sites == SITES_LIMIT) {
        recorder.header->lost_sites++;
        return NULL;
    }
    n_sites++;
    s->module = module_of(c->site, &s->offset);
    s->address = (uint64_t)(uintptr_t)c->site;
    s->function = (uint16_t)c->id;
    s->bin = (uint8_t)bin;
    s->min = s->gap_min = UINT64_MAX;
    s->used = RAW_SITE_USED | (c->f->flags & WAITS ? RAW_SITE_WAITS : 0);
    return s;
}

struct raw_site *table_search_site(const struct call *c, unsigned bin, size_t slot)
{
    uint64_t address = (uint64_t)(uintptr_t)c->site;
    for (;; slot = (slot + 1) % RAW_SITES) {
        struct raw_site *s = &recorder.sites[slot];
        if (!s->used) return new_site(s, c, bin);
        if (s->address == address && s->bin == bin && s->function == c->id) return s;
    }
}

void table_message_back(unsigned message_class, unsigned reach, uint64_t bytes, uint64_t ticks)
{
    struct raw_size *s = &recorder.sizes[table_size_index(message_class, reach, bytes)];
    s->count--;
    s->bytes -= bytes;
    s->ticks -= ticks;
}

void table_collective(unsigned id, int n_ranks, unsigned reach, uint64_t size, uint64_t bytes, uint64_t ticks)
{
    unsigned bin = table_bin(size);
    uint64_t key = (uint64_t)(unsigned)n_ranks << 24 | id << 12 | bin << 4 | reach;
    size_t i = (size_t)(key * 0x9e3779b97f4a7c15U >> 54);
    struct raw_collective *k;
    for (;; i = (i + 1) % RAW_COLLECTIVES) {
        k = &recorder.collectives[i];
        if (k->count == 0) break;
        if (k->function == id && k->n_ranks == (unsigned)n_ranks && k->reach == reach && k->bin == bin) break;
    }
    if (k->count == 0) {
        if (n_collectives == COLLECTIVES_LIMIT) {
            recorder.header->lost_collectives++;
            return;
        }
        n_collectives++;
        k->function = id;
        k->n_ranks = (unsigned)n_ranks;
        k->reach = reach;
        k->bin = bin;
        k->min = ticks;
    }
    k->count++;
    k->bytes += bytes;
    k->ticks += ticks;
    if (ticks < k->min) k->min = ticks;
}

/* All ranks count the same synchronisations, so all merge at the same one and the windows stay aligned. */
void table_synchronised(void)
{
    struct raw_header *h = recorder.header;
    uint64_t *w = recorder.windows;
    if (h->n_syncs >> h->window_shift == RAW_WINDOWS) {
        for (size_t i = 0; i < RAW_WINDOWS / 2; i++) w[i] = w[2 * i] + w[2 * i + 1];
        for (unsigned i = RAW_WINDOWS / 2; i < RAW_WINDOWS; i++) w[i] = 0;
        h->window_shift++;
    }
    w[h->n_syncs >> h->window_shift] += h->main.gap - h->window_mark;
    h->window_mark = h->main.gap;
    h->n_syncs++;
}

void table_phase(int level, uint64_t t)
{
    struct raw_header *h = recorder.header;
    unsigned i = 0;
    while (i < RAW_PHASES && recorder.phases[i].used && recorder.phases[i].level != level) i++;
    if (i == RAW_PHASES) {
        h->lost_phases++;
        return;
    }
    struct raw_phase *on = &recorder.phases[h->phase];
    on->ticks += t - h->phase_ticks;
    on->gap += h->main.gap - h->phase_gap;
    h->phase = i;
    h->phase_ticks = t;
    h->phase_gap = h->main.gap;
    recorder.phases[i].level = level;
    recorder.phases[i].used = 1;
    recorder.phases[i].count++;
}
