#ifndef PARCAST_VALUEFLOW_TRIE_H
#define PARCAST_VALUEFLOW_TRIE_H

#include "valueflow/runtime/tables.h"

extern struct vf_way *vf_ways;

void vf_trie_open(void);
uint32_t vf_trie_size(void);

#endif
