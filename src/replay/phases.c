#include "replay/phases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the marked ones, the first row is what lies outside of all marks, or at level 1, and the last what came
   when the table was full. Of iterations the first is what lies before them, the second what lies after. */
enum { UNMARKED = 0, MOST_MARKED = 64, BEFORE = 0, AFTER = 1, FIRST_ITERATION = 2, MOST_ITERATIONS = 256 };
enum { MOST_NESTED = 16 };

enum row_kind { ROW_UNMARKED, ROW_LEVEL, ROW_REGION, ROW_OTHERS, ROW_BEFORE, ROW_AFTER, ROW_ITERATION };

struct phase_row {
    enum row_kind kind;
    int32_t number;
    double time_ps, compute_ps, waiting_ps; /* sums over ranks */
};

struct phase_rank {
    struct rank_figures begin; /* of the phase that the rank is in */
    int64_t at;                /* row; iterations: AFTER, BEFORE or FIRST_ITERATION + number */
    int32_t level_row;
    uint32_t n_nested; /* regions that are open, those beyond MOST_NESTED too */
    int32_t nested[MOST_NESTED];
};

bool phases_create(struct phases *p, uint32_t n_ranks, const parcast_replay_loop *loops)
{
    *p = (struct phases){.n_ranks = n_ranks, .stride = 1, .loops = loops};
    if (loops) p->n_calls = calloc(n_ranks, sizeof *p->n_calls);
    return !loops || p->n_calls;
}

void phases_destroy(struct phases *p)
{
    free(p->marked.rows);
    free(p->marked.ranks);
    free(p->iterations.rows);
    free(p->iterations.ranks);
    free(p->n_calls);
    *p = (struct phases){0};
}

static bool add_row(struct phase_list *list, enum row_kind kind, int32_t number)
{
    if (list->n_rows == list->room) {
        uint32_t room = list->room ? 2 * list->room : 16;
        struct phase_row *rows = realloc(list->rows, room * sizeof *rows);
        if (!rows) return false;
        list->rows = rows;
        list->room = room;
    }
    list->rows[list->n_rows++] = (struct phase_row){.kind = kind, .number = number};
    return true;
}

/* All ranks have been in row 0 since date 0. */
static bool begin_list(const struct phases *p, struct phase_list *list, bool iterations)
{
    if (list->ranks) return true;
    list->ranks = calloc(p->n_ranks, sizeof *list->ranks);
    if (!list->ranks) return false;
    if (!iterations) return add_row(list, ROW_UNMARKED, 0);
    return add_row(list, ROW_BEFORE, 0) && add_row(list, ROW_AFTER, 0);
}

/* Iterations share rows when there are many. */
static uint32_t row_of(const struct phases *p, const struct phase_list *list, int64_t at)
{
    if (list != &p->iterations || at < FIRST_ITERATION) return (uint32_t)at;
    return (uint32_t)(FIRST_ITERATION + (at - FIRST_ITERATION) / p->stride);
}

static void leave(const struct phases *p, struct phase_list *list, uint32_t rank,
                  const struct rank_figures *now)
{
    struct phase_rank *state = &list->ranks[rank];
    struct phase_row *row = &list->rows[row_of(p, list, state->at)];
    row->time_ps += (double)(now->now_ps - state->begin.now_ps);
    row->compute_ps += (double)(now->compute_ps - state->begin.compute_ps);
    row->waiting_ps += (double)(now->waiting_ps - state->begin.waiting_ps);
    state->begin = *now;
}

static void enter(const struct phases *p, struct phase_list *list, uint32_t rank, int64_t at,
                  const struct rank_figures *now)
{
    if (list->ranks[rank].at == at) return;
    leave(p, list, rank, now);
    list->ranks[rank].at = at;
}

/* Levels and regions. */

