/* Five-point sweeps over 24 x 24 points whose words are smaller than 8 bytes: unsigned char (0), short (1),
 * the copies back of structures of 3 bytes (2), 4 bytes (3), two floats (4) and of members of all sizes (5);
 * rows of bytes that are copied from one byte further (6). Arguments: which, steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 26 };

#define SUM(u, m) (u[i][j] m + u[i - 1][j] m + u[i + 1][j] m + u[i][j - 1] m + u[i][j + 1] m)
#define POINTS                                                                                               \
    for (int i = 1; i < N - 1; i++)                                                                          \
        for (int j = 1; j < N - 1; j++)
#define ARRAYS(type, name) static type name##_u[N][N], name##_v[N][N]

ARRAYS(unsigned char, bytes);
ARRAYS(short, shorts);
struct colour {
    unsigned char r, g, b;
};
ARRAYS(struct colour, colours);
struct pixel {
    unsigned char r, g, b, a;
};
ARRAYS(struct pixel, pixels);
struct pair {
    float re, im;
};
ARRAYS(struct pair, pairs);
struct cell {
    double e;
    float p;
    short s;
    unsigned char a, b;
};
ARRAYS(struct cell, cells);
static unsigned char rows_u[N * N], rows_v[N * N];

#define PLAIN(type, name)                                                                                    \
    do {                                                                                                     \
        POINTS name##_v[i][j] = (type)(SUM(name##_u, ) / 5);                                                 \
        POINTS name##_u[i][j] = name##_v[i][j];                                                              \
    } while (0)
#define MEMBER(type, name, m) name##_v[i][j].m = (type)(SUM(name##_u, .m) / 5)
#define BYTE(name, m)         MEMBER(unsigned char, name, m)

static void colour(void)
{
    POINTS
    {
        struct colour new = {(unsigned char)(SUM(colours_u, .r) / 5), (unsigned char)(SUM(colours_u, .g) / 5),
                             (unsigned char)(SUM(colours_u, .b) / 5)};
        colours_v[i][j] = new;
    }
    POINTS colours_u[i][j] = colours_v[i][j];
}

static void pixel(void)
{
    POINTS
    {
        BYTE(pixels, r);
        BYTE(pixels, g);
        BYTE(pixels, b);
        BYTE(pixels, a);
    }
    POINTS pixels_u[i][j] = pixels_v[i][j];
}

static void pair(void)
{
    POINTS
    {
        MEMBER(float, pairs, re);
        MEMBER(float, pairs, im);
    }
    POINTS pairs_u[i][j] = pairs_v[i][j];
}

static void cell(void)
{
    POINTS
    {
        MEMBER(double, cells, e);
        MEMBER(float, cells, p);
        MEMBER(short, cells, s);
        BYTE(cells, a);
        BYTE(cells, b);
    }
    POINTS cells_u[i][j] = cells_v[i][j];
}

static void row(void)
{
    for (int i = 0; i < N; i++) memcpy(rows_v + (size_t)N * i, rows_u + (size_t)N * i + 1, N - 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j + 1 < N; j++)
            rows_u[N * i + j] = (unsigned char)((rows_u[N * i + j] + rows_v[N * i + j]) / 2);
}

void kernel(int which, int steps)
{
    for (int s = 0; s < steps; s++) {
        switch (which) {
        case 0:
            PLAIN(unsigned char, bytes);
            break;
        case 1:
            PLAIN(short, shorts);
            break;
        case 2:
            colour();
            break;
        case 3:
            pixel();
            break;
        case 4:
            pair();
            break;
        case 5:
            cell();
            break;
        default:
            row();
        }
    }
}

static void fill(void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) ((unsigned char *)p)[i] = (unsigned char)(i * 7919 % 60);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    fill(bytes_u, sizeof bytes_u);
    fill(shorts_u, sizeof shorts_u);
    fill(colours_u, sizeof colours_u);
    fill(pixels_u, sizeof pixels_u);
    fill(pairs_u, sizeof pairs_u);
    fill(cells_u, sizeof cells_u);
    fill(rows_u, sizeof rows_u);
    kernel(atoi(argv[1]), atoi(argv[2]));
    printf("%d %d %d %d %g %g %d\n", bytes_u[3][4], shorts_u[3][4], colours_u[3][4].g, pixels_u[3][4].b,
           pairs_u[3][4].im, cells_u[3][4].e, rows_u[30]);
    return 0;
}
