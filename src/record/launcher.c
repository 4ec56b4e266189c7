/* The launcher that starts the ranks: the one that belongs to the program's MPI library, or the user's. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "record/internal.h"

/* What to look for in PATH, by family; the generic names last, because they may be another MPI's. */
static const char *const openmpi_names[] = {"mpirun.openmpi", "mpiexec.openmpi", "orterun", "prterun",
                                            "mpirun",         "mpiexec",         NULL};
static const char *const mpich_names[] = {"mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra",
                                          "mpiexec",      "mpirun",        NULL};
static const char *const any_names[] = {
    "mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich", "mpiexec.hydra", "orterun", NULL};

static bool contains(const char *text, const char *part)
{
    return text && strstr(text, part) != NULL;
}

/* What the command calls itself. Not asked unless it has the name of an MPI's launcher, or somebody must
 * know. */
static parcast_mpi_family family_by_version(const char *path)
{
    char *text = NULL;
    parcast_mpi_family family = PARCAST_MPI_UNKNOWN;
    const char *const words[] = {path, "--version", NULL};
    if (record_capture(words, &text, NULL) != PARCAST_OK) return family;
    if (contains(text, "Open MPI") || contains(text, "Open-RTE") || contains(text, "OpenRTE") ||
        contains(text, "PRRTE"))
        family = PARCAST_MPI_OPENMPI;
    else if (contains(text, "HYDRA") || contains(text, "MPICH") || contains(text, "Intel(R) MPI"))
        family = PARCAST_MPI_MPICH;
    free(text);
    return family;
}

/* Links are followed: Debian's mpirun is a link to mpirun.openmpi, that one to orterun. */
static parcast_mpi_family family_of_launcher(const char *path)
{
    char *real = realpath(path, NULL);
    const char *base = record_base_name(real ? real : path);
    parcast_mpi_family family = PARCAST_MPI_UNKNOWN;
    if (contains(base, "orterun") || contains(base, "openmpi") || contains(base, "prterun"))
        family = PARCAST_MPI_OPENMPI;
    else if (contains(base, "hydra") || contains(base, "mpich"))
        family = PARCAST_MPI_MPICH;
    else if (strcmp(base, "mpirun") == 0 || strcmp(base, "mpiexec") == 0)
        family = family_by_version(path);
    free(real);
    return family;
}

static bool fits(parcast_mpi_family launcher, parcast_mpi_family program)
{
    return launcher == program || launcher == PARCAST_MPI_UNKNOWN || program == PARCAST_MPI_UNKNOWN;
}

/* An MPI in a place of its own (/opt/openmpi/lib/libmpi.so) has its launcher there (/opt/openmpi/bin/mpirun).
 */
static char *beside_library(const char *library)
{
    static const char *const names[] = {"mpirun", "mpiexec", "mpiexec.hydra"};
    const char *slash = library ? strrchr(library, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof names / sizeof names[0]; i++) {
        char path[PATH_MAX];
        int n = snprintf(path, sizeof path, "%.*s/../bin/%s", (int)(slash - library), library, names[i]);
        if (n < 0 || (size_t)n >= sizeof path) continue;
        char *found = record_find_executable(path);
        char *real = found ? realpath(found, NULL) : NULL;
        free(found);
        if (real) return real;
    }
    return NULL;
}

static char *in_path(parcast_mpi_family family)
{
    const char *const *names = family == PARCAST_MPI_OPENMPI ? openmpi_names
                               : family == PARCAST_MPI_MPICH ? mpich_names
                                                             : any_names;
    for (; *names; names++) {
        char *found = record_find_executable(*names);
        if (found && fits(family_of_launcher(found), family)) return found;
        free(found);
    }
    return NULL;
}

static parcast_status no_launcher(const parcast_program *program, parcast_error *error)
{
    if (program->family == PARCAST_MPI_UNKNOWN)
        parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "there is no mpirun or mpiexec in PATH");
    else
        parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0,
                          "there is no launcher of %s in PATH, which '%s' is linked with",
                          parcast_mpi_family_name(program->family), program->binary);
    parcast_error_hint(error, "on Debian: apt install %s; or name one with --mpiexec CMD",
                       program->family == PARCAST_MPI_MPICH     ? "mpich"
                       : program->family == PARCAST_MPI_OPENMPI ? "openmpi-bin"
                                                                : "openmpi-bin, or mpich");
    return PARCAST_NOT_FOUND;
}

