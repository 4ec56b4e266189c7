/* The most that is worth its weight (knapsack): each thing is left, or taken to what was best without its
 * weight; 0 by a branch on what has been carried over, 1 with a note of it, 2 by fmax. WAY. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { THINGS = 24, MOST = 32 };

static double best[THINGS + 1][MOST + 1], worth[THINGS];
static int weight[THINGS], is_taken[THINGS + 1][MOST + 1];

static void by_branch(int i, int w)
{
    best[i][w] = best[i - 1][w];
    if (w >= weight[i - 1] && best[i - 1][w - weight[i - 1]] + worth[i - 1] > best[i][w])
        best[i][w] = best[i - 1][w - weight[i - 1]] + worth[i - 1];
}

static void with_note(int i, int w)
{
    best[i][w] = best[i - 1][w];
    if (w >= weight[i - 1] && best[i - 1][w - weight[i - 1]] + worth[i - 1] > best[i][w]) {
        best[i][w] = best[i - 1][w - weight[i - 1]] + worth[i - 1];
        is_taken[i][w] = 1;
    }
}

static void by_fmax(int i, int w)
{
    double left = best[i - 1][w];
    double taken = w >= weight[i - 1] ? best[i - 1][w - weight[i - 1]] + worth[i - 1] : -1;
    best[i][w] = fmax(left, taken);
}

void kernel(int way)
{
    for (int i = 1; i <= THINGS; i++)
        for (int w = 0; w <= MOST; w++) {
            if (way == 0) by_branch(i, w);
            if (way == 1) with_note(i, w);
            if (way == 2) by_fmax(i, w);
        }
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    for (int i = 0; i < THINGS; i++) {
        weight[i] = 1 + i * 7 % 9;
        worth[i] = i * 5 % 11;
    }
    kernel(atoi(argv[1]));
    double sum = 0;
    for (int i = 0; i <= THINGS; i++)
        for (int w = 0; w <= MOST; w++) sum += best[i][w] * (i + w) + is_taken[i][w];
    printf("%.17g\n", sum);
    return 0;
}
