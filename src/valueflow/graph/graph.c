/* From the file of a traced run to the graph: vertices without gaps, sets of pins once each. */
#include "valueflow/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/build.h"
#include "valueflow/graph/incidence.h"
#include "valueflow/graph/once.h"
#include "valueflow/graph/unite.h"
#include "valueflow/load/load.h"
#include "valueflow/load/readers.h"
#include "valueflow/search/coarse.h"
#include "valueflow/space/arrays/fronts.h"

enum { FEW_PINS = 24 };

static void mark(struct build *b, uint32_t vertex)
{
    b->number[values_file_root(&b->file, vertex)] = 1;
}

/* Where nothing is taken off the readers, other nets may have had the same. */
static void mark_readers(struct build *b, const struct vf_dump_net *net)
{
    struct readers r = readers_of(&b->file, net);
    if (!r.shift && b->seen[net->what]) return;
    b->seen[net->what] = 1;
    for (; r.at < r.end; r.at++) mark(b, (*r.at - r.shift) & ~GRAPH_FOLD);
}

static void mark_sequence(struct build *b, uint32_t step)
{
    for (; step && !b->step_seen[step]; step = b->file.step_parents[step]) {
        b->step_seen[step] = 1;
        mark(b, b->file.homes[step]);
    }
}

static void forget_seen(struct build *b)
{
    free(b->seen);
    free(b->step_seen);
    b->seen = b->step_seen = NULL;
}

/* The vertices that take part in anything. */
static parcast_status mark_all(struct build *b)
{
    const struct values_file *file = &b->file;
    b->seen = calloc((size_t)file->n_lists + 1, 1);
    b->step_seen = calloc(file->header.n_steps ? file->header.n_steps : 1, 1);
    if (!b->seen || !b->step_seen) return PARCAST_MEMORY;
    for (uint64_t i = 0; i < file->header.n_work; i++) mark(b, file->work[i].vertex);
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        mark(b, file->nets[i].vertex);
        mark_readers(b, &file->nets[i]);
    }
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) mark(b, file->chain_nets[i].vertex);
    for (uint64_t i = 1; i < file->header.n_chains; i++)
        for (int j = 0; j < GRAPH_TERM_LABELS; j++) mark_sequence(b, file->chains[i].streams[j]);
    forget_seen(b);
    return PARCAST_OK;
}

/* number[v]: 0 unused, from here on the vertex + 1 that it is or that stands for it. */
static void number_vertices(struct build *b)
{
    uint32_t n = 0;
    for (uint64_t v = 0; v < b->file.header.n_vertices; v++)
        if (b->number[v]) b->number[v] = ++n;
    for (uint64_t v = 0; v < b->file.header.n_vertices; v++)
        b->number[v] = b->number[values_file_root(&b->file, (uint32_t)v)];
    b->values->n_vertices = n;
}

static parcast_status make_vertices(struct build *b)
{
    uint32_t n = b->values->n_vertices;
    b->values->vertices = calloc(n ? n : 1, sizeof *b->values->vertices);
    if (!b->values->vertices) return PARCAST_MEMORY;
    for (uint64_t i = 0; i < b->file.header.n_work; i++) {
        double work = b->file.work[i].work;
        struct graph_vertex *vertex = &b->values->vertices[b->number[b->file.work[i].vertex] - 1];
        vertex->work += (float)work;
        vertex->is_chosen = vertex->is_chosen || b->file.work[i].flags & VF_DUMP_CHOSEN;
        b->values->has_chosen = b->values->has_chosen || vertex->is_chosen;
        b->values->work += work;
    }
    return PARCAST_OK;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool are_in_order(const uint32_t *pins, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (pins[i - 1] > pins[i]) return false;
    return true;
}

void graph_sort_pins(uint32_t *pins, uint32_t n)
{
    if (n > FEW_PINS && !are_in_order(pins, n)) qsort(pins, n, sizeof *pins, by_number);
    for (uint32_t i = 1; i < n && n <= FEW_PINS; i++) {
        uint32_t pin = pins[i], j = i;
        for (; j > 0 && pins[j - 1] > pin; j--) pins[j] = pins[j - 1];
        pins[j] = pin;
    }
}

static parcast_status room_in_scratch(struct build *b, uint32_t n)
{
    if (n <= b->scratch_capacity) return PARCAST_OK;
    uint32_t *more = realloc(b->scratch, 2 * (size_t)n * sizeof *more);
    if (!more) return PARCAST_MEMORY;
    b->scratch = more;
    b->scratch_capacity = 2 * (uint64_t)n;
    return PARCAST_OK;
}

/* The last reader comes first; in the order in which they read pins mostly are sorted. */
static void put_first_pin_first(uint32_t *pins, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t pin = pins[i];
        pins[i] = pins[n - 1 - i];
        pins[n - 1 - i] = pin;
    }
}

