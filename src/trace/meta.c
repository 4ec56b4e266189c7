/*
 * Sections of a number, a length and contents; a reader passes over sections that it does not know. Lists of
 * ranks are runs (first, step, count): communicators are mostly whole worlds, rows and columns.
 */
#include "trace/meta.h"

#include <math.h>

#include "trace/frame.h"

enum section {
    SECTION_PROGRAM = 1,
    SECTION_UNIT,
    SECTION_RANKS,
    SECTION_COMMS,
    SECTION_FUNCTIONS,
    SECTION_NODES,
    SECTION_SITES,
    SECTION_MPI,
};
enum { COMM_INTER = 1, COMM_OTHER_WORLD = 2, MOST_LISTED = 1 << 26 };

/* -------- writing -------- */

static void put_text(struct trace_buffer *buffer, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    buffer_varint(buffer, n);
    buffer_put(buffer, text, n);
}

static void put_runs(struct trace_buffer *buffer, const int32_t *ranks, int32_t n)
{
    buffer_varint(buffer, (uint64_t)n);
    for (int32_t i = 0; i < n;) {
        int64_t step = i + 1 < n ? (int64_t)ranks[i + 1] - ranks[i] : 0;
        int32_t count = 1;
        while (i + count < n && (int64_t)ranks[i + count] - ranks[i + count - 1] == step) count++;
        buffer_varint(buffer, zigzag(ranks[i]));
        buffer_varint(buffer, zigzag(step));
        buffer_varint(buffer, (uint64_t)count);
        i += count;
    }
}

static void put_ranks(struct trace_buffer *buffer, const parcast_trace_meta *meta)
{
    static const parcast_trace_rank plain = {.unit_s = 1};
    for (int32_t i = 0; i < meta->n_ranks; i++) {
        const parcast_trace_rank *rank = meta->ranks ? &meta->ranks[i] : &plain;
        buffer_varint(buffer, (uint64_t)rank->node);
        buffer_varint(buffer, (uint64_t)rank->end);
        buffer_double(buffer, rank->offset_s);
        buffer_double(buffer, rank->unit_s);
    }
}

static void put_comm(struct trace_buffer *buffer, const parcast_trace_comm *comm)
{
    buffer_varint(buffer, (comm->inter ? COMM_INTER : 0U) | (comm->other_world ? COMM_OTHER_WORLD : 0U));
    put_runs(buffer, comm->ranks, comm->n_ranks);
    put_runs(buffer, comm->remote_ranks, comm->n_remote);
}

static void put_comms(struct trace_buffer *buffer, const parcast_trace_meta *meta)
{
    buffer_varint(buffer, meta->n_comms ? meta->n_comms : 2);
    for (size_t i = 0; i < meta->n_comms; i++) put_comm(buffer, &meta->comms[i]);
    if (meta->n_comms) return;
    buffer_varint(buffer, 0); /* WORLD: one run */
    buffer_varint(buffer, (uint64_t)meta->n_ranks);
    buffer_varint(buffer, zigzag(0));
    buffer_varint(buffer, zigzag(meta->n_ranks > 1));
    buffer_varint(buffer, (uint64_t)meta->n_ranks);
    buffer_varint(buffer, 0);
    static const int32_t self[] = {-1};
    put_comm(buffer, &(parcast_trace_comm){.n_ranks = 1, .ranks = self});
}

static void put_texts(struct trace_buffer *buffer, const char *const *texts, size_t n)
{
    buffer_varint(buffer, n);
    for (size_t i = 0; i < n; i++) put_text(buffer, texts[i]);
}

static void put_sites(struct trace_buffer *buffer, const parcast_trace_meta *meta)
{
    buffer_varint(buffer, meta->n_sites);
    for (size_t i = 0; i < meta->n_sites; i++) {
        put_text(buffer, meta->sites[i].module);
        buffer_varint(buffer, meta->sites[i].offset);
    }
}

static void put_section(struct trace_buffer *buffer, enum section section, struct trace_buffer *contents)
{
    buffer->failed = buffer->failed || contents->failed;
    buffer_varint(buffer, section);
    buffer_varint(buffer, contents->n);
    buffer_put(buffer, contents->bytes, contents->n);
    contents->n = 0;
}

void meta_put(struct trace_buffer *buffer, const parcast_trace_meta *meta)
{
    struct trace_buffer contents = {.n = 0};
    put_text(&contents, meta->program);
    put_section(buffer, SECTION_PROGRAM, &contents);
    buffer_varint(&contents, (uint64_t)meta->unit);
    put_section(buffer, SECTION_UNIT, &contents);
    put_ranks(&contents, meta);
    put_section(buffer, SECTION_RANKS, &contents);
    put_comms(&contents, meta);
    put_section(buffer, SECTION_COMMS, &contents);
    put_texts(&contents, meta->functions, meta->n_functions);
    put_section(buffer, SECTION_FUNCTIONS, &contents);
    put_texts(&contents, meta->nodes, meta->n_nodes);
    put_section(buffer, SECTION_NODES, &contents);
    put_sites(&contents, meta);
    put_section(buffer, SECTION_SITES, &contents);
    if (meta->mpi) {
        put_text(&contents, meta->mpi);
        put_section(buffer, SECTION_MPI, &contents);
    }
    free(contents.bytes);
}

