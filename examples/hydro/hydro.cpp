/*
 * hydro: a blast in the corner of a cube of gas, by Lagrangian hydrodynamics on an unstructured mesh of
 * hexahedra, on any number of ranks. The phases of a time step are those of ../sequential/hydro, on each
 * rank's own box; between them the ranks exchange what others own.
 *
 *   mpirun -n 4 hydro [SIDE [STEPS]]      SIDE^3 elements (default 16), STEPS time steps (default 50)
 *
 * A node on several ranks is moved by its owner: forces go to it (3 words for each other rank), position and
 * velocity come back (6 words). Elements tell their neighbours behind a face all three jumps of velocity.
 * The energy of the blast must still be there, as motion or heat, to rounding.
 */
#include <cstdio>

#include "../sequential/hydro/check.h"
#include "../sequential/hydro/phases.h"
#include "exchange.h"

static void advance(const Ranks &ranks, Fields &fields, const Mesh &mesh)
{
    StepMemory memory(mesh);
    add_up_forces(fields, mesh, memory);
    collect(ranks, {&fields.force[0], &fields.force[1], &fields.force[2]});
    move_nodes(fields, mesh, memory);
    spread(ranks, {&fields.position[0], &fields.position[1], &fields.position[2], &fields.velocity[0],
                   &fields.velocity[1], &fields.velocity[2]});
    do_work(fields, mesh, memory);
    deform(fields, mesh);
    find_jumps(fields, mesh);
    exchange_jumps(ranks, fields, mesh);
    find_viscosity(fields, mesh);
    apply_state_equation(fields, mesh);
    fields.time += fields.step;
    double step = largest_step(fields, mesh);
    MPI_Allreduce(MPI_IN_PLACE, &step, 1, MPI_DOUBLE, MPI_MIN, ranks.comm);
    fields.step = step;
}

static int solve(const Ranks &ranks, const Box &box, int side, int steps)
{
    const Mesh mesh = make_box(box);
    Fields fields = make_fields(mesh, box, blast_energy);
    collect(ranks, {&fields.node_mass});
    spread(ranks, {&fields.node_mass});
    const double begin = MPI_Wtime();
    for (int step = 0; step < steps; step++) advance(ranks, fields, mesh);
    const double wall_s = MPI_Wtime() - begin;
    const Totals own = add_up(fields, box, ranks.owned);
    double sums[3] = {own.kinetic, own.internal, own.front};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, ranks.comm);
    int rank, status = 0;
    MPI_Comm_rank(ranks.comm, &rank);
    if (rank == 0) {
        char where[64];
        std::snprintf(where, sizeof where, "%d x %d x %d ranks", ranks.grid[0], ranks.grid[1], ranks.grid[2]);
        status = print_result(side, steps, where, wall_s, fields.time, {sums[0], sums[1], sums[2]}, true);
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, ranks.comm);
    return status;
}

static int run(int argc, char **argv)
{
    int side, steps;
    Ranks ranks;
    Box box;
    if (!read_arguments(argc, argv, side, steps)) return 2;
    if (!cut(side, ranks, box)) {
        std::fprintf(stderr, "hydro: more ranks in a direction than the %d elements\n", side);
        return 2;
    }
    find_shared(box, ranks);
    const int status = solve(ranks, box, side, steps);
    MPI_Comm_free(&ranks.comm);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int status = run(argc, argv);
    MPI_Finalize();
    return status;
}
