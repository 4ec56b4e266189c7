/* parcast show: what a study holds. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/study.h"
#include "parcast/units.h"
#include "show_estimates.h"
#include "study_json.h"
#include "table.h"

static const char synopsis[] = "parcast show STUDY [--run N] [--json]";

enum { RANKS_SHOWN = 32, MATRIX_SHOWN = 12, SITES_SHOWN = 10 };

struct options {
    struct cli_common common;
    char *run;
};

/* -------- texts: control characters of foreign names never reach the terminal -------- */

static void put_plain(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            printf("\\x%02x", (unsigned)(unsigned char)*text);
        else
            putchar(*text);
    }
}

/* A word as a shell would have to be given it. */
static void put_word(const char *word)
{
    bool plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                       "_-+./:,=@%^") == strlen(word);
    if (plain) {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word; word++) {
        char letter[2] = {*word, '\0'};
        if (*word == '\'')
            fputs("'\\''", stdout);
        else
            put_plain(letter);
    }
    putchar('\'');
}

static void put_command(const parcast_run *run)
{
    put_word(run->program);
    for (size_t i = 0; i < run->n_arguments; i++) {
        putchar(' ');
        put_word(run->arguments[i]);
    }
    putchar('\n');
}

static void put_lines(const char *text, const char *lead)
{
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        fputs(lead, stdout);
        if (line) put_plain(line);
        putchar('\n');
        free(line);
        text += length + (text[length] == '\n');
    }
}

/* "64 B", "1 KiB": sizes of bins are powers of two. */
static const char *binary_size(int exponent, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    snprintf(text, size, "%d %s", 1 << exponent % 10, units[exponent / 10]);
    return text;
}

static void put_bin(struct cli_table *table, int bin)
{
    char low[16], high[16];
    if (bin == 0)
        cli_table_put(table, "0 B");
    else if (bin == 1)
        cli_table_put(table, "1 B");
    else if (bin == PARCAST_SIZE_BINS - 1)
        cli_table_put(table, "from %s", binary_size(bin - 1, low, sizeof low));
    else
        cli_table_put(table, "%s to %s", binary_size(bin - 1, low, sizeof low),
                      binary_size(bin, high, sizeof high));
}

static void put_percent(struct cli_table *table, double part_s, double whole_s)
{
    if (isfinite(part_s) && whole_s > 0)
        cli_table_put(table, "%.1f", 100 * part_s / whole_s);
    else
        cli_table_put(table, "-");
}

/* 0 is unknown. */
static void put_count(struct cli_table *table, int count)
{
    if (count > 0)
        cli_table_put(table, "%d", count);
    else
        cli_table_put(table, "-");
}

static void put_size(struct cli_table *table, uint64_t bytes)
{
    char text[32];
    cli_table_put(table, "%s", parcast_units_format_size((double)bytes, text, sizeof text));
}

/* -------- all runs -------- */

static void put_remarks(struct cli_table *table, const parcast_run *run)
{
    cli_table_put(table, "%s%s%s%s", run->source == PARCAST_RUN_IMPORTED ? "imported " : "",
                  run->source == PARCAST_RUN_RECORDED && !run->complete ? "partial " : "",
                  run->oversubscribed ? "more ranks than cores " : "", run->weak ? "weak scaling" : "");
}

static void put_run(struct cli_table *table, const parcast_run *run)
{
    cli_table_row(table);
    cli_table_put(table, "%lld", (long long)run->id);
    cli_table_put(table, "%d", run->n_ranks);
    put_count(table, run->n_nodes_used);
    cli_table_put(table, "%s", run->mpi ? run->mpi : "-");
    cli_table_number(table, run->time_s, 4);
    put_percent(table, run->compute_s, run->time_s);
    put_percent(table, run->mpi_s, run->time_s);
    put_percent(table, run->wait_s, run->time_s);
    cli_table_number(table, run->imbalance_ratio, 3);
    put_remarks(table, run);
}

