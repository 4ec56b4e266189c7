/* What may happen to the file of a study: foreign, damaged, newer, read-only, a killed writer. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "parcast/study.h"
#include "random_run.h"

static char folder[64], path[80], journal[96];

static int new_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/parcast-files-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/a.parcast", folder);
    snprintf(journal, sizeof journal, "%s-journal", path);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    chmod(folder, 0700);
    unlink(path);
    unlink(journal);
    return rmdir(folder);
}

static parcast_study *open_study(parcast_study_mode mode)
{
    parcast_study *study = NULL;
    parcast_error error = {0};
    if (parcast_study_open(path, mode, &study, &error) != PARCAST_OK)
        fail_msg("%s: %s", error.source, error.text);
    return study;
}

static int64_t add_random(parcast_study *study, unsigned seed)
{
    parcast_run run;
    random_run(&run, seed, 4);
    parcast_error error = {0};
    if (parcast_study_add_run(study, &run, &error) != PARCAST_OK) fail_msg("%s", error.text);
    int64_t id = run.id;
    parcast_run_clear(&run);
    return id;
}

static void write_file(const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

static char *read_bytes(size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 22);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void assert_refused(parcast_study_mode mode, parcast_status expected, const char *word)
{
    parcast_study *study = NULL;
    parcast_error error = {0};
    size_t before_size = 0, after_size = 0;
    char *before = read_bytes(&before_size);
    assert_int_equal(parcast_study_open(path, mode, &study, &error), expected);
    assert_null(study);
    if (!strstr(error.text, word)) fail_msg("'%s' does not say '%s'", error.text, word);
    char *after = read_bytes(&after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    assert_int_not_equal(access(journal, F_OK), 0);
    free(before);
    free(after);
}

static void a_text_file_is_refused_and_left_as_it_is(void **state)
{
    (void)state;
    char text[4096];
    memset(text, 'x', sizeof text);
    write_file(text, sizeof text);
    assert_refused(PARCAST_STUDY_READ, PARCAST_FORMAT, "not a study");
    assert_refused(PARCAST_STUDY_WRITE, PARCAST_FORMAT, "not a study");
    write_file("short", 5);
    assert_refused(PARCAST_STUDY_READ, PARCAST_FORMAT, "not a study");
    assert_refused(PARCAST_STUDY_WRITE, PARCAST_FORMAT, "not a study");
}

static void change(const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s", message);
    sqlite3_close(db);
}

static void a_database_of_another_program_is_refused_and_left_as_it_is(void **state)
{
    (void)state;
    change("CREATE TABLE run (id INTEGER)");
    assert_refused(PARCAST_STUDY_READ, PARCAST_FORMAT, "not a study");
    assert_refused(PARCAST_STUDY_WRITE, PARCAST_FORMAT, "not a study");
}

static void a_newer_schema_is_refused_and_left_as_it_is(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_study_close(&study);
    change("PRAGMA user_version = 99");
    assert_refused(PARCAST_STUDY_READ, PARCAST_FORMAT, "newer parcast");
    assert_refused(PARCAST_STUDY_WRITE, PARCAST_FORMAT, "newer parcast");
}

static void a_table_that_was_changed_is_named(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_study_close(&study);
    change("ALTER TABLE rank_call RENAME COLUMN time_s TO t");
    assert_refused(PARCAST_STUDY_READ, PARCAST_FORMAT, "rank_call");
    change("DROP TABLE rank_call");
    assert_refused(PARCAST_STUDY_WRITE, PARCAST_FORMAT, "missing");
}

static void impossible_values_are_named_not_believed(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *word;
    } cases[] = {
        {"UPDATE rank SET node = 77", "node"},
        {"UPDATE rank SET \"end\" = 9", "end"},
        {"UPDATE rank SET complete = 2", "complete"},
        {"UPDATE rank SET rank = -1", "rank"},
        {"UPDATE rank SET host = replace(hex(zeroblob(200)), '0', 'x')", "host"},
        {"UPDATE rank SET host = 'a' || char(0) || 'b'", "host"},
        {"UPDATE rank_size SET bin = 64", "bin"},
        {"UPDATE run SET n_ranks = 1 << 40", "n_ranks"},
        {"PRAGMA foreign_keys = OFF; UPDATE rank_size SET profile_no = profile_no + 99", "profile_no"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM rank WHERE profile_no = 0", "profile_no"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM problem", "problem_id"},
        {"UPDATE problem SET arguments = x'41'", "arguments"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unlink(path);
        parcast_study *study = open_study(PARCAST_STUDY_WRITE);
        int64_t id = add_random(study, 3);
        parcast_study_close(&study);
        change(cases[i].sql);
        study = open_study(PARCAST_STUDY_READ);
        parcast_run *run = NULL;
        parcast_error error = {0};
        assert_int_equal(parcast_study_run(study, id, &run, &error), PARCAST_FORMAT);
        if (!strstr(error.text, cases[i].word)) fail_msg("'%s' does not say '%s'", error.text, cases[i].word);
        parcast_study_close(&study);
    }
}

static void a_missing_study_is_not_found_and_not_made_by_reading(void **state)
{
    (void)state;
    parcast_study *study = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_study_open(path, PARCAST_STUDY_READ, &study, &error), PARCAST_NOT_FOUND);
    assert_non_null(strstr(error.hint, "parcast record"));
    assert_int_not_equal(access(path, F_OK), 0);
}

static void a_directory_is_no_study(void **state)
{
    (void)state;
    parcast_study *study = NULL;
    assert_int_equal(parcast_study_open(folder, PARCAST_STUDY_READ, &study, NULL), PARCAST_FORMAT);
    assert_int_equal(parcast_study_open(folder, PARCAST_STUDY_WRITE, &study, NULL), PARCAST_FORMAT);
}

static void a_directory_that_is_missing_is_an_io_error(void **state)
{
    (void)state;
    char deep[128];
    snprintf(deep, sizeof deep, "%s/none/a.parcast", folder);
    parcast_study *study = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_study_open(deep, PARCAST_STUDY_WRITE, &study, &error), PARCAST_IO);
    assert_non_null(strstr(error.text, "No such file"));
}

static void an_empty_file_becomes_a_study_when_written(void **state)
{
    (void)state;
    write_file("", 0);
    assert_refused(PARCAST_STUDY_READ, PARCAST_FORMAT, "empty");
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    add_random(study, 1);
    parcast_study_close(&study);
    study = open_study(PARCAST_STUDY_READ);
    parcast_study_close(&study);
}

static void names_with_a_meaning_to_sqlite_are_plain_files(void **state)
{
    (void)state;
    char before[512];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    parcast_study *study = NULL;
    assert_int_equal(parcast_study_open(":memory:", PARCAST_STUDY_WRITE, &study, NULL), PARCAST_OK);
    parcast_study_close(&study);
    assert_int_equal(unlink(":memory:"), 0);
    assert_int_equal(chdir(before), 0);
}

static void reading_changes_no_byte_and_leaves_no_file(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    int64_t id = add_random(study, 2);
    parcast_study_close(&study);
    size_t before_size = 0, after_size = 0;
    char *before = read_bytes(&before_size);
    study = open_study(PARCAST_STUDY_READ);
    parcast_run *run = NULL;
    assert_int_equal(parcast_study_run(study, id, &run, NULL), PARCAST_OK);
    parcast_run_destroy(&run);
    assert_int_not_equal(access(journal, F_OK), 0);
    parcast_study_close(&study);
    char *after = read_bytes(&after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    free(before);
    free(after);
}

static void a_truncated_or_scribbled_study_gives_an_error_or_the_run_but_no_crash(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    int64_t id = add_random(study, 4);
    parcast_study_close(&study);
    size_t size = 0;
    char *bytes = read_bytes(&size);
    unsigned seed = 1;
    int n_refused = 0;
    for (int i = 0; i < 200; i++) {
        char *copy = malloc(size);
        memcpy(copy, bytes, size);
        size_t length = i % 2 ? size : (size_t)i * size / 200;
        for (int k = 0; i % 2 && k < 40; k++) {
            seed = seed * 1664525U + 1013904223U;
            copy[100 + (size_t)seed % (size - 100)] ^= (char)(1 + (seed >> 9) % 255);
        }
        write_file(copy, length);
        free(copy);
        parcast_run *run = NULL;
        parcast_error error = {0};
        parcast_status status = parcast_study_open(path, PARCAST_STUDY_READ, &study, &error);
        if (!status) status = parcast_study_run(study, id, &run, &error);
        if (status) assert_true(error.text[0] != '\0');
        n_refused += status != PARCAST_OK;
        parcast_run_destroy(&run);
        parcast_study_close(&study);
    }
    assert_true(n_refused > 100);
    free(bytes);
}

/* A writer that adds runs until it is killed, telling each id that was committed. */
static void write_until_killed(int fd)
{
    parcast_study *study = NULL;
    if (parcast_study_open(path, PARCAST_STUDY_WRITE, &study, NULL) != PARCAST_OK) _exit(1);
    for (unsigned seed = 0;; seed++) {
        parcast_run run;
        random_run(&run, seed, 8);
        if (parcast_study_add_run(study, &run, NULL) != PARCAST_OK) _exit(1);
        if (write(fd, &run.id, sizeof run.id) != (ssize_t)sizeof run.id) _exit(1);
        parcast_run_clear(&run);
    }
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void a_killed_writer_loses_only_the_run_it_was_writing(void **state)
{
    (void)state;
    int64_t last = 0;
    for (int round = 0; round < 12; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(ends[0]);
            write_until_killed(ends[1]);
        }
        close(ends[1]);
        int64_t id = 0;
        if (round >= 4) /* before: the first study may not be made yet */
            assert_int_equal(read(ends[0], &id, sizeof id), sizeof id);
        if (id) last = id;
        sleep_ms(15 + round * 7);
        kill(child, SIGKILL);
        int how = 0;
        waitpid(child, &how, 0);
        assert_true(WIFSIGNALED(how));
        for (; read(ends[0], &id, sizeof id) == (ssize_t)sizeof id;) last = id;
        close(ends[0]);
        parcast_run_list list = {0};
        parcast_study *study = NULL;
        parcast_status status = parcast_study_open(path, PARCAST_STUDY_READ, &study, NULL);
        if (status != PARCAST_OK && last == 0) continue; /* killed before there was a study */
        assert_int_equal(status, PARCAST_OK);
        assert_int_equal(parcast_study_list(study, 0, &list, NULL), PARCAST_OK);
        assert_true(list.n_runs >= (size_t)last); /* ids count from 1 without gaps */
        for (size_t i = 0; i < list.n_runs; i++) {
            parcast_run *run = NULL;
            assert_int_equal(parcast_study_run_parts(study, list.runs[i].id, 0, &run, NULL), PARCAST_OK);
            assert_int_equal(run->n_profiles, 8);
            parcast_run_destroy(&run);
        }
        parcast_run_list_clear(&list);
        parcast_study_close(&study);
    }
    assert_true(last > 0);
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[1 << 22];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    size_t n = fread(bytes, 1, sizeof bytes, in);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(in);
    fclose(out);
}

