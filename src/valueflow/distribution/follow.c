/*
 * Vertices that no block decides about go where their readers and their sources are, in rounds outwards from
 * those that are placed. An input that is only added up goes with the other factor of its term when its
 * reader has no place of its own: x[i] * y[i] is computed where both are.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/graph/incidence.h"
#include "valueflow/graph/once.h"

enum { LOOKED_AT = 64, CROWD = 1024, MOST_ROUNDS = 64, FEW = 16 };
/* A sum of more values is wherever these are; what so many times as many read as another source goes there
 * anyway. */
enum { MANY_TERMS = 64, MANY_TIMES = 16, FEW_TIMES = 2, FEW_OF_A_PART = 16 };

struct follow {
    const parcast_values *values;
    struct incidence at;
    uint32_t *part, *next;
    uint32_t *left, n_left; /* vertices without a place, ascending; next: of each of these */
    const uint32_t *partner;
    const uint32_t *reads;
    uint64_t many;    /* values that a large sum reads, at least */
    uint64_t *weight; /* [n_parts] */
    uint32_t *touched, n_touched;
    const bool *fixed;
    bool ask_all;     /* results ask their sources too, not only their readers */
    bool ask_crowds;  /* sets of very many readers, who are everywhere: only where nothing else tells */
    bool in_vain;     /* in the last round nothing was placed: who was asked then has no place now */
    bool few;         /* few were placed in it: `reached` says where */
    uint8_t *reached; /* [n_sets] the last round in which few were placed, one of them of the set, + 1; 0 */
    uint8_t round;
};

static void vote(struct follow *f, uint32_t vertex, uint64_t weight)
{
    uint32_t q = f->part[vertex];
    if (q == GRAPH_NONE) return;
    if (!f->weight[q]) f->touched[f->n_touched++] = q;
    f->weight[q] += weight;
}

/* Where a sum of very many values lies tells nothing about where one of them should be. Values that are read
 * alike are one set: five hundred points of one sum may be. A row of a matrix may be one too, but is no large
 * share of a part. */
static bool is_large_sum(const struct follow *f, uint32_t pin)
{
    uint32_t reader = pin & ~GRAPH_FOLD;
    return pin & GRAPH_FOLD &&
           (f->at.set_first[reader + 1] - f->at.set_first[reader] > MANY_TERMS || f->reads[reader] > f->many);
}

static void ask_readers(struct follow *f, uint32_t v)
{
    const parcast_values *values = f->values;
    for (uint64_t i = f->at.net_first[v]; i < f->at.net_first[v + 1]; i++) {
        uint32_t set = f->at.net_sets[i];
        uint64_t first = values->set_first[set], end = values->set_first[set + 1];
        if (end - first > CROWD && !f->ask_crowds) continue;
        for (uint64_t j = first; j < end && j < first + LOOKED_AT; j++) {
            uint32_t reader = values->pins[j] & ~GRAPH_FOLD;
            if ((values->has_chosen && values->vertices[reader].is_chosen) ||
                (!f->ask_crowds && is_large_sum(f, values->pins[j])))
                continue;
            vote(f, reader, (uint64_t)MANY_TIMES * f->at.net_counts[i]);
        }
    }
}

static uint64_t fewest_readers(const struct follow *f, uint32_t v)
{
    uint64_t fewest = UINT64_MAX;
    for (uint64_t i = f->at.set_first[v]; i < f->at.set_first[v + 1]; i++) {
        uint32_t set = f->at.sets[i] >> 1;
        uint64_t n = f->values->set_first[set + 1] - f->values->set_first[set];
        if (n < fewest) fewest = n;
    }
    return fewest;
}

/* What more read goes to several of them: what a point is computed from should not be outvoted by as many
 * parameters of all points. */
static uint64_t how_much_is_heard(uint64_t readers, uint64_t fewest)
{
    if (readers <= FEW_TIMES * fewest) return MANY_TIMES;
    return readers < MANY_TIMES * fewest ? MANY_TIMES * fewest / readers : 1;
}

static void ask_sources(struct follow *f, uint32_t v)
{
    const parcast_values *values = f->values;
    uint64_t sets = f->at.set_first[v + 1] - f->at.set_first[v], fewest = fewest_readers(f, v);
    for (uint64_t i = f->at.set_first[v]; i < f->at.set_first[v + 1]; i++) {
        uint32_t set = f->at.sets[i] >> 1;
        uint64_t first = values->net_first[set], end = values->net_first[set + 1];
        uint64_t readers = values->set_first[set + 1] - values->set_first[set];
        if (readers > MANY_TIMES * fewest && !f->ask_crowds) continue;
        uint64_t most = sets > 1024 ? 1 : LOOKED_AT, heard = how_much_is_heard(readers, fewest);
        for (uint64_t j = first; j < end && j < first + most; j++)
            vote(f, values->nets[j].home, heard * values->nets[j].count);
    }
}

