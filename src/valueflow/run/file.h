/* The file that a followed program leaves its values in. */
#ifndef PARCAST_VALUEFLOW_FILE_H
#define PARCAST_VALUEFLOW_FILE_H

#include "parcast/error.h"

/** An empty file in the folder for temporary ones, which has room; its whole path, to be released. NULL: it
 * cannot be made. */
char *values_file_make(parcast_error *error);

/** The cure where it cannot be made or written; `cause` has the text of the system's error. */
void values_file_hint(const char *cause, parcast_error *error);

#endif
