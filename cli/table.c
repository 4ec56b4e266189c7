#include "table.h"

#include <libsmartcols/libsmartcols.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct cli_table {
    struct libscols_table *lines; /* NULL: out of memory */
    struct libscols_line *row;    /* begun last, owned by lines */
    size_t next;                  /* cell that is filled next */
    bool failed;
};

static bool add_column(struct libscols_table *lines, const struct cli_column *column)
{
    static const int flags[] = {[CLI_LEFT] = 0, [CLI_RIGHT] = SCOLS_FL_RIGHT, [CLI_WRAP] = SCOLS_FL_WRAP};
    return scols_table_new_column(lines, column->title, 0, flags[column->align]) != NULL;
}

struct cli_table *cli_table_create(const struct cli_common *common, const struct cli_column *columns,
                                   size_t n_columns)
{
    struct cli_table *table = calloc(1, sizeof *table);
    if (!table) return NULL;
    table->lines = scols_new_table();
    table->failed = !table->lines;
    for (size_t i = 0; i < n_columns && !table->failed; i++)
        table->failed = !add_column(table->lines, &columns[i]);
    if (!table->failed) scols_table_enable_colors(table->lines, cli_colored(common, STDOUT_FILENO));
    return table;
}

void cli_table_row(struct cli_table *table)
{
    if (!table || table->failed) return;
    table->row = scols_table_new_line(table->lines, NULL);
    table->next = 0;
    table->failed = !table->row;
}

void cli_table_highlight(struct cli_table *table)
{
    if (!table || table->failed || !table->row) return;
    if (scols_line_set_color(table->row, "\033[1m") != 0) table->failed = true;
}

void cli_table_put(struct cli_table *table, const char *format, ...)
{
    if (!table || table->failed || !table->row) return;
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0 || scols_line_refer_data(table->row, table->next++, text) != 0) {
        if (length >= 0) free(text);
        table->failed = true;
    }
}

void cli_table_number(struct cli_table *table, double value, int digits)
{
    if (isfinite(value))
        cli_table_put(table, "%.*f", value == 0 ? 0 : (int)fmax(0, digits - 1 - floor(log10(fabs(value)))),
                      value);
    else
        cli_table_put(table, "-");
}

int cli_table_print(const struct cli_common *common, struct cli_table **table)
{
    bool failed = !*table || (*table)->failed || scols_print_table((*table)->lines) != 0;
    if (*table) scols_unref_table((*table)->lines);
    free(*table);
    *table = NULL;
    if (!failed) return 0;
    parcast_error error;
    parcast_error_set(&error, PARCAST_MEMORY, NULL, 0, "cannot lay out the table");
    return cli_fail(common, &error);
}