/* The pins of a net, sorted, each once; into b->scratch. A reader that takes a value both ways needs it. */
static parcast_status collect_pins(struct build *b, const struct vf_dump_net *net, uint32_t *size)
{
    uint32_t n = 0, m = 0;
    struct readers r = readers_of(&b->file, net);
    if (room_in_scratch(b, (uint32_t)(r.end - r.at) + 1)) return PARCAST_MEMORY;
    for (; r.at < r.end; r.at++) {
        uint32_t sink = *r.at - r.shift, v = b->number[sink & ~GRAPH_FOLD] - 1;
        b->scratch[n++] = v << 1 | values_file_adds(&b->file, sink);
    }
    put_first_pin_first(b->scratch, n);
    graph_sort_pins(b->scratch, n);
    for (uint32_t i = 0; i < n; i++) {
        if (i && b->scratch[i] >> 1 == b->scratch[m - 1] >> 1) continue; /* the plain one comes first */
        b->scratch[m++] = b->scratch[i];
    }
    for (uint32_t i = 0; i < m; i++)
        b->scratch[i] = b->scratch[i] >> 1 | (b->scratch[i] & 1 ? GRAPH_FOLD : 0);
    *size = m;
    return PARCAST_OK;
}

static parcast_status make_set(struct build *b, const struct vf_dump_net *net, uint32_t *set)
{
    uint32_t n;
    if (collect_pins(b, net, &n) || !pin_sets_intern(&b->sets, b->values, b->scratch, n, set))
        return PARCAST_MEMORY;
    ++*set;
    return PARCAST_OK;
}

/* From here on what a net has is its set, + 1. Nets that share a list of readers share that. */
static parcast_status make_sets(struct build *b)
{
    uint64_t n_nets = b->file.header.n_nets;
    bool has_room = room_in_scratch(b, 1) == PARCAST_OK &&
                    pin_sets_expect(&b->sets, b->values, n_nets, n_nets + b->file.n_shifted);
    uint32_t *set_of = calloc((size_t)b->file.n_lists + 1, sizeof *set_of);
    parcast_status status = has_room && set_of ? PARCAST_OK : PARCAST_MEMORY;
    for (uint64_t i = 0; !status && i < n_nets; i++) {
        struct vf_dump_net *net = &b->file.nets[i];
        uint32_t none = 0, *set = &none;
        if (!readers_of(&b->file, net).shift) set = &set_of[net->what];
        if (!*set) status = make_set(b, net, set);
        net->what = *set;
    }
    free(set_of);
    b->values->summary.edges = b->sets.n_pins;
    pin_sets_end(&b->sets, b->values);
    values_file_forget_readers(&b->file);
    return status;
}

static int by_home(const void *a, const void *b)
{
    return by_number(&((const struct graph_net *)a)->home, &((const struct graph_net *)b)->home);
}

