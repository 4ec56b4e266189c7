/* From the ranks' files to a run: which processes belong to it, its nodes, its totals, what to tell the user.
 */
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/raw.h"
#include "record/recording.h"

/* The worlds that were seen: a script may start several MPI programs, and those may spawn. */
struct world {
    uint64_t id;
    size_t first, n; /* profiles */
    int n_ranks;
    bool spawned;
    double time_s; /* longest rank */
};

struct harvest {
    parcast_rank_profile *profiles;
    size_t n_profiles;
    struct world *worlds;
    size_t n_worlds;
    const struct world *main;
};

static void add_note(parcast_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_note(parcast_run *run, const char *format, ...)
{
    char *line = NULL, *notes = NULL;
    va_list arguments;
    va_start(arguments, format);
    int n = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (n < 0) return;
    if (asprintf(&notes, "%s%s%s", run->notes ? run->notes : "", run->notes ? "\n" : "", line) > 0) {
        free(run->notes);
        run->notes = notes;
    }
    free(line);
}

static parcast_status find_worlds(struct harvest *harvest, parcast_error *error)
{
    harvest->worlds = calloc(harvest->n_profiles + 1, sizeof *harvest->worlds);
    if (!harvest->worlds) return record_no_memory(error);
    for (size_t i = 0; i < harvest->n_profiles; i++) {
        const parcast_rank_profile *profile = &harvest->profiles[i];
        if (i == 0 || profile->world_id != harvest->profiles[i - 1].world_id)
            harvest->worlds[harvest->n_worlds++] =
                (struct world){profile->world_id, i, 0, profile->n_ranks, profile->spawned, 0};
        struct world *world = &harvest->worlds[harvest->n_worlds - 1];
        world->n++;
        /* A rank without room for its record knows only that there are at least as many as its number. */
        if (profile->n_ranks > world->n_ranks) world->n_ranks = profile->n_ranks;
        world->time_s = fmax(world->time_s, profile->time_s);
    }
    return PARCAST_OK;
}

/* Of several programs that a script starts, the one that took most of the time is the one under study. */
static void choose_main(struct harvest *harvest)
{
    for (size_t i = 0; i < harvest->n_worlds; i++) {
        const struct world *world = &harvest->worlds[i];
        if (world->spawned) continue;
        if (!harvest->main || world->time_s * world->n_ranks > harvest->main->time_s * harvest->main->n_ranks)
            harvest->main = world;
    }
    if (!harvest->main && harvest->n_worlds > 0) harvest->main = &harvest->worlds[0];
}

static parcast_status nothing_seen(const parcast_record_session *recording, parcast_error *error)
{
    const parcast_program *program = recording->request.program;
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "no MPI call of '%s' was seen", recording->request.name);
    if (recording->interrupted)
        parcast_error_hint(error, "it was stopped before it had called MPI_Init");
    else if (!program->library)
        parcast_error_hint(error,
                           "neither it nor what it starts is linked with a shared MPI library: it makes no "
                           "MPI call, or MPI is linked into it statically, or opened by dlopen with local "
                           "scope");
    else if (recording->exit_status != 0)
        parcast_error_hint(error, "it ended with status %d, probably before MPI_Init",
                           recording->exit_status);
    else
        parcast_error_hint(error,
                           "it is linked with %s but probably did not call MPI_Init, or cleared LD_PRELOAD",
                           program->library);
    return PARCAST_DATA;
}

static bool every_rank_is_alone(const struct harvest *harvest, int n_asked)
{
    size_t n_alone = 0;
    for (size_t i = 0; i < harvest->n_worlds; i++)
        n_alone += !harvest->worlds[i].spawned && harvest->worlds[i].n_ranks == 1;
    return n_asked > 1 && harvest->main->n_ranks == 1 && n_alone >= (size_t)n_asked;
}

