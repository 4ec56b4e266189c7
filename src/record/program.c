/*
 * What a program is before it runs. Scripts and wrappers are followed by their words: whichever word names an
 * executable file that needs an MPI library is taken for the program. That decides the launcher only; the
 * preload library itself gets into everything that the script starts.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "record/internal.h"

/* A search follows scripts in scripts, but not without end, and looks at each file once. */
enum { MAX_DEPTH = 4, MAX_FILES = 128, MAX_SCRIPT = 1 << 18 };

struct search {
    parcast_program *found;
    char *seen[MAX_FILES];
    size_t n_seen;
    parcast_error *error;
};

bool record_is_launcher(const char *path)
{
    static const char *const names[] = {"mpirun",         "mpiexec",         "orterun",      "prterun",
                                        "srun",           "aprun",           "jsrun",        "mpiexec.hydra",
                                        "mpirun.openmpi", "mpiexec.openmpi", "mpirun.mpich", "mpiexec.mpich"};
    const char *base = record_base_name(path);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(base, names[i]) == 0) return true;
    return false;
}

static bool is_new(struct search *search, const char *path)
{
    for (size_t i = 0; i < search->n_seen; i++)
        if (strcmp(search->seen[i], path) == 0) return false;
    if (search->n_seen == MAX_FILES) return false;
    search->seen[search->n_seen] = strdup(path);
    if (search->seen[search->n_seen]) search->n_seen++;
    return true;
}

static parcast_status follow_file(struct search *search, const char *path, int depth);

/* Words of a shell end at blanks, quotes and its special characters, and at the end of the line; `$x/prog`
 * and
 * `${0%/ *}/prog` leave /prog. */
static bool ends_word(char c)
{
    return isspace((unsigned char)c) || strchr("\"'`;&|()<>{}$=,#", c) != NULL;
}

static parcast_status follow_word(struct search *search, const char *word, const char *folder, int depth)
{
    if (record_is_launcher(word)) {
        if (search->found->starts_launcher) return PARCAST_OK;
        return record_copy(record_base_name(word), &search->found->starts_launcher, search->error);
    }
    char *path = record_find_executable(word), *beside = NULL;
    if (!path && word[0] == '/' && asprintf(&beside, "%s%s", folder, word) > 0)
        path = record_find_executable(beside); /* $(dirname $0)/prog */
    free(beside);
    parcast_status status = path ? follow_file(search, path, depth + 1) : PARCAST_OK;
    free(path);
    return status;
}

char *record_next_word(const char *line, char *at, size_t *length)
{
    for (; *at && ends_word(*at); at++)
        if (*at == '#' && (at == line || isspace((unsigned char)at[-1]))) return NULL;
    for (*length = 0; !ends_word(at[*length]);) ++*length;
    return *length ? at : NULL;
}

static parcast_status follow_line(struct search *search, char *line, const char *folder, int depth)
{
    parcast_status status = PARCAST_OK;
    size_t length = 0;
    for (char *word = line; (word = record_next_word(line, word, &length)); word += length) {
        char kept = word[length];
        word[length] = '\0';
        status = follow_word(search, word, folder, depth);
        word[length] = kept;
        if (status || search->found->library) break;
    }
    return status;
}

static parcast_status follow_script(struct search *search, const char *path, int depth)
{
    FILE *file = fopen(path, "re");
    if (!file) return PARCAST_OK;
    char *folder = strdup(path), *line = NULL;
    size_t size = 0, total = 0;
    parcast_status status = folder ? PARCAST_OK : record_no_memory(search->error);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) *slash = '\0';
    while (!status && !search->found->library && total < MAX_SCRIPT) {
        ssize_t n = getline(&line, &size, file);
        if (n <= 0) break;
        total += (size_t)n;
        if ((size_t)n != strlen(line)) break; /* no text */
        status = follow_line(search, line, slash ? folder : ".", depth);
    }
    free(line);
    free(folder);
    fclose(file);
    return status;
}

static parcast_status take_if_mpi(struct search *search, const char *path, const char *library_of,
                                  const char *loader)
{
    char *library = NULL;
    bool is_elastic = false;
    parcast_mpi_family family = PARCAST_MPI_UNKNOWN;
    parcast_status status =
        record_find_mpi(library_of, loader, &library, &family, &is_elastic, search->error);
    if (status || !library) return status;
    status = record_copy(path, &search->found->binary, search->error);
    if (status) {
        free(library);
        return status;
    }
    search->found->library = library;
    search->found->family = family;
    search->found->is_elastic = is_elastic;
    return PARCAST_OK;
}

/* Python opens MPI through the module mpi4py: ask this Python where its own lies. */
static parcast_status follow_python(struct search *search, const char *path)
{
    static const char question[] =
        "import importlib.util as u; s = u.find_spec('mpi4py.MPI'); print(s.origin if s else '', end='')";
    const char *const words[] = {path, "-c", question, NULL};
    char *module = NULL;
    parcast_status status = record_capture(words, &module, search->error);
    if (!status && module && module[0] == '/') status = take_if_mpi(search, path, module, "");
    free(module);
    return status;
}

static parcast_status follow_file(struct search *search, const char *path, int depth)
{
    record_file file;
    if (search->found->library || depth > MAX_DEPTH || !is_new(search, path)) return PARCAST_OK;
    if (record_file_read(path, &file, NULL) != PARCAST_OK) return PARCAST_OK;
    parcast_status status = PARCAST_OK;
    if (file.kind == RECORD_FILE_ELF && !file.foreign && !file.is_static)
        status = take_if_mpi(search, path, path, file.interpreter);
    else if (file.kind == RECORD_FILE_SCRIPT)
        status = follow_script(search, path, depth);
    if (!status && !search->found->library && strncmp(record_base_name(path), "python", 6) == 0)
        status = follow_python(search, path);
    return status;
}

