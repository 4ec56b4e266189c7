#include "elastic/private.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

parcast_status elastic_private_directory(const char *path, parcast_error *error)
{
    struct stat directory;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return parcast_error_set(error, PARCAST_IO, path, 0, "cannot make it: %s", strerror(errno));
    if (lstat(path, &directory) != 0)
        return parcast_error_set(error, PARCAST_IO, path, 0, "cannot look at it: %s", strerror(errno));
    if (S_ISDIR(directory.st_mode) && directory.st_uid == geteuid() && (directory.st_mode & 077) == 0)
        return PARCAST_OK;
    parcast_error_set(error, PARCAST_IO, path, 0, "it is not a directory that only you can enter");
    parcast_error_hint(error, "somebody else made it; remove it, or use --checkpoints DIR");
    return PARCAST_IO;
}
