#include "forecast/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one run ---- */

/* Make an entry for a kind on communicators of n_ranks; of very many shapes the rarest go uncounted. */
static void add_collective(struct observation *o, enum collective_kind kind, double n_ranks)
{
    int i = 0;
    while (i < o->n_collectives && !(o->collectives[i].kind == kind && o->collectives[i].n_ranks == n_ranks))
        i++;
    if (i == o->n_collectives && i < MAX_OBSERVED_COLLECTIVES)
        o->collectives[o->n_collectives++] = (struct observed_collective){.kind = kind, .n_ranks = n_ranks};
}

/* Calls and bytes of one kind, summed over the ranks, by size bin. */
struct bins {
    double count[PARCAST_SIZE_BINS], bytes[PARCAST_SIZE_BINS];
    int givers; /* ranks that gave bytes */
};

static void sum_bins(const parcast_run *run, const struct observed_collective *c, struct bins *bins)
{
    *bins = (struct bins){0};
    for (size_t r = 0; r < run->n_profiles; r++) {
        bool gives = false;
        for (size_t i = 0; i < run->ranks[r].n_collectives; i++) {
            const parcast_profile_collective *p = &run->ranks[r].collectives[i];
            if (collective_kind_of(p->name) != (int)c->kind || p->n_ranks != c->n_ranks) continue;
            bins->count[p->bin] += (double)p->count;
            bins->bytes[p->bin] += (double)p->bytes;
            gives = gives || p->bytes > 0;
        }
        bins->givers += gives;
    }
}

/* Of which sizes the calls are; the bins beyond MAX_SIZE_SHARES join the last one. */
static void find_mix(const struct bins *bins, double count, double mean_bytes, double per_call,
                     struct size_mix *mix)
{
    *mix = (struct size_mix){0};
    for (int b = 0; b < PARCAST_SIZE_BINS; b++) {
        if (bins->count[b] <= 0) continue;
        double share = bins->count[b] / count;
        double ratio = mean_bytes > 0 ? bins->bytes[b] / bins->count[b] * per_call / mean_bytes : 1;
        if (mix->n < MAX_SIZE_SHARES) {
            mix->count_share[mix->n] = share;
            mix->bytes_ratio[mix->n++] = ratio;
            continue;
        }
        int last = MAX_SIZE_SHARES - 1;
        double both = mix->count_share[last] + share;
        mix->bytes_ratio[last] = (mix->count_share[last] * mix->bytes_ratio[last] + share * ratio) / both;
        mix->count_share[last] = both;
    }
}

/* Sums over ranks first; then calls per rank and bytes per call. */
static void observe_collectives(const parcast_run *run, struct observation *o)
{
    for (size_t r = 0; r < run->n_profiles; r++)
        for (size_t i = 0; i < run->ranks[r].n_collectives; i++) {
            const parcast_profile_collective *p = &run->ranks[r].collectives[i];
            int kind = collective_kind_of(p->name);
            if (kind >= 0 && (p->n_ranks > 1 || run->n_ranks == 1))
                add_collective(o, (enum collective_kind)kind, p->n_ranks);
        }
    for (int i = 0; i < o->n_collectives; i++) {
        struct observed_collective *c = &o->collectives[i];
        struct bins bins;
        double count = 0, bytes = 0;
        sum_bins(run, c, &bins);
        for (int b = 0; b < PARCAST_SIZE_BINS; b++) {
            count += bins.count[b];
            bytes += bins.bytes[b];
        }
        /* Every member counts a call; of a broadcast and its kind only the root gives bytes. */
        double per_call = collective_root_only(c->kind) ? c->n_ranks : 1;
        c->bytes = bytes / fmax(count, 1e-300) * per_call;
        c->count = count / (double)run->n_profiles;
        c->rotates = collective_root_only(c->kind) && 2 * bins.givers > run->n_ranks;
        find_mix(&bins, count, c->bytes, per_call, &c->mix);
    }
}

/* Calls that send, also to nobody, for each round of communication. */
static double sends_per_round(const parcast_run *run)
{
    static const char *const names[] = {"MPI_Send",   "MPI_Isend", "MPI_Ssend",    "MPI_Issend",
                                        "MPI_Bsend",  "MPI_Rsend", "MPI_Sendrecv", "MPI_Sendrecv_replace",
                                        "MPI_Ibsend", "MPI_Irsend"};
    double sends = 0, rounds = 0;
    for (size_t r = 0; r < run->n_profiles; r++) {
        rounds += (double)run->ranks[r].n_rounds;
        for (size_t i = 0; i < run->ranks[r].n_calls; i++)
            for (size_t k = 0; k < sizeof names / sizeof *names; k++)
                if (strcmp(run->ranks[r].calls[i].name, names[k]) == 0)
                    sends += (double)run->ranks[r].calls[i].count;
    }
    return rounds > 0 ? sends / rounds : 0;
}

