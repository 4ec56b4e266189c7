/*
 * Exact solution of several classes with multi-server and load-dependent stations, by Horner's rule on the
 * lattice of populations. Included by lattice.c (numbers are doubles) and lattice_wide.c (no range to leave).
 *
 * With y_r = t_r D_rk and the operator (s w)(n) = sum_r y_r w(n - e_r), station k is
 *     w = g + s w / a(m)            one sweep upward, closes the geometric tail
 *     w = g + s w / a(j)            j = m-1 .. 1
 * and X_r(N) = t_r g(N - e_r) / g(N): the equations of convolution.c with s in place of y x.
 * Queue lengths come from one sweep back with h = d w / d s and the mirrored vector b (1 at N):
 *     h = (w + s h) / a(m);    h = (w + s h) / a(j) with the w before the pass
 *     Q_rk = y_r sum_n b(n + e_r) h(n) / sum_n b(n) w(n)
 * Everything is a sum of products of non-negative numbers.
 *
 * A point n has the index sum_r n_r stride_r, class 0 (the largest) innermost: rows of N_0 + 1 points. b is
 * kept reversed (index n_points - 1 - i), so the same sweeps serve both directions.
 *
 * The including file defines VALUE, V_ONE, V_ZERO, v_add, v_scale, v_product, v_ratio, v_less, KERNEL(name),
 * and v_settle(values, n): scale to maximum 1 and drop what has no weight.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice.h"

struct solver {
    const struct closed_model *model;
    const struct lattice *lattice;
    size_t n_segments, segment_length;
    VALUE *cells;
    VALUE *checkpoints; /* [n_segments][n_points] */
    VALUE *kept;        /* [segment_length + 1][n_points] */
    VALUE *back;        /* [n_points] reversed */
    VALUE *w, *h, *spare;
    VALUE *factors; /* [N_0 + 1] */
    double *y;      /* [n_classes] */
    size_t *digits; /* [n_classes] */
};

static VALUE *slot(const struct solver *s, VALUE *vectors, size_t i)
{
    return vectors + i * s->lattice->n_points;
}

static void add_scaled(VALUE *restrict out, const VALUE *restrict in, double factor, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = v_add(out[i], v_scale(in[i], factor));
}

/* digits of the next row; class 0 lies inside the row. */
static void next_row(const struct solver *s)
{
    for (size_t r = 1; r < s->lattice->n_classes; r++) {
        if (++s->digits[r] <= s->lattice->population[r]) return;
        s->digits[r] = 0;
    }
}

/* out(n) = base(n) + factor sum_r y_r in(n - e_r), row by row; in may be out: then the sweep closes the tail.
 */
static void sweep(const struct solver *s, const VALUE *base, double base_factor, const VALUE *in,
                  double factor, VALUE *out)
{
    const struct lattice *lattice = s->lattice;
    size_t length = lattice->population[0] + 1;
    double inner = factor * s->y[0];
    memset(s->digits, 0, lattice->n_classes * sizeof *s->digits);
    for (size_t row = 0; row < lattice->n_points; row += length, next_row(s)) {
        VALUE *restrict out_row = out + row;
        for (size_t i = 0; i < length; i++) out_row[i] = v_scale(base[row + i], base_factor);
        for (size_t r = 1; r < lattice->n_classes; r++)
            if (s->digits[r] > 0 && s->y[r] > 0)
                add_scaled(out_row, in + row - lattice->stride[r], factor * s->y[r], length);
        if (!(inner > 0)) continue;
        if (in == out)
            for (size_t i = 1; i < length; i++)
                out_row[i] = v_add(out_row[i], v_scale(out_row[i - 1], inner));
        else
            add_scaled(out_row + 1, in + row, inner, length - 1);
    }
}

static void swap(VALUE **a, VALUE **b)
{
    VALUE *c = *a;
    *a = *b;
    *b = c;
}

/* Scale w and h down together; returns the factor, so that what is still to be added can follow. */
static double rescale(struct solver *s, bool derive)
{
    VALUE most = V_ZERO;
    for (size_t i = 0; i < s->lattice->n_points; i++)
        if (v_less(most, s->w[i])) most = s->w[i];
    double factor = v_ratio(V_ONE, most);
    for (size_t i = 0; i < s->lattice->n_points; i++) {
        s->w[i] = v_scale(s->w[i], factor);
        if (derive) s->h[i] = v_scale(s->h[i], factor);
    }
    return factor;
}

