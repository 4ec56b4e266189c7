/* The columns of a table of timings and what their values must be. */
#include "parcast/table.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csv.h"

enum { MAX_ROWS = 100000, MAX_BYTES = 64 << 20, MAX_NAME = 64 };

enum column { PROCESSES, NODES, TIME, COMPUTE, MPI, NODE_TYPE, UNKNOWN };
enum { N_COLUMNS = UNKNOWN };
static const char *const column_names[N_COLUMNS] = {"processes", "nodes", "time_s",
                                                    "compute_s", "mpi_s", "node_type"};

struct reader {
    struct csv csv;
    enum column columns[CSV_MAX_FIELDS]; /* [n_columns] what the fields mean */
    size_t n_columns;
    locale_t locale; /* "C": a decimal point whatever the user's language */
    parcast_table *table;
    size_t capacity;
    parcast_error *error;
};

static parcast_status out_of_memory(const struct reader *reader)
{
    parcast_error_set(reader->error, PARCAST_MEMORY, reader->csv.name, 0, "out of memory");
    return PARCAST_MEMORY;
}

/* Text from the file for messages: printable and short. */
static const char *printable(const char *text, char buffer[MAX_NAME])
{
    size_t n = 0;
    for (; text[n] && n < MAX_NAME - 1; n++) buffer[n] = iscntrl((unsigned char)text[n]) ? '?' : text[n];
    buffer[n] = '\0';
    if (text[n]) memcpy(buffer + n - 3, "...", 4);
    return buffer;
}

static parcast_status refuse(const struct reader *reader, enum column column, const char *text,
                             const char *why, const char *cure)
{
    char shown[MAX_NAME];
    parcast_error_set(reader->error, PARCAST_DATA, reader->csv.name, reader->csv.line, "%s '%s' %s",
                      column_names[column], printable(text, shown), why);
    if (cure) parcast_error_hint(reader->error, "%s", cure);
    return PARCAST_DATA;
}

static parcast_status not_a_number(const struct reader *reader, enum column column, const char *text)
{
    const char *cure = "leave out units and thousands separators; a run that failed has no line in the table";
    if (strchr(text, ',')) cure = "numbers are written with a decimal point: 12.5";
    if (strspn(text, "+-") < strlen(text) && (strcasestr(text, "nan") || strcasestr(text, "inf")))
        cure = "leave out the line of a run that gave no time";
    return refuse(reader, column, text, text[0] ? "is not a number" : "is missing", cure);
}

/* No run takes less than a nanosecond or more than thirty thousand years: such a number is a mistake. */
static const double SHORTEST_S = 1e-9, LONGEST_S = 1e12;

/* A decimal number; hexadecimal, nan and inf, which strtod takes too, are no measurement. */
static parcast_status read_number(const struct reader *reader, enum column column, const char *text,
                                  double *number)
{
    char *end = NULL;
    if (text[0] == '\0' || strspn(text, "0123456789+-.eE") != strlen(text))
        return not_a_number(reader, column, text);
    double value = strtod_l(text, &end, reader->locale);
    if (end == text || *end) return not_a_number(reader, column, text);
    if (!isfinite(value)) return refuse(reader, column, text, "is too large", NULL);
    *number = value;
    return PARCAST_OK;
}

static parcast_status read_count(const struct reader *reader, enum column column, const char *text,
                                 int *count)
{
    double value = 0;
    parcast_status status = read_number(reader, column, text, &value);
    if (status) return status;
    if (value != floor(value)) return refuse(reader, column, text, "is not a whole number", NULL);
    if (value < 1) return refuse(reader, column, text, "is not positive", "counts are from 1");
    if (value > 1e9) return refuse(reader, column, text, "is too large", NULL);
    *count = (int)value;
    return PARCAST_OK;
}

static parcast_status read_time(const struct reader *reader, enum column column, const char *text,
                                double *time_s)
{
    double value = 0;
    parcast_status status = read_number(reader, column, text, &value);
    if (status) return status;
    if (value > LONGEST_S) return refuse(reader, column, text, "is too large", "times are in seconds");
    if (column == TIME && value > 0 && value < SHORTEST_S)
        return refuse(reader, column, text, "is too small", "times are in seconds");
    if (value < 0 || (value == 0 && column == TIME))
        return refuse(reader, column, text, column == TIME ? "is not positive" : "is negative",
                      "leave out the line of a run that failed or was not timed");
    *time_s = value;
    return PARCAST_OK;
}

