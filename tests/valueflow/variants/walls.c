/* A plane whose first and last two columns hold its own mirror image, as at walls, in two arrays or in one,
 * of which the left half and a column more read farther than the rest: a way, rows and columns within the
 * frame, steps.
 */
#include <stdio.h>
#include <stdlib.h>

enum { FRAME = 2 };
static int rows, columns, row;

static void mirror(double *a, double sign)
{
    for (int i = 0; i < rows + 2 * FRAME; i++)
        for (int k = 1; k <= FRAME; k++) {
            a[i * row + FRAME - k] = sign * a[i * row + FRAME + k];
            a[i * row + FRAME + columns - 1 + k] = sign * a[i * row + FRAME + columns - 1 - k];
        }
}

static void advance(const double *from, double *to)
{
    for (int i = FRAME; i < FRAME + rows; i++)
        for (int j = FRAME; j < FRAME + columns; j++) {
            const double *w = from + i * row + j;
            to[i * row + j] = 0.2 * (w[0] + w[j <= row / 2 ? 2 : 1] + w[-1] + w[row] + w[-row]);
        }
}

__attribute__((noinline)) void kernel(int which, double *a, double *b, int steps)
{
    for (int t = 0; t < steps; t++) {
        mirror(a, -0.5);
        advance(a, b);
        for (int i = FRAME; i < FRAME + rows && which; i++)
            for (int j = FRAME; j < FRAME + columns; j++) a[i * row + j] = b[i * row + j];
        if (which) continue;
        double *other = a;
        a = b;
        b = other;
    }
}

int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 0, steps = argc > 4 ? atoi(argv[4]) : 4;
    rows = argc > 2 ? atoi(argv[2]) : 20;
    columns = argc > 3 ? atoi(argv[3]) : 32;
    row = columns + 2 * FRAME;
    size_t words = (size_t)(rows + 2 * FRAME) * (size_t)row;
    double *a = calloc(words, sizeof *a), *b = calloc(words, sizeof *b), sum = 0;
    for (size_t i = 0; i < words; i++) a[i] = 1 + (double)(i % 7);
    kernel(which, a, b, steps);
    for (size_t i = 0; i < words; i++) sum += (a[i] + b[i]) * (double)(i % 5);
    printf("%.17g\n", sum);
    return 0;
}
