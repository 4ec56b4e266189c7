/* Matrices of elements of eight nodes on a ring, which come of where these are alone, are added up over four
 * points in a workspace, in the loop (0) or in a function (1), and then in rows of the ring's matrix; x += A
 * x / 1000, T times. ARGUMENTS: way, elements, T. */
#include <stdio.h>
#include <stdlib.h>

enum { CORNERS = 8, STEP = CORNERS - 1, BAND = 2 * STEP + 1, POINTS = 4 };

struct element {
    double place[CORNERS], matrix[CORNERS * CORNERS];
};

static void make(struct element *element, int e, int n)
{
    for (int k = 0; k < CORNERS * CORNERS; k++) element->matrix[k] = 0;
    for (int a = 0; a < CORNERS; a++) element->place[a] = (double)(e * STEP + a) / n;
    for (int q = 0; q < POINTS; q++) {
        double length = 0, slope[CORNERS];
        for (int a = 1; a < CORNERS; a++) length += element->place[a] - element->place[a - 1];
        for (int a = 0; a < CORNERS; a++) slope[a] = (element->place[a] - 0.1 * q) / length;
        for (int a = 0; a < CORNERS; a++)
            for (int b = 0; b < CORNERS; b++)
                element->matrix[a * CORNERS + b] += length * slope[a] * slope[b];
    }
}

static void add(double *rows, const struct element *element, int e, int n)
{
    for (int a = 0; a < CORNERS; a++)
        for (int b = 0; b < CORNERS; b++)
            rows[(e * STEP + a) % n * BAND + b - a + STEP] += element->matrix[a * CORNERS + b];
}

static __attribute__((noinline)) void assemble(double *rows, int e, int n)
{
    struct element element;
    make(&element, e, n);
    add(rows, &element, e, n);
}

void kernel(int way, double *rows, double *x, double *y, int n, int times)
{
    for (int e = 0; e < n / STEP; e++) {
        if (way == 1) {
            assemble(rows, e, n);
            continue;
        }
        struct element element;
        make(&element, e, n);
        add(rows, &element, e, n);
    }
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            int first = i % STEP ? STEP - i % STEP : 0, last = i % STEP ? first + STEP : BAND - 1;
            for (int b = first; b <= last; b++) sum += rows[i * BAND + b] * x[(i + b - STEP + n) % n];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++) x[i] += 0.001 * y[i];
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = STEP * (argc > 2 ? atoi(argv[2]) : 32),
        times = argc > 3 ? atoi(argv[3]) : 4;
    size_t words = (size_t)n;
    double *rows = calloc(words * BAND, sizeof *rows), *x = calloc(words, sizeof *x),
           *y = calloc(words, sizeof *y);
    if (!rows || !x || !y) return 1;
    for (int i = 0; i < n; i++) x[i] = i % 7;
    kernel(way, rows, x, y, n, times);
    printf("%g\n", x[n / 2]);
    free(rows);
    free(x);
    free(y);
    return 0;
}
