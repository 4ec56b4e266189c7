/*
 * Any bytes are refused with a reason, or are a study whose runs can be listed and read. Bytes that do not
 * begin as an SQLite file are changes to a sound study: four bytes each, three for the place, one for the
 * value.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "study/internal.h"

static void require(int condition)
{
    if (!condition) abort();
}

/* What the commands do with a run must not trust it either. */
static void sum_up(const parcast_run *run)
{
    parcast_messages messages;
    parcast_profile_call *calls = NULL;
    parcast_profile_site *sites = NULL;
    parcast_profile_sizes *sizes = NULL;
    parcast_profile_collective *collectives = NULL;
    size_t n = 0;
    parcast_run_messages(run, &messages);
    require(parcast_run_calls(run, &calls, &n, NULL) == PARCAST_OK);
    require(parcast_run_sites(run, &sites, &n, NULL) == PARCAST_OK);
    require(parcast_run_sizes(run, &sizes, &n, NULL) == PARCAST_OK);
    require(parcast_run_collectives(run, &collectives, &n, NULL) == PARCAST_OK);
    free(calls);
    free(sites);
    free(sizes);
    free(collectives);
}

static void check_run(const parcast_run *run)
{
    require(run->program != NULL && run->n_ranks >= 0);
    for (size_t i = 0; i < run->n_arguments; i++) require(run->arguments[i] != NULL);
    for (size_t i = 0; i < run->n_nodes; i++) require(run->nodes[i].name != NULL);
    for (size_t i = 0; i < run->n_profiles; i++) {
        const parcast_rank_profile *profile = &run->ranks[i];
        require(profile->node >= 0 && (size_t)profile->node < run->n_nodes);
        require(profile->end >= PARCAST_END_FINALIZED && profile->end <= PARCAST_END_LOST);
        for (size_t k = 0; k < profile->n_sizes; k++)
            require(profile->sizes[k].bin >= 0 && profile->sizes[k].bin < PARCAST_SIZE_BINS);
    }
    sum_up(run);
}

static void read_runs(parcast_study *study, const parcast_run_list *list)
{
    for (size_t i = 0; i < list->n_runs && i < 16; i++) {
        parcast_run *run = NULL;
        parcast_error error = {0};
        if (parcast_study_run(study, list->runs[i].id, &run, &error) == PARCAST_OK)
            check_run(run);
        else
            require(!run && error.text[0]);
        parcast_run_destroy(&run);
    }
}

static void read_results(parcast_study *study, int64_t problem_id)
{
    char *json = NULL;
    double value = 0;
    parcast_study_latest_result(study, problem_id, "parcast.forecast/1", &json, NULL);
    parcast_study_constant(study, problem_id, "model", "work_s", &value, NULL);
    free(json);
}

static void add_sound_run(parcast_study *study, const char *program)
{
    char text[] = "text";
    char *arguments[] = {text, text};
    parcast_profile_call call = {.name = "MPI_Send", .count = 2, .time_s = 0.5};
    parcast_profile_sizes sizes = {.bin = 11, .count = 2, .bytes = 3000};
    parcast_profile_collective collective = {.name = "MPI_Bcast", .n_ranks = 2, .count = 1};
    parcast_profile_peer peer = {.rank = 1, .count = 2, .bytes = 3000};
    parcast_profile_site site = {.name = "MPI_Send", .module = text, .count = 2};
    parcast_profile_phase phase = {.level = 1, .count = 1, .time_s = 1};
    double window_s = 0.25;
    parcast_rank_profile ranks[2] = {{.rank = 0, .n_ranks = 2, .complete = true, .time_s = 1}, {.rank = 1}};
    ranks[0].calls = &call;
    ranks[0].sizes = &sizes;
    ranks[0].collectives = &collective;
    ranks[0].peers = &peer;
    ranks[0].sites = &site;
    ranks[0].phases = &phase;
    ranks[0].windows_s = &window_s;
    ranks[0].n_calls = ranks[0].n_sizes = ranks[0].n_collectives = ranks[0].n_peers = 1;
    ranks[0].n_sites = ranks[0].n_phases = ranks[0].n_windows = 1;
    parcast_run_node node = {.name = text, .n_ranks = 2, .cores = 2};
    parcast_run run = {.program = (char *)program, .arguments = arguments, .n_arguments = 2, .n_ranks = 2};
    run.nodes = &node;
    run.n_nodes = 1;
    run.ranks = ranks;
    run.n_profiles = 2;
    run.complete = true;
    require(parcast_study_add_run(study, &run, NULL) == PARCAST_OK);
    require(parcast_study_add_result(study, run.problem_id, "parcast.forecast/1", "{}", NULL) == PARCAST_OK);
    require(parcast_study_set_constant(study, run.problem_id, "model", "work_s", 1, NULL) == PARCAST_OK);
}

/* The bytes of a sound study, made once. */
static const uint8_t *sound_study(size_t *size)
{
    static uint8_t bytes[1 << 18];
    static size_t n_bytes;
    if (n_bytes == 0) {
        char path[] = "/tmp/parcast-fuzz-XXXXXX";
        parcast_study *study = NULL;
        int fd = mkstemp(path);
        require(fd >= 0 && parcast_study_open(path, PARCAST_STUDY_WRITE, &study, NULL) == PARCAST_OK);
        add_sound_run(study, "one");
        add_sound_run(study, "two");
        parcast_study_close(&study);
        ssize_t n = read(fd, bytes, sizeof bytes);
        require(n > 0 && n < (ssize_t)sizeof bytes);
        n_bytes = (size_t)n;
        close(fd);
        unlink(path);
    }
    *size = n_bytes;
    return bytes;
}

static void try_bytes(const uint8_t *data, size_t size)
{
    parcast_study *study = NULL;
    parcast_run_list list = {0};
    parcast_error error = {0};
    int64_t problem_id = 0;
    if (study_open_bytes(data, size, &study, &error) != PARCAST_OK) {
        require(!study && error.text[0]);
        return;
    }
    if (parcast_study_list(study, 0, &list, &error) == PARCAST_OK)
        read_runs(study, &list);
    else
        require(error.text[0]);
    if (parcast_study_latest_problem(study, &problem_id, NULL) == PARCAST_OK) read_results(study, problem_id);
    parcast_run_list_clear(&list);
    parcast_study_close(&study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char magic[] = "SQLite format 3";
    if (size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0) {
        try_bytes(data, size);
        return 0;
    }
    size_t n_bytes = 0;
    const uint8_t *sound = sound_study(&n_bytes);
    uint8_t *changed = malloc(n_bytes);
    require(changed != NULL);
    memcpy(changed, sound, n_bytes);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        size_t place = data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
        changed[place % n_bytes] = data[i + 3];
    }
    try_bytes(changed, n_bytes);
    free(changed);
    return 0;
}
