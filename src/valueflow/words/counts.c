#include "valueflow/words/counts.h"

#include "valueflow/words/counts_record.h"

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
    if (!is_kept(c->sets.of[s])) counts_keep_set(c, s);
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
    if (c->sums.of[s] == COUNTS_WITHIN) counts_keep_sum(c, s);
    if (is_kept(c->sums.of[s])) c->sums.moved[s] = c->now;
}

static void move_term(struct counts *c, uint32_t s, uint32_t a, uint32_t b)
{
    if (c->sums.of[s] == COUNTS_NO_SUM) return;
    if (!is_kept(c->sums.of[s])) counts_keep_sum(c, s);
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
    c->work[a] -= c->carried[v];
    c->work[b] += c->carried[v];
    c->part[v] = b;
}

uint32_t counts_fullest(const struct counts *c, double limit)
{
    uint32_t full = (uint32_t)c->p;
    double most = limit;
    for (uint32_t q = 0; q < c->p; q++) {
        if (c->work[q] <= most) continue;
        most = c->work[q];
        full = q;
    }
    return full;
}
