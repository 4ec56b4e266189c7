/* Reading parcast.estimate/1. */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/bound.h"

static parcast_status malformed(const char *source, const char *field, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_FORMAT, source, 0,
                             "not an estimate: '%s' is missing or malformed", field);
}

/* A number from 0, NAN for null or a field that is not there. */
static bool read_number(const json_t *object, const char *key, double *value)
{
    const json_t *number = json_object_get(object, key);
    *value = NAN;
    if (!number || json_is_null(number)) return true;
    *value = json_number_value(number);
    return json_is_number(number) && isfinite(*value) && *value >= 0;
}

static parcast_status read_volume(const json_t *object, parcast_estimate_volume *volume, const char *source,
                                  parcast_error *error)
{
    const json_t *processes = json_object_get(object, "processes");
    json_int_t p = json_integer_value(processes);
    if (!json_is_integer(processes) || p < 1 || p > 1 << 30) return malformed(source, "processes", error);
    volume->processes = (int)p;
    if (!read_number(object, "bytes", &volume->bytes) || isnan(volume->bytes))
        return malformed(source, "bytes", error);
    if (!read_number(object, "bytes_block", &volume->block_bytes))
        return malformed(source, "bytes_block", error);
    if (!read_number(object, "largest_part_bytes", &volume->largest_bytes))
        return malformed(source, "largest_part_bytes", error);
    return PARCAST_OK;
}

static int by_processes(const void *a, const void *b)
{
    const parcast_estimate_volume *x = a, *y = b;
    return (x->processes > y->processes) - (x->processes < y->processes);
}

/* Of the points asked for, and of the numbers of nodes that they come to. One part sends nothing. */
static parcast_status read_volumes(const json_t *object, parcast_estimate *estimate, const char *source,
                                   parcast_error *error)
{
    static const char *const lists[] = {"points", "between_nodes"};
    size_t n = 0;
    for (int i = 0; i < 2; i++) n += json_array_size(json_object_get(object, lists[i]));
    if (!json_is_array(json_object_get(object, "points"))) return malformed(source, "points", error);
    estimate->volumes = calloc(n + 1, sizeof *estimate->volumes);
    if (!estimate->volumes)
        return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory for %zu points", n);
    for (int i = 0; i < 2; i++) {
        size_t k;
        json_t *point;
        json_array_foreach(json_object_get(object, lists[i]), k, point)
        {
            parcast_estimate_volume *volume = &estimate->volumes[estimate->n_volumes];
            parcast_status status = read_volume(point, volume, source, error);
            if (status) return status;
            bool known = volume->processes == 1;
            for (size_t v = 0; v < estimate->n_volumes; v++)
                known = known || estimate->volumes[v].processes == volume->processes;
            if (!known) estimate->n_volumes++;
        }
    }
    qsort(estimate->volumes, estimate->n_volumes, sizeof *estimate->volumes, by_processes);
    return PARCAST_OK;
}

static parcast_status read_command(const json_t *object, parcast_estimate *estimate, const char *source,
                                   parcast_error *error)
{
    const json_t *program = json_object_get(object, "program"), *words = json_object_get(object, "arguments");
    if (!json_is_string(program)) return malformed(source, "program", error);
    if (!json_is_array(words)) return malformed(source, "arguments", error);
    estimate->program = strdup(json_string_value(program));
    estimate->arguments = calloc(json_array_size(words) + 1, sizeof *estimate->arguments);
    if (!estimate->program || !estimate->arguments)
        return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *word = json_string_value(json_array_get(words, i));
        if (!word) return malformed(source, "arguments", error);
        if (!(estimate->arguments[i] = strdup(word)))
            return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
        estimate->n_arguments++;
    }
    return PARCAST_OK;
}

static parcast_status read_figures(const json_t *object, parcast_estimate *estimate, const char *source,
                                   parcast_error *error)
{
    const json_t *figures = json_object_get(object, "figures");
    parcast_bound_figures *f = &estimate->figures;
    if (!read_number(object, "flop", &estimate->flop) || isnan(estimate->flop))
        return malformed(source, "flop", error);
    if (!read_number(object, "serial_s", &estimate->serial_s)) return malformed(source, "serial_s", error);
    if (!read_number(object, "calibration", &estimate->calibration))
        return malformed(source, "calibration", error);
    if (!read_number(figures, "flop_per_s", &f->flop_per_s) ||
        !read_number(figures, "bandwidth_bytes_per_s", &f->bandwidth_bytes_per_s) ||
        !read_number(figures, "overlap_ratio", &f->overlap_ratio) || f->overlap_ratio > 1)
        return malformed(source, "figures", error);
    return PARCAST_OK;
}

parcast_status parcast_estimate_parse(const char *json, const char *source, parcast_estimate *estimate,
                                      parcast_error *error)
{
    parcast_estimate made = {0};
    json_t *object = json_loads(json, 0, NULL);
    const char *schema = json_string_value(json_object_get(object, "schema"));
    parcast_status status =
        schema && strcmp(schema, "parcast.estimate/1") == 0
            ? read_command(object, &made, source, error)
            : parcast_error_set(error, PARCAST_FORMAT, source, 0, "not an object of parcast.estimate/1");
    if (!status) status = read_figures(object, &made, source, error);
    if (!status) status = read_volumes(object, &made, source, error);
    json_decref(object);
    if (status)
        parcast_estimate_clear(&made);
    else
        *estimate = made;
    return status;
}

void parcast_estimate_clear(parcast_estimate *estimate)
{
    for (size_t i = 0; i < estimate->n_arguments; i++) free(estimate->arguments[i]);
    free(estimate->arguments);
    free(estimate->program);
    free(estimate->volumes);
    *estimate = (parcast_estimate){0};
}
