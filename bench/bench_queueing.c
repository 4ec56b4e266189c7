/*
 * CPU time of the queueing solvers, as JSON: median of three runs of each job.
 *
 * bench_queueing                the table of jobs
 * bench_queueing network FILE   one network from a file, and its throughput: for comparisons in the same run
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "parcast/queueing.h"

enum { REPETITIONS = 3 };

struct job {
    const char *name;
    size_t n_classes, n_stations;
    int servers; /* of every other station */
    int population;
    parcast_solve_method method;
    double target_s; /* 0: none */
};

static const struct job jobs[] = {
    {"single servers, 9 stations by 65536", 1, 9, 1, 65536, PARCAST_SOLVE_EXACT, 0.002},
    {"single servers, 257 stations by 65536", 1, 257, 1, 65536, PARCAST_SOLVE_EXACT, 0.1},
    {"half 8-server, 17 stations by 1024", 1, 17, 8, 1024, PARCAST_SOLVE_EXACT, 0.001},
    {"half 8-server, 65 stations by 4096", 1, 65, 8, 4096, PARCAST_SOLVE_EXACT, 0},
    {"half 8-server, 257 stations by 1024", 1, 257, 8, 1024, PARCAST_SOLVE_EXACT, 0.01},
    {"half 8-server, 257 stations by 4096", 1, 257, 8, 4096, PARCAST_SOLVE_EXACT, 0.05},
    {"half 8-server, 257 stations by 65536", 1, 257, 8, 65536, PARCAST_SOLVE_EXACT, 1},
    {"two classes of 64, 9 stations", 2, 9, 1, 64, PARCAST_SOLVE_EXACT, 0.001},
    {"three classes of 16, 9 stations", 3, 9, 1, 16, PARCAST_SOLVE_EXACT, 0.001},
    {"three classes of 16, half 4-server", 3, 9, 4, 16, PARCAST_SOLVE_EXACT, 0},
    {"schweitzer, 128 classes by 257 stations", 128, 257, 1, 8, PARCAST_SOLVE_SCHWEITZER, 0.05},
    {"linearizer, 8 classes by 17 stations", 8, 17, 1, 16, PARCAST_SOLVE_LINEARIZER, 0},
};

/* Demands spread over a factor of two, no two alike; multi-server stations get as much load per server. */
static parcast_network *make_network(const struct job *job)
{
    parcast_network *network = NULL;
    if (parcast_network_create(job->n_classes, job->n_stations, &network, NULL)) return NULL;
    for (size_t r = 0; r < job->n_classes; r++) network->population[r] = job->population;
    for (size_t k = 0; k < job->n_stations; k++) {
        int servers = k % 2 == 1 ? job->servers : 1;
        network->servers[k] = servers;
        for (size_t r = 0; r < job->n_classes; r++)
            network->service_s[r * job->n_stations + k] =
                servers * (1 + (double)((37 * k + 11 * r) % 101) / 101.0);
    }
    return network;
}

static double median_time(const parcast_network *network, parcast_solve_method method,
                          double *throughput_per_s)
{
    double times[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
        parcast_solution *solution = NULL;
        parcast_error error = {0};
        double begin = cpu_s();
        if (parcast_network_solve(network, method, NULL, &solution, &error)) {
            fprintf(stderr, "bench_queueing: %s\n", error.text);
            exit(1);
        }
        times[i] = cpu_s() - begin;
        *throughput_per_s = solution->throughput_per_s[0];
        parcast_solution_destroy(&solution);
    }
    return median(times, REPETITIONS);
}

/* A cluster of n_types types of 16 nodes of 8 cores, 12 jobs each: CPU and TX private, RX shared, one switch.
 */
