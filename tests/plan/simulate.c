#include "simulate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario.h"

struct noise {
    uint64_t seed;
    double ln; /* of the iteration before */
};

static double real_s(const parcast_malleable *m, const struct truth *t, int size, int64_t i, int64_t n,
                     struct noise *noise)
{
    size_t k = (size_t)(i * (int64_t)m->n_blocks / n);
    double seconds = m->iteration_s[k * m->n_sizes + (size_t)size];
    if (t->factor[size] > 0) seconds *= t->factor[size];
    if (t->power > 0) seconds *= (t->power + 1) * pow(1 - (double)i / (double)n, t->power);
    bool slow = t->slow_from > 0 && i >= t->slow_from && (t->slow_to == 0 || i < t->slow_to);
    if (slow) seconds *= t->slow_ratio;
    double memory = t->noise_memory;
    noise->ln = memory * noise->ln + sqrt(1 - memory * memory) * t->noise_ln * scenario_normal(&noise->seed);
    if (t->spikes > 0 && scenario_uniform(&noise->seed, 0, 1) < t->spikes) seconds *= 10;
    return seconds * exp(noise->ln);
}

static const parcast_move_model *move_of(const parcast_malleable *m, const struct truth *t)
{
    return t->move ? t->move : &m->move;
}

struct run {
    const parcast_malleable *m;
    const struct truth *t;
    parcast_decision *d;
    struct outcome *o;
    struct noise noise;
    double elapsed_s;
    int size; /* -1: nothing runs */
    int next; /* size that is being launched beside it; -1: none */
    double ready_s;
    int asked; /* nodes that were asked for ahead of a move */
    double asked_ready_s;
    double last_move_s, last_move_at_s;
    int left; /* size that was left; its nodes are held until left_until_s */
    double left_until_s;
    bool begins;      /* the next sample is the first one after a launch */
    double settled_s; /* when the last move is over in every respect */
    int64_t i, n;
};

static double price(const struct run *r, int size)
{
    return size < 0 ? 0 : r->m->sizes[size].price_per_s;
}

/* Time goes by with these nodes held. */
static void pass(struct run *r, double seconds)
{
    r->elapsed_s += seconds;
    int asked = r->asked > 0 ? parcast_malleable_size(r->m, r->asked) : -1;
    double rate = fmax(fmax(price(r, r->size), price(r, r->next)), price(r, asked));
    double held_s = fmin(fmax(r->left_until_s - (r->elapsed_s - seconds), 0), seconds);
    r->o->cost += seconds * rate + held_s * fmax(0, price(r, r->left) - rate);
}

static void count_move(struct run *r, const parcast_size *to, double took_s)
{
    struct outcome *o = r->o;
    int n = o->moves, now = o->nodes[n % 64], before = n > 0 ? o->nodes[(n - 1) % 64] : now;
    if (n > 0 && (to->nodes > now) != (now > before)) o->turns++;
    if (n > 0 && to->nodes == before && r->elapsed_s - r->last_move_at_s < 10 * r->last_move_s) o->flaps++;
    o->moves++;
    r->last_move_s = took_s;
    r->last_move_at_s = r->elapsed_s;
}

static void make_move(struct run *r, int size)
{
    const parcast_size *from = r->size < 0 ? NULL : &r->m->sizes[r->size], *to = &r->m->sizes[size];
    double ratio = r->t->move_ratio > 0 ? r->t->move_ratio : 1;
    parcast_move_time time = parcast_move_predict(move_of(r->m, r->t), from, to);
    parcast_move_measured measured = {.from_nodes = from ? from->nodes : 0,
                                      .to_nodes = to->nodes,
                                      .stop_s = time.stop_s * ratio,
                                      .move_s = time.move_s * ratio,
                                      .launch_s = time.launch_s * ratio,
                                      .startup_s = NAN,
                                      .bytes = r->t->state_bytes > 0 ? r->t->state_bytes : NAN,
                                      .beside_s = time.beside_s * ratio};
    double still_s = (time.stop_s + time.move_s + time.launch_s) * ratio;
    r->next = size;
    pass(r, still_s + (from ? 0 : to->startup_s));
    if (from) {
        r->o->still_s += still_s;
        count_move(r, to, still_s + measured.beside_s);
        r->settled_s = r->elapsed_s + r->t->unsettled_s;
    }
    r->o->nodes[r->o->moves % 64] = to->nodes;
    if (from && to->nodes < from->nodes) {
        r->left = r->size;
        r->left_until_s = r->elapsed_s + ratio * time.held_s;
    }
    r->begins = true;
    r->size = size;
    r->next = -1;
    r->asked = 0;
    assert_int_equal(parcast_decision_moved(r->d, &measured, NULL), PARCAST_OK);
}

