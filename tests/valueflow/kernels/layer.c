/* A layer of a neural network that learns: outputs of each sample, their errors, and the sum of what each
 * sample would change of every weight. */
#include "kernel.h"

enum { INPUTS = 16, OUTPUTS = 8, WEIGHTS = INPUTS * OUTPUTS };

static void learn(const double *x, const double *wanted, const double *w, double *change)
{
    for (long o = 0; o < OUTPUTS; o++) {
        double sum = 0;
        for (long k = 0; k < INPUTS; k++) sum += w[o * INPUTS + k] * x[k];
        double y = tanh(sum), error = (y - wanted[o]) * (1 - y * y);
        for (long k = 0; k < INPUTS; k++) change[o * INPUTS + k] += error * x[k];
    }
}

void kernel(const double *x, const double *wanted, double *w, double *change, long samples, long steps)
{
    for (long s = 0; s < steps; s++) {
        memset(change, 0, WEIGHTS * sizeof *change);
        for (long i = 0; i < samples; i++) learn(x + i * INPUTS, wanted + i * OUTPUTS, w, change);
        for (long k = 0; k < WEIGHTS; k++) w[k] -= 0.01 * change[k];
    }
}

int main(int argc, char **argv)
{
    long samples = argument(argc, argv, 1), steps = argument(argc, argv, 2);
    double *x = filled(samples * INPUTS), *wanted = filled(samples * OUTPUTS), *w = filled(WEIGHTS),
           *change = filled(WEIGHTS);
    kernel(x, wanted, w, change, samples, steps);
    printf("%g\n", w[WEIGHTS / 2]);
    return 0;
}
