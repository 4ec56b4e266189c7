/** A directory in a place where everybody may write. */
#ifndef PARCAST_ELASTIC_PRIVATE_H
#define PARCAST_ELASTIC_PRIVATE_H

#include "parcast/error.h"

/** Make a directory that is ours alone, or check that it is. PARCAST_IO says what is wrong. */
parcast_status elastic_private_directory(const char *path, parcast_error *error);

#endif