static parcast_status read_field(const struct reader *reader, enum column column, const char *text,
                                 parcast_table_row *row)
{
    switch (column) {
    case PROCESSES:
        return read_count(reader, column, text, &row->processes);
    case NODES:
        return text[0] ? read_count(reader, column, text, &row->nodes) : PARCAST_OK;
    case TIME:
        return read_time(reader, column, text, &row->time_s);
    case COMPUTE:
        return text[0] ? read_time(reader, column, text, &row->compute_s) : PARCAST_OK;
    case MPI:
        return text[0] ? read_time(reader, column, text, &row->mpi_s) : PARCAST_OK;
    case NODE_TYPE:
        if (text[0] && !(row->node_type = strdup(text))) return out_of_memory(reader);
        return PARCAST_OK;
    default:
        return PARCAST_OK;
    }
}

static parcast_status contradiction(const struct reader *reader, const char *what, const char *hint)
{
    parcast_error_set(reader->error, PARCAST_DATA, reader->csv.name, reader->csv.line, "%s", what);
    parcast_error_hint(reader->error, "%s", hint);
    return PARCAST_DATA;
}

static parcast_status check_row(const struct reader *reader, const parcast_table_row *row)
{
    if (row->nodes > row->processes)
        return contradiction(reader, "more nodes than processes",
                             "'processes' counts those of all nodes together, not those of one node");
    if (row->compute_s > 1.001 * row->time_s || row->mpi_s > 1.001 * row->time_s ||
        row->compute_s + row->mpi_s > 1.05 * row->time_s)
        return contradiction(reader, "compute_s and mpi_s are more than time_s",
                             "they are means over the processes, not sums");
    return PARCAST_OK;
}

static parcast_status wrong_number_of_fields(const struct reader *reader)
{
    parcast_error_set(reader->error, PARCAST_FORMAT, reader->csv.name, reader->csv.line,
                      "%zu fields where the header has %zu columns", reader->csv.n_fields, reader->n_columns);
    if (reader->csv.separator == ',' && reader->csv.n_fields > reader->n_columns)
        parcast_error_hint(reader->error, "numbers are written with a decimal point: 12.5");
    return PARCAST_FORMAT;
}

static parcast_status read_row(struct reader *reader)
{
    parcast_table *table = reader->table;
    if (reader->csv.n_fields != reader->n_columns) return wrong_number_of_fields(reader);
    if (table->n_rows == MAX_ROWS) {
        parcast_error_set(reader->error, PARCAST_LIMIT, reader->csv.name, reader->csv.line,
                          "more than %d rows", MAX_ROWS);
        return PARCAST_LIMIT;
    }
    if (table->n_rows == reader->capacity) {
        size_t capacity = reader->capacity ? 2 * reader->capacity : 16;
        parcast_table_row *rows = realloc(table->rows, capacity * sizeof *rows);
        if (!rows) return out_of_memory(reader);
        table->rows = rows;
        reader->capacity = capacity;
    }
    parcast_table_row *row = &table->rows[table->n_rows++];
    *row = (parcast_table_row){.line = reader->csv.line, .compute_s = NAN, .mpi_s = NAN};
    for (size_t c = 0; c < reader->n_columns; c++) {
        parcast_status status = read_field(reader, reader->columns[c], reader->csv.fields[c], row);
        if (status) return status;
    }
    return check_row(reader, row);
}

static enum column find_column(const char *name)
{
    for (int c = 0; c < N_COLUMNS; c++)
        if (strcasecmp(name, column_names[c]) == 0) return (enum column)c;
    return UNKNOWN;
}

static parcast_status ignore_column(const struct reader *reader, const char *name)
{
    char shown[MAX_NAME], *copy = strdup(printable(name, shown));
    char **ignored = realloc(reader->table->ignored, (reader->table->n_ignored + 1) * sizeof *ignored);
    if (ignored) reader->table->ignored = ignored;
    if (!copy || !ignored) {
        free(copy);
        return out_of_memory(reader);
    }
    ignored[reader->table->n_ignored++] = copy;
    return PARCAST_OK;
}

/* What the missing column may have been called. */
static void hint_missing(const struct reader *reader, enum column missing)
{
    static const char *const likely[] = {"time", "seconds", "ranks", "procs",
                                         "np",   "cores",   "tasks", "runtime"};
    char shown[MAX_NAME];
    for (size_t i = 0; i < reader->csv.n_fields; i++)
        for (size_t k = 0; k < sizeof likely / sizeof likely[0]; k++) {
            bool times = k < 2 || k == 7;
            if (times != (missing == TIME) ||
                strncasecmp(reader->csv.fields[i], likely[k], strlen(likely[k])) != 0)
                continue;
            parcast_error_hint(reader->error, "is it '%s'? then rename it to '%s'%s",
                               printable(reader->csv.fields[i], shown), column_names[missing],
                               times ? " and write seconds" : "");
            return;
        }
    parcast_error_hint(reader->error, "the first line names the columns: processes,nodes,time_s");
}

