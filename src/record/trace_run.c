/*
 * From the spools of a run's ranks to one trace. Twice over every spool: first for what they name, which a
 * trace says before its events, then for the events.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/merge.h"
#include "record/recording.h"
#include "trace/writer.h"

struct rank_map {
    int32_t *numbers; /* of a rank's function, site or communicator; -1: not met */
    size_t n;
};

struct rank_spool {
    char path[4096];
    unsigned char *bytes; /* NULL: the rank left none */
    size_t size;
    struct spool_header header;
    uint64_t n_events;
};

struct job {
    const parcast_run *run;
    const char *directory, *path;
    uint64_t world_id;
    int32_t n_ranks;
    struct rank_spool *spools; /* [n_ranks] */
    struct merge merge;
    parcast_trace_rank *ranks; /* [n_ranks] */
    parcast_trace_writer *writer;
    bool cpu;
    uint32_t flags; /* enum spool_flag of all ranks */
    size_t n_absent, n_full, n_spawned;
};

/* -------- the files of the ranks -------- */

static void unmap(struct rank_spool *spool)
{
    if (spool->bytes) munmap(spool->bytes, spool->size);
    spool->bytes = NULL;
}

/* Missing and empty files are ranks without events. */
static parcast_status map(struct rank_spool *spool, parcast_error *error)
{
    struct stat about;
    int file = open(spool->path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) return PARCAST_OK;
    if (file < 0 || fstat(file, &about) != 0) {
        parcast_error_set(error, PARCAST_IO, spool->path, 0, "cannot read the events of a rank: %s",
                          strerror(errno));
        if (file >= 0) close(file);
        return PARCAST_IO;
    }
    void *bytes =
        about.st_size > 0 ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
    close(file);
    if (bytes == MAP_FAILED)
        return parcast_error_set(error, PARCAST_IO, spool->path, 0, "cannot read the events of a rank: %s",
                                 strerror(errno));
    spool->bytes = bytes;
    spool->size = (size_t)about.st_size;
    return PARCAST_OK;
}

static parcast_status begin(struct job *job, int32_t rank, struct spool_reader *reader, parcast_error *error)
{
    struct rank_spool *spool = &job->spools[rank];
    parcast_status status = spool_begin(reader, spool->bytes, spool->size, spool->path, error);
    if (!status && (reader->header.rank != rank || reader->header.n_ranks != job->n_ranks ||
                    reader->header.world_id != job->world_id))
        status =
            parcast_error_set(error, PARCAST_FORMAT, spool->path, 0, "these are the events of another rank");
    return status;
}

/* -------- first pass -------- */

static parcast_status gather_item(struct job *job, int32_t rank, const struct spool_read *read,
                                  parcast_error *error)
{
    int32_t number;
    switch (read->item) {
    case SPOOL_NAME:
        return merge_function(&job->merge, read, &number, error);
    case SPOOL_SITE:
        return merge_site(&job->merge, read, &number, error);
    case SPOOL_COMM:
        if (read->number <= PARCAST_TRACE_SELF) return PARCAST_OK;
        return merge_comm(&job->merge, rank, read, &number, error);
    case SPOOL_LAST_TOKEN:
        job->spools[rank].n_events++;
        return PARCAST_OK;
    default:
        return PARCAST_OK;
    }
}

static parcast_status gather_rank(struct job *job, int32_t rank, parcast_error *error)
{
    struct rank_spool *spool = &job->spools[rank];
    struct spool_reader reader;
    struct spool_read read = {.item = SPOOL_END};
    snprintf(spool->path, sizeof spool->path, "%s/%016llx.%d" SPOOL_SUFFIX, job->directory,
             (unsigned long long)job->world_id, rank);
    parcast_status status = map(spool, error);
    if (status || !spool->bytes) return status;
    status = begin(job, rank, &reader, error);
    if (!status) status = spool_next(&reader, &read, error);
    while (!status && read.item != SPOOL_END) {
        status = gather_item(job, rank, &read, error);
        if (!status) status = spool_next(&reader, &read, error);
    }
    spool->header = reader.header;
    job->flags |= reader.header.flags;
    job->cpu = job->cpu || reader.header.flags & SPOOL_CPU;
    job->n_full += reader.header.flags & SPOOL_FULL ? 1 : 0;
    spool_end(&reader);
    return status;
}

/* -------- what the trace says about itself -------- */

static parcast_trace_end end_of(const struct rank_spool *spool)
{
    static const parcast_trace_end ends[] = {PARCAST_TRACE_LOST, PARCAST_TRACE_EXITED, PARCAST_TRACE_ABORTED,
                                             PARCAST_TRACE_FINALIZED};
    if (!spool->bytes) return PARCAST_TRACE_ABSENT;
    return spool->header.flags & SPOOL_FULL ? PARCAST_TRACE_FULL : ends[spool->header.end];
}

/* On one node the monotonic clock tells how far the ranks' starts are apart; between nodes the time of day
 * does. */
static uint64_t start_ns(const struct job *job, int32_t rank)
{
    const struct spool_header *h = &job->spools[rank].header;
    return job->run->n_nodes_used > 1 ? h->start_unix_ns : h->start.monotonic_ns;
}

