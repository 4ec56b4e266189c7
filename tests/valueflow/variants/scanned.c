/* Numbers that are read into variables on the stack and go from there into an array: one as it is, in fewer
 * bits, as a whole number, from a line, in a structure, a row of them, as a whole number that begins a page.
 * Ways 6 and 7 read once: what all words begin with, and a factor of all. */
#include <stdio.h>
#include <stdlib.h>

enum { ROW = 8 };

struct pair {
    double x, y;
};

static double number(FILE *in)
{
    double x;
    if (fscanf(in, "%lf", &x) != 1) exit(1);
    return x;
}

static double short_number(FILE *in)
{
    float x;
    if (fscanf(in, "%f", &x) != 1) exit(1);
    return x;
}

static double whole_number(FILE *in)
{
    int x;
    if (fscanf(in, "%d", &x) != 1) exit(1);
    return x;
}

static double on_a_page(FILE *in)
{
    _Alignas(4096) int x;
    if (fscanf(in, "%d", &x) != 1) exit(1);
    return x;
}

static double from_line(FILE *in)
{
    char line[80];
    double x;
    if (!fgets(line, sizeof line, in) || sscanf(line, "%lf", &x) != 1) exit(1);
    return 0.5 * x;
}

static double from_structure(FILE *in)
{
    struct pair p;
    if (fscanf(in, "%lf", &p.y) != 1) exit(1);
    p.x = 0;
    return p.y;
}

static void read_row(FILE *in, double *u)
{
    double row[ROW];
    for (int i = 0; i < ROW; i++)
        if (fscanf(in, "%lf", &row[i]) != 1) exit(1);
    for (int i = 0; i < ROW; i++) u[i] = row[i];
}

static void fill(FILE *in, double *u, long n)
{
    double x;
    if (fscanf(in, "%lf", &x) != 1) exit(1);
    for (long i = 0; i < n; i++) u[i] = x;
}

static void read(FILE *in, double *u, long n, int way)
{
    for (long i = 0; i < n; i++) {
        if (way == 0 || way == 7) u[i] = number(in);
        if (way == 1) u[i] = short_number(in);
        if (way == 2) u[i] = whole_number(in);
        if (way == 3) u[i] = from_line(in);
        if (way == 4) u[i] = from_structure(in);
        if (way == 5 && i % ROW == 0) read_row(in, u + i);
        if (way == 8) u[i] = on_a_page(in);
    }
    if (way == 6) fill(in, u, n);
}

static void kernel(FILE *in, double *u, double *v, long n, int steps, int way)
{
    double factor = 0.3;
    read(in, u, n, way);
    rewind(in);
    if (way == 7 && fscanf(in, "%lf", &factor) != 1) exit(1);
    for (int step = 0; step < steps; step++) {
        for (long i = 1; i < n - 1; i++) v[i] = factor * (u[i - 1] + u[i] + u[i + 1]);
        for (long i = 1; i < n - 1; i++) u[i] = v[i];
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 32;
    int steps = argc > 3 ? atoi(argv[3]) : 3;
    double *u = calloc((size_t)n, sizeof *u), *v = calloc((size_t)n, sizeof *v);
    FILE *file = tmpfile();
    if (!u || !v || !file) return 1;
    for (long i = 0; i < n; i++) fprintf(file, "%ld\n", i % 3 ? i : 1);
    rewind(file);
    kernel(file, u, v, n, steps, way);
    printf("%.17g\n", u[n / 2]);
    fclose(file);
    free(u);
    free(v);
    return 0;
}
