#include "valueflow/space/arrays/level_runs.h"

#include <stdlib.h>
#include <string.h>

/* A word is read from two fine ones at least, or three in a row, that lie around where it does: so many words
 * further on there are none as far apart. */
enum { ALIKE = 4, HOMES = 64, RUNS = 64, PIECES = 64, RARELY = 128, FEW = 2 };
static const uint64_t SOME_PAIRS = 1 << 17, MOST_PAIRS = 1 << 24;

bool level_runs_are_of(const struct graph_array *array, uint64_t words)
{
    return !array->is_result && array->n_blocks == 1 && array->words == words && !array->planes &&
           array->words <= INT32_MAX;
}

struct look {
    const parcast_values *values;
    uint64_t words, pins; /* of a set so many, the same ones where it is as large */
    size_t *n;            /* of each word: how many pins are known */
    uint32_t *pin;
    uint64_t all;
};

static bool has_place(const struct look *look, const struct graph_vertex *vertex)
{
    return level_runs_are_of(&look->values->arrays[vertex->array], look->words);
}

static void look_at_home(struct look *look, uint32_t set, const struct graph_vertex *home)
{
    const parcast_values *values = look->values;
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    uint64_t step = (end - first + look->pins - 1) / look->pins;
    for (uint64_t i = first; i < end; i += step) {
        const struct graph_vertex *pin = &values->vertices[values->pins[i] & ~GRAPH_FOLD];
        if (!has_place(look, pin) || pin->offset == home->offset) continue;
        if (look->pin) look->pin[look->n[home->offset]] = (uint32_t)pin->offset;
        look->n[home->offset]++;
        look->all++;
    }
}

static void look_at_sets(struct look *look)
{
    const parcast_values *values = look->values;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->net_first[s], end = values->net_first[s + 1];
        if (end > first + HOMES) end = first + HOMES;
        for (uint64_t j = first; j < end; j++) {
            const struct graph_vertex *home = &values->vertices[values->nets[j].home];
            if (has_place(look, home)) look_at_home(look, s, home);
        }
    }
}

static int by_offset(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* In ascending order, each once. */
static void put_in_order(struct level_runs *runs)
{
    size_t kept = 0;
    for (uint64_t i = 0; i < runs->words; i++) {
        size_t first = runs->first[i], n = runs->first[i + 1] - first, begin = kept;
        runs->first[i] = kept;
        if (n > 1) qsort(runs->pin + first, n, sizeof *runs->pin, by_offset);
        for (size_t k = first; k < first + n; k++)
            if (kept == begin || runs->pin[kept - 1] != runs->pin[k]) runs->pin[kept++] = runs->pin[k];
    }
    runs->first[runs->words] = kept;
}

static bool list_pins(struct look *look, struct level_runs *runs)
{
    *runs = (struct level_runs){.words = look->words,
                                .first = calloc(look->words + 2, sizeof *runs->first),
                                .within = calloc(look->words + 2, sizeof *runs->within),
                                .across = calloc(look->words + 2, sizeof *runs->across)};
    if (!runs->first || !runs->within || !runs->across) return false;
    look->n = runs->first + 1;
    look->pin = NULL;
    look->all = 0;
    look_at_sets(look);
    runs->pin = malloc((look->all + 1) * sizeof *runs->pin);
    if (!runs->pin) return false;
    size_t first = 0;
    for (uint64_t i = 0; i < look->words; i++) {
        size_t n = look->n[i];
        look->n[i] = first; /* where the next one goes to: in the end where the next word's begin */
        first += n;
    }
    look->pin = runs->pin;
    look_at_sets(look);
    put_in_order(runs);
    return true;
}

/* So many words in a row up to this one. */
static void reach(int32_t *count, uint64_t home, uint64_t pin, uint32_t n)
{
    count[(home < pin ? home : pin) + 1 - n]++;
    count[home < pin ? pin : home]--;
}

/* The end of a row may be as far from the next level by chance: which words belong together the others of a
 * row tell. */
static void reach_across(struct level_runs *runs, uint64_t home, uint64_t pin, uint32_t n)
{
    bool is_first = n == ALIKE;
    reach(runs->across, home, pin, is_first ? ALIKE : 2);
    reach(runs->within, home - 1, pin - 1, is_first ? ALIKE - 2 : 2);
    runs->n_alike += is_first ? ALIKE : 1;
}

/* How many words in a row are as far apart, up to each pair. */
static void count_alike(const struct level_runs *runs, uint64_t word, uint32_t *n)
{
    size_t before = word ? runs->first[word - 1] : 0, end = runs->first[word];
    for (size_t k = runs->first[word]; k < runs->first[word + 1]; k++) {
        while (before < end && runs->pin[before] + 1 < runs->pin[k]) before++;
        bool is_alike = before < end && runs->pin[before] + 1 == runs->pin[k];
        n[k] = is_alike ? n[before] + 1 : 1;
    }
}

static void find_alike(struct level_runs *runs, const uint32_t *n)
{
    for (uint64_t i = 0; i < runs->words; i++)
        for (size_t k = runs->first[i]; k < runs->first[i + 1]; k++)
            if (n[k] >= ALIKE) reach_across(runs, i, runs->pin[k], n[k]);
    for (uint64_t i = 1; i < runs->words; i++) {
        runs->within[i] += runs->within[i - 1];
        runs->across[i] += runs->across[i - 1];
    }
}

/* In some sets: how often words are so far apart, and in each piece of the array how many words are. */
struct apart {
    uint32_t *count;  /* [words] */
    uint64_t nearest; /* 0: not known yet */
    uint64_t all[PIECES], near[PIECES];
};

static void note_apart(const struct look *look, struct apart *apart, uint64_t home, uint64_t pin)
{
    uint64_t distance = home < pin ? pin - home : home - pin, piece = home * PIECES / look->words;
    if (distance < 2) return;
    apart->count[distance]++;
    apart->all[piece]++;
    apart->near[piece] += distance == apart->nearest;
}

static void list_apart(const struct look *look, struct apart *apart)
{
    const parcast_values *values = look->values;
    uint32_t every = graph_every(values, RUNS);
    for (uint32_t s = 0; s < values->n_sets; s++) {
        if (!graph_is_in_run(s, every) || values->net_first[s] == values->net_first[s + 1]) continue;
        const struct graph_vertex *home = &values->vertices[values->nets[values->net_first[s]].home];
        if (!has_place(look, home)) continue;
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++) {
            const struct graph_vertex *pin = &values->vertices[values->pins[i] & ~GRAPH_FOLD];
            if (has_place(look, pin)) note_apart(look, apart, home->offset, pin->offset);
        }
    }
}

