/*
 * Slurm by companion jobs: each node is a job of its own (salloc --exclusive), so that it can be given back
 * alone and any number of times. Jobs cannot grow a second time in Slurm 22.05 without a database, and newer
 * versions ignore dependency=expand. The jobs have one name, by which they are asked after every two seconds
 * and by which none is left behind. The command of each salloc waits for the end of its input, which is this
 * process: when it is killed its jobs end. Slurm is used through its commands alone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "allocator/answers.h"
#include "allocator/internal.h"
#include "allocator/slurm_agent.h"

static const double answer_s = 10, look_every_s = 2, count_every_s = 0.5, check_s = 5;
enum { MAX_FAILURES = 3 };
#define READY_LINE "parcast: the node is ready"

struct slurm {
    char job_name[64];
    double looked_s;  /* when Slurm was asked last; -INFINITY: never */
    int failures;     /* answers that did not come, one after the other */
    int free;         /* nodes that nobody had at counted_s */
    double counted_s; /* -INFINITY: they may be others by now */
    int spare;        /* of them those that could be had besides the ones asked for, at looked_s */
    char *map;        /* path of the file that says which job a node belongs to */
};

/* ---- commands ---- */

/* Inside an allocation these would make a step of it out of everything. */
static const char *const without_job[] = {"env",
                                          "-u",
                                          "SLURM_JOB_ID",
                                          "-u",
                                          "SLURM_JOBID",
                                          "-u",
                                          "SLURM_JOB_NODELIST",
                                          "-u",
                                          "SLURM_NODELIST",
                                          "-u",
                                          "SLURM_NNODES",
                                          "-u",
                                          "SLURM_NTASKS"};
enum { N_WITHOUT = sizeof without_job / sizeof *without_job, MAX_WORDS = N_WITHOUT + 16 };

static size_t begin_words(const char *words[MAX_WORDS])
{
    memcpy(words, without_job, sizeof without_job);
    return N_WITHOUT;
}

static parcast_status ask(const char *const *question, double limit_s, char **answer, parcast_error *error)
{
    const char *words[MAX_WORDS] = {NULL};
    const char *name = question[0];
    size_t n = begin_words(words);
    while (*question && n + 1 < MAX_WORDS) words[n++] = *question++;
    return child_run(words, name, limit_s, answer, error);
}

/* ---- giving back ---- */

static void cancel(long job)
{
    char number[32];
    char *answer = NULL;
    parcast_error error; /* a job that has gone already is what was wanted */
    snprintf(number, sizeof number, "%ld", job);
    const char *const question[] = {"scancel", number, NULL};
    if (ask(question, answer_s, &answer, &error)) return;
    free(answer);
}

/* Ending salloc while it waits takes its request back. */
static void give_back(parcast_allocator *a, struct node *node)
{
    struct slurm *s = a->state;
    long job = node->job;
    parcast_error error;
    s->counted_s = -INFINITY;
    allocator_settle(a, node);
    if (job > 0) cancel(job);
    if (slurm_write_map(a, s->map, &error))
        allocator_tell(a, PARCAST_ALLOCATION_REFUSED, 0, "%.60s: %.120s", error.source, error.text);
}

/* ---- what is free ---- */

static parcast_status count_nodes(parcast_allocator *a, int *n_free, int *n_clearing, parcast_error *error)
{
    char *answer;
    const char *question[] = {"sinfo", "-h", "-N", "-o", "%N|%T|%C", NULL, NULL, NULL};
    if (a->options.partition) {
        question[5] = "-p";
        question[6] = a->options.partition;
    }
    parcast_status status = ask(question, answer_s, &answer, error);
    if (status) return status;
    *n_free = slurm_count_free(answer);
    *n_clearing = slurm_count_clearing(answer);
    free(answer);
    return PARCAST_OK;
}

/* A run that was killed a moment ago and is begun again finds its nodes still being cleared of its jobs. */
static parcast_status await_cleared(parcast_allocator *a, parcast_error *error)
{
    struct slurm *s = a->state;
    const struct timespec pause = {.tv_nsec = 200000000};
    int clearing = 0;
    for (;;) {
        parcast_status status = count_nodes(a, &s->free, &clearing, error);
        if (status) return status;
        s->counted_s = allocator_now(a);
        if (s->free >= a->options.min_nodes || s->free + clearing < a->options.min_nodes ||
            s->counted_s - a->opened_s > a->patience_s)
            return PARCAST_OK;
        nanosleep(&pause, NULL);
    }
}

