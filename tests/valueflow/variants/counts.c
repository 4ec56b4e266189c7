/* Numbers that grow, and in each step some are counted in a variable of the unit: behind one of two
 * conditions (0), which also adds to a number (1), behind both (2), behind the else of another one (3), and
 * in a word for each step behind chance or a condition (4). ARGUMENTS: way, numbers, times. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST_TIMES = 16 };
static int n, counted, in_step[MOST_TIMES];
static double *x, *y;

static void grow(void)
{
    for (int i = 0; i < n; i++) x[i] = 0.5 * x[i] + y[i];
}

static void either(void)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0.5 || y[i] < 0.2) counted++;
}

static void either_adds(void)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0.5 || y[i] < 0.2) {
            y[i] += 1;
            counted++;
        }
}

static void both(void)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0.5 && y[i] < 0.2) {
            y[i] += 1;
            counted++;
        }
}

static void behind_else(void)
{
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.9)
            x[i] -= y[i];
        else if (x[i] > 0.5 || y[i] < 0.2)
            counted++;
    }
}

static void by_chance(int t)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0.5 || drand48() < y[i]) {
            x[i] = -x[i];
            in_step[t]++;
        }
}

void kernel(int way, int times)
{
    for (int t = 0; t < times; t++) {
        grow();
        if (way == 0) either();
        if (way == 1) either_adds();
        if (way == 2) both();
        if (way == 3) behind_else();
        if (way == 4) by_chance(t);
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 1;
    n = argc > 2 ? atoi(argv[2]) : 400;
    x = malloc((size_t)n * sizeof *x), y = malloc((size_t)n * sizeof *y);
    if (!x || !y || times > MOST_TIMES) return 1;
    for (int i = 0; i < n; i++) {
        x[i] = i * 7919 % 13 / 13.0;
        y[i] = i * 7907 % 17 / 17.0;
    }
    kernel(way, times);
    double sum = counted + in_step[0];
    for (int i = 0; i < n; i++) sum += x[i];
    printf("%.12g\n", sum);
    return 0;
}
