#include "valueflow/runtime/steps/tally.h"

#include <math.h>
#include <string.h>

#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/steps/course.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/value.h"

/* Courses (course.h) of a vertex: of its work, and of its first net, which is the only one of most. */
static struct word {
    uint32_t work, net, state;
} *words;
/* The same of the first sum of a vertex, which few have. */
static struct sum {
    uint32_t key, course;
} *sums;
/* Courses by number of a net, of a chain net. */
static struct courses {
    uint32_t *of, n;
    size_t capacity;
} others, other_sums;
static size_t word_capacity, sum_capacity;
static uint32_t n_words;
static long double flop_more, values_more, flop_base, values_base;
static bool is_finished;

static uint32_t *course_of(struct courses *courses, uint32_t net)
{
    courses->of = vf_grow_exact(courses->of, &courses->capacity, sizeof *courses->of, net);
    if (net >= courses->n) courses->n = net + 1;
    return &courses->of[net];
}

static struct sum *sum_of(uint32_t vertex)
{
    sums = vf_grow_sparse(sums, &sum_capacity, sizeof *sums, vertex);
    return &sums[vertex];
}

static void add(uint32_t *course, uint32_t n)
{
    *course = vf_course_add(*course, n);
}

static void add_net(uint32_t vertex, uint32_t state, uint32_t n)
{
    struct word *word = &words[vertex];
    if (!word->state) word->state = state;
    add(word->state == state ? &word->net : course_of(&others, vf_net_of(&vf_nets, vertex, state)), n);
}

static void add_chain(uint32_t vertex, uint32_t key, uint32_t n)
{
    struct sum *sum = sum_of(vertex);
    if (!sum->key) sum->key = key;
    add(sum->key == key ? &sum->course : course_of(&other_sums, vf_net_of(&vf_chain_nets, vertex, key)), n);
}

static void add_vertices(void)
{
    n_words = vf_vertices_size();
    words = vf_grow_exact(words, &word_capacity, sizeof *words, n_words);
    for (uint32_t v = 1; v < n_words; v++) {
        const struct vf_vertex *vertex = &vf_vertices[v];
        if (vertex->net_count && vertex->net_state != VF_SEVERAL)
            add_net(v, vertex->net_state, vertex->net_count);
        if (vertex->chain_count) add_chain(v, vertex->chain_key, vertex->chain_count);
        if (vertex->work) add(&words[v].work, vertex->work);
    }
}

static void add_nets(void)
{
    for (uint32_t i = 1; i < vf_nets.n; i++) {
        const struct vf_net *net = &vf_nets.net[i];
        if (!net->count) continue;
        bool is_first = words[net->vertex].state == net->what || !words[net->vertex].state;
        if (is_first)
            add_net(net->vertex, net->what, net->count);
        else
            add(course_of(&others, i), net->count);
    }
}

static void add_chain_nets(void)
{
    for (uint32_t i = 1; i < vf_chain_nets.n; i++) {
        const struct vf_net *net = &vf_chain_nets.net[i];
        if (!net->count) continue;
        uint32_t first = sum_of(net->vertex)->key;
        if (first == net->what || !first)
            add_chain(net->vertex, net->what, net->count);
        else
            add(course_of(&other_sums, i), net->count);
    }
}

/* As vf_value_finish() would count what is alive. */
static void add_alive(void)
{
    for (uint32_t id = VF_CONSTANT + 1; id < vf_n_values; id++) {
        const struct vf_value *value = &vf_values[id];
        if (value->vertex == VF_BUNDLE) continue;
        if (value->state && (!vf_is_unread(value) || vf_vertices[value->vertex].net_state == value->state))
            add_net(value->vertex, value->state, 1);
        if (!value->chain) continue;
        add_chain(value->vertex, vf_chain_key(value->chain, value->vertex), 1);
    }
}

void vf_tally_add(double times, bool is_base)
{
    vf_courses_cut(times, is_base);
    add_vertices();
    add_nets();
    add_chain_nets();
    add_alive();
    flop_more += (long double)times * vf_region_flop();
    values_more += (long double)times * vf_values_created();
    if (!is_base) return;
    flop_base = vf_region_flop();
    values_base = vf_values_created();
}

void vf_tally_multiply(double times)
{
    vf_courses_multiply(times);
    flop_more *= times;
    values_more *= times;
}

