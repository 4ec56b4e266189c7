#include "valueflow/counts.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t most_cells = UINT64_C(1) << 26, most_terms = UINT64_C(1) << 26;

/* ---- masks of parts ---- */

static bool has(const uint64_t *mask, uint32_t q)
{
    return mask[q / 64] >> q % 64 & 1;
}

static void set_in(uint64_t *mask, uint32_t q, bool is)
{
    uint64_t bit = UINT64_C(1) << q % 64;
    mask[q / 64] = is ? mask[q / 64] | bit : mask[q / 64] & ~bit;
}

/* ---- which readers get partial sums ---- */

/* Labels of a vertex's terms, all of them and those of terms that lie in several parts. */
static void look_at_terms(const parcast_values *values, const uint32_t *part, uint32_t key, uint64_t *n,
                          uint64_t *mixed)
{
    for (; key; key = values->segments[key].before) {
        const struct graph_segment *s = &values->segments[key];
        for (uint32_t i = 0; i < s->n_terms; i++) {
            bool same = true;
            for (uint32_t j = 1; j < s->labels; j++)
                same = same && part[values->stream_homes[values->stream_first[s->streams[j]] + i]] ==
                                   part[values->stream_homes[values->stream_first[s->streams[0]] + i]];
            *n += s->labels;
            *mixed += same ? 0 : s->labels;
        }
    }
}

/* Terms of a sum that the region chose are moved as if nobody knew where they go (chosen.h). */
static bool is_chosen(const struct counts *c, uint32_t v)
{
    return c->values->vertices[v].is_chosen;
}

/* Those that get none in an exact count, or could not for most of their terms, read values. */
static uint64_t settle(struct counts *c)
{
    const parcast_values *values = c->values;
    uint64_t all = 0;
    for (size_t i = 0; i < values->n_chains && all <= most_terms;) {
        uint32_t v = values->chains[i].vertex;
        uint64_t n = 0, mixed = 0;
        for (; i < values->n_chains && values->chains[i].vertex == v && n <= most_terms; i++)
            look_at_terms(values, c->part, values->chains[i].key, &n, &mixed);
        for (; i < values->n_chains && values->chains[i].vertex == v;) i++;
        c->adds[v] = c->adds[v] && 2 * mixed <= n;
        if (c->adds[v]) all += n;
    }
    return all;
}

/* ---- filling ---- */

static void count_sets(struct counts *c)
{
    const parcast_values *values = c->values;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++) {
            uint32_t pin = values->pins[i], v = pin & ~GRAPH_FOLD;
            if (pin & GRAPH_FOLD && (c->adds[v] || is_chosen(c, v))) continue;
            c->pins[s * c->p + c->part[v]]++;
            set_in(c->read_in + s * c->n_words, c->part[v], true);
        }
        for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
            uint32_t q = c->part[values->nets[i].home];
            c->homes[s * c->p + q] += values->nets[i].count;
            c->total[s] += values->nets[i].count;
            if (values->nets[i].count) set_in(c->made_in + s * c->n_words, q, true);
        }
        for (size_t w = 0; w < c->n_words; w++)
            c->spread[s] += (uint32_t)__builtin_popcountll(c->read_in[s * c->n_words + w] |
                                                           c->made_in[s * c->n_words + w]);
    }
    for (uint32_t v = 0; v < values->n_vertices; v++) c->work[c->part[v]] += values->vertices[v].work;
}

static void list_sums(struct counts *c)
{
    const parcast_values *values = c->values;
    uint32_t v = 0;
    for (size_t i = 0; i < values->n_chains; i++) {
        uint32_t vertex = values->chains[i].vertex;
        if (!c->adds[vertex]) continue;
        for (; v <= vertex; v++) c->sum_first[v] = c->n_sums;
        c->sums[c->n_sums++] = (struct counted_sum){vertex, values->chains[i].count, 0, 0};
    }
    for (; v <= values->n_vertices; v++) c->sum_first[v] = c->n_sums;
}

/* First how many sums each vertex is in, then which; sums ascend. */
static void list_terms(struct counts *c, bool fill)
{
    const parcast_values *values = c->values;
    uint32_t sum = 0;
    for (size_t i = 0; i < values->n_chains; i++) {
        if (!c->adds[values->chains[i].vertex]) continue;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            for (uint32_t j = 0; j < values->segments[key].labels; j++) {
                const uint32_t *homes =
                    values->stream_homes + values->stream_first[values->segments[key].streams[j]];
                for (uint32_t k = 0; k < values->segments[key].n_terms; k++) {
                    if (fill)
                        c->term_sums[c->term_first[homes[k]]++] = sum;
                    else
                        c->term_first[homes[k]]++;
                }
            }
        sum++;
    }
}

