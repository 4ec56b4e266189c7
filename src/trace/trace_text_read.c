/* Time-independent text as traces, and what a file holds. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/ti_read.h"
#include "trace/writer.h"

static parcast_status no_memory(const char *source, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
}

/* -------- into a trace -------- */

struct writing {
    const char *program, *out;
    bool passing;
    parcast_trace_writer *writer;
};

static parcast_status begin(void *state, int32_t n_ranks, parcast_error *error)
{
    struct writing *w = state;
    const parcast_trace_meta meta = {.program = w->program, .unit = PARCAST_TRACE_FLOP, .n_ranks = n_ranks};
    parcast_status status = parcast_trace_create(w->out, &meta, &w->writer, error);
    if (!status && w->passing) trace_writer_hurry(w->writer);
    return status;
}

static parcast_status write_event(void *state, int32_t rank, const parcast_trace_event *event,
                                  const struct ti_line *line, parcast_error *error)
{
    const struct writing *w = state;
    (void)line;
    return parcast_trace_write(w->writer, rank, event, error);
}

parcast_status ti_to_trace(const struct ti_source *source, const char *out, bool passing,
                           struct ti_summary *summary, parcast_error *error)
{
    struct writing writing = {.program = source->name, .out = out, .passing = passing};
    const struct ti_sink sink = {&writing, begin, write_event};
    parcast_status status = ti_read(source, &sink, summary, error);
    if (!status) status = parcast_trace_finish(&writing.writer, NULL, error);
    parcast_trace_discard(&writing.writer);
    return status;
}

static char *describe_losses(const struct ti_summary *summary)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return NULL;
    if (summary->n_left_over)
        fprintf(stream, "requests that nobody waits for are awaited at the end: %zu\n", summary->n_left_over);
    if (summary->different_rank)
        fputs("the ranks' init lines differ: sizes without a type are bytes on some and doubles on others\n",
              stream);
    if (fclose(stream) == 0 && size > 0) {
        text[size - 1] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

parcast_status parcast_trace_from_ti(const char *in, const char *out, parcast_trace_losses *losses,
                                     parcast_error *error)
{
    const struct ti_source source = {.name = in};
    struct ti_summary summary = {.n_left_over = 0};
    parcast_status status = ti_to_trace(&source, out, false, &summary, error);
    if (!status && losses) *losses = describe_losses(&summary);
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
