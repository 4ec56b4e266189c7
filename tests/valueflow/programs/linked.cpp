// A library whose arrays are allocated before the program that is linked with it begins.
#include <parcast/region.h>
#include <vector>

enum { WORDS = 1000 };

static std::vector<double> a(WORDS), b(WORDS);

extern "C" void loaded_run(int steps)
{
    for (int i = 0; i < WORDS; i++) a[i] = i;
    parcast_region_begin();
    for (int step = 0; step < steps; step++) {
        for (int i = 1; i < WORDS - 1; i++) b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < WORDS - 1; i++) a[i] = b[i];
    }
    parcast_region_end();
}
