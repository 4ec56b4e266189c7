/*
 * Runs of a study as rows for the charts: the measured times, the parts of each rank's time, the messages
 * between ranks. Runs of more than PAGE_MAX_BARS ranks are drawn in groups of neighbouring ranks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "page.h"

const char *const rank_part_names[4] = {"computing", "communication", "waiting", "core shared with others"};

int run_group(const parcast_run *run)
{
    return run->n_ranks > PAGE_MAX_BARS ? (run->n_ranks + PAGE_MAX_BARS - 1) / PAGE_MAX_BARS : 1;
}

char *run_label(const parcast_run *run)
{
    char *label = NULL;
    int length = asprintf(&label, "%lld: %d %s%s", (long long)run->id, run->n_ranks,
                          run->n_ranks == 1 ? "rank" : "ranks", run->complete ? "" : ", partial");
    return length < 0 ? NULL : label;
}

static double known(double value)
{
    return value > 0 && isfinite(value) ? value : 0;
}

struct rank_parts rank_parts(const parcast_rank_profile *rank)
{
    double wait = fmin(known(rank->wait_s), known(rank->mpi_s));
    double compute = isfinite(rank->compute_s) ? known(rank->compute_s) : known(rank->compute_wall_s);
    double elsewhere = known(known(rank->compute_wall_s) - compute);
    return (struct rank_parts){{compute, known(rank->mpi_s) - wait, wait, elsewhere}};
}

/* Text of a group of ranks: "7" or "16-31". */
static void group_name(char *name, size_t size, int group, int first, int n_ranks)
{
    int last = first + group - 1 < n_ranks - 1 ? first + group - 1 : n_ranks - 1;
    if (group == 1)
        snprintf(name, size, "%d", first);
    else
        snprintf(name, size, "%d\u2013%d", first, last);
}

static bool add_part(json_t *rows, const char *label, const char *name, int part, double time_s)
{
    struct human time;
    json_t *row = json_object();
    bool done = row && json_put_text(row, "run", "%s", label) && json_put_text(row, "rank", "%s", name) &&
                json_put_text(row, "part", "%s", rank_part_names[part]) &&
                json_put_number(row, "order", part) && json_put_number(row, "time_s", time_s) &&
                json_put_text(row, "about", "rank %s: %s %s", name, human_time(&time, time_s),
                              rank_part_names[part]) &&
                json_array_append(rows, row) == 0;
    json_decref(row);
    return done;
}

/* Mean parts of the ranks first..first+group-1 whose profiles are there; returns how many. */
static int mean_parts(const parcast_run *run, int first, int group, struct rank_parts *mean)
{
    int n = 0;
    *mean = (struct rank_parts){{0}};
    for (size_t i = 0; i < run->n_profiles; i++) {
        if (run->ranks[i].spawned || run->ranks[i].rank < first || run->ranks[i].rank >= first + group)
            continue;
        struct rank_parts parts = rank_parts(&run->ranks[i]);
        for (int part = 0; part < 4; part++) mean->part_s[part] += parts.part_s[part];
        n++;
    }
    for (int part = 0; part < 4 && n; part++) mean->part_s[part] /= n;
    return n;
}

static bool add_rank_bars(json_t *rows, const parcast_run *run, const char *label)
{
    int group = run_group(run);
    bool done = true;
    for (int first = 0; done && first < run->n_ranks; first += group) {
        char name[32];
        struct rank_parts mean;
        group_name(name, sizeof name, group, first, run->n_ranks);
        if (mean_parts(run, first, group, &mean) == 0) continue;
        for (int part = 0; done && part < 4; part++)
            if (part < 3 || mean.part_s[part] > 0)
                done = add_part(rows, label, name, part, mean.part_s[part]);
    }
    return done;
}

/* What one group of ranks sent to another. */
struct cell {
    double bytes, messages;
    bool same_node, other_node;
};

static void add_peers(struct cell *cells, int n, int group, const parcast_rank_profile *rank)
{
    if (rank->spawned) return;
    for (size_t i = 0; i < rank->n_peers; i++) {
        const parcast_profile_peer *peer = &rank->peers[i];
        int from = rank->rank / group, to = peer->rank / group;
        if (peer->rank < 0 || rank->rank < 0 || from >= n || to >= n) continue;
        struct cell *cell = &cells[from * n + to];
        cell->bytes += (double)peer->bytes;
        cell->messages += (double)peer->count;
        cell->same_node |= peer->reach == PARCAST_REACH_SAME_NODE;
        cell->other_node |= peer->reach == PARCAST_REACH_OTHER_NODE;
    }
}

