/* Calls of code without instrumentation. */
#ifndef PARCAST_VALUEFLOW_OUTSIDE_H
#define PARCAST_VALUEFLOW_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

/** Is it text that every process has: of the command line, or a copy of it? Numbers in it have no home. */
bool vf_is_told(const void *text);
/** What such a function returns comes of its arguments; VF_UNTOUCHED when these carry nothing. */
uint32_t vf_outside_result(const void *function);

/* call.c */
/** Did the last call of the function go to code that is followed? */
bool vf_call_returned(const void *function);
/** What a list of variable arguments carries that a call is given; 0 where it is none, or nothing. */
uint32_t vf_list_labels(const void *list, const uint32_t **labels);
/** It went to a function that is followed, where nothing is read from it. */
void vf_list_lost(const void *list);
/** The labels that a call is about to be given. */
uint32_t vf_call_arguments(const void *function, const uint32_t **labels);

#endif
