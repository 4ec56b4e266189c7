/* Piece files, manifests, and the directory of a run. */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "elastic/checksum.h"
#include "elastic/store.h"

static char folder[64];

static int make_folder(void **unused)
{
    (void)unused;
    strcpy(folder, "/tmp/parcast-test.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
    (void)unused;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* -------- pieces -------- */

enum { DATA_BYTES = 3 * ELASTIC_BLOCK_BYTES + 12345 };

static void write_piece(elastic_piece *piece, int64_t epoch)
{
    static unsigned char data[DATA_BYTES];
    elastic_piece_writer *writer = NULL;
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 7 + i / 1000);
    snprintf(piece->path, sizeof piece->path, "%s/piece", folder);
    assert_int_equal(elastic_piece_create(piece->path, epoch, 5, false, &writer, NULL), PARCAST_OK);
    for (size_t at = 0, n = 1; at < sizeof data; at += n, n = 3 * n + 1) { /* parts of all sizes */
        if (n > sizeof data - at) n = sizeof data - at;
        assert_int_equal(elastic_piece_append(writer, data + at, n, NULL), PARCAST_OK);
    }
    assert_int_equal(elastic_piece_align(writer, NULL), PARCAST_OK);
    assert_int_equal(elastic_piece_append(writer, "tail", 4, NULL), PARCAST_OK);
    assert_int_equal(elastic_piece_finish(&writer, piece, NULL), PARCAST_OK);
    assert_null(writer);
}

static void a_piece_gives_back_what_was_written(void **unused)
{
    (void)unused;
    elastic_piece piece = {0};
    elastic_piece_view view = {0};
    write_piece(&piece, 9);
    assert_int_equal(elastic_piece_open(&piece, 9, &view, NULL), PARCAST_OK);
    for (size_t i = 0; i < DATA_BYTES; i++) assert_int_equal(view.data[i], (unsigned char)(i * 7 + i / 1000));
    int64_t tail = ((int64_t)DATA_BYTES + ELASTIC_ALIGNMENT - 1) / ELASTIC_ALIGNMENT * ELASTIC_ALIGNMENT;
    assert_memory_equal(view.data + tail, "tail", 4);
    assert_int_equal(view.data_bytes % ELASTIC_ALIGNMENT, 0);
    for (int64_t b = 0; b < view.n_blocks; b++)
        assert_int_equal(elastic_piece_verify(&piece, &view, b, NULL), PARCAST_OK);
    elastic_piece_close(&view);
}

static void flip(const char *path, off_t at)
{
    unsigned char byte;
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 0x10;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static void a_flipped_bit_is_found_in_its_block(void **unused)
{
    (void)unused;
    elastic_piece piece = {0};
    elastic_piece_view view = {0};
    parcast_error error = {0};
    write_piece(&piece, 9);
    flip(piece.path, 2 * ELASTIC_BLOCK_BYTES + 77);
    assert_int_equal(elastic_piece_open(&piece, 9, &view, NULL), PARCAST_OK);
    for (int64_t b = 0; b < view.n_blocks; b++)
        assert_int_equal(elastic_piece_verify(&piece, &view, b, &error),
                         b == 2 ? PARCAST_FORMAT : PARCAST_OK);
    assert_non_null(strstr(error.text, "block 2"));
    elastic_piece_close(&view);
}

static void a_damaged_cut_or_foreign_piece_is_refused(void **unused)
{
    (void)unused;
    elastic_piece piece = {0};
    elastic_piece_view view = {0};
    write_piece(&piece, 9);
    assert_int_equal(elastic_piece_open(&piece, 8, &view, NULL), PARCAST_FORMAT); /* of another checkpoint */
    flip(piece.path, piece.data_bytes + 40);                                      /* in the index */
    assert_int_equal(elastic_piece_open(&piece, 9, &view, NULL), PARCAST_FORMAT);
    write_piece(&piece, 9);
    assert_int_equal(truncate(piece.path, piece.data_bytes), 0);
    assert_int_equal(elastic_piece_open(&piece, 9, &view, NULL), PARCAST_FORMAT);
    assert_int_equal(truncate(piece.path, 0), 0);
    assert_int_equal(elastic_piece_open(&piece, 9, &view, NULL), PARCAST_FORMAT);
    unlink(piece.path);
    assert_int_equal(elastic_piece_open(&piece, 9, &view, NULL), PARCAST_NOT_FOUND);
    assert_int_equal(view.mapped_bytes, 0);
}

/* A limit on file sizes stands for a full disk: write() writes what fits, then fails. */
static void a_full_disk_is_an_error_and_leaves_no_file(void **unused)
{
    (void)unused;
    struct rlimit before, small = {.rlim_cur = 2 * ELASTIC_BLOCK_BYTES + 100, .rlim_max = RLIM_INFINITY};
    elastic_piece_writer *writer = NULL;
    parcast_error error = {0};
    char path[128];
    static const unsigned char data[DATA_BYTES];
    snprintf(path, sizeof path, "%s/full", folder);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(elastic_piece_create(path, 1, 0, false, &writer, &error), PARCAST_OK);
    parcast_status status = elastic_piece_append(writer, data, sizeof data, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, PARCAST_IO);
    assert_string_equal(error.source, path);
    elastic_piece_abandon(&writer);
    assert_null(writer);
    assert_int_equal(access(path, F_OK), -1);
}

/* -------- manifests -------- */

static char *make_text(int64_t epoch, size_t *bytes)
{
    const parcast_elastic_shape shapes[] = {
        {.name = "u",
         .element_bytes = 8,
         .n_dims = 2,
         .dims = {{.size = 10, .kind = PARCAST_ELASTIC_BLOCK},
                  {.size = 4, .kind = PARCAST_ELASTIC_CYCLIC, .parts = 1}}},
        {.name = "table", .element_bytes = 2, .n_dims = 1, .dims = {{.size = 7}}}};
    elastic_saved_array arrays[2] = {{.name = "u"}, {.name = "table"}};
    elastic_saved_value values[1] = {{.name = "k", .bytes = 3, .data = (unsigned char *)"\x01\xff\x7f"}};
    elastic_piece pieces[3] = {0};
    elastic_manifest manifest = {.epoch = epoch,
                                 .iteration = 40,
                                 .n_ranks = 3,
                                 .arrays = arrays,
                                 .n_arrays = 2,
                                 .values = values,
                                 .n_values = 1,
                                 .pieces = pieces};
    for (int i = 0; i < 2; i++) {
        elastic_layout layout = {0};
        assert_int_equal(elastic_layout_make(&shapes[i], 3, NULL, &layout, NULL), PARCAST_OK);
        assert_int_equal(elastic_layout_saved(&layout, &arrays[i].layout, NULL), PARCAST_OK);
        elastic_layout_clear(&layout);
    }
    for (int r = 0; r < 3; r++) {
        pieces[r] = (elastic_piece){.rank = r,
                                    .data_bytes = elastic_manifest_offset(&manifest, 2, r),
                                    .index_checksum = 77u + (unsigned)r};
        strcpy(pieces[r].node, "n1");
        snprintf(pieces[r].path, sizeof pieces[r].path, "/x y/piece.%d", r);
    }
    char *text = NULL;
    assert_int_equal(elastic_manifest_format(&manifest, &text, NULL), PARCAST_OK);
    for (int i = 0; i < 2; i++) elastic_layout_clear(&arrays[i].layout);
    *bytes = strlen(text);
    return text;
}

static void a_manifest_reads_as_it_was_written(void **unused)
{
    (void)unused;
    size_t bytes;
    char *text = make_text(12, &bytes), *again = NULL;
    elastic_manifest manifest = {0};
    parcast_error error = {0};
    assert_int_equal(elastic_manifest_parse(text, bytes, "m", &manifest, &error), PARCAST_OK);
    assert_int_equal(manifest.epoch, 12);
    assert_int_equal(manifest.iteration, 40);
    assert_string_equal(manifest.pieces[2].path, "/x y/piece.2");
    assert_memory_equal(elastic_manifest_value(&manifest, "k")->data, "\x01\xff\x7f", 3);
    assert_int_equal(elastic_manifest_array(&manifest, "u")->layout.dims[0].offsets[1], 4);
    assert_int_equal(elastic_manifest_format(&manifest, &again, NULL), PARCAST_OK);
    assert_string_equal(text, again);
    elastic_manifest_clear(&manifest);
    free(text);
    free(again);
}

static void every_damaged_byte_and_every_cut_of_a_manifest_is_found(void **unused)
{
    (void)unused;
    size_t bytes;
    char *text = make_text(12, &bytes);
    elastic_manifest manifest = {0};
    for (size_t i = 0; i < bytes; i++) {
        parcast_error error = {0};
        text[i] ^= 1;
        assert_int_equal(elastic_manifest_parse(text, bytes, "m", &manifest, &error), PARCAST_FORMAT);
        assert_true(error.line > 0 && error.text[0]);
        text[i] ^= 1;
        char *cut = malloc(i + 1); /* exactly as long, so that a sanitizer sees what reads beyond */
        memcpy(cut, text, i);
        assert_int_equal(elastic_manifest_parse(cut, i, "m", &manifest, NULL), PARCAST_FORMAT);
        free(cut);
    }
    free(text);
}

/* -------- the directory of a run -------- */

static void open_store(elastic_store *store, const char *name)
{
    char path[128], pieces[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(pieces, sizeof pieces, "%s/pieces", folder);
    assert_int_equal(elastic_store_open(path, pieces, store, NULL), PARCAST_OK);
}

static void commit(elastic_store *store, int64_t epoch)
{
    size_t bytes;
    char *text = make_text(epoch, &bytes);
    assert_int_equal(elastic_store_commit(store, epoch, text, bytes, NULL), PARCAST_OK);
    free(text);
}

static void a_checkpoint_that_comes_late_is_refused(void **unused)
{
    (void)unused;
    elastic_store store;
    size_t bytes;
    open_store(&store, "late");
    store.next_epoch = 9; /* others were promised already */
    commit(&store, 5);
    assert_int_equal(store.next_epoch, 9);
    for (int64_t epoch = 4; epoch <= 5; epoch++) {
        char *text = make_text(epoch, &bytes);
        assert_int_equal(elastic_store_commit(&store, epoch, text, bytes, NULL), PARCAST_INVALID);
        free(text);
    }
    assert_int_equal(store.n, 1);
    elastic_store_close(&store, true);
}

static void the_newest_sound_checkpoint_is_found(void **unused)
{
    (void)unused;
    elastic_store store;
    char *text = NULL, damaged[256], path[256];
    size_t bytes;
    int64_t epoch;
    open_store(&store, "run");
    assert_int_equal(elastic_store_newest(&store, INT64_MAX, &text, &bytes, &epoch, damaged, NULL),
                     PARCAST_NOT_FOUND);
    for (int64_t e = 1; e <= 4; e++) commit(&store, e);
    elastic_store_close(&store, false);

    snprintf(path, sizeof path, "%s/run/checkpoint.4", folder);
    flip(path, 30);
    open_store(&store, "run");
    assert_int_equal(store.next_epoch, 5);
    assert_int_equal(elastic_store_newest(&store, INT64_MAX, &text, &bytes, &epoch, damaged, NULL),
                     PARCAST_OK);
    assert_int_equal(epoch, 3);
    assert_non_null(strstr(damaged, "checkpoint.4"));
    free(text);
    assert_int_equal(elastic_store_newest(&store, 3, &text, &bytes, &epoch, damaged, NULL), PARCAST_OK);
    assert_int_equal(epoch, 2);
    free(text);
    assert_int_equal(elastic_store_trim(&store, 2), 3);
    assert_int_equal(elastic_store_newest(&store, 3, &text, &bytes, &epoch, damaged, NULL),
                     PARCAST_NOT_FOUND);
    elastic_store_close(&store, true);
    snprintf(path, sizeof path, "%s/run", folder);
    assert_int_equal(access(path, F_OK), -1);
}

static void a_run_has_one_supervisor(void **unused)
{
    (void)unused;
    elastic_store one, two = {0};
    parcast_error error = {0};
    char path[128], pieces[128];
    open_store(&one, "run");
    snprintf(path, sizeof path, "%s/run", folder);
    snprintf(pieces, sizeof pieces, "%s/pieces", folder);
    assert_int_equal(elastic_store_open(path, pieces, &two, &error), PARCAST_INVALID);
    assert_true(error.hint[0]);
    elastic_store_close(&one, false);
    assert_int_equal(elastic_store_open(path, pieces, &two, &error), PARCAST_OK);
    elastic_store_close(&two, true);
}

static void sweeping_removes_old_pieces_and_nothing_else(void **unused)
{
    (void)unused;
    static const char *const names[] = {"piece.1.0.ab", "piece.2.0.ab", "piece.x", "piece.1", "notes.1.0"};
    static const bool stays[] = {false, true, true, true, true};
    char path[256];
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        close(open(path, O_CREAT | O_WRONLY, 0600));
    }
    elastic_store_sweep(folder, 2);
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(access(path, F_OK), stays[i] ? 0 : -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_piece_gives_back_what_was_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_flipped_bit_is_found_in_its_block, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_damaged_cut_or_foreign_piece_is_refused, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_full_disk_is_an_error_and_leaves_no_file, make_folder,
                                        remove_folder),
        cmocka_unit_test(a_manifest_reads_as_it_was_written),
        cmocka_unit_test(every_damaged_byte_and_every_cut_of_a_manifest_is_found),
        cmocka_unit_test_setup_teardown(a_checkpoint_that_comes_late_is_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_newest_sound_checkpoint_is_found, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_run_has_one_supervisor, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(sweeping_removes_old_pieces_and_nothing_else, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
