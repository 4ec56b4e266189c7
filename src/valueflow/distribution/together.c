/*
 * What is computed from several words of another part may be fewer words than these: where populations of a
 * lattice are pushed to the cell beside it, three are sent in place of all that they are computed from. One
 * of them alone would save nothing.
 */
#include "valueflow/distribution/together.h"

#include "valueflow/words/counts_record.h"

enum { MOST_TOGETHER = 32, HUB_DEGREE = 256 };
enum { MANY_SETS = 2048, SAMPLED = 32, FEW_SAVE = 32 }; /* of many sets every so many-th is looked at first */

struct together {
    uint32_t v[MOST_TOGETHER], n;
    uint32_t from, to;
};

static bool can_move(const struct counts *c, const bool *fixed, uint32_t v)
{
    return !(fixed && fixed[v]) && !c->adds[v] && c->at.set_first[v + 1] - c->at.set_first[v] <= HUB_DEGREE;
}

/* A value may be read and added up by one word. */
static bool is_in(const struct together *t, uint32_t v)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->v[i] == v) return true;
    return false;
}

/* All readers of a set in t->from; false where some of them cannot move. */
static bool find_readers(const struct counts *c, uint32_t s, const bool *fixed, struct together *t)
{
    const parcast_values *values = c->values;
    t->n = 0;
    for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++) {
        uint32_t v = values->pins[i] & ~GRAPH_FOLD;
        if (c->part[v] != t->from || is_in(t, v)) continue;
        if (!can_move(c, fixed, v)) return false;
        t->v[t->n++] = v;
    }
    return t->n > 1;
}

/* They go back if nothing is saved. */
static bool move(struct counts *c, const struct together *t, double limit, int64_t *gain, uint64_t *near)
{
    int64_t saved = 0;
    double work = c->work[t->to];
    for (uint32_t i = 0; i < t->n; i++) work += c->carried[t->v[i]];
    if (work > limit) return false;
    for (uint32_t i = 0; i < t->n; i++) {
        counts_gains(c, t->v[i], gain, near);
        saved += gain[t->to];
        counts_move(c, t->v[i], t->to);
    }
    for (uint32_t i = t->n; saved <= 0 && i-- > 0;) counts_move(c, t->v[i], t->from);
    return saved > 0;
}

static bool is_spread(const struct counts *c, uint32_t s)
{
    uint32_t record = c->sets.of[s];
    return is_kept(record) && spread_of(&c->sets, record) > 1 &&
           c->values->set_first[s + 1] - c->values->set_first[s] <= MOST_TOGETHER;
}

static bool move_readers(struct counts *c, uint32_t s, double limit, const bool *fixed, int64_t *gain,
                         uint64_t *near)
{
    struct together t;
    bool moved = false;
    for (t.from = 0; t.from < c->p; t.from++) {
        if (set_at(c, c->sets.of[s]).pins[t.from] < 2 || !find_readers(c, s, fixed, &t)) continue;
        for (t.to = 0; t.to < c->p; t.to++) {
            if (t.to == t.from || !has(set_at(c, c->sets.of[s]).made_in, t.to)) continue;
            if (!move(c, &t, limit, gain, near)) continue;
            moved = true;
            break;
        }
    }
    return moved;
}

/* Every `step`-th value that others read. Returns how many have been looked at. */
static uint32_t move_some(struct counts *c, uint32_t step, double limit, const bool *fixed, int64_t *gain,
                          uint64_t *near, uint32_t *n_moved)
{
    uint32_t n = 0, n_looked_at = 0;
    for (uint32_t s = 0; s < c->values->n_sets; s++) {
        if (!is_spread(c, s) || n++ % step) continue;
        n_looked_at++;
        *n_moved += move_readers(c, s, limit, fixed, gain, near);
    }
    return n_looked_at;
}

static uint32_t count_spread(const struct counts *c)
{
    uint32_t n = 0;
    for (uint32_t s = 0; s < c->values->n_sets; s++) n += is_spread(c, s);
    return n;
}

bool together_move(struct counts *c, double limit, const bool *fixed, int64_t *gain, uint64_t *near)
{
    uint32_t n_moved = 0;
    bool many = count_spread(c) > MANY_SETS;
    if (many && move_some(c, SAMPLED, limit, fixed, gain, near, &n_moved) > FEW_SAVE * n_moved)
        return n_moved > 0;
    move_some(c, 1, limit, fixed, gain, near, &n_moved);
    return n_moved > 0;
}