static void count_terms(struct counts *c)
{
    uint32_t n = c->values->n_vertices;
    uint64_t total = 0;
    list_terms(c, false);
    for (uint32_t v = 0; v <= n; v++) {
        uint64_t here = c->term_first[v];
        c->term_first[v] = total;
        total += here;
    }
    list_terms(c, true);
    for (uint32_t v = n; v > 0; v--) c->term_first[v] = c->term_first[v - 1];
    c->term_first[0] = 0;
    for (uint32_t v = 0; v < n; v++)
        for (uint64_t i = c->term_first[v], end; i < c->term_first[v + 1]; i = end) {
            uint32_t s = c->term_sums[i];
            for (end = i + 1; end < c->term_first[v + 1] && c->term_sums[end] == s;) end++;
            c->terms[s * c->p + c->part[v]] += (uint32_t)(end - i);
            if (end - i > c->sums[s].most) c->sums[s].most = (uint32_t)(end - i);
        }
    for (uint32_t s = 0; s < c->n_sums; s++)
        for (uint32_t q = 0; q < c->p; q++) {
            if (!c->terms[s * c->p + q]) continue;
            c->sums[s].spread++;
            set_in(c->added_in + s * c->n_words, q, true);
        }
}

static parcast_status make_sets(struct counts *c)
{
    size_t n_sets = c->values->n_sets, cells = n_sets * c->p;
    c->pins = calloc(cells + 1, sizeof *c->pins);
    c->homes = calloc(cells + 1, sizeof *c->homes);
    c->total = calloc(n_sets + 1, sizeof *c->total);
    c->spread = calloc(n_sets + 1, sizeof *c->spread);
    c->set_moved = calloc(n_sets + 1, sizeof *c->set_moved);
    c->read_in = calloc(n_sets * c->n_words + 1, sizeof *c->read_in);
    c->made_in = calloc(n_sets * c->n_words + 1, sizeof *c->made_in);
    c->work = calloc(c->p, sizeof *c->work);
    if (!c->pins || !c->homes || !c->total || !c->spread || !c->work || !c->read_in || !c->made_in ||
        !c->set_moved)
        return PARCAST_MEMORY;
    count_sets(c);
    c->at = *c->values->at;
    return PARCAST_OK;
}

static parcast_status make_sums(struct counts *c, uint64_t n_terms, bool *made)
{
    size_t n = (size_t)c->values->n_vertices + 1;
    c->sums = calloc(c->values->n_chains + 1, sizeof *c->sums);
    c->sum_first = calloc(n, sizeof *c->sum_first);
    c->term_first = calloc(n, sizeof *c->term_first);
    c->term_sums = malloc((n_terms + 1) * sizeof *c->term_sums);
    if (!c->sums || !c->sum_first || !c->term_first || !c->term_sums) return PARCAST_MEMORY;
    list_sums(c);
    *made = (uint64_t)c->n_sums * c->p <= most_cells;
    if (!*made) return PARCAST_OK;
    c->terms = calloc((size_t)c->n_sums * c->p + 1, sizeof *c->terms);
    c->added_in = calloc((size_t)c->n_sums * c->n_words + 1, sizeof *c->added_in);
    c->sum_moved = calloc((size_t)c->n_sums + 1, sizeof *c->sum_moved);
    if (!c->terms || !c->added_in || !c->sum_moved) return PARCAST_MEMORY;
    count_terms(c);
    return PARCAST_OK;
}

parcast_status counts_make(const parcast_values *values, size_t n_parts, uint32_t *part, const bool *adds,
                           struct counts *counts, bool *made)
{
    *counts = (struct counts){.values = values, .p = n_parts, .part = part, .n_words = (n_parts + 63) / 64};
    *made = false;
    if ((uint64_t)values->n_sets * n_parts > most_cells) return PARCAST_OK;
    counts->adds = calloc((size_t)values->n_vertices + 1, sizeof *counts->adds);
    if (!counts->adds) return PARCAST_MEMORY;
    parcast_status status = PARCAST_OK;
    if (adds)
        memcpy(counts->adds, adds, values->n_vertices * sizeof *adds);
    else
        status = graph_find_adding(values, part, n_parts, counts->adds);
    uint64_t n_terms = status ? 0 : settle(counts);
    if (!status && n_terms > most_terms) return PARCAST_OK;
    if (!status) status = make_sums(counts, n_terms, made);
    if (!status && *made) status = make_sets(counts);
    return status;
}

