/*
 * A part may evaluate a term of a reduction only if it owns everything that the term reads. Whether any part
 * can is first asked of whole sequences, by the parts that occur in them: a matrix product, whose n^3 terms
 * nobody wants to visit, is answered by 2 n^2 homes. What a part receives for other readers anyway, like a
 * mean that all its words are compared with, is as good as its own; so is what it receives most versions of,
 * if the others are sent to it.
 */
#include "valueflow/words/fold_search.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/incidence.h"

enum { FEW_MIXED = 4 }; /* one term of so many may lie in several parts */

/* A sum over all points is everywhere soon: nothing is added to all of up to 64 parts. */
static void mark_owners(struct fold_search *s)
{
    const parcast_values *values = s->values;
    uint64_t all = s->n_parts < 64 ? (UINT64_C(1) << s->n_parts) - 1 : UINT64_MAX;
    for (uint32_t i = 0; i < values->n_streams; i++) {
        uint64_t *parts = s->owners + i * s->n_words;
        for (uint64_t j = values->stream_first[i]; j < values->stream_first[i + 1]; j++) {
            uint32_t q = s->part[values->stream_homes[j]];
            parts[q / 64] |= UINT64_C(1) << q % 64;
            if (s->n_words == 1 && *parts == all) break;
        }
    }
}

static void add_received(struct fold_search *s)
{
    const parcast_values *values = s->values;
    memcpy(s->stream_parts, s->owners, values->n_streams * s->n_words * sizeof *s->owners);
    for (uint32_t i = 0; i < values->n_streams; i++)
        for (uint64_t j = values->stream_first[i]; j < values->stream_first[i + 1]; j++) {
            size_t spread = s->spread[values->stream_homes[j]];
            for (size_t w = 0; spread && w < s->n_words; w++)
                s->stream_parts[i * s->n_words + w] |= s->received[spread * s->n_words + w];
        }
}

/* What is received tells by what sums read where, and is added to where streams are themselves: without it
 * there is one table. */
static bool mark_streams(struct fold_search *s, struct folds *folds)
{
    size_t n = s->values->n_streams * s->n_words + 1;
    s->owners = calloc(n, sizeof *s->owners);
    if (!s->owners) return false;
    mark_owners(s);
    if (!fold_find_received(s, folds)) return false;
    s->stream_parts = s->n_spread ? malloc(n * sizeof *s->owners) : s->owners;
    if (!s->stream_parts) return false;
    if (s->n_spread) add_received(s);
    return true;
}

/* Is there another part in all the sequences of a segment? */
static bool may_fold(struct fold_search *s, const struct graph_segment *segment, uint32_t owner)
{
    bool any = false;
    for (size_t w = 0; w < s->n_words; w++) {
        uint64_t bits = UINT64_MAX;
        for (uint32_t j = 0; j < segment->labels; j++)
            bits &= s->stream_parts[segment->streams[j] * s->n_words + w];
        if (owner / 64 == w) bits &= ~(UINT64_C(1) << owner % 64);
        any = any || bits;
    }
    return any && segment->labels;
}

/* The part that has all labels of a term; GRAPH_NONE. One that has them as its own goes before others. */
static uint32_t part_of_term(const struct fold_search *s, const struct graph_segment *segment, uint32_t term)
{
    for (uint32_t own = 0; own < segment->labels; own++) {
        uint32_t q = s->part[home_of(s->values, segment, own, term)];
        bool all = true;
        for (uint32_t j = 0; all && j < segment->labels; j++)
            all = is_at(s, home_of(s->values, segment, j, term), q);
        if (all) return q;
    }
    return GRAPH_NONE;
}

static bool note_place(struct fold_search *s, const struct graph_segment *segment, uint32_t term,
                       uint32_t owner, uint32_t q)
{
    bool fine = true;
    for (uint32_t j = 0; fine && j < segment->labels; j++)
        fine = fold_note_elsewhere(s, home_of(s->values, segment, j, term), owner, q);
    return fine;
}

