#include "forecast/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shape {
    const char *text;
    int dimensions;
    bool periodic, ascending;
} shapes[PATTERN_KINDS] = {[PATTERN_NONE] = {"none", 0, false, false},
                           [PATTERN_RANDOM] = {"irregular", 0, false, false},
#define ROW(constant, text, dimensions, periodic, ascending)                                                 \
    [PATTERN_##constant] = {text, dimensions, periodic, ascending},
                           PATTERN_LIST(ROW)
#undef ROW
};

int pattern_dimensions(enum pattern_kind kind)
{
    return shapes[kind].dimensions;
}

bool pattern_ascending(enum pattern_kind kind)
{
    return shapes[kind].ascending;
}

const char *pattern_text(enum pattern_kind kind)
{
    return shapes[kind].text;
}

/* Smallest divisor of n that is at least its d-th root: the longest side of a balanced grid. */
static int longest_side(int n, int d)
{
    double root = d == 1 ? n : d == 2 ? sqrt(n) : cbrt(n);
    for (int side = (int)ceil(root - 1e-9); side < n; side++)
        if (n % side == 0) return side;
    return n;
}

void pattern_grid(int n, int d, bool ascending, int dims[3])
{
    dims[0] = dims[1] = dims[2] = 1;
    int rest = n;
    for (int k = 0; k < d; k++) {
        int side = k == d - 1 ? rest : longest_side(rest, d - k);
        dims[ascending ? d - 1 - k : k] = side;
        rest /= side;
    }
    for (int i = 0; i < d; i++) /* 3-D: the middle side may come out longer than the first */
        for (int j = i + 1; j < d; j++)
            if (ascending ? dims[i] > dims[j] : dims[i] < dims[j]) {
                int swap = dims[i];
                dims[i] = dims[j];
                dims[j] = swap;
            }
}

static int grid_neighbours(const struct shape *shape, const int dims[3], int rank, int to[], int edge_class[])
{
    int found = 0, stride = 1;
    int strides[3], position[3];
    for (int k = 2; k >= 0; k--) { /* row-major: the last dimension runs fastest */
        strides[k] = stride;
        position[k] = rank / stride % dims[k];
        stride *= dims[k];
    }
    for (int k = 0; k < shape->dimensions && k < 3; k++) {
        if (dims[k] == 1) continue;
        for (int step = -1; step <= 1; step += 2) {
            int next = position[k] + step;
            if (next < 0 || next >= dims[k]) {
                if (!shape->periodic) continue;
                next = (next + dims[k]) % dims[k];
            }
            to[found] = rank + (next - position[k]) * strides[k];
            edge_class[found++] = k;
        }
    }
    return found;
}

int pattern_neighbours(enum pattern_kind kind, int n, const int dims[3], int rank, int to[], int edge_class[])
{
    if (shapes[kind].dimensions > 0) return grid_neighbours(&shapes[kind], dims, rank, to, edge_class);
    int found = 0;
    if (kind == PATTERN_HYPERCUBE) {
        for (int bit = 1; bit < n && found < PATTERN_MAX_DEGREE; bit *= 2)
            if ((rank ^ bit) < n) {
                to[found] = rank ^ bit;
                edge_class[found++] = 0;
            }
        return found;
    }
    if (kind == PATTERN_STAR && rank != 0) {
        to[0] = 0;
        edge_class[0] = 0; /* towards the centre; class 1 is away from it */
        return 1;
    }
    return -1;
}

static double law_value(enum pattern_edge_law law, int n, const int dims[3], int edge_class)
{
    switch (law) {
    case EDGE_FACE:
        return (double)dims[edge_class] / n;
    case EDGE_INVERSE:
        return 1.0 / n;
    case EDGE_INVERSE_SQUARE:
        return 1.0 / ((double)n * n);
    case EDGE_CONSTANT:
        break;
    }
    return 1;
}

void pattern_edge(const struct pattern *pattern, int n, const int dims[3], int edge_class, double *count,
                  double *bytes)
{
    *count = pattern->count[edge_class];
    *bytes = pattern->bytes[edge_class] * law_value(pattern->law, n, dims, edge_class);
}

/* ---- detection ---- */

/* What one shape makes of one matrix: traffic on its edges by class. */
struct coverage {
    double count[PATTERN_CLASSES], bytes[PATTERN_CLASSES]; /* covered, by class */
    double edges[PATTERN_CLASSES];                         /* edges that the shape has, with multiplicity */
    double present, distinct; /* pairs of the shape that carry traffic, and all pairs */
    double covered_count, covered_bytes, all_count, all_bytes;
};

/* Class of the pair in the shape with the number of parallel edges, or -1. */
static int pair_class(enum pattern_kind kind, int n, const int dims[3], int from, int to, int *multiplicity)
{
    *multiplicity = 1;
    if (from == to) return -1;
    if (kind == PATTERN_ALL) return 0;
    if (kind == PATTERN_STAR) return to == 0 ? 0 : from == 0 ? 1 : -1;
    int neighbours[PATTERN_MAX_DEGREE], classes[PATTERN_MAX_DEGREE], found = -1;
    int degree = pattern_neighbours(kind, n, dims, from, neighbours, classes);
    *multiplicity = 0;
    for (int i = 0; i < degree; i++)
        if (neighbours[i] == to) {
            if (found < 0) found = classes[i];
            *multiplicity += classes[i] == found;
        }
    return found;
}

/* Directed edges of the shape by class (with multiplicity) and distinct pairs. */
static void count_edges(enum pattern_kind kind, int n, const int dims[3], struct coverage *coverage)
{
    if (kind == PATTERN_ALL) {
        coverage->edges[0] = coverage->distinct = (double)n * (n - 1);
        return;
    }
    if (kind == PATTERN_STAR) {
        coverage->edges[0] = coverage->edges[1] = n - 1;
        coverage->distinct = 2.0 * (n - 1);
        return;
    }
    for (int rank = 0; rank < n; rank++) {
        int to[PATTERN_MAX_DEGREE], classes[PATTERN_MAX_DEGREE];
        int degree = pattern_neighbours(kind, n, dims, rank, to, classes);
        for (int i = 0; i < degree; i++) {
            coverage->edges[classes[i]]++;
            bool repeated = false;
            for (int j = 0; j < i; j++) repeated = repeated || to[j] == to[i];
            coverage->distinct += !repeated;
        }
    }
}

static void cover(enum pattern_kind kind, const struct traffic_matrix *matrix, struct coverage *coverage)
{
    int dims[3];
    *coverage = (struct coverage){0};
    pattern_grid(matrix->n, shapes[kind].dimensions ? shapes[kind].dimensions : 1, shapes[kind].ascending,
                 dims);
    count_edges(kind, matrix->n, dims, coverage);
    for (size_t e = 0; e < matrix->n_entries; e++) {
        const struct traffic_entry *entry = &matrix->entries[e];
        if (entry->from == entry->to) continue; /* to itself: never on a wire */
        int multiplicity;
        int edge_class = pair_class(kind, matrix->n, dims, entry->from, entry->to, &multiplicity);
        coverage->all_count += entry->count;
        coverage->all_bytes += entry->bytes;
        if (edge_class < 0) continue;
        coverage->covered_count += entry->count;
        coverage->covered_bytes += entry->bytes;
        coverage->count[edge_class] += entry->count;
        coverage->bytes[edge_class] += entry->bytes;
        coverage->present += entry->count > 0;
    }
}

/* Harmonic mean of "explains the traffic" and "has no edges that carry none". */
static double score_of(const struct coverage *coverage)
{
    if (coverage->all_count <= 0 || coverage->distinct <= 0) return 0;
    double explained = coverage->covered_count / coverage->all_count;
    if (coverage->all_bytes > 0)
        explained = 0.5 * explained + 0.5 * coverage->covered_bytes / coverage->all_bytes;
    double used = coverage->present / coverage->distinct;
    return explained + used > 0 ? 2 * explained * used / (explained + used) : 0;
}

static double total_score(enum pattern_kind kind, const struct traffic_matrix *matrices, size_t n_matrices)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < n_matrices; i++) {
        if (matrices[i].n < 2 || matrices[i].n_entries == 0) continue;
        struct coverage coverage;
        cover(kind, &matrices[i], &coverage);
        double weight = matrices[i].weight * matrices[i].n; /* more ranks tell shapes apart better */
        sum += weight * score_of(&coverage);
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

/* Mean of value / law over the matrices, one class; error of each left out. */
static double fit_class(enum pattern_kind kind, const struct traffic_matrix *matrices, size_t n_matrices,
                        enum pattern_edge_law law, int edge_class, bool bytes, int skip_n, double *weight_sum)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < n_matrices; i++) {
        int n = matrices[i].n, dims[3];
        if (n < 2 || n == skip_n) continue;
        struct coverage coverage;
        cover(kind, &matrices[i], &coverage);
        if (coverage.edges[edge_class] <= 0) continue;
        pattern_grid(n, shapes[kind].dimensions ? shapes[kind].dimensions : 1, shapes[kind].ascending, dims);
        double value = (bytes ? coverage.bytes : coverage.count)[edge_class] / coverage.edges[edge_class];
        sum += matrices[i].weight * value / law_value(law, n, dims, edge_class);
        weights += matrices[i].weight;
    }
    *weight_sum = weights;
    return weights > 0 ? sum / weights : 0;
}

