/* parcast dump: a trace as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "event_text.h"
#include "parcast/trace.h"

static const char synopsis[] =
    "parcast dump [--ranks LIST] [--events FROM-TO] [--cut] [--about] [--json] TRACE";

struct options {
    struct cli_common common;
    char *ranks, *events;
    int cut, about;
};

struct dump {
    const struct options *options;
    parcast_trace *trace;
    bool *ranks;       /* [of the trace]: those that are printed */
    uint64_t from, to; /* events, the last one included */
    bool first;        /* nothing was printed yet */
};

static const char *const ends[] = {"finalized", "exited", "aborted", "lost", "disk full", "absent"};

/* -------- text -------- */

static void print_about(const parcast_trace *trace)
{
    const parcast_trace_meta *about = parcast_trace_about(trace);
    parcast_trace_info info;
    parcast_trace_get_info(trace, &info);
    printf("# %s\n", about->program && about->program[0] ? about->program : "(program not known)");
    printf("# %d rank%s, %llu events, %llu bytes, computing in %s%s\n", about->n_ranks,
           about->n_ranks == 1 ? "" : "s", (unsigned long long)info.n_events,
           (unsigned long long)info.file_bytes, about->unit == PARCAST_TRACE_FLOP ? "flop" : "seconds",
           info.cut ? "; cut: read up to the last full frame" : "");
    if (about->mpi) printf("# recorded with %s\n", about->mpi);
    for (size_t i = 2; i < about->n_comms; i++) {
        const parcast_trace_comm *comm = &about->comms[i];
        printf("# comm %zu: %sranks", i, comm->inter ? "intercommunicator, " : "");
        for (int32_t k = 0; k < comm->n_ranks; k++) printf("%s%d", k ? "," : " ", comm->ranks[k]);
        if (comm->inter) fputs(" and", stdout);
        for (int32_t k = 0; k < comm->n_remote; k++) printf("%s%d", k ? "," : " ", comm->remote_ranks[k]);
        if (comm->other_world) fputs(" of another world", stdout);
        putchar('\n');
    }
}

static void print_event(const struct dump *dump, int rank, uint64_t number, const parcast_trace_event *event)
{
    if (parcast_trace_about(dump->trace)->unit == PARCAST_TRACE_FLOP)
        printf("%d %llu %.17g flop; ", rank, (unsigned long long)number, event->compute);
    else
        printf("%d %llu %.9f +%.9f %.9f ", rank, (unsigned long long)number, event->start_s, event->compute,
               event->call_s);
    cli_event_print(stdout, dump->trace, event);
    putchar('\n');
}

/* -------- JSON: one object, but never held as a whole -------- */

static void print_separator(struct dump *dump)
{
    fputs(dump->first ? "\n" : ",\n", stdout);
    dump->first = false;
}

static json_t *comm_json(const parcast_trace_comm *comm)
{
    json_t *ranks = json_array(), *object = json_pack("{s:b}", "inter", comm->inter);
    for (int32_t i = 0; i < comm->n_ranks; i++) json_array_append_new(ranks, json_integer(comm->ranks[i]));
    json_object_set_new(object, "ranks", ranks);
    if (!comm->inter) return object;
    ranks = json_array();
    for (int32_t i = 0; i < comm->n_remote; i++)
        json_array_append_new(ranks, json_integer(comm->remote_ranks[i]));
    json_object_set_new(object, "remote_ranks", ranks);
    json_object_set_new(object, "other_world", json_boolean(comm->other_world));
    return object;
}

static json_t *about_json(const parcast_trace *trace)
{
    const parcast_trace_meta *about = parcast_trace_about(trace);
    parcast_trace_info info;
    parcast_trace_get_info(trace, &info);
    json_t *ranks = json_array(), *comms = json_array();
    for (int32_t i = 0; i < about->n_ranks; i++) {
        const parcast_trace_rank *rank = &about->ranks[i];
        json_array_append_new(ranks, json_pack("{s:i, s:f, s:s, s:I}", "node", (int)rank->node, "offset_s",
                                               rank->offset_s, "end", ends[rank->end], "n_events",
                                               (json_int_t)rank->n_events));
    }
    for (size_t i = 0; i < about->n_comms; i++) json_array_append_new(comms, comm_json(&about->comms[i]));
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:I, s:I, s:b, s:b, s:o, s:o}", "unit",
                  about->unit == PARCAST_TRACE_FLOP ? "flop" : "s", "program",
                  cli_json_text(about->program ? about->program : ""), "mpi", cli_json_text(about->mpi),
                  "n_events", (json_int_t)info.n_events, "bytes", (json_int_t)info.file_bytes, "cut",
                  info.cut, "complete", info.complete, "ranks", ranks, "comms", comms);
    return object;
}

static void print_head_json(const parcast_trace *trace)
{
    json_t *object = about_json(trace);
    char *text = json_dumps(object, JSON_REAL_PRECISION(17));
    printf("{\"schema\": \"parcast.dump/1\", \"about\": %s, \"events\": [", text ? text : "null");
    free(text);
    json_decref(object);
}

