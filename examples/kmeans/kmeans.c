/*
 * kmeans: groups points by Lloyd's method, on any number of ranks.
 *
 * POINTS points with 8 coordinates lie around CLUSTERS hidden places. Each of STEPS steps
 *
 *   1. finds the nearest centre of every point, and adds up the points of each cluster
 *   2. adds these sums up over all ranks: an allreduce of 8 (9 CLUSTERS + 1) bytes
 *   3. moves every centre to the mean of its points, on every rank
 *
 * Coordinates are whole numbers, so the sums are exact in any order, and the centres are the same to the last
 * bit on any number of ranks. Only the objective, the sum of the squared distances, is rounded. Checked after
 * each step:
 *
 *   - every point is in one cluster, and the clusters' sums make up the sum over all points (exactly)
 *   - with n_k points, sum s_k and centre c_k in cluster k (to 1e-7 of sum_x |x|^2)
 *
 *       sum_x |x - c(x)|^2 = sum_x |x|^2 + sum_k (n_k |c_k|^2 - 2 c_k s_k)
 *
 *   - the objective does not grow, as Lloyd has shown (to the same rounding)
 *
 *   mpirun -n 4 kmeans [POINTS [CLUSTERS [STEPS]]]
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 200000, DEFAULT_CLUSTERS = 20, DEFAULT_STEPS = 100 };
enum { MAX_POINTS = 1000000000, MAX_CLUSTERS = 100000, DIM = 8 };
static const double rounding = 1e-7; /* of up to 1e9 squares, added one after the other: n * 1.1e-16 */

struct options {
    int points;
    int clusters;
    int steps;
};

/* What all points together must give. */
struct whole {
    double sum[DIM];
    double squares; /* sum of |x|^2 */
};

