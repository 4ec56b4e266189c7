#include "elastic/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "elastic/checksum.h"
#include "elastic/litter.h"
#include "elastic/private.h"

enum { PATH_BYTES = 1024 };

static parcast_status cannot(const char *what, const char *path, parcast_error *error)
{
    int why = errno;
    parcast_error_set(error, PARCAST_IO, path, 0, "cannot %s: %s", what, strerror(why));
    if (why == ENOSPC) parcast_error_hint(error, "make room there, or keep the study elsewhere");
    return PARCAST_IO;
}

static void set_path(const elastic_store *store, const char *name, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s", store->directory, name);
}

static void set_manifest_path(const elastic_store *store, int64_t epoch, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/checkpoint.%" PRId64, store->directory, epoch);
}

/* The number behind a prefix: "checkpoint.12" -> 12; -1 for other names. */
static int64_t number_of(const char *name, const char *prefix, char end)
{
    size_t n = strlen(prefix);
    char *rest;
    if (strncmp(name, prefix, n) != 0 || name[n] < '0' || name[n] > '9') return -1;
    errno = 0;
    long long number = strtoll(name + n, &rest, 10);
    return errno || *rest != end ? -1 : number;
}

static bool add_epoch(elastic_store *store, int64_t epoch)
{
    int64_t *grown = realloc(store->epochs, (store->n + 1) * sizeof *grown);
    if (!grown) return false;
    store->epochs = grown;
    store->epochs[store->n++] = epoch;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static parcast_status list_epochs(elastic_store *store, parcast_error *error)
{
    DIR *directory = opendir(store->directory);
    if (!directory) return cannot("read it", store->directory, error);
    bool enough = true;
    for (const struct dirent *entry = readdir(directory); entry && enough; entry = readdir(directory)) {
        int64_t epoch = number_of(entry->d_name, "checkpoint.", '\0');
        if (epoch >= 0) enough = add_epoch(store, epoch);
    }
    closedir(directory);
    if (!enough) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (store->n) qsort(store->epochs, store->n, sizeof *store->epochs, ascending);
    store->next_epoch = store->n ? store->epochs[store->n - 1] + 1 : 1;
    return PARCAST_OK;
}

static parcast_status take_lock(elastic_store *store, parcast_error *error)
{
    char path[PATH_BYTES];
    set_path(store, "lock", path);
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (store->lock < 0) return cannot("open the lock", path, error);
    if (flock(store->lock, LOCK_EX | LOCK_NB) == 0) return PARCAST_OK;
    parcast_error_set(error, PARCAST_INVALID, store->directory, 0, "another 'parcast run' works on this run");
    parcast_error_hint(error, "wait for it, or give this run another study (-s)");
    return PARCAST_INVALID;
}

/* A directory of pieces for this run alone: a name that a second supervisor of the run finds again. */
static char *pieces_directory(const char *directory, const char *checkpoints)
{
    char *path = NULL, *real = realpath(directory, NULL);
    const char *name = real ? real : directory, *place = checkpoints ? checkpoints : "/dev/shm";
    if (asprintf(&path, "%s/parcast.%ld.%016" PRIx64, place, (long)geteuid(),
                 elastic_checksum(name, strlen(name))) < 0)
        path = NULL;
    free(real);
    return path;
}

static parcast_status open_in(elastic_store *store, const char *checkpoints, parcast_error *error)
{
    parcast_status status = take_lock(store, error);
    if (status) return status;
    store->pieces_are_common = checkpoints != NULL;
    store->pieces = pieces_directory(store->directory, checkpoints);
    store->local = pieces_directory(store->directory, NULL);
    if (!store->pieces || !store->local)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (strlen(store->pieces) > 700)
        return parcast_error_set(error, PARCAST_INVALID, store->pieces, 0,
                                 "the path is longer than 700 characters");
    if (checkpoints && mkdir(checkpoints, 0700) != 0 && errno != EEXIST)
        return cannot("make the directory of checkpoints", checkpoints, error);
    elastic_litter_sweep(store->local); /* of a supervisor that was killed */
    status = elastic_private_directory(store->pieces, error);
    return status ? status : list_epochs(store, error);
}

parcast_status elastic_store_open(const char *directory, const char *checkpoints, elastic_store *store,
                                  parcast_error *error)
{
    elastic_store made = {.directory = strdup(directory), .lock = -1};
    parcast_status status = PARCAST_OK;
    if (!made.directory) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (mkdir(directory, 0700) != 0 && errno != EEXIST)
        status = cannot("make the directory of the run", directory, error);
    if (!status) status = open_in(&made, checkpoints, error);
    if (status)
        elastic_store_close(&made, false);
    else
        *store = made;
    return status;
}

/* -------- commit -------- */

static parcast_status write_whole(const char *path, const char *text, size_t bytes, parcast_error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return cannot("write a manifest", path, error);
    parcast_status status = PARCAST_OK;
    while (bytes > 0 && !status) {
        ssize_t n = write(fd, text, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            status = cannot("write a manifest", path, error);
            break;
        }
        text += n;
        bytes -= (size_t)n;
    }
    if (!status && fsync(fd) != 0) status = cannot("flush a manifest", path, error);
    if (close(fd) != 0 && !status) status = cannot("write a manifest", path, error);
    return status;
}

static void flush_directory(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd); /* where it cannot be done the rename is still atomic, only later on the disk */
    close(fd);
}

