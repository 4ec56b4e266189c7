/*
 * Engine "paper": Saad, El-Mahdy, El-Shishiny, Performance Modeling of MPI-based Applications on Cloud
 * Multicore Servers, RAPIDO 2019, equations (1)-(10) as printed, for comparison. What is wrong with them is
 * in docs/models/cluster.md; nothing is mended here.
 *
 *     (1)-(3), (6)  S_cpu,i = Cpu / (s n min(q_i, c_i))          Cpu fitted; q_i = n_i, or the total n
 * (option) (4), (5), (7) S_net   = (m_a/n + m_b) T_w Net              Net fitted; T_w = 1/bandwidth, T_s = 0
 *     (8)           V_cpu,i = a_i [V_comp + (n_i-1)/n V_comm + (n-n_i)/n V_comm],  a_i = n_i/n
 *     (9)           V_net,i = 2 a_i (n-n_i)/n
 *     (10)          T = s(n) R,  R the response time of n jobs in the closed network (mean value analysis)
 *
 * s(n) = C ln n + D sends per process. V_comp, V_comm: shares of a run on one node.
 */
#include <cminpack.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/engine.h"
#include "forecast/machine.h"
#include "parcast/queueing.h"

struct paper_run {
    int64_t id;
    struct machine machine;
    double time_s, weight;
    double sends, bytes; /* per process */
    bool oversubscribed;
};

struct paper {
    struct paper_run *runs;
    size_t n;
    double c, d;     /* s(n) = c ln n + d */
    double m_a, m_b; /* m(n) */
    double v_comp, v_comm;
    double theta[2]; /* ln Cpu, ln Net */
    double sd;       /* of ln T, from the residuals */
    double reference_calibration;
    bool total;
};

static void destroy(void *state)
{
    struct paper *p = state;
    if (!p) return;
    for (size_t i = 0; i < p->n; i++) machine_clear(&p->runs[i].machine);
    free(p->runs);
    free(p);
}

static double sends_at(const struct paper *p, double n)
{
    return fmax(p->c * log(n) + p->d, 1); /* guarded: fewer than one send makes no cycle */
}

/* Demands of the network for a machine; station i is the CPU of node i, n_nodes + i its network device. */
static void set_demands(const struct paper *p, const struct machine *m, const double theta[2],
                        parcast_network *network)
{
    double n = m->n_ranks, s = sends_at(p, n), message = fmax(p->m_a / n + p->m_b, 0);
    for (int i = 0; i < m->n_nodes; i++) {
        const struct machine_node *node = &m->nodes[i];
        double n_i = node->n_ranks, a = n_i / n, jobs = p->total ? n : n_i;
        network->service_s[i] = exp(theta[0]) / (s * n * fmin(jobs, node->cores));
        network->visits[i] = a * (p->v_comp + (n_i - 1) / n * p->v_comm + (n - n_i) / n * p->v_comm);
        network->service_s[m->n_nodes + i] = message / node->bandwidth_bytes_per_s * exp(theta[1]);
        network->visits[m->n_nodes + i] = n > 1 ? 2 * a * (n - n_i) / n : 0;
    }
}

/* ln T and its derivatives: d ln R / d ln D_k = Q_k(N) - Q_k(N-1). */
static parcast_status evaluate(const struct paper *p, const struct machine *m, const double theta[2],
                               double *time_s, double gradient[2], parcast_error *error)
{
    parcast_network *network;
    parcast_solution *full = NULL, *less = NULL;
    parcast_status status = parcast_network_create(1, 2 * (size_t)m->n_nodes, &network, error);
    if (status) return status;
    network->population[0] = m->n_ranks;
    set_demands(p, m, theta, network);
    status = parcast_network_solve(network, PARCAST_SOLVE_EXACT, NULL, &full, error);
    network->population[0] = m->n_ranks - 1;
    if (!status && gradient) status = parcast_network_solve(network, PARCAST_SOLVE_EXACT, NULL, &less, error);
    if (!status) {
        *time_s = sends_at(p, m->n_ranks) * full->response_s[0];
        for (int k = 0; gradient && k < 2; k++) {
            gradient[k] = 0;
            for (int i = 0; i < m->n_nodes; i++) {
                int station = k * m->n_nodes + i;
                gradient[k] += full->queue_length[station] - less->queue_length[station];
            }
        }
    }
    parcast_solution_destroy(&full);
    parcast_solution_destroy(&less);
    parcast_network_destroy(&network);
    return status;
}

/* ---- fit ---- */

struct paper_fit {
    struct paper *paper;
    size_t leave_out; /* n: none */
    parcast_status status;
    parcast_error *error;
};

