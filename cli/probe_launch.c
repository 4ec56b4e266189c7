#include "probe_launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parcast/record.h"

static int number_in(const char *name, int otherwise)
{
    const char *text = getenv(name);
    char *end;
    long value = text ? strtol(text, &end, 10) : -1;
    return text && end != text && value >= 0 && value < INT_MAX ? (int)value : otherwise;
}

struct probe_launcher probe_launcher_find(void)
{
    if (getenv("OMPI_COMM_WORLD_SIZE"))
        return (struct probe_launcher){"openmpi", number_in("OMPI_COMM_WORLD_RANK", 0),
                                       number_in("OMPI_COMM_WORLD_SIZE", 1)};
    if (getenv("PMI_SIZE"))
        return (struct probe_launcher){"mpich", number_in("PMI_RANK", 0), number_in("PMI_SIZE", 1)};
    if (getenv("PMIX_RANK")) /* srun --mpi=pmix: the size is known inside only */
        return (struct probe_launcher){"openmpi", number_in("PMIX_RANK", 0), number_in("SLURM_NTASKS", 2)};
    return (struct probe_launcher){NULL, 0, 1};
}

/* Beside this program, or in libexec/parcast where it is installed. */
static bool find_helper(const char *mpi, char *path, size_t size)
{
    static const char *const places[] = {"%s/parcast-probe.%s", "%s/../libexec/parcast/parcast-probe.%s"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int n = snprintf(path, size, places[i], self, mpi);
        if (n > 0 && (size_t)n < size && access(path, X_OK) == 0) return true;
    }
    return false;
}

static int no_helper(const struct cli_common *common, const char *mpi)
{
    parcast_error error;
    parcast_error_set(&error, PARCAST_NOT_FOUND, NULL, 0, "cannot find 'parcast-probe.%s'", mpi);
    parcast_error_hint(&error, "parcast was built without this MPI; install its compiler and build again");
    return cli_fail(common, &error);
}

int probe_become_helper(const struct cli_common *common, const struct probe_launcher *launcher,
                        bool pretend_hosts)
{
    char path[PATH_MAX];
    if (!find_helper(launcher->mpi, path, sizeof path)) return no_helper(common, launcher->mpi);
    execl(path, path, pretend_hosts ? "--pretend-hosts" : NULL, (char *)NULL);
    parcast_error error;
    parcast_error_set(&error, PARCAST_IO, NULL, 0, "cannot start '%s': %s", path, strerror(errno));
    return cli_fail(common, &error);
}

/* Launchers give a signal as shells do. */
static int ended_badly(const struct cli_common *common, const char *command, int status)
{
    enum { MOST_SIGNALS = 64 };
    parcast_error error;
    int signal = status > 128 && status <= 128 + MOST_SIGNALS ? status - 128 : 0;
    if (signal)
        parcast_error_set(&error, PARCAST_IO, NULL, 0, "'%s' was ended by signal %d (%s)", command, signal,
                          strsignal(signal));
    else
        parcast_error_set(&error, PARCAST_IO, NULL, 0, "'%s' failed with status %d", command, status);
    return cli_fail(common, &error);
}

static int run(const struct cli_common *common, char **words)
{
    parcast_error error;
    int status, stopped_by;
    fflush(NULL);
    if (parcast_launcher_run(words, &status, &stopped_by, &error)) return cli_fail(common, &error);
    if (!stopped_by) return status ? ended_badly(common, words[0], status) : 0;
    parcast_error_set(&error, PARCAST_INTERRUPTED, NULL, 0, "stopped by signal %d (%s)", stopped_by,
                      strsignal(stopped_by));
    cli_fail(common, &error);
    return 128 + stopped_by;
}

static int read_result(const struct cli_common *common, const char *path, parcast_probe *probe)
{
    parcast_error error = {0};
    struct stat info;
    FILE *file = fopen(path, "rbe");
    char *text = file && fstat(fileno(file), &info) == 0 ? malloc((size_t)info.st_size + 1) : NULL;
    size_t length = text ? fread(text, 1, (size_t)info.st_size, file) : 0;
    parcast_status status;
    if (text && !ferror(file))
        status = parcast_probe_parse(text, length, "parcast-probe", probe, &error);
    else
        status =
            parcast_error_set(&error, PARCAST_IO, NULL, 0, "cannot read '%s': %s", path, strerror(errno));
    free(text);
    if (file) (void)fclose(file);
    return status ? cli_fail(common, &error) : 0;
}

