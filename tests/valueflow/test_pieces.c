/* Several arrays in one block of memory have the words of arrays. */
#include <string.h>

#include "variants.h"

/* In each of 3 steps over 24 x 20 of 26 x 22 words a row, or a column, goes across each cut both ways. */
enum { STEPS = 3, BLOCKS = STEPS * 2 * (24 + 20), ROWS = STEPS * 3 * 2 * 20, COLUMNS = STEPS * 3 * 2 * 24 };

static void have_blocks(const char *program, int last, const char *arguments)
{
    have_words("--grid 2x2", program, 0, last, arguments, BLOCKS);
    have_words("--grid 4", program, 0, last, arguments, ROWS);
    have_words("--grid 1x4", program, 0, last, arguments, COLUMNS);
}

/* Pointer variables, with gaps, parameters, an array in the frame; then pointers into the midst of one
 * array: to the first word that is computed, and where the second half of its rows begins. */
static void fields_in_one_block_are_cut_alike(void **state)
{
    (void)state;
    compile("cc", "pieces.c", "pieces");
    have_blocks("pieces", 5, " 0 26 22");
}

/* Of 25 x 21 nodes those within are computed. At a cut between rows of 20 cells the part behind it gives 20
 * cells and needs 19 nodes, the first time with the two at the ends. */
static void cells_and_nodes_in_one_block_are_arrays(void **state)
{
    enum { CUT = STEPS * (19 + 20) + 2 };
    (void)state;
    compile("cc", "pieces.c", "pieces");
    have_words("--grid 4", "pieces", 0, 2, " 1 24 20", (json_int_t)3 * CUT);
    json_int_t words = words_of("--grid 2x2", "pieces", 0, " 1 24 20");
    have_words("--grid 2x2", "pieces", 1, 2, " 1 24 20", words);
}

static void matrices_in_one_block_have_blocks_of_the_product(void **state)
{
    (void)state;
    compile("cc", "pieces.c", "pieces");
    have_words("--grid 2x2", "pieces", 0, 1, " 2 24 24", (json_int_t)2 * 24 * 24);
    have_words("-p 4", "pieces", 0, 1, " 2 24 24", (json_int_t)2 * 24 * 24);
}

/* 20 x 16 points, 7 sums of all parts, and 6 quotients of two of them that each needs. */
static void vectors_in_one_block_are_cut_alike(void **state)
{
    enum { SUMS = (7 + 6) * 3 };
    (void)state;
    compile("cc", "pieces.c", "pieces");
    have_words("--grid 4", "pieces", 0, 0, " 3 20 16", (json_int_t)STEPS * 3 * 2 * 16 + SUMS);
    have_words("--grid 2x2", "pieces", 0, 0, " 3 20 16", (json_int_t)STEPS * 2 * (20 + 16) + SUMS);
}

static void work_arrays_of_fortran_are_arrays(void **state)
{
    (void)state;
    compile("fc", "pieces.f90", "pieces_f90");
    have_blocks("pieces_f90", 0, "");
}

static void vectors_of_several_fields_are_arrays(void **state)
{
    (void)state;
    compile("c++", "pieces.cpp", "pieces_cpp");
    have_blocks("pieces_cpp", 1, " 26 22");
}

/* The variable's name, and that of the block. */
static void pieces_have_the_names_of_their_variables(void **state)
{
    (void)state;
    compile("cc", "pieces.c", "pieces");
    struct outcome outcome = run_cli("estimate --grid 4 -- ./pieces 1 0 26 22");
    assert_int_equal(outcome.status, 0);
    assert_non_null(strstr(outcome.out, "w in pool (pieces.c:"));
    assert_non_null(strstr(outcome.out, "factor in pool (pieces.c:"));
    outcome_clear(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_in_one_block_are_cut_alike),
        cmocka_unit_test(cells_and_nodes_in_one_block_are_arrays),
        cmocka_unit_test(matrices_in_one_block_have_blocks_of_the_product),
        cmocka_unit_test(vectors_in_one_block_are_cut_alike),
        cmocka_unit_test(work_arrays_of_fortran_are_arrays),
        cmocka_unit_test(vectors_of_several_fields_are_arrays),
        cmocka_unit_test(pieces_have_the_names_of_their_variables),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
