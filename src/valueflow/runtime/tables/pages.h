/* Large pages for tables and shadow memory. */
#ifndef PARCAST_VALUEFLOW_PAGES_H
#define PARCAST_VALUEFLOW_PAGES_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

/** A large range of memory, of which pages appear when they are touched: shadow memory, rooms (room.h). */
void vf_pages_for_range(void *p, size_t bytes);
/** A table of so many bytes, when all have `mapped`: what of it is touched from here on may come in large
 * pages. As soon as tables are large it is tried once whether these come fast enough, for all of them and the
 * ranges; not where memory is scarce. */
void vf_pages_for_table(void *p, size_t bytes, size_t mapped);

#pragma GCC visibility pop

#endif
