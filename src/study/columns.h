/**
 * Columns: how a field of a C structure is kept in a table. The tables of a study are lists of columns, so
 * that what is written and what is read cannot drift apart.
 */
#ifndef PARCAST_STUDY_COLUMNS_H
#define PARCAST_STUDY_COLUMNS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum study_kind {
    STUDY_BOOL,     /* bool: 0 or 1 */
    STUDY_INT,      /* int */
    STUDY_COUNT,    /* int >= 0 */
    STUDY_BIN,      /* int, a size bin */
    STUDY_CLASS,    /* parcast_message_class */
    STUDY_REACH,    /* parcast_reach */
    STUDY_END,      /* parcast_profile_end */
    STUDY_SOURCE,   /* parcast_run_source */
    STUDY_INT64,    /* int64_t */
    STUDY_UINT64,   /* uint64_t, its bits as a signed integer */
    STUDY_REAL,     /* double; NULL is NAN */
    STUDY_CHARS,    /* char[size] */
    STUDY_TEXT,     /* char *, never NULL */
    STUDY_TEXT_NULL /* char *, may be NULL */
} study_kind;

typedef struct study_column {
    const char *name;
    study_kind kind;
    size_t offset, size; /* of the field in its structure */
} study_column;

typedef struct study_table {
    const char *name;
    const char *keys; /* leading columns that are no fields, as SQL */
    const char *tail; /* constraints, as SQL */
    const study_column *columns;
    size_t n_columns;
    size_t size;       /* of the structure */
    const char *array; /* of rank tables: the field of parcast_rank_profile, for messages */
    size_t array_offset, count_offset;
    unsigned part; /* PARCAST_PART_X of rank tables */
} study_table;

/** SQL type of a kind with its constraint: "INTEGER NOT NULL". */
const char *study_column_type(study_kind kind);

/** Append ", name, name" of a table's columns, or ", ?, ?". */
void study_columns_names(sqlite3_str *sql, const study_table *table);
void study_columns_marks(sqlite3_str *sql, const study_table *table);

/** Bind the fields of an object to the parameters from `first` on; an SQLite result code. */
int study_columns_bind(sqlite3_stmt *statement, int first, const study_table *table, const void *object);

/**
 * Set the fields of a zeroed object from the result columns from `first` on. Texts are allocated.
 *
 * @return SQLITE_OK, SQLITE_NOMEM, or SQLITE_MISMATCH with *bad the column that holds something impossible
 */
int study_columns_read(sqlite3_stmt *statement, int first, const study_table *table, void *object,
                       const char **bad);

#endif
