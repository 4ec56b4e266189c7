/*
 * The supervisor: one loop over sockets, signals and time. It decides nothing about sizes; it carries out
 * what the caller wishes:
 *
 *     launch the next size -> its ranks are ready -> stop order to the present one -> its checkpoint is
 *     committed -> the next one begins with it -> it runs: the move is over
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "core/signals.h"
#include "elastic/litter.h"
#include "elastic/supervise.h"

static const double leave_s = 60, retry_save_s = 1, retry_leave_s = 5, ask_s = 0.2;
enum { TICK_MS = 100, KEEP = 2 };

double supervise_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void supervise_tell(supervisor *s, bool warning, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (s->calls->tell) s->calls->tell(s->context, warning, text);
}

/* -------- wishes -------- */

parcast_status supervise_ask(supervisor *s)
{
    parcast_wish wish = {.at_iteration = -1};
    s->state.elapsed_s = supervise_now() - s->begin_s;
    s->state.moving = s->next != NULL;
    s->state.left = s->now && (s->now->state == LAUNCH_LEFT || s->now->state == LAUNCH_HOLDING);
    s->asked_s = supervise_now();
    parcast_status status = s->calls->wish(s->context, &s->state, &wish, s->error);
    if (status) return status;
    if (wish.nodes < 0 || wish.nodes > INT32_MAX / s->request->ranks_per_node)
        return parcast_error_set(s->error, PARCAST_INVALID, NULL, 0, "a run cannot have %d nodes",
                                 wish.nodes);
    s->wish = wish;
    return PARCAST_OK;
}

/* Seconds until an iteration, as quick as they were. */
static double time_until(const supervisor *s, int64_t iteration)
{
    int64_t done = s->state.iteration - s->state.since_iteration;
    if (done < 1 || !(s->state.running_s > 0)) return 0;
    return (double)(iteration - s->state.iteration) * s->state.running_s / (double)done;
}

static void order_stop(supervisor *s, int64_t iteration)
{
    if (s->stop_ordered || !s->now) return;
    s->stop_ordered = elastic_wire_say(&s->now->wire, "stop %lld", (long long)iteration);
}

bool supervise_moves_in_memory(const supervisor *s, const struct launch *launch, int nodes)
{
    return s->can_spawn && launch->in_memory && nodes != launch->nodes && nodes != s->not_in_memory_to;
}

bool supervise_wants_move(const supervisor *s, const struct launch *launch)
{
    return s->wish.nodes > 0 &&
           (s->wish.nodes != launch->nodes || s->wish.relaunch || supervise_wanted_back(s, launch));
}

static void order_resize(supervisor *s)
{
    if (s->resize_ordered) return;
    int64_t at = s->wish.at_iteration >= 0 ? s->wish.at_iteration : 0;
    s->resize_ordered = elastic_wire_say(&s->now->wire, "resize %lld %d", (long long)at,
                                         s->wish.nodes * s->request->ranks_per_node);
}

/* A program that has stopped where it was told to waits for its nodes. */
parcast_status supervise_launch_next(supervisor *s)
{
    if (s->wish.waits) {
        if (supervise_now() - s->asked_s < ask_s) return PARCAST_OK;
        parcast_status status = supervise_ask(s);
        if (status || s->wish.waits || s->wish.nodes == 0) return status;
    }
    supervise_set_reason(s);
    return supervise_launch(s, s->wish.nodes, true, &s->next);
}

void supervise_cancel_next(supervisor *s)
{
    if (!s->next) return;
    supervise_end(s->next, ELASTIC_TERM_S);
    s->next->state = LAUNCH_ENDED;
    s->next = NULL;
}

/* Seconds before the iteration of a move at which its launch begins: as long as the last one took, and more;
 * of the first one nobody knows how long its ranks will touch their memory. */
