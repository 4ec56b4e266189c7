#include "forecast/bound_basis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scaling_internal.h"

static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) && *value >= 0;
}

/* Equal, or both numbers. */
static bool comparable(const char *a, const char *b)
{
    double x, y;
    return strcmp(a, b) == 0 || (read_number(a, &x) && read_number(b, &y));
}

static bool same_form(char *const *a, size_t n_a, char *const *b, size_t n_b)
{
    if (n_a != n_b) return false;
    for (size_t i = 0; i < n_a; i++)
        if (!comparable(a[i], b[i])) return false;
    return true;
}

static bool same_arguments(const parcast_estimate *a, const parcast_estimate *b)
{
    if (a->n_arguments != b->n_arguments) return false;
    for (size_t i = 0; i < a->n_arguments; i++)
        if (strcmp(a->arguments[i], b->arguments[i]) != 0) return false;
    return true;
}

static void choose_target(const parcast_bound_basis *basis, const parcast_run *runs, size_t n_runs,
                          struct bound_sizes *sizes)
{
    const parcast_estimate *latest = &basis->estimates[basis->n_estimates - 1];
    sizes->target = latest->arguments;
    sizes->n_target = latest->n_arguments;
    if (basis->target) {
        sizes->target = basis->target;
        sizes->n_target = basis->n_target;
    } else if (n_runs && same_form(runs[0].arguments, runs[0].n_arguments, sizes->target, sizes->n_target)) {
        sizes->target = runs[0].arguments;
        sizes->n_target = runs[0].n_arguments;
        sizes->from_runs = true;
    }
}

/* Of estimates of the same size the latest. */
static void choose_estimates(const parcast_bound_basis *basis, struct bound_sizes *sizes)
{
    for (size_t i = 0; i < basis->n_estimates; i++) {
        const parcast_estimate *estimate = &basis->estimates[i];
        bool later = false;
        for (size_t j = i + 1; j < basis->n_estimates; j++)
            later = later || same_arguments(estimate, &basis->estimates[j]);
        if (!later && same_form(estimate->arguments, estimate->n_arguments, sizes->target, sizes->n_target))
            sizes->estimates[sizes->n++] = estimate;
    }
}

/* An argument that is one number in every estimate and another in the target cannot be followed. */
static parcast_status find_parameters(struct bound_sizes *sizes, parcast_error *error)
{
    for (size_t a = 0; a < sizes->n_target; a++) {
        const char *first = sizes->estimates[0]->arguments[a];
        bool vary = false, as_target = true;
        for (size_t i = 0; i < sizes->n; i++) {
            vary = vary || strcmp(sizes->estimates[i]->arguments[a], first) != 0;
            as_target = as_target && strcmp(sizes->estimates[i]->arguments[a], sizes->target[a]) == 0;
        }
        if (!vary && as_target) continue;
        if (!vary) {
            parcast_error_set(error, PARCAST_DATA, NULL, 0,
                              "argument %zu is %s in every estimate and %s in what is to be forecast", a + 1,
                              first, sizes->target[a]);
            parcast_error_hint(error, "estimate with %s there, or with three other numbers at least",
                               sizes->target[a]);
            return PARCAST_DATA;
        }
        if (sizes->k == BOUND_MAX_PARAMETERS)
            return parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "more than %d arguments vary",
                                     BOUND_MAX_PARAMETERS);
        sizes->position[sizes->k++] = a;
    }
    return PARCAST_OK;
}

static void fill_points(struct bound_sizes *sizes)
{
    for (size_t j = 0; j < sizes->k; j++) {
        read_number(sizes->target[sizes->position[j]], &sizes->x[j]);
        for (size_t i = 0; i < sizes->n; i++)
            read_number(sizes->estimates[i]->arguments[sizes->position[j]], &sizes->points[i * sizes->k + j]);
    }
    for (size_t i = 0; i < sizes->n; i++)
        sizes->exact =
            sizes->exact || memcmp(sizes->points + i * sizes->k, sizes->x, sizes->k * sizeof *sizes->x) == 0;
}

static void join_words(char *const *words, size_t n, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", words[i]);
}

