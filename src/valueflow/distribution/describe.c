#include "valueflow/distribution/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/words/fold.h"

enum { MOST_CLAUSES = 4, MOST_TOLD = 12, LITTLE = 512 };
static const double nearly_all = 0.95, hardly_any = 0.02;

/* What an array looks like under the distribution. */
struct look {
    uint32_t array;
    uint64_t n_words;    /* that take part */
    uint64_t remote;     /* other parts that read a word, summed over the words */
    uint64_t row_breaks; /* words in another part than the first of their row */
    uint64_t column_breaks;
    uint64_t n_parts; /* that have any */
};

struct description {
    const parcast_values *values;
    const uint32_t *part;
    size_t n_parts;
    uint32_t *remote; /* [n_vertices] most other parts that read one version */
    uint64_t *stamp, now;
    struct folds folds;
};

/* Parts other than `own` that need a version of this set; a partial sum would do for those that fold. */
static uint32_t count_readers(struct description *d, uint32_t set, uint32_t own)
{
    const parcast_values *values = d->values;
    uint32_t n = 0;
    d->now++;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        uint32_t pin = values->pins[i], v = pin & ~GRAPH_FOLD, q = d->part[v];
        if (q == own || d->stamp[q] == d->now) continue;
        if ((pin & GRAPH_FOLD) && folds_at(&d->folds, v, own)) continue;
        d->stamp[q] = d->now;
        n++;
    }
    return n;
}

/* Homes of one set lie on few parts, and one after the other. */
static void count_remote(struct description *d)
{
    const parcast_values *values = d->values;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint32_t own = GRAPH_NONE, n = 0;
        for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
            uint32_t home = values->nets[i].home;
            if (d->part[home] != own) {
                own = d->part[home];
                n = count_readers(d, s, own);
            }
            if (n > d->remote[home]) d->remote[home] = n;
        }
    }
}

/* Length of a row: the array divided as its neighbours suggest, or as many rows as the index array has words.
 * To find out takes a pass through a large graph for each size: small arrays of it have no rows then. */
static uint64_t row_of(const struct description *d, uint32_t array, uint32_t index)
{
    const struct graph_array *a = &d->values->arrays[array];
    parcast_extents extents;
    if (a->n_blocks > 1) return a->block_words;
    if (index != GRAPH_NONE && index != array) {
        uint64_t rows = d->values->arrays[index].words;
        if (rows > 1 && a->words > rows && a->words % rows == 0) return a->words / rows;
    }
    bool is_little = d->values->n_vertices >= GRAPH_LARGE && a->words < d->values->n_vertices / LITTLE;
    if (!is_little && graph_infer_extents(d->values, array, 2, &extents)) return extents.extent[1];
    return 1;
}

static parcast_status look_at(const struct description *d, uint64_t row, struct look *look)
{
    const parcast_values *values = d->values;
    if (!row) return PARCAST_OK; /* an array of no words */
    uint64_t words = values->arrays[look->array].words, rows = (words + row - 1) / row;
    uint32_t *first_of_row = malloc((rows + row + 2) * sizeof *first_of_row);
    bool *has = calloc(d->n_parts, sizeof *has);
    if (!first_of_row || !has) {
        free(first_of_row);
        free(has);
        return PARCAST_MEMORY;
    }
    uint32_t *first_of_column = first_of_row + rows + 1;
    memset(first_of_row, 0xff, (rows + row + 2) * sizeof *first_of_row);
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        if (values->vertices[v].array != look->array) continue;
        uint64_t i = values->vertices[v].offset / row, j = values->vertices[v].offset % row;
        uint32_t q = d->part[v];
        if (i > rows) continue;
        if (first_of_row[i] == GRAPH_NONE) first_of_row[i] = q;
        if (first_of_column[j] == GRAPH_NONE) first_of_column[j] = q;
        look->n_words++;
        look->row_breaks += first_of_row[i] != q;
        look->column_breaks += first_of_column[j] != q;
        look->remote += d->remote[v];
        look->n_parts += !has[q];
        has[q] = true;
    }
    free(first_of_row);
    free(has);
    return PARCAST_OK;
}

/* Never within a character of several bytes. */
static bool is_boundary(char next)
{
    return ((unsigned char)next & 0xC0) != 0x80;
}

int describe_grid(const parcast_extents *grid, char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < grid->n; i++)
        n += (size_t)snprintf(n < size ? text + n : NULL, n < size ? size - n : 0, "%s%llu", i ? " x " : "",
                              (unsigned long long)grid->extent[i]);
    return (int)n;
}

const char *describe_name(const parcast_values *values, uint32_t array, char *text, size_t size)
{
    static const char dots[] = "...";
    const char *name = values->arrays[array].name;
    size_t length = strlen(name), end = size / 3, begin = size - end - sizeof dots;
    if (length < size) return name;
    while (begin > 0 && !is_boundary(name[begin])) begin--;
    while (end > 0 && !is_boundary(name[length - end])) end--;
    snprintf(text, size, "%.*s%s%s", (int)begin, name, dots, name + length - end);
    return text;
}

const char *describe_told(const parcast_values *values, uint32_t array, char *text, size_t size)
{
    return describe_name(values, values->arrays[array].told, text, size);
}

