/*
 * Exact solution of one class with multi-server and load-dependent stations: convolution by Horner's rule.
 *
 * Idea. Station k with tilt t, y = t D_k and rates a(1..m), constant from m on, has the generating function
 *     f_k(x) = sum_{j<m} (y x)^j / (a(1)..a(j)) + (y x)^m / (a(1)..a(m)) / (1 - (y/a(m)) x).
 * With g(x) = exp(Z t x) prod_k f_k(x) the throughput is X(N) = t g[N-1]/g[N]. f_k is never expanded:
 *     w[n] = g[n] + (y/a(m)) w[n-1]      upward, closes the geometric tail
 *     w[n] = g[n] + (y/a(j)) w[n-1]      downward, j = m-1 .. 1
 *     g    = w / max w
 * Only sums and products of non-negative numbers: nothing cancels, whatever N and m. (The textbook recursion
 * for multi-server stations subtracts nearly equal numbers and turns negative.)
 *
 * Queue lengths need one sweep back. Beside w runs w' = d w / d ln y:
 *     w'[n] = q (w[n-1] + w'[n-1])       with the old w, q the factor of the pass
 *     Q_k(N) = sum_n b[n] w'[n] / sum_n b[n] w[n]
 * where b starts as 1 at N and takes each f_k mirrored (n+1 for n-1) on the way back. b is kept reversed, so
 * that the same passes serve both directions. The quotient does not depend on any scale. The result at N-1,
 * for gradients, is the same sweep started with 1 at N-1.
 *
 * Numbers. The tilt (tilt.c) puts N into the bulk of g. Entries below 1e-100 of the maximum are dropped and
 * the vectors carry their window, which also keeps denormal numbers out. Before w overflows (hundreds of busy
 * servers) it is scaled down, and the g that is still to come with it (gamma).
 *
 * The vectors g_0..g_{K-1} are kept for the way back, or every sqrt(K)-th of them where memory is short, and
 * the rest computed again.
 *
 * Source: Buzen, Computational algorithms for closed queueing networks, CACM 16 (1973);
 * docs/models/queueing.md.
 */
#include <math.h>
#include <stdlib.h>

#include "product.h"

static const double MIN_CURVE = 1e-60; /* further down the curve another tilt takes over */
static const double MIN_BULK =
    1e-100; /* less weight than this at N: the tilt does not describe the network */

/* Variance of the number at a station on its own. */
struct spread {
    double variance;
    size_t station;
};

struct convolution {
    const struct closed_model *model;
    size_t population;
    double tilt;
    struct spread *order; /* [K] see order_stations */
    size_t n_segments, segment_length;
    struct vector *checkpoint; /* [n_segments] */
    struct vector *kept;       /* [segment_length + 1] */
    double *cells;             /* behind all vectors */
    struct product product;
    struct vector back[2]; /* reversed; for N and for N-1 */
};

static void multiply(struct convolution *c, size_t station, const struct vector *g, size_t limit, bool derive)
{
    product_multiply(&c->model->shape[station], c->tilt * c->model->demand_s[station], g, limit, derive,
                     &c->product);
}

static size_t segment_stations(const struct convolution *c, size_t segment)
{
    size_t first = segment * c->segment_length, rest = c->model->n_stations - first;
    return rest < c->segment_length ? rest : c->segment_length;
}

/* kept[0] is given; kept[i] is the product after i stations of the segment. */
static void run_segment(struct convolution *c, size_t segment)
{
    for (size_t i = 0; i < segment_stations(c, segment); i++) {
        multiply(c, c->order[segment * c->segment_length + i].station, &c->kept[i], c->population, false);
        product_settle(&c->product, &c->kept[i + 1]);
    }
}

/* The product of all stations ends up in kept[] of the last segment. */
static const struct vector *run_forward(struct convolution *c)
{
    vector_of_delay(c->model->think_s[0] * c->tilt, c->population, &c->kept[0]);
    for (size_t segment = 0; segment < c->n_segments; segment++) {
        if (segment > 0) vector_copy(&c->kept[c->segment_length], &c->kept[0]);
        vector_copy(&c->kept[0], &c->checkpoint[segment]);
        run_segment(c, segment);
    }
    return &c->kept[segment_stations(c, c->n_segments - 1)];
}

