/* Reading time-independent text: once to learn the number of ranks, once for the events. */
#include "trace/ti_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 1 << 20, MOST_SPARSE = 1 << 16 };

struct reading {
    const struct ti_source *source;
    const struct ti_sink *sink;
    char **files; /* [n_files] of a list; NULL: the source is the text */
    size_t n_files;
    int64_t n_ranks, n_lines;
    struct ti_rank *ranks; /* [n_ranks] */
    struct ti_line line;
    struct ti_room room;
    size_t n_left_over; /* requests that were awaited at the end */
};

static parcast_status no_memory(const char *source, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
}

/* -------- lines -------- */

typedef parcast_status on_line(struct reading *r, parcast_error *error);

static parcast_status rank_of(const struct reading *r, int64_t *rank, parcast_error *error)
{
    *rank = ti_rank_of(r->line.words[0]);
    if (*rank >= 0) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_FORMAT, r->line.source, r->line.number, "'%.40s' is not a rank",
                             r->line.words[0]);
}

static parcast_status count_rank(struct reading *r, parcast_error *error)
{
    int64_t rank;
    parcast_status status = rank_of(r, &rank, error);
    if (!status && rank >= r->n_ranks) r->n_ranks = rank + 1;
    return status;
}

/* Most lines begin with digits: to count ranks they need not be split. */
static bool count_quickly(struct reading *r, const char *text)
{
    int64_t rank = ti_first_rank(text);
    if (rank >= r->n_ranks) r->n_ranks = rank + 1;
    return rank >= 0;
}

static FILE *open_text(const struct reading *r, const char *path, parcast_error *error)
{
    static char empty[] = "\n";
    const struct ti_source *s = r->source;
    bool in_memory = s->text && path == s->name;
    /* Opened for reading only: the text is not changed. */
    FILE *file = !in_memory  ? fopen(path, "re")
                 : s->length ? fmemopen((void *)s->text, s->length, "r")
                             : fmemopen(empty, 1, "r");
    if (!file)
        parcast_error_set(error, errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO, path, 0,
                          "cannot open the trace: %s", strerror(errno));
    return file;
}

static parcast_status sniff(struct reading *r, parcast_error *error);

static parcast_status take_line(struct reading *r, char *text, size_t length, on_line *act,
                                parcast_error *error)
{
    r->line.number++;
    if (memchr(text, '\0', length))
        return parcast_error_set(error, PARCAST_FORMAT, r->line.source, r->line.number,
                                 "a zero byte: this is not text");
    bool counts = act == count_rank || (act == sniff && r->n_ranks > 0);
    if (counts && count_quickly(r, text)) return PARCAST_OK;
    if (!ti_split(&r->line, text)) return no_memory(r->line.source, error);
    return r->line.n > 0 ? act(r, error) : PARCAST_OK;
}

/* Every line of a file that has words. */
static parcast_status read_lines(struct reading *r, const char *path, on_line *act, parcast_error *error)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    FILE *file = open_text(r, path, error);
    if (!file) return errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO;
    parcast_status status = PARCAST_OK;
    r->line.source = path;
    r->line.number = 0;
    while (!status && (length = getline(&text, &room, file)) >= 0)
        status = take_line(r, text, (size_t)length, act, error);
    if (!status && ferror(file))
        status = parcast_error_set(error, PARCAST_IO, path, 0, "cannot read the trace: %s", strerror(errno));
    r->n_lines += r->line.number;
    free(text);
    fclose(file);
    return status;
}

static parcast_status read_all(struct reading *r, on_line *act, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    if (!r->files) return read_lines(r, r->source->name, act, error);
    for (size_t i = 0; i < r->n_files && !status; i++) status = read_lines(r, r->files[i], act, error);
    return status;
}

/* -------- which ranks are there -------- */

/* A name in a list is a path from where the list lies. */
static char *path_beside(const char *list, const char *name)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(list, '/');
    char *path = NULL;
    int n = asprintf(&path, "%.*s%s", slash ? (int)(slash - list) + 1 : 0, list, name);
    return n < 0 ? NULL : path;
}

static parcast_status add_file(struct reading *r, parcast_error *error)
{
    if (r->line.n != 1 || r->n_files == MOST_FILES || r->source->text)
        return parcast_error_set(error, PARCAST_FORMAT, r->line.source, r->line.number,
                                 "'%.40s': neither an action of a rank nor one file name in a list of files",
                                 r->line.words[0]);
    char **files = realloc(r->files, (r->n_files + 1) * sizeof *files);
    if (!files) return no_memory(r->line.source, error);
    r->files = files;
    files[r->n_files] = path_beside(r->source->name, r->line.words[0]);
    if (!files[r->n_files]) return no_memory(r->line.source, error);
    r->n_files++;
    return PARCAST_OK;
}

