/*
 * An unstructured mesh of hexahedra: elements name their eight nodes and their six neighbours by number, and
 * nothing else in the program knows that the elements were once a cube. make_box() builds the box
 * [first, first + count) of the elements of a cube of side^3; a whole cube is a box like any other.
 */
#ifndef HYDRO_MESH_H
#define HYDRO_MESH_H

#include <array>
#include <vector>

enum { CORNERS = 8, FACES = 6, DIRECTIONS = 3 };
enum { NO_NEIGHBOUR = -1, MIRROR = -2 }; /* a free surface; a plane of symmetry */

struct Box {
    std::array<int, 3> first, count; /* elements along x, y, z */
    int side;                        /* of the whole cube */
};

struct Mesh {
    int n_elements, n_ghosts, n_nodes;
    std::vector<int> corner;                              /* [n_elements * CORNERS] nodes */
    std::vector<int> neighbour;                           /* [n_elements * FACES] low x, high x, low y, ... */
    std::array<std::vector<int>, DIRECTIONS> fixed_nodes; /* nodes that cannot move along x, y, z */
    std::vector<int> material;                            /* the elements, in the order of their material */
};

/* Faces of the box that other elements of the cube lie behind get ghosts: numbers from n_elements on, face by
 * face, in the order of the elements inside. */
Mesh make_box(const Box &box);
int element_of(const Box &box, int i, int j, int k); /* within the box */
int node_of(const Box &box, int i, int j, int k);
/* The elements of the box at one of its faces, in the order of their ghosts behind it. */
std::vector<int> elements_at(const Box &box, int face);

#endif
