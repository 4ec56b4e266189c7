#include "show_estimates.h"

#include <string.h>

#include "table.h"

enum { MOST_SHOWN = 1024 };

static json_t *copy_of(const json_t *object, const char *const *fields)
{
    json_t *copy = json_object();
    for (; *fields; fields++) {
        json_t *value = json_object_get(object, *fields);
        json_object_set(copy, *fields, value ? value : json_null());
    }
    return copy;
}

/* Without matrices and bounds: `estimate --json` printed them. */
static json_t *shorten(const json_t *estimate)
{
    static const char *const head[] = {"program", "arguments", "flop", "partial", "scaled", NULL};
    static const char *const fields[] = {"processes", "words", "words_block", "bytes", NULL};
    json_t *object = copy_of(estimate, head), *points = json_array();
    size_t i;
    const json_t *point;
    json_array_foreach(json_object_get(estimate, "points"), i, point)
        json_array_append_new(points, copy_of(point, fields));
    json_object_set_new(object, "points", points);
    return object;
}

parcast_status show_estimates_read(char *const *texts, size_t n, json_t **array, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    json_t *all = json_array();
    for (size_t i = 0; i < n && !status; i++) {
        json_t *estimate = json_loads(texts[i], 0, NULL);
        if (json_is_object(estimate))
            json_array_append_new(all, shorten(estimate));
        else
            status = parcast_error_set(error, PARCAST_FORMAT, NULL, 0,
                                       "an estimate of the study is no JSON object");
        json_decref(estimate);
    }
    if (status)
        json_decref(all);
    else
        *array = all;
    return status;
}

parcast_status show_estimates_json(parcast_study *study, json_t **array, parcast_error *error)
{
    char **texts = NULL;
    size_t n = 0;
    parcast_status status =
        parcast_study_results(study, 0, "parcast.estimate/1", MOST_SHOWN, &texts, &n, error);
    if (!status) status = show_estimates_read(texts, n, array, error);
    parcast_study_results_free(&texts, n);
    return status;
}

static void put_arguments(struct cli_table *table, const json_t *estimate)
{
    char text[256] = "";
    size_t i, used = 0;
    const json_t *word;
    json_array_foreach(json_object_get(estimate, "arguments"), i, word)
    {
        const char *value = json_string_value(word);
        if (!value || used + strlen(value) + 2 > sizeof text) break;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", value);
    }
    cli_table_put(table, "%s", text);
}

static void put_count(struct cli_table *table, const json_t *value)
{
    if (json_is_number(value))
        cli_table_put(table, "%.0f", json_number_value(value));
    else
        cli_table_put(table, "-");
}

static void put_remarks(struct cli_table *table, const json_t *estimate)
{
    const char *partial = json_string_value(json_object_get(estimate, "partial"));
    if (partial)
        cli_table_put(table, "PARTIAL: %s", partial);
    else if (json_is_object(json_object_get(estimate, "scaled")))
        cli_table_put(table, "scaled from a few iterations");
}

static void put_estimate(struct cli_table *table, const json_t *estimate)
{
    size_t i;
    const json_t *point;
    json_array_foreach(json_object_get(estimate, "points"), i, point)
    {
        const char *program = json_string_value(json_object_get(estimate, "program"));
        cli_table_row(table);
        cli_table_put(table, "%s", i || !program ? "" : program);
        if (i)
            cli_table_put(table, "%s", "");
        else
            put_arguments(table, estimate);
        put_count(table, json_object_get(point, "processes"));
        put_count(table, json_object_get(point, "words"));
        put_count(table, json_object_get(point, "words_block"));
        put_remarks(table, estimate);
    }
}

int show_estimates_table(const struct cli_common *common, const json_t *estimates)
{
    static const struct cli_column columns[] = {{"estimate of", CLI_LEFT}, {"arguments", CLI_LEFT},
                                                {"processes", CLI_RIGHT},  {"words", CLI_RIGHT},
                                                {"in blocks", CLI_RIGHT},  {"remarks", CLI_WRAP}};
    struct cli_table *table = cli_table_create(common, columns, sizeof columns / sizeof *columns);
    size_t i;
    const json_t *estimate;
    json_array_foreach(estimates, i, estimate) put_estimate(table, estimate);
    printf("\n");
    return cli_table_print(common, &table);
}

int show_estimates_print(const struct cli_common *common, parcast_study *study)
{
    parcast_error error = {0};
    json_t *all;
    if (show_estimates_json(study, &all, &error)) return cli_fail(common, &error);
    int status = json_array_size(all) ? show_estimates_table(common, all) : 0;
    json_decref(all);
    return status;
}
