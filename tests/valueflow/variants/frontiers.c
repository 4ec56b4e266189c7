/*
 * Breadth-first search of a mesh of ROWS x COLUMNS nodes from a corner of it: whoever is found first finds
 * its neighbours, so that all but the first row are found by the node above.
 *
 * frontiers WAY ROWS COLUMNS: level by level, by those that were found last (0), by those that were not found
 * yet (1), or by a mask of those that were found last (2).
 */
#include <stdio.h>
#include <stdlib.h>

static int rows, columns, n;
static int *first, *next, *level;
static char *is_last, *is_next;

static __attribute__((noinline)) int by_last(void)
{
    int any, now = 0;
    do {
        any = 0;
        for (int u = 0; u < n; u++) {
            if (level[u] != now) continue;
            for (int e = first[u]; e < first[u + 1]; e++)
                if (level[next[e]] < 0) {
                    level[next[e]] = now + 1;
                    any = 1;
                }
        }
        now++;
    } while (any);
    return now;
}

static __attribute__((noinline)) int by_others(void)
{
    int any, now = 0;
    do {
        any = 0;
        for (int u = 0; u < n; u++) {
            if (level[u] >= 0) continue;
            for (int e = first[u]; e < first[u + 1]; e++)
                if (level[next[e]] == now) {
                    level[u] = now + 1;
                    any = 1;
                    break;
                }
        }
        now++;
    } while (any);
    return now;
}

static __attribute__((noinline)) int by_mask(void)
{
    int any, now = 0;
    is_last[0] = 1;
    do {
        any = 0;
        now++;
        for (int u = 0; u < n; u++)
            if (is_last[u])
                for (int e = first[u]; e < first[u + 1]; e++)
                    if (level[next[e]] < 0) {
                        level[next[e]] = level[u] + 1;
                        is_next[next[e]] = 1;
                        any = 1;
                    }
        for (int u = 0; u < n; u++) {
            is_last[u] = is_next[u];
            is_next[u] = 0;
        }
    } while (any);
    return now;
}

static __attribute__((noinline)) int kernel(int way)
{
    return way == 0 ? by_last() : way == 1 ? by_others() : by_mask();
}

/* Above, on the left, on the right, below. */
static void link_nodes(void)
{
    int edges = 0;
    for (int u = 0; u < n; u++) {
        int i = u / columns, j = u % columns;
        first[u] = edges;
        if (i) next[edges++] = u - columns;
        if (j) next[edges++] = u - 1;
        if (j < columns - 1) next[edges++] = u + 1;
        if (i < rows - 1) next[edges++] = u + columns;
        level[u] = u ? -1 : 0;
    }
    first[n] = edges;
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    rows = atoi(argv[2]);
    columns = atoi(argv[3]);
    n = rows * columns;
    first = calloc((size_t)n + 1, sizeof *first);
    next = calloc((size_t)n * 4, sizeof *next);
    level = calloc((size_t)n, sizeof *level);
    is_last = calloc((size_t)n, 1);
    is_next = calloc((size_t)n, 1);
    link_nodes();
    int found = kernel(atoi(argv[1]));
    printf("%d %d\n", found, level[n - 1]);
    return level[n - 1] != rows + columns - 2;
}
