// The kernel faces with vectors that grow, of structures that hold arrays of the library.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct cell {
    std::array<double, 3> u, residual;
    double volume;
};
struct face {
    int left, right;
    double x, y;
};

static void flow(std::vector<cell> &cells, const face &face)
{
    cell &l = cells[face.left], &r = cells[face.right];
    double speed = face.x * (l.u[1] + r.u[1]) + face.y * (l.u[2] + r.u[2]);
    for (int k = 0; k < 3; k++) {
        double flux = 0.5 * speed * (l.u[k] + r.u[k]) - 0.5 * (r.u[k] - l.u[k]);
        l.residual[k] -= flux;
        r.residual[k] += flux;
    }
}

void kernel(std::vector<cell> &cells, const std::vector<face> &faces, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (auto &cell : cells) cell.residual.fill(0);
        for (const auto &face : faces) flow(cells, face);
        for (auto &cell : cells)
            for (int k = 0; k < 3; k++) cell.u[k] += 1e-3 * cell.residual[k] / cell.volume;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 0;
    long steps = argc > 2 ? std::atol(argv[2]) : 0;
    unsigned seed = 1;
    std::vector<cell> cells;
    std::vector<face> faces;
    for (int i = 0; i < n * n; i++) {
        cell made = {};
        for (auto &u : made.u) u = (seed = seed * 1103515245u + 12345u) / 4294967296.0;
        made.volume = 1 + i % 3;
        cells.push_back(made);
    }
    cells.shrink_to_fit();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j < n - 1) faces.push_back({i * n + j, i * n + j + 1, 1, 0.1});
            if (i < n - 1) faces.push_back({i * n + j, i * n + n + j, 0.1, 1});
        }
    kernel(cells, faces, steps);
    std::printf("%g\n", cells[n + 1].u[0]);
}
