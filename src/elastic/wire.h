/**
 * Lines and bytes over TCP: what the supervisor, rank 0 and the servers of pieces say to each other.
 * Words: docs/formats/elastic-control.md.
 */
#ifndef PARCAST_ELASTIC_WIRE_H
#define PARCAST_ELASTIC_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

enum {
    ELASTIC_LINE_BYTES = 1024,
    ELASTIC_TOKEN_BYTES = 33,
    ELASTIC_TEXT_BYTES =
        1 << 30 /* a manifest, which has some hundred bytes a rank, or the names of servers */
};

/** One connection; lines are read ahead into a buffer. */
typedef struct elastic_wire {
    int fd; /* -1 when closed */
    size_t begin, end;
    char buffer[8192];
} elastic_wire;

typedef enum elastic_wire_state {
    ELASTIC_WIRE_LINE,    /* a line was read */
    ELASTIC_WIRE_NOTHING, /* nothing yet */
    ELASTIC_WIRE_CLOSED   /* the other side is gone, or talks nonsense */
} elastic_wire_state;

/** Begin with an open socket; it belongs to the wire from now on. */
void elastic_wire_begin(elastic_wire *wire, int fd);
void elastic_wire_end(elastic_wire *wire);

/** Connect to "host:port". PARCAST_IO with the cause. */
parcast_status elastic_wire_connect(elastic_wire *wire, const char *address, parcast_error *error);

/** Listen on a free port of an address (NULL: all). Non-blocking. */
parcast_status elastic_wire_listen(const char *host, int *fd, int *port, parcast_error *error);

/**
 * The next line without its end. @param[in] wait_ms 0: do not wait; negative: as long as it takes
 */
elastic_wire_state elastic_wire_line(elastic_wire *wire, int wait_ms, char line[ELASTIC_LINE_BYTES]);
/** Exactly so many bytes; false when the other side goes away or nothing comes for a minute. */
bool elastic_wire_bytes(elastic_wire *wire, void *bytes, size_t n);

/** All of it; false when the other side is gone or takes nothing for a minute. */
bool elastic_wire_send(elastic_wire *wire, const void *bytes, size_t n);
/** A line; the end is added. */
bool elastic_wire_say(elastic_wire *wire, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** 32 hexadecimal digits from the kernel's generator. */
bool elastic_wire_token(char token[ELASTIC_TOKEN_BYTES]);
/** Compares in the same time whatever differs. */
bool elastic_wire_same_token(const char *a, const char *b);

#endif