static double lead_of(const supervisor *s)
{
    const double slowly_bytes_per_s = 4e8;
    return 2 * s->last_launch_took_s + 0.3 + (s->n_launched > 1 ? 0 : s->array_bytes / slowly_bytes_per_s);
}

/* A launch that nobody has begun is worth nothing any more when the wish has changed. */
static parcast_status follow_wish(supervisor *s)
{
    if (!s->now || s->now->state != LAUNCH_RUNNING || s->result.interrupted || s->wish.nodes == 0)
        return PARCAST_OK;
    if (s->next && s->next->nodes != s->wish.nodes && s->next->state < LAUNCH_BEGUN && !s->stop_ordered)
        supervise_cancel_next(s);
    if (!supervise_wants_move(s, s->now)) {
        if (s->next && s->next->state < LAUNCH_BEGUN && !s->stop_ordered) supervise_cancel_next(s);
        return PARCAST_OK;
    }
    if (!s->next && supervise_moves_in_memory(s, s->now, s->wish.nodes)) {
        order_resize(s);
        return PARCAST_OK;
    }
    if (s->resize_ordered) return PARCAST_OK;
    if (s->wish.at_iteration >= 0) order_stop(s, s->wish.at_iteration);
    if (s->next || supervise_now() < s->not_before_s) return PARCAST_OK;
    bool soon = s->wish.at_iteration < 0 || time_until(s, s->wish.at_iteration) <= lead_of(s);
    if (s->request->overlap && soon) return supervise_launch_next(s);
    if (!s->request->overlap && s->wish.at_iteration < 0) order_stop(s, 0);
    return PARCAST_OK;
}

/* -------- steps of a move -------- */

/* Its ranks are ready and so are the servers of what they have to fetch. */
static parcast_status begin_when_served(supervisor *s, struct launch *launch)
{
    enum server_state served = supervise_serves(s, launch);
    if (served == SERVER_READY) return supervise_begin(s, launch);
    if (served == SERVER_FAILED) supervise_kill(launch);
    return PARCAST_OK;
}

static parcast_status resume_after_leaving(supervisor *s)
{
    if (s->result.interrupted) {
        s->quit = s->now->pid == 0;
        return PARCAST_OK;
    }
    if (!s->next) {
        /* The stop was ordered for an iteration that came before the launch, or the launch died. */
        if (supervise_now() < s->not_before_s) return PARCAST_OK;
        parcast_status status = s->wish.nodes > 0 ? PARCAST_OK : supervise_ask(s);
        if (!status && s->wish.nodes == 0) s->not_before_s = supervise_now() + ask_s;
        return status || s->wish.nodes == 0 ? status : supervise_launch_next(s);
    }
    return s->next->state == LAUNCH_READY ? begin_when_served(s, s->next) : PARCAST_OK;
}

/* After a crash the caller has found out by now which hosts are gone. */
static bool is_over(supervisor *s)
{
    bool counted = s->suspects.counted, first_failed = s->suspects.first_failed;
    bool lost = supervise_clear_suspects(s);
    if (lost && counted) s->retries--;
    return first_failed && !lost;
}

/* At the start and after a crash. */
parcast_status supervise_launch_first(supervisor *s)
{
    if (supervise_now() < s->not_before_s) return PARCAST_OK;
    s->not_before_s = supervise_now() + ask_s;
    parcast_status status = supervise_ask(s);
    if (status || s->wish.nodes == 0) return status;
    s->quit = is_over(s);
    if (s->quit) return PARCAST_OK;
    snprintf(s->move.reason, sizeof s->move.reason, "%s", s->why_next ? s->why_next : s->wish.reason);
    return supervise_launch(s, s->wish.nodes, s->store.n > 0, &s->next);
}

