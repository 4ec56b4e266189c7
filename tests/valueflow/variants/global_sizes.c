/* Cells that live by their neighbours, where the number of columns and the arrays are variables that anybody
 * may write, so that they are loaded again after each store: a switch (0), branches (1), put right (2).
 * ARGUMENTS: way, columns, times. */
#include <stdio.h>
#include <stdlib.h>

int columns;
int *now, *next;

#define AT(cells, i, j) cells[(i) * (columns + 2) + (j)]
#define EACH                                                                                                 \
    for (int i = 1; i <= columns; i++)                                                                       \
        for (int j = 1; j <= columns; j++)

static inline int around(int i, int j)
{
    return AT(now, i - 1, j) + AT(now, i, j - 1) + AT(now, i, j + 1) + AT(now, i + 1, j);
}

static void switched(void)
{
    EACH switch (around(i, j))
    {
    case 3:
        AT(next, i, j) = 1;
        break;
    case 2:
        AT(next, i, j) = AT(now, i, j);
        break;
    default:
        AT(next, i, j) = 0;
    }
}

static void branched(void)
{
    EACH
    {
        int sum = around(i, j);
        if (sum == 3)
            AT(next, i, j) = 1;
        else if (sum == 2)
            AT(next, i, j) = AT(now, i, j);
        else
            AT(next, i, j) = 0;
    }
}

static void put_right(void)
{
    EACH
    {
        int sum = around(i, j);
        AT(next, i, j) = AT(now, i, j);
        if (sum < 2 || sum > 3)
            AT(next, i, j) = 0;
        else if (sum == 3)
            AT(next, i, j) = 1;
    }
}

void kernel(int way, int times)
{
    for (int t = 0; t < times; t++) {
        if (way == 0) switched();
        if (way == 1) branched();
        if (way == 2) put_right();
        int *other = now;
        now = next;
        next = other;
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 3, sum = 0;
    columns = argc > 2 ? atoi(argv[2]) : 30;
    now = calloc((size_t)(columns + 2) * (size_t)(columns + 2), sizeof *now);
    next = calloc((size_t)(columns + 2) * (size_t)(columns + 2), sizeof *next);
    if (!now || !next) return 1;
    EACH AT(now, i, j) = (i * 7 + j * 5) % 3 == 0;
    kernel(way, times);
    EACH sum += AT(now, i, j) * j;
    printf("%d\n", sum);
    free(now);
    free(next);
    return 0;
}
