#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *copy(const char *text)
{
    char *result = strdup(text);
    if (!result) abort();
    return result;
}

static void *zeroed(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (!memory) abort();
    return memory;
}

static void add_call(parcast_rank_profile *rank, const char *name, uint64_t count, double time_s,
                     double wait_s, uint64_t bytes)
{
    parcast_profile_call *call = &rank->calls[rank->n_calls++];
    snprintf(call->name, sizeof call->name, "%s", name);
    call->count = count;
    call->time_s = time_s;
    call->wait_s = wait_s;
    call->bytes = bytes;
}

static void fill_rank(parcast_rank_profile *rank, int number, const parcast_run *run)
{
    rank->rank = number;
    rank->n_ranks = run->n_ranks;
    rank->node = number % 2 && run->n_nodes > 1;
    rank->complete = true;
    rank->time_s = run->time_s;
    rank->mpi_s = run->n_ranks == 1 ? 0.01 : 0.12 * run->time_s * (1 + 0.3 * sin(number));
    rank->wait_s = 0.4 * rank->mpi_s;
    rank->compute_wall_s = rank->time_s - rank->mpi_s;
    rank->compute_s = run->oversubscribed ? 0.9 * rank->compute_wall_s : rank->compute_wall_s;
    rank->peak_memory_bytes = 48e6 / run->n_ranks + 2e6;
    rank->calls = zeroed(4, sizeof *rank->calls);
    add_call(rank, "MPI_Allreduce", 400, 0.3 * rank->mpi_s, 0.2 * rank->mpi_s, 3200);
    add_call(rank, "MPI_Finalize", 1, 0.001, 0, 0);
    add_call(rank, "MPI_Init", 1, 0.02, 0, 0);
    add_call(rank, "MPI_Sendrecv", 1000, 0.7 * rank->mpi_s, 0.2 * rank->mpi_s, 64000000);
    if (run->n_ranks == 1) return;
    rank->peers = zeroed(2, sizeof *rank->peers);
    rank->n_peers = run->n_ranks > 2 ? 2 : 1;
    for (size_t i = 0; i < rank->n_peers; i++) {
        int to = (number + (i ? run->n_ranks - 1 : 1)) % run->n_ranks;
        rank->peers[i] =
            (parcast_profile_peer){.rank = to,
                                   .count = 1000,
                                   .bytes = 64000000 - (uint64_t)i * 24000000,
                                   .reach = (to + number) % 2 && run->n_nodes > 1 ? PARCAST_REACH_OTHER_NODE
                                                                                  : PARCAST_REACH_SAME_NODE};
    }
}

static void fill_run(parcast_run *run, int64_t id, int n_ranks)
{
    *run = (parcast_run){
        .id = id, .problem_id = 1, .source = PARCAST_RUN_RECORDED, .n_ranks = n_ranks, .complete = true};
    run->program = copy("lmp");
    run->n_arguments = 2;
    run->arguments = zeroed(2, sizeof *run->arguments);
    run->arguments[0] = copy("-in");
    run->arguments[1] = copy("in.lj");
    run->started_at = copy("2026-11-20T12:00:00Z");
    run->mpi = copy("Open MPI 4.1.4");
    run->n_nodes = run->n_nodes_used = n_ranks > 8 ? 2 : 1;
    run->nodes = zeroed(run->n_nodes, sizeof *run->nodes);
    for (size_t i = 0; i < run->n_nodes; i++)
        run->nodes[i] = (parcast_run_node){.name = copy(i ? "node1" : "node0"), .n_ranks = n_ranks};
    run->oversubscribed = n_ranks == 4;
    run->time_s = 78.0 / n_ranks + 1.1 + (n_ranks > 1 ? 0.6 : 0);
    run->compute_s = 0.9 * run->time_s;
    run->mpi_s = 0.1 * run->time_s;
    run->n_profiles = (size_t)n_ranks;
    run->ranks = zeroed(run->n_profiles, sizeof *run->ranks);
    for (int i = 0; i < n_ranks; i++) fill_rank(&run->ranks[i], i, run);
}

void fixture_record(struct fixture *fixture, const int *sizes, size_t n_sizes)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->content.study = "lmp.parcast";
    fixture->content.runs = fixture->runs;
    fixture->content.forecasts = (const char *const *)fixture->forecasts;
    for (size_t i = 0; i < n_sizes; i++)
        fill_run(&fixture->runs[fixture->content.n_runs++], (int64_t)i + 1, sizes[i]);
}

void fixture_import(struct fixture *fixture, int processes, double time_s)
{
    parcast_run *run = &fixture->runs[fixture->content.n_runs];
    *run = (parcast_run){.id = (int64_t)++fixture->content.n_runs,
                         .source = PARCAST_RUN_IMPORTED,
                         .n_ranks = processes,
                         .complete = true};
    run->program = copy("cfd");
    run->n_nodes_used = (processes + 15) / 16;
    run->time_s = time_s;
    run->compute_s = run->mpi_s = run->wall_s = run->load_average = NAN;
}

void fixture_forecast_text(struct fixture *fixture, const char *json)
{
    fixture->forecasts[fixture->content.n_forecasts++] = copy(json);
}

void fixture_forecast_file(struct fixture *fixture, const char *name)
{
    char path[512], text[65536];
    snprintf(path, sizeof path, TEST_DATA "/%s", name);
    FILE *file = fopen(path, "r");
    if (!file) abort();
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    fixture_forecast_text(fixture, text);
}

static void rename_text(char **text, const char *name)
{
    free(*text);
    *text = copy(name);
}

void fixture_rename(struct fixture *fixture, const char *name)
{
    for (size_t i = 0; i < fixture->content.n_runs; i++) {
        parcast_run *run = &fixture->runs[i];
        rename_text(&run->program, name);
        rename_text(&run->mpi, name);
        for (size_t j = 0; j < run->n_arguments; j++) rename_text(&run->arguments[j], name);
        for (size_t j = 0; j < run->n_nodes; j++) rename_text(&run->nodes[j].name, name);
        for (size_t j = 0; j < run->n_profiles; j++)
            for (size_t k = 0; k < run->ranks[j].n_calls; k++)
                snprintf(run->ranks[j].calls[k].name, sizeof run->ranks[j].calls[k].name, "%zu%s", k, name);
    }
}

static void free_run(parcast_run *run)
{
    for (size_t i = 0; i < run->n_arguments; i++) free(run->arguments[i]);
    for (size_t i = 0; i < run->n_nodes; i++) free(run->nodes[i].name);
    for (size_t i = 0; i < run->n_profiles; i++) {
        free(run->ranks[i].calls);
        free(run->ranks[i].peers);
    }
    free(run->arguments);
    free(run->nodes);
    free(run->ranks);
    free(run->program);
    free(run->mpi);
    free(run->started_at);
}

void fixture_free(struct fixture *fixture)
{
    for (size_t i = 0; i < fixture->content.n_runs; i++) free_run(&fixture->runs[i]);
    for (size_t i = 0; i < fixture->content.n_forecasts; i++) free(fixture->forecasts[i]);
    memset(fixture, 0, sizeof *fixture);
}

char *fixture_page(const struct fixture *fixture)
{
    char *html = NULL;
    size_t length = 0;
    parcast_error error;
    parcast_status status = parcast_report_html(&fixture->content, &html, &length, &error);
    if (status != PARCAST_OK) fail_msg("%s", error.text);
    assert_int_equal(strlen(html), length);
    return html;
}
