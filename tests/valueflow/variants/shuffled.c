/*
 * A grid of nodes with their numbers dealt out at random, so that only the lists tell who has to do with
 * whom.
 *
 *   shuffled WAY SIDE STEPS
 *     0  rows of a sparse matrix with weights of their own, two vectors that change places
 *     1  fluxes over edges, added up at both ends
 *     2  shortest paths over edges in any order
 *     3  as 1, of three fields that have to do with each other, those of a node in a row, in arrays with room
 *        for more nodes; these are numbered along diagonals
 *     4  bodies that push their neighbours, the push of a pair along two coordinates
 *     5  as 0, every second product of a row in a sum of its own, the new vector copied back
 */
#include "../kernels/kernel.h"

struct mesh {
    long n, n_edges, *number; /* of each node of the grid */
    long *first, *other;      /* neighbours of a node */
    long *from, *to;          /* ends of an edge */
};

static long *numbers_along_diagonals(long side)
{
    long *number = malloc((size_t)(side * side) * sizeof *number), n = 0;
    for (long d = 0; d < 2 * side - 1; d++)
        for (long i = d < side ? 0 : d - side + 1; i <= d && i < side; i++) number[i * side + d - i] = n++;
    return number;
}

static long *numbers(long n)
{
    long *number = malloc((size_t)n * sizeof *number);
    unsigned long x = 88172645463325252ul;
    for (long i = 0; i < n; i++) number[i] = i;
    for (long i = n - 1; i > 0; i--) {
        x = x * 6364136223846793005ul + 1442695040888963407ul;
        long j = (long)(x >> 33) % (i + 1), other = number[j];
        number[j] = number[i];
        number[i] = other;
    }
    return number;
}

static void connect(struct mesh *m, long side)
{
    static const long down[] = {0, 0, 1, -1}, right[] = {1, -1, 0, 0};
    long *place = malloc((size_t)m->n * sizeof *place), n = 0;
    for (long i = 0; i < m->n; i++) place[m->number[i]] = i;
    for (long v = 0; v < m->n; v++) {
        m->first[v] = n;
        for (int k = 0; k < 4; k++) {
            long i = place[v] / side + down[k], j = place[v] % side + right[k];
            if (i < 0 || j < 0 || i == side || j == side) continue;
            m->other[n++] = m->number[i * side + j];
            if (k % 2) continue;
            m->from[m->n_edges] = v;
            m->to[m->n_edges++] = m->number[i * side + j];
        }
    }
    m->first[m->n] = n;
    free(place);
}

static void rows(const struct mesh *m, const double *weight, double *old, double *new, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long v = 0; v < m->n; v++) {
            double sum = 0;
            for (long k = m->first[v]; k < m->first[v + 1]; k++) sum += weight[k] * old[m->other[k]];
            new[v] = sum;
        }
        double *other = old;
        old = new;
        new = other;
    }
}

static void rows_in_two_sums(const struct mesh *m, const double *weight, double *old, double *new, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long v = 0; v < m->n; v++) {
            double even = 0, odd = 0;
            long k = m->first[v];
            for (; k + 1 < m->first[v + 1]; k += 2) {
                even += weight[k] * old[m->other[k]];
                odd += weight[k + 1] * old[m->other[k + 1]];
            }
            if (k < m->first[v + 1]) even += weight[k] * old[m->other[k]];
            new[v] = even + odd;
        }
        for (long v = 0; v < m->n; v++) old[v] = new[v];
    }
}

static void fluxes(const struct mesh *m, double *u, double *r, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long v = 0; v < m->n; v++) r[v] = 0;
        for (long k = 0; k < m->n_edges; k++) {
            double flux = 0.1 * (u[m->from[k]] - u[m->to[k]]);
            r[m->from[k]] -= flux;
            r[m->to[k]] += flux;
        }
        for (long v = 0; v < m->n; v++) u[v] += r[v];
    }
}

static void fluxes_of_fields(const struct mesh *m, const double *weight, double *u, double *r, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long i = 0; i < 3 * m->n; i++) r[i] = 0;
        for (long k = 0; k < m->n_edges; k++)
            for (long f = 0; f < 3; f++) {
                const double *a = u + 3 * m->from[k], *b = u + 3 * m->to[k];
                double flux = weight[k] * (a[f] * b[(f + 1) % 3] - b[f] * a[(f + 1) % 3]);
                r[3 * m->from[k] + f] -= flux;
                r[3 * m->to[k] + f] += flux;
            }
        for (long i = 0; i < 3 * m->n; i++) u[i] += r[i];
    }
}

static void shuffle_edges(struct mesh *m)
{
    long *order = numbers(m->n_edges), *from = m->from, *to = m->to;
    m->from = malloc((size_t)m->n_edges * sizeof *m->from);
    m->to = malloc((size_t)m->n_edges * sizeof *m->to);
    for (long k = 0; k < m->n_edges; k++) {
        m->from[k] = from[order[k]];
        m->to[k] = to[order[k]];
    }
}

static void relax(const struct mesh *m, const double *weight, double *u, long steps)
{
    for (long s = 0; s < steps; s++)
        for (long k = 0; k < m->n_edges; k++) {
            long a = m->from[k], b = m->to[k];
            if (u[a] + weight[k] < u[b]) u[b] = u[a] + weight[k];
            if (u[b] + weight[k] < u[a]) u[a] = u[b] + weight[k];
        }
}

struct bodies {
    double *x, *y, *fx, *fy;
};

static void pushes(const struct mesh *m, struct bodies b, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long v = 0; v < m->n; v++) {
            double fx = 0, fy = 0;
            for (long k = m->first[v]; k < m->first[v + 1]; k++) {
                double dx = b.x[v] - b.x[m->other[k]], dy = b.y[v] - b.y[m->other[k]];
                double push = 1 / (1 + dx * dx + dy * dy);
                fx += push * dx;
                fy += push * dy;
            }
            b.fx[v] = fx;
            b.fy[v] = fy;
        }
        for (long v = 0; v < m->n; v++) {
            b.x[v] += 0.01 * b.fx[v];
            b.y[v] += 0.01 * b.fy[v];
        }
    }
}

void kernel(int way, const struct mesh *m, const double *weight, struct bodies b, long steps)
{
    if (way == 0)
        rows(m, weight, b.x, b.fx, steps);
    else if (way == 1)
        fluxes(m, b.x, b.fx, steps);
    else if (way == 2)
        relax(m, weight, b.x, steps);
    else if (way == 3)
        fluxes_of_fields(m, weight, b.x, b.fx, steps);
    else if (way == 5)
        rows_in_two_sums(m, weight, b.x, b.fx, steps);
    else
        pushes(m, b, steps);
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), side = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    size_t n = (size_t)side * (size_t)side;
    struct mesh m = {.n = (long)n, .number = way == 3 ? numbers_along_diagonals(side) : numbers((long)n)};
    m.first = malloc((n + 1) * sizeof *m.first);
    m.other = malloc(4 * n * sizeof *m.other);
    m.from = malloc(2 * n * sizeof *m.from);
    m.to = malloc(2 * n * sizeof *m.to);
    connect(&m, side);
    if (way == 2) shuffle_edges(&m);
    double *weight = filled(4 * m.n);
    struct bodies b = {filled(4 * m.n), filled(m.n), filled(4 * m.n), filled(m.n)};
    kernel((int)way, &m, weight, b, steps);
    printf("%g %g\n", b.x[0], b.fx[0]);
    return 0;
}
