/* parcast solve: a queueing network as such. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/queueing.h"
#include "table.h"

static const char synopsis[] =
    "parcast solve [--method exact|linearizer|schweitzer|bounds] [--json] NETWORK.json";

struct options {
    struct cli_common common;
    char *method;
};

static json_t *numbers(const double *values, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(array, json_real(values[i]));
    return array;
}

static json_t *matrix(const double *values, size_t n_rows, size_t n_columns)
{
    json_t *rows = json_array();
    for (size_t r = 0; r < n_rows; r++)
        json_array_append_new(rows, numbers(values + r * n_columns, n_columns));
    return rows;
}

static json_t *utilizations(const parcast_solution *solution)
{
    json_t *rows = matrix(solution->utilization, solution->n_classes, solution->n_stations);
    for (size_t r = 0; r < solution->n_classes; r++)
        for (size_t k = 0; k < solution->n_stations; k++)
            if (!solution->has_utilization[k]) json_array_set_new(json_array_get(rows, r), k, json_null());
    return rows;
}

static void print_solution_json(const parcast_solution *solution, const char *method)
{
    size_t n_classes = solution->n_classes, n_stations = solution->n_stations;
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_string("parcast.solve/1"));
    json_object_set_new(object, "method", json_string(method));
    json_object_set_new(object, "throughput_per_s", numbers(solution->throughput_per_s, n_classes));
    json_object_set_new(object, "response_s", numbers(solution->response_s, n_classes));
    json_object_set_new(object, "queue_length", matrix(solution->queue_length, n_classes, n_stations));
    json_object_set_new(object, "residence_s", matrix(solution->residence_s, n_classes, n_stations));
    json_object_set_new(object, "utilization", utilizations(solution));
    cli_print_json(object);
}

/* "4 customers", "open" */
static void put_class(struct cli_table *table, const parcast_network *network, size_t r)
{
    if (network->arrival_rate_per_s[r] > 0)
        cli_table_put(table, "open");
    else
        cli_table_put(table, "%lld", (long long)network->population[r]);
}

static int print_classes(const struct cli_common *common, const parcast_network *network,
                         const parcast_solution *solution)
{
    static const struct cli_column columns[] = {{"class", CLI_RIGHT},
                                                {"customers", CLI_RIGHT},
                                                {"throughput [1/s]", CLI_RIGHT},
                                                {"response [s]", CLI_RIGHT}};
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t r = 0; r < solution->n_classes; r++) {
        cli_table_row(table);
        cli_table_put(table, "%zu", r);
        put_class(table, network, r);
        cli_table_put(table, "%.6g", solution->throughput_per_s[r]);
        cli_table_put(table, "%.6g", solution->response_s[r]);
    }
    return cli_table_print(common, &table);
}

static void put_servers(struct cli_table *table, const parcast_network *network, size_t k)
{
    if (network->n_rates[k] > 0)
        cli_table_put(table, "rates");
    else if (network->servers[k] == PARCAST_DELAY)
        cli_table_put(table, "delay");
    else
        cli_table_put(table, "%d", network->servers[k]);
}

static int print_stations(const struct cli_common *common, const parcast_network *network,
                          const parcast_solution *solution)
{
    static const struct cli_column columns[] = {{"class", CLI_RIGHT},         {"station", CLI_RIGHT},
                                                {"servers", CLI_RIGHT},       {"demand [s]", CLI_RIGHT},
                                                {"residence [s]", CLI_RIGHT}, {"queue length", CLI_RIGHT},
                                                {"utilization", CLI_RIGHT}};
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t r = 0; r < solution->n_classes; r++)
        for (size_t k = 0; k < solution->n_stations; k++) {
            size_t i = r * solution->n_stations + k;
            cli_table_row(table);
            cli_table_put(table, "%zu", r);
            cli_table_put(table, "%zu", k);
            put_servers(table, network, k);
            cli_table_put(table, "%.6g", network->visits[i] * network->service_s[i]);
            cli_table_put(table, "%.6g", solution->residence_s[i]);
            cli_table_put(table, "%.6g", solution->queue_length[i]);
            if (solution->has_utilization[k])
                cli_table_put(table, "%.4f", solution->utilization[i]);
            else
                cli_table_put(table, "-");
        }
    return cli_table_print(common, &table);
}