parcast_status bound_sizes_find(const parcast_bound_basis *basis, const parcast_run *runs, size_t n_runs,
                                struct bound_sizes *sizes, parcast_error *error)
{
    *sizes = (struct bound_sizes){0};
    choose_target(basis, runs, n_runs, sizes);
    sizes->estimates = calloc(basis->n_estimates + 1, sizeof(const parcast_estimate *));
    sizes->points = calloc(basis->n_estimates * BOUND_MAX_PARAMETERS + 1, sizeof *sizes->points);
    parcast_status status = PARCAST_OK;
    if (!sizes->estimates || !sizes->points)
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu estimates",
                                   basis->n_estimates);
    if (!status) choose_estimates(basis, sizes);
    if (!status && !sizes->n) {
        char wanted[160], known[160];
        const parcast_estimate *latest = &basis->estimates[basis->n_estimates - 1];
        join_words(sizes->target, sizes->n_target, wanted, sizeof wanted);
        join_words(latest->arguments, latest->n_arguments, known, sizeof known);
        status = parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                   "no estimate has arguments like '%s'; the latest has '%s'", wanted, known);
    }
    if (!status) status = find_parameters(sizes, error);
    if (!status)
        fill_points(sizes);
    else
        bound_sizes_clear(sizes);
    return status;
}

void bound_sizes_clear(struct bound_sizes *sizes)
{
    free(sizes->estimates);
    free(sizes->points);
    *sizes = (struct bound_sizes){0};
}

static parcast_status say(parcast_fit_report *report, const char *quantity, const struct bound_value *value,
                          parcast_error *error)
{
    if (!value->form[0]) return PARCAST_OK;
    return report_function(report, quantity, value->form, value->loo_ratio, error);
}

parcast_status bound_flop(const struct bound_sizes *sizes, struct bound_value *flop,
                          parcast_fit_report *report, parcast_error *error)
{
    double *y = calloc(sizes->n, sizeof *y);
    if (!y) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a fit");
    for (size_t i = 0; i < sizes->n; i++) y[i] = sizes->estimates[i]->flop;
    parcast_status status = bound_fit_sizes(sizes->points, y, sizes->n, sizes->k, sizes->x, flop, error);
    free(y);
    return status ? status : say(report, "flop", flop, error);
}

static const parcast_estimate_volume *volume_of(const parcast_estimate *estimate, int processes)
{
    for (size_t i = 0; i < estimate->n_volumes; i++)
        if (estimate->volumes[i].processes == processes) return &estimate->volumes[i];
    return NULL;
}

/* The estimates that know this count, for a fit. */
struct series {
    double *points, *bytes, *block; /* [n][k], [n], [n] */
    size_t n;
    bool blocks; /* all have some */
};

static void collect(const struct bound_sizes *sizes, int processes, size_t without, struct series *s)
{
    s->n = 0;
    s->blocks = true;
    for (size_t i = 0; i < sizes->n; i++) {
        const parcast_estimate_volume *volume = volume_of(sizes->estimates[i], processes);
        if (!volume || i == without) continue;
        memcpy(s->points + s->n * sizes->k, sizes->points + i * sizes->k, sizes->k * sizeof *s->points);
        s->bytes[s->n] = volume->bytes;
        s->block[s->n++] = volume->block_bytes;
        s->blocks = s->blocks && volume->block_bytes > 0;
    }
}

/* Share of the blocks' bytes that the least found has, over the sizes. */
struct share {
    double mean, half; /* half width of the 95 % interval of one more */
    bool steady;
};

