/*
 * Speed of the LogGOPS replay, as JSON: events per CPU second, peak memory of the process after each load.
 *
 * bench_loggops             every load, built by calls: what is timed is the simulation
 * bench_loggops LOAD        one of them, by its name
 * bench_loggops text FILE   a GOAL file: reading and simulating timed apart
 * bench_loggops --path ...  the same, and the critical path followed
 *
 * events = computations + sends + receives + messages. LogGOPSim 2023-12 on the same kind of core, for the
 * loads of the same shape: 5.1 M/s ring, 3.6 M/s halo, 4.5 M/s allreduce at 64 ranks; 1.4 M/s dissemination
 * at 65536; all-to-all 605 k/s at 64 ranks, 15.8 k/s at 512.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "parcast/replay.h"

static const parcast_loggops machine = {
    .L_s = 2.5e-6, .o_s = 1.5e-6, .g_s = 1e-6, .G_s_per_byte = 6e-9, .S_bytes = 65535};

static parcast_replay_options options; /* --path */

static void fail(const parcast_error *error)
{
    fprintf(stderr, "bench_loggops: %s\n", error->text);
    exit(1);
}

static uint64_t add(parcast_goal *goal, parcast_goal_kind kind, int64_t amount, int peer, int tag)
{
    parcast_goal_operation operation = {.kind = kind, .amount = amount, .peer = peer, .tag = tag};
    parcast_error error = {0};
    uint64_t number = 0;
    if (parcast_goal_add(goal, &operation, &number, &error)) fail(&error);
    return number;
}

static void require(parcast_goal *goal, uint64_t later, uint64_t earlier)
{
    parcast_error error = {0};
    if (parcast_goal_require(goal, later, earlier, false, &error)) fail(&error);
}

/* A token goes round: receive, compute, send. */
static void ring(parcast_goal *goal, int n, int rank, int rounds)
{
    uint64_t last = 0;
    for (int i = 0; i < rounds; i++) {
        uint64_t calc = 0, sent = 0;
        if (rank == 0 && i == 0) {
            calc = add(goal, PARCAST_GOAL_COMPUTE, 500, 0, 0);
        } else {
            uint64_t received = add(goal, PARCAST_GOAL_RECEIVE, 1024, (rank + n - 1) % n, 0);
            if (i > 0) require(goal, received, last);
            calc = add(goal, PARCAST_GOAL_COMPUTE, 500, 0, 0);
            require(goal, calc, received);
        }
        if (rank == n - 1 && i == rounds - 1) return;
        sent = add(goal, PARCAST_GOAL_SEND, 1024, (rank + 1) % n, 0);
        require(goal, sent, calc);
        last = sent;
    }
}

static int grid_width(int n)
{
    int px = 1;
    for (int d = 1; d * d <= n; d++)
        if (n % d == 0) px = d;
    return px;
}

/* Computations differ from rank to rank and from step to step, as they do in programs. */
static void halo(parcast_goal *goal, int n, int rank, int rounds)
{
    int px = grid_width(n), py = n / px, x = rank % px, y = rank / px;
    int neighbour[4] = {y * px + (x + 1) % px, y * px + (x + px - 1) % px, (y + 1) % py * px + x,
                        (y + py - 1) % py * px + x};
    uint64_t before[8] = {0};
    for (int i = 0; i < rounds; i++) {
        uint64_t calc = add(goal, PARCAST_GOAL_COMPUTE, 20000 + (rank * 7919 + i * 104729) % 2000, 0, 0);
        for (int k = 0; k < 8 && i > 0; k++) require(goal, calc, before[k]);
        for (int k = 0; k < 4; k++) before[k] = add(goal, PARCAST_GOAL_RECEIVE, 2048, neighbour[k ^ 1], k);
        for (int k = 0; k < 4; k++) before[4 + k] = add(goal, PARCAST_GOAL_SEND, 2048, neighbour[k], k);
        for (int k = 0; k < 8; k++) require(goal, before[k], calc);
    }
}

/* Each rank sends to ranks far and near, differently many bytes; message k of a step of rank r goes to a rank
   that can tell where it comes from: r xor a mask of the step, on a power of two. */