/* One station back: queue lengths from the product before it, then the station goes into the back vectors. */
static void step_back(struct convolution *c, size_t station, const struct vector *g,
                      struct closed_result *const results[2])
{
    size_t lo = c->back[0].lo;
    if (results[1] && c->back[1].lo < lo) lo = c->back[1].lo;
    multiply(c, station, g, c->population - lo, true);
    for (int i = 0; i < 2; i++)
        if (results[i]) results[i]->queue[station] = product_weigh(&c->product, &c->back[i], c->population);
    for (int i = 0; i < 2; i++) {
        if (!results[i]) continue;
        multiply(c, station, &c->back[i], c->population - g->lo, false);
        product_settle(&c->product, &c->back[i]);
        vector_cut(&c->back[i], c->population - g->hi);
    }
}

static void run_back(struct convolution *c, struct closed_result *const results[2])
{
    for (size_t i = 0; i < 2; i++) {
        c->back[i].lo = c->back[i].hi = i;
        c->back[i].value[i] = 1;
    }
    for (size_t segment = c->n_segments; segment-- > 0;) {
        if (segment + 1 < c->n_segments) {
            vector_copy(&c->checkpoint[segment], &c->kept[0]);
            run_segment(c, segment);
        }
        for (size_t i = segment_stations(c, segment); i-- > 0;)
            step_back(c, c->order[segment * c->segment_length + i].station, &c->kept[i], results);
    }
}

/* The derivative of the mean in ln y. */
static double variance(const struct convolution *c, size_t station)
{
    const struct shape *shape = &c->model->shape[station];
    double y = c->tilt * c->model->demand_s[station];
    double step = 1e-3 * (1 - y / shape_rate(shape, shape->m));
    return step > 0 ? (queueing_open_mean(shape, y * (1 + step)) - queueing_open_mean(shape, y)) / step
                    : INFINITY;
}

static int compare_spreads(const void *a, const void *b)
{
    const struct spread *x = a, *y = b;
    if (x->variance != y->variance) return x->variance < y->variance ? -1 : 1;
    return (x->station > y->station) - (x->station < y->station);
}

/* Narrow distributions first: the windows stay short until the bottlenecks come. Equals keep their order. */
static void order_stations(struct convolution *c)
{
    for (size_t q = 0; q < c->model->n_stations; q++) c->order[q] = (struct spread){variance(c, q), q};
    qsort(c->order, c->model->n_stations, sizeof *c->order, compare_spreads);
}

static size_t most_passes(const struct closed_model *model)
{
    size_t most = 1;
    for (size_t q = 0; q < model->n_stations; q++)
        if (model->shape[q].m > most) most = model->shape[q].m;
    return most;
}

/* checkpoints, kept vectors, two on the way back; cells of the product and of its derivative */
static double count_bytes(const struct convolution *c)
{
    double length = (double)c->population + 1, vectors = (double)(c->n_segments + c->segment_length + 3);
    return 8 * (length * vectors + 2 * (length + (double)most_passes(c->model)));
}

static void cut_segments(struct convolution *c, size_t length)
{
    c->segment_length = length;
    c->n_segments = (c->model->n_stations + length - 1) / length;
}

/* Keep all vectors if they fit, else segments of about sqrt(K). */
static void choose_segments(struct convolution *c, double memory_bytes)
{
    cut_segments(c, c->model->n_stations);
    if (count_bytes(c) > memory_bytes) cut_segments(c, (size_t)ceil(sqrt((double)c->model->n_stations)));
}

static parcast_status check_cost(const struct convolution *c, const parcast_solve_limits *limits,
                                 parcast_error *error)
{
    double n = (double)c->population + 1, passes = 0;
    for (size_t q = 0; q < c->model->n_stations; q++) passes += 4 * (double)c->model->shape[q].m;
    double bytes = count_bytes(c);
    if (n * passes <= limits->operations && bytes <= limits->memory_bytes) return PARCAST_OK;
    parcast_error_set(
        error, PARCAST_LIMIT, NULL, 0,
        "the exact solution of %zu stations by %zu customers takes %.3g operations and %.3g bytes",
        c->model->n_stations, c->population, n * passes, bytes);
    parcast_error_hint(error, "the method linearizer takes any size");
    return PARCAST_LIMIT;
}

static bool allocate(struct convolution *c)
{
    size_t length = c->population + 1, n_cells = length + most_passes(c->model);
    size_t n_vectors = c->n_segments + c->segment_length + 3;
    c->order = calloc(c->model->n_stations, sizeof *c->order);
    c->checkpoint = calloc(c->n_segments, sizeof *c->checkpoint);
    c->kept = calloc(c->segment_length + 1, sizeof *c->kept);
    c->cells = calloc(n_vectors * length + 2 * n_cells, sizeof *c->cells);
    if (!c->order || !c->checkpoint || !c->kept || !c->cells) return false;
    double *next = c->cells;
    for (size_t i = 0; i < c->n_segments; i++, next += length) c->checkpoint[i].value = next;
    for (size_t i = 0; i <= c->segment_length; i++, next += length) c->kept[i].value = next;
    for (size_t i = 0; i < 2; i++, next += length) c->back[i].value = next;
    c->product.w = next;
    c->product.derivative = next + n_cells;
    return true;
}

