/*
 * hydro: a blast in the corner of a cube of gas, by Lagrangian hydrodynamics on an unstructured mesh of
 * hexahedra. One processor; examples/hydro is the same on many.
 *
 *   hydro [SIDE [STEPS]]      SIDE^3 elements (default 16), STEPS time steps (default 50)
 *
 * Positions, velocities and forces live at the nodes, the rest in the elements. Two things must hold to
 * rounding and are checked: the energy that the blast brought is still there, as motion or heat, and the three
 * directions of space are alike.
 */
#include <chrono>
#include <cmath>
#include <parcast/region.h>

#include "check.h"
#include "phases.h"

static void advance(Fields &fields, const Mesh &mesh)
{
    StepMemory memory(mesh);
    add_up_forces(fields, mesh, memory);
    move_nodes(fields, mesh, memory);
    do_work(fields, mesh, memory);
    deform(fields, mesh);
    find_jumps(fields, mesh);
    find_viscosity(fields, mesh);
    apply_state_equation(fields, mesh);
    fields.time += fields.step;
    fields.step = largest_step(fields, mesh);
}

/* The largest difference between elements that mirror each other in the plane x = y. */
static double asymmetry(const Fields &fields, const Box &box)
{
    double largest = 0;
    for (int k = 0; k < box.side; k++)
        for (int j = 0; j < box.side; j++)
            for (int i = 0; i < box.side; i++) {
                const double here = fields.energy[element_of(box, i, j, k)];
                const double there = fields.energy[element_of(box, j, i, k)];
                largest = std::fmax(largest, std::fabs(here - there));
            }
    return largest;
}

int main(int argc, char **argv)
{
    int side, steps;
    if (!read_arguments(argc, argv, side, steps)) return 2;
    const Box box = {{0, 0, 0}, {side, side, side}, side};
    const Mesh mesh = make_box(box);
    Fields fields = make_fields(mesh, box, blast_energy);
    const auto begin = std::chrono::steady_clock::now();
    parcast_region_begin();
    for (int step = 0; step < steps; step++) advance(fields, mesh);
    parcast_region_end();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const Totals totals = add_up(fields, box, std::vector<bool>(mesh.n_nodes, true));
    const bool correct = asymmetry(fields, box) < 1e-9 * fields.energy[0];
    return print_result(side, steps, "one processor", wall.count(), fields.time, totals, correct);
}
