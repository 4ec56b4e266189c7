/* Ways of pins less their home (runtime/trie.h), each net with the pins themselves. */
#ifndef PARCAST_VALUEFLOW_UNSHIFT_H
#define PARCAST_VALUEFLOW_UNSHIFT_H

#include "parcast/error.h"
#include "valueflow/load.h"

/**
 * Give every net with a shifted way one of its own, behind the states there are: a slot a pin, one after the
 * other, the first behind a free one. PARCAST_FORMAT: a way is longer than the run time makes them, or a pin
 * is no vertex.
 */
parcast_status unshift_all(struct values_file *file);

#endif
