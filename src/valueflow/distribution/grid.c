/* The words of one block decomposition. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/crew.h"
#include "valueflow/distribution/describe.h"
#include "valueflow/distribution/grid.h"
#include "valueflow/distribution/place.h"
#include "valueflow/distribution/siblings.h"
#include "valueflow/distribution/trial.h"

/* Ways with at most so many times the words of the best one have their borders moved. */
static const double near_ratio = 1.5;
/* And the best one with what is computed from the same values together. */
static const double gathered_ratio = 1.1;

void grid_name(const parcast_values *values, const struct grid_choice *choice, const char *behind, char *text,
               size_t size)
{
    const parcast_extents *grid = &choice->grid, *extents = &choice->extents;
    char name[DESCRIBE_NAME];
    int n = choice->halved ? snprintf(text, size, "%zu", grid_parts(grid)) : describe_grid(grid, text, size);
    n += snprintf(text + n, size - (size_t)n, " blocks of %s (",
                  describe_told(values, choice->array, name, sizeof name));
    for (size_t i = 0; i < extents->n && n < (int)size; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%llu", i ? " x " : "",
                      (unsigned long long)extents->extent[i]);
    if (n < (int)size)
        snprintf(text + n, size - (size_t)n, ")%s%s", choice->halved ? " by bisection" : "", behind);
}

size_t grid_parts(const parcast_extents *grid)
{
    size_t p = 1;
    for (size_t i = 0; i < grid->n; i++) p *= grid->extent[i];
    return p;
}

/* ---- trials ---- */

void grid_clear(struct grid_trials *trials)
{
    for (int way = 0; way < GRID_WAYS; way++) trial_clear(&trials->way[way]);
    *trials = (struct grid_trials){0};
}

static parcast_status copy_flow(const parcast_flow *from, parcast_flow *to, parcast_error *error)
{
    size_t bytes = from->processes * from->processes * sizeof *from->matrix;
    uint64_t *matrix = malloc(bytes ? bytes : 1);
    if (!matrix)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu parts",
                                 from->processes);
    memcpy(matrix, from->matrix, bytes);
    *to = *from;
    to->matrix = matrix;
    return PARCAST_OK;
}

/* Has another trial, in which nothing has moved yet, the same words in the same places? `trial` is placed. */
static bool begins_like(const parcast_values *values, const struct grid_trial *trial,
                        const struct grid_trial *other)
{
    uint32_t n = values->n_vertices;
    if (!other->part || memcmp(trial->fixed, other->fixed, n * sizeof *trial->fixed) != 0) return false;
    for (uint32_t v = 0; v < n; v++)
        if (trial->fixed[v] ? trial->part[v] != other->part[v] : trial->part[v] != GRAPH_NONE) return false;
    return true;
}

/* Words that are not fixed are not placed then either, so the outcome is the same. */
static parcast_status take_over(const parcast_values *values, const struct grid_trial *other,
                                struct grid_trial *trial, parcast_error *error)
{
    memcpy(trial->part, other->part, values->n_vertices * sizeof *trial->part);
    memcpy(trial->adds, other->adds, values->n_vertices * sizeof *trial->adds);
    return copy_flow(&other->flow, &trial->flow, error);
}

/* How uneven a trial may get by moving borders: hardly more than it is, where it may be as it is. */
static double moved_ratio(const struct grid_choice *choice, double still_ratio)
{
    static const double hardly = 0.005;
    bool may_stay = still_ratio > choice->allowed_ratio && still_ratio <= choice->still_ratio;
    return may_stay ? fmin(still_ratio + hardly, choice->still_ratio) : choice->allowed_ratio;
}

/* What is far fewer words is no matter of balance: what lies beside the blocks was in the wrong place, and
 * they may be as uneven as where it had been in the right one from the start. */
static bool is_far_fewer(const struct grid_trial *trial)
{
    static const double far_ratio = 0.8;
    return (double)trial->flow.words < far_ratio * (double)trial->still_words;
}

static double most_uneven(const struct grid_choice *choice, const struct grid_trial *trial)
{
    bool as_still = !trial->is_moved || is_far_fewer(trial);
    return as_still ? choice->still_ratio : moved_ratio(choice, trial->still_ratio);
}

static bool is_even(const struct grid_choice *choice, const struct grid_trial *trial)
{
    return choice->allowed_ratio <= 0 || trial->flow.imbalance_ratio <= most_uneven(choice, trial);
}

/* Is what a is too uneven by half of what it is with b, or less? */
static bool is_much_evener(const struct grid_choice *choice, const struct grid_trial *a,
                           const struct grid_trial *b)
{
    double allowed = choice->allowed_ratio;
    return 2 * (a->flow.imbalance_ratio - allowed) <= b->flow.imbalance_ratio - allowed;
}

