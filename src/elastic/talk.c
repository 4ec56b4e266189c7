/* What the programs say. Words: docs/formats/elastic-control.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "elastic/supervise.h"

/* -------- checkpoints -------- */

static void on_saving(supervisor *s, int64_t iteration)
{
    /* Said twice where a resize in memory came to nothing: they stand still since the first time. */
    if (s->move.iteration != iteration || !(s->move.saving_s > 0)) s->move.saving_s = supervise_now();
    s->move.iteration = iteration;
    if (s->state.iteration < iteration) s->state.iteration = iteration;
}

static void after_commit(supervisor *s, struct launch *launch, int64_t iteration, int64_t epoch, bool leave)
{
    s->result.n_checkpoints++;
    s->last_commit_s = supervise_now();
    s->retries = 0;
    s->trim_due = true;
    elastic_store_note(&s->store, "checkpoint of iteration %lld committed by launch %d", (long long)iteration,
                       launch->number);
    if (s->leaving_nodes && launch == s->now) s->leaving_epoch = epoch;
    if (!leave) return;
    launch->state = LAUNCH_LEFT;
    launch->kill_s = s->last_commit_s + 10;
    if (launch != s->now) return; /* another one runs already */
    s->move.committed_s = s->last_commit_s;
    s->move.from_nodes = launch->nodes;
    s->stop_ordered = false;
}

static parcast_status on_saved(supervisor *s, struct launch *launch, int64_t iteration, int64_t epoch,
                               size_t bytes, bool leave)
{
    parcast_error cause = {0};
    char *text = bytes <= ELASTIC_TEXT_BYTES ? malloc(bytes + 1) : NULL;
    if (!text) return parcast_error_set(s->error, PARCAST_MEMORY, NULL, 0, "no memory for a manifest");
    bool whole = elastic_wire_bytes(&launch->wire, text, bytes);
    bool late = launch != s->now && s->store.n > 0 && s->store.epochs[s->store.n - 1] > epoch;
    parcast_status status =
        whole && !late ? elastic_store_commit(&s->store, epoch, text, bytes, &cause) : PARCAST_IO;
    if (!status && supervise_copies(s))
        supervise_copy(s, text, bytes);
    else
        free(text);
    if (!whole) return PARCAST_OK; /* it died while it spoke: the launcher will end */
    elastic_wire_say(&launch->wire, status ? "commit no" : "commit yes");
    if (status && launch != s->now) launch->state = LAUNCH_ENDED;
    if (late) return PARCAST_OK; /* those that run now have written a newer one */
    if (status)
        supervise_tell(s, true, "the checkpoint of iteration %lld was not written, the run goes on: %s: %s",
                       (long long)iteration, cause.source, cause.text);
    else
        after_commit(s, launch, iteration, epoch, leave);
    s->last_save_order_s = supervise_now();
    return PARCAST_OK;
}

static void on_unsaved(supervisor *s, struct launch *launch, int64_t iteration, const char *why)
{
    supervise_tell(s, true, "the checkpoint of iteration %lld was not written, the run goes on: %s",
                   (long long)iteration, why);
    elastic_store_note(&s->store, "checkpoint of iteration %lld failed: %s", (long long)iteration, why);
    if (launch != s->now) {
        launch->state = LAUNCH_ENDED;
        return;
    }
    s->stop_ordered = false; /* it is ordered again, but not at once */
    s->last_save_order_s = supervise_now();
}

/* -------- in memory -------- */

/* What is due next goes with the answer, so that it is not met too late. */
static parcast_status say_next(supervisor *s, struct launch *launch)
{
    parcast_status status = supervise_ask(s);
    int64_t at = -1;
    int ranks = 0;
    if (!status && supervise_wants_move(s, launch) && s->wish.at_iteration >= 0) {
        at = s->wish.at_iteration;
        s->resize_ordered = supervise_moves_in_memory(s, launch, s->wish.nodes);
        s->stop_ordered = !s->resize_ordered;
        if (s->resize_ordered) ranks = s->wish.nodes * s->request->ranks_per_node;
    }
    if (s->result.interrupted) { /* the order to stop came while ranks changed */
        at = ranks = 0;
        s->stop_ordered = true;
    }
    elastic_wire_say(&launch->wire, "next %lld %d", (long long)at, ranks);
    return status;
}

static parcast_status is_nonsense(const supervisor *s, const char *line)
{
    parcast_error_set(s->error, PARCAST_FORMAT, NULL, 0, "rank 0 says '%s', which cannot be", line);
    if (s->error)
        parcast_error_hint(s->error, "iterations count from 0, and the program must be linked with the "
                                     "elastic library of this version");
    return PARCAST_FORMAT;
}

