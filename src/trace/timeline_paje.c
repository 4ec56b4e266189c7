/*
 * Paje (Schnorr, "Paje trace file format", 2014): definitions of events, then events in the order of their
 * dates. Containers: machine M, nodes N0.., ranks R0..; a state per rank, links for messages, a variable per
 * value.
 */
#include <stdlib.h>

#include "trace/timeline.h"

enum {
    DEFINE_CONTAINER,
    DEFINE_STATE,
    DEFINE_LINK,
    DEFINE_VARIABLE,
    CREATE,
    DESTROY, /* not used: viewers end what is open with the trace */
    PUSH,
    POP,
    START_LINK,
    END_LINK,
    SET_VARIABLE,
};

static const char definitions[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineLinkType 2\n% Alias string\n% Type string\n% StartContainerType string\n"
    "% EndContainerType string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineVariableType 3\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 4\n% Time date\n% Alias string\n% Type string\n% Container string\n"
    "% Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 5\n% Time date\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajePushState 6\n% Time date\n% Type string\n% Container string\n% Value "
    "string\n%EndEventDef\n"
    "%EventDef PajePopState 7\n% Time date\n% Type string\n% Container string\n%EndEventDef\n"
    "%EventDef PajeStartLink 8\n% Time date\n% Type string\n% Container string\n% StartContainer string\n"
    "% Value string\n% Key string\n%EndEventDef\n"
    "%EventDef PajeEndLink 9\n% Time date\n% Type string\n% Container string\n% EndContainer string\n"
    "% Value string\n% Key string\n%EndEventDef\n"
    "%EventDef PajeSetVariable 10\n% Time date\n% Type string\n% Container string\n% Value "
    "double\n%EndEventDef\n";

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) putc(*text == '"' || (unsigned char)*text < 32 ? '_' : *text, out);
    putc('"', out);
}

static void begin(FILE *out, const parcast_timeline_layout *layout, const bool *ranks)
{
    int32_t n_nodes = (int32_t)layout->n_nodes;
    for (int32_t i = 0; i < layout->n_ranks; i++)
        if (layout->rank_node[i] >= n_nodes) n_nodes = layout->rank_node[i] + 1;
    fputs(definitions, out);
    fprintf(out, "%d TM 0 \"machine\"\n%d TN TM \"node\"\n%d TR TN \"rank\"\n", DEFINE_CONTAINER,
            DEFINE_CONTAINER, DEFINE_CONTAINER);
    fprintf(out, "%d S TR \"state\"\n%d L TM TR TR \"message\"\n", DEFINE_STATE, DEFINE_LINK);
    fprintf(out, "%d 0.000000000 M TM 0 \"machine\"\n", CREATE);
    for (int32_t i = 0; i < n_nodes; i++) {
        fprintf(out, "%d 0.000000000 N%d TN M ", CREATE, i);
        if ((size_t)i < layout->n_nodes)
            put_text(out, layout->nodes[i]);
        else
            fprintf(out, "\"node %d\"", i);
        putc('\n', out);
    }
    for (int32_t i = 0; i < layout->n_ranks; i++)
        if (ranks[i])
            fprintf(out, "%d 0.000000000 R%d TR N%d \"rank %d\"\n", CREATE, i, layout->rank_node[i], i);
}

static void state(parcast_timeline *t, const struct timeline_state *s)
{
    if (timeline_hold(t, s->start_s, "%d %.9f S R%d \"%s\"\n", PUSH, s->start_s, s->rank,
                      s->name ? s->name : "compute"))
        return;
    timeline_hold(t, s->end_s, "%d %.9f S R%d\n", POP, s->end_s, s->rank);
}

static void message(parcast_timeline *t, const struct timeline_end *end, bool arrives, double date_s)
{
    timeline_hold(t, date_s, "%d %.9f L M R%d \"%lld bytes\" %016llx\n", arrives ? END_LINK : START_LINK,
                  date_s, arrives ? end->destination : end->source, (long long)end->bytes,
                  (unsigned long long)end->key);
}

static void define_value(FILE *out, const char *name, int number)
{
    fprintf(out, "%d V%d TM ", DEFINE_VARIABLE, number);
    put_text(out, name);
    putc('\n', out);
}

static void value(parcast_timeline *t, const char *name, int number, double date_s, double value)
{
    (void)name;
    timeline_hold(t, date_s, "%d %.9f V%d M %.17g\n", SET_VARIABLE, date_s, number, value);
}

static void end(parcast_timeline *t)
{
    (void)t;
}

const struct timeline_writer timeline_paje = {begin, state, message, define_value, value, end};
