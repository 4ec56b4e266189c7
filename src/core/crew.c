#include "core/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "parcast/threads.h"

enum { MOST_THREADS = 64 };

struct crew {
    size_t n, next; /* next: to be taken */
    crew_task *task;
    void *context;
    pthread_mutex_t lock;
    size_t failed; /* the first that did; n: none has */
    parcast_status status;
    parcast_error error;
};

static _Thread_local bool is_member;

size_t crew_size(void)
{
    size_t n = is_member ? 1 : parcast_threads();
    return n < MOST_THREADS ? n : MOST_THREADS;
}

/* False: nothing is left to do. */
static bool take(struct crew *crew, size_t *i)
{
    pthread_mutex_lock(&crew->lock);
    bool any = crew->next < crew->n && crew->failed == crew->n;
    if (any) *i = crew->next++;
    pthread_mutex_unlock(&crew->lock);
    return any;
}

static void note_failure(struct crew *crew, size_t i, parcast_status status, const parcast_error *error)
{
    pthread_mutex_lock(&crew->lock);
    if (i < crew->failed) {
        crew->failed = i;
        crew->status = status;
        crew->error = *error;
    }
    pthread_mutex_unlock(&crew->lock);
}

static void *work(void *context)
{
    struct crew *crew = context;
    is_member = true;
    for (size_t i; take(crew, &i);) {
        parcast_error error = {0};
        parcast_status status = crew->task(crew->context, i, &error);
        if (status) note_failure(crew, i, status, &error);
    }
    is_member = false;
    return NULL;
}

static parcast_status run_here(size_t n, crew_task *task, void *context, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < n; i++) {
        parcast_error own = {0};
        status = task(context, i, &own);
        if (status && error) *error = own;
    }
    return status;
}

static size_t start(struct crew *crew, size_t n, pthread_t *threads)
{
    size_t started = 0;
    sigset_t all, own;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &own);
    while (started < n && !pthread_create(&threads[started], NULL, work, crew)) started++;
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    return started;
}

parcast_status crew_run(size_t n, crew_task *task, void *context, parcast_error *error)
{
    struct crew crew = {.n = n, .failed = n, .task = task, .context = context};
    pthread_t threads[MOST_THREADS];
    size_t wanted = crew_size();
    if (wanted > n) wanted = n;
    if (wanted <= 1 || pthread_mutex_init(&crew.lock, NULL)) return run_here(n, task, context, error);
    size_t started = start(&crew, wanted - 1, threads);
    work(&crew);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&crew.lock);
    if (crew.status && error) *error = crew.error;
    return crew.status;
}
