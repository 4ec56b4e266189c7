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

/* X(bit, kind, name), ascending bits. NUMBER_OF: PARCAST_TRACE_NONE is the default. */
#define MEMBERS(X)                                                                                           \
    X(0, ENUM, start)                                                                                        \
    X(1, ENUM, mode)                                                                                         \
    X(2, BOOL, flag)                                                                                         \
    X(3, NUMBER_OF, function)                                                                                \
    X(4, INT32, thread)                                                                                      \
    X(5, NUMBER_OF, site)                                                                                    \
    X(6, INT32, comm)                                                                                        \
    X(7, INT32, peer)                                                                                        \
    X(8, INT32, tag)                                                                                         \
    X(9, INT64, bytes)                                                                                       \
    X(10, INT32, source)                                                                                     \
    X(11, INT32, source_tag)                                                                                 \
    X(12, INT64, recv_bytes)                                                                                 \
    X(13, INT32, matched_peer)                                                                               \
    X(14, INT32, matched_tag)                                                                                \
    X(15, INT32, root)                                                                                       \
    X(16, NUMBER_OF, request)                                                                                \
    X(17, NUMBER_OF, new_comm)                                                                               \
    X(18, INT32, value)                                                                                      \
    X(19, INT64, count)                                                                                      \
    X(20, DOUBLE, flop)
#define MEMBER(bit, kind, name) {bit, MEMBER_##kind, offsetof(parcast_trace_event, name)},
static const struct member members[] = {MEMBERS(MEMBER)};
#define VECTORS(X)                                                                                           \
    X(32, requests)                                                                                          \
    X(33, completed)                                                                                         \
    X(34, send_counts)                                                                                       \
    X(35, recv_counts)                                                                                       \
    X(36, sources)                                                                                           \
    X(37, destinations)
#define VECTOR(bit, name) {bit, offsetof(parcast_trace_event, name), offsetof(parcast_trace_event, n_##name)},
static const struct vector_member vectors[] = {VECTORS(VECTOR)};
enum { N_MEMBERS = sizeof members / sizeof members[0], N_VECTORS = sizeof vectors / sizeof vectors[0] };

/* What is put for a member; 0 at its default. */
#define VALUE_BOOL(value)      ((uint64_t)(value))
#define VALUE_ENUM(value)      ((uint64_t)(value))
#define VALUE_INT32(value)     zigzag(value)
#define VALUE_NUMBER_OF(value) zigzag((int64_t)(value) + 1)
#define VALUE_INT64(value)     zigzag(value)
#define VALUE_DOUBLE(value)    double_bits(value)

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

/* Written out for each member by the compiler: this is called for every event of a text that is read. */
static uint64_t mask_of(const parcast_trace_event *event)
{
    uint64_t mask = 0;
#define MEMBER_BIT(bit, kind, name) mask |= (uint64_t)(VALUE_##kind(event->name) != 0) << (bit);
    MEMBERS(MEMBER_BIT)
#define VECTOR_BIT(bit, name) mask |= (uint64_t)(event->n_##name > 0) << (bit);
    VECTORS(VECTOR_BIT)
    return mask;
}

void definition_put(struct trace_buffer *buffer, const parcast_trace_event *event)
{
    uint64_t mask = mask_of(event);
    buffer_varint(buffer, (uint64_t)event->op);
    buffer_varint(buffer, mask);
#define PUT_MEMBER(bit, kind, name)                                                                          \
    if (mask >> (bit) & 1) buffer_varint(buffer, VALUE_##kind(event->name));
    MEMBERS(PUT_MEMBER)
#define PUT_VECTOR(bit, name)                                                                                \
    if (mask >> (bit) & 1) put_vector(buffer, event->name, event->n_##name);
    VECTORS(PUT_VECTOR)
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