/* seconds: saving, spawning or retiring, fetching, and of that copying. */
static parcast_status on_resized(supervisor *s, struct launch *launch, int64_t iteration, int ranks,
                                 const double seconds[4], int64_t bytes)
{
    int from = launch->nodes, to = ranks / s->request->ranks_per_node;
    char one[32], other[32];
    parcast_supervisor_event event = {
        .iteration = iteration,
        .from_nodes = from,
        .to_nodes = to,
        .to_ranks = ranks,
        .stop_s = seconds[0],
        .launch_s = seconds[1],
        .move_s = seconds[2],
        .copy_s = seconds[3],
        .pause_s = supervise_now() - s->move.saving_s,
        .bytes = bytes,
        .in_memory = true,
    };
    snprintf(event.reason, sizeof event.reason, "%s", s->wish.reason);
    s->move = (struct move){0};
    launch->nodes = to;
    launch->ranks = ranks;
    s->resize_ordered = false;
    s->not_in_memory_to = 0;
    s->resize_until_s = INFINITY;
    s->state.nodes = to;
    s->state.iteration = s->state.since_iteration = iteration;
    s->state.running_s = 0;
    supervise_keep_event(s, &event);
    supervise_tell(s, false, "iteration %lld: in memory from %s to %s, still for %.3f s: %s",
                   (long long)iteration, supervise_count_nodes(from, one), supervise_count_nodes(to, other),
                   event.pause_s, event.reason);
    return say_next(s, launch);
}

static double patience_s(const supervisor *s)
{
    return s->request->resize_patience_s > 0 ? s->request->resize_patience_s : ELASTIC_RESIZE_PATIENCE_S;
}

/* Ranks are being spawned; the program computes, or waits for them. */
static void on_spawning(supervisor *s)
{
    s->resize_until_s = supervise_now() + patience_s(s);
    s->resizing = false;
}

/* They are there, the data move. */
static void on_resizing(supervisor *s)
{
    s->resize_until_s = supervise_now() + patience_s(s);
    s->resizing = true;
}

static void on_unresized(supervisor *s, const char *why)
{
    supervise_tell(s, true, "it cannot be done in memory, the program is restarted instead: %s", why);
    s->resize_ordered = false;
    s->not_in_memory_to = s->wish.nodes;
    s->resize_until_s = INFINITY;
}

/* -------- lines -------- */

static parcast_status on_refused(supervisor *s, struct launch *launch, const char *why)
{
    if (s->now && s->now->state == LAUNCH_HOLDING) {
        supervise_write_instead(s, launch, why);
        return PARCAST_OK;
    }
    supervise_tell(s, true, "checkpoint %lld cannot be used, the one before it is taken: %s",
                   (long long)launch->offered, why);
    return supervise_begin(s, launch);
}

/* To go on would overwrite what another program has left. */
static parcast_status on_unfit(supervisor *s, struct launch *launch, const char *why)
{
    supervise_kill(launch);
    parcast_error_set(s->error, PARCAST_DATA, s->store.directory, 0, "%s",
                      *why ? why : "the program refuses what is there");
    if (s->error)
        parcast_error_hint(s->error,
                           "it was written by another version of the program, or one with other sizes; "
                           "take that one, or begin anew with --restart");
    return PARCAST_DATA;
}

static void on_at(supervisor *s, const struct launch *launch, int64_t iteration, double running_s)
{
    if (launch != s->now) return;
    s->state.iteration = iteration;
    s->state.running_s = running_s;
}

static bool counts(int64_t number)
{
    return number >= 0 && number < INT64_C(1) << 62;
}

/* Does it name an iteration that no run comes to? */
static bool is_no_iteration(const char *line)
{
    static const char *const words[] = {"running", "at",      "saving",    "holding", "saved",
                                        "unsaved", "resized", "unresized", "done",    "unclosed"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(line, words[i], strlen(words[i])) == 0) return !counts(atoll(line + strlen(words[i])));
    return false;
}

/* Older libraries do not tell how much there is. */
static parcast_status on_ready(supervisor *s, struct launch *launch, const char *line)
{
    double array_bytes = 0, state_bytes = 0;
    const double most = 0x1p63;
    sscanf(line, "ready %lf %lf", &array_bytes, &state_bytes);
    if (!(array_bytes >= 0 && array_bytes <= most) || !(state_bytes >= 0 && state_bytes <= most))
        return is_nonsense(s, line);
    launch->state = LAUNCH_READY;
    launch->ready_s = supervise_now();
    if (array_bytes > 0) s->array_bytes = array_bytes;
    if (state_bytes > 0) s->state.state_bytes = state_bytes;
    return PARCAST_OK;
}