/* The first line with words decides whether it is a list; later ones must be alike. */
static parcast_status sniff(struct reading *r, parcast_error *error)
{
    bool action = r->line.n >= 2 && ti_rank_of(r->line.words[0]) >= 0;
    if (r->n_ranks == 0 && r->n_files == 0 && !action) return add_file(r, error);
    return r->n_files ? add_file(r, error) : count_rank(r, error);
}

/* A rank that is far above the number of lines has none of its own: the text is damaged. */
static parcast_status find_ranks(struct reading *r, parcast_error *error)
{
    parcast_status status = read_lines(r, r->source->name, sniff, error);
    r->n_lines = r->files ? 0 : r->n_lines;
    if (!status && r->files) status = read_all(r, count_rank, error);
    if (status) return status;
    if (r->n_ranks == 0)
        return parcast_error_set(error, PARCAST_FORMAT, r->source->name, 0, "the trace is empty");
    if (r->n_ranks > r->n_lines && r->n_ranks > MOST_SPARSE)
        return parcast_error_set(error, PARCAST_FORMAT, r->source->name, 0,
                                 "there is a rank %lld, but only %lld lines", (long long)r->n_ranks - 1,
                                 (long long)r->n_lines);
    r->ranks = calloc((size_t)r->n_ranks, sizeof *r->ranks);
    return r->ranks ? PARCAST_OK : no_memory(r->source->name, error);
}

/* -------- events -------- */

static parcast_status put(struct reading *r, int32_t rank, const parcast_trace_event *event,
                          parcast_error *error)
{
    return r->sink->event(r->sink->state, rank, event, &r->line, error);
}

/* What nobody waited for is awaited before the end of the rank. */
static parcast_status close_rank(struct reading *r, int32_t rank, parcast_error *error)
{
    parcast_trace_event event;
    r->n_left_over += (size_t)r->ranks[rank].n_open;
    if (!ti_open_requests(&r->ranks[rank], &r->room, &event)) return PARCAST_OK;
    return put(r, rank, &event, error);
}

static parcast_status read_event(struct reading *r, parcast_error *error)
{
    parcast_trace_event event;
    bool none = false;
    int64_t rank;
    parcast_status status = rank_of(r, &rank, error);
    if (!status)
        status = ti_event(&r->line, (int32_t)rank, (int32_t)r->n_ranks, &r->ranks[rank], &r->room, &event,
                          &none, error);
    if (status || none) return status;
    if (event.op == PARCAST_TRACE_FINALIZE) status = close_rank(r, (int32_t)rank, error);
    return status ? status : put(r, (int32_t)rank, &event, error);
}

static void summarise(const struct reading *r, struct ti_summary *summary)
{
    *summary = (struct ti_summary){.n_left_over = r->n_left_over};
    for (int64_t i = 1; i < r->n_ranks; i++) {
        if (!r->ranks[i].begun || !r->ranks[0].begun || r->ranks[i].doubles == r->ranks[0].doubles) continue;
        summary->different_rank = (int32_t)i;
        summary->different_doubles = r->ranks[i].doubles;
    }
}

parcast_status ti_read(const struct ti_source *source, const struct ti_sink *sink, struct ti_summary *summary,
                       parcast_error *error)
{
    struct reading r = {.source = source, .sink = sink};
    parcast_status status = find_ranks(&r, error);
    if (!status) status = sink->begin(sink->state, (int32_t)r.n_ranks, error);
    if (!status) status = read_all(&r, read_event, error);
    for (int32_t rank = 0; rank < r.n_ranks && !status; rank++) status = close_rank(&r, rank, error);
    if (!status) summarise(&r, summary);
    for (int64_t i = 0; r.ranks && i < r.n_ranks; i++) ti_rank_free(&r.ranks[i]);
    for (size_t i = 0; i < r.n_files; i++) free(r.files[i]);
    free(r.files);
    free(r.ranks);
    free(r.line.words);
    free(r.room.numbers);
    return status;
}

/* -------- where an event stands -------- */

struct search {
    int32_t rank;
    uint64_t left; /* events of the rank before the one that is looked for */
    int line;
    char *file;
};

static parcast_status begin_search(void *state, int32_t n_ranks, parcast_error *error)
{
    (void)state;
    (void)n_ranks;
    (void)error;
    return PARCAST_OK;
}

static parcast_status look(void *state, int32_t rank, const parcast_trace_event *event,
                           const struct ti_line *line, parcast_error *error)
{
    struct search *search = state;
    (void)event;
    if (rank != search->rank || search->left-- > 0) return PARCAST_OK;
    search->line = line->number;
    search->file = strdup(line->source);
    return parcast_error_set(error, PARCAST_INTERRUPTED, NULL, 0, "found");
}

int ti_line_of(const struct ti_source *source, int32_t rank, uint64_t event, char **file)
{
    struct search search = {.rank = rank, .left = event};
    const struct ti_sink sink = {&search, begin_search, look};
    struct ti_summary summary;
    ti_read(source, &sink, &summary, NULL);
    *file = search.file;
    return search.line;
}
