/*
 * hosts:FILE. Each node that is held has a watcher: `ssh HOST "echo parcast $(nproc); exec cat"`. Its first
 * line says that the node is ready and how many cores it has; from then on a line is sent every two seconds
 * and must come back. A watcher that ends or falls silent is started anew, once: if that fails too, the node
 * is lost. So any command that runs a command on a host will do, and no port, daemon or program of ours is
 * needed there.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#include "allocator/answers.h"
#include "allocator/hosts_file.h"
#include "allocator/internal.h"

static const char usual_shell[] = "ssh -o BatchMode=yes -o ConnectTimeout=10";
static const char greeting[] = "echo parcast $(nproc); exec cat";
static const double ping_every_s = 2, silent_s = 8, check_s = 5, retry_s = 30;

/* A host that did not answer is left alone for a while. */
struct refusal {
    char *name;
    double until_s;
};

struct hosts {
    char *path;
    struct host_list list;
    char **words; /* [n_words] of the shell */
    size_t n_words;
    struct stat seen; /* of the file when it was read */
    int inotify;
    struct refusal *refusals; /* [n_refusals] */
    size_t n_refusals;
};

/* ---- watchers ---- */

static parcast_status start_watcher(parcast_allocator *a, struct node *node, parcast_error *error)
{
    struct hosts *h = a->state;
    const char **words = calloc(h->n_words + 3, sizeof *words);
    if (!words) return allocator_no_memory(error);
    for (size_t i = 0; i < h->n_words; i++) words[i] = h->words[i];
    words[h->n_words] = node->name;
    words[h->n_words + 1] = greeting;
    child_end(&node->child);
    node->said[0] = '\0';
    parcast_status status = child_start(words, &node->child, error);
    free(words);
    if (!status) allocator_watch(a, node->child->socket);
    return status;
}

/* ---- hosts that did not answer ---- */

static struct refusal *find_refusal(const struct hosts *h, const char *name)
{
    for (size_t i = 0; i < h->n_refusals; i++)
        if (strcmp(h->refusals[i].name, name) == 0) return &h->refusals[i];
    return NULL;
}

static void remember_refusal(parcast_allocator *a, const char *name)
{
    struct hosts *h = a->state;
    struct refusal *refusal = find_refusal(h, name);
    if (!refusal) {
        struct refusal *refusals = realloc(h->refusals, (h->n_refusals + 1) * sizeof *refusals);
        char *copy = strdup(name);
        if (refusals) h->refusals = refusals;
        if (!refusals || !copy) { /* it is asked again sooner */
            free(copy);
            return;
        }
        refusal = &refusals[h->n_refusals++];
        refusal->name = copy;
    }
    refusal->until_s = allocator_now(a) + retry_s;
}

static void forget_refusals(struct hosts *h)
{
    for (size_t i = 0; i < h->n_refusals; i++) free(h->refusals[i].name);
    h->n_refusals = 0;
}

/* ---- which hosts ---- */

static bool is_held(const parcast_allocator *a, const char *name)
{
    for (size_t i = 0; i < a->n_nodes; i++)
        if (!a->nodes[i].gone && strcmp(a->nodes[i].name, name) == 0) return true;
    return false;
}

static bool can_be_had(const parcast_allocator *a, const struct host *host)
{
    const struct refusal *refusal = find_refusal(a->state, host->name);
    return !is_held(a, host->name) && !(refusal && refusal->until_s > allocator_now(a));
}

/* The next free host in the order of the platform's types, in each in the order of the file; -1: none. */
static int next_host(const parcast_allocator *a)
{
    const struct hosts *h = a->state;
    int best = -1;
    for (size_t i = 0; i < h->list.n; i++) {
        if (!can_be_had(a, &h->list.hosts[i])) continue;
        if (best < 0 || (unsigned)h->list.hosts[i].type < (unsigned)h->list.hosts[best].type) best = (int)i;
    }
    return best;
}

static parcast_status spare(parcast_allocator *a, int *n_nodes, parcast_error *error)
{
    const struct hosts *h = a->state;
    (void)error;
    *n_nodes = 0;
    for (size_t i = 0; i < h->list.n; i++) *n_nodes += can_be_had(a, &h->list.hosts[i]);
    return PARCAST_OK;
}

static parcast_status start_host(parcast_allocator *a, int index, parcast_error *error)
{
    const struct hosts *h = a->state;
    const struct host *host = &h->list.hosts[index];
    int slots = a->options.ranks_per_node ? a->options.ranks_per_node : host->slots;
    if (!slots && a->options.platform && host->type >= 0)
        slots = a->options.platform->types[host->type].cores;
    struct node *node = allocator_add(a, host->name, slots, host->type);
    if (!node) return allocator_no_memory(error);
    node->order = index;
    parcast_status status = start_watcher(a, node, error);
    if (status) allocator_settle(a, node);
    return status;
}

