/*
 * Places by distances, in edges, to a few vertices that are far apart, of which the four directions of
 * largest spread are coordinates (de Silva and Tenenbaum, Sparse multidimensional scaling using landmark
 * points, 2004). Then each goes halfway to the middle of those beside it, again and again, without coming
 * closer in all: that leads to the smoothest coordinates that there are, the eigenvectors of the random walk
 * over the edges whose values are largest (Pothen, Simon and Liou, SIAM J. Matrix Anal. Appl. 11, 1990).
 */
#include <math.h>

#include "valueflow/distribution/unfold.h"

enum { AXES = UNFOLD_AXES, LANDMARKS = UNFOLD_LANDMARKS, POWER_ROUNDS = 60, SMOOTHING = 120, APART = 4 };
static const int32_t unreached = -1;

static bool is_in_piece(const struct unfold *u, idx_t v)
{
    return u->part[v] == u->piece;
}

/* `last`: one of those furthest away; returns the work that is reached. */
static double spread_from(struct unfold *u, idx_t start, int k, idx_t *last)
{
    const struct shown *g = u->graph;
    idx_t head = 0, tail = 0;
    double work = 0;
    for (idx_t i = 0; i < u->n; i++) u->distance[(size_t)u->vertices[i] * LANDMARKS + (size_t)k] = unreached;
    u->distance[(size_t)start * LANDMARKS + (size_t)k] = 0;
    for (u->queue[tail++] = start; head < tail; head++) {
        idx_t v = u->queue[head];
        work += (double)g->work[v];
        for (idx_t i = g->first[v]; i < g->first[v + 1]; i++) {
            int32_t *distance = &u->distance[(size_t)g->other[i] * LANDMARKS + (size_t)k];
            if (!is_in_piece(u, g->other[i]) || *distance != unreached) continue;
            *distance = u->distance[(size_t)v * LANDMARKS + (size_t)k] + 1;
            u->queue[tail++] = g->other[i];
        }
    }
    *last = u->queue[tail - 1];
    return work;
}

/* As far as can be from one in the part that has most of the work and hangs together. */
static idx_t first_landmark(struct unfold *u)
{
    enum { TRIED = 8 };
    double most = -1;
    idx_t best = 0;
    for (idx_t i = 0; i < TRIED; i++) {
        idx_t last = 0;
        double work = spread_from(u, u->vertices[(idx_t)((int64_t)u->n * i / TRIED)], 0, &last);
        if (work > most) best = last;
        if (work > most) most = work;
    }
    return best;
}

/* The next landmark is as far from all others as can be. */
static bool measure(struct unfold *u)
{
    static const double least_reached = 0.97;
    double all = 0, reached = 0;
    idx_t landmark = first_landmark(u), last = 0;
    for (int k = 0; k < LANDMARKS; k++) {
        reached = spread_from(u, landmark, k, &last);
        landmark = u->vertices[0];
        for (idx_t i = 0; i < u->n; i++) {
            idx_t v = u->vertices[i];
            int32_t distance = u->distance[(size_t)v * LANDMARKS + (size_t)k];
            if (!k || distance < u->nearest[v]) u->nearest[v] = distance;
            if (u->nearest[v] > u->nearest[landmark]) landmark = v;
        }
    }
    for (idx_t i = 0; i < u->n; i++) all += (double)u->graph->work[u->vertices[i]];
    return reached >= least_reached * all;
}

/* What is beside each vertex of the piece, which is asked again and again, without the other pieces. */
static void list_beside(struct unfold *u)
{
    const struct shown *g = u->graph;
    idx_t n = 0;
    for (idx_t i = 0; i < u->n; i++) u->index[u->vertices[i]] = i;
    for (idx_t i = 0; i < u->n; i++) {
        idx_t v = u->vertices[i];
        u->first[i] = n;
        for (idx_t j = g->first[v]; j < g->first[v + 1]; j++)
            if (is_in_piece(u, g->other[j])) u->beside[n++] = u->index[g->other[j]];
    }
    u->first[u->n] = n;
}

/* Squared distances less their mean. */
static double centred(const struct unfold *u, const double *mean, idx_t v, int k)
{
    double d = u->distance[(size_t)v * LANDMARKS + (size_t)k];
    return d * d - mean[k];
}

static void find_matrix(const struct unfold *u, double *mean, double matrix[LANDMARKS][LANDMARKS])
{
    static const double none[LANDMARKS] = {0};
    for (idx_t i = 0; i < u->n; i++)
        for (int k = 0; k < LANDMARKS; k++) mean[k] += centred(u, none, u->vertices[i], k) / (double)u->n;
    for (idx_t i = 0; i < u->n; i++) {
        double row[LANDMARKS];
        for (int k = 0; k < LANDMARKS; k++) row[k] = centred(u, mean, u->vertices[i], k);
        for (int j = 0; j < LANDMARKS; j++)
            for (int k = 0; k < LANDMARKS; k++) matrix[j][k] += row[j] * row[k] / (double)u->n;
    }
}

static double product(const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < LANDMARKS; k++) sum += x[k] * y[k];
    return sum;
}