/* A clause, or nothing where there is nothing short to say. */
static void say(const struct description *d, const struct look *look, uint64_t row, char *clause, size_t size)
{
    char text[57];
    const char *name = describe_name(d->values, look->array, text, sizeof text);
    double words = (double)look->n_words, readers = (double)look->remote / words;
    bool rows = row > 1 && (double)look->row_breaks <= hardly_any * words;
    bool columns = row > 1 && (double)look->column_breaks <= hardly_any * words && !rows;
    const char *of = rows ? "rows of " : columns ? "columns of " : "";
    clause[0] = '\0';
    if (d->n_parts > 2 && readers >= nearly_all * (double)(d->n_parts - 1))
        snprintf(clause, size, "%s replicated", name);
    else if (readers >= 0.5)
        snprintf(clause, size, "%s%s, each word on %.0f parts", of, name, readers + 1);
    else if (look->n_parts > 1 && (rows || columns))
        snprintf(clause, size, "%s%s", of, name);
}

static int by_words(const void *a, const void *b)
{
    const struct look *x = a, *y = b;
    if (x->n_words != y->n_words) return x->n_words > y->n_words ? -1 : 1;
    return x->array < y->array ? -1 : 1;
}

/* The arrays beside the index array, largest first. */
static size_t choose(const struct description *d, uint32_t index, struct look *looks)
{
    const parcast_values *values = d->values;
    size_t n = 0;
    for (uint32_t a = 0; a < values->n_arrays; a++) looks[a] = (struct look){.array = a};
    for (uint32_t v = 0; v < values->n_vertices; v++) looks[values->vertices[v].array].n_words++;
    for (uint32_t a = 0; a < values->n_arrays; a++) {
        bool is_told = a == index || (index != GRAPH_NONE && a == values->arrays[index].told);
        if (is_told || values->arrays[a].is_result || looks[a].n_words < d->n_parts) continue;
        looks[n++] = looks[a];
    }
    qsort(looks, n, sizeof *looks, by_words);
    for (size_t i = 0; i < n; i++) looks[i].n_words = 0;
    return n;
}

struct clauses {
    char text[MOST_CLAUSES][96];
    size_t n_arrays[MOST_CLAUSES], n, all;
};

/* Arrays of one name that lie alike are told once. */
static void note(struct clauses *clauses, const char *text)
{
    size_t i = 0;
    while (i < clauses->n && strcmp(clauses->text[i], text) != 0) i++;
    if (i == clauses->n) snprintf(clauses->text[clauses->n++], sizeof clauses->text[i], "%s", text);
    clauses->n_arrays[i]++;
    clauses->all++;
}

static void write_clauses(const struct clauses *clauses, char *text, size_t size)
{
    for (size_t i = 0, used = strlen(text); i < clauses->n; i++) {
        char more[32] = "";
        if (clauses->n_arrays[i] > 1) snprintf(more, sizeof more, ", %zu arrays", clauses->n_arrays[i]);
        if (used + strlen(clauses->text[i]) + strlen(more) + 3 > size) continue;
        used += (size_t)snprintf(text + used, size - used, "; %s%s", clauses->text[i], more);
    }
}

static parcast_status append(const struct description *d, uint32_t index, struct look *looks, char *text,
                             size_t size)
{
    size_t n = choose(d, index, looks);
    parcast_status status = PARCAST_OK;
    struct clauses clauses = {.n = 0};
    for (size_t i = 0; i < n && clauses.n < MOST_CLAUSES && clauses.all < MOST_TOLD && !status; i++) {
        char clause[sizeof clauses.text[0]];
        uint64_t row = row_of(d, looks[i].array, index);
        status = look_at(d, row, &looks[i]);
        if (status) break;
        say(d, &looks[i], row, clause, sizeof clause);
        if (clause[0]) note(&clauses, clause);
    }
    if (!status) write_clauses(&clauses, text, size);
    return status;
}

void describe_unevenness(parcast_flow *flow)
{
    size_t used = strlen(flow->decomposition);
    if (flow->imbalance_ratio > DESCRIBE_EVEN_RATIO)
        snprintf(flow->decomposition + used, sizeof flow->decomposition - used,
                 ", largest part %.0f %% above the mean", 100 * flow->imbalance_ratio);
}

parcast_status graph_describe(const parcast_values *values, const uint32_t *part, size_t n_parts,
                              uint32_t index, char *text, size_t size)
{
    struct description d = {.values = values, .part = part, .n_parts = n_parts};
    const struct fold_question question = {.values = values, .part = part, .n_parts = n_parts};
    struct look *looks = calloc(values->n_arrays + 1, sizeof *looks);
    d.remote = calloc((size_t)values->n_vertices + 1, sizeof *d.remote);
    d.stamp = calloc(n_parts, sizeof *d.stamp);
    parcast_status status = PARCAST_MEMORY;
    if (looks && d.remote && d.stamp && !folds_find(&question, &d.folds)) {
        count_remote(&d);
        status = append(&d, index, looks, text, size);
    }
    folds_clear(&d.folds);
    free(looks);
    free(d.remote);
    free(d.stamp);
    return status;
}
