/** Files that are written and, when that fails, taken away again. */
#ifndef PARCAST_TRACE_OUTPUT_H
#define PARCAST_TRACE_OUTPUT_H

#include <sys/stat.h>
#include <unistd.h>

/** Remove what was written in part; never a device or a pipe that the user named. */
static inline void output_remove(const char *path)
{
    struct stat about;
    if (lstat(path, &about) == 0 && S_ISREG(about.st_mode)) unlink(path);
}

#endif
