#include "place.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "parcast/calibrate.h"

enum { CPUS = 4096, MASK_BYTES = CPUS / 8 };
static const double calibration_s = 0.003;

/* Field 22 of /proc/self/stat: start of the process in clock ticks after boot. */
static uint64_t process_age_ns(void)
{
    char line[1024];
    FILE *file = fopen("/proc/self/stat", "re");
    if (!file) return 0;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *field = strrchr(line, ')'); /* the name may hold anything */
    if (!field) return 0;
    for (int i = 2; i < 22 && field; i++) {
        field = strchr(field + 1, ' ');
        if (!field) return 0;
    }
    uint64_t start_ns = (uint64_t)(strtod(field, NULL) / (double)sysconf(_SC_CLK_TCK) * 1e9);
    uint64_t now_ns = clock_ns(CLOCK_BOOTTIME);
    return now_ns > start_ns ? now_ns - start_ns : 0;
}

static int read_number(const char *format, int cpu)
{
    char path[128];
    int value = -1;
    snprintf(path, sizeof path, format, cpu);
    FILE *file = fopen(path, "re");
    if (!file) return -1;
    if (fscanf(file, "%d", &value) != 1) value = -1;
    fclose(file);
    return value;
}

/* Physical cores and sockets: how many different (socket, core) and sockets the logical CPUs name. */
static void count_cores(struct raw_header *h)
{
    static uint32_t seen[CPUS];
    int n_seen = 0, sockets = 0;
    long logical = sysconf(_SC_NPROCESSORS_ONLN);
    h->node_logical_cores = logical > 0 ? (int32_t)logical : 0;
    for (int cpu = 0; cpu < CPUS; cpu++) {
        int core = read_number("/sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
        int socket = read_number("/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
        if (core < 0) {
            if (cpu >= sysconf(_SC_NPROCESSORS_CONF)) break;
            continue;
        }
        uint32_t id = (uint32_t)(socket & 0xffff) << 16 | (uint32_t)(core & 0xffff);
        bool known = false, known_socket = false;
        for (int i = 0; i < n_seen; i++) {
            known = known || seen[i] == id;
            known_socket = known_socket || seen[i] >> 16 == id >> 16;
        }
        if (!known) seen[n_seen++] = id;
        if (!known_socket) sockets++;
    }
    h->node_cores = n_seen;
    h->node_sockets = sockets;
}

static void own_mask(unsigned char mask[MASK_BYTES])
{
    memset(mask, 0, MASK_BYTES);
    if (sched_getaffinity(0, MASK_BYTES, (cpu_set_t *)(void *)mask) != 0) memset(mask, 0, MASK_BYTES);
}

static int count_bits(const unsigned char mask[MASK_BYTES])
{
    int n = 0;
    for (int i = 0; i < MASK_BYTES; i++) n += __builtin_popcount(mask[i]);
    return n;
}

/* On a node that is emulated on a larger machine the kernel tells about that machine; who emulates, tells
 * about the node. */
static double emulated(const char *name, double otherwise)
{
    const char *text = getenv(name);
    if (!text || !*text) return otherwise;
    double value = strtod(text, NULL);
    if (value > 0 && value < INT32_MAX) return value;
    fprintf(stderr, "parcast record: %s is '%s', not a number above 0: it is ignored\n", name, text);
    return otherwise;
}

void place_describe(struct raw_header *h)
{
    unsigned char mask[MASK_BYTES];
    own_mask(mask);
    h->allowed_cores = count_bits(mask);
    h->core = sched_getcpu();
    if (gethostname(h->host, sizeof h->host)) h->host[0] = '\0';
    h->host[sizeof h->host - 1] = '\0';
    h->pid = getpid();
    h->launcher_pid = getppid();
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    h->node_memory_bytes = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
    double load, speed = emulated("PARCAST_NODE_SPEED", 0);
    h->load_average =
        !(speed > 0) && getloadavg(&load, 1) == 1 ? load : -1; /* the machine's, not the node's */
    h->startup_ns = process_age_ns();
    h->calibration = parcast_calibrate_core(calibration_s) * (speed > 0 ? speed : 1);
}

/* A container may be given less time than it sees CPUs. */
static int cpus_of_quota(void)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file) return CPUS;
    double quota = 0, period = 0;
    int n = fscanf(file, "%lf %lf", &quota, &period);
    fclose(file);
    return n == 2 && quota > 0 && period > 0 ? (int)ceil(quota / period) : CPUS;
}

/* What the lowest rank of a node tells the others on it. */
struct node {
    int32_t leader, cores, logical, sockets, quota;
};

/* Memory for a collective operation: without it the other ranks would wait for this one for ever. */
static void *take_part(size_t n, size_t bytes)
{
    void *memory = calloc(n, bytes);
    if (memory) return memory;
    fprintf(stderr, "parcast record: out of memory in MPI_Init\n");
    abort();
}

static void describe_node(struct raw_header *h, word node_comm)
{
    unsigned char mask[MASK_BYTES], together[MASK_BYTES] = {0};
    int node_rank = 0;
    PMPI(Comm_rank, node_comm, (word)&node_rank);
    PMPI(Comm_size, node_comm, (word)&h->node_ranks);
    if (node_rank == 0) count_cores(h);
    struct node node = {h->rank, h->node_cores, h->node_logical_cores, h->node_sockets, cpus_of_quota()};
    PMPI(Bcast, (word)&node, sizeof node, abi.byte, 0, node_comm);
    h->node = node.leader;
    h->node_cores = node.cores;
    h->node_logical_cores = node.logical;
    h->node_sockets = node.sockets;
    own_mask(mask);
    unsigned char *masks = take_part((size_t)h->node_ranks, MASK_BYTES);
    PMPI(Allgather, (word)mask, MASK_BYTES, abi.byte, (word)masks, MASK_BYTES, abi.byte, node_comm);
    for (int rank = 0; rank < h->node_ranks; rank++)
        for (int i = 0; i < MASK_BYTES; i++) together[i] |= masks[(size_t)rank * MASK_BYTES + (size_t)i];
    free(masks);
    h->node_allowed_cores = count_bits(together);
    if (node.quota < h->node_allowed_cores) h->node_allowed_cores = node.quota;
    int32_t cores = (int32_t)emulated("PARCAST_NODE_CORES", 0);
    if (cores > 0) h->node_cores = h->node_logical_cores = h->node_allowed_cores = cores;
}

/* Nodes are numbered in the order of their lowest ranks. */
static void number_nodes(struct raw_header *h, struct place_rank *ranks)
{
    int32_t n = 0;
    for (int32_t rank = 0; rank < h->n_ranks; rank++) {
        int32_t leader = ranks[rank].leader;
        ranks[rank].leader = leader == rank ? n++ : ranks[leader].leader;
    }
    h->n_nodes = n;
    h->node = ranks[h->rank].leader;
}

struct place_rank *place_together(struct raw_header *h, bool keeps_file)
{
    word node_comm = 0;
    PMPI(Comm_split_type, abi.comm_world, (word)abi.type_shared, 0, abi.info_null, (word)&node_comm);
    describe_node(h, abi_handle(node_comm));
    PMPI(Comm_free, (word)&node_comm);
    struct place_rank *ranks = take_part((size_t)h->n_ranks, sizeof *ranks);
    struct place_rank own = {h->node, keeps_file};
    PMPI(Allgather, (word)&own, sizeof own, abi.byte, (word)ranks, sizeof own, abi.byte, abi.comm_world);
    number_nodes(h, ranks);
    return ranks;
}
