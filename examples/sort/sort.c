/*
 * sort: sorts whole numbers that are spread over the ranks, by buckets, on any number of ranks.
 *
 * KEYS keys in [0, 2^18) are sorted REPETITIONS times, other keys each time. A key is the sum of four evenly
 * distributed numbers, so keys in the middle are far more frequent than those at the ends, and equal ranges
 * would give the ranks unequal work. Therefore:
 *
 *   1. each rank makes its KEYS/ranks keys, and counts them in 2^12 buckets by their upper bits
 *   2. the counts are added up over all ranks (allreduce), and neighbouring buckets dealt to the ranks so
 *      that all get about the same number of keys
 *   3. each rank puts its keys in the order of their buckets, and all exchange them (alltoall, alltoallv)
 *   4. each rank sorts what it has received by counting
 *
 * The keys are the same on any number of ranks. Checked each time: every rank's keys ascend and begin where
 * those of the rank before end, and neither the number of keys nor a sum over a hash of them has changed. All
 * of that is exact, and so is the digest that is printed.
 *
 *   mpirun -n 4 sort [KEYS [REPETITIONS]]
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_KEYS = 8000000, DEFAULT_REPETITIONS = 20, MAX_KEYS = 1000000000 };
enum { KEY_BITS = 18, BUCKET_BITS = 12, N_BUCKETS = 1 << BUCKET_BITS, N_VALUES = 1 << KEY_BITS };

struct options {
    int keys, repetitions;
};

struct keys {
    int count;
    uint32_t *values; /* [count] */
};

struct sorter {
    int rank, n_ranks;
    struct keys mine;                           /* this rank's share, as it was made */
    uint32_t *outgoing;                         /* [mine.count] the same in the order of the buckets */
    struct keys sorted;                         /* this rank's range of all keys */
    uint32_t *incoming;                         /* [sorted.count] the same, as it was received */
    int capacity;                               /* of sorted.values and incoming */
    int *local, *global;                        /* [N_BUCKETS] keys in each bucket: on this rank, on all */
    int *end;                                   /* [n_ranks] the bucket after the last one of each rank */
    int *frequency;                             /* [N_VALUES] of each key in this rank's range */
    int *send, *send_at, *receive, *receive_at; /* [n_ranks] for MPI_Alltoallv */
};

struct fingerprint { /* what may not change by sorting */
    uint64_t count;
    uint64_t digest; /* sum of a hash of every key, modulo 2^64: does not depend on the order */
};

/* A whole number in [low, high], or false. */
static bool read_int(const char *text, long low, long high, int *value)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < low || number > high) return false;
    *value = (int)number;
    return true;
}

