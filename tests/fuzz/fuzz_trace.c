/*
 * Any bytes are refused with a reason, or are a trace. The first byte says what the others are: 0 a file; 1
 * meta data; 2 the contents of a frame behind its header's numbers, which checksums would keep a fuzzer from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "trace/decoder.h"
#include "trace/meta.h"

static void require(int condition)
{
    if (!condition) abort();
}

static void read_ranks(parcast_trace *trace)
{
    int32_t n = parcast_trace_about(trace)->n_ranks;
    for (int32_t rank = 0; rank < n && rank < 100; rank++) {
        parcast_trace_cursor *cursor = NULL;
        const parcast_trace_event *event = NULL;
        parcast_error error = {0};
        require(parcast_trace_cursor_open(trace, rank, &cursor, NULL) == PARCAST_OK);
        while (parcast_trace_next(cursor, &event, &error) == PARCAST_OK && event) {
            require(parcast_trace_op_name(event->op) != NULL && event->compute >= 0);
            require(parcast_trace_get_comm(trace, event->comm) != NULL);
        }
        require(event == NULL || error.text[0]);
        parcast_trace_cursor_close(&cursor);
    }
}

static void read_file(const uint8_t *data, size_t size)
{
    char path[64];
    int file = memfd_create("trace", MFD_CLOEXEC);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    int length = snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    require(length > 0);
    for (int mode = PARCAST_TRACE_WHOLE; mode <= PARCAST_TRACE_UP_TO_CUT; mode++) {
        parcast_trace *trace = NULL;
        parcast_error error = {0};
        if (parcast_trace_open(path, (parcast_trace_mode)mode, &trace, &error) == PARCAST_OK)
            read_ranks(trace);
        else
            require(error.text[0]);
        parcast_trace_close(&trace);
    }
    close(file);
}

static void read_meta(const uint8_t *data, size_t size)
{
    struct trace_meta meta = {.ranks = NULL};
    if (meta_get(data, size, 3, &meta) == PARCAST_OK) {
        struct trace_buffer bytes = {.n = 0};
        require(meta.about.n_comms >= 2 && meta.ranks != NULL);
        if (meta_check(&meta.about, NULL, NULL) == PARCAST_OK) meta_put(&bytes, &meta.about);
        free(bytes.bytes);
    }
    meta_free(&meta);
}

/* Numbers of two bytes each: events, definitions, bytes of definitions, of the sequence; then coding. */
static void read_frame(const uint8_t *data, size_t size)
{
    if (size < 9) return;
    struct decoder decoder = {.raw = NULL};
    struct decoded decoded;
    struct frame_header h = {.kind = FRAME_EVENTS,
                             .coding = 1 + data[8] % 3,
                             .n_events = get_u16(data) + 1U,
                             .n_definitions = get_u16(data + 2) % TRACE_MOST_DEFINITIONS + 1U,
                             .definition_bytes = get_u16(data + 4),
                             .sequence_bytes = get_u16(data + 6)};
    unsigned char *raw = decoder_room(&decoder, &h);
    require(raw != NULL);
    size_t room = frame_raw_bytes(&h);
    memset(raw, 0, room);
    memcpy(raw, data + 9, size - 9 < room ? size - 9 : room);
    if (decoder_begin(&decoder) == PARCAST_OK)
        while (!decoder_at_end(&decoder) && decoder_next(&decoder, &decoded)) require(decoded.date >= 0);
    decoder_free(&decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    switch (data[0] % 3) {
    case 0:
        read_file(data + 1, size - 1);
        break;
    case 1:
        read_meta(data + 1, size - 1);
        break;
    default:
        read_frame(data + 1, size - 1);
    }
    return 0;
}
