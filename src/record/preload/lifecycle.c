/* Start of the recording after MPI_Init, its end at MPI_Finalize, MPI_Abort or exit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "account.h"
#include "clock.h"
#include "comms.h"
#include "place.h"
#include "store.h"
#include "tables.h"
#include "trace.h"

enum { TABLES_TAG = 0x7063, CHUNK = 1 << 16, STAMP_NS = 100000000 };

static struct place_rank *ranks; /* [n_ranks] */
static int32_t *node_of;
static struct raw_stamp loaded;

__attribute__((constructor)) static void load(void)
{
    clock_choose();
    loaded = clock_stamp();
}

static const char *directory(void)
{
    const char *path = getenv("PARCAST_RECORD_DIR");
    return path && path[0] ? path : NULL;
}

static void warn(const char *text)
{
    fprintf(stderr, "parcast record: %s\n", text);
}

/* Different for every world on this machine, and very likely on all others. */
static uint64_t make_world_id(void)
{
    char host[128] = "";
    gethostname(host, sizeof host - 1);
    uint64_t id = 14695981039346656037U ^ (uint64_t)getpid() ^ clock_ns(CLOCK_REALTIME);
    for (const char *c = host; *c; c++) id = (id ^ (unsigned char)*c) * 1099511628211U;
    return id * 0x9e3779b97f4a7c15U;
}

/* Where MPI cannot be asked, the launchers tell in the environment. */
static int number_from_environment(const char *const *names, int otherwise)
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        if (text && *text) return atoi(text);
    }
    return otherwise;
}

static bool start_uncounted(void)
{
    static const char *const rank_names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID",
                                             NULL};
    static const char *const size_names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", NULL};
    int rank = number_from_environment(rank_names, 0), n = number_from_environment(size_names, 1);
    if (rank < 0 || n <= rank) n = rank + 1;
    if (!store_create(directory(), (uint64_t)getppid(), rank, n)) return false;
    recorder.header->flags |= RAW_UNCOUNTED;
    recorder.header->n_nodes = recorder.header->node_ranks = 1;
    if (rank == 0)
        warn("unknown MPI library: calls are counted and timed, their arguments are not understood");
    return true;
}

static bool learn_nodes(void)
{
    struct raw_header *h = recorder.header;
    ranks = place_together(h, store_in_file());
    node_of = calloc((size_t)h->n_ranks, sizeof *node_of);
    if (!node_of) return false;
    for (int i = 0; i < h->n_ranks; i++) node_of[i] = ranks[i].leader;
    recorder.node_of = node_of;
    if (h->node_allowed_cores > 0 && h->node_ranks > h->node_allowed_cores) h->flags |= RAW_OVERSUBSCRIBED;
    return true;
}

static bool start_counted(void)
{
    int rank = 0, n = 1;
    word parent = 0;
    PMPI(Comm_rank, abi.comm_world, (word)&rank);
    PMPI(Comm_size, abi.comm_world, (word)&n);
    PMPI(Comm_get_parent, (word)&parent);
    uint64_t world_id = make_world_id();
    PMPI(Bcast, (word)&world_id, sizeof world_id, abi.byte, 0, abi.comm_world);
    if (!store_create(directory(), world_id, rank, n)) return false;
    if (abi_handle(parent) != abi.comm_null) recorder.header->flags |= RAW_SPAWNED;
    comms_start();
    return learn_nodes();
}

static void describe_library(const struct call *c)
{
    struct raw_header *h = recorder.header;
    snprintf(h->mpi, sizeof h->mpi, "%s", abi.name);
    snprintf(h->mpi_version, sizeof h->mpi_version, "%s", abi.version);
    snprintf(h->mpi_text, sizeof h->mpi_text, "%s", abi.text);
    if (c->f->kind == KIND_INIT_THREAD) h->thread_level_asked = call_int(c, (c->binding & FORTRAN) ? 1 : 3);
    if (!recorder.counted) return;
    PMPI(Query_thread, (word)&h->thread_level);
    recorder.locked = h->thread_level >= abi.thread_multiple;
    if (recorder.locked) h->flags |= RAW_MULTIPLE;
}

static void start_window(void)
{
    struct raw_header *h = recorder.header;
    recorder.precise = h->flags & RAW_OVERSUBSCRIBED;
    recorder.phases[0] = (struct raw_phase){.level = 1, .used = 1, .count = 1};
    h->end = RAW_END_LOST;
    h->load = loaded;
    h->usage_start = h->usage_latest = clock_usage();
    h->start_unix_ns = clock_ns(CLOCK_REALTIME);
    h->start = h->latest = clock_stamp();
    uint64_t span_ns = h->start.monotonic_ns - loaded.monotonic_ns;
    recorder.ticks_per_ns = span_ns ? (double)(h->start.ticks - loaded.ticks) / (double)span_ns : 1;
    recorder.stamp_ticks = (uint64_t)(STAMP_NS * recorder.ticks_per_ns);
    h->last_ticks = h->phase_ticks = h->start.ticks;
}

/* The thread that initialises MPI is the main thread; its computing begins here. */
static void start_thread(void)
{
    struct thread *self = &thread_self;
    self->known = self->is_main = true;
    self->last = recorder.header->start.ticks;
    if (recorder.precise) self->last_cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    recorder.header->n_threads = 1;
}