/* The row, made if it is new; of too many the last is all the rest. Negative: memory is short. */
static int32_t marked_row(struct phase_list *list, enum row_kind kind, int32_t number)
{
    for (uint32_t i = 0; i < list->n_rows; i++)
        if (list->rows[i].kind == kind && list->rows[i].number == number) return (int32_t)i;
    if (list->n_rows > MOST_MARKED) return MOST_MARKED;
    if (list->n_rows == MOST_MARKED) kind = ROW_OTHERS;
    return add_row(list, kind, number) ? (int32_t)list->n_rows - 1 : -1;
}

static void begin_region(struct phase_rank *state, int32_t row)
{
    if (state->n_nested < MOST_NESTED) state->nested[state->n_nested] = row;
    state->n_nested++;
}

/* The region that ends, and those in it that were left open; nothing if it never began. */
static void end_region(struct phase_rank *state, int32_t row)
{
    uint32_t n = state->n_nested;
    if (n > MOST_NESTED) {
        state->n_nested--;
        return;
    }
    while (n > 0 && state->nested[n - 1] != row) n--;
    if (n > 0) state->n_nested = n - 1;
}

static int64_t current_row(const struct phase_rank *state)
{
    uint32_t n = state->n_nested < MOST_NESTED ? state->n_nested : MOST_NESTED;
    return n > 0 ? state->nested[n - 1] : state->level_row;
}

static bool mark_region_or_level(struct phases *p, uint32_t rank, const parcast_operation *o,
                                 const struct rank_figures *now)
{
    bool level = o->mark == PARCAST_MARK_LEVEL;
    if (!begin_list(p, &p->marked, false)) return false;
    struct phase_row *first = &p->marked.rows[UNMARKED];
    if (level && first->kind == ROW_UNMARKED) { /* MPI_Pcontrol: level 1 from the start */
        first->kind = ROW_LEVEL;
        first->number = 1;
    }
    int32_t row = marked_row(&p->marked, level ? ROW_LEVEL : ROW_REGION, o->value);
    struct phase_rank *state = &p->marked.ranks[rank];
    if (row < 0) return false;
    if (level)
        state->level_row = row;
    else if (o->mark == PARCAST_MARK_REGION_BEGIN)
        begin_region(state, row);
    else
        end_region(state, row);
    enter(p, &p->marked, rank, current_row(state), now);
    return true;
}

/* Iterations. */

/* Two rows become one. */
static void coarsen(struct phases *p)
{
    struct phase_list *list = &p->iterations;
    uint32_t n = list->n_rows - FIRST_ITERATION;
    for (uint32_t i = 0; i < n; i++) {
        struct phase_row *from = &list->rows[FIRST_ITERATION + i], *to = &list->rows[FIRST_ITERATION + i / 2];
        if (i % 2 == 0) {
            *to = *from;
            continue;
        }
        to->time_ps += from->time_ps;
        to->compute_ps += from->compute_ps;
        to->waiting_ps += from->waiting_ps;
    }
    list->n_rows = FIRST_ITERATION + (n + 1) / 2;
    p->stride *= 2;
}

static bool enter_iteration(struct phases *p, uint32_t rank, int64_t number, const struct rank_figures *now)
{
    struct phase_list *list = &p->iterations;
    while (number / p->stride >= MOST_ITERATIONS) coarsen(p);
    while (list->n_rows <= row_of(p, list, FIRST_ITERATION + number))
        if (!add_row(list, ROW_ITERATION, 0)) return false;
    if (number > p->last_iteration) p->last_iteration = number;
    enter(p, list, rank, FIRST_ITERATION + number, now);
    return true;
}

static bool mark_iteration(struct phases *p, uint32_t rank, int32_t value, const struct rank_figures *now)
{
    if (!p->iterations.ranks) p->first_iteration = value;
    if (!begin_list(p, &p->iterations, true)) return false;
    if (value < p->first_iteration) {
        enter(p, &p->iterations, rank, BEFORE, now);
        return true;
    }
    return enter_iteration(p, rank, value - p->first_iteration, now);
}

bool phases_mark(struct phases *p, uint32_t rank, const parcast_operation *o, const struct rank_figures *now)
{
    if (o->mark != PARCAST_MARK_ITERATION) return mark_region_or_level(p, rank, o, now);
    if (!p->iterations.ranks) p->loops = NULL; /* what the program says is better than what was found */
    return p->loops || mark_iteration(p, rank, o->value, now);
}