/* Even ones first, and where none is, those that are far nearer to it. */
static bool is_better(const struct grid_choice *choice, const struct grid_trial *a,
                      const struct grid_trial *b)
{
    bool even = is_even(choice, a);
    if (even != is_even(choice, b)) return even;
    if (!even && is_much_evener(choice, a, b)) return true;
    if (!even && is_much_evener(choice, b, a)) return false;
    return a->flow.words < b->flow.words;
}

/* The best trial so far. */
static int find_best(const struct grid_choice *choice, const struct grid_trials *trials)
{
    int best = trials->best;
    for (int way = 0; way < GRID_WAYS; way++)
        if (trials->way[way].part && is_better(choice, &trials->way[way], &trials->way[best])) best = way;
    return best;
}

bool grid_is_even(const struct grid_choice *choice, const struct grid_trials *trials)
{
    return is_even(choice, &trials->way[find_best(choice, trials)]);
}

double grid_most_uneven(const struct grid_choice *choice, const struct grid_trials *trials)
{
    return most_uneven(choice, &trials->way[find_best(choice, trials)]);
}

uint64_t grid_words(const struct grid_choice *choice, const struct grid_trials *trials)
{
    return trials->way[find_best(choice, trials)].flow.words;
}

uint64_t grid_fewest_words(const struct grid_choice *choice, const struct grid_trials *trials)
{
    uint64_t fewest = grid_words(choice, trials);
    for (int way = 0; way < GRID_WAYS; way++) {
        const struct grid_trial *trial = &trials->way[way];
        bool is_near = trial->part && trial->flow.imbalance_ratio <= 2 * choice->still_ratio;
        if (is_near && trial->flow.words < fewest) fewest = trial->flow.words;
    }
    return fewest;
}

/* Words by their places in the space are counted already, and too many to be near the others. */
static bool is_hopeless(const struct grid_choice *choice, const struct grid_trials *trials)
{
    const struct grid_trial *best = &trials->way[find_best(choice, trials)];
    return is_even(choice, best) && (double)choice->space_words > near_ratio * (double)best->flow.words;
}

/* ---- beginning ---- */

struct beginning {
    const parcast_values *values;
    const struct grid_choice *choice;
    const struct space *space;
    struct grid_trials *trials;
    bool is_to_count[GRID_WAYS];
};

/* Nothing moves in what is not counted, so it can be compared until all are. */
static parcast_status place_way(const struct beginning *b, enum way way, parcast_error *error)
{
    struct grid_trials *trials = b->trials;
    struct grid_trial *trial = &trials->way[way];
    return trial_place(b->values, b->choice, way, b->space, trial, error);
}

/* What is computed in each cell of a word of it and of what comes along lines that are swept would go with
 * the cell behind it, which reads it, and could not come back one by one. */
static parcast_status place_by_sources(struct beginning *b, parcast_error *error)
{
    enum { OF = 8 };
    struct grid_trial *trial = &b->trials->way[WAY_SOURCES];
    uint32_t n_placed;
    parcast_status status = graph_place_by_sources(b->values, trial->part, &n_placed, error);
    if (!status && n_placed >= b->values->n_vertices / OF)
        b->is_to_count[WAY_SOURCES] = true;
    else
        trial_clear(trial);
    return status;
}

/* Another grid has the same where only words that neither cuts lie elsewhere. */
static parcast_status find_same(struct beginning *b, enum way way, parcast_error *error)
{
    struct grid_trial *trial = &b->trials->way[way];
    const struct grid_trials *like = b->choice->like;
    bool may_be = like && like->allowed_ratio == b->choice->allowed_ratio && way != WAY_SPACE;
    if (way == WAY_FOLLOW && begins_like(b->values, trial, &b->trials->way[WAY_LIKE])) {
        trial_clear(trial);
        return PARCAST_OK;
    }
    if (way == WAY_SOURCES) return place_by_sources(b, error);
    if (may_be && begins_like(b->values, trial, &like->way[way]))
        return take_over(b->values, &like->way[way], trial, error);
    b->is_to_count[way] = true;
    return PARCAST_OK;
}

static parcast_status count_way(void *context, size_t way, parcast_error *error)
{
    const struct beginning *b = context;
    if (!b->is_to_count[way]) return PARCAST_OK;
    return trial_count(b->values, b->choice, &b->trials->way[way], error);
}

static parcast_status begin_ways(struct beginning *b, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (int way = WAY_LIKE; !status && way < WAY_SPACE; way++) {
        status = place_way(b, (enum way)way, error);
        if (!status) status = find_same(b, (enum way)way, error);
    }
    return status;
}