/* Counted twice a second at most, and after each change of ours: whoever asks all the time does not wait. */
static parcast_status spare(parcast_allocator *a, int *n_nodes, parcast_error *error)
{
    struct slurm *s = a->state;
    parcast_status status = PARCAST_OK;
    int clearing;
    if (allocator_now(a) - s->counted_s > count_every_s) {
        status = count_nodes(a, &s->free, &clearing, error);
        s->counted_s = allocator_now(a);
    }
    if (status && isinf(s->looked_s)) return status;          /* at the beginning it is an error */
    int starting = allocator_count(a, PARCAST_NODE_STARTING); /* some of the free ones are theirs soon */
    *n_nodes = s->free > starting ? s->free - starting : 0;
    return PARCAST_OK;
}

/* ---- growing ---- */

static parcast_status start_job(parcast_allocator *a, struct node *node, parcast_error *error)
{
    const struct slurm *s = a->state;
    const char *words[MAX_WORDS] = {NULL};
    char tasks[32];
    size_t n = begin_words(words);
    const char *const command[] = {"salloc", "--exclusive", "-N1", "-J", s->job_name};
    for (size_t i = 0; i < sizeof command / sizeof *command; i++) words[n++] = command[i];
    if (a->options.ranks_per_node) {
        snprintf(tasks, sizeof tasks, "-n%d", a->options.ranks_per_node);
        words[n++] = tasks;
    }
    if (a->options.partition) {
        words[n++] = "-p";
        words[n++] = a->options.partition;
    }
    words[n++] = "sh";
    words[n++] = "-c";
    words[n++] = "echo '" READY_LINE "'; exec cat";
    parcast_status status = child_start(words, &node->child, error);
    if (!status) allocator_watch(a, node->child->socket);
    return status;
}

static parcast_status grow(parcast_allocator *a, int n, parcast_error *error)
{
    for (int i = 0; i < n; i++) {
        struct node *node = allocator_add(a, NULL, a->options.ranks_per_node, -1);
        if (!node) return allocator_no_memory(error);
        parcast_status status = start_job(a, node, error);
        if (status) {
            allocator_settle(a, node);
            return status;
        }
    }
    return PARCAST_OK;
}

static void refuse(parcast_allocator *a, struct node *node, const char *why)
{
    long job = node->job;
    allocator_settle(a, node);
    if (job > 0) cancel(job);
    allocator_tell(a, PARCAST_ALLOCATION_REFUSED, allocator_count(a, PARCAST_NODE_READY), "Slurm: %s", why);
}

/* Node, its cores and the state of a job: "n2|2|RUNNING". */
static parcast_status describe(long job, char *name, size_t size, int *cores, parcast_error *error)
{
    char number[32], *answer;
    snprintf(number, sizeof number, "%ld", job);
    const char *const question[] = {"squeue", "-h", "-j", number, "-o", "%N|%C|%T", NULL};
    parcast_status status = ask(question, answer_s, &answer, error);
    if (status) return status;
    bool has_node = slurm_read_job(answer, name, size, cores);
    free(answer);
    if (has_node) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, NULL, 0, "job %ld was granted, but has no node", job);
}

/* The name of a node need not be one of the network. Without an answer it is taken for one. */
static char *address_of(const char *name)
{
    char *answer = NULL, address[256];
    const char *const question[] = {"sinfo", "-h", "-N", "-n", name, "-o", "%N|%o", NULL};
    parcast_error error;
    if (ask(question, answer_s, &answer, &error)) return NULL;
    const char *rest = slurm_find_line(answer, name);
    char *found = rest && slurm_read_address(rest, address, sizeof address) ? strdup(address) : NULL;
    free(answer);
    return found;
}

/* With ranks_per_node and CR_Core a job has at least the cores of its ranks. */
static void granted(parcast_allocator *a, struct node *node)
{
    struct slurm *s = a->state;
    char name[256] = "";
    int cores = 0;
    parcast_error error;
    if (describe(node->job, name, sizeof name, &cores, &error)) {
        refuse(a, node, error.text);
        return;
    }
    node->name = strdup(name);
    if (!node->name) {
        refuse(a, node, "out of memory");
        return;
    }
    node->address = address_of(name);
    const parcast_platform *platform = a->options.platform;
    node->type = allocator_type_of_host(platform, name);
    if (node->type < 0 && platform && platform->n_types == 1) node->type = 0;
    if (node->type >= 0) node->price_per_hour = platform->types[node->type].price_per_hour;
    node->keeper = node->child;
    node->child = NULL;
    allocator_ready(a, node, cores);
    s->counted_s = -INFINITY;
    if (slurm_write_map(a, s->map, &error))
        refuse(a, node, error.text);
    else
        allocator_tell(a, PARCAST_ALLOCATION_READY, 1, "node %s with %d slots as job %ld", name, node->slots,
                       node->job);
}