static void random_sparse(parcast_goal *goal, int n, int rank, int rounds)
{
    enum { MESSAGES = 4 };
    uint64_t before[MESSAGES][2] = {0};
    for (int i = 0; i < rounds; i++) {
        uint64_t calc = add(goal, PARCAST_GOAL_COMPUTE, 5000 + (rank * 7919 + i * 104729) % 30000, 0, 0);
        for (int k = 0; k < 2 * MESSAGES && i > 0; k++) require(goal, calc, before[k / 2][k % 2]);
        for (int k = 0; k < MESSAGES; k++) {
            unsigned mask = ((unsigned)(i * MESSAGES + k + 1) * 2654435761U >> 7) % (unsigned)(n - 1) + 1;
            int peer = rank ^ (int)mask;
            before[k][0] = add(goal, PARCAST_GOAL_RECEIVE, 1 + 7 * k, peer, k);
            before[k][1] = add(goal, PARCAST_GOAL_SEND, 64 + (rank ^ i) % 4096, peer, k);
            require(goal, before[k][0], calc);
            require(goal, before[k][1], calc);
        }
    }
}

/* Many outstanding receives from anyone: each rank posts them at once and sends as many to its neighbours'
 * neighbours. */
static void burst(parcast_goal *goal, int n, int rank, int rounds)
{
    enum { MESSAGES = 64 };
    uint64_t before[MESSAGES][2] = {0};
    for (int i = 0; i < rounds; i++) {
        uint64_t calc = add(goal, PARCAST_GOAL_COMPUTE, 1000 + (rank * 7919 + i * 104729) % 20000, 0, 0);
        for (int k = 0; k < 2 * MESSAGES && i > 0; k++) require(goal, calc, before[k / 2][k % 2]);
        for (int k = 0; k < MESSAGES; k++) {
            before[k][0] = add(goal, PARCAST_GOAL_RECEIVE, 512, -1, k % 2 ? -1 : 0);
            before[k][1] = add(goal, PARCAST_GOAL_SEND, 512, (rank + 1 + k) % n, 0);
            require(goal, before[k][0], calc);
            require(goal, before[k][1], calc);
        }
    }
}

/* Recursive doubling; the ranks are a power of two. */
static void allreduce(parcast_goal *goal, int n, int rank, int rounds)
{
    uint64_t before[2] = {0};
    for (int i = 0, first = 1; i < rounds; i++)
        for (int distance = 1; distance < n; distance *= 2, first = 0) {
            uint64_t now[2] = {add(goal, PARCAST_GOAL_SEND, 1024, rank ^ distance, 0),
                               add(goal, PARCAST_GOAL_RECEIVE, 1024, rank ^ distance, 0)};
            for (int k = 0; k < 4 && !first; k++) require(goal, now[k / 2], before[k % 2]);
            memcpy(before, now, sizeof now);
        }
}

static void dissemination(parcast_goal *goal, int n, int rank, int rounds)
{
    uint64_t before[2] = {0};
    for (int i = 0, first = 1; i < rounds; i++)
        for (int distance = 1; distance < n; distance *= 2, first = 0) {
            uint64_t now[2] = {add(goal, PARCAST_GOAL_SEND, 64, (rank + distance) % n, 0),
                               add(goal, PARCAST_GOAL_RECEIVE, 64, (rank + n - distance % n) % n, 0)};
            for (int k = 0; k < 4 && !first; k++) require(goal, now[k / 2], before[k % 2]);
            memcpy(before, now, sizeof now);
        }
}

static void alltoall(parcast_goal *goal, int n, int rank, int rounds)
{
    (void)rounds;
    for (int i = 1; i < n; i++) {
        add(goal, PARCAST_GOAL_SEND, 1024, (rank + i) % n, 0);
        add(goal, PARCAST_GOAL_RECEIVE, 1024, (rank + n - i) % n, 0);
    }
}