/* What the part at hand has of a term because it receives it. */
static bool note_used(struct fold_search *s, const struct graph_segment *segment, uint32_t term, uint32_t q)
{
    for (uint32_t j = 0; j < segment->labels; j++) {
        uint32_t home = home_of(s->values, segment, j, term);
        if (s->part[home] == q || !s->spread[home]) continue;
        uint64_t at = (uint64_t)s->spread[home] * s->n_words + q / 64, bit = UINT64_C(1) << q % 64;
        if (s->spread[home] <= s->n_shared)
            s->used[at] |= bit;
        else if (s->lacking[at] & bit && !fold_note_lacking(s, home, q))
            return false;
    }
    return true;
}

static bool look_at_terms(struct fold_search *s, const struct graph_segment *segment, uint32_t owner,
                          uint32_t count)
{
    for (uint32_t i = 0; i < segment->n_terms; i++) {
        uint32_t q = part_of_term(s, segment, i);
        if (s->n_spread && !note_place(s, segment, i, owner, q)) return false;
        if (q != GRAPH_NONE) {
            if (s->used && !note_used(s, segment, i, q)) return false;
            s->pure[q] = true;
            s->terms[q] += count;
            s->n_pure++;
            continue;
        }
        s->n_mixed++;
        for (uint32_t j = 0; j < segment->labels; j++)
            s->mixed[s->part[home_of(s->values, segment, j, i)]] = true;
    }
    return true;
}

/* Versions that no other part can add up take the values themselves. */
static void note_taken(struct fold_search *s, uint32_t key)
{
    for (; key; key = s->values->segments[key].before)
        for (uint32_t j = 0; j < s->values->segments[key].labels; j++)
            for (size_t w = 0; w < s->n_words; w++)
                s->taken[w] |= s->owners[s->values->segments[key].streams[j] * s->n_words + w];
}

static bool any_may_fold(struct fold_search *s, const struct graph_chain *chain)
{
    for (uint32_t key = chain->key; key; key = s->values->segments[key].before)
        if (may_fold(s, &s->values->segments[key], s->part[chain->vertex])) return true;
    return false;
}

static bool look_at_chain(struct fold_search *s, const struct graph_chain *chain)
{
    uint32_t owner = s->part[chain->vertex];
    s->n_sums += chain->count;
    for (uint32_t key = chain->key; key; key = s->values->segments[key].before)
        s->n_terms += (uint64_t)chain->count * s->values->segments[key].n_terms;
    if (!any_may_fold(s, chain)) {
        note_taken(s, chain->key);
        return true;
    }
    s->looked = true;
    memset(s->pure, 0, s->n_parts * sizeof *s->pure);
    for (uint32_t key = chain->key; key; key = s->values->segments[key].before)
        if (s->values->segments[key].labels &&
            !look_at_terms(s, &s->values->segments[key], owner, chain->count))
            return false;
    for (size_t q = 0; q < s->n_parts; q++)
        if (s->pure[q] && q != owner) s->cost[q] += chain->count;
    return true;
}

/* Versions that are no sums: their work moves nowhere. */
static uint64_t count_others(const struct fold_search *s, uint32_t vertex)
{
    const struct incidence *at = s->values->at;
    uint64_t versions = 0;
    for (uint64_t i = at->net_first[vertex]; i < at->net_first[vertex + 1]; i++)
        versions += at->net_counts[i];
    return versions > s->n_sums ? versions - s->n_sums : 0;
}

static void forget_vertex(struct fold_search *s)
{
    s->n_terms = s->n_sums = s->n_pure = s->n_mixed = 0;
    memset(s->taken, 0, s->n_words * sizeof *s->taken);
    if (!s->looked) return;
    memset(s->cost, 0, s->n_parts * sizeof *s->cost);
    memset(s->terms, 0, s->n_parts * sizeof *s->terms);
    memset(s->mixed, 0, s->n_parts * sizeof *s->mixed);
    s->looked = false;
}

/* Terms of pairs across a border, of all pairs: each is evaluated in one of its parts. */
static bool has_few_mixed(const struct fold_search *s)
{
    return s->n_mixed && FEW_MIXED * s->n_mixed <= s->n_pure;
}

static bool share_segment(struct fold_search *s, const struct graph_segment *segment,
                          const struct graph_chain *chain)
{
    for (uint32_t i = 0; segment->labels && i < segment->n_terms; i++) {
        uint32_t q = part_of_term(s, segment, i);
        if (q == GRAPH_NONE) {
            q = fold_part_of_mixed(s, segment, i, chain->vertex);
            s->across.terms[q] += chain->count;
            if (!fold_note_mixed(s, segment, i, chain->vertex, q)) return false;
        }
        s->pure[q] = true;
    }
    return true;
}