static bool read_options(int argc, char **argv, struct options *options)
{
    *options = (struct options){DEFAULT_KEYS, DEFAULT_REPETITIONS};
    if (argc > 3) return false;
    if (argc > 1 && !read_int(argv[1], 1, MAX_KEYS, &options->keys)) return false;
    return argc < 3 || read_int(argv[2], 1, 1000000000, &options->repetitions);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "sort: no memory for %zu items\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* Keys of part `index` when `total` keys are dealt to `parts`, and where they begin. */
static int deal(int total, int parts, int index, int *first)
{
    int share = total / parts, rest = total % parts;
    *first = index * share + (index < rest ? index : rest);
    return share + (index < rest ? 1 : 0);
}

/* splitmix64 (Steele et al. 2014) */
static uint64_t hash(uint64_t z)
{
    z = (z + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Key `index` of a repetition: the sum of the four quarters of a hash. */
static uint32_t make_key(int repetition, int index)
{
    uint64_t h = hash((uint64_t)repetition << 32 | (uint32_t)index);
    return (uint32_t)((h & 0xffff) + (h >> 16 & 0xffff) + (h >> 32 & 0xffff) + (h >> 48));
}

static int bucket_of(uint32_t key)
{
    return (int)(key >> (KEY_BITS - BUCKET_BITS));
}

static void sorter_create(struct sorter *sorter, const struct options *options)
{
    *sorter = (struct sorter){0};
    MPI_Comm_size(MPI_COMM_WORLD, &sorter->n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &sorter->rank);
    int first;
    sorter->mine.count = deal(options->keys, sorter->n_ranks, sorter->rank, &first);
    sorter->mine.values = allocate((size_t)sorter->mine.count, sizeof(uint32_t));
    sorter->outgoing = allocate((size_t)sorter->mine.count, sizeof(uint32_t));
    sorter->local = allocate(2 * (size_t)N_BUCKETS, sizeof(int));
    sorter->global = sorter->local + N_BUCKETS;
    sorter->end = allocate(5 * (size_t)sorter->n_ranks, sizeof(int));
    sorter->send = sorter->end + sorter->n_ranks;
    sorter->send_at = sorter->send + sorter->n_ranks;
    sorter->receive = sorter->send_at + sorter->n_ranks;
    sorter->receive_at = sorter->receive + sorter->n_ranks;
    sorter->frequency = allocate(N_VALUES, sizeof(int));
}

static void sorter_destroy(struct sorter *sorter)
{
    free(sorter->mine.values);
    free(sorter->outgoing);
    free(sorter->sorted.values);
    free(sorter->incoming);
    free(sorter->local);
    free(sorter->end);
    free(sorter->frequency);
}

/* 1. */
static void make_keys(struct sorter *sorter, const struct options *options, int repetition)
{
    int first;
    deal(options->keys, sorter->n_ranks, sorter->rank, &first);
    memset(sorter->local, 0, N_BUCKETS * sizeof(int));
    for (int i = 0; i < sorter->mine.count; i++) {
        sorter->mine.values[i] = make_key(repetition, first + i);
        sorter->local[bucket_of(sorter->mine.values[i])]++;
    }
}

/* 2. A bucket goes to the rank in whose share of all keys its middle lies. */
static void deal_buckets(struct sorter *sorter, int n_keys)
{
    MPI_Allreduce(sorter->local, sorter->global, N_BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int bucket = 0;
    double before = 0;
    for (int rank = 0; rank < sorter->n_ranks; rank++) {
        double share_end = (double)n_keys * (rank + 1) / sorter->n_ranks;
        while (bucket < N_BUCKETS && before + 0.5 * sorter->global[bucket] <= share_end)
            before += sorter->global[bucket++];
        sorter->end[rank] = bucket;
    }
    sorter->end[sorter->n_ranks - 1] = N_BUCKETS;
}

static void reserve(struct sorter *sorter, int count)
{
    if (count <= sorter->capacity) return;
    free(sorter->sorted.values);
    free(sorter->incoming);
    sorter->capacity = count + count / 8;
    sorter->sorted.values = allocate((size_t)sorter->capacity, sizeof(uint32_t));
    sorter->incoming = allocate((size_t)sorter->capacity, sizeof(uint32_t));
}

/* 3. The keys for a rank lie together then. */
static void arrange(struct sorter *sorter)
{
    int at = 0, bucket = 0;
    for (int rank = 0; rank < sorter->n_ranks; rank++) {
        sorter->send_at[rank] = at;
        for (; bucket < sorter->end[rank]; bucket++) {
            int count = sorter->local[bucket];
            sorter->local[bucket] = at; /* from now on: where its next key goes */
            at += count;
        }
        sorter->send[rank] = at - sorter->send_at[rank];
    }
    for (int i = 0; i < sorter->mine.count; i++) {
        uint32_t key = sorter->mine.values[i];
        sorter->outgoing[sorter->local[bucket_of(key)]++] = key;
    }
}

static void exchange(struct sorter *sorter)
{
    MPI_Alltoall(sorter->send, 1, MPI_INT, sorter->receive, 1, MPI_INT, MPI_COMM_WORLD);
    int count = 0;
    for (int rank = 0; rank < sorter->n_ranks; rank++) {
        sorter->receive_at[rank] = count;
        count += sorter->receive[rank];
    }
    reserve(sorter, count);
    sorter->sorted.count = count;
    MPI_Alltoallv(sorter->outgoing, sorter->send, sorter->send_at, MPI_UINT32_T, sorter->incoming,
                  sorter->receive, sorter->receive_at, MPI_UINT32_T, MPI_COMM_WORLD);
}

/* 4. Keys outside this rank's range would be an error of the exchange; they are left where the check sees
 * them. */
static void sort_range(struct sorter *sorter)
{
    const int shift = KEY_BITS - BUCKET_BITS;
    const uint32_t low = (uint32_t)(sorter->rank ? sorter->end[sorter->rank - 1] : 0) << shift;
    const uint32_t n_values = ((uint32_t)sorter->end[sorter->rank] << shift) - low;
    memset(sorter->frequency, 0, n_values * sizeof(int));
    int at = 0, last = sorter->sorted.count;
    for (int i = 0; i < sorter->sorted.count; i++) {
        if (sorter->incoming[i] - low < n_values) /* unsigned: also not below low */
            sorter->frequency[sorter->incoming[i] - low]++;
        else
            sorter->sorted.values[--last] = sorter->incoming[i];
    }
    for (uint32_t k = 0; k < n_values; k++)
        for (int i = 0; i < sorter->frequency[k]; i++) sorter->sorted.values[at++] = low + k;
}

static struct fingerprint fingerprint_of(const struct keys *keys)
{
    struct fingerprint sum = {(uint64_t)keys->count, 0};
    for (int i = 0; i < keys->count; i++) sum.digest += hash(keys->values[i]);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* True on all ranks if no key was lost and they ascend on every rank and from rank to rank; ranks may be
 * empty. */
static bool sorted(const struct sorter *sorter, struct fingerprint before, struct fingerprint after)
{
    const struct keys *keys = &sorter->sorted;
    int largest = keys->count ? (int)keys->values[keys->count - 1] : 0, left = 0;
    int correct = before.count == after.count && before.digest == after.digest;
    for (int i = 1; i < keys->count; i++)
        if (keys->values[i - 1] > keys->values[i]) correct = 0;
    MPI_Exscan(&largest, &left, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (sorter->rank > 0 && keys->count && (int)keys->values[0] < left) correct = 0;
    MPI_Allreduce(MPI_IN_PLACE, &correct, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return correct;
}

/* Sort and check all repetitions; returns the exit status. */
static int solve(struct sorter *sorter, const struct options *options)
{
    bool correct = true;
    uint64_t digest = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin_s = MPI_Wtime();
    for (int k = 0; k < options->repetitions; k++) {
        make_keys(sorter, options, k);
        struct fingerprint before = fingerprint_of(&sorter->mine);
        deal_buckets(sorter, options->keys);
        arrange(sorter);
        exchange(sorter);
        sort_range(sorter);
        struct fingerprint after = fingerprint_of(&sorter->sorted);
        correct = sorted(sorter, before, after) && correct;
        digest += after.digest;
    }
    double time_s = MPI_Wtime() - begin_s;
    if (sorter->rank == 0)
        printf("sort: %d keys, %d repetitions on %d ranks: %.3f s, digest %016llx: %s\n", options->keys,
               options->repetitions, sorter->n_ranks, time_s, (unsigned long long)digest,
               correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct options options;
    if (read_options(argc, argv, &options)) {
        struct sorter sorter;
        sorter_create(&sorter, &options);
        status = solve(&sorter, &options);
        sorter_destroy(&sorter);
    } else if (rank == 0) {
        fprintf(stderr, "usage: sort [KEYS [REPETITIONS]]   (at most %d keys)\n", MAX_KEYS);
    }
    MPI_Finalize();
    return status;
}
