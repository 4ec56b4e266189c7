/*
 * A move on one machine: the ranks of this size hold still, those of the next one copy the arrays out of
 * their memory and compute, and the checkpoint is written behind them. Where it cannot be done so the
 * checkpoint comes first.
 */
#include <poll.h>
#include <stdlib.h>

#include "elastic/supervise.h"

enum { MOST_PARTING = 2 };

static void release(supervisor *s, const char *word)
{
    elastic_wire_say(&s->now->wire, "%s", word);
    s->now->state = LAUNCH_RUNNING;
    s->state = s->held_state;
}

void supervise_release_held(supervisor *s, const char *word)
{
    if (s->now && s->now->state == LAUNCH_HOLDING) release(s, word);
}

void supervise_write_instead(supervisor *s, struct launch *next, const char *why)
{
    elastic_store_note(&s->store, "arrays are moved by checkpoints from now on: %s", why);
    s->cannot_pull = true;
    next->state = LAUNCH_READY;
    release(s, "write");
    s->stop_ordered = true; /* it is being carried out */
}

/* Those that still write behind the run hold memory: there are never many. */
static int count_parting(const supervisor *s)
{
    int n = 0;
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) n += s->launches[i].state == LAUNCH_PARTING;
    return n;
}

/* It is worth the wait even if the next launch is not ready yet: to write a checkpoint and to read it takes
 * longer. */
static bool can_be_pulled(const supervisor *s, const struct launch *launch)
{
    return launch == s->now && launch->state == LAUNCH_RUNNING && s->request->overlap && !s->request->agent &&
           !s->cannot_pull && !s->result.interrupted && s->wish.nodes > 0 && count_parting(s) < MOST_PARTING;
}

static void hold(supervisor *s, struct launch *launch, int64_t epoch, char *text, size_t bytes)
{
    free(s->held_text);
    s->held_text = text;
    s->held_bytes = bytes;
    s->held_state = s->state;
    launch->state = LAUNCH_HOLDING;
    s->move.from_nodes = launch->nodes;
    s->move.committed_s = supervise_now();
    if (s->store.next_epoch <= epoch)
        s->store.next_epoch = epoch + 1; /* that one is for the checkpoint behind */
}

parcast_status supervise_on_holding(supervisor *s, struct launch *launch, int64_t epoch, size_t bytes)
{
    char *text = bytes > 0 && bytes <= ELASTIC_TEXT_BYTES ? malloc(bytes + 1) : NULL;
    if (!text) return parcast_error_set(s->error, PARCAST_MEMORY, NULL, 0, "no memory for a manifest");
    bool whole = elastic_wire_bytes(&launch->wire, text, bytes); /* or it died while it spoke */
    text[bytes] = '\0';
    if (whole && can_be_pulled(s, launch) && (s->next || supervise_wants_move(s, launch))) {
        hold(s, launch, epoch, text, bytes);
        return supervise_hand_over(s);
    }
    /* Nobody wishes to leave any more. */
    bool stays = launch == s->now && !s->next && !supervise_wants_move(s, launch) && !s->result.interrupted;
    if (whole) elastic_wire_say(&launch->wire, stays ? "go on" : "write");
    if (stays) s->stop_ordered = false;
    free(text);
    return PARCAST_OK;
}

parcast_status supervise_hand_over(supervisor *s)
{
    if (!s->next) return supervise_launch_next(s);
    if (s->next->state != LAUNCH_READY) return PARCAST_OK;
    if (!s->next->can_hold) {
        supervise_write_instead(s, s->next, "the program has an older library");
        return PARCAST_OK;
    }
    s->next->offered = -1;
    return supervise_say_begin(s, s->next, s->held_text, s->held_bytes);
}

void supervise_finish_parting(supervisor *s)
{
    const int patience_ms = 60000;
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) {
        struct launch *launch = &s->launches[i];
        while (launch->state == LAUNCH_PARTING && launch->wire.fd >= 0) {
            struct pollfd fd = {.fd = launch->wire.fd, .events = POLLIN};
            if (poll(&fd, 1, patience_ms) == 0 || supervise_listen(s, launch) != PARCAST_OK) break;
        }
    }
}