/* The command of salloc begins when the node is ready. */
static void look_at_start(parcast_allocator *a, struct node *node)
{
    char line[sizeof node->said];
    bool runs = child_read(node->child), ready = false;
    while (child_line(node->child, line, sizeof line)) {
        long job = slurm_job_in(line);
        if (job > 0) node->job = job;
        ready = ready || strcmp(line, READY_LINE) == 0;
        if (line[0]) snprintf(node->said, sizeof node->said, "%s", line); /* it may end only later */
    }
    if (runs && ready && node->job > 0)
        granted(a, node);
    else if (!runs)
        refuse(a, node, node->said[0] ? node->said : "no answer");
    else if (allocator_now(a) > node->deadline_s)
        refuse(a, node, node->job ? "the request is still waiting; it was taken back" : "no answer in time");
}

/* ---- nodes that are lost or wanted back ---- */

static void lose(parcast_allocator *a, struct node *node, const char *why)
{
    long job = node->job;
    allocator_tell(a, PARCAST_ALLOCATION_LOST, 1, "node %s: %s", node->name, why);
    node->job = 0;
    allocator_lose(a, node);
    cancel(job);
}

/* A step on it that does nothing; look_at_check takes its answer. */
static void check(parcast_allocator *a, struct node *node)
{
    const char *words[MAX_WORDS] = {NULL};
    char job[48];
    parcast_error error;
    if (node->checking || node->state == PARCAST_NODE_LOST || node->state == PARCAST_NODE_STARTING) return;
    size_t n = begin_words(words);
    snprintf(job, sizeof job, "--jobid=%ld", node->job);
    const char *const command[] = {"srun", "--overlap", job, "-N1", "-n1", "--mpi=none", "true"};
    for (size_t i = 0; i < sizeof command / sizeof *command; i++) words[n++] = command[i];
    if (child_start(words, &node->child, &error)) {
        allocator_tell(a, PARCAST_ALLOCATION_REFUSED, 0, "node %s cannot be checked: %.120s", node->name,
                       error.text);
        return; /* the next look at its job tells */
    }
    allocator_watch(a, node->child->socket);
    node->checking = true;
    node->said[0] = '\0';
    node->deadline_s = allocator_now(a) + check_s;
}

static void look_at_check(parcast_allocator *a, struct node *node)
{
    char line[sizeof node->said];
    bool runs = child_read(node->child);
    while (child_line(node->child, line, sizeof line))
        if (line[0]) snprintf(node->said, sizeof node->said, "%s", line);
    if (runs && allocator_now(a) < node->deadline_s) return;
    bool alive = !runs && node->child->status == 0;
    node->checking = false;
    node->deadline_s = INFINITY;
    child_end(&node->child);
    if (alive) return;
    lose(a, node, runs ? "a step on it does not start" : node->said[0] ? node->said : "a step on it failed");
}

static void look_at_held(parcast_allocator *a, struct node *node, const char *jobs, const char *states)
{
    char number[32];
    snprintf(number, sizeof number, "%ld", node->job);
    const char *job = slurm_find_line(jobs, number), *state = slurm_find_line(states, node->name);
    size_t length = state ? strcspn(state, "\n") : 0;
    bool alive = job && (strncmp(job, "RUNNING", 7) == 0 || strncmp(job, "CONFIGURING", 11) == 0);
    if (!alive) {
        lose(a, node, job ? "its job does not run any more" : "its job has ended");
    } else if (state && (strncmp(state, "down", 4) == 0 || memchr(state, '*', length))) {
        lose(a, node, "Slurm says that it is down");
    } else if (state && strncmp(state, "drain", 5) == 0 && node->state == PARCAST_NODE_READY) {
        node->state = PARCAST_NODE_LEAVING;
        allocator_tell(a, PARCAST_ALLOCATION_LEAVING, 1, "node %s is being drained", node->name);
    }
}

