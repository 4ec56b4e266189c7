/*
 * A value of few sources goes through a workspace as these. That an array is one is seen from its first
 * values, which are vertices of their own until then: here they are taken out again. Who read one read what
 * it is computed from.
 */
#include "valueflow/graph/through.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/load/readers.h"
#include "valueflow/load/room.h"

static const uint32_t FOLD = 0x80000000u;
enum { DEEPEST = 8 };

/* ---- what it is computed from, and who reads it ---- */

static bool add_source(uint32_t source, uint32_t *sources, uint32_t *n, uint32_t most)
{
    for (uint32_t i = 0; i < *n; i++)
        if (sources[i] == source) return true;
    if (*n == most) return false;
    sources[(*n)++] = source;
    return true;
}

static parcast_status add_reader(struct through *t, struct through_value *value, uint32_t sink)
{
    size_t capacity = t->reader_capacity;
    if (!load_room((void **)&t->readers, (size_t)t->n_readers + 1, &capacity, sizeof *t->readers))
        return PARCAST_MEMORY;
    t->reader_capacity = (uint32_t)capacity;
    t->readers[t->n_readers] = (struct through_reader){sink, value->first_reader};
    value->first_reader = t->n_readers++;
    return PARCAST_OK;
}

static parcast_status look_at_net(struct through *t, const struct vf_dump_net *net)
{
    const struct values_file *file = t->u->file;
    struct through_value *home = through_find(t, net->vertex);
    parcast_status status = PARCAST_OK;
    for (struct readers r = readers_of(file, net); r.at < r.end && !status; r.at++) {
        uint32_t sink = *r.at - r.shift;
        struct through_value *reader = through_find(t, sink & ~FOLD);
        if (home) status = add_reader(t, home, sink);
        if (!reader || reader == home) continue;
        if (sink & FOLD || !add_source(net->vertex, reader->sources, &reader->n, reader->most))
            reader->stays = true;
    }
    return status;
}

/* False where these are too many. */
static bool flatten(const struct through *t, uint32_t vertex, uint32_t *sources, uint32_t *n, uint32_t most,
                    int depth)
{
    const struct through_value *value = through_find(t, vertex);
    bool fine = depth < DEEPEST;
    if (!value) return add_source(vertex, sources, n, most);
    for (uint32_t i = 0; i < value->n && fine; i++)
        fine = flatten(t, value->sources[i], sources, n, most, depth + 1);
    return fine && value->n;
}

/* One of others that go through has the sources of these, if they are few. */
static void flatten_all(struct through *t)
{
    bool changes = true;
    while (changes) {
        changes = false;
        for (uint32_t i = 0; i < t->n_values; i++) {
            uint32_t sources[THROUGH_WIDE], n = 0;
            struct through_value *value = &t->values[i];
            if (value->stays || flatten(t, value->vertex, sources, &n, value->most, 0)) continue;
            value->stays = changes = true;
        }
    }
    for (uint32_t i = 0; i < t->n_values; i++) {
        struct through_value *value = &t->values[i];
        uint32_t sources[THROUGH_WIDE], n = 0;
        if (value->stays || !flatten(t, value->vertex, sources, &n, value->most, 0)) continue;
        memcpy(value->sources, sources, n * sizeof *sources);
        value->n = n;
    }
}

/* ---- nets ---- */

/* For a value that goes through its readers, each once. */
static bool add_pin(struct through *t, uint32_t sink)
{
    const struct through_value *value = through_find(t, sink & ~FOLD);
    bool fine = true;
    if (value && t->mark[value->vertex] == t->n_marks) return true;
    if (value) t->mark[value->vertex] = t->n_marks;
    for (uint32_t i = value ? value->first_reader : 0; i && fine; i = t->readers[i].next)
        fine = add_pin(t, t->readers[i].sink);
    if (value) return fine;
    if (!load_room((void **)&t->pins, t->n_pins + 1, &t->pin_capacity, sizeof *t->pins)) return false;
    t->pins[t->n_pins++] = sink;
    return true;
}

