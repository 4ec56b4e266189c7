/* Texts that are written once for each key. */
#ifndef PARCAST_VALUEFLOW_TEXTS_H
#define PARCAST_VALUEFLOW_TEXTS_H

#include "valueflow/runtime/tables/hash.h"

#pragma GCC visibility push(hidden)

/* Zero but for the width of the keys. */
struct vf_texts {
    struct vf_hash number;
    const char **text;
    size_t capacity;
    uint32_t n;
};

/** The place of a key's text, NULL there until it is written; valid until the next key. */
const char **vf_texts_at(struct vf_texts *texts, const uint32_t *key);
#pragma GCC visibility pop

#endif
