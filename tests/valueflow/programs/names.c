/* A plate that cools in two arrays that are declared in the way that the argument names; besides, functions
 * of the C library that are no news. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N = 16 };
struct mesh {
    double *old, *now;
};
static double plate[N][N], next[N][N];

static void cool(double *to, const double *from)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            to[i * N + j] = 0.2 * (from[i * N + j] + from[i * N + j - 1] + from[i * N + j + 1] +
                                   from[(i - 1) * N + j] + from[(i + 1) * N + j]);
}

static double on_stack(void)
{
    double hot[N][N] = {{1}}, cold[N][N] = {{1}};
    for (int k = 0; k < 2; k++) {
        cool(&cold[0][0], &hot[0][0]);
        cool(&hot[0][0], &cold[0][0]);
    }
    return hot[1][1];
}

static double in_rows(void)
{
    double *rows[N], *other[N];
    for (int i = 0; i < N; i++) {
        rows[i] = calloc(N, sizeof **rows);
        other[i] = calloc(N, sizeof **other);
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) other[i][j] = rows[i - 1][j] + rows[i][j] + rows[i][j + 1];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) rows[i][j] = other[i + 1][j] + other[i][j] + other[i][j - 1];
    }
    return rows[1][1];
}

static double in_members(void)
{
    struct mesh mesh = {calloc(N * N, sizeof(double)), NULL};
    mesh.now = calloc(N * N, sizeof(double));
    for (int k = 0; k < 2; k++) {
        cool(mesh.now, mesh.old);
        cool(mesh.old, mesh.now);
    }
    return mesh.old[N + 1];
}

static double in_globals(void)
{
    cool(&next[0][0], &plate[0][0]);
    memcpy(plate, next, sizeof plate);
    cool(&next[0][0], &plate[0][0]);
    return next[1][1];
}

/* What a function puts into a variable of its caller. */
static void make(double **made, size_t n)
{
    *made = calloc(n, sizeof **made);
}

__attribute__((noinline)) static int make_two(double **made, double **more, size_t n)
{
    double *first = calloc(n, sizeof *first);
    make(more, n);
    *made = first;
    return first && *more ? 0 : 1;
}

__attribute__((noinline)) static void make_rows(double ***made, int n)
{
    *made = malloc((size_t)n * sizeof **made);
    for (int i = 0; i < n; i++) make(&(*made)[i], (size_t)n);
}

static double turn_by_turn(double *one, double *other)
{
    for (int k = 0; k < 2; k++) {
        cool(other, one);
        cool(one, other);
    }
    return one[N + 1];
}

static double in_pointers(void)
{
    double *early, *late;
    make(&early, N * N), make(&late, N * N);
    return turn_by_turn(late, early);
}

static double by_two(void)
{
    struct mesh mesh;
    if (make_two(&mesh.old, &mesh.now, N * N)) return 0;
    return turn_by_turn(mesh.now, mesh.old);
}

static double in_tables(void)
{
    double **upper, **lower;
    make_rows(&upper, N);
    make_rows(&lower, N);
    for (int k = 0; k < 2; k++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) lower[i][j] = upper[i - 1][j] + upper[i][j] + upper[i][j + 1];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) upper[i][j] = lower[i + 1][j] + lower[i][j] + lower[i][j - 1];
    }
    return upper[1][1];
}

#define MAKE_BOTH(one, other) double *one = calloc(N * N, sizeof *one), *other = calloc(N * N, sizeof *other)

static double in_one_line(void)
{
    MAKE_BOTH(left, right);
    return turn_by_turn(right, left);
}

static void use_library(double x)
{
    char text[64];
    time_t now = 0;
    struct tm date;
    gmtime_r(&now, &date);
    if (setenv("NAMES", "1", 1) || !getcwd(text, 2) || isspace((unsigned char)text[0])) text[0] = 0;
    printf("%g %d\n", nextafter(scalbn(log1pf((float)x), 2), 1), toupper('a'));
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    double x = 0;
    if (strcmp(how, "stack") == 0) x = on_stack();
    if (strcmp(how, "rows") == 0) x = in_rows();
    if (strcmp(how, "members") == 0) x = in_members();
    if (strcmp(how, "globals") == 0) x = in_globals();
    if (strcmp(how, "pointers") == 0) x = in_pointers();
    if (strcmp(how, "two") == 0) x = by_two();
    if (strcmp(how, "tables") == 0) x = in_tables();
    if (strcmp(how, "line") == 0) x = in_one_line();
    use_library(x);
}