static bool add_cell(json_t *rows, const parcast_run *run, const char *label, int from, int to,
                     const struct cell *cell)
{
    int group = run_group(run);
    char from_name[32], to_name[32];
    struct human bytes, messages;
    group_name(from_name, sizeof from_name, group, from * group, run->n_ranks);
    group_name(to_name, sizeof to_name, group, to * group, run->n_ranks);
    json_t *row = json_object();
    bool done = row && json_put_text(row, "run", "%s", label) &&
                json_put_text(row, "from", "%s", from_name) && json_put_text(row, "to", "%s", to_name) &&
                json_put_number(row, "bytes", cell->bytes) &&
                json_put_number(row, "messages", cell->messages) &&
                json_put_text(row, "reach", "%s", cell->other_node ? "other node" : "same node") &&
                json_put_text(row, "about", "rank %s to %s: %s in %s messages", from_name, to_name,
                              human_bytes(&bytes, cell->bytes), human_count(&messages, cell->messages)) &&
                json_array_append(rows, row) == 0;
    json_decref(row);
    return done;
}

/* The diagonal comes first and whole, so that every rank has its place on both axes in order. */
static bool add_cells(json_t *rows, const parcast_run *run, const char *label, const struct cell *cells,
                      int n)
{
    bool done = true;
    for (int i = 0; done && i < n; i++) done = add_cell(rows, run, label, i, i, &cells[i * n + i]);
    for (int from = 0; from < n; from++)
        for (int to = 0; done && to < n; to++)
            if (from != to && cells[from * n + to].messages > 0)
                done = add_cell(rows, run, label, from, to, &cells[from * n + to]);
    return done;
}

static bool add_matrix(json_t *rows, const parcast_run *run, const char *label)
{
    int group = run_group(run), n = (run->n_ranks + group - 1) / group;
    size_t messages = 0;
    for (size_t i = 0; i < run->n_profiles; i++) messages += run->ranks[i].n_peers;
    if (messages == 0 || n < 1) return true;
    struct cell *cells = calloc((size_t)n * (size_t)n, sizeof *cells);
    if (!cells) return false;
    for (size_t i = 0; i < run->n_profiles; i++) add_peers(cells, n, group, &run->ranks[i]);
    bool done = add_cells(rows, run, label, cells, n);
    free(cells);
    return done;
}

/* Mean time of the complete runs with one process [s], NAN without one. */
static double sequential_time(const parcast_report_content *content)
{
    double sum = 0;
    int n = 0;
    for (size_t i = 0; i < content->n_runs; i++) {
        const parcast_run *run = &content->runs[i];
        if (run->n_ranks != 1 || !run->complete || run->weak || !(run->time_s > 0)) continue;
        sum += run->time_s;
        n++;
    }
    return n ? sum / n : NAN;
}

static bool add_measured(json_t *rows, const parcast_run *run, double sequential_s)
{
    if (!run->complete || !(run->time_s > 0)) return true;
    double speedup = run->weak ? NAN : sequential_s / run->time_s;
    struct human time;
    json_t *row = json_object();
    bool done =
        row && json_put_number(row, "processes", run->n_ranks) &&
        json_put_number(row, "nodes", run->n_nodes_used > 0 ? run->n_nodes_used : NAN) &&
        json_put_number(row, "time_s", run->time_s) && json_put_number(row, "speedup", speedup) &&
        json_put_number(row, "efficiency_ratio", speedup / run->n_ranks) &&
        json_object_set_new(row, "oversubscribed", json_boolean(run->oversubscribed)) == 0 &&
        json_put_text(row, "about", "measured, run %lld: %d %s, %s%s", (long long)run->id, run->n_ranks,
                      run->n_ranks == 1 ? "process" : "processes", human_time(&time, run->time_s),
                      run->oversubscribed ? ", more ranks than cores" : "") &&
        json_array_append(rows, row) == 0;
    json_decref(row);
    return done;
}

/* The run to show first: complete before partial, then the one with most ranks, then the latest. */
static bool better_shown(const parcast_run *candidate, const parcast_run *shown)
{
    if (candidate->n_profiles == 0) return false;
    if (!shown || candidate->complete != shown->complete) return !shown || candidate->complete;
    return candidate->n_ranks >= shown->n_ranks;
}

static bool add_profiles(struct page *page, json_t *ranks, json_t *matrix)
{
    int drawn = 0;
    for (size_t i = page->content->n_runs; i-- > 0;) {
        const parcast_run *run = &page->content->runs[i];
        if (run->n_profiles == 0 || (drawn >= PAGE_MAX_DRAWN_RUNS && run != page->shown)) continue;
        char *label = run_label(run);
        bool done = label && add_rank_bars(ranks, run, label) && add_matrix(matrix, run, label);
        free(label);
        if (!done) return false;
        drawn++;
    }
    return true;
}

bool page_add_runs(struct page *page)
{
    json_t *measured = json_array(), *ranks = json_array(), *matrix = json_array();
    bool done = json_object_set_new(page->datasets, "measured", measured) == 0;
    done = json_object_set_new(page->datasets, "ranks", ranks) == 0 && done;
    done = json_object_set_new(page->datasets, "matrix", matrix) == 0 && done;
    double sequential_s = sequential_time(page->content);
    for (size_t i = 0; done && i < page->content->n_runs; i++) {
        done = add_measured(measured, &page->content->runs[i], sequential_s);
        if (better_shown(&page->content->runs[i], page->shown)) page->shown = &page->content->runs[i];
    }
    return done && add_profiles(page, ranks, matrix);
}
