#include "forecast/fit.h"

#include <cminpack.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_PER_RUN = 3, P = CLUSTER_PARAMETERS };

struct fit_state {
    const struct fit_problem *problem;
    bool fixed[P];
    int free_index[P]; /* parameter of each free column */
    int n_free;
    double theta[P];
    parcast_status status;
    parcast_error *error;
};

/* A clean run repeats within a few per cent; one with more ranks than cores, or one that other programs
 * disturbed, says little about its time. */
double fit_time_sd(const struct workload *workload, const struct observation *observation)
{
    if (!observation->oversubscribed && !(observation->disturbed > 0)) return workload->noise_ratio;
    /* The more of it is no computing, the more of it may be waiting for a core. */
    double rest = log(fmax(observation->time_s / fmax(observation->compute_s, 1e-12), 1));
    return rest + (observation->oversubscribed ? 0.5 : workload->noise_ratio + observation->disturbed);
}

static double compute_sd(const struct workload *workload, const struct observation *observation)
{
    return observation->oversubscribed ? 0.05 : workload->noise_ratio + 0.5 * observation->disturbed;
}

struct row {
    double value, gradient[P];
};

static void set_row(struct row *row, dual model, double measured, double sd)
{
    row->value = log(fmax(model.v, 1e-300) / measured) / sd;
    for (int i = 0; i < P; i++) row->gradient[i] = model.d[i] / fmax(model.v, 1e-300) / sd;
}

/* Rows of one run; those that cannot be formed stay zero. */
static parcast_status run_rows(const struct fit_state *state, const struct observation *o,
                               const double theta[P], struct row rows[ROWS_PER_RUN])
{
    const struct workload *workload = state->problem->workload;
    struct cluster_time time;
    parcast_status status = cluster_time(workload, theta, &o->machine, &time, state->error);
    if (status) return status;
    memset(rows, 0, ROWS_PER_RUN * sizeof *rows);
    /* The time repeats the noise of the computing in it: both rows together weigh as one where it is all. */
    double shared = sqrt(1 + fmin(o->compute_s / o->time_s, 1));
    set_row(&rows[0], time.total_s, o->time_s, shared * fit_time_sd(workload, o));
    if (o->compute_s > 1e-3 * o->time_s)
        set_row(&rows[1], time.mean_compute_s, o->compute_s, shared * compute_sd(workload, o));
    double communication = o->time_s - o->compute_s;
    dual model = dual_subtract(time.total_s, time.mean_compute_s);
    if (o->n > 1 && !o->oversubscribed && o->disturbed == 0 && communication > 1e-3 * o->time_s &&
        model.v > 0) {
        double noise = 0.01 * o->time_s / communication; /* a small difference of large times */
        set_row(&rows[2], model, communication, sqrt(0.1 * 0.1 + noise * noise));
    }
    return PARCAST_OK;
}

static int data_rows(const struct fit_problem *problem)
{
    int n = 0;
    for (size_t i = 0; i < problem->n_observations; i++)
        if (!problem->left_out || !problem->left_out[i]) n += ROWS_PER_RUN;
    return n;
}

/* Residuals (jacobian NULL) and column-major Jacobian of the free parameters; prior rows last. */
static parcast_status evaluate(const struct fit_state *state, const double theta[P], int m, double *residuals,
                               double *jacobian, int leading)
{
    const struct fit_problem *problem = state->problem;
    int row_index = 0;
    for (size_t i = 0; i < problem->n_observations; i++) {
        if (problem->left_out && problem->left_out[i]) continue;
        struct row rows[ROWS_PER_RUN];
        parcast_status status = run_rows(state, &problem->observations[i], theta, rows);
        if (status) return status;
        for (int r = 0; r < ROWS_PER_RUN; r++, row_index++) {
            if (residuals) residuals[row_index] = rows[r].value;
            for (int f = 0; jacobian && f < state->n_free; f++)
                jacobian[row_index + f * leading] = rows[r].gradient[state->free_index[f]];
        }
    }
    for (int f = 0; f < state->n_free && row_index < m; f++, row_index++) {
        const struct fit_prior *prior = &problem->priors[state->free_index[f]];
        if (residuals) residuals[row_index] = (theta[state->free_index[f]] - prior->mean) / prior->sd;
        for (int g = 0; jacobian && g < state->n_free; g++)
            jacobian[row_index + g * leading] = f == g ? 1 / prior->sd : 0;
    }
    return PARCAST_OK;
}

