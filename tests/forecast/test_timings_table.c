#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/table.h"

static parcast_table *parse(const char *text)
{
    parcast_table *table = NULL;
    parcast_error error = {0};
    if (parcast_table_parse(text, strlen(text), "t.csv", &table, &error))
        fail_msg("line %d: %s", error.line, error.text);
    return table;
}

static void columns_may_stand_in_any_order_and_case(void **state)
{
    (void)state;
    parcast_table *table =
        parse("Time_s, node_type ,NODES,processes,mpi_s,compute_s\n12.5,big,2,8,2.5,10\n7,,4,16,,\n");
    assert_int_equal(table->n_rows, 2);
    assert_int_equal(table->rows[0].line, 2);
    assert_int_equal(table->rows[0].processes, 8);
    assert_int_equal(table->rows[0].nodes, 2);
    assert_true(table->rows[0].time_s == 12.5 && table->rows[0].mpi_s == 2.5 &&
                table->rows[0].compute_s == 10);
    assert_string_equal(table->rows[0].node_type, "big");
    assert_null(table->rows[1].node_type);
    assert_true(isnan(table->rows[1].mpi_s) && isnan(table->rows[1].compute_s));
    assert_true(table->has_nodes);
    parcast_table_destroy(&table);
}

static void every_common_way_to_write_csv_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "processes,time_s\n4,1.5\n8,0.9\n",
        "processes,time_s\r\n4,1.5\r\n8,0.9",
        "\xef\xbb\xbfprocesses;time_s\n4;1.5\n8;9e-1\n",
        "processes\ttime_s\n4\t1.5\n8\t0.9\n",
        "# measured on Monday\n\nprocesses,time_s\n\n4,1.5\n# broken: 6,nan\n  \n8,0.9\n,\n",
        "\"processes\" , \"time_s\"\n\"4\",\"1.5\"\n 8 , 0.9 \n",
        "processes,time_s\n4.0,1.5\n8.,.9\n",
        "processes,time_s\r4,1.5\r8,0.9\r",
        "note,processes,time_s\n\"a \"\"b\"\", c\nd\",4,1.5\n,8,0.9\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        parcast_table *table = parse(texts[i]);
        assert_int_equal(table->n_rows, 2);
        assert_int_equal(table->rows[0].processes, 4);
        assert_int_equal(table->rows[1].processes, 8);
        assert_true(table->rows[0].time_s == 1.5 && table->rows[1].time_s == 0.9);
        assert_int_equal(table->rows[0].nodes, 0);
        assert_false(table->has_nodes);
        parcast_table_destroy(&table);
    }
}

static void unknown_columns_are_named(void **state)
{
    (void)state;
    parcast_table *table = parse("date,processes,time_s,flops\nMonday,4,1.5,3e9\n");
    assert_int_equal(table->n_ignored, 2);
    assert_string_equal(table->ignored[0], "date");
    assert_string_equal(table->ignored[1], "flops");
    parcast_table_destroy(&table);
}

static void what_is_no_measurement_is_refused_with_line_and_cure(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words, *hint;
    } bad[] = {
        {"", 0, "empty", "processes,nodes,time_s"},
        {"\n# nothing\n", 0, "empty", ""},
        {"processes,time_s\n", 2, "no row", ""},
        {"1,2\n3,4\n", 1, "no column 'processes'", "names the columns"},
        {"processes,time\n4,1\n", 1, "no column 'time_s'", "'time'"},
        {"ranks,time_s\n4,1\n", 1, "no column 'processes'", "'ranks'"},
        {"processes,time_s,time_s\n4,1,1\n", 1, "two columns 'time_s'", ""},
        {"processes,time_s\n4,1\n8,fast\n", 3, "'fast'", ""},
        {"processes,time_s\n4,0\n", 2, "'0' is not positive", "failed"},
        {"processes,time_s\n4,-1\n", 2, "'-1' is not positive", ""},
        {"processes,time_s\n4,nan\n", 2, "'nan'", "leave out the line"},
        {"processes,time_s\n4,inf\n", 2, "'inf'", "leave out the line"},
        {"processes,time_s\n4,1e999\n", 2, "too large", ""},
        {"processes,time_s\n4,1e300\n", 2, "too large", "seconds"},
        {"processes,time_s\n4,1e-300\n", 2, "too small", "seconds"},
        {"processes,time_s\n4,0x10\n", 2, "'0x10'", ""},
        {"processes,time_s\n4,12 s\n", 2, "'12 s'", "units"},
        {"processes,time_s\n4,\n", 2, "is missing", ""},
        {"processes,time_s\n,4\n", 2, "is missing", ""},
        {"processes,time_s\n0,4\n", 2, "not positive", ""},
        {"processes,time_s\n-8,4\n", 2, "not positive", ""},
        {"processes,time_s\n2.5,4\n", 2, "whole number", ""},
        {"processes,time_s\n1e12,4\n", 2, "too large", ""},
        {"processes,nodes,time_s\n4,8,1\n", 2, "more nodes than processes", "all nodes together"},
        {"processes;time_s\n4;12,5\n", 2, "'12,5'", "decimal point"},
        {"processes,time_s\n4,12,5\n", 2, "3 fields", "decimal point"},
        {"processes,time_s\n4\n", 2, "1 fields", ""},
        {"processes,time_s\n4,\"1\n", 2, "not closed", ""},
        {"processes,time_s\n4,\"1\"2\n", 2, "closing quote", ""},
        {"processes,time_s,compute_s,mpi_s\n4,10,8,8\n", 2, "more than time_s", "means"},
        {"processes,time_s,mpi_s\n4,10,-1\n", 2, "negative", ""},
        {"\xff\xfep\0", 0, "UTF-16", "UTF-8"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        parcast_table *table = NULL;
        parcast_error error = {0};
        parcast_status status =
            parcast_table_parse(bad[i].text, strlen(bad[i].text), "t.csv", &table, &error);
        if (status != PARCAST_FORMAT && status != PARCAST_DATA)
            fail_msg("%s: status %d", bad[i].text, (int)status);
        assert_null(table);
        assert_int_equal(parcast_status_exit(status), 3);
        assert_string_equal(error.source, "t.csv");
        if (error.line != bad[i].line || !strstr(error.text, bad[i].words) ||
            !strstr(error.hint, bad[i].hint))
            fail_msg("'%s': line %d: %s (%s)", bad[i].text, error.line, error.text, error.hint);
    }
    parcast_table *table = NULL;
    assert_int_equal(parcast_table_parse("a\0b", 3, "t", &table, NULL), PARCAST_FORMAT);
}

static void a_missing_file_and_a_folder_are_errors(void **state)
{
    (void)state;
    parcast_table *table = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_table_read("/nowhere/t.csv", &table, &error), PARCAST_NOT_FOUND);
    assert_non_null(strstr(error.text, "/nowhere/t.csv"));
    assert_int_equal(parcast_table_read("/", &table, &error), PARCAST_IO);
    assert_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_may_stand_in_any_order_and_case),
        cmocka_unit_test(every_common_way_to_write_csv_is_read),
        cmocka_unit_test(unknown_columns_are_named),
        cmocka_unit_test(what_is_no_measurement_is_refused_with_line_and_cure),
        cmocka_unit_test(a_missing_file_and_a_folder_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