static parcast_status observe_traffic(const parcast_run *run, struct observation *o, parcast_error *error)
{
    size_t n = 0;
    for (size_t r = 0; r < run->n_profiles; r++) n += run->ranks[r].n_peers;
    o->entries = calloc(n ? n : 1, sizeof *o->entries);
    if (!o->entries)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a communication matrix");
    n = 0;
    for (size_t r = 0; r < run->n_profiles; r++)
        for (size_t i = 0; i < run->ranks[r].n_peers; i++) {
            const parcast_profile_peer *peer = &run->ranks[r].peers[i];
            if (peer->rank < 0 || peer->rank >= run->n_ranks || peer->rank == run->ranks[r].rank) continue;
            o->entries[n++] = (struct traffic_entry){run->ranks[r].rank, peer->rank, (double)peer->count,
                                                     (double)peer->bytes};
        }
    o->traffic = (struct traffic_matrix){.n = run->n_ranks,
                                         .sends_per_round = sends_per_round(run),
                                         .weight = 1,
                                         .entries = o->entries,
                                         .n_entries = n};
    return PARCAST_OK;
}

/*
 * Share of its time that other programs took from a rank: only where they were running when the program
 * started and left it too few cores, for a rank may also sleep of its own accord.
 */
static double lost_by(const parcast_rank_profile *p, const parcast_run *run)
{
    bool crowded = p->node_allowed_cores > 0 && p->load_average + p->node_ranks > p->node_allowed_cores + 0.5;
    if (run->oversubscribed || !crowded || !(p->thread_cpu_s > 0) || !(p->time_s > 0)) return 0;
    double lost = 1 - p->thread_cpu_s / p->time_s;
    return lost > 0.03 ? fmin(lost, 0.9) : 0;
}

double workload_lost_ratio(const parcast_run *run)
{
    double lost = 0;
    for (size_t r = 0; r < run->n_profiles; r++) lost = fmax(lost, lost_by(&run->ranks[r], run));
    return lost;
}

parcast_status observation_create(const parcast_run *run, const parcast_platform *platform,
                                  double reference_calibration, struct observation *observation,
                                  parcast_error *error)
{
    struct observation o = {.id = run->id,
                            .n = run->n_ranks,
                            .n_nodes = (int)run->n_nodes,
                            .oversubscribed = run->oversubscribed,
                            .weight = run->oversubscribed ? 0.2 : 1,
                            .time_s = run->time_s,
                            .library = collective_library_of(run->mpi)};
    parcast_status status = machine_from_run(run, platform, reference_calibration, &o.machine, error);
    if (status) return status;
    status = observe_traffic(run, &o, error);
    if (status) {
        observation_clear(&o);
        return status;
    }
    for (size_t r = 0; r < run->n_profiles; r++) {
        const parcast_rank_profile *profile = &run->ranks[r];
        double share = 1 / (double)run->n_profiles;
        /* Preemption hits computing as it hits the rest: what is left of it is the processor's time. */
        o.compute_s += share * profile->compute_s * (1 - lost_by(profile, run));
        o.io_s += share * (isfinite(profile->io_s) ? profile->io_s : 0);
        o.rounds += share * (double)profile->n_rounds;
        o.syncs = fmax(o.syncs, (double)profile->n_syncs);
    }
    o.disturbed = workload_lost_ratio(run);
    if (o.disturbed > 0) o.weight = 1 / (1 + pow(o.disturbed / 0.05, 2));
    observe_collectives(run, &o);
    status = uneven_create(run, &o.machine, &o.uneven, error);
    if (status) {
        observation_clear(&o);
        return status;
    }
    *observation = o;
    return PARCAST_OK;
}

void observation_clear(struct observation *observation)
{
    machine_clear(&observation->machine);
    free(observation->entries);
    uneven_clear(&observation->uneven);
    *observation = (struct observation){0};
}

/* ---- all runs ---- */

/* What a block's border costs comes before what every process repeats where there are neighbours: both look
 * alike up to four ranks, and the second grows much faster. */
