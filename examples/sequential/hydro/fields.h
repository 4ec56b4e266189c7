/* What is known at the nodes and in the elements. */
#ifndef HYDRO_FIELDS_H
#define HYDRO_FIELDS_H

#include <array>
#include <vector>

#include "mesh.h"

struct Fields {
    std::array<std::vector<double>, DIRECTIONS> position, velocity, force; /* of nodes */
    std::vector<double> node_mass;
    std::vector<double> energy; /* of elements, per mass; so is all that follows */
    std::vector<double> pressure, viscosity, volume, mass, sound;
    std::array<std::vector<double>, DIRECTIONS> jump; /* of velocity across an element; ghosts too */
    std::vector<double> length;                       /* the shortest way through an element */
    double time, step;                                /* step: length of the next time step */
};

/* A gas at rest in the box, cold except for the element at the origin, which holds `blast` energy. */
Fields make_fields(const Mesh &mesh, const Box &box, double blast);

#endif
