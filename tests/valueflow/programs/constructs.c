/* A region with the construct that the argument names between two sweeps over arrays. */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <parcast/region.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

/* outside.c, compiled by another compiler */
double outside_sum(const double *x, long n);
/* Assembly outside of functions is there once, though every function of C is there twice. */
__asm__(".text\n.globl in_assembly\n.type in_assembly, @function\n"
        "in_assembly: movsd (%rdi), %xmm0\n movsd %xmm0, (%rsi)\n ret");
void in_assembly(const double *from, double *to);
void outside_shift(double *x, long n, double by);
/* apart.c, compiled like this one */
double apart_two(void);
double apart_half(double x, int n) __attribute__((const));

enum { N = 100 };
static double *a, *b;

static void *work(void *p)
{
    ((double *)p)[0] = 1;
    return NULL;
}

static void *wait_a_while(void *p)
{
    sleep(1);
    return p;
}

static int ascending(const void *p, const void *q)
{
    double x = *(const double *)p, y = *(const double *)q;
    return (x > y) - (x < y);
}

static void nothing(void)
{
}

static void handle(int number)
{
    (void)number;
}

static double sum_of(int n, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, n); /* varargs */
    for (int i = 0; i < n; i++) sum += va_arg(list, double);
    va_end(list);
    return sum;
}

/* Reads no number that the program has computed. */
static int count_of(const char *first, ...)
{
    va_list list;
    int n = 0;
    va_start(list, first);
    for (const char *text = first; text; text = va_arg(list, const char *)) n++;
    va_end(list);
    return n;
}

static void say(FILE *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(to, format, list);
    va_end(list);
}

static void write_to(char *to, size_t bytes, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(to, bytes, format, list);
    va_end(list);
}

/* What is written comes of what is listed. */
static void do_written(void)
{
    static char texts[N][8];
    for (int i = 0; i < N; i++) write_to(texts[i], sizeof texts[i], "%g", b[N - 1 - i]);
    for (int i = 0; i < N; i++) b[i] += texts[i][0];
}

/* Functions of the C library, behind pointers that any unit may change. */
struct functions {
    void *(*allocate)(size_t);
    void (*release)(void *);
    double (*root)(double);
    int (*print)(const char *, ...);
} functions = {malloc, free, sqrt, printf};

static void do_table(void)
{
    double *c = functions.allocate(N * sizeof *c);
    for (int i = 0; i < N; i++) c[i] = functions.root(a[N - 1 - i]);
    for (int i = 0; i < N; i++) b[i] = c[i];
    functions.release(c);
    functions.print("");
}

static void do_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, a) == 0) pthread_join(thread, NULL); /* thread */
}

static int begin(void *argument)
{
    return argument == NULL;
}

static void do_c11_thread(void)
{
    thrd_t thread;
    if (thrd_create(&thread, begin, a) == thrd_success) thrd_join(thread, NULL); /* thrd */
}

/* Of one thread, and of a file that numbers are written to. */
static void do_locks(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct iovec parts[2] = {{a, N * sizeof *a}, {b, N * sizeof *b}};
    FILE *file = tmpfile();
    pthread_once(&once, nothing);
    pthread_mutex_lock(&lock);
    if (writev(fileno(file), parts, 2) != 2 * N * (long)sizeof *a) exit(1);
    pthread_mutex_unlock(&lock);
    fclose(file);
}

static void do_vfork(void)
{
    pid_t child = vfork(); /* vfork */
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
}

static void do_fork(void)
{
    pid_t child = fork(); /* fork */
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
}

static void do_asm(void)
{
    __asm__ volatile("movq %1, %0" : "=m"(b[3]) : "r"(a[4]) : "memory"); /* asm */
}

/* The least of what a clock told, which an earlier place in the program asks for. */
static void do_clock(void)
{
    double best = 0;
    for (int i = 0; i < N; i++) {
        unsigned low, high;
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high)); /* clock */
        if (i == 0 || low % 1024u < best) best = low % 1024u;
    }
    b[3] += 0 * best;
}