static parcast_status does_not_fit(const parcast_record_session *recording, parcast_error *error)
{
    const parcast_program *program = recording->request.program;
    parcast_error_set(
        error, PARCAST_DATA, NULL, 0,
        "each of the %d processes was a world of its own: the launcher '%s' does not belong to the "
        "MPI library of '%s'",
        recording->request.n_ranks, recording->words[0], recording->request.name);
    if (program->library)
        parcast_error_hint(error, "the program uses %s: leave --mpiexec out, or give the launcher of %s",
                           program->library, parcast_mpi_family_name(program->family));
    return PARCAST_DATA;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of the scores of a node's cores: one that was disturbed does not count. */
static double median_calibration(const parcast_rank_profile *profiles, size_t n, int node)
{
    double *scores = calloc(n + 1, sizeof *scores), median = NAN;
    size_t n_scores = 0;
    if (!scores) return NAN;
    for (size_t i = 0; i < n; i++)
        if (profiles[i].node == node && profiles[i].calibration > 0)
            scores[n_scores++] = profiles[i].calibration;
    qsort(scores, n_scores, sizeof *scores, compare_doubles);
    if (n_scores > 0) median = (scores[(n_scores - 1) / 2] + scores[n_scores / 2]) / 2;
    free(scores);
    return median;
}

static const parcast_rank_profile *first_on_node(const parcast_run *run, size_t n_profiles, int node)
{
    for (size_t i = 0; i < n_profiles; i++)
        if (run->ranks[i].node == node) return &run->ranks[i];
    return NULL;
}

static parcast_status fill_node(parcast_run *run, size_t n_main, int number, const char *type,
                                parcast_error *error)
{
    parcast_run_node *node = &run->nodes[number];
    const parcast_rank_profile *profile = first_on_node(run, n_main, number);
    node->memory_bytes = node->calibration = NAN;
    if (type && record_copy(type, &node->type, error)) return PARCAST_MEMORY;
    if (!profile) return record_copy("(no data)", &node->name, error); /* all its ranks were lost */
    node->n_ranks = profile->node_ranks;
    node->cores = profile->node_cores;
    node->allowed_cores = profile->node_allowed_cores;
    node->sockets = profile->node_sockets;
    node->memory_bytes = profile->node_memory_bytes;
    node->calibration = median_calibration(run->ranks, n_main, number);
    return record_copy(profile->host[0] ? profile->host : "unknown", &node->name, error);
}

/* Spawned ranks count their nodes anew: find the node by its host, or add it. Room for all is there. */
static parcast_status place_spawned(parcast_run *run, size_t n_main, const char *type, parcast_error *error)
{
    for (size_t i = n_main; i < run->n_profiles; i++) {
        parcast_rank_profile *profile = &run->ranks[i];
        size_t at = 0;
        while (at < run->n_nodes && strcmp(run->nodes[at].name, profile->host) != 0) at++;
        profile->node = (int)at;
        if (at < run->n_nodes) continue;
        parcast_run_node *node = &run->nodes[run->n_nodes++];
        node->memory_bytes = profile->node_memory_bytes;
        node->calibration = profile->calibration;
        node->cores = profile->node_cores;
        node->allowed_cores = profile->node_allowed_cores;
        node->sockets = profile->node_sockets;
        if (record_copy(profile->host, &node->name, error)) return PARCAST_MEMORY;
        if (type && record_copy(type, &node->type, error)) return PARCAST_MEMORY;
    }
    return PARCAST_OK;
}

static parcast_status fill_nodes(parcast_run *run, size_t n_main, const char *type, parcast_error *error)
{
    int n_nodes = run->ranks[0].n_nodes;
    for (size_t i = 0; i < n_main; i++) {
        if (run->ranks[i].node < 0)
            return parcast_error_set(error, PARCAST_FORMAT, NULL, 0, "rank %d names no node",
                                     run->ranks[i].rank);
        if (run->ranks[i].node >= n_nodes) n_nodes = run->ranks[i].node + 1;
    }
    if (n_nodes < 1) n_nodes = 1;
    if (n_nodes > run->n_ranks)
        return parcast_error_set(error, PARCAST_FORMAT, NULL, 0, "%d ranks cannot be on %d nodes",
                                 run->n_ranks, n_nodes);
    run->nodes = calloc((size_t)n_nodes + run->n_profiles, sizeof *run->nodes);
    if (!run->nodes) return record_no_memory(error);
    parcast_status status = PARCAST_OK;
    for (int i = 0; i < n_nodes && !status; i++) {
        run->n_nodes++;
        status = fill_node(run, n_main, i, type, error);
    }
    run->n_nodes_used = n_nodes;
    return status ? status : place_spawned(run, n_main, type, error);
}

/* "6 ranks on 2 nodes: 4+2" */
static parcast_status describe_placement(parcast_run *run, parcast_error *error)
{
    size_t size = 0;
    FILE *text = open_memstream(&run->placement, &size);
    if (!text) return record_no_memory(error);
    fprintf(text, "%d rank%s on %d node%s", run->n_ranks, run->n_ranks == 1 ? "" : "s", run->n_nodes_used,
            run->n_nodes_used == 1 ? "" : "s");
    for (int i = 0; i < run->n_nodes_used && run->n_nodes_used > 1; i++)
        fprintf(text, "%s%d", i ? "+" : ": ", run->nodes[i].n_ranks);
    return fclose(text) == 0 ? PARCAST_OK : record_no_memory(error);
}

static void fill_times(parcast_run *run, size_t n_main)
{
    double compute = 0, mpi = 0;
    run->time_s = 0;
    run->complete = n_main == (size_t)run->n_ranks;
    for (size_t i = 0; i < n_main; i++) {
        const parcast_rank_profile *profile = &run->ranks[i];
        run->time_s = fmax(run->time_s, profile->time_s);
        compute += profile->compute_s;
        mpi += profile->mpi_s;
        run->complete = run->complete && profile->complete;
        run->oversubscribed = run->oversubscribed || profile->oversubscribed;
    }
    run->compute_s = compute / (double)n_main;
    run->mpi_s = mpi / (double)n_main;
}

static parcast_status copy_texts(const parcast_record_session *recording, parcast_run *run,
                                 parcast_error *error)
{
    const parcast_record_request *request = &recording->request;
    const parcast_rank_profile *first = &run->ranks[0];
    parcast_status status = record_copy(request->name, &run->program, error);
    run->arguments = calloc(request->n_arguments + 1, sizeof *run->arguments);
    if (!run->arguments) return record_no_memory(error);
    for (; run->n_arguments < request->n_arguments && !status; run->n_arguments++)
        status = record_copy(request->arguments[run->n_arguments], &run->arguments[run->n_arguments], error);
    if (!status) status = record_copy(recording->started_at, &run->started_at, error);
    if (!status &&
        asprintf(&run->mpi, "%s%s%s", first->mpi, first->mpi_version[0] ? " " : "", first->mpi_version) < 0) {
        run->mpi = NULL;
        status = record_no_memory(error);
    }
    return status;
}

/* The launcher's words up to the program, for people. */
static parcast_status copy_launcher(const parcast_record_session *recording, parcast_run *run,
                                    parcast_error *error)
{
    size_t size = 0;
    FILE *text = open_memstream(&run->launcher, &size);
    if (!text) return record_no_memory(error);
    for (char **word = recording->words; *word && strcmp(*word, recording->request.program->path) != 0;
         word++)
        fprintf(text, "%s%s", word == recording->words ? "" : " ", *word);
    return fclose(text) == 0 ? PARCAST_OK : record_no_memory(error);
}

/*
 * Hydra, the launcher of MPICH, ends with the number of the signal that ended a rank where a shell would say
 * 128 + signal. Ranks that a signal ended had no time to say so; those that called exit or MPI_Abort did.
 */
static int shell_status(const parcast_record_session *recording, const parcast_run *run, size_t n_main)
{
    static const int deadly[] = {SIGILL,  SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
                                 SIGKILL, SIGSEGV, SIGTERM, SIGXCPU};
    size_t n_lost = 0, n_told = 0;
    if (recording->request.launcher->family != PARCAST_MPI_MPICH) return recording->exit_status;
    for (size_t i = 0; i < n_main; i++) {
        n_lost += run->ranks[i].end == PARCAST_END_LOST;
        n_told += run->ranks[i].end == PARCAST_END_EXITED || run->ranks[i].end == PARCAST_END_ABORTED;
    }
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0] && n_lost > 0 && n_told == 0; i++)
        if (recording->exit_status == deadly[i]) return 128 + deadly[i];
    return recording->exit_status;
}

