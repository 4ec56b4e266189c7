#include "valueflow/counts.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/once.h"

static const uint64_t most_cells = UINT64_C(1) << 26;

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

/* ---- records ---- */

struct set {
    uint64_t *spread;            /* parts that it has */
    uint64_t *read_in, *made_in; /* masks: parts that have readers, that have homes */
    uint64_t *homes;             /* [p] versions */
    uint32_t *pins;              /* [p] */
};

struct sum {
    uint64_t *spread;
    uint64_t *added_in; /* parts that have terms */
    uint32_t *terms;    /* [p] their labels */
};

static bool is_kept(uint32_t record)
{
    return record < COUNTS_NO_SUM;
}

static struct set set_at(const struct counts *c, uint32_t record)
{
    uint64_t *at = c->sets.record + record * c->sets.size;
    return (struct set){at, at + 1, at + 1 + c->n_words, at + 1 + 2 * c->n_words,
                        (uint32_t *)(at + 1 + 2 * c->n_words + c->p)};
}

static struct sum sum_at(const struct counts *c, uint32_t record)
{
    uint64_t *at = c->sums.record + record * c->sums.size;
    return (struct sum){at, at + 1, (uint32_t *)(at + 1 + c->n_words)};
}

static uint64_t spread_of(const struct counts_records *records, uint32_t record)
{
    return records->record[record * records->size];
}

static uint32_t new_record(struct counts_records *records, uint32_t of)
{
    memset(records->record + records->n * records->size, 0, records->size * sizeof *records->record);
    return records->of[of] = records->n++;
}

/* A reader that gets a partial sum is no pin of what it adds up. Terms of a sum that the region chose are
 * moved as if nobody knew where they go (chosen.h). */
static bool is_counted(const struct counts *c, uint32_t pin)
{
    return !(pin & GRAPH_FOLD && c->adds_or_chosen[pin & ~GRAPH_FOLD]);
}

static void keep_set(struct counts *c, uint32_t s)
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

static void keep_sum(struct counts *c, uint32_t s)
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

static parcast_status make_sets(struct counts *c)
{
    const parcast_values *values = c->values;
    c->sets.of = malloc(((size_t)values->n_sets + 1) * sizeof *c->sets.of);
    c->sets.moved = calloc((size_t)values->n_sets + 1, sizeof *c->sets.moved);
    c->work = calloc(c->p, sizeof *c->work);
    if (!c->sets.of || !c->sets.moved || !c->work ||
        !make_room(&c->sets, values->n_sets, 1 + 2 * c->n_words + c->p + (c->p + 1) / 2))
        return PARCAST_MEMORY;
    c->at = *values->at;
    for (uint32_t s = 0; s < values->n_sets; s++)
        if ((c->sets.of[s] = look_at_set(c, s)) == 0) keep_set(c, s);
    for (uint32_t v = 0; v < values->n_vertices; v++) c->work[c->part[v]] += values->vertices[v].work;
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
        if (c->sums.of[s] == 0) keep_sum(c, s);
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
    if ((uint64_t)values->n_sets * n_parts > most_cells) return PARCAST_OK;
    parcast_status status = find_adding(counts, adds);
    if (!status && settle(counts) > TERMS_MOST) return PARCAST_OK;
    for (uint32_t v = 0; !status && v < values->n_vertices; v++)
        counts->adds_or_chosen[v] = counts->adds[v] || values->vertices[v].is_chosen;
    if (!status) status = make_sums(counts, made);
    if (!status && *made) status = make_sets(counts);
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
    *c = (struct counts){0};
}

/* ---- moving ---- */

static bool set_inside(const struct counts *c, uint32_t s)
{
    uint32_t record = c->sets.of[s];
    return !is_kept(record) || spread_of(&c->sets, record) <= 1;
}

static bool own_inside(const struct counts *c, uint32_t s, uint32_t v)
{
    uint32_t record = c->sums.of[s];
    if (!is_kept(record)) return true;
    struct sum sum = sum_at(c, record);
    return *sum.spread <= 1 && sum.terms[c->part[v]];
}

static bool term_inside(const struct counts *c, uint32_t s, uint32_t v)
{
    uint32_t record = c->sums.of[s];
    if (!is_kept(record)) return true;
    return spread_of(&c->sums, record) <= 1 && c->part[c->values->chains[s].vertex] == c->part[v];
}

