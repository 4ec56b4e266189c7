/** Reading the spool of a rank, item by item. Every byte of it is foreign. */
#ifndef PARCAST_RECORD_SPOOL_H
#define PARCAST_RECORD_SPOOL_H

#include "parcast/trace.h"
#include "record/spool_format.h"
#include "trace/encoder.h"

struct spool_token {
    size_t place; /* in `words` */
    uint32_t n;   /* 0: not defined */
    uint32_t room;
};

struct spool_reader {
    const char *source; /* for messages */
    const unsigned char *bytes;
    size_t size, at;
    struct spool_header header;
    struct spool_token *tokens; /* [SPOOL_LAST_TOKEN + 1] */
    uint64_t *words;            /* of the definitions */
    size_t n_words, capacity;
};

/** Begin reading; the bytes are lent. Close it also when this fails. */
parcast_status spool_begin(struct spool_reader *reader, const void *bytes, size_t size, const char *source,
                           parcast_error *error);
void spool_end(struct spool_reader *reader);

struct spool_read {
    enum spool_item item; /* SPOOL_END; SPOOL_LAST_TOKEN: an event; NAME, SITE, COMM, THREAD */
    unsigned number;      /* of a name, site, communicator or thread */
    const uint64_t *words;
    uint32_t n;
    struct event_times times;
    int32_t matched_peer, matched_tag;
};

/** The next item; definitions are kept and not shown. Its words are valid until the next call. */
parcast_status spool_next(struct spool_reader *reader, struct spool_read *read, parcast_error *error);

/**
 * The event that an item's words say; its communicators, function and site are still the rank's own numbers
 * (site PARCAST_TRACE_NONE if it has none). Vectors are lent by the words.
 */
parcast_status spool_event(const struct spool_reader *reader, const struct spool_read *read,
                           parcast_trace_event *event, parcast_error *error);

#endif
