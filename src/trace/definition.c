/*
 * A definition: operation, then a mask of members that are not at their default, then these members in the
 * order of their bits. Bits below 32 are single numbers, the others vectors: a reader can pass over a bit
 * that it does not know.
 */
#include "trace/definition.h"

#include <stddef.h>

enum { FIRST_VECTOR = 32 };
enum member_kind { MEMBER_BOOL, MEMBER_ENUM, MEMBER_INT32, MEMBER_NUMBER_OF, MEMBER_INT64, MEMBER_DOUBLE };

struct member {
    unsigned bit;
    enum member_kind kind;
    size_t offset;
};
struct vector_member {
    unsigned bit;
    size_t offset, count_offset;
};

/* Ascending bits. NUMBER_OF: PARCAST_TRACE_NONE is the default. */
#define MEMBER(bit, kind, name) {bit, MEMBER_##kind, offsetof(parcast_trace_event, name)}
static const struct member members[] = {
    MEMBER(0, ENUM, start),         MEMBER(1, ENUM, mode),           MEMBER(2, BOOL, flag),
    MEMBER(3, NUMBER_OF, function), MEMBER(4, INT32, thread),        MEMBER(5, NUMBER_OF, site),
    MEMBER(6, INT32, comm),         MEMBER(7, INT32, peer),          MEMBER(8, INT32, tag),
    MEMBER(9, INT64, bytes),        MEMBER(10, INT32, source),       MEMBER(11, INT32, source_tag),
    MEMBER(12, INT64, recv_bytes),  MEMBER(13, INT32, matched_peer), MEMBER(14, INT32, matched_tag),
    MEMBER(15, INT32, root),        MEMBER(16, NUMBER_OF, request),  MEMBER(17, NUMBER_OF, new_comm),
    MEMBER(18, INT32, value),       MEMBER(19, INT64, count),        MEMBER(20, DOUBLE, flop),
};
#define VECTOR(bit, name) {bit, offsetof(parcast_trace_event, name), offsetof(parcast_trace_event, n_##name)}
static const struct vector_member vectors[] = {
    VECTOR(32, requests),    VECTOR(33, completed), VECTOR(34, send_counts),
    VECTOR(35, recv_counts), VECTOR(36, sources),   VECTOR(37, destinations),
};
enum { N_MEMBERS = sizeof members / sizeof members[0], N_VECTORS = sizeof vectors / sizeof vectors[0] };

static uint64_t member_value(const parcast_trace_event *event, const struct member *member)
{
    const char *at = (const char *)event + member->offset;
    switch (member->kind) {
    case MEMBER_BOOL:
        return *(const bool *)at;
    case MEMBER_ENUM:
        return *(const unsigned *)at;
    case MEMBER_INT32:
        return zigzag(*(const int32_t *)at);
    case MEMBER_NUMBER_OF:
        return zigzag((int64_t)*(const int32_t *)at + 1);
    case MEMBER_INT64:
        return zigzag(*(const int64_t *)at);
    default:
        return double_bits(*(const double *)at);
    }
}

static void set_member(parcast_trace_event *event, const struct member *member, uint64_t value)
{
    char *at = (char *)event + member->offset;
    switch (member->kind) {
    case MEMBER_BOOL:
        *(bool *)at = value != 0;
        break;
    case MEMBER_ENUM:
        *(unsigned *)at = (unsigned)value;
        break;
    case MEMBER_INT32:
        *(int32_t *)at = (int32_t)unzigzag(value);
        break;
    case MEMBER_NUMBER_OF:
        *(int32_t *)at = (int32_t)(unzigzag(value) - 1);
        break;
    case MEMBER_INT64:
        *(int64_t *)at = unzigzag(value);
        break;
    default:
        *(double *)at = bits_double(value);
    }
}

static void put_vector(struct trace_buffer *buffer, const int64_t *numbers, size_t n)
{
    int64_t before = 0;
    buffer_varint(buffer, n);
    for (size_t i = 0; i < n; i++) {
        buffer_varint(buffer, zigzag((int64_t)((uint64_t)numbers[i] - (uint64_t)before)));
        before = numbers[i];
    }
}

static const int64_t *vector_of(const parcast_trace_event *event, const struct vector_member *member,
                                size_t *n)
{
    *n = *(const size_t *)((const char *)event + member->count_offset);
    return *(const int64_t *const *)((const char *)event + member->offset);
}

void definition_put(struct trace_buffer *buffer, const parcast_trace_event *event)
{
    uint64_t mask = 0;
    size_t n;
    for (size_t i = 0; i < N_MEMBERS; i++)
        if (member_value(event, &members[i])) mask |= (uint64_t)1 << members[i].bit;
    for (size_t i = 0; i < N_VECTORS; i++) {
        vector_of(event, &vectors[i], &n);
        if (n > 0) mask |= (uint64_t)1 << vectors[i].bit;
    }
    buffer_varint(buffer, (uint64_t)event->op);
    buffer_varint(buffer, mask);
    for (size_t i = 0; i < N_MEMBERS; i++)
        if (mask >> members[i].bit & 1) buffer_varint(buffer, member_value(event, &members[i]));
    for (size_t i = 0; i < N_VECTORS; i++) {
        const int64_t *numbers = vector_of(event, &vectors[i], &n);
        if (n > 0) put_vector(buffer, numbers, n);
    }
}

size_t definition_vector_room(const unsigned char *bytes, size_t n)
{
    struct trace_view view = view_of(bytes, n);
    size_t room = 0;
    view_varint(&view);
    uint64_t mask = view_varint(&view);
    for (unsigned bit = 0; bit < 64 && !view.bad; bit++) {
        if (!(mask >> bit & 1)) continue;
        uint64_t count = bit < FIRST_VECTOR ? 1 : view_varint(&view);
        if (count > view_left(&view)) return SIZE_MAX; /* every number takes a byte */
        if (bit >= FIRST_VECTOR) room += count;
        for (uint64_t i = 0; i < count; i++) view_varint(&view);
    }
    return view.bad || view.at != view.end ? SIZE_MAX : room;
}

static void get_vector(struct trace_view *view, parcast_trace_event *event, unsigned bit, int64_t **room)
{
    uint64_t n = view_varint(view);
    int64_t before = 0, *numbers = *room;
    for (uint64_t i = 0; i < n; i++)
        numbers[i] = before = (int64_t)((uint64_t)before + (uint64_t)unzigzag(view_varint(view)));
    *room += n;
    for (size_t i = 0; i < N_VECTORS; i++) {
        if (vectors[i].bit != bit) continue;
        *(const int64_t **)((char *)event + vectors[i].offset) = numbers;
        *(size_t *)((char *)event + vectors[i].count_offset) = n;
    }
}

bool definition_get(const unsigned char *bytes, size_t n, parcast_trace_event *event, int64_t **room)
{
    struct trace_view view = view_of(bytes, n);
    parcast_trace_op op = parcast_trace_op_of(view_varint(&view));
    uint64_t mask = view_varint(&view);
    parcast_trace_event_clear(event, op);
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(mask >> bit & 1)) continue;
        if (bit >= FIRST_VECTOR) {
            get_vector(&view, event, bit, room);
            continue;
        }
        uint64_t value = view_varint(&view);
        for (size_t i = 0; i < N_MEMBERS; i++)
            if (members[i].bit == bit) set_member(event, &members[i], value);
    }
    return !view.bad && event->start <= PARCAST_TRACE_PERSISTENT && event->mode <= PARCAST_TRACE_READY;
}
