#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "clock.h"
#include "tables.h"

struct recorder recorder = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local struct thread thread_self;

enum { SYMBOL_BYTES = 96, CPU_GAP_NS = 20000 };

static void spell(char *symbol, const struct function *f, enum binding binding)
{
    const char *prefix = binding & MPIX ? "MPIX_" : "MPI_", *suffix = binding & LARGE ? "_c" : "";
    if (binding & FORTRAN) suffix = "_";
    if (binding & MODULE_F08) {
        static const char *const suffixes[] = {"_f08_", "_f08_large_", "_f08ts_", "_f08ts_large_"};
        suffix = suffixes[(binding & DESCRIPTORS ? 2 : 0) + (binding & LARGE ? 1 : 0)];
    }
    snprintf(symbol, SYMBOL_BYTES, "%s%s%s", prefix, f->name, suffix);
    if (!(binding & FORTRAN)) return;
    for (char *c = symbol; *c; c++) *c = (char)tolower((unsigned char)*c);
}

/* A library may have only some of the four spellings of a Fortran routine. */
static void *other_spelling(char *symbol, const void *site)
{
    size_t length = strlen(symbol);
    symbol[length] = '_';
    symbol[length + 1] = '\0';
    void *f = abi_symbol(symbol, site);
    symbol[length - 1] = '\0';
    if (!f) f = abi_symbol(symbol, site);
    for (char *c = symbol; *c; c++) *c = (char)toupper((unsigned char)*c);
    if (!f) f = abi_symbol(symbol, site);
    return f;
}

static void *find_behind(const struct function *f, enum binding binding, const void *site)
{
    char symbol[SYMBOL_BYTES + 2];
    spell(symbol, f, binding);
    void *behind = abi_symbol(symbol, site);
    if (!behind && (binding & FORTRAN) && !(binding & MODULE_F08)) behind = other_spelling(symbol, site);
    if (behind) return behind;
    /* The program cannot go on: it called a function that no library has. */
    spell(symbol, f, binding);
    fprintf(stderr, "parcast record: no MPI library of this process has the function %s\n", symbol);
    abort();
}

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
    c->gap = c->t0 - self->last;
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
}

static void close_call(struct call *c, struct before *b, struct thread *self)
{
    lock_tables(true);
    account_after(c, b);
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
    c->gap = 0;
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
        behind = find_behind(f, binding, site);
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