bool counts_inside(const struct counts *c, uint32_t v)
{
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++)
        if (!set_inside(c, c->at.sets[i] >> 1)) return false;
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        if (!set_inside(c, c->at.net_sets[i])) return false;
    for (uint32_t s = c->terms->own_first[v]; s < c->terms->own_first[v + 1]; s++)
        if (!own_inside(c, s, v)) return false;
    for (uint64_t i = c->terms->first[v]; i < c->terms->first[v + 1]; i++)
        if (!term_inside(c, c->terms->sums[i], v)) return false;
    return true;
}

bool counts_have_changed(const struct counts *c, uint32_t v, uint32_t since)
{
    if (c->now == since) return false;
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++)
        if (c->sets.moved[c->at.sets[i] >> 1] > since) return true;
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        if (c->sets.moved[c->at.net_sets[i]] > since) return true;
    for (uint32_t s = c->terms->own_first[v]; s < c->terms->own_first[v + 1]; s++)
        if (c->sums.moved[s] > since) return true;
    for (uint64_t i = c->terms->first[v]; i < c->terms->first[v + 1]; i++)
        if (c->sums.moved[c->terms->sums[i]] > since) return true;
    return false;
}

static bool is_pin(const struct counts *c, uint32_t v, uint64_t i)
{
    return !(c->at.sets[i] & 1 && c->adds_or_chosen[v]);
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
static int64_t gain_as_reader(const struct counts *c, uint32_t s, uint32_t a, int64_t *gain, uint64_t *near)
{
    int64_t total = (int64_t)c->at.versions[s], saved = 0;
    if (!is_kept(c->sets.of[s])) return -total;
    struct set set = set_at(c, c->sets.of[s]);
    if (set.pins[a] == 1) saved = total - (int64_t)set.homes[a];
    for (size_t w = 0; w < c->n_words; w++) {
        uint64_t readers = set.read_in[w], others = set.made_in[w] & ~readers;
        near[w] |= readers | others;
        while (readers) gain[take_lowest(&readers, w)] += total;
        while (others) {
            uint32_t b = take_lowest(&others, w);
            gain[b] += (int64_t)set.homes[b];
        }
    }
    return saved - total;
}

/* What v adds up: where that is, it has to do with, too. */
static void look_at_added(const struct counts *c, uint32_t s, uint64_t *near)
{
    if (!is_kept(c->sets.of[s])) return;
    struct set set = set_at(c, c->sets.of[s]);
    for (size_t w = 0; *set.spread > 1 && w < c->n_words; w++) near[w] |= set.read_in[w] | set.made_in[w];
}

/* Its own values: they are not sent to where they are read and made. */
static int64_t gain_as_home(const struct counts *c, uint32_t s, uint32_t count, uint32_t a, int64_t *gain,
                            uint64_t *near)
{
    uint32_t record = c->sets.of[s];
    if (!is_kept(record)) return record == COUNTS_WITHIN ? -(int64_t)count : 0;
    const uint64_t *read_in = set_at(c, record).read_in;
    for (size_t w = 0; w < c->n_words; w++) {
        uint64_t readers = read_in[w];
        near[w] |= readers;
        while (readers) gain[take_lowest(&readers, w)] += count;
    }
    return has(read_in, a) ? -(int64_t)count : 0;
}

static int64_t gain_of_own_sum(const struct counts *c, uint32_t s, uint32_t a, int64_t *gain, uint64_t *near)
{
    uint32_t record = c->sums.of[s];
    int64_t versions = c->values->chains[s].count;
    if (!is_kept(record)) return record == COUNTS_WITHIN ? -versions : 0;
    const uint64_t *added_in = sum_at(c, record).added_in;
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
    uint32_t record = c->sums.of[s];
    if (record == COUNTS_NO_SUM) return 0;
    uint32_t vertex = c->values->chains[s].vertex, home = c->part[vertex];
    int64_t versions = c->values->chains[s].count;
    bool is_chosen = c->values->has_chosen && c->values->vertices[vertex].is_chosen;
    if (!is_kept(record)) return record == COUNTS_WITHIN && !is_chosen ? -versions : 0;
    struct sum sum = sum_at(c, record);
    near[home / 64] |= UINT64_C(1) << home % 64;
    for (size_t w = 0; w < c->n_words; w++) near[w] |= sum.added_in[w];
    if (is_chosen) return 0;
    for (size_t w = 0; w < c->n_words; w++) {
        uint64_t parts = sum.added_in[w];
        if (home / 64 == w) parts |= UINT64_C(1) << home % 64;
        while (parts) gain[take_lowest(&parts, w)] += versions;
    }
    return (a != home && sum.terms[a] == n ? versions : 0) - versions;
}

void counts_gains(const struct counts *c, uint32_t v, int64_t *gain, uint64_t *near)
{
    uint32_t a = c->part[v];
    int64_t anywhere = 0;
    memset(gain, 0, c->p * sizeof *gain);
    memset(near, 0, c->n_words * sizeof *near);
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++) {
        if (is_pin(c, v, i))
            anywhere += gain_as_reader(c, c->at.sets[i] >> 1, a, gain, near);
        else
            look_at_added(c, c->at.sets[i] >> 1, near);
    }
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        anywhere += gain_as_home(c, c->at.net_sets[i], c->at.net_counts[i], a, gain, near);
    for (uint32_t s = c->terms->own_first[v]; s < c->terms->own_first[v + 1]; s++)
        anywhere += gain_of_own_sum(c, s, a, gain, near);
    for (uint64_t i = c->terms->first[v], last = c->terms->first[v + 1], end; i < last; i = end) {
        uint32_t s = c->terms->sums[i];
        for (end = i + 1; end < last && c->terms->sums[end] == s;) end++;
        anywhere += gain_as_term(c, s, end - i, a, gain, near);
    }
    for (size_t b = 0; b < c->p; b++) gain[b] += anywhere;
}

