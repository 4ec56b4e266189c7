/* What the table of a command looks like where no terminal is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "table.h"

static const struct cli_column columns[] = {{"name", CLI_LEFT}, {"time [s]", CLI_RIGHT}, {"why", CLI_WRAP}};
static struct cli_common common = {.command = "test"};

/* What printing the table writes to stdout; free() it. */
static char *print(struct cli_table *table, int *status)
{
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    FILE *file = tmpfile();
    if (saved < 0 || !file) abort();
    dup2(fileno(file), STDOUT_FILENO);
    *status = cli_table_print(&common, &table);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    assert_null(table);
    char *text = calloc(1, 4096);
    if (!text || fseek(file, 0, SEEK_SET) != 0) abort();
    size_t length = fread(text, 1, 4095, file);
    assert_true(length > 0 || *status != 0);
    fclose(file);
    return text;
}

static void columns_fit_their_content_and_numbers_stand_to_the_right(void **state)
{
    (void)state;
    struct cli_table *table = cli_table_create(&common, columns, 3);
    cli_table_row(table);
    cli_table_put(table, "%s", "a");
    cli_table_number(table, 123.456, 4);
    cli_table_put(table, "first");
    cli_table_row(table);
    cli_table_highlight(table);
    cli_table_put(table, "%s", "longer");
    cli_table_number(table, 0.05, 2);
    int status = -1;
    char *text = print(table, &status);
    assert_int_equal(status, 0);
    assert_string_equal(text, "name   time [s] why\n"
                              "a         123.5 first\n"
                              "longer    0.050 \n");
    free(text);
}

static void an_unknown_number_is_a_dash_and_none_is_shown_as_zero(void **state)
{
    (void)state;
    struct cli_table *table = cli_table_create(&common, columns, 2);
    cli_table_row(table);
    cli_table_put(table, "x");
    cli_table_number(table, NAN, 3);
    cli_table_row(table);
    cli_table_put(table, "y");
    cli_table_number(table, 0, 3);
    int status = -1;
    char *text = print(table, &status);
    assert_string_equal(text, "name time [s]\nx           -\ny           0\n");
    free(text);
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
    (void)state;
    struct cli_table *table = cli_table_create(&common, columns, 1);
    cli_table_row(table);
    cli_table_put(table, "%s", "\033[31mred");
    int status = -1;
    char *text = print(table, &status);
    assert_null(strchr(text, '\033'));
    assert_non_null(strstr(text, "red"));
    free(text);
}

static void a_row_that_is_too_long_is_an_error_and_not_cut(void **state)
{
    (void)state;
    struct cli_table *table = cli_table_create(&common, columns, 1);
    cli_table_row(table);
    cli_table_put(table, "one");
    cli_table_put(table, "two");
    int status = 0;
    char *text = print(table, &status);
    assert_int_equal(status, EXIT_FAILED);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_fit_their_content_and_numbers_stand_to_the_right),
        cmocka_unit_test(an_unknown_number_is_a_dash_and_none_is_shown_as_zero),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
        cmocka_unit_test(a_row_that_is_too_long_is_an_error_and_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