/* Hides a value from the optimiser, and does nothing. Nor does a comment. */
static void do_barrier(void)
{
    for (int i = 0; i < N; i++) {
        __asm__ volatile("# an element\n\t # begins;");
        double x = a[i];
        __asm__ volatile("" : "+x"(x) : : "memory");
        b[i] = x + 1;
    }
}

static void do_setjmp(void)
{
    static jmp_buf place;
    if (setjmp(place) == 0) longjmp(place, 1); /* setjmp */
}

static void *back[5];

static __attribute__((noinline)) void jump_back(void)
{
    __builtin_longjmp(back, 1);
}

static void do_builtin_jump(void)
{
    if (__builtin_setjmp(back) == 0) jump_back(); /* builtin */
}

static void do_atomic(void)
{
    static _Atomic long sums[N];
    for (int i = 0; i < N; i++) atomic_fetch_add(&sums[i / 50], (long)b[i]);
    for (int i = 0; i < N; i++) b[i] = (double)atomic_load(&sums[i / 50]);
}

struct triple {
    double x, y, z;
};

/* Numbers that go there and back, and are taken from there by the next three. */
static void do_structures(void)
{
    static _Atomic struct triple t[N / 3];
    const struct triple none = {0, 0, 0};
    for (int i = 0; i < N / 3; i++) {
        struct triple other = none, held = {b[3 * i], b[3 * i + 1], b[3 * i + 2]};
        atomic_store(&t[i], held);
        held = atomic_exchange(&t[i], none);
        if (!atomic_compare_exchange_strong(&t[i], &other, held)) exit(1);
        if (atomic_compare_exchange_strong(&t[i], &other, none)) exit(1);
        atomic_store(&t[i], other);
    }
    for (int i = 1; i < N / 3; i++) {
        struct triple before = atomic_load(&t[i - 1]);
        b[3 * i] = before.x + before.y + before.z;
    }
}

