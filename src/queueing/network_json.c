/* Reader of parcast.network/1. Every complaint names the field; sizes are checked against what the text
 * holds. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/queueing.h"

enum { MAX_FILE_BYTES = 1 << 28 };

struct reader {
    const json_t *root;
    const char *source;
    parcast_network *network;
    parcast_error *error;
};

static const char *const known_keys[] = {"schema", "classes", "stations", "servers", "N",
                                         "Z",      "lambda",  "V",        "S",       "rates",
                                         "name",   "note",    "source",   "id"};

static parcast_status check_keys(const struct reader *in)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)in->root, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < sizeof known_keys / sizeof known_keys[0]; i++)
            known = known || strcmp(key, known_keys[i]) == 0;
        if (known) continue;
        parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0, "unknown field '%.64s'", key);
        parcast_error_hint(in->error, "a network has classes, stations, servers, N, Z, lambda, V, S, rates");
        return PARCAST_FORMAT;
    }
    return PARCAST_OK;
}

static parcast_status check_schema(const struct reader *in)
{
    const json_t *schema = json_object_get(in->root, "schema");
    if (!schema) return PARCAST_OK;
    if (!json_is_string(schema))
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0, "'schema' must be a text");
    if (strcmp(json_string_value(schema), "parcast.network/1") == 0) return PARCAST_OK;
    return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0,
                             "'schema' is \"%.64s\", not \"parcast.network/1\"", json_string_value(schema));
}

static parcast_status read_size(const struct reader *in, const char *key, size_t *size)
{
    const json_t *value = json_object_get(in->root, key);
    if (!value)
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0, "field '%s' is missing", key);
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0,
                                 "'%s' must be a whole number from 1", key);
    *size = (size_t)json_integer_value(value);
    return PARCAST_OK;
}

/* An array of exactly n elements, or NULL with PARCAST_OK where the field is absent (or null) and may be. */
static parcast_status get_array(const struct reader *in, const char *key, size_t n, bool required,
                                const json_t **array)
{
    *array = json_object_get(in->root, key);
    if (!*array && required)
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0, "field '%s' is missing", key);
    if (!required && json_is_null(*array)) *array = NULL;
    if (!*array) return PARCAST_OK;
    if (!json_is_array(*array))
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0, "'%s' must be an array", key);
    if (json_array_size(*array) != n)
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0,
                                 "'%s' has %zu elements where there must be %zu", key,
                                 json_array_size(*array), n);
    return PARCAST_OK;
}

static parcast_status read_whole_numbers(const struct reader *in, const char *key, size_t n, double low,
                                         double high, double *numbers)
{
    const json_t *array;
    parcast_status status = get_array(in, key, n, true, &array);
    for (size_t i = 0; !status && i < n; i++) {
        const json_t *value = json_array_get(array, i);
        double number = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(number >= low && number <= high && number == floor(number)))
            return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0,
                                     "'%s[%zu]' must be a whole number from %.0f to %.0f", key, i, low, high);
        numbers[i] = number;
    }
    return status;
}

static parcast_status read_servers(const struct reader *in)
{
    size_t n = in->network->n_stations;
    double *numbers = malloc(n * sizeof *numbers);
    if (!numbers)
        return parcast_error_set(in->error, PARCAST_MEMORY, in->source, 0, "out of memory for a network");
    parcast_status status = read_whole_numbers(in, "servers", n, -1, 1e9, numbers);
    for (size_t k = 0; !status && k < n; k++) in->network->servers[k] = (int)numbers[k];
    free(numbers);
    return status;
}

static parcast_status read_populations(const struct reader *in)
{
    size_t n = in->network->n_classes;
    double *numbers = malloc(n * sizeof *numbers);
    if (!numbers)
        return parcast_error_set(in->error, PARCAST_MEMORY, in->source, 0, "out of memory for a network");
    parcast_status status = read_whole_numbers(in, "N", n, 0, 1e15, numbers);
    for (size_t r = 0; !status && r < n; r++) in->network->population[r] = (int64_t)numbers[r];
    free(numbers);
    return status;
}

/* The values are checked by parcast_network_validate; here only that they are numbers. */
static parcast_status read_row(const struct reader *in, const json_t *row, const char *name, size_t n,
                               double *values)
{
    if (!json_is_array(row))
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0, "'%s' must be an array", name);
    if (json_array_size(row) != n)
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0,
                                 "'%s' has %zu elements where there must be %zu", name, json_array_size(row),
                                 n);
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(row, i);
        if (!json_is_number(value))
            return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0, "'%s[%zu]' must be a number",
                                     name, i);
        values[i] = json_number_value(value);
    }
    return PARCAST_OK;
}

static parcast_status read_vector(const struct reader *in, const char *key, double *values)
{
    const json_t *array;
    parcast_status status = get_array(in, key, in->network->n_classes, false, &array);
    if (status || !array) return status;
    return read_row(in, array, key, in->network->n_classes, values);
}

static parcast_status read_matrix(const struct reader *in, const char *key, double *values)
{
    const json_t *array;
    size_t n_stations = in->network->n_stations;
    parcast_status status = get_array(in, key, in->network->n_classes, true, &array);
    for (size_t r = 0; !status && r < in->network->n_classes; r++) {
        char name[64];
        snprintf(name, sizeof name, "%s[%zu]", key, r);
        status = read_row(in, json_array_get(array, r), name, n_stations, values + r * n_stations);
    }
    return status;
}

