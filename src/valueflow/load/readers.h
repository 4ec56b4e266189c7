/* Readers of nets, listed. While a program runs they are ways, of which nets with the same first readers have
 * the beginning together (runtime/tables/trie.h); whoever looks at all nets would walk these again and again.
 * Words that are read alike by the words around them share one list, of distances from the net's own word: a
 * distance less the shift of the net is a reader like others. */
#ifndef PARCAST_VALUEFLOW_READERS_H
#define PARCAST_VALUEFLOW_READERS_H

#include "valueflow/load/load.h"
#include "valueflow/runtime/tables/trie.h"

/** Those from `at` up to `end`, the last one to read first; each is *at - shift. */
struct readers {
    const uint32_t *at, *end;
    uint32_t shift; /* 0: other nets may have the same readers */
};

static inline struct readers readers_of(const struct values_file *file, const struct vf_dump_net *net)
{
    const uint32_t *at = file->readers + file->reader_first[net->what],
                   *end = file->readers + file->reader_first[net->what + 1];
    return (struct readers){at, end, at < end && *at & VF_SHIFTED ? vf_shift(net->vertex) : 0};
}

/** Are all readers on ways of distances words? Counts those of all nets that have such ways. */
bool readers_fit(struct values_file *file);

/**
 * Lists of all ways that nets have; the `what` of a net, a way until then, becomes the number of its list, in
 * the order of nets. False without memory.
 *
 * Cost: O(readers on all lists).
 */
bool readers_list(struct values_file *file);

/** One more list, the last one, of readers that are not shifted; false without memory. */
bool readers_append(struct values_file *file, const uint32_t *readers, size_t n);

#endif
