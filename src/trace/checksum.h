/** CRC-32C (Castagnoli, iSCSI: RFC 3720) of small headers. */
#ifndef PARCAST_TRACE_CHECKSUM_H
#define PARCAST_TRACE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t trace_crc32c(const void *bytes, size_t n);

#endif
