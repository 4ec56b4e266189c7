// Lists: every node is allocated by itself, with whatever the caller's registers hold.
#include <cstdio>
#include <iterator>
#include <list>
#include <parcast/region.h>

int main()
{
    const int n = 500;
    std::list<double> h(n, 1.0), g(n);
    parcast_region_begin();
    for (int k = 0; k < 3; k++) {
        auto q = g.begin();
        for (auto p = h.begin(); std::next(p) != h.end(); ++p, ++q) *q = *p + *std::next(p);
        h = g;
    }
    parcast_region_end();
    std::printf("%g\n", h.front());
}