/* Relative error of the edge law at counts left out; NAN when no class was seen at two counts. */
static double law_error(enum pattern_kind kind, const struct traffic_matrix *matrices, size_t n_matrices,
                        enum pattern_edge_law law)
{
    double error = 0, weights = 0;
    for (size_t i = 0; i < n_matrices; i++) {
        int n = matrices[i].n, dims[3];
        if (n < 2) continue;
        struct coverage coverage;
        cover(kind, &matrices[i], &coverage);
        pattern_grid(n, shapes[kind].dimensions ? shapes[kind].dimensions : 1, shapes[kind].ascending, dims);
        for (int k = 0; k < PATTERN_CLASSES; k++) {
            double others, measured = coverage.edges[k] > 0 ? coverage.bytes[k] / coverage.edges[k] : 0;
            if (measured <= 0) continue;
            double value = fit_class(kind, matrices, n_matrices, law, k, true, n, &others);
            if (others <= 0) continue;
            error += matrices[i].weight * fabs(value * law_value(law, n, dims, k) / measured - 1);
            weights += matrices[i].weight;
        }
    }
    return weights > 0 ? error / weights : NAN;
}

static enum pattern_edge_law default_law(enum pattern_kind kind)
{
    if (shapes[kind].dimensions > 0) return EDGE_FACE;
    return kind == PATTERN_ALL ? EDGE_INVERSE_SQUARE : EDGE_CONSTANT;
}