void graph_merge_nets(parcast_values *values)
{
    uint64_t kept = 0;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->net_first[s], end = values->net_first[s + 1], begins = kept;
        if (end > first + 1) qsort(values->nets + first, end - first, sizeof *values->nets, by_home);
        for (uint64_t i = first; i < end; i++) {
            struct graph_net *last = kept > begins ? &values->nets[kept - 1] : NULL, *net = &values->nets[i];
            if (last && last->home == net->home && last->count <= UINT32_MAX - net->count)
                last->count += net->count;
            else
                values->nets[kept++] = *net;
        }
        values->net_first[s] = (uint32_t)begins;
    }
    values->net_first[values->n_sets] = (uint32_t)kept;
}

static parcast_status make_nets(struct build *b)
{
    parcast_values *values = b->values;
    uint64_t n = b->file.header.n_nets;
    if (n > UINT32_MAX) return PARCAST_MEMORY;
    values->net_first = calloc((size_t)values->n_sets + 2, sizeof *values->net_first);
    values->nets = malloc((n ? n : 1) * sizeof *values->nets);
    if (!values->net_first || !values->nets) return PARCAST_MEMORY;
    for (uint64_t i = 0; i < n; i++) values->net_first[b->file.nets[i].what + 1]++;
    for (uint32_t s = 0; s <= values->n_sets; s++) values->net_first[s + 1] += values->net_first[s];
    /* Set s was counted at s + 2, is filled from s + 1 on, and so ends where s + 1 begins. */
    for (uint64_t i = 0; i < n; i++) {
        const struct vf_dump_net *net = &b->file.nets[i];
        uint64_t at = values->net_first[net->what]++;
        values->nets[at] = (struct graph_net){b->number[net->vertex] - 1, net->count};
    }
    graph_merge_nets(values);
    values->summary.nets = values->net_first[values->n_sets];
    return PARCAST_OK;
}

static parcast_status build_graph(struct build *b)
{
    const struct vf_dump_header *h = &b->file.header;
    b->number = calloc(h->n_vertices ? h->n_vertices : 1, sizeof *b->number);
    if (!b->number) return PARCAST_MEMORY;
    parcast_status status = unite_all(&b->file);
    if (!status) status = mark_all(b);
    if (status) return status;
    number_vertices(b);
    status = make_sets(b);
    if (!status) status = make_nets(b);
    if (!status) status = build_chains(b);
    values_file_forget_steps(&b->file);
    if (!status) status = make_vertices(b);
    if (!status) status = build_arrays(b);
    return status ? status : fronts_trim(b->values);
}

/* What the search looks things up in. */
static parcast_status index_graph(parcast_values *values)
{
    values->at = calloc(1, sizeof *values->at);
    values->coarse = calloc(1, sizeof *values->coarse);
    values->once = calloc(1, sizeof *values->once);
    if (!values->at || !values->coarse || !values->once) return PARCAST_MEMORY;
    return incidence_make(values, values->at);
}

static parcast_status take_reports(struct build *b)
{
    const struct vf_dump_header *h = &b->file.header;
    parcast_values *values = b->values;
    values->reports = calloc(h->n_reports ? h->n_reports : 1, sizeof *values->reports);
    size_t bytes = 1;
    for (uint64_t i = 0; i < h->n_reports; i++)
        bytes += b->file.reports[i].kind_length + b->file.reports[i].name_length + 2;
    char *text = values->names = calloc(bytes, 1);
    if (!values->reports || !text) return PARCAST_MEMORY;
    for (uint64_t i = 0; i < h->n_reports; i++) {
        const struct vf_dump_report *r = &b->file.reports[i];
        values->reports[i] = (parcast_values_report){.kind = text, .count = r->count};
        memcpy(text, b->file.names + r->kind, r->kind_length);
        text += r->kind_length + 1;
        values->reports[i].name = text;
        memcpy(text, b->file.names + r->name, r->name_length);
        text += r->name_length + 1;
    }
    return PARCAST_OK;
}

static void add_region(parcast_values *values, const char *name)
{
    size_t used = strlen(values->region);
    snprintf(values->region + used, sizeof values->region - used, "%s%s", used ? ", " : "", name);
}

