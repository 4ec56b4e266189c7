/*
 * Approximate solution of closed networks of any size: Schweitzer and Linearizer.
 *
 * Both estimate the queue that an arriving customer of class r sees, A_rk, and iterate
 *     R_rk = D_rk (1 + A_rk),  X_r = N_r / (Z_r + sum_k R_rk),  Q_rk = X_r R_rk.
 * Schweitzer:  A_rk = sum_s Q_sk - Q_rk/N_r.
 * Linearizer:  with F_rks, how much the fraction Q_rk/N_r changes when a customer of class s leaves,
 *     A_rk = sum_q (n_q - [q=r]) (Q_qk/n_q + F_qkr)
 * at n = N and at every n = N - e_s; then F_rks = Q_rk(N-e_s)/(N_r-[r=s]) - Q_rk(N)/N_r; three rounds.
 * With G_kr = sum_q N_q F_qkr one iteration costs O(R K), not O(R^2 K):
 *     A_rk(N - e_s) = sum_q Q_qk - Q_rk/n_r + G_kr - F_skr - F_rkr.
 *
 * Stations with several servers or rates are not approximated that way (Seidmann's replacement is up to 17 %
 * off). Those that one class visits are solved exactly with the customers of the class, the rest of its cycle
 * as delay: one such station by queueing_finite_source, several together by convolution. A shared one is
 * taken as if all its visitors were one class of average demand; its residence is divided in proportion to
 * the demands. The two parts exchange their residence times until they agree.
 *
 * Sources: Schweitzer, Approximate analysis of multiclass closed networks of queues, 1979; Chandy and Neuse,
 * Linearizer, CACM 25 (1982); de Souza e Silva and Muntz, A note on the computational cost of the Linearizer
 * algorithm, IEEE Trans. Computers 39 (1990); docs/models/queueing.md.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closed.h"

enum { MAX_ITERATIONS = 100000, MAX_ROUNDS = 500, USUAL_ROUNDS = 100, LINEARIZER_ROUNDS = 3 };

static const double TOLERANCE = 1e-13;

struct approximation {
    const struct closed_model *model;
    size_t n_classes, n_stations;
    bool linearizer;
    bool *single;        /* [K] see choose_single */
    double *cells;       /* behind all arrays */
    double *residence_s; /* [R][K] */
    double *think_s;     /* [R] Z and the residence at stations of several servers or rates */
    double *seen;        /* [R][K] A */
    double *total;       /* [K] */
    double *queue;       /* [R][K] at N */
    double *reduced;     /* [R][R][K] at N - e_s, [s][r][k] */
    double *change;      /* [R][R][K] F, [s][r][k] */
    double *weight;      /* [R][K] G, [r][k] */
    double *throughput_per_s;
};

/* True where the fixed point takes care of the station. */
static bool is_single(const struct approximation *a, size_t k)
{
    return a->single[k];
}

/* The one class that visits station k, or n_classes if there are several. */
static size_t owner(const struct approximation *a, size_t k)
{
    size_t found = a->n_classes;
    for (size_t r = 0; r < a->n_classes; r++) {
        if (!(a->model->demand_s[r * a->n_stations + k] > 0)) continue;
        if (found < a->n_classes) return a->n_classes;
        found = r;
    }
    return found;
}

/* Single servers are single, unless their only class has private stations of another shape to solve them
 * with. */
static void choose_single(const struct approximation *a)
{
    for (size_t k = 0; k < a->n_stations; k++) a->single[k] = a->model->shape[k].m == 1;
    for (size_t k = 0; k < a->n_stations; k++) {
        size_t r = owner(a, k);
        if (a->model->shape[k].m == 1 || r == a->n_classes) continue;
        for (size_t other = 0; other < a->n_stations; other++)
            if (owner(a, other) == r) a->single[other] = false;
    }
}

static bool allocate(struct approximation *a)
{
    size_t r = a->n_classes, k = a->n_stations, cube = a->linearizer ? r * r * k : 0;
    a->cells = calloc(4 * r * k + 2 * cube + 2 * r + k, sizeof *a->cells);
    a->single = calloc(k, sizeof *a->single);
    if (!a->cells || !a->single) return false;
    a->residence_s = a->cells;
    a->seen = a->residence_s + r * k;
    a->queue = a->seen + r * k;
    a->weight = a->queue + r * k;
    a->reduced = a->weight + r * k;
    a->change = a->reduced + cube;
    a->think_s = a->change + cube;
    a->throughput_per_s = a->think_s + r;
    a->total = a->throughput_per_s + r;
    return true;
}

