#include "compiler/tools.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Beside libparcast in a build tree; in the usual places when it was installed. */
static const char *const instrumenter_places[] = {"parcast-instrument",
                                                  "../libexec/parcast/parcast-instrument",
                                                  "../../libexec/parcast/parcast-instrument"};
static const char *const runtime_places[] = {"libparcast_values.a"};
static const char *const fortran_places[] = {"../lib"};
static const char *const include_places[] = {"include", "../include", "../../include"};

#ifdef PARCAST_WITH_INSTRUMENTER
static const bool built_with_llvm = true;
#else
static const bool built_with_llvm = false;
#endif

static char *own_folder(void)
{
    Dl_info self;
    if (!dladdr((const void *)instrumenter_places, &self) || !self.dli_fname) return NULL;
    char *own = realpath(strchr(self.dli_fname, '/') ? self.dli_fname : "/proc/self/exe", NULL);
    char *slash = own ? strrchr(own, '/') : NULL;
    if (slash) *slash = '\0';
    return own;
}

/* The first of the places, seen from libparcast, that exists with `file` in it. */
static char *find(const char *own, const char *const *places, size_t n, const char *file)
{
    for (size_t i = 0; own && i < n; i++) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s/%s%s", own, places[i], file);
        if (length < 0 || (size_t)length >= sizeof path || access(path, R_OK)) continue;
        snprintf(path, sizeof path, "%s/%s", own, places[i]); /* shorter than before */
        return realpath(path, NULL);
    }
    return NULL;
}

static bool in_path(const char *program, char file[PATH_MAX])
{
    const char *path = getenv("PATH");
    for (const char *p = path; p && *p;) {
        size_t length = strcspn(p, ":");
        int n = snprintf(file, PATH_MAX, "%.*s/%s", (int)length, p, program);
        if (n > 0 && n < PATH_MAX && access(file, X_OK) == 0) return true;
        p += length + (p[length] == ':');
    }
    return false;
}

static parcast_status missing(const char *what, const char *cure, parcast_error *error)
{
    parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "cannot find %s", what);
    parcast_error_hint(error, "%s", cure);
    return PARCAST_NOT_FOUND;
}

static parcast_status make_scratch(struct tools *tools, parcast_error *error)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder) folder = "/tmp";
    if (asprintf(&tools->scratch, "%s/parcast-cc-XXXXXX", folder) < 0) tools->scratch = NULL;
    if (tools->scratch && mkdtemp(tools->scratch)) return PARCAST_OK;
    free(tools->scratch);
    tools->scratch = NULL;
    parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot make a folder in '%s': %s", folder,
                      strerror(errno));
    parcast_error_hint(error, "TMPDIR names another folder for what lies between the steps");
    return PARCAST_IO;
}

/* Part of parcast, but not here: not built (yet), or installed without it. */
static parcast_status missing_part(const char *part, const char *own, bool needs_llvm, parcast_error *error)
{
    parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "cannot find '%s' beside libparcast in '%s'", part,
                      own ? own : "?");
    if (needs_llvm && !built_with_llvm)
        parcast_error_hint(error, "parcast was built without LLVM 19: install it (Debian: clang-19 "
                                  "llvm-19-dev), then configure and build parcast again");
    else
        parcast_error_hint(error,
                           "it is a part of parcast: build parcast as a whole ('cmake --build' without "
                           "--target), and install it as a whole");
    return PARCAST_NOT_FOUND;
}

static parcast_status find_parts(struct tools *tools, parcast_error *error)
{
    char *own = own_folder();
    parcast_status status = PARCAST_OK;
    tools->instrumenter =
        find(own, instrumenter_places, sizeof instrumenter_places / sizeof *instrumenter_places, "");
    tools->runtime = find(own, runtime_places, sizeof runtime_places / sizeof *runtime_places, "");
    tools->include =
        find(own, include_places, sizeof include_places / sizeof *include_places, "/parcast/region.h");
    if (!tools->instrumenter)
        status = missing_part("parcast-instrument", own, true, error);
    else if (!tools->runtime)
        status = missing_part("libparcast_values.a", own, false, error);
    else if (!tools->include)
        status = missing_part("include/parcast/region.h", own, false, error);
    free(own);
    return status;
}

static parcast_status find_compiler(parcast_language language, const char **compiler, parcast_error *error)
{
    static const char *const compilers[] = {"clang-19", "clang++-19", "flang-new-19"};
    static const char *const cures[] = {"install it (Debian: clang-19)", "install it (Debian: clang-19)",
                                        "install it (Debian: flang-19)"};
    char path[PATH_MAX];
    *compiler = compilers[language];
    return in_path(*compiler, path) ? PARCAST_OK : missing(*compiler, cures[language], error);
}

parcast_status tools_find(parcast_language language, struct tools *tools, parcast_error *error)
{
    *tools = (struct tools){0};
    parcast_status status = find_compiler(language, &tools->compiler, error);
    if (!status) status = find_parts(tools, error);
    if (!status) status = make_scratch(tools, error);
    if (status) tools_clear(tools);
    return status;
}

parcast_status tools_of_language(const struct tools *tools, parcast_language language, struct tools *other,
                                 parcast_error *error)
{
    *other = *tools;
    return find_compiler(language, &other->compiler, error);
}

char *tools_fortran_libraries(void)
{
    char path[PATH_MAX];
    char *flang = in_path("flang-new-19", path) ? realpath(path, NULL) : NULL, *folder = NULL;
    char *slash = flang ? strrchr(flang, '/') : NULL;
    if (slash) *slash = '\0';
    if (slash)
        folder = find(flang, fortran_places, sizeof fortran_places / sizeof *fortran_places,
                      "/libFortranRuntime.a");
    free(flang);
    return folder;
}

static void remove_scratch(const char *folder)
{
    DIR *directory = opendir(folder);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[PATH_MAX];
        int n = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && n > 0 && (size_t)n < sizeof path) unlink(path);
    }
    if (directory) closedir(directory);
    rmdir(folder);
}

void tools_clear(struct tools *tools)
{
    if (tools->scratch) remove_scratch(tools->scratch);
    free(tools->scratch);
    free(tools->instrumenter);
    free(tools->runtime);
    free(tools->include);
    *tools = (struct tools){0};
}

static parcast_status start_and_wait(const struct words *words, const posix_spawn_file_actions_t *actions,
                                     int *status, parcast_error *error)
{
    pid_t child;
    int ended;
    if (words->failed) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    int failed = posix_spawnp(&child, words->word[0], actions, NULL, words->word, environ);
    if (failed)
        return parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "cannot run '%s': %s", words->word[0],
                                 strerror(failed));
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot wait for '%s': %s", words->word[0],
                                     strerror(errno));
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    return PARCAST_OK;
}

parcast_status tools_run(const struct words *words, int *status, parcast_error *error)
{
    return start_and_wait(words, NULL, status, error);
}

parcast_status tools_ask(const struct words *words, int *status, parcast_error *error)
{
    posix_spawn_file_actions_t silent;
    posix_spawn_file_actions_init(&silent);
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        posix_spawn_file_actions_addopen(&silent, fd, "/dev/null", O_WRONLY, 0);
    parcast_status result = start_and_wait(words, &silent, status, error);
    posix_spawn_file_actions_destroy(&silent);
    return result;
}