static const struct growth_form work_forms[] = {{{GROWTH_INVERSE}},
                                                {{GROWTH_INVERSE, GROWTH_ONE}},
                                                {{GROWTH_INVERSE, GROWTH_TWO_THIRDS}},
                                                {{GROWTH_INVERSE, GROWTH_ROOT}}};
static const struct growth_form neighbour_work_forms[] = {{{GROWTH_INVERSE}},
                                                          {{GROWTH_INVERSE, GROWTH_TWO_THIRDS}},
                                                          {{GROWTH_INVERSE, GROWTH_ROOT}},
                                                          {{GROWTH_INVERSE, GROWTH_ONE}}};
enum { N_WORK_FORMS = sizeof work_forms / sizeof work_forms[0] };
static const struct growth_form count_forms[] = {{{GROWTH_ONE}},      {{GROWTH_SPLIT_3}}, {{GROWTH_SPLIT_2}},
                                                 {{GROWTH_BORDER_1}}, {{GROWTH_LOG}},     {{GROWTH_OTHERS}},
                                                 {{GROWTH_ROOT}},     {{GROWTH_INVERSE}}};
static const struct growth_form size_forms[] = {{{GROWTH_ONE}},          {{GROWTH_INVERSE}},
                                                {{GROWTH_TWO_THIRDS}},   {{GROWTH_ROOT}},
                                                {{GROWTH_OTHERS_SHARE}}, {{GROWTH_LINEAR}}};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
enum { MAX_POINTS = 256 };

struct selection {
    const struct observation *observations;
    size_t n;
    const bool *left_out;
};

static bool looked_at(const struct selection *s, size_t i)
{
    return !s->left_out || !s->left_out[i];
}

/* Points of one quantity over the observations; ranks from `first` on (communication needs two). */
static void fit_quantity(const struct selection *s, double (*quantity)(const struct observation *), int first,
                         const struct growth_form *forms, size_t n_forms, double noise_ratio, double floor,
                         struct growth *growth)
{
    struct growth_point points[MAX_POINTS];
    size_t n = 0;
    for (size_t i = 0; i < s->n && n < MAX_POINTS; i++) {
        const struct observation *o = &s->observations[i];
        if (looked_at(s, i) && o->n >= first)
            points[n++] = (struct growth_point){o->n, quantity(o), o->weight};
    }
    growth_choose(points, n, forms, n_forms, noise_ratio, floor, growth);
}

/* Computing per process as it would be on the reference core. */
static double reference_work(const struct observation *o)
{
    double speed = 0;
    for (int i = 0; i < o->machine.n_nodes; i++)
        speed += o->machine.nodes[i].speed * o->machine.nodes[i].n_ranks / o->machine.n_ranks;
    return o->compute_s * speed;
}

static double rounds_value(const struct observation *o)
{
    return o->rounds;
}

static double syncs_value(const struct observation *o)
{
    return o->syncs;
}

/* Communicators of the whole program have exponent 1; the rows of a square grid 1/2. */
static double exponent_of(const struct observed_collective *c, int n)
{
    if (c->n_ranks >= n) return 1;
    double exponent = log(c->n_ranks) / log(n);
    return exponent > 0.58 ? 2.0 / 3.0 : exponent > 0.42 ? 0.5 : 1.0 / 3.0;
}

static int find_used(const struct workload *w, enum collective_kind kind, double exponent)
{
    for (int i = 0; i < w->n_collectives; i++)
        if (w->collectives[i].kind == kind && w->collectives[i].size_exponent == exponent) return i;
    return -1;
}

static void fit_collective(const struct selection *s, struct used_collective *used)
{
    struct growth_point counts[MAX_POINTS], bytes[MAX_POINTS];
    size_t n_counts = 0, n_bytes = 0;
    int largest = 0;
    for (size_t i = 0; i < s->n && n_bytes < MAX_POINTS; i++) {
        const struct observation *o = &s->observations[i];
        if (!looked_at(s, i)) continue;
        double count = 0, total = 0;
        for (int c = 0; c < o->n_collectives; c++)
            if (o->collectives[c].kind == used->kind &&
                exponent_of(&o->collectives[c], o->n) == used->size_exponent) {
                count += o->collectives[c].count;
                total += o->collectives[c].count * o->collectives[c].bytes;
                if (o->n >= largest) {
                    used->mix = o->collectives[c].mix;
                    used->rotates = o->collectives[c].rotates;
                }
                largest = o->n > largest ? o->n : largest;
            }
        /* Alone a collective costs nothing, but its contribution is one more point. */
        if (o->n > 1) counts[n_counts++] = (struct growth_point){o->n, count, o->weight};
        if (o->n > 1 || count > 0)
            bytes[n_bytes++] = (struct growth_point){o->n, count > 0 ? total / count : 0, o->weight};
    }
    growth_choose(counts, n_counts, count_forms, COUNT_OF(count_forms), GROWTH_COUNTED, 0, &used->count);
    growth_choose(bytes, n_bytes, size_forms, COUNT_OF(size_forms), GROWTH_COUNTED, 0, &used->bytes);
}

