/** Numbers of SimGrid's platform files. */
#ifndef PARCAST_PLATFORM_SIMGRID_UNITS_H
#define PARCAST_PLATFORM_SIMGRID_UNITS_H

#include <stdbool.h>

/** "125MBps", "1Gbps", "10": bytes/s. False for what is none. */
bool simgrid_bandwidth(const char *text, double *bytes_per_s);
/** "50us", "1ms", "0.1": s. */
bool simgrid_time(const char *text, double *seconds);
/** "1Gf", "100Mf,50Mf" (the first counts), "1e9": flop/s. */
bool simgrid_speed(const char *text, double *flop_per_s);
/** "0-7,16-23,30": how many numbers these are. */
bool simgrid_radical(const char *text, int *count);

#endif
