/* Scientific kernels in layouts that hide what they are of: fields of a mesh in one block, room for more than
 * there is, planes of which one is cut in rows and the next one in columns.
 */
#include "variants.h"

/* Three states of one of both cells at each edge across a cut, and three fluxes back: 16 and 18 edges. */
static void fields_on_lists_of_edges_are_cut_alike(void **state)
{
    enum { ROWS = 18, COLUMNS = 16, TIMES = 3, EACH = 6 * TIMES };
    (void)state;
    compile("cc", "fields_of_edges.c", "fields_of_edges");
    have_words("--grid 2x2", "fields_of_edges", 0, 2, " 18 16 3", (json_int_t)EACH * (ROWS + COLUMNS));
    have_words("--grid 2x3", "fields_of_edges", 0, 0, " 18 16 3", (json_int_t)EACH * (2 * ROWS + COLUMNS));
}

/* Nothing but what is transposed between rows and columns: of each part's share all that it does not keep. */
static void planes_are_crossed(void **state)
{
    (void)state;
    compile("cc", "crossed.c", "crossed");
    have_words("-p 4", "crossed", 0, 2, " 28 24", 28 * 24 * 3 / 4);
    have_words("-p 5", "crossed", 0, 2, " 30 25", 30 * 25 * 4 / 5);
}

/* Weights, or coordinates of the centres, go to three others in each step, and sums of each come back, with
 * the number in each cluster. */
static void spare_room_changes_nothing(void **state)
{
    enum { OTHERS = 3, TIMES = 3, WEIGHTS = 8, CLUSTERS = 5 };
    const json_int_t regression = TIMES * OTHERS * 2 * WEIGHTS,
                     clusters = TIMES * OTHERS * (3 * CLUSTERS + 4 * CLUSTERS);
    (void)state;
    compile("cc", "spare_room.c", "spare_room");
    have_words("--grid 4", "spare_room", 0, 0, " 400 8 3", regression);
    have_words("-p 4", "spare_room", 0, 0, " 400 8 3", regression);
    have_words("--grid 4", "spare_room", 1, 1, " 600 5 3", clusters);
    have_words("-p 4", "spare_room", 1, 1, " 600 5 3", clusters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_on_lists_of_edges_are_cut_alike),
        cmocka_unit_test(planes_are_crossed),
        cmocka_unit_test(spare_room_changes_nothing),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