static void release(struct convolution *c)
{
    free(c->order);
    free(c->checkpoint);
    free(c->kept);
    free(c->cells);
}

/* Two modes far apart: the same recursion in wide numbers, on the lattice of one class. */
static parcast_status solve_wide(const struct closed_model *model, const parcast_solve_limits *limits,
                                 struct closed_result *result, struct closed_result *previous,
                                 parcast_error *error)
{
    parcast_status status = queueing_lattice_solve(model, limits, result, error);
    if (status || !previous) return status;
    size_t population = model->population[0] - 1;
    struct closed_model smaller = *model;
    smaller.population = &population;
    return queueing_lattice_solve(&smaller, limits, previous, error);
}

static parcast_status prepare(struct convolution *c, const parcast_solve_limits *limits, parcast_error *error)
{
    choose_segments(c, limits->memory_bytes);
    parcast_status status = check_cost(c, limits, error);
    if (status) return status;
    if (!allocate(c)) {
        release(c);
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu customers", c->population);
        return PARCAST_MEMORY;
    }
    return PARCAST_OK;
}

parcast_status queueing_convolution(const struct closed_model *model, const parcast_solve_limits *limits,
                                    struct closed_result *result, struct closed_result *previous,
                                    parcast_error *error)
{
    struct convolution c = {.model = model, .population = model->population[0]};
    struct closed_result *const results[2] = {result, previous};
    parcast_status status = prepare(&c, limits, error);
    if (status) return status;
    c.tilt = queueing_tilt(model);
    order_stations(&c);
    const struct vector *g = run_forward(&c);
    if (vector_at(g, c.population) < MIN_BULK || vector_at(g, c.population - 1) < MIN_BULK) {
        status = solve_wide(model, limits, result, previous, error);
        goto release;
    }
    result->throughput_per_s[0] = c.tilt * vector_at(g, c.population - 1) / vector_at(g, c.population);
    if (previous && c.population > 1)
        previous->throughput_per_s[0] =
            c.tilt * vector_at(g, c.population - 2) / vector_at(g, c.population - 1);
    run_back(&c, results);

release:
    release(&c);
    return status;
}

/* X(n) from the product for one tilt, downward from its population; returns where it ends, below the
 * population. */
static size_t read_curve(const struct convolution *c, const struct vector *g, double *curve)
{
    size_t n = c->population;
    for (; n > 0 && vector_at(g, n) >= MIN_CURVE && vector_at(g, n - 1) > 0; n--)
        curve[n - 1] = c->tilt * vector_at(g, n - 1) / vector_at(g, n);
    return n;
}

/* One population in wide numbers, where two modes lie too far apart for a product in doubles. */
static parcast_status solve_point(const struct closed_model *model, const parcast_solve_limits *limits,
                                  double *throughput_per_s, parcast_error *error)
{
    struct closed_result result = {0};
    parcast_status status = queueing_result_create(model, &result, error);
    if (!status) status = queueing_lattice_solve(model, limits, &result, error);
    if (!status) *throughput_per_s = result.throughput_per_s[0];
    queueing_result_destroy(&result);
    return status;
}

/* The piece of the curve that ends at the population of the model; returns how many populations are left. */
static parcast_status solve_piece(struct convolution *c, const parcast_solve_limits *limits, double *curve,
                                  size_t *left, parcast_error *error)
{
    c->population = c->model->population[0];
    c->tilt = queueing_tilt(c->model);
    order_stations(c);
    *left = read_curve(c, run_forward(c), curve);
    if (*left < c->population) return PARCAST_OK;
    return solve_point(c->model, limits, &curve[--*left], error);
}

parcast_status queueing_convolution_curve(const struct closed_model *model,
                                          const parcast_solve_limits *limits, double *curve,
                                          parcast_error *error)
{
    size_t population = model->population[0];
    struct closed_model part = *model;
    part.population = &population;
    struct convolution c = {.model = &part, .population = population};
    parcast_status status = prepare(&c, limits, error);
    if (status) return status;
    while (!status && population > 0) {
        size_t left = 0;
        status = solve_piece(&c, limits, curve, &left, error);
        population = left;
    }
    release(&c);
    return status;
}