/* Where no spool can be made, the rank is recorded as without --trace; the collector finds that it left no
 * events. */
static void start_trace(void)
{
    const struct raw_header *h = recorder.header;
    const char *asked = getenv("PARCAST_RECORD_TRACE");
    if (!asked || !*asked || !recorder.counted) return;
    if (spool_create(directory(), h->world_id, h->rank, h->n_ranks))
        trace_start();
    else
        warn("no room for the events of a rank: it is recorded without them");
}

void record_start(const struct call *c)
{
    static bool started;
    if (started || !directory()) return;
    started = true;
    recorder.counted = abi_detect(c->site);
    if (!(recorder.counted ? start_counted() : start_uncounted())) {
        warn("out of memory: this rank is not recorded");
        return;
    }
    recorder.pid = getpid();
    describe_library(c);
    place_describe(recorder.header);
    table_call(c, 0, 0);
    start_window();
    start_thread();
    start_trace();
    recorder.active = true;
}

static void note_usage(void)
{
    struct raw_usage usage = clock_usage();
    if (!thread_self.is_main) usage.thread_cpu_ns = recorder.header->usage_latest.thread_cpu_ns;
    recorder.header->usage_latest = usage;
}

void record_end(enum raw_end end)
{
    struct raw_header *h = recorder.header;
    note_usage();
    h->latest = clock_stamp();
    h->last_ticks = h->latest.ticks;
    h->end = end;
    if (end == RAW_END_ABORTED && recorder.traced)
        trace_last(PARCAST_TRACE_ABORT, h->last_ticks - thread_self.last);
    recorder.traced = false;
    spool_close(end);
}

static void send_tables(void)
{
    const char *bytes = (const char *)recorder.header;
    for (size_t at = 0; at < recorder.bytes; at += CHUNK) {
        size_t n = recorder.bytes - at < CHUNK ? recorder.bytes - at : CHUNK;
        PMPI(Send, (word)(bytes + at), n, abi.byte, 0, TABLES_TAG, abi.comm_world);
    }
}

static void receive_tables(int rank)
{
    static char chunk[CHUNK];
    int file = store_open(directory(), recorder.header->world_id, rank);
    bool written = file >= 0;
    for (size_t at = 0; at < recorder.bytes; at += CHUNK) {
        size_t n = recorder.bytes - at < CHUNK ? recorder.bytes - at : CHUNK;
        PMPI(Recv, (word)chunk, n, abi.byte, (word)rank, TABLES_TAG, abi.comm_world, abi.status_ignore);
        written = written && store_append(file, chunk, n);
    }
    if (!store_close(file, written)) warn("no room for the record of another rank: it is lost");
}

static void write_own_tables(void)
{
    int file = store_open(directory(), recorder.header->world_id, recorder.header->rank);
    bool written = file >= 0 && store_append(file, recorder.header, recorder.bytes);
    if (!store_close(file, written)) warn("no room for the record of a rank: it is lost");
}

/* Ranks without a file of their own give their tables to rank 0. The layout is the same on all ranks. */
static void hand_over(void)
{
    bool gives = recorder.counted && recorder.header->rank != 0;
    if (!store_in_file() && gives) send_tables();
    if (!store_in_file() && !gives) write_own_tables();
    for (int rank = 1; recorder.counted && !gives && rank < recorder.header->n_ranks; rank++)
        if (!ranks[rank].keeps_file) receive_tables(rank);
}

/* The call of MPI_Finalize itself is counted here, because some tables leave the process before it is made.
 */
void record_stop(void)
{
    struct raw_header *h = recorder.header;
    if (recorder.traced) trace_last(PARCAST_TRACE_FINALIZE, clock_ticks() - thread_self.last);
    record_end(RAW_END_FINALIZED);
    h->stop = h->latest;
    struct raw_times *t = thread_self.is_main ? &h->main : &h->others;
    t->gap += h->stop.ticks - thread_self.last;
    recorder.calls[ID_Finalize].count++;
    recorder.active = false;
    hand_over();
}

void record_finalized(const struct call *c)
{
    struct raw_header *h = recorder.header;
    if (!h || h->end != RAW_END_FINALIZED || h->shutdown_ticks) return;
    uint64_t ticks = c->t1 - h->stop.ticks;
    h->shutdown_ticks = ticks;
    recorder.calls[ID_Finalize].ticks = recorder.calls[ID_Finalize].min = recorder.calls[ID_Finalize].max =
        ticks;
}

/* exit(), _exit() or return from main without MPI_Finalize. A child that was forked shares the file, but not
 * the record. */
__attribute__((destructor)) static void leave(void)
{
    if (!recorder.active || recorder.pid != getpid() || recorder.header->end != RAW_END_LOST) return;
    recorder.active = false;
    record_end(RAW_END_EXITED);
}

/* Nothing of the above runs behind these two; without them such a rank would pass for one that was killed. */
__attribute__((visibility("default"), noreturn)) void _exit(int status)
{
    leave();
    for (;;) syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"), noreturn)) void _Exit(int status)
{
    _exit(status);
}
