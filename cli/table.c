#include "table.h"

#include <libsmartcols/libsmartcols.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 24 };

struct cli_table {
    struct libscols_table *lines; /* NULL: out of memory */
    struct libscols_line *row;    /* begun last, owned by lines */
    size_t next;                  /* cell that is filled next */
    bool failed;
};

static bool add_column(struct libscols_table *lines, const struct cli_column *column)
{
    static const int flags[] = {[CLI_LEFT] = 0, [CLI_RIGHT] = SCOLS_FL_RIGHT, [CLI_WRAP] = SCOLS_FL_WRAP};
    struct libscols_column *made = scols_table_new_column(lines, column->title, 0, flags[column->align]);
    if (!made || column->align != CLI_WRAP) return made;
    return scols_column_set_safechars(made, "\n") == 0 &&
           scols_column_set_wrapfunc(made, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL) == 0;
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

/* ---- lines of whole words ---- */

static size_t terminal_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return columns && atoi(columns) > 0 ? (size_t)atoi(columns) : USUAL_WIDTH; // NOLINT(cert-err34-c)
}

/* Characters of UTF-8. */
static size_t length_of(const char *text)
{
    size_t n = 0;
    for (; text && *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static size_t width_of(struct libscols_table *lines, size_t column)
{
    struct libscols_column *c = scols_table_get_column(lines, column);
    size_t most = length_of(scols_cell_get_data(scols_column_get_header(c)));
    for (size_t i = 0; i < scols_table_get_nlines(lines); i++) {
        size_t n = length_of(scols_line_get_column_data(scols_table_get_line(lines, i), c));
        if (n > most) most = n;
    }
    return most;
}

/* A line ends at its last space; a longer word is left to the terminal. */
static void break_lines(char *text, size_t width)
{
    char *space = NULL, *begin = text;
    for (char *p = text; *p; p++) {
        if (*p == ' ') space = p;
        if ((size_t)(p - begin) < width || !space) continue;
        *space = '\n';
        begin = space + 1;
        space = NULL;
    }
}

/* What other columns leave of the terminal. */
static void wrap(struct libscols_table *lines)
{
    size_t n = scols_table_get_ncols(lines), used = n, wrapped = n;
    for (size_t i = 0; i < n; i++)
        if (scols_column_is_wrap(scols_table_get_column(lines, i)))
            wrapped = i;
        else
            used += width_of(lines, i);
    if (wrapped == n || used + LEAST_WIDTH > terminal_width()) return;
    struct libscols_column *column = scols_table_get_column(lines, wrapped);
    for (size_t i = 0; i < scols_table_get_nlines(lines); i++) {
        struct libscols_line *line = scols_table_get_line(lines, i);
        const char *text = scols_line_get_column_data(line, column);
        char *broken = text ? strdup(text) : NULL;
        if (!broken) continue;
        break_lines(broken, terminal_width() - used);
        if (scols_line_refer_column_data(line, column, broken)) free(broken);
    }
}

int cli_table_print(const struct cli_common *common, struct cli_table **table)
{
    if (*table && !(*table)->failed && isatty(STDOUT_FILENO)) wrap((*table)->lines);
    bool failed = !*table || (*table)->failed || scols_print_table((*table)->lines) != 0;
    if (*table) scols_unref_table((*table)->lines);
    free(*table);
    *table = NULL;
    if (!failed) return 0;
    parcast_error error;
    parcast_error_set(&error, PARCAST_MEMORY, NULL, 0, "cannot lay out the table");
    return cli_fail(common, &error);
}
