/* parcast convert: a trace in another format, or as a timeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "event_text.h"
#include "parcast/timeline.h"
#include "parcast/trace_text.h"
#include "parcast/units.h"

static const char synopsis[] = "parcast convert [--to own|ti|chrome|paje] [--cut] [--flop-rate RATE] "
                               "[--ranks LIST] [--from T] [--until T] "
                               "[--least T] [--no-messages] IN OUT";

enum target { TO_OWN, TO_TI, TO_CHROME, TO_PAJE, N_TARGETS };
static const struct {
    const char *name, *suffixes[3];
} targets[N_TARGETS] = {
    {"own", {".trace"}}, {"ti", {".ti", ".txt"}}, {"chrome", {".json"}}, {"paje", {".paje"}}};

struct options {
    struct cli_common common;
    char *to, *flop_rate, *ranks, *from, *until, *least;
    int cut, no_messages;
};

struct conversion {
    const struct options *options;
    const char *in, *out;
    enum target target;
    double flop_per_s;
    parcast_timeline_options drawn;
};

static bool ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcmp(text + n - m, suffix) == 0;
}

static bool choose_target(const char *named, const char *out, enum target *target)
{
    for (int i = 0; i < N_TARGETS; i++) {
        *target = (enum target)i;
        if (named && strcmp(named, targets[i].name) == 0) return true;
        for (int k = 0; !named && k < 3 && targets[i].suffixes[k]; k++)
            if (ends_with(out, targets[i].suffixes[k])) return true;
    }
    return false;
}

static void tell_losses(const struct cli_common *common, char *losses)
{
    for (const char *line = losses; line && *line;) {
        size_t length = strcspn(line, "\n");
        cli_warn(common, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(losses);
}

/* -------- from our own format -------- */

static parcast_status copy_rank(parcast_trace *trace, int32_t rank, parcast_trace_writer *writer,
                                parcast_error *error)
{
    parcast_trace_cursor *cursor = NULL;
    const parcast_trace_event *event = NULL;
    parcast_status status = parcast_trace_cursor_open(trace, rank, &cursor, error);
    if (!status) status = parcast_trace_next(cursor, &event, error);
    while (!status && event) {
        status = parcast_trace_write(writer, rank, event, error);
        if (!status) status = parcast_trace_next(cursor, &event, error);
    }
    parcast_trace_cursor_close(&cursor);
    return status;
}

/* A whole file from one that was cut. Dates are exact seconds afterwards. */
static parcast_status copy(parcast_trace *trace, const char *out, parcast_error *error)
{
    parcast_trace_meta meta = *parcast_trace_about(trace);
    parcast_trace_writer *writer = NULL;
    size_t n = (size_t)meta.n_ranks;
    parcast_trace_rank *ranks = malloc(n * sizeof *ranks);
    if (!ranks) return parcast_error_set(error, PARCAST_MEMORY, out, 0, "out of memory");
    for (size_t i = 0; i < n; i++) {
        ranks[i] = meta.ranks[i];
        ranks[i].unit_s = 1;
    }
    meta.ranks = ranks;
    parcast_status status = parcast_trace_create(out, &meta, &writer, error);
    for (int32_t rank = 0; rank < meta.n_ranks && !status; rank++)
        status = copy_rank(trace, rank, writer, error);
    if (!status) status = parcast_trace_finish(&writer, NULL, error);
    parcast_trace_discard(&writer);
    free(ranks);
    return status;
}

static void note_rate(const struct conversion *c, const parcast_trace *trace)
{
    if (c->options->flop_rate || parcast_trace_about(trace)->unit == PARCAST_TRACE_FLOP) return;
    cli_note(&c->options->common, "a second of computing becomes %.3g flop (--flop-rate says otherwise)",
             c->flop_per_s);
}

static parcast_status draw(struct conversion *c, parcast_trace *trace, parcast_error *error)
{
    parcast_timeline_info info;
    size_t n = (size_t)parcast_trace_about(trace)->n_ranks;
    bool *ranks = c->options->ranks ? calloc(n, sizeof *ranks) : NULL;
    if (ranks && !cli_mark_ranks(c->options->ranks, ranks, n)) {
        free(ranks);
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "--ranks is like 0,3 or 0-7 among the ranks 0 to %zu, not '%s'", n - 1,
                                 c->options->ranks);
    }
    c->drawn.ranks = ranks;
    parcast_status status = parcast_timeline_of_trace(
        trace, c->out, c->target == TO_PAJE ? PARCAST_TIMELINE_PAJE : PARCAST_TIMELINE_CHROME, &c->drawn,
        &info, error);
    free(ranks);
    if (status) return status;
    unsigned long long n_left_out = info.n_left_out, n_all = info.n_left_out + info.n_states;
    if (n_left_out)
        cli_note(&c->options->common, "%llu of %llu states were left out, as asked for", n_left_out, n_all);
    if (info.n_states > 1000000)
        cli_warn(&c->options->common,
                 "%llu states: viewers are slow with more than a million; --from, --until, --ranks and "
                 "--least leave "
                 "some out",
                 (unsigned long long)info.n_states);
    return PARCAST_OK;
}