static void unpack(const struct fit_state *state, const double *x, double theta[P])
{
    memcpy(theta, state->theta, P * sizeof *theta);
    /* Far from the prior nothing is learned, and exp() of it must stay finite. */
    for (int f = 0; f < state->n_free; f++) theta[state->free_index[f]] = fmax(fmin(x[f], 50), -50);
}

static int residual_function(void *p, int m, int n, const double *x, double *fvec, double *fjac, int ldfjac,
                             int iflag)
{
    struct fit_state *state = p;
    double theta[P];
    (void)n;
    unpack(state, x, theta);
    state->status = evaluate(state, theta, m, iflag == 1 ? fvec : NULL, iflag == 2 ? fjac : NULL, ldfjac);
    return state->status ? -1 : 0;
}

/* One run of lmder; the cost is half the sum of squares. */
static parcast_status optimise(struct fit_state *state, double theta[P], double *cost)
{
    int m = data_rows(state->problem) + state->n_free, n = state->n_free;
    double x[P], diag[P], qtf[P], wa1[P], wa2[P], wa3[P];
    int ipvt[P], evaluations, jacobians;
    double *work = malloc((size_t)m * (size_t)(n + 2) * sizeof *work);
    if (!work) return parcast_error_set(state->error, PARCAST_MEMORY, NULL, 0, "out of memory for the fit");
    double *fvec = work, *wa4 = work + m, *fjac = work + 2 * (size_t)m;
    for (int f = 0; f < n; f++) {
        x[f] = theta[state->free_index[f]];
        diag[f] = 1;
    }
    memcpy(state->theta, theta, sizeof state->theta);
    double factor = state->problem->gauss_newton ? 100 : 0.5;
    int info = lmder(residual_function, state, m, n, x, fvec, fjac, m, 1e-10, 1e-10, 0, 200, diag, 2, factor,
                     0, &evaluations, &jacobians, ipvt, qtf, wa1, wa2, wa3, wa4);
    parcast_status status = state->status;
    if (!status && info < 0)
        status = parcast_error_set(state->error, PARCAST_NOT_CONVERGED, NULL, 0, "the fit did not converge");
    if (!status) {
        unpack(state, x, theta);
        *cost = 0;
        for (int i = 0; i < m; i++) *cost += 0.5 * fvec[i] * fvec[i];
    }
    free(work);
    return status;
}

static void choose_free(struct fit_state *state)
{
    state->n_free = 0;
    for (int i = 0; i < P; i++)
        if (!state->fixed[i]) state->free_index[state->n_free++] = i;
}

/* Singular values of the data rows: what the runs alone determine. */
static parcast_status identify(const struct fit_state *state, const double *jacobian, int m, int leading,
                               struct fit_result *result)
{
    int n = state->n_free;
    double *a = calloc((size_t)m * (size_t)n + 1, sizeof *a), s[P], u[1], vt[1], superb[P];
    if (!a) return parcast_error_set(state->error, PARCAST_MEMORY, NULL, 0, "out of memory for the fit");
    for (int j = 0; j < n; j++)
        memcpy(a + (size_t)j * (size_t)m, jacobian + (size_t)j * (size_t)leading, (size_t)m * sizeof *a);
    lapack_int info = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, a, m, s, u, 1, vt, 1, superb);
    free(a);
    if (info != 0)
        return parcast_error_set(state->error, PARCAST_NOT_CONVERGED, NULL, 0,
                                 "singular values did not converge");
    int k = m < n ? m : n;
    result->rank = 0;
    while (result->rank < k && s[result->rank] > 1e-3 * s[0]) result->rank++;
    result->condition = k == n && s[k - 1] > 0 ? s[0] / s[k - 1] : INFINITY;
    return PARCAST_OK;
}