static int print_problem(const struct cli_common *common, const parcast_run_list *list, int64_t problem_id)
{
    static const struct cli_column columns[] = {
        {"run", CLI_RIGHT},     {"ranks", CLI_RIGHT},       {"nodes", CLI_RIGHT},
        {"MPI", CLI_LEFT},      {"time [s]", CLI_RIGHT},    {"computing [%]", CLI_RIGHT},
        {"MPI [%]", CLI_RIGHT}, {"waiting [%]", CLI_RIGHT}, {"imbalance", CLI_RIGHT},
        {"remarks", CLI_WRAP},
    };
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    bool named = false;
    for (size_t i = 0; i < list->n_runs; i++) {
        if (list->runs[i].problem_id != problem_id) continue;
        if (!named) {
            printf("\nproblem %lld: ", (long long)problem_id);
            put_command(&list->runs[i]);
            named = true;
        }
        put_run(table, &list->runs[i]);
    }
    return cli_table_print(common, &table);
}

static bool is_first_of_problem(const parcast_run_list *list, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (list->runs[i].problem_id == list->runs[at].problem_id) return false;
    return true;
}

static size_t count_problems(const parcast_run_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n_runs; i++) n += is_first_of_problem(list, i);
    return n;
}

static int print_list(const struct cli_common *common, const char *path, const parcast_run_list *list)
{
    size_t n_problems = count_problems(list);
    put_plain(path);
    printf(": %zu run%s of %zu problem%s\n", list->n_runs, list->n_runs == 1 ? "" : "s", n_problems,
           n_problems == 1 ? "" : "s");
    int status = 0;
    for (size_t i = 0; i < list->n_runs && status == 0; i++)
        if (is_first_of_problem(list, i)) status = print_problem(common, list, list->runs[i].problem_id);
    return status;
}

/* -------- one run -------- */

static void heading(const char *text)
{
    printf("\n%s\n", text);
}

static void print_head(const char *path, const parcast_run *run)
{
    char time[32], wall[32];
    printf("run %lld of ", (long long)run->id);
    put_plain(path);
    printf(", problem %lld: ", (long long)run->problem_id);
    put_command(run);
    printf("  %s %s, %s%s%s\n", run->source == PARCAST_RUN_IMPORTED ? "imported" : "recorded",
           run->started_at ? run->started_at : "at an unknown time", run->placement ? run->placement : "",
           run->mpi ? ", " : "", run->mpi ? run->mpi : "");
    if (run->launcher) put_lines(run->launcher, "  launcher: ");
    printf("  %s between MPI_Init and MPI_Finalize",
           parcast_units_format_time(run->time_s, time, sizeof time));
    if (isfinite(run->wall_s))
        printf(", %s in all", parcast_units_format_time(run->wall_s, wall, sizeof wall));
    printf(", %s, exit status %d\n", run->complete ? "complete" : "partial", run->exit_status);
    put_lines(run->notes, "  note: ");
}

static int print_nodes(const struct cli_common *common, const parcast_run *run)
{
    static const struct cli_column columns[] = {
        {"node", CLI_RIGHT},   {"name", CLI_LEFT},
        {"type", CLI_LEFT},    {"ranks", CLI_RIGHT},
        {"cores", CLI_RIGHT},  {"usable cores", CLI_RIGHT},
        {"memory", CLI_RIGHT}, {"speed of a core [1/s]", CLI_RIGHT},
    };
    heading("nodes");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < run->n_nodes; i++) {
        const parcast_run_node *node = &run->nodes[i];
        char memory[32];
        cli_table_row(table);
        cli_table_put(table, "%zu", i);
        cli_table_put(table, "%s", node->name);
        cli_table_put(table, "%s", node->type ? node->type : "-");
        cli_table_put(table, "%d", node->n_ranks);
        put_count(table, node->cores);
        put_count(table, node->allowed_cores);
        if (node->memory_bytes > 0)
            cli_table_put(table, "%s", parcast_units_format_size(node->memory_bytes, memory, sizeof memory));
        else
            cli_table_put(table, "-");
        cli_table_number(table, node->calibration, 4);
    }
    return cli_table_print(common, &table);
}

