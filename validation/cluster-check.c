/*
 * cluster-check NODES LATENCY_NS: is the emulated cluster what it was to be? One rank on every core.
 *
 * NODES is the table of validation/cluster: number name cores speed bit/s address pid. Measured are, by MPI
 * alone: the ranks that share a node, the speed of every node (CPU time against MPI_Wtime), and ping-pong
 * from every node to the one with the fastest link. Exit status 1 when something is outside its tolerance.
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_NODES = 16,
    NAME_BYTES = 64,
    SMALL = 1,
    LARGE = 1 << 20,
    MIDDLE = 1 << 16,
    LARGE_TRIPS = 5,
    SMALL_TRIPS = 201
};

/* TCP over Ethernet carries 94 % of a link's rate; less is lost to the token bucket, more is no shaping. */
#define SPEED_TOLERANCE 0.05
#define RATE_LOW        0.80
#define RATE_HIGH       1.00
#define LATENCY_SLACK_S 500e-6

struct node {
    char name[NAME_BYTES];
    int cores, ranks, leader;
    double speed, link_bit_per_s, measured_speed;
};

struct link {
    double latency_s, rate_64k, rate_1m;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void burn(double seconds)
{
    volatile double x = 1;
    for (double end_s = cpu_s() + seconds; cpu_s() < end_s;)
        for (int i = 0; i < 1000; i++) x = x * 0.999 + 0.001;
}

/* CPU seconds per second that MPI_Wtime shows. */
static double measure_speed(void)
{
    enum { PIECES = 9 };
    double ratio[PIECES];
    for (int i = 0; i < PIECES; i++) {
        double start_s = MPI_Wtime(), start_cpu_s = cpu_s();
        burn(0.005);
        double used_s = cpu_s() - start_cpu_s;
        ratio[i] = used_s / (MPI_Wtime() - start_s);
    }
    return median(ratio, PIECES);
}

/* Half a round trip, median; both sides call it. */
static double ping_pong(int peer, bool first, char *buffer, int bytes, int trips)
{
    double time_s[SMALL_TRIPS];
    for (int i = 0; i < trips; i++) {
        double start_s = MPI_Wtime();
        if (first) MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!first) MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
        time_s[i] = (MPI_Wtime() - start_s) / 2;
    }
    return median(time_s, trips);
}

static struct link measure_link(int peer, bool first, char *buffer)
{
    ping_pong(peer, first, buffer, SMALL, 20); /* opens the connection */
    struct link link = {.latency_s = ping_pong(peer, first, buffer, SMALL, SMALL_TRIPS)};
    link.rate_64k = 8.0 * MIDDLE / ping_pong(peer, first, buffer, MIDDLE, 2 * LARGE_TRIPS + 1);
    link.rate_1m = 8.0 * LARGE / ping_pong(peer, first, buffer, LARGE, LARGE_TRIPS);
    return link;
}

static int read_nodes(const char *path, struct node *nodes)
{
    FILE *file = fopen(path, "r");
    int n = 0;
    while (file && n < MOST_NODES &&
           fscanf(file, "%*d %63s %d %lf %lf %*s %*d", nodes[n].name, &nodes[n].cores, &nodes[n].speed,
                  &nodes[n].link_bit_per_s) == 4)
        n++;
    if (file) fclose(file);
    return n;
}

/* Where MPI sees the ranks: the node of each by its host name, and how many share memory with it. */
static void find_ranks(struct node *nodes, int n_nodes)
{
    struct {
        char host[NAME_BYTES];
        int together;
    } own = {"", 0}, *all;
    MPI_Comm node;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &own.together);
    MPI_Comm_free(&node);
    gethostname(own.host, sizeof own.host - 1);
    all = calloc((size_t)size, sizeof *all);
    if (!all) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < n_nodes; i++) {
        nodes[i].leader = -1;
        for (int rank = size - 1; rank >= 0; rank--) {
            if (strcmp(all[rank].host, nodes[i].name) != 0) continue;
            nodes[i].leader = rank;
            nodes[i].ranks = all[rank].together;
        }
    }
    free(all);
}