static parcast_status grow(parcast_allocator *a, int n, parcast_error *error)
{
    int started = 0, index;
    while (started < n && (index = next_host(a)) >= 0) {
        parcast_status status = start_host(a, index, error);
        if (status) return status;
        started++;
    }
    if (started < n) {
        int held = allocator_count(a, PARCAST_NODE_READY) + allocator_count(a, PARCAST_NODE_STARTING);
        allocator_tell(a, PARCAST_ALLOCATION_REFUSED, held,
                       "the list of hosts has no more than %d that can be had", held);
    }
    return PARCAST_OK;
}

/* ---- looking at a node ---- */

static void lose(parcast_allocator *a, struct node *node, const char *why)
{
    remember_refusal(a, node->name);
    if (node->state == PARCAST_NODE_STARTING) {
        allocator_tell(a, PARCAST_ALLOCATION_REFUSED, allocator_count(a, PARCAST_NODE_READY), "host %s: %s",
                       node->name, why);
        allocator_settle(a, node);
        return;
    }
    allocator_tell(a, PARCAST_ALLOCATION_LOST, 1, "host %s: %s", node->name, why);
    allocator_lose(a, node);
}

/* A second watcher decides. */
static void check(parcast_allocator *a, struct node *node)
{
    parcast_error error;
    if (node->checking || node->state == PARCAST_NODE_STARTING || node->state == PARCAST_NODE_LOST) return;
    node->checking = true;
    node->deadline_s = allocator_now(a) + check_s;
    if (start_watcher(a, node, &error)) lose(a, node, error.text);
}

static void greeted(parcast_allocator *a, struct node *node, int cores)
{
    bool new_one = node->state == PARCAST_NODE_STARTING;
    node->checking = false;
    node->deadline_s = INFINITY;
    if (!new_one) return;
    allocator_ready(a, node, cores);
    allocator_tell(a, PARCAST_ALLOCATION_READY, 1, "host %s with %d slots", node->name, node->slots);
}

static void look_at(parcast_allocator *a, struct node *node)
{
    char line[sizeof node->said] = "";
    double now = allocator_now(a);
    bool runs = child_read(node->child);
    while (child_line(node->child, line, sizeof line)) {
        int cores;
        bool waits = node->state == PARCAST_NODE_STARTING || node->checking;
        bool greets = host_read_greeting(line, &cores);
        if (waits && greets) greeted(a, node, cores);
        if (greets || line[0] == '\0')
            node->echo_s = now;
        else
            snprintf(node->said, sizeof node->said, "%s", line); /* it may end only later */
    }
    bool waits = node->state == PARCAST_NODE_STARTING || node->checking;
    if (waits && (!runs || now > node->deadline_s)) {
        lose(a, node, runs ? "no answer in time" : node->said[0] ? node->said : "no answer");
    } else if (!runs || now - node->echo_s > silent_s) {
        node->echo_s = now;
        check(a, node);
    } else if (!waits && now - node->ping_s >= ping_every_s) {
        node->ping_s = now;
        child_say(node->child, "\n");
    }
}

/* ---- the file ---- */

static void remember_file(struct hosts *h)
{
    if (stat(h->path, &h->seen)) h->seen = (struct stat){.st_size = -1};
}

static bool file_changed(const struct hosts *h)
{
    struct stat now;
    if (stat(h->path, &now)) return false; /* between two writings: what was read stays */
    return now.st_mtim.tv_sec != h->seen.st_mtim.tv_sec || now.st_mtim.tv_nsec != h->seen.st_mtim.tv_nsec ||
           now.st_size != h->seen.st_size || now.st_ino != h->seen.st_ino;
}

static void drop_missing(parcast_allocator *a)
{
    const struct hosts *h = a->state;
    for (size_t i = 0; i < a->n_nodes; i++) {
        struct node *node = &a->nodes[i];
        if (node->gone) continue;
        int index = host_list_find(&h->list, node->name);
        if (index >= 0) {
            node->order = index;
            if (node->state == PARCAST_NODE_LEAVING)
                node->state = PARCAST_NODE_READY; /* back before it was left */
        } else if (node->state == PARCAST_NODE_STARTING) {
            allocator_tell(a, PARCAST_ALLOCATION_REFUSED, allocator_count(a, PARCAST_NODE_READY),
                           "host %s has left the list", node->name);
            allocator_settle(a, node);
        } else if (node->state == PARCAST_NODE_READY) {
            node->state = PARCAST_NODE_LEAVING;
            allocator_tell(a, PARCAST_ALLOCATION_LEAVING, 1, "host %s has left the list", node->name);
        }
    }
}