static void release(struct approximation *a)
{
    free(a->cells);
    free(a->single);
}

/* Customers of class r when one of class s has left; s = n_classes: nobody. */
static double customers(const struct approximation *a, size_t r, size_t s)
{
    return (double)a->model->population[r] - (r == s ? 1 : 0);
}

static void start_queues(const struct approximation *a, size_t s, double *queue)
{
    for (size_t r = 0; r < a->n_classes; r++) {
        size_t n_visited = 0;
        for (size_t k = 0; k < a->n_stations; k++)
            n_visited += is_single(a, k) && a->model->demand_s[r * a->n_stations + k] > 0;
        for (size_t k = 0; k < a->n_stations; k++) {
            size_t i = r * a->n_stations + k;
            bool visited = is_single(a, k) && a->model->demand_s[i] > 0;
            queue[i] = visited ? customers(a, r, s) / (double)n_visited : 0;
        }
    }
}

/* A_rk from the queues at N - e_s. */
static void see(const struct approximation *a, size_t s, const double *queue)
{
    size_t n_stations = a->n_stations;
    memset(a->total, 0, n_stations * sizeof *a->total);
    for (size_t r = 0; r < a->n_classes; r++)
        for (size_t k = 0; k < n_stations; k++) a->total[k] += queue[r * n_stations + k];
    for (size_t r = 0; r < a->n_classes; r++) {
        double n = customers(a, r, s);
        double *seen = a->seen + r * n_stations;
        for (size_t k = 0; n > 0 && k < n_stations; k++) {
            seen[k] = a->total[k] - queue[r * n_stations + k] / n;
            if (!a->linearizer) continue;
            const double *change = a->change + r * a->n_classes * n_stations; /* F for a leaving r */
            seen[k] += a->weight[r * n_stations + k] - change[r * n_stations + k];
            if (s < a->n_classes) seen[k] -= change[s * n_stations + k];
            seen[k] = fmax(seen[k], 0);
        }
    }
}

/* One step of the fixed point; returns the largest change of a queue. */
static double iterate(const struct approximation *a, size_t s, double damping, double *queue)
{
    size_t n_stations = a->n_stations;
    double largest_change = 0;
    see(a, s, queue);
    for (size_t r = 0; r < a->n_classes; r++) {
        double n = customers(a, r, s), cycle_s = a->think_s[r];
        if (n == 0) continue;
        for (size_t k = 0; k < n_stations; k++)
            if (is_single(a, k))
                cycle_s += a->model->demand_s[r * n_stations + k] * (1 + a->seen[r * n_stations + k]);
        double throughput_per_s = n / cycle_s;
        if (s == a->n_classes) a->throughput_per_s[r] = throughput_per_s;
        for (size_t k = 0; k < n_stations; k++) {
            size_t i = r * n_stations + k;
            if (!is_single(a, k)) continue;
            double fresh = throughput_per_s * a->model->demand_s[i] * (1 + a->seen[i]);
            largest_change = fmax(largest_change, fabs(fresh - queue[i]));
            queue[i] += damping * (fresh - queue[i]);
        }
    }
    return largest_change;
}

/* Fixed point at N - e_s. What no longer changes beyond rounding has converged. */
static bool solve_core(const struct approximation *a, size_t s, double *queue)
{
    double population = 0, before = INFINITY, damping = 1;
    for (size_t r = 0; r < a->n_classes; r++) population += customers(a, r, s);
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        double change = iterate(a, s, damping, queue);
        if (!isfinite(change)) return false;
        if (change <= TOLERANCE * population) return true;
        if (change > before) {
            if (change <= 1e3 * TOLERANCE * population) return true;
            damping = 0.5;
        }
        before = change;
    }
    return before <= 1e-10 * population;
}

/* F and G from the queues at N and at every N - e_s. */
static void update_changes(const struct approximation *a)
{
    size_t n_stations = a->n_stations, plane = a->n_classes * n_stations;
    memset(a->weight, 0, plane * sizeof *a->weight);
    for (size_t s = 0; s < a->n_classes; s++)
        for (size_t r = 0; r < a->n_classes; r++) {
            double n = customers(a, r, s), all = (double)a->model->population[r];
            for (size_t k = 0; k < n_stations; k++) {
                size_t i = r * n_stations + k;
                double change = n > 0 ? a->reduced[s * plane + i] / n - a->queue[i] / all : 0;
                a->change[s * plane + i] = change;
                a->weight[s * n_stations + k] += all * change;
            }
        }
}

