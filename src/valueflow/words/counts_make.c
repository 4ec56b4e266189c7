#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/once.h"
#include "valueflow/words/counts_record.h"

/* Of records: numbers of 64 bits that are kept from the beginning, 1 GiB, and for which there is room. */
static const uint64_t most_kept = UINT64_C(1) << 27, most_room = UINT64_C(1) << 30;
static const uint64_t most_cells = UINT64_C(1) << 26; /* sums and parts */

/* ---- what is kept ---- */

void counts_keep_set(struct counts *c, uint32_t s)
{
    const parcast_values *values = c->values;
    struct set set = set_at(c, new_record(&c->sets, s));
    for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++) {
        if (!is_counted(c, values->pins[i])) continue;
        uint32_t q = c->part[values->pins[i] & ~GRAPH_FOLD];
        set.pins[q]++;
        set_in(set.read_in, q, true);
    }
    for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
        uint32_t q = c->part[values->nets[i].home];
        set.homes[q] += values->nets[i].count;
        if (values->nets[i].count) set_in(set.made_in, q, true);
    }
    for (size_t w = 0; w < c->n_words; w++)
        *set.spread += (uint32_t)__builtin_popcountll(set.read_in[w] | set.made_in[w]);
}

void counts_keep_sum(struct counts *c, uint32_t s)
{
    const parcast_values *values = c->values;
    struct sum sum = sum_at(c, new_record(&c->sums, s));
    for (uint32_t key = values->chains[s].key; key; key = values->segments[key].before)
        for (uint32_t j = 0; j < values->segments[key].labels; j++) {
            const uint32_t *homes =
                values->stream_homes + values->stream_first[values->segments[key].streams[j]];
            for (uint32_t k = 0; k < values->segments[key].n_terms; k++) sum.terms[c->part[homes[k]]]++;
        }
    for (uint32_t q = 0; q < c->p; q++) {
        if (!sum.terms[q]) continue;
        ++*sum.spread;
        set_in(sum.added_in, q, true);
    }
}

/* ---- which readers get partial sums ---- */

struct looked {
    uint64_t n,
        mixed;    /* labels of a vertex's terms, all of them and those of terms that lie in several parts */
    bool outside; /* some lie in other parts than the vertex */
};

static void look_at_terms(const parcast_values *values, const uint32_t *part, const struct graph_chain *chain,
                          struct looked *looked)
{
    uint32_t own = part[chain->vertex];
    for (uint32_t key = chain->key; key; key = values->segments[key].before) {
        const struct graph_segment *s = &values->segments[key];
        const uint32_t *homes[GRAPH_TERM_LABELS];
        for (uint32_t j = 0; j < s->labels; j++)
            homes[j] = values->stream_homes + values->stream_first[s->streams[j]];
        for (uint32_t i = 0; s->labels && i < s->n_terms; i++) {
            uint32_t first = part[homes[0][i]];
            bool same = true;
            for (uint32_t j = 1; j < s->labels; j++) same = same && part[homes[j][i]] == first;
            looked->mixed += same ? 0 : s->labels;
            looked->outside = looked->outside || !same || first != own;
        }
        looked->n += (uint64_t)s->labels * s->n_terms;
    }
}

/* Those that get none in an exact count, or could not for most of their terms, read values. Returns the terms
 * of the others. Sums of them that are to be kept get number 0. */
static uint64_t settle(struct counts *c)
{
    const parcast_values *values = c->values;
    uint64_t all = 0;
    for (size_t i = 0, first; i < values->n_chains && all <= TERMS_MOST;) {
        uint32_t v = values->chains[i].vertex;
        struct looked looked = {0};
        for (first = i; i < values->n_chains && values->chains[i].vertex == v && looked.n <= TERMS_MOST;
             i++) {
            uint64_t before = looked.n;
            looked.outside = false;
            if (c->adds[v]) look_at_terms(values, c->part, &values->chains[i], &looked);
            c->sums.of[i] = looked.outside || looked.n == before ? 0 : COUNTS_WITHIN;
        }
        for (; i < values->n_chains && values->chains[i].vertex == v; i++) c->sums.of[i] = 0;
        c->adds[v] = c->adds[v] && 2 * looked.mixed <= looked.n;
        if (c->adds[v]) {
            all += looked.n;
            c->n_adding += (uint32_t)(i - first);
        }
        for (; !c->adds[v] && first < i; first++) c->sums.of[first] = COUNTS_NO_SUM;
    }
    return all;
}