struct groups {
    int rank, n_ranks;
    int n_points; /* of this rank */
    int n_clusters;
    double *points;  /* [n_points][DIM] */
    double *centres; /* [n_clusters][DIM] */
    double *totals;  /* [n_totals]: sums, counts and objective, one after the other, added up in one go */
    int n_totals;
    double *sums;      /* [n_clusters][DIM] in totals: sum of the points of each cluster */
    double *counts;    /* [n_clusters] in totals: points of each cluster */
    double *objective; /* in totals: sum of the squared distances from the centres before the step */
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
    *options = (struct options){DEFAULT_POINTS, DEFAULT_CLUSTERS, DEFAULT_STEPS};
    if (argc > 4) return false;
    if (argc > 1 && !read_int(argv[1], 1, MAX_POINTS, &options->points)) return false;
    if (argc > 2 && !read_int(argv[2], 1, MAX_CLUSTERS, &options->clusters)) return false;
    if (argc > 3 && !read_int(argv[3], 1, 1000000000, &options->steps)) return false;
    return options->clusters <= options->points;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "kmeans: no memory for %zu items\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* Points of part `index` when `total` points are dealt to `parts`, and where they begin. */
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

/* Point `index` of all: a hidden place in [0, 2^20)^8, and around it the sum of four scattered numbers. */
static void make_point(int index, int n_clusters, double *point)
{
    uint64_t place = hash((uint64_t)index) % (uint64_t)n_clusters;
    for (int d = 0; d < DIM; d++) {
        uint64_t h = hash((uint64_t)(index + 1) << 32 | (uint64_t)d);
        uint64_t around = (h & 0xffff) + (h >> 16 & 0xffff) + (h >> 32 & 0xffff) + (h >> 48);
        point[d] = (double)((hash(place * DIM + (uint64_t)d) >> 44) + around);
    }
}

static void groups_create(struct groups *groups, const struct options *options)
{
    *groups = (struct groups){.n_clusters = options->clusters};
    MPI_Comm_size(MPI_COMM_WORLD, &groups->n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &groups->rank);
    int first;
    const size_t n_clusters = (size_t)options->clusters;
    groups->n_points = deal(options->points, groups->n_ranks, groups->rank, &first);
    groups->points = allocate((size_t)groups->n_points * DIM, sizeof(double));
    groups->centres = allocate(n_clusters * DIM, sizeof(double));
    groups->n_totals = options->clusters * (DIM + 1) + 1;
    groups->totals = allocate((size_t)groups->n_totals, sizeof(double));
    groups->sums = groups->totals;
    groups->counts = groups->sums + n_clusters * DIM;
    groups->objective = groups->counts + n_clusters;
    for (int i = 0; i < groups->n_points; i++)
        make_point(first + i, options->clusters, groups->points + (size_t)i * DIM);
    for (int k = 0; k < options->clusters; k++) { /* begin with points that lie far apart in the list */
        int index;
        deal(options->points, options->clusters, k, &index);
        make_point(index, options->clusters, groups->centres + (size_t)k * DIM);
    }
}

static void groups_destroy(struct groups *groups)
{
    free(groups->points);
    free(groups->centres);
    free(groups->totals);
}

static double squared_distance(const double *a, const double *b)
{
    double sum = 0;
    for (int d = 0; d < DIM; d++) sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

static struct whole add_up(const struct groups *groups)
{
    static const double origin[DIM] = {0};
    struct whole whole = {{0}, 0};
    for (int i = 0; i < groups->n_points; i++) {
        const double *point = groups->points + (size_t)i * DIM;
        for (int d = 0; d < DIM; d++) whole.sum[d] += point[d];
        whole.squares += squared_distance(point, origin);
    }
    MPI_Allreduce(MPI_IN_PLACE, whole.sum, DIM, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &whole.squares, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return whole;
}

/* 1. */
static void assign(struct groups *groups)
{
    memset(groups->totals, 0, (size_t)groups->n_totals * sizeof(double));
    for (int i = 0; i < groups->n_points; i++) {
        const double *point = groups->points + (size_t)i * DIM;
        int nearest = 0;
        double least = INFINITY;
        for (int k = 0; k < groups->n_clusters; k++) {
            double distance = squared_distance(point, groups->centres + (size_t)k * DIM);
            if (distance < least) {
                least = distance;
                nearest = k;
            }
        }
        for (int d = 0; d < DIM; d++) groups->sums[nearest * DIM + d] += point[d];
        groups->counts[nearest]++;
        *groups->objective += least;
    }
}

/* 2. */
static void reduce(struct groups *groups)
{
    MPI_Allreduce(MPI_IN_PLACE, groups->totals, groups->n_totals, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* 3. A centre without points stays where it is. */
static void move_centres(struct groups *groups)
{
    for (int k = 0; k < groups->n_clusters; k++)
        for (int d = 0; d < DIM && groups->counts[k] > 0; d++)
            groups->centres[k * DIM + d] = groups->sums[k * DIM + d] / groups->counts[k];
}

/* The totals and the centres before they move agree with each other and with all points; see above. */
static bool consistent(const struct groups *groups, const struct whole *whole, int n_points)
{
    double n_assigned = 0, sum[DIM] = {0}, squares = whole->squares;
    for (int k = 0; k < groups->n_clusters; k++) {
        n_assigned += groups->counts[k];
        for (int d = 0; d < DIM; d++) {
            double centre = groups->centres[k * DIM + d], cluster_sum = groups->sums[k * DIM + d];
            sum[d] += cluster_sum;
            squares += groups->counts[k] * centre * centre - 2 * centre * cluster_sum;
        }
    }
    bool same = n_assigned == n_points && fabs(squares - *groups->objective) <= rounding * whole->squares;
    for (int d = 0; d < DIM; d++) same = same && sum[d] == whole->sum[d];
    return same;
}

/* A number that no two sets of centres are likely to share. */
static uint64_t digest(const struct groups *groups)
{
    uint64_t sum = 0, bits;
    for (int i = 0; i < groups->n_clusters * DIM; i++) {
        memcpy(&bits, groups->centres + i, sizeof bits);
        sum = hash(sum ^ bits);
    }
    return sum;
}

/* Take all steps; returns the exit status. */
static int solve(struct groups *groups, const struct options *options)
{
    const struct whole whole = add_up(groups);
    double before = INFINITY;
    int correct = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin_s = MPI_Wtime();
    for (int k = 0; k < options->steps; k++) {
        assign(groups);
        reduce(groups);
        if (!consistent(groups, &whole, options->points)) correct = 0;
        if (!(*groups->objective <= before + rounding * whole.squares)) correct = 0;
        before = *groups->objective;
        move_centres(groups);
    }
    double time_s = MPI_Wtime() - begin_s;
    MPI_Allreduce(MPI_IN_PLACE, &correct, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (groups->rank == 0)
        printf("kmeans: %d points, %d clusters, %d steps on %d ranks: %.3f s, objective %.9e, centres "
               "%016llx: %s\n",
               options->points, options->clusters, options->steps, groups->n_ranks, time_s, before,
               (unsigned long long)digest(groups), correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct options options;
    if (read_options(argc, argv, &options)) {
        struct groups groups;
        groups_create(&groups, &options);
        status = solve(&groups, &options);
        groups_destroy(&groups);
    } else if (rank == 0) {
        fprintf(stderr, "usage: kmeans [POINTS [CLUSTERS [STEPS]]]   (no more clusters than points)\n");
    }
    MPI_Finalize();
    return status;
}