static bool solve_linearizer(const struct approximation *a)
{
    size_t plane = a->n_classes * a->n_stations;
    memset(a->change, 0, a->n_classes * plane * sizeof *a->change);
    memset(a->weight, 0, plane * sizeof *a->weight);
    for (int round = 0; round < LINEARIZER_ROUNDS; round++) {
        if (!solve_core(a, a->n_classes, a->queue)) return false;
        for (size_t s = 0; s < a->n_classes; s++)
            if (!solve_core(a, s, a->reduced + s * plane)) return false;
        update_changes(a);
    }
    return solve_core(a, a->n_classes, a->queue);
}

static bool solve_singles(const struct approximation *a)
{
    bool converged = a->linearizer ? solve_linearizer(a) : solve_core(a, a->n_classes, a->queue);
    for (size_t r = 0; r < a->n_classes; r++)
        for (size_t k = 0; k < a->n_stations; k++) {
            size_t i = r * a->n_stations + k;
            if (is_single(a, k)) a->residence_s[i] = a->queue[i] / a->throughput_per_s[r];
        }
    return converged;
}

static bool is_private(const struct approximation *a, size_t k, size_t r)
{
    return !is_single(a, k) && owner(a, k) == r;
}

/* Residence of class r per cycle outside the stations that only it visits. */
static double outside(const struct approximation *a, size_t r)
{
    double sum_s = a->model->think_s[r];
    for (size_t k = 0; k < a->n_stations; k++)
        if (!is_private(a, k, r)) sum_s += a->residence_s[r * a->n_stations + k];
    return sum_s;
}

/* Several stations of one class: a network of their own. */
static parcast_status solve_private(const struct approximation *a, size_t r, size_t n_private,
                                    const parcast_solve_limits *limits, double *fresh, parcast_error *error)
{
    double think_s = outside(a, r), *demand_s = calloc(n_private, sizeof *demand_s);
    struct shape *shape = calloc(n_private, sizeof *shape);
    size_t population = a->model->population[r], n = 0;
    struct closed_model model = {.n_classes = 1,
                                 .n_stations = n_private,
                                 .population = &population,
                                 .think_s = &think_s,
                                 .demand_s = demand_s,
                                 .shape = shape};
    struct closed_result result = {0};
    parcast_status status = PARCAST_MEMORY;
    if (!demand_s || !shape) {
        parcast_error_set(error, status, NULL, 0, "out of memory for a network");
        goto release;
    }
    for (size_t k = 0; k < a->n_stations; k++) {
        if (!is_private(a, k, r)) continue;
        demand_s[n] = a->model->demand_s[r * a->n_stations + k];
        shape[n++] = a->model->shape[k];
    }
    status = queueing_result_create(&model, &result, error);
    if (!status) status = queueing_convolution(&model, limits, &result, NULL, error);
    n = 0;
    for (size_t k = 0; !status && k < a->n_stations; k++)
        if (is_private(a, k, r))
            fresh[r * a->n_stations + k] = result.queue[n++] / result.throughput_per_s[0];
    queueing_result_destroy(&result);

release:
    free(demand_s);
    free(shape);
    return status;
}

static parcast_status update_private(const struct approximation *a, size_t r,
                                     const parcast_solve_limits *limits, double *fresh, parcast_error *error)
{
    size_t n_private = 0, found = 0;
    for (size_t k = 0; k < a->n_stations; k++)
        if (is_private(a, k, r)) {
            n_private++;
            found = k;
        }
    if (n_private == 0) return PARCAST_OK;
    if (n_private > 1) return solve_private(a, r, n_private, limits, fresh, error);
    const struct shape *shape = &a->model->shape[found];
    double delay_s = outside(a, r), n = (double)a->model->population[r];
    double demand_s = a->model->demand_s[r * a->n_stations + found];
    if (delay_s > 0) {
        double idle = n;
        double mean = queueing_finite_source(shape, a->model->population[r], demand_s, delay_s, &idle, NULL);
        fresh[r * a->n_stations + found] = mean * delay_s / idle;
    } else {
        fresh[r * a->n_stations + found] = n * demand_s / shape_rate(shape, shape->m);
    }
    return PARCAST_OK;
}