/* A sum that has no place of its own, or one of so many that its place tells nothing. */
static bool is_free_sum(const struct follow *f, uint32_t pin, uint64_t readers)
{
    if (!(pin & GRAPH_FOLD)) return false;
    return is_large_sum(f, pin) || (readers == 1 && !f->fixed[pin & ~GRAPH_FOLD]);
}

static bool only_added_up(const struct follow *f, uint32_t v)
{
    const parcast_values *values = f->values;
    if (values->vertices[v].work > 0 || f->at.net_first[v] == f->at.net_first[v + 1]) return false;
    for (uint64_t i = f->at.net_first[v]; i < f->at.net_first[v + 1]; i++) {
        uint32_t set = f->at.net_sets[i];
        uint64_t first = values->set_first[set], end = values->set_first[set + 1];
        if (end > first + LOOKED_AT) return false;
        for (uint64_t j = first; j < end; j++)
            if (!is_free_sum(f, values->pins[j], end - first)) return false;
    }
    return true;
}

/* Equal votes go to the lowest part, so that the same input gives the same answer. */
static uint32_t winner(struct follow *f)
{
    uint32_t best = GRAPH_NONE;
    for (uint32_t i = 0; i < f->n_touched; i++) {
        uint32_t q = f->touched[i];
        if (best == GRAPH_NONE || f->weight[q] > f->weight[best] ||
            (f->weight[q] == f->weight[best] && q < best))
            best = q;
    }
    for (uint32_t i = 0; i < f->n_touched; i++) f->weight[f->touched[i]] = 0;
    f->n_touched = 0;
    return best;
}

/* Everybody was asked before but those that a change of the rules adds. */
static uint32_t choose_anew(struct follow *f, uint32_t v)
{
    if (f->ask_crowds) ask_readers(f, v);
    if (f->ask_crowds || f->values->arrays[f->values->vertices[v].array].is_result) ask_sources(f, v);
    return winner(f);
}

/* Has anybody of whom v may ask been placed in the last round? */
static bool is_reached(const struct follow *f, uint32_t v)
{
    uint32_t partner = f->partner[v];
    if (partner != GRAPH_NONE && f->part[partner] != GRAPH_NONE) return true;
    for (uint64_t i = f->at.net_first[v]; i < f->at.net_first[v + 1]; i++)
        if (f->reached[f->at.net_sets[i]] == f->round) return true;
    for (uint64_t i = f->at.set_first[v]; i < f->at.set_first[v + 1]; i++)
        if (f->reached[f->at.sets[i] >> 1] == f->round) return true;
    return false;
}

static uint32_t choose(struct follow *f, uint32_t v)
{
    uint32_t partner = f->partner[v];
    if (f->in_vain) return choose_anew(f, v);
    if (f->few && !is_reached(f, v)) return GRAPH_NONE;
    if (partner != GRAPH_NONE && only_added_up(f, v)) {
        if (f->part[partner] != GRAPH_NONE) return f->part[partner];
    }
    ask_readers(f, v);
    if (f->ask_all || !f->values->arrays[f->values->vertices[v].array].is_result) ask_sources(f, v);
    return winner(f);
}

static void reach(struct follow *f, uint32_t v)
{
    for (uint64_t i = f->at.net_first[v]; i < f->at.net_first[v + 1]; i++)
        f->reached[f->at.net_sets[i]] = f->round;
    for (uint64_t i = f->at.set_first[v]; i < f->at.set_first[v + 1]; i++)
        f->reached[f->at.sets[i] >> 1] = f->round;
}

static bool round_once(struct follow *f)
{
    uint32_t n = 0, n_left = f->n_left, placed = 0;
    for (uint32_t i = 0; i < n_left; i++) {
        f->next[i] = choose(f, f->left[i]);
        placed += f->next[i] != GRAPH_NONE;
    }
    f->round++;
    f->in_vain = !placed;
    f->few = placed < n_left / FEW;
    for (uint32_t i = 0; i < n_left; i++) {
        f->part[f->left[i]] = f->next[i];
        if (f->next[i] == GRAPH_NONE)
            f->left[n++] = f->left[i];
        else if (f->few)
            reach(f, f->left[i]);
    }
    f->n_left = n;
    return placed;
}

