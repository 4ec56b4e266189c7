#include "grid.h"
Grid::Grid(int m) : n(m), u((m + 2) * (m + 2)), v((m + 2) * (m + 2))
{
    for (unsigned i = 0; i < u.size(); i++) u[i] = (i * 7919 % 101) * 0.01;
}
void Grid::step()
{
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            v[i * (n + 2) + j] = 0.25 * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
    u.swap(v);
}