static double sum_of_y(const struct solver *s)
{
    double sum = 0;
    for (size_t r = 0; r < s->lattice->n_classes; r++) sum += s->y[r];
    return sum;
}

/* Station k times g, into w, and its derivative into h. */
static void multiply(struct solver *s, size_t k, const VALUE *g, bool derive)
{
    const struct shape *shape = &s->model->shape[k];
    for (size_t r = 0; r < s->lattice->n_classes; r++)
        s->y[r] =
            s->lattice->tilt[r] * s->model->demand_s[s->lattice->class_of[r] * s->model->n_stations + k];
    double factor = 1 / shape_rate(shape, shape->m), total = sum_of_y(s), gamma = 1;
    sweep(s, g, 1, s->w, factor, s->w);
    if (derive) sweep(s, s->w, factor, s->h, factor, s->h);
    double bound = (double)s->lattice->n_points; /* the tilt keeps factor * total <= 1, g <= 1 */
    for (size_t j = shape->m - 1; j >= 1; j--) {
        factor = 1 / shape_rate(shape, j);
        bound = gamma + factor * total * bound;
        if (V_BOUNDED && bound > 1e150) {
            gamma *= rescale(s, derive);
            bound = gamma + factor * total;
        }
        if (derive) {
            sweep(s, s->w, factor, s->h, factor, s->spare);
            swap(&s->h, &s->spare);
        }
        sweep(s, g, gamma, s->w, factor, s->spare);
        swap(&s->w, &s->spare);
    }
}

/* (Z t)^n / n! for one class, from its mode outward. */
static void fill_factors(const struct solver *s, size_t r)
{
    size_t n = s->lattice->population[r];
    double mean = s->model->think_s[s->lattice->class_of[r]] * s->lattice->tilt[r];
    size_t mode = mean < (double)n ? (size_t)mean : n;
    s->factors[mode] = V_ONE;
    for (size_t i = mode; i > 0; i--) s->factors[i - 1] = v_scale(s->factors[i], (double)i / mean);
    for (size_t i = mode; i < n; i++) s->factors[i + 1] = v_scale(s->factors[i], mean / (double)(i + 1));
}

static void start(const struct solver *s, VALUE *g)
{
    const struct lattice *lattice = s->lattice;
    for (size_t i = 0; i < lattice->n_points; i++) g[i] = V_ONE;
    for (size_t r = 0; r < lattice->n_classes; r++) {
        fill_factors(s, r);
        for (size_t i = 0; i < lattice->n_points; i++)
            g[i] = v_product(g[i], s->factors[i / lattice->stride[r] % (lattice->population[r] + 1)]);
    }
    v_settle(g, lattice->n_points);
}

static size_t segment_stations(const struct solver *s, size_t segment)
{
    size_t rest = s->model->n_stations - segment * s->segment_length;
    return rest < s->segment_length ? rest : s->segment_length;
}

static void run_segment(struct solver *s, size_t segment)
{
    size_t n_points = s->lattice->n_points;
    for (size_t i = 0; i < segment_stations(s, segment); i++) {
        VALUE *product = slot(s, s->kept, i + 1);
        multiply(s, segment * s->segment_length + i, slot(s, s->kept, i), false);
        memcpy(product, s->w, n_points * sizeof *product);
        v_settle(product, n_points);
    }
}

static const VALUE *run_forward(struct solver *s)
{
    size_t bytes = s->lattice->n_points * sizeof(VALUE);
    start(s, s->kept);
    for (size_t segment = 0; segment < s->n_segments; segment++) {
        if (segment > 0) memcpy(s->kept, slot(s, s->kept, s->segment_length), bytes);
        memcpy(slot(s, s->checkpoints, segment), s->kept, bytes);
        run_segment(s, segment);
    }
    return slot(s, s->kept, segment_stations(s, s->n_segments - 1));
}

