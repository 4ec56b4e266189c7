/*
 * Programs that hang. What the ranks do is known from the words of rank 0; when it is silent for longer than
 * can be, every rank is looked for and told with its place, and later the launch is ended: the run goes on
 * from its last checkpoint.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elastic/supervise.h"

/* What was never measured is not ended unless the user has said how long it may take. */
static const double least_s = 60, most_of_longest = 10, unmeasured_s = 600, answer_s = 3;
/* What a program has left behind when it is done. */
static const double leftover_tell_s = 5, leftover_end_s = 30, leftover_grace_s = 10, look_s = 1;
enum { MOST_FOUND = 4096, MOST_NAMED = 4 };

/* Silence of a launch, and what is done about it. */
struct limit {
    struct launch *launch;
    double since_s, tell_after_s, end_after_s;
    const char *what;
};

/* -------- how long -------- */

static double given(const supervisor *s)
{
    return s->request->silence_s > 0 ? s->request->silence_s : NAN;
}

static double either(double given_s, double otherwise_s)
{
    return given_s > 0 ? given_s : otherwise_s;
}

static double derived(double longest_s)
{
    return fmax(least_s, most_of_longest * longest_s);
}

static struct limit limit_of_running(supervisor *s)
{
    const struct watch *w = &s->watch;
    double tell_s =
        either(given(s), w->saving ? fmax(unmeasured_s, derived(w->longest_s)) : derived(w->longest_s));
    bool known = given(s) > 0 || w->saving || w->longest_s > 0;
    return (struct limit){s->now, w->heard_s, tell_s, known ? 2 * tell_s : INFINITY,
                          w->saving ? "a checkpoint is not written" : "no safe point is reached"};
}

/* The next launch, when nothing else computes. */
static struct limit limit_of_next(supervisor *s)
{
    struct launch *next = s->next;
    if (next->state == LAUNCH_BEGUN) {
        double tell_s = either(given(s), unmeasured_s);
        return (struct limit){next, next->begun_s, tell_s, 2 * tell_s, "the new ranks do not get their data"};
    }
    if (next->state != LAUNCH_STARTING || !next->greeted) return (struct limit){.launch = NULL};
    double tell_s = fmax(derived(s->last_launch_took_s), given(s)); /* of two that is a number */
    bool known = given(s) > 0 || s->now;
    return (struct limit){next, next->started_s, tell_s, known ? 2 * tell_s : INFINITY,
                          "the program does not come to its first iteration"};
}

static struct limit limit_now(supervisor *s)
{
    if (s->now && s->now->state == LAUNCH_RUNNING) return limit_of_running(s);
    if (s->now && s->now->state == LAUNCH_DONE && s->watch.leftover_is_told)
        return (struct limit){.launch = NULL}; /* it is known why it does not end */
    if (s->now && s->now->state == LAUNCH_DONE)
        return (struct limit){s->now, s->watch.heard_s, either(given(s), least_s),
                              either(2 * given(s), unmeasured_s),
                              "all ranks have closed, but the program does not end"};
    return s->next ? limit_of_next(s) : (struct limit){.launch = NULL};
}

/* -------- who -------- */

void supervise_found(supervisor *s, const char *host, const elastic_found *found)
{
    struct watch *w = &s->watch;
    if (w->stage != WATCH_ASKED || w->n_ranks == MOST_FOUND || found->launch != w->launch) return;
    struct stuck *grown = realloc(w->ranks, (w->n_ranks + 1) * sizeof *grown);
    if (!grown) return;
    w->ranks = grown;
    struct stuck *rank = &grown[w->n_ranks++];
    rank->found = *found;
    snprintf(rank->host, sizeof rank->host, "%s", host);
}

