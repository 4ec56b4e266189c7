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
    use_library(x);
}
