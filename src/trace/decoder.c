#include "trace/decoder.h"

#include <math.h>

#include "trace/definition.h"
#include "trace/duration.h"
#include "trace/prediction.h"

enum { MOST_THREADS = 1 << 16 };

unsigned char *decoder_room(struct decoder *d, const struct frame_header *header)
{
    size_t n = frame_raw_bytes(header);
    d->header = *header;
    if (n <= d->raw_capacity && d->raw) return d->raw;
    free(d->raw);
    d->raw = malloc(n ? n : 1);
    d->raw_capacity = d->raw ? n : 0;
    return d->raw;
}

static parcast_status set_date(struct decoder *d, uint64_t thread, double date)
{
    if (thread >= MOST_THREADS || !(date >= 0) || date > 0x1p63) return PARCAST_FORMAT;
    if (thread >= d->n_dates) {
        double *more = realloc(d->dates, (thread + 1) * sizeof *more);
        if (!more) return PARCAST_MEMORY;
        for (size_t i = d->n_dates; i <= thread; i++) more[i] = 0;
        d->dates = more;
        d->n_dates = thread + 1;
    }
    d->dates[thread] = date;
    return PARCAST_OK;
}

static parcast_status read_dates(struct decoder *d, struct trace_view *view)
{
    parcast_status status = set_date(d, 0, d->header.date);
    uint64_t n = view_varint(view);
    for (uint64_t i = 0; i < n && !status && !view->bad; i++) {
        uint64_t thread = view_varint(view);
        double date = view_double(view);
        status = set_date(d, thread, date);
    }
    return view->bad ? PARCAST_FORMAT : status;
}

/* Every definition with its length before it: how many numbers their vectors hold. */
static size_t vector_room(struct trace_view view, uint32_t n)
{
    size_t room = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t length = view_varint(&view);
        const unsigned char *bytes = view_take(&view, length);
        size_t more = bytes ? definition_vector_room(bytes, length) : SIZE_MAX;
        if (more == SIZE_MAX) return SIZE_MAX;
        room += more;
    }
    return view.at == view.end ? room : SIZE_MAX;
}

static parcast_status read_definitions(struct decoder *d, struct trace_view view)
{
    uint32_t n = d->header.n_definitions;
    size_t room = vector_room(view, n);
    if (room == SIZE_MAX) return PARCAST_FORMAT;
    free(d->definitions);
    free(d->numbers);
    free(d->expected);
    d->definitions = calloc(n, sizeof *d->definitions);
    d->numbers = calloc(room + 1, sizeof *d->numbers);
    d->expected = calloc(3 * (size_t)n, sizeof *d->expected);
    if (!d->definitions || !d->numbers || !d->expected) return PARCAST_MEMORY;
    int64_t *numbers = d->numbers;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t length = view_varint(&view);
        const unsigned char *bytes = view_take(&view, length);
        if (!definition_get(bytes, length, &d->definitions[i], &numbers)) return PARCAST_FORMAT;
    }
    return PARCAST_OK;
}

static parcast_status begin_sequence(struct decoder *d, const unsigned char *bytes)
{
    const struct frame_header *h = &d->header;
    uint16_t *tokens = realloc(d->sequence.tokens, h->n_events * sizeof *tokens);
    if (!tokens) return PARCAST_MEMORY;
    d->sequence = (struct sequence){.view = view_of(bytes, h->sequence_bytes),
                                    .tokens = tokens,
                                    .n = h->n_events,
                                    .n_definitions = h->n_definitions};
    return PARCAST_OK;
}

parcast_status decoder_begin(struct decoder *d)
{
    const struct frame_header *h = &d->header;
    struct trace_view view = view_of(d->raw, h->definition_bytes);
    parcast_status status = read_dates(d, &view);
    if (!status) status = read_definitions(d, view);
    if (!status) status = begin_sequence(d, d->raw + h->definition_bytes);
    d->times = d->raw + h->definition_bytes + h->sequence_bytes;
    return status;
}

/* Column k of the codes: high bytes of all events, then low bytes. */
static bool read_code(struct decoder *d, int column, uint32_t i, uint16_t token, double *value)
{
    const struct frame_header *h = &d->header;
    const unsigned char *high = d->times + (size_t)column * 2 * h->n_events;
    uint16_t folded = (uint16_t)(high[i] << 8 | high[h->n_events + i]);
    int32_t *expected = &d->expected[(size_t)column * h->n_definitions + token];
    uint16_t code = prediction_undo(expected, folded);
    if (code >= DURATION_CODE_END) return false;
    *value = (double)duration_decode(code);
    return true;
}

static bool read_double(const struct decoder *d, int column, uint32_t i, double *value)
{
    size_t n = d->header.n_events;
    const unsigned char *bytes = d->times + (size_t)column * 8 * n + i;
    uint64_t bits = 0;
    for (size_t k = 0; k < 8; k++) bits |= (uint64_t)bytes[k * n] << 8 * k;
    *value = bits_double(bits);
    return isfinite(*value) && *value >= 0;
}

static bool read_times(struct decoder *d, uint32_t i, uint16_t token, struct decoded *out)
{
    if (d->header.coding == CODING_DOUBLES) {
        if (!read_double(d, 0, i, &out->compute) || !read_double(d, 1, i, &out->call)) return false;
        out->gap = out->compute;
        return true;
    }
    if (!read_code(d, 0, i, token, &out->gap) || !read_code(d, 1, i, token, &out->call)) return false;
    out->compute = out->gap;
    return d->header.coding == CODING_CODES || read_code(d, 2, i, token, &out->compute);
}

bool decoder_next(struct decoder *d, struct decoded *out)
{
    uint32_t i = d->sequence.at;
    int32_t token = sequence_next(&d->sequence);
    if (token < 0 || !read_times(d, i, (uint16_t)token, out)) return false;
    out->event = &d->definitions[token];
    int32_t thread = out->event->thread;
    if (thread < 0 || (size_t)thread >= d->n_dates) return false;
    out->date = d->dates[thread] + out->gap;
    d->dates[thread] = out->date + out->call;
    return true;
}

void decoder_free(struct decoder *d)
{
    free(d->raw);
    free(d->definitions);
    free(d->numbers);
    free(d->expected);
    free(d->sequence.tokens);
    free(d->dates);
    *d = (struct decoder){.raw = NULL};
}