void counts_clear(struct counts *c)
{
    free(c->pins);
    free(c->homes);
    free(c->total);
    free(c->spread);
    free(c->read_in);
    free(c->made_in);
    free(c->added_in);
    free(c->adds);
    free(c->sums);
    free(c->sum_first);
    free(c->terms);
    free(c->term_first);
    free(c->term_sums);
    free(c->work);
    free(c->set_moved);
    free(c->sum_moved);
    *c = (struct counts){0};
}

/* ---- moving ---- */

bool counts_inside(const struct counts *c, uint32_t v)
{
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++)
        if (c->spread[c->at.sets[i] >> 1] > 1) return false;
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        if (c->spread[c->at.net_sets[i]] > 1) return false;
    for (uint32_t s = c->sum_first[v]; s < c->sum_first[v + 1]; s++)
        if (c->sums[s].spread > 1 || !c->terms[s * c->p + c->part[v]]) return false;
    for (uint64_t i = c->term_first[v]; i < c->term_first[v + 1]; i++) {
        const struct counted_sum *sum = &c->sums[c->term_sums[i]];
        if (sum->spread > 1 || c->part[sum->vertex] != c->part[v]) return false;
    }
    return true;
}

bool counts_have_changed(const struct counts *c, uint32_t v, uint32_t since)
{
    if (c->now == since) return false;
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++)
        if (c->set_moved[c->at.sets[i] >> 1] > since) return true;
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        if (c->set_moved[c->at.net_sets[i]] > since) return true;
    for (uint32_t s = c->sum_first[v]; s < c->sum_first[v + 1]; s++)
        if (c->sum_moved[s] > since) return true;
    for (uint64_t i = c->term_first[v]; i < c->term_first[v + 1]; i++)
        if (c->sum_moved[c->term_sums[i]] > since) return true;
    return false;
}

/* A reader that gets a partial sum is no pin of what it adds up. */
static bool is_pin(const struct counts *c, uint32_t v, uint64_t i)
{
    return !(c->at.sets[i] & 1 && (c->adds[v] || is_chosen(c, v)));
}

/* The lowest part of a word of a mask, which is taken out. */
static uint32_t take_lowest(uint64_t *bits, size_t word)
{
    uint32_t q = (uint32_t)__builtin_ctzll(*bits) + 64 * (uint32_t)word;
    *bits &= *bits - 1;
    return q;
}

/* What v reads in a set: nothing more is sent to where there are readers already, and less where homes are.
 * Returns what every other part would be sent. */
static int64_t gain_as_reader(const struct counts *c, size_t set, uint32_t a, int64_t *gain, uint64_t *near)
{
    const uint64_t *read_in = c->read_in + set * c->n_words, *made_in = c->made_in + set * c->n_words;
    int64_t total = (int64_t)c->total[set], saved = 0;
    if (c->pins[set * c->p + a] == 1) saved = total - (int64_t)c->homes[set * c->p + a];
    for (size_t w = 0; w < c->n_words; w++) {
        uint64_t readers = read_in[w], others = made_in[w] & ~readers;
        near[w] |= readers | others;
        while (readers) gain[take_lowest(&readers, w)] += total;
        while (others) {
            uint32_t b = take_lowest(&others, w);
            gain[b] += (int64_t)c->homes[set * c->p + b];
        }
    }
    return saved - total;
}

/* Its own values: they are not sent to where they are read and made. */
static int64_t gain_as_home(const struct counts *c, size_t set, uint32_t count, uint32_t a, int64_t *gain,
                            uint64_t *near)
{
    const uint64_t *read_in = c->read_in + set * c->n_words;
    for (size_t w = 0; w < c->n_words; w++) {
        uint64_t readers = read_in[w];
        near[w] |= readers;
        while (readers) gain[take_lowest(&readers, w)] += count;
    }
    return has(read_in, a) ? -(int64_t)count : 0;
}

static int64_t gain_of_own_sum(const struct counts *c, uint32_t s, uint32_t a, int64_t *gain, uint64_t *near)
{
    const uint64_t *added_in = c->added_in + s * c->n_words;
    int64_t versions = c->sums[s].versions;
    for (size_t w = 0; w < c->n_words; w++) {
        uint64_t parts = added_in[w];
        near[w] |= parts;
        while (parts) gain[take_lowest(&parts, w)] += versions;
    }
    return has(added_in, a) ? -versions : 0;
}

