/* Reading time-independent text: once to learn the number of ranks, once for the events. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/ti.h"

enum { MOST_FILES = 1 << 20 };

struct reading {
    const char *in;
    char **files; /* [n_files] of single ranks; NULL: all ranks are in `in` */
    size_t n_files;
    int64_t n_ranks;
    struct ti_rank *ranks; /* [n_ranks] */
    struct ti_line line;
    struct ti_room room;
    parcast_trace_writer *writer;
    size_t n_left_over; /* requests that were awaited at the end */
};

static parcast_status no_memory(const char *source, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
}

typedef parcast_status on_line(struct reading *r, int64_t file_rank, parcast_error *error);

/* Every line that has words. file_rank: of a file of one rank, else -1. */
static parcast_status read_lines(struct reading *r, const char *path, int64_t file_rank, on_line *act,
                                 parcast_error *error)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    FILE *file = fopen(path, "re");
    if (!file)
        return parcast_error_set(error, errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO, path, 0,
                                 "cannot open the trace: %s", strerror(errno));
    parcast_status status = PARCAST_OK;
    r->line.source = path;
    r->line.number = 0;
    errno = 0;
    while (!status && (length = getline(&text, &room, file)) >= 0) {
        r->line.number++;
        if (memchr(text, '\0', (size_t)length))
            status = parcast_error_set(error, PARCAST_FORMAT, path, r->line.number,
                                       "a zero byte: this is not text");
        else if (!ti_split(&r->line, text))
            status = no_memory(path, error);
        else if (r->line.n > 0)
            status = act(r, file_rank, error);
    }
    if (!status && ferror(file))
        status = parcast_error_set(error, PARCAST_IO, path, 0, "cannot read the trace: %s", strerror(errno));
    free(text);
    fclose(file);
    return status;
}

/* -------- which ranks are there -------- */

static parcast_status bad_rank(const struct reading *r, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_FORMAT, r->line.source, r->line.number, "'%s' is not a rank",
                             r->line.words[0]);
}

/* A rank that is far above the number of lines has none of its own: the text is damaged. */
static parcast_status count_rank(struct reading *r, int64_t file_rank, parcast_error *error)
{
    (void)file_rank;
    int64_t rank = ti_rank_of(r->line.words[0]);
    if (rank < 0) return bad_rank(r, error);
    if (rank >= r->n_ranks) r->n_ranks = rank + 1;
    return PARCAST_OK;
}

/* A name in a list is a path from where the list lies. */
static char *path_beside(const char *list, const char *name)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(list, '/');
    char *path = NULL;
    int n = asprintf(&path, "%.*s%s", slash ? (int)(slash - list) + 1 : 0, list, name);
    return n < 0 ? NULL : path;
}

static parcast_status add_file(struct reading *r, int64_t file_rank, parcast_error *error)
{
    (void)file_rank;
    if (r->line.n != 1 || r->n_files == MOST_FILES)
        return parcast_error_set(error, PARCAST_FORMAT, r->line.source, r->line.number,
                                 "'%s': neither an action of a rank nor one file name in a list of files",
                                 r->line.words[0]);
    char **files = realloc(r->files, (r->n_files + 1) * sizeof *files);
    if (!files) return no_memory(r->line.source, error);
    r->files = files;
    files[r->n_files] = path_beside(r->in, r->line.words[0]);
    if (!files[r->n_files]) return no_memory(r->line.source, error);
    r->n_files++;
    return PARCAST_OK;
}

struct sniff {
    bool any, actions;
};

/* The first line with words decides. */
static parcast_status sniff(const char *path, struct sniff *sniff, parcast_error *error)
{
    struct ti_line line = {.source = path};
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return parcast_error_set(error, errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO, path, 0,
                                 "cannot open the trace: %s", strerror(errno));
    *sniff = (struct sniff){false, false};
    while (!sniff->any && getline(&text, &room, file) >= 0) {
        if (!ti_split(&line, text)) break;
        sniff->any = line.n > 0;
        sniff->actions = line.n > 0 && ti_rank_of(line.words[0]) >= 0 && line.n >= 2;
    }
    free(text);
    free(line.words);
    fclose(file);
    return PARCAST_OK;
}

