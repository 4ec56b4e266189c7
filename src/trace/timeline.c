/* A timeline: what is drawn of a run, and lines that wait for their date. */
#include "trace/timeline.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "trace/output.h"

enum { FEWEST_HELD = 4096 };

struct timeline_held {
    double date_s;
    uint64_t number;
    char *text;
};

FILE *timeline_out(parcast_timeline *t)
{
    return t->out;
}

int32_t timeline_node(const parcast_timeline *t, int32_t rank)
{
    return t->rank_node[rank];
}

static parcast_status no_memory(const parcast_timeline *t, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, t->path, 0, "out of memory");
}

parcast_status timeline_check_output(const parcast_timeline *t, parcast_error *error)
{
    if (t->no_memory) return no_memory(t, error);
    if (!ferror(t->out)) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, t->path, 0, "cannot write the timeline: %s", strerror(errno));
}

/* -------- lines that wait for their date -------- */

static bool earlier(const struct timeline_held *a, const struct timeline_held *b)
{
    return a->date_s < b->date_s || (a->date_s == b->date_s && a->number < b->number);
}

static void sift_up(struct timeline_held *heap, size_t i)
{
    struct timeline_held moved = heap[i];
    for (; i > 0 && earlier(&moved, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = moved;
}

static void sift_down(struct timeline_held *heap, size_t n)
{
    struct timeline_held moved = heap[0];
    size_t i = 0;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && earlier(&heap[child + 1], &heap[child])) child++;
        if (!earlier(&heap[child], &moved)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static void write_until(parcast_timeline *t, double date_s)
{
    while (t->n_held > 0 && t->held[0].date_s <= date_s) {
        fputs(t->held[0].text, t->out);
        free(t->held[0].text);
        t->held[0] = t->held[--t->n_held];
        if (t->n_held > 0) sift_down(t->held, t->n_held);
    }
}

/* No rank can come before the date that the slowest has reached. */
static void write_what_is_due(parcast_timeline *t)
{
    double reached_s = INFINITY;
    for (int32_t i = 0; i < t->n_ranks; i++)
        if (!t->ranks[i].ended && t->ranks[i].shown && t->ranks[i].last_s < reached_s)
            reached_s = t->ranks[i].last_s;
    write_until(t, reached_s);
    t->flush_at = 2 * t->n_held > FEWEST_HELD ? 2 * t->n_held : FEWEST_HELD;
}

parcast_status timeline_hold(parcast_timeline *t, double date_s, const char *format, ...)
{
    struct timeline_held held = {date_s, t->n_lines++, NULL};
    va_list arguments;
    if (t->n_held == t->held_capacity) {
        size_t capacity = 2 * t->held_capacity + 256;
        struct timeline_held *more = realloc(t->held, capacity * sizeof *more);
        if (!more) {
            t->no_memory = true;
            return PARCAST_MEMORY;
        }
        t->held = more;
        t->held_capacity = capacity;
    }
    va_start(arguments, format);
    int n = vasprintf(&held.text, format, arguments);
    va_end(arguments);
    if (n < 0) {
        t->no_memory = true;
        return PARCAST_MEMORY;
    }
    t->held[t->n_held] = held;
    sift_up(t->held, t->n_held++);
    if (t->n_held >= t->flush_at) write_what_is_due(t);
    return PARCAST_OK;
}

/* -------- states -------- */

static bool in_window(const parcast_timeline *t, double start_s, double end_s)
{
    return end_s >= t->options.from_s && (!(t->options.to_s > 0) || start_s <= t->options.to_s);
}

void timeline_draw_state(parcast_timeline *t, const struct timeline_state *state)
{
    if (!in_window(t, state->start_s, state->end_s) || state->end_s - state->start_s < t->options.least_s) {
        t->info.n_left_out++;
        return;
    }
    t->writer->state(t, state);
    t->info.n_states++;
}

/* -------- messages -------- */

void timeline_draw_end(parcast_timeline *t, const struct timeline_end *end, bool arrives, double date_s)
{
    if (t->options.no_messages || end->source < 0 || end->destination < 0) return;
    if (!t->shown[end->source] || !t->shown[end->destination] || !in_window(t, date_s, date_s)) return;
    t->writer->message(t, end, arrives, date_s);
    t->info.n_messages += !arrives;
}

/* -------- public -------- */

static parcast_status check_rank(const parcast_timeline *t, int32_t rank, parcast_error *error)
{
    if (rank >= 0 && rank < t->n_ranks) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_INVALID, t->path, 0, "there is no rank %d among %d", rank,
                             t->n_ranks);
}

parcast_status timeline_check_call(const parcast_timeline *t, int32_t rank, double start_s, double end_s,
                                   parcast_error *error)
{
    parcast_status status = check_rank(t, rank, error);
    if (status || (isfinite(start_s) && end_s >= start_s && isfinite(end_s))) return status;
    return parcast_error_set(error, PARCAST_INVALID, t->path, 0,
                             "rank %d: a call from %g s to %g s cannot be", rank, start_s, end_s);
}

parcast_status parcast_timeline_state(parcast_timeline *t, int32_t rank, const char *name, double start_s,
                                      double end_s, parcast_error *error)
{
    parcast_status status = timeline_check_call(t, rank, start_s, end_s, error);
    if (status) return status;
    const struct timeline_state state = {.rank = rank, .name = name, .start_s = start_s, .end_s = end_s};
    if (t->shown[rank] && end_s > start_s) timeline_draw_state(t, &state);
    if (end_s > t->ranks[rank].last_s) t->ranks[rank].last_s = end_s;
    return timeline_check_output(t, error);
}

parcast_status parcast_timeline_message(parcast_timeline *t, const parcast_timeline_end *end, bool arrives,
                                        double date_s, parcast_error *error)
{
    struct timeline_end drawn = {
        .source = end->source, .destination = end->destination, .tag = end->tag, .bytes = end->bytes};
    parcast_status status = check_rank(t, end->source, error);
    if (!status) status = check_rank(t, end->destination, error);
    if (status || t->options.no_messages) return status;
    if (!message_key_next(&t->keys, end->source, end->destination, end->comm, end->tag, arrives, &drawn.key))
        return no_memory(t, error);
    timeline_draw_end(t, &drawn, arrives, date_s);
    return timeline_check_output(t, error);
}

parcast_status parcast_timeline_end_rank(parcast_timeline *t, int32_t rank, parcast_error *error)
{
    parcast_status status = check_rank(t, rank, error);
    if (!status) t->ranks[rank].ended = true;
    return status;
}

parcast_status parcast_timeline_value(parcast_timeline *t, const char *name, double date_s, double value,
                                      parcast_error *error)
{
    size_t i = 0;
    while (i < t->n_values && strcmp(t->values[i], name) != 0) i++;
    if (i == t->n_values) {
        char **more = realloc(t->values, (t->n_values + 1) * sizeof *more);
        if (!more) return no_memory(t, error);
        t->values = more;
        more[i] = strdup(name);
        if (!more[i]) return no_memory(t, error);
        t->n_values++;
        t->writer->define_value(t->out, name, (int)i);
    }
    if (in_window(t, date_s, date_s)) t->writer->value(t, name, (int)i, date_s, value);
    return timeline_check_output(t, error);
}

static parcast_status fill(parcast_timeline *t, const char *path, parcast_timeline_format format,
                           const parcast_timeline_layout *layout, const parcast_timeline_options *options,
                           parcast_error *error)
{
    size_t n = (size_t)layout->n_ranks;
    t->n_ranks = layout->n_ranks;
    t->writer = format == PARCAST_TIMELINE_CHROME ? &timeline_chrome : &timeline_paje;
    t->flush_at = FEWEST_HELD;
    if (options) t->options = *options;
    t->path = strdup(path);
    t->ranks = calloc(n, sizeof *t->ranks);
    t->shown = calloc(n, sizeof *t->shown);
    t->rank_node = calloc(n, sizeof *t->rank_node);
    if (!t->path || !t->ranks || !t->shown || !t->rank_node)
        return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    for (int32_t i = 0; i < t->n_ranks; i++) {
        t->shown[i] = t->ranks[i].shown = !t->options.ranks || t->options.ranks[i];
        t->rank_node[i] = layout->rank_node ? layout->rank_node[i] : i;
    }
    t->options.ranks = t->shown;
    t->out = fopen(path, "we");
    if (t->out) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, path, 0, "cannot make the timeline: %s", strerror(errno));
}

static parcast_status make(const char *path, parcast_timeline_format format, const parcast_trace *trace,
                           const parcast_timeline_layout *layout, const parcast_timeline_options *options,
                           parcast_timeline **timeline, parcast_error *error)
{
    parcast_timeline *t = calloc(1, sizeof *t);
    if (!t) return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    t->trace = trace;
    parcast_status status = fill(t, path, format, layout, options, error);
    if (status) {
        parcast_timeline_discard(&t);
        return status;
    }
    const parcast_timeline_layout kept = {t->n_ranks, t->rank_node, layout->nodes, layout->n_nodes};
    t->writer->begin(t->out, &kept, t->shown);
    *timeline = t;
    return PARCAST_OK;
}

parcast_status parcast_timeline_open(const char *path, parcast_timeline_format format,
                                     const parcast_timeline_layout *layout,
                                     const parcast_timeline_options *options, parcast_timeline **timeline,
                                     parcast_error *error)
{
    if (layout->n_ranks < 1) return parcast_error_set(error, PARCAST_INVALID, path, 0, "no ranks");
    return make(path, format, NULL, layout, options, timeline, error);
}

parcast_status parcast_timeline_create(const char *path, parcast_timeline_format format,
                                       const parcast_trace *trace, const parcast_timeline_options *options,
                                       parcast_timeline **timeline, parcast_error *error)
{
    const parcast_trace_meta *about = parcast_trace_about(trace);
    int32_t *rank_node = malloc((size_t)about->n_ranks * sizeof *rank_node);
    if (!rank_node) return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    for (int32_t i = 0; i < about->n_ranks; i++) rank_node[i] = about->ranks[i].node;
    const parcast_timeline_layout layout = {about->n_ranks, rank_node, about->nodes, about->n_nodes};
    parcast_status status = make(path, format, trace, &layout, options, timeline, error);
    free(rank_node);
    return status;
}

static void release(parcast_timeline *t)
{
    for (int32_t i = 0; t->ranks && i < t->n_ranks; i++) free(t->ranks[i].pending);
    for (size_t i = 0; i < t->n_held; i++) free(t->held[i].text);
    for (size_t i = 0; i < t->n_values; i++) free(t->values[i]);
    message_keys_free(&t->keys);
    free(t->values);
    free(t->held);
    free(t->ranks);
    free(t->shown);
    free(t->rank_node);
    free(t->path);
    free(t);
}

parcast_status parcast_timeline_finish(parcast_timeline **timeline, parcast_timeline_info *info,
                                       parcast_error *error)
{
    parcast_timeline *t = *timeline;
    write_until(t, INFINITY);
    t->writer->end(t);
    parcast_status status = timeline_check_output(t, error);
    if (!status && fflush(t->out) != 0)
        status = parcast_error_set(error, PARCAST_IO, t->path, 0, "cannot write the timeline: %s",
                                   strerror(errno));
    if (status) {
        parcast_timeline_discard(timeline);
        return status;
    }
    t->info.n_unpaired = message_keys_unpaired(&t->keys);
    if (info) *info = t->info;
    fclose(t->out);
    release(t);
    *timeline = NULL;
    return PARCAST_OK;
}

void parcast_timeline_discard(parcast_timeline **timeline)
{
    if (!timeline || !*timeline) return;
    parcast_timeline *t = *timeline;
    if (t->out) {
        fclose(t->out);
        output_remove(t->path);
    }
    release(t);
    *timeline = NULL;
}