static parcast_status advance(supervisor *s)
{
    if (!s->now && !s->next) return supervise_launch_first(s);
    if (!s->now) return s->next->state == LAUNCH_READY ? begin_when_served(s, s->next) : PARCAST_OK;
    if (s->now->state == LAUNCH_LEFT) return resume_after_leaving(s);
    if (s->now->state == LAUNCH_HOLDING) return supervise_hand_over(s);
    bool patient = supervise_now() - s->last_save_order_s < retry_save_s;
    bool ready = s->next && s->next->state == LAUNCH_READY;
    enum server_state served = ready ? supervise_serves(s, s->next) : SERVER_STARTING;
    if (ready && served == SERVER_FAILED) supervise_kill(s->next);
    if (s->now->state == LAUNCH_RUNNING && ready && served == SERVER_READY && s->wish.at_iteration < 0 &&
        !patient)
        order_stop(s, 0);
    return PARCAST_OK;
}

static void save_now_and_then(supervisor *s)
{
    double every_s = s->request->checkpoint_every_s, now = supervise_now();
    if (s->leaving_nodes && !s->leaving_epoch && (!(every_s > 0) || every_s > retry_leave_s))
        every_s = retry_leave_s; /* nodes cannot be given back without it */
    if (!(every_s > 0) || !s->now || s->now->state != LAUNCH_RUNNING || s->stop_ordered || s->next) return;
    if (now - s->last_save_order_s < every_s) return;
    s->last_save_order_s = now;
    elastic_wire_say(&s->now->wire, "save 0");
}

static void trim(supervisor *s)
{
    if (!s->trim_due || s->stop_ordered || !s->now || s->now->state != LAUNCH_RUNNING) return;
    s->trim_due = false;
    size_t keep = supervise_kept(s, KEEP);
    if (s->store.n <= keep) return;
    supervise_sweep_servers(s, elastic_store_trim(&s->store, keep));
}

/* -------- signals -------- */

static void on_interrupt(supervisor *s, int signal)
{
    if (s->result.interrupted) {
        for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++)
            if (s->launches[i].state != LAUNCH_FREE) supervise_kill(&s->launches[i]);
        return;
    }
    s->result.interrupted = signal;
    supervise_release_held(s, "write");
    supervise_cancel_next(s);
    if (!s->now || s->now->state != LAUNCH_RUNNING || !s->request->resumable) {
        s->quit = s->now == NULL;
        if (s->now) supervise_end(s->now, ELASTIC_TERM_S);
        return;
    }
    supervise_tell(s, false,
                   "signal %d: a checkpoint is written, then the program ends; once more to kill it", signal);
    s->stop_ordered = false;
    order_stop(s, 0);
    s->now->kill_s = supervise_now() + leave_s;
}

/* A checkpoint that failed is tried again until the program is killed. */
static void stop_again(supervisor *s)
{
    if (s->result.interrupted && s->now && s->now->state == LAUNCH_RUNNING && s->request->resumable &&
        supervise_now() - s->last_save_order_s >= retry_save_s)
        order_stop(s, 0);
}

