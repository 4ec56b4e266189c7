/** What a node costs while it is held. */
#ifndef PARCAST_ALLOCATOR_CHARGE_H
#define PARCAST_ALLOCATOR_CHARGE_H

/**
 * Price of holding a node for a time, whole billing units, at least one as soon as it was held at all.
 * billing_unit_s 0: by the second, unrounded.
 */
double charge(double price_per_hour, double held_s, double billing_unit_s);

#endif
