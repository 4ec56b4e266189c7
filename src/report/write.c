/*
 * A file at once: written beside its place under another name, forced to the disk, then renamed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parcast/report.h"

static parcast_status io_error(parcast_error *error, const char *path, const char *what)
{
    return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot %s '%s': %s", what, path, strerror(errno));
}

static bool write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

static bool is_regular_or_new(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* A pipe, a terminal or /dev/null is written in place. */
static parcast_status write_in_place(const char *path, const char *text, size_t length, parcast_error *error)
{
    int file = strcmp(path, "-") == 0 ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return io_error(error, path, "open");
    bool done = write_all(file, text, length);
    int cause = errno;
    if (close(file) != 0 && done) return io_error(error, path, "write");
    errno = cause;
    return done ? PARCAST_OK : io_error(error, path, "write");
}

parcast_status parcast_report_write(const char *path, const char *text, size_t length, parcast_error *error)
{
    if (strcmp(path, "-") == 0 || !is_regular_or_new(path)) return write_in_place(path, text, length, error);
    char *beside = NULL;
    if (asprintf(&beside, "%s.%ld.new", path, (long)getpid()) < 0)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory while writing '%s'", path);
    parcast_status status = PARCAST_OK;
    int file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) {
        status = io_error(error, path, "create");
        goto free_name;
    }
    if (!write_all(file, text, length) || fsync(file) != 0) status = io_error(error, path, "write");
    if (close(file) != 0 && status == PARCAST_OK) status = io_error(error, path, "write");
    if (status == PARCAST_OK && rename(beside, path) != 0) status = io_error(error, path, "write");
    if (status != PARCAST_OK) unlink(beside);
free_name:
    free(beside);
    return status;
}
