/*
 * Artificial viscosity along the three directions of an element, limited where its neighbours are compressed
 * alike (Christensen 1990).
 */
#include <cmath>

#include "geometry.h"
#include "phases.h"

static const double quadratic = 2.0, linear = 0.5;

/* Mean of a field on the face behind a direction minus that on the face before it. */
static void difference(const Hexahedron &h, int direction, double *result)
{
    const int *low = face_corner[2 * direction], *high = face_corner[2 * direction + 1];
    for (int d = 0; d < DIRECTIONS; d++) {
        double sum = 0;
        for (int c = 0; c < 4; c++) sum += h.at[d][high[c]] - h.at[d][low[c]];
        result[d] = 0.25 * sum;
    }
}

/* How much faster the far face of an element moves than the near one, along the way between them. */
void find_jumps(Fields &fields, const Mesh &mesh)
{
    for (int e = 0; e < mesh.n_elements; e++) {
        Hexahedron hexahedron, velocity;
        gather(fields, mesh, e, hexahedron);
        gather_velocity(fields, mesh, e, velocity);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            double way[DIRECTIONS], change[DIRECTIONS], square = 1e-36, product = 0;
            difference(hexahedron, direction, way);
            difference(velocity, direction, change);
            for (int d = 0; d < DIRECTIONS; d++) {
                square += way[d] * way[d];
                product += way[d] * change[d];
            }
            fields.jump[direction][e] = product / std::sqrt(square);
        }
    }
}

static double jump_behind(const Fields &fields, const Mesh &mesh, int element, int face)
{
    const int behind = mesh.neighbour[element * FACES + face];
    if (behind == MIRROR) return fields.jump[face / 2][element];
    return behind == NO_NEIGHBOUR ? 0 : fields.jump[face / 2][behind];
}

/* 1 where the jump goes on smoothly, 0 at a shock. */
static double limiter(double before, double own, double after)
{
    const double scale = 1 / (own - 1e-30); /* asked for compression alone: own < 0 */
    const double low = before * scale, high = after * scale;
    const double ratio = std::fmin(0.5 * (low + high), std::fmin(2 * low, 2 * high));
    return std::fmax(0.0, std::fmin(1.0, ratio));
}

void find_viscosity(Fields &fields, const Mesh &mesh)
{
    for (int e = 0; e < mesh.n_elements; e++) {
        const double density = fields.mass[e] / fields.volume[e];
        double viscosity = 0;
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            const double own = fields.jump[direction][e];
            const double smooth = limiter(jump_behind(fields, mesh, e, 2 * direction), own,
                                          jump_behind(fields, mesh, e, 2 * direction + 1));
            const double shock = std::fmin(own, 0.0);
            viscosity += density * (quadratic * shock * shock * (1 - smooth * smooth) -
                                    linear * fields.sound[e] * shock * (1 - smooth));
        }
        fields.viscosity[e] = viscosity;
    }
}
