/*
 * Time-independent traces to be replayed: the text becomes a trace of parcast in a file without a name, which
 * is then read as the replay goes on. Where an event stands in the text is looked up only for messages.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parcast/ti.h"
#include "trace/ti_read.h"
#include "trace/translate.h"

struct parcast_ti {
    struct ti_source source; /* its name and text are owned */
    parcast_trace *trace;
    parcast_trace_operations *operations;
    char *file; /* of the line that was asked for last */
    char warning[160];
};

static parcast_status no_memory(const char *source, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory for a trace");
}

/* The name goes at once, the file when the trace is closed. */
static parcast_status read_text(parcast_ti *ti, struct ti_summary *summary, parcast_error *error)
{
    const char *folder = getenv("TMPDIR");
    char *between = NULL;
    if (asprintf(&between, "%s/parcast-XXXXXX", folder && *folder ? folder : "/tmp") < 0)
        return no_memory(ti->source.name, error);
    int file = mkstemp(between);
    parcast_status status = PARCAST_OK;
    if (file < 0)
        status = parcast_error_set(error, PARCAST_IO, between, 0, "cannot make a temporary file: %s",
                                   strerror(errno));
    if (!status) status = ti_to_trace(&ti->source, between, true, summary, error);
    if (!status) status = parcast_trace_open(between, PARCAST_TRACE_WHOLE, &ti->trace, error);
    if (file >= 0) {
        close(file);
        unlink(between);
    }
    free(between);
    return status;
}

static void warn(parcast_ti *ti, const struct ti_summary *summary)
{
    const char *own = summary->different_doubles ? "doubles" : "bytes";
    if (!summary->different_rank) return;
    snprintf(ti->warning, sizeof ti->warning, "rank %d counts in %s, rank 0 in %s: each is taken as it says",
             summary->different_rank, own, summary->different_doubles ? "bytes" : "doubles");
}

static parcast_status load(parcast_ti *made, parcast_ti **trace, parcast_error *error)
{
    struct ti_summary summary = {.n_left_over = 0};
    parcast_status status = made->source.name ? read_text(made, &summary, error) : no_memory(NULL, error);
    if (!status)
        status = trace_operations_named(made->trace, made->source.name, NULL, 0, &made->operations, error);
    if (status) {
        parcast_ti_destroy(&made);
        return status;
    }
    warn(made, &summary);
    *trace = made;
    return PARCAST_OK;
}

parcast_status parcast_ti_load(const char *path, parcast_ti **trace, parcast_error *error)
{
    parcast_ti *made = calloc(1, sizeof *made);
    if (!made) return no_memory(path, error);
    made->source.name = strdup(path);
    return load(made, trace, error);
}

parcast_status parcast_ti_parse(const char *text, size_t length, const char *source, parcast_ti **trace,
                                parcast_error *error)
{
    parcast_ti *made = calloc(1, sizeof *made);
    char *copy = malloc(length + 1);
    if (!made || !copy) {
        free(made);
        free(copy);
        return no_memory(source, error);
    }
    if (length) memcpy(copy, text, length);
    made->source = (struct ti_source){.name = strdup(source), .text = copy, .length = length};
    return load(made, trace, error);
}

static int line_of(void *text, int rank, int event, const char **file)
{
    parcast_ti *ti = text;
    free(ti->file);
    ti->file = NULL;
    int line = ti_line_of(&ti->source, rank, (uint64_t)event, &ti->file);
    *file = ti->file;
    return line;
}

parcast_operation_source parcast_ti_source(parcast_ti *ti)
{
    parcast_operation_source source = parcast_trace_operations_source(ti->operations);
    source.text = ti;
    source.line_of = line_of;
    return source;
}

const char *parcast_ti_warning(const parcast_ti *ti)
{
    return ti->warning[0] ? ti->warning : NULL;
}

void parcast_ti_destroy(parcast_ti **trace)
{
    parcast_ti *ti = *trace;
    if (!ti) return;
    parcast_trace_operations_destroy(&ti->operations);
    parcast_trace_close(&ti->trace);
    free((void *)ti->source.name);
    free((void *)ti->source.text);
    free(ti->file);
    free(ti);
    *trace = NULL;
}
