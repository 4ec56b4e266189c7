/**
 * The manifest of a checkpoint: which iteration, which arrays in which layout, which pieces lie where. It is
 * written last; a checkpoint exists when its manifest does. Format: docs/formats/checkpoint.md.
 */
#ifndef PARCAST_ELASTIC_MANIFEST_H
#define PARCAST_ELASTIC_MANIFEST_H

#include "elastic/layout.h"
#include "elastic/piece.h"

enum { ELASTIC_NAME_BYTES = 64, ELASTIC_MAX_VALUE_BYTES = 1 << 20 };

typedef struct elastic_saved_array {
    char name[ELASTIC_NAME_BYTES];
    elastic_layout layout;
} elastic_saved_array;

typedef struct elastic_saved_value {
    char name[ELASTIC_NAME_BYTES];
    size_t bytes;
    unsigned char *data;
} elastic_saved_value;

typedef struct elastic_manifest {
    int64_t epoch, iteration;
    int n_ranks;
    elastic_saved_array *arrays;
    size_t n_arrays;
    elastic_saved_value *values;
    size_t n_values;
    elastic_piece *pieces; /* [n_ranks] in the order of ranks */
} elastic_manifest;

/** A name that can stand in a manifest. */
bool elastic_name_is_valid(const char *name);

/** The text, with the checksum as its last line; free() it. PARCAST_MEMORY */
parcast_status elastic_manifest_format(const elastic_manifest *manifest, char **text, parcast_error *error);

/**
 * Read a text of `bytes` bytes; everything in it is checked.
 * @param[in]  source   for messages, may be NULL
 * @param[out] manifest release with elastic_manifest_clear
 * @return PARCAST_FORMAT with line; PARCAST_MEMORY
 */
parcast_status elastic_manifest_parse(const char *text, size_t bytes, const char *source,
                                      elastic_manifest *manifest, parcast_error *error);
void elastic_manifest_clear(elastic_manifest *manifest);

const elastic_saved_array *elastic_manifest_array(const elastic_manifest *manifest, const char *name);
const elastic_saved_value *elastic_manifest_value(const elastic_manifest *manifest, const char *name);

/** Where the data of array number `array` begin in the piece of a rank. */
int64_t elastic_manifest_offset(const elastic_manifest *manifest, size_t array, int rank);

#endif
