/*
 * Which tiles an array is stored in is told by what its words are computed of. Words that are read together
 * lie beside each other in what the array means: a word and those that read it in a sweep, or all that read
 * an element of a matrix, which are a row or a column. A way to number words fits where nearly all of these
 * are, and where neighbours are met along every dimension as often across the borders of tiles as there are
 * such borders: hardly anything else than the mesh itself has that, as one mesh is not another one.
 */
#include "valueflow/space/tiles/tiled.h"

#include <stdlib.h>
#include <string.h>

enum {
    NEAR = 2,   /* so many steps along one dimension, or one along several */
    STRAY = 32, /* one set of so many may be something else */
    SEEN = 8,   /* one of so many words has a neighbour along each dimension, */
    SHARE = 3   /* and across borders at least a third as often as elsewhere */
};

parcast_extents tiled_extents(const struct tiled *tiled)
{
    parcast_extents extents = {.n = tiled->n};
    for (size_t a = 0; a < tiled->n; a++) {
        const struct tiled_axis *axis = &tiled->axis[a];
        extents.extent[a] = (axis->n - 1) * axis->size + axis->room;
    }
    return extents;
}

/* A dimension as the program has it, in front of those whose words are nearer to each other. */
static void add_stored(struct graph_tiles *tiles, uint64_t *stride, size_t a, uint64_t words, uint64_t n)
{
    size_t at = tiles->stored.n++;
    for (; at && stride[at - 1] < words; at--) {
        stride[at] = stride[at - 1];
        tiles->stored.extent[at] = tiles->stored.extent[at - 1];
        tiles->of[at] = tiles->of[at - 1];
    }
    stride[at] = words;
    tiles->stored.extent[at] = n;
    tiles->of[at] = (uint8_t)a;
}

struct graph_tiles tiled_describe(const struct tiled *tiled)
{
    struct graph_tiles tiles = {.plain = tiled_extents(tiled)};
    uint64_t stride[PARCAST_MAX_EXTENTS];
    size_t n = 0;
    for (size_t a = 0; a < tiled->n; a++) n += (tiled->axis[a].room > 1) + (tiled->axis[a].n > 1);
    for (size_t a = 0; a < tiled->n && n <= PARCAST_MAX_EXTENTS; a++) {
        const struct tiled_axis *axis = &tiled->axis[a];
        if (axis->room > 1) add_stored(&tiles, stride, a, axis->inner, axis->room);
        if (axis->n > 1) add_stored(&tiles, stride, a, axis->outer, axis->n);
    }
    return tiles;
}

struct tiled_places tiled_places_of(const struct tiled *tiled, uint64_t words)
{
    struct tiled_places places = {
        .tiled = tiled, .tile = quotient_by(tiled->tile, words), .plane = quotient_by(tiled->plane, words)};
    if (tiled->lanes) {
        places.lanes = quotient_by(tiled->lanes, words);
        places.group = quotient_by(tiled->lanes * tiled->fields, words);
    }
    for (size_t a = 0; a < tiled->n; a++) {
        const struct tiled_axis *axis = &tiled->axis[a];
        places.axis[a].inner = quotient_by(axis->inner, words);
        places.axis[a].room = quotient_by(axis->room, words);
        places.axis[a].outer = quotient_by(axis->outer, words);
        places.axis[a].n = quotient_by(axis->n, words);
    }
    return places;
}

static uint64_t in_lanes(const struct tiled_places *places, uint64_t offset, uint64_t *field)
{
    uint64_t in_group = quotient_rest(places->group, offset);
    *field = quotient_of(places->lanes, in_group);
    return quotient_of(places->group, offset) * places->lanes.by + quotient_rest(places->lanes, in_group);
}

uint32_t tiled_place(const struct tiled_places *places, uint64_t offset, int64_t *at)
{
    uint64_t in_tile = quotient_rest(places->tile, offset), field = quotient_of(places->plane, in_tile),
             within = in_tile - field * places->plane.by;
    if (places->tiled->lanes) within = in_lanes(places, offset, &field);
    for (size_t a = 0; a < places->tiled->n; a++) {
        const struct tiled_axis *axis = &places->tiled->axis[a];
        uint64_t tile = quotient_rest(places->axis[a].n, quotient_of(places->axis[a].outer, offset)),
                 word = quotient_rest(places->axis[a].room, quotient_of(places->axis[a].inner, within));
        at[a] = (int64_t)(tile * axis->size + word) - (int64_t)axis->low;
    }
    return (uint32_t)field;
}

