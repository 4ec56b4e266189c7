/**
 * Arrays that wait in the memory of the ranks that computed with them, until those of the next size on the
 * same machine have copied them: one copy, from array to array. The manifest that describes them has the form
 * of a checkpoint's; the path of a piece is "@PROCESS:ADDRESS", where its table lies, and the checksum of the
 * index is the table's.
 */
#ifndef PARCAST_ELASTIC_HELD_H
#define PARCAST_ELASTIC_HELD_H

#include "elastic/mpi/internal.h"

/** An array in the memory of a process. */
typedef struct elastic_held_array {
    uint64_t address;
    int64_t bytes; /* with the halo */
} elastic_held_array;

/** What one rank holds, in the order of the manifest. */
typedef struct elastic_table {
    uint64_t magic;
    int64_t rank, n;
    elastic_held_array arrays[];
} elastic_table;

static const uint64_t elastic_table_magic =
    UINT64_C(0x31444c4548524150); /* "PARHELD1" on little-endian machines */

static inline size_t elastic_table_bytes(size_t n)
{
    return sizeof(elastic_table) + n * sizeof(elastic_held_array);
}

/** Does a manifest describe arrays in memory? */
static inline bool elastic_is_held(const elastic_manifest *manifest)
{
    return manifest->pieces[0].path[0] == '@';
}

/**
 * hold.c: a manifest of what the ranks of e->own hold; on rank 0 only the text, to be freed. Collective.
 * `table` lies where the pieces say until it is freed.
 */
parcast_status elastic_describe_held(parcast_elastic *e, int64_t iteration, int64_t epoch,
                                     elastic_table **table, char **text, parcast_error *error);

/** hold.c: others of our own user may read this process, where the system keeps processes apart. */
void elastic_let_read(bool yes);

/**
 * pull.c: my part of all arrays from the memory of those that hold them.
 * @return PARCAST_IO (the system does not let us, or the process is gone); PARCAST_FORMAT (the memory holds
 * something else); PARCAST_MEMORY
 */
parcast_status elastic_pull(parcast_elastic *e, const elastic_manifest *manifest, int64_t *n_bytes,
                            parcast_error *error);

#endif
