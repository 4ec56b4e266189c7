#include "trace/encoder.h"

#include "trace/duration.h"
#include "trace/prediction.h"
#include "trace/sequence.h"

enum { MOST_BYTES = 1 << 18 }; /* of definitions, before a frame is closed for their sake */

static uint32_t definitions_for(uint32_t limit_events)
{
    uint32_t limit = limit_events / 8;
    return limit < 64 ? 64 : limit > 1024 ? 1024 : limit;
}

bool encoder_init(struct encoder *e, enum frame_coding coding, bool dated, uint32_t limit_events)
{
    *e = (struct encoder){.coding = coding, .dated = dated, .limit_events = limit_events};
    e->limit_definitions = definitions_for(limit_events);
    e->n_slots = 64;
    while (e->n_slots < 2 * e->limit_definitions) e->n_slots *= 2;
    e->tokens = calloc(limit_events, sizeof *e->tokens);
    e->times = calloc(limit_events, sizeof *e->times);
    e->places = calloc(e->limit_definitions, sizeof *e->places);
    e->lengths = calloc(e->limit_definitions, sizeof *e->lengths);
    e->slots = calloc(e->n_slots, sizeof *e->slots);
    e->threads = calloc(1, sizeof *e->threads);
    e->n_threads = e->threads ? 1 : 0;
    return e->tokens && e->times && e->places && e->lengths && e->slots && e->threads;
}

void encoder_free(struct encoder *e)
{
    free(e->tokens);
    free(e->times);
    free(e->places);
    free(e->lengths);
    free(e->slots);
    free(e->threads);
    free(e->definitions.bytes);
    *e = (struct encoder){.n_events = 0};
}

bool encoder_full(const struct encoder *e)
{
    return e->n_events == e->limit_events || e->n_definitions == e->limit_definitions ||
           e->definitions.n > MOST_BYTES;
}

static struct thread_clock *clock_of(struct encoder *e, int32_t thread)
{
    for (size_t i = 0; i < e->n_threads; i++)
        if (e->threads[i].thread == thread) return &e->threads[i];
    struct thread_clock *more = realloc(e->threads, (e->n_threads + 1) * sizeof *more);
    if (!more) return NULL;
    e->threads = more;
    more[e->n_threads] = (struct thread_clock){.thread = thread};
    return &more[e->n_threads++];
}

bool encoder_start_thread(struct encoder *e, int32_t thread, double date)
{
    struct thread_clock *clock = clock_of(e, thread);
    if (clock) clock->first = clock->now = date;
    return clock != NULL;
}

static uint32_t hash_bytes(const unsigned char *bytes, size_t n)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < n; i++) hash = (hash ^ bytes[i]) * 1099511628211U;
    return (uint32_t)(hash >> 32 ^ hash);
}

/* Number of a definition that may be new. */
static uint16_t token_of(struct encoder *e, const unsigned char *bytes, size_t n)
{
    uint32_t slot = hash_bytes(bytes, n) & (e->n_slots - 1);
    for (; e->slots[slot]; slot = (slot + 1) & (e->n_slots - 1)) {
        uint16_t token = (uint16_t)(e->slots[slot] - 1);
        if (e->lengths[token] == n && memcmp(e->definitions.bytes + e->places[token], bytes, n) == 0)
            return token;
    }
    uint16_t token = (uint16_t)e->n_definitions++;
    buffer_varint(&e->definitions, n);
    e->places[token] = (uint32_t)e->definitions.n;
    e->lengths[token] = (uint32_t)n;
    buffer_put(&e->definitions, bytes, n);
    e->slots[slot] = (uint16_t)(token + 1);
    return token;
}

static double duration_of(const struct encoder *e, const struct event_times *t)
{
    if (e->coding != CODING_DOUBLES)
        return (double)duration_decode(t->gap) + (double)duration_decode(t->in_call);
    return e->dated ? t->compute + t->call : 0;
}

