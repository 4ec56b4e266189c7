#include "record/spool.h"

#include <stdlib.h>
#include <string.h>

static parcast_status damaged(const struct spool_reader *r, const char *what, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_FORMAT, r->source, 0,
                             "the events of rank %d are damaged at byte %zu: %s", r->header.rank, r->at,
                             what);
}

static bool stamps_make_sense(const struct spool_header *h)
{
    return h->latest.ticks > h->load.ticks && h->latest.monotonic_ns > h->load.monotonic_ns &&
           h->start.ticks >= h->load.ticks;
}

parcast_status spool_begin(struct spool_reader *r, const void *bytes, size_t size, const char *source,
                           parcast_error *error)
{
    *r = (struct spool_reader){.source = source, .bytes = bytes, .size = size, .at = SPOOL_HEADER_BYTES};
    if (size < SPOOL_HEADER_BYTES)
        return parcast_error_set(error, PARCAST_FORMAT, source, 0, "the events of a rank have no header");
    struct spool_header *h = &r->header;
    memcpy(h, bytes, sizeof *h);
    if (memcmp(h->magic, SPOOL_MAGIC, sizeof h->magic) != 0)
        return parcast_error_set(error, PARCAST_FORMAT, source, 0, "these are not the events of a rank");
    if (h->version != SPOOL_VERSION || h->byte_order != RAW_BYTE_ORDER)
        return parcast_error_set(error, PARCAST_FORMAT, source, 0,
                                 "the events of a rank were written by another version or kind of machine");
    if (h->n_ranks < 1 || h->rank < 0 || h->rank >= h->n_ranks || h->end > RAW_END_FINALIZED ||
        !stamps_make_sense(h))
        return damaged(r, "its header", error);
    if (h->bytes >= SPOOL_HEADER_BYTES && h->bytes < size) r->size = h->bytes;
    r->tokens = calloc(SPOOL_LAST_TOKEN + 1, sizeof *r->tokens);
    return r->tokens ? PARCAST_OK : parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
}

void spool_end(struct spool_reader *r)
{
    free(r->tokens);
    free(r->words);
    r->tokens = NULL;
    r->words = NULL;
}

static uint16_t half_word(const unsigned char *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Room for n words behind those of the definitions; one more is kept for an item that is shown. */
static uint64_t *room_for(struct spool_reader *r, size_t n)
{
    if (!r->words || r->capacity - r->n_words < n) {
        size_t capacity = 2 * r->capacity + n + 64;
        uint64_t *words = realloc(r->words, capacity * sizeof *words);
        if (!words) return NULL;
        r->words = words;
        r->capacity = capacity;
    }
    return r->words + r->n_words;
}

/* Does a definition say as many words as it has? Members from bit 32 on begin with their length. */
static bool well_formed(const uint64_t *words, uint32_t n)
{
    uint32_t at = 2;
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(words[1] >> bit & 1)) continue;
        if (at == n) return false;
        uint64_t length = bit < 32 ? 0 : words[at];
        at++;
        if (length > n - at) return false;
        at += (uint32_t)length;
    }
    return at == n;
}

static parcast_status define(struct spool_reader *r, unsigned number, const unsigned char *from, uint32_t n,
                             parcast_error *error)
{
    if (number == 0 || number > SPOOL_LAST_TOKEN) return damaged(r, "a definition has no number", error);
    if (n < 2) return damaged(r, "a definition", error);
    struct spool_token *token = &r->tokens[number];
    if (token->room < n) {
        uint32_t room = n + n / 2;
        if (!room_for(r, room))
            return parcast_error_set(error, PARCAST_MEMORY, r->source, 0, "out of memory");
        *token = (struct spool_token){.place = r->n_words, .room = room};
        r->n_words += room;
    }
    token->n = n;
    memcpy(r->words + token->place, from, (size_t)n * 8);
    return well_formed(r->words + token->place, n) ? PARCAST_OK : damaged(r, "a definition", error);
}

static void forget(struct spool_reader *r)
{
    memset(r->tokens, 0, (SPOOL_LAST_TOKEN + 1) * sizeof *r->tokens);
    r->n_words = 0;
}

static parcast_status read_event(struct spool_reader *r, uint16_t number, struct spool_read *read,
                                 parcast_error *error)
{
    const struct spool_token *token = &r->tokens[number];
    bool cpu = r->header.flags & SPOOL_CPU;
    if (token->n == 0) return damaged(r, "an event that was not defined", error);
    read->item = SPOOL_LAST_TOKEN;
    read->words = r->words + token->place;
    read->n = token->n;
    bool matches = SPOOL_MATCHES(read->words[0]);
    size_t n = 6 + (cpu ? 2U : 0U) + (matches ? 8U : 0U);
    const unsigned char *at = r->bytes + r->at;
    if (r->size - r->at < n) return damaged(r, "it ends within an event", error);
    read->times = (struct event_times){.gap = half_word(at + 2), .in_call = half_word(at + 4)};
    if (cpu) read->times.cpu = half_word(at + 6);
    read->matched_peer = read->matched_tag = 0;
    if (matches) {
        memcpy(&read->matched_peer, at + n - 8, 4);
        memcpy(&read->matched_tag, at + n - 4, 4);
    }
    r->at += n;
    return PARCAST_OK;
}