parcast_status elastic_store_commit(elastic_store *store, int64_t epoch, const char *text, size_t bytes,
                                    parcast_error *error)
{
    char temporary[PATH_BYTES], path[PATH_BYTES];
    elastic_manifest manifest = {0};
    parcast_status status = elastic_manifest_parse(text, bytes, "manifest", &manifest, error);
    if (!status && manifest.epoch != epoch)
        status = parcast_error_set(error, PARCAST_FORMAT, NULL, 0, "the manifest is of another epoch");
    elastic_manifest_clear(&manifest);
    if (status) return status;
    if (store->n && epoch <= store->epochs[store->n - 1])
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a newer checkpoint is committed already");
    set_path(store, "checkpoint.new", temporary);
    set_manifest_path(store, epoch, path);
    status = write_whole(temporary, text, bytes, error);
    if (!status && !add_epoch(store, epoch))
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (status) {
        unlink(temporary);
        return status;
    }
    if (rename(temporary, path) != 0) {
        store->n--;
        return cannot("commit a checkpoint", path, error);
    }
    if (store->pieces_are_common) flush_directory(store->directory);
    if (store->next_epoch <= epoch) store->next_epoch = epoch + 1;
    return PARCAST_OK;
}

/* -------- read -------- */

static parcast_status read_whole(const char *path, char **text, size_t *bytes, parcast_error *error)
{
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
        parcast_status status = cannot("read a manifest", path, error);
        if (fd >= 0) close(fd);
        return status;
    }
    size_t got = 0, size = (size_t)file.st_size;
    char *made = malloc(size + 1);
    while (made && got < size) {
        ssize_t n = read(fd, made + got, size - got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        got += (size_t)n;
    }
    close(fd);
    if (!made) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    made[got] = '\0';
    *text = made;
    *bytes = got;
    return PARCAST_OK;
}

parcast_status elastic_store_newest(elastic_store *store, int64_t before, char **text, size_t *bytes,
                                    int64_t *epoch, char damaged[256], parcast_error *error)
{
    if (damaged) damaged[0] = '\0';
    *text = NULL;
    *bytes = 0;
    for (size_t i = store->n; i-- > 0;) {
        char path[PATH_BYTES];
        elastic_manifest manifest = {0};
        parcast_error cause = {0};
        if (store->epochs[i] >= before) continue;
        set_manifest_path(store, store->epochs[i], path);
        parcast_status status = read_whole(path, text, bytes, &cause);
        if (!status) status = elastic_manifest_parse(*text, *bytes, path, &manifest, &cause);
        if (!status && manifest.epoch == store->epochs[i]) {
            *epoch = manifest.epoch;
            elastic_manifest_clear(&manifest);
            return PARCAST_OK;
        }
        elastic_manifest_clear(&manifest);
        if (status != PARCAST_IO) free(*text);
        *text = NULL;
        *bytes = 0;
        if (damaged)
            snprintf(damaged, 256, "%.120s: %.120s", path, cause.text[0] ? cause.text : "of another epoch");
    }
    return parcast_error_set(error, PARCAST_NOT_FOUND, store->directory, 0,
                             "there is no checkpoint that can be used");
}

