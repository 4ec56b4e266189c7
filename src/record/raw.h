/**
 * Raw profiles: the files that the preload library leaves, one per rank, read back into parcast_rank_profile.
 * Format: docs/formats/raw-profile.md. The files are foreign bytes: everything is checked.
 */
#ifndef PARCAST_RECORD_RAW_H
#define PARCAST_RECORD_RAW_H

#include "parcast/profile.h"

/**
 * Read all raw profiles of a directory (PARCAST_RECORD_DIR of the run).
 *
 * @param[in]  directory  holds rank files W.R.parcast-raw; other files are ignored
 * @param[out] profiles   [n] by world (the one whose file appeared first is first), then rank; free with
 *                        parcast_profiles_destroy(); untouched on failure
 * @param[out] n          0 if no process called MPI_Init: not an error
 * @return PARCAST_OK; PARCAST_IO (directory or file cannot be read); PARCAST_FORMAT (a file is damaged; it is
 * named); PARCAST_MEMORY
 */
parcast_status parcast_raw_read_directory(const char *directory, parcast_rank_profile **profiles, size_t *n,
                                          parcast_error *error);

/** Read one raw profile from memory; `source` names it in errors. Sets *profile only on success. */
parcast_status parcast_raw_read(const void *bytes, size_t size, const char *source,
                                parcast_rank_profile *profile, parcast_error *error);

#endif
