/**
 * Tables of timings that were measured without parcast: CSV with a header.
 *
 *     processes,nodes,time_s
 *     24,1,1619.8
 *     48,2,818.97
 *
 * Columns by name in any order: processes and time_s; if known nodes, compute_s, mpi_s, node_type. Other
 * columns are named and ignored. The separator is a comma, a semicolon or a tab, whichever the header has.
 * Fields may be quoted as in RFC 4180; lines end in LF or CRLF; a UTF-8 byte order mark, empty lines and
 * lines that begin with # are skipped. Everything else is refused with its line: a number that was guessed is
 * worse than none.
 */
#ifndef PARCAST_TABLE_H
#define PARCAST_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct parcast_table_row {
    int line;         /**< in the file, from 1 */
    int processes;    /**< from 1 */
    int nodes;        /**< from 1 to processes; 0 if unknown */
    double time_s;    /**< > 0 */
    double compute_s; /**< mean over the processes, 0 to time_s; NAN if unknown */
    double mpi_s;     /**< mean over the processes, 0 to time_s; NAN if unknown */
    char *node_type;  /**< NULL if unknown */
} parcast_table_row;

typedef struct parcast_table {
    parcast_table_row *rows; /**< [n_rows] in the order of the file, at least one */
    size_t n_rows;
    char **ignored; /**< [n_ignored] names of the columns that were not understood, printable */
    size_t n_ignored;
    bool has_nodes; /**< the header has a column nodes */
} parcast_table;

/**
 * Read a table.
 *
 * @param[in]  path  "-" is standard input
 * @param[out] table parcast_table_destroy; untouched on failure
 * @return PARCAST_OK; PARCAST_NOT_FOUND, PARCAST_IO; PARCAST_FORMAT (no table) or PARCAST_DATA (a value that
 * is no measurement) with file, line and cure; PARCAST_LIMIT (over 64 MB or 100,000 rows); PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_table_read(const char *path, parcast_table **table, parcast_error *error);

/** The same from memory; `name` stands for the file in errors. Any bytes are allowed. */
PARCAST_API parcast_status parcast_table_parse(const char *bytes, size_t size, const char *name,
                                               parcast_table **table, parcast_error *error);

PARCAST_API void parcast_table_destroy(parcast_table **table);

#ifdef __cplusplus
}
#endif
#endif