static bool close_to(double measured, double wanted, double tolerance)
{
    return fabs(measured - wanted) <= tolerance * wanted;
}

static bool print_node(const struct node *node, const struct link *link, double expected_bit_per_s,
                       double latency_s)
{
    bool ranks = node->ranks == node->cores,
         speed = close_to(node->measured_speed, node->speed, SPEED_TOLERANCE);
    printf("%-12s %2d of %2d%s   %.4f of %.4f%s", node->name, node->ranks, node->cores, ranks ? " " : "!",
           node->measured_speed, node->speed, speed ? " " : "!");
    if (!link) {
        printf("   (the links are measured to it)\n");
        return ranks && speed;
    }
    double ratio = link->rate_1m / expected_bit_per_s;
    bool rate = ratio >= RATE_LOW && ratio <= RATE_HIGH;
    bool latency = link->latency_s >= latency_s && link->latency_s <= latency_s + LATENCY_SLACK_S;
    printf("   %6.1f %6.1f of %6.1f%s   %6.1f of %6.1f%s\n", 1e-6 * link->rate_64k, 1e-6 * link->rate_1m,
           1e-6 * expected_bit_per_s, rate ? " " : "!", 1e6 * link->latency_s, 1e6 * latency_s,
           latency ? " " : "!");
    return ranks && speed && rate && latency;
}

static int fastest_link(const struct node *nodes, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (nodes[i].link_bit_per_s > nodes[best].link_bit_per_s) best = i;
    return best;
}

/* One after the other: the nodes share the cores of one machine. Ranks without a turn sleep in the barrier.
 */
static void measure(struct node *nodes, struct link *links, int n_nodes, int centre, char *buffer)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n_nodes; i++) {
        if (rank == nodes[i].leader) nodes[i].measured_speed = measure_speed();
        MPI_Bcast(&nodes[i].measured_speed, 1, MPI_DOUBLE, nodes[i].leader, MPI_COMM_WORLD);
        if (i == centre) continue;
        if (rank == nodes[i].leader) links[i] = measure_link(nodes[centre].leader, true, buffer);
        if (rank == nodes[centre].leader) measure_link(nodes[i].leader, false, buffer);
        MPI_Bcast(&links[i], sizeof links[i], MPI_BYTE, nodes[i].leader, MPI_COMM_WORLD);
    }
}

static bool print_all(const struct node *nodes, const struct link *links, int n_nodes, int centre,
                      double latency_s)
{
    bool good = true;
    printf("node         ranks      speed                link, Mbit/s: 64 KiB, 1 MiB   latency, us\n");
    for (int i = 0; i < n_nodes; i++) {
        double expected = fmin(nodes[i].link_bit_per_s, nodes[centre].link_bit_per_s);
        good = print_node(&nodes[i], i == centre ? NULL : &links[i], expected, latency_s) && good;
    }
    printf(good ? "all as it should be\n" : "what is marked '!' is not as it should be\n");
    return good;
}

int main(int argc, char **argv)
{
    struct node nodes[MOST_NODES] = {0};
    struct link links[MOST_NODES] = {0};
    int rank, good = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n_nodes = argc == 3 ? read_nodes(argv[1], nodes) : 0;
    char *buffer = calloc(LARGE, 1);
    if (!buffer || n_nodes == 0) {
        fprintf(stderr, "cluster-check: usage: cluster-check NODES LATENCY_NS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    find_ranks(nodes, n_nodes);
    for (int i = 0; i < n_nodes; i++) good = good && nodes[i].leader >= 0;
    int centre = fastest_link(nodes, n_nodes);
    if (good) {
        measure(nodes, links, n_nodes, centre, buffer);
        if (rank == 0) good = print_all(nodes, links, n_nodes, centre, 1e-9 * strtod(argv[2], NULL));
    } else if (rank == 0)
        fprintf(stderr, "cluster-check: there are nodes without a rank of their host name\n");
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(buffer);
    MPI_Finalize();
    return good ? 0 : 1;
}
