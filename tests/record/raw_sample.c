#include "raw_sample.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct file *raw_sample(void)
{
    struct file *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    struct raw_header *h = &f->header;
    memcpy(h->magic, RAW_MAGIC, 8);
    h->version = RAW_VERSION;
    h->byte_order = RAW_BYTE_ORDER;
    h->file_bytes = sizeof *f;
    h->sections[RAW_SECTION_NAMES] =
        (struct raw_section){offsetof(struct file, names), 2, sizeof f->names[0], 0};
    h->sections[RAW_SECTION_CALLS] =
        (struct raw_section){offsetof(struct file, calls), 2, sizeof f->calls[0], 0};
    h->sections[RAW_SECTION_SIZES] = (struct raw_section){
        offsetof(struct file, sizes), sizeof f->sizes / sizeof f->sizes[0], sizeof f->sizes[0], 0};
    h->sections[RAW_SECTION_COLLECTIVES] =
        (struct raw_section){offsetof(struct file, collectives), 4, sizeof f->collectives[0], 0};
    h->sections[RAW_SECTION_SITES] =
        (struct raw_section){offsetof(struct file, sites), 4, sizeof f->sites[0], 0};
    h->sections[RAW_SECTION_MODULES] =
        (struct raw_section){offsetof(struct file, modules), 1, sizeof f->modules[0], 0};
    h->sections[RAW_SECTION_WINDOWS] =
        (struct raw_section){offsetof(struct file, windows), 4, sizeof f->windows[0], 0};
    h->sections[RAW_SECTION_PHASES] =
        (struct raw_section){offsetof(struct file, phases), 2, sizeof f->phases[0], 0};
    h->sections[RAW_SECTION_PEERS] =
        (struct raw_section){offsetof(struct file, peers), 4, sizeof f->peers[0], 0};
    h->rank = 1;
    h->n_ranks = 4;
    h->world_id = 7;
    h->end = RAW_END_FINALIZED;
    /* A tick is half a nanosecond; the window is 2 s. */
    h->load = (struct raw_stamp){1000000000, 500000000};
    h->start = (struct raw_stamp){2000000000, 1000000000};
    h->latest = h->stop = (struct raw_stamp){6000000000, 3000000000};
    h->last_ticks = 6000000000;
    h->main = (struct raw_times){.mpi = 1000000000, .gap = 3000000000};
    strcpy(f->names[0].text, "MPI_Send");
    strcpy(f->names[1].text, "MPI_Allreduce");
    strcpy(f->modules[0].path, "/bin/program");
    f->sites[1] = (struct raw_site){.function = 1,
                                    .bin = 4,
                                    .used = RAW_SITE_USED | RAW_SITE_WAITS,
                                    .count = 10,
                                    .bytes = 80,
                                    .ticks = 600000000,
                                    .min = 20000000,
                                    .max = 90000000};
    f->sites[3] = (struct raw_site){.function = 0,
                                    .bin = 5,
                                    .used = RAW_SITE_USED,
                                    .count = 5,
                                    .bytes = 90,
                                    .ticks = 400000000,
                                    .min = 10,
                                    .max = 20};
    f->calls[0] = (struct raw_call){.count = 2, .bytes = 10, .ticks = 100, .min = 5, .max = 50};
    f->phases[0] = (struct raw_phase){.level = 1, .used = 1, .count = 1};
    h->phase_ticks = h->start.ticks;
    f->peers[2] = (struct raw_peer){.count = 7, .bytes = 100, .node = 0};
    f->peers[3] = (struct raw_peer){.count = 1, .bytes = 1, .node = 1};
    f->windows[0] = 1000000000;
    f->windows[1] = 1500000000;
    h->n_syncs = 2;
    h->window_mark = 2500000000;
    return f;
}