static bool ranks_exist(const int32_t *ranks, int32_t n, int32_t n_ranks)
{
    if (n < 0 || (n > 0 && !ranks)) return false;
    for (int32_t i = 0; i < n; i++)
        if (ranks[i] < -1 || ranks[i] >= n_ranks) return false;
    return true;
}

parcast_status meta_check(const parcast_trace_meta *meta, const char *source, parcast_error *error)
{
    if (meta->n_ranks < 1 || meta->n_ranks > TRACE_MOST_RANKS)
        return parcast_error_set(error, PARCAST_INVALID, source, 0, "a trace of %d ranks cannot be written",
                                 meta->n_ranks);
    if (meta->n_comms == 1)
        return parcast_error_set(error, PARCAST_INVALID, source, 0,
                                 "the communicators of the world and of each rank alone come first");
    for (int32_t i = 0; meta->ranks && i < meta->n_ranks; i++) {
        const parcast_trace_rank *rank = &meta->ranks[i];
        if (rank->node < 0 || !(rank->unit_s > 0) || !isfinite(rank->unit_s) || !(rank->offset_s >= 0) ||
            !isfinite(rank->offset_s))
            return parcast_error_set(error, PARCAST_INVALID, source, 0,
                                     "rank %d: node, offset or unit of time cannot be", i);
    }
    for (size_t i = 0; i < meta->n_comms; i++) {
        const parcast_trace_comm *comm = &meta->comms[i];
        if (!ranks_exist(comm->ranks, comm->n_ranks, meta->n_ranks) ||
            !ranks_exist(comm->remote_ranks, comm->n_remote, meta->n_ranks))
            return parcast_error_set(error, PARCAST_INVALID, source, 0,
                                     "communicator %zu names ranks that do not exist", i);
    }
    return PARCAST_OK;
}

/* -------- reading -------- */

/* n things of at least `least` bytes each; NULL with the view bad when they cannot be there. */
static void *room_for(struct trace_view *view, uint64_t n, size_t least, size_t size, parcast_status *status)
{
    if (view->bad || (least && n > view_left(view) / least)) {
        view->bad = true;
        return NULL;
    }
    void *room = calloc(n + 1, size);
    if (!room) *status = PARCAST_MEMORY;
    return room;
}

static char *get_text(struct trace_view *view, parcast_status *status)
{
    uint64_t n = view_varint(view);
    const unsigned char *bytes = view_take(view, n);
    if (!bytes) return NULL;
    char *text = malloc(n + 1);
    if (!text) {
        *status = PARCAST_MEMORY;
        return NULL;
    }
    memcpy(text, bytes, n);
    text[n] = '\0';
    return text;
}

static parcast_status get_ranks(struct trace_view *view, struct trace_meta *meta)
{
    parcast_status status = PARCAST_OK;
    meta->ranks = room_for(view, (uint64_t)meta->about.n_ranks, 18, sizeof *meta->ranks, &status);
    for (int32_t i = 0; i < meta->about.n_ranks && meta->ranks; i++) {
        parcast_trace_rank *rank = &meta->ranks[i];
        uint64_t node = view_varint(view), end = view_varint(view);
        rank->node = (int32_t)node;
        rank->end = (parcast_trace_end)end;
        rank->offset_s = view_double(view);
        rank->unit_s = view_double(view);
        if (view->bad || node > INT32_MAX || end > PARCAST_TRACE_ABSENT || !(rank->unit_s > 0) ||
            !isfinite(rank->unit_s) || !(rank->offset_s >= 0) || !isfinite(rank->offset_s))
            return PARCAST_FORMAT;
    }
    meta->about.ranks = meta->ranks;
    return status;
}

/* A few bytes may stand for a long list: all lists together are bounded. */
static parcast_status get_runs(struct trace_view *view, struct trace_meta *meta, int32_t *n,
                               const int32_t **ranks)
{
    uint64_t total = view_varint(view);
    int32_t n_ranks = meta->about.n_ranks;
    if (view->bad || total > MOST_LISTED - meta->n_listed) return PARCAST_FORMAT;
    meta->n_listed += total;
    int32_t *list = malloc((total + 1) * sizeof *list);
    if (!list) return PARCAST_MEMORY;
    *ranks = list;
    *n = (int32_t)total;
    for (uint64_t i = 0; i < total;) {
        int64_t rank = unzigzag(view_varint(view)), step = unzigzag(view_varint(view));
        uint64_t count = view_varint(view);
        if (view->bad || count == 0 || count > total - i || step > n_ranks || step < -n_ranks)
            return PARCAST_FORMAT;
        for (uint64_t k = 0; k < count; k++, rank += step) {
            if (rank < -1 || rank >= n_ranks) return PARCAST_FORMAT;
            list[i++] = (int32_t)rank;
        }
    }
    return PARCAST_OK;
}

