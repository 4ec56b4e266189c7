/* Launches that end: as they should, by a crash, or before they began. */
#include <math.h>
#include <stdlib.h>

#include "elastic/litter.h"
#include "elastic/supervise.h"

static const double retry_launch_s = 2;

enum {
    STATUS_UNFINISHED = 1,
    STATUS_HUNG = 124 /* as timeout(1) has it */
};

static void tell_crash(supervisor *s, const struct launch *launch)
{
    if (launch->hung) {
        elastic_store_note(&s->store, "launch %d hung", launch->number);
        return; /* it was said */
    }
    supervise_tell(s, true,
                   "the program ended before it was done, with status %d, at iteration %lld or later",
                   launch->exit_status, (long long)s->state.iteration);
    elastic_store_note(&s->store, "launch %d crashed with status %d", launch->number, launch->exit_status);
}

/* Where the last checkpoint is. */
void supervise_rewind(supervisor *s)
{
    char *text = NULL;
    size_t bytes;
    int64_t epoch;
    s->state.nodes = 0;
    s->state.iteration = 0;
    if (elastic_store_newest(&s->store, INT64_MAX, &text, &bytes, &epoch, NULL, NULL) == PARCAST_OK)
        s->state.iteration = supervise_iteration_of(text);
    free(text);
    s->state.since_iteration = s->state.iteration;
    s->state.running_s = 0;
}

/* The program does not use the library: it ran as it is. Or it did not even begin, on a host that is gone. */
static parcast_status end_unsupervised(supervisor *s, struct launch *launch)
{
    char nodes[32];
    if (launch->exit_status == 0)
        supervise_tell(s, true, "the program does not open the elastic library: it ran on %s to its end",
                       supervise_count_nodes(launch->nodes, nodes));
    s->result.exit_status = launch->exit_status;
    s->quit = launch->exit_status == 0 || launch->n_hosts == 0 || s->result.interrupted;
    if (s->quit) return PARCAST_OK;
    supervise_suspect(s, launch);
    s->suspects.first_failed = true;
    launch->state = LAUNCH_ENDED;
    s->next = NULL;
    return PARCAST_OK;
}

/* Resume from the last checkpoint, unless it crashes again and again at the same place. */
static parcast_status recover(supervisor *s, struct launch *launch)
{
    bool had_run = launch->state == LAUNCH_RUNNING || launch->state == LAUNCH_HOLDING || s->store.n > 0;
    supervise_finish_parting(s);
    if (launch != s->next) supervise_cancel_next(s);
    supervise_kill(launch);
    supervise_kill_orphans(s);
    launch->state = LAUNCH_ENDED;
    s->next = NULL;
    s->now = NULL;
    s->stop_ordered = s->resize_ordered = false;
    s->resize_until_s = INFINITY;
    if (!s->result.interrupted) s->result.n_crashes++;
    s->result.exit_status = launch->hung ? STATUS_HUNG : launch->exit_status ? launch->exit_status : 1;
    if (s->result.interrupted || !had_run || s->retries >= s->request->max_retries) {
        if (had_run && !s->result.interrupted && s->retries > 0)
            supervise_tell(s, true, "it ended %d times without a new checkpoint: given up", s->retries + 1);
        s->quit = true;
        return PARCAST_OK;
    }
    if (!launch->host_lost) tell_crash(s, launch);
    supervise_suspect(s, launch);
    s->suspects.counted = true;
    s->retries++;
    supervise_rewind(s);
    s->move = (struct move){0};
    s->why_next = "resumed after a crash";
    s->not_before_s = 0;
    return supervise_launch_first(s);
}

/* The next size does not come up: the program goes on as it is, if it still can. */
static parcast_status give_up_next(supervisor *s, struct launch *launch)
{
    char nodes[32];
    int status = launch->exit_status;
    launch->state = LAUNCH_ENDED;
    s->next = NULL;
    supervise_release_held(s, "go on");
    if (s->now && s->now->state == LAUNCH_RUNNING) {
        supervise_tell(s, true, "%s could not be started (status %d): the run stays where it is",
                       supervise_count_nodes(launch->nodes, nodes), status);
        supervise_suspect(s, launch);
        s->last_save_order_s = supervise_now();
        s->not_before_s = supervise_now() + retry_launch_s;
        return PARCAST_OK;
    }
    return recover(s, launch);
}

/*
 * Does a status say something about the launcher and not about the program? It was killed itself, or lost a
 * daemon: Open MPI then ends with one of its error numbers, which are negative. -1 may be a program's, and so
 * may any number of another MPI's launcher.
 */
