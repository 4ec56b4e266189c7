/* Gradient descent of a regression: a point's error in a register, in an array, through a logistic function.
 * Arguments: which, points, steps. */
#include "../kernels/kernel.h"

enum { FEATURES = 8 };

struct data {
    double *point, *target, *error, *model, rate;
    long n;
};

static double look(const struct data *d, long i)
{
    double sum = 0;
    for (long k = 0; k < FEATURES; k++) sum += d->model[k] * d->point[i * FEATURES + k];
    return sum;
}

static void go_down(struct data *d, const double *gradient)
{
    for (long k = 0; k < FEATURES; k++) d->model[k] -= 1e-3 * gradient[k];
}

static void step_in_registers(struct data *d, int is_logistic)
{
    double gradient[FEATURES] = {0};
    for (long i = 0; i < d->n; i++) {
        double seen = look(d, i), error = (is_logistic ? 1 / (1 + exp(-seen)) : seen) - d->target[i];
        for (long k = 0; k < FEATURES; k++) gradient[k] += error * d->point[i * FEATURES + k];
    }
    go_down(d, gradient);
}

static void step_in_array(struct data *d)
{
    double gradient[FEATURES];
    for (long i = 0; i < d->n; i++) d->error[i] = look(d, i) - d->target[i];
    for (long k = 0; k < FEATURES; k++) {
        double sum = 0;
        for (long i = 0; i < d->n; i++) sum += d->error[i] * d->point[i * FEATURES + k];
        gradient[k] = sum;
    }
    go_down(d, gradient);
}

__attribute__((noinline)) void kernel(struct data *d, long steps, long which)
{
    for (long s = 0; s < steps; s++)
        if (which == 1)
            step_in_array(d);
        else
            step_in_registers(d, which == 2);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    struct data d = {.point = filled(n * FEATURES),
                     .target = filled(n),
                     .error = filled(n),
                     .model = filled(FEATURES),
                     .n = n};
    kernel(&d, steps, which);
    printf("%.6f\n", d.model[1]);
    free(d.point);
    free(d.target);
    free(d.error);
    free(d.model);
    return 0;
}