static parcast_status get_comms(struct trace_view *view, struct trace_meta *meta)
{
    parcast_status status = PARCAST_OK;
    uint64_t n = view_varint(view);
    meta->comms = room_for(view, n, 3, sizeof *meta->comms, &status);
    if (!meta->comms) return status ? status : PARCAST_FORMAT;
    for (uint64_t i = 0; i < n && !status; i++) {
        parcast_trace_comm *comm = &meta->comms[i];
        uint64_t flags = view_varint(view);
        comm->inter = flags & COMM_INTER;
        comm->other_world = flags & COMM_OTHER_WORLD;
        meta->about.n_comms = i + 1;
        status = get_runs(view, meta, &comm->n_ranks, &comm->ranks);
        if (!status) status = get_runs(view, meta, &comm->n_remote, &comm->remote_ranks);
    }
    meta->about.comms = meta->comms;
    return status;
}

static parcast_status get_texts(struct trace_view *view, const char ***texts, size_t *n)
{
    parcast_status status = PARCAST_OK;
    uint64_t count = view_varint(view);
    *texts = room_for(view, count, 1, sizeof **texts, &status);
    for (*n = 0; *texts && *n < count && !status; (*n)++) {
        (*texts)[*n] = get_text(view, &status);
        if (!(*texts)[*n]) return status ? status : PARCAST_FORMAT;
    }
    return status;
}

static parcast_status get_sites(struct trace_view *view, struct trace_meta *meta)
{
    parcast_status status = PARCAST_OK;
    uint64_t count = view_varint(view);
    meta->sites = room_for(view, count, 2, sizeof *meta->sites, &status);
    for (uint64_t i = 0; meta->sites && i < count && !status; i++) {
        meta->sites[i].module = get_text(view, &status);
        if (!meta->sites[i].module) return status ? status : PARCAST_FORMAT;
        meta->about.n_sites = i + 1;
        meta->sites[i].offset = view_varint(view);
    }
    meta->about.sites = meta->sites;
    return status;
}

static parcast_status get_section(uint64_t section, struct trace_view *view, struct trace_meta *meta)
{
    parcast_status status = PARCAST_OK;
    uint64_t unit;
    switch (section) {
    case SECTION_PROGRAM:
        if (!meta->about.program) meta->about.program = get_text(view, &status);
        return status;
    case SECTION_MPI:
        if (!meta->about.mpi) meta->about.mpi = get_text(view, &status);
        return status;
    case SECTION_UNIT:
        unit = view_varint(view);
        meta->about.unit = (parcast_trace_unit)unit;
        return unit <= PARCAST_TRACE_FLOP ? PARCAST_OK : PARCAST_FORMAT;
    case SECTION_RANKS:
        return meta->ranks ? PARCAST_FORMAT : get_ranks(view, meta);
    case SECTION_COMMS:
        return meta->comms ? PARCAST_FORMAT : get_comms(view, meta);
    case SECTION_FUNCTIONS:
        return meta->functions ? PARCAST_FORMAT : get_texts(view, &meta->functions, &meta->about.n_functions);
    case SECTION_NODES:
        return meta->nodes ? PARCAST_FORMAT : get_texts(view, &meta->nodes, &meta->about.n_nodes);
    case SECTION_SITES:
        return meta->sites ? PARCAST_FORMAT : get_sites(view, meta);
    default:
        return PARCAST_OK;
    }
}

parcast_status meta_get(const unsigned char *bytes, size_t n, int32_t n_ranks, struct trace_meta *meta)
{
    struct trace_view view = view_of(bytes, n);
    parcast_status status = PARCAST_OK;
    meta->about.n_ranks = n_ranks;
    while (!status && view.at != view.end) {
        uint64_t section = view_varint(&view), length = view_varint(&view);
        const unsigned char *contents = view_take(&view, length);
        if (!contents) return PARCAST_FORMAT;
        struct trace_view part = view_of(contents, length);
        status = get_section(section, &part, meta);
        if (!status && part.bad) status = PARCAST_FORMAT;
    }
    if (status) return status;
    meta->about.functions = meta->functions;
    meta->about.nodes = meta->nodes;
    return meta->ranks && meta->about.n_comms >= 2 ? PARCAST_OK : PARCAST_FORMAT;
}

void meta_free(struct trace_meta *meta)
{
    for (size_t i = 0; i < meta->about.n_comms; i++) {
        free((void *)meta->comms[i].ranks);
        free((void *)meta->comms[i].remote_ranks);
    }
    for (size_t i = 0; i < meta->about.n_functions; i++) free((void *)meta->functions[i]);
    for (size_t i = 0; i < meta->about.n_nodes; i++) free((void *)meta->nodes[i]);
    for (size_t i = 0; i < meta->about.n_sites; i++) free((void *)meta->sites[i].module);
    free((void *)meta->about.program);
    free((void *)meta->about.mpi);
    free(meta->ranks);
    free(meta->comms);
    free(meta->functions);
    free(meta->nodes);
    free(meta->sites);
    *meta = (struct trace_meta){.ranks = NULL};
}

const parcast_trace_comm *meta_comm(const parcast_trace_meta *about, int32_t comm)
{
    return comm >= 0 && (size_t)comm < about->n_comms ? &about->comms[comm] : NULL;
}