static void describe_ranks(struct job *job)
{
    uint64_t first_ns = UINT64_MAX;
    for (int32_t i = 0; i < job->n_ranks; i++)
        if (job->spools[i].bytes && start_ns(job, i) < first_ns) first_ns = start_ns(job, i);
    for (int32_t i = 0; i < job->n_ranks; i++) {
        const struct spool_header *h = &job->spools[i].header;
        parcast_trace_rank *rank = &job->ranks[i];
        *rank = (parcast_trace_rank){.unit_s = 1e-9, .end = end_of(&job->spools[i])};
        job->n_absent += rank->end == PARCAST_TRACE_ABSENT;
        if (rank->end == PARCAST_TRACE_ABSENT) continue;
        rank->unit_s = 1e-9 * (double)(h->latest.monotonic_ns - h->load.monotonic_ns) /
                       (double)(h->latest.ticks - h->load.ticks);
        rank->offset_s = 1e-9 * (double)(start_ns(job, i) - first_ns);
    }
    for (size_t i = 0; i < job->run->n_profiles; i++) {
        const parcast_rank_profile *profile = &job->run->ranks[i];
        job->n_spawned += profile->world_id != job->world_id;
        if (profile->world_id == job->world_id && profile->rank >= 0 && profile->rank < job->n_ranks &&
            profile->node >= 0)
            job->ranks[profile->rank].node = profile->node;
    }
}

/* "program arguments", for people. */
static char *command_of(const parcast_run *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return NULL;
    fputs(run->program, stream);
    for (size_t i = 0; i < run->n_arguments; i++) fprintf(stream, " %s", run->arguments[i]);
    return fclose(stream) == 0 ? text : NULL;
}

static parcast_trace_comm *list_comms(const struct merge *merge)
{
    parcast_trace_comm *comms = calloc(merge->n_comms, sizeof *comms);
    for (size_t i = 0; comms && i < merge->n_comms; i++) {
        const struct merged_comm *from = &merge->comms[i];
        comms[i] = (parcast_trace_comm){.inter = from->n[1] > 0,
                                        .other_world = from->identity.other_world,
                                        .n_ranks = from->n[0],
                                        .ranks = from->groups[0],
                                        .n_remote = from->n[1],
                                        .remote_ranks = from->groups[1]};
    }
    return comms;
}

static parcast_status create(struct job *job, parcast_error *error)
{
    parcast_status status = PARCAST_MEMORY;
    char *command = command_of(job->run);
    parcast_trace_comm *comms = list_comms(&job->merge);
    const char **nodes = calloc(job->run->n_nodes + 1, sizeof *nodes);
    for (size_t i = 0; nodes && i < job->run->n_nodes; i++) nodes[i] = job->run->nodes[i].name;
    const parcast_trace_meta meta = {.program = command,
                                     .mpi = job->run->mpi,
                                     .n_ranks = job->n_ranks,
                                     .ranks = job->ranks,
                                     .n_comms = job->merge.n_comms,
                                     .comms = comms,
                                     .n_functions = job->merge.n_functions,
                                     .functions = (const char *const *)job->merge.functions,
                                     .n_nodes = job->run->n_nodes,
                                     .nodes = nodes,
                                     .n_sites = job->merge.n_sites,
                                     .sites = job->merge.sites};
    if (command && comms && nodes)
        status = parcast_trace_create(job->path, &meta, &job->writer, error);
    else
        record_no_memory(error);
    if (!status) trace_writer_set_coding(job->writer, job->cpu ? CODING_CODES_CPU : CODING_CODES);
    free(command);
    free(comms);
    free(nodes);
    return status;
}

/* -------- second pass -------- */

static parcast_status note(struct rank_map *map, unsigned number, int32_t value, parcast_error *error)
{
    if (number >= map->n) {
        size_t n = 2 * (size_t)number + 16;
        int32_t *numbers = realloc(map->numbers, n * sizeof *numbers);
        if (!numbers) return record_no_memory(error);
        for (size_t i = map->n; i < n; i++) numbers[i] = -1;
        *map = (struct rank_map){numbers, n};
    }
    map->numbers[number] = value;
    return PARCAST_OK;
}

static int32_t look_up(const struct rank_map *map, int32_t number)
{
    return number >= 0 && (size_t)number < map->n ? map->numbers[number] : -1;
}

struct maps {
    struct rank_map functions, sites, comms;
};

static parcast_status note_item(struct job *job, int32_t rank, struct maps *maps,
                                const struct spool_read *read, parcast_error *error)
{
    int32_t number = (int32_t)read->number;
    parcast_status status = PARCAST_OK;
    switch (read->item) {
    case SPOOL_NAME:
        status = merge_function(&job->merge, read, &number, error);
        return status ? status : note(&maps->functions, read->number, number, error);
    case SPOOL_SITE:
        status = merge_site(&job->merge, read, &number, error);
        return status ? status : note(&maps->sites, read->number, number, error);
    case SPOOL_COMM:
        if (number > PARCAST_TRACE_SELF) status = merge_comm(&job->merge, rank, read, &number, error);
        return status ? status : note(&maps->comms, read->number, number, error);
    case SPOOL_THREAD:
        if (read->n != 1 || read->number == 0) break;
        return trace_writer_start_thread(job->writer, rank, number, (double)read->words[0], error);
    default:
        break;
    }
    return PARCAST_OK;
}

