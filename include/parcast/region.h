/**
 * Markers of the part of a program that `parcast estimate` looks at. What lies before and after, reading
 * input and printing results, then does not count. A program that holds none of them, and was compiled
 * without --region, is looked at from the beginning of main to the end.
 *
 *     #include <parcast/region.h>
 *     parcast_region_begin();
 *     for (step = 0; step < n; step++) ...
 *     parcast_region_end();
 *
 * Regions may be entered several times; they are added up. Of regions within each other the outermost counts,
 * and one that is not ended ends with the program. Without `parcast cc` the markers do nothing.
 */
#ifndef PARCAST_REGION_H
#define PARCAST_REGION_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef PARCAST_VALUES
void parcast_region_begin(void);
void parcast_region_end(void);
#else
static inline void parcast_region_begin(void)
{
}
static inline void parcast_region_end(void)
{
}
#endif

#ifdef __cplusplus
}
#endif
#endif
