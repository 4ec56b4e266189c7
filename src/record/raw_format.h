/**
 * Layout of a raw profile: the file W.R.parcast-raw that the preload library maps into the memory of every
 * rank. docs/formats/raw-profile.md describes it byte by byte. Native byte order; every table is a section
 * found by the header.
 */
#ifndef PARCAST_RECORD_RAW_FORMAT_H
#define PARCAST_RECORD_RAW_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define RAW_MAGIC  "PARCASTR"
#define RAW_SUFFIX ".parcast-raw"

enum {
    RAW_VERSION = 1,
    RAW_BYTE_ORDER = 0x01020304,
    RAW_NAME = 48, /* as PARCAST_CALL_NAME */
    RAW_CLASSES = 5,
    RAW_REACHES = 3,
    RAW_BINS = 64,
    RAW_WINDOWS = 1024,
    RAW_SITES = 4096,
    RAW_COLLECTIVES = 1024,
    RAW_MODULES = 128,
    RAW_MODULE_PATH = 496,
    RAW_PHASES = 64,
    RAW_MAX_PEERS = 1 << 18,
};

/* Sections in the order of the file. Each is an array of one structure below. */
enum raw_section_id {
    RAW_SECTION_NAMES,
    RAW_SECTION_CALLS,
    RAW_SECTION_SIZES,
    RAW_SECTION_COLLECTIVES,
    RAW_SECTION_SITES,
    RAW_SECTION_MODULES,
    RAW_SECTION_WINDOWS,
    RAW_SECTION_PHASES,
    RAW_SECTION_PEERS,
    RAW_N_SECTIONS,
};

struct raw_section {
    uint64_t offset, entries;
    uint32_t entry_bytes, reserved;
};

/* A moment: the tick counter and the monotonic clock read together. */
struct raw_stamp {
    uint64_t ticks, monotonic_ns;
};

/* What the system says about the process so far; the difference of two is what the window used. */
struct raw_usage {
    uint64_t process_cpu_ns, thread_cpu_ns, voluntary, involuntary, peak_memory_bytes;
};

enum raw_flag {
    RAW_OVERSUBSCRIBED = 1,
    RAW_UNCOUNTED = 2,
    RAW_UNSAVED = 4,
    RAW_SPAWNED = 8,
    RAW_MULTIPLE = 16, /* thread level MPI_THREAD_MULTIPLE: tables were locked */
};

enum { RAW_SITE_USED = 1, RAW_SITE_WAITS = 2 };

enum raw_end { RAW_END_LOST, RAW_END_EXITED, RAW_END_ABORTED, RAW_END_FINALIZED };

/* Ticks of one thread or of the others together. */
struct raw_times {
    uint64_t mpi, io, gap; /* gap: between calls; CPU time where that was measured */
};

struct raw_header {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t file_bytes;
    uint64_t world_id;
    struct raw_section sections[RAW_N_SECTIONS];

    int32_t rank, n_ranks, node, n_nodes, node_ranks;
    int32_t core, allowed_cores, node_allowed_cores, node_cores, node_logical_cores, node_sockets;
    int32_t thread_level_asked, thread_level, n_threads;
    int64_t pid, launcher_pid;
    uint64_t node_memory_bytes;
    double calibration, load_average; /* load_average < 0: unknown */
    char host[128], mpi[32], mpi_version[32], mpi_text[256];

    uint32_t flags; /* enum raw_flag */
    uint32_t end;   /* enum raw_end */
    uint64_t lost_sites, lost_peers, lost_collectives, lost_requests, lost_phases;

    uint64_t start_unix_ns;  /* at `start` */
    uint64_t startup_ns;     /* start of the process to `start` */
    struct raw_stamp load;   /* when the library was loaded */
    struct raw_stamp start;  /* return of MPI_Init */
    struct raw_stamp latest; /* now and then, at a call */
    struct raw_stamp stop;   /* entry of MPI_Finalize; 0 before */
    uint64_t last_ticks;     /* end of the last call that was recorded */
    uint64_t shutdown_ticks; /* in MPI_Finalize, 0 until it returned */
    struct raw_usage usage_start, usage_latest;
    struct raw_times main, others;

    uint64_t n_syncs;
    uint32_t window_shift, phase;    /* log2 of syncs per window; index of the phase that is on */
    uint64_t window_mark;            /* main.gap at the last synchronisation */
    uint64_t phase_ticks, phase_gap; /* last_ticks and main.gap when it began */
    uint64_t n_rounds, round_open;   /* completed rounds of messages; something was sent or received since */
    uint64_t n_cycles, cycle_mark, cycle_min, cycle_max; /* cycle_mark: main.gap at the end of the last */
    double cycle_sq;
    uint64_t other_worlds_count, other_worlds_bytes; /* messages to ranks of other worlds */
};

struct raw_name {
    char text[RAW_NAME];
};
/* Of calls that found no room among the sites; the others are summed over their sites. */
struct raw_call {
    uint64_t count, bytes, ticks, min, max;
};
/* [class][reach][bin] */
struct raw_size {
    uint64_t count, bytes, ticks, min;
};
/* Open addressing; count == 0: free. */
struct raw_collective {
    uint32_t function, n_ranks;
    uint32_t reach, bin;
    uint64_t count, bytes, ticks, min;
};
struct raw_site {
    uint64_t address; /* return address in the process */
    uint64_t offset;  /* same in its module */
    uint32_t module;
    uint16_t function;
    uint8_t bin, used; /* RAW_SITE_USED, RAW_SITE_WAITS */
    uint64_t count, bytes, ticks, min, max;
    uint64_t gap, gap_min;
    double gap_sq;
};
struct raw_module {
    uint64_t base;
    char path[RAW_MODULE_PATH];
};
struct raw_phase {
    int32_t level, used;
    uint64_t count, ticks, gap;
};
struct raw_peer {
    uint64_t count, bytes;
    int32_t node, reserved; /* of the peer */
};

#endif
