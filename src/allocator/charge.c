#include "allocator/charge.h"

#include <math.h>

/* A sum of times that should be 3600 may be 3600.0000000001: that is not an hour more. */
static const double rounding = 1e-9;

double charge(double price_per_hour, double held_s, double billing_unit_s)
{
    double charged_s = held_s;
    if (billing_unit_s > 0) charged_s = ceil(held_s / billing_unit_s * (1 - rounding)) * billing_unit_s;
    return price_per_hour * charged_s / 3600;
}