/* Posterior covariance (J'J)^-1 with the prior rows in J, and what the data say without them. */
static parcast_status summarise(const struct fit_state *state, struct fit_result *result)
{
    int n = state->n_free, m_data = data_rows(state->problem), m = m_data + n;
    double *jacobian = calloc((size_t)m * (size_t)(n + 1), sizeof *jacobian);
    if (!jacobian)
        return parcast_error_set(state->error, PARCAST_MEMORY, NULL, 0, "out of memory for the fit");
    double *residuals = jacobian + (size_t)m * (size_t)n, normal[P * P];
    parcast_status status = evaluate(state, result->theta, m, residuals, jacobian, m);
    if (status) goto free_jacobian;
    double chi2 = 0;
    int rows = 0;
    for (int r = 0; r < m_data; r++) {
        chi2 += residuals[r] * residuals[r];
        rows += residuals[r] != 0;
    }
    status = identify(state, jacobian, m_data, m, result);
    if (status) goto free_jacobian;
    result->chi2_ratio = rows > result->rank ? fmax(chi2 / (rows - result->rank), 1) : 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            normal[i + j * n] = 0; /* runs that fit badly count for less; the priors stay what they are */
            for (int r = 0; r < m; r++)
                normal[i + j * n] +=
                    jacobian[r + i * m] * jacobian[r + j * m] / (r < m_data ? result->chi2_ratio : 1);
        }
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, normal, n) != 0 ||
        LAPACKE_dpotri(LAPACK_COL_MAJOR, 'U', n, normal, n) != 0) {
        status = parcast_error_set(state->error, PARCAST_NOT_CONVERGED, NULL, 0, "the fit is singular");
        goto free_jacobian;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            result->covariance[state->free_index[i]][state->free_index[j]] =
                i <= j ? normal[i + j * n] : normal[j + i * n];

free_jacobian:
    free(jacobian);
    return status;
}

/* Best of several starts: the network factor is what most often has two valleys. */
static parcast_status optimise_from_starts(struct fit_state *state, double theta[P])
{
    static const double starts[] = {0, -2.302585092994046, 2.302585092994046};
    double best = INFINITY, best_theta[P];
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        double cost, candidate[P];
        for (int k = 0; k < P; k++) candidate[k] = state->problem->priors[k].mean;
        if (state->fixed[CLUSTER_NETWORK] && i > 0) break;
        if (!state->fixed[CLUSTER_NETWORK]) candidate[CLUSTER_NETWORK] += starts[i];
        parcast_status status = optimise(state, candidate, &cost);
        if (status) return status;
        if (cost < best) {
            best = cost;
            memcpy(best_theta, candidate, sizeof best_theta);
        }
    }
    memcpy(theta, best_theta, sizeof best_theta);
    return PARCAST_OK;
}

parcast_status fit_cluster(const struct fit_problem *problem, const double *start, struct fit_result *result,
                           parcast_error *error)
{
    struct fit_state state = {.problem = problem, .error = error};
    struct fit_result r = {.chi2_ratio = 1};
    for (int i = 0; i < P; i++) {
        state.fixed[i] = problem->priors[i].fixed;
        r.theta[i] = problem->priors[i].mean;
    }
    choose_free(&state);
    parcast_status status;
    if (start) {
        double cost;
        memcpy(r.theta, start, sizeof r.theta);
        status = optimise(&state, r.theta, &cost);
    } else {
        status = optimise_from_starts(&state, r.theta);
    }
    if (status) return status;
    memcpy(state.theta, r.theta, sizeof state.theta);
    status = summarise(&state, &r);
    if (status) return status;
    memcpy(r.fixed, state.fixed, sizeof r.fixed);
    *result = r;
    return PARCAST_OK;
}
