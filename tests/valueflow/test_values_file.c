/* The file that a followed program leaves: how large it is, and what of it is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "parcast/valueflow.h"
#include "run_cli.h"
#include "valueflow/runtime/blocks/object_kind.h"
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

/* ---- a file that no program is asked for ---- */

enum { WAYS = 2, STEPS = 40000, RESULTS = WAYS * STEPS, START = 1, END, FIRST };

/* The result of a step of a way. */
static uint32_t result(uint32_t way, uint32_t step)
{
    return FIRST + way * STEPS + step;
}

/* Words of one label each, of `n` vertices from `first` on; slot_of() is where they are. */
static void write_words(FILE *file, uint32_t first, uint32_t n, uint32_t flag)
{
    const uint32_t root = vf_tree_mark(VF_TREE_ROOT), empty = 0;
    assert_int_equal(fwrite(&empty, sizeof empty, 1, file), 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t stretch[] = {root, (first + i) | (first + i < FIRST ? 0 : flag), VF_TREE_NO_WAY};
        assert_int_equal(fwrite(stretch, sizeof stretch, 1, file), 1);
    }
}

static uint32_t slot_of(uint32_t vertex)
{
    return 2 + 3 * (vertex - START);
}

/* The last steps first. */
static void write_nets(FILE *file)
{
    for (uint32_t step = STEPS + 1; step-- > 0;)
        for (uint32_t way = 0; way < WAYS; way++) {
            uint32_t home = step ? result(way, step - 1) : START,
                     reader = step < STEPS ? result(way, step) : END;
            struct vf_dump_net net = {home, slot_of(reader), 1};
            assert_int_equal(fwrite(&net, sizeof net, 1, file), 1);
        }
}

/* Each result is a sum of one term, the result before it. */
static void write_sums(FILE *file)
{
    for (uint32_t i = 0; i < RESULTS; i++) {
        struct vf_dump_net net = {FIRST + i, 1 + i, 1};
        assert_int_equal(fwrite(&net, sizeof net, 1, file), 1);
    }
    write_words(file, START, RESULTS + 2, VF_FOLD_PIN); /* who reads */
    write_words(file, START, RESULTS + 2, 0);           /* terms */
    struct vf_dump_chain chain = {0};
    assert_int_equal(fwrite(&chain, sizeof chain, 1, file), 1);
    for (uint32_t i = 0; i < RESULTS; i++) {
        uint32_t before = i % STEPS ? FIRST + i - 1 : START;
        chain = (struct vf_dump_chain){0, 1 << 8 | 1, {slot_of(before)}};
        assert_int_equal(fwrite(&chain, sizeof chain, 1, file), 1);
    }
}

static void write_ways_of_results(void)
{
    const uint64_t slots = 1 + 3 * (RESULTS + 2);
    struct vf_dump_header header = {.magic = VF_DUMP_MAGIC,
                                    .version = VF_DUMP_VERSION,
                                    .complete = VF_DUMP_COMPLETE,
                                    .flop = RESULTS,
                                    .values = RESULTS,
                                    .entries = 1,
                                    .n_objects = 4,
                                    .n_vertices = FIRST + RESULTS,
                                    .n_work = 1,
                                    .n_nets = WAYS * (STEPS + 1),
                                    .n_chain_nets = RESULTS,
                                    .n_states = slots,
                                    .n_steps = slots,
                                    .n_chains = 1 + RESULTS};
    struct vf_dump_object objects[4] = {{0},
                                        {.kind = VF_GLOBAL, .bytes = 7, .words[3] = {START, 1}},
                                        {.kind = VF_GLOBAL, .bytes = 7, .words[3] = {END, 1}},
                                        {.kind = VF_RESULT, .words[VF_RESULTS] = {FIRST, RESULTS}}};
    struct vf_dump_work work = {END, 0, 1};
    FILE *file = open_values("wbe");
    assert_int_equal(fwrite(&header, sizeof header, 1, file), 1);
    assert_int_equal(fwrite(objects, sizeof objects, 1, file), 1);
    assert_int_equal(fwrite(&work, sizeof work, 1, file), 1);
    write_nets(file);
    write_sums(file);
    assert_int_equal(fclose(file), 0);
}

/* Two ways of results from one word to another are the same, step by step, but that is seen of a step only
 * when the step before has been joined. Again and again over all nets it takes minutes. */
static void long_ways_of_results_are_joined_soon(void **state)
{
    (void)state;
    char why[1536];
    write_ways_of_results();
    clock_t begin = clock();
    if (load(why, sizeof why)) fail_msg("%s", why);
    double used_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (used_s > 10) fail_msg("%g s", used_s);
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
        cmocka_unit_test(long_ways_of_results_are_joined_soon),
        cmocka_unit_test(values_of_another_version_are_to_be_made_again),
    };
    return cmocka_run_group_tests(tests, set_up, cli_folder_remove);
}
