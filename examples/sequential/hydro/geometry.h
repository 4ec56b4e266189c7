/* One element at a time, in arrays on the stack. */
#ifndef HYDRO_GEOMETRY_H
#define HYDRO_GEOMETRY_H

#include "fields.h"
#include "mesh.h"

struct Hexahedron {
    double at[DIRECTIONS][CORNERS];
};

/* Outward areas that belong to the corners: area[d][c] is the derivative of the volume by at[d][c], up to
 * the curvature of faces. */
struct CornerAreas {
    double area[DIRECTIONS][CORNERS];
};

void gather(const Fields &fields, const Mesh &mesh, int element, Hexahedron &hexahedron);
void gather_velocity(const Fields &fields, const Mesh &mesh, int element, Hexahedron &hexahedron);
void areas_of(const Hexahedron &hexahedron, CornerAreas &areas);
double volume_of(const Hexahedron &hexahedron);
/* Volume over the largest face. */
double length_of(const Hexahedron &hexahedron, double volume);
/* Which corners lie on a face. */
extern const int face_corner[FACES][4];

#endif
