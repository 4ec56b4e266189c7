/** Events of a trace as text and as JSON. */
#ifndef PARCAST_CLI_EVENT_TEXT_H
#define PARCAST_CLI_EVENT_TEXT_H

#include <jansson.h>
#include <stdio.h>

#include "parcast/trace.h"

/** "0,3,5-7" as a mark per rank, [n]; false if it is no list of ranks below n. */
bool cli_mark_ranks(const char *text, bool *marks, uint64_t n);

/** Print what an event says, without its times: "isend to 3 tag 7, 8192 bytes, request 0". */
void cli_event_print(FILE *out, const parcast_trace *trace, const parcast_trace_event *event);

/** The same as an object, with its times. */
json_t *cli_event_json(const parcast_trace *trace, const parcast_trace_event *event);

#endif