static void note_ends(parcast_run *run, size_t n_main, int interrupted)
{
    size_t ends[4] = {0};
    for (size_t i = 0; i < n_main; i++) ends[run->ranks[i].end]++;
    size_t n_silent = (size_t)run->n_ranks - n_main;
    if (interrupted) add_note(run, "stopped by signal %d: the data reach up to then", interrupted);
    if (n_silent) add_note(run, "%zu of %d ranks left no data", n_silent, run->n_ranks);
    if (ends[PARCAST_END_ABORTED])
        add_note(run, "ranks that called MPI_Abort: %zu", ends[PARCAST_END_ABORTED]);
    if (ends[PARCAST_END_EXITED])
        add_note(run, "ranks that ended without MPI_Finalize: %zu", ends[PARCAST_END_EXITED]);
    if (ends[PARCAST_END_LOST])
        add_note(run, "ranks that were killed or crashed: %zu; their data reach up to their last update",
                 ends[PARCAST_END_LOST]);
}

static void note_gaps(parcast_run *run)
{
    uint64_t sites = 0, peers = 0, collectives = 0, requests = 0;
    size_t n_uncounted = 0, n_unsaved = 0, n_threads = 0;
    for (size_t i = 0; i < run->n_profiles; i++) {
        const parcast_rank_profile *profile = &run->ranks[i];
        sites += profile->lost_sites;
        peers += profile->lost_peers;
        collectives += profile->lost_collectives;
        requests += profile->lost_requests;
        n_uncounted += profile->uncounted;
        n_unsaved += profile->unsaved;
        n_threads += profile->n_threads > 1;
    }
    if (n_uncounted) add_note(run, "the MPI library is not known: only the time was measured, no calls");
    if (n_unsaved)
        add_note(run, "ranks that could not keep their files up to date, because the disk was full: %zu",
                 n_unsaved);
    if (sites + peers + collectives + requests)
        add_note(run,
                 "tables were full: %llu call sites, %llu peers, %llu collectives, %llu requests are missing "
                 "in the "
                 "details (the calls themselves are counted)",
                 (unsigned long long)sites, (unsigned long long)peers, (unsigned long long)collectives,
                 (unsigned long long)requests);
    if (n_threads) add_note(run, "ranks that called MPI from several threads: %zu", n_threads);
}

