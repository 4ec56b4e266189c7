/* The calls of a run: which, of what sizes, from where. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"

enum { SITES_SHOWN = 10 };

int show_calls(const struct cli_common *common, const parcast_run *run)
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
    show_heading("calls, all ranks together");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%s", calls[i].name);
        cli_table_put(table, "%llu", (unsigned long long)calls[i].count);
        cli_table_number(table, calls[i].time_s, 4);
        cli_table_number(table, calls[i].wait_s, 4);
        show_size(table, calls[i].bytes);
        cli_table_number(table, 1e6 * calls[i].min_s, 3);
        cli_table_number(table, 1e6 * calls[i].max_s, 3);
    }
    free(calls);
    return cli_table_print(common, &table);
}

int show_sizes(const struct cli_common *common, const parcast_run *run)
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
    show_heading("message sizes");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%s", parcast_message_class_name(sizes[i].message_class));
        cli_table_put(table, "%s", parcast_reach_name(sizes[i].reach));
        show_bin(table, sizes[i].bin);
        cli_table_put(table, "%llu", (unsigned long long)sizes[i].count);
        show_size(table, sizes[i].bytes);
        cli_table_number(table, sizes[i].time_s, 4);
        cli_table_number(table, 1e6 * sizes[i].min_s, 3);
    }
    free(sizes);
    return cli_table_print(common, &table);
}

int show_collectives(const struct cli_common *common, const parcast_run *run)
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
    show_heading("collectives, all ranks together");
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%s", items[i].name);
        cli_table_put(table, "%d", items[i].n_ranks);
        cli_table_put(table, "%s", parcast_reach_name(items[i].reach));
        show_bin(table, items[i].bin);
        cli_table_put(table, "%llu", (unsigned long long)items[i].count);
        show_size(table, items[i].bytes);
        cli_table_number(table, items[i].time_s, 4);
        cli_table_number(table, 1e6 * items[i].min_s, 3);
    }
    free(items);
    return cli_table_print(common, &table);
}

int show_sites(const struct cli_common *common, const parcast_run *run)
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
    show_heading(text);
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
        show_bin(table, sites[i].bin);
        cli_table_put(table, "%llu", (unsigned long long)sites[i].count);
        cli_table_number(table, sites[i].time_s, 4);
        cli_table_number(table, 1e6 * sites[i].min_s, 3);
        cli_table_number(table, sites[i].compute_s, 4);
    }
    free(sites);
    return cli_table_print(common, &table);
}
