#ifndef PARCAST_INSTRUMENT_KNOWN_H
#define PARCAST_INSTRUMENT_KNOWN_H

#include <stdbool.h>

bool known_pure(const char *name);
bool known_to_read_only(const char *name);

#endif