static void move_in_set(struct counts *c, uint32_t s, uint32_t a, uint32_t b, uint32_t pins,
                        uint32_t versions)
{
    if (!is_kept(c->sets.of[s])) keep_set(c, s);
    struct set set = set_at(c, c->sets.of[s]);
    if (versions || set.pins[a] <= pins + 1 || set.pins[b] <= 1) c->sets.moved[s] = c->now;
    *set.spread += !has(set.read_in, b) && !has(set.made_in, b);
    set.pins[a] -= pins;
    set.pins[b] += pins;
    set.homes[a] -= versions;
    set.homes[b] += versions;
    set_in(set.read_in, a, set.pins[a]);
    set_in(set.read_in, b, set.pins[b]);
    set_in(set.made_in, a, set.homes[a]);
    set_in(set.made_in, b, set.homes[b]);
    *set.spread -= !has(set.read_in, a) && !has(set.made_in, a);
}

static void move_own_sum(struct counts *c, uint32_t s)
{
    if (c->sums.of[s] == COUNTS_WITHIN) keep_sum(c, s);
    if (is_kept(c->sums.of[s])) c->sums.moved[s] = c->now;
}

static void move_term(struct counts *c, uint32_t s, uint32_t a, uint32_t b)
{
    if (c->sums.of[s] == COUNTS_NO_SUM) return;
    if (!is_kept(c->sums.of[s])) keep_sum(c, s);
    struct sum sum = sum_at(c, c->sums.of[s]);
    *sum.spread += !sum.terms[b]++;
    *sum.spread -= !--sum.terms[a];
    if (sum.terms[a] <= c->terms->most[s] || sum.terms[b] <= c->terms->most[s] + 1) c->sums.moved[s] = c->now;
    set_in(sum.added_in, b, true);
    set_in(sum.added_in, a, sum.terms[a]);
}

void counts_move(struct counts *c, uint32_t v, uint32_t b)
{
    uint32_t a = c->part[v];
    c->now++;
    for (uint32_t s = c->terms->own_first[v]; s < c->terms->own_first[v + 1]; s++) move_own_sum(c, s);
    for (uint64_t i = c->at.set_first[v]; i < c->at.set_first[v + 1]; i++)
        if (is_pin(c, v, i)) move_in_set(c, c->at.sets[i] >> 1, a, b, 1, 0);
    for (uint64_t i = c->at.net_first[v]; i < c->at.net_first[v + 1]; i++)
        move_in_set(c, c->at.net_sets[i], a, b, 0, c->at.net_counts[i]);
    for (uint64_t i = c->terms->first[v]; i < c->terms->first[v + 1]; i++)
        move_term(c, c->terms->sums[i], a, b);
    c->work[a] -= c->values->vertices[v].work;
    c->work[b] += c->values->vertices[v].work;
    c->part[v] = b;
}