/* ---- the whole run ---- */

/* A value that lived on and was read by more moved from one net of its vertex, or one chain, to another: no
 * new version. By vertex, what its nets and chains have lost so; few have, or those beside each other. */
struct moved {
    double *lost;
    size_t capacity;
};

static void lose(struct moved *moved, uint32_t vertex, uint32_t course)
{
    double more = vf_course_of(course).more;
    if (more >= 0) return;
    if (vertex >= moved->capacity)
        moved->lost = vf_grow_scattered(moved->lost, &moved->capacity, sizeof *moved->lost, n_words);
    moved->lost[vertex] -= more;
}

static double taken(struct moved *moved, uint32_t vertex, double more)
{
    if (!moved->lost || moved->lost[vertex] <= 0) return 0;
    double n = moved->lost[vertex] < more ? moved->lost[vertex] : more;
    moved->lost[vertex] -= n;
    return n;
}

static uint32_t whole(struct moved *moved, uint32_t vertex, uint32_t course)
{
    struct vf_course count = vf_course_of(course);
    double more = count.more > 0 ? count.more - taken(moved, vertex, count.more) : 0;
    double n = count.base + round(more);
    if (n > (double)UINT32_MAX) vf_stop("more than 2^32 values of one word; use fewer iterations");
    return (uint32_t)n;
}

static void end_moved(struct moved *moved)
{
    if (moved->lost) vf_unmap(moved->lost, moved->capacity * sizeof *moved->lost);
}

static void lose_all(struct moved *moved, const struct vf_nets *nets, const struct courses *courses)
{
    for (uint32_t i = 1; i < courses->n; i++) lose(moved, nets->net[i].vertex, courses->of[i]);
}

/* Only those that have versions are left, and none is looked up any more. */
static void keep_counted(struct moved *moved, struct vf_nets *nets, struct courses *courses)
{
    uint32_t kept = 1;
    for (uint32_t i = 1; i < nets->n; i++) {
        struct vf_net net = nets->net[i];
        net.count = whole(moved, net.vertex, *course_of(courses, i));
        if (net.count) nets->net[kept++] = net;
    }
    nets->n = kept;
}

static void finish_nets(void)
{
    struct moved moved = {0};
    for (uint32_t v = 1; v < n_words; v++) lose(&moved, v, words[v].net);
    lose_all(&moved, &vf_nets, &others);
    for (uint32_t v = 1; v < n_words; v++) {
        vf_vertices[v].net_state = words[v].state;
        vf_vertices[v].net_count = whole(&moved, v, words[v].net);
    }
    keep_counted(&moved, &vf_nets, &others);
    end_moved(&moved);
}

static void finish_chains(void)
{
    struct moved moved = {0};
    uint32_t n_sums = sum_capacity < n_words ? (uint32_t)sum_capacity : n_words;
    for (uint32_t v = 1; v < n_sums; v++) lose(&moved, v, sums[v].course);
    lose_all(&moved, &vf_chain_nets, &other_sums);
    for (uint32_t v = 1; v < n_sums; v++) {
        if (!sums[v].key) continue;
        vf_vertices[v].chain_key = sums[v].key;
        vf_vertices[v].chain_count = whole(&moved, v, sums[v].course);
    }
    keep_counted(&moved, &vf_chain_nets, &other_sums);
    end_moved(&moved);
}

void vf_tally_finish(void)
{
    finish_nets();
    finish_chains();
    is_finished = true;
}

bool vf_tally_is_finished(void)
{
    return is_finished;
}

double vf_tally_work(uint32_t vertex)
{
    if (!is_finished) return vf_vertices[vertex].work;
    struct vf_course course = vf_course_of(words[vertex].work);
    double work = course.base + course.more;
    return work > 0 ? work : 0;
}

static uint64_t whole_of(long double base, long double more)
{
    long double n = base + roundl(more);
    if (n >= 0x1p63L) vf_stop("more than 2^63 operations or values; use fewer iterations");
    return n > 0 ? (uint64_t)n : 0;
}

uint64_t vf_tally_flop(void)
{
    return is_finished ? whole_of(flop_base, flop_more) : vf_region_flop();
}

uint64_t vf_tally_values(void)
{
    return is_finished ? whole_of(values_base, values_more) : vf_values_created();
}