/* Why a run is partial, and what the region is, are no reports among others. */
static void take_special(parcast_values *values, parcast_values_summary *summary)
{
    size_t kept = 0;
    for (size_t i = 0; i < summary->n_reports; i++)
        if (strcmp(values->reports[i].kind, VF_REPORT_PARTIAL) == 0)
            summary->partial = values->reports[i].name;
        else if (strcmp(values->reports[i].kind, VF_REPORT_REGION) == 0)
            add_region(values, values->reports[i].name);
        else
            values->reports[kept++] = values->reports[i];
    summary->n_reports = kept;
    summary->region = *values->region ? values->region : NULL;
}

static void summarise(const struct build *b, parcast_values *values)
{
    const struct vf_dump_header *h = &b->file.header;
    parcast_values_summary *s = &values->summary;
    s->flop = h->flop;
    s->values = h->values;
    s->entries = h->entries;
    s->table_bytes = h->table_bytes;
    s->vertices = values->n_vertices;
    s->divisible = graph_divisible(values);
    s->n_reports = h->n_reports;
    take_special(values, s);
    if (h->complete == VF_DUMP_PARTIAL && !s->partial) s->partial = "the program did not end";
}

/* The file is gone before the graph is looked up in: a large one fills the memory. */
parcast_status graph_load(FILE *in, const char *path, parcast_values **out, parcast_error *error)
{
    struct build b = {0};
    parcast_status status = values_file_read(in, path, &b.file, error);
    parcast_values *values = b.values = status ? NULL : calloc(1, sizeof *b.values);
    if (status) {
        build_clear(&b);
        return status;
    }
    status = values ? build_graph(&b) : PARCAST_MEMORY;
    if (!status) status = take_reports(&b);
    if (!status) summarise(&b, values);
    build_clear(&b);
    if (!status) status = build_common(values);
    if (!status) status = index_graph(values);
    if (!status) {
        *out = values;
        return PARCAST_OK;
    }
    parcast_values_destroy(&values);
    return parcast_error_set(error, status, path, 0, "%s",
                             status == PARCAST_MEMORY ? "out of memory for the graph of values"
                                                      : "not a file of values: words without a place");
}

parcast_status parcast_values_load(const char *path, parcast_values **values, parcast_error *error)
{
    FILE *in = values_file_open(path, error);
    return in ? graph_load(in, path, values, error) : PARCAST_IO;
}

struct graph_array *graph_copy_array(parcast_values *values, uint32_t array)
{
    struct graph_array *more = realloc(values->arrays, (values->n_arrays + 1) * sizeof *more);
    if (!more) return NULL;
    values->arrays = more;
    char *name = strdup(more[array].name);
    if (!name) return NULL;
    struct graph_array *copy = &more[values->n_arrays++];
    *copy = more[array];
    copy->name = name;
    return copy;
}

void build_clear(struct build *b)
{
    values_file_clear(&b->file);
    free(b->number);
    forget_seen(b);
    free(b->scratch);
    pin_sets_clear(&b->sets);
}

void parcast_values_destroy(parcast_values **values)
{
    parcast_values *v = values ? *values : NULL;
    if (!v) return;
    for (size_t i = 0; i < v->n_arrays; i++) free(v->arrays[i].name);
    if (v->at) incidence_clear(v->at);
    if (v->coarse) coarse_clear(v->coarse);
    if (v->once) once_clear(v->once);
    free(v->at);
    free(v->coarse);
    free(v->once);
    free(v->reports);
    free(v->names);
    free(v->arrays);
    free(v->vertices);
    free(v->set_first);
    free(v->net_first);
    free(v->pins);
    free(v->nets);
    free(v->chains);
    free(v->segments);
    free(v->stream_first);
    free(v->stream_homes);
    free(v);
    *values = NULL;
}

void parcast_values_summarise(const parcast_values *values, parcast_values_summary *summary)
{
    *summary = values->summary;
}

parcast_values_report parcast_values_report_at(const parcast_values *values, size_t i)
{
    return values->reports[i];
}