/* The files as they are in the middle of a change: half written, with the journal that undoes it. */
static void freeze_in_the_middle_of_a_change(const char *copy, const char *copy_journal)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "PRAGMA cache_size = 1; BEGIN; UPDATE run SET notes = hex(zeroblob(40000)); "
                     "DELETE FROM rank_call; UPDATE rank SET host = 'torn'",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_db_cacheflush(db), SQLITE_OK);
    copy_file(path, copy);
    copy_file(journal, copy_journal);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
}

static void a_half_written_change_is_undone_by_the_next_reader(void **state)
{
    (void)state;
    char copy[128], copy_journal[144];
    snprintf(copy, sizeof copy, "%s/copy", folder);
    snprintf(copy_journal, sizeof copy_journal, "%s-journal", copy);
    parcast_run run, *back = NULL;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    random_run(&run, 4, 4);
    assert_int_equal(parcast_study_add_run(study, &run, NULL), PARCAST_OK);
    parcast_study_close(&study);
    freeze_in_the_middle_of_a_change(copy, copy_journal);
    assert_int_equal(parcast_study_open(copy, PARCAST_STUDY_READ, &study, NULL), PARCAST_OK);
    assert_int_equal(parcast_study_run(study, run.id, &back, NULL), PARCAST_OK);
    assert_same_run(&run, back);
    assert_int_not_equal(access(copy_journal, F_OK), 0);
    parcast_run_destroy(&back);
    parcast_run_clear(&run);
    parcast_study_close(&study);
    unlink(copy);
}