/* Is the most common distance seen in nearly all pieces in which some are? Then it is one mesh: levels have
 * but that of the next word in common. */
static bool is_one_mesh(const struct look *look, bool *fine)
{
    size_t others = 0;
    struct apart apart = {.count = calloc(look->words + 1, sizeof *apart.count)};
    *fine = apart.count;
    if (!*fine) return false;
    list_apart(look, &apart);
    for (uint64_t i = 1; i < look->words; i++)
        if (apart.count[i] > apart.count[apart.nearest]) apart.nearest = i;
    memset(apart.all, 0, sizeof apart.all);
    list_apart(look, &apart);
    for (size_t i = 0; i < PIECES; i++) others += apart.near[i] * RARELY < apart.all[i];
    free(apart.count);
    return others <= FEW;
}

static uint64_t count_pairs(const parcast_values *values, uint64_t *homes)
{
    uint64_t n = 0;
    *homes = 1;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t of_set = values->net_first[s + 1] - values->net_first[s];
        if (of_set > HOMES) of_set = HOMES;
        n += of_set * (values->set_first[s + 1] - values->set_first[s]);
        *homes += of_set;
    }
    return n;
}

void level_runs_clear(struct level_runs *runs)
{
    free(runs->first);
    free(runs->pin);
    free(runs->within);
    free(runs->across);
    *runs = (struct level_runs){0};
}

bool level_runs_find(const parcast_values *values, uint64_t words, struct level_runs *runs)
{
    struct look look = {.values = values, .words = words};
    uint64_t homes, pairs = count_pairs(values, &homes);
    bool fine = true;
    look.pins = pairs > MOST_PAIRS ? MOST_PAIRS / homes : pairs;
    *runs = (struct level_runs){0};
    if (!look.pins || (pairs > SOME_PAIRS && is_one_mesh(&look, &fine)) || !fine) return fine;
    fine = list_pins(&look, runs);
    uint32_t *n = fine ? malloc((look.all + 1) * sizeof *n) : NULL;
    fine = fine && n;
    for (uint64_t i = 0; fine && i < words; i++) count_alike(runs, i, n);
    if (fine) find_alike(runs, n);
    free(n);
    return fine;
}
