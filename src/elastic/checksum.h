/** XXH3, 64 bits, of what checkpoints hold; by the xxHash library (Collet). About 10 GB/s and more. */
#ifndef PARCAST_ELASTIC_CHECKSUM_H
#define PARCAST_ELASTIC_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t elastic_checksum(const void *bytes, size_t n);

#endif