static parcast_status begin_all(struct beginning *b, parcast_error *error)
{
    bool *counted = b->is_to_count, *by_space = &counted[WAY_SPACE];
    parcast_status status = begin_ways(b, error);
    bool is_one = counted[WAY_LIKE] != counted[WAY_FOLLOW] && crew_size() > 1;
    /* By place it is counted meanwhile where only one of the others is, though it may turn out not to matter.
     */
    *by_space = !b->choice->space_words || is_one;
    if (!status && *by_space) status = place_way(b, WAY_SPACE, error);
    if (!status) status = crew_run(GRID_WAYS, count_way, b, error);
    if (status) return status;
    b->trials->is_new = counted[WAY_LIKE] || counted[WAY_FOLLOW] || counted[WAY_SOURCES];
    struct grid_trial by_place = b->trials->way[WAY_SPACE];
    b->trials->way[WAY_SPACE] = (struct grid_trial){0};
    if (is_hopeless(b->choice, b->trials)) {
        trial_clear(&by_place);
        return PARCAST_OK;
    }
    b->trials->is_new = true;
    b->trials->way[WAY_SPACE] = by_place;
    if (*by_space) return PARCAST_OK;
    status = place_way(b, WAY_SPACE, error);
    return status ? status : trial_count(b->values, b->choice, &b->trials->way[WAY_SPACE], error);
}

parcast_status grid_begin(const parcast_values *values, const struct grid_choice *choice,
                          struct grid_trials *trials, parcast_error *error)
{
    struct space own = {0};
    struct beginning b = {.values = values, .choice = choice, .space = choice->space, .trials = trials};
    parcast_status status = PARCAST_OK;
    *trials = (struct grid_trials){.allowed_ratio = choice->allowed_ratio};
    if (!choice->space) {
        status = space_make(values, choice->array, &choice->extents, 1, &own, error);
        b.space = &own;
    }
    if (!status) status = begin_all(&b, error);
    space_clear(&own);
    if (status)
        grid_clear(trials);
    else
        trials->best = find_best(choice, trials);
    return status;
}

/* ---- moving ---- */

/* Sums are chosen for the balance that it has to have. */
static parcast_status evaluate_moved(const parcast_values *values, const struct grid_choice *choice,
                                     const uint32_t *part, struct grid_trial *trial, parcast_error *error)
{
    size_t n_parts = grid_parts(&choice->grid);
    parcast_status status = graph_evaluate(values, part, n_parts, choice->still_ratio, &trial->flow, error);
    bool is_settled = is_even(choice, trial) || choice->still_ratio <= choice->allowed_ratio;
    if (status || is_settled) return status;
    parcast_flow_clear(&trial->flow);
    return graph_evaluate(values, part, n_parts, choice->allowed_ratio, &trial->flow, error);
}

/* What moves by counts that are kept up to date is near to the words, not the same: the exact count decides.
 * `moved`: whether anything has, better or not. */
static parcast_status move_borders(const parcast_values *values, const struct grid_choice *choice,
                                   double imbalance_ratio, uint32_t *before, struct grid_trial *trial,
                                   bool *moved, parcast_error *error)
{
    size_t n_parts = grid_parts(&choice->grid), bytes = values->n_vertices * sizeof *trial->part;
    struct grid_trial after = {
        .is_moved = true, .still_ratio = trial->still_ratio, .still_words = trial->still_words};
    memcpy(before, trial->part, bytes);
    parcast_status status =
        graph_refine(values, n_parts, trial->fixed, imbalance_ratio, trial->adds, trial->part, moved, error);
    if (status || !*moved) return status;
    status = evaluate_moved(values, choice, trial->part, &after, error);
    if (!status && is_better(choice, &after, trial)) {
        parcast_flow_clear(&trial->flow);
        trial->flow = after.flow;
        trial->is_moved = true;
    } else {
        memcpy(trial->part, before, bytes);
        parcast_flow_clear(&after.flow);
    }
    return status;
}

/* Without regard to balance; where that would spoil it, with regard to it. */
static parcast_status end_trial(const parcast_values *values, const struct grid_choice *choice,
                                struct grid_trial *trial, parcast_error *error)
{
    uint32_t *before = malloc(values->n_vertices * sizeof *before + 1);
    if (!before)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                                 values->n_vertices);
    bool moved = false;
    trial->still_words = trial->flow.words;
    trial->still_ratio = trial->flow.imbalance_ratio;
    double most = moved_ratio(choice, trial->still_ratio);
    parcast_status status = move_borders(values, choice, 1e9, before, trial, &moved, error);
    if (!status && moved && choice->allowed_ratio > 0 && trial->flow.words == trial->still_words &&
        is_even(choice, trial))
        status = move_borders(values, choice, most, before, trial, &moved, error);
    free(before);
    return status;
}

