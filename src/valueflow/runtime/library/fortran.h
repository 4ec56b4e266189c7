/* Functions of flang's runtime that are followed element by element (fortran.def). */
#ifndef PARCAST_VALUEFLOW_FORTRAN_H
#define PARCAST_VALUEFLOW_FORTRAN_H

#include <stdbool.h>
#include <stdint.h>

/** Before the call, with its arguments in order, integers among them. False: not one of them, or with
 * arguments that are not followed; then it is like any other function. */
bool vf_fortran_begin(const void *function, uint32_t n, const void *const *arguments);
/** Is the call that has begun last one of this function, and not ended? */
bool vf_fortran_is(const void *function);
/** The label of what it returns; held by nothing yet. */
uint32_t vf_fortran_result(void);
/** After the call. */
void vf_fortran_end(void);
/** After any call: an array of a derived type that was allocated is one of structures. */
void vf_fortran_note(const void *function, uint32_t n, const void *const *arguments);

#endif
