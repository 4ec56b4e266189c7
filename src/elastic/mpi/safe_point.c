/*
 * The safe point. The supervisor's orders reach rank 0; all ranks learn them by a broadcast that begins at
 * one safe point and ends at a later one, so that nobody waits for it and everybody acts in the same
 * iteration.
 */
#include <math.h>
#include <time.h>

#include "elastic/mpi/ahead.h"
#include "elastic/mpi/behind.h"
#include "elastic/mpi/check.h"

/* A look may take this part of the time. But no order waits longer than this for the next one: what a look
 * seems to take may be time for which somebody else had the core. */
static const double look_ratio = 0.0002, most_look_s = 0.25;
/* The supervisor is told where the run is after this part of what has passed, but neither too often, for it
 * wakes up on a core of ours, nor too seldom. */
static const double tell_ratio = 0.05, least_tell_s = 0.05, most_tell_s = 0.5;
static const int64_t longest_interval = 1 << 20;
/* While a resize is prepared rank 0 looks that often, lest it be ready and nobody hears. */
static const double eager_s = 0.02;
/* A resize is prepared so long before its iteration, so many times what the last one took, and the first
 * touch of its arrays. */
static const double lead_s = 1, lead_ratio = 3;

/* Rank 0: iterations until the next look, so that looks stay below their part of the time. */
static int64_t choose_interval(parcast_elastic *e, int64_t iteration, double now_s)
{
    int64_t n = iteration - e->last_look;
    double iteration_s = n > 0 ? (now_s - e->last_look_s) / (double)n : 0;
    e->last_look = iteration;
    e->last_look_s = now_s;
    if (!(iteration_s > 0)) return e->orders.interval;
    e->iteration_s = iteration_s;
    double wanted = ceil(e->check_s / (look_ratio * iteration_s)), late = most_look_s / iteration_s;
    /* Doubled at most: a few quick iterations must not put the next look far away. */
    double most = 2 * (double)e->orders.interval;
    if (wanted > most) wanted = most;
    if (wanted > late) wanted = late;
    if (e->incoming.resize_at >= 0 && wanted > eager_s / iteration_s) wanted = floor(eager_s / iteration_s);
    return wanted<1 ? 1 : wanted>(double) longest_interval ? longest_interval : (int64_t)wanted;
}

/* Rank 0 knows what can be done in memory; the others only hear of what can. For what cannot the program is
 * restarted, in the same iteration: the answer of the supervisor may come after it. */
static void refuse_what_cannot_be(parcast_elastic *e, int64_t iteration)
{
    parcast_error error = {0};
    if (e->incoming.resize_at < 0 || elastic_can_resize(e, e->incoming.resize_to, &error)) return;
    if (e->incoming.resize_at > 0) e->incoming.stop_at = e->incoming.resize_at;
    e->incoming.resize_at = -1;
    elastic_wire_say(&e->wire, "unresized %lld %s", (long long)iteration, error.text);
}

/* How long the first touch of all arrays may take: as it did the last time; at first slowly, on a virtual
 * machine that has to get its memory, while all cores compute. */
static double touch_s(const parcast_elastic *e)
{
    const double slowly_bytes_per_s = 2e8;
    double bytes = 0;
    for (size_t i = 0; i < e->n_items; i++) {
        const elastic_layout *layout = &e->items[i]->layout;
        int64_t n = layout->dims[0].kind == PARCAST_ELASTIC_WHOLE && layout->n_dims == 1
                        ? e->incoming.resize_to
                        : e->n_ranks;
        if (!e->items[i]->shape.read_only) bytes += (double)elastic_layout_bytes(layout, 0) * (double)n;
    }
    return bytes / (e->touch_bytes_per_s > 0 ? e->touch_bytes_per_s : slowly_bytes_per_s);
}

static bool is_near(const parcast_elastic *e, int64_t iteration)
{
    double left_s = (double)(e->incoming.resize_at - iteration) * e->iteration_s;
    return left_s <= lead_s + lead_ratio * e->last_spawn_s + touch_s(e);
}

/* Rank 0: is it time to prepare, and is that done? */
static void plan_resize(parcast_elastic *e, int64_t iteration)
{
    const bool ordered = e->incoming.resize_at >= 0;
    e->incoming.prepare = ordered && (e->ahead || is_near(e, iteration));
    e->incoming.prepared = ordered && elastic_ahead_is_ready(e);
}

static void tell(parcast_elastic *e, int64_t iteration, double now_s)
{
    double after_s = tell_ratio * (now_s - e->began_s);
    if (after_s < least_tell_s) after_s = least_tell_s;
    if (after_s > most_tell_s) after_s = most_tell_s;
    if (now_s - e->last_told_s < after_s) return;
    elastic_wire_say(&e->wire, "at %lld %.6f", (long long)iteration, now_s - e->began_s);
    e->last_told_s = now_s;
}

static void look(parcast_elastic *e, int64_t iteration)
{
    double begin_s = 0;
    elastic_behind_look(e);
    if (e->rank == 0) {
        begin_s = elastic_now();
        elastic_control_poll(e);
        refuse_what_cannot_be(e, iteration);
        e->incoming.interval = choose_interval(e, iteration, begin_s);
        plan_resize(e, iteration);
        tell(e, iteration, begin_s);
    }
    MPI_Ibcast(&e->incoming, (int)sizeof e->incoming, MPI_BYTE, 0, e->own, &e->agreement);
    if (e->rank == 0) e->look_began_s = elastic_now() - begin_s;
}