static void read_signals(supervisor *s)
{
    struct signalfd_siginfo info;
    while (read(s->signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo != SIGCHLD) on_interrupt(s, (int)info.ssi_signo);
}

/* -------- the loop -------- */

static void add_to_poll(struct pollfd *fds, nfds_t *n, int fd)
{
    if (fd >= 0) fds[(*n)++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

static void wait_for_something(supervisor *s)
{
    nfds_t n = 0;
    struct pollfd *grown =
        realloc(s->fds, (2 + ELASTIC_MAX_LAUNCHES + ELASTIC_MAX_STRANGERS + s->n_servers) * sizeof *grown);
    if (!grown) {
        poll(NULL, 0, TICK_MS);
        return;
    }
    s->fds = grown;
    add_to_poll(s->fds, &n, s->signals);
    add_to_poll(s->fds, &n, s->listener);
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++)
        if (s->launches[i].state != LAUNCH_FREE) add_to_poll(s->fds, &n, s->launches[i].wire.fd);
    for (size_t i = 0; i < ELASTIC_MAX_STRANGERS; i++) add_to_poll(s->fds, &n, s->strangers[i].fd);
    for (size_t i = 0; i < s->n_servers; i++) add_to_poll(s->fds, &n, s->servers[i].output);
    poll(s->fds, n, TICK_MS);
}

static parcast_status listen_to_all(supervisor *s)
{
    parcast_status status = PARCAST_OK;
    supervise_accept(s);
    supervise_listen_to_strangers(s);
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES && !status; i++)
        if (s->launches[i].state != LAUNCH_FREE && s->launches[i].state != LAUNCH_ENDED)
            status = supervise_listen(s, &s->launches[i]);
    return status;
}

/* While ranks are spawned the program can be stopped in order, if it still hears; in the middle of the move
 * it cannot. */
static void end_hung_resize(supervisor *s)
{
    if (!s->now || supervise_now() < s->resize_until_s) return;
    supervise_tell(s, true, "the resize in memory hangs: the program is restarted %s",
                   s->resizing ? "from its last checkpoint" : "instead");
    s->can_spawn = s->resize_ordered = false;
    s->resize_until_s = s->resizing ? INFINITY : supervise_now() + ELASTIC_RESIZE_PATIENCE_S;
    if (s->resizing) supervise_kill(s->now);
    s->resizing = true;
}

static void report(supervisor *s, int64_t before)
{
    if (!s->calls->reported || s->state.iteration == before || s->state.nodes == 0) return;
    s->state.elapsed_s = supervise_now() - s->begin_s;
    s->calls->reported(s->context, &s->state);
}

static parcast_status turn(supervisor *s)
{
    wait_for_something(s);
    read_signals(s);
    int64_t before = s->state.iteration;
    parcast_status status = listen_to_all(s);
    report(s, before);
    supervise_listen_to_servers(s);
    if (!status) status = supervise_bury_all(s);
    if (status || s->quit) return status;
    supervise_look_at_hosts(s);
    supervise_kill_late(s);
    stop_again(s);
    end_hung_resize(s);
    supervise_watch(s);
    if (s->now && s->now->state == LAUNCH_RUNNING && !s->stop_ordered &&
        (s->state.iteration != before || supervise_now() - s->asked_s >= ask_s))
        status = supervise_ask(s);
    if (!status) status = follow_wish(s);
    if (!status) status = advance(s);
    supervise_copy_on(s);
    supervise_leave(s);
    save_now_and_then(s);
    trim(s);
    return status;
}

static parcast_status loop(supervisor *s)
{
    if (s->request->in_memory) s->can_spawn = supervise_can_spawn(s);
    supervise_rewind(s);
    s->why_next = s->store.n ? "resumed" : NULL;
    if (s->store.n && supervise_copies(s)) supervise_serve_disk(s); /* there may be copies */
    parcast_status status = supervise_launch_first(s);
    while (!status && !s->quit) status = turn(s);
    return status;
}

/* -------- beginning and end -------- */

static parcast_status open_ears(supervisor *s, const sigset_t *set)
{
    char host[256] = "127.0.0.1";
    int port;
    if (s->request->agent && gethostname(host, sizeof host) != 0)
        return parcast_error_set(s->error, PARCAST_IO, NULL, 0, "this host has no name");
    parcast_status status =
        elastic_wire_listen(s->request->agent ? NULL : host, &s->listener, &port, s->error);
    if (status) return status;
    snprintf(s->address, sizeof s->address, "%s:%d", host, port);
    s->signals = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (s->signals < 0 || !elastic_wire_token(s->token))
        return parcast_error_set(s->error, PARCAST_IO, NULL, 0, "cannot begin to supervise: %s",
                                 strerror(errno));
    return PARCAST_OK;
}

/* Nothing of ours is left behind. */
static void end_all(supervisor *s, bool remove)
{
    double until = supervise_now() + ELASTIC_TERM_S;
    for (bool any = true; any;) {
        any = false;
        supervise_reap(s);
        for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) {
            struct launch *launch = &s->launches[i];
            if (launch->state == LAUNCH_FREE || launch->pid == 0) continue;
            any = true;
            if (isinf(launch->kill_s)) supervise_end(launch, ELASTIC_TERM_S);
            if (supervise_now() > until || s->result.interrupted) supervise_kill(launch);
        }
        if (any) poll(NULL, 0, 10);
    }
    supervise_kill_orphans(s);
    if (s->store.pieces) supervise_kill_remains(s);
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) {
        elastic_wire_end(&s->launches[i].wire);
        free(s->launches[i].hosts);
    }
    supervise_clear_suspects(s);
    if (remove) supervise_sweep_servers(s, INT64_MAX);
    for (size_t i = 0; i < ELASTIC_MAX_STRANGERS; i++) elastic_wire_end(&s->strangers[i]);
    supervise_end_servers(s);
    if (s->listener >= 0) close(s->listener);
    if (s->signals >= 0) close(s->signals);
}