static parcast_status convert_open(struct conversion *c, parcast_trace *trace, parcast_error *error)
{
    parcast_trace_info info;
    char *losses = NULL;
    parcast_status status;
    parcast_trace_get_info(trace, &info);
    if (info.cut)
        cli_warn(&c->options->common, "'%s' is cut: read up to its last full frame, %llu events", c->in,
                 (unsigned long long)info.n_events);
    if (c->target == TO_OWN) {
        status = copy(trace, c->out, error);
    } else if (c->target == TO_TI) {
        note_rate(c, trace);
        status = parcast_trace_to_ti(trace, c->out, c->flop_per_s, &losses, error);
    } else {
        status = draw(c, trace, error);
    }
    if (!status) tell_losses(&c->options->common, losses);
    return status;
}

static parcast_status convert_own(struct conversion *c, const char *in, parcast_error *error)
{
    parcast_trace *trace = NULL;
    parcast_trace_mode mode = c->options->cut ? PARCAST_TRACE_UP_TO_CUT : PARCAST_TRACE_WHOLE;
    parcast_status status = parcast_trace_open(in, mode, &trace, error);
    if (!status) status = convert_open(c, trace, error);
    parcast_trace_close(&trace);
    return status;
}

/* -------- from text -------- */

static parcast_status convert_ti(struct conversion *c, parcast_error *error)
{
    char *losses = NULL, *between = NULL;
    if (c->target != TO_OWN && asprintf(&between, "%s.parcast-%ld", c->out, (long)getpid()) < 0)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    parcast_status status = parcast_trace_from_ti(c->in, between ? between : c->out, &losses, error);
    if (!status) tell_losses(&c->options->common, losses);
    if (!status && between) status = convert_own(c, between, error);
    if (between) unlink(between);
    free(between);
    return status;
}

static parcast_status convert(struct conversion *c, parcast_error *error)
{
    parcast_trace_format format;
    parcast_status status = parcast_trace_detect(c->in, &format, error);
    if (status) return status;
    switch (format) {
    case PARCAST_TRACE_OWN:
        return convert_own(c, c->in, error);
    case PARCAST_TRACE_TIME_INDEPENDENT:
        return convert_ti(c, error);
    case PARCAST_TRACE_GOAL:
        return parcast_error_set(
            error, PARCAST_UNSUPPORTED, c->in, 0,
            "is a GOAL schedule: a graph of operations, which the other formats cannot say");
    default:
        return parcast_error_set(error, PARCAST_FORMAT, c->in, 0,
                                 "is neither a trace of parcast nor time-independent text");
    }
}

/* -------- */

static parcast_status read_time(const char *text, double *seconds, parcast_error *error)
{
    return text ? parcast_units_time(text, seconds, error) : PARCAST_OK;
}

static parcast_status read_values(struct conversion *c, parcast_error *error)
{
    const struct options *o = c->options;
    c->drawn.no_messages = o->no_messages;
    c->flop_per_s = 1e9;
    parcast_status status = read_time(o->from, &c->drawn.from_s, error);
    if (!status) status = read_time(o->until, &c->drawn.to_s, error);
    if (!status) status = read_time(o->least, &c->drawn.least_s, error);
    if (!status && o->flop_rate) status = parcast_units_flop_rate(o->flop_rate, &c->flop_per_s, error);
    return status;
}

static int run(void *given, poptContext context)
{
    const struct options *options = given;
    struct conversion c = {.options = options};
    parcast_error error = {0};
    c.in = cli_argument(context);
    c.out = cli_argument(context);
    if (!c.in || !c.out) return cli_usage(&options->common, "a trace to read and a file to write are needed");
    if (cli_argument(context)) return cli_usage(&options->common, "one trace at a time");
    if (options->common.json) return cli_usage(&options->common, "the result is a file: there is no --json");
    if (!choose_target(options->to, c.out, &c.target)) {
        if (options->to)
            return cli_usage(&options->common, "--to is own, ti, chrome or paje, not '%s'", options->to);
        return cli_usage(&options->common, "'%s' does not end in .trace, .ti, .txt, .json or .paje: say --to",
                         c.out);
    }
    if (strcmp(c.in, c.out) == 0)
        return cli_usage(&options->common, "a file cannot be written while it is read");
    parcast_status status = read_values(&c, &error);
    if (!status) status = convert(&c, &error);
    return status ? cli_fail(&options->common, &error) : 0;
}

int cmd_convert(int argc, const char **argv)
{
    struct options options = {.common = {.command = "convert", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"to", 0, POPT_ARG_STRING, &options.to, 0, "format of OUT (default: by its name)",
         "own|ti|chrome|paje"},
        {"cut", 0, POPT_ARG_NONE, &options.cut, 0, "read a file that ends early up to its last full frame",
         NULL},
        {"flop-rate", 0, POPT_ARG_STRING, &options.flop_rate, 0,
         "flop that a second of computing becomes in time-independent text (default: 1 Gflop/s)", "RATE"},
        {"ranks", 0, POPT_ARG_STRING, &options.ranks, 0, "timelines: only these ranks, from 0", "LIST"},
        {"from", 0, POPT_ARG_STRING, &options.from, 0, "timelines: nothing that ends before this date", "T"},
        {"until", 0, POPT_ARG_STRING, &options.until, 0, "timelines: nothing that begins after this date",
         "T"},
        {"least", 0, POPT_ARG_STRING, &options.least, 0, "timelines: nothing shorter than this", "T"},
        {"no-messages", 0, POPT_ARG_NONE, &options.no_messages, 0, "timelines: no arrows", NULL},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    return cli_command(&options.common, argc, argv, table, run, &options);
}