static parcast_status find_ranks(struct reading *r, parcast_error *error)
{
    struct sniff first = {false, false};
    parcast_status status = sniff(r->in, &first, error);
    if (!status && !first.any)
        return parcast_error_set(error, PARCAST_FORMAT, r->in, 0, "the trace is empty");
    if (!status) status = read_lines(r, r->in, -1, first.actions ? count_rank : add_file, error);
    if (status) return status;
    if (!first.actions) r->n_ranks = (int64_t)r->n_files;
    if (first.actions && r->n_ranks > r->line.number)
        return parcast_error_set(error, PARCAST_FORMAT, r->in, 0, "there is a rank %lld, but only %d lines",
                                 (long long)r->n_ranks - 1, r->line.number);
    r->ranks = calloc((size_t)r->n_ranks, sizeof *r->ranks);
    return r->ranks ? PARCAST_OK : no_memory(r->in, error);
}

/* -------- events -------- */

/* What nobody waited for is awaited before the end of the rank. */
static parcast_status close_rank(struct reading *r, int32_t rank, parcast_error *error)
{
    parcast_trace_event event;
    r->n_left_over += (size_t)r->ranks[rank].n_open;
    if (!ti_open_requests(&r->ranks[rank], &r->room, &event)) return PARCAST_OK;
    return parcast_trace_write(r->writer, rank, &event, error);
}

static parcast_status write_line(struct reading *r, int64_t file_rank, parcast_error *error)
{
    parcast_trace_event event;
    bool none = false;
    int64_t rank = ti_rank_of(r->line.words[0]);
    if (rank < 0) return bad_rank(r, error);
    if (file_rank >= 0 && rank != file_rank)
        return parcast_error_set(error, PARCAST_FORMAT, r->line.source, r->line.number,
                                 "an action of rank %lld in the file of rank %lld", (long long)rank,
                                 (long long)file_rank);
    parcast_status status = ti_event(&r->line, (int32_t)rank, (int32_t)r->n_ranks, &r->ranks[rank], &r->room,
                                     &event, &none, error);
    if (status || none) return status;
    if (event.op == PARCAST_TRACE_FINALIZE) status = close_rank(r, (int32_t)rank, error);
    return status ? status : parcast_trace_write(r->writer, (int32_t)rank, &event, error);
}

static parcast_status write_events(struct reading *r, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    if (!r->files) status = read_lines(r, r->in, -1, write_line, error);
    for (size_t i = 0; i < r->n_files && !status; i++)
        status = read_lines(r, r->files[i], (int64_t)i, write_line, error);
    for (int32_t rank = 0; rank < r->n_ranks && !status; rank++) status = close_rank(r, rank, error);
    return status;
}