static parcast_status read_station_rates(const struct reader *in, const json_t *row, size_t station)
{
    char name[64];
    snprintf(name, sizeof name, "rates[%zu]", station);
    if (json_is_null(row)) return PARCAST_OK;
    if (!json_is_array(row) || json_array_size(row) == 0)
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0,
                                 "'%s' must be null or an array of at least one number", name);
    size_t n = json_array_size(row);
    double *values = malloc(n * sizeof *values);
    if (!values)
        return parcast_error_set(in->error, PARCAST_MEMORY, in->source, 0, "out of memory for a network");
    parcast_status status = read_row(in, row, name, n, values);
    if (!status) {
        status = parcast_network_set_rates(in->network, station, values, n, in->error);
        if (status == PARCAST_INVALID) { /* here it is the input that is wrong, not the caller */
            status = PARCAST_DATA;
            if (in->error) in->error->code = status;
        }
    }
    free(values);
    return status;
}

static parcast_status read_rates(const struct reader *in)
{
    const json_t *array;
    parcast_status status = get_array(in, "rates", in->network->n_stations, false, &array);
    for (size_t k = 0; !status && array && k < in->network->n_stations; k++)
        status = read_station_rates(in, json_array_get(array, k), k);
    return status;
}

static parcast_status read_fields(const struct reader *in)
{
    parcast_status status = read_servers(in);
    if (!status) status = read_populations(in);
    if (!status) status = read_vector(in, "Z", in->network->think_time_s);
    if (!status) status = read_vector(in, "lambda", in->network->arrival_rate_per_s);
    if (!status) status = read_matrix(in, "V", in->network->visits);
    if (!status) status = read_matrix(in, "S", in->network->service_s);
    if (!status) status = read_rates(in);
    return status ? status : parcast_network_validate(in->network, in->error);
}

/* The arrays must already have the sizes that the counts promise, so that a small file cannot ask for much.
 */
static parcast_status check_sizes(const struct reader *in, size_t n_classes, size_t n_stations)
{
    const json_t *array;
    parcast_status status = get_array(in, "servers", n_stations, true, &array);
    if (!status) status = get_array(in, "S", n_classes, true, &array);
    for (size_t r = 0; !status && r < n_classes; r++)
        if (json_array_size(json_array_get(array, r)) != n_stations)
            return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0,
                                     "'S[%zu]' must be an array of %zu numbers", r, n_stations);
    return status;
}

static parcast_status read_network(struct reader *in)
{
    size_t n_classes = 0, n_stations = 0;
    if (!json_is_object(in->root))
        return parcast_error_set(in->error, PARCAST_FORMAT, in->source, 0, "a network is a JSON object");
    parcast_status status = check_schema(in);
    if (!status) status = check_keys(in);
    if (!status) status = read_size(in, "classes", &n_classes);
    if (!status) status = read_size(in, "stations", &n_stations);
    if (!status) status = check_sizes(in, n_classes, n_stations);
    if (!status) status = parcast_network_create(n_classes, n_stations, &in->network, in->error);
    return status ? status : read_fields(in);
}

parcast_status parcast_network_parse(const char *text, size_t size, const char *source,
                                     parcast_network **network, parcast_error *error)
{
    json_error_t trouble;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &trouble);
    if (!root)
        return parcast_error_set(error, PARCAST_FORMAT, source ? source : "network", trouble.line, "%s",
                                 trouble.text);
    struct reader in = {.root = root, .source = source, .error = error};
    parcast_status status = read_network(&in);
    json_decref(root);
    if (status) {
        if (error && source) snprintf(error->source, sizeof error->source, "%s", source);
        parcast_network_destroy(&in.network);
        return status;
    }
    *network = in.network;
    return PARCAST_OK;
}

/* Whole stream into memory; the caller frees *text. */
static parcast_status read_stream(FILE *file, const char *source, char **text, size_t *size,
                                  parcast_error *error)
{
    size_t capacity = 0, n = 0;
    char *buffer = NULL;
    do {
        if (n == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            char *larger = capacity <= 2 * (size_t)MAX_FILE_BYTES ? realloc(buffer, capacity) : NULL;
            if (!larger) {
                free(buffer);
                return parcast_error_set(error, PARCAST_LIMIT, source, 0, "a network file of over %d bytes",
                                         MAX_FILE_BYTES);
            }
            buffer = larger;
        }
        n += fread(buffer + n, 1, capacity - n, file);
    } while (n == capacity);
    if (ferror(file)) {
        free(buffer);
        return parcast_error_set(error, PARCAST_IO, source, 0, "cannot read: %s", strerror(errno));
    }
    *text = buffer;
    *size = n;
    return PARCAST_OK;
}

parcast_status parcast_network_read(const char *path, parcast_network **network, parcast_error *error)
{
    bool standard_input = strcmp(path, "-") == 0;
    const char *source = standard_input ? "standard input" : path;
    FILE *file = standard_input ? stdin : fopen(path, "rb");
    if (!file)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot open '%s': %s", path, strerror(errno));
    char *text = NULL;
    size_t size = 0;
    parcast_status status = read_stream(file, source, &text, &size, error);
    if (!standard_input) fclose(file);
    if (status) return status;
    status = parcast_network_parse(text, size, source, network, error);
    free(text);
    return status;
}
