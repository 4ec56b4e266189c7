/* members WAY N TIMES: sweeps from one plane to another and back. WAY 0: two arrays; 1: members of a
 * structure, beside others; 2: members of structures in a structure. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 32 };

typedef double plane[N][N];

struct field {
    double time;
    plane values;
};

static plane u, v;
static struct {
    int steps;
    plane u;
    double scale, rim[N + 1];
    plane v;
} both;
static struct {
    double scale;
    struct field from, to;
} fields;

static void sweep(plane from, plane to)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            to[i][j] = from[i][j] + 0.1 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

static void kernel(int way, int n_times)
{
    for (int t = 0; t < n_times; t++) {
        if (way == 0) sweep(u, v), sweep(v, u);
        if (way == 1) sweep(both.u, both.v), sweep(both.v, both.u);
        if (way == 2)
            sweep(fields.from.values, fields.to.values), sweep(fields.to.values, fields.from.values);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 || atoi(argv[2]) != N) return 2;
    int way = atoi(argv[1]);
    plane *first = way == 0   ? &u
                   : way == 1 ? &both.u
                              : &fields.from.values,
          *second = way == 0   ? &v
                    : way == 1 ? &both.v
                               : &fields.to.values;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) (*first)[i][j] = (*second)[i][j] = (i * 7 + j * 13) % 11;
    kernel(way, atoi(argv[3]));
    printf("%.12g\n", (*first)[N / 2][N / 2]);
    return 0;
}
