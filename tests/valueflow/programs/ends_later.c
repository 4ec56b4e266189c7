/* Iterations read words that never change, each from another word than before. ends_later TIMES, which is run
 * three times in a folder of its own (as it was written, with operations counted, followed), ends in the
 * sixth iteration of one of them: counts have been noted twice by then, since the third does more than the
 * others. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

enum { N = 200000, STEPS = 100, MORE = 3, LAST = 6 };

static double w[N], y[N], z[N];

static int count_run(void)
{
    int n = 0;
    FILE *runs = fopen("runs", "r");
    if (runs && fscanf(runs, "%d", &n) != 1) n = 0;
    if (runs) fclose(runs);
    runs = fopen("runs", "w");
    if (runs) {
        fprintf(runs, "%d", n + 1);
        fclose(runs);
    }
    return n + 1;
}

int main(int argc, char **argv)
{
    int ends_in = argc > 1 ? atoi(argv[1]) : 0, run = count_run();
    for (int i = 0; i < N; i++) w[i] = 0.5 + 1.0 / (i + 1);
    parcast_region_begin();
    for (int step = 1; step <= STEPS; step++) {
        for (int i = 0; i < N; i++) y[(i + step) % N] = y[(i + step) % N] / (1 + w[i]) + w[i];
        for (int i = 0; i < N && step == MORE; i++) z[i] = 2 * y[i];
        if (step == LAST && run == ends_in) exit(3);
    }
    parcast_region_end();
    printf("%.12g %.12g\n", y[N / 2], z[1]);
    return 0;
}
