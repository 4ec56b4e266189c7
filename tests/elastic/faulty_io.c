/*
 * Preloaded: files of checkpoints (piece.*, checkpoint.*) meet a fault. The FAULT_NTH-th call that opens,
 * writes, flushes, closes, renames or removes one fails, once. Reading the memory of another process counts
 * too:
 *
 *     FAULT_HOW=kill   the process is killed before the call, as by kill -9
 *     FAULT_HOW=slow   the call takes a second longer
 *     FAULT_HOW=deny   the memory of another process may not be read; files do not count
 *     FAULT_HOW=mute   the process is killed before it says its nth word to the supervisor or to a program;
 *                      files do not count
 *     FAULT_HOW=full   the disk is full: half of a write is written, then ENOSPC; and so is every later write
 *     FAULT_WHO        beginning of the program's name; FAULT_RANK its rank, any if not set
 *     FAULT_MARK       file that is made when the fault has happened; while it is there nothing happens
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MAX_FILES = 4096 };
static bool watched[MAX_FILES], full;
static int n_calls;

static bool is_concerned(void)
{
    const char *who = getenv("FAULT_WHO"), *rank = getenv("FAULT_RANK"), *mark = getenv("FAULT_MARK");
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    if (!own) own = getenv("PMI_RANK");
    if (!who || !mark || strncmp(program_invocation_short_name, who, strlen(who)) != 0) return false;
    if (rank && (!own || strcmp(rank, own) != 0)) return false;
    return access(mark, F_OK) != 0;
}

enum kind { FILES, MEMORY, WORDS };

static bool counts(const char *how, enum kind kind)
{
    if (strcmp(how, "mute") == 0) return kind == WORDS;
    if (kind == WORDS) return false;
    return strcmp(how, kind == MEMORY ? "full" : "deny") != 0;
}

/* Is it now? */
static bool strikes_at(enum kind kind)
{
    const char *nth = getenv("FAULT_NTH"), *how = getenv("FAULT_HOW");
    if (!nth || !how || !counts(how, kind) || !is_concerned() || ++n_calls != atoi(nth)) return false;
    int fd = open(getenv("FAULT_MARK"), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    close(fd);
    if (strcmp(how, "kill") == 0 || strcmp(how, "mute") == 0) raise(SIGKILL);
    if (strcmp(how, "slow") == 0) sleep(2);
    return strcmp(how, "slow") != 0;
}

static bool strikes(void)
{
    return strikes_at(FILES);
}

static bool is_ours(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strncmp(name, "piece.", 6) == 0 || strncmp(name, "checkpoint.", 11) == 0;
}

#define NEXT(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))
#include <stdint.h>

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    bool ours = is_ours(path) && (flags & O_ACCMODE) != O_RDONLY;
    if (ours && strikes()) full = true;
    int fd = NEXT(open)(path, flags, mode);
    if (fd >= 0 && fd < MAX_FILES) watched[fd] = ours;
    return fd;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    if (fd >= 0 && fd < MAX_FILES && watched[fd]) {
        if (full) {
            errno = ENOSPC;
            return -1;
        }
        if (strikes()) {
            full = true;
            n /= 2;
        }
    }
    return NEXT(write)(fd, bytes, n);
}

int fsync(int fd)
{
    if (fd >= 0 && fd < MAX_FILES && watched[fd] && strikes()) {
        errno = ENOSPC;
        return -1;
    }
    return NEXT(fsync)(fd);
}

int close(int fd)
{
    if (fd >= 0 && fd < MAX_FILES && watched[fd]) {
        watched[fd] = false;
        if (strikes()) full = true;
    }
    return NEXT(close)(fd);
}

int rename(const char *from, const char *to)
{
    if (is_ours(to) && strikes()) {
        errno = ENOSPC;
        return -1;
    }
    return NEXT(rename)(from, to);
}

ssize_t process_vm_readv(pid_t process, const struct iovec *here, unsigned long n_here,
                         const struct iovec *there, unsigned long n_there, unsigned long flags)
{
    if (strikes_at(MEMORY)) {
        errno = EPERM;
        return -1;
    }
    return NEXT(process_vm_readv)(process, here, n_here, there, n_there, flags);
}

int unlink(const char *path)
{
    if (is_ours(path)) strikes();
    return NEXT(unlink)(path);
}

/* Lines and bytes between them go out with these flags, and little else does. */
ssize_t send(int fd, const void *bytes, size_t n, int flags)
{
    if (flags == (MSG_NOSIGNAL | MSG_DONTWAIT)) strikes_at(WORDS);
    return NEXT(send)(fd, bytes, n, flags);
}
