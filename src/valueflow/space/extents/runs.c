/*
 * The points of a lattice around an atom are lines of words, one after the other, and planes of such lines:
 *
 *       xx        xxx         the middles of neighbouring lines are a row apart, whatever their lengths,
 *      xxxx      xxxxx        and those of neighbouring planes a plane
 *       xx        xxx
 */
#include "valueflow/space/extents/runs.h"

#include <stdbool.h>
#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Middles are told by first and last word together, twice as far from the begin as they are. */
static void add(struct runs *runs, uint64_t middle, uint64_t next)
{
    uint64_t distance = (next - middle) / 2;
    if (runs->row) distance = (distance + runs->row / 2) / runs->row * runs->row;
    if (!distance || distance > runs->most) return;
    runs->count[distance]++;
    runs->all++;
}

/* Lines of a plane follow each other at about a row. */
static bool is_next_line(const struct runs *runs, uint64_t middle, uint64_t next)
{
    uint64_t distance = (next - middle) / 2;
    return distance > runs->row / 2 && distance <= runs->row + runs->row / 2;
}

struct piece {
    uint64_t first, last; /* words of a line, or middles of the lines of a plane */
};

/* The next line from a place on, in order. */
static struct piece line_at(const uint64_t *places, size_t n, size_t *at)
{
    struct piece line = {places[*at], places[*at]};
    for (++*at; *at < n && places[*at] <= line.last + 1; ++*at) line.last = places[*at];
    return line;
}

static struct piece plane_at(const struct runs *runs, const uint64_t *places, size_t n, size_t *at)
{
    struct piece line = line_at(places, n, at), plane;
    plane.first = plane.last = line.first + line.last;
    for (size_t next = *at; next < n; *at = next) {
        line = line_at(places, n, &next);
        if (!is_next_line(runs, plane.last, line.first + line.last)) break;
        plane.last = line.first + line.last;
    }
    return plane;
}

void runs_add(struct runs *runs, uint64_t *places, size_t n)
{
    uint64_t before = 0;
    runs->points += n;
    qsort(places, n, sizeof *places, by_place);
    for (size_t at = 0; at < n;) {
        bool is_first = !at;
        struct piece piece = runs->row ? plane_at(runs, places, n, &at) : line_at(places, n, &at);
        runs->pieces++;
        uint64_t middle = runs->row ? (piece.first + piece.last) / 2 : piece.first + piece.last;
        if (!is_first) add(runs, before, middle);
        before = middle;
    }
}

/* Lines of one point each are none: the columns of a matrix, say, at some distances from its diagonal. */
uint64_t runs_distance(const struct runs *runs, uint64_t words)
{
    if (runs->points < 2 * runs->pieces) return 0;
    for (uint64_t w = 2; w <= runs->most; w++)
        if (runs->count[w] > runs->all / 2 && words % w == 0) return w;
    return 0;
}