static void print_event_json(struct dump *dump, int rank, uint64_t number, const parcast_trace_event *event)
{
    json_t *object = cli_event_json(dump->trace, event);
    json_object_set_new(object, "rank", json_integer(rank));
    json_object_set_new(object, "event", json_integer((json_int_t)number));
    print_separator(dump);
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(object);
}

/* -------- */

static parcast_status dump_rank(struct dump *dump, int rank, parcast_error *error)
{
    parcast_trace_cursor *cursor = NULL;
    const parcast_trace_event *event = NULL;
    parcast_status status = parcast_trace_cursor_open(dump->trace, rank, &cursor, error);
    if (!status) status = parcast_trace_seek(cursor, dump->from, error);
    while (!status && !ferror(stdout)) {
        status = parcast_trace_next(cursor, &event, error);
        uint64_t number = parcast_trace_position(cursor) - 1;
        if (status || !event || number > dump->to) break;
        if (dump->options->common.json)
            print_event_json(dump, rank, number, event);
        else
            print_event(dump, rank, number, event);
    }
    parcast_trace_cursor_close(&cursor);
    return status;
}

static int dump_all(struct dump *dump)
{
    const struct cli_common *common = &dump->options->common;
    parcast_error error = {0};
    parcast_trace_info info;
    int status = 0;
    dump->first = true;
    if (common->json)
        print_head_json(dump->trace);
    else
        print_about(dump->trace);
    int n_ranks = dump->options->about ? 0 : parcast_trace_about(dump->trace)->n_ranks;
    for (int i = 0; i < n_ranks && !status; i++)
        if (dump->ranks[i] && dump_rank(dump, i, &error)) status = cli_fail(common, &error);
    if (common->json) puts("\n]}");
    parcast_trace_get_info(dump->trace, &info);
    if (info.n_unknown)
        cli_warn(common, "events of kinds that this parcast does not know were left out: %llu",
                 (unsigned long long)info.n_unknown);
    return status;
}

static int choose_ranks(struct dump *dump)
{
    const struct cli_common *common = &dump->options->common;
    size_t n = (size_t)parcast_trace_about(dump->trace)->n_ranks;
    const char *list = dump->options->ranks;
    parcast_error error = {0};
    dump->ranks = calloc(n, sizeof *dump->ranks);
    if (!dump->ranks) {
        parcast_error_set(&error, PARCAST_MEMORY, NULL, 0, "out of memory");
        return cli_fail(common, &error);
    }
    if (list && !cli_mark_ranks(list, dump->ranks, n))
        return cli_usage(common, "--ranks is like 0,3 or 0-7 among the ranks 0 to %zu, not '%s'", n - 1,
                         list);
    for (size_t i = 0; i < n && !list; i++) dump->ranks[i] = true;
    return 0;
}

/* "5", "5-", "5-10" */
static bool read_events(const char *text, uint64_t *from, uint64_t *to)
{
    char *end = NULL;
    *from = 0;
    *to = UINT64_MAX;
    if (!text) return true;
    if (*text < '0' || *text > '9') return false;
    *from = *to = strtoull(text, &end, 10);
    if (*end == '\0') return true;
    if (*end != '-') return false;
    *to = UINT64_MAX;
    if (end[1] == '\0') return true;
    if (end[1] < '0' || end[1] > '9') return false;
    *to = strtoull(end + 1, &end, 10);
    return *end == '\0' && *to >= *from;
}

static int run(void *given, poptContext context)
{
    const struct options *options = given;
    struct dump dump = {.options = options};
    parcast_error error = {0};
    const char *path = cli_only_argument(&options->common, context, "trace");
    if (!path) return EXIT_USAGE;
    if (!read_events(options->events, &dump.from, &dump.to))
        return cli_usage(&options->common, "--events is N, N- or N-M, not '%s'", options->events);
    if (parcast_trace_open(path, options->cut ? PARCAST_TRACE_UP_TO_CUT : PARCAST_TRACE_WHOLE, &dump.trace,
                           &error))
        return cli_fail(&options->common, &error);
    int status = choose_ranks(&dump);
    if (!status) status = dump_all(&dump);
    free(dump.ranks);
    parcast_trace_close(&dump.trace);
    return status;
}

int cmd_dump(int argc, const char **argv)
{
    struct options options = {.common = {.command = "dump", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"ranks", 0, POPT_ARG_STRING, &options.ranks, 0,
         "only these ranks, from 0: 0,3 or 0-7 (default: all)", "LIST"},
        {"events", 0, POPT_ARG_STRING, &options.events, 0,
         "only these events of each rank, from 0: 100-199 or 100-", "FROM-TO"},
        {"cut", 0, POPT_ARG_NONE, &options.cut, 0, "read a file that ends early up to its last full frame",
         NULL},
        {"about", 0, POPT_ARG_NONE, &options.about, 0, "what the trace says about itself, no events", NULL},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    return cli_command(&options.common, argc, argv, table, run, &options);
}
