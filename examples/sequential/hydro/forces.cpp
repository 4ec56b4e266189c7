/*
 * Forces on the nodes: pressure and viscosity on the corner areas of every element, and a drag on the modes of
 * velocity that do not change its volume (hourglasses; Flanagan and Belytschko 1981).
 */
#include <cmath>
#include <memory>

#include "geometry.h"
#include "phases.h"

enum { MODES = 4 };
static const double hourglass_drag = 0.04;
static const double mode_of_corner[MODES][CORNERS] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                                      {1, -1, -1, 1, -1, 1, 1, -1},
                                                      {1, -1, 1, -1, 1, -1, 1, -1},
                                                      {-1, 1, -1, 1, 1, -1, 1, -1}};

StepMemory::StepMemory(const Mesh &mesh) : corner_force(mesh.n_elements * CORNERS * DIRECTIONS)
{
    for (auto &velocity : before) velocity.resize(mesh.n_nodes);
}

/* Made once and used by one element after the other. */
struct HourglassMemory {
    std::unique_ptr<double[]> shape{new double[MODES * CORNERS]};
    std::unique_ptr<double[]> amplitude{new double[MODES * DIRECTIONS]};
};

static void press(const Fields &fields, const Mesh &mesh, int element, StepMemory &memory)
{
    Hexahedron hexahedron;
    CornerAreas areas;
    gather(fields, mesh, element, hexahedron);
    areas_of(hexahedron, areas);
    const double stress = fields.pressure[element] + fields.viscosity[element];
    double *force = &memory.corner_force[element * CORNERS * DIRECTIONS];
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < DIRECTIONS; d++) force[c * DIRECTIONS + d] = stress * areas.area[d][c];
}

/* The modes without what a linear field of velocity has of them. */
static void shapes_of(const Hexahedron &hexahedron, const CornerAreas &areas, double volume, double *shape)
{
    for (int m = 0; m < MODES; m++) {
        double moment[DIRECTIONS];
        for (int d = 0; d < DIRECTIONS; d++) {
            moment[d] = 0;
            for (int c = 0; c < CORNERS; c++) moment[d] += hexahedron.at[d][c] * mode_of_corner[m][c];
        }
        for (int c = 0; c < CORNERS; c++) {
            double linear = 0;
            for (int d = 0; d < DIRECTIONS; d++) linear += areas.area[d][c] * moment[d];
            shape[m * CORNERS + c] = mode_of_corner[m][c] - linear / volume;
        }
    }
}

static void resist(const Fields &fields, const Mesh &mesh, int element, HourglassMemory &hourglass,
                   StepMemory &memory)
{
    Hexahedron hexahedron, velocity;
    CornerAreas areas;
    gather(fields, mesh, element, hexahedron);
    gather_velocity(fields, mesh, element, velocity);
    areas_of(hexahedron, areas);
    const double volume = fields.volume[element];
    const double drag =
        hourglass_drag * fields.sound[element] * fields.mass[element] / std::cbrt(volume);
    shapes_of(hexahedron, areas, volume, hourglass.shape.get());
    for (int m = 0; m < MODES; m++)
        for (int d = 0; d < DIRECTIONS; d++) {
            double sum = 0;
            for (int c = 0; c < CORNERS; c++) sum += hourglass.shape[m * CORNERS + c] * velocity.at[d][c];
            hourglass.amplitude[m * DIRECTIONS + d] = sum;
        }
    double *force = &memory.corner_force[element * CORNERS * DIRECTIONS];
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < DIRECTIONS; d++) {
            double sum = 0;
            for (int m = 0; m < MODES; m++)
                sum += hourglass.shape[m * CORNERS + c] * hourglass.amplitude[m * DIRECTIONS + d];
            force[c * DIRECTIONS + d] -= drag * sum;
        }
}

void add_up_forces(Fields &fields, const Mesh &mesh, StepMemory &memory)
{
    HourglassMemory hourglass;
    for (auto &force : fields.force)
        for (int n = 0; n < mesh.n_nodes; n++) force[n] = 0;
    for (int e = 0; e < mesh.n_elements; e++) press(fields, mesh, e, memory);
    for (int e = 0; e < mesh.n_elements; e++) resist(fields, mesh, e, hourglass, memory);
    for (int e = 0; e < mesh.n_elements; e++)
        for (int c = 0; c < CORNERS; c++) {
            const int node = mesh.corner[e * CORNERS + c];
            const double *force = &memory.corner_force[(e * CORNERS + c) * DIRECTIONS];
            for (int d = 0; d < DIRECTIONS; d++) fields.force[d][node] += force[d];
        }
}
