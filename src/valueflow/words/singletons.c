/*
 * Words that nearly everything reads or adds to, by the score of CommAnalyzer (HPDC'18, algorithm 3):
 *
 *     score = max(degree / (n - 1), 1 - centroid / degree),  centroid = min(mean, median) of the degrees
 *
 * Nothing that is counted depends on the threshold; it is for the reader, and to compare.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/incidence.h"

static const double high_score = 0.98;
static const uint64_t most_steps =
    UINT64_C(50000000); /* beyond, neighbours in several sets count several times */

struct scores {
    const parcast_values *values;
    struct incidence at;
    uint32_t *readers, *sources; /* [n_vertices] neighbours by direction */
    uint32_t *stamp, now;
    bool exact;
    double centroid;
    uint32_t n_joined; /* vertices with a neighbour */
};

static uint64_t work_of(const struct scores *s)
{
    const parcast_values *values = s->values;
    uint64_t steps = 0;
    for (uint32_t i = 0; i < values->n_sets; i++)
        steps += UINT64_C(2) * (values->set_first[i + 1] - values->set_first[i]) *
                 (values->net_first[i + 1] - values->net_first[i]);
    return steps;
}

static uint32_t new_one(struct scores *s, uint32_t vertex)
{
    if (s->stamp[vertex] == s->now) return 0;
    s->stamp[vertex] = s->now;
    return 1;
}

static uint32_t capped(uint64_t n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static uint32_t count_readers(struct scores *s, uint32_t v)
{
    const parcast_values *values = s->values;
    uint64_t n = 0;
    s->now++;
    for (uint64_t i = s->at.net_first[v]; i < s->at.net_first[v + 1]; i++) {
        uint32_t set = s->at.net_sets[i];
        uint64_t first = values->set_first[set], end = values->set_first[set + 1];
        if (!s->exact) n += end - first;
        for (uint64_t j = first; s->exact && j < end; j++) n += new_one(s, values->pins[j] & ~GRAPH_FOLD);
    }
    return capped(n);
}

static uint32_t count_sources(struct scores *s, uint32_t v)
{
    const parcast_values *values = s->values;
    uint64_t n = 0;
    s->now++;
    for (uint64_t i = s->at.set_first[v]; i < s->at.set_first[v + 1]; i++) {
        uint32_t set = s->at.sets[i] >> 1;
        uint64_t first = values->net_first[set], end = values->net_first[set + 1];
        if (!s->exact) n += end - first;
        for (uint64_t j = first; s->exact && j < end; j++) n += new_one(s, values->nets[j].home);
    }
    return capped(n);
}

static uint64_t degree_of(const struct scores *s, uint32_t v)
{
    return (uint64_t)s->readers[v] + s->sources[v];
}

/* Most degrees are small, and only the one in the middle is asked for. */
enum { MOST_COUNTED = 1 << 16 };

/* What stands at `middle` in their order. */
static uint64_t in_the_middle(const struct scores *s, const uint64_t *n_of, uint64_t middle)
{
    uint64_t degree = 0;
    while (degree < MOST_COUNTED && middle >= n_of[degree]) middle -= n_of[degree++];
    if (degree < MOST_COUNTED) return degree;
    uint64_t low = MOST_COUNTED, high = UINT64_C(2) * UINT32_MAX;
    while (low < high) { /* more than `middle` of the large ones are at most `half`? */
        uint64_t half = low + (high - low) / 2, n = 0;
        for (uint32_t v = 0; v < s->values->n_vertices; v++)
            n += degree_of(s, v) >= MOST_COUNTED && degree_of(s, v) <= half;
        *(n > middle ? &high : &low) = n > middle ? half : half + 1;
    }
    return low;
}

static parcast_status find_centroid(struct scores *s)
{
    uint64_t *n_of = calloc(MOST_COUNTED, sizeof *n_of);
    double sum = 0;
    if (!n_of) return PARCAST_MEMORY;
    for (uint32_t v = 0; v < s->values->n_vertices; v++) {
        uint64_t degree = degree_of(s, v);
        if (!degree) continue;
        if (degree < MOST_COUNTED) n_of[degree]++;
        s->n_joined++;
        sum += (double)degree;
    }
    if (s->n_joined) {
        double mean = sum / s->n_joined, median = (double)in_the_middle(s, n_of, s->n_joined / 2);
        s->centroid = mean < median ? mean : median;
    }
    free(n_of);
    return PARCAST_OK;
}

static bool is_high(const struct scores *s, uint64_t degree)
{
    if (!degree || s->n_joined < 2) return false;
    double density = (double)degree / (s->n_joined - 1.0), distance = 1 - s->centroid / (double)degree;
    return density >= high_score || distance >= high_score;
}

static parcast_status measure(struct scores *s)
{
    size_t n = (size_t)s->values->n_vertices + 1;
    s->readers = calloc(n, sizeof *s->readers);
    s->sources = calloc(n, sizeof *s->sources);
    s->stamp = calloc(n, sizeof *s->stamp);
    if (!s->readers || !s->sources || !s->stamp) return PARCAST_MEMORY;
    s->at = *s->values->at;
    s->exact = work_of(s) <= most_steps;
    for (uint32_t v = 0; v < s->values->n_vertices; v++) {
        s->readers[v] = count_readers(s, v);
        s->sources[v] = count_sources(s, v);
    }
    return find_centroid(s);
}

/* Versions that are read, and versions that are sums; other sinks count once. */
static void add_vertex(const struct scores *s, uint32_t v, const uint64_t *sums, parcast_singletons *group)
{
    bool read = is_high(s, s->readers[v]), summed = is_high(s, s->sources[v]);
    if (!read && !summed) {
        read = s->readers[v] >= s->sources[v];
        summed = !read;
    }
    group->n_words++;
    if (read)
        for (uint64_t i = s->at.net_first[v]; i < s->at.net_first[v + 1]; i++)
            group->read_versions += s->at.net_counts[i];
    if (summed) group->summed_versions += sums[v] ? sums[v] : 1;
}

static void fill(const struct scores *s, const uint64_t *sums, parcast_singletons *groups, size_t *n)
{
    const parcast_values *values = s->values;
    for (size_t a = 0; a < values->n_arrays; a++) groups[a].array = values->arrays[a].name;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (is_high(s, degree_of(s, v))) add_vertex(s, v, sums, &groups[values->vertices[v].array]);
    for (size_t a = 0; a < values->n_arrays; a++)
        if (groups[a].n_words) groups[(*n)++] = groups[a];
}

parcast_status parcast_values_singletons(const parcast_values *values, parcast_singletons **groups, size_t *n,
                                         parcast_error *error)
{
    struct scores s = {.values = values};
    uint64_t *sums = calloc((size_t)values->n_vertices + 1, sizeof *sums);
    parcast_singletons *made = calloc(values->n_arrays + 1, sizeof *made);
    parcast_status status = sums && made ? measure(&s) : PARCAST_MEMORY;
    size_t n_made = 0;
    if (!status) {
        for (size_t i = 0; i < values->n_chains; i++)
            sums[values->chains[i].vertex] += values->chains[i].count;
        fill(&s, sums, made, &n_made);
        *groups = made;
        *n = n_made;
    } else {
        free(made);
        parcast_error_set(error, status, NULL, 0, "out of memory for %u words", values->n_vertices);
    }
    free(s.readers);
    free(s.sources);
    free(s.stamp);
    free(sums);
    return status;
}