/* Terms that lie in several parts are evaluated each in one of them, or all by the sum's own one, to which
 * the rest is sent: whichever is fewer words. */
static bool share_mixed(struct fold_search *s, const struct graph_chain *chains, size_t n,
                        struct folds *folds)
{
    fold_begin_mixed(s);
    for (size_t c = 0; c < n; c++) {
        if (!any_may_fold(s, &chains[c])) continue;
        memset(s->pure, 0, s->n_parts * sizeof *s->pure);
        for (uint32_t key = chains[c].key; key; key = s->values->segments[key].before)
            if (!share_segment(s, &s->values->segments[key], &chains[c])) return false;
        for (size_t q = 0; q < s->n_parts; q++)
            if (s->pure[q] && q != s->part[chains[c].vertex]) s->across.cost[q] += chains[c].count;
    }
    return fold_settle_mixed(s, chains->vertex, folds);
}

static bool add_fold(struct folds *folds, struct fold fold)
{
    if (folds->n == folds->capacity) {
        size_t wanted = folds->capacity ? 2 * folds->capacity : 256;
        struct fold *more = realloc(folds->fold, wanted * sizeof *more);
        if (!more) return false;
        folds->fold = more;
        folds->capacity = wanted;
    }
    fold.group = (uint32_t)folds->n;
    folds->fold[folds->n++] = fold;
    return true;
}

/* `n` chains of the vertex. */
static parcast_status keep_vertex(struct fold_search *s, const struct graph_chain *chains, size_t n,
                                  struct folds *folds)
{
    bool few = has_few_mixed(s);
    if (s->looked) s->n_terms += count_others(s, chains->vertex);
    if (s->looked && few && !share_mixed(s, chains, n, folds)) return PARCAST_MEMORY;
    if (!fold_keep_lacking(s, chains->vertex, folds) || !fold_keep_elsewhere(s, folds)) return PARCAST_MEMORY;
    for (size_t q = 0; s->looked && q < s->n_parts; q++) {
        if (!s->cost[q] || (s->mixed[q] && !few) || s->taken[q / 64] >> q % 64 & 1) continue;
        if (!add_fold(folds, (struct fold){.vertex = chains->vertex,
                                           .part = (uint32_t)q,
                                           .cost = s->cost[q],
                                           .work_ratio = (double)s->terms[q] / (double)s->n_terms}))
            return PARCAST_MEMORY;
    }
    forget_vertex(s);
    return PARCAST_OK;
}

/* What a part lacks is sent only to where a term is evaluated with it; for that term's sum only, but for an
 * input that many terms have. */
static parcast_status begin_lacking(struct fold_search *s, const struct folds *folds)
{
    if (!folds->any_lacking) return PARCAST_OK;
    s->lacking = folds->lacking;
    s->used = calloc(((size_t)s->n_spread + 1) * s->n_words, sizeof *s->used);
    return s->used ? PARCAST_OK : PARCAST_MEMORY;
}

static void end_lacking(const struct fold_search *s, struct folds *folds)
{
    size_t n = s->used ? ((size_t)s->n_spread + 1) * s->n_words : 0;
    folds->any_lacking = false;
    for (size_t i = 0; i < n; i++) {
        folds->lacking[i] &= s->used[i];
        folds->any_lacking = folds->any_lacking || folds->lacking[i];
    }
}

static void begin_vertex(struct folds *folds, uint32_t v)
{
    folds->first[v] = (uint32_t)folds->n;
    folds->across_first[v] = folds->across.n;
    folds->elsewhere_first[v] = folds->elsewhere.n;
}

static parcast_status search_chains(struct fold_search *s, struct folds *folds)
{
    const parcast_values *values = s->values;
    uint32_t v = 0;
    for (size_t i = 0; i < values->n_chains;) {
        uint32_t vertex = values->chains[i].vertex;
        for (; v <= vertex; v++) begin_vertex(folds, v);
        size_t first = i;
        for (; i < values->n_chains && values->chains[i].vertex == vertex; i++)
            if (!look_at_chain(s, &values->chains[i])) return PARCAST_MEMORY;
        if (keep_vertex(s, values->chains + first, i - first, folds)) return PARCAST_MEMORY;
    }
    for (; v <= values->n_vertices; v++) begin_vertex(folds, v);
    return PARCAST_OK;
}