static void put_rank(struct cli_table *table, const parcast_rank_profile *profile)
{
    char memory[32];
    cli_table_row(table);
    cli_table_put(table, profile->spawned ? "%d (spawned)" : "%d", profile->rank);
    cli_table_put(table, "%d", profile->node);
    cli_table_number(table, profile->time_s, 4);
    cli_table_number(table, profile->compute_s, 4);
    cli_table_number(table, profile->mpi_s, 4);
    cli_table_number(table, profile->wait_s, 4);
    if (profile->peak_memory_bytes > 0)
        cli_table_put(table, "%s",
                      parcast_units_format_size(profile->peak_memory_bytes, memory, sizeof memory));
    else
        cli_table_put(table, "-");
    cli_table_put(table, "%s", parcast_profile_end_name(profile->end));
}

static int longest_computing_first(const void *a, const void *b)
{
    const parcast_rank_profile *x = *(const parcast_rank_profile *const *)a;
    const parcast_rank_profile *y = *(const parcast_rank_profile *const *)b;
    if (x->compute_s != y->compute_s) return x->compute_s < y->compute_s ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Of many ranks those that compute longest, the median one, and the one that computes least. */
static int print_ranks(const struct cli_common *common, const parcast_run *run)
{
    static const struct cli_column columns[] = {
        {"rank", CLI_RIGHT},          {"node", CLI_RIGHT},    {"time [s]", CLI_RIGHT},
        {"computing [s]", CLI_RIGHT}, {"MPI [s]", CLI_RIGHT}, {"waiting [s]", CLI_RIGHT},
        {"memory", CLI_RIGHT},        {"end", CLI_LEFT},
    };
    size_t n = run->n_profiles;
    const parcast_rank_profile **order = calloc(n + 1, sizeof(parcast_rank_profile *));
    for (size_t i = 0; i < n && order; i++) order[i] = &run->ranks[i];
    bool all = n <= RANKS_SHOWN;
    if (order && !all) qsort(order, n, sizeof *order, longest_computing_first);
    heading(all ? "ranks" : "ranks: those that compute longest, the median, the one that computes least");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n && order; i++)
        if (all || i < 8 || i == n / 2 || i == n - 1) put_rank(table, order[i]);
    free(order);
    return cli_table_print(common, &table);
}

static int print_calls(const struct cli_common *common, const parcast_run *run)
{
    static const struct cli_column columns[] = {
        {"call", CLI_LEFT},          {"count", CLI_RIGHT}, {"time [s]", CLI_RIGHT},
        {"waiting [s]", CLI_RIGHT},  {"bytes", CLI_RIGHT}, {"shortest [us]", CLI_RIGHT},
        {"longest [us]", CLI_RIGHT},
    };
    parcast_profile_call *calls = NULL;
    parcast_error error = {0};
    size_t n = 0;
    if (parcast_run_calls(run, &calls, &n, &error)) return cli_fail(common, &error);
    heading("calls, all ranks together");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%s", calls[i].name);
        cli_table_put(table, "%llu", (unsigned long long)calls[i].count);
        cli_table_number(table, calls[i].time_s, 4);
        cli_table_number(table, calls[i].wait_s, 4);
        put_size(table, calls[i].bytes);
        cli_table_number(table, 1e6 * calls[i].min_s, 3);
        cli_table_number(table, 1e6 * calls[i].max_s, 3);
    }
    free(calls);
    return cli_table_print(common, &table);
}

static int print_sizes(const struct cli_common *common, const parcast_run *run)
{
    static const struct cli_column columns[] = {
        {"class", CLI_LEFT},  {"where", CLI_LEFT},     {"size", CLI_RIGHT},          {"count", CLI_RIGHT},
        {"bytes", CLI_RIGHT}, {"time [s]", CLI_RIGHT}, {"shortest [us]", CLI_RIGHT},
    };
    parcast_profile_sizes *sizes = NULL;
    parcast_error error = {0};
    size_t n = 0;
    if (parcast_run_sizes(run, &sizes, &n, &error)) return cli_fail(common, &error);
    if (n == 0) {
        free(sizes);
        return 0;
    }
    heading("message sizes");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%s", parcast_message_class_name(sizes[i].message_class));
        cli_table_put(table, "%s", parcast_reach_name(sizes[i].reach));
        put_bin(table, sizes[i].bin);
        cli_table_put(table, "%llu", (unsigned long long)sizes[i].count);
        put_size(table, sizes[i].bytes);
        cli_table_number(table, sizes[i].time_s, 4);
        cli_table_number(table, 1e6 * sizes[i].min_s, 3);
    }
    free(sizes);
    return cli_table_print(common, &table);
}

