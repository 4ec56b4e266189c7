/**
 * Quantities as people read them. All return a text in a buffer that the caller lends (struct human), so
 * that several can stand in one call. NAN is a dash.
 */
#ifndef PARCAST_REPORT_HUMAN_H
#define PARCAST_REPORT_HUMAN_H

struct human {
    char text[64];
};

/** 0.83 ms, 12.3 s, 4 min 05 s, 2 h 10 min, 3 days 4 h */
const char *human_time(struct human *buffer, double time_s);
/** 11.0-13.9 s: both ends in one unit where that reads well; empty when either is unknown */
const char *human_interval(struct human *buffer, double low_s, double high_s);
/** 1.5 MB (decimal prefixes) */
const char *human_bytes(struct human *buffer, double bytes);
/** A count with a prefix from a million on: 12500, 3.2 million */
const char *human_count(struct human *buffer, double count);
/** 0.42 USD; enough digits for cheap runs */
const char *human_cost(struct human *buffer, double cost, const char *currency);
/** 7.3 % */
const char *human_percent(struct human *buffer, double ratio);
/** `digits` significant digits, without an exponent between 1e-4 and 1e6 */
const char *human_number(struct human *buffer, double value, int digits);

#endif