static parcast_status require_column(const struct reader *reader, enum column column)
{
    for (size_t c = 0; c < reader->n_columns; c++)
        if (reader->columns[c] == column) return PARCAST_OK;
    parcast_error_set(reader->error, PARCAST_FORMAT, reader->csv.name, reader->csv.line,
                      "there is no column '%s'", column_names[column]);
    hint_missing(reader, column);
    return PARCAST_FORMAT;
}

static parcast_status read_header(struct reader *reader)
{
    parcast_status status = csv_next(&reader->csv, reader->error);
    if (status) return status;
    if (reader->csv.n_fields == 0) {
        parcast_error_set(reader->error, PARCAST_FORMAT, reader->csv.name, 0, "the table is empty");
        parcast_error_hint(reader->error, "the first line names the columns: processes,nodes,time_s");
        return PARCAST_FORMAT;
    }
    for (size_t c = 0; c < reader->csv.n_fields; c++) {
        enum column column = find_column(reader->csv.fields[c]);
        for (size_t k = 0; k < c && column != UNKNOWN; k++) {
            if (reader->columns[k] != column) continue;
            parcast_error_set(reader->error, PARCAST_FORMAT, reader->csv.name, reader->csv.line,
                              "two columns '%s'", column_names[column]);
            return PARCAST_FORMAT;
        }
        reader->columns[c] = column;
        reader->table->has_nodes |= column == NODES;
        if (column == UNKNOWN) status = ignore_column(reader, reader->csv.fields[c]);
        if (status) return status;
    }
    reader->n_columns = reader->csv.n_fields;
    status = require_column(reader, PROCESSES);
    return status ? status : require_column(reader, TIME);
}

static parcast_status read_rows(struct reader *reader)
{
    for (;;) {
        parcast_status status = csv_next(&reader->csv, reader->error);
        if (status) return status;
        if (reader->csv.n_fields == 0) break;
        status = read_row(reader);
        if (status) return status;
    }
    if (reader->table->n_rows > 0) return PARCAST_OK;
    parcast_error_set(reader->error, PARCAST_DATA, reader->csv.name, reader->csv.line,
                      "the table has a header and no row");
    return PARCAST_DATA;
}

parcast_status parcast_table_parse(const char *bytes, size_t size, const char *name, parcast_table **table,
                                   parcast_error *error)
{
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        parcast_error_set(error, PARCAST_MEMORY, name, 0, "out of memory");
        return PARCAST_MEMORY;
    }
    reader->error = error;
    parcast_status status = csv_open(bytes, size, name, &reader->csv, error);
    if (status) goto free_reader;
    reader->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    reader->table = calloc(1, sizeof *reader->table);
    status = reader->locale && reader->table ? read_header(reader) : out_of_memory(reader);
    if (!status) status = read_rows(reader);
    if (!status) {
        *table = reader->table;
        reader->table = NULL;
    }
    parcast_table_destroy(&reader->table);
    if (reader->locale) freelocale(reader->locale);
    csv_close(&reader->csv);
free_reader:
    free(reader);
    return status;
}

/* The whole stream, up to the limit. */
static parcast_status slurp(FILE *file, const char *path, char **bytes, size_t *size, parcast_error *error)
{
    size_t capacity = 1 << 16, n = 0;
    char *text = malloc(capacity);
    while (text && (n += fread(text + n, 1, capacity - n, file)) == capacity && capacity < MAX_BYTES) {
        char *larger = realloc(text, capacity *= 2);
        if (!larger) free(text);
        text = larger;
    }
    if (!text) return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    parcast_status status = PARCAST_OK;
    if (ferror(file))
        status = parcast_error_set(error, PARCAST_IO, path, 0, "cannot read: %s", strerror(errno));
    else if (n == MAX_BYTES)
        status = parcast_error_set(error, PARCAST_LIMIT, path, 0, "a table of timings has at most 64 MB");
    if (status) {
        free(text);
        return status;
    }
    *bytes = text;
    *size = n;
    return PARCAST_OK;
}

parcast_status parcast_table_read(const char *path, parcast_table **table, parcast_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) {
        parcast_status code = errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO;
        return parcast_error_set(error, code, NULL, 0, "cannot open '%s': %s", path, strerror(errno));
    }
    parcast_status status = slurp(file, name, &bytes, &size, error);
    if (!standard) fclose(file);
    if (!status) status = parcast_table_parse(bytes, size, name, table, error);
    free(bytes);
    return status;
}

void parcast_table_destroy(parcast_table **table)
{
    if (!*table) return;
    for (size_t i = 0; i < (*table)->n_rows; i++) free((*table)->rows[i].node_type);
    for (size_t i = 0; i < (*table)->n_ignored; i++) free((*table)->ignored[i]);
    free((*table)->rows);
    free((*table)->ignored);
    free(*table);
    *table = NULL;
}
