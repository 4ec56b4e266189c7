/* Terms of sums that were values of workspaces are terms of what these are computed from. */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/graph.h"
#include "valueflow/graph/through.h"
#include "valueflow/load/room.h"

struct term {
    uint32_t op, n, labels[GRAPH_TERM_LABELS];
};

/* Of a chain, the last one first. */
struct terms {
    struct term *terms;
    size_t n, capacity;
};

struct rewriting {
    struct through *t;
    struct terms own, other;
    uint32_t *first, *next; /* of a vertex, of a chain net: the chain nets of the vertex, + 1 */
    size_t chain_capacity, step_capacity;
};

static bool add_label(struct term *term, uint32_t label, uint32_t most)
{
    for (uint32_t i = 0; i < term->n; i++)
        if (term->labels[i] == label) return true;
    if (term->n == most) return false;
    term->labels[term->n++] = label;
    return true;
}

/* How many labels a term may have that these steps make. */
static uint32_t most_labels(const struct through *t, const uint32_t *steps, uint32_t n)
{
    uint32_t most = VF_FEW;
    for (uint32_t j = 0; j < n; j++) {
        const struct through_value *value = through_find(t, t->u->file->homes[steps[j]]);
        if (value && value->most > most) most = value->most;
    }
    return most < GRAPH_TERM_LABELS ? most : GRAPH_TERM_LABELS;
}

/* What stands at these steps; false where that is too much for a term. */
static bool make_term(const struct through *t, const uint32_t *steps, uint32_t n, struct term *term)
{
    const struct values_file *file = t->u->file;
    uint32_t most = most_labels(t, steps, n);
    bool fine = true;
    term->n = 0;
    for (uint32_t j = 0; j < n && fine; j++) {
        uint32_t home = file->homes[steps[j]];
        const struct through_value *value = through_find(t, home);
        if (!value) fine = add_label(term, home, most);
        for (uint32_t i = 0; value && i < value->n && fine; i++)
            fine = add_label(term, value->sources[i], most);
    }
    return fine;
}

static bool has_any(const struct through *t, const uint32_t *steps, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++)
        if (through_find(t, t->u->file->homes[steps[j]])) return true;
    return false;
}

static bool go_on(const struct through *t, uint32_t *steps, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++)
        if (!(steps[j] = t->u->file->step_parents[steps[j]])) return false;
    return true;
}

static bool begin_segment(const struct vf_dump_chain *segment, uint32_t *steps)
{
    uint32_t n = segment->op_and_labels & 0xff;
    for (uint32_t j = 0; j < n; j++)
        if (!(steps[j] = segment->streams[j])) return false;
    return n > 0;
}

static void keep_long(const struct through *t, const struct vf_dump_chain *segment)
{
    uint32_t steps[GRAPH_TERM_LABELS], n = segment->op_and_labels & 0xff;
    struct term term;
    for (bool more = begin_segment(segment, steps); more; more = go_on(t, steps, n)) {
        if (!has_any(t, steps, n) || make_term(t, steps, n, &term)) continue;
        for (uint32_t j = 0; j < n; j++) {
            struct through_value *value = through_find(t, t->u->file->homes[steps[j]]);
            if (value) value->stays = true;
        }
    }
}

void through_keep_terms(struct through *t)
{
    const struct values_file *file = t->u->file;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        struct through_value *value = through_find(t, file->chain_nets[i].vertex);
        if (value) value->stays = true;
    }
    for (uint64_t i = 1; i < file->header.n_chains; i++) keep_long(t, &file->chains[i]);
}

static bool needs_rewriting(const struct through *t, uint32_t chain)
{
    const struct values_file *file = t->u->file;
    uint32_t steps[GRAPH_TERM_LABELS];
    for (; chain; chain = file->chains[chain].before) {
        uint32_t n = file->chains[chain].op_and_labels & 0xff;
        for (bool more = begin_segment(&file->chains[chain], steps); more; more = go_on(t, steps, n))
            if (has_any(t, steps, n)) return true;
    }
    return false;
}

static bool list_terms(const struct through *t, uint32_t chain, struct terms *list)
{
    const struct values_file *file = t->u->file;
    uint32_t steps[GRAPH_TERM_LABELS];
    list->n = 0;
    for (; chain; chain = file->chains[chain].before) {
        uint32_t n = file->chains[chain].op_and_labels & 0xff;
        for (bool more = begin_segment(&file->chains[chain], steps); more; more = go_on(t, steps, n)) {
            if (!load_room((void **)&list->terms, list->n + 1, &list->capacity, sizeof *list->terms))
                return false;
            struct term *term = &list->terms[list->n++];
            term->op = file->chains[chain].op_and_labels >> 8;
            if (has_any(t, steps, n)) {
                make_term(t, steps, n, term);
                continue;
            }
            term->n = n;
            for (uint32_t j = 0; j < n; j++) term->labels[j] = file->homes[steps[j]];
        }
    }
    return true;
}

static bool append_step(struct rewriting *r, uint32_t home, uint32_t *last)
{
    struct values_file *file = r->t->u->file;
    size_t n = file->header.n_steps, both = r->step_capacity;
    if (n >= UINT32_MAX ||
        !load_room((void **)&file->step_parents, n + 1, &both, sizeof *file->step_parents) ||
        !load_room((void **)&file->own_homes, n + 1, &r->step_capacity, sizeof *file->own_homes))
        return false;
    file->homes = file->own_homes;
    file->step_parents[n] = *last;
    file->homes[n] = home;
    *last = (uint32_t)n;
    file->header.n_steps++;
    return true;
}

