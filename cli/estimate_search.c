/*
 * The least words for every number of parts of a list. The first search makes what all of them need; then
 * each of the others has a process of its own, as many at a time as there are processors and memory, which
 * share the processors. What one finds does not depend on the others, nor on how many run at a time.
 */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "estimate.h"
#include "parcast/threads.h"

/* What one process tells another. */
struct answer {
    bool is_there;
    parcast_status status;
    parcast_error error;
    parcast_flow flow, block;
    uint64_t matrices[]; /* [2 * p * p] */
};

struct search {
    struct estimate *estimate;
    const int *counts;
    struct answer **answers;               /* [n] */
    pid_t *processes;                      /* [n] 0: not running */
    size_t n, n_running, n_found, threads; /* threads: of each of the processes */
};

/* ---- what the user sees ---- */

static void show(const struct search *s)
{
    char list[64] = "";
    size_t used = 0;
    for (size_t i = 0; i < s->n && used < sizeof list - 16; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%d", i ? ", " : "", s->counts[i]);
    cli_show_line(s->estimate->common, "searching for the least words of %s parts: %zu of %zu found", list,
                  s->n_found, s->n);
}

static void end_show(struct cli_common *common)
{
    cli_close_line(common);
    common->line_open = false;
}

/* ---- answers ---- */

static size_t answer_bytes(int count)
{
    size_t p = (size_t)count;
    return sizeof(struct answer) + 2 * p * p * sizeof(uint64_t);
}

/* NULL: no memory for it. */
static struct answer *make_answer(int count)
{
    void *shared = mmap(NULL, answer_bytes(count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

static void put_flow(const parcast_flow *flow, parcast_flow *to, uint64_t *matrix)
{
    *to = *flow;
    if (flow->matrix) memcpy(matrix, flow->matrix, flow->processes * flow->processes * sizeof *matrix);
}

static bool take_flow(const parcast_flow *from, const uint64_t *matrix, parcast_flow *flow)
{
    size_t bytes = from->processes * from->processes * sizeof *matrix;
    *flow = *from;
    if (!from->matrix) return true;
    flow->matrix = malloc(bytes);
    if (flow->matrix) memcpy(flow->matrix, matrix, bytes);
    return flow->matrix;
}

static _Noreturn void answer(const struct estimate *estimate, int count, struct answer *a)
{
    size_t p = (size_t)count;
    parcast_flow flow = {0}, block = {0};
    a->status = parcast_values_minimum(estimate->values, p, estimate->extent, &flow, &block, &a->error);
    if (!a->status) {
        put_flow(&flow, &a->flow, a->matrices);
        put_flow(&block, &a->block, a->matrices + p * p);
    }
    a->is_there = true;
    _exit(0);
}

static parcast_status take(const struct answer *a, int count, int ended, struct estimate_point *point,
                           parcast_error *error)
{
    size_t p = (size_t)count;
    if (!a->is_there) {
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "the search for %d parts was ended: %s", count,
                          WIFSIGNALED(ended) ? strsignal(WTERMSIG(ended)) : "it left no answer");
        parcast_error_hint(error, "where memory was short, ask for fewer numbers of parts at a time (-p %d)",
                           count);
        return PARCAST_MEMORY;
    }
    if (a->status) {
        *error = a->error;
        return a->status;
    }
    if (take_flow(&a->flow, a->matrices, &point->flow) &&
        take_flow(&a->block, a->matrices + p * p, &point->block))
        return PARCAST_OK;
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %d parts", count);
}

/* ---- processes ---- */

/* A search may need as much again as this process has needed so far. */
static size_t most_at_a_time(void)
{
    struct rusage usage;
    size_t n = parcast_threads();
    double pages = (double)sysconf(_SC_AVPHYS_PAGES), page = (double)sysconf(_SC_PAGESIZE);
    if (getrusage(RUSAGE_SELF, &usage) || usage.ru_maxrss < 1 || pages < 1) return n;
    size_t fitting = (size_t)(pages * page / (1024.0 * (double)usage.ru_maxrss));
    return fitting < n ? fitting : n;
}

static bool start(struct search *s, size_t i)
{
    pid_t parent = getpid(), child;
    s->answers[i] = make_answer(s->counts[i]);
    if (!s->answers[i]) return false;
    fflush(stdout); /* or both would print it */
    child = fork();
    if (child < 0) return false;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        parcast_threads_limit(s->threads);
        answer(s->estimate, s->counts[i], s->answers[i]);
    }
    s->processes[i] = child;
    s->n_running++;
    return true;
}

static parcast_status wait_for_one(struct search *s, parcast_error *error)
{
    int ended;
    pid_t child;
    while ((child = wait(&ended)) < 0 && errno == EINTR) {
    }
    for (size_t i = 0; i < s->n; i++) {
        if (child < 0 || s->processes[i] != child) continue;
        s->processes[i] = 0;
        s->n_running--;
        s->n_found++;
        show(s);
        return take(s->answers[i], s->counts[i], ended, &s->estimate->points[i], error);
    }
    return child < 0 ? parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot wait for a search: %s",
                                         strerror(errno))
                     : PARCAST_OK;
}

static void stop_all(struct search *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!s->processes[i]) continue;
        kill(s->processes[i], SIGKILL);
        while (waitpid(s->processes[i], NULL, 0) < 0 && errno == EINTR) {
        }
    }
}

static parcast_status search_here(struct search *s, size_t i, parcast_error *error)
{
    struct estimate *estimate = s->estimate;
    parcast_status status =
        parcast_values_minimum(estimate->values, (size_t)s->counts[i], estimate->extent,
                               &estimate->points[i].flow, &estimate->points[i].block, error);
    s->n_found++;
    show(s);
    return status;
}

/* From the last one, which mostly takes longest; here where no process can be had. */
static parcast_status search_others(struct search *s, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    size_t most = most_at_a_time(), others = s->n - 1, at_a_time = most < others ? most : others;
    if (at_a_time) s->threads = parcast_threads() / at_a_time;
    if (!s->threads) s->threads = 1;
    malloc_trim(0); /* pages of no use here would be copied by each of the others */
    for (size_t i = s->n; !status && i-- > 1;) {
        if (s->n_running && s->n_running >= most) status = wait_for_one(s, error);
        if (!status && !start(s, i)) status = search_here(s, i, error);
    }
    while (!status && s->n_running) status = wait_for_one(s, error);
    return status;
}

parcast_status estimate_search(struct estimate *estimate, const int *counts, size_t n, parcast_error *error)
{
    struct search s = {.estimate = estimate, .counts = counts, .n = n};
    s.answers = calloc(n + 1, sizeof(struct answer *));
    s.processes = calloc(n + 1, sizeof *s.processes);
    parcast_status status = PARCAST_OK;
    if (!s.answers || !s.processes)
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    show(&s);
    if (!status && n > 0) status = search_here(&s, 0, error);
    if (!status) status = search_others(&s, error);
    if (s.processes) stop_all(&s);
    for (size_t i = 0; s.answers && i < n; i++)
        if (s.answers[i]) munmap(s.answers[i], answer_bytes(counts[i]));
    free(s.answers);
    free(s.processes);
    end_show(estimate->common);
    return status;
}