static void choose_law(struct pattern *pattern, const struct traffic_matrix *matrices, size_t n_matrices)
{
    pattern->law = default_law(pattern->kind);
    pattern->loo_ratio = law_error(pattern->kind, matrices, n_matrices, pattern->law);
    for (enum pattern_edge_law law = EDGE_CONSTANT; law <= EDGE_INVERSE_SQUARE; law++) {
        double error = law_error(pattern->kind, matrices, n_matrices, law);
        if (error < 0.8 * pattern->loo_ratio -
                        0.01) { /* the shape's own law has a reason: leave it only for a clear gain */
            pattern->law = law;
            pattern->loo_ratio = error;
        }
    }
}

static void fit_edges(struct pattern *pattern, const struct traffic_matrix *matrices, size_t n_matrices)
{
    double seen_count = 0, seen_bytes = 0;
    int seen = 0;
    bool known[PATTERN_CLASSES];
    for (int k = 0; k < PATTERN_CLASSES; k++) {
        double weights;
        pattern->count[k] =
            fit_class(pattern->kind, matrices, n_matrices, EDGE_CONSTANT, k, false, 0, &weights);
        pattern->bytes[k] =
            fit_class(pattern->kind, matrices, n_matrices, pattern->law, k, true, 0, &weights);
        known[k] = weights > 0;
        if (!known[k]) continue;
        seen_count += pattern->count[k];
        seen_bytes += pattern->bytes[k];
        seen++;
    }
    for (int k = 0; k < PATTERN_CLASSES && seen > 0;
         k++) /* a dimension that no run has split: like the others */
        if (!known[k]) {
            pattern->count[k] = seen_count / seen;
            pattern->bytes[k] = seen_bytes / seen;
        }
}

