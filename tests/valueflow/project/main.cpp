#include "grid.h"
#include <cstdio>
#include <parcast/region.h>
#include <vector>
int main()
{
    Grid g(64);
    parcast_region_begin();
    for (int t = 0; t < 10; t++) g.step();
    parcast_region_end();
    std::printf("%g\n", g.at(3, 3));
}