/* v is n terms of a sum. */
static int64_t gain_as_term(const struct counts *c, uint32_t s, uint64_t n, uint32_t a, int64_t *gain,
                            uint64_t *near)
{
    const uint64_t *added_in = c->added_in + s * c->n_words;
    uint32_t home = c->part[c->sums[s].vertex];
    int64_t versions = c->sums[s].versions;
    near[home / 64] |= UINT64_C(1) << home % 64;
    for (size_t w = 0; w < c->n_words; w++) near[w] |= added_in[w];
    if (is_chosen(c, c->sums[s].vertex)) return 0;
    for (size_t w = 0; w < c->n_words; w++) {
        uint64_t parts = added_in[w];
        if (home / 64 == w) parts |= UINT64_C(1) << home % 64;
        while (parts) gain[take_lowest(&parts, w)] += versions;
    }
    return (a != home && c->terms[s * c->p + a] == n ? versions : 0) - versions;
}

void counts_gains(const struct counts *c, uint32_t v, int64_t *gain, uint64_t *near)
{
    uint32_t a = c->part[v];
    int64_t anywhere = 0;
    memset(gain, 0, c->p * sizeof *gain);
    memset(near, 0, c->n_words * sizeof *near);
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++) {
        size_t set = c->at.sets[i] >> 1;
        if (is_pin(c, v, i)) {
            anywhere += gain_as_reader(c, set, a, gain, near);
        } else if (c->spread[set] > 1) {
            for (size_t w = 0; w < c->n_words; w++)
                near[w] |= c->read_in[set * c->n_words + w] | c->made_in[set * c->n_words + w];
        }
    }
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        anywhere += gain_as_home(c, c->at.net_sets[i], c->at.net_counts[i], a, gain, near);
    for (uint32_t s = c->sum_first[v]; s < c->sum_first[v + 1]; s++)
        anywhere += gain_of_own_sum(c, s, a, gain, near);
    for (uint64_t i = c->term_first[v], end; i < c->term_first[v + 1]; i = end) {
        uint32_t s = c->term_sums[i];
        for (end = i + 1; end < c->term_first[v + 1] && c->term_sums[end] == s;) end++;
        anywhere += gain_as_term(c, s, end - i, a, gain, near);
    }
    for (size_t b = 0; b < c->p; b++) gain[b] += anywhere;
}

static void move_in_set(struct counts *c, size_t set, uint32_t a, uint32_t b, uint32_t pins,
                        uint32_t versions)
{
    uint64_t *read_in = c->read_in + set * c->n_words, *made_in = c->made_in + set * c->n_words;
    const uint32_t *counts = c->pins + set * c->p;
    if (versions || counts[a] <= pins + 1 || counts[b] <= 1) c->set_moved[set] = c->now;
    c->spread[set] += !has(read_in, b) && !has(made_in, b);
    c->pins[set * c->p + a] -= pins;
    c->pins[set * c->p + b] += pins;
    c->homes[set * c->p + a] -= versions;
    c->homes[set * c->p + b] += versions;
    set_in(read_in, a, c->pins[set * c->p + a]);
    set_in(read_in, b, c->pins[set * c->p + b]);
    set_in(made_in, a, c->homes[set * c->p + a]);
    set_in(made_in, b, c->homes[set * c->p + b]);
    c->spread[set] -= !has(read_in, a) && !has(made_in, a);
}

void counts_move(struct counts *c, uint32_t v, uint32_t b)
{
    uint32_t a = c->part[v];
    c->now++;
    for (uint32_t s = c->sum_first[v]; s < c->sum_first[v + 1]; s++) c->sum_moved[s] = c->now;
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++)
        if (is_pin(c, v, i)) move_in_set(c, c->at.sets[i] >> 1, a, b, 1, 0);
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        move_in_set(c, c->at.net_sets[i], a, b, 0, c->at.net_counts[i]);
    for (uint64_t i = c->term_first[v]; i < c->term_first[v + 1]; i++) {
        uint32_t s = c->term_sums[i];
        c->sums[s].spread += !c->terms[s * c->p + b]++;
        c->sums[s].spread -= !--c->terms[s * c->p + a];
        if (c->terms[s * c->p + a] <= c->sums[s].most || c->terms[s * c->p + b] <= c->sums[s].most + 1)
            c->sum_moved[s] = c->now;
        set_in(c->added_in + s * c->n_words, b, true);
        set_in(c->added_in + s * c->n_words, a, c->terms[s * c->p + a]);
    }
    c->work[a] -= c->values->vertices[v].work;
    c->work[b] += c->values->vertices[v].work;
    c->part[v] = b;
}
