#include "valueflow/run/file.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A program that can write nothing would look like one that is not instrumented. */
static bool has_room(int file)
{
    static const char page[4096];
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigaction(SIGXFSZ, &ignore, &before); /* a limit of sizes is a message, too */
    ssize_t n = write(file, page, sizeof page);
    sigaction(SIGXFSZ, &before, NULL);
    if (n >= 0 && n < (ssize_t)sizeof page) errno = ENOSPC;
    return n == (ssize_t)sizeof page && ftruncate(file, 0) == 0;
}

void values_file_hint(const char *cause, parcast_error *error)
{
    bool is_full = strstr(cause, strerror(ENOSPC)) || strstr(cause, strerror(EDQUOT));
    parcast_error_hint(error, "%sTMPDIR in the environment names another folder%s",
                       is_full ? "its disk is full; " : "",
                       strstr(cause, strerror(EFBIG)) ? ", ulimit -f the largest size of files" : "");
}

/* The program may change its directory. */
char *values_file_make(parcast_error *error)
{
    const char *chosen = getenv("TMPDIR");
    if (!chosen || !*chosen) chosen = "/tmp";
    char *folder = realpath(chosen, NULL), *path = NULL;
    if (folder && asprintf(&path, "%s/parcast-values-XXXXXX", folder) < 0) path = NULL;
    int file = path ? mkstemp(path) : -1;
    bool made = file >= 0 && has_room(file);
    if (!made) {
        char cause[128];
        snprintf(cause, sizeof cause, "%s", strerror(errno));
        parcast_error_set(error, PARCAST_IO, chosen, 0, "cannot make a file for the values: %s", cause);
        values_file_hint(cause, error);
    }
    if (file >= 0) close(file);
    if (file >= 0 && !made) unlink(path);
    if (!made) {
        free(path);
        path = NULL;
    }
    free(folder);
    return path;
}