static void fit_random(struct pattern *pattern, const struct traffic_matrix *matrices, size_t n_matrices)
{
    static const struct growth_form count_forms[] = {
        {{GROWTH_ONE}}, {{GROWTH_BORDER_1}}, {{GROWTH_BORDER_2}}, {{GROWTH_BORDER_3}},
        {{GROWTH_LOG}}, {{GROWTH_OTHERS}},   {{GROWTH_INVERSE}}};
    static const struct growth_form byte_forms[] = {
        {{GROWTH_TWO_THIRDS}}, {{GROWTH_ONE}},    {{GROWTH_ROOT}},         {{GROWTH_INVERSE}},
        {{GROWTH_BORDER_1}},   {{GROWTH_OTHERS}}, {{GROWTH_OTHERS_SHARE}}, {{GROWTH_LOG}}};
    enum { MAX_MATRICES = 64 };
    struct growth_point counts[MAX_MATRICES], bytes[MAX_MATRICES];
    size_t n_points = 0;
    for (size_t i = 0; i < n_matrices && n_points < MAX_MATRICES; i++) {
        if (matrices[i].n < 2) continue;
        double count = 0, size = 0;
        for (size_t e = 0; e < matrices[i].n_entries; e++) {
            count += matrices[i].entries[e].count;
            size += matrices[i].entries[e].bytes;
        }
        counts[n_points] = (struct growth_point){matrices[i].n, count / matrices[i].n, matrices[i].weight};
        bytes[n_points++] = (struct growth_point){matrices[i].n, size / matrices[i].n, matrices[i].weight};
    }
    growth_choose(counts, n_points, count_forms, sizeof count_forms / sizeof *count_forms, GROWTH_COUNTED, 0,
                  &pattern->random_count);
    growth_choose(bytes, n_points, byte_forms, sizeof byte_forms / sizeof *byte_forms, GROWTH_COUNTED, 0,
                  &pattern->random_bytes);
    pattern->loo_ratio = pattern->random_bytes.loo_ratio;
}

/*
 * Dimensions of the grid by the sends of a round: programs usually start one to each side of their block, to
 * MPI_PROC_NULL where there is no neighbour. It tells shapes apart that look the same on few ranks. 0: no
 * hint.
 */
static int hinted_dimensions(const struct traffic_matrix *matrices, size_t n_matrices)
{
    const double close_enough = 0.1;
    for (int d = 1; d <= 3; d++) {
        bool agrees = false;
        for (size_t i = 0; i < n_matrices; i++) {
            if (matrices[i].n < 2 || matrices[i].n_entries == 0) continue;
            agrees = fabs(matrices[i].sends_per_round - 2 * d) <= close_enough;
            if (!agrees) break;
        }
        if (agrees) return d;
    }
    return 0;
}

void pattern_detect(const struct traffic_matrix *matrices, size_t n_matrices, struct pattern *pattern)
{
    /* Below this score the shape would be a guess that is worse than random partners. */
    const double good_enough = 0.8, tie = 0.02;
    *pattern = (struct pattern){.kind = PATTERN_NONE, .loo_ratio = NAN};
    double traffic = 0, scores[PATTERN_KINDS] = {0};
    int most_ranks = 0;
    for (size_t i = 0; i < n_matrices; i++) traffic += matrices[i].n >= 2 ? (double)matrices[i].n_entries : 0;
    for (size_t i = 0; i < n_matrices; i++)
        if (matrices[i].n > most_ranks) most_ranks = matrices[i].n;
    if (traffic == 0) return;
    for (int kind = PATTERN_RANDOM + 1; kind < PATTERN_KINDS; kind++) {
        scores[kind] = total_score((enum pattern_kind)kind, matrices, n_matrices);
        if (scores[kind] > pattern->score) pattern->score = scores[kind];
    }
    if (pattern->score < good_enough) {
        pattern->kind = PATTERN_RANDOM;
        fit_random(pattern, matrices, n_matrices);
        return;
    }
    /* Among shapes that explain the runs equally well the edge law decides, then the order of the list. Below
     * 8 ranks many shapes are the same graph and a law could only fit noise: there the order alone decides.
     */
    double best_error = INFINITY;
    int equals = 0, hint = hinted_dimensions(matrices, n_matrices);
    bool follows_hint = false;
    for (int kind = PATTERN_RANDOM + 1; kind < PATTERN_KINDS; kind++)
        follows_hint =
            follows_hint || (hint && shapes[kind].dimensions == hint && scores[kind] >= pattern->score - tie);
    for (int kind = PATTERN_RANDOM + 1; kind < PATTERN_KINDS; kind++) {
        if (scores[kind] < pattern->score - tie) continue;
        if (follows_hint && shapes[kind].dimensions != hint) continue;
        struct pattern candidate = {.kind = (enum pattern_kind)kind};
        choose_law(&candidate, matrices, n_matrices);
        double error = isnan(candidate.loo_ratio) || most_ranks < 8 ? 0 : candidate.loo_ratio;
        if (shapes[kind].dimensions != shapes[pattern->kind].dimensions) equals++;
        if (pattern->kind == PATTERN_NONE || error < 0.7 * best_error - 0.02) { /* only for a clear gain */
            best_error = error;
            pattern->kind = candidate.kind;
            pattern->law = candidate.law;
            pattern->loo_ratio = candidate.loo_ratio;
        }
    }
    pattern->ambiguous = equals > 1;
    fit_edges(pattern, matrices, n_matrices);
}
