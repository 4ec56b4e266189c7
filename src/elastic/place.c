#include "elastic/place.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elastic/checksum.h"

static const uint64_t magic = UINT64_C(0x314543414c504150); /* "PAPLACE1" */
enum { NAME_BYTES = 64, PATH_BYTES = 300 };

uint64_t elastic_place_key(const char *token)
{
    return elastic_checksum(token, strlen(token));
}

static void set_name(uint64_t key, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "parcast-place.%016" PRIx64, key);
}

/* -------- of this process -------- */

elastic_place *elastic_place_open(uint64_t key, int launch, int64_t rank, int *fd)
{
    char name[NAME_BYTES];
    set_name(key, name);
    *fd = memfd_create(name, MFD_CLOEXEC);
    if (*fd < 0) return NULL;
    elastic_place *place = MAP_FAILED;
    if (ftruncate(*fd, sizeof *place) == 0)
        place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (place == MAP_FAILED) {
        close(*fd);
        *fd = -1;
        return NULL;
    }
    place->magic = magic;
    place->key = key;
    place->launch = launch;
    place->process = getpid();
    place->rank = rank;
    place->iteration = -1;
    return place;
}

void elastic_place_close(elastic_place **place, int *fd)
{
    if (!*place) return;
    munmap(*place, sizeof **place);
    close(*fd);
    *place = NULL;
    *fd = -1;
}

/* -------- of others -------- */

static char state_of(const char *process)
{
    char path[PATH_BYTES], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", process);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return '?';
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0) return '?';
    text[n] = '\0';
    const char *end = strrchr(text, ')');
    return end && end[1] == ' ' && end[2] ? end[2] : '?';
}

/* A child that a rank has started may hold its page, too: only its own counts. */
static bool read_place(const char *path, uint64_t key, const char *process, elastic_found *found)
{
    elastic_place place;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    ssize_t n = pread(fd, &place, sizeof place, 0);
    close(fd);
    if (n != (ssize_t)sizeof place || place.magic != magic || place.key != key) return false;
    *found = (elastic_found){place.launch, place.process, place.rank, place.iteration, state_of(process)};
    return found->process == strtoll(process, NULL, 10) && found->rank >= 0 && found->iteration >= -1;
}

/* Links to such memory read "/memfd:NAME (deleted)". */
static bool look_at_process(const char *process, uint64_t key, elastic_found *found)
{
    char path[PATH_BYTES], target[NAME_BYTES + 32], name[NAME_BYTES];
    bool any = false;
    set_name(key, name);
    snprintf(path, sizeof path, "/proc/%.20s/fd", process);
    DIR *directory = opendir(path);
    if (!directory) return false;
    int fd = dirfd(directory);
    for (const struct dirent *entry = readdir(directory); entry && fd >= 0 && !any;
         entry = readdir(directory)) {
        ssize_t n = readlinkat(fd, entry->d_name, target, sizeof target - 1);
        if (n <= 0) continue;
        target[n] = '\0';
        if (strncmp(target, "/memfd:", 7) != 0 || strncmp(target + 7, name, strlen(name)) != 0) continue;
        snprintf(path, sizeof path, "/proc/%.20s/fd/%.20s", process, entry->d_name);
        any = read_place(path, key, process, found);
    }
    closedir(directory);
    return any;
}

static bool is_ours(int proc, const struct dirent *entry)
{
    struct stat file;
    return entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
           fstatat(proc, entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 && file.st_uid == geteuid();
}

size_t elastic_place_find(uint64_t key, elastic_found *found, size_t most)
{
    size_t n = 0;
    DIR *proc = opendir("/proc");
    if (!proc) return 0;
    int fd = dirfd(proc);
    for (const struct dirent *entry = readdir(proc); entry && fd >= 0 && n < most; entry = readdir(proc))
        if (is_ours(fd, entry)) n += look_at_process(entry->d_name, key, &found[n]);
    closedir(proc);
    return n;
}

bool elastic_place_read(const char *line, elastic_found *found)
{
    long long launch, rank, process, iteration;
    char state;
    if (sscanf(line, "place %lld %lld %lld %lld %c", &launch, &rank, &process, &iteration, &state) != 5 ||
        rank < 0 || process < 1 || iteration < -1)
        return false;
    *found = (elastic_found){launch, process, rank, iteration, state};
    return true;
}

void elastic_place_kill(uint64_t key, int64_t launch)
{
    enum { MOST = 1024 };
    elastic_found *found = malloc(MOST * sizeof *found);
    size_t n = found ? elastic_place_find(key, found, MOST) : 0;
    for (size_t i = 0; i < n; i++)
        if (found[i].launch == launch) kill((pid_t)found[i].process, SIGKILL);
    free(found);
}