bool encoder_add(struct encoder *e, int32_t thread, const unsigned char *definition, size_t n,
                 const struct event_times *times)
{
    struct thread_clock *clock = clock_of(e, thread);
    if (!clock) return false;
    e->tokens[e->n_events] = token_of(e, definition, n);
    e->times[e->n_events] = *times;
    e->n_events++;
    clock->now += duration_of(e, times);
    return !e->definitions.failed;
}

/* Dates of the other threads stand before the definitions. */
static void put_definitions(const struct encoder *e, struct trace_buffer *out)
{
    buffer_varint(out, e->n_threads - 1);
    for (size_t i = 1; i < e->n_threads; i++) {
        buffer_varint(out, (uint64_t)e->threads[i].thread);
        buffer_double(out, e->threads[i].first);
    }
    buffer_put(out, e->definitions.bytes, e->definitions.n);
}

static uint16_t code_at(const struct event_times *t, int column)
{
    return column == 0 ? t->gap : column == 1 ? t->in_call : t->cpu;
}

/* A column as differences from what its token lets expect, high bytes first, then low bytes. */
static bool put_codes(const struct encoder *e, int column, struct packed_frame *packed)
{
    int32_t *expected = calloc(e->n_definitions, sizeof *expected);
    unsigned char *high = buffer_room(&packed->bytes, 2 * (size_t)e->n_events);
    if (!expected || !high) {
        free(expected);
        return false;
    }
    for (uint32_t i = 0; i < e->n_events; i++) {
        uint16_t code = code_at(&e->times[i], column);
        uint16_t difference = prediction_difference(&expected[e->tokens[i]], code);
        high[i] = (unsigned char)(difference >> 8);
        high[e->n_events + i] = (unsigned char)difference;
    }
    free(expected);
    packed->ends[packed->n_sections++] = packed->bytes.n += e->n_events;
    packed->ends[packed->n_sections++] = packed->bytes.n += e->n_events;
    return true;
}

/* A column of doubles byte by byte: bytes of one place resemble each other. */
static bool put_doubles(const struct encoder *e, bool call, struct packed_frame *packed)
{
    unsigned char *to = buffer_room(&packed->bytes, 8 * (size_t)e->n_events);
    if (!to) return false;
    for (uint32_t i = 0; i < e->n_events; i++) {
        uint64_t bits = double_bits(call ? e->times[i].call : e->times[i].compute);
        for (size_t k = 0; k < 8; k++) to[k * e->n_events + i] = (unsigned char)(bits >> 8 * k);
    }
    packed->ends[packed->n_sections++] = packed->bytes.n += 8 * (size_t)e->n_events;
    return true;
}

static bool put_times(const struct encoder *e, struct packed_frame *packed)
{
    if (e->coding == CODING_DOUBLES) return put_doubles(e, false, packed) && put_doubles(e, true, packed);
    bool put = put_codes(e, 0, packed) && put_codes(e, 1, packed);
    return put && (e->coding == CODING_CODES || put_codes(e, 2, packed));
}

static void begin_next(struct encoder *e)
{
    e->first_event += e->n_events;
    e->n_events = e->n_definitions = 0;
    e->definitions.n = 0;
    memset(e->slots, 0, e->n_slots * sizeof *e->slots);
    for (size_t i = 0; i < e->n_threads; i++) e->threads[i].first = e->threads[i].now;
}

bool encoder_pack(struct encoder *e, struct frame_header *header, struct packed_frame *packed)
{
    struct trace_buffer *out = &packed->bytes;
    out->n = 0;
    packed->n_sections = 0;
    put_definitions(e, out);
    size_t definition_bytes = out->n;
    if (out->failed || !sequence_put(out, e->tokens, e->n_events)) return false;
    packed->ends[packed->n_sections++] = out->n;
    *header = (struct frame_header){
        .kind = FRAME_EVENTS,
        .coding = e->coding,
        .n_events = e->n_events,
        .first_event = e->first_event,
        .n_definitions = e->n_definitions,
        .definition_bytes = (uint32_t)definition_bytes,
        .sequence_bytes = (uint32_t)(out->n - definition_bytes),
        .date = e->threads[0].first,
    };
    if (!put_times(e, packed)) return false;
    begin_next(e);
    return true;
}