static parcast_node_network *make_cluster(size_t n_types)
{
    parcast_node_network *network = NULL;
    if (parcast_nodes_create(n_types, 2, 1, 1, &network, NULL)) return NULL;
    for (size_t t = 0; t < n_types; t++) {
        network->nodes[t] = 16;
        network->jobs[t] = 12;
        network->servers[2 * t] = 8;
        network->time_s[parcast_nodes_delay(network, t)] = 1e-3;
        network->time_s[parcast_nodes_private(network, t, 0)] = 1 + 0.1 * (double)t;
        network->time_s[parcast_nodes_private(network, t, 1)] = 0.05;
        network->time_s[parcast_nodes_global(network, t, 0)] = 0.0004;
        network->time_s[parcast_nodes_same(network, t, 0)] = 0.05 / 16 / (double)n_types;
        for (size_t u = 0; u < n_types; u++)
            if (u != t) network->time_s[parcast_nodes_other(network, t, u, 0)] = 0.05 / 16 / (double)n_types;
    }
    return network;
}

static int time_cluster(size_t n_types, parcast_solve_method method, bool with_gradient)
{
    enum { SOLUTIONS = 50 };
    parcast_node_network *network = make_cluster(n_types);
    if (!network) return 1;
    double begin = cpu_s(), cycle_s = 0;
    for (int i = 0; i < SOLUTIONS; i++) {
        parcast_node_solution *solution = NULL;
        if (parcast_nodes_solve(network, method, with_gradient, &solution, NULL)) return 1;
        cycle_s = solution->cycle_s[0];
        parcast_node_solution_destroy(&solution);
    }
    printf(" {\"job\": \"cluster of %zu types, %s%s\", \"cpu_s\": %.6f, \"target_s\": 0.001, \"cycle_s\": "
           "%.12g},\n",
           n_types, parcast_solve_method_name(method), with_gradient ? " with gradient" : "",
           (cpu_s() - begin) / SOLUTIONS, cycle_s);
    parcast_nodes_destroy(&network);
    return 0;
}

static int run_clusters(void)
{
    for (size_t n_types = 1; n_types <= 8; n_types *= 2) {
        if (time_cluster(n_types, PARCAST_SOLVE_SCHWEITZER, false)) return 1;
        if (time_cluster(n_types, PARCAST_SOLVE_LINEARIZER, false)) return 1;
        if (time_cluster(n_types, PARCAST_SOLVE_LINEARIZER, true)) return 1;
    }
    return 0;
}

static int run_jobs(void)
{
    printf("{\"schema\": \"parcast.bench/1\", \"bench\": \"queueing\", \"jobs\": [\n");
    if (run_clusters()) return 1;
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        double throughput_per_s = 0;
        parcast_network *network = make_network(&jobs[i]);
        if (!network) return 1;
        double time_s = median_time(network, jobs[i].method, &throughput_per_s);
        parcast_network_destroy(&network);
        printf(" {\"job\": \"%s\", \"cpu_s\": %.6f, \"target_s\": %g, \"throughput_per_s\": %.12g}%s\n",
               jobs[i].name, time_s, jobs[i].target_s, throughput_per_s,
               i + 1 < sizeof jobs / sizeof jobs[0] ? "," : "");
        fflush(stdout);
    }
    printf("]}\n");
    return 0;
}

static int run_network(const char *path)
{
    parcast_network *network = NULL;
    parcast_error error = {0};
    if (parcast_network_read(path, &network, &error)) {
        fprintf(stderr, "bench_queueing: %s\n", error.text);
        return 1;
    }
    double throughput_per_s = 0, time_s = median_time(network, PARCAST_SOLVE_EXACT, &throughput_per_s);
    parcast_network_destroy(&network);
    printf("{\"cpu_s\": %.9g, \"throughput_per_s\": %.17g}\n", time_s, throughput_per_s);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 1) return run_jobs();
    if (argc == 3 && strcmp(argv[1], "network") == 0) return run_network(argv[2]);
    fprintf(stderr, "usage: bench_queueing [network FILE]\n");
    return 2;
}