static int residuals(void *context, int m, int n, const double *x, double *fvec, double *fjac, int ldfjac,
                     int iflag)
{
    struct paper_fit *fit = context;
    double theta[2] = {fmax(fmin(x[0], 60), -60), fmax(fmin(x[1], 60), -60)};
    (void)n;
    for (int i = 0; i < m - 2; i++) {
        const struct paper_run *run = &fit->paper->runs[i];
        double time_s, gradient[2], weight = (size_t)i == fit->leave_out ? 0 : run->weight;
        fit->status = evaluate(fit->paper, &run->machine, theta, &time_s, gradient, fit->error);
        if (fit->status) return -1;
        if (iflag == 1) fvec[i] = weight * log(time_s / run->time_s);
        for (int k = 0; iflag == 2 && k < 2; k++) fjac[i + k * ldfjac] = weight * gradient[k];
    }
    for (int k = 0; k < 2; k++) { /* very wide priors keep a constant that no run shows where it is */
        if (iflag == 1) fvec[m - 2 + k] = 1e-3 * (theta[k] - fit->paper->theta[k]);
        for (int j = 0; iflag == 2 && j < 2; j++) fjac[m - 2 + k + j * ldfjac] = j == k ? 1e-3 : 0;
    }
    return 0;
}

static parcast_status fit_constants(struct paper *p, size_t leave_out, const double start[2],
                                    bool gauss_newton, double theta[2], parcast_error *error)
{
    int m = (int)p->n + 2, ipvt[2], evaluations, jacobians;
    double diag[2] = {1, 1}, qtf[2], wa1[2], wa2[2], wa3[2], best = INFINITY;
    double *work = malloc(sizeof *work * (size_t)m * 4);
    if (!work) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the fit");
    struct paper_fit fit = {p, leave_out, PARCAST_OK, error};
    for (int i = -1; i <= 1 && !fit.status; i++) {
        double x[2] = {start[0], start[1] + i * log(10)};
        int info =
            lmder(residuals, &fit, m, 2, x, work, work + 2 * (size_t)m, m, 1e-10, 1e-10, 0, 200, diag, 2,
                  gauss_newton ? 100 : 0.5, 0, &evaluations, &jacobians, ipvt, qtf, wa1, wa2, wa3, work + m);
        if (info < 0 && !fit.status)
            fit.status = parcast_error_set(error, PARCAST_NOT_CONVERGED, NULL, 0, "the fit did not converge");
        double cost = 0;
        for (int r = 0; r < m; r++) cost += work[r] * work[r];
        if (!fit.status && cost < best) {
            best = cost;
            theta[0] = x[0];
            theta[1] = x[1];
        }
    }
    free(work);
    return fit.status;
}

/* ---- from runs ---- */

static parcast_status add_run(struct paper *p, const parcast_run *run, const parcast_platform *platform,
                              parcast_error *error)
{
    struct paper_run *to = &p->runs[p->n];
    parcast_status status = machine_from_run(run, platform, p->reference_calibration, &to->machine, error);
    if (status) return status;
    to->id = run->id;
    to->time_s = run->time_s;
    to->oversubscribed = run->oversubscribed;
    to->weight = run->oversubscribed ? 0.2 : 1;
    for (size_t r = 0; r < run->n_profiles; r++)
        for (size_t i = 0; i < run->ranks[r].n_sizes; i++)
            if (run->ranks[r].sizes[i].message_class == PARCAST_MESSAGE_SEND ||
                run->ranks[r].sizes[i].message_class == PARCAST_MESSAGE_COLLECTIVE) {
                to->sends += (double)run->ranks[r].sizes[i].count / (double)run->n_profiles;
                to->bytes += (double)run->ranks[r].sizes[i].bytes / (double)run->n_profiles;
            }
    p->n++;
    return PARCAST_OK;
}

/* Straight line through (x, y) by least squares; level where x does not vary. */
static void line(size_t n, const double *x, const double *y, double *slope, double *level)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    double determinant = (double)n * sxx - sx * sx;
    *slope = n > 1 && determinant > 1e-12 * sxx ? ((double)n * sxy - sx * sy) / determinant : 0;
    *level = n ? (sy - *slope * sx) / (double)n : 0;
}

static parcast_status fit_software(struct paper *p, parcast_error *error)
{
    double *x = calloc(4 * p->n + 1, sizeof *x);
    if (!x) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the fit");
    double *y = x + p->n, *inverse = x + 2 * p->n, *size = x + 3 * p->n;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->runs[i].machine.n_ranks > 1 && p->runs[i].sends > 0) {
            x[n] = log(p->runs[i].machine.n_ranks);
            y[n] = p->runs[i].sends;
            inverse[n] = 1.0 / p->runs[i].machine.n_ranks;
            size[n++] = p->runs[i].bytes / p->runs[i].sends;
        }
    line(n, x, y, &p->c, &p->d);
    line(n, inverse, size, &p->m_a, &p->m_b);
    free(x);
    return PARCAST_OK;
}

