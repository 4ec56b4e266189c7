/*
 * Levels of a multigrid method in one array: u(ir(k)) is where level k begins. In a level a word is as far
 * from what it is computed of as the next word is, row by row. From one level to another it is not: with
 * every word that the coarse one goes on, the fine one goes on by two. So words as far from each other as
 * their neighbours are say which belong together, and where none of these reach across, a level ends.
 *
 * Where a halo lies around each level, what reaches furthest is not its end. The largest one begins where the
 * array does, or ends there, and halos are as wide before a level as behind it: from this the others follow,
 * one after the other.
 */
#include "valueflow/space/arrays/levels.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/space/arrays/level_runs.h"

enum { MOST_LEVELS = 24, LEAST_WORDS = 32, LEAST_ARRAY = 128, MOST_SHAPES = 4, LITTLE = 16, MUCH = 4 };

struct levels {
    size_t n;                                        /* 0 or 1: there are none */
    uint64_t low[MOST_LEVELS], high[MOST_LEVELS];    /* words that belong together */
    uint64_t first[MOST_LEVELS], words[MOST_LEVELS]; /* with what is around these */
};

/* Pieces of the line that something reaches across, those of a few words left out. */
static void find_pieces(const struct level_runs *runs, struct levels *levels)
{
    uint64_t begin = 0;
    levels->n = 0;
    for (uint64_t i = 0; i < runs->words; i++) {
        if (runs->within[i]) continue;
        bool is_one = i + 1 - begin >= LEAST_WORDS;
        if (is_one && levels->n == MOST_LEVELS) {
            levels->n = 0;
            return;
        }
        if (is_one) {
            levels->low[levels->n] = begin;
            levels->high[levels->n++] = i;
        }
        begin = i + 1;
    }
}

/* What reaches across the end of a word; nothing where the array ends. */
static int64_t across(const struct level_runs *runs, uint64_t word)
{
    return word + 1 < runs->words ? runs->across[word] : 0;
}

/* Of two pieces with a gap between them, where fewest reach across. */
static void find_ends(const struct level_runs *runs, uint64_t *high, uint64_t *low)
{
    uint64_t first = *high - 1, last = first;
    for (uint64_t i = first; i <= *low; i++) {
        if (across(runs, i) < across(runs, first)) first = i;
        if (across(runs, i) <= across(runs, last)) last = i;
    }
    *high = first;
    *low = last + 1;
}

/* The first begins, and the last ends, with what reaches furthest. */
static void find_all_ends(const struct level_runs *runs, struct levels *levels)
{
    uint64_t *low = &levels->low[0], *high = &levels->high[levels->n - 1];
    if (*low && across(runs, *low - 1)) --*low;
    if (2 * across(runs, *high) >= across(runs, *high - 1)) ++*high;
    for (size_t i = 1; i < levels->n; i++) find_ends(runs, &levels->high[i - 1], &levels->low[i]);
}

static bool is_half_more(const struct levels *levels, size_t larger, size_t smaller)
{
    return 2 * (levels->high[larger] - levels->low[larger] + 1) >=
           3 * (levels->high[smaller] - levels->low[smaller] + 1);
}

static bool are_falling(const struct levels *levels)
{
    for (size_t i = 1; i < levels->n; i++)
        if (!is_half_more(levels, i - 1, i)) return false;
    return levels->n > 1;
}

static bool are_rising(const struct levels *levels)
{
    for (size_t i = 1; i < levels->n; i++)
        if (!is_half_more(levels, i, i - 1)) return false;
    return levels->n > 1;
}

/* Seen from the end of the array. */
static void turn(struct levels *levels, uint64_t all)
{
    struct levels turned = {.n = levels->n};
    for (size_t i = 0; i < levels->n; i++) {
        size_t k = levels->n - 1 - i;
        turned.low[i] = all - 1 - levels->high[k];
        turned.high[i] = all - 1 - levels->low[k];
        turned.first[i] = all - levels->first[k] - levels->words[k];
        turned.words[i] = levels->words[k];
    }
    *levels = turned;
}

/* The largest level first. Halves of a gap where halos are not as wide on both sides. */
static void add_halos(struct levels *levels, uint64_t all)
{
    uint64_t halo = levels->low[0], begin = 0;
    for (size_t i = 0; i < levels->n; i++) {
        bool is_last = i + 1 == levels->n;
        uint64_t gap = (is_last ? all : levels->low[i + 1]) - levels->high[i] - 1;
        bool is_wide = halo > gap || (!is_last && gap - halo > halo);
        if (is_wide) halo = is_last ? gap : gap / 2;
        levels->first[i] = begin;
        begin = levels->high[i] + 1 + halo;
        levels->words[i] = begin - levels->first[i];
        if (!is_last) halo = levels->low[i + 1] - begin;
    }
}

static uint32_t level_of(const struct levels *levels, uint64_t offset)
{
    for (uint32_t i = 0; i < levels->n; i++)
        if (offset >= levels->first[i] && offset - levels->first[i] < levels->words[i]) return i;
    return (uint32_t)levels->n;
}

