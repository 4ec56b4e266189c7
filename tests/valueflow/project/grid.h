/* A five-point sweep on a grid whose words are in vectors, in two files. */
#pragma once
#include <vector>
struct Grid {
    int n;
    std::vector<double> u, v;
    explicit Grid(int n);
    double &at(int i, int j)
    {
        return u[i * (n + 2) + j];
    }
    void step();
};
