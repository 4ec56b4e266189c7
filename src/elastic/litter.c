#include "elastic/litter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "launch.", segment[] = "mpich_shar_tmp";
enum { MOST_OPEN = 16 };

/* -------- folders of launches -------- */

static void set_path(const char *directory, int launch, char path[ELASTIC_LITTER_BYTES])
{
    snprintf(path, ELASTIC_LITTER_BYTES, "%s/%s%d", directory, prefix, launch);
}

bool elastic_litter_make(const char *directory, int launch, char path[ELASTIC_LITTER_BYTES])
{
    struct stat file;
    set_path(directory, launch, path);
    if (lstat(directory, &file) != 0 || !S_ISDIR(file.st_mode) || file.st_uid != geteuid()) return false;
    return mkdir(path, 0700) == 0;
}

/* Files, sockets and folders; a device or a link is nothing of an MPI, and stays. */
static int remove_one(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void)where;
    if (file->st_uid != geteuid()) return 0;
    if (kind == FTW_DP)
        rmdir(path);
    else if (kind == FTW_F && (S_ISREG(file->st_mode) || S_ISSOCK(file->st_mode) || S_ISFIFO(file->st_mode)))
        unlink(path);
    return 0;
}

static void remove_tree(const char *path)
{
    nftw(path, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void elastic_litter_remove(const char *directory, int launch)
{
    char path[ELASTIC_LITTER_BYTES];
    set_path(directory, launch, path);
    remove_tree(path);
}

void elastic_litter_remove_session(long process)
{
    char host[256] = "", path[ELASTIC_LITTER_BYTES];
    const char *folder = getenv("TMPDIR");
    if (gethostname(host, sizeof host - 1) != 0) return;
    int n = snprintf(path, sizeof path, "%s/ompi.%s.%ld", folder && *folder ? folder : "/tmp", host,
                     (long)geteuid());
    if (n < 0 || (size_t)n + 32 > sizeof path) return;
    snprintf(path + n, sizeof path - (size_t)n, "/pid.%ld", process);
    remove_tree(path);
    path[n] = '\0';
    rmdir(path); /* unless others are in it */
}

void elastic_litter_sweep(const char *directory)
{
    DIR *folder = opendir(directory);
    if (!folder) return;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *number = entry->d_name + sizeof prefix - 1;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) == 0 && *number &&
            number[strspn(number, "0123456789")] == '\0')
            elastic_litter_remove(directory, atoi(number));
    }
    closedir(folder);
}

/* -------- segments of MPICH -------- */

/* Does a process of this machine map it? */
static bool maps(const char *process, const char *name)
{
    char path[64], *line = NULL;
    size_t room = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%.20s/maps", process);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    while (!found && getline(&line, &room, file) > 0) found = strstr(line, name) != NULL;
    free(line);
    fclose(file);
    return found;
}

static bool is_mapped(const char *name)
{
    bool found = false;
    DIR *proc = opendir("/proc");
    if (!proc) return true;
    for (const struct dirent *entry = readdir(proc); entry && !found; entry = readdir(proc))
        found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && maps(entry->d_name, name);
    closedir(proc);
    return found;
}

void elastic_litter_sweep_mpich(const char *path)
{
    const time_t young_s = 60;
    DIR *folder = opendir(path);
    if (!folder) return;
    int fd = dirfd(folder);
    for (const struct dirent *entry = readdir(folder); entry && fd >= 0; entry = readdir(folder)) {
        struct stat file;
        if (strncmp(entry->d_name, segment, sizeof segment - 1) == 0 &&
            fstatat(fd, entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(file.st_mode) &&
            file.st_uid == geteuid() && time(NULL) - file.st_mtime > young_s && !is_mapped(entry->d_name))
            unlinkat(fd, entry->d_name, 0);
    }
    closedir(folder);
}