/* Much of what is computed of each other lies in one level, though no less may lie in two, and most of that
 * is as far apart as its neighbours are: not so in a mesh whose words are in no order, or where boundaries
 * are by chance. */
static bool are_much_within(const struct level_runs *runs, const struct levels *levels)
{
    uint64_t all = 0, within = 0;
    for (uint64_t i = 0; i < runs->words; i++)
        for (size_t k = runs->first[i]; k < runs->first[i + 1]; k++, all++)
            within += level_of(levels, i) == level_of(levels, runs->pin[k]);
    return MUCH * within >= all && 2 * runs->n_alike >= within;
}

static bool find_levels(const struct level_runs *runs, struct levels *levels)
{
    find_pieces(runs, levels);
    if (levels->n < 2) return false;
    find_all_ends(runs, levels);
    bool fall = are_falling(levels), rise = are_rising(levels);
    if (!fall && !rise) return false;
    if (rise) turn(levels, runs->words);
    add_halos(levels, runs->words);
    if (rise) turn(levels, runs->words);
    return are_much_within(runs, levels);
}

static void make_level(struct graph_array *array, uint64_t first, uint64_t words)
{
    array->words = words;
    array->block_words = (uint32_t)words;
    if (words < 2 * (uint64_t)array->record || words % array->record || first % array->record)
        array->record = 1;
}

static bool add_array(parcast_values *values, uint32_t array, uint64_t first, uint64_t words)
{
    struct graph_array *level = graph_copy_array(values, array);
    if (!level) return false;
    make_level(level, first, words);
    return true;
}

static bool is_any_around(const parcast_values *values, uint32_t array, const struct levels *levels)
{
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (values->vertices[v].array == array && level_of(levels, values->vertices[v].offset) == levels->n)
            return true;
    return false;
}

/* The first level stays the array; the others are those from `others` on, what lies around them the last. */
static bool part(parcast_values *values, uint32_t array, const struct levels *levels)
{
    uint32_t others = (uint32_t)values->n_arrays;
    uint64_t around = values->arrays[array].words;
    bool fine = true;
    for (size_t i = 0; i < levels->n; i++) around -= levels->words[i];
    for (size_t i = 1; fine && i < levels->n; i++)
        fine = add_array(values, array, levels->first[i], levels->words[i]);
    if (fine && is_any_around(values, array, levels)) fine = add_array(values, array, 0, around);
    if (!fine) return false;
    make_level(&values->arrays[array], levels->first[0], levels->words[0]);
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        struct graph_vertex *vertex = &values->vertices[v];
        if (vertex->array != array) continue;
        uint32_t level = level_of(levels, vertex->offset);
        uint64_t before = level < levels->n ? levels->first[level] : 0;
        for (size_t i = 0; level == levels->n && i < levels->n; i++)
            if (levels->first[i] < vertex->offset) before += levels->words[i];
        vertex->offset -= before;
        if (level) vertex->array = others + level - 1;
    }
    return true;
}

static bool part_shape(parcast_values *values, uint64_t words)
{
    struct level_runs runs;
    struct levels levels = {0};
    size_t n_arrays = values->n_arrays;
    bool fine = level_runs_find(values, words, &runs);
    bool any = fine && runs.words && find_levels(&runs, &levels);
    for (uint32_t i = 0; any && fine && i < n_arrays; i++)
        if (level_runs_are_of(&values->arrays[i], words)) fine = part(values, i, &levels);
    level_runs_clear(&runs);
    return fine;
}

/* The shape of the arrays of which most words are used, of those with fewer than `less`; 0: of none many. */
static uint64_t next_shape(const parcast_values *values, const uint64_t *used, uint64_t *less)
{
    uint64_t most = 0, best = 0, words = 0;
    for (size_t i = 0; i < values->n_arrays; i++) {
        if (used[i] > most) most = used[i];
        if (!level_runs_are_of(&values->arrays[i], values->arrays[i].words) || used[i] <= best ||
            used[i] >= *less)
            continue;
        best = used[i];
        words = values->arrays[i].words;
    }
    *less = best;
    return best >= LEAST_ARRAY && LITTLE * best >= most ? words : 0;
}

parcast_status levels_part(parcast_values *values)
{
    uint64_t *used = calloc(values->n_arrays + 1, sizeof *used), less = UINT64_MAX, shapes[MOST_SHAPES];
    size_t n = 0;
    if (!used) return PARCAST_MEMORY;
    for (uint32_t v = 0; v < values->n_vertices; v++) used[values->vertices[v].array]++;
    while (n < MOST_SHAPES && (shapes[n] = next_shape(values, used, &less))) n++;
    bool fine = true;
    for (size_t i = 0; fine && i < n; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++) is_new = is_new && shapes[k] != shapes[i];
        if (is_new) fine = part_shape(values, shapes[i]);
    }
    free(used);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