static void two_processes_may_add_at_once(void **state)
{
    (void)state;
    enum { RUNS = 10 };
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child != 0) continue;
        parcast_study *study = NULL;
        int failed = parcast_study_open(path, PARCAST_STUDY_WRITE, &study, NULL) != PARCAST_OK;
        for (unsigned seed = 0; seed < RUNS && !failed; seed++) {
            parcast_run run;
            random_run(&run, seed, 2);
            failed = parcast_study_add_run(study, &run, NULL) != PARCAST_OK;
            parcast_run_clear(&run);
        }
        _exit(failed);
    }
    for (int i = 0; i < 2; i++) {
        int how = 0;
        assert_true(wait(&how) > 0);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
    parcast_study *study = open_study(PARCAST_STUDY_READ);
    parcast_run_list list = {0};
    assert_int_equal(parcast_study_list(study, 0, &list, NULL), PARCAST_OK);
    assert_int_equal(list.n_runs, 2 * RUNS);
    parcast_run_list_clear(&list);
    parcast_study_close(&study);
}

/* The part of the documentation under "## table", in buffer; empty if there is none. */
static void documented(const char *text, const char *table, char *section, size_t size)
{
    char heading[64];
    snprintf(heading, sizeof heading, "\n## %s\n", table);
    const char *begin = strstr(text, heading);
    const char *end = begin ? strstr(begin + 4, "\n## ") : NULL;
    size_t length = !begin ? 0 : end ? (size_t)(end - begin) : strlen(begin);
    assert_true(length < size);
    memcpy(section, begin ? begin : "", length);
    section[length] = '\0';
}

