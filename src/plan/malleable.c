/* A malleable program: sizes of a platform, blocks of iterations, T_k(p). docs/models/plan.md, section 1. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/malleable.h"

enum { MAX_SIZES = 256, MAX_BLOCKS = 10000, MAX_CELLS = 4000000, DEFAULT_ITERATIONS = 100 };

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
}

void parcast_malleable_destroy(parcast_malleable **malleable)
{
    if (!malleable || !*malleable) return;
    parcast_malleable *m = *malleable;
    for (size_t i = 0; i < m->n_notes; i++) free(m->notes[i]);
    char *texts[] = {m->program, m->arguments, m->platform, m->currency};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
    free(m->notes);
    free(m->sizes);
    free(m->blocks);
    free(m->iteration_s);
    free(m);
    *malleable = NULL;
}

parcast_status malleable_note(parcast_malleable *m, const char *text, parcast_error *error)
{
    char **notes = realloc(m->notes, (m->n_notes + 1) * sizeof *notes);
    if (!notes) return no_memory(error);
    m->notes = notes;
    notes[m->n_notes] = strdup(text);
    if (!notes[m->n_notes]) return no_memory(error);
    m->n_notes++;
    return PARCAST_OK;
}

int64_t parcast_malleable_iterations(const parcast_malleable *malleable)
{
    int64_t n = 0;
    for (size_t k = 0; k < malleable->n_blocks; k++) n += malleable->blocks[k].n_iterations;
    return n;
}

int parcast_malleable_size(const parcast_malleable *malleable, int nodes)
{
    int found = -1;
    for (size_t q = 0; q < malleable->n_sizes && malleable->sizes[q].nodes <= nodes; q++) found = (int)q;
    return found;
}

/* ---- options ---- */

static parcast_status check_options(const parcast_platform *platform, const parcast_malleable_options *o,
                                    parcast_error *error)
{
    int all = parcast_platform_nodes(platform);
    if (o->n_iterations < 0 || o->ranks_per_node < 0 || o->min_nodes < 0 || o->max_nodes < 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "a number below 0 in the options of a plan");
    if (o->min_nodes > all || (o->max_nodes && o->min_nodes > o->max_nodes)) {
        parcast_error_set(error, PARCAST_INVALID, NULL, 0, "at least %d nodes are asked for, but %s",
                          o->min_nodes, o->min_nodes > all ? "the platform has fewer" : "the most is less");
        parcast_error_hint(error, "platform '%s' has %d nodes", platform->name, all);
        return PARCAST_INVALID;
    }
    double sum = 0;
    for (size_t i = 0; o->work && i < o->n_work; i++) {
        if (!(o->work[i] >= 0) || !isfinite(o->work[i]))
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "work of iteration %zu is no amount",
                                     i);
        sum += o->work[i];
    }
    if (o->work && !(sum > 0))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the iterations have no work at all");
    const parcast_move_model *v = o->move;
    if (v && (!(v->stop_s >= 0) || !(v->bytes >= 0) || !(v->save_bytes_per_s > 0) ||
              !(v->move_bytes_per_s > 0) || !(v->launch_s >= 0) || !(v->launch_per_rank_s >= 0) ||
              !(v->launch_per_node_s >= 0) || !(v->begin_s >= 0) || !(v->resume_s >= 0)))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "the times of a move are below 0 or unknown");
    return PARCAST_OK;
}

/* ---- sizes ---- */

/* Sums over the first `nodes` nodes; sd_ln is left. */
static parcast_size size_of(const parcast_platform *platform, int nodes, int ranks_per_node)
{
    const parcast_node_type *first = &platform->types[0];
    parcast_size size = {.nodes = nodes};
    int left = nodes;
    for (size_t t = 0; t < platform->n_types && left > 0; t++) {
        const parcast_node_type *type = &platform->types[t];
        int n = left < type->count ? left : type->count;
        int ranks = ranks_per_node ? ranks_per_node : type->cores;
        int busy = ranks < type->cores ? ranks : type->cores;
        size.processes += n * ranks;
        size.capacity += (double)n * busy * type->speed / first->speed;
        size.price_per_s += n * type->price_per_hour / 3600;
        size.startup_s = fmax(size.startup_s, type->startup_delay_s);
        left -= n;
    }
    return size;
}

/* Money is compared between sizes, so all have a price or none. */
static parcast_status check_prices(parcast_malleable *m, parcast_error *error)
{
    bool some = !isnan(m->sizes[0].price_per_s), all = !isnan(m->sizes[m->n_sizes - 1].price_per_s);
    if (all) return PARCAST_OK;
    for (size_t q = 0; q < m->n_sizes; q++) m->sizes[q].price_per_s = NAN;
    if (!some) return PARCAST_OK;
    return malleable_note(
        m, "cost is not known: some nodes have no price_per_hour; node-seconds count instead", error);
}

