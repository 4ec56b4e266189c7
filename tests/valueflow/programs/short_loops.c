/* Every step calls a function with loops of a few turns, one around the other. */
#include <stdio.h>
#include <stdlib.h>

enum { CORNERS = 8, DIRECTIONS = 3 };

__attribute__((noinline)) double square_of(double (*at)[DIRECTIONS])
{
    double sum = 0;
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < DIRECTIONS; d++) sum += at[c][d] * at[c][d];
    return sum;
}

int main(int argc, char **argv)
{
    static double at[CORNERS][DIRECTIONS];
    const int steps = argc > 1 ? atoi(argv[1]) : 20;
    for (int k = 0; k < steps; k++) {
        at[k % CORNERS][k % DIRECTIONS] += 1;
        at[0][0] += 1e-3 * square_of(at);
    }
    printf("%.17g\n", at[0][0]);
    return 0;
}
