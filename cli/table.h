/**
 * Tables for people: columns that fit their content, numbers to the right, plain text when it is no terminal.
 *
 *     struct cli_table *table = cli_table_create(&common, columns, n_columns);
 *     cli_table_row(table);
 *     cli_table_put(table, "%d", processes);
 *     cli_table_put(table, "%.1f s", time_s);
 *     status = cli_table_print(&common, &table);
 *
 * Only printing can fail: a table that ran out of memory on the way says so there.
 */
#ifndef PARCAST_CLI_TABLE_H
#define PARCAST_CLI_TABLE_H

#include <stddef.h>

#include "cli.h"

struct cli_column {
    const char *title; /**< with the unit: "time [s]" */
    enum {
        CLI_LEFT,
        CLI_RIGHT,
        CLI_WRAP
    } align; /**< CLI_WRAP: left, and the one that gives way on a narrow terminal */
};

struct cli_table;

/** A table with these columns [n_columns] and no row. The titles are copied. */
struct cli_table *cli_table_create(const struct cli_common *common, const struct cli_column *columns,
                                   size_t n_columns);

/** Begin a row; the cells that follow fill it from the left. A row may end early. */
void cli_table_row(struct cli_table *table);

/** Draw the row that was begun last in bold, on terminals only: the one that the reader looks for. */
void cli_table_highlight(struct cli_table *table);

/** The next cell of the row. Control characters in it are printed as \x1b, never sent to the terminal. */
void cli_table_put(struct cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The next cell: a number with `digits` significant ones, or "-" when it is not known (NAN). */
void cli_table_number(struct cli_table *table, double value, int digits);

/** Print to stdout and release the table; 0, or the exit status after an error message. */
int cli_table_print(const struct cli_common *common, struct cli_table **table);

#endif
