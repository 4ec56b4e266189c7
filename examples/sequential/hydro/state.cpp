/* The state of the gas, a few elements at a time, and how far a time step may go. */
#include <cmath>

#include "phases.h"

enum { AT_A_TIME = 16 };
static const double gamma_gas = 1.4, courant = 0.3, growth = 1.2;
static const double least_pressure = 1e-9, longest_step = 1e-2;

/* Values of the elements that are looked at together. */
struct Batch {
    double density[AT_A_TIME], energy[AT_A_TIME], pressure[AT_A_TIME], sound[AT_A_TIME];
};

static void evaluate(Batch &batch, int n)
{
    for (int i = 0; i < n; i++)
        batch.pressure[i] = std::fmax(least_pressure, (gamma_gas - 1) * batch.density[i] * batch.energy[i]);
    for (int i = 0; i < n; i++) batch.sound[i] = std::sqrt(gamma_gas * batch.pressure[i] / batch.density[i]);
}

void apply_state_equation(Fields &fields, const Mesh &mesh)
{
    Batch *batch = new Batch;
    for (int first = 0; first < mesh.n_elements; first += AT_A_TIME) {
        const int n = mesh.n_elements - first < AT_A_TIME ? mesh.n_elements - first : AT_A_TIME;
        for (int i = 0; i < n; i++) {
            const int e = mesh.material[first + i];
            batch->density[i] = fields.mass[e] / fields.volume[e];
            batch->energy[i] = fields.energy[e];
        }
        evaluate(*batch, n);
        for (int i = 0; i < n; i++) {
            const int e = mesh.material[first + i];
            fields.pressure[e] = batch->pressure[i];
            fields.sound[e] = batch->sound[i];
        }
    }
    delete batch;
}

double largest_step(const Fields &fields, const Mesh &mesh)
{
    double step = std::fmin(growth * fields.step, longest_step);
    for (int e = 0; e < mesh.n_elements; e++) {
        const double speed = fields.sound[e] + 4 * std::fabs(fields.jump[0][e]) +
                             4 * std::fabs(fields.jump[1][e]) + 4 * std::fabs(fields.jump[2][e]);
        const double allowed = courant * fields.length[e] / speed;
        if (allowed < step) step = allowed;
    }
    return step;
}