static void note_circumstances(const parcast_record_session *recording, const struct harvest *harvest,
                               parcast_run *run, size_t n_others)
{
    int n_asked = recording->request.n_ranks;
    if (run->n_ranks != n_asked)
        add_note(run, "%d rank%s asked for, %d ran", n_asked, n_asked == 1 ? " was" : "s were", run->n_ranks);
    if (n_others > 0)
        add_note(run, "%zu MPI programs ran one after the other: the longest is kept", n_others + 1);
    if (run->n_profiles > harvest->main->n)
        add_note(run, "spawned ranks that are kept too, apart from the totals: %zu",
                 run->n_profiles - harvest->main->n);
    if (run->oversubscribed)
        add_note(run, "more ranks than cores: computing is CPU time, waiting includes waiting for a core");
    if (run->load_average > 0.5 * run->nodes[0].cores && run->nodes[0].cores > 0)
        add_note(run, "other programs were running: load average %.1f on %d cores before the start",
                 run->load_average, run->nodes[0].cores);
}

/* The profiles of the run and the worlds that it spawned move to it; the rest stays for release. */
static parcast_status take_profiles(struct harvest *harvest, parcast_run *run, size_t *n_others,
                                    parcast_error *error)
{
    const struct world *main = harvest->main;
    run->ranks = calloc(harvest->n_profiles, sizeof *run->ranks);
    if (!run->ranks) return record_no_memory(error);
    for (size_t i = 0; i < harvest->n_worlds + 1; i++) {
        const struct world *world = i == 0 ? main : &harvest->worlds[i - 1];
        if (i > 0 && world == main) continue;
        if (i > 0 && !world->spawned) {
            (*n_others)++;
            continue;
        }
        for (size_t k = world->first; k < world->first + world->n; k++) {
            run->ranks[run->n_profiles++] = harvest->profiles[k];
            memset(&harvest->profiles[k], 0, sizeof harvest->profiles[k]);
        }
    }
    return PARCAST_OK;
}

