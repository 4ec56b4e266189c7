#ifndef PARCAST_INSTRUMENT_NAMED_REGION_H
#define PARCAST_INSTRUMENT_NAMED_REGION_H

#include <stdbool.h>

/** Does a name in the program (C, C++ mangled, Fortran) mean this region? Of C++ the last part is enough,
 * more of them make it narrower, and arguments of templates may be left out. */
bool region_matches(const char *symbol, const char *region);

#endif
