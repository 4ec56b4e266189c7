/* The agent: a script that launchers call as they would call ssh. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "allocator/internal.h"

static const char prefix[] = "parcast-nodes-";

/* One that was made this moment is not locked yet. */
static bool is_abandoned(int fd)
{
    const time_t young_s = 60;
    struct stat file;
    return fstat(fd, &file) == 0 && S_ISDIR(file.st_mode) && file.st_uid == geteuid() &&
           time(NULL) - file.st_mtime > young_s && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void remove_files(int fd)
{
    static const char *const files[] = {"agent", "agent.new", "nodes", "nodes.new"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct stat file;
        if (fstatat(fd, files[i], &file, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(file.st_mode))
            unlinkat(fd, files[i], 0);
    }
}

/* What commands that were killed have left: whoever lives holds a lock on its folder. */
static void sweep(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) return;
    int above = dirfd(folder);
    for (const struct dirent *entry = readdir(folder); entry && above >= 0; entry = readdir(folder)) {
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0) continue;
        int fd = openat(above, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0) continue;
        if (is_abandoned(fd)) {
            remove_files(fd);
            unlinkat(above, entry->d_name, AT_REMOVEDIR);
        }
        close(fd);
    }
    closedir(folder);
}

parcast_status allocator_directory(parcast_allocator *a, parcast_error *error)
{
    if (a->options.directory) {
        a->directory = strdup(a->options.directory);
        return a->directory ? PARCAST_OK : allocator_no_memory(error);
    }
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder) folder = "/tmp";
    sweep(folder);
    if (asprintf(&a->directory, "%s/%sXXXXXX", folder, prefix) < 0) {
        a->directory = NULL;
        return allocator_no_memory(error);
    }
    if (!mkdtemp(a->directory)) {
        parcast_error_set(error, PARCAST_IO, a->directory, 0, "cannot make a folder for the agent: %s",
                          strerror(errno));
        parcast_error_hint(error, "set TMPDIR to a folder that can be written");
        free(a->directory);
        a->directory = NULL;
        return PARCAST_IO;
    }
    a->own_directory = true;
    a->lock = open(a->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (a->lock >= 0) flock(a->lock, LOCK_SH); /* else it may be swept after a minute */
    return PARCAST_OK;
}

static parcast_status write_text(const char *path, const char *text, mode_t mode, parcast_error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    size_t length = strlen(text), done = 0;
    while (fd >= 0 && done < length) {
        ssize_t n = write(fd, text + done, length - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        done += (size_t)n;
    }
    int number = errno;
    bool failed = fd < 0 || done < length;
    if (fd >= 0 && close(fd) && !failed) {
        number = errno;
        failed = true;
    }
    if (!failed) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, path, 0, "cannot write it: %s", strerror(number));
}

parcast_status allocator_replace(const char *path, const char *text, mode_t mode, parcast_error *error)
{
    char *temporary;
    if (asprintf(&temporary, "%s.new", path) < 0) return allocator_no_memory(error);
    parcast_status status = write_text(temporary, text, mode, error);
    if (!status && rename(temporary, path))
        status = parcast_error_set(error, PARCAST_IO, path, 0, "cannot replace it: %s", strerror(errno));
    if (status) unlink(temporary);
    free(temporary);
    return status;
}

char *allocator_quote(const char *word)
{
    size_t quotes = 0, length = strlen(word);
    for (const char *c = word; *c; c++) quotes += *c == '\'';
    char *quoted = malloc(length + 3 * quotes + 3), *to = quoted;
    if (!quoted) return NULL;
    *to++ = '\'';
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = *c;
    }
    *to++ = '\'';
    *to = '\0';
    return quoted;
}

/* Launchers give options as to ssh or rsh; of these only -l, -p, -i, -F and -o have an argument of their own.
 */
static const char head[] = "#!/bin/sh\n"
                           "# AGENT [-OPTION]... HOST COMMAND...\n"
                           "while :; do\n"
                           "    case $1 in\n"
                           "    -l | -p | -i | -F | -o) shift 2 ;;\n"
                           "    -*) shift ;;\n"
                           "    *) break ;;\n"
                           "    esac\n"
                           "done\n"
                           "host=$1\n"
                           "shift\n";

parcast_status allocator_write_agent(parcast_allocator *a, const char *body, parcast_error *error)
{
    char *text;
    if (asprintf(&a->agent, "%s/agent", a->directory) < 0) {
        a->agent = NULL;
        return allocator_no_memory(error);
    }
    if (asprintf(&text, "%s%s", head, body) < 0) return allocator_no_memory(error);
    parcast_status status = allocator_replace(a->agent, text, S_IRWXU, error);
    free(text);
    return status;
}