/* Queue lengths of station k from w, h and b. */
static void weigh(const struct solver *s, size_t k, struct closed_result *result)
{
    const struct lattice *lattice = s->lattice;
    size_t last = lattice->n_points - 1;
    VALUE sum = V_ZERO;
    for (size_t i = 0; i <= last; i++) sum = v_add(sum, v_product(s->back[last - i], s->w[i]));
    for (size_t r = 0; r < lattice->n_classes; r++) {
        VALUE weighted = V_ZERO;
        size_t stride = lattice->stride[r], base = lattice->population[r] + 1;
        for (size_t i = 0; i + stride <= last; i++)
            if (i / stride % base != lattice->population[r])
                weighted = v_add(weighted, v_product(s->back[last - i - stride], s->h[i]));
        result->queue[lattice->class_of[r] * s->model->n_stations + k] = s->y[r] * v_ratio(weighted, sum);
    }
}

static void run_back(struct solver *s, struct closed_result *result)
{
    size_t n_points = s->lattice->n_points;
    for (size_t i = 0; i < n_points; i++) s->back[i] = i == 0 ? V_ONE : V_ZERO;
    for (size_t segment = s->n_segments; segment-- > 0;) {
        if (segment + 1 < s->n_segments) {
            memcpy(s->kept, slot(s, s->checkpoints, segment), n_points * sizeof(VALUE));
            run_segment(s, segment);
        }
        for (size_t i = segment_stations(s, segment); i-- > 0;) {
            size_t k = segment * s->segment_length + i;
            multiply(s, k, slot(s, s->kept, i), true);
            weigh(s, k, result);
            multiply(s, k, s->back, false);
            memcpy(s->back, s->w, n_points * sizeof(VALUE));
            v_settle(s->back, n_points);
        }
    }
}

static bool allocate(struct solver *s)
{
    size_t n_points = s->lattice->n_points, n_classes = s->lattice->n_classes;
    size_t n_vectors = s->n_segments + s->segment_length + 5, most = 0;
    for (size_t r = 0; r < n_classes; r++)
        if (s->lattice->population[r] > most) most = s->lattice->population[r];
    s->cells = malloc((n_vectors * n_points + most + 1) * sizeof *s->cells);
    s->y = calloc(n_classes, sizeof *s->y);
    s->digits = calloc(n_classes, sizeof *s->digits);
    if (!s->cells || !s->y || !s->digits) return false;
    s->checkpoints = s->cells;
    s->kept = slot(s, s->checkpoints, s->n_segments);
    s->back = slot(s, s->kept, s->segment_length + 1);
    s->w = slot(s, s->back, 1);
    s->h = slot(s, s->back, 2);
    s->spare = slot(s, s->back, 3);
    s->factors = slot(s, s->back, 4);
    return true;
}

/* All vectors, or about sqrt(K) and sqrt(K) of them where memory is short. */
static parcast_status choose_segments(struct solver *s, double memory_bytes, parcast_error *error)
{
    size_t n_stations = s->model->n_stations;
    double vector_bytes = (double)sizeof(VALUE) * (double)s->lattice->n_points;
    s->segment_length = n_stations;
    if (((double)n_stations + 6) * vector_bytes > memory_bytes)
        s->segment_length = (size_t)ceil(sqrt((double)n_stations));
    s->n_segments = (n_stations + s->segment_length - 1) / s->segment_length;
    double bytes = vector_bytes * (double)(s->n_segments + s->segment_length + 5);
    if (bytes <= memory_bytes) return PARCAST_OK;
    return queueing_lattice_refuse(s->model, bytes, error);
}

parcast_status KERNEL(const struct closed_model *model, const struct lattice *lattice, double memory_bytes,
                      struct closed_result *result, parcast_error *error)
{
    struct solver s = {.model = model, .lattice = lattice};
    parcast_status status = choose_segments(&s, memory_bytes, error);
    if (status) return status;
    if (!allocate(&s)) {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0,
                                   "out of memory for a lattice of %zu points", lattice->n_points);
        goto release;
    }
    const VALUE *g = run_forward(&s);
    size_t last = lattice->n_points - 1;
    for (size_t r = 0; r < lattice->n_classes; r++)
        if (v_less(g[last], V_BULK) || v_less(g[last - lattice->stride[r]], V_BULK)) {
            status = PARCAST_NOT_CONVERGED; /* the caller turns to wide numbers */
            goto release;
        }
    for (size_t r = 0; r < lattice->n_classes; r++)
        result->throughput_per_s[lattice->class_of[r]] =
            lattice->tilt[r] * v_ratio(g[last - lattice->stride[r]], g[last]);
    run_back(&s, result);

release:
    free(s.cells);
    free(s.y);
    free(s.digits);
    return status;
}