/* A growth that lies ahead: its nodes start up meanwhile. */
static void ask_ahead(struct run *r, const parcast_answer *a)
{
    int size = parcast_malleable_size(r->m, a->request_nodes);
    if (r->size < 0 || a->request_nodes <= r->m->sizes[r->size].nodes) {
        r->asked = 0;
    } else if (a->request_nodes != r->asked) {
        r->asked = a->request_nodes;
        r->asked_ready_s = r->elapsed_s + r->m->sizes[size].startup_s;
    }
}

/* Other nodes start up, and a launch goes on beside the running program; then it moves. */
static void follow(struct run *r, const parcast_answer *a)
{
    int size = parcast_malleable_size(r->m, a->nodes);
    if (r->size >= 0 && r->next >= 0 && size != r->next) r->o->dropped++;
    if (size == r->size) {
        r->next = -1;
        return;
    }
    if (r->size < 0) {
        make_move(r, size);
        return;
    }
    const parcast_size *from = &r->m->sizes[r->size], *to = &r->m->sizes[size];
    if (size != r->next) {
        double ratio = r->t->move_ratio > 0 ? r->t->move_ratio : 1, there_s = r->elapsed_s;
        if (to->nodes > from->nodes) there_s += to->startup_s;
        if (to->nodes <= r->asked) there_s = fmax(r->elapsed_s, r->asked_ready_s);
        r->ready_s = there_s + ratio * parcast_move_predict(move_of(r->m, r->t), from, to).beside_s;
        r->next = size;
    }
    if (r->elapsed_s >= r->ready_s) make_move(r, size);
}

static void note_answer(struct run *r, const parcast_answer *a)
{
    if (isfinite(a->end_s)) assert_true(a->end_low_s <= a->end_s && a->end_s <= a->end_high_s);
    if (isfinite(a->cost)) assert_true(a->cost_low <= a->cost && a->cost <= a->cost_high);
    if (r->o->first_end_s == 0 && isfinite(a->end_s)) {
        r->o->first_end_s = a->end_s;
        r->o->first_low_s = a->end_low_s;
        r->o->first_high_s = a->end_high_s;
        r->o->first_cost = a->cost;
    }
    if (!a->deadline_met && !r->o->said_late) r->o->said_late_at = r->i;
    r->o->said_late = r->o->said_late || !a->deadline_met;
    r->o->last = *a;
}

static void safe_point(struct run *r)
{
    parcast_error error;
    const parcast_malleable *m = r->m;
    const struct truth *t = r->t;
    bool lost = t->lost_at > 0 && r->i >= t->lost_at && (t->back_at == 0 || r->i < t->back_at);
    int available = lost ? t->left : m->sizes[m->n_sizes - 1].nodes;
    int nodes = r->size < 0 ? 0 : m->sizes[r->size].nodes;
    if (nodes > available) {
        nodes = 0;
        r->size = -1;
    }
    if (r->next >= 0 && m->sizes[r->next].nodes > available) r->next = -1;
    parcast_run_state state = {.elapsed_s = r->elapsed_s,
                               .cost = r->o->cost,
                               .iteration = r->i,
                               .iterations_left = r->n - r->i,
                               .nodes = nodes,
                               .nodes_held = r->asked > nodes ? r->asked : 0,
                               .nodes_available = available,
                               .state_bytes = r->size >= 0 ? t->state_bytes : 0};
    parcast_answer a;
    if (parcast_decision_take(r->d, &state, &a, &error)) fail_msg("%s", error.text);
    note_answer(r, &a);
    assert_true(a.nodes >= 1 && a.nodes <= available);
    assert_true(a.reason[0] != '\0');
    ask_ahead(r, &a);
    follow(r, &a);
}

