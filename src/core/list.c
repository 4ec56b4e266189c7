#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>

#include "parcast/units.h"

enum { MAX_ENTRIES = 1000000 };

struct counts {
    int *values;
    size_t n, capacity;
};

static parcast_status bad_list(const char *text, parcast_error *error)
{
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "'%s' is no list of counts", text);
    parcast_error_hint(error, "write it like 1,2,4 or 1-64 or 1-64:2 or 2..1024 (powers of two)");
    return PARCAST_INVALID;
}

static parcast_status append(struct counts *counts, int value, parcast_error *error)
{
    if (counts->n == MAX_ENTRIES)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "a list of counts has more than %d entries",
                                 MAX_ENTRIES);
    if (counts->n == counts->capacity) {
        size_t capacity = counts->capacity ? 2 * counts->capacity : 16;
        int *values = realloc(counts->values, capacity * sizeof *values);
        if (!values)
            return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a list of counts");
        counts->values = values;
        counts->capacity = capacity;
    }
    counts->values[counts->n++] = value;
    return PARCAST_OK;
}

static int read_count(const char **text)
{
    if (!isdigit((unsigned char)**text)) return 0;
    char *end;
    long value = strtol(*text, &end, 10);
    *text = end;
    return value >= 1 && value <= 1000000000 ? (int)value : 0;
}

/* One entry between commas: A, A-B, A-B:STEP or A..B. */
static parcast_status read_entry(const char **text, const char *whole, struct counts *counts,
                                 parcast_error *error)
{
    int first = read_count(text);
    if (!first) return bad_list(whole, error);
    int last = first;
    long step = 1;
    bool doubling = false;
    if (**text == '-') {
        (*text)++;
        last = read_count(text);
        if (**text == ':') {
            (*text)++;
            step = read_count(text);
        }
    } else if ((*text)[0] == '.' && (*text)[1] == '.') {
        *text += 2;
        last = read_count(text);
        doubling = true;
    }
    if (last < first || step < 1) return bad_list(whole, error);
    for (long value = first; value <= last; value = doubling ? 2 * value : value + step) {
        parcast_status status = append(counts, (int)value, error);
        if (status) return status;
    }
    return PARCAST_OK;
}

static int compare_counts(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

parcast_status parcast_units_list(const char *text, int **counts, size_t *n_counts, parcast_error *error)
{
    struct counts list = {0};
    const char *rest = text;
    parcast_status status = PARCAST_OK;
    for (;;) {
        while (isspace((unsigned char)*rest)) rest++;
        status = read_entry(&rest, text, &list, error);
        if (status) goto free_list;
        while (isspace((unsigned char)*rest)) rest++;
        if (*rest == '\0') break;
        if (*rest++ != ',') {
            status = bad_list(text, error);
            goto free_list;
        }
    }
    if (!list.values) return bad_list(text, error); /* cannot happen: an entry adds at least one */
    qsort(list.values, list.n, sizeof *list.values, compare_counts);
    size_t n = 0;
    for (size_t i = 0; i < list.n; i++)
        if (n == 0 || list.values[n - 1] != list.values[i]) list.values[n++] = list.values[i];
    *counts = list.values;
    *n_counts = n;
    return PARCAST_OK;

free_list:
    free(list.values);
    return status;
}