/* A station that several classes visit, as if they were one. */
static void update_shared(const struct approximation *a, size_t k, double *fresh)
{
    double n = 0, rate = 0, work = 0, stay = 0;
    for (size_t r = 0; r < a->n_classes; r++) {
        size_t i = r * a->n_stations + k;
        if (!(a->model->demand_s[i] > 0)) continue;
        n += (double)a->model->population[r];
        rate += a->throughput_per_s[r];
        work += a->throughput_per_s[r] * a->model->demand_s[i];
        stay += a->throughput_per_s[r] * a->residence_s[i];
    }
    double demand_s = work / rate, delay_s = (n - stay) / rate;
    const struct shape *shape = &a->model->shape[k];
    double residence_s = n * demand_s / shape_rate(shape, shape->m);
    if (delay_s > 1e-12 * residence_s) {
        double idle = n;
        double mean = queueing_finite_source(shape, (size_t)n, demand_s, delay_s, &idle, NULL);
        residence_s = mean * delay_s / idle;
    }
    for (size_t r = 0; r < a->n_classes; r++) {
        size_t i = r * a->n_stations + k;
        fresh[i] = residence_s * a->model->demand_s[i] / demand_s;
    }
}

/* Residence at all stations that are not single servers, from the present state. */
static parcast_status update_multiple(const struct approximation *a, const parcast_solve_limits *limits,
                                      double *fresh, parcast_error *error)
{
    for (size_t r = 0; r < a->n_classes; r++) {
        parcast_status status = update_private(a, r, limits, fresh, error);
        if (status) return status;
    }
    for (size_t k = 0; k < a->n_stations; k++)
        if (!is_single(a, k) && owner(a, k) == a->n_classes) update_shared(a, k, fresh);
    return PARCAST_OK;
}

/* Z_r and X_r as they follow from the residence times. */
static void close_cycle(const struct approximation *a)
{
    for (size_t r = 0; r < a->n_classes; r++) {
        double singles_s = 0;
        a->think_s[r] = a->model->think_s[r];
        for (size_t k = 0; k < a->n_stations; k++)
            *(is_single(a, k) ? &singles_s : &a->think_s[r]) += a->residence_s[r * a->n_stations + k];
        a->throughput_per_s[r] = (double)a->model->population[r] / (a->think_s[r] + singles_s);
    }
}

/* Exchange between single servers and the others until the residence times agree. */
static parcast_status alternate(const struct approximation *a, const parcast_solve_limits *limits,
                                parcast_error *error)
{
    size_t n_cells = a->n_classes * a->n_stations;
    double *fresh = calloc(n_cells ? n_cells : 1, sizeof *fresh);
    if (!fresh) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
    parcast_status status = PARCAST_OK;
    double largest_change = INFINITY;
    for (int round = 0; !status && round < MAX_ROUNDS && largest_change > 1e-12; round++) {
        largest_change = 0;
        close_cycle(a);
        if (!solve_singles(a)) break;
        close_cycle(a);
        status = update_multiple(a, limits, fresh, error);
        for (size_t r = 0; !status && r < a->n_classes; r++)
            for (size_t k = 0; k < a->n_stations; k++) {
                size_t i = r * a->n_stations + k;
                if (is_single(a, k)) continue;
                double change = fresh[i] - a->residence_s[i];
                largest_change = fmax(largest_change, fabs(change) * a->throughput_per_s[r] /
                                                          (double)a->model->population[r]);
                a->residence_s[i] += (round < 2 ? 1 : 0.7) * change;
            }
    }
    free(fresh);
    close_cycle(a);
    if (!status && !(largest_change <= 1e-9))
        return parcast_error_set(error, PARCAST_NOT_CONVERGED, NULL, 0, "the fixed point did not converge");
    return status;
}

static parcast_status check_cost(const struct approximation *a, const parcast_solve_limits *limits,
                                 parcast_error *error)
{
    double square = (double)a->n_classes * (double)a->n_stations;
    double cube = square * (double)a->n_classes;
    double bytes = 8 * (4 * square + (a->linearizer ? 2 * cube : 0));
    if (bytes <= limits->memory_bytes && (!a->linearizer || 100 * cube <= limits->operations))
        return PARCAST_OK;
    parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "%zu classes by %zu stations take %.3g bytes",
                      a->n_classes, a->n_stations, bytes);
    if (a->linearizer) parcast_error_hint(error, "the method schweitzer takes less");
    return PARCAST_LIMIT;
}

