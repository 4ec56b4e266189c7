/* A malleable program without a forecast: what the platform says, and what earlier runs measured. */
#include <math.h>
#include <stdlib.h>

#include "plan/malleable.h"

/* Time of a size / serial time if all but a twentieth of the work is divided (Amdahl). */
static double share_of(const parcast_size *size)
{
    const double fixed_ratio = 0.05;
    return (1 - fixed_ratio) / size->capacity + fixed_ratio;
}

/* What was measured against that: ln of the ratio on so many nodes. */
struct mark {
    double ln_nodes, ln_ratio;
};

static size_t make_marks(const parcast_malleable *m, double serial_s,
                         const parcast_malleable_options *options, struct mark *marks)
{
    size_t n = 0;
    double iteration_s = serial_s / (double)parcast_malleable_iterations(m);
    for (size_t i = 0; i < options->n_measured; i++) {
        const parcast_measured_size *measured = &options->measured[i];
        int size = parcast_malleable_size(m, measured->nodes);
        if (size < 0 || m->sizes[size].nodes != measured->nodes || !(measured->iteration_s > 0)) continue;
        marks[n++] = (struct mark){log(measured->nodes),
                                   log(measured->iteration_s / (iteration_s * share_of(&m->sizes[size])))};
    }
    return n;
}

/* Straight between two marks, level outside; `away`: distance to the nearest. */
static double ratio_at(const struct mark *marks, size_t n, double ln_nodes, double *away)
{
    size_t k = 0;
    *away = INFINITY;
    for (size_t i = 0; i < n; i++) *away = fmin(*away, fabs(marks[i].ln_nodes - ln_nodes));
    while (k + 1 < n && marks[k + 1].ln_nodes <= ln_nodes) k++;
    if (n == 0) return 0;
    if (ln_nodes <= marks[k].ln_nodes || k + 1 == n) return marks[k].ln_ratio;
    double part = (ln_nodes - marks[k].ln_nodes) / (marks[k + 1].ln_nodes - marks[k].ln_nodes);
    return marks[k].ln_ratio + part * (marks[k + 1].ln_ratio - marks[k].ln_ratio);
}

static parcast_status fill(parcast_malleable *m, double serial_s, const parcast_malleable_options *options,
                           size_t *n_marks, parcast_error *error)
{
    const double sd_known = 0.05, sd_guessed = 0.35;
    struct size_time *times = calloc(m->n_sizes, sizeof *times);
    struct mark *marks = calloc(options->n_measured + 1, sizeof *marks);
    size_t n = marks ? make_marks(m, serial_s, options, marks) : 0;
    for (size_t q = 0; q < m->n_sizes && times && marks; q++) {
        double away, ratio = ratio_at(marks, n, log(m->sizes[q].nodes), &away);
        times[q].compute_s = serial_s * share_of(&m->sizes[q]) * exp(ratio);
        m->sizes[q].sd_ln = sd_known + (sd_guessed - sd_known) * fmin(1, away / log(4));
    }
    bool done = times && marks;
    if (done) malleable_fill(m, serial_s, times);
    *n_marks = n;
    free(times);
    free(marks);
    return done ? PARCAST_OK : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
}

parcast_status parcast_malleable_unknown(const parcast_platform *platform, double serial_s,
                                         const parcast_malleable_options *options,
                                         parcast_malleable **malleable, parcast_error *error)
{
    const double any_level_sd_ln = 3; /* twenty times as long, or a twentieth, would be no surprise */
    const parcast_malleable_options o = options ? *options : (parcast_malleable_options){0};
    parcast_malleable *m = NULL;
    size_t n_marks = 0;
    if (!(serial_s >= 0) || !isfinite(serial_s))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a serial time of %g s is none", serial_s);
    parcast_status status = malleable_begin(platform, options, &m, error);
    if (status || !m) return status;
    double guess_s = serial_s > 0 ? serial_s : (double)parcast_malleable_iterations(m);
    status = fill(m, guess_s, &o, &n_marks, error);
    if (n_marks == 0 && serial_s == 0) m->level_sd_ln = any_level_sd_ln;
    if (!status)
        status =
            malleable_note(m,
                           n_marks > 0 ? "there is no forecast: times are those of earlier elastic runs; "
                                         "node counts without any are guessed"
                                       : "there is no forecast: how the program scales is guessed until "
                                         "it has run on several node counts",
                           error);
    if (status) {
        parcast_malleable_destroy(&m);
        return status;
    }
    m->engine = PARCAST_ENGINE_MODEL;
    *malleable = m;
    return PARCAST_OK;
}
