/*
 * Bounds on the throughput of one closed class, from sums over the stations only.
 *
 * m = max D_k/c_k, D = sum D_k, K the number of stations with demand; delays count as think time Z.
 *     asymptotic (aba)     N/(Z + N D) <= X <= min(1/m, N/(Z + D));  any c: X >= N/(Z + D + (N-1) m)
 *     balanced job (bjb)   N/(Z + D + m (N-1)/(1 + Z/(N D))) <= X <= min(1/m, N/(Z + D + (D/K)(N-1)/(1 +
 * Z/D))) proportional (pb)    N/(D + (N-1) sum D^N/sum D^(N-1)) <= X <= min(1/m, N/(D + (N-1) sum D^2/D));  Z
 * = 0 geometric (gb)       N/(Z + D + m (N-1 - Z X-) - S(D (N-1)/(Z + D + m (N-1)))) <= X, X <= min(1/m, N/(Z
 * + D + m (N-1 - Z X+) - S(D X+))) S(u) = sum over D_k < m of (m - D_k) q(u_k),  q(u) = (u - u^N)/(1 - u),
 *                          X-, X+ the bjb bounds at N-1
 * All but aba hold for single servers. R = N/X - Z.
 * Sources: Denning and Buzen 1978; Zahorjan et al., CACM 25 (1982); Hsieh and Lam 1987; Casale, Muntz and
 * Serazzi, Geometric bounds, IEEE Trans. Computers 57 (2008).
 */
#include <math.h>
#include <stdlib.h>

#include "parcast/queueing.h"

struct sums {
    size_t n_stations; /* with demand, no delays */
    double *demand_s;  /* [n_stations] */
    bool single_servers, has_rates;
    double n, think_s, delay_s;   /* N, Z without and with the delays */
    double total_s, most_s;       /* D, m */
    double shortest_s, longest_s; /* residence of a cycle alone, and with all others at the same station */
};

const char *parcast_bounds_name(size_t kind)
{
    static const char *const names[PARCAST_N_BOUNDS] = {
#define ROW(name, text) text,
        PARCAST_BOUNDS_LIST(ROW)
#undef ROW
    };
    return kind < PARCAST_N_BOUNDS ? names[kind] : "unknown";
}

/* Rates: a customer among j gets the share a(j)/j of the station, and the station does at most max a(j). */
static void add_rates(struct sums *s, const double *rate, size_t n_rates, double demand_s)
{
    double least = INFINITY, most = 0, fastest = 0;
    size_t last = s->n < (double)n_rates ? (size_t)s->n : n_rates;
    for (size_t j = 1; j <= last; j++) {
        least = fmin(least, (double)j / rate[j - 1]);
        most = fmax(most, (double)j / rate[j - 1]);
        fastest = fmax(fastest, rate[j - 1]);
    }
    if (s->n > (double)last) most = fmax(most, s->n / rate[n_rates - 1]);
    s->has_rates = true;
    s->shortest_s += demand_s * least;
    s->longest_s += demand_s * most;
    s->most_s = fmax(s->most_s, demand_s / fastest);
}

static void add_servers(struct sums *s, double servers, double demand_s)
{
    s->demand_s[s->n_stations++] = demand_s;
    s->total_s += demand_s;
    s->shortest_s += demand_s;
    s->longest_s += demand_s * fmax(1, s->n / servers);
    s->most_s = fmax(s->most_s, demand_s / servers);
    s->single_servers = s->single_servers && servers == 1;
}

static void add_up(const parcast_network *network, struct sums *s)
{
    s->n = (double)network->population[0];
    s->think_s = s->delay_s = network->think_time_s[0];
    s->single_servers = true;
    for (size_t k = 0; k < network->n_stations; k++) {
        double demand_s = network->visits[k] * network->service_s[k];
        if (demand_s == 0) continue;
        if (network->n_rates[k] > 0)
            add_rates(s, network->rates[k], network->n_rates[k], demand_s);
        else if (network->servers[k] == PARCAST_DELAY)
            s->delay_s += demand_s;
        else
            add_servers(s, network->servers[k], demand_s);
    }
}

static void set(parcast_bounds *bounds, size_t method, double low, double high, const struct sums *s)
{
    parcast_bound *bound = &bounds->bound[method];
    bound->applies = true;
    bound->throughput_low_per_s = low;
    bound->throughput_high_per_s = high;
    bound->response_low_s = s->n / high - s->think_s;
    bound->response_high_s = s->n / low - s->think_s;
}

