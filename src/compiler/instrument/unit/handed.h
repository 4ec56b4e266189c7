/* How what a call allocates gets out of the function that the call stands in. */
#ifndef PARCAST_INSTRUMENT_HANDED_H
#define PARCAST_INSTRUMENT_HANDED_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* What is not a number of a parameter. */
enum { HANDED_NOWHERE = -2, HANDED_AS_RESULT = -1 };

/** Where it goes: HANDED_AS_RESULT, the number of a parameter that leads there, or HANDED_NOWHERE; itself, or
 * as a member of a structure that goes there. */
struct handed {
    int to;
    bool is_part;
};

/** `return malloc(n)`, through variables of the function perhaps: HANDED_AS_RESULT. `*a = malloc(n)` and
 * `a->resize(n)`: the number of parameter a, which leads to a variable of the caller. `v->data = malloc(n)`:
 * as a part where v goes. Else HANDED_NOWHERE. Before the unit is optimised. */
struct handed handed_from(LLVMValueRef call);
/** The same of what is put into this place. */
struct handed handed_into(LLVMValueRef place);
/** The same of what a call puts where this argument points to. */
struct handed handed_on(LLVMValueRef argument);
/** Is it the address of a variable that leads to memory: a pointer, a vector, an array with a descriptor? */
bool handed_is_slot(LLVMValueRef argument);
/** The structure that it is the address of; NULL where it is none that has pointers. */
LLVMTypeRef handed_structure(LLVMValueRef argument);

#endif