static const struct load {
    const char *name;
    void (*rank)(parcast_goal *, int, int, int);
    int n_ranks, rounds;
    double target; /* events/s */
} loads[] = {
    {"ring 64 x 1000", ring, 64, 1000, 5e6},
    {"halo 16 x 4000", halo, 16, 4000, 5e6},
    {"halo 64 x 1000", halo, 64, 1000, 5e6},
    {"halo 256 x 1000", halo, 256, 1000, 5e6},
    {"halo 1024 x 50", halo, 1024, 50, 2.7e6},
    {"halo 4096 x 10", halo, 4096, 10, 1.7e6},
    {"allreduce 64 x 1000", allreduce, 64, 1000, 5e6},
    {"allreduce 256 x 200", allreduce, 256, 200, 5e6},
    {"all-to-all 64", alltoall, 64, 1, 1e6},
    {"all-to-all 512", alltoall, 512, 1, 1e6},
    {"all-to-all 1024", alltoall, 1024, 1, 1e6},
    {"dissemination 65536", dissemination, 65536, 1, 2e6},
    {"halo 65536 x 5", halo, 65536, 5, 2e6},
    {"random 256 x 500", random_sparse, 256, 500, 5e6},
    {"random 65536 x 5", random_sparse, 65536, 5, 2e6},
    {"burst 128 x 50", burst, 128, 50, 5e6},
    {"halo 64 x 20000", halo, 64, 20000, 5e6},
};

static parcast_goal *build(const struct load *load)
{
    parcast_error error = {0};
    parcast_goal *goal = NULL;
    if (parcast_goal_create(load->n_ranks, &goal, &error)) fail(&error);
    for (int r = 0; r < load->n_ranks; r++) {
        if (parcast_goal_begin(goal, r, &error)) fail(&error);
        load->rank(goal, load->n_ranks, r, load->rounds);
    }
    if (parcast_goal_finish(goal, &error)) fail(&error);
    return goal;
}

static void print_run(const char *name, const parcast_goal *goal, double read_s, double target,
                      const char *end)
{
    parcast_error error = {0};
    parcast_replay_result *result = NULL;
    double begin = cpu_s();
    if (parcast_replay_goal_with(goal, &machine, &options, &result, &error)) fail(&error);
    double took = cpu_s() - begin, per_s = (double)result->n_events / took;
    printf(
        "    {\"load\": \"%s\", \"events\": %llu, \"simulated_s\": %.9f, \"read_s\": %.4f, \"cpu_s\": %.4f, "
        "\"events_per_s\": %.0f, \"target_events_per_s\": %.0f, \"met\": %s, \"peak_memory_bytes\": "
        "%llu}%s\n",
        name, (unsigned long long)result->n_events, result->time_s, read_s, took, per_s, target,
        per_s >= target ? "true" : "false", (unsigned long long)result->peak_memory_bytes, end);
    parcast_replay_result_destroy(&result);
}

static void run_load(const struct load *load, const char *end)
{
    double begin = cpu_s();
    parcast_goal *goal = build(load);
    print_run(load->name, goal, cpu_s() - begin, load->target, end);
    parcast_goal_destroy(&goal);
}

static void run_text(const char *path)
{
    parcast_error error = {0};
    parcast_goal *goal = NULL;
    double begin = cpu_s();
    if (parcast_goal_load(path, &goal, &error)) fail(&error);
    print_run(path, goal, cpu_s() - begin, 0, "");
    parcast_goal_destroy(&goal);
}

int main(int argc, char **argv)
{
    size_t n = sizeof loads / sizeof loads[0];
    options.critical_path = argc > 1 && strcmp(argv[1], "--path") == 0;
    argc -= options.critical_path;
    argv += options.critical_path;
    bool text = argc == 3 && strcmp(argv[1], "text") == 0;
    if (argc > 3 || (argc == 3 && !text)) {
        fprintf(stderr, "usage: bench_loggops [--path] [LOAD | text FILE]\n");
        return 2;
    }
    printf("{\"schema\": \"parcast.bench/1\", \"what\": \"LogGOPS replay\", \"runs\": [\n");
    if (text) run_text(argv[2]);
    for (size_t i = 0; i < n && !text; i++)
        if (argc == 1 || strcmp(argv[1], loads[i].name) == 0)
            run_load(&loads[i], argc == 1 && i + 1 < n ? "," : "");
    printf("]}\n");
    return 0;
}