static parcast_status make_sizes(parcast_malleable *m, const parcast_platform *platform,
                                 const parcast_malleable_options *o, parcast_error *error)
{
    int least = o->min_nodes ? o->min_nodes : 1, most = parcast_platform_nodes(platform);
    if (o->max_nodes && o->max_nodes < most) most = o->max_nodes;
    int count = most - least + 1;
    m->n_sizes = count > MAX_SIZES ? MAX_SIZES : (size_t)count;
    m->sizes = calloc(m->n_sizes, sizeof *m->sizes);
    if (!m->sizes) return no_memory(error);
    for (size_t q = 0; q < m->n_sizes; q++) {
        double step = m->n_sizes > 1 ? (double)(count - 1) / (double)(m->n_sizes - 1) : 0;
        m->sizes[q] = size_of(platform, least + (int)lround((double)q * step), o->ranks_per_node);
    }
    if (count > MAX_SIZES) {
        char text[128];
        snprintf(text, sizeof text, "%d of the %d node counts are looked at, in even steps", MAX_SIZES,
                 count);
        parcast_status status = malleable_note(m, text, error);
        if (status) return status;
    }
    return check_prices(m, error);
}

/* ---- blocks ---- */

static double work_at(const parcast_malleable_options *o, int64_t iteration, int64_t n)
{
    if (!o->work) return 1;
    return o->work[(size_t)((double)iteration * (double)o->n_work / (double)n)];
}

/* Block k has iterations [k n / K, (k + 1) n / K). serial_s holds the relative work for now. */
static parcast_status make_blocks(parcast_malleable *m, const parcast_malleable_options *o,
                                  parcast_error *error)
{
    int64_t n = o->n_iterations;
    if (n == 0) n = o->work ? (int64_t)o->n_work : DEFAULT_ITERATIONS;
    size_t most = MAX_CELLS / m->n_sizes < MAX_BLOCKS ? MAX_CELLS / m->n_sizes : MAX_BLOCKS;
    m->n_blocks = n < (int64_t)most ? (size_t)n : most;
    m->blocks = calloc(m->n_blocks, sizeof *m->blocks);
    m->iteration_s = calloc(m->n_blocks * m->n_sizes, sizeof *m->iteration_s);
    if (!m->blocks || !m->iteration_s) return no_memory(error);
    double per_block = (double)n / (double)m->n_blocks;
    int64_t from = 0;
    for (size_t k = 0; k < m->n_blocks; k++) {
        int64_t to = k + 1 == m->n_blocks ? n : llround((double)(k + 1) * per_block);
        double sum = 0;
        enum { LOOKS = 64 }; /* of a long block: its work is taken at so many places */
        int64_t looks = to - from < LOOKS ? to - from : LOOKS;
        for (int64_t i = 0; i < looks; i++)
            sum += work_at(o, from + (int64_t)((double)(to - from) * ((double)i + 0.5) / (double)looks), n);
        m->blocks[k] = (parcast_block){to - from, sum / (double)looks};
        from = to;
    }
    if (o->n_iterations == 0 && !o->work)
        return malleable_note(
            m, "the number of iterations is not known: the run is planned in 100 equal parts", error);
    return PARCAST_OK;
}

/* ---- T_k(p) ---- */

void malleable_fill(parcast_malleable *m, double serial_s, const struct size_time *times)
{
    double all_work = 0, n = (double)parcast_malleable_iterations(m);
    for (size_t k = 0; k < m->n_blocks; k++)
        all_work += (double)m->blocks[k].n_iterations * m->blocks[k].serial_s;
    for (size_t k = 0; k < m->n_blocks; k++) {
        double share = m->blocks[k].serial_s / all_work; /* of one iteration */
        for (size_t q = 0; q < m->n_sizes; q++)
            m->iteration_s[k * m->n_sizes + q] = times[q].compute_s * share + times[q].communication_s / n;
        m->blocks[k].serial_s = serial_s * share;
    }
}

static parcast_status copy_text(char **to, const char *from, parcast_error *error)
{
    *to = strdup(from ? from : "");
    return *to ? PARCAST_OK : no_memory(error);
}

parcast_status malleable_begin(const parcast_platform *platform, const parcast_malleable_options *options,
                               parcast_malleable **malleable, parcast_error *error)
{
    parcast_malleable_options o = options ? *options : (parcast_malleable_options){0};
    parcast_status status = check_options(platform, &o, error);
    if (status) return status;
    parcast_malleable *m = calloc(1, sizeof *m);
    if (!m) return no_memory(error);
    m->billing_unit_s = platform->billing_unit_s;
    parcast_move_model_default(platform, &m->move);
    if (o.move) m->move = *o.move;
    status = copy_text(&m->program, NULL, error);
    if (!status) status = copy_text(&m->arguments, NULL, error);
    if (!status) status = copy_text(&m->platform, platform->name, error);
    if (!status) status = copy_text(&m->currency, platform->currency, error);
    if (!status) status = make_sizes(m, platform, &o, error);
    if (!status) status = make_blocks(m, &o, error);
    if (status) {
        parcast_malleable_destroy(&m);
        return status;
    }
    *malleable = m;
    return PARCAST_OK;
}
