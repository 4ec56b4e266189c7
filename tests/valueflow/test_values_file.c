/* The file that a followed program leaves: how large it is, and what of it is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/valueflow.h"
#include "run_cli.h"
#include "valueflow/runtime/process/dump_format.h"
#include "valueflow/runtime/tables/trie.h"

static void leave_values(const char *arguments)
{
    struct outcome outcome = run_cli("-h >/dev/null; PARCAST_VALUES=values ./stencil3d %s", arguments);
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
}

static FILE *open_values(const char *how)
{
    char path[512];
    snprintf(path, sizeof path, "%s/values", cli_folder());
    FILE *file = fopen(path, how);
    assert_non_null(file);
    return file;
}

static struct vf_dump_header read_header(FILE *file)
{
    struct vf_dump_header header;
    assert_int_equal(fread(&header, sizeof header, 1, file), 1);
    return header;
}

static parcast_status load(char *why, size_t size)
{
    char path[512];
    parcast_values *values = NULL;
    parcast_error error = {0};
    snprintf(path, sizeof path, "%s/values", cli_folder());
    parcast_status status = parcast_values_load(path, &values, &error);
    snprintf(why, size, "%s; %s", error.text, error.hint);
    parcast_values_destroy(&values);
    return status;
}

/* Each is read by the points around it. Thirty times as many would be ways of their own. */
static void the_points_of_a_stencil_share_the_ways_of_their_readers(void **state)
{
    (void)state;
    leave_values("32 3");
    FILE *file = open_values("rbe");
    struct vf_dump_header header = read_header(file);
    fclose(file);
    assert_true(header.n_nets > 300000);
    assert_true(header.n_states < header.n_nets / 4);
}

/* The first label of a way that says how far the reader is from the home. */
static long find_shifted(FILE *file, const struct vf_dump_header *h, uint32_t *label)
{
    uint64_t at = sizeof *h + h->n_objects * sizeof(struct vf_dump_object) + h->name_bytes +
                  h->n_work * sizeof(struct vf_dump_work) +
                  (h->n_nets + h->n_chain_nets) * sizeof(struct vf_dump_net);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    for (uint64_t i = 0; i < h->n_states; i++, at += sizeof *label) {
        assert_int_equal(fread(label, sizeof *label, 1, file), 1);
        if (!vf_tree_is_mark(*label) && *label & VF_SHIFTED) return (long)at;
    }
    fail_msg("no way is shifted");
    return 0;
}

static void write_label(FILE *file, long at, uint32_t label)
{
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fwrite(&label, sizeof label, 1, file), 1);
}

static void readers_that_are_no_words_are_refused(void **state)
{
    (void)state;
    char why[1536];
    leave_values("16 3");
    assert_int_equal(load(why, sizeof why), PARCAST_OK);
    FILE *file = open_values("r+be");
    struct vf_dump_header header = read_header(file);
    uint32_t label;
    long at = find_shifted(file, &header, &label);
    write_label(file, at, VF_SHIFTED + 1); /* far from every word */
    fclose(file);
    assert_int_equal(load(why, sizeof why), PARCAST_FORMAT);
    assert_non_null(strstr(why, "a reader is no word"));
    file = open_values("r+be");
    write_label(file, at, 1); /* a word as it is, before others that are shifted */
    fclose(file);
    assert_int_equal(load(why, sizeof why), PARCAST_FORMAT);
    assert_non_null(strstr(why, "contradict each other"));
    file = open_values("r+be");
    write_label(file, at, label);
    fclose(file);
    assert_int_equal(load(why, sizeof why), PARCAST_OK);
}

static void write_version(uint32_t version)
{
    FILE *file = open_values("r+be");
    write_label(file, offsetof(struct vf_dump_header, version), version);
    fclose(file);
}

static void values_of_another_version_are_to_be_made_again(void **state)
{
    (void)state;
    char why[1536];
    leave_values("16 3");
    write_version(VF_DUMP_VERSION - 1);
    assert_int_equal(load(why, sizeof why), PARCAST_FORMAT);
    assert_non_null(strstr(why, "compile the program again"));
    write_version(VF_DUMP_VERSION);
    assert_int_equal(load(why, sizeof why), PARCAST_OK);
}

static int set_up(void **state)
{
    if (cli_folder_create(state)) return -1;
    struct outcome outcome = run_cli("cc --values " SEQUENTIAL "/stencil3d.c -o stencil3d -lm");
    int status = outcome.status;
    outcome_clear(&outcome);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_points_of_a_stencil_share_the_ways_of_their_readers),
        cmocka_unit_test(readers_that_are_no_words_are_refused),
        cmocka_unit_test(values_of_another_version_are_to_be_made_again),
    };
    return cmocka_run_group_tests(tests, set_up, cli_folder_remove);
}
