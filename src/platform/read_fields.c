/*
 * From the values of a mapping to the fields of a struct, by the tables of keys.c.
 */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/units.h"
#include "platform/read.h"

parcast_status reader_fail(const struct reader *reader, const struct tree *at, parcast_status code,
                           const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return parcast_error_set(reader->error, code, reader->source, at ? at->line : 0, "%s", text);
}

parcast_status reader_out_of_memory(const struct reader *reader)
{
    return parcast_error_set(reader->error, PARCAST_MEMORY, reader->source, 0, "out of memory");
}

static parcast_status expect_scalar(const struct reader *reader, const struct tree *value, const char *name)
{
    if (value->kind != TREE_SCALAR)
        return reader_fail(reader, value, PARCAST_FORMAT, "key '%s' takes a single value, not %s", name,
                           tree_kind_name(value));
    if (!value->text[0] || strcmp(value->text, "~") == 0)
        return reader_fail(reader, value, PARCAST_FORMAT, "key '%s' has no value", name);
    return PARCAST_OK;
}

/* Plain numbers are what all quantities are without a unit; parcast_units_size would take "3k" too. */
static parcast_status plain_number(const char *text, double *number, parcast_error *error)
{
    static const char digits[] = "0123456789.eE+-";
    char *end;
    if (strspn(text, digits) != strlen(text))
        return parcast_error_set(error, PARCAST_FORMAT, NULL, 0, "'%.80s' is not a number", text);
    *number = strtod(text, &end);
    if (end == text || *end || !isfinite(*number))
        return parcast_error_set(error, PARCAST_FORMAT, NULL, 0, "'%.80s' is not a finite number", text);
    return PARCAST_OK;
}

static parcast_status parse_quantity(enum key_kind kind, const char *text, double *number,
                                     parcast_error *error)
{
    if (text[0] == '-' && kind != KEY_NUMBER && kind != KEY_NUMBERS && kind != KEY_CURVE)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "'%.80s' is negative", text);
    if (kind == KEY_TIME) return parcast_units_time(text, number, error);
    if (kind == KEY_SIZE) return parcast_units_size(text, number, error);
    if (kind == KEY_BANDWIDTH) return parcast_units_bandwidth(text, number, error);
    if (kind == KEY_FLOP_RATE) return parcast_units_flop_rate(text, number, error);
    return plain_number(text, number, error);
}

static parcast_status check_range(const struct reader *reader, const struct tree *value,
                                  const struct key *key, double number)
{
    if (number < key->low || (key->above && number == key->low))
        return reader_fail(reader, value, PARCAST_DATA, "key '%s': '%.80s' must be %s %g", key->name,
                           value->text, key->above ? "above" : "at least", key->low);
    if (number > key->high) {
        reader_fail(reader, value, PARCAST_DATA, "key '%s': '%.80s' is more than %g", key->name, value->text,
                    key->high);
        if (key->kind == KEY_TIME)
            parcast_error_hint(reader->error,
                               "a number without unit is in seconds; write '30 us' or '1.5 ms'");
        return PARCAST_DATA;
    }
    return PARCAST_OK;
}

/* A number in the key's unit and range. */
static parcast_status read_number(const struct reader *reader, const struct tree *value,
                                  const struct key *key, double *number)
{
    parcast_status status = expect_scalar(reader, value, key->name);
    if (status) return status;
    parcast_error cause = {0};
    status = parse_quantity(key->kind, value->text, number, &cause);
    if (status) {
        status = status == PARCAST_DATA ? PARCAST_DATA : PARCAST_FORMAT;
        reader_fail(reader, value, status, "key '%s': %.300s", key->name, cause.text);
        if (cause.hint[0]) parcast_error_hint(reader->error, "%s", cause.hint);
        return status;
    }
    return check_range(reader, value, key, *number);
}

static parcast_status read_count(const struct reader *reader, const struct tree *value, const struct key *key,
                                 int *count)
{
    double number = 0;
    parcast_status status = read_number(reader, value, key, &number);
    if (status) return status;
    if (number != floor(number) || number > INT_MAX)
        return reader_fail(reader, value, PARCAST_FORMAT, "key '%s': '%.80s' is not a whole number",
                           key->name, value->text);
    *count = (int)number;
    return PARCAST_OK;
}

