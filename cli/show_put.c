/* Texts and cells that the tables of `parcast show` share. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/units.h"
#include "show.h"

/* -------- texts: control characters of foreign names never reach the terminal -------- */

void show_plain(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            printf("\\x%02x", (unsigned)(unsigned char)*text);
        else
            putchar(*text);
    }
}

/* A word as a shell would have to be given it. */
static void put_word(const char *word)
{
    bool plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                       "_-+./:,=@%^") == strlen(word);
    if (plain) {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word; word++) {
        char letter[2] = {*word, '\0'};
        if (*word == '\'')
            fputs("'\\''", stdout);
        else
            show_plain(letter);
    }
    putchar('\'');
}

void show_command(const parcast_run *run)
{
    put_word(run->program);
    for (size_t i = 0; i < run->n_arguments; i++) {
        putchar(' ');
        put_word(run->arguments[i]);
    }
    putchar('\n');
}

void show_lines(const char *text, const char *lead)
{
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        fputs(lead, stdout);
        if (line) show_plain(line);
        putchar('\n');
        free(line);
        text += length + (text[length] == '\n');
    }
}

/* "64 B", "1 KiB": sizes of bins are powers of two. */
static const char *binary_size(int exponent, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    snprintf(text, size, "%d %s", 1 << exponent % 10, units[exponent / 10]);
    return text;
}

void show_bin(struct cli_table *table, int bin)
{
    char low[16], high[16];
    if (bin == 0)
        cli_table_put(table, "0 B");
    else if (bin == 1)
        cli_table_put(table, "1 B");
    else if (bin == PARCAST_SIZE_BINS - 1)
        cli_table_put(table, "from %s", binary_size(bin - 1, low, sizeof low));
    else
        cli_table_put(table, "%s to %s", binary_size(bin - 1, low, sizeof low),
                      binary_size(bin, high, sizeof high));
}

void show_percent(struct cli_table *table, double part_s, double whole_s)
{
    if (isfinite(part_s) && whole_s > 0)
        cli_table_put(table, "%.1f", 100 * part_s / whole_s);
    else
        cli_table_put(table, "-");
}

/* 0 is unknown. */
void show_count(struct cli_table *table, int count)
{
    if (count > 0)
        cli_table_put(table, "%d", count);
    else
        cli_table_put(table, "-");
}

void show_size(struct cli_table *table, uint64_t bytes)
{
    char text[32];
    cli_table_put(table, "%s", parcast_units_format_size((double)bytes, text, sizeof text));
}

void show_heading(const char *text)
{
    printf("\n%s\n", text);
}
