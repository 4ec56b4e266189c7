/* Environment and command line of the launcher. */
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/recording.h"

struct setting {
    const char *name, *value;
};

/* Open MPI does not start as root, nor more ranks than cores, unless it is told to. */
static const struct setting as_root[] = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {NULL, NULL},
};
static const struct setting oversubscribed[] = {
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"OMPI_MCA_mpi_yield_when_idle", "1"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {NULL, NULL},
};

/* Cores that a launcher on this machine counts as slots; 0 if that cannot be told. */
static int count_slots(void)
{
    hwloc_topology_t topology;
    cpu_set_t allowed;
    if (hwloc_topology_init(&topology) != 0) return 0;
    int cores = hwloc_topology_load(topology) == 0 ? hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) : 0;
    hwloc_topology_destroy(topology);
    int cpus = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : cores;
    return cores > 0 && cores < cpus ? cores : cpus;
}

/* A list of "NAME=value" that grows; begins as a copy of the caller's environment. */
static size_t count_words(char *const *words)
{
    size_t n = 0;
    while (words && words[n]) n++;
    return n;
}

void record_free_words(char ***words)
{
    for (size_t i = 0; *words && (*words)[i]; i++) free((*words)[i]);
    free(*words);
    *words = NULL;
}

static parcast_status set_variable(char **environment, const char *name, const char *value,
                                   parcast_error *error)
{
    char *text = NULL;
    size_t length = strlen(name), i = 0;
    if (asprintf(&text, "%s=%s", name, value) < 0) return record_no_memory(error);
    while (environment[i] && !(strncmp(environment[i], name, length) == 0 && environment[i][length] == '='))
        i++;
    free(environment[i]);
    environment[i] = text;
    return PARCAST_OK;
}

enum { ROOM_FOR_VARIABLES = 16 };

static parcast_status copy_environment(char ***environment, parcast_error *error)
{
    size_t n = count_words(environ);
    *environment = calloc(n + ROOM_FOR_VARIABLES, sizeof **environment);
    if (!*environment) return record_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        parcast_status status = record_copy(environ[i], &(*environment)[i], error);
        if (status) return status;
    }
    return PARCAST_OK;
}

/* Those that the user has not set, added to the environment and named in the sentence. */
static parcast_status apply(parcast_record_session *recording, const struct setting *settings,
                            const char *why, parcast_error *error)
{
    char list[512] = "";
    parcast_status status = PARCAST_OK;
    for (; settings->name && !status; settings++) {
        if (getenv(settings->name)) continue;
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s=%s", length ? ", " : "", settings->name,
                 settings->value);
        status = set_variable(recording->environment, settings->name, settings->value, error);
    }
    if (status || !list[0]) return status;
    char *before = recording->settings, *sentence = NULL;
    if (asprintf(&sentence, "%s%s%s sets %s", before ? before : "", before ? "; " : "", why, list) < 0)
        return record_no_memory(error);
    free(before);
    recording->settings = sentence;
    return PARCAST_OK;
}

static parcast_status set_for_openmpi(parcast_record_session *recording, parcast_error *error)
{
    const parcast_launcher *launcher = recording->request.launcher;
    int n_ranks = recording->request.n_ranks;
    bool openmpi = launcher->family == PARCAST_MPI_OPENMPI ||
                   (launcher->family == PARCAST_MPI_UNKNOWN &&
                    recording->request.program->family == PARCAST_MPI_OPENMPI);
    parcast_status status = PARCAST_OK;
    if (!openmpi) return status;
    if (geteuid() == 0) status = apply(recording, as_root, "Open MPI as root:", error);
    if (status || launcher->several_hosts) return status;
    int slots = count_slots();
    if (slots == 0 || n_ranks <= slots) return status;
    char why[96];
    snprintf(why, sizeof why, "%d ranks on %d core%s:", n_ranks, slots, slots == 1 ? "" : "s");
    return apply(recording, oversubscribed, why, error);
}

parcast_status record_build_environment(parcast_record_session *recording, parcast_error *error)
{
    char *preload = NULL;
    const char *others = getenv("LD_PRELOAD");
    parcast_status status = copy_environment(&recording->environment, error);
    if (status) return status;
    if (asprintf(&preload, "%s%s%s", recording->preload, others && *others ? ":" : "", others ? others : "") <
        0)
        return record_no_memory(error);
    status = set_variable(recording->environment, "LD_PRELOAD", preload, error);
    free(preload);
    if (!status)
        status = set_variable(recording->environment, "PARCAST_RECORD_DIR", recording->directory, error);
    if (!status)
        status = set_variable(recording->environment, "PARCAST_RECORD_TRACE",
                              recording->request.trace ? "1" : "", error);
    if (!status) status = set_for_openmpi(recording, error);
    return status;
}

static parcast_status append(char **words, const char *word, parcast_error *error)
{
    return record_copy(word, &words[count_words(words)], error);
}

parcast_status record_build_words(parcast_record_session *recording, parcast_error *error)
{
    const parcast_record_request *request = &recording->request;
    const parcast_launcher *launcher = request->launcher;
    bool export = launcher->family == PARCAST_MPI_OPENMPI && launcher->several_hosts;
    const char *const exports[] = {"-x", "LD_PRELOAD",          "-x", "PARCAST_RECORD_DIR",
                                   "-x", "PARCAST_RECORD_TRACE"};
    char number[16];
    snprintf(number, sizeof number, "%d", request->n_ranks);
    parcast_status status = PARCAST_OK;
    recording->words = calloc(launcher->n_words + request->n_arguments + 10, sizeof *recording->words);
    if (!recording->words) return record_no_memory(error);
    for (size_t i = 0; i < launcher->n_words && !status; i++)
        status = append(recording->words, launcher->words[i], error);
    if (!status) status = append(recording->words, "-n", error);
    if (!status) status = append(recording->words, number, error);
    for (size_t i = 0; export && i < sizeof exports / sizeof exports[0] && !status; i++)
        status = append(recording->words, exports[i], error);
    if (!status) status = append(recording->words, request->program->path, error);
    for (size_t i = 0; i < request->n_arguments && !status; i++)
        status = append(recording->words, request->arguments[i], error);
    return status;
}
