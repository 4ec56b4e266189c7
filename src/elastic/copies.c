/*
 * Second copies. Pieces lie in the memory of the nodes that wrote them; each is copied to the next node, by
 * the servers and behind the run, so that the death of a node costs no committed checkpoint. Where the
 * program has one node the copy goes to the disk, beside the manifests. A checkpoint is kept until a later
 * one lies twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elastic/supervise.h"

static const double leave_patience_s = 5;

bool supervise_copies(const supervisor *s)
{
    return s->request->agent && !s->store.pieces_are_common;
}

static bool is_used(const supervisor *s, const struct server *server)
{
    const struct launch *launches[] = {s->now, s->next};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; launches[k] && i < launches[k]->n_hosts; i++)
            if (strcmp(launches[k]->hosts[i].name, server->host) == 0) return true;
    return false;
}

bool supervise_needs_server(const supervisor *s, const struct server *server)
{
    return s->leaving_nodes || s->copies.epoch || is_used(s, server);
}

static struct server *server_of_node(const supervisor *s, const char *node)
{
    for (size_t i = 0; i < s->n_servers; i++)
        if (s->servers[i].state == SERVER_READY && strcmp(s->servers[i].node, node) == 0)
            return &s->servers[i];
    return NULL;
}

/* The next node of the program; else the disk of this machine. NULL: none yet. */
static struct server *partner_of(supervisor *s, const struct server *owner)
{
    size_t begin = (size_t)(owner - s->servers);
    for (size_t i = 1; i < s->n_servers; i++) {
        struct server *server = &s->servers[(begin + i) % s->n_servers];
        if (server->state == SERVER_READY && is_used(s, server) && strcmp(server->node, owner->node) != 0)
            return server;
    }
    return server_of_node(s, SUPERVISE_DISK);
}

/* -------- the end of a round -------- */

/* What was on nodes that are left is not needed any more, and neither are their servers. */
static void end_servers_of_others(supervisor *s)
{
    for (size_t i = 0; i < s->n_servers; i++) {
        struct server *server = &s->servers[i];
        bool other = !is_used(s, server) && strcmp(server->node, SUPERVISE_DISK) != 0;
        if (server->state == SERVER_READY && other) supervise_end_server(server);
    }
}

static void finish(supervisor *s)
{
    struct copies *copies = &s->copies;
    bool whole = !copies->failed;
    if (whole) {
        copies->doubled = copies->epoch;
        elastic_store_note(&s->store, "checkpoint %lld lies on two nodes", (long long)copies->epoch);
        s->trim_due = true;
    }
    /* Without a second copy the first one still stands where the program is. */
    if (s->leaving_epoch && copies->epoch >= s->leaving_epoch) supervise_begin_leaving(s);
    copies->epoch = 0;
}

/* -------- nodes that are left -------- */

void supervise_begin_leaving(supervisor *s)
{
    if (s->leave_until_s > 0) return;
    s->leave_until_s = supervise_now() + leave_patience_s;
    end_servers_of_others(s);
}

/* Launchers and servers of nodes that the program has left: what is cut off with its node complains. */
static bool is_left(const supervisor *s)
{
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) {
        const struct launch *launch = &s->launches[i];
        if (launch->state != LAUNCH_FREE && launch != s->now && launch != s->next && launch->pid)
            return false;
    }
    for (size_t i = 0; i < s->n_servers; i++)
        if (s->servers[i].state == SERVER_FAILED && s->servers[i].pid) return false;
    return true;
}

void supervise_leave(supervisor *s)
{
    if (!(s->leave_until_s > 0) || (!is_left(s) && supervise_now() < s->leave_until_s)) return;
    s->leave_until_s = 0;
    s->leaving_nodes = false;
    s->leaving_epoch = 0;
    s->calls->moved(s->context, &s->left_for);
}

static void fail(supervisor *s, const char *why)
{
    struct copies *copies = &s->copies;
    if (!copies->failed && strcmp(copies->told, why) != 0)
        supervise_tell(
            s, true,
            "the last checkpoint has no second copy, it would be lost with its node: %s; --checkpoints DIR "
            "keeps checkpoints on a disk",
            why);
    snprintf(copies->told, sizeof copies->told, "%s", why);
    copies->failed = true;
}

/* -------- a round -------- */

static void order(supervisor *s, const elastic_piece *piece, int64_t epoch)
{
    const struct server *owner = server_of_node(s, piece->node);
    const struct server *partner = owner ? partner_of(s, owner) : NULL;
    const char *slash = strrchr(piece->path, '/');
    if (!owner || !partner) {
        fail(s, owner ? "there is no other node" : "its server has ended");
        return;
    }
    if (dprintf(partner->input, "copy %lld %d %lld %016llx %s %s %s\n", (long long)epoch, piece->rank,
                (long long)piece->data_bytes, (unsigned long long)piece->index_checksum, owner->node,
                owner->address, slash ? slash + 1 : piece->path) < 0)
        fail(s, "a server takes no orders");
    else
        s->copies.n_left++;
}

static void begin_round(supervisor *s, const elastic_manifest *manifest)
{
    s->copies.epoch = manifest->epoch;
    s->copies.n_left = 0;
    s->copies.failed = false;
    for (int r = 0; r < manifest->n_ranks && !s->copies.failed; r++)
        order(s, &manifest->pieces[r], manifest->epoch);
    if (s->copies.n_left == 0) finish(s);
}

/* One round at a time; what was committed meanwhile has its turn after it. Not before the ranks of the next
 * size have fetched: they need the network first. */
void supervise_copy_on(supervisor *s)
{
    struct copies *copies = &s->copies;
    elastic_manifest manifest = {0};
    bool fetching = s->next && s->next->state == LAUNCH_BEGUN;
    if (!copies->text || copies->epoch || fetching || !s->now || s->now->state != LAUNCH_RUNNING) return;
    if (s->now->n_hosts < 2) {
        if (!server_of_node(s, SUPERVISE_DISK) && supervise_serve_disk(s) == SERVER_STARTING) return;
    }
    if (elastic_manifest_parse(copies->text, copies->bytes, NULL, &manifest, NULL) == PARCAST_OK)
        begin_round(s, &manifest);
    elastic_manifest_clear(&manifest);
    free(copies->text);
    copies->text = NULL;
}

void supervise_copy(supervisor *s, char *text, size_t bytes)
{
    free(s->copies.text);
    s->copies.text = text;
    s->copies.bytes = bytes;
}

void supervise_on_copied(supervisor *s, int64_t epoch, const char *why)
{
    struct copies *copies = &s->copies;
    if (epoch != copies->epoch || copies->n_left == 0) return;
    if (why) fail(s, why);
    if (--copies->n_left == 0) finish(s);
}

void supervise_copies_broken(supervisor *s)
{
    if (!s->copies.epoch) return;
    fail(s, "the server of a node has ended");
    s->copies.n_left = 0;
    finish(s);
}

size_t supervise_kept(const supervisor *s, size_t least)
{
    int64_t first = s->copies.doubled ? s->copies.doubled : s->copies.epoch;
    size_t n = 0;
    if (!supervise_copies(s) || !first) return least;
    while (n < s->store.n && s->store.epochs[s->store.n - 1 - n] >= first) n++;
    return n > least ? n : least;
}