struct fit {
    const struct tiled *tiled;
    struct tiled_places places;
    uint64_t within[TILED_AXES], across[TILED_AXES]; /* neighbours */
    uint64_t corners[2];   /* words beside each other across a corner, of different tiles and of one */
    size_t strays, others; /* sets that are neither, and such of inputs */
    uint64_t between;      /* pairs of which one word is of another field, */
    int64_t on;            /* how many steps those of the later one lie further on, together */
};

/* How far apart, the short way around; along how many dimensions. */
static uint64_t steps(const struct tiled *tiled, size_t a, int64_t from, int64_t to)
{
    uint64_t all = tiled->axis[a].n * tiled->axis[a].size, apart = (uint64_t)llabs(from - to);
    return apart < all && all - apart < apart ? all - apart : apart;
}

static bool are_near(const struct tiled *tiled, const int64_t *from, const int64_t *to)
{
    uint64_t most = 0;
    size_t n = 0;
    for (size_t a = 0; a < tiled->n; a++) {
        uint64_t apart = steps(tiled, a, from[a], to[a]);
        n += apart != 0;
        most = apart > most ? apart : most;
    }
    return most <= (n > 1 ? 1 : NEAR);
}

/* The dimension along which one is next to the other; n: neither is. */
static size_t beside(const struct tiled *tiled, const int64_t *from, const int64_t *to)
{
    size_t along = tiled->n;
    for (size_t a = 0; a < tiled->n; a++) {
        if (from[a] == to[a]) continue;
        if (along < tiled->n || llabs(from[a] - to[a]) > 1) return tiled->n;
        along = a;
    }
    return along;
}

static void note(struct fit *fit, size_t along, const int64_t *from, const int64_t *to)
{
    int64_t size = (int64_t)fit->tiled->axis[along].size,
            high = from[along] > to[along] ? from[along] : to[along];
    if (high % size)
        fit->within[along]++;
    else
        fit->across[along]++;
}

static bool are_in_one(const struct tiled *tiled, const int64_t *from, const int64_t *to)
{
    for (size_t a = 0; a < tiled->n; a++) {
        int64_t size = (int64_t)tiled->axis[a].size;
        if (from[a] / size != to[a] / size) return false;
    }
    return true;
}

/* Is what is near so not only where space is closed to a ring? */
static bool are_beside_plainly(const struct tiled *tiled, const int64_t *from, const int64_t *to)
{
    for (size_t a = 0; a < tiled->n; a++)
        if (llabs(from[a] - to[a]) > NEAR) return false;
    return true;
}

/* The home and what reads it, around it. Every other row of an array would be a field, or half of it, but
 * fields lie in the same place: on average, what is computed of another one (to half a step, where they are
 * lanes and so no rows: a staggered mesh). */
static bool is_star(struct fit *fit, const uint64_t *offset, size_t n)
{
    int64_t home[TILED_AXES], pin[TILED_AXES];
    uint32_t field = tiled_place(&fit->places, offset[0], home);
    for (size_t i = 1; i < n; i++) {
        bool is_other = tiled_place(&fit->places, offset[i], pin) != field;
        if (!are_near(fit->tiled, home, pin)) return false;
        if (is_other && !are_beside_plainly(fit->tiled, home, pin)) return false;
    }
    for (size_t i = 1; i < n; i++) {
        uint32_t other = tiled_place(&fit->places, offset[i], pin);
        fit->between += other != field;
        for (size_t a = 0; other != field && a < fit->tiled->n; a++)
            fit->on += field < other ? pin[a] - home[a] : home[a] - pin[a];
        size_t along = beside(fit->tiled, home, pin);
        if (along < fit->tiled->n)
            note(fit, along, home, pin);
        else if (memcmp(home, pin, fit->tiled->n * sizeof *pin) != 0)
            fit->corners[are_in_one(fit->tiled, home, pin)]++;
    }
    return true;
}

