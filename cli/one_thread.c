/*
 * A thread for every core takes some MB of addresses each, and where a limit leaves none (ulimit -v) OpenBLAS
 * waits for ever for those that did not begin. The functions of .preinit_array run before those of libraries:
 * there one variable of the environment gives its place to the one that OpenBLAS looks at.
 */
#include "one_thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

static char wish[] = "OPENBLAS_NUM_THREADS=1";
static char *displaced;

/* Without the C library, which has not begun yet. */
static bool is_variable(const char *entry, const char *name)
{
    while (*name && *entry == *name) entry++, name++;
    return !*name && *entry == '=';
}

/* Best that in which a shell leaves the name of the program, which no library reads. */
static void begin(int argc, char **argv, char **variables)
{
    char **place = NULL;
    (void)argc;
    (void)argv;
    for (; *variables; variables++) {
        if (is_variable(*variables, "OPENBLAS_NUM_THREADS")) return;
        if (!place || !is_variable(*place, "_")) place = variables;
    }
    if (!place) return;
    displaced = *place;
    *place = wish;
}

__attribute__((section(".preinit_array"), used)) static void (*before_libraries)(int, char **,
                                                                                 char **) = begin;

void one_thread_restore(void)
{
    for (char **variable = environ; displaced && *variable; variable++)
        if (*variable == wish) *variable = displaced;
}

#else

void one_thread_restore(void)
{
}

#endif
