/** Bytes in and out: little-endian numbers, varints, a buffer that grows, a view that cannot be overrun. */
#ifndef PARCAST_TRACE_BYTES_H
#define PARCAST_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void put_u16(unsigned char *to, uint16_t value)
{
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
}

static inline void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static inline void put_u64(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static inline uint16_t get_u16(const unsigned char *from)
{
    return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint32_t get_u32(const unsigned char *from)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static inline uint64_t get_u64(const unsigned char *from)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static inline uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double bits_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Small numbers of either sign become small numbers. */
static inline uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

/** A buffer that grows; once memory ran out it takes nothing more and says so. */
struct trace_buffer {
    unsigned char *bytes;
    size_t n, capacity;
    bool failed;
};

static inline unsigned char *buffer_room(struct trace_buffer *buffer, size_t n)
{
    if (buffer->failed) return NULL;
    if (!buffer->bytes || buffer->capacity - buffer->n < n) {
        size_t capacity = 2 * buffer->capacity + n + 64;
        unsigned char *bytes = (unsigned char *)realloc(buffer->bytes, capacity);
        if (!bytes) {
            buffer->failed = true;
            return NULL;
        }
        buffer->bytes = bytes;
        buffer->capacity = capacity;
    }
    return buffer->bytes + buffer->n;
}

static inline void buffer_put(struct trace_buffer *buffer, const void *bytes, size_t n)
{
    unsigned char *to = buffer_room(buffer, n);
    if (!to || n == 0) return;
    memcpy(to, bytes, n);
    buffer->n += n;
}

static inline void buffer_varint(struct trace_buffer *buffer, uint64_t value)
{
    unsigned char *to = buffer_room(buffer, 10);
    if (!to) return;
    for (; value >= 128; value >>= 7) {
        *to++ = (unsigned char)(value | 128);
        buffer->n++;
    }
    *to = (unsigned char)value;
    buffer->n++;
}

static inline void buffer_double(struct trace_buffer *buffer, double value)
{
    unsigned char *to = buffer_room(buffer, 8);
    if (!to) return;
    put_u64(to, double_bits(value));
    buffer->n += 8;
}

/** Bytes that are being read; `bad` once something was asked for that is not there. */
struct trace_view {
    const unsigned char *at, *end;
    bool bad;
};

static inline struct trace_view view_of(const void *bytes, size_t n)
{
    const unsigned char *first = (const unsigned char *)bytes;
    return (struct trace_view){first, n ? first + n : first, false};
}

static inline size_t view_left(const struct trace_view *view)
{
    return (size_t)(view->end - view->at);
}

static inline const unsigned char *view_take(struct trace_view *view, uint64_t n)
{
    if (view->bad || n > view_left(view)) {
        view->bad = true;
        return NULL;
    }
    const unsigned char *bytes = view->at;
    if (n > 0) view->at += n; /* an empty view may begin nowhere */
    return bytes;
}

static inline uint64_t view_varint(struct trace_view *view)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (view->at == view->end) break;
        unsigned char byte = *view->at++;
        if (shift == 63 && byte > 1) break;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    view->bad = true;
    return 0;
}

static inline double view_double(struct trace_view *view)
{
    const unsigned char *bytes = view_take(view, 8);
    return bytes ? bits_double(get_u64(bytes)) : 0;
}

#endif
