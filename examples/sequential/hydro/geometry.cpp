#include "geometry.h"

#include <cmath>

/* Seen from outside counter-clockwise; faces in the order of Mesh::neighbour. */
const int face_corner[FACES][4] = {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4},
                                   {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}};

void gather(const Fields &fields, const Mesh &mesh, int element, Hexahedron &hexahedron)
{
    for (int c = 0; c < CORNERS; c++) {
        const int node = mesh.corner[element * CORNERS + c];
        for (int d = 0; d < DIRECTIONS; d++) hexahedron.at[d][c] = fields.position[d][node];
    }
}

void gather_velocity(const Fields &fields, const Mesh &mesh, int element, Hexahedron &hexahedron)
{
    for (int c = 0; c < CORNERS; c++) {
        const int node = mesh.corner[element * CORNERS + c];
        for (int d = 0; d < DIRECTIONS; d++) hexahedron.at[d][c] = fields.velocity[d][node];
    }
}

/* Half the cross product of the diagonals. */
static void face_area(const Hexahedron &h, const int *face, double *area)
{
    double first[DIRECTIONS], second[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; d++) {
        first[d] = h.at[d][face[2]] - h.at[d][face[0]];
        second[d] = h.at[d][face[3]] - h.at[d][face[1]];
    }
    area[0] = 0.5 * (first[1] * second[2] - first[2] * second[1]);
    area[1] = 0.5 * (first[2] * second[0] - first[0] * second[2]);
    area[2] = 0.5 * (first[0] * second[1] - first[1] * second[0]);
}

void areas_of(const Hexahedron &hexahedron, CornerAreas &areas)
{
    for (int d = 0; d < DIRECTIONS; d++)
        for (int c = 0; c < CORNERS; c++) areas.area[d][c] = 0;
    for (int face = 0; face < FACES; face++) {
        double area[DIRECTIONS];
        face_area(hexahedron, face_corner[face], area);
        for (int d = 0; d < DIRECTIONS; d++)
            for (int c = 0; c < 4; c++) areas.area[d][face_corner[face][c]] += 0.25 * area[d];
    }
}

/* Gauss: a third of the flux of the position through the surface. */
double volume_of(const Hexahedron &hexahedron)
{
    CornerAreas areas;
    areas_of(hexahedron, areas);
    double volume = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        for (int c = 0; c < CORNERS; c++) volume += hexahedron.at[d][c] * areas.area[d][c];
    return volume / 3;
}

double length_of(const Hexahedron &hexahedron, double volume)
{
    double largest = 0;
    for (int face = 0; face < FACES; face++) {
        double area[DIRECTIONS];
        face_area(hexahedron, face_corner[face], area);
        const double square = area[0] * area[0] + area[1] * area[1] + area[2] * area[2];
        if (square > largest) largest = square;
    }
    return volume / std::sqrt(largest);
}