/* -------- forget -------- */

void elastic_store_sweep(const char *path, int64_t epoch)
{
    DIR *directory = opendir(path);
    if (!directory) return;
    int fd = dirfd(directory);
    for (const struct dirent *entry = readdir(directory); entry && fd >= 0; entry = readdir(directory)) {
        struct stat file;
        int64_t number = number_of(entry->d_name, "piece.", '.');
        if (number >= 0 && number < epoch && fstatat(fd, entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(file.st_mode))
            unlinkat(fd, entry->d_name, 0);
    }
    closedir(directory);
}

int64_t elastic_store_trim(elastic_store *store, size_t keep)
{
    while (store->n > keep) {
        char path[PATH_BYTES];
        set_manifest_path(store, store->epochs[0], path);
        unlink(path); /* the manifest first: pieces without one are only litter */
        memmove(store->epochs, store->epochs + 1, (store->n - 1) * sizeof *store->epochs);
        store->n--;
    }
    int64_t oldest = store->n ? store->epochs[0] : store->next_epoch;
    elastic_store_sweep(store->pieces, oldest);
    return oldest;
}

void elastic_store_forget(elastic_store *store)
{
    elastic_store_trim(store, 0);
    elastic_store_sweep(store->pieces, INT64_MAX); /* also of checkpoints whose manifests are lost */
}

void elastic_store_note(const elastic_store *store, const char *format, ...)
{
    char path[PATH_BYTES], line[1024];
    struct timespec now;
    va_list arguments;
    clock_gettime(CLOCK_REALTIME, &now);
    int n = snprintf(line, sizeof line, "%lld.%03ld ", (long long)now.tv_sec, now.tv_nsec / 1000000);
    va_start(arguments, format);
    int more = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
    va_end(arguments);
    if (more < 0) return;
    size_t length = strlen(line);
    line[length++] = '\n';
    set_path(store, "journal", path);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return; /* the journal is for people; the run does not need it */
    ssize_t written = write(fd, line, length);
    (void)written;
    close(fd);
}

void elastic_store_close(elastic_store *store, bool remove)
{
    static const char *const files[] = {"journal", "checkpoint.new", "lock"};
    char path[PATH_BYTES];
    if (store->local && store->lock >= 0) {
        elastic_litter_sweep(store->local);
        if (remove || store->pieces_are_common) rmdir(store->local);
    }
    if (remove) {
        elastic_store_forget(store);
        elastic_store_sweep(store->directory, INT64_MAX); /* second copies */
        rmdir(store->pieces);                             /* the folders of launches are gone by now */
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
            set_path(store, files[i], path);
            unlink(path);
        }
        rmdir(store->directory);
    }
    if (store->lock >= 0) close(store->lock);
    free(store->directory);
    free(store->pieces);
    free(store->local);
    free(store->epochs);
    *store = (elastic_store){.lock = -1};
}

static bool is_stale(const char *path)
{
    const time_t young_s = 60; /* one that was made this moment is not locked yet */
    struct stat file;
    return lstat(path, &file) == 0 && S_ISDIR(file.st_mode) && file.st_uid == geteuid() &&
           time(NULL) - file.st_mtime > young_s;
}

void elastic_store_sweep_siblings(const char *directory)
{
    const char *slash = strrchr(directory, '/'), *own = slash ? slash + 1 : directory;
    const char *dot = strrchr(own, '.');
    char path[PATH_BYTES];
    if (!dot || !slash) return;
    size_t length = (size_t)(dot + 1 - own);
    snprintf(path, sizeof path, "%.*s", (int)(slash > directory ? slash - directory : 1), directory);
    DIR *folder = opendir(path);
    if (!folder) return;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        elastic_store store;
        if (strncmp(entry->d_name, own, length) != 0 || strlen(entry->d_name) != strlen(own)) continue;
        snprintf(path, sizeof path, "%.*s%s", (int)(own - directory), directory, entry->d_name);
        if (is_stale(path) && elastic_store_open(path, NULL, &store, NULL) == PARCAST_OK)
            elastic_store_close(&store, true);
    }
    closedir(folder);
}