static int print_solution(const struct cli_common *common, const parcast_network *network,
                          const parcast_solution *solution, const char *method)
{
    if (common->json) {
        print_solution_json(solution, method);
        return 0;
    }
    printf("method: %s\n\n", method);
    int status = print_classes(common, network, solution);
    if (status) return status;
    putchar('\n');
    return print_stations(common, network, solution);
}

static json_t *pair(double low, double high)
{
    double values[2] = {low, high};
    return numbers(values, 2);
}

static void print_bounds_json(const parcast_bounds *bounds)
{
    json_t *kinds = json_object();
    for (size_t i = 0; i < PARCAST_N_BOUNDS; i++) {
        const parcast_bound *bound = &bounds->bound[i];
        if (!bound->applies) continue;
        json_t *kind = json_object();
        json_object_set_new(kind, "throughput_per_s",
                            pair(bound->throughput_low_per_s, bound->throughput_high_per_s));
        json_object_set_new(kind, "response_s", pair(bound->response_low_s, bound->response_high_s));
        json_object_set_new(kinds, parcast_bounds_name(i), kind);
    }
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_string("parcast.solve/1"));
    json_object_set_new(object, "method", json_string("bounds"));
    json_object_set_new(object, "bounds", kinds);
    cli_print_json(object);
}

static int print_bounds(const struct cli_common *common, const parcast_bounds *bounds)
{
    static const struct cli_column columns[] = {{"bounds", CLI_LEFT},
                                                {"throughput from [1/s]", CLI_RIGHT},
                                                {"to [1/s]", CLI_RIGHT},
                                                {"response from [s]", CLI_RIGHT},
                                                {"to [s]", CLI_RIGHT}};
    if (common->json) {
        print_bounds_json(bounds);
        return 0;
    }
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < PARCAST_N_BOUNDS; i++) {
        const parcast_bound *bound = &bounds->bound[i];
        if (!bound->applies) continue;
        cli_table_row(table);
        cli_table_put(table, "%s", parcast_bounds_name(i));
        cli_table_put(table, "%.6g", bound->throughput_low_per_s);
        cli_table_put(table, "%.6g", bound->throughput_high_per_s);
        cli_table_put(table, "%.6g", bound->response_low_s);
        cli_table_put(table, "%.6g", bound->response_high_s);
    }
    return cli_table_print(common, &table);
}

/* Errors of the solvers speak of the network; the file it came from helps the reader. */
static int fail(const struct cli_common *common, const char *path, parcast_error *error)
{
    if (!error->source[0])
        snprintf(error->source, sizeof error->source, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
    return cli_fail(common, error);
}

static int solve(const struct cli_common *common, const char *path, const char *method,
                 parcast_solve_method chosen, bool bounds_only)
{
    parcast_error error = {0};
    parcast_network *network = NULL;
    parcast_solution *solution = NULL;
    parcast_bounds bounds;
    if (parcast_network_read(path, &network, &error)) return cli_fail(common, &error);
    parcast_status failed = bounds_only ? parcast_network_bounds(network, &bounds, &error)
                                        : parcast_network_solve(network, chosen, NULL, &solution, &error);
    int status;
    if (failed)
        status = fail(common, path, &error);
    else if (bounds_only)
        status = print_bounds(common, &bounds);
    else
        status = print_solution(common, network, solution, method);
    parcast_solution_destroy(&solution);
    parcast_network_destroy(&network);
    return status;
}

static int run(void *given, poptContext context)
{
    const struct options *options = given;
    static const parcast_solve_method methods[] = {PARCAST_SOLVE_EXACT, PARCAST_SOLVE_LINEARIZER,
                                                   PARCAST_SOLVE_SCHWEITZER};
    const char *method = options->method ? options->method : "exact";
    const char *path = cli_only_argument(&options->common, context, "network");
    if (!path) return EXIT_USAGE;
    if (strcmp(method, "bounds") == 0)
        return solve(&options->common, path, method, PARCAST_SOLVE_EXACT, true);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(method, parcast_solve_method_name(methods[i])) == 0)
            return solve(&options->common, path, method, methods[i], false);
    return cli_usage(&options->common, "--method is exact, linearizer, schweitzer or bounds, not '%s'",
                     method);
}

int cmd_solve(int argc, const char **argv)
{
    struct options options = {.common = {.command = "solve", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"method", 0, POPT_ARG_STRING, &options.method, 0,
         "exact (default), linearizer, schweitzer, or bounds (no solution)", "METHOD"},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    return cli_command(&options.common, argc, argv, table, run, &options);
}
