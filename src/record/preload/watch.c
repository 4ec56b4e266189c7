#include "account.h"
#include "behind.h"
#include "clock.h"
#include "tables.h"
#include "trace.h"

struct recorder recorder = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local struct thread thread_self;

enum { CPU_GAP_NS = 20000 };

static inline void lock_tables(bool lock)
{
    if (__builtin_expect(!recorder.locked, 1)) return;
    if (lock)
        pthread_mutex_lock(&recorder.lock);
    else
        pthread_mutex_unlock(&recorder.lock);
}

/* The first call of a thread has no computing before it: nobody knows since when it runs. */
static void meet_thread(struct thread *self, uint64_t now)
{
    self->known = true;
    self->last = now;
    if (recorder.precise) self->last_cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    __atomic_fetch_add(&recorder.header->n_threads, 1, __ATOMIC_RELAXED);
}

/* With more ranks than CPUs a long gap may be another rank's turn: its CPU time counts. */
static uint64_t cpu_gap(const struct thread *self, uint64_t gap_wall)
{
    double ticks_per_ns = recorder.ticks_per_ns;
    if ((double)gap_wall < CPU_GAP_NS * ticks_per_ns) return gap_wall;
    uint64_t cpu = (uint64_t)((double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - self->last_cpu) * ticks_per_ns);
    return cpu < gap_wall ? cpu : gap_wall;
}

static void open_call(struct call *c, struct thread *self)
{
    if (__builtin_expect(!self->known, 0)) meet_thread(self, c->t0);
    c->main_thread = self->is_main;
    c->gap = c->gap_wall = c->t0 - self->last;
    if (__builtin_expect(recorder.precise, 0)) c->gap = cpu_gap(self, c->gap);
}

/* Now and then, so that a record that ends suddenly still knows its clock and its CPU time. */
static void refresh(const struct thread *self)
{
    struct raw_header *h = recorder.header;
    struct raw_usage usage = clock_usage();
    if (!self->is_main) usage.thread_cpu_ns = h->usage_latest.thread_cpu_ns;
    h->usage_latest = usage;
    h->latest = clock_stamp();
    if (recorder.traced) spool.header->latest = h->latest;
}

static void close_call(struct call *c, struct before *b, struct thread *self)
{
    lock_tables(true);
    account_after(c, b);
    if (__builtin_expect(recorder.traced, 0)) trace_call(c, b);
    if (account_needs_before(c->f)) account_release(b);
    if (__builtin_expect(c->t1 - recorder.header->latest.ticks > recorder.stamp_ticks, 0)) refresh(self);
    lock_tables(false);
    if (__builtin_expect(recorder.precise, 0)) self->last_cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    self->last = c->t1;
}

/* Calls that start or end the recording itself. */
static word lifecycle(struct call *c, unsigned n, struct thread *self)
{
    self->depth = 1;
    c->main_thread = true;
    c->failed = false;
    c->gap = c->gap_wall = 0;
    c->t0 = clock_ticks();
    if (recorder.active && c->f->kind == KIND_FINALIZE) record_stop();
    if (recorder.active && c->f->kind == KIND_ABORT) record_end(RAW_END_ABORTED);
    word result = abi_call(c->next, n, c->a);
    c->t1 = clock_ticks();
    bool failed = !(c->binding & FORTRAN) && (int)result != 0;
    if (c->f->kind == KIND_FINALIZE)
        record_finalized(c);
    else if (c->f->kind != KIND_ABORT && !recorder.active && !failed)
        record_start(c);
    self->depth = 0;
    return result;
}

word parcast_watch(const struct function *f, void **next, enum binding binding, unsigned n, word *a,
                   const void *site)
{
    struct thread *self = &thread_self;
    /* Two threads that find it at once write the same. */
    void *behind = __atomic_load_n(next, __ATOMIC_RELAXED);
    if (__builtin_expect(!behind, 0)) {
        behind = behind_find(f, binding, site);
        __atomic_store_n(next, behind, __ATOMIC_RELAXED);
    }
    bool ends = f->kind >= KIND_INIT && f->kind <= KIND_ABORT;
    if (self->depth || (!recorder.active && !ends)) return abi_call(behind, n, a);

    /* Member by member: zeros that are overwritten at once would cost a nanosecond. */
    struct call c;
    c.f = f;
    c.a = a;
    c.site = site;
    c.next = behind;
    c.id = f->id;
    c.binding = binding;
    if (ends) return lifecycle(&c, n, self);
    struct before b;
    self->depth = 1;
    c.t0 = clock_ticks();
    open_call(&c, self);
    if (account_needs_before(f)) {
        lock_tables(true);
        account_before(&c, &b);
        lock_tables(false);
    }
    word result = abi_call(behind, n, a);
    c.t1 = clock_ticks();
    c.failed = !(binding & FORTRAN) && (int)result != 0;
    close_call(&c, &b, self);
    self->depth = 0;
    return result;
}

/* A preload library of ours that stands in front of this one (validation/shim) comes in here: passed on as a
 * plain MPI call, every call would seem to come from one place in that library. */
word parcast_record_watch(unsigned id, void **next, enum binding binding, unsigned n, word *a,
                          const void *site)
{
    return parcast_watch(&functions[id], next, binding, n, a, site);
}