static char *describe_losses(const struct reading *r)
{
    char *text = NULL;
    int64_t different = 0;
    for (int64_t i = 1; i < r->n_ranks; i++) different += r->ranks[i].doubles != r->ranks[0].doubles;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return NULL;
    if (r->n_left_over)
        fprintf(stream, "requests that nobody waits for are awaited at the end: %zu\n", r->n_left_over);
    if (different)
        fputs("the ranks' init lines differ: sizes without a type are bytes on some and doubles on others\n",
              stream);
    if (fclose(stream) == 0 && size > 0) {
        text[size - 1] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

static parcast_status convert(struct reading *r, const char *out, parcast_error *error)
{
    parcast_status status = find_ranks(r, error);
    const parcast_trace_meta meta = {
        .program = r->in, .unit = PARCAST_TRACE_FLOP, .n_ranks = (int32_t)r->n_ranks};
    if (!status) status = parcast_trace_create(out, &meta, &r->writer, error);
    if (!status) status = write_events(r, error);
    return status ? status : parcast_trace_finish(&r->writer, NULL, error);
}

parcast_status parcast_trace_from_ti(const char *in, const char *out, parcast_trace_losses *losses,
                                     parcast_error *error)
{
    struct reading r = {.in = in};
    parcast_status status = convert(&r, out, error);
    if (!status && losses) *losses = describe_losses(&r);
    parcast_trace_discard(&r.writer);
    for (int64_t i = 0; r.ranks && i < r.n_ranks; i++) ti_rank_free(&r.ranks[i]);
    for (size_t i = 0; i < r.n_files; i++) free(r.files[i]);
    free(r.files);
    free(r.ranks);
    free(r.line.words);
    free(r.room.numbers);
    return status;
}

/* -------- what is it? -------- */

/* The first line with words: "num_ranks" is GOAL's, a rank and an action or a name of a file are ours to
 * read. */
static parcast_trace_format format_of_text(FILE *file)
{
    struct ti_line line = {.source = NULL};
    parcast_trace_format format = PARCAST_TRACE_FOREIGN;
    char *text = NULL;
    size_t room = 0;
    while (getline(&text, &room, file) >= 0) {
        if (strncmp(text, "//", 2) == 0) continue;
        if (!ti_split(&line, text)) break;
        if (line.n == 0) continue;
        if (strcmp(line.words[0], "num_ranks") == 0)
            format = PARCAST_TRACE_GOAL;
        else if (ti_is_action_line(&line) || line.n == 1)
            format = PARCAST_TRACE_TIME_INDEPENDENT;
        break;
    }
    free(text);
    free(line.words);
    return format;
}

parcast_status parcast_trace_detect(const char *path, parcast_trace_format *format, parcast_error *error)
{
    unsigned char start[8] = {0};
    bool text = true;
    FILE *file = fopen(path, "re");
    if (!file)
        return parcast_error_set(error, errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO, path, 0,
                                 "cannot open the trace: %s", strerror(errno));
    size_t n = fread(start, 1, sizeof start, file);
    for (size_t i = 0; i < n; i++) text = text && (isprint(start[i]) || isspace(start[i]));
    *format = PARCAST_TRACE_FOREIGN;
    if (n == sizeof start && memcmp(start, "PARCASTT", sizeof start) == 0)
        *format = PARCAST_TRACE_OWN;
    else if (text && fseek(file, 0, SEEK_SET) == 0)
        *format = format_of_text(file);
    fclose(file);
    return PARCAST_OK;
}

/* The name goes at once, the file when the trace is closed. */
static parcast_status open_text(const char *path, parcast_trace **trace, parcast_trace_losses *losses,
                                parcast_error *error)
{
    const char *folder = getenv("TMPDIR");
    char *between = NULL;
    if (asprintf(&between, "%s/parcast-XXXXXX", folder && *folder ? folder : "/tmp") < 0)
        return no_memory(path, error);
    int file = mkstemp(between);
    parcast_status status = PARCAST_OK;
    if (file < 0)
        status = parcast_error_set(error, PARCAST_IO, between, 0, "cannot make a temporary file: %s",
                                   strerror(errno));
    if (!status) status = parcast_trace_from_ti(path, between, losses, error);
    if (!status) status = parcast_trace_open(between, PARCAST_TRACE_WHOLE, trace, error);
    if (file >= 0) {
        close(file);
        unlink(between);
    }
    free(between);
    return status;
}

parcast_status parcast_trace_open_any(const char *path, parcast_trace_mode mode, parcast_trace **trace,
                                      parcast_trace_losses *losses, parcast_error *error)
{
    parcast_trace_format format = PARCAST_TRACE_FOREIGN;
    parcast_status status = parcast_trace_detect(path, &format, error);
    if (status) return status;
    if (losses) *losses = NULL;
    if (format == PARCAST_TRACE_TIME_INDEPENDENT) return open_text(path, trace, losses, error);
    if (format != PARCAST_TRACE_GOAL) return parcast_trace_open(path, mode, trace, error);
    return parcast_error_set(error, PARCAST_UNSUPPORTED, path, 0,
                             "is a GOAL schedule: a graph of operations, not a sequence of events");
}
