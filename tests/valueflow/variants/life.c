/* The game of life: whether a cell lives is decided by its neighbours, by expressions, branches, a switch, a
 * table, in place of what it was before, in rows that pointers lead to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH                                                                                                 \
    for (long i = 1; i < n - 1; i++)                                                                         \
        for (long j = 1; j < n - 1; j++)

static int around(const int *a, long n, long i, long j)
{
    int sum = 0;
    for (long di = -1; di <= 1; di++)
        for (long dj = -1; dj <= 1; dj++)
            if (di || dj) sum += a[(i + di) * n + j + dj];
    return sum;
}

static void computed(const int *a, int *b, long n)
{
    EACH
    {
        int s = around(a, n, i, j);
        b[i * n + j] = s == 3 || (s == 2 && a[i * n + j]);
    }
}

static void branched(const int *a, int *b, long n)
{
    EACH
    {
        int s = around(a, n, i, j);
        if (a[i * n + j]) {
            if (s < 2 || s > 3)
                b[i * n + j] = 0;
            else
                b[i * n + j] = 1;
        } else {
            if (s == 3)
                b[i * n + j] = 1;
            else
                b[i * n + j] = 0;
        }
    }
}

static void switched(const int *a, int *b, long n)
{
    EACH
    {
        switch (around(a, n, i, j)) {
        case 3:
            b[i * n + j] = 1;
            break;
        case 2:
            b[i * n + j] = a[i * n + j];
            break;
        default:
            b[i * n + j] = 0;
        }
    }
}

static void copied(const int *a, int *b, long n)
{
    memcpy(b, a, (size_t)(n * n) * sizeof *a);
    EACH
    {
        int s = around(a, n, i, j);
        if (a[i * n + j] && (s < 2 || s > 3))
            b[i * n + j] = 0;
        else if (!a[i * n + j] && s == 3)
            b[i * n + j] = 1;
    }
}

static void put_right(const int *a, int *b, long n)
{
    EACH
    {
        int s = around(a, n, i, j);
        b[i * n + j] = a[i * n + j];
        if (s < 2)
            b[i * n + j] = 0;
        else if (s > 3)
            b[i * n + j] = 0;
        else if (s == 3)
            b[i * n + j] = 1;
    }
}

static void continued(const int *a, int *b, long n)
{
    EACH
    {
        int s = around(a, n, i, j);
        if (s == 3) {
            b[i * n + j] = 1;
            continue;
        }
        if (s == 2) {
            b[i * n + j] = a[i * n + j];
            continue;
        }
        b[i * n + j] = 0;
    }
}

static void in_a_register(const int *a, int *b, long n)
{
    EACH
    {
        int s = around(a, n, i, j), lives = a[i * n + j];
        if (lives == 1 && s < 2)
            lives = 0;
        else if (lives == 1 && s > 3)
            lives = 0;
        else if (lives == 0 && s == 3)
            lives = 1;
        b[i * n + j] = lives;
    }
}

static void looked_up(const int *a, int *b, long n)
{
    static const int born[9] = {0, 0, 0, 1}, stays[9] = {0, 0, 1, 1};
    EACH
    {
        int s = around(a, n, i, j);
        b[i * n + j] = a[i * n + j] ? stays[s] : born[s];
    }
}

static int **rows_of_a, **rows_of_b;

static void in_rows(const int *a, int *b, long n)
{
    (void)a;
    (void)b;
    EACH
    {
        int s = 0;
        for (long di = -1; di <= 1; di++)
            for (long dj = -1; dj <= 1; dj++)
                if (di || dj) s += rows_of_a[i + di][j + dj];
        if (rows_of_a[i][j]) {
            if (s < 2 || s > 3)
                rows_of_b[i][j] = 0;
            else
                rows_of_b[i][j] = 1;
        } else if (s == 3) {
            rows_of_b[i][j] = 1;
        } else {
            rows_of_b[i][j] = 0;
        }
    }
}

static void (*const ways[])(const int *, int *, long) = {
    computed, branched, switched, copied, put_right, continued, in_a_register, looked_up, in_rows,
};

void kernel(int *a, int *b, long n, int way, int times)
{
    for (int t = 0; t < times; t++) {
        int *other = a, **rows = rows_of_a;
        ways[way](a, b, n);
        a = b;
        b = other;
        rows_of_a = rows_of_b;
        rows_of_b = rows;
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 4;
    long n = argc > 2 ? atol(argv[2]) : 26, sum = 0;
    int *a = calloc((size_t)(n * n), sizeof *a), *b = calloc((size_t)(n * n), sizeof *b);
    rows_of_a = malloc((size_t)n * sizeof *rows_of_a);
    rows_of_b = malloc((size_t)n * sizeof *rows_of_b);
    if (!a || !b || !rows_of_a || !rows_of_b) return 1;
    for (long i = 0; i < n; i++) {
        rows_of_a[i] = a + i * n;
        rows_of_b[i] = b + i * n;
    }
    unsigned x = 12345;
    EACH
    {
        x = x * 1103515245u + 12345;
        a[i * n + j] = (x >> 16) % 3 == 0;
    }
    kernel(a, b, n, way, times);
    for (long i = 0; i < n * n; i++) sum += a[i] * (i % 97);
    printf("%ld\n", sum);
    free(rows_of_a);
    free(rows_of_b);
    free(a);
    free(b);
    return 0;
}