/* Takes the word, also on failure. */
static parcast_status set_one_word(parcast_launcher *launcher, char *word, parcast_error *error)
{
    launcher->words = calloc(2, sizeof *launcher->words);
    if (!launcher->words) {
        free(word);
        return record_no_memory(error);
    }
    launcher->words[0] = word;
    launcher->n_words = 1;
    return PARCAST_OK;
}

static parcast_status choose(const parcast_program *program, parcast_launcher *launcher, parcast_error *error)
{
    char *path = beside_library(program->library);
    if (!path) path = in_path(program->family);
    if (!path) return no_launcher(program, error);
    launcher->family = family_of_launcher(path);
    launcher->guessed = !program->library;
    return set_one_word(launcher, path, error);
}

static parcast_status bad_words(const char *command, int code, parcast_error *error)
{
    const char *why = code == WRDE_SYNTAX   ? "unbalanced quotes"
                      : code == WRDE_CMDSUB ? "command substitution is not done"
                      : code == WRDE_BADCHAR
                          ? "it holds a character that only a shell understands (one of | & ; < > ( ) { })"
                          : "it cannot be split into words";
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--mpiexec '%s': %s", command, why);
}

static parcast_status copy_words(const wordexp_t *split, parcast_launcher *launcher, parcast_error *error)
{
    launcher->words = calloc(split->we_wordc + 1, sizeof *launcher->words);
    if (!launcher->words) return record_no_memory(error);
    for (; launcher->n_words < split->we_wordc; launcher->n_words++) {
        char **word = &launcher->words[launcher->n_words];
        parcast_status status = record_copy(split->we_wordv[launcher->n_words], word, error);
        if (status) return status;
    }
    return PARCAST_OK;
}

static parcast_status find_first_word(const char *command, parcast_launcher *launcher, parcast_error *error)
{
    if (launcher->n_words == 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--mpiexec is empty");
    char *path = record_find_executable(launcher->words[0]);
    if (!path) {
        parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0,
                          "the launcher '%s' is not there or not executable", launcher->words[0]);
        parcast_error_hint(error, "--mpiexec was '%s'; on Debian, mpirun comes with openmpi-bin or mpich",
                           command);
        return PARCAST_NOT_FOUND;
    }
    free(launcher->words[0]);
    launcher->words[0] = path;
    launcher->family = family_of_launcher(path);
    return PARCAST_OK;
}

static parcast_status split_command(const char *command, parcast_launcher *launcher, parcast_error *error)
{
    wordexp_t split = {0};
    int code = wordexp(command, &split, WRDE_NOCMD);
    if (code != 0) {
        if (code == WRDE_NOSPACE) wordfree(&split);
        return code == WRDE_NOSPACE ? record_no_memory(error) : bad_words(command, code, error);
    }
    parcast_status status = copy_words(&split, launcher, error);
    wordfree(&split);
    return status ? status : find_first_word(command, launcher, error);
}

static bool names_hosts(const parcast_launcher *launcher)
{
    static const char *const options[] = {
        "-H",        "-host",      "--host",       "-hosts",        "--hosts",
        "-hostfile", "--hostfile", "-machinefile", "--machinefile", "-f"};
    static const char *const systems[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE"};
    for (size_t i = 1; i < launcher->n_words; i++)
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
            if (strcmp(launcher->words[i], options[k]) == 0) return true;
    for (size_t k = 0; k < sizeof systems / sizeof systems[0]; k++)
        if (getenv(systems[k])) return true;
    return false;
}

parcast_status parcast_launcher_choose(const parcast_program *program, const char *command,
                                       parcast_launcher *launcher, parcast_error *error)
{
    parcast_launcher chosen = {0};
    parcast_status status =
        command ? split_command(command, &chosen, error) : choose(program, &chosen, error);
    if (status) {
        parcast_launcher_clear(&chosen);
        return status;
    }
    chosen.several_hosts = names_hosts(&chosen);
    *launcher = chosen;
    return PARCAST_OK;
}

void parcast_launcher_ask(parcast_launcher *launcher)
{
    if (launcher->family == PARCAST_MPI_UNKNOWN && launcher->n_words > 0)
        launcher->family = family_by_version(launcher->words[0]);
}

void parcast_launcher_clear(parcast_launcher *launcher)
{
    if (!launcher) return;
    for (size_t i = 0; i < launcher->n_words; i++) free(launcher->words[i]);
    free(launcher->words);
    memset(launcher, 0, sizeof *launcher);
}