/* What a look costs is its beginning and its end; what lies between belongs to the program. */
static void finish_look(parcast_elastic *e)
{
    if (e->rank != 0) {
        elastic_wait(&e->agreement);
        return;
    }
    double begin_s = elastic_now();
    elastic_wait(&e->agreement);
    double took_s = e->look_began_s + elastic_now() - begin_s;
    e->check_s = e->check_s > 0 ? 0.9 * e->check_s + 0.1 * took_s : took_s;
}

static bool is_due(int64_t at, int64_t iteration)
{
    return at >= 0 && iteration >= at;
}

/* Without an iteration of its own it waits until it is prepared. */
static bool resize_is_due(const parcast_elastic *e, int64_t iteration)
{
    return e->orders.resize_at == 0 ? e->orders.prepared : is_due(e->orders.resize_at, iteration);
}

static parcast_elastic_state resize(parcast_elastic *e, int64_t iteration)
{
    int64_t ranks = e->orders.resize_to;
    e->orders.resize_at = e->incoming.resize_at = -1;
    return elastic_resize(e, iteration, ranks);
}

static parcast_elastic_state act(parcast_elastic *e, int64_t iteration)
{
    if (!is_due(e->orders.stop_at, iteration) && resize_is_due(e, iteration)) {
        parcast_elastic_state state = resize(e, iteration);
        if (state != PARCAST_ELASTIC_GO_ON) return state;
    }
    if (is_due(e->orders.stop_at, iteration)) {
        e->orders.stop_at = e->incoming.stop_at = -1;
        elastic_behind_finish(e);
        e->left = elastic_leave(e, iteration);
        if (e->left) return PARCAST_ELASTIC_LEAVE;
    } else if (is_due(e->orders.save_at, iteration)) {
        e->orders.save_at = e->incoming.save_at = -1;
        elastic_behind_finish(e);
        elastic_save(e, iteration, ELASTIC_SAVE_AND_STAY);
    }
    return PARCAST_ELASTIC_GO_ON;
}

/* All ranks, when they have agreed on it; a failure is met again when it is due. */
static void prepare_resize(parcast_elastic *e)
{
    parcast_error error;
    if (e->orders.resize_at < 0 || !e->orders.prepare || e->ahead || e->hung) return;
    elastic_ahead_begin(e, e->orders.resize_to, &error);
}

/* Another supervisor may have resumed the run already: two must not compute the same. */
static parcast_elastic_state abandoned(parcast_elastic *e)
{
    parcast_error error = {0};
    parcast_error_set(&error, PARCAST_IO, NULL, 0, "'parcast run' is gone, so this run ends");
    parcast_error_hint(&error, "the same command resumes it from its last checkpoint");
    elastic_raise(e, &error);
    return PARCAST_ELASTIC_FAILED;
}

static void keep_place(parcast_elastic *e, int64_t iteration)
{
    if (!e->here) return;
    atomic_store_explicit(&e->here->rank, e->rank, memory_order_relaxed);
    atomic_store_explicit(&e->here->iteration, iteration, memory_order_relaxed);
}

static parcast_elastic_state supervised_point(parcast_elastic *e, int64_t iteration)
{
    keep_place(e, iteration);
    if (e->agreement != MPI_REQUEST_NULL) {
        finish_look(e);
        e->orders = e->incoming;
        e->next_look = iteration + e->orders.interval;
        prepare_resize(e);
    }
    if (e->orders.alone) return abandoned(e);
    parcast_elastic_state state = act(e, iteration);
    if (state == PARCAST_ELASTIC_GO_ON && iteration >= e->next_look) look(e, iteration);
    if (state != PARCAST_ELASTIC_GO_ON) e->iteration = iteration;
    e->resized = state == PARCAST_ELASTIC_RESIZED;
    return state;
}

static parcast_elastic_state checked_point(parcast_elastic *e)
{
    parcast_error error = {0};
    elastic_check_handle(e, "parcast_elastic_safe_point");
    if (elastic_check_point(e, &error) != PARCAST_OK) {
        elastic_raise(e, &error);
        return PARCAST_ELASTIC_FAILED;
    }
    return supervised_point(e, e->iteration++);
}

parcast_elastic_state parcast_elastic_safe_point(parcast_elastic *e)
{
    if (e && e->plain) {
        e->iteration++;
        return PARCAST_ELASTIC_GO_ON;
    }
    return checked_point(e);
}

/* All ranks know it: one tells the supervisor, which says it once and ends the program. */
static void tell_unfit(parcast_elastic *e, const parcast_error *error)
{
    if (e->rank == 0) elastic_wire_say(&e->wire, "unfit %s", error->text);
    const double patience_s = 10;
    const struct timespec nap = {.tv_nsec = 10000000};
    for (double begin_s = elastic_now(); elastic_now() - begin_s < patience_s;) nanosleep(&nap, NULL);
}

int64_t parcast_elastic_first_iteration(parcast_elastic *e)
{
    parcast_error error = {0};
    elastic_check_handle(e, "parcast_elastic_first_iteration");
    int64_t n_bytes;
    bool spawned = e->n_levels > 0;
    parcast_status status = e->begun || spawned ? PARCAST_OK : elastic_check_registered(e, &error);
    if (status) {
        elastic_raise(e, &error);
        return -1;
    }
    e->begun = true;
    e->plain = !e->supervised;
    if (!e->supervised || e->loaded) return e->iteration;
    status = spawned ? elastic_join_run(e, &n_bytes, &error) : elastic_load(e, &error);
    if (spawned && !status) elastic_hear_orders(e);
    e->loaded = !status;
    if (status) {
        if (status == PARCAST_DATA && !e->options.errors_return) tell_unfit(e, &error);
        elastic_raise(e, &error);
        return -1;
    }
    return e->iteration;
}