static int print_collectives(const struct cli_common *common, const parcast_run *run)
{
    static const struct cli_column columns[] = {
        {"collective", CLI_LEFT}, {"ranks", CLI_RIGHT}, {"where", CLI_LEFT},     {"size", CLI_RIGHT},
        {"count", CLI_RIGHT},     {"bytes", CLI_RIGHT}, {"time [s]", CLI_RIGHT}, {"shortest [us]", CLI_RIGHT},
    };
    parcast_profile_collective *items = NULL;
    parcast_error error = {0};
    size_t n = 0;
    if (parcast_run_collectives(run, &items, &n, &error)) return cli_fail(common, &error);
    if (n == 0) {
        free(items);
        return 0;
    }
    heading("collectives, all ranks together");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%s", items[i].name);
        cli_table_put(table, "%d", items[i].n_ranks);
        cli_table_put(table, "%s", parcast_reach_name(items[i].reach));
        put_bin(table, items[i].bin);
        cli_table_put(table, "%llu", (unsigned long long)items[i].count);
        put_size(table, items[i].bytes);
        cli_table_number(table, items[i].time_s, 4);
        cli_table_number(table, 1e6 * items[i].min_s, 3);
    }
    free(items);
    return cli_table_print(common, &table);
}

static int print_sites(const struct cli_common *common, const parcast_run *run)
{
    static const struct cli_column columns[] = {
        {"call", CLI_LEFT},
        {"from", CLI_LEFT},
        {"size", CLI_RIGHT},
        {"count", CLI_RIGHT},
        {"time [s]", CLI_RIGHT},
        {"shortest [us]", CLI_RIGHT},
        {"computing before it [s]", CLI_RIGHT},
    };
    parcast_profile_site *sites = NULL;
    parcast_error error = {0};
    size_t n = 0;
    if (parcast_run_sites(run, &sites, &n, &error)) return cli_fail(common, &error);
    if (n == 0) {
        free(sites);
        return 0;
    }
    char text[96];
    size_t n_shown = n < SITES_SHOWN ? n : SITES_SHOWN;
    snprintf(text, sizeof text, "call sites, longest %zu of %zu (addr2line -e FILE OFFSET names the line)",
             n_shown, n);
    heading(text);
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n_shown; i++) {
        const char *slash = sites[i].module ? strrchr(sites[i].module, '/') : NULL;
        cli_table_row(table);
        cli_table_put(table, "%s", sites[i].name);
        cli_table_put(table, "%s+0x%llx",
                      slash             ? slash + 1
                      : sites[i].module ? sites[i].module
                                        : "?",
                      (unsigned long long)sites[i].offset);
        put_bin(table, sites[i].bin);
        cli_table_put(table, "%llu", (unsigned long long)sites[i].count);
        cli_table_number(table, sites[i].time_s, 4);
        cli_table_number(table, 1e6 * sites[i].min_s, 3);
        cli_table_number(table, sites[i].compute_s, 4);
    }
    free(sites);
    return cli_table_print(common, &table);
}

/* -------- matrix: ranks by ranks when they are few, else nodes by nodes -------- */

struct matrix {
    double bytes[MATRIX_SHOWN][MATRIX_SHOWN];
    int n;
    bool by_node;
};

static int node_of_rank(const parcast_run *run, int rank)
{
    for (size_t i = 0; i < run->n_profiles; i++)
        if (run->ranks[i].rank == rank && !run->ranks[i].spawned) return run->ranks[i].node;
    return -1;
}