/* A file that is named as a whole may have blanks in its name; what it is not, its words may be. */
static parcast_status follow_argument(struct search *search, const char *argument)
{
    record_file file;
    parcast_status status = PARCAST_OK;
    if (record_file_read(argument, &file, NULL) == PARCAST_OK) {
        if (file.kind != RECORD_FILE_OTHER)
            status = follow_file(search, argument, 0);
        else if (is_new(search, argument))
            status = follow_script(search, argument, 0);
    }
    char *line = strdup(argument);
    if (!line) return record_no_memory(search->error);
    if (!status && !search->found->library) status = follow_line(search, line, ".", 0);
    free(line);
    return status;
}

/* The words of a wrapper: `env A=1 ./prog`, `numactl -N 0 ./prog`, `bash run.sh`, `sh -c './prog x'`. */
static parcast_status follow_arguments(struct search *search, char *const *arguments, size_t n)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < n && !status && !search->found->library; i++)
        status = follow_argument(search, arguments[i]);
    return status;
}

static parcast_status find_path(const char *name, char **path, parcast_error *error)
{
    char *found = record_find_executable(name);
    if (found) {
        *path = found;
        return PARCAST_OK;
    }
    struct stat file;
    bool exists = stat(name, &file) == 0;
    if (exists && S_ISDIR(file.st_mode)) {
        parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "program '%s' is a directory", name);
        return PARCAST_NOT_FOUND;
    }
    if (exists && strchr(name, '/')) {
        parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "program '%s' is not executable", name);
        parcast_error_hint(error, "chmod +x %s", name);
        return PARCAST_NOT_FOUND;
    }
    parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "there is no program '%s'%s", name,
                      strchr(name, '/') ? "" : " in PATH");
    if (exists) parcast_error_hint(error, "did you mean './%s'?", name);
    return PARCAST_NOT_FOUND;
}

/* The kernel drops LD_PRELOAD for a program that gains rights when it is started. */
static bool gains_rights(const char *path)
{
    struct stat file;
    if (geteuid() == 0) return stat(path, &file) == 0 && (file.st_mode & S_ISUID) && file.st_uid != 0;
    if (stat(path, &file) != 0) return false;
    if ((file.st_mode & S_ISUID) && file.st_uid != geteuid()) return true;
    if ((file.st_mode & S_ISGID) && (file.st_mode & S_IXGRP) && file.st_gid != getegid()) return true;
    return getxattr(path, "security.capability", NULL, 0) > 0;
}

static parcast_status check_binary(const char *path, parcast_error *error)
{
    record_file file;
    parcast_status status = record_file_read(path, &file, error);
    if (status || file.kind != RECORD_FILE_ELF) return status;
    if (file.foreign)
        return parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                                 "program '%s' is for %s: it cannot be watched here", path, file.machine);
    if (file.is_static) {
        parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                          "program '%s' is linked statically, so that nothing can be preloaded into it",
                          path);
        parcast_error_hint(error, "link it dynamically: leave out -static, use the shared MPI library");
        return PARCAST_UNSUPPORTED;
    }
    if (gains_rights(path)) {
        parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                          "program '%s' is setuid or has capabilities: the system preloads nothing into it",
                          path);
        parcast_error_hint(error, "run a copy without them: cp %s ./copy", path);
        return PARCAST_UNSUPPORTED;
    }
    return PARCAST_OK;
}

static parcast_status check_library(const parcast_program *program, parcast_error *error)
{
    if (!program->library || strchr(program->library, '/')) return PARCAST_OK;
    parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "'%s' needs %s, which is not found", program->binary,
                      program->library);
    parcast_error_hint(error, "set LD_LIBRARY_PATH, or on Debian: apt install %s",
                       program->family == PARCAST_MPI_OPENMPI ? "libopenmpi3" : "libmpich12");
    return PARCAST_NOT_FOUND;
}

static parcast_status refuse_launcher(const char *name, parcast_error *error)
{
    parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                      "'%s' starts programs: record starts the launcher itself", name);
    parcast_error_hint(error, "parcast record -s STUDY -n 4 --mpiexec '%s' -- PROGRAM", name);
    return PARCAST_INVALID;
}

parcast_status parcast_program_inspect(const char *name, char *const *arguments, size_t n,
                                       parcast_program *program, parcast_error *error)
{
    parcast_program found = {0};
    struct search search = {.found = &found, .error = error};
    if (record_is_launcher(name)) return refuse_launcher(name, error);
    parcast_status status = find_path(name, &found.path, error);
    if (!status) status = check_binary(found.path, error);
    if (!status) status = follow_file(&search, found.path, 0);
    if (!status && !found.library) status = follow_arguments(&search, arguments, n);
    if (!status && found.binary) status = check_binary(found.binary, error);
    if (!status) status = check_library(&found, error);
    for (size_t i = 0; i < search.n_seen; i++) free(search.seen[i]);
    if (status)
        parcast_program_clear(&found);
    else
        *program = found;
    return status;
}

void parcast_program_clear(parcast_program *program)
{
    if (!program) return;
    free(program->path);
    free(program->binary);
    free(program->library);
    free(program->starts_launcher);
    memset(program, 0, sizeof *program);
}
