#include "fields.h"

#include "geometry.h"
#include "phases.h"

static void place_nodes(Fields &fields, const Box &box)
{
    const double spacing = 1.125 / box.side;
    for (int k = 0; k <= box.count[2]; k++)
        for (int j = 0; j <= box.count[1]; j++)
            for (int i = 0; i <= box.count[0]; i++) {
                const int node = node_of(box, i, j, k);
                fields.position[0][node] = spacing * (box.first[0] + i);
                fields.position[1][node] = spacing * (box.first[1] + j);
                fields.position[2][node] = spacing * (box.first[2] + k);
            }
}

static void weigh(Fields &fields, const Mesh &mesh)
{
    for (int e = 0; e < mesh.n_elements; e++) {
        Hexahedron hexahedron;
        gather(fields, mesh, e, hexahedron);
        fields.volume[e] = volume_of(hexahedron);
        fields.mass[e] = fields.volume[e]; /* density 1 */
        fields.length[e] = length_of(hexahedron, fields.volume[e]);
        for (int c = 0; c < CORNERS; c++)
            fields.node_mass[mesh.corner[e * CORNERS + c]] += fields.mass[e] / CORNERS;
    }
}

Fields make_fields(const Mesh &mesh, const Box &box, double blast)
{
    Fields fields;
    for (int d = 0; d < DIRECTIONS; d++) {
        fields.position[d].resize(mesh.n_nodes);
        fields.velocity[d].resize(mesh.n_nodes);
        fields.force[d].resize(mesh.n_nodes);
        fields.jump[d].resize(mesh.n_elements + mesh.n_ghosts);
    }
    fields.node_mass.resize(mesh.n_nodes);
    for (auto *field : {&fields.energy, &fields.pressure, &fields.viscosity, &fields.volume, &fields.mass,
                        &fields.sound, &fields.length})
        field->resize(mesh.n_elements);
    place_nodes(fields, box);
    weigh(fields, mesh);
    if (box.first[0] == 0 && box.first[1] == 0 && box.first[2] == 0)
        fields.energy[0] = blast / fields.mass[0];
    fields.time = 0;
    fields.step = 1e-5;
    apply_state_equation(fields, mesh);
    return fields;
}