/* ---- filling ---- */

/* Does it lie in one part, and is it read there? */
static uint32_t look_at_set(const struct counts *c, uint32_t s)
{
    const parcast_values *values = c->values;
    uint32_t own = GRAPH_NONE;
    for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++) {
        if (!is_counted(c, values->pins[i])) continue;
        uint32_t q = c->part[values->pins[i] & ~GRAPH_FOLD];
        if (own != GRAPH_NONE && q != own) return 0;
        own = q;
    }
    uint32_t found = own == GRAPH_NONE ? COUNTS_UNREAD : COUNTS_WITHIN;
    for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
        uint32_t q = c->part[values->nets[i].home];
        if (own != GRAPH_NONE && q != own) return 0;
        own = q;
    }
    return found;
}

static bool make_room(struct counts_records *records, size_t n, size_t size)
{
    records->size = size;
    records->record = malloc((n * size + 1) * sizeof *records->record); /* what is not kept is not touched */
    return records->record;
}

/* Of sets in several parts there are records. Returns how many. */
static uint64_t look_at_sets(struct counts *c)
{
    uint64_t n = 0;
    for (uint32_t s = 0; s < c->values->n_sets; s++) {
        c->sets.of[s] = look_at_set(c, s);
        n += !c->sets.of[s];
    }
    return n;
}

static parcast_status make_sets(struct counts *c, bool *made)
{
    const parcast_values *values = c->values;
    size_t n = values->n_sets, size = 1 + 2 * c->n_words + c->p + (c->p + 1) / 2;
    *made = false;
    c->sets.of = malloc((n + 1) * sizeof *c->sets.of);
    c->sets.moved = calloc(n + 1, sizeof *c->sets.moved);
    c->work = calloc(c->p, sizeof *c->work);
    if (!c->sets.of || !c->sets.moved || !c->work) return PARCAST_MEMORY;
    if (n * size > most_room || look_at_sets(c) * size > most_kept) return PARCAST_OK;
    if (!make_room(&c->sets, n, size)) return n * size > most_kept ? PARCAST_OK : PARCAST_MEMORY;
    *made = true;
    c->at = *values->at;
    for (uint32_t s = 0; s < values->n_sets; s++)
        if (!c->sets.of[s]) counts_keep_set(c, s);
    return PARCAST_OK;
}

static parcast_status make_sums(struct counts *c, bool *made)
{
    const parcast_values *values = c->values;
    *made = (uint64_t)c->n_adding * c->p <= most_cells;
    if (!*made) return PARCAST_OK;
    bool too_many = false;
    c->terms = once_terms(values, &too_many);
    if (too_many && !terms_make(values, c->adds, &c->own_terms)) c->terms = &c->own_terms;
    if (!c->terms || !make_room(&c->sums, c->n_adding, 1 + c->n_words + (c->p + 1) / 2))
        return PARCAST_MEMORY;
    for (uint32_t s = 0; s < values->n_chains; s++)
        if (c->sums.of[s] == 0) counts_keep_sum(c, s);
    return PARCAST_OK;
}

/* How often each vertex is a label of the sums of one that gets partial sums. */
static double count_labels(const struct counts *c, uint32_t v, double *of_sum)
{
    double all = 0;
    for (uint32_t s = c->terms->own_first[v]; s < c->terms->own_first[v + 1]; s++)
        all += of_sum[s] * (double)c->values->chains[s].count;
    return all;
}

/* As if every sum of who gets partial sums were added up where its terms are: energy over all pairs of
 * particles, say, everywhere. `labels`: [n_chains], 0. */