/* Run a command that writes its result into a file of ours. The words end with two free places and NULL. */
static int run_for_result(const struct cli_common *common, char **words, size_t n_words, bool pretend_hosts,
                          parcast_probe *probe)
{
    char path[PATH_MAX];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/parcast-probe-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0) {
        parcast_error error;
        parcast_error_set(&error, PARCAST_IO, NULL, 0, "cannot write '%s': %s", path, strerror(errno));
        return cli_fail(common, &error);
    }
    (void)close(file);
    char option[] = "--output", pretend[] = "--pretend-hosts";
    words[n_words++] = option;
    words[n_words++] = path;
    if (pretend_hosts) words[n_words++] = pretend;
    words[n_words] = NULL;
    int status = run(common, words);
    if (!status) status = read_result(common, path, probe);
    (void)unlink(path);
    return status;
}

int probe_run_inside(const struct cli_common *common, const struct probe_launcher *launcher,
                     bool pretend_hosts, parcast_probe *probe)
{
    char path[PATH_MAX], *words[5] = {path};
    if (!find_helper(launcher->mpi, path, sizeof path)) return no_helper(common, launcher->mpi);
    return run_for_result(common, words, 1, pretend_hosts, probe);
}

/* The helper that belongs to a launcher; NULL: none is known. */
static const char *kind_of(const parcast_launcher *launcher)
{
    return launcher->family == PARCAST_MPI_OPENMPI ? "openmpi"
           : launcher->family == PARCAST_MPI_MPICH ? "mpich"
                                                   : NULL;
}

/* The first MPI that has both a launcher here and a helper of ours. */
static parcast_status installed_launcher(parcast_launcher *launcher, parcast_error *error)
{
    static const parcast_mpi_family families[] = {PARCAST_MPI_OPENMPI, PARCAST_MPI_MPICH};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        char helper[PATH_MAX], name[] = "parcast-probe";
        const parcast_program program = {.binary = name, .family = families[i]};
        const parcast_launcher wanted = {.family = families[i]};
        if (find_helper(kind_of(&wanted), helper, sizeof helper) &&
            parcast_launcher_choose(&program, NULL, launcher, error) == PARCAST_OK)
            return PARCAST_OK;
    }
    return PARCAST_NOT_FOUND;
}

/* Open MPI refuses root and more ranks than it counts slots; both are what a first try looks like. */
static void prepare_openmpi(const struct cli_common *common)
{
    if (geteuid() == 0 && !getenv("OMPI_ALLOW_RUN_AS_ROOT")) {
        cli_note(common, "running as root: OMPI_ALLOW_RUN_AS_ROOT is set for Open MPI");
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
}

static int no_launcher(const struct cli_common *common, const char *mpiexec)
{
    parcast_error error;
    if (mpiexec) {
        parcast_error_set(&error, PARCAST_NOT_FOUND, NULL, 0, "'%s' is no launcher of Open MPI or MPICH",
                          mpiexec);
        parcast_error_hint(&error, "start the probe with it instead: %s -n N parcast probe", mpiexec);
    } else {
        parcast_error_set(&error, PARCAST_NOT_FOUND, NULL, 0,
                          "no MPI launcher that parcast was built for is installed");
        parcast_error_hint(&error,
                           "install Open MPI or MPICH (Debian: openmpi-bin or mpich) and build again");
    }
    return cli_fail(common, &error);
}

static int start_ranks(const struct cli_common *common, const parcast_launcher *launcher, int n_ranks,
                       bool pretend_hosts, parcast_probe *probe)
{
    char helper[PATH_MAX], count[16], option[] = "-n";
    const char *mpi = kind_of(launcher);
    if (!find_helper(mpi, helper, sizeof helper)) return no_helper(common, mpi);
    char **words = calloc(launcher->n_words + 8, sizeof *words);
    if (!words) {
        parcast_error error;
        parcast_error_set(&error, PARCAST_MEMORY, NULL, 0, "out of memory");
        return cli_fail(common, &error);
    }
    size_t n = 0;
    for (; n < launcher->n_words; n++) words[n] = launcher->words[n];
    snprintf(count, sizeof count, "%d", n_ranks);
    words[n++] = option;
    words[n++] = count;
    words[n++] = helper;
    if (launcher->family == PARCAST_MPI_OPENMPI) prepare_openmpi(common);
    int status = run_for_result(common, words, n, pretend_hosts, probe);
    free(words);
    return status;
}

int probe_run_ranks(const struct cli_common *common, int n_ranks, const char *mpiexec, bool pretend_hosts,
                    parcast_probe *probe)
{
    const parcast_program program = {.family = PARCAST_MPI_UNKNOWN};
    parcast_launcher launcher = {0};
    parcast_error error = {0};
    parcast_status found = mpiexec ? parcast_launcher_choose(&program, mpiexec, &launcher, &error)
                                   : installed_launcher(&launcher, &error);
    if (found && mpiexec) return cli_fail(common, &error);
    if (!found) parcast_launcher_ask(&launcher);
    int status = !found && kind_of(&launcher) ? start_ranks(common, &launcher, n_ranks, pretend_hosts, probe)
                                              : no_launcher(common, mpiexec);
    parcast_launcher_clear(&launcher);
    return status;
}
