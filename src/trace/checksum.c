#include "trace/checksum.h"

/* Bit by bit, reflected polynomial 0x82f63b78: headers of some 50 bytes are all it is used for. */
uint32_t trace_crc32c(const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78U : 0);
    }
    return ~crc;
}