/* The stations of several servers take a pass over their customers in every round. */
static parcast_status check_customers(const struct approximation *a, const parcast_solve_limits *limits,
                                      parcast_error *error)
{
    double customers = 0;
    for (size_t k = 0; k < a->n_stations; k++)
        for (size_t r = 0; r < a->n_classes && !is_single(a, k); r++)
            if (a->model->demand_s[r * a->n_stations + k] > 0) customers += (double)a->model->population[r];
    if (USUAL_ROUNDS * customers <= limits->operations) return PARCAST_OK;
    parcast_error_set(error, PARCAST_LIMIT, NULL, 0,
                      "%.3g customers at stations of several servers are too many", customers);
    parcast_error_hint(error, "a smaller population, or an open class where the number does not matter");
    return PARCAST_LIMIT;
}

parcast_status queueing_approximate(const struct closed_model *model, parcast_solve_method method,
                                    const parcast_solve_limits *limits, struct closed_result *result,
                                    parcast_error *error)
{
    struct approximation a = {.model = model, .n_classes = model->n_classes, .n_stations = model->n_stations};
    a.linearizer = method == PARCAST_SOLVE_LINEARIZER;
    parcast_status status = check_cost(&a, limits, error);
    if (status) return status;
    if (!allocate(&a)) {
        release(&a);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
    }
    choose_single(&a);
    status = check_customers(&a, limits, error);
    if (status) {
        release(&a);
        return status;
    }
    start_queues(&a, a.n_classes, a.queue);
    for (size_t s = 0; a.linearizer && s < a.n_classes; s++)
        start_queues(&a, s, a.reduced + s * a.n_classes * a.n_stations);
    for (size_t r = 0; r < a.n_classes; r++)
        for (size_t k = 0; k < a.n_stations; k++) {
            size_t i = r * a.n_stations + k;
            a.residence_s[i] = model->demand_s[i] / shape_rate(&model->shape[k], 1);
        }
    status = alternate(&a, limits, error);
    for (size_t r = 0; !status && r < a.n_classes; r++) {
        result->throughput_per_s[r] = a.throughput_per_s[r];
        for (size_t k = 0; k < a.n_stations; k++)
            result->queue[r * a.n_stations + k] = a.throughput_per_s[r] * a.residence_s[r * a.n_stations + k];
    }
    release(&a);
    return status;
}

/* Schweitzer alone; a station of several servers or rates as one fast server and a delay. */
parcast_status queueing_approximate_throughput(const struct closed_model *model, double *throughput_per_s,
                                               parcast_error *error)
{
    struct closed_model simple = *model;
    size_t n_cells = model->n_classes * model->n_stations;
    struct approximation a = {
        .model = &simple, .n_classes = model->n_classes, .n_stations = model->n_stations};
    simple.demand_s = calloc(n_cells, sizeof *simple.demand_s);
    simple.shape = calloc(model->n_stations, sizeof *simple.shape);
    parcast_status status = PARCAST_OK;
    if (!simple.demand_s || !simple.shape || !allocate(&a)) {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
        goto release;
    }
    memcpy(a.think_s, model->think_s, a.n_classes * sizeof *a.think_s);
    for (size_t k = 0; k < a.n_stations; k++) {
        double first = shape_rate(&model->shape[k], 1),
               last = shape_rate(&model->shape[k], model->shape[k].m);
        simple.shape[k].m = 1;
        for (size_t r = 0; r < a.n_classes; r++) {
            double demand_s = model->demand_s[r * a.n_stations + k];
            simple.demand_s[r * a.n_stations + k] = demand_s / last;
            a.think_s[r] += demand_s * fmax(0, 1 / first - 1 / last);
        }
    }
    for (size_t k = 0; k < a.n_stations; k++) a.single[k] = true;
    start_queues(&a, a.n_classes, a.queue);
    if (!solve_core(&a, a.n_classes, a.queue))
        status = parcast_error_set(error, PARCAST_NOT_CONVERGED, NULL, 0, "the fixed point did not converge");
    else
        memcpy(throughput_per_s, a.throughput_per_s, a.n_classes * sizeof *throughput_per_s);

release:
    release(&a);
    free(simple.demand_s);
    free(simple.shape);
    return status;
}
