/* Across which direction a piece that is laid out is cut in two. */
#include <math.h>
#include <string.h>

#include "valueflow/distribution/unfold.h"

/* TRIED: directions over a half of the sphere, of which the best one is turned by steps that become smaller.
 */
enum { TRIED = 120, SOLID = 72, PLANAR = 24, MOST_NUDGES = 24, AXES = UNFOLD_AXES };
static const double pi = 3.14159265358979323846, first_step = 0.25, last_step = 0.01;

/* The side below a value that has `share` of the work, to a bin. */
static void split(struct unfold *u, double share)
{
    double low = INFINITY, high = -INFINITY, all = 0, below = 0;
    for (idx_t i = 0; i < u->n; i++) {
        if (u->along[i] < low) low = u->along[i];
        if (u->along[i] > high) high = u->along[i];
        all += (double)u->graph->work[u->vertices[i]];
    }
    double scale = high > low ? (UNFOLD_BINS - 1) / (high - low) : 0;
    memset(u->work, 0, UNFOLD_BINS * sizeof *u->work);
    for (idx_t i = 0; i < u->n; i++)
        u->work[(size_t)((u->along[i] - low) * scale)] += (double)u->graph->work[u->vertices[i]];
    size_t bin = 0;
    for (; bin < UNFOLD_BINS && below + u->work[bin] / 2 <= share * all; bin++) below += u->work[bin];
    for (idx_t i = 0; i < u->n; i++) u->lower[i] = (size_t)((u->along[i] - low) * scale) < bin;
}

/* Versions of what has to do with the other side; vertices of other pieces do not count. */
static double count_versions(const struct unfold *u)
{
    double versions = 0;
    for (idx_t i = 0; i < u->n; i++) {
        for (idx_t j = u->first[i]; j < u->first[i + 1]; j++) {
            if (u->lower[u->beside[j]] == u->lower[i]) continue;
            versions += (double)u->graph->size[u->vertices[i]];
            break;
        }
    }
    return versions;
}

/* Half a turn in the plane of the two first axes, points of a spiral over half a sphere, and the same with
 * more and more of the fourth axis: a ring of two dimensions needs four to lie in. */
static void direction_of(int which, double *direction)
{
    double turn = which < PLANAR ? pi * which / PLANAR : pi * (3 - sqrt(5.0)) * (which - PLANAR), fourth = 0;
    double up = 0;
    if (which >= SOLID) {
        double share = (which - SOLID + 0.5) / (TRIED - SOLID);
        fourth = sin(pi / 2 * share);
        up = 2 * fmod((which - SOLID) * (sqrt(5.0) - 1) / 2, 1) - 1;
    } else if (which >= PLANAR) {
        up = (which - PLANAR + 0.5) / (SOLID - PLANAR);
    }
    double solid = sqrt(1 - fourth * fourth), level = solid * sqrt(1 - up * up);
    direction[0] = level * cos(turn);
    direction[1] = level * sin(turn);
    direction[2] = solid * up;
    direction[3] = fourth;
}

struct found {
    double versions, direction[AXES];
};

static void try_direction(struct unfold *u, double share, const double *direction, struct found *found)
{
    for (idx_t i = 0; i < u->n; i++) {
        u->along[i] = 0;
        for (int a = 0; a < u->n_axes; a++) u->along[i] += direction[a] * u->place[i].at[a];
    }
    split(u, share);
    double versions = count_versions(u);
    if (versions >= found->versions) return;
    found->versions = versions;
    memcpy(found->direction, direction, sizeof found->direction);
    for (idx_t i = 0; i < u->n; i++) u->best[u->vertices[i]] = u->lower[i];
}

void unfold_split(struct unfold *u, double share)
{
    struct found found = {.versions = INFINITY};
    double direction[AXES], step = first_step;
    for (int k = 0; k < (u->n_axes < AXES ? SOLID : TRIED); k++) {
        direction_of(k, direction);
        try_direction(u, share, direction, &found);
    }
    for (int nudge = 0; nudge < MOST_NUDGES && step > last_step; nudge++) {
        struct found centre = found;
        for (int k = 0; k < 2 * u->n_axes; k++) {
            memcpy(direction, centre.direction, sizeof direction);
            direction[k / 2] += k % 2 ? step : -step;
            try_direction(u, share, direction, &found);
        }
        if (found.versions >= centre.versions) step /= 2;
    }
}