static supervisor *create(const parcast_supervisor_request *request, const parcast_supervisor_calls *calls,
                          void *context, parcast_error *error)
{
    supervisor *s = calloc(1, sizeof *s);
    if (!s) {
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
        return NULL;
    }
    s->request = request;
    s->calls = calls;
    s->context = context;
    s->error = error;
    s->listener = s->signals = s->store.lock = -1;
    s->begin_s = supervise_now();
    s->last_launch_took_s = 0.5;
    s->resize_until_s = INFINITY;
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) s->launches[i].wire.fd = -1;
    for (size_t i = 0; i < ELASTIC_MAX_STRANGERS; i++) s->strangers[i].fd = -1;
    return s;
}

parcast_status parcast_supervise(const parcast_supervisor_request *request,
                                 const parcast_supervisor_calls *calls, void *context,
                                 parcast_supervisor_result *result, parcast_error *error)
{
    sigset_t set;
    struct signals_before before;
    struct sigaction pipe_before;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    supervisor *s = create(request, calls, context, error);
    if (!s) return PARCAST_MEMORY;
    int adopter = 0;
    sigaction(SIGPIPE, &ignore, &pipe_before); /* a server may be gone when it is told something */
    signals_hold(&set, &before);
    prctl(PR_GET_CHILD_SUBREAPER, &adopter);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans stay ours, so that they can be found and ended */
    parcast_status status = elastic_store_open(request->directory, request->checkpoints, &s->store, error);
    if (request->program->family == PARCAST_MPI_MPICH) elastic_litter_sweep_mpich("/dev/shm");
    if (!status) supervise_kill_remains(s); /* the lock is ours: whoever started them is dead */
    if (!status && request->restart) elastic_store_forget(&s->store);
    if (!status) status = open_ears(s, &set);
    if (!status) status = loop(s);
    bool has_nothing = s->result.interrupted && s->store.n == 0; /* to be resumed from */
    bool remove = !request->resumable || (!status && (s->result.complete || has_nothing));
    end_all(s, remove);
    if (s->store.directory) elastic_store_close(&s->store, remove);
    if (!request->resumable) elastic_store_sweep_siblings(request->directory);
    s->result.time_s = supervise_now() - s->begin_s;
    s->result.iterations = s->state.iteration;
    if (s->result.interrupted) s->result.exit_status = 128 + s->result.interrupted;
    prctl(PR_SET_CHILD_SUBREAPER, adopter);
    signals_release(&before);
    sigaction(SIGPIPE, &pipe_before, NULL);
    if (status)
        parcast_supervisor_result_clear(&s->result);
    else
        *result = s->result;
    free(s->held_text);
    free(s->copies.text);
    free(s->watch.ranks);
    free(s->fds);
    free(s);
    return status;
}

void parcast_supervisor_result_clear(parcast_supervisor_result *result)
{
    free(result->events);
    *result = (parcast_supervisor_result){0};
}
