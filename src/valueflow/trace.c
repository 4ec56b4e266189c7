/* Running an instrumented program and reading what it leaves. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parcast/valueflow.h"

static char *make_file(void)
{
    const char *folder = getenv("TMPDIR");
    char *path = NULL;
    if (asprintf(&path, "%s/parcast-values-XXXXXX", folder && *folder ? folder : "/tmp") < 0) return NULL;
    int file = mkstemp(path);
    if (file < 0) {
        free(path);
        return NULL;
    }
    close(file);
    return path;
}

/* The environment with the name of the file to write. */
static char **environment(char *setting)
{
    size_t n = 0;
    while (environ[n]) n++;
    char **result = malloc((n + 2) * sizeof *result);
    size_t m = 0;
    for (size_t i = 0; result && i < n; i++)
        if (strncmp(environ[i], "PARCAST_VALUES=", 15) != 0) result[m++] = environ[i];
    if (result) {
        result[m++] = setting;
        result[m] = NULL;
    }
    return result;
}

static parcast_status execute(char *const *argv, char *setting, bool to_stderr, int *status,
                              parcast_error *error)
{
    char **variables = environment(setting);
    posix_spawn_file_actions_t actions;
    pid_t child;
    int ended;
    if (!variables) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    posix_spawn_file_actions_init(&actions);
    if (to_stderr) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    int failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, variables);
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    if (failed)
        return parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "cannot run '%s': %s", argv[0],
                                 strerror(failed));
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot wait for '%s': %s", argv[0],
                                     strerror(errno));
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    return PARCAST_OK;
}

static parcast_status without_values(const char *program, int status, parcast_error *error)
{
    if (status)
        return parcast_error_set(error, PARCAST_DATA, program, 0,
                                 "the program ended with status %d and left no values", status);
    parcast_error_set(error, PARCAST_DATA, program, 0, "the program is not instrumented");
    parcast_error_hint(error,
                       "build it with 'parcast cc --values' (c++, fc) as its compiler, linking included");
    return PARCAST_DATA;
}

parcast_status parcast_values_trace(char *const *argv, bool to_stderr, parcast_values **values, int *status,
                                    parcast_error *error)
{
    char *path = make_file(), *setting = NULL;
    struct stat file;
    parcast_status result;
    if (!path)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot make a file for the values: %s",
                                 strerror(errno));
    if (asprintf(&setting, "PARCAST_VALUES=%s", path) < 0)
        result = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    else
        result = execute(argv, setting, to_stderr, status, error);
    if (!result && (stat(path, &file) || file.st_size == 0)) result = without_values(argv[0], *status, error);
    if (!result) result = parcast_values_load(path, values, error);
    unlink(path);
    free(path);
    free(setting);
    return result;
}
