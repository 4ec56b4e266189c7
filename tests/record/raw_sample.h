#ifndef RAW_SAMPLE_H
#define RAW_SAMPLE_H

#include "record/raw_format.h"

/* A small file as the library would lay it out: two functions, two sites, four ranks. */
struct file {
    struct raw_header header;
    struct raw_name names[2];
    struct raw_call calls[2];
    struct raw_size sizes[RAW_CLASSES * RAW_REACHES * RAW_BINS];
    struct raw_collective collectives[4];
    struct raw_site sites[4];
    struct raw_module modules[1];
    uint64_t windows[4];
    struct raw_phase phases[2];
    struct raw_peer peers[4];
};

/* The file, to be freed; NULL when out of memory. */
struct file *raw_sample(void);

#endif