static void begin_pins(struct through *t)
{
    t->n_pins = 0;
    t->n_marks++;
}

static bool has_any(const struct through *t, const struct vf_dump_net *net)
{
    const struct values_file *file = t->u->file;
    for (struct readers r = readers_of(file, net); r.at < r.end; r.at++)
        if (through_find(t, (*r.at - r.shift) & ~FOLD)) return true;
    return false;
}

/* The pins at hand as a list of its own. */
static bool append_list(struct through *t, struct vf_dump_net *net)
{
    struct values_file *file = t->u->file;
    net->what = 0;
    if (!t->n_pins) return true;
    if (!readers_append(file, t->pins, t->n_pins)) return false;
    net->what = file->n_lists - 1;
    return true;
}

static bool rewrite_net(struct through *t, struct vf_dump_net *net)
{
    begin_pins(t);
    for (struct readers r = readers_of(t->u->file, net); r.at < r.end; r.at++)
        if (!add_pin(t, *r.at - r.shift)) return false;
    return append_list(t, net);
}

static parcast_status rewrite_nets(struct through *t)
{
    struct values_file *file = t->u->file;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        struct vf_dump_net net = file->nets[i];
        if (through_find(t, net.vertex)) continue;
        if (has_any(t, &net) && !rewrite_net(t, &net)) return PARCAST_MEMORY;
        if (net.what) file->nets[kept++] = net;
    }
    file->header.n_nets = kept;
    return PARCAST_OK;
}

/* ---- work ---- */

/* Every reader at hand repeats it. */
static void give_work(struct through *t, const uint32_t *at, const struct vf_dump_work *work)
{
    struct values_file *file = t->u->file;
    t->n_marks++;
    for (size_t i = 0; i < t->n_pins; i++) {
        uint32_t reader = t->pins[i] & ~FOLD, root = unite_root(t->u, reader),
                 to = at[reader] ? reader : root;
        if (t->mark[root] == t->n_marks) continue;
        t->mark[root] = t->n_marks;
        if (at[to]) file->work[at[to] - 1].work += work->work;
    }
}

static parcast_status move_work(struct through *t)
{
    struct values_file *file = t->u->file;
    uint32_t *at = calloc(file->header.n_vertices + 1, sizeof *at);
    uint64_t kept = 0;
    bool fine = at != NULL;
    for (uint64_t i = 0; i < file->header.n_work && fine; i++) at[file->work[i].vertex] = (uint32_t)i + 1;
    for (uint64_t i = 0; i < file->header.n_work && fine; i++) {
        const struct through_value *value = through_find(t, file->work[i].vertex);
        if (!value || value->n < 2) continue; /* of one source: nor is it while the program runs */
        begin_pins(t);
        fine = add_pin(t, file->work[i].vertex);
        give_work(t, at, &file->work[i]);
    }
    for (uint64_t i = 0; i < file->header.n_work && fine; i++)
        if (!through_find(t, file->work[i].vertex)) file->work[kept++] = file->work[i];
    if (fine) file->header.n_work = kept;
    free(at);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}

/* ---- all of it ---- */

void through_add(struct through *t, uint32_t vertex, uint32_t most)
{
    if (t->number[vertex]) return;
    t->values[t->n_values] =
        (struct through_value){.vertex = vertex, .most = most, .sources = t->sources + t->n_sources};
    t->number[vertex] = ++t->n_values;
    t->n_sources += most;
}

static bool make_tables(struct through *t, uint64_t n_values, uint64_t n_sources)
{
    size_t n = (size_t)t->u->file->header.n_vertices + 1;
    t->number = calloc(n, sizeof *t->number);
    t->mark = calloc(n, sizeof *t->mark);
    t->values = calloc(n_values, sizeof *t->values);
    t->sources = calloc(n_sources, sizeof *t->sources);
    t->n_readers = 1;
    return t->number && t->mark && t->values && t->sources;
}

static uint64_t count_few(const struct values_file *file)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < file->header.n_same; i++) n += file->same[i].word == file->same[i].instance;
    return n;
}