struct outcome simulate(const parcast_malleable *m, const struct truth *t, parcast_plan_goal goal,
                        const parcast_decision_options *options, int64_t every, uint64_t seed)
{
    struct outcome o = {.time_s = 0};
    struct run r = {.m = m,
                    .t = t,
                    .o = &o,
                    .size = -1,
                    .next = -1,
                    .left = -1,
                    .noise = {seed, 0},
                    .n = parcast_malleable_iterations(m)};
    parcast_error error;
    if (parcast_decision_create(m, &goal, options, &r.d, &error)) fail_msg("%s", error.text);
    while (r.i < r.n) {
        safe_point(&r);
        int64_t n = r.n - r.i < every ? r.n - r.i : every;
        double seconds = r.begins ? t->begin_s : 0;
        r.begins = false;
        for (int64_t j = 0; j < n; j++) {
            bool unsettled = r.elapsed_s + seconds < r.settled_s;
            seconds += real_s(m, t, r.size, r.i + j, r.n, &r.noise) * (unsettled ? t->unsettled_ratio : 1);
        }
        pass(&r, seconds);
        assert_int_equal(parcast_decision_measured(r.d, m->sizes[r.size].nodes, r.i, n, seconds, NULL),
                         PARCAST_OK);
        r.i += n;
    }
    o.time_s = r.elapsed_s;
    parcast_decision_destroy(&r.d);
    return o;
}

/* What the iterations of a block take on a size, noise aside. */
static double true_s(const parcast_malleable *m, const struct truth *t, int64_t block, int size)
{
    struct truth smooth = *t;
    struct noise none = {1, 0};
    smooth.noise_ln = smooth.spikes = 0;
    int64_t n = parcast_malleable_iterations(m), each = n / (int64_t)m->n_blocks;
    double seconds = real_s(m, &smooth, size, block * each + each / 2, n, &none);
    return seconds * exp(0.5 * t->noise_ln * t->noise_ln) * (1 + 9 * t->spikes);
}

double with_hindsight(const parcast_malleable *m, const struct truth *t, parcast_plan_goal goal)
{
    parcast_malleable real = *m;
    parcast_plan *plan;
    parcast_error error;
    real.move = *move_of(m, t);
    real.iteration_s = calloc(m->n_blocks * m->n_sizes, sizeof(double));
    assert_non_null(real.iteration_s);
    for (size_t k = 0; k < m->n_blocks; k++)
        for (size_t q = 0; q < m->n_sizes; q++)
            real.iteration_s[k * m->n_sizes + q] = true_s(m, t, (int64_t)k, (int)q);
    if (parcast_plan_create(&real, &goal, true, &plan, &error)) fail_msg("%s", error.text);
    bool met = plan->deadline_met && plan->budget_met;
    double best = !met ? NAN : isnan(goal.budget) ? plan->cost : plan->time_s;
    parcast_plan_destroy(&plan);
    free(real.iteration_s);
    return best;
}

struct outcome stay_on(const parcast_malleable *m, const struct truth *t, int nodes, uint64_t seed)
{
    int size = parcast_malleable_size(m, nodes);
    struct noise noise = {seed, 0};
    parcast_move_time launch = parcast_move_predict(move_of(m, t), NULL, &m->sizes[size]);
    double seconds = m->sizes[size].startup_s + launch.launch_s;
    int64_t n = parcast_malleable_iterations(m);
    for (int64_t i = 0; i < n; i++) seconds += real_s(m, t, size, i, n, &noise);
    return (struct outcome){.time_s = seconds, .cost = m->sizes[size].price_per_s * seconds};
}
