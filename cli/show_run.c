/* One run: its head, its nodes and ranks, and what they sent each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/units.h"
#include "show.h"

enum { RANKS_SHOWN = 32 };

static void print_head(const char *path, const parcast_run *run)
{
    char time[32], wall[32];
    printf("run %lld of ", (long long)run->id);
    show_plain(path);
    printf(", problem %lld: ", (long long)run->problem_id);
    show_command(run);
    printf("  %s %s, %s%s%s\n", run->source == PARCAST_RUN_IMPORTED ? "imported" : "recorded",
           run->started_at ? run->started_at : "at an unknown time", run->placement ? run->placement : "",
           run->mpi ? ", " : "", run->mpi ? run->mpi : "");
    if (run->launcher) show_lines(run->launcher, "  launcher: ");
    printf("  %s between MPI_Init and MPI_Finalize",
           parcast_units_format_time(run->time_s, time, sizeof time));
    if (isfinite(run->wall_s))
        printf(", %s in all", parcast_units_format_time(run->wall_s, wall, sizeof wall));
    printf(", %s, exit status %d\n", run->complete ? "complete" : "partial", run->exit_status);
    show_lines(run->notes, "  note: ");
}

static int print_nodes(const struct cli_common *common, const parcast_run *run)
{
    static const struct cli_column columns[] = {
        {"node", CLI_RIGHT},   {"name", CLI_LEFT},
        {"type", CLI_LEFT},    {"ranks", CLI_RIGHT},
        {"cores", CLI_RIGHT},  {"usable cores", CLI_RIGHT},
        {"memory", CLI_RIGHT}, {"speed of a core [1/s]", CLI_RIGHT},
    };
    show_heading("nodes");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < run->n_nodes; i++) {
        const parcast_run_node *node = &run->nodes[i];
        char memory[32];
        cli_table_row(table);
        cli_table_put(table, "%zu", i);
        cli_table_put(table, "%s", node->name);
        cli_table_put(table, "%s", node->type ? node->type : "-");
        cli_table_put(table, "%d", node->n_ranks);
        show_count(table, node->cores);
        show_count(table, node->allowed_cores);
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
    show_heading(all ? "ranks"
                     : "ranks: those that compute longest, the median, the one that computes least");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n && order; i++)
        if (all || i < 8 || i == n / 2 || i == n - 1) put_rank(table, order[i]);
    free(order);
    return cli_table_print(common, &table);
}

int show_run(const struct cli_common *common, const char *path, const parcast_run *run)
{
    typedef int print_part(const struct cli_common *, const parcast_run *);
    static print_part *const parts[] = {print_nodes, print_ranks,      show_calls, show_sizes,
                                        show_matrix, show_collectives, show_sites};
    print_head(path, run);
    int status = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == 0; i++)
        if (run->n_profiles > 0 || parts[i] == print_nodes) status = parts[i](common, run);
    return status;
}