/* V_comp = T_comp/T_exe, V_comm = T_oh/T_exe of the largest run on one node that did not exceed its cores. */
static void set_shares(struct paper *p, const parcast_run *runs, size_t n_runs)
{
    int largest = 0;
    p->v_comp = 1;
    for (size_t i = 0; i < n_runs; i++) {
        if (runs[i].n_nodes != 1 || runs[i].oversubscribed || runs[i].n_ranks <= largest ||
            !(runs[i].mpi_s >= 0))
            continue;
        largest = runs[i].n_ranks;
        p->v_comm = fmin(runs[i].mpi_s / runs[i].time_s, 1);
        p->v_comp = 1 - p->v_comm;
    }
}

static parcast_status describe(struct paper *p, bool gauss_newton, parcast_fit_report *report,
                               parcast_error *error)
{
    static const char *const names[] = {"CPU constant", "network constant"};
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct paper_run *run = &p->runs[i];
        parcast_used_run used = {.id = run->id,
                                 .processes = run->machine.n_ranks,
                                 .nodes = run->machine.n_nodes,
                                 .weight = run->weight,
                                 .time_s = run->time_s,
                                 .left_out_s = NAN,
                                 .oversubscribed = run->oversubscribed};
        parcast_status status = evaluate(p, &run->machine, p->theta, &used.fitted_s, NULL, error);
        if (!status && p->n >= 3) {
            double theta[2];
            status = fit_constants(p, i, p->theta, gauss_newton, theta, error);
            if (!status) status = evaluate(p, &run->machine, theta, &used.left_out_s, NULL, error);
        }
        if (!status) status = report_run(report, &used, error);
        if (status) return status;
        sum += pow(log(used.fitted_s / run->time_s), 2);
    }
    p->sd = sqrt(sum / (double)(p->n > 2 ? p->n - 2 : 1)) + (p->n > 2 ? 0 : 0.5);
    for (int k = 0; k < 2; k++) {
        parcast_parameter out = {
            .value = exp(p->theta[k]), .low = NAN, .high = NAN, .sd_ln = NAN, .identifiable = true};
        snprintf(out.name, sizeof out.name, "%s", names[k]);
        parcast_status status = report_parameter(report, &out, error);
        if (status) return status;
    }
    report_summarise_runs(report);
    return report_note(report, error,
                       "the published model as printed, for comparison: engine 'model' corrects it");
}

static parcast_status create(const parcast_run *runs, size_t n_runs, const parcast_platform *platform,
                             const parcast_fit_options *options, void **state, parcast_fit_report *report,
                             parcast_error *error)
{
    struct paper *p = calloc(1, sizeof *p);
    if (!p) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the model");
    p->total = options->paper_reading_total;
    p->reference_calibration = reference_calibration_of(runs, n_runs, platform);
    p->runs = calloc(n_runs + 1, sizeof *p->runs);
    if (!p->runs) {
        destroy(p);
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu runs", n_runs);
        return PARCAST_MEMORY;
    }
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < n_runs && !status; i++)
        if (runs[i].complete && runs[i].time_s > 0 && runs[i].n_profiles > 0 && runs[i].n_nodes > 0)
            status = add_run(p, &runs[i], platform, error);
    if (!status && p->n == 0) {
        status =
            parcast_error_set(error, PARCAST_DATA, NULL, 0, "engine paper needs recorded runs with profiles");
        parcast_error_hint(error, "record some with 'parcast record', or use --engine pmnf");
    }
    if (!status) status = fit_software(p, error);
    if (!status) {
        set_shares(p, runs, n_runs);
        p->theta[0] = log(p->runs[0].time_s * p->runs[0].machine.n_ranks);
        double theta[2];
        status = fit_constants(p, p->n, p->theta, options->gauss_newton, theta, error);
        if (!status) memcpy(p->theta, theta, sizeof theta);
    }
    if (!status) status = describe(p, options->gauss_newton, report, error);
    if (status) {
        destroy(p);
        return status;
    }
    *state = p;
    return PARCAST_OK;
}

static parcast_status point_on(const struct paper *p, const struct machine *machine, parcast_point *point,
                               parcast_error *error)
{
    parcast_status status = evaluate(p, machine, p->theta, &point->time_s, NULL, error);
    if (status) return status;
    point->low_s = point->time_s * exp(-1.96 * p->sd);
    point->high_s = point->time_s * exp(1.96 * p->sd);
    return PARCAST_OK;
}

static parcast_status point_of(const void *state, const parcast_platform *platform,
                               const parcast_placement *placement, parcast_point *point, parcast_error *error)
{
    const struct paper *p = state;
    struct machine machine;
    parcast_status status =
        machine_from_placement(platform, placement, p->reference_calibration, &machine, error);
    if (status) return status;
    status = point_on(p, &machine, point, error);
    machine_clear(&machine);
    return status;
}

static parcast_status again(const void *state, const parcast_platform *platform, const parcast_run *run,
                            parcast_point *point, parcast_error *error)
{
    const struct paper *p = state;
    struct machine machine;
    parcast_status status = machine_from_run(run, platform, p->reference_calibration, &machine, error);
    if (status) return status;
    status = point_on(p, &machine, point, error);
    machine_clear(&machine);
    return status;
}

const struct engine engine_paper = {create, destroy, point_of, again, NULL, NULL};
