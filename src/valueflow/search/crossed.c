/*
 * Rows of one array and columns of another one of its shape: where all lines of a plane are transformed into
 * another plane, and then its columns into a third, nothing is sent but what is transposed between both. Each
 * written array of the shape is cut along either dimension, all along the same one at first; those of which
 * that saves words go to the other one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/describe.h"
#include "valueflow/distribution/place.h"
#include "valueflow/search/search.h"

enum { MOST_ARRAYS = 8, QUARTER = 4 };

/* The arrays that are cut, and where their words lie in rows and in columns. */
struct crossed {
    struct search *s;
    const struct space *space;
    uint32_t arrays[MOST_ARRAYS];
    size_t n;
    uint32_t *part[2];
    bool is_other[MOST_ARRAYS]; /* cut along dimension 1 */
};

static size_t number_of(const struct crossed *c, uint32_t array)
{
    size_t i = 0;
    while (i < c->n && c->arrays[i] != array) i++;
    return i;
}

/* Only-read arrays go where they are read. */
static bool find_arrays(struct crossed *c)
{
    const parcast_values *values = c->s->values;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t array = values->vertices[v].array;
        if (!c->space->fixed[v] || !values->arrays[array].n_written || number_of(c, array) < c->n) continue;
        if (c->n == MOST_ARRAYS) return false;
        c->arrays[c->n++] = array;
    }
    return c->n > 1;
}

static bool is_far(const struct space *space, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < 2; i++) {
        uint64_t n = space->count[1], x = i ? a % n : a / n, y = i ? b % n : b / n;
        uint64_t apart = x > y ? x - y : y - x;
        if (QUARTER * apart >= space->count[i] && QUARTER * apart <= (QUARTER - 1) * space->count[i])
            return true;
    }
    return false;
}

/* Is an array read along lines by another one? What is read a few steps away is no line, nor across the ends
 * of a ring. */
static bool any_lines(const struct crossed *c)
{
    const parcast_values *values = c->s->values;
    for (uint32_t set = 0; set < values->n_sets; set++) {
        uint64_t pin = values->set_first[set], end = values->set_first[set + 1];
        if (values->net_first[set] == values->net_first[set + 1]) continue;
        uint32_t home = values->nets[values->net_first[set]].home;
        if (!c->space->fixed[home]) continue;
        for (; pin < end; pin++) {
            uint32_t v = values->pins[pin] & ~GRAPH_FOLD;
            bool is_other = values->vertices[v].array != values->vertices[home].array;
            if (is_other && c->space->fixed[v] && is_far(c->space, c->space->cell[home], c->space->cell[v]))
                return true;
        }
    }
    return false;
}

static parcast_status make_parts(struct crossed *c)
{
    const struct search *s = c->s;
    parcast_status status = PARCAST_OK;
    for (int i = 0; !status && i < 2; i++) {
        const parcast_extents grid = {2, {i ? 1 : s->p, i ? s->p : 1}};
        c->part[i] = malloc(((size_t)s->values->n_vertices + 1) * sizeof *c->part[i]);
        status = c->part[i] ? space_cut(s->values, c->space, &grid, c->part[i], s->error) : PARCAST_MEMORY;
    }
    return status;
}

static void place(const struct crossed *c)
{
    const parcast_values *values = c->s->values;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        size_t i = c->space->fixed[v] ? number_of(c, values->vertices[v].array) : c->n;
        c->s->part[v] = i < c->n ? c->part[c->is_other[i]][v] : GRAPH_NONE;
    }
}

static parcast_status count(const struct crossed *c, uint64_t *words)
{
    struct search *s = c->s;
    parcast_flow flow = {0};
    place(c);
    for (uint32_t v = 0; v < s->values->n_vertices; v++) s->fixed[v] = s->part[v] != GRAPH_NONE;
    parcast_status status = graph_follow(s->values, s->p, s->fixed, s->part, s->error);
    if (!status) status = graph_evaluate(s->values, s->part, s->p, SEARCH_MOST_RATIO, &flow, s->error);
    *words = flow.words;
    parcast_flow_clear(&flow);
    return status;
}

/* All along one dimension at first. */
static parcast_status try_from(struct crossed *c, bool other)
{
    struct search *s = c->s;
    char name[sizeof s->best.decomposition], array[DESCRIBE_NAME];
    uint64_t fewest, words;
    bool any = false;
    for (size_t i = 0; i < c->n; i++) c->is_other[i] = other;
    parcast_status status = count(c, &fewest);
    for (size_t i = 0; !status && i < c->n; i++) {
        c->is_other[i] = !other;
        status = count(c, &words);
        if (words >= fewest) {
            c->is_other[i] = other;
        } else {
            fewest = words;
            any = true;
        }
    }
    if (status || !any || search_is_far(s, fewest)) return status;
    place(c);
    snprintf(name, sizeof name, "%zu %s of %s, and others crossed", s->p,
             c->is_other[0] ? "parts of the columns" : "parts of the rows",
             describe_told(s->values, c->arrays[0], array, sizeof array));
    s->index = c->arrays[0];
    double allowed = search_cells_allow(c->space, s->p);
    status = search_finish_within(s, name, allowed);
    return status ? status : search_even_out(s, name, allowed);
}

static parcast_status try_space(struct search *s, const struct space *space)
{
    struct crossed c = {.s = s, .space = space};
    bool may_be = space->extents.n == 2 && space->count[0] >= s->p && space->count[1] >= s->p;
    if (!may_be || !find_arrays(&c) || !any_lines(&c)) return PARCAST_OK;
    parcast_status status = make_parts(&c);
    for (int other = 0; !status && other < 2; other++) status = try_from(&c, other);
    free(c.part[0]);
    free(c.part[1]);
    return status;
}

/* Not in large graphs, of which each count takes long. */
parcast_status search_crossed(struct search *s)
{
    parcast_status status = PARCAST_OK;
    if (s->coarse || search_is_slow(s)) return status;
    for (size_t i = 0; !status && i < s->n_shapes; i++) status = try_space(s, &s->shapes[i]);
    return status;
}
