/**
 * The keys of a platform file as tables: the reader and the writer both walk them, so that a key that is
 * read is also written.
 */
#ifndef PARCAST_PLATFORM_KEYS_H
#define PARCAST_PLATFORM_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/platform.h"

#define PLATFORM_SCHEMA "parcast.platform/1"

enum key_kind {
    KEY_SECTION,   /**< read by hand: nodes, network, ... */
    KEY_TEXT,      /**< char * */
    KEY_WORD,      /**< char *, one of the choices */
    KEY_CHOICE,    /**< int, index of the choice */
    KEY_WEIGHTS,   /**< double, index of the choice */
    KEY_COUNT,     /**< int */
    KEY_NUMBER,    /**< double */
    KEY_TIME,      /**< double [s] */
    KEY_SIZE,      /**< double [bytes] */
    KEY_BANDWIDTH, /**< double [bytes/s] */
    KEY_FLOP_RATE, /**< double [flop/s] */
    KEY_COUNTS,    /**< int[PARCAST_MAX_DIMENSIONS], length at offset_n */
    KEY_CABLES,    /**< int at offset, int at offset_n: "4", or "[4, 2]" with the cables of a link */
    KEY_NUMBERS,   /**< double *, length at offset_n */
    KEY_TEXTS,     /**< char **, length at offset_n */
    KEY_CURVE      /**< parcast_breakpoint *, length at offset_n */
};

struct key {
    const char *name;
    size_t offset, offset_n;    /**< of the field in its struct */
    double low, high;           /**< allowed values */
    const char *const *choices; /**< ends with NULL */
    enum key_kind kind;
    bool above; /**< low itself is not allowed */
    bool required;
};

struct key_table {
    const struct key *keys;
    size_t n_keys;
};

enum { KEY_TABLE_MAX = 40 };

extern const struct key_table platform_keys, node_keys, network_keys, loggops_keys, shared_memory_keys;

/** Values of everything that a file may leave out. */
void platform_defaults(parcast_platform *platform);
void node_type_defaults(parcast_node_type *type);

/** The key of the table that is spelled most like a word, or NULL if none is. */
const char *key_nearest(const struct key_table *table, const char *word);

#endif
