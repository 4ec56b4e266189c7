/** The memory of the tables: a file mapped into every rank, so that what was recorded survives the process.
 */
#ifndef PARCAST_PRELOAD_STORE_H
#define PARCAST_PRELOAD_STORE_H

#include "record.h"

/**
 * Make the tables of this rank in a new file of `directory`, all its blocks reserved. Where that fails (full
 * disk, limit on file sizes, directory not on this node) they are made in anonymous memory and the header is
 * flagged RAW_UNSAVED.
 *
 * @return false if there is no memory either
 */
bool store_create(const char *directory, uint64_t world_id, int rank, int n_ranks);

/** Do the tables lie in a file? */
bool store_in_file(void);

/** The file that the tables of a rank should have had, to write them after all; -1 on failure. */
int store_open(const char *directory, uint64_t world_id, int rank);
bool store_append(int file, const void *bytes, size_t n);
/** Close; true if all was written. Otherwise the file is left empty. */
bool store_close(int file, bool written);

#endif
