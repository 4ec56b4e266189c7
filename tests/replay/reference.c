#include "reference.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MOST_RANKS = 64, PLACES = 4, SEND = PARCAST_GOAL_SEND, RECEIVE = PARCAST_GOAL_RECEIVE };
enum { COMPUTE = PARCAST_GOAL_COMPUTE, MESSAGE };

struct event {
    int64_t date;
    int sequence, kind, operation;
};

static const struct reference_program *program;
static struct reference_parameters p;
static struct event events[2 * REFERENCE_MOST];
static int n_events, n_sequences, waiting_for[REFERENCE_MOST], ready[REFERENCE_MOST], n_ready, n_done;
static int64_t release_at[REFERENCE_MOST]; /* the latest date of what it requires */
static int64_t cpu[MOST_RANKS][PLACES], snd[MOST_RANKS][PLACES], rcv[MOST_RANKS][PLACES];
static int posted[REFERENCE_MOST], n_posted, unexpected[REFERENCE_MOST], n_unexpected;

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void release(int operation, int started, int64_t date)
{
    for (int i = 0; i < program->n_dependences; i++) {
        const struct reference_dependence *d = &program->dependences[i];
        if (d->earlier != operation || d->started != started) continue;
        release_at[d->later] = later(release_at[d->later], date);
        if (--waiting_for[d->later] == 0) ready[n_ready++] = d->later;
    }
}

static void done(int operation, int64_t date)
{
    n_done++;
    release(operation, 0, date);
}

static void push(int64_t date, int kind, int operation)
{
    events[n_events++] = (struct event){date, n_sequences++, kind, operation};
}

static void issue_ready(int64_t now)
{
    for (int rank = 0; rank < program->n_ranks; rank++)
        for (int kind = SEND; kind <= COMPUTE; kind++)
            for (int i = 0; i < n_ready; i++) {
                const parcast_goal_operation *o = &program->operations[ready[i]].is;
                if (program->operations[ready[i]].rank != rank || (int)o->kind != kind) continue;
                int64_t date = later(later(cpu[rank][o->cpu], release_at[ready[i]]), now);
                if (kind == SEND) date = later(date, snd[rank][o->nic]);
                push(date, kind, ready[i]);
            }
    n_ready = 0;
}

static bool fits(int receive, int send)
{
    const parcast_goal_operation *r = &program->operations[receive].is, *s = &program->operations[send].is;
    return program->operations[receive].rank == s->peer &&
           (r->peer < 0 || r->peer == program->operations[send].rank) && (r->tag < 0 || r->tag == s->tag);
}

static int take(int *list, int *n, int at)
{
    int value = list[at];
    for (int i = at + 1; i < *n; i++) list[i - 1] = list[i];
    (*n)--;
    return value;
}

static void match(int receive, int send, int64_t t)
{
    const parcast_goal_operation *o = &program->operations[send].is;
    int sender = program->operations[send].rank;
    done(receive, t);
    if (o->amount <= p.S) return;
    cpu[sender][o->cpu] = later(cpu[sender][o->cpu], t);
    snd[sender][o->nic] = later(snd[sender][o->nic], t);
    done(send, t);
}

static void run_message(int send, int64_t t)
{
    const parcast_goal_operation *o = &program->operations[send].is;
    int64_t rest = o->amount > 0 ? o->amount - 1 : 0;
    cpu[o->peer][o->cpu] = t + p.o + later(rest * p.O, rest * p.G);
    rcv[o->peer][o->nic] = t + p.g + rest * p.G;
    for (int i = 0; i < n_posted; i++)
        if (fits(posted[i], send)) {
            match(take(posted, &n_posted, i), send, t);
            return;
        }
    unexpected[n_unexpected++] = send;
}

static void run_receive(int receive, int64_t t)
{
    release(receive, 1, t);
    for (int i = 0; i < n_unexpected; i++)
        if (fits(receive, unexpected[i])) {
            match(receive, take(unexpected, &n_unexpected, i), t);
            return;
        }
    posted[n_posted++] = receive;
}

static void run_send(int send, int64_t t)
{
    const parcast_goal_operation *o = &program->operations[send].is;
    int rank = program->operations[send].rank;
    int64_t rest = o->amount > 0 ? o->amount - 1 : 0, busy = t + p.o + rest * p.O;
    cpu[rank][o->cpu] = busy;
    snd[rank][o->nic] = t + p.g + rest * p.G;
    push(t + p.o + p.L, MESSAGE, send);
    release(send, 1, t);
    if (o->amount <= p.S) done(send, busy);
}

static int64_t free_date(const struct event *event)
{
    const struct reference_operation *op = &program->operations[event->operation];
    const parcast_goal_operation *o = &op->is;
    if (event->kind == SEND) return later(cpu[op->rank][o->cpu], snd[op->rank][o->nic]);
    if (event->kind == MESSAGE) return later(cpu[o->peer][o->cpu], rcv[o->peer][o->nic]);
    return event->kind == COMPUTE ? cpu[op->rank][o->cpu] : 0;
}

static void run_event(const struct event *event)
{
    int64_t t = event->date;
    if (event->kind == SEND) run_send(event->operation, t);
    if (event->kind == RECEIVE) run_receive(event->operation, t);
    if (event->kind == MESSAGE) run_message(event->operation, t);
    if (event->kind != COMPUTE) return;
    const struct reference_operation *op = &program->operations[event->operation];
    cpu[op->rank][op->is.cpu] = t + op->is.amount;
    release(event->operation, 1, t);
    done(event->operation, t + op->is.amount);
}

static void begin(void)
{
    n_events = n_sequences = n_ready = n_done = n_posted = n_unexpected = 0;
    for (int r = 0; r < MOST_RANKS; r++)
        for (int i = 0; i < PLACES; i++) cpu[r][i] = snd[r][i] = rcv[r][i] = 0;
    for (int i = 0; i < program->n_operations; i++) waiting_for[i] = 0, release_at[i] = 0;
    for (int i = 0; i < program->n_dependences; i++) waiting_for[program->dependences[i].later]++;
    for (int i = 0; i < program->n_operations; i++)
        if (waiting_for[i] == 0) ready[n_ready++] = i;
    issue_ready(0);
}

int reference_run(const struct reference_program *given, const struct reference_parameters *parameters,
                  int64_t *end_ns)
{
    program = given;
    p = *parameters;
    begin();
    while (n_events > 0) {
        int first = 0;
        for (int i = 1; i < n_events; i++)
            if (events[i].date < events[first].date ||
                (events[i].date == events[first].date && events[i].sequence < events[first].sequence))
                first = i;
        struct event event = events[first];
        if (free_date(&event) > event.date) {
            events[first].date = free_date(&event);
            continue;
        }
        events[first] = events[--n_events];
        run_event(&event);
        issue_ready(event.date);
    }
    for (int r = 0; r < program->n_ranks; r++) {
        end_ns[r] = 0;
        for (int i = 0; i < PLACES; i++) end_ns[r] = later(end_ns[r], cpu[r][i]);
    }
    return program->n_operations - n_done;
}