static int *nodes_of_ranks(const parcast_run *run)
{
    int *nodes = calloc((size_t)run->n_ranks + 1, sizeof *nodes);
    for (int rank = 0; nodes && rank < run->n_ranks; rank++)
        nodes[rank] =
            (size_t)rank < run->n_profiles && run->ranks[rank].rank == rank && !run->ranks[rank].spawned
                ? run->ranks[rank].node
                : node_of_rank(run, rank);
    return nodes;
}

/* Spawned ranks and messages to other worlds have no place in it. */
static void add_row(struct matrix *matrix, const parcast_run *run, const parcast_rank_profile *profile,
                    const int *nodes)
{
    for (size_t k = 0; k < profile->n_peers; k++) {
        int from = profile->rank, to = profile->peers[k].rank;
        if (to < 0 || to >= run->n_ranks || from >= run->n_ranks) continue;
        if (matrix->by_node) {
            from = nodes[from];
            to = nodes[to];
        }
        if (from < 0 || to < 0 || from >= matrix->n || to >= matrix->n) continue;
        matrix->bytes[from][to] += (double)profile->peers[k].bytes;
    }
}

static int print_matrix_table(const struct cli_common *common, const struct matrix *matrix)
{
    struct cli_column columns[MATRIX_SHOWN + 1] = {{"from \\ to", CLI_RIGHT}};
    char titles[MATRIX_SHOWN][12];
    for (int i = 0; i < matrix->n; i++) {
        snprintf(titles[i], sizeof titles[i], "%d", i);
        columns[i + 1] = (struct cli_column){titles[i], CLI_RIGHT};
    }
    struct cli_table *table = cli_table_create(common, columns, (size_t)matrix->n + 1);
    for (int i = 0; i < matrix->n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%d", i);
        for (int k = 0; k < matrix->n; k++) {
            char text[32];
            if (matrix->bytes[i][k] > 0)
                cli_table_put(table, "%s", parcast_units_format_size(matrix->bytes[i][k], text, sizeof text));
            else
                cli_table_put(table, ".");
        }
    }
    return cli_table_print(common, &table);
}

static int print_matrix(const struct cli_common *common, const parcast_run *run)
{
    struct matrix matrix = {.by_node = run->n_ranks > MATRIX_SHOWN};
    size_t n_pairs = 0;
    for (size_t i = 0; i < run->n_profiles; i++) n_pairs += run->ranks[i].n_peers;
    matrix.n = matrix.by_node ? run->n_nodes_used : run->n_ranks;
    if (n_pairs == 0) return 0;
    if (matrix.n > MATRIX_SHOWN) {
        heading("point to point");
        printf("%zu pairs of ranks exchange messages: --json lists them\n", n_pairs);
        return 0;
    }
    int *nodes = nodes_of_ranks(run);
    for (size_t i = 0; i < run->n_profiles && nodes; i++)
        if (!run->ranks[i].spawned) add_row(&matrix, run, &run->ranks[i], nodes);
    free(nodes);
    heading(matrix.by_node ? "point to point, node to node" : "point to point, rank to rank");
    return print_matrix_table(common, &matrix);
}

static int print_run(const struct cli_common *common, const char *path, const parcast_run *run)
{
    typedef int print_part(const struct cli_common *, const parcast_run *);
    static print_part *const parts[] = {print_nodes,  print_ranks,       print_calls, print_sizes,
                                        print_matrix, print_collectives, print_sites};
    print_head(path, run);
    int status = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == 0; i++)
        if (run->n_profiles > 0 || parts[i] == print_nodes) status = parts[i](common, run);
    return status;
}

/* -------- JSON -------- */

static json_t *problems_json(const parcast_run_list *list)
{
    json_t *problems = json_array();
    for (size_t i = 0; i < list->n_runs; i++) {
        if (!is_first_of_problem(list, i)) continue;
        json_t *runs = json_array();
        for (size_t k = i; k < list->n_runs; k++)
            if (list->runs[k].problem_id == list->runs[i].problem_id)
                json_array_append_new(runs, json_integer(list->runs[k].id));
        json_array_append_new(
            problems, json_pack("{s:I, s:o}", "id", (json_int_t)list->runs[i].problem_id, "runs", runs));
    }
    return problems;
}

