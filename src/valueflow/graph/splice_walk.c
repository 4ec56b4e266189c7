/*
 * Sums whose versions have other terms each, as what a block of points adds up for each cluster: their
 * versions go one by one into those of the sum that they are added to, in the order in which both came up.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/splice.h"
#include "valueflow/load/room.h"

/* Terms of all versions that one sum may get; it stays a sum of sums where it would be more. */
static const double most_terms = 1 << 24;

static bool is_walked(const struct splice *s, uint32_t v)
{
    return is_one(s->target[v]) && s->key[v] == SEVERAL;
}

/* ---- which versions fit ---- */

/* How often a sum is added to another one, with all versions of that, and which more than once to one. */
struct added {
    uint64_t *times; /* [n_vertices] */
    uint32_t *seen;  /* [n_vertices] the chain net that it was last seen in, + 1 */
};

static void look_at_segment(struct splice *s, const struct vf_dump_chain *segment, uint32_t sum, uint32_t net,
                            struct added *added)
{
    const struct values_file *file = s->u->file;
    if ((segment->op_and_labels & 0xff) != 1) return;
    for (uint32_t step = segment->streams[0]; step; step = file->step_parents[step]) {
        uint32_t home = unite_root(s->u, file->homes[step]);
        if (s->target[home] != sum) continue;
        added->times[home] += file->chain_nets[net].count;
        s->is_repeated[home] = s->is_repeated[home] || added->seen[home] == net + 1;
        added->seen[home] = net + 1;
    }
}

static void count_added(struct splice *s, struct added *added)
{
    const struct values_file *file = s->u->file;
    for (uint32_t i = 0; i < file->header.n_chain_nets; i++) {
        uint32_t sum = unite_root(s->u, file->chain_nets[i].vertex);
        for (uint32_t k = file->chain_nets[i].what; k; k = file->chains[k].before)
            look_at_segment(s, &file->chains[k], sum, i, added);
    }
}

/* Does every sum between it and the last one have as many versions as are added? Returns the last one, or
 * SEVERAL. */
static uint32_t last_sum(const struct splice *s, uint32_t v, const struct added *added)
{
    for (; is_one(s->target[v]); v = s->target[v])
        if (added->times[v] != s->n_sum[v]) return SEVERAL;
    return v;
}

/* What the versions of a sum would become. */
struct walk {
    uint32_t first; /* sum that is walked; 0: none */
    bool alike;     /* all have as many versions of each kind as the first one */
    double tiles, kinds;
};

static void note_walk(const struct splice *s, uint32_t v, struct walk *walk)
{
    if (!walk->first) *walk = (struct walk){.first = v, .alike = true};
    walk->alike =
        walk->alike && !s->is_repeated[v] && versions_alike(s->u->file, &s->versions, walk->first, v);
    walk->tiles++;
    walk->kinds += s->is_repeated[v] ? (double)s->n_sum[v] : versions_count(&s->versions, v);
}

static bool is_too_much(const struct splice *s, uint32_t sum, const struct walk *walk)
{
    double kinds = versions_count(&s->versions, sum);
    kinds += walk->alike ? versions_count(&s->versions, walk->first) : walk->kinds;
    if (kinds > (double)s->n_sum[sum]) kinds = (double)s->n_sum[sum];
    return kinds * walk->tiles > most_terms;
}

static void choose(struct splice *s, const struct added *added, uint32_t *last, struct walk *walks)
{
    uint32_t n = (uint32_t)s->u->file->header.n_vertices;
    for (uint32_t v = 1; v < n; v++)
        if (is_walked(s, v) && added->times[v] != s->n_sum[v]) s->target[v] = SEVERAL;
    for (uint32_t v = 1; v < n; v++) last[v] = is_walked(s, v) ? last_sum(s, v, added) : NOBODY;
    for (uint32_t v = 1; v < n; v++)
        if (is_one(last[v])) note_walk(s, v, &walks[last[v]]);
    for (uint32_t v = 1; v < n; v++) {
        if (last[v] == NOBODY) continue;
        bool stays = last[v] == SEVERAL || is_too_much(s, last[v], &walks[last[v]]);
        if (stays)
            s->target[v] = SEVERAL;
        else
            s->is_walk[last[v]] = true;
    }
}

bool splice_find_walks(struct splice *s)
{
    size_t n = (size_t)s->u->file->header.n_vertices + 1;
    struct added added = {calloc(n, sizeof *added.times), calloc(n, sizeof *added.seen)};
    uint32_t *last = calloc(n, sizeof *last);
    struct walk *walks = calloc(n, sizeof *walks);
    bool any = false, fine = added.times && added.seen && last && walks;
    for (size_t v = 1; v + 1 < n; v++) any = any || is_walked(s, (uint32_t)v);
    if (fine && any) count_added(s, &added);
    if (fine && any) choose(s, &added, last, walks);
    free(added.times);
    free(added.seen);
    free(last);
    free(walks);
    return fine;
}

/* ---- walking ---- */

static void advance(struct splice *s, uint32_t tile, uint32_t n)
{
    s->used[tile] += n;
    if (s->used[tile] < splice_net(s, tile, s->kind[tile])->count) return;
    s->used[tile] = 0;
    if (s->kind[tile] + 1 < versions_count(&s->versions, tile)) s->kind[tile]++;
}

bool splice_visit(struct splice *s, uint32_t tile, uint32_t *chain)
{
    const struct vf_dump_net *net = splice_net(s, tile, s->kind[tile]);
    uint32_t left = s->is_repeated[tile] ? 1 : net->count - s->used[tile];
    *chain = net->what;
    if (left < s->run) s->run = left;
    if (s->is_repeated[tile]) {
        advance(s, tile, 1);
        return true;
    }
    if (!load_room((void **)&s->visited, s->n_visited + 1, &s->visited_capacity, sizeof *s->visited))
        return false;
    s->visited[s->n_visited++] = tile;
    return true;
}

/* As many versions of a sum as have the same terms in all that is added to it. */
uint32_t splice_walk(struct splice *s, uint32_t chain, uint32_t sum, uint32_t most, uint32_t *n)
{
    s->run = most;
    s->n_visited = 0;
    uint32_t last = splice_join(s, chain, sum);
    for (size_t i = 0; i < s->n_visited; i++) advance(s, s->visited[i], s->run);
    *n = s->run;
    return last;
}
