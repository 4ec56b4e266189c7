#include "trace/sequence.h"

enum { HASH_BITS = 12, SHORTEST_COPY = 3 };

/* Where each combination of three tokens was last seen, + 1. */
static uint32_t *slot_of(uint32_t *slots, const uint16_t *t)
{
    uint32_t key = t[0] * 0x9e3779b1U ^ t[1] * 0x85ebca77U ^ t[2] * 0xc2b2ae3dU;
    return &slots[key * 0x27d4eb2fU >> (32 - HASH_BITS)];
}

static uint32_t match_length(const uint16_t *tokens, uint32_t at, uint32_t n, uint32_t distance)
{
    uint32_t length = 0;
    while (at + length < n && tokens[at + length] == tokens[at + length - distance]) length++;
    return length;
}

static void put_literals(struct trace_buffer *out, const uint16_t *tokens, uint32_t n)
{
    if (n == 0) return;
    buffer_varint(out, 2 * (uint64_t)n);
    for (uint32_t i = 0; i < n; i++) buffer_varint(out, tokens[i]);
}

bool sequence_put(struct trace_buffer *out, const uint16_t *tokens, uint32_t n)
{
    uint32_t *slots = calloc((size_t)1 << HASH_BITS, sizeof *slots);
    uint32_t at = 0, literals = 0, last_distance = 0;
    if (!slots) return false;
    while (at < n) {
        uint32_t distance = 0, length = 0;
        if (at + SHORTEST_COPY <= n) {
            uint32_t seen = *slot_of(slots, tokens + at);
            distance = seen ? at - (seen - 1) : 0;
            length = distance ? match_length(tokens, at, n, distance) : 0;
        }
        uint32_t again =
            last_distance && last_distance <= at ? match_length(tokens, at, n, last_distance) : 0;
        if (again >= length) {
            length = again;
            distance = last_distance;
        }
        if (length < SHORTEST_COPY) {
            if (at + SHORTEST_COPY <= n) *slot_of(slots, tokens + at) = at + 1;
            at++;
            literals++;
            continue;
        }
        put_literals(out, tokens + at - literals, literals);
        literals = 0;
        buffer_varint(out, 2 * (uint64_t)length + 1);
        buffer_varint(out, distance);
        last_distance = distance;
        /* Of a long copy only the end is worth remembering: what lies before repeats it. */
        uint32_t first = length > 2 * distance ? length - 2 * distance : 0;
        for (uint32_t i = at + first; i < at + length && i + SHORTEST_COPY <= n; i++)
            *slot_of(slots, tokens + i) = i + 1;
        at += length;
    }
    put_literals(out, tokens + at - literals, literals);
    free(slots);
    return !out->failed;
}

static bool next_element(struct sequence *s)
{
    uint64_t element = view_varint(&s->view), length = element >> 1;
    if (s->view.bad || length == 0 || length > s->n - s->at) return false;
    if (!(element & 1)) {
        s->literals = (uint32_t)length;
        return true;
    }
    uint64_t distance = view_varint(&s->view);
    if (s->view.bad || distance == 0 || distance > s->at) return false;
    s->copies = (uint32_t)length;
    s->distance = (uint32_t)distance;
    return true;
}

int32_t sequence_next(struct sequence *s)
{
    if (s->at == s->n || (s->literals == 0 && s->copies == 0 && !next_element(s))) return -1;
    uint16_t token;
    if (s->copies > 0) {
        s->copies--;
        token = s->tokens[s->at - s->distance];
    } else {
        s->literals--;
        uint64_t literal = view_varint(&s->view);
        if (s->view.bad || literal > s->n_seen || literal >= s->n_definitions) return -1;
        token = (uint16_t)literal;
        if (token == s->n_seen) s->n_seen++;
    }
    s->tokens[s->at++] = token;
    return token;
}
