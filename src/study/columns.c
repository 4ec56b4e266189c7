#include "study/columns.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "parcast/profile.h"
#include "parcast/study.h"

/* Range of the kinds that are kept in an int; the others have none. */
static const struct {
    const char *type;
    int low, high;
} kinds[] = {
    [STUDY_BOOL] = {"INTEGER NOT NULL", 0, 1},
    [STUDY_INT] = {"INTEGER NOT NULL", INT_MIN, INT_MAX},
    [STUDY_COUNT] = {"INTEGER NOT NULL", 0, INT_MAX},
    [STUDY_BIN] = {"INTEGER NOT NULL", 0, PARCAST_SIZE_BINS - 1},
    [STUDY_CLASS] = {"INTEGER NOT NULL", PARCAST_MESSAGE_SEND, PARCAST_MESSAGE_IO},
    [STUDY_REACH] = {"INTEGER NOT NULL", PARCAST_REACH_SAME_NODE, PARCAST_REACH_UNKNOWN},
    [STUDY_END] = {"INTEGER NOT NULL", PARCAST_END_FINALIZED, PARCAST_END_LOST},
    [STUDY_SOURCE] = {"INTEGER NOT NULL", PARCAST_RUN_RECORDED, PARCAST_RUN_IMPORTED},
    [STUDY_INT64] = {"INTEGER NOT NULL", 0, 0},
    [STUDY_UINT64] = {"INTEGER NOT NULL", 0, 0},
    [STUDY_REAL] = {"REAL", 0, 0},
    [STUDY_CHARS] = {"TEXT NOT NULL", 0, 0},
    [STUDY_TEXT] = {"TEXT NOT NULL", 0, 0},
    [STUDY_TEXT_NULL] = {"TEXT", 0, 0},
};

const char *study_column_type(study_kind kind)
{
    return kinds[kind].type;
}

void study_columns_names(sqlite3_str *sql, const study_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        sqlite3_str_appendf(sql, ", \"%w\"", table->columns[i].name);
}

void study_columns_marks(sqlite3_str *sql, const study_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++) sqlite3_str_appendall(sql, ", ?");
}

static int bind_real(sqlite3_stmt *statement, int index, double value)
{
    return isnan(value) ? sqlite3_bind_null(statement, index) : sqlite3_bind_double(statement, index, value);
}

static int bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    return text ? sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC)
                : sqlite3_bind_null(statement, index);
}

static int bind_field(sqlite3_stmt *statement, int index, const study_column *column, const void *field)
{
    bool flag = false;
    int number = 0;
    int64_t wide = 0;
    double real = 0;
    const char *text = NULL;
    switch (column->kind) {
    case STUDY_BOOL:
        memcpy(&flag, field, sizeof flag);
        return sqlite3_bind_int(statement, index, flag);
    case STUDY_INT64:
    case STUDY_UINT64:
        memcpy(&wide, field, sizeof wide);
        return sqlite3_bind_int64(statement, index, wide);
    case STUDY_REAL:
        memcpy(&real, field, sizeof real);
        return bind_real(statement, index, real);
    case STUDY_CHARS:
        return sqlite3_bind_text(statement, index, field, (int)strnlen(field, column->size), SQLITE_STATIC);
    case STUDY_TEXT:
    case STUDY_TEXT_NULL:
        memcpy(&text, field, sizeof text);
        return bind_text(statement, index, text);
    default:
        memcpy(&number, field, sizeof number);
        return sqlite3_bind_int(statement, index, number);
    }
}

int study_columns_bind(sqlite3_stmt *statement, int first, const study_table *table, const void *object)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        const study_column *column = &table->columns[i];
        int rc = bind_field(statement, first + (int)i, column, (const char *)object + column->offset);
        if (rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
}

static int read_integer(sqlite3_stmt *statement, int index, const study_column *column, void *field)
{
    if (sqlite3_column_type(statement, index) != SQLITE_INTEGER) return SQLITE_MISMATCH;
    int64_t wide = sqlite3_column_int64(statement, index);
    if (column->kind == STUDY_INT64 || column->kind == STUDY_UINT64) {
        memcpy(field, &wide, sizeof wide);
        return SQLITE_OK;
    }
    if (wide < kinds[column->kind].low || wide > kinds[column->kind].high) return SQLITE_MISMATCH;
    int number = (int)wide;
    bool flag = number != 0;
    if (column->kind == STUDY_BOOL)
        memcpy(field, &flag, sizeof flag);
    else
        memcpy(field, &number, sizeof number);
    return SQLITE_OK;
}

static int read_real(sqlite3_stmt *statement, int index, void *field)
{
    double real = NAN;
    int type = sqlite3_column_type(statement, index);
    if (type == SQLITE_FLOAT)
        real = sqlite3_column_double(statement, index);
    else if (type != SQLITE_NULL)
        return SQLITE_MISMATCH;
    memcpy(field, &real, sizeof real);
    return SQLITE_OK;
}

static int read_text(sqlite3_stmt *statement, int index, const study_column *column, void *field)
{
    int type = sqlite3_column_type(statement, index);
    if (type == SQLITE_NULL && column->kind == STUDY_TEXT_NULL) return SQLITE_OK;
    if (type != SQLITE_TEXT) return SQLITE_MISMATCH;
    const char *text = (const char *)sqlite3_column_text(statement, index);
    if (!text) return SQLITE_NOMEM;
    size_t length = (size_t)sqlite3_column_bytes(statement, index);
    if (strlen(text) != length) return SQLITE_MISMATCH; /* a zero byte inside */
    if (column->kind == STUDY_CHARS) {
        if (length >= column->size) return SQLITE_MISMATCH;
        memcpy(field, text, length + 1);
        return SQLITE_OK;
    }
    char *copy = strdup(text);
    if (!copy) return SQLITE_NOMEM;
    memcpy(field, &copy, sizeof copy);
    return SQLITE_OK;
}

static int read_field(sqlite3_stmt *statement, int index, const study_column *column, void *field)
{
    switch (column->kind) {
    case STUDY_REAL:
        return read_real(statement, index, field);
    case STUDY_CHARS:
    case STUDY_TEXT:
    case STUDY_TEXT_NULL:
        return read_text(statement, index, column, field);
    default:
        return read_integer(statement, index, column, field);
    }
}

int study_columns_read(sqlite3_stmt *statement, int first, const study_table *table, void *object,
                       const char **bad)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        const study_column *column = &table->columns[i];
        int rc = read_field(statement, first + (int)i, column, (char *)object + column->offset);
        if (rc == SQLITE_MISMATCH) *bad = column->name;
        if (rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
}
