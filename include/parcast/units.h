/**
 * Text to quantities and back: "1 Gbit/s", "30 us", "2h30m", "18:00", "1-64:2".
 *
 * All quantities are in SI units: seconds, bytes, bytes per second, flop per second.
 * Decimal prefixes (k, M, G, T) are powers of 1000; binary ones (Ki, Mi, Gi, Ti) of 1024.
 * A number without a unit is already in the SI unit. Space between number and unit is optional.
 */
#ifndef PARCAST_UNITS_H
#define PARCAST_UNITS_H

#include <stddef.h>
#include <time.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bandwidth [bytes/s]: "1 Gbit/s", "25 GB/s", "100 MiB/s", "125e6". */
PARCAST_API parcast_status parcast_units_bandwidth(const char *text, double *bytes_per_s,
                                                   parcast_error *error);
/** Size [bytes]: "64 KiB", "8 GB", "1500". */
PARCAST_API parcast_status parcast_units_size(const char *text, double *bytes, parcast_error *error);
/** Time span [s]: "30 us", "5 ms", "12", "90m", "2h30m", "1d". Negative spans are refused. */
PARCAST_API parcast_status parcast_units_time(const char *text, double *seconds, parcast_error *error);
/** Rate of arithmetic [flop/s]: "1 Gflop/s", "2.5e9". */
PARCAST_API parcast_status parcast_units_flop_rate(const char *text, double *flop_per_s,
                                                   parcast_error *error);
/**
 * Deadline as a time span from now [s]: everything that parcast_units_time takes, or a clock time "18:00"
 * or "18:00:30" in local time, today or, if that has passed, tomorrow.
 */
PARCAST_API parcast_status parcast_units_deadline(const char *text, time_t now, double *seconds,
                                                  parcast_error *error);

/**
 * Counts: "1,2,4", "1-64", "1-64:2" (step), "2..1024" (powers of two from 2), in any combination with commas.
 *
 * @param[out] counts  ascending, without repetition, each from 1; free() by the caller
 * @return PARCAST_INVALID for an empty or malformed list, PARCAST_LIMIT above 1,000,000 entries
 */
PARCAST_API parcast_status parcast_units_list(const char *text, int **counts, size_t *n_counts,
                                              parcast_error *error);

/** Time for people: "1.24 ms", "12.3 s", "2 h 05 min". Returns buffer. */
PARCAST_API const char *parcast_units_format_time(double seconds, char *buffer, size_t size);
/** Size for people, decimal prefixes: "1.50 MB". Returns buffer. */
PARCAST_API const char *parcast_units_format_size(double bytes, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
