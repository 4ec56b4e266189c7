/* Fields of a CSV text, one record at a time: RFC 4180 with a separator of choice, comments and empty lines.
 */
#ifndef PARCAST_FORECAST_CSV_H
#define PARCAST_FORECAST_CSV_H

#include <stddef.h>

#include "parcast/error.h"

enum { CSV_MAX_FIELDS = 256 };

struct csv {
    const char *name; /* for errors */
    const char *next, *end;
    char separator;
    int line; /* of the record read last, from 1 */
    int next_line;
    char *fields[CSV_MAX_FIELDS]; /* [n_fields] of the record read last, trimmed; in `text` */
    size_t n_fields;
    char *text; /* room for one record */
};

/* Skip a byte order mark, refuse what is no text, find the separator in the first record. */
parcast_status csv_open(const char *bytes, size_t size, const char *name, struct csv *csv,
                        parcast_error *error);
void csv_close(struct csv *csv);
/* Read the next record that is neither empty nor a comment; n_fields is 0 at the end of the text. */
parcast_status csv_next(struct csv *csv, parcast_error *error);

#endif