static bool append_segment(struct rewriting *r, const struct vf_dump_chain *segment)
{
    struct values_file *file = r->t->u->file;
    size_t n = file->header.n_chains;
    if (n >= UINT32_MAX ||
        !load_room((void **)&file->own_chains, n + 1, &r->chain_capacity, sizeof *file->own_chains))
        return false;
    file->chains = file->own_chains;
    file->own_chains[n] = *segment;
    file->header.n_chains++;
    return true;
}

/* Terms of as many labels that follow each other are a segment. */
static bool append_terms(struct rewriting *r, uint32_t *chain)
{
    const struct term *last = NULL;
    struct vf_dump_chain segment = {0};
    *chain = 0;
    for (size_t i = r->own.n; i-- > 0;) {
        const struct term *term = &r->own.terms[i];
        if (last && (last->n != term->n || last->op != term->op)) {
            if (!append_segment(r, &segment)) return false;
            *chain = (uint32_t)r->t->u->file->header.n_chains - 1;
            segment = (struct vf_dump_chain){.before = *chain};
        }
        segment.op_and_labels = term->op << 8 | term->n;
        for (uint32_t j = 0; j < term->n; j++)
            if (!append_step(r, term->labels[j], &segment.streams[j])) return false;
        last = term;
    }
    if (last && !append_segment(r, &segment)) return false;
    if (last) *chain = (uint32_t)r->t->u->file->header.n_chains - 1;
    return true;
}

/* ---- chains that have become alike ---- */

static bool has_labels(const struct term *a, const struct term *b)
{
    for (uint32_t i = 0; i < a->n; i++) {
        bool found = false;
        for (uint32_t j = 0; j < b->n; j++) found = found || a->labels[i] == b->labels[j];
        if (!found) return false;
    }
    return true;
}

static bool are_alike(const struct terms *a, const struct terms *b)
{
    bool alike = a->n == b->n;
    for (size_t i = 0; i < a->n && alike; i++) {
        const struct term *x = &a->terms[i], *y = &b->terms[i];
        alike = x->op == y->op && has_labels(x, y) && has_labels(y, x);
    }
    return alike;
}

static bool list_nets(struct rewriting *r)
{
    const struct values_file *file = r->t->u->file;
    r->first = calloc(file->header.n_vertices + 1, sizeof *r->first);
    r->next = calloc(file->header.n_chain_nets + 1, sizeof *r->next);
    if (!r->first || !r->next) return false;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        uint32_t *first = &r->first[file->chain_nets[i].vertex];
        r->next[i] = *first;
        *first = (uint32_t)i + 1;
    }
    return true;
}

/* Its versions are those of another one with the terms at hand; no version is left where there is one. */
static bool give_to_alike(struct rewriting *r, struct vf_dump_net *net)
{
    struct values_file *file = r->t->u->file;
    for (uint32_t i = r->first[net->vertex]; i; i = r->next[i - 1]) {
        struct vf_dump_net *other = &file->chain_nets[i - 1];
        if (other == net || !other->count || other->count > UINT32_MAX - net->count) continue;
        if (!list_terms(r->t, other->what, &r->other)) return false;
        if (!are_alike(&r->own, &r->other)) continue;
        other->count += net->count;
        net->count = 0;
        return true;
    }
    return true;
}

static bool rewrite(struct rewriting *r, struct vf_dump_net *net)
{
    if (!needs_rewriting(r->t, net->what)) return true;
    if (!list_terms(r->t, net->what, &r->own) || !give_to_alike(r, net)) return false;
    return !net->count || append_terms(r, &net->what);
}

static void drop_empty(struct values_file *file)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++)
        if (file->chain_nets[i].count) file->chain_nets[kept++] = file->chain_nets[i];
    file->header.n_chain_nets = kept;
}

/* Tables that may grow, in the place of those of an earlier time. */
static bool begin(struct rewriting *r)
{
    struct values_file *file = r->t->u->file;
    r->chain_capacity = file->header.n_chains + 1;
    r->step_capacity = file->header.n_steps + 1;
    struct vf_dump_chain *chains = malloc(r->chain_capacity * sizeof *chains);
    uint32_t *homes = malloc(r->step_capacity * sizeof *homes),
             *parents = realloc(file->step_parents, r->step_capacity * sizeof *parents);
    if (parents) file->step_parents = parents;
    if (!chains || !homes || !parents) {
        free(chains);
        free(homes);
        return false;
    }
    memcpy(chains, file->chains, file->header.n_chains * sizeof *chains);
    memcpy(homes, file->homes, file->header.n_steps * sizeof *homes);
    free(file->own_chains);
    free(file->own_homes);
    file->chains = file->own_chains = chains;
    file->homes = file->own_homes = homes;
    return true;
}

parcast_status through_rewrite_chains(struct through *t)
{
    struct values_file *file = t->u->file;
    struct rewriting r = {.t = t};
    if (!file->header.n_chains) return PARCAST_OK;
    bool fine = begin(&r) && list_nets(&r);
    for (uint64_t i = 0; i < file->header.n_chain_nets && fine; i++) fine = rewrite(&r, &file->chain_nets[i]);
    drop_empty(file);
    free(r.own.terms);
    free(r.other.terms);
    free(r.first);
    free(r.next);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