/* Events of a communicator that could not be told apart are no more than calls. */
static void translate(parcast_trace_event *event, const struct maps *maps)
{
    event->function = look_up(&maps->functions, event->function);
    event->site = look_up(&maps->sites, event->site);
    event->comm = look_up(&maps->comms, event->comm);
    event->new_comm = look_up(&maps->comms, event->new_comm);
    if (event->comm >= 0) return;
    int32_t function = event->function, thread = event->thread, site = event->site;
    parcast_trace_event_clear(event, PARCAST_TRACE_OTHER);
    event->function = function;
    event->thread = thread;
    event->site = site;
}

static parcast_status write_event(struct job *job, int32_t rank, const struct spool_reader *reader,
                                  struct spool_read *read, const struct maps *maps, parcast_error *error)
{
    parcast_trace_event event;
    parcast_status status = spool_event(reader, read, &event, error);
    if (status) return status;
    translate(&event, maps);
    if (job->cpu && !(reader->header.flags & SPOOL_CPU)) read->times.cpu = read->times.gap;
    return trace_writer_put(job->writer, rank, &event, &read->times, error);
}

static parcast_status write_rank(struct job *job, int32_t rank, parcast_error *error)
{
    struct spool_reader reader;
    struct spool_read read = {.item = SPOOL_END};
    struct maps maps = {0};
    parcast_status status = begin(job, rank, &reader, error);
    if (!status) status = note(&maps.comms, PARCAST_TRACE_WORLD, PARCAST_TRACE_WORLD, error);
    if (!status) status = note(&maps.comms, PARCAST_TRACE_SELF, PARCAST_TRACE_SELF, error);
    if (!status) status = spool_next(&reader, &read, error);
    while (!status && read.item != SPOOL_END) {
        status = read.item == SPOOL_LAST_TOKEN ? write_event(job, rank, &reader, &read, &maps, error)
                                               : note_item(job, rank, &maps, &read, error);
        if (!status) status = spool_next(&reader, &read, error);
    }
    spool_end(&reader);
    free(maps.functions.numbers);
    free(maps.sites.numbers);
    free(maps.comms.numbers);
    return status ? status : trace_writer_flush_rank(job->writer, rank, error);
}

/* -------- */

static parcast_status write_all(struct job *job, parcast_trace_info *info, parcast_error *error)
{
    uint64_t n_events = 0;
    parcast_status status = merge_begin(&job->merge, job->n_ranks, error);
    for (int32_t rank = 0; rank < job->n_ranks && !status; rank++) {
        status = gather_rank(job, rank, error);
        n_events += job->spools[rank].n_events;
    }
    if (status) return status;
    if (n_events == 0)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "no rank left events: there is no trace");
    describe_ranks(job);
    status = create(job, error);
    for (int32_t rank = 0; rank < job->n_ranks && !status; rank++)
        if (job->spools[rank].bytes) status = write_rank(job, rank, error);
    return status ? status : parcast_trace_finish(&job->writer, info, error);
}

static char *describe_gaps(const struct job *job)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return NULL;
    if (job->n_absent) fprintf(stream, "%zu of %d ranks left no events\n", job->n_absent, job->n_ranks);
    if (job->n_full)
        fprintf(stream, "%zu of %d ranks had no room on the disk: their last events are missing\n",
                job->n_full, job->n_ranks);
    if (job->n_spawned)
        fprintf(stream, "ranks that were spawned are not in the trace: %zu\n", job->n_spawned);
    if (job->flags & SPOOL_COMMS)
        fputs("too many communicators: calls on some of them are kept without what they say\n", stream);
    if (job->flags & SPOOL_REQUESTS)
        fputs("too many open requests: some events do not say which request they are about\n", stream);
    if (fclose(stream) == 0 && size > 0) {
        text[size - 1] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

parcast_status parcast_record_collect_trace(const parcast_record_session *recording, const parcast_run *run,
                                            const char *path, parcast_trace_info *info, char **gaps,
                                            parcast_error *error)
{
    struct job job = {.run = run, .directory = recording->directory, .path = path, .n_ranks = run->n_ranks};
    if (run->n_profiles == 0 || run->n_ranks < 1)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "the run has no ranks: there is no trace");
    job.world_id = run->ranks[0].world_id;
    job.spools = calloc((size_t)job.n_ranks, sizeof *job.spools);
    job.ranks = calloc((size_t)job.n_ranks, sizeof *job.ranks);
    parcast_status status = job.spools && job.ranks ? write_all(&job, info, error) : record_no_memory(error);
    if (!status && gaps) *gaps = describe_gaps(&job);
    parcast_trace_discard(&job.writer);
    for (int32_t i = 0; job.spools && i < job.n_ranks; i++) unmap(&job.spools[i]);
    merge_end(&job.merge);
    free(job.spools);
    free(job.ranks);
    return status;
}