static void carry_terms(struct counts *c, double *labels)
{
    const parcast_values *values = c->values;
    uint64_t n_terms = c->terms->first[values->n_vertices];
    for (uint64_t i = 0; i < n_terms; i++) labels[c->terms->sums[i]]++;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        double all = c->adds[v] ? count_labels(c, v, labels) : 0, work = values->vertices[v].work;
        if (all <= 0) continue;
        c->carried[v] = 0;
        for (uint32_t s = c->terms->own_first[v]; s < c->terms->own_first[v + 1]; s++)
            labels[s] = work * (double)values->chains[s].count / all;
    }
    for (uint32_t v = 0; v < values->n_vertices; v++)
        for (uint64_t i = c->terms->first[v]; i < c->terms->first[v + 1]; i++)
            if (c->adds[values->chains[c->terms->sums[i]].vertex]) c->carried[v] += labels[c->terms->sums[i]];
}

/* Returns the largest. */
static double add_up_work(struct counts *c)
{
    double largest = 0;
    for (size_t q = 0; q < c->p; q++) c->work[q] = 0;
    for (uint32_t v = 0; v < c->values->n_vertices; v++) c->work[c->part[v]] += c->carried[v];
    for (size_t q = 0; q < c->p; q++)
        if (c->work[q] > largest) largest = c->work[q];
    return largest;
}

static void carry_own(struct counts *c)
{
    for (uint32_t v = 0; v < c->values->n_vertices; v++) c->carried[v] = c->values->vertices[v].work;
}

/* Work is where the vertex is, or where its terms are if that is what makes the distribution even. Where
 * there are very many terms, of products of matrices, to ask takes as long as all else, and sums are much
 * alike. */
static parcast_status share_work(struct counts *c)
{
    static const uint64_t most_terms = UINT64_C(1) << 23;
    static const double clearly = 0.98;
    const parcast_values *values = c->values;
    c->carried = malloc(((size_t)values->n_vertices + 1) * sizeof *c->carried);
    if (!c->carried) return PARCAST_MEMORY;
    carry_own(c);
    double own = add_up_work(c);
    uint64_t n_terms = c->n_adding ? c->terms->first[values->n_vertices] : 0;
    if (!n_terms || n_terms > most_terms) return PARCAST_OK;
    double *labels = calloc(values->n_chains + 1, sizeof *labels);
    if (!labels) return PARCAST_MEMORY;
    carry_terms(c, labels);
    free(labels);
    if (add_up_work(c) <= clearly * own || values->once->shares_work) return PARCAST_OK;
    carry_own(c);
    add_up_work(c);
    return PARCAST_OK;
}

static parcast_status find_adding(struct counts *c, const bool *adds)
{
    const parcast_values *values = c->values;
    size_t n = (size_t)values->n_vertices + 1;
    c->adds = calloc(n, sizeof *c->adds);
    c->adds_or_chosen = malloc(n * sizeof *c->adds_or_chosen);
    c->sums.of = malloc((values->n_chains + 1) * sizeof *c->sums.of);
    c->sums.moved = calloc(values->n_chains + 1, sizeof *c->sums.moved);
    if (!c->adds || !c->adds_or_chosen || !c->sums.of || !c->sums.moved) return PARCAST_MEMORY;
    if (!adds) return graph_find_adding(values, c->part, c->p, c->adds);
    memcpy(c->adds, adds, values->n_vertices * sizeof *adds);
    return PARCAST_OK;
}

parcast_status counts_make(const parcast_values *values, size_t n_parts, uint32_t *part, const bool *adds,
                           struct counts *counts, bool *made)
{
    *counts = (struct counts){.values = values, .p = n_parts, .part = part, .n_words = (n_parts + 63) / 64};
    *made = false;
    parcast_status status = find_adding(counts, adds);
    if (!status && settle(counts) > TERMS_MOST) return PARCAST_OK;
    for (uint32_t v = 0; !status && v < values->n_vertices; v++)
        counts->adds_or_chosen[v] = counts->adds[v] || values->vertices[v].is_chosen;
    if (!status) status = make_sums(counts, made);
    if (!status && *made) status = make_sets(counts, made);
    if (!status && *made) status = share_work(counts);
    return status;
}

void counts_clear(struct counts *c)
{
    free(c->sets.record);
    free(c->sets.of);
    free(c->sets.moved);
    free(c->sums.record);
    free(c->sums.of);
    free(c->sums.moved);
    free(c->adds);
    free(c->adds_or_chosen);
    terms_clear(&c->own_terms);
    free(c->work);
    free(c->carried);
    *c = (struct counts){0};
}