static void fit_collectives(const struct selection *s, struct workload *w)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct observation *o = &s->observations[i];
        if (!looked_at(s, i) || o->n < 2) continue;
        for (int c = 0; c < o->n_collectives; c++) {
            double exponent = exponent_of(&o->collectives[c], o->n);
            if (find_used(w, o->collectives[c].kind, exponent) >= 0 ||
                w->n_collectives == MAX_USED_COLLECTIVES)
                continue;
            w->collectives[w->n_collectives++] =
                (struct used_collective){.kind = o->collectives[c].kind, .size_exponent = exponent};
        }
    }
    for (int i = 0; i < w->n_collectives; i++) fit_collective(s, &w->collectives[i]);
}

/* What a run on quiet nodes of its own repeats within. */
static const double clean_noise_ratio = 0.02;

static void fit_imbalance(const struct selection *s, struct workload *w)
{
    const struct uneven *runs[MAX_POINTS];
    double weights[MAX_POINTS];
    size_t n = 0;
    for (size_t i = 0; i < s->n && n < MAX_POINTS; i++) {
        if (!looked_at(s, i)) continue;
        runs[n] = &s->observations[i].uneven;
        weights[n++] = s->observations[i].weight;
    }
    imbalance_fit(runs, weights, n, &w->imbalance);
    /* Where chance makes ranks uneven, it makes runs uneven, too: on the emulated cluster half as much. */
    w->noise_ratio = hypot(clean_noise_ratio, 0.5 * w->imbalance.random.c[0]);
}

static void fit_pattern(const struct selection *s, struct workload *w)
{
    struct traffic_matrix matrices[MAX_POINTS];
    size_t n = 0;
    for (size_t i = 0; i < s->n && n < MAX_POINTS; i++)
        if (looked_at(s, i)) matrices[n++] = s->observations[i].traffic;
    pattern_detect(matrices, n, &w->pattern);
}

/* W/n becomes W/n + W_0 with a W_0 that the fit must find small: see model.c. */
static void assume_replicated(struct growth *work, bool *assumed)
{
    *assumed =
        work->form.term[0] == GROWTH_INVERSE && work->form.term[1] == GROWTH_NONE && work->n_counts > 1;
    if (*assumed) work->form.term[1] = GROWTH_ONE;
}

void workload_fit(const struct observation *observations, size_t n_observations, const bool *left_out,
                  struct workload *workload)
{
    struct selection s = {observations, n_observations, left_out};
    *workload = (struct workload){.n_min = 0};
    double weights = 0;
    for (size_t i = 0; i < n_observations; i++) {
        const struct observation *o = &observations[i];
        if (!looked_at(&s, i)) continue;
        if (workload->n_min == 0) workload->library = o->library;
        if (workload->n_min == 0 || o->n < workload->n_min) workload->n_min = o->n;
        if (o->n > workload->n_max) workload->n_max = o->n;
        workload->io_s += o->weight * o->io_s;
        weights += o->weight;
        workload->several_nodes = workload->several_nodes || o->n_nodes > 1;
    }
    if (weights > 0) workload->io_s /= weights;
    fit_imbalance(&s, workload);
    fit_pattern(&s, workload);
    fit_quantity(&s, reference_work, 1,
                 pattern_dimensions(workload->pattern.kind) >= 2 ? neighbour_work_forms : work_forms,
                 N_WORK_FORMS, 1.5 * workload->noise_ratio, 0, &workload->work);
    assume_replicated(&workload->work, &workload->assumed_replicated);
    fit_quantity(&s, rounds_value, 2, count_forms, COUNT_OF(count_forms), GROWTH_COUNTED, 0,
                 &workload->rounds);
    fit_quantity(&s, syncs_value, 2, count_forms, COUNT_OF(count_forms), GROWTH_COUNTED, 0, &workload->syncs);
    fit_collectives(&s, workload);
}
