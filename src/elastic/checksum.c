#include "elastic/checksum.h"

/* Compiled in: programs that link the elastic library need no other one. */
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t elastic_checksum(const void *bytes, size_t n)
{
    return XXH3_64bits(bytes, n);
}
