/* The file that a followed program leaves its values in. */
#ifndef PARCAST_VALUEFLOW_FILE_H
#define PARCAST_VALUEFLOW_FILE_H

#include "parcast/error.h"

/** An empty file in the folder for temporary ones, which has room; its whole path, to be released. NULL: it
 * cannot be made. */
char *values_file_make(parcast_error *error);

#endif
