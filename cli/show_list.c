/* All runs of a study, problem by problem. */
#include <stdio.h>

#include "show.h"

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
    show_count(table, run->n_nodes_used);
    cli_table_put(table, "%s", run->mpi ? run->mpi : "-");
    cli_table_number(table, run->time_s, 4);
    show_percent(table, run->compute_s, run->time_s);
    show_percent(table, run->mpi_s, run->time_s);
    show_percent(table, run->wait_s, run->time_s);
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
            show_command(&list->runs[i]);
            named = true;
        }
        put_run(table, &list->runs[i]);
    }
    return cli_table_print(common, &table);
}

bool show_is_first(const parcast_run_list *list, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (list->runs[i].problem_id == list->runs[at].problem_id) return false;
    return true;
}

static size_t count_problems(const parcast_run_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n_runs; i++) n += show_is_first(list, i);
    return n;
}

int show_list(const struct cli_common *common, const char *path, const parcast_run_list *list)
{
    size_t n_problems = count_problems(list);
    show_plain(path);
    printf(": %zu run%s of %zu problem%s\n", list->n_runs, list->n_runs == 1 ? "" : "s", n_problems,
           n_problems == 1 ? "" : "s");
    int status = 0;
    for (size_t i = 0; i < list->n_runs && status == 0; i++)
        if (show_is_first(list, i)) status = print_problem(common, list, list->runs[i].problem_id);
    return status;
}