static parcast_status fill_run(const parcast_record_session *recording, struct harvest *harvest,
                               parcast_run *run, parcast_error *error)
{
    size_t n_main = harvest->main->n, n_others = 0;
    parcast_status status = take_profiles(harvest, run, &n_others, error);
    if (status) return status;
    run->source = PARCAST_RUN_RECORDED;
    run->n_ranks = harvest->main->n_ranks;
    run->wall_s = recording->wall_s;
    run->load_average = recording->load_average >= 0 ? recording->load_average : NAN;
    if (run->n_ranks < 1 || n_main > (size_t)run->n_ranks)
        return parcast_error_set(error, PARCAST_FORMAT, NULL, 0, "%zu files of %d ranks were found", n_main,
                                 run->n_ranks);
    fill_times(run, n_main);
    run->exit_status = shell_status(recording, run, n_main);
    status = copy_texts(recording, run, error);
    if (!status) status = copy_launcher(recording, run, error);
    if (!status) status = fill_nodes(run, n_main, recording->request.node_type, error);
    if (!status) status = describe_placement(run, error);
    if (status) return status;
    note_ends(run, n_main, recording->interrupted);
    note_circumstances(recording, harvest, run, n_others);
    note_gaps(run);
    return PARCAST_OK;
}

/* Whatever ran, the disk was too full for any of it. */
static bool nothing_was_kept(const struct harvest *harvest)
{
    const struct world *main = harvest->main;
    for (size_t k = main->first; k < main->first + main->n; k++)
        if (!harvest->profiles[k].unsaved || isfinite(harvest->profiles[k].time_s)) return false;
    return true;
}

static parcast_status make_run(const parcast_record_session *recording, struct harvest *harvest,
                               parcast_run *run, parcast_error *error)
{
    parcast_status status = find_worlds(harvest, error);
    if (status) return status;
    choose_main(harvest);
    if (!harvest->main) return nothing_seen(recording, error);
    if (nothing_was_kept(harvest))
        return parcast_error_set(error, PARCAST_IO, NULL, 0,
                                 "the disk is full: no rank of '%s' had room for its record",
                                 recording->request.name);
    if (every_rank_is_alone(harvest, recording->request.n_ranks)) return does_not_fit(recording, error);
    return fill_run(recording, harvest, run, error);
}

parcast_status parcast_record_collect(const parcast_record_session *recording, parcast_run *run,
                                      parcast_error *error)
{
    struct harvest harvest = {0};
    parcast_run made = {0};
    parcast_status status =
        parcast_raw_read_directory(recording->directory, &harvest.profiles, &harvest.n_profiles, error);
    if (!status) status = make_run(recording, &harvest, &made, error);
    parcast_profiles_destroy(&harvest.profiles, harvest.n_profiles);
    free(harvest.worlds);
    if (status)
        parcast_run_clear(&made);
    else
        *run = made;
    return status;
}