static parcast_status on_line(supervisor *s, struct launch *launch, const char *line)
{
    long long iteration, epoch, bytes;
    double seconds, spawn_s, move_s, copy_s = NAN; /* older libraries do not tell how long copying took */
    size_t size;
    char word[8];
    int n = 0, ranks;
    if (is_no_iteration(line)) return is_nonsense(s, line);
    if (strncmp(line, "ready", 5) == 0) {
        return on_ready(s, launch, line);
    } else if (sscanf(line, "running %lld %lf %lld %lf", &iteration, &seconds, &bytes, &copy_s) >= 3) {
        if (bytes < 0) return is_nonsense(s, line);
        supervise_on_running(s, launch, iteration, seconds, copy_s, bytes);
    } else if (sscanf(line, "at %lld %lf", &iteration, &seconds) == 2) {
        if (!(seconds >= 0)) return is_nonsense(s, line);
        on_at(s, launch, iteration, seconds);
    } else if (sscanf(line, "saving %lld", &iteration) == 1) {
        on_saving(s, iteration);
    } else if (sscanf(line, "holding %lld %lld %zu", &iteration, &epoch, &size) == 3) {
        if (!counts(epoch)) return is_nonsense(s, line);
        return supervise_on_holding(s, launch, epoch, size);
    } else if (sscanf(line, "saved %lld %lld %zu %7s", &iteration, &epoch, &size, word) == 4) {
        if (!counts(epoch)) return is_nonsense(s, line);
        return on_saved(s, launch, iteration, epoch, size, strcmp(word, "leave") == 0);
    } else if (strncmp(line, "unfit ", 6) == 0) {
        return on_unfit(s, launch, line + 6);
    } else if (strncmp(line, "mended ", 7) == 0) {
        supervise_tell(s, true, "second copies were taken: %s", line + 7);
    } else if (sscanf(line, "unsaved %lld %n", &iteration, &n) == 1 && n) {
        on_unsaved(s, launch, iteration, line + n);
    } else if (sscanf(line, "resized %lld %d %lf %lf %lf %lld %lf", &iteration, &ranks, &seconds, &spawn_s,
                      &move_s, &bytes, &copy_s) >= 6) {
        if (ranks < s->request->ranks_per_node || bytes < 0) return is_nonsense(s, line);
        return on_resized(s, launch, iteration, ranks, (const double[]){seconds, spawn_s, move_s, copy_s},
                          bytes);
    } else if (strncmp(line, "spawning ", 9) == 0) {
        on_spawning(s);
    } else if (strncmp(line, "resizing ", 9) == 0) {
        on_resizing(s);
    } else if (sscanf(line, "unresized %lld %n", &iteration, &n) == 1 && n) {
        on_unresized(s, line + n);
    } else if (strncmp(line, "refused ", 8) == 0) {
        return on_refused(s, launch, line + 8);
    } else if (sscanf(line, "unclosed %lld", &iteration) == 1) {
        if (launch != s->now) return PARCAST_OK;
        launch->unclosed = true;
        s->state.iteration = iteration;
    } else if (sscanf(line, "done %lld", &iteration) == 1) {
        launch->state = LAUNCH_DONE;
        s->state.iteration = iteration;
    }
    return PARCAST_OK;
}

parcast_status supervise_listen(supervisor *s, struct launch *launch)
{
    char line[ELASTIC_LINE_BYTES];
    parcast_status status = PARCAST_OK;
    while (!status && launch->wire.fd >= 0 &&
           elastic_wire_line(&launch->wire, 0, line) == ELASTIC_WIRE_LINE) {
        supervise_hear(s, launch, line);
        status = on_line(s, launch, line);
    }
    return status;
}

/* -------- strangers -------- */

void supervise_accept(supervisor *s)
{
    int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    for (size_t i = 0; i < ELASTIC_MAX_STRANGERS; i++)
        if (s->strangers[i].fd < 0) {
            elastic_wire_begin(&s->strangers[i], fd);
            return;
        }
    close(fd);
}

static void introduce(supervisor *s, elastic_wire *stranger, const char *line)
{
    char token[64];
    int version, number, ranks, in_memory;
    long long iterations;
    if (sscanf(line, "hello %d %63s %d %d %lld %d", &version, token, &number, &ranks, &iterations,
               &in_memory) == 6 &&
        elastic_wire_same_token(token, s->token))
        for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) {
            struct launch *launch = &s->launches[i];
            if (launch->state != LAUNCH_STARTING || launch->number != number || launch->wire.fd >= 0)
                continue;
            if (version < 1 || version > 3 || ranks != launch->ranks) {
                supervise_tell(s, true,
                               "launch %d came with %d ranks instead of %d, or speaks another version",
                               number, ranks, launch->ranks);
                break;
            }
            launch->wire = *stranger;
            launch->greeted = s->is_elastic = true;
            launch->can_hold = version >= 2;
            launch->in_memory = in_memory != 0;
            stranger->fd = -1;
            if (iterations > 0) s->state.iterations = iterations;
            return;
        }
    elastic_wire_end(stranger);
}

void supervise_listen_to_strangers(supervisor *s)
{
    char line[ELASTIC_LINE_BYTES];
    for (size_t i = 0; i < ELASTIC_MAX_STRANGERS; i++)
        if (s->strangers[i].fd >= 0 && elastic_wire_line(&s->strangers[i], 0, line) == ELASTIC_WIRE_LINE)
            introduce(s, &s->strangers[i], line);
}
