/*
 * Chrome's trace event format, which Perfetto reads: one JSON object, written as it comes. A node is a
 * process, a rank a thread. https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */
#include "trace/timeline.h"

static const double us_per_s = 1e6;

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 32)
            fprintf(out, "\\u%04x", *c);
        else
            putc(*c, out);
    }
    putc('"', out);
}

static void begin(FILE *out, const parcast_timeline_layout *layout, const bool *ranks)
{
    fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n", out);
    for (size_t i = 0; i < layout->n_nodes; i++) {
        fprintf(out, "{\"ph\":\"M\",\"pid\":%zu,\"name\":\"process_name\",\"args\":{\"name\":", i);
        put_text(out, layout->nodes[i]);
        fputs("}},\n", out);
    }
    for (int32_t i = 0; i < layout->n_ranks; i++) {
        if (!ranks[i]) continue;
        fprintf(
            out,
            "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"rank %d\"}},\n"
            "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}}"
            ",\n",
            layout->rank_node[i], i, i, layout->rank_node[i], i, i);
    }
}

static void put_arguments(FILE *out, const parcast_trace_event *e)
{
    bool messages =
        e->op >= PARCAST_TRACE_SEND && e->op <= PARCAST_TRACE_IPROBE && e->op != PARCAST_TRACE_START;
    fprintf(out, ",\"args\":{\"op\":\"%s\",\"bytes\":%lld,\"comm\":%d", parcast_trace_op_name(e->op),
            (long long)e->bytes, e->comm);
    if (messages) fprintf(out, ",\"peer\":%d,\"tag\":%d", e->peer, e->tag);
    if (parcast_trace_op_is_collective(e->op)) fprintf(out, ",\"root\":%d", e->root);
    putc('}', out);
}

static void state(parcast_timeline *t, const struct timeline_state *s)
{
    FILE *out = timeline_out(t);
    fprintf(out, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"cat\":\"%s\",\"name\":",
            timeline_node(t, s->rank), s->rank, s->start_s * us_per_s, (s->end_s - s->start_s) * us_per_s,
            s->name ? "mpi" : "compute");
    put_text(out, s->name ? s->name : "compute");
    if (s->event) put_arguments(out, s->event);
    fputs("},\n", out);
}

/* The arrow ends just inside the receive, so that it is bound to it. */
static void message(parcast_timeline *t, const struct timeline_end *end, bool arrives, double date_s)
{
    int32_t rank = arrives ? end->destination : end->source;
    double ts = date_s * us_per_s;
    if (arrives && ts >= 0.001) ts -= 0.001;
    fprintf(timeline_out(t),
            "{\"ph\":\"%s\",%s\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"id\":\"%016llx\",\"cat\":\"message\","
            "\"name\":\"message\","
            "\"args\":{\"from\":%d,\"to\":%d,\"tag\":%d,\"bytes\":%lld}},\n",
            arrives ? "f" : "s", arrives ? "\"bp\":\"e\"," : "", timeline_node(t, rank), rank, ts,
            (unsigned long long)end->key, end->source, end->destination, end->tag, (long long)end->bytes);
}

static void define_value(FILE *out, const char *name, int number)
{
    (void)out;
    (void)name;
    (void)number;
}

static void value(parcast_timeline *t, const char *name, int number, double date_s, double value)
{
    FILE *out = timeline_out(t);
    (void)number;
    fprintf(out, "{\"ph\":\"C\",\"pid\":-1,\"ts\":%.3f,\"name\":", date_s * us_per_s);
    put_text(out, name);
    fprintf(out, ",\"args\":{\"value\":%.17g}},\n", value);
}

/* The last entry has no comma behind it. */
static void end(parcast_timeline *t)
{
    fputs("{\"ph\":\"M\",\"pid\":-1,\"name\":\"process_name\",\"args\":{\"name\":\"network\"}}\n]}\n",
          timeline_out(t));
}

const struct timeline_writer timeline_chrome = {begin, state, message, define_value, value, end};