static bool begin(struct through *t)
{
    const struct values_file *file = t->u->file;
    uint64_t n_few = count_few(file) + through_count_of_sums(file), n_terms = through_count_terms(file);
    if (!make_tables(t, n_few + n_terms, n_few * VF_FEW + n_terms * GRAPH_TERM_LABELS)) return false;
    for (uint64_t i = 0; i < file->header.n_same; i++) {
        uint32_t vertex = file->same[i].instance;
        if (file->same[i].word == vertex) through_add(t, vertex, VF_FEW);
    }
    through_add_terms(t);
    through_add_of_sums(t);
    return true;
}

/* They are no vertices any more. */
static void leave(struct through *t)
{
    for (uint32_t i = 0; i < t->n_values; i++)
        if (!t->values[i].stays) t->u->up[t->values[i].vertex] = unite_root(t->u, t->values[i].sources[0]);
}

static bool are_left(const struct through *t)
{
    for (uint32_t i = 0; i < t->n_values; i++)
        if (!t->values[i].stays) return true;
    return false;
}

static parcast_status look(struct through *t)
{
    const struct values_file *file = t->u->file;
    parcast_status status = PARCAST_OK;
    for (uint64_t i = 0; i < file->header.n_nets && !status; i++) status = look_at_net(t, &file->nets[i]);
    return status;
}

static parcast_status take_out(struct through *t)
{
    parcast_status status = PARCAST_OK;
    flatten_all(t);
    through_keep_terms(t);
    flatten_all(t);
    if (!are_left(t)) return status;
    status = rewrite_nets(t);
    if (!status) status = through_rewrite_chains(t);
    if (!status) status = move_work(t);
    if (!status) leave(t);
    return status;
}

static void clear(struct through *t)
{
    free(t->number);
    free(t->mark);
    free(t->values);
    free(t->sources);
    free(t->readers);
    free(t->pins);
}

static parcast_status take_out_few(struct unite *u)
{
    const struct values_file *file = u->file;
    struct through t = {.u = u};
    if (!count_few(file) && !through_count_terms(file) && !through_count_of_sums(file)) return PARCAST_OK;
    parcast_status status = begin(&t) ? look(&t) : PARCAST_MEMORY;
    if (!status && through_count_terms(file)) status = through_keep_near(&t);
    if (!status) status = through_keep_of_sums(&t);
    if (!status) status = take_out(&t);
    clear(&t);
    return status;
}

static parcast_status take_out_factors(struct unite *u)
{
    struct through t = {.u = u};
    uint64_t n;
    bool *is_factor = through_find_factors(u, &n);
    if (!is_factor) return PARCAST_MEMORY;
    parcast_status status = PARCAST_OK;
    if (n) status = make_tables(&t, n, n * GRAPH_TERM_LABELS) ? PARCAST_OK : PARCAST_MEMORY;
    if (n && !status) {
        through_add_factors(&t, is_factor);
        status = look(&t);
        flatten_all(&t);
        if (!status) status = through_keep_near(&t);
        if (!status) status = through_keep_fewer(&t, false);
        if (!status) status = take_out(&t);
    }
    clear(&t);
    free(is_factor);
    return status;
}

static parcast_status take_out_wide(struct unite *u)
{
    struct through t = {.u = u};
    struct through_wide *wide = through_find_wide(u);
    if (!wide) return PARCAST_MEMORY;
    uint64_t n = through_count_wide(wide);
    parcast_status status = PARCAST_OK;
    if (n) status = make_tables(&t, n, n * THROUGH_WIDE) ? PARCAST_OK : PARCAST_MEMORY;
    if (n && !status) {
        through_add_wide(&t, wide);
        status = look(&t);
        if (!status) status = through_keep_fewer(&t, false);
        if (!status) status = take_out(&t);
    }
    clear(&t);
    through_forget_wide(wide);
    return status;
}

parcast_status unite_through(struct unite *u)
{
    parcast_status status = take_out_few(u);
    if (!status) status = take_out_factors(u);
    return status ? status : take_out_wide(u);
}
