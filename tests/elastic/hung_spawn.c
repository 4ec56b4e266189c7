/* Preloaded: MPI_Comm_spawn of the program named by HUNG_PROGRAM never returns, once: HUNG_MARK is made
 * first. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dlfcn.h>

typedef int spawn_function(const char *, char **, int, void *, int, void *, void *, int *);
int MPI_Comm_spawn(const char *command, char **arguments, int n, void *info, int root, void *comm,
                   void *inter, int *codes);

int MPI_Comm_spawn(const char *command, char **arguments, int n, void *info, int root, void *comm,
                   void *inter, int *codes)
{
    const char *program = getenv("HUNG_PROGRAM"), *mark = getenv("HUNG_MARK");
    spawn_function *next = (spawn_function *)dlsym(RTLD_NEXT, "MPI_Comm_spawn");
    if (program && mark && strstr(command, program)) {
        int fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd >= 0) close(fd);
        for (;;) pause();
    }
    return next ? next(command, arguments, n, info, root, comm, inter, codes) : 1;
}