static void do_file(void)
{
    double *m =
        mmap(NULL, N * sizeof *m, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* mmap */
    for (int i = 0; i < N; i++) m[i] = a[i] + 1;
    for (int i = 0; i < N; i++) b[i] = m[N - 1 - i] * 2;
    munmap(m, N * sizeof *m);
}

/* Loads, halves and stores from the end on, as a program of jumps says. */
static void do_goto(void)
{
    static const void *const labels[] = {&&load, &&half, &&store, &&turn};
    static const unsigned char program[] = {0, 1, 2, 3};
    double x = 0;
    int i = 0;
    const unsigned char *next = program;
    goto *labels[*next++];
load:
    x = a[i];
    goto *labels[*next++];
half:
    x /= 2;
    goto *labels[*next++];
store:
    b[N - 1 - i] = x;
    goto *labels[*next++];
turn:
    next = program;
    if (++i < N) goto *labels[*next++];
}

/* Which is a function of the compiler's. */
static void do_division(void)
{
    for (int i = 0; i < N; i++) b[i] = creal((a[N - 1 - i] + 1.0 * I) / (a[N - 1 - i] - 2.0 * I));
}

static void do_apart(void)
{
    for (int i = 0; i < N; i++) b[i] = apart_two() * apart_half(a[N - 1 - i], i % 3);
}

/* Functions of the C library under the names that they have for large files, and for the optimiser. */
static void do_large_file(void)
{
    FILE *file = fopen64("large", "w");
    if (!file || fseeko64(file, memcmp(a, b, N * sizeof *a) == 0, SEEK_SET)) exit(1);
    fclose(file);
}

static void ignore_signals(void)
{
    static const struct sigaction constant = {.sa_handler = SIG_IGN};
    struct sigaction ignored, old;
    sigaction(SIGINT, NULL, &old);
    memset(&ignored, 0, sizeof ignored);
    ignored.sa_handler = SIG_IGN;
    sigemptyset(&ignored.sa_mask);
    ignored.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &ignored, NULL);
    sigaction(SIGHUP, &ignored, &old);
    sigaction(SIGUSR2, &constant, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
}

static void set_handler(int is_chosen)
{
    struct sigaction action = {0};
    if (is_chosen) action.sa_handler = handle;
    sigaction(SIGUSR1, &action, NULL); /* sigaction */
}

static void act(const char *how)
{
    if (strcmp(how, "asm") == 0) do_asm();
    if (strcmp(how, "clock") == 0) do_clock();
    if (strcmp(how, "barrier") == 0) do_barrier();
    if (strcmp(how, "thread") == 0) do_thread();
    if (strcmp(how, "thrd") == 0) do_c11_thread();
    if (strcmp(how, "toplevel") == 0) in_assembly(a, b + 3); /* toplevel */
    if (strcmp(how, "fork") == 0) do_fork();
    if (strcmp(how, "vfork") == 0) do_vfork();
    if (strcmp(how, "locks") == 0) do_locks();
    if (strcmp(how, "exec") == 0) execl("/bin/true", "true", (char *)NULL); /* exec */
    if (strcmp(how, "system") == 0 && system("true")) exit(1);              /* system */
    if (strcmp(how, "sum") == 0) b[0] = outside_sum(a, N);                  /* sum */
    if (strcmp(how, "shift") == 0) outside_shift(b, N / 2, a[5]);           /* shift */
    if (strcmp(how, "setjmp") == 0) do_setjmp();
    if (strcmp(how, "signal") == 0) signal(SIGUSR1, handle); /* signal */
    if (strcmp(how, "sigaction") == 0) set_handler(a[1] > 0);
    if (strcmp(how, "ignore") == 0) ignore_signals();
    if (strcmp(how, "builtin") == 0) do_builtin_jump();
    if (strcmp(how, "atomic") == 0) do_atomic();
    if (strcmp(how, "structures") == 0) do_structures();
    if (strcmp(how, "qsort") == 0) qsort(a, N, sizeof *a, ascending);
    if (strcmp(how, "varargs") == 0) b[0] = sum_of(3, a[1], a[2], a[3]);
    if (strcmp(how, "texts") == 0 && count_of("one", "two", (char *)NULL) != 2) exit(1);
    if (strcmp(how, "written") == 0) do_written();
    if (strcmp(how, "say") == 0) say(stderr, "%g\n", a[1]);
    if (strcmp(how, "table") == 0) do_table();
    if (strcmp(how, "sincos") == 0) sincos(a[0], &b[98], &b[99]);
    if (strcmp(how, "mmap") == 0) do_file();
    if (strcmp(how, "large") == 0) do_large_file();
    if (strcmp(how, "goto") == 0) do_goto();
    if (strcmp(how, "apart") == 0) do_apart();
    if (strcmp(how, "division") == 0) do_division();
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc != 2) return 2;
    a = malloc(N * sizeof *a); /* a */
    b = malloc(N * sizeof *b); /* b */
    for (int i = 0; i < N; i++) a[i] = N - i, b[i] = 0;
    if (strcmp(argv[1], "before") == 0) pthread_create(&thread, NULL, wait_a_while, a); /* before */
    parcast_region_begin();
    for (int i = 0; i < N; i++) b[i] = a[i] * 2;
    act(argv[1]);
    for (int i = 0; i < N; i++) b[i] += a[i];
    parcast_region_end();
    if (strcmp(argv[1], "again") == 0) { /* work that is no region's, and a region beside a thread */
        for (int i = 0; i < N; i++) a[i] *= 3;
        pthread_create(&thread, NULL, wait_a_while, a); /* again */
        parcast_region_begin();
        parcast_region_end();
    }
    printf("%g\n", b[7]);
    return 0;
}