struct ending {
    const parcast_values *values;
    const struct grid_choice *choice;
    struct grid_trials *trials;
    uint64_t least;
    struct grid_trial gathered[GRID_GATHERED];
};

static parcast_status end_way(void *context, size_t way, parcast_error *error)
{
    const struct ending *e = context;
    struct grid_trial *trial = &e->trials->way[way];
    if (!trial->part || (double)trial->flow.words > near_ratio * (double)e->least) return PARCAST_OK;
    return end_trial(e->values, e->choice, trial, error);
}

/* Everything as in the best way so far, but what is computed from the same values is in one part, on one side
 * of a border or the other, and the rest follows that. */
static parcast_status gather(void *context, size_t i, parcast_error *error)
{
    struct ending *e = context;
    const parcast_values *values = e->values;
    const struct grid_trial *best = &e->trials->way[find_best(e->choice, e->trials)];
    struct grid_trial *trial = &e->gathered[i];
    bool any = false;
    parcast_status status = trial_copy(values, best, trial, error);
    if (!status && !siblings_gather(values, grid_parts(&e->choice->grid), trial->fixed, (enum siblings_side)i,
                                    trial->part, &any))
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                                 values->n_vertices);
    if (!status && !any) trial_clear(trial);
    if (status || !any) return status;
    status = trial_count(values, e->choice, trial, error);
    bool is_near = !status && (double)trial->flow.words <= gathered_ratio * (double)best->flow.words;
    if (!status && !is_near) trial_clear(trial);
    return is_near ? end_trial(values, e->choice, trial, error) : status;
}

/* Of both sides, with as many words, the more even one first. */
static void keep_gathered(struct grid_trials *trials, struct grid_trial *gathered)
{
    struct grid_trial *way = &trials->way[WAY_GATHERED];
    for (size_t i = 0; i < GRID_GATHERED; i += 2) {
        const parcast_flow *low = &gathered[i].flow, *high = &gathered[i + 1].flow;
        bool turned = gathered[i].part && gathered[i + 1].part && low->words == high->words &&
                      high->imbalance_ratio < low->imbalance_ratio;
        for (size_t j = 0; j < 2; j++) {
            trial_clear(&way[i + j]);
            way[i + j] = gathered[i + (turned ? 1 - j : j)];
        }
    }
}

/* The ways that come near the best one before anything is moved. */
parcast_status grid_end(const parcast_values *values, const struct grid_choice *choice,
                        struct grid_trials *trials, parcast_error *error)
{
    struct ending e = {values, choice, trials, grid_words(choice, trials), {{0}}};
    parcast_status status = crew_run(GRID_WAYS, end_way, &e, error);
    if (status || choice->coarse) return status;
    status = crew_run(GRID_GATHERED, gather, &e, error);
    keep_gathered(trials, e.gathered);
    return status;
}

parcast_status grid_take(const parcast_values *values, const struct grid_choice *choice,
                         const struct grid_trials *trials, parcast_flow *flow, uint32_t *part,
                         parcast_error *error)
{
    const struct grid_trial *best = &trials->way[find_best(choice, trials)];
    parcast_status status = copy_flow(&best->flow, flow, error);
    if (status) return status;
    memcpy(part, best->part, values->n_vertices * sizeof *part);
    grid_name(values, choice, "", flow->decomposition, sizeof flow->decomposition);
    return PARCAST_OK;
}

parcast_status grid_evaluate(const parcast_values *values, const struct grid_choice *choice,
                             parcast_flow *flow, uint32_t *part, parcast_error *error)
{
    struct grid_trials trials;
    parcast_status status = grid_begin(values, choice, &trials, error);
    if (!status) status = grid_end(values, choice, &trials, error);
    if (!status) status = grid_take(values, choice, &trials, flow, part, error);
    grid_clear(&trials);
    return status;
}

const char *grid_list_arrays(const parcast_values *values, char *text, size_t size)
{
    size_t n = 0;
    char name[48];
    for (size_t i = 0; i < values->n_arrays && n < size; i++)
        if (!values->arrays[i].is_result && values->arrays[i].words > 1)
            n += (size_t)snprintf(text + n, size - n, "%s%s %llu", n ? ", " : "",
                                  describe_name(values, (uint32_t)i, name, sizeof name),
                                  (unsigned long long)values->arrays[i].words);
    return text;
}

parcast_status grid_nothing_sent(size_t p, const char *name, parcast_flow *flow, parcast_error *error)
{
    uint64_t *matrix = calloc(p * p, sizeof *matrix);
    if (!matrix) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu parts", p);
    *flow = (parcast_flow){.processes = p, .matrix = matrix};
    snprintf(flow->decomposition, sizeof flow->decomposition, "%s",
             name ? name : "any: no value is read by another word");
    return PARCAST_OK;
}
