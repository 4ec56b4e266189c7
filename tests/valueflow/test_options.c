/* Options and pragmas that say how a compiler makes arithmetic change nothing of what is computed from what.
 */
#include "variants.h"

enum { PARTS = 4 };

/* Comparisons become functions. */
static void fast_arithmetic_makes_no_difference(void **state)
{
    (void)state;
    compile("cc -Ofast -ffast-math", "beside.c", "beside");
    have_words("--grid 4", "beside", 0, 18, " 4096", 2 * (PARTS - 1));
}

/* Two neighbours' words over each border of a ring in every step; three numbers of each part but one. Two
 * words go over a border forward and one back where slopes are limited. */
static void rounding_modes_make_no_difference(void **state)
{
    static const char *const commands[] = {"cc", "cc -ffp-model=strict", "cc -O3 -frounding-math -ftrapv"};
    enum { TIMES = 4 };
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        compile(commands[i], "rounding.c", "rounding");
        have_words("--grid 4", "rounding", 0, 0, " 64 4", (json_int_t)2 * PARTS * TIMES);
        have_words("-p 4", "rounding", 1, 1, " 64 4", (json_int_t)3 * (PARTS - 1));
        compile(commands[i], "limiters.c", "limiters");
        have_words("--grid 4", "limiters", 0, 6, " 64 4", (json_int_t)3 * PARTS * TIMES);
    }
}

/* An addition that is checked for overflow is one. */
static void checked_additions_count(void **state)
{
    (void)state;
    compile("cc -ftrapv", "histograms.c", "histograms");
    have_words("--grid 4", "histograms", 0, 0, " 4000", 16 * (PARTS - 1));
}

/* Levels of optimisation, too. */
static void functions_are_inlined_whatever_a_build_says(void **state)
{
    (void)state;
    compile("c++ -O0 -fno-inline -fno-inline-functions", "extremes.cpp", "extremes");
    have_words("--grid 4", "extremes", 0, 2, " 1024", 2 * (PARTS - 1));
}

/* Tiles of 2 x 2 blocks are copied by memcpy: a row or column of each goes over every border, both ways. */
static void copies_by_functions_are_copies(void **state)
{
    enum { SIDE = 24, TIMES = 4 };
    (void)state;
    compile("cc -fno-builtin", "heat2d_ways.c", "ways");
    have_words("--grid 2x2", "ways", 2, 2, " 24 4", 2 * TIMES * SIDE * 2);
    have_words("--grid 2x2", "ways", 11, 11, " 24 4", 2 * TIMES * SIDE * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_arithmetic_makes_no_difference),
        cmocka_unit_test(rounding_modes_make_no_difference),
        cmocka_unit_test(checked_additions_count),
        cmocka_unit_test(functions_are_inlined_whatever_a_build_says),
        cmocka_unit_test(copies_by_functions_are_copies),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
