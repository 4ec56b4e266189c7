/* A matrix of five points in a square, entry by entry. ARGUMENTS: way (0: rows, columns and numbers in an
 * array each; 1: in structures), side, steps. */
#include "../kernels/kernel.h"

struct entry {
    int row, column;
    double number;
};

static int *rows, *columns;
static double *numbers;
static struct entry *entries;
static long n_entries;

static void add(long row, long column)
{
    double number = row == column ? 0.6 : 0.1 + 0.001 * (double)(row % 3);
    rows[n_entries] = (int)row;
    columns[n_entries] = (int)column;
    numbers[n_entries] = number;
    entries[n_entries++] = (struct entry){(int)row, (int)column, number};
}

static void list(long side)
{
    size_t most = 5 * (size_t)(side * side);
    rows = malloc(most * sizeof *rows);
    columns = malloc(most * sizeof *columns);
    numbers = malloc(most * sizeof *numbers);
    entries = malloc(most * sizeof *entries);
    if (!rows || !columns || !numbers || !entries) exit(1);
    for (long i = 0; i < side; i++)
        for (long j = 0; j < side; j++) {
            long at = i * side + j;
            add(at, at);
            if (i) add(at, at - side);
            if (i + 1 < side) add(at, at + side);
            if (j) add(at, at - 1);
            if (j + 1 < side) add(at, at + 1);
        }
}

void kernel(int way, double *x, double *y, long n, long steps)
{
    for (long s = 0; s < steps; s++) {
        memset(y, 0, (size_t)n * sizeof *y);
        for (long e = 0; way == 0 && e < n_entries; e++) y[rows[e]] += numbers[e] * x[columns[e]];
        for (long e = 0; way == 1 && e < n_entries; e++)
            y[entries[e].row] += entries[e].number * x[entries[e].column];
        memcpy(x, y, (size_t)n * sizeof *y);
    }
}

int main(int argc, char **argv)
{
    long side = argument(argc, argv, 2), n = side * side;
    double *x = filled(n), *y = filled(n);
    list(side);
    kernel((int)argument(argc, argv, 1), x, y, n, argument(argc, argv, 3));
    printf("%g\n", x[n / 2]);
    return 0;
}
