/* lattice_kernel.h in wide numbers: for networks whose rates fall so far that doubles run out of exponents.
 */
#include "wide.h"

#define VALUE          struct wide
#define V_ONE          ((struct wide){1, 0})
#define V_ZERO         ((struct wide){0, 0})
#define V_BULK         V_ZERO
#define V_BOUNDED      false
#define v_add          wide_add
#define v_scale        wide_scale
#define v_product      wide_product
#define v_ratio        wide_ratio
#define v_less         wide_less
#define v_settle(v, n) ((void)(v), (void)(n)) /* nothing overflows, nothing needs to be dropped */
#define KERNEL         queueing_lattice_wide

#include "lattice_kernel.h"