parcast_status folds_find(const struct fold_question *question, struct folds *folds)
{
    const parcast_values *values = question->values;
    size_t n_parts = question->n_parts;
    *folds = (struct folds){0};
    if (!values->n_chains || n_parts < 2) return PARCAST_OK;
    struct fold_search s = {.values = values,
                            .part = question->part,
                            .n_parts = n_parts,
                            .n_words = (n_parts + 63) / 64,
                            .takes = question->takes,
                            .at_sums = question->at_sums};
    s.cost = calloc(n_parts, sizeof *s.cost);
    s.terms = calloc(n_parts, sizeof *s.terms);
    s.pure = calloc(n_parts, sizeof *s.pure);
    s.mixed = calloc(n_parts, sizeof *s.mixed);
    s.taken = calloc(s.n_words, sizeof *s.taken);
    folds->first = calloc((size_t)values->n_vertices + 1, sizeof *folds->first);
    folds->across_first = calloc((size_t)values->n_vertices + 1, sizeof *folds->across_first);
    folds->elsewhere_first = calloc((size_t)values->n_vertices + 1, sizeof *folds->elsewhere_first);
    folds->is_across = calloc((size_t)values->n_vertices + 1, sizeof *folds->is_across);
    parcast_status status = PARCAST_MEMORY;
    if (s.cost && s.terms && s.pure && s.mixed && s.taken && folds->first && folds->across_first &&
        folds->elsewhere_first && folds->is_across && mark_streams(&s, folds) && fold_make_mixed(&s))
        status = begin_lacking(&s, folds);
    if (!status) status = search_chains(&s, folds);
    if (!status) end_lacking(&s, folds);
    fold_clear_mixed(&s);
    free(s.elsewhere.at);
    free(s.received);
    free(s.used);
    if (s.stream_parts != s.owners) free(s.stream_parts);
    free(s.owners);
    free(s.cost);
    free(s.terms);
    free(s.pure);
    free(s.mixed);
    free(s.taken);
    if (status) folds_clear(folds);
    return status;
}

parcast_status folds_lend(const struct folds *lender, struct folds *folds)
{
    *folds = *lender;
    folds->is_lent = true;
    folds->capacity = folds->n;
    folds->fold = malloc((folds->n + 1) * sizeof *folds->fold);
    if (!folds->fold) return PARCAST_MEMORY;
    for (size_t i = 0; i < folds->n; i++) {
        const struct fold *one = &lender->fold[i];
        folds->fold[i] = (struct fold){.vertex = one->vertex,
                                       .part = one->part,
                                       .work_ratio = one->work_ratio,
                                       .cost = one->cost,
                                       .group = (uint32_t)i};
    }
    return PARCAST_OK;
}

struct fold *folds_at(const struct folds *folds, uint32_t vertex, uint32_t part)
{
    if (!folds->first) return NULL;
    for (uint32_t i = folds->first[vertex]; i < folds->first[vertex + 1]; i++)
        if (folds->fold[i].part == part) return &folds->fold[i];
    return NULL;
}

uint32_t folds_group(struct folds *folds, uint32_t i)
{
    while (folds->fold[i].group != i) {
        folds->fold[i].group = folds->fold[folds->fold[i].group].group;
        i = folds->fold[i].group;
    }
    return i;
}

void folds_join(struct folds *folds, uint32_t a, uint32_t b)
{
    a = folds_group(folds, a);
    b = folds_group(folds, b);
    if (a < b)
        folds->fold[b].group = a;
    else
        folds->fold[a].group = b;
}

void folds_clear(struct folds *folds)
{
    free(folds->fold);
    if (!folds->is_lent) {
        free(folds->first);
        free(folds->lacking);
        free(folds->own_spread);
        free(folds->across.at);
        free(folds->across_first);
        free(folds->elsewhere.at);
        free(folds->elsewhere_first);
        free(folds->is_across);
    }
    *folds = (struct folds){0};
}
