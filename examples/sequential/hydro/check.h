/* What both programs, on one processor and on many, print and check. */
#ifndef HYDRO_CHECK_H
#define HYDRO_CHECK_H

#include "fields.h"
#include "mesh.h"

static const double blast_energy = 0.25;

struct Totals {
    double kinetic, internal;
    double front; /* sum of energy times the distance of the element's number: any error shows */
};

/* SIDE and STEPS, checked; false after a message. */
bool read_arguments(int argc, char **argv, int &side, int &steps);
/* Energies of the box; of its nodes those that are owned. */
Totals add_up(const Fields &fields, const Box &box, const std::vector<bool> &owned);
/* One line; the exit status. `where` says on what it ran, wall_s how long. */
int print_result(int side, int steps, const char *where, double wall_s, double time, const Totals &totals,
                 bool correct);

#endif
