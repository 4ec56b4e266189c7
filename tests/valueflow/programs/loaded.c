/* A library that loads.c loads: the region is in it. */
#include <parcast/region.h>

enum { WORDS = 1000 };

static double a[WORDS], b[WORDS];

void loaded_run(int steps)
{
    for (int i = 0; i < WORDS; i++) a[i] = i;
    parcast_region_begin();
    for (int step = 0; step < steps; step++) {
        for (int i = 1; i < WORDS - 1; i++) b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < WORDS - 1; i++) a[i] = b[i];
    }
    parcast_region_end();
}