static parcast_status read_choice(const struct reader *reader, const struct tree *value,
                                  const struct key *key, int *index)
{
    parcast_status status = expect_scalar(reader, value, key->name);
    if (status) return status;
    char known[128] = "";
    for (int i = 0; key->choices[i]; i++) {
        if (strcmp(value->text, key->choices[i]) == 0) {
            *index = i;
            return PARCAST_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", key->choices[i]);
    }
    return reader_fail(reader, value, PARCAST_FORMAT, "key '%s': '%.80s' is none of %s", key->name,
                       value->text, known);
}

static parcast_status read_text(const struct reader *reader, const struct tree *value, const struct key *key,
                                char **text)
{
    int index = 0;
    parcast_status status = key->kind == KEY_WORD ? read_choice(reader, value, key, &index)
                                                  : expect_scalar(reader, value, key->name);
    if (status) return status;
    char *copy = strdup(value->text);
    if (!copy) return reader_out_of_memory(reader);
    free(*text);
    *text = copy;
    return PARCAST_OK;
}

static parcast_status expect_list(const struct reader *reader, const struct tree *value, const char *name)
{
    if (value->kind != TREE_SEQUENCE)
        return reader_fail(reader, value, PARCAST_FORMAT, "key '%s' takes a list like [4, 2]", name);
    if (value->n_children == 0)
        return reader_fail(reader, value, PARCAST_FORMAT, "key '%s': the list is empty", name);
    return PARCAST_OK;
}

static parcast_status read_counts(const struct reader *reader, const struct tree *value,
                                  const struct key *key, int *counts, int *n_counts)
{
    parcast_status status = expect_list(reader, value, key->name);
    if (status) return status;
    if (value->n_children > PARCAST_MAX_DIMENSIONS)
        return reader_fail(reader, value, PARCAST_DATA, "key '%s' has more than %d entries", key->name,
                           PARCAST_MAX_DIMENSIONS);
    int n = 0;
    for (const struct tree *item = value->child; item && !status; item = item->next)
        status = read_count(reader, item, key, &counts[n++]);
    if (status) return status;
    if (*n_counts != 0 && *n_counts != n) /* down, up and parallel share their length */
        return reader_fail(reader, value, PARCAST_DATA, "key '%s' has %d levels where others have %d",
                           key->name, n, *n_counts);
    *n_counts = n;
    return PARCAST_OK;
}

/* "4", or "[4, 2]": four of them, two parallel cables on each link. */
static parcast_status read_cables(const struct reader *reader, const struct tree *value,
                                  const struct key *key, int *count, int *cables)
{
    if (value->kind == TREE_SCALAR) return read_count(reader, value, key, count);
    parcast_status status = expect_list(reader, value, key->name);
    if (status) return status;
    if (value->n_children != 2)
        return reader_fail(reader, value, PARCAST_FORMAT,
                           "key '%s' takes a count or a list [count, cables of a link]", key->name);
    status = read_count(reader, value->child, key, count);
    if (!status) status = read_count(reader, value->child->next, key, cables);
    return status;
}

/* What was read belongs to the field at once, so that it is freed with it. */
static parcast_status read_texts(const struct reader *reader, const struct tree *value, const struct key *key,
                                 char ***texts, size_t *n_texts)
{
    parcast_status status = expect_list(reader, value, key->name);
    if (status) return status;
    *texts = calloc(value->n_children, sizeof **texts);
    if (!*texts) return reader_out_of_memory(reader);
    for (const struct tree *item = value->child; item; item = item->next) {
        status = expect_scalar(reader, item, key->name);
        if (status) return status;
        (*texts)[*n_texts] = strdup(item->text);
        if (!(*texts)[(*n_texts)++]) return reader_out_of_memory(reader);
    }
    return PARCAST_OK;
}

static parcast_status read_numbers(const struct reader *reader, const struct tree *value,
                                   const struct key *key, double **numbers, size_t *n_numbers)
{
    parcast_status status = expect_list(reader, value, key->name);
    if (status) return status;
    double *array = malloc(value->n_children * sizeof *array);
    if (!array) return reader_out_of_memory(reader);
    size_t n = 0;
    for (const struct tree *item = value->child; item && !status; item = item->next)
        status = read_number(reader, item, key, &array[n++]);
    if (status) {
        free(array);
        return status;
    }
    *numbers = array;
    *n_numbers = n;
    return PARCAST_OK;
}

/* One [size, value] of a curve. */
static parcast_status read_breakpoint(const struct reader *reader, const struct tree *pair,
                                      const struct key *key, const parcast_breakpoint *previous,
                                      parcast_breakpoint *point)
{
    if (pair->kind != TREE_SEQUENCE || pair->n_children != 2)
        return reader_fail(reader, pair, PARCAST_FORMAT, "key '%s': each entry is a list [size, value]",
                           key->name);
    const struct key size = {.name = key->name, .kind = KEY_SIZE, .high = 1e18};
    parcast_status status = read_number(reader, pair->child, &size, &point->bytes);
    if (!status) status = read_number(reader, pair->child->next, key, &point->value);
    if (!status && previous && point->bytes <= previous->bytes)
        return reader_fail(reader, pair, PARCAST_DATA, "key '%s': sizes must ascend", key->name);
    return status;
}

static parcast_status read_curve(const struct reader *reader, const struct tree *value, const struct key *key,
                                 parcast_breakpoint **curve, size_t *n_curve)
{
    parcast_status status = expect_list(reader, value, key->name);
    if (status) return status;
    parcast_breakpoint *points = malloc(value->n_children * sizeof *points);
    if (!points) return reader_out_of_memory(reader);
    size_t n = 0;
    for (const struct tree *pair = value->child; pair && !status; pair = pair->next, n++)
        status = read_breakpoint(reader, pair, key, n ? &points[n - 1] : NULL, &points[n]);
    if (status) {
        free(points);
        return status;
    }
    *curve = points;
    *n_curve = n;
    return PARCAST_OK;
}

static parcast_status read_weights(const struct reader *reader, const struct tree *value,
                                   const struct key *key, double *weights)
{
    int index = 0;
    parcast_status status = read_choice(reader, value, key, &index);
    if (!status) *weights = index;
    return status;
}

static parcast_status read_field(const struct reader *reader, const struct tree *value, const struct key *key,
                                 void *fields)
{
    void *field = (char *)fields + key->offset, *length = (char *)fields + key->offset_n;
    switch (key->kind) {
    case KEY_SECTION:
        return PARCAST_OK;
    case KEY_TEXT:
    case KEY_WORD:
        return read_text(reader, value, key, field);
    case KEY_CHOICE:
        return read_choice(reader, value, key, field);
    case KEY_WEIGHTS:
        return read_weights(reader, value, key, field);
    case KEY_COUNT:
        return read_count(reader, value, key, field);
    case KEY_COUNTS:
        return read_counts(reader, value, key, field, length);
    case KEY_CABLES:
        return read_cables(reader, value, key, field, length);
    case KEY_NUMBERS:
        return read_numbers(reader, value, key, field, length);
    case KEY_TEXTS:
        return read_texts(reader, value, key, field, length);
    case KEY_CURVE:
        return read_curve(reader, value, key, field, length);
    case KEY_NUMBER:
    case KEY_TIME:
    case KEY_SIZE:
    case KEY_BANDWIDTH:
    case KEY_FLOP_RATE:
        return read_number(reader, value, key, field);
    }
    return PARCAST_INVALID;
}

static parcast_status unknown_key(const struct reader *reader, const struct tree *value, const char *what,
                                  const struct key_table *table)
{
    reader_fail(reader, value, PARCAST_FORMAT, "unknown key '%.80s' in %s", value->key, what);
    const char *nearest = key_nearest(table, value->key);
    if (nearest) {
        parcast_error_hint(reader->error, "did you mean '%s'?", nearest);
        return PARCAST_FORMAT;
    }
    char known[480] = "";
    for (size_t i = 0; i < table->n_keys; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", table->keys[i].name);
    }
    parcast_error_hint(reader->error, "known keys: %s", known);
    return PARCAST_FORMAT;
}

parcast_status read_fields(const struct reader *reader, const struct tree *mapping, const char *what,
                           const struct key_table *table, void *fields)
{
    bool seen[KEY_TABLE_MAX] = {false};
    if (mapping->kind != TREE_MAPPING)
        return reader_fail(reader, mapping, PARCAST_FORMAT, "%s must be a mapping (key: value), not %s", what,
                           tree_kind_name(mapping));
    for (const struct tree *value = mapping->child; value; value = value->next) {
        size_t i = 0;
        while (i < table->n_keys && strcmp(table->keys[i].name, value->key) != 0) i++;
        if (i == table->n_keys) return unknown_key(reader, value, what, table);
        if (seen[i])
            return reader_fail(reader, value, PARCAST_FORMAT, "key '%s' stands twice in %s", value->key,
                               what);
        seen[i] = true;
        parcast_status status = read_field(reader, value, &table->keys[i], fields);
        if (status) return status;
    }
    for (size_t i = 0; i < table->n_keys; i++)
        if (table->keys[i].required && !seen[i])
            return reader_fail(reader, mapping, PARCAST_FORMAT, "key '%s' is missing in %s",
                               table->keys[i].name, what);
    return PARCAST_OK;
}
