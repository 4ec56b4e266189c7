/** The tables of a raw profile whose header and sections have been checked. */
#ifndef PARCAST_RECORD_RAW_TABLES_H
#define PARCAST_RECORD_RAW_TABLES_H

#include "parcast/profile.h"
#include "raw_format.h"

struct raw_view {
    const char *bytes;
    const struct raw_header *header;
    double tick_s;      /* seconds per tick */
    uint64_t end_ticks; /* of the window */
};

/** Fill the arrays of *profile; on failure those that were filled are left to be cleared. */
parcast_status raw_read_tables(const struct raw_view *view, const char *source, parcast_rank_profile *profile,
                               parcast_error *error);

#endif