/* A row, or a column: one after the other. */
static bool is_line(struct fit *fit, const uint64_t *offset, size_t n)
{
    int64_t at[2][TILED_AXES];
    size_t along = fit->tiled->n;
    for (int notes = 0; notes < 2; notes++) {
        tiled_place(&fit->places, offset[0], at[0]);
        for (size_t i = 1; i < n; i++) {
            tiled_place(&fit->places, offset[i], at[i % 2]);
            size_t here = beside(fit->tiled, at[(i - 1) % 2], at[i % 2]);
            if (here == fit->tiled->n || (i > 1 && here != along)) return false;
            along = here;
            if (notes) note(fit, along, at[(i - 1) % 2], at[i % 2]);
        }
    }
    return true;
}

/* The home and its readers are somewhere in one row. */
static bool is_in_row(const struct fit *fit, const uint64_t *offset, size_t n)
{
    int64_t home[TILED_AXES], pin[TILED_AXES];
    size_t along = fit->tiled->n;
    tiled_place(&fit->places, offset[0], home);
    for (size_t i = 1; i < n; i++) {
        tiled_place(&fit->places, offset[i], pin);
        for (size_t a = 0; a < fit->tiled->n; a++) {
            if (home[a] == pin[a] || a == along) continue;
            if (along < fit->tiled->n) return false;
            along = a;
        }
    }
    return true;
}

/* Words that meet in something else are around the first of them, or all in a row, as those that read an
 * input or a word of that row are. What an input is read by tells nothing else of it. */
static void try_set(struct fit *fit, const struct tiled_sets *sets, size_t s)
{
    const uint64_t *offset = sets->offset + sets->first[s];
    size_t n = sets->first[s + 1] - sets->first[s], home = sets->has_home[s], n_pins = n - home;
    bool is_free = !home || sets->is_input[s];
    if (home && is_star(fit, offset, n)) return;
    if (n_pins > 2 && (is_free || is_in_row(fit, offset, n)) && is_line(fit, offset + home, n_pins)) return;
    if (n_pins > 2 && is_free && is_star(fit, offset + home, n_pins)) return;
    if (home && is_free)
        fit->others++;
    else
        fit->strays++;
}

/* In an element each corner meets each, but only those beside them of others: it is no tile. */
static bool are_elements(const struct fit *fit, const struct tiled_sets *sets)
{
    double share = 1;
    if (fit->corners[1] < sets->used / SEEN / sets->every) return false;
    for (size_t a = 0; a < fit->tiled->n; a++)
        if (fit->tiled->axis[a].n > 1)
            share *= (double)(fit->tiled->axis[a].size - 1) / (double)fit->tiled->axis[a].size;
    return SHARE * (double)fit->corners[0] * share < (double)fit->corners[1] * (1 - share);
}

/* A border is one of `size` places, but for the ends. */
static bool are_borders_crossed(const struct tiled_axis *axis, uint64_t within, uint64_t across)
{
    uint64_t places = (axis->size - 1) * axis->n, borders = axis->n - 1;
    if (!places || !borders) return true;
    return SHARE * across * places >= within * borders && SHARE * within * borders >= across * places;
}

uint64_t tiled_fits(const struct tiled *tiled, const struct tiled_sets *sets)
{
    struct fit fit = {.tiled = tiled, .places = tiled_places_of(tiled, sets->words)};
    uint64_t all = 0;
    for (size_t s = 0; s < sets->n && fit.strays <= sets->n / STRAY; s++) try_set(&fit, sets, s);
    if (fit.strays > sets->n / STRAY || 2 * fit.others > sets->n) return 0;
    for (size_t a = 0; a < tiled->n; a++) {
        uint64_t within = fit.within[a], across = fit.across[a];
        if (within + across < sets->used / SEEN / sets->every) return 0;
        if (!are_borders_crossed(&tiled->axis[a], within, across)) return 0;
        all += within + across;
    }
    if (are_elements(&fit, sets)) return 0;
    if (tiled->fields_written > 1 && SEEN * fit.between < sets->used / sets->every) return 0;
    if (tiled->fields_written > 1 && (uint64_t)llabs((tiled->lanes ? NEAR : SEEN) * fit.on) > fit.between)
        return 0;
    return all;
}
