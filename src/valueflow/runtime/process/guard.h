/* What the analysis met and cannot follow, by kind and name, each once; it stands in the result. */
#ifndef PARCAST_VALUEFLOW_GUARD_H
#define PARCAST_VALUEFLOW_GUARD_H

#include <stdint.h>

#define VF_REPORT_CALL        "call of a function without instrumentation: what it may have written counts as input"
#define VF_REPORT_UNSUPPORTED "not followed"
#define VF_REPORT_CHILD       "entered in a process that the program forks"
#define VF_REPORT_NO_REGION   "--region or PARCAST_REGION names a function that the program does not have"

/** The place of the call by which the program's own code last went to an allocator, a library or a thread:
 * "heat.c:12 (main)". NULL before the first. */
extern const char *parcast_vf_site;
/** The region begins: ends the run where threads are running. */
void vf_guard_region(void);
/** The region begins where nothing is followed, in a child perhaps. */
void vf_guard_child(void);

/** Puts among the reports what the region is, and functions that were named and are nowhere. */
void vf_report_regions(void);

void vf_report(const char *kind, const char *name);
uint32_t vf_reports_size(void);
const char *vf_report_kind(uint32_t i);
const char *vf_report_name(uint32_t i);
uint64_t vf_report_count(uint32_t i);

#endif
