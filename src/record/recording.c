/* A recording: directory, preload library, removal. */
#include "record/recording.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PRELOAD_NAME "libparcast-record.so"
#define LOCK_NAME    "lock"

/* Where it may lie relative to the file that holds this function: beside it in a build tree and when
 * installed, one above for the tests of a build tree, in the library folder for a program that holds it all.
 */
static const char *const places[] = {"", "../", "../lib/", "../lib/x86_64-linux-gnu/",
                                     "../lib/aarch64-linux-gnu/"};

static parcast_status no_preload(parcast_error *error)
{
    parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "the library %s is not there", PRELOAD_NAME);
    parcast_error_hint(error, "it belongs beside libparcast.so; PARCAST_RECORD_LIBRARY names another place");
    return PARCAST_NOT_FOUND;
}

parcast_status record_find_preload(char **path, parcast_error *error)
{
    const char *named = getenv("PARCAST_RECORD_LIBRARY");
    if (named && *named) {
        *path = realpath(named, NULL);
        return *path ? PARCAST_OK : no_preload(error);
    }
    Dl_info self;
    if (!dladdr((const void *)places, &self) || !self.dli_fname) return no_preload(error);
    char *own = realpath(strchr(self.dli_fname, '/') ? self.dli_fname : "/proc/self/exe", NULL);
    char *slash = own ? strrchr(own, '/') : NULL;
    *path = NULL;
    for (size_t i = 0; slash && !*path && i < sizeof places / sizeof places[0]; i++) {
        char candidate[PATH_MAX];
        int n = snprintf(candidate, sizeof candidate, "%.*s/%s%s", (int)(slash - own), own, places[i],
                         PRELOAD_NAME);
        if (n > 0 && (size_t)n < sizeof candidate) *path = realpath(candidate, NULL);
    }
    free(own);
    return *path ? PARCAST_OK : no_preload(error);
}

/* "<folder>/.parcast-XXXXXX", absolute; NULL with errno when that is not possible. */
static char *make_directory_in(const char *folder)
{
    char *real = realpath(folder, NULL), *path = NULL;
    if (!real) return NULL;
    if (asprintf(&path, "%s/.parcast-XXXXXX", strcmp(real, "/") == 0 ? "" : real) < 0) path = NULL;
    free(real);
    if (path && !mkdtemp(path)) {
        int kept = errno;
        free(path);
        errno = kept;
        return NULL;
    }
    return path;
}

static void remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    int folder = directory ? dirfd(directory) : -1;
    if (folder < 0) return;
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(folder, entry->d_name, 0);
    closedir(directory);
    rmdir(path);
}

/* A directory whose lock nobody holds was left by a recording that was killed. One without a lock was kept on
 * purpose. */
static void sweep(const char *path)
{
    struct stat info;
    char *name = NULL;
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return;
    if (asprintf(&name, "%s/" LOCK_NAME, path) < 0) return;
    int lock = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    free(name);
    if (lock < 0) return;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) remove_directory(path);
    close(lock);
}

static void sweep_beside(const char *own)
{
    const char *slash = strrchr(own, '/');
    char *folder = strndup(own, (size_t)(slash - own) + 1);
    DIR *directory = folder ? opendir(folder) : NULL;
    for (const struct dirent *entry = directory ? readdir(directory) : NULL; entry;
         entry = readdir(directory)) {
        char *path = NULL;
        if (strncmp(entry->d_name, ".parcast-", 9) != 0 || strlen(entry->d_name) != strlen(slash + 1) ||
            strcmp(entry->d_name, slash + 1) == 0 || asprintf(&path, "%s%s", folder, entry->d_name) < 0)
            continue;
        sweep(path);
        free(path);
    }
    if (directory) closedir(directory);
    free(folder);
}

/* Without a lock (a file system that has none) it is only not swept when we are killed. */
static int lock_directory(const char *path)
{
    char *name = NULL;
    if (asprintf(&name, "%s/" LOCK_NAME, path) < 0) return -1;
    int lock = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
        unlink(name);
        close(lock);
        lock = -1;
    }
    free(name);
    return lock;
}

static parcast_status make_directory(parcast_record_session *recording, parcast_error *error)
{
    char *folder = strdup(recording->request.beside);
    if (!folder) return record_no_memory(error);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    recording->directory = make_directory_in(slash ? folder : ".");
    free(folder);
    const char *temporary = getenv("TMPDIR");
    if (!recording->directory)
        recording->directory = make_directory_in(temporary && *temporary ? temporary : "/tmp");
    if (!recording->directory)
        return parcast_error_set(error, PARCAST_IO, NULL, 0,
                                 "cannot make a directory for the ranks' files: %s", strerror(errno));
    recording->lock = lock_directory(recording->directory);
    sweep_beside(recording->directory);
    return PARCAST_OK;
}

/* LD_PRELOAD is split at colons and blanks: a path with one is reached through a link in our directory. */
static parcast_status make_plain_path(parcast_record_session *recording, parcast_error *error)
{
    char *link = NULL;
    if (!strpbrk(recording->preload, ": \t")) return PARCAST_OK;
    if (asprintf(&link, "%s/" PRELOAD_NAME, recording->directory) < 0) return record_no_memory(error);
    if (strpbrk(link, ": \t") || symlink(recording->preload, link) != 0) {
        free(link);
        parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                          "LD_PRELOAD cannot hold the path '%s': it has a blank or a colon",
                          recording->preload);
        parcast_error_hint(error, "put the study or parcast where the path has none");
        return PARCAST_UNSUPPORTED;
    }
    free(recording->preload);
    recording->preload = link;
    return PARCAST_OK;
}

static void note_start(parcast_record_session *recording)
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(recording->started_at, sizeof recording->started_at, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (getloadavg(&recording->load_average, 1) != 1) recording->load_average = -1;
}

parcast_status parcast_record_prepare(const parcast_record_request *request,
                                      parcast_record_session **recording, parcast_error *error)
{
    parcast_record_session *made = calloc(1, sizeof *made);
    if (!made) return record_no_memory(error);
    made->request = *request;
    made->lock = -1;
    note_start(made);
    parcast_status status = record_find_preload(&made->preload, error);
    if (!status) status = make_directory(made, error);
    if (!status) status = make_plain_path(made, error);
    if (!status) status = record_build_environment(made, error);
    if (!status) status = record_build_words(made, error);
    if (status)
        parcast_record_discard(&made, false);
    else
        *recording = made;
    return status;
}

const char *parcast_record_settings(const parcast_record_session *recording)
{
    return recording->settings;
}

const char *parcast_record_directory(const parcast_record_session *recording)
{
    return recording->directory;
}

/* What is kept is nobody's to sweep. */
static void unlock_directory(const parcast_record_session *recording, bool keep)
{
    char *name = NULL;
    if (recording->lock < 0) return;
    if (keep && asprintf(&name, "%s/" LOCK_NAME, recording->directory) >= 0) unlink(name);
    free(name);
    close(recording->lock);
}

void parcast_record_discard(parcast_record_session **recording, bool keep)
{
    if (!recording || !*recording) return;
    parcast_record_session *old = *recording;
    if (old->directory && !keep) remove_directory(old->directory);
    unlock_directory(old, keep);
    free(old->directory);
    free(old->preload);
    free(old->settings);
    record_free_words(&old->environment);
    record_free_words(&old->words);
    free(old);
    *recording = NULL;
}
