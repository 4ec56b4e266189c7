/* Who sends how much to whom: ranks by ranks when they are few, else nodes by nodes. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/units.h"
#include "show.h"

enum { MATRIX_SHOWN = 12 };

struct matrix {
    double bytes[MATRIX_SHOWN][MATRIX_SHOWN];
    int n;
    bool by_node;
};

static int node_of_rank(const parcast_run *run, int rank)
{
    for (size_t i = 0; i < run->n_profiles; i++)
        if (run->ranks[i].rank == rank && !run->ranks[i].spawned) return run->ranks[i].node;
    return -1;
}

static int *nodes_of_ranks(const parcast_run *run)
{
    int *nodes = calloc((size_t)run->n_ranks + 1, sizeof *nodes);
    for (int rank = 0; nodes && rank < run->n_ranks; rank++)
        nodes[rank] =
            (size_t)rank < run->n_profiles && run->ranks[rank].rank == rank && !run->ranks[rank].spawned
                ? run->ranks[rank].node
                : node_of_rank(run, rank);
    return nodes;
}

/* Spawned ranks and messages to other worlds have no place in it. */
static void add_row(struct matrix *matrix, const parcast_run *run, const parcast_rank_profile *profile,
                    const int *nodes)
{
    for (size_t k = 0; k < profile->n_peers; k++) {
        int from = profile->rank, to = profile->peers[k].rank;
        if (to < 0 || to >= run->n_ranks || from >= run->n_ranks) continue;
        if (matrix->by_node) {
            from = nodes[from];
            to = nodes[to];
        }
        if (from < 0 || to < 0 || from >= matrix->n || to >= matrix->n) continue;
        matrix->bytes[from][to] += (double)profile->peers[k].bytes;
    }
}

static int print_matrix_table(const struct cli_common *common, const struct matrix *matrix)
{
    struct cli_column columns[MATRIX_SHOWN + 1] = {{"from \\ to", CLI_RIGHT}};
    char titles[MATRIX_SHOWN][12];
    for (int i = 0; i < matrix->n; i++) {
        snprintf(titles[i], sizeof titles[i], "%d", i);
        columns[i + 1] = (struct cli_column){titles[i], CLI_RIGHT};
    }
    struct cli_table *table = cli_table_create(common, columns, (size_t)matrix->n + 1);
    for (int i = 0; i < matrix->n; i++) {
        cli_table_row(table);
        cli_table_put(table, "%d", i);
        for (int k = 0; k < matrix->n; k++) {
            char text[32];
            if (matrix->bytes[i][k] > 0)
                cli_table_put(table, "%s", parcast_units_format_size(matrix->bytes[i][k], text, sizeof text));
            else
                cli_table_put(table, ".");
        }
    }
    return cli_table_print(common, &table);
}

int show_matrix(const struct cli_common *common, const parcast_run *run)
{
    struct matrix matrix = {.by_node = run->n_ranks > MATRIX_SHOWN};
    size_t n_pairs = 0;
    for (size_t i = 0; i < run->n_profiles; i++) n_pairs += run->ranks[i].n_peers;
    matrix.n = matrix.by_node ? run->n_nodes_used : run->n_ranks;
    if (n_pairs == 0) return 0;
    if (matrix.n > MATRIX_SHOWN) {
        show_heading("point to point");
        printf("%zu pairs of ranks exchange messages: --json lists them\n", n_pairs);
        return 0;
    }
    int *nodes = nodes_of_ranks(run);
    for (size_t i = 0; i < run->n_profiles && nodes; i++)
        if (!run->ranks[i].spawned) add_row(&matrix, run, &run->ranks[i], nodes);
    free(nodes);
    show_heading(matrix.by_node ? "point to point, node to node" : "point to point, rank to rank");
    return print_matrix_table(common, &matrix);
}