static parcast_status read_other(struct spool_reader *r, struct spool_read *read, bool *shown,
                                 parcast_error *error)
{
    const unsigned char *at = r->bytes + r->at;
    if (r->size - r->at < 8) return damaged(r, "it ends within an item", error);
    read->item = half_word(at);
    read->number = half_word(at + 2);
    memcpy(&read->n, at + 4, 4);
    if (read->n > (r->size - r->at - 8) / 8) return damaged(r, "it ends within an item", error);
    parcast_status status = PARCAST_OK;
    *shown = false;
    if (read->item == SPOOL_DEFINE) {
        status = define(r, read->number, at + 8, read->n, error);
    } else if (read->item == SPOOL_FORGET) {
        forget(r);
    } else {
        uint64_t *words = room_for(r, read->n);
        if (!words) return parcast_error_set(error, PARCAST_MEMORY, r->source, 0, "out of memory");
        memcpy(words, at + 8, (size_t)read->n * 8);
        read->words = words;
        *shown = true;
    }
    r->at += 8 + (size_t)read->n * 8;
    return status;
}

parcast_status spool_next(struct spool_reader *r, struct spool_read *read, parcast_error *error)
{
    *read = (struct spool_read){.item = SPOOL_END};
    for (;;) {
        uint16_t first = r->size - r->at >= 2 ? half_word(r->bytes + r->at) : SPOOL_END;
        bool shown = false;
        if (first == SPOOL_END) {
            read->item = SPOOL_END;
            return PARCAST_OK;
        }
        if (first <= SPOOL_LAST_TOKEN) return read_event(r, first, read, error);
        parcast_status status = read_other(r, read, &shown, error);
        if (status || shown) return status;
    }
}

/* -------- events -------- */

static bool fits(uint64_t word)
{
    return (int64_t)word >= INT32_MIN && (int64_t)word <= INT32_MAX;
}

static bool set_number(parcast_trace_event *e, unsigned member, uint64_t word)
{
    int64_t value = (int64_t)word;
    switch (member) {
    case MEMBER_BYTES:
        e->bytes = value;
        return true;
    case MEMBER_RECV_BYTES:
        e->recv_bytes = value;
        return true;
    case MEMBER_COUNT:
        e->count = value;
        return true;
    default:
        break;
    }
    if (!fits(word)) return false;
    int32_t small = (int32_t)value;
    switch (member) {
    case MEMBER_COMM:
        e->comm = small;
        return true;
    case MEMBER_PEER:
        e->peer = small;
        return true;
    case MEMBER_TAG:
        e->tag = small;
        return true;
    case MEMBER_SOURCE:
        e->source = small;
        return true;
    case MEMBER_SOURCE_TAG:
        e->source_tag = small;
        return true;
    case MEMBER_ROOT:
        e->root = small;
        return true;
    case MEMBER_REQUEST:
        e->request = small;
        return true;
    case MEMBER_NEW_COMM:
        e->new_comm = small;
        return true;
    case MEMBER_VALUE:
        e->value = small;
        return true;
    default:
        return false;
    }
}

static bool set_vector(parcast_trace_event *e, unsigned member, const uint64_t *words, size_t n)
{
    const int64_t *numbers = (const int64_t *)words;
    switch (member) {
    case MEMBER_REQUESTS:
        e->requests = numbers;
        e->n_requests = n;
        return true;
    case MEMBER_COMPLETED:
        e->completed = numbers;
        e->n_completed = n;
        return true;
    case MEMBER_SEND_COUNTS:
        e->send_counts = numbers;
        e->n_send_counts = n;
        return true;
    case MEMBER_RECV_COUNTS:
        e->recv_counts = numbers;
        e->n_recv_counts = n;
        return true;
    case MEMBER_SOURCES:
        e->sources = numbers;
        e->n_sources = n;
        return true;
    case MEMBER_DESTINATIONS:
        e->destinations = numbers;
        e->n_destinations = n;
        return true;
    default:
        return false;
    }
}

static bool set_members(parcast_trace_event *e, const uint64_t *words)
{
    uint32_t at = 2;
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(words[1] >> bit & 1)) continue;
        if (bit < 32) {
            if (!set_number(e, bit, words[at++])) return false;
            continue;
        }
        size_t length = words[at++];
        if (!set_vector(e, bit, words + at, length)) return false;
        at += (uint32_t)length;
    }
    return true;
}

parcast_status spool_event(const struct spool_reader *r, const struct spool_read *read,
                           parcast_trace_event *e, parcast_error *error)
{
    uint64_t word = read->words[0];
    parcast_trace_event_clear(e, PARCAST_TRACE_OTHER);
    e->op = parcast_trace_op_of(SPOOL_OP(word));
    e->start = SPOOL_START(word) == 1   ? PARCAST_TRACE_NONBLOCKING
               : SPOOL_START(word) == 2 ? PARCAST_TRACE_PERSISTENT
                                        : PARCAST_TRACE_BLOCKING;
    static const parcast_trace_send_mode modes[] = {PARCAST_TRACE_STANDARD, PARCAST_TRACE_SYNCHRONOUS,
                                                    PARCAST_TRACE_BUFFERED, PARCAST_TRACE_READY};
    e->mode = modes[SPOOL_MODE(word)];
    e->flag = SPOOL_FLAG(word);
    e->thread = (int32_t)SPOOL_THREAD_OF(word);
    e->function = (int32_t)SPOOL_FUNCTION(word);
    e->site = (int32_t)SPOOL_SITE_OF(word) - 1;
    e->matched_peer = read->matched_peer;
    e->matched_tag = read->matched_tag;
    if (e->op == PARCAST_TRACE_OP_END || !set_members(e, read->words)) return damaged(r, "an event", error);
    return PARCAST_OK;
}