static char *read_documentation(void)
{
    FILE *file = fopen(TEST_DATA "/../../docs/formats/study.md", "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void every_table_and_column_is_documented(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_study_close(&study);
    char *text = read_documentation(), section[1 << 14], name[64];
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int n_columns = 0;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
                           "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'",
                           -1, &statement, NULL),
        SQLITE_OK);
    for (; sqlite3_step(statement) == SQLITE_ROW; n_columns++) {
        const char *table = (const char *)sqlite3_column_text(statement, 0);
        documented(text, table, section, sizeof section);
        snprintf(name, sizeof name, "`%s`", (const char *)sqlite3_column_text(statement, 1));
        if (!strstr(section, name)) fail_msg("docs/formats/study.md does not describe %s of %s", name, table);
    }
    assert_true(n_columns > 100);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_text_file_is_refused_and_left_as_it_is),
        TEST(a_database_of_another_program_is_refused_and_left_as_it_is),
        TEST(a_newer_schema_is_refused_and_left_as_it_is),
        TEST(a_table_that_was_changed_is_named),
        TEST(impossible_values_are_named_not_believed),
        TEST(a_missing_study_is_not_found_and_not_made_by_reading),
        TEST(a_directory_is_no_study),
        TEST(a_directory_that_is_missing_is_an_io_error),
        TEST(an_empty_file_becomes_a_study_when_written),
        TEST(names_with_a_meaning_to_sqlite_are_plain_files),
        TEST(reading_changes_no_byte_and_leaves_no_file),
        TEST(a_truncated_or_scribbled_study_gives_an_error_or_the_run_but_no_crash),
        TEST(a_killed_writer_loses_only_the_run_it_was_writing),
        TEST(a_half_written_change_is_undone_by_the_next_reader),
        TEST(two_processes_may_add_at_once),
        TEST(every_table_and_column_is_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