bool phases_is_call(const parcast_operation *o)
{
    return o->kind != PARCAST_OPERATION_COMPUTE && o->kind != PARCAST_OPERATION_SLEEP &&
           o->kind != PARCAST_OPERATION_TEST && o->kind != PARCAST_OPERATION_PROBE &&
           o->kind != PARCAST_OPERATION_MARK && o->kind != PARCAST_OPERATION_END;
}

bool phases_operation(struct phases *p, uint32_t rank, const parcast_operation *o,
                      const struct rank_figures *now)
{
    if (!p->loops || !phases_is_call(o)) return true;
    const parcast_replay_loop *loop = &p->loops[rank];
    uint64_t number = p->n_calls[rank]++;
    if (loop->n_rounds == 0 || number < loop->first || (number - loop->first) % loop->length) return true;
    uint64_t round = (number - loop->first) / loop->length;
    if (round > loop->n_rounds || round > INT32_MAX) return true;
    if (!begin_list(p, &p->iterations, true)) return false;
    if (round < loop->n_rounds) return enter_iteration(p, rank, (int64_t)round, now);
    enter(p, &p->iterations, rank, AFTER, now);
    return true;
}

void phases_end(struct phases *p, uint32_t rank, const struct rank_figures *now)
{
    if (p->marked.ranks) leave(p, &p->marked, rank, now);
    if (p->iterations.ranks) leave(p, &p->iterations, rank, now);
}

/* The result. */

static void name_row(const struct phases *p, const struct phase_row *row, uint32_t index, char *name,
                     size_t size)
{
    static const char *const names[] = {
        [ROW_UNMARKED] = "unmarked",  [ROW_LEVEL] = "level",   [ROW_REGION] = "region",
        [ROW_OTHERS] = "other marks", [ROW_BEFORE] = "before", [ROW_AFTER] = "after"};
    long long first = ((long long)index - FIRST_ITERATION) * p->stride, last = first + p->stride - 1;
    if (last > p->last_iteration) last = p->last_iteration;
    first += p->first_iteration;
    last += p->first_iteration;
    if (row->kind == ROW_ITERATION && last > first)
        snprintf(name, size, "iterations %lld-%lld", first, last);
    else if (row->kind == ROW_ITERATION)
        snprintf(name, size, "iteration %lld", first);
    else if (row->kind == ROW_LEVEL || row->kind == ROW_REGION)
        snprintf(name, size, "%s %d", names[row->kind], row->number);
    else
        snprintf(name, size, "%s", names[row->kind]);
}

static void put_row(const struct phases *p, const struct phase_list *list, uint32_t index,
                    parcast_replay_result *result)
{
    const struct phase_row *row = &list->rows[index];
    double per_s = 1 / (1e12 * p->n_ranks);
    if (row->time_ps <= 0) return;
    parcast_replay_phase *phase = &result->phases[result->n_phases++];
    name_row(p, row, index, phase->name, sizeof phase->name);
    phase->iteration = list == &p->iterations;
    phase->time_s = row->time_ps * per_s;
    phase->compute_s = row->compute_ps * per_s;
    phase->communication_s = (row->time_ps - row->compute_ps) * per_s;
    phase->waiting_s = row->waiting_ps * per_s;
}

bool phases_take(const struct phases *p, parcast_replay_result *result)
{
    uint32_t n_marked = p->marked.n_rows, n_iterations = p->iterations.n_rows;
    if (n_marked + n_iterations == 0) return true;
    result->phases = calloc(n_marked + n_iterations, sizeof *result->phases);
    if (!result->phases) return false;
    for (uint32_t i = 0; i < n_marked; i++) put_row(p, &p->marked, i, result);
    if (n_iterations == 0) return true;
    put_row(p, &p->iterations, BEFORE, result);
    for (uint32_t i = FIRST_ITERATION; i < n_iterations; i++) put_row(p, &p->iterations, i, result);
    put_row(p, &p->iterations, AFTER, result);
    return true;
}
