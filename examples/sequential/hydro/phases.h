/*
 * The phases of a time step, in this order. Between them a program on several processors exchanges:
 *
 *   add_up_forces        -> forces of the nodes that several of them have
 *   move_nodes           -> positions and velocities of these nodes
 *   work, deform         (nothing)
 *   find_jumps           -> jumps of the elements behind a face
 *   find_viscosity, apply_state_equation
 *   largest_step         -> the smallest of all
 */
#ifndef HYDRO_PHASES_H
#define HYDRO_PHASES_H

#include <array>
#include <vector>

#include "fields.h"
#include "mesh.h"

/* What lives for one step. */
struct StepMemory {
    explicit StepMemory(const Mesh &mesh);
    std::vector<double> corner_force;                   /* [n_elements * CORNERS * DIRECTIONS] */
    std::array<std::vector<double>, DIRECTIONS> before; /* velocity of nodes at the beginning */
};

void add_up_forces(Fields &fields, const Mesh &mesh, StepMemory &memory);
void move_nodes(Fields &fields, const Mesh &mesh, StepMemory &memory);
void do_work(Fields &fields, const Mesh &mesh, const StepMemory &memory);
void deform(Fields &fields, const Mesh &mesh);
void find_jumps(Fields &fields, const Mesh &mesh);
void find_viscosity(Fields &fields, const Mesh &mesh);
void apply_state_equation(Fields &fields, const Mesh &mesh);
double largest_step(const Fields &fields, const Mesh &mesh);

#endif