/* Eigenvectors with the largest eigenvalues, by the power method, each orthogonal to those before. */
static void find_axes(double matrix[LANDMARKS][LANDMARKS], double axes[AXES][LANDMARKS])
{
    for (int a = 0; a < AXES; a++) {
        for (int k = 0; k < LANDMARKS; k++) axes[a][k] = 1 + (k % (a + 2)) - 0.1 * k;
        for (int round = 0; round < POWER_ROUNDS; round++) {
            double next[LANDMARKS];
            for (int k = 0; k < LANDMARKS; k++) next[k] = product(matrix[k], axes[a]);
            for (int b = 0; b < a; b++) {
                double along = product(next, axes[b]);
                for (int k = 0; k < LANDMARKS; k++) next[k] -= along * axes[b][k];
            }
            double length = sqrt(product(next, next));
            for (int k = 0; k < LANDMARKS; k++) axes[a][k] = length > 0 ? next[k] / length : 0;
        }
    }
}

static void take_distances(struct unfold *u)
{
    double mean[LANDMARKS] = {0}, matrix[LANDMARKS][LANDMARKS] = {{0}}, axes[AXES][LANDMARKS];
    find_matrix(u, mean, matrix);
    find_axes(matrix, axes);
    for (idx_t i = 0; i < u->n; i++) {
        idx_t v = u->vertices[i];
        u->place[i] = (struct unfold_place){{0}};
        for (int a = 0; a < AXES; a++) {
            for (int k = 0; u->nearest[v] != unreached && k < LANDMARKS; k++)
                u->place[i].at[a] += axes[a][k] * centred(u, mean, v, k);
        }
    }
}

/* Halfway to the middle of what is beside it. */
static void smooth(struct unfold *u)
{
    for (idx_t i = 0; i < u->n; i++) {
        struct unfold_place sum = {{0}};
        double n = (double)(u->first[i + 1] - u->first[i]);
        for (idx_t j = u->first[i]; j < u->first[i + 1]; j++)
            for (int a = 0; a < AXES; a++) sum.at[a] += u->place[u->beside[j]].at[a];
        u->next[i] = u->place[i];
        for (int a = 0; n > 0 && a < AXES; a++) u->next[i].at[a] = (u->place[i].at[a] + sum.at[a] / n) / 2;
    }
    struct unfold_place *place = u->place;
    u->place = u->next;
    u->next = place;
}

static double degree(const struct unfold *u, idx_t i)
{
    idx_t v = u->vertices[i];
    return (double)(u->graph->first[v + 1] - u->graph->first[v]);
}

/* Of one axis over all of the piece: what is the same everywhere, or as along an axis before, is left away.
 */
static void take_away(struct unfold *u, int axis, int before)
{
    double along = 0, all = 0;
    for (idx_t i = 0; i < u->n; i++) {
        double other = before < 0 ? 1 : u->place[i].at[before];
        along += degree(u, i) * other * u->place[i].at[axis];
        all += degree(u, i) * other * other;
    }
    for (idx_t i = 0; all > 0 && i < u->n; i++)
        u->place[i].at[axis] -= along / all * (before < 0 ? 1 : u->place[i].at[before]);
}

static void keep_apart(struct unfold *u)
{
    for (int a = 0; a < AXES; a++) {
        double all = 0, weights = 0;
        for (int b = -1; b < a; b++) take_away(u, a, b);
        for (idx_t i = 0; i < u->n; i++) {
            all += degree(u, i) * u->place[i].at[a] * u->place[i].at[a];
            weights += degree(u, i);
        }
        double scale = all > 0 ? sqrt(weights / all) : 0;
        for (idx_t i = 0; i < u->n; i++) u->place[i].at[a] *= scale;
    }
}

/* How much what is beside each other differs along an axis that is kept apart: 1 less its eigenvalue. */
static double roughness(const struct unfold *u, int axis)
{
    double all = 0, apart = 0;
    for (idx_t i = 0; i < u->n; i++) {
        double here = u->place[i].at[axis];
        all += degree(u, i) * here * here;
        for (idx_t j = u->first[i]; j < u->first[i + 1]; j++) {
            double far = u->place[u->beside[j]].at[axis] - here;
            apart += far * far;
        }
    }
    return all > 0 ? apart / all : INFINITY;
}

/* A ring of two dimensions lies in four axes that are as smooth as each other. The fourth of what fills a
 * block is one of the first three times another: cuts across it are bent. */
static int axes_of(const struct unfold *u)
{
    static const double as_smooth = 1.5;
    return roughness(u, AXES - 1) <= as_smooth * roughness(u, AXES - 2) ? AXES : AXES - 1;
}

bool unfold_lay_out(struct unfold *u)
{
    if (!u->n || !measure(u)) return false;
    list_beside(u);
    take_distances(u);
    keep_apart(u);
    for (int round = 1; round <= SMOOTHING; round++) {
        smooth(u);
        if (round % APART == 0) keep_apart(u);
    }
    u->n_axes = axes_of(u);
    return true;
}
