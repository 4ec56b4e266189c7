/**
 * Layout of a spool: the file W.R.parcast-spool into which a rank that is traced puts its events, and which
 * the collector turns into a trace. docs/formats/raw-profile.md describes it. Native byte order.
 *
 * A header, then items, all of them multiples of two bytes. The file is mapped, piece by piece: an item is
 * there as soon as its first two bytes are not zero, so what a killed process leaves is whole.
 *
 *     event     token, code of the gap, code of the call (trace/duration.h)
 *               [code of the CPU time in the gap, when the header says so]
 *               [who was matched: int32 peer, int32 tag, when the token's definition says so; set later]
 *     others    kind, number, uint32 n, n words of 8 bytes
 */
#ifndef PARCAST_RECORD_SPOOL_FORMAT_H
#define PARCAST_RECORD_SPOOL_FORMAT_H

#include "record/raw_format.h"

#define SPOOL_MAGIC  "PARCASTL"
#define SPOOL_SUFFIX ".parcast-spool"

enum { SPOOL_VERSION = 1, SPOOL_HEADER_BYTES = 4096, SPOOL_UNMATCHED = INT32_MIN };

enum spool_flag {
    SPOOL_CPU = 1,      /* events have CPU times */
    SPOOL_FULL = 2,     /* the disk was full: events are missing at the end */
    SPOOL_COMMS = 4,    /* too many communicators: some are not told apart */
    SPOOL_REQUESTS = 8, /* too many open requests: some have no number */
};

struct spool_header {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t world_id;
    int32_t rank, n_ranks;
    uint32_t flags, end;                  /* enum spool_flag; enum raw_end */
    struct raw_stamp load, start, latest; /* as in raw_header */
    uint64_t start_unix_ns;
    uint64_t bytes; /* of header and items, when the recording ended in order; 0 before */
};

/* First two bytes of an item; 1 to SPOOL_LAST_TOKEN is an event. */
enum spool_item {
    SPOOL_END = 0,
    SPOOL_LAST_TOKEN = 0xff00,
    SPOOL_DEFINE = 0xff01, /* number: token; words: see below */
    SPOOL_FORGET = 0xff02, /* all tokens so far are free again */
    SPOOL_NAME = 0xff03,   /* number: function; words: its name, zero-padded */
    SPOOL_SITE = 0xff04,   /* number: site; words: offset, then the path of its module, zero-padded */
    SPOOL_COMM = 0xff05,   /* number: communicator; words: struct spool_comm */
    SPOOL_THREAD = 0xff06, /* number: thread; words: ticks since the start when its first gap began */
};

/*
 * Definition: word 0, then a mask of members, then one word per member of the mask in the order of its bits;
 * members from bit 32 on are vectors: their length, then as many words. Bits: src/trace/definition.c
 * (docs/formats/trace.md).
 */
#define SPOOL_OP(word)        ((unsigned)((word) & 0xff))
#define SPOOL_START(word)     ((unsigned)((word) >> 8 & 3))
#define SPOOL_MODE(word)      ((unsigned)((word) >> 10 & 3))
#define SPOOL_FLAG(word)      ((unsigned)((word) >> 12 & 1))
#define SPOOL_MATCHES(word)   ((unsigned)((word) >> 13 & 1)) /* events carry who was matched */
#define SPOOL_THREAD_OF(word) ((unsigned)((word) >> 16 & 0xff))
#define SPOOL_FUNCTION(word)  ((unsigned)((word) >> 24 & 0xffff))
#define SPOOL_SITE_OF(word)   ((unsigned)((word) >> 40 & 0xffff)) /* number + 1, 0: none */

/* Members that the preload library sets. */
enum spool_member {
    MEMBER_COMM = 6,
    MEMBER_PEER = 7,
    MEMBER_TAG = 8,
    MEMBER_BYTES = 9,
    MEMBER_SOURCE = 10,
    MEMBER_SOURCE_TAG = 11,
    MEMBER_RECV_BYTES = 12,
    MEMBER_MATCHED_PEER = 13,
    MEMBER_MATCHED_TAG = 14,
    MEMBER_ROOT = 15,
    MEMBER_REQUEST = 16,
    MEMBER_NEW_COMM = 17,
    MEMBER_VALUE = 18,
    MEMBER_COUNT = 19,
    MEMBER_REQUESTS = 32,
    MEMBER_COMPLETED = 33,
    MEMBER_SEND_COUNTS = 34,
    MEMBER_RECV_COUNTS = 35,
    MEMBER_SOURCES = 36,
    MEMBER_DESTINATIONS = 37,
};

/*
 * A communicator as one of its ranks sees it. Which one it is, all its ranks find alike: by the ranks of the
 * world in its group (two groups), and by how many of the same groups were alive when it was made.
 */
struct spool_comm {
    uint64_t local_hash, remote_hash; /* remote: 0 unless an intercommunicator */
    uint32_t n_ranks, n_remote;
    uint32_t rank, alike; /* own rank in the local group; which of those with the same groups */
    uint32_t other_world; /* remote ranks are of another world */
    uint32_t reserved;
};

#endif
