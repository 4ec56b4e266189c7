/* Readers of nets. Words that are read alike by the words around them share one way, of distances from the
 * net's own word (runtime/trie.h); a distance less the shift of the net is a pin like others. */
#ifndef PARCAST_VALUEFLOW_UNSHIFT_H
#define PARCAST_VALUEFLOW_UNSHIFT_H

#include "valueflow/load/load.h"
#include "valueflow/runtime/tables/trie.h"

/** What is taken off the sinks on the net's way; 0: they are pins, and other nets have the same. */
static inline uint32_t unshift(const struct values_file *file, const struct vf_dump_net *net)
{
    return net->what && file->sinks[net->what] & VF_SHIFTED ? vf_shift(net->vertex) : 0;
}

/** Are all readers words? Counts those of nets that have ways of distances. */
bool unshift_fits(struct values_file *file);

#endif