static parcast_status look_at_all(parcast_allocator *a, parcast_error *error)
{
    const struct slurm *s = a->state;
    char *jobs = NULL, *states = NULL;
    const char *const which_jobs[] = {"squeue", "-h", "--name", s->job_name, "-o", "%A|%T", NULL};
    const char *const which_states[] = {"sinfo", "-h", "-N", "-o", "%N|%T", NULL};
    parcast_status status = ask(which_jobs, answer_s, &jobs, error);
    if (!status) status = ask(which_states, answer_s, &states, error);
    for (size_t i = 0; i < a->n_nodes && !status; i++) {
        struct node *node = &a->nodes[i];
        bool held = node->state == PARCAST_NODE_READY || node->state == PARCAST_NODE_LEAVING;
        if (!node->gone && held) look_at_held(a, node, jobs, states);
    }
    free(jobs);
    free(states);
    return status;
}

/* A job that is cancelled takes its salloc with it. */
static void look_at_keeper(parcast_allocator *a, struct node *node)
{
    if (!child_read(node->keeper))
        lose(a, node, "its job has ended");
    else if (node->keeper->closed)
        child_end(&node->keeper); /* its socket would wake us all the time */
}

static void look_for_more(parcast_allocator *a)
{
    struct slurm *s = a->state;
    int now;
    s->counted_s = -INFINITY;
    if (spare(a, &now, NULL)) return; /* look_at_all tells if Slurm is silent */
    if (now > s->spare)
        allocator_tell(a, PARCAST_ALLOCATION_MORE, now, "%d more node%s can be had", now,
                       now == 1 ? "" : "s");
    s->spare = now;
}

static parcast_status look(parcast_allocator *a, parcast_error *error)
{
    struct slurm *s = a->state;
    for (size_t i = 0; i < a->n_nodes; i++)
        if (!a->nodes[i].gone && a->nodes[i].child)
            (a->nodes[i].state == PARCAST_NODE_STARTING ? look_at_start : look_at_check)(a, &a->nodes[i]);
    for (size_t i = 0; i < a->n_nodes; i++)
        if (!a->nodes[i].gone && a->nodes[i].keeper) look_at_keeper(a, &a->nodes[i]);
    if (allocator_now(a) - s->looked_s < look_every_s) return PARCAST_OK;
    s->looked_s = allocator_now(a);
    parcast_error why = {0};
    (void)error;
    /* A controller may be restarted: what is held stays. */
    if (look_at_all(a, &why) != PARCAST_OK) {
        if (++s->failures == MAX_FAILURES)
            allocator_tell(a, PARCAST_ALLOCATION_REFUSED, allocator_count(a, PARCAST_NODE_READY),
                           "Slurm does not answer, its nodes are taken for unchanged: %.150s", why.text);
        return PARCAST_OK;
    }
    s->failures = 0;
    look_for_more(a);
    return PARCAST_OK;
}

/* ---- open and close ---- */

static parcast_status open_slurm(parcast_allocator *a, const char *argument, parcast_error *error)
{
    if (argument)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "'slurm' takes no argument, but '%s' was given", argument);
    struct slurm *s = calloc(1, sizeof *s);
    if (!s) return allocator_no_memory(error);
    a->state = s;
    s->looked_s = -INFINITY;
    snprintf(s->job_name, sizeof s->job_name, "parcast-%ld-%.0f", (long)getpid(), 1000 * a->opened_s);
    s->counted_s = -INFINITY;
    parcast_status status = await_cleared(a, error);
    if (!status) status = spare(a, &s->spare, error);
    if (status) {
        parcast_error_hint(error, "is Slurm installed and running? Try 'sinfo'");
        return status;
    }
    return slurm_write_agent(a, &s->map, error);
}

/* By name, for a job that was granted in the moment its request was taken back. */
static void close_slurm(parcast_allocator *a)
{
    struct slurm *s = a->state;
    char *answer = NULL;
    parcast_error error;
    if (!s) return;
    const char *const question[] = {"scancel", "--name", s->job_name, NULL};
    if (a->agent && !ask(question, answer_s, &answer, &error)) free(answer);
    if (s->map && a->agent) unlink(s->map);
    free(s->map);
    free(s);
    a->state = NULL;
}

const struct backend allocator_slurm = {"slurm", open_slurm, close_slurm, spare,
                                        grow,    give_back,  look,        check};