static bool prepare(struct follow *f, size_t n_parts)
{
    uint32_t n = f->values->n_vertices;
    for (uint32_t v = 0; v < n; v++) f->n_left += f->part[v] == GRAPH_NONE;
    f->left = malloc(((size_t)f->n_left + 1) * sizeof *f->left);
    f->next = malloc(((size_t)f->n_left + 1) * sizeof *f->next);
    f->partner = once_partners(f->values);
    f->reads = once_reads(f->values);
    f->many = f->values->n_vertices / (FEW_OF_A_PART * n_parts);
    if (f->many < MANY_TERMS) f->many = MANY_TERMS;
    f->weight = calloc(n_parts, sizeof *f->weight);
    f->touched = calloc(n_parts, sizeof *f->touched);
    f->reached = calloc((size_t)f->values->n_sets + 1, sizeof *f->reached);
    if (!f->left || !f->next || !f->partner || !f->reads || !f->weight || !f->touched || !f->reached)
        return false;
    for (uint32_t v = 0, i = 0; i < f->n_left; v++)
        if (f->part[v] == GRAPH_NONE) f->left[i++] = v;
    f->at = *f->values->at;
    return true;
}

/* Pieces of what has no place: such a set has no vertex that has one. */
static void find_pieces(const parcast_values *values, const uint32_t *part, uint32_t *up)
{
    for (uint32_t v = 0; v < values->n_vertices; v++) up[v] = v;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t net = values->net_first[s], pin = values->set_first[s];
        if (net == values->net_first[s + 1] || part[values->nets[net].home] != GRAPH_NONE) continue;
        uint32_t first = values->nets[net].home;
        for (; net < values->net_first[s + 1]; net++) graph_join(up, first, values->nets[net].home);
        for (; pin < values->set_first[s + 1]; pin++) graph_join(up, first, values->pins[pin] & ~GRAPH_FOLD);
    }
}

/* Sums of very many terms, which are added up where these lie, and not where the sum does. */
static void find_large_sums(const parcast_values *values, bool *is_large)
{
    for (size_t i = 0; i < values->n_chains; i++) {
        uint64_t n = 0;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            n += values->segments[key].n_terms;
        if (n > MANY_TERMS) is_large[values->chains[i].vertex] = true;
    }
}

/* The work of each part as far as it is known, and of each piece; in all. */
static double share_work(const parcast_values *values, size_t n_parts, const uint32_t *part,
                         const bool *is_large, uint32_t *up, double *work, double *piece)
{
    double all = 0, of_sums = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        double own = values->vertices[v].work;
        all += own;
        if (part[v] == GRAPH_NONE)
            piece[graph_root(up, v)] += own;
        else if (is_large[v])
            of_sums += own;
        else
            work[part[v]] += own;
    }
    for (size_t q = 0; q < n_parts; q++) work[q] += of_sums / (double)n_parts;
    return all;
}

/* What hangs together with nothing that is placed goes, piece by piece, where work is missing. */
static bool fill(const parcast_values *values, size_t n_parts, uint32_t *part)
{
    uint32_t n = values->n_vertices, left = 0;
    for (uint32_t v = 0; v < n; v++) left += part[v] == GRAPH_NONE;
    if (!left) return true;
    uint32_t *up = malloc((size_t)n * sizeof *up);
    double *work = calloc(n_parts, sizeof *work), *piece = calloc(n, sizeof *piece), all = 0;
    bool *is_large = calloc(n, sizeof *is_large), fine = up && work && piece && is_large;
    if (fine) find_pieces(values, part, up);
    if (fine) find_large_sums(values, is_large);
    if (fine) all = share_work(values, n_parts, part, is_large, up, work, piece);
    size_t q = 0;
    for (uint32_t v = 0; fine && v < n; v++) {
        if (part[v] != GRAPH_NONE) continue;
        uint32_t root = graph_root(up, v);
        while (root == v && q + 1 < n_parts && work[q] + piece[v] / 2 > all / (double)n_parts) q++;
        part[v] = root == v ? (uint32_t)q : part[root];
        if (root == v) work[q] += piece[v];
    }
    free(up);
    free(work);
    free(piece);
    free(is_large);
    return fine;
}

static parcast_status no_room(const parcast_values *values, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                             values->n_vertices);
}

parcast_status graph_follow_readers(const parcast_values *values, size_t n_parts, const bool *fixed,
                                    uint32_t *part, parcast_error *error)
{
    struct follow f = {.values = values, .part = part, .fixed = fixed};
    parcast_status status = PARCAST_OK;
    if (prepare(&f, n_parts))
        for (int i = 0; i < MOST_ROUNDS && f.n_left; i++) {
            if (round_once(&f)) continue;
            if (f.ask_crowds) break;
            f.ask_crowds = f.ask_all;
            f.ask_all = true;
        }
    else
        status = no_room(values, error);
    if (!status && !fill(values, n_parts, part)) status = no_room(values, error);
    free(f.left);
    free(f.next);
    free(f.weight);
    free(f.touched);
    free(f.reached);
    return status;
}

parcast_status graph_follow(const parcast_values *values, size_t n_parts, const bool *fixed, uint32_t *part,
                            parcast_error *error)
{
    parcast_status status = graph_follow_readers(values, n_parts, fixed, part, error);
    if (!status && !graph_place_factors(values, n_parts, fixed, part)) status = no_room(values, error);
    return status;
}