/* Those on this machine are found at once, others by the servers of their nodes. */
static void ask(supervisor *s, const struct launch *launch)
{
    uint64_t key = elastic_place_key(s->token);
    char host[256] = "this machine";
    s->watch.n_ranks = 0;
    for (size_t i = 0; i < launch->n_hosts; i++) supervise_ask_places(s, &launch->hosts[i], key);
    if (launch->n_hosts > 0) return;
    elastic_found *found = malloc(MOST_FOUND * sizeof *found);
    size_t n = found ? elastic_place_find(key, found, MOST_FOUND) : 0;
    gethostname(host, sizeof host - 1);
    for (size_t i = 0; i < n; i++) supervise_found(s, host, &found[i]);
    free(found);
}

/* -------- what is said of them -------- */

static int by_iteration(const void *a, const void *b)
{
    const elastic_found *x = &((const struct stuck *)a)->found, *y = &((const struct stuck *)b)->found;
    if (x->iteration != y->iteration) return x->iteration < y->iteration ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static const char *in_words(char state)
{
    switch (state) {
    case 'T':
    case 't':
        return ", stopped";
    case 'D':
        return ", waiting for a device";
    case 'Z':
    case 'X':
        return ", dead";
    default:
        return "";
    }
}

static bool is_odd(const struct stuck *rank)
{
    return in_words(rank->found.state)[0] != '\0';
}

static void name(FILE *out, const struct stuck *rank, bool first)
{
    fprintf(out, "%srank %lld on %s (process %lld%s)", first ? "" : ", ", (long long)rank->found.rank,
            rank->host, (long long)rank->found.process, in_words(rank->found.state));
}

/* Some of [begin, end) by name, those whose process is in an odd state first of all. */
static void name_some(FILE *out, const struct stuck *ranks, size_t n)
{
    size_t named = 0;
    for (int odd = 1; odd >= 0; odd--)
        for (size_t i = 0; i < n && named < MOST_NAMED; i++)
            if (is_odd(&ranks[i]) == (odd == 1)) name(out, &ranks[i], named++ == 0);
    if (n > named) fprintf(out, " and %zu more", n - named);
}

static void describe(FILE *out, struct stuck *ranks, size_t n, int expected)
{
    size_t late = 0;
    if (n == 0) {
        fprintf(out, "; no rank was found");
        return;
    }
    qsort(ranks, n, sizeof *ranks, by_iteration);
    while (late < n && ranks[late].found.iteration == ranks[0].found.iteration) late++;
    fprintf(out, "; ");
    name_some(out, ranks, late);
    fprintf(out, late > 1 ? " are in" : " is in");
    fprintf(out, ranks[0].found.iteration < 0 ? " none yet" : " iteration %lld",
            (long long)ranks[0].found.iteration);
    if (late < n)
        fprintf(out, ", %zu other%s in iteration %lld", n - late, n - late == 1 ? "" : "s",
                (long long)ranks[n - 1].found.iteration);
    if (n < (size_t)expected)
        fprintf(out, "; %zu of %d ranks were not found", (size_t)expected - n, expected);
}

static void tell(supervisor *s, const struct limit *limit)
{
    struct watch *w = &s->watch;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return;
    fprintf(out, "%s for %.0f s", limit->what, supervise_now() - limit->since_s);
    if (limit->launch->state != LAUNCH_DONE) describe(out, w->ranks, w->n_ranks, limit->launch->ranks);
    if (isinf(limit->end_after_s))
        fprintf(out, "; how long it takes is not known, so it is not ended: Ctrl-C, or --patience");
    else
        fprintf(out, "; it is ended after %.0f s", limit->end_after_s);
    if (fclose(out) == 0) {
        supervise_tell(s, true, "%s", text);
        elastic_store_note(&s->store, "%s", text);
    }
    free(text);
}

/* -------- what is done -------- */

static void end(supervisor *s, const struct limit *limit)
{
    uint64_t key = elastic_place_key(s->token);
    supervise_tell(s, true, "%s for %.0f s: the launch is ended", limit->what,
                   supervise_now() - limit->since_s);
    limit->launch->hung = true;
    supervise_kill(limit->launch);
    for (size_t i = 0; i < limit->launch->n_hosts; i++)
        supervise_end_ranks(s, limit->launch->hosts[i].name, key, limit->launch->number);
}

void supervise_hear(supervisor *s, const struct launch *launch, const char *line)
{
    struct watch *w = &s->watch;
    double now = supervise_now(), silent_s = now - w->heard_s;
    if (launch != s->now && launch != s->next) return;
    if (launch == s->now && launch->state == LAUNCH_RUNNING && w->speaker == launch->number) {
        if (silent_s > w->longest_s) w->longest_s = silent_s;
        if (w->stage == WATCH_TOLD)
            supervise_tell(s, false, "after %.0f s of silence the program goes on", silent_s);
    }
    w->speaker = launch->number;
    w->saving = strncmp(line, "saving ", 7) == 0;
    w->heard_s = now;
    w->stage = WATCH_QUIET;
}

/*
 * The program is done, its ranks have ended, and the launcher waits for the end of an output that a process
 * holds which they have left behind. That process would end with the run in any case: without it the launcher
 * ends in order, with the status of the program. Of other machines nothing is known.
 */
static void watch_leftover(supervisor *s)
{
    struct watch *w = &s->watch;
    struct launch *launch = s->now;
    double now = supervise_now(), tell_s = fmin(either(given(s), leftover_tell_s), leftover_tell_s);
    double end_s = either(2 * given(s), leftover_end_s);
    char name[32] = "";
    if (!launch || launch->state != LAUNCH_DONE || launch->pid == 0 || launch->n_hosts > 0 ||
        w->leftover_is_ended || now - w->heard_s < tell_s || now - w->looked_s < look_s)
        return;
    w->looked_s = now;
    pid_t pid = supervise_find_leftover(s, launch, name);
    if (!pid) w->leftover_is_told = false; /* it has ended by itself */
    if (pid && !w->leftover_is_told) {
        w->leftover_is_told = true;
        w->leftover_s = now;
        supervise_tell(s, true,
                       "the program is done, but its launcher waits: process %ld (%s), which it left behind, "
                       "holds its output%s",
                       (long)pid, name, isinf(end_s) ? "" : "; it is ended soon");
        elastic_store_note(&s->store, "process %ld (%s) is left behind", (long)pid, name);
    } else if (pid && now - w->leftover_s > end_s) {
        w->leftover_is_ended = true;
        supervise_tell(s, true, "process %ld (%s) is ended", (long)pid, name);
        supervise_kill_orphans(s);
        launch->kill_s = now + leftover_grace_s;
    }
}

void supervise_watch(supervisor *s)
{
    struct watch *w = &s->watch;
    watch_leftover(s);
    struct limit limit = limit_now(s);
    double silent_s = limit.launch ? supervise_now() - limit.since_s : 0;
    if (!limit.launch || limit.launch->pid == 0 || limit.launch->hung) return;
    if (limit.launch->number != w->launch || limit.launch->state != w->state) {
        w->launch = limit.launch->number;
        w->state = limit.launch->state;
        w->stage = WATCH_QUIET;
    }
    if (w->stage == WATCH_QUIET && silent_s > limit.tell_after_s) {
        w->stage = WATCH_ASKED;
        w->asked_s = supervise_now();
        ask(s, limit.launch);
    } else if (w->stage == WATCH_ASKED &&
               (w->n_ranks >= (size_t)limit.launch->ranks || supervise_now() - w->asked_s > answer_s)) {
        w->stage = WATCH_TOLD;
        w->asked_s = supervise_now();
        tell(s, &limit);
    } else if (w->stage == WATCH_TOLD && silent_s > limit.end_after_s &&
               supervise_now() - w->asked_s > limit.tell_after_s / 2) { /* there was time to read it */
        end(s, &limit);
    }
}
