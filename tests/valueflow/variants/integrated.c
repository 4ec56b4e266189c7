/* Bars of three nodes, of which neighbours share one, with two points of integration each: what is computed
 * at a point goes through several small arrays one after the other. WAY 0: these are on the stack; 1:
 * variables of the program. Arguments: way, bars, steps. */
#include "../kernels/kernel.h"

enum { NODES = 3, POINTS = 2 };

struct work {
    double *x, *u, *slope, *jacobian, *gradient, *strain, *stress, *force;
};

static double shared_x[NODES], shared_u[NODES], slope_of[NODES], jacobian_of[1], gradient_of[NODES];
static double strain_of[2], stress_of[2], force_of[NODES];

static void integrate(const struct work *w, const double *x, const double *u, double *f)
{
    static const double points[POINTS] = {-0.577350269, 0.577350269};
    for (int i = 0; i < NODES; i++) {
        w->x[i] = x[i];
        w->u[i] = u[i];
        w->force[i] = 0;
    }
    for (int p = 0; p < POINTS; p++) {
        w->slope[0] = points[p] - 0.5;
        w->slope[1] = -2 * points[p];
        w->slope[2] = points[p] + 0.5;
        w->jacobian[0] = 0;
        for (int i = 0; i < NODES; i++) w->jacobian[0] += w->slope[i] * w->x[i];
        for (int i = 0; i < NODES; i++) w->gradient[i] = w->slope[i] / w->jacobian[0];
        w->strain[0] = w->strain[1] = 0;
        for (int i = 0; i < NODES; i++) {
            w->strain[0] += w->gradient[i] * w->u[i];
            w->strain[1] += w->gradient[i] * w->gradient[i] * w->u[i];
        }
        w->stress[0] = w->strain[0] + 0.1 * w->strain[1];
        w->stress[1] = 0.1 * w->strain[0] + w->strain[1];
        for (int i = 0; i < NODES; i++)
            w->force[i] += w->gradient[i] * (w->stress[0] + w->stress[1]) * w->jacobian[0];
    }
    for (int i = 0; i < NODES; i++) f[i] += w->force[i];
}

static void integrate_on_stack(const double *x, const double *u, double *f)
{
    double own_x[NODES], own_u[NODES], slope[NODES], jacobian[1], gradient[NODES], strain[2], stress[2];
    double force[NODES];
    const struct work own = {own_x, own_u, slope, jacobian, gradient, strain, stress, force};
    integrate(&own, x, u, f);
}

static void integrate_in_variables(const double *x, const double *u, double *f)
{
    const struct work shared = {shared_x,    shared_u,  slope_of,  jacobian_of,
                                gradient_of, strain_of, stress_of, force_of};
    integrate(&shared, x, u, f);
}

__attribute__((noinline)) void kernel(long way, const double *x, double *u, double *f, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i <= 2 * n; i++) f[i] = 0;
        for (long e = 0; e < n; e++) {
            if (way == 0)
                integrate_on_stack(x + 2 * e, u + 2 * e, f + 2 * e);
            else
                integrate_in_variables(x + 2 * e, u + 2 * e, f + 2 * e);
        }
        for (long i = 0; i <= 2 * n; i++) u[i] -= 0.01 * f[i];
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(2 * n + 1), *u = filled(2 * n + 1), *f = filled(2 * n + 1);
    kernel(way, x, u, f, n, steps);
    printf("%g\n", u[n]);
}