static double balanced_low(const struct sums *s, double n)
{
    if (n == 0) return 0;
    return n / (s->delay_s + s->total_s + s->most_s * (n - 1) / (1 + s->delay_s / (n * s->total_s)));
}

static double balanced_high(const struct sums *s, double n)
{
    if (n == 0) return 0;
    double average_s = s->total_s / (double)s->n_stations;
    return fmin(1 / s->most_s,
                n / (s->delay_s + s->total_s + average_s * (n - 1) / (1 + s->delay_s / s->total_s)));
}

/* sum D^N / sum D^(N-1) with D scaled by the largest, so that powers stay in range. */
static double power_mean(const struct sums *s)
{
    double upper = 0, lower = 0;
    for (size_t k = 0; k < s->n_stations; k++) {
        double share = s->demand_s[k] / s->most_s;
        upper += pow(share, s->n);
        lower += pow(share, s->n - 1);
    }
    return s->most_s * upper / lower;
}

static void set_proportional(parcast_bounds *bounds, const struct sums *s)
{
    double squares = 0;
    for (size_t k = 0; k < s->n_stations; k++) squares += s->demand_s[k] * s->demand_s[k];
    double low = s->n / (s->total_s + (s->n - 1) * power_mean(s));
    double high = s->n / (s->total_s + (s->n - 1) * squares / s->total_s);
    set(bounds, PARCAST_BOUNDS_PB, low, fmin(1 / s->most_s, high), s);
}

/* sum over D_k < m of (m - D_k) q(D_k scale) */
static double geometric_sum(const struct sums *s, double scale)
{
    double sum = 0;
    for (size_t k = 0; k < s->n_stations; k++) {
        double demand_s = s->demand_s[k], u = demand_s * scale;
        if (!(demand_s < s->most_s)) continue;
        double q = u == 1 ? s->n - 1 : (u - pow(u, s->n)) / (1 - u);
        sum += (s->most_s - demand_s) * q;
    }
    return sum;
}

static void set_geometric(parcast_bounds *bounds, const struct sums *s)
{
    double n = s->n, rest = n - 1, base_s = s->delay_s + s->total_s;
    double before_low = balanced_low(s, rest), before_high = balanced_high(s, rest);
    double low = n / (base_s + s->most_s * (rest - s->delay_s * before_low) -
                      geometric_sum(s, rest / (base_s + s->most_s * rest)));
    double high =
        n / (base_s + s->most_s * (rest - s->delay_s * before_high) - geometric_sum(s, before_high));
    set(bounds, PARCAST_BOUNDS_GB, low, fmin(1 / s->most_s, high), s);
}

static void set_asymptotic(parcast_bounds *bounds, const struct sums *s)
{
    double low = s->n / (s->delay_s + s->longest_s);
    double high = fmin(1 / s->most_s, s->n / (s->delay_s + s->shortest_s));
    if (!s->single_servers && !s->has_rates)
        low = fmax(low, s->n / (s->delay_s + s->total_s + (s->n - 1) * s->most_s));
    set(bounds, PARCAST_BOUNDS_ABA, low, high, s);
}

/* Without demand at any server there is nothing to wait for: all bounds are N/Z. */
static void set_all(const struct sums *s, parcast_bounds *bounds)
{
    bool singles = s->single_servers && !s->has_rates;
    set_asymptotic(bounds, s);
    if (!singles || s->total_s == 0) return;
    set(bounds, PARCAST_BOUNDS_BJB, balanced_low(s, s->n), balanced_high(s, s->n), s);
    if (s->delay_s == 0) set_proportional(bounds, s);
    set_geometric(bounds, s);
}

parcast_status parcast_network_bounds(const parcast_network *network, parcast_bounds *bounds,
                                      parcast_error *error)
{
    struct sums s = {0};
    parcast_status status = parcast_network_validate(network, error);
    if (status) return status;
    if (network->n_classes != 1 || network->arrival_rate_per_s[0] > 0)
        return parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0, "bounds are for one closed class");
    s.demand_s = calloc(network->n_stations, sizeof *s.demand_s);
    if (!s.demand_s) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
    add_up(network, &s);
    *bounds = (parcast_bounds){0};
    if (s.n > 0)
        set_all(&s, bounds);
    else
        bounds->bound[PARCAST_BOUNDS_ABA].applies = true;
    free(s.demand_s);
    return PARCAST_OK;
}