/* The program of the latest complete run, or of the latest at all. */
static const char *main_program(const parcast_run_list *list)
{
    for (size_t i = list->n_runs; i > 0; i--)
        if (list->runs[i - 1].complete) return list->runs[i - 1].program;
    return list->n_runs > 0 ? list->runs[list->n_runs - 1].program : NULL;
}

static parcast_status add_run_json(parcast_study *study, int64_t run_id, bool details, json_t *object,
                                   parcast_error *error)
{
    parcast_run *run = NULL;
    parcast_status status = parcast_study_run_parts(study, run_id, cli_study_parts(details), &run, error);
    if (!status) status = cli_study_add_run(object, run, details, error);
    if (!status) status = cli_study_add_trace(object, study, run_id, error);
    parcast_run_destroy(&run);
    return status;
}

static int show_json(const struct cli_common *common, parcast_study *study, const parcast_run_list *list,
                     int64_t only)
{
    parcast_error error = {0};
    parcast_status status = PARCAST_OK;
    json_t *object = cli_study_json(main_program(list));
    json_t *estimates = NULL;
    json_object_set_new(object, "problems", problems_json(list));
    if (!only) status = show_estimates_json(study, &estimates, &error);
    if (estimates) json_object_set_new(object, "estimates", estimates);
    if (only)
        status = add_run_json(study, only, true, object, &error);
    else
        for (size_t i = 0; i < list->n_runs && !status; i++)
            status = add_run_json(study, list->runs[i].id, false, object, &error);
    if (status) {
        json_decref(object);
        return cli_fail(common, &error);
    }
    cli_print_json(object);
    return 0;
}

/* -------- */

static int show_one(const struct cli_common *common, parcast_study *study, const char *path, int64_t run_id)
{
    parcast_run *run = NULL;
    parcast_error error = {0};
    unsigned parts = cli_study_parts(true);
    if (parcast_study_run_parts(study, run_id, parts, &run, &error)) return cli_fail(common, &error);
    int status = print_run(common, path, run);
    parcast_run_destroy(&run);
    return status;
}

static int show(const struct cli_common *common, const char *path, int64_t only)
{
    parcast_study *study = NULL;
    parcast_run_list list = {0};
    parcast_error error = {0};
    int status = 0;
    if (parcast_study_open(path, PARCAST_STUDY_READ, &study, &error)) return cli_fail(common, &error);
    if (only && !common->json)
        status = show_one(common, study, path, only);
    else if (parcast_study_list(study, 0, &list, &error))
        status = cli_fail(common, &error);
    else if (common->json)
        status = show_json(common, study, &list, only);
    else if (!(status = print_list(common, path, &list)))
        status = show_estimates_print(common, study);
    parcast_run_list_clear(&list);
    parcast_study_close(&study);
    return status;
}

static int run(const struct options *options, poptContext context)
{
    const char *path = cli_argument(context);
    if (!path) return cli_usage(&options->common, "no study given");
    const char *more = cli_argument(context);
    if (more) return cli_usage(&options->common, "one study at a time: what is '%s'?", more);
    int64_t only = 0;
    if (options->run) {
        char *end = NULL;
        errno = 0;
        only = strtoll(options->run, &end, 10);
        if (end == options->run || *end || only < 1 || errno)
            return cli_usage(&options->common, "--run is the number of a run, not '%s'", options->run);
    }
    return show(&options->common, path, only);
}

int cmd_show(int argc, const char **argv)
{
    struct options options = {.common = {.command = "show", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"run", 0, POPT_ARG_STRING, &options.run, 0, "one run in detail", "N"},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    poptContext context;
    int status = cli_options(&options.common, argc, argv, table, &context);
    if (status < 0) {
        status = run(&options, context);
        cli_options_free(&options.common, context);
    }
    free(options.run);
    return status;
}
