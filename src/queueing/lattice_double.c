/* lattice_kernel.h in doubles, vectorised by the compiler. */
#include <stdbool.h>
#include <stddef.h>

#define VALUE           double
#define V_ONE           1.0
#define V_ZERO          0.0
#define V_BULK          1e-100
#define V_BOUNDED       true
#define v_add(a, b)     ((a) + (b))
#define v_scale(a, f)   ((a) * (f))
#define v_product(a, b) ((a) * (b))
#define v_ratio(a, b)   ((a) / (b))
#define v_less(a, b)    ((a) < (b))
#define KERNEL          queueing_lattice_double

/* Maximum 1; what is below 1e-290 of it has no weight and would only become denormal. */
static void v_settle(double *values, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (values[i] > most) most = values[i];
    double factor = 1 / most;
    for (size_t i = 0; i < n; i++) values[i] = values[i] * factor < 1e-290 ? 0 : values[i] * factor;
}

#include "lattice_kernel.h"