static void read_again(parcast_allocator *a)
{
    struct hosts *h = a->state;
    struct host_list list;
    parcast_error error;
    int before, now;
    remember_file(h);
    spare(a, &before, NULL);
    if (host_list_read(h->path, a->options.platform, &list, &error)) {
        allocator_tell(a, PARCAST_ALLOCATION_REFUSED, allocator_count(a, PARCAST_NODE_READY),
                       "%.60s:%d: %.100s; the list from before stays", error.source, error.line, error.text);
        return;
    }
    host_list_clear(&h->list);
    h->list = list;
    forget_refusals(h);
    drop_missing(a);
    spare(a, &now, NULL);
    if (now > before)
        allocator_tell(a, PARCAST_ALLOCATION_MORE, now, "%d more host%s can be had", now,
                       now == 1 ? "" : "s");
}

static parcast_status look(parcast_allocator *a, parcast_error *error)
{
    struct hosts *h = a->state;
    char events[4096];
    (void)error;
    while (h->inotify >= 0 && read(h->inotify, events, sizeof events) > 0) {
    }
    if (file_changed(h)) read_again(a);
    for (size_t i = 0; i < a->n_nodes; i++)
        if (!a->nodes[i].gone && a->nodes[i].child) look_at(a, &a->nodes[i]);
    return PARCAST_OK;
}

/* The folder is watched, for editors replace files. The clock's tick would find a change as well, later. */
static void watch_file(parcast_allocator *a, struct hosts *h)
{
    char *folder = strdup(h->path), *slash = folder ? strrchr(folder, '/') : NULL;
    h->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (slash) *slash = '\0';
    const char *name = slash ? (slash == folder ? "/" : folder) : ".";
    if (h->inotify >= 0 && folder &&
        inotify_add_watch(h->inotify, name, IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE) >= 0)
        allocator_watch(a, h->inotify);
    free(folder);
}

/* ---- open and close ---- */

static parcast_status split_shell(struct hosts *h, const char *shell, parcast_error *error)
{
    wordexp_t words;
    if (wordexp(shell, &words, WRDE_NOCMD)) {
        parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                          "the command that reaches hosts cannot be split: %.100s", shell);
        parcast_error_hint(error, "words as in a shell, such as: ssh -o BatchMode=yes");
        return PARCAST_INVALID;
    }
    h->words = calloc(words.we_wordc + 1, sizeof *h->words);
    for (size_t i = 0; h->words && i < words.we_wordc; i++) {
        h->words[i] = strdup(words.we_wordv[i]);
        if (h->words[i]) h->n_words++;
    }
    bool complete = h->words && h->n_words == words.we_wordc;
    wordfree(&words);
    if (!complete) return allocator_no_memory(error);
    if (h->n_words > 0) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the command that reaches hosts is empty");
}

static parcast_status write_agent(parcast_allocator *a, parcast_error *error)
{
    struct hosts *h = a->state;
    char *body = strdup("exec");
    for (size_t i = 0; body && i < h->n_words; i++) {
        char *quoted = allocator_quote(h->words[i]), *longer = NULL;
        if (!quoted || asprintf(&longer, "%s %s", body, quoted) < 0) longer = NULL;
        free(quoted);
        free(body);
        body = longer;
    }
    char *whole = NULL;
    if (!body || asprintf(&whole, "%s \"$host\" \"$@\"\n", body) < 0) whole = NULL;
    free(body);
    if (!whole) return allocator_no_memory(error);
    parcast_status status = allocator_directory(a, error);
    if (!status) status = allocator_write_agent(a, whole, error);
    free(whole);
    return status;
}

static parcast_status open_hosts(parcast_allocator *a, const char *argument, parcast_error *error)
{
    if (!argument || !*argument)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "hosts needs a file: hosts:FILE");
    struct hosts *h = calloc(1, sizeof *h);
    if (!h) return allocator_no_memory(error);
    a->state = h;
    h->inotify = -1;
    h->path = strdup(argument);
    if (!h->path) return allocator_no_memory(error);
    remember_file(h);
    parcast_status status = host_list_read(h->path, a->options.platform, &h->list, error);
    if (!status) status = split_shell(h, a->options.shell ? a->options.shell : usual_shell, error);
    if (!status) status = write_agent(a, error);
    if (!status) watch_file(a, h);
    return status;
}

static void close_hosts(parcast_allocator *a)
{
    struct hosts *h = a->state;
    if (!h) return;
    if (h->inotify >= 0) close(h->inotify);
    forget_refusals(h);
    free(h->refusals);
    host_list_clear(&h->list);
    for (size_t i = 0; i < h->n_words; i++) free(h->words[i]);
    free(h->words);
    free(h->path);
    free(h);
    a->state = NULL;
}

const struct backend allocator_hosts = {"hosts", open_hosts,       close_hosts, spare,
                                        grow,    allocator_settle, look,        check};
