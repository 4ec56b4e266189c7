/*
 * Any bytes are refused with a reason, or are the events of a rank. Bytes that do not begin as a spool are
 * its items, behind a sound header.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record/spool.h"

static void require(int condition)
{
    if (!condition) abort();
}

static void read_items(struct spool_reader *reader)
{
    struct spool_read read;
    parcast_trace_event event;
    parcast_error error = {0};
    parcast_status status = spool_next(reader, &read, &error);
    while (!status && read.item != SPOOL_END) {
        if (read.item == SPOOL_LAST_TOKEN) status = spool_event(reader, &read, &event, &error);
        if (!status && read.item == SPOOL_LAST_TOKEN) require(parcast_trace_op_name(event.op) != NULL);
        if (!status) status = spool_next(reader, &read, &error);
    }
    require(!status || error.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct spool_reader reader;
    parcast_error error = {0};
    bool whole = size >= 8 && memcmp(data, SPOOL_MAGIC, 8) == 0;
    unsigned char *bytes = calloc(1, SPOOL_HEADER_BYTES + size + 1);
    require(bytes != NULL);
    struct spool_header header = {.version = SPOOL_VERSION,
                                  .byte_order = RAW_BYTE_ORDER,
                                  .n_ranks = 2,
                                  .load = {1, 1},
                                  .start = {2, 2},
                                  .latest = {3, 3}};
    memcpy(header.magic, SPOOL_MAGIC, sizeof header.magic);
    if (size > 0) header.flags = data[0] & SPOOL_CPU;
    memcpy(bytes, &header, sizeof header);
    memcpy(whole ? bytes : bytes + SPOOL_HEADER_BYTES, data, size);
    if (spool_begin(&reader, bytes, whole ? size : SPOOL_HEADER_BYTES + size, "fuzz", &error) == PARCAST_OK)
        read_items(&reader);
    else
        require(error.text[0]);
    spool_end(&reader);
    free(bytes);
    return 0;
}