static bool is_of_launcher(const supervisor *s, const struct launch *launch)
{
    const int largest_of_signals = 192, minus_one = 255;
    return launch->killed || launch->hung ||
           (supervise_family(s) == PARCAST_MPI_OPENMPI && launch->exit_status > largest_of_signals &&
            launch->exit_status < minus_one);
}

/* All ranks have closed, so the work is done. What the program returns then is passed on. */
static void complete(supervisor *s, const struct launch *launch)
{
    s->result.exit_status = launch->exit_status;
    s->result.complete = true;
    s->quit = true;
    if (!is_of_launcher(s, launch)) return;
    supervise_tell(
        s, true,
        "the launcher ended with status %d, after all ranks had closed at iteration %lld: the run is "
        "complete",
        launch->exit_status, (long long)s->state.iteration);
    elastic_store_note(&s->store, "launch %d: the launcher ended with status %d after the end",
                       launch->number, launch->exit_status);
    s->result.exit_status = 0;
}

/*
 * All ranks have finalized and nothing failed, but they have not closed. To resume it would only end it there
 * again. Where the program said how many iterations it has, and has them, its work is done; so it is where it
 * said nothing, for it came to its end.
 */
static void end_unclosed(supervisor *s, struct launch *launch)
{
    int64_t all = s->state.iterations, reached = s->state.iteration;
    supervise_cancel_next(s);
    launch->state = LAUNCH_ENDED;
    s->quit = true;
    s->result.complete = all <= 0 || reached >= all;
    s->result.exit_status = s->result.complete ? 0 : STATUS_UNFINISHED;
    if (s->result.complete)
        supervise_tell(
            s, true,
            "the program ended after iteration %lld without parcast_elastic_close: it is taken for "
            "done",
            (long long)reached);
    else
        supervise_tell(s, true,
                       "the program ended after %lld of %lld iterations without parcast_elastic_close: it is "
                       "not done, and not resumed, for it would end there again",
                       (long long)reached, (long long)all);
    elastic_store_note(&s->store, "launch %d ended at iteration %lld without a close", launch->number,
                       (long long)reached);
}

/* The launcher hung before the program ran at all: nothing is lost by another try. */
static bool may_start_again(const supervisor *s, const struct launch *launch)
{
    return launch == s->next && launch->late && !s->now && s->store.n == 0 && !s->result.interrupted &&
           s->retries < s->request->max_retries;
}

static parcast_status start_again(supervisor *s, struct launch *launch)
{
    supervise_kill_orphans(s);
    supervise_suspect(s, launch);
    s->suspects.counted = true;
    launch->state = LAUNCH_ENDED;
    s->next = NULL;
    s->retries++;
    s->why_next = "started again";
    s->not_before_s = 0;
    return supervise_launch_first(s);
}

static bool is_unclosed(const struct launch *launch)
{
    return launch->unclosed && launch->state == LAUNCH_RUNNING && launch->exit_status == 0 && !launch->hung &&
           !launch->host_lost;
}

static parcast_status bury(supervisor *s, struct launch *launch)
{
    parcast_status status = supervise_listen(s, launch); /* its last words */
    if (status) return status;
    if (launch == s->next && !launch->greeted && !s->now && s->store.n == 0) {
        status = end_unsupervised(s, launch);
    } else if (may_start_again(s, launch)) {
        status = start_again(s, launch);
    } else if (launch == s->next && launch->state != LAUNCH_RUNNING) {
        status = give_up_next(s, launch);
    } else if (launch == s->now && launch->state == LAUNCH_DONE) {
        complete(s, launch);
    } else if (launch == s->now && is_unclosed(launch) && !s->result.interrupted) {
        end_unclosed(s, launch);
    } else if (launch == s->now && launch->state != LAUNCH_LEFT) {
        return recover(s, launch);
    } else if (launch->state == LAUNCH_PARTING && s->now && s->now->state == LAUNCH_RUNNING) {
        supervise_tell(s, true, "the ranks that were left died before their checkpoint was written");
        elastic_wire_say(&s->now->wire, "save 0");
    }
    return status;
}

/* Places of launches that are over. */
parcast_status supervise_bury_all(supervisor *s)
{
    parcast_status status = PARCAST_OK;
    supervise_reap(s);
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES && !status && !s->quit; i++) {
        struct launch *launch = &s->launches[i];
        if (launch->state == LAUNCH_FREE || launch->pid != 0) continue;
        if (launch->state != LAUNCH_ENDED) status = bury(s, launch);
        if (launch == s->now || launch == s->next) continue;
        elastic_wire_end(&launch->wire);
        elastic_litter_remove(s->store.local, launch->number);
        launch->state = LAUNCH_FREE;
    }
    return status;
}
