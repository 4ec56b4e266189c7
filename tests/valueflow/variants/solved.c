/* What is solved for lies in registers, which a loop through all numbers looks at in each step: 0 a bisection
 * for the median, 1 Newton's method for a least power, 2 a threshold that follows the furthest number, 3
 * slope and height of a line by a gradient. WAY NUMBERS STEPS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int n, steps;
static double *x, *y, result, other;

static void median(void)
{
    double low = 0, high = 1;
    for (int step = 0; step < steps; step++) {
        double middle = (low + high) / 2;
        int below = 0;
        for (int i = 0; i < n; i++) below += x[i] < middle;
        if (below < n / 2)
            low = middle;
        else
            high = middle;
    }
    result = low;
}

static void least_power(void)
{
    double z = 0.5;
    for (int step = 0; step < steps; step++) {
        double f = 0, slope = 0;
        for (int i = 0; i < n; i++) {
            double d = z - x[i];
            f += d * d * d;
            slope += 3 * d * d;
        }
        z -= f / slope;
    }
    result = z;
}

static void threshold(void)
{
    double t = 0;
    for (int step = 0; step < steps; step++) {
        double furthest = 0;
        for (int i = 0; i < n; i++) furthest = fmax(furthest, fabs(x[i] - t));
        t = 0.5 * t + 0.1 * furthest;
    }
    result = t;
}

static void line(void)
{
    double slope = 0, height = 0;
    for (int step = 0; step < steps; step++) {
        double a = 0, b = 0;
        for (int i = 0; i < n; i++) {
            double d = slope * x[i] + height - y[i];
            a += d * x[i];
            b += d;
        }
        slope -= 1e-4 * a;
        height -= 1e-4 * b;
    }
    result = slope;
    other = height;
}

void kernel(int way)
{
    if (way == 0) median();
    if (way == 1) least_power();
    if (way == 2) threshold();
    if (way == 3) line();
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    n = atoi(argv[2]);
    steps = atoi(argv[3]);
    x = malloc((size_t)n * sizeof *x);
    y = malloc((size_t)n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = rand() % 10007 / 10007.0;
        y[i] = rand() % 10007 / 10007.0;
    }
    kernel(atoi(argv[1]));
    printf("%g %g\n", result, other);
    return 0;
}