static struct share share_of(const struct series *s)
{
    const double steady_ratio = 1.15;
    double sum = 0, squares = 0, least = INFINITY, most = 0, n = (double)s->n;
    for (size_t i = 0; i < s->n; i++) {
        double ratio = s->bytes[i] / s->block[i];
        sum += ratio;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    for (size_t i = 0; i < s->n; i++) squares += pow(s->bytes[i] / s->block[i] - sum / n, 2);
    double t = s->n > 1 ? scaling_student_t(s->n - 1) : 0;
    return (struct share){sum / n, s->n > 1 ? t * sqrt(squares / (n - 1) * (1 + 1 / n)) : 0,
                          most <= steady_ratio * least};
}

/* Blocks are always there to be taken: what the least found would grow to is not above what they grow to. */
static void keep_below_blocks(const struct bound_sizes *sizes, const struct series *s, double share,
                              struct bound_value *result)
{
    struct bound_value blocks;
    if (!s->blocks || !s->n || bound_fit_sizes(s->points, s->block, s->n, sizes->k, sizes->x, &blocks, NULL))
        return;
    if (result->value > blocks.value) {
        result->value = blocks.value;
        memcpy(result->form, blocks.form, sizeof result->form);
        result->low = fmin(result->low, share * blocks.low);
    }
    result->high = fmax(result->value, fmin(result->high, blocks.high));
}

/* Blocks grow as polynomials. Where the least that was found keeps its distance from them it follows them;
 * where it does not (blocks that know too few dimensions) it is fitted by itself. */
static parcast_status fit_series(const struct bound_sizes *sizes, const struct series *s,
                                 struct bound_value *result, parcast_error *error)
{
    bool exact = false;
    for (size_t i = 0; i < s->n; i++)
        exact = exact || memcmp(s->points + i * sizes->k, sizes->x, sizes->k * sizeof *sizes->x) == 0;
    struct share share = s->blocks && s->n ? share_of(s) : (struct share){0};
    if (exact || !share.steady) {
        parcast_status own = bound_fit_sizes(s->points, s->bytes, s->n, sizes->k, sizes->x, result, error);
        if (!own && !exact) keep_below_blocks(sizes, s, share.mean, result);
        return own;
    }
    parcast_status status = bound_fit_sizes(s->points, s->block, s->n, sizes->k, sizes->x, result, error);
    if (status) return status;
    result->value *= share.mean;
    result->low *= fmax(share.mean - share.half, 0);
    result->high *= share.mean + share.half;
    return PARCAST_OK;
}

static bool series_create(const struct bound_sizes *sizes, struct series *s)
{
    s->points = calloc(sizes->n * (sizes->k + 2) + 1, sizeof *s->points);
    if (!s->points) return false;
    s->bytes = s->points + sizes->n * sizes->k;
    s->block = s->bytes + sizes->n;
    return true;
}

/* Index of the estimate with the largest size; SIZE_MAX where there is no order. */
static size_t largest_size(const struct bound_sizes *sizes)
{
    size_t best = 0;
    if (sizes->k != 1) return SIZE_MAX;
    for (size_t i = 1; i < sizes->n; i++)
        if (sizes->points[i] > sizes->points[best]) best = i;
    return best;
}

/* The largest size forecast from the smaller ones: the error that a reader wants to know. */
static void try_extrapolation(const struct bound_sizes *sizes, int processes, struct series *s, double *worst)
{
    size_t largest = largest_size(sizes);
    const parcast_estimate_volume *volume =
        largest == SIZE_MAX ? NULL : volume_of(sizes->estimates[largest], processes);
    struct bound_value value;
    if (!volume || !(volume->bytes > 0) || sizes->n < 4) return;
    collect(sizes, processes, largest, s);
    struct bound_sizes smaller = *sizes;
    smaller.x[0] = sizes->points[largest];
    if (fit_series(&smaller, s, &value, NULL)) return;
    double error_ratio = fabs(value.value / volume->bytes - 1);
    if (isnan(*worst) || error_ratio > *worst) *worst = error_ratio;
}

static bool has_count(const struct bound_volumes *volumes, double p)
{
    for (size_t i = 0; i < volumes->n; i++)
        if (volumes->counts[i] == p) return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static parcast_status find_counts(const struct bound_sizes *sizes, struct bound_volumes *volumes,
                                  parcast_error *error)
{
    size_t most = 0;
    for (size_t i = 0; i < sizes->n; i++) most += sizes->estimates[i]->n_volumes;
    volumes->counts = calloc(most + 1, sizeof *volumes->counts);
    volumes->bytes = calloc(most + 1, sizeof *volumes->bytes);
    if (!volumes->counts || !volumes->bytes)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu volumes", most);
    for (size_t i = 0; i < sizes->n; i++)
        for (size_t j = 0; j < sizes->estimates[i]->n_volumes; j++) {
            double p = sizes->estimates[i]->volumes[j].processes;
            if (!has_count(volumes, p)) volumes->counts[volumes->n++] = p;
        }
    qsort(volumes->counts, volumes->n, sizeof *volumes->counts, by_number);
    return PARCAST_OK;
}

/* Counts that too few sizes know are left out. */
parcast_status bound_volumes_find(const struct bound_sizes *sizes, struct bound_volumes *volumes,
                                  parcast_fit_report *report, parcast_error *error)
{
    struct series s;
    size_t kept = 0;
    parcast_error why = {0};
    *volumes = (struct bound_volumes){0};
    if (!series_create(sizes, &s))
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a fit");
    parcast_status status = find_counts(sizes, volumes, error);
    for (size_t i = 0; !status && i < volumes->n; i++) {
        char quantity[32];
        int p = (int)volumes->counts[i];
        collect(sizes, p, SIZE_MAX, &s);
        if (fit_series(sizes, &s, &volumes->bytes[kept], &why)) continue;
        snprintf(quantity, sizeof quantity, "bytes, %d parts", p);
        status = say(report, quantity, &volumes->bytes[kept], error);
        if (volumes->bytes[kept].form[0]) try_extrapolation(sizes, p, &s, &report->extrapolation_ratio);
        volumes->counts[kept++] = p;
    }
    if (!status && !kept && volumes->n) {
        if (error) *error = why;
        status = why.code;
    }
    volumes->n = kept;
    free(s.points);
    if (status) bound_volumes_clear(volumes);
    return status;
}

void bound_volumes_clear(struct bound_volumes *volumes)
{
    free(volumes->counts);
    free(volumes->bytes);
    *volumes = (struct bound_volumes){0};
}

/* NAN where no estimate is of the size asked for, or that one has no time. */
static double measured_at_target(const struct bound_sizes *sizes)
{
    for (size_t i = 0; i < sizes->n; i++)
        if (memcmp(sizes->points + i * sizes->k, sizes->x, sizes->k * sizeof *sizes->x) == 0)
            return sizes->estimates[i]->serial_s;
    return NAN;
}

/* The rate depends on the size (caches): that of the most work counts, the others of half as much or more
 * say how sure it is. */
static void rate_of_largest(const struct bound_sizes *sizes, double *rate, double *low, double *high)
{
    double most = 0;
    *rate = *low = *high = NAN;
    for (size_t i = 0; i < sizes->n; i++) {
        const parcast_estimate *e = sizes->estimates[i];
        if (!(e->serial_s > 0) || !(e->flop > most)) continue;
        most = e->flop;
        *rate = *low = *high = e->flop / e->serial_s;
    }
    for (size_t i = 0; i < sizes->n; i++) {
        const parcast_estimate *e = sizes->estimates[i];
        if (!(e->serial_s > 0) || !(e->flop >= most / 4)) continue;
        *low = fmin(*low, e->flop / e->serial_s);
        *high = fmax(*high, e->flop / e->serial_s);
    }
}

static parcast_status serial_from_times(const struct bound_sizes *sizes, struct bound_value *serial_s,
                                        parcast_error *error)
{
    struct series s;
    if (!series_create(sizes, &s))
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a fit");
    s.n = 0;
    for (size_t i = 0; i < sizes->n; i++) {
        if (!(sizes->estimates[i]->serial_s > 0)) continue;
        memcpy(s.points + s.n * sizes->k, sizes->points + i * sizes->k, sizes->k * sizeof *s.points);
        s.bytes[s.n++] = sizes->estimates[i]->serial_s;
    }
    if (!s.n || bound_fit_sizes(s.points, s.bytes, s.n, sizes->k, sizes->x, serial_s, NULL))
        *serial_s = (struct bound_value){NAN, NAN, NAN, NAN, ""};
    free(s.points);
    return PARCAST_OK;
}

parcast_status bound_serial(const struct bound_sizes *sizes, const struct bound_value *flop,
                            struct bound_value *serial_s, parcast_error *error)
{
    double measured_s = measured_at_target(sizes), rate, low, high;
    *serial_s = (struct bound_value){NAN, NAN, NAN, NAN, ""};
    if (measured_s > 0) {
        *serial_s = (struct bound_value){measured_s, measured_s, measured_s, NAN, ""};
        return PARCAST_OK;
    }
    if (!(flop->value > 0)) return serial_from_times(sizes, serial_s, error);
    rate_of_largest(sizes, &rate, &low, &high);
    if (rate > 0)
        *serial_s = (struct bound_value){flop->value / rate, flop->low / high, flop->high / low, NAN, ""};
    return PARCAST_OK;
}
