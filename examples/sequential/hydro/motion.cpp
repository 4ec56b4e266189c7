/*
 * Nodes move; elements change their energy by exactly the work that they do on the nodes (Caramana, Burton,
 * Shashkov and Whalen 1998), so that the sum of both energies stays what it was, up to rounding.
 */
#include "geometry.h"
#include "phases.h"

void move_nodes(Fields &fields, const Mesh &mesh, StepMemory &memory)
{
    const double step = fields.step;
    for (int d = 0; d < DIRECTIONS; d++) {
        for (int node : mesh.fixed_nodes[d]) fields.force[d][node] = 0;
        for (int n = 0; n < mesh.n_nodes; n++) {
            memory.before[d][n] = fields.velocity[d][n];
            fields.velocity[d][n] += step * fields.force[d][n] / fields.node_mass[n];
            fields.position[d][n] += step * fields.velocity[d][n];
        }
    }
}

void do_work(Fields &fields, const Mesh &mesh, const StepMemory &memory)
{
    for (int e = 0; e < mesh.n_elements; e++) {
        double power = 0;
        for (int c = 0; c < CORNERS; c++) {
            const int node = mesh.corner[e * CORNERS + c];
            const double *force = &memory.corner_force[(e * CORNERS + c) * DIRECTIONS];
            for (int d = 0; d < DIRECTIONS; d++)
                power += force[d] * 0.5 * (memory.before[d][node] + fields.velocity[d][node]);
        }
        fields.energy[e] -= fields.step * power / fields.mass[e];
    }
}

void deform(Fields &fields, const Mesh &mesh)
{
    for (int e = 0; e < mesh.n_elements; e++) {
        Hexahedron hexahedron;
        gather(fields, mesh, e, hexahedron);
        const double volume = volume_of(hexahedron);
        fields.volume[e] = volume;
        fields.length[e] = length_of(hexahedron, volume);
    }
}
